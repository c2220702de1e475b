//! Whether all parts of TCP are on.

use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// Parts of TCP that are off.
pub(super) const CHECK: Check = Check {
    code: "D401",
    name: "a part of TCP is off",
    finds: "a sysctl of TCP that Linux has on is off: tcp_sack, tcp_dsack, tcp_timestamps, tcp_window_scaling, \
            tcp_moderate_rcvbuf, tcp_recovery, tcp_early_retrans.",
    source: "Documentation/networking/ip-sysctl.rst; RFC 2018, RFC 2883, RFC 7323, RFC 8985",
    of: Of::Machine,
    judge,
};

/// The switches, Linux's default, and what is missing without.
const SWITCHES: [(&str, &str, &str); 7] = [
    (
        "tcp_sack",
        "1",
        "After a burst of losses, which Wi-Fi has, one segment is repeated per round trip instead of all that are missing.",
    ),
    (
        "tcp_dsack",
        "1",
        "Senders cannot learn that a repetition was needless, as after a pause of the radio, and stay slow.",
    ),
    (
        "tcp_timestamps",
        "1",
        "A sender cannot tell that a timeout was false, as after a scan, and starts anew from one segment.",
    ),
    (
        "tcp_window_scaling",
        "1",
        "No connection has more than 64 KiB in flight: 10 Mbit/s over a round trip of 50 ms.",
    ),
    (
        "tcp_moderate_rcvbuf",
        "1",
        "The receive window does not grow with the path: downloads stay at what the first window allows.",
    ),
    (
        "tcp_recovery",
        "1",
        "Losses are found by counting rather than by time, which reordering and lost repetitions confuse.",
    ),
    (
        "tcp_early_retrans",
        "3",
        "A loss at the end of a page's data waits for a timeout of 200 ms or more, as there are no tail loss probes.",
    ),
];

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    let mut missing = Vec::new();
    for (name, default, why) in SWITCHES {
        let Some(value) = snapshot.settings.get(&format!("ipv4/{name}")) else {
            missing.push(name);
            continue;
        };
        if value != "0" {
            continue;
        }
        said.finds(Wrong {
            subject: name.to_owned(),
            evidence: vec![evidence(format!("{name} = 0"), format!("/proc/sys/net/ipv4/{name}"))],
            why: why.to_owned(),
            command: format!("sudo sysctl net.ipv4.{name}={default}"),
            advice: Some(format!("if it comes back: grep -rl {name} /etc/sysctl.conf /etc/sysctl.d")),
            ..Wrong::default()
        });
    }
    if !missing.is_empty() {
        said.cannot(snapshot.unread(&missing.join(", ")));
    }
}
