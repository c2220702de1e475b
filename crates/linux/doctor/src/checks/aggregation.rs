//! Whether frames go together.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::debugfs;
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Generation, Snapshot};

/// A link whose frames all go alone.
pub(super) const CHECK: Check = Check {
    code: "D108",
    name: "no aggregation",
    finds: "a link with rates of 802.11n or later carries data during the look, mac80211's rate control decides about aggregation, and there \
            is no BlockAck session for sending.",
    source: "802.11-2020, 10.25.2: no A-MPDU without a BlockAck agreement; mac80211's debugfs_sta.c: agg_status and aqm, to which `tx start \
             TID` may be written; rc80211_minstrel_ht.c, minstrel_aggr_check, asks for a session at the first data. Where firmware \
             chooses rates it keeps its sessions to itself",
    of: Of::Peer,
    judge,
};

/// Packets in the second of the look from which on there is data: airloom's bound.
const DATA: u64 = 200;
/// What a packet of 1500 octets takes on the air beside its bits, in us: DIFS and half of the shortest backoff, a preamble, SIFS and
/// an ACK at 24 Mbit/s (802.11-2020, 17.4.4 and 19.3.2).
const BESIDE_US: f64 = 34.0 + 67.5 + 36.0 + 16.0 + 28.0;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        let name = &interface.name;
        let Some(radio) = snapshot.radio_of(interface) else {
            said.cannot(snapshot.unread(&format!("the radio of {name}")));
            continue;
        };
        if interface.peers.iter().all(|peer| peer.sent_meanwhile < DATA) {
            said.cannot(format!(
                "little data went over {name} during the look: look again during a transfer"
            ));
        }
        for peer in interface.peers.iter().filter(|peer| peer.sent_meanwhile >= DATA) {
            let Some(speed) = &peer.sends_at else {
                said.cannot(snapshot.unread(&format!("the rate over {name}")));
                continue;
            };
            if speed.generation < Generation::Ht {
                continue;
            }
            let Some(known) = &peer.aggregation else {
                said.cannot(snapshot.unread(&format!("aggregation over {name}")));
                continue;
            };
            let Some(sessions) = known.sessions.as_ref().filter(|_| known.by_mac80211) else {
                let driver = radio.driver.as_deref().unwrap_or("the driver");
                said.cannot(format!(
                    "{driver} does not tell what goes together over {name}: its firmware decides"
                ));
                continue;
            };
            if !sessions.is_empty() {
                continue;
            }
            let folder = debugfs::of_station(&radio.name, name, &peer.mac);
            let bits = 1500.0 * 8.0;
            let alone = bits / (BESIDE_US + bits / speed.mbps);
            said.finds(Wrong {
                subject: name.clone(),
                evidence: vec![
                    evidence("no BlockAck session for sending", format!("{folder}/agg_status or aqm")),
                    evidence(
                        format!("{} packets at {:.1} Mbit/s", peer.sent_meanwhile, speed.mbps),
                        format!("nl80211, GET_STATION of {name} for a second"),
                    ),
                ],
                why: format!(
                    "Each packet waits for the channel and for an answer of its own: about {alone:.0} Mbit/s at most, whatever the rate; \
                     together they would have most of it."
                ),
                command: format!("echo tx start 0 | {}", command(&["sudo", "tee", &format!("{folder}/agg_status")])),
                advice: Some(
                    "until the next connection; if it is refused, look for a cipher other than CCMP or GCMP, for WMM that is off at the \
                     access point, and for options of the driver (modinfo -p)"
                        .to_owned(),
                ),
                ..Wrong::default()
            });
        }
    }
}
