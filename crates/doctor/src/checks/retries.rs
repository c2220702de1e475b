//! How often frames are repeated.

use super::{Check, Judgement};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// Frames that are repeated often, or given up.
pub(super) const CHECK: Check = Check {
    code: "D106",
    name: "frames are repeated or lost",
    finds: "of at least 1,000 packets to a peer, retries are more than half as many, or one in a hundred was given up.",
    source: "Mathis and others 1997, eq. 3: with a hundredth lost TCP has at most 12 segments in flight on average; the bound of \
             a half is airloom's",
    judge,
};

/// Fewer packets say nothing.
const ENOUGH: u64 = 1000;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        for peer in interface.peers.iter().filter(|peer| peer.sent >= ENOUGH) {
            if peer.retries * 2 <= peer.sent && peer.failed * 100 <= peer.sent {
                continue;
            }
            let name = &interface.name;
            said.finds(Wrong {
                subject: name.clone(),
                evidence: vec![evidence(
                    format!(
                        "{} packets to {}, {} retries, {} given up, since {} s",
                        peer.sent, peer.mac, peer.retries, peer.failed, peer.known_s
                    ),
                    format!("nl80211, GET_STATION of {name}"),
                )],
                why: "A repeated frame takes the air twice and holds up what waits behind it; one that is given up is a loss, which \
                      TCP takes for a full queue. Weak signal, interference, or neighbours that do not hear this machine."
                    .to_owned(),
                command: "sudo airloom collect".to_owned(),
                only_looks: true,
advice: Some("airloom diagnose then tells the causes apart".to_owned()),
                ..Wrong::default()
            });
        }
    }
}
