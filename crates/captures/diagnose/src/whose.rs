//! Whose a device is that a finding is about: what helps is for somebody who can do it, and nobody mends a neighbour's device.

/// Who can follow advice about a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Who captured it, or nobody else that is known.
    Own,
    /// It is of this other network than the captured hosts.
    Others(String),
    /// Whether this network is the reader's does not show, and others than its stations lose by the device.
    Unknown(String),
}

impl Whose {
    /// What helps, where this would at its owner's.
    pub(crate) fn advice(&self, remedy: &str) -> String {
        match self {
            Self::Own => remedy.to_owned(),
            Self::Others(network) => format!(
                "Another channel or band than that of {network}, whose device it is: only its owner can mend it."
            ),
            Self::Unknown(network) => {
                format!(
                    "If {network} is not your network, another channel or band than its own; if it is: {}",
                    begun(remedy)
                )
            }
        }
    }
}

/// A sentence as it goes on behind others.
fn begun(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_readers_is_left_to_its_owner() {
        let remedy = "Look whether a rate was fixed (`iw`); then driver and firmware.";
        assert_eq!(Whose::Own.advice(remedy), remedy);
        let others = Whose::Others("\"next\"".to_owned()).advice(remedy);
        assert!(!others.contains("rate") && others.starts_with("Another channel or band"), "{others}");
        let unknown = Whose::Unknown("\"next\"".to_owned()).advice(remedy);
        assert!(
            unknown.starts_with("If \"next\" is not your network")
                && unknown
                    .ends_with("it is: look whether a rate was fixed (`iw`); then driver and firmware."),
            "{unknown}"
        );
    }
}
