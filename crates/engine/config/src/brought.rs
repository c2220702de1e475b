//! What a file says of kinds that its caller brings: values of their parameters, and which of these kinds it uses.

use airloom_sim::{Brought, BroughtName, ParameterValue};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The values that a file gives, by the keys of kinds and of their parameters.
pub type Given = BTreeMap<String, BTreeMap<String, ParameterValue>>;

/// A name as the key of a table.
pub fn key_of(name: &str) -> String {
    name.replace('-', "_")
}

/// What a file has said so far of kinds that its caller brings.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    given: RefCell<Given>,
    used: RefCell<Vec<BroughtName>>,
}

impl Kinds {
    /// The file gives these values.
    pub(crate) fn give(&self, given: Given) {
        self.given.replace(given);
    }

    /// The kind of this name, if there is one, with its values.
    pub(crate) fn named<M: ?Sized>(&self, kinds: &Brought<M>, name: &str) -> Option<BroughtName> {
        let given = self.given.borrow();
        let given = given.get(&key_of(name));
        let found = kinds.given(name, |parameter| given?.get(&key_of(parameter)).cloned())?;
        let mut used = self.used.borrow_mut();
        if !used.contains(&found) {
            used.push(found);
        }
        Some(found)
    }

    /// Those that were named, each once.
    pub(crate) fn used(&self) -> Vec<BroughtName> {
        self.used.borrow().clone()
    }
}
