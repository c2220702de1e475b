//! Whether TCP's buffers are large enough.

use super::{Check, Judgement};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// Buffers that are too small for the link.
pub(super) const CHECK: Check = Check {
    code: "D402",
    name: "TCP's buffers are smaller than the link",
    finds: "half of the third number of tcp_rmem or tcp_wmem is less than the link's rate in 50 ms; half, since the other half of a \
            buffer goes to the kernel's own needs.",
    source: "net/ipv4/tcp_input.c, tcp_win_from_space (half of a buffer is window with tcp_adv_win_scale 1); tcp_init sets 6 MiB and \
             4 MiB, less where memory is short",
    judge,
};

/// A round trip to a server of another country, in s.
const ROUND_TRIP_S: f64 = 0.05;
/// What TCP gets of a rate on the air at best.
const OF_THE_AIR: f64 = 0.7;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    let rates = snapshot.stations().filter_map(|(_, peer)| {
        let rates =
            [&peer.sends_at, &peer.receives_at].map(|speed| speed.as_ref().map_or(0.0, |speed| speed.mbps));
        rates.into_iter().reduce(f64::max)
    });
    let Some(air) = rates.reduce(f64::max).filter(|air| *air > 0.0) else { return };
    for (name, kernels, way) in
        [("tcp_rmem", "4096 131072 6291456", "download"), ("tcp_wmem", "4096 16384 4194304", "upload")]
    {
        let value = snapshot.settings.get(&format!("ipv4/{name}")).map_or("", String::as_str);
        let Some(most) = value.split_whitespace().nth(2).and_then(|most| most.parse::<f64>().ok()) else {
            continue;
        };
        let mbps = most / 2.0 * 8.0 / ROUND_TRIP_S / 1e6;
        if mbps >= OF_THE_AIR * air {
            continue;
        }
        said.finds(Wrong {
            subject: name.to_owned(),
            evidence: vec![
                evidence(format!("{name} = {}", value.split_whitespace().collect::<Vec<_>>().join(" ")), format!("/proc/sys/net/ipv4/{name}")),
                evidence(format!("the link has {air:.0} Mbit/s"), "nl80211, GET_STATION"),
            ],
            why: format!(
                "One {way} over a round trip of 50 ms has at most {mbps:.1} Mbit/s, however fast the air is, and less while the radio \
                 pauses."
            ),
            command: format!("sudo sysctl net.ipv4.{name}=\"{kernels}\""),
            advice: Some(format!("if it comes back: grep -rl {name} /etc/sysctl.conf /etc/sysctl.d")),
            ..Wrong::default()
        });
    }
}
