//! How much TCP repeats.

use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// TCP that repeats much of what it sends.
pub(super) const CHECK: Check = Check {
    code: "D404",
    name: "TCP repeats much",
    finds: "of at least 10,000 segments that TCP sent since the machine started, over any interface, more than three in a hundred \
            were repetitions.",
    source: "RFC 4022 and /proc/net/snmp, netstat; the bound is airloom's",
    of: Of::Machine,
    judge,
};

/// Fewer segments say nothing.
const MIN_SEGMENTS: u64 = 10_000;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    let count = |name: &str| snapshot.counters.get(name).copied();
    let (Some(sent), Some(again)) = (count("OutSegs"), count("RetransSegs")) else {
        said.cannot(snapshot.unread("TCP's counters of segments"));
        return;
    };
    if sent < MIN_SEGMENTS {
        said.cannot(format!("TCP has sent fewer than {MIN_SEGMENTS} segments so far"));
        return;
    }
    if again * 100 <= sent * 3 {
        return;
    }
    let reordered =
        [count("TCPSACKReorder"), count("TCPTSReorder")].into_iter().flatten().reduce(|a, b| a + b);
    let told = [
        (count("TCPTimeouts"), "timeouts"),
        (count("TCPDSACKRecv"), "repetitions that the receiver had already"),
        (reordered, "times out of order"),
    ];
    let told: Vec<_> =
        told.into_iter().filter_map(|(count, what)| Some(format!("{} {what}", count?))).collect();
    let told = if told.is_empty() { "what they were for is not counted".to_owned() } else { told.join("; ") };
    said.finds(Wrong {
        subject: "TCP".to_owned(),
        evidence: vec![
            evidence(format!("{again} of {sent} segments were repetitions"), "/proc/net/snmp: RetransSegs, OutSegs"),
            evidence(told, "/proc/net/netstat"),
        ],
        why: "Each loss halves a window or nearly so. Many that the receiver had already point to pauses and reordering, as on Wi-Fi; \
              others to real loss, there or beyond."
            .to_owned(),
        command: "sudo airloom collect".to_owned(),
                only_looks: true,
advice: Some("airloom diagnose then tells the causes apart".to_owned()),
        ..Wrong::default()
    });
}
