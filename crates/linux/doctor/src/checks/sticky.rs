//! Whether a station should roam and does not.

use super::{Check, Judgement, Of};
use crate::command::{anew, command};
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Interface, Snapshot};

/// A station that stays with a far access point though a nearer one of its network was heard.
pub(super) const CHECK: Check = Check {
    code: "D103",
    name: "a far access point is kept",
    finds: "the signal is below -70 dBm, and the last scan heard an access point of the same network at least 10 dB stronger.",
    source: "wpa_supplicant roams by what scans bring (wpa_supplicant_need_to_roam, events.c); without scans nothing does",
    of: Of::Peer,
    judge,
};

/// Below this signal in dBm rates fall: 802.11's sensitivity for 64-QAM in 20 MHz is -66 to -64.
const WEAK_DBM: i32 = -70;
/// A difference in dB that is worth a change.
const BETTER_DB: i32 = 10;
/// Older news of an access point, in ms, is no news.
const FRESH_MS: u64 = 60_000;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for (interface, peer) in snapshot.stations() {
        let Some(signal) = peer.signal_dbm else {
            said.cannot(snapshot.unread(&format!("the signal over {}", interface.name)));
            continue;
        };
        if signal >= WEAK_DBM {
            continue;
        }
        let scanned = interface.scanned_ms_ago.is_some_and(|ms| ms <= FRESH_MS);
        if !scanned && !interface.heard.iter().any(|heard| !heard.ours && heard.ms_ago <= FRESH_MS) {
            said.cannot(format!(
                "{} hears its access point at {signal} dBm only, and no scan of the last {} s tells of others: scan, and look again",
                interface.name,
                FRESH_MS / 1000
            ));
            continue;
        }
        let others = interface.heard.iter().filter(|heard| !heard.ours && heard.ms_ago <= FRESH_MS);
        let best = others
            .max_by_key(|heard| heard.signal_dbm)
            .filter(|heard| heard.signal_dbm >= signal + BETTER_DB);
        let Some(best) = best else { continue };
        let name = &interface.name;
        let bound = bound(interface);
        let mut read = vec![
            evidence(format!("{} at {signal} dBm", peer.mac), "nl80211, GET_STATION"),
            evidence(
                format!(
                    "{} of the same network at {} dBm, {:.0} s ago",
                    best.mac,
                    best.signal_dbm,
                    best.ms_ago as f64 / 1e3
                ),
                "nl80211, GET_SCAN",
            ),
        ];
        read.extend(bound.map(|id| {
            evidence(format!("connection {id} is bound to one access point"), "NetworkManager, over D-Bus")
        }));
        let wrong = Wrong {
            subject: name.clone(),
            evidence: read,
            why: "Frames to the far access point are slow and often repeated, and take the air from all others too.".to_owned(),
            ..Wrong::default()
        };
        said.finds(match bound {
            Some(id) => Wrong { command: freed(id), ..wrong },
            None => anew(wrong, interface, &["roam", &best.mac]),
        });
    }
}

/// The connection of NetworkManager that is bound to one access point, by its name, if it is.
fn bound(interface: &Interface) -> Option<&str> {
    interface.manager.as_ref().filter(|manager| manager.bound)?.connection.as_deref()
}

/// The command after which a connection may be with any access point of its network. Another one alone would not last: NetworkManager
/// writes the address into wpa_supplicant's network too, which takes no other at its next scan.
fn freed(id: &str) -> String {
    let free = command(&["nmcli", "connection", "modify", id, "802-11-wireless.bssid", ""]);
    format!("{free} && {}", command(&["nmcli", "connection", "up", id]))
}
