//! Kinds that a caller brings: each has a name, by which scenarios know it, and what makes one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 40;

/// The kinds that were brought, with what makes each. A name is looked up as a connection or a link begins: nobody brings another of
/// that name while a run is under way.
///
/// ```
/// use airloom_sim::{Brought, NameError};
/// use std::sync::Arc;
///
/// static LAWS: Brought<dyn Fn() -> u32 + Send + Sync> = Brought::new();
/// let mine = LAWS.bring("mine", &["theirs"], Arc::new(|| 3))?;
/// assert_eq!((LAWS.named("mine"), LAWS.make(mine)()), (Some(mine), 3));
/// assert_eq!(mine.text(), "mine");
/// assert_eq!(LAWS.bring("theirs", &["theirs"], Arc::new(|| 4)), Err(NameError::BuiltIn("theirs".to_owned())));
/// # Ok::<(), NameError>(())
/// ```
pub struct Brought<M: ?Sized + 'static>(RwLock<BTreeMap<&'static str, Arc<M>>>);

/// The name of a kind that was brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BroughtName(&'static str);

impl BroughtName {
    /// The name as scenarios write it.
    pub const fn text(self) -> &'static str {
        self.0
    }
}

impl<M: ?Sized> Brought<M> {
    /// None yet.
    #[expect(clippy::new_without_default, reason = "it stands in a static")]
    pub const fn new() -> Self {
        Self(RwLock::new(BTreeMap::new()))
    }

    /// Brings a kind. One of the same name, brought before, is replaced.
    ///
    /// # Errors
    ///
    /// [`NameError`] if the name is one of `built_in`, or cannot be used.
    pub fn bring(&self, name: &str, built_in: &[&str], make: Arc<M>) -> Result<BroughtName, NameError> {
        if built_in.contains(&name) {
            return Err(NameError::BuiltIn(name.to_owned()));
        }
        if !is_name(name) {
            return Err(NameError::NoName(name.to_owned()));
        }
        let mut brought = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Kinds are copied about, so a name lives as long as the program: once for each that is brought.
        let kept = brought.keys().copied().find(|kept| *kept == name);
        let kept = kept.unwrap_or_else(|| Box::leak(name.into()));
        brought.insert(kept, make);
        Ok(BroughtName(kept))
    }

    /// The name, if a kind has it.
    pub fn named(&self, name: &str) -> Option<BroughtName> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        brought.get_key_value(name).map(|(name, _)| BroughtName(name))
    }

    /// All names, in their order.
    pub fn names(&self) -> Vec<&'static str> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        brought.keys().copied().collect()
    }

    /// What makes the kind of this name.
    ///
    /// # Panics
    ///
    /// If the name is that of a kind which was brought elsewhere.
    pub fn make(&self, name: BroughtName) -> Arc<M> {
        let brought = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&brought[name.0])
    }
}

/// Why a kind was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The name is that of a kind which is built in.
    BuiltIn(String),
    /// The name is not one: lower-case letters, digits, `-`, `_` and `+`, a letter first, 40 at most.
    NoName(String),
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
        }
    }
}

impl std::error::Error for NameError {}

/// Whether scenario files can have the name.
fn is_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_+".contains(c);
    name.len() <= LONGEST_NAME && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_and_a_kind_can_be_brought_again() {
        let kinds: Brought<u32> = Brought::new();
        for name in ["", "Mine", "my control", "9", "-", &"a".repeat(41)] {
            assert_eq!(kinds.bring(name, &[], Arc::new(1)), Err(NameError::NoName(name.to_owned())));
        }
        let first = kinds.bring("mine", &[], Arc::new(1)).expect("a name");
        let again = kinds.bring("mine", &[], Arc::new(2)).expect("a name");
        assert!(std::ptr::eq(first.text(), again.text()));
        assert_eq!((*kinds.make(first), kinds.names(), kinds.named("other")), (2, vec![again.text()], None));
    }
}
