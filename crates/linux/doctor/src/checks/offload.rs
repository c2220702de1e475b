//! Whether packets go around the queues.

use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Role, Snapshot};

/// Hardware that forwards packets around the kernel's queues.
pub(super) const CHECK: Check = Check {
    code: "D204",
    name: "packets go around the queues",
    finds: "this machine is an access point, and its hardware forwards flows by itself: mt76's `wed_enable`, or OpenWrt's \
            `flow_offloading_hw`.",
    source: "drivers/net/wireless/mediatek/mt76, module parameter wed_enable; OpenWrt, firewall: flow_offloading_hw; openwrt issue \
             19449, where mt76's maintainer says that FQ-CoDel is lost with it",
    of: Of::Machine,
    judge,
};

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    let Some(interface) = snapshot.carriers().find(|interface| interface.role == Role::AccessPoint) else {
        return;
    };
    if snapshot.offloads.is_empty() {
        return;
    }
    said.finds(Wrong {
        subject: interface.name.clone(),
        evidence: snapshot.offloads.iter().map(|place| evidence("on", place)).collect(),
        why: "Forwarded packets go from wire to radio in hardware: no FQ-CoDel, no airtime fairness, and bursts as they come from the \
              wire. It spares the processor; where that has room, it costs latency for nothing."
            .to_owned(),
        command: "grep -r flow_offloading_hw /etc/config/firewall; grep -r wed_enable /etc/modules.d /etc/modprobe.d".to_owned(),
            only_looks: true,
        advice: Some("switch it off there, and start again".to_owned()),
        ..Wrong::default()
    });
}
