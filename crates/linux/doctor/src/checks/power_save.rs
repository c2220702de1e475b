//! Whether a station dozes.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Role, Snapshot};

/// A station that dozes.
pub(super) const CHECK: Check = Check {
    code: "D101",
    name: "power save is on",
    finds: "nl80211's GET_POWER_SAVE of an associated station says on.",
    source: "802.11-2020, 11.2.3: an access point buffers what is for a dozing station; mac80211 dozes after 100 ms without data \
             (net/mac80211/mlme.c, dynamic_ps_timeout)",
    of: Of::Carrier,
    judge,
};

/// NetworkManager's word for off (`NM_SETTING_WIRELESS_POWERSAVE_DISABLE`).
const OFF: u64 = 2;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers().filter(|interface| interface.role == Role::Station) {
        let name = &interface.name;
        let Some(dozes) = interface.power_save else {
            said.cannot(snapshot.unread(&format!("power save of {name}")));
            continue;
        };
        if !dozes {
            continue;
        }
        let connection = interface.manager.as_ref().and_then(|manager| {
            (manager.powersave != Some(OFF)).then_some(manager.connection.as_ref()).flatten()
        });
        said.finds(Wrong {
            subject: name.clone(),
            evidence: vec![evidence("power save: on", format!("nl80211, GET_POWER_SAVE of {name}"))],
            why: "The radio dozes when nothing moves for a moment, and what arrives meanwhile waits at the access point: tens of \
                  milliseconds for a call, a game or the next click, with some firmware up to a second. Off costs battery."
                .to_owned(),
            command: command(&["sudo", "iw", "dev", name, "set", "power_save", "off"]),
            keep: connection
                .map(|id| command(&["nmcli", "connection", "modify", id, "802-11-wireless.powersave", &OFF.to_string()])),
            ..Wrong::default()
        });
    }
}
