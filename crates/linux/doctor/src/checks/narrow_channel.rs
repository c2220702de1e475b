//! Whether a link uses the width that it could.

use super::{Check, Judgement, Of};
use crate::command::anew;
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Role, Snapshot, band_of};

/// A link that uses less of the spectrum than both of its ends could.
pub(super) const CHECK: Check = Check {
    code: "D105",
    name: "the channel is narrower than it could be",
    finds: "outside of 2.4 GHz, a station's channel is narrower than its access point's and its radio's, or an access point with \
            802.11ac or later keeps to 20 MHz.",
    source: "802.11-2020, 11.40.1; hostapd.conf, `vht_oper_chwidth`; wpa_supplicant.conf, `disable_ht40`, `disable_vht`",
    of: Of::Carrier,
    judge,
};

/// What helps a station that stays narrow once it has associated anew.
const STAYS_NARROW: &str = "if it stays narrow, look for disable_ht40, disable_vht and disable_he in wpa_supplicant's configuration and for \
                            parameters of the driver";
/// Shows how wide an access point's settings have it.
const SHOW_WIDTH: &str = "grep -E '^(channel|ht_capab|ieee80211|vht_oper|he_oper)' /etc/hostapd/hostapd.conf";
/// The width that those settings give, in MHz.
const WIDE_MHZ: u32 = 80;
/// What makes it wider.
const SET_WIDE: &str = "80 MHz at channel 36: ht_capab=[HT40+], ieee80211ac=1, vht_oper_chwidth=1, vht_oper_centr_freq_seg0_idx=42";

/// What a width costs where so much could be, in MHz. Noise grows with the width, so that a weak signal gains less.
fn why(width: u32, most: u32) -> String {
    match most.checked_div(width) {
        Some(times @ 2..) => format!(
            "A channel {times} times as wide has {times} times the rate, or nearly so, where the signal is strong. It has {:.0} dB more \
             noise, so a weak signal gains less.",
            10.0 * f64::from(times).log10()
        ),
        _ => "A narrower channel has a lower rate.".to_owned(),
    }
}

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        let name = &interface.name;
        let Some(frequency) = interface.frequency_mhz else {
            said.cannot(snapshot.unread(&format!("the channel of {name}")));
            continue;
        };
        let band = band_of(frequency);
        let radio =
            snapshot.radio_of(interface).and_then(|radio| radio.bands.iter().find(|known| known.ghz == band));
        // There is room for no more than 20 MHz beside neighbours.
        if band == "2.4" {
            continue;
        }
        let Some(width) = interface.width_mhz else {
            said.cannot(snapshot.unread(&format!("the width of {name}'s channel")));
            continue;
        };
        let Some(radio) = radio else {
            said.cannot(snapshot.unread(&format!("what the radio of {name} can do")));
            continue;
        };
        let has =
            evidence(format!("{width} MHz at {frequency} MHz"), format!("nl80211, GET_INTERFACE of {name}"));
        let could = evidence(format!("the radio has {} MHz", radio.width_mhz), "nl80211, GET_WIPHY");
        match (interface.role, interface.access_point()) {
            (Role::Station, None) if width < radio.width_mhz => {
                said.cannot(snapshot.unread(&format!("what the access point of {name} can do")));
            }
            (Role::Station, Some(heard)) if width < heard.can.width_mhz.min(radio.width_mhz) => {
                let its = evidence(
                    format!("the access point has {} MHz", heard.can.width_mhz),
                    "nl80211, GET_SCAN: its beacon",
                );
                let wrong = Wrong {
                    subject: name.clone(),
                    evidence: vec![has, its, could],
                    why: why(width, heard.can.width_mhz.min(radio.width_mhz)),
                    advice: Some(STAYS_NARROW.to_owned()),
                    ..Wrong::default()
                };
                said.finds(anew(wrong, interface, &["reassociate"]));
            }
            (Role::AccessPoint, _) if width <= 20 && radio.width_mhz >= WIDE_MHZ => said.finds(Wrong {
                subject: name.clone(),
                evidence: vec![has, could],
                why: why(width, WIDE_MHZ),
                command: SHOW_WIDTH.to_owned(),
                only_looks: true,
                advice: Some(SET_WIDE.to_owned()),
                ..Wrong::default()
            }),
            _ => {}
        }
    }
}
