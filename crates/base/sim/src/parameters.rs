//! Parameters of an algorithm: a struct, declared once with meanings, bounds and defaults.

use crate::{BitRate, Bytes, Duration};

/// One parameter.
pub struct Key<'a, T> {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Its default value, if it has one.
    pub default: Option<T>,
    /// Its value in the struct that is visited, if there is one.
    pub value: Option<&'a T>,
}

/// Visits parameters one after the other, to read, write or describe them. It knows how each kind of
/// value is written, within bounds that are both allowed.
pub trait Walk {
    /// The way a value is written.
    type Form<T: 'static>;
    /// A number of packets.
    fn packets(least: u32, most: u32) -> Self::Form<u32>;
    /// A bare number.
    fn count(least: u32, most: u32) -> Self::Form<u32>;
    /// A few bytes.
    fn small_size(least: u32, most: u32) -> Self::Form<u32>;
    /// An amount of data.
    fn size(least: Bytes, most: Bytes) -> Self::Form<Bytes>;
    /// A time.
    fn time(least: Duration, most: Duration) -> Self::Form<Duration>;
    /// A time, or none.
    fn time_or_off(least: Duration, most: Duration) -> Self::Form<Option<Duration>>;
    /// Yes or no.
    fn flag() -> Self::Form<bool>;
    /// A data rate.
    fn rate(least: BitRate, most: BitRate) -> Self::Form<BitRate>;
    /// Visits one parameter; its new value, or none if there is none.
    fn visit<T: Clone + 'static>(&mut self, key: Key<'_, T>, form: Self::Form<T>) -> Option<T>;
    /// The parameters do not fit together: the name of the one to change, and why.
    fn refuse(&mut self, _name: &'static str, _why: &str) {}
}

/// Leaves every parameter at its default.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Walk for Defaults {
    type Form<T: 'static> = ();

    fn packets(_: u32, _: u32) {}
    fn count(_: u32, _: u32) {}
    fn small_size(_: u32, _: u32) {}
    fn size(_: Bytes, _: Bytes) {}
    fn time(_: Duration, _: Duration) {}
    fn time_or_off(_: Duration, _: Duration) {}
    fn flag() {}
    fn rate(_: BitRate, _: BitRate) {}

    fn visit<T: Clone + 'static>(&mut self, key: Key<'_, T>, (): ()) -> Option<T> {
        key.default
    }
}

/// Defines the parameters of an algorithm, and a `walk` over them: after a field's type comes its form, then its default
/// if it has one. A `check` after the struct sees whether they fit together: it answers with the name of one that does not,
/// and why. They are `visited by` a [`Walk`] or, if that is said, by a trait that adds forms to it.
#[macro_export]
macro_rules! parameters {
    ( $(#[doc = $doc:literal])* pub struct $name:ident { $($body:tt)* } $(check $check:path;)? ) => {
        $crate::parameters! { $(#[doc = $doc])* pub struct $name { $($body)* } $(check $check;)? visited by $crate::Walk; }
    };
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident : $type:ty = $form:ident($($bound:expr),*) $(, default $default:expr)?;
            )*
        }
        $(check $check:path;)?
        visited by $walk:path;
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $field_doc])* pub $field: $type, )*
        }

        impl $name {
            /// Visits every parameter, with its value in `from` if given; the resulting struct, if all have a value.
            #[allow(unused_variables, reason = "there may be no parameters")]
            pub(crate) fn walk<W: $walk>(from: Option<&Self>, walk: &mut W) -> Option<Self> {
                $(
                    let $field: Option<$type> = walk.visit(
                        $crate::Key {
                            name: stringify!($field),
                            doc: concat!($($field_doc),*),
                            default: $crate::parameters!(@default $($default)?),
                            value: from.map(|from| &from.$field),
                        },
                        W::$form($($bound),*),
                    );
                )*
                let whole = Self { $($field: $field?,)* };
                $(
                    if let Some((name, why)) = $check(&whole) {
                        walk.refuse(name, why);
                    }
                )?
                Some(whole)
            }
        }
    };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
}

/// Declares the enum of all algorithms of a sort, each with its word and its struct of [`parameters!`](crate::parameters!),
/// `visited by` the trait that visits those; and perhaps, as `brought`, the struct of those that a caller brings, which has their `name`.
#[macro_export]
macro_rules! algorithms {
    (
        $(#[doc = $doc:literal])*
        pub enum $all:ident {
            $( $(#[doc = $one_doc:literal])* $word:literal: $name:ident; )*
            $( brought $(#[doc = $own_doc:literal])* $own:ident; )?
        }
        visited by $walk:path;
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $all {
            $( $(#[doc = $one_doc])* $name($name), )*
            $( $(#[doc = $own_doc])* $own($own), )?
        }

        impl $all {
            /// The words for all that are built in.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// Its word.
            pub const fn word(&self) -> &'static str {
                match self {
                    $( Self::$name(_) => $word, )*
                    $( Self::$own(of) => of.name.text(), )?
                }
            }

            /// Visits the parameters of the one called `word`, with their values in `from` if given. None if there is no
            /// such one, or if a parameter got no value.
            pub fn walk<W: $walk>(word: &str, from: Option<&Self>, walk: &mut W) -> Option<Self> {
                match word {
                    $( $word => {
                        let from = from.and_then(|from| if let Self::$name(of) = from { Some(of) } else { None });
                        $name::walk(from, walk).map(Self::$name)
                    } )*
                    _ => None,
                }
            }
        }
    };
}
