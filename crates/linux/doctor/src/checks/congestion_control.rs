//! Which congestion control TCP has.

use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// A congestion control that was not made for such paths.
pub(super) const CHECK: Check = Check {
    code: "D403",
    name: "an unsuitable congestion control",
    finds: "tcp_congestion_control is neither cubic, Linux's default, nor a BBR.",
    source: "RFC 9438, section 5; what BBR does over Wi-Fi: docs/bbr.md",
    of: Of::Machine,
    judge,
};

/// Congestion controls about which there is nothing to say.
const SUITABLE: [&str; 4] = ["cubic", "bbr", "bbr2", "bbr3"];

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    let Some(control) = snapshot.settings.get("ipv4/tcp_congestion_control") else {
        said.cannot(snapshot.unread("tcp_congestion_control"));
        return;
    };
    if SUITABLE.contains(&control.as_str()) {
        return;
    }
    let why = match control.as_str() {
        "reno" => {
            "After a loss the window grows by one segment a round trip: at 100 Mbit/s and 50 ms it takes ten seconds to come back."
        }
        "vegas" | "lp" | "nv" => {
            "It takes growing round trips for a full queue. On Wi-Fi they grow with every retry and every doze, so \
                                  uploads stay far below the link."
        }
        "dctcp" => {
            "It is made for data centres, where every switch marks; elsewhere it does not share fairly."
        }
        _ => "Uploads behave unlike those of other machines; few have tried it over Wi-Fi.",
    };
    said.finds(Wrong {
        subject: control.clone(),
        evidence: vec![evidence(
            format!("tcp_congestion_control = {control}"),
            "/proc/sys/net/ipv4/tcp_congestion_control",
        )],
        why: why.to_owned(),
        command: "sudo sysctl net.ipv4.tcp_congestion_control=cubic".to_owned(),
        advice: Some(
            "if it comes back: grep -rl tcp_congestion_control /etc/sysctl.conf /etc/sysctl.d".to_owned(),
        ),
        ..Wrong::default()
    });
}
