//! The checks, one file each: functions of a snapshot that find something or cannot tell.

mod aggregation;
mod airtime_fairness;
mod airtime_limits;
mod background_scans;
mod congestion_control;
mod dropped_on_receipt;
mod narrow_channel;
mod offload;
mod power_save;
mod queue_discipline;
mod retransmissions;
mod retries;
mod slow_rate;
mod sticky;
mod tcp_buffers;
mod tcp_switches;
mod usb_bus;

use crate::finding::{Abstention, Finding, Wrong};
use crate::snapshot::{Role, Snapshot};

/// A check.
pub struct Check {
    /// Its code: D1 is the air, D2 the queue, D3 the bus, D4 TCP.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it reads, and when it finds something.
    pub finds: &'static str,
    /// Where the knowledge is from.
    pub source: &'static str,
    of: Of,
    judge: fn(&Snapshot, &mut Judgement),
}

/// What a check looks at. Without any it cannot judge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The machine, connected or not.
    Machine,
    /// An interface that carries packets.
    Carrier,
    /// The other end of a link.
    Peer,
}

impl Of {
    /// Why there is nothing to look at, if so.
    fn missing(self, snapshot: &Snapshot) -> Option<String> {
        let seen = match self {
            Self::Machine => true,
            Self::Carrier => snapshot.carriers().next().is_some(),
            Self::Peer => snapshot.carriers().any(|interface| !interface.peers.is_empty()),
        };
        (!seen).then(|| unconnected(snapshot).unwrap_or_else(|| "no station is connected".to_owned()))
    }
}

/// In a sentence that no interface carries packets, if so.
pub(crate) fn unconnected(snapshot: &Snapshot) -> Option<String> {
    if snapshot.carriers().next().is_some() {
        return None;
    }
    let ends = snapshot
        .interfaces
        .iter()
        .filter(|interface| matches!(interface.role, Role::Station | Role::AccessPoint));
    let names: Vec<_> = ends.map(|interface| interface.name.as_str()).collect();
    Some(match &names[..] {
        [] => "no interface is a station or an access point".to_owned(),
        [name] => format!("{name} is not connected"),
        _ => format!("none of {} is connected", names.join(", ")),
    })
}

/// What one check says.
#[derive(Default)]
struct Judgement {
    wrong: Vec<Wrong>,
    cannot: Vec<String>,
}

impl Judgement {
    fn finds(&mut self, wrong: Wrong) {
        self.wrong.push(wrong);
    }

    /// Says that it cannot judge something, once: an access point may have many stations.
    fn cannot(&mut self, because: impl Into<String>) {
        let because = because.into();
        if !self.cannot.contains(&because) {
            self.cannot.push(because);
        }
    }
}

/// All checks, in the order in which they are reported.
pub const CHECKS: [Check; 17] = [
    power_save::CHECK,
    background_scans::CHECK,
    sticky::CHECK,
    slow_rate::CHECK,
    narrow_channel::CHECK,
    retries::CHECK,
    dropped_on_receipt::CHECK,
    aggregation::CHECK,
    queue_discipline::CHECK,
    airtime_limits::CHECK,
    airtime_fairness::CHECK,
    offload::CHECK,
    usb_bus::CHECK,
    tcp_switches::CHECK,
    tcp_buffers::CHECK,
    congestion_control::CHECK,
    retransmissions::CHECK,
];

/// What all checks say of a machine.
pub(crate) fn judge(snapshot: &Snapshot) -> (Vec<Finding>, Vec<Abstention>) {
    let (mut findings, mut abstentions) = (Vec::new(), Vec::new());
    for check in &CHECKS {
        let Check { code, name, source, .. } = *check;
        let mut said = Judgement::default();
        match check.of.missing(snapshot) {
            Some(because) => said.cannot(because),
            None => (check.judge)(snapshot, &mut said),
        }
        findings.extend(said.wrong.into_iter().map(
            |Wrong { subject, evidence, why, command, only_looks, keep, advice }| Finding {
                code,
                name,
                subject,
                evidence,
                why,
                command,
                only_looks,
                keep,
                advice,
                source,
            },
        ));
        abstentions.extend(said.cannot.into_iter().map(|because| Abstention { code, name, because }));
    }
    (findings, abstentions)
}
