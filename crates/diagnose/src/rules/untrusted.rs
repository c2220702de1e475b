//! W001: the capture does not show what went over the air.

use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::rule::Rule;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W001",
    name: "capture misses frames",
    computes: "Of the MPDUs whose arrival BlockAcks showed, the share that the monitor has not heard; more than 5 % is reported. Other \
               rules take the share into account or abstain.",
    traps: "Frames that the receiver lost are not acknowledged and do not count. A monitor that cannot decode a rate hears the \
            BlockAcks alone, so that the share comes near to all.",
    refuted_by: "A second monitor beside the first that misses none of these sequence numbers.",
    judge,
};

/// The share above which it is reported.
const MUCH: f64 = 0.05;
/// Fewer acknowledged MPDUs than this say nothing.
const FEW: u64 = 100;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else {
        return Verdict::CannotTell("no capture of the air".to_owned());
    };
    let (arrived, unheard) = missed(evidence).unwrap_or_default();
    if arrived < FEW {
        return Verdict::CannotTell(
            "hardly any BlockAck was heard, and nothing else shows what was missed".to_owned(),
        );
    }
    let share = unheard as f64 / arrived as f64;
    if share <= MUCH {
        return Verdict::NOTHING;
    }
    let (from, to) = air.span_ns.unwrap_or_default();
    Verdict::Found(vec![Finding {
        code: RULE.code,
        name: RULE.name,
        subject: evidence.captures[*capture].path.display().to_string(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: 100.0 * share,
        threshold: 100.0 * MUCH,
        unit: "% of MPDUs",
        confidence: 0.95,
        cost: Cost { value: 0.0, unit: "Mbit/s" },
        capture: *capture,
        frames: Vec::new(),
        filter: "wlan.fc.type_subtype == 0x19".to_owned(),
        says: format!(
            "BlockAcks show that {arrived} MPDUs arrived, of which the monitor has not heard {unheard}. Counts of frames are too low by \
             as much."
        ),
        refuted_by: RULE.refuted_by,
        remedy: "Put the monitor beside the receiver, with as many antennas and streams as the sender has."
            .to_owned(),
    }])
}

/// MPDUs that arrived by the account of BlockAcks, and those of them that the monitor has not heard; none without a capture of
/// the air.
pub(crate) fn missed(evidence: &Evidence) -> Option<(u64, u64)> {
    let (_, air) = evidence.air.as_ref()?;
    let parts = air.traffic().values().map(|traffic| traffic.arrived_and_unheard());
    Some(parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1)))
}
