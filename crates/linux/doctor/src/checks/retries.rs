//! How often frames are repeated.

use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Peer, Snapshot};

/// Frames that are repeated often, or given up.
pub(super) const CHECK: Check = Check {
    code: "D106",
    name: "frames are repeated or lost",
    finds: "of at least 1,000 packets to a peer, retries are more than half as many, or more than one in a hundred was given up. A driver \
            that counts neither keeps no count: no air loses nothing of so many.",
    source: "Mathis and others 1997, eq. 3: with a hundredth lost TCP has at most 12 segments in flight on average; the bound of \
             a half is airloom's. NL80211_STA_INFO_TX_RETRIES and TX_FAILED: mac80211 fills them from what drivers report of frames \
             (net/mac80211/sta_info.c, sta_set_sinfo; status.c, ieee80211_tx_status_ext, Linux 6.12), and 0 where they report nothing",
    of: Of::Peer,
    judge,
};

/// Fewer packets say nothing.
const MIN_PACKETS: u64 = 1000;
/// Retries for each packet, and packets given up of all, from which on it is much.
const RETRIES: f64 = 0.5;
const GIVEN_UP: f64 = 0.01;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        let name = &interface.name;
        if interface.peers.iter().all(|peer| peer.sent < MIN_PACKETS) {
            said.cannot(format!("fewer than {MIN_PACKETS} packets went over {name} so far"));
        }
        for peer in interface.peers.iter().filter(|peer| peer.sent >= MIN_PACKETS) {
            if (peer.retries.unwrap_or(0), peer.failed.unwrap_or(0)) == (0, 0) {
                let driver = snapshot.radio_of(interface).and_then(|radio| radio.driver.as_deref());
                said.cannot(format!(
                    "{} keeps no count of retries and failures: it reports none of {} packets over {name}",
                    driver.unwrap_or("the driver"),
                    peer.sent
                ));
                continue;
            }
            let passed: Vec<_> = bounds(peer).into_iter().flatten().collect();
            if passed.is_empty() {
                continue;
            }
            let from = format!("nl80211, GET_STATION of {name}");
            said.finds(Wrong {
                subject: name.clone(),
                evidence: passed.into_iter().map(|read| evidence(read, from.clone())).collect(),
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

/// Which bounds were passed, each with what was counted.
fn bounds(peer: &Peer) -> [Option<String>; 2] {
    let passed = |count: Option<u64>, what: &str, most: f64| {
        let count = count?;
        let share = count as f64 / peer.sent as f64;
        (share > most).then(|| {
            format!(
                "{count} {what} for {} packets to {} in {} s: {:.1} %, where more than {:.0} % is much",
                peer.sent,
                peer.mac,
                peer.known_s,
                100.0 * share,
                100.0 * most
            )
        })
    };
    [passed(peer.retries, "retries", RETRIES), passed(peer.failed, "given up", GIVEN_UP)]
}
