//! Whether an access point shares the air by time.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::debugfs;
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Role, Snapshot};

/// An access point that does not share its air by time.
pub(super) const CHECK: Check = Check {
    code: "D203",
    name: "airtime fairness is off",
    finds: "the radio of an access point has airtime fairness, and `airtime_flags` in debugfs has no AIRTIME_TX.",
    source: "net/mac80211/debugfs.c, airtime_flags; Hoiland-Jorgensen and others 2017; docs/queues.md",
    of: Of::Machine,
    judge,
};

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers().filter(|interface| interface.role == Role::AccessPoint) {
        let Some(radio) = snapshot.radio_of(interface) else {
            said.cannot(snapshot.unread(&format!("the radio of {}", interface.name)));
            continue;
        };
        if !radio.airtime_fairness {
            continue;
        }
        let file = format!("{}/airtime_flags", debugfs::of_radio(&radio.name));
        match radio.airtime_flags.as_deref() {
            None => said.cannot(snapshot.unread(&format!("airtime_flags of {}", radio.name))),
            Some(flags) if flags.contains("AIRTIME_TX") => {}
            Some(flags) => said.finds(Wrong {
                subject: interface.name.clone(),
                evidence: vec![evidence(format!("\"{flags}\""), file.clone())],
                why: "Stations have turns rather than time: one far station takes most of the air, and all fall to its pace."
                    .to_owned(),
                command: format!("echo 3 | {}", command(&["sudo", "tee", &file])),
                ..Wrong::default()
            }),
        }
    }
}
