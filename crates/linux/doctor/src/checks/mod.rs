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
use crate::snapshot::Snapshot;

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
    judge: fn(&Snapshot, &mut Judgement),
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

    fn cannot(&mut self, because: impl Into<String>) {
        self.cannot.push(because.into());
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
        (check.judge)(snapshot, &mut said);
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
