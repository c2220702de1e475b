//! What is dropped after it has arrived.

use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// Packets that arrived and were thrown away.
pub(super) const CHECK: Check = Check {
    code: "D107",
    name: "received packets are dropped",
    finds: "of at least 1,000 packets from a peer, more than one in a hundred was dropped on receipt.",
    source: "NL80211_STA_INFO_RX_DROP_MISC: duplicates, out of the reordering window, failed decryption (net/mac80211/rx.c); the \
             bound is airloom's",
    of: Of::Peer,
    judge,
};

/// Fewer packets say nothing.
const MIN_PACKETS: u64 = 1000;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        if interface.peers.iter().all(|peer| peer.received < MIN_PACKETS) {
            said.cannot(format!("fewer than {MIN_PACKETS} packets came over {} so far", interface.name));
        }
        for peer in interface
            .peers
            .iter()
            .filter(|peer| peer.received >= MIN_PACKETS && peer.dropped * 100 > peer.received)
        {
            let name = &interface.name;
            said.finds(Wrong {
                subject: name.clone(),
                evidence: vec![evidence(
                    format!("{} packets from {}, {} dropped, since {} s", peer.received, peer.mac, peer.dropped, peer.known_s),
                    format!("nl80211, GET_STATION of {name}"),
                )],
                why: "They were acknowledged on the air, so nobody repeats them: duplicates cost air, others are losses without a \
                      trace."
                    .to_owned(),
                command: "sudo airloom collect".to_owned(),
                only_looks: true,
advice: Some("airloom diagnose then tells the causes apart".to_owned()),
                ..Wrong::default()
            });
        }
    }
}
