//! Why an association was refused, in the words of 802.11-2020 table 9-50.

/// A status by its number, and in a few words where it is none of those that are rare.
pub(crate) fn named(status: u16) -> String {
    words(status).map_or_else(|| format!("status {status}"), |words| format!("status {status}: {words}"))
}

const fn words(status: u16) -> Option<&'static str> {
    Some(match status {
        1 => "unspecified",
        10 => "the access point cannot have all capabilities that the station asks for",
        11 => "an association before this one could not be confirmed",
        12 => "denied for a reason outside the standard",
        17 => "the access point has no room for more stations",
        18 => "the station lacks a basic rate",
        27 => "the station lacks HT",
        30 => "refused temporarily, to be tried again later",
        31 => "the policies for robust management frames do not agree",
        34 => "a poor channel",
        40 => "an invalid element",
        41 => "an invalid group cipher",
        42 => "an invalid pairwise cipher",
        43 => "an invalid way of authentication and key management",
        44 => "an unsupported version of the RSNE",
        45 => "invalid RSNE capabilities",
        46 => "a cipher that the policy rejects",
        53 => "an invalid PMKID",
        72 => "other contents of the RSNE are invalid",
        82 => "rejected, with an access point to go to instead",
        104 => "the station lacks VHT",
        _ => return None,
    })
}
