//! The name of a network.

use std::fmt;

/// The longest name in octets (802.11-2020 clause 9.4.2.2).
const MOST: usize = 32;

/// The name of a network, as its beacons have it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ssid {
    octets: [u8; MOST],
    length: usize,
}

impl Ssid {
    /// A name; none if the network hides it: no octets, or nothing but zeros.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        if name.len() > MOST || name.iter().all(|&octet| octet == 0) {
            return None;
        }
        let mut octets = [0; MOST];
        octets[..name.len()].copy_from_slice(name);
        Some(Self { octets, length: name.len() })
    }
}

/// As text: octets that are no UTF-8, and control characters, as U+FFFD.
impl fmt::Display for Ssid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = String::from_utf8_lossy(&self.octets[..self.length]);
        name.chars().try_for_each(|one| {
            fmt::Write::write_char(f, if one.is_control() { char::REPLACEMENT_CHARACTER } else { one })
        })
    }
}

impl fmt::Debug for Ssid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_text_and_a_hidden_one_is_none() {
        let name = |octets: &[u8]| Ssid::of(octets).map(|ssid| ssid.to_string());
        assert_eq!(name(b"home"), Some("home".to_owned()));
        assert_eq!(name(b"a\xff\x1b"), Some("a\u{fffd}\u{fffd}".to_owned()));
        assert_eq!([name(b""), name(&[0; 5]), name(&[b'a'; 33])], [None, None, None]);
    }
}
