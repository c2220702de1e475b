//! Which queue packets wait in.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::finding::{Evidence, Wrong, evidence};
use crate::snapshot::{Interface, Snapshot};

/// A queue that lets everything wait behind a bulk transfer.
pub(super) const CHECK: Check = Check {
    code: "D201",
    name: "one long queue for all",
    finds: "the driver has no queues of mac80211's, and the interface's queue discipline is a FIFO or none.",
    source: "RFC 8290; mac80211's queues have FQ-CoDel built in where the driver takes from them (net/mac80211/tx.c, \
             ieee80211_txq_setup_flows), so that any discipline above is as good as none",
    of: Of::Carrier,
    judge,
};

/// Disciplines that keep one queue, or none at all: then packets wait in the driver, in one queue.
const ONE_QUEUE: [&str; 4] = ["pfifo_fast", "pfifo", "bfifo", "noqueue"];
/// Those that hold others, one for each hardware queue.
const HOLDERS: [&str; 2] = ["mq", "mqprio"];

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        let name = &interface.name;
        let Some(radio) = snapshot.radio_of(interface) else {
            said.cannot(snapshot.unread(&format!("the radio of {name}")));
            continue;
        };
        if radio.queues {
            continue;
        }
        if interface.disciplines.is_empty() {
            said.cannot(snapshot.unread("queue disciplines"));
            continue;
        }
        let Some(kind) = fifo(interface) else { continue };
        let mut read =
            vec![evidence(format!("queue discipline: {kind}"), format!("rtnetlink, GETQDISC of {name}"))];
        read.extend(waits(interface, kind));
        let driver = radio.driver.as_deref().unwrap_or("the driver");
        read.push(evidence(
            format!("{driver} has no queues of mac80211's"),
            format!("nl80211, GET_WIPHY of {}", radio.name),
        ));
        said.finds(Wrong {
            subject: name.clone(),
            evidence: read,
            why: "A call's or a page's packets wait behind all of an upload's. FQ-CoDel gives each flow its turn and keeps the queue \
                  short."
                .to_owned(),
            command: command(&["sudo", "tc", "qdisc", "replace", "dev", name, "root", "fq_codel"]),
            keep: Some("echo net.core.default_qdisc=fq_codel | sudo tee /etc/sysctl.d/90-fq_codel.conf".to_owned()),
            ..Wrong::default()
        });
    }
}

/// The discipline that is one queue, if it is.
fn fifo(interface: &Interface) -> Option<&str> {
    let root = interface.disciplines.iter().find(|discipline| discipline.root)?;
    let one = |kind: &str| ONE_QUEUE.contains(&kind);
    if HOLDERS.contains(&root.kind.as_str()) {
        let mut held = interface.disciplines.iter().filter(|discipline| !discipline.root);
        return held.find(|discipline| one(&discipline.kind)).map(|discipline| discipline.kind.as_str());
    }
    one(&root.kind).then_some(root.kind.as_str())
}

/// How long a full queue is at the present rate.
fn waits(interface: &Interface, kind: &str) -> Option<Evidence> {
    let length = interface.queue_length.filter(|_| kind.starts_with("pfifo"))?;
    let mbps = interface.peers.first()?.sends_at.as_ref()?.mbps;
    let seconds = f64::from(length) * 1500.0 * 8.0 / (mbps * 1e6);
    Some(evidence(
        if seconds < 0.1 {
            format!("it holds {length} packets: at least {:.1} ms at {mbps:.0} Mbit/s", 1e3 * seconds)
        } else {
            format!("it holds {length} packets: at least {seconds:.1} s at {mbps:.0} Mbit/s")
        },
        "rtnetlink, txqueuelen; nl80211, GET_STATION",
    ))
}
