//! What may be said of a discipline: a struct of parameters, declared once with meanings, bounds and defaults.

use crate::Limit;
use airloom_sim::{BitRate, Bytes, Duration};

/// The most packets a queue can be said to hold.
pub const MOST_PACKETS: u32 = 1_000_000;
/// The most bytes a queue can be said to hold.
pub const MOST_BYTES: Bytes = Bytes(1 << 30);
/// The most buckets that flows can be hashed into (Linux `FQ_CODEL`: 65536).
pub(crate) const MOST_FLOWS: u32 = 65_536;
/// The most bytes that a flow can be said to send in its turn.
pub(crate) const MOST_QUANTUM: u32 = 1 << 20;
/// The shortest time of a control law.
pub(crate) const LEAST_TIME: Duration = Duration::from_micros(1);
/// The longest time of a control law.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(60);

/// One parameter of a discipline.
pub struct Key<'a, T> {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Its value where nothing is said, if it has one.
    pub default: Option<T>,
    /// Its value in the discipline that is walked over, if there is one.
    pub value: Option<&'a T>,
}

/// Visits the parameters of a discipline one after the other, to read, write or describe them. It knows how each kind of
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
    /// Packets, bytes or both.
    fn limit() -> Self::Form<Limit>;
    /// Visits one parameter; the value that it is to have, or none if there is none.
    fn visit<T: Clone + 'static>(&mut self, key: Key<'_, T>, form: Self::Form<T>) -> Option<T>;
}

/// Defines the parameters of a discipline: after a field's type comes its form, then its default if it has one.
macro_rules! parameters {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident : $type:ty = $form:ident($($bound:expr),*) $(, default $default:expr)?;
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $field_doc])* pub $field: $type, )*
        }

        impl $name {
            /// Visits every parameter, with its value in `from` if that is given; what they come to, if all have a value.
            pub(crate) fn walk<W: $crate::Walk>(from: Option<&Self>, walk: &mut W) -> Option<Self> {
                $(
                    let $field: Option<$type> = walk.visit(
                        $crate::Key {
                            name: stringify!($field),
                            doc: concat!($($field_doc),*),
                            default: $crate::parameters::parameters!(@default $($default)?),
                            value: from.map(|from| &from.$field),
                        },
                        W::$form($($bound),*),
                    );
                )*
                Some(Self { $($field: $field?,)* })
            }
        }
    };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
}
pub(crate) use parameters;
