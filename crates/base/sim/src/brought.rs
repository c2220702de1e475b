//! Kinds that a caller brings: each has a name, by which scenarios know it, parameters, to which they give values, and what makes one.

use crate::making::{Making, ParameterValue, Values, kept};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 40;

/// The kinds that were brought, with what makes each. A name is looked up as a connection or a link begins: nobody brings another of
/// that name while a run is under way.
///
/// ```
/// use airloom_sim::{Brought, Making, NameError};
/// use std::sync::Arc;
///
/// static LAWS: Brought<dyn Fn(&Making) -> i64 + Send + Sync> = Brought::new();
/// let mine = LAWS.bring("mine", &["theirs"], &[("above", 3.into())], Arc::new(|making| making.whole("above")))?;
/// assert_eq!((LAWS.named("mine"), LAWS.make(mine)(&mine.making(1))), (Some(mine), 3));
/// let other = LAWS.given("mine", |key| (key == "above").then(|| 4.into())).expect("it was brought");
/// assert_eq!((other.text(), LAWS.make(other)(&other.making(1))), ("mine", 4));
/// assert_eq!(LAWS.bring("theirs", &["theirs"], &[], Arc::new(|_| 4)), Err(NameError::BuiltIn("theirs".to_owned())));
/// # Ok::<(), NameError>(())
/// ```
pub struct Brought<M: ?Sized + 'static>(RwLock<BTreeMap<&'static str, Registered<M>>>);

/// A kind: its parameters with their defaults, and what makes one.
struct Registered<M: ?Sized> {
    parameters: Values,
    make: Arc<M>,
}

/// The name of a kind that was brought, with the values that its parameters have where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BroughtName {
    name: &'static str,
    values: Values,
}

impl BroughtName {
    /// The name as scenarios write it.
    pub const fn text(self) -> &'static str {
        self.name
    }

    /// The values of its parameters, in the order of their names.
    pub const fn values(self) -> &'static [(&'static str, ParameterValue)] {
        self.values.all()
    }

    /// What one is made of that has this number of its own.
    pub const fn making(self, seed: u64) -> Making {
        Making { seed, values: self.values }
    }
}

impl<M: ?Sized> Brought<M> {
    /// None yet.
    #[expect(clippy::new_without_default, reason = "it stands in a static")]
    pub const fn new() -> Self {
        Self(RwLock::new(BTreeMap::new()))
    }

    /// Brings a kind with these parameters, each with its default. One of the same name, brought before, is replaced.
    ///
    /// # Errors
    ///
    /// [`NameError`] if the name is one of `built_in`, or if it or a parameter's cannot be used.
    pub fn bring(
        &self,
        name: &str,
        built_in: &[&str],
        parameters: &[(&str, ParameterValue)],
        make: Arc<M>,
    ) -> Result<BroughtName, NameError> {
        if built_in.contains(&name) {
            return Err(NameError::BuiltIn(name.to_owned()));
        }
        if !is_name(name) {
            return Err(NameError::NoName(name.to_owned()));
        }
        for (at, (parameter, default)) in parameters.iter().enumerate() {
            let again = parameters[..at].iter().any(|(before, _)| before == parameter);
            if again || !is_parameter(parameter) || !default.is_sound() {
                return Err(NameError::NoParameter((*parameter).to_owned()));
            }
        }
        let values = Values::of(parameters.iter().cloned());
        let kind = Registered { parameters: values, make };
        let name = kept(name);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(name, kind);
        Ok(BroughtName { name, values })
    }

    /// The name, if a kind has it, with the defaults of its parameters.
    pub fn named(&self, name: &str) -> Option<BroughtName> {
        self.given(name, |_| None)
    }

    /// The name, if a kind has it, with these values of its parameters; the default of one that has none of its default's type.
    pub fn given(&self, name: &str, value: impl Fn(&str) -> Option<ParameterValue>) -> Option<BroughtName> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (name, kind) = brought.get_key_value(name)?;
        let each = kind.parameters.all().iter();
        let values = each.map(|(key, default)| {
            (*key, value(key).and_then(|value| value.like(default)).unwrap_or_else(|| default.clone()))
        });
        Some(BroughtName { name, values: Values::of(values) })
    }

    /// All names, in their order.
    pub fn names(&self) -> Vec<&'static str> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        brought.keys().copied().collect()
    }

    /// All kinds, in the order of their names, with the defaults of their parameters.
    pub fn all(&self) -> Vec<BroughtName> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        brought.iter().map(|(name, kind)| BroughtName { name, values: kind.parameters }).collect()
    }

    /// What makes the kind of this name.
    ///
    /// # Panics
    ///
    /// If the name is that of a kind which was brought elsewhere.
    pub fn make(&self, name: BroughtName) -> Arc<M> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&brought[name.name].make)
    }
}

/// Why a kind was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The name is that of a kind which is built in.
    BuiltIn(String),
    /// The name is not one: lower-case letters, digits, `-`, `_` and `+`, a letter first, 40 at most.
    NoName(String),
    /// The name of a parameter is not one, or there are two of it, or its default is no number, truth or text.
    NoParameter(String),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => write!(f, "`{name}` is built in: give yours another name"),
            Self::NoName(name) => write!(
                f,
                "`{}` is no name for it: a lower-case letter, then letters, digits, `-`, `_` or `+`, {LONGEST_NAME} in all at most",
                name.escape_debug()
            ),
            Self::NoParameter(name) => write!(
                f,
                "`{}` is no parameter: each has a name of its own of letters, digits and `_`, a letter or `_` first, and a number, true or \
                 false, or a text as its default",
                name.escape_debug()
            ),
        }
    }
}

impl std::error::Error for NameError {}

/// Whether scenario files can have the name.
fn is_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_+".contains(c);
    name.len() <= LONGEST_NAME && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(rest)
}

/// Whether a key of a file can be the parameter.
fn is_parameter(name: &str) -> bool {
    let first = |c: char| c.is_alphabetic() || c == '_';
    name.starts_with(first) && name.chars().all(|c| first(c) || c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_and_a_kind_can_be_brought_again() {
        let kinds: Brought<u32> = Brought::new();
        for name in ["", "Mine", "my control", "9", "-", &"a".repeat(41)] {
            assert_eq!(kinds.bring(name, &[], &[], Arc::new(1)), Err(NameError::NoName(name.to_owned())));
        }
        let first = kinds.bring("mine", &[], &[], Arc::new(1)).expect("a name");
        let again = kinds.bring("mine", &[], &[], Arc::new(2)).expect("a name");
        assert!(std::ptr::eq(first.text(), again.text()));
        assert_eq!((*kinds.make(first), kinds.names(), kinds.named("other")), (2, vec![again.text()], None));
    }
    #[test]
    fn values_are_of_their_defaults_types_and_the_same_ones_are_one() {
        let kinds: Brought<u32> = Brought::new();
        let parameters =
            [("few", 2.into()), ("share", 0.5.into()), ("by", "drop".into()), ("hard", true.into())];
        let usual = kinds.bring("mine", &[], &parameters, Arc::new(1)).expect("a name");
        assert_eq!(kinds.named("mine"), Some(usual));
        let set = |key: &str, value: ParameterValue| {
            kinds.given("mine", |one| (one == key).then(|| value.clone())).expect("it was brought")
        };
        let changed = set("few", 3.into());
        assert_ne!(changed, usual);
        assert_eq!(changed, set("few", 3.into()));
        assert_eq!((changed.making(7).whole("few"), usual.making(7).whole("few")), (3, 2));
        assert_eq!(
            (changed.making(7).seed, changed.making(7).text("by"), changed.making(7).flag("hard")),
            (7, "drop", true)
        );
        assert_eq!(set("share", 1.into()), set("share", 1.0.into()), "a fraction may be whole");
        assert_eq!(set("few", 2.5.into()), usual, "a count has no fraction");
        assert_eq!(set("by", true.into()), usual);
        for name in ["", "a b", "9", "a.b", "a-b"] {
            let refused = kinds.bring("other", &[], &[(name, 1.into())], Arc::new(1));
            assert_eq!(refused, Err(NameError::NoParameter(name.to_owned())));
        }
        for twice in [[("a", 1.into()), ("a", 2.into())], [("b", 1.into()), ("a", f64::NAN.into())]] {
            assert_eq!(
                kinds.bring("other", &[], &twice, Arc::new(1)),
                Err(NameError::NoParameter("a".to_owned()))
            );
        }
    }
}
