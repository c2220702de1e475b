//! Whether airtime queue limits are on.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::debugfs;
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// Airtime queue limits that the driver has and somebody switched off.
pub(super) const CHECK: Check = Check {
    code: "D202",
    name: "airtime queue limits are off",
    finds: "the driver has airtime queue limits, and `aql_enable` in debugfs is 0.",
    source: "net/mac80211/debugfs.c and tx.c, ieee80211_txq_airtime_check; what they bring: docs/aql.md",
    of: Of::Machine,
    judge,
};

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    if snapshot.radios.is_empty() {
        said.cannot(snapshot.unread("what the radio can do"));
    }
    for radio in snapshot.radios.iter().filter(|radio| radio.airtime_limits) {
        let file = format!("{}/aql_enable", debugfs::of_radio(&radio.name));
        match radio.aql_enable.as_deref() {
            None => said.cannot(snapshot.unread(&format!("aql_enable of {}", radio.name))),
            Some("0") => said.finds(Wrong {
                subject: radio.name.clone(),
                evidence: vec![
                    evidence("0", file.clone()),
                    evidence("the driver has airtime queue limits", format!("nl80211, GET_WIPHY of {}", radio.name)),
                ],
                why: "Packets go into the firmware as fast as it takes them, where FQ-CoDel cannot sort or drop them: a queue of \
                      tenths of a second."
                    .to_owned(),
                command: format!("echo 1 | {}", command(&["sudo", "tee", &file])),
                ..Wrong::default()
            }),
            Some(_) => {}
        }
    }
}
