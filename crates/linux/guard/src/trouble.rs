//! What is wrong at present. One cause's end says nothing of another's.

use std::collections::BTreeMap;

/// What can go wrong by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TroubleSource {
    /// Switching background scanning off, and back on.
    Lever,
    /// Opening nl80211, and its events.
    Wireless,
    /// Reading the signal.
    Signal,
    /// Listing marked sockets.
    Marks,
    /// Aborting a scan.
    Abort,
}

/// At most one trouble from each source.
#[derive(Debug, Default)]
pub(crate) struct Troubles(BTreeMap<TroubleSource, String>);

impl Troubles {
    /// Remembers what is wrong, or with the empty text that nothing is; whether that is new.
    pub(crate) fn set(&mut self, source: TroubleSource, trouble: &str) -> bool {
        let before = if trouble.is_empty() {
            self.0.remove(&source)
        } else {
            self.0.insert(source, trouble.to_owned())
        };
        before.as_deref().unwrap_or_default() != trouble
    }

    /// All of it in one line; empty if nothing is wrong.
    pub(crate) fn line(&self) -> String {
        self.0.values().map(String::as_str).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_is_on_its_own() {
        let mut troubles = Troubles::default();
        assert!(!troubles.set(TroubleSource::Lever, ""));
        assert!(troubles.set(TroubleSource::Abort, "not permitted"));
        assert!(troubles.set(TroubleSource::Lever, "no answer"));
        assert!(!troubles.set(TroubleSource::Lever, "no answer"));
        assert_eq!(troubles.line(), "no answer; not permitted");
        assert!(troubles.set(TroubleSource::Lever, ""));
        assert_eq!(troubles.line(), "not permitted");
    }
}
