//! Why an association ended, in the words of 802.11-2020 table 9-49.

/// A reason by its number, and in a few words where it is none of those that are rare.
pub(crate) fn named(reason: u16) -> String {
    words(reason).map_or_else(|| format!("reason {reason}"), |words| format!("reason {reason}: {words}"))
}

const fn words(reason: u16) -> Option<&'static str> {
    Some(match reason {
        1 => "unspecified",
        2 => "the authentication is no longer valid",
        3 | 8 => "the sender leaves the network",
        4 => "inactivity",
        5 => "the access point has no room for all of its stations",
        6 => "a frame from a station that is not authenticated",
        7 => "a frame from a station that is not associated",
        9 => "a request to associate without authentication",
        12 => "the access point wants the station to go to another (BSS transition management)",
        13 => "an invalid element",
        14 => "a message integrity code is wrong",
        15 => "the handshake of keys timed out",
        16 => "the handshake of group keys timed out",
        17 => "the handshake of keys has other elements than the association",
        18 => "an invalid group cipher",
        19 => "an invalid pairwise cipher",
        20 => "an invalid way of authentication and key management",
        22 => "invalid RSNE capabilities",
        23 => "802.1X authentication failed",
        24 => "a cipher that the policy rejects",
        34 => "too many frames need to be acknowledged and are not",
        _ => return None,
    })
}
