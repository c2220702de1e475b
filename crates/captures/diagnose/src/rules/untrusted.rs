//! W001: the capture does not show what went over the air.

use super::no_air;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{answered, missed};
use crate::rule::Rule;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W001",
    name: "capture misses frames",
    means: "This capture misses much of what happened, so the rest of this diagnosis is less sure.",
    needs: "air",
    computes: "Of the MPDUs whose arrival BlockAcks and ACKs showed, the share that the monitor has not heard: of a BlockAck by their numbers, \
               of an ACK by the frame before it. More than 5 % is reported, and other rules count what was heard for \
               as much more; from a half on, those that look at the air abstain.",
    traps: "Frames that the receiver lost are not acknowledged and do not count. A monitor that cannot decode a rate hears the \
            BlockAcks alone, so that the share comes near to all.",
    refuted_by: "A second monitor beside the first that misses none of these sequence numbers.",
    judge,
};

/// The share above which it is reported.
const REPORTED_SHARE: f64 = 0.05;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let Some((arrived, unheard)) = missed(air) else {
        let (arrived, unheard) = answered(air);
        let because = format!(
            "too few answers to tell what was missed: they show that {arrived} MPDUs arrived, of which the monitor has not heard {unheard}"
        );
        return Verdict::CannotTell(because);
    };
    let share = unheard as f64 / arrived as f64;
    if share <= REPORTED_SHARE {
        return Verdict::NOTHING;
    }
    let (from, to) = air.span_ns.unwrap_or_default();
    Verdict::Found(vec![Finding {
        subject: evidence.captures[*capture].named(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: 100.0 * share,
        threshold: 100.0 * REPORTED_SHARE,
        unit: "% of MPDUs",
        confidence: 0.95,
        cost: Cost::NOTHING,
        capture: *capture,
        frames: air.shown_orphans.kept().to_vec(),
        filter: "wlan.fc.type_subtype in {0x19, 0x1d}".to_owned(),
        says: format!(
            "Answers show that {arrived} MPDUs arrived, of which the monitor has not heard {unheard}. All counts of frames here are \
             lower than what was sent."
        ),
        remedy: "Put the monitor beside the receiver, with as many antennas and streams as the sender has."
            .to_owned(),
    }])
}
