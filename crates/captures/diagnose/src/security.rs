//! What a station asked for beside what its access point offers, where an association was refused for its security.

use crate::status;
use airloom_trace::{Rsn, Securities, Security};

/// Statuses that speak of security: of management frame protection, of an element, of what is in the RSNE (802.11-2020 table 9-50).
const OF_SECURITY: [u16; 9] = [31, 40, 41, 42, 43, 44, 45, 46, 72];

/// Statuses that name no reason, or capabilities: some access points refuse a request without an RSNE so.
const OF_ANYTHING: [u16; 3] = [1, 10, 12];

/// Whether a station asked without an RSNE what an access point offers with one, and was refused with a status that may mean that.
pub(crate) fn lacks_rsn(status: u16, security: Option<Securities>) -> bool {
    let is_without = matches!(security, Some((Security::Without, Security::Rsn(_))));
    is_without && (OF_SECURITY.contains(&status) || OF_ANYTHING.contains(&status))
}

/// Why an association was refused: the status in words, and in what the RSNEs of both ends differ, as far as they were heard.
pub(crate) fn why(status: u16, security: Option<Securities>) -> String {
    let named = status::named(status);
    match security.filter(|_| OF_SECURITY.contains(&status) || lacks_rsn(status, security)) {
        Some((asked, offered)) => format!("{named}; {}", compared(asked, offered)),
        None => named,
    }
}

fn compared(asked: Security, offered: Security) -> String {
    match (asked, offered) {
        (Security::Without, Security::Without) => {
            "neither the request nor the beacons have an RSNE".to_owned()
        }
        (Security::Without, Security::Rsn(ap)) => {
            format!(
                "the request has no RSNE, and the access point asks for one with {}",
                listed(AKMS, ap.akms)
            )
        }
        (Security::Rsn(_), Security::Without) => {
            "the request has an RSNE, and the access point's beacons have none".to_owned()
        }
        (Security::Rsn(station), Security::Rsn(ap)) => differences(station, ap),
    }
}

/// In what the RSNE of a request does not fit that of a beacon.
fn differences(station: Rsn, ap: Rsn) -> String {
    let asks = |what: &str, names: Names, own: u32, other: u32| {
        // A suite that is not the standard's is not known, at either end.
        (own != 0 && own & other == 0).then(|| {
            format!(
                "the station asks for {what} {}, the access point offers {}",
                listed(names, own),
                listed(names, other)
            )
        })
    };
    let lacks = |one: &str, other: &str| {
        format!("{one} requires protected management frames, and {other} does not offer them")
    };
    let protection = if ap.mfp_required && !station.mfp_capable {
        Some(lacks("the access point", "the station"))
    } else if station.mfp_required && !ap.mfp_capable {
        Some(lacks("the station", "the access point"))
    } else {
        None
    };
    let version = (station.version != ap.version).then(|| {
        format!("the station's RSNE is of version {}, the access point's of {}", station.version, ap.version)
    });
    let all = [
        asks("key management", AKMS, station.akms, ap.akms),
        asks("pairwise cipher", CIPHERS, station.pairwise, ap.pairwise),
        asks("group cipher", CIPHERS, station.group, ap.group),
        protection,
        version,
    ];
    let said: Vec<_> = all.into_iter().flatten().collect();
    if said.is_empty() && [station.akms, station.pairwise, station.group].contains(&0) {
        return "the request has suites that are not the standard's".to_owned();
    }
    if said.is_empty() {
        return "the RSNE of the request fits that of the beacons in key management, ciphers and protection of management frames"
            .to_owned();
    }
    said.join("; ")
}

/// Suites by their numbers.
type Names = &'static [(u32, &'static str)];

/// Ways of authentication and key management (802.11-2020 table 9-151; 18: RFC 8110).
const AKMS: Names = &[
    (1, "802.1X"),
    (2, "PSK"),
    (3, "FT over 802.1X"),
    (4, "FT with PSK"),
    (5, "802.1X with SHA-256"),
    (6, "PSK with SHA-256"),
    (8, "SAE"),
    (9, "FT with SAE"),
    (11, "Suite B"),
    (12, "Suite B with 192 bits"),
    (13, "FT over 802.1X with SHA-384"),
    (14, "FILS with SHA-256"),
    (15, "FILS with SHA-384"),
    (18, "OWE"),
    (19, "FT with PSK and SHA-384"),
    (20, "PSK with SHA-384"),
];
/// Ciphers (802.11-2020 table 9-149).
const CIPHERS: Names = &[
    (0, "that of groups"),
    (1, "WEP-40"),
    (2, "TKIP"),
    (4, "CCMP-128"),
    (5, "WEP-104"),
    (7, "none for groups"),
    (8, "GCMP-128"),
    (9, "GCMP-256"),
    (10, "CCMP-256"),
];

/// The suites in words; others by their numbers.
fn listed(names: Names, suites: u32) -> String {
    let name = |number: u32| {
        names
            .iter()
            .find(|(known, _)| *known == number)
            .map_or_else(|| format!("suite {number}"), |(_, name)| (*name).to_owned())
    };
    let all: Vec<_> = (0..32).filter(|number| suites >> number & 1 == 1).map(name).collect();
    if all.is_empty() { "none of the standard's".to_owned() } else { all.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WPA2: Rsn = Rsn {
        version: 1,
        group: 1 << 4,
        pairwise: 1 << 4,
        akms: 1 << 2,
        mfp_required: false,
        mfp_capable: false,
    };
    const WPA3: Rsn = Rsn { akms: 1 << 8 | 1 << 9, mfp_required: true, mfp_capable: true, ..WPA2 };

    fn said(station: Rsn, ap: Rsn) -> String {
        compared(Security::Rsn(station), Security::Rsn(ap))
    }

    #[test]
    fn what_the_two_rsnes_differ_in_is_said() {
        assert_eq!(
            said(WPA2, WPA3),
            "the station asks for key management PSK, the access point offers SAE, FT with SAE; \
             the access point requires protected management frames, and the station does not offer them"
        );
        let tkip = Rsn { pairwise: 1 << 2, ..WPA2 };
        assert_eq!(
            said(tkip, WPA2),
            "the station asks for pairwise cipher TKIP, the access point offers CCMP-128"
        );
        assert!(said(Rsn { akms: 0, ..WPA2 }, WPA2).contains("suites that are not the standard's"));
        assert!(
            said(Rsn { mfp_required: true, mfp_capable: true, ..WPA2 }, WPA2)
                .starts_with("the station requires")
        );
        assert!(said(WPA2, WPA2).contains("fits that of the beacons"));
    }

    #[test]
    fn a_missing_rsne_is_said_only_with_a_status_of_security() {
        let asked = Some((Security::Without, Security::Rsn(WPA2)));
        assert_eq!(
            why(40, asked),
            "status 40: an invalid element; the request has no RSNE, and the access point asks for one with PSK"
        );
        assert_eq!(why(17, asked), status::named(17));
        assert_eq!(why(43, None), status::named(43));
    }
}
