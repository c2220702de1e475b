//! From the DSCP of an IP packet to its user priority, which is the TID of its frames.

use airloom_sim::kinds;

kinds! {
    /// How a sender maps the differentiated services codepoint to a user priority.
    pub enum DscpMap {
        /// As RFC 8325 section 4 recommends: `cfg80211_classify8021d()` of Linux 6.8 and later, net/wireless/util.c; AF31 to AF33
        /// go with video since 6.12.
        Rfc8325 = "rfc8325",
        /// By the three highest bits, which were the precedence of RFC 791: the same function until Linux 6.7, and what most
        /// other devices do.
        Precedence = "precedence",
    }
}

impl DscpMap {
    /// The user priority, 0 to 7, of a codepoint, 0 to 63.
    pub const fn priority(self, dscp: u8) -> u8 {
        let precedence = dscp >> 3 & 7;
        match (self, dscp) {
            (Self::Precedence, _) => precedence,
            // High-throughput data; operations, administration and maintenance.
            (_, 10 | 12 | 14 | 16) => 0,
            // Low-latency data.
            (_, 18 | 20 | 22) => 3,
            // Broadcast video, multimedia streaming.
            (_, 24 | 26 | 28 | 30) => 4,
            // Admitted voice, telephony.
            (_, 44 | 46) => 6,
            // Network control.
            (_, 48) => 7,
            _ => precedence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::category::Category::{self, Background, BestEffort, Video, Voice};

    /// Each class by its codepoint: user priority by RFC 8325 as Linux 6.12 has it, and by precedence.
    const CLASSES: [(&str, u8, u8, u8); 25] = [
        ("DF", 0, 0, 0),
        ("LE", 1, 0, 0),
        ("CS1", 8, 1, 1),
        ("AF11", 10, 0, 1),
        ("AF12", 12, 0, 1),
        ("AF13", 14, 0, 1),
        ("CS2", 16, 0, 2),
        ("AF21", 18, 3, 2),
        ("AF22", 20, 3, 2),
        ("AF23", 22, 3, 2),
        ("CS3", 24, 4, 3),
        ("AF31", 26, 4, 3),
        ("AF32", 28, 4, 3),
        ("AF33", 30, 4, 3),
        ("CS4", 32, 4, 4),
        ("AF41", 34, 4, 4),
        ("AF42", 36, 4, 4),
        ("AF43", 38, 4, 4),
        ("CS5", 40, 5, 5),
        ("VOICE-ADMIT", 44, 6, 5),
        ("EF", 46, 6, 5),
        ("CS6", 48, 7, 6),
        ("CS7", 56, 7, 7),
        ("unassigned", 5, 0, 0),
        ("unassigned", 63, 7, 7),
    ];

    #[test]
    fn classes_have_priorities() {
        for (class, dscp, recommended, precedence) in CLASSES {
            let both = [DscpMap::Rfc8325, DscpMap::Precedence].map(|map| map.priority(dscp));
            assert_eq!(both, [recommended, precedence], "{class}");
        }
    }

    /// What RFC 8325 figure 1 says of categories, and what becomes of telephony without it.
    #[test]
    fn classes_have_categories() {
        let category = |map: DscpMap, dscp| Category::of_tid(map.priority(dscp));
        for (dscp, wanted) in
            [(46, Voice), (44, Voice), (34, Video), (26, Video), (0, BestEffort), (8, Background)]
        {
            assert_eq!(category(DscpMap::Rfc8325, dscp), wanted, "{dscp}");
        }
        assert_eq!(category(DscpMap::Precedence, 46), Video);
    }
}
