//! W303: segments are sent again though nothing was lost.

use super::in_flows;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::kinds::kinds;
use crate::overtaken;
use crate::rule::Rule;
use airloom_trace::Bin;
use airloom_trace::tcp::{Needless, Retransmission, Retransmissions, Trigger};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W303",
    name: "retransmission without loss",
    means: "Data is sent again that had arrived already. Many senders take that for a loss, and slow down until they learn better, if they do.",
    needs: "TCP",
    computes: "Retransmissions of which the packets prove that the first transmission was not lost: the receiver reports a duplicate (D-SACK), the \
               acknowledgment echoes the clock of the first one, comes sooner than a round trip can be, or had come before; each transmission has an acknowledgment of its own, \
               in the order of their sending; or the first one comes after it. Reported from three on, if they are a half of all retransmissions but probes at least: where more had been lost, that is what slowed the \
               sender down.",
    traps: "A packet that was captured twice is not a retransmission. Tail loss probes are sent on suspicion, and do not count. Data that comes a third time \
            after its acknowledgment, with nothing new in between, shows that the acknowledgment never reached its sender, and does not count. Where the capture lacks a \
            tenth of what was acknowledged, or all acknowledgments without data, the rule says nothing. A timer that expires for nothing need not be too short: by the sender's clock (RFC 7323) its first data may \
            have been under way for longer.",
    refuted_by: "The segment missing at the receiver's own interface until the second one came.",
    judge,
};

/// Fewer than this may be chance.
const MIN_NEEDLESS: u64 = 3;
/// The share of a flow's retransmissions, in percent.
const REPORTED_PCT: f64 = 50.0;
/// Smaller flows hardly leave the window that they begin with, in octets.
const LARGE: u64 = 100_000;
/// What is in flight is compared over so long before and from so long after, in nanoseconds: recovery takes a round trip or a few.
const BESIDE: u64 = 200_000_000;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    match in_flows(evidence, found) {
        Verdict::Found(findings) => {
            let flows = flows(evidence, 1);
            let unclear = flows.iter().find_map(Flow::hides_repetitions);
            let unclear = unclear.or_else(|| flows.iter().find_map(unanswered));
            Verdict::unless_found(findings, unclear)
        }
        silent => silent,
    }
}

/// Whether too few acknowledgments of a flow are in the capture to show what had arrived.
fn lacks_acks(flow: &Flow<'_>) -> bool {
    flow.has_gaps() || flow.data().acks.bare == 0
}

/// Why it does not show whether what was sent again had arrived; none if it does, or hardly anything was.
fn unanswered(flow: &Flow<'_>) -> Option<String> {
    let again = flow.data().retransmissions.segments();
    (lacks_acks(flow) && again >= MIN_NEEDLESS).then(|| {
        format!(
            "{}: {again} segments were sent again, and the acknowledgments that tell whether they had arrived are not in the capture",
            flow.named()
        )
    })
}

/// Segments with data that were sent again for this reason and without need. Probes are sent on suspicion.
fn needless_by(again: &Retransmissions, trigger: Trigger) -> u64 {
    match trigger {
        Trigger::Probe | Trigger::Handshake => 0,
        _ => again.needless_by(trigger),
    }
}

/// Why the timer of a sender expired before it knew that its data had arrived, as a sentence behind others: by what it sent again for nothing, a tick of its clock and the
/// shortest round trip, both in nanoseconds; empty if the timer sent none of it.
fn why_early<'a>(
    timed: impl Iterator<Item = &'a Retransmission> + Clone,
    tick_ns: Option<u64>,
    round_ns: Option<u64>,
) -> String {
    let ms = |ns: u64| ns as f64 / 1e6;
    let held = |one: &Retransmission| held_ns(one, tick_ns?);
    if let Some(held_ns) = timed.clone().filter_map(held).max() {
        return format!(
            " By the sender's clock what it sent first was under way to the capture for {:.0} ms longer than what it sent again: the round trip rose by that at once, \
             and the timer expired meanwhile.",
            ms(held_ns)
        );
    }
    if timed.clone().next().is_none() {
        return String::new();
    }
    if timed.clone().any(|one| one.needless == Some(Needless::Acknowledged)) {
        return " The timer expired though acknowledgments had passed the capture: behind it they came late, or were lost."
            .to_owned();
    }
    let waited_ns = timed.clone().filter_map(|one| one.after_ns).max();
    // A report of what came twice does not tell that an acknowledgment of the first came at all.
    let reported = timed.clone().all(|one| one.needless == Some(Needless::DuplicateSack));
    let or_lost = if reported { ", or acknowledgments were lost" } else { "" };
    let least = round_ns.map_or_else(String::new, |round_ns| format!(" (at best {:.1} ms)", ms(round_ns)));
    waited_ns.map_or_else(
        || " The timer expired before an acknowledgment came.".to_owned(),
        |waited_ns| {
            format!(
                " The timer expired after {:.0} ms, before an acknowledgment came: round trips{least} had risen above that{or_lost}.",
                ms(waited_ns)
            )
        },
    )
}

/// How many octets were in flight before segments were sent again for nothing at some times and after that, the most of each on average, as a sentence behind others: whether a sender slows down, and whether it undoes
/// that as it learns that nothing was lost (RFC 3708, RFC 3522; Linux net/ipv4/tcp_input.c `tcp_try_undo_dsack`, `tcp_try_undo_loss`). Empty where the capture does not show what is in flight at the sender, or of a flow that hardly leaves
/// the window that it begins with.
fn in_flight(flow: &Flow<'_>, at_ns: impl Iterator<Item = u64>) -> String {
    if flow.data().octets < LARGE || !flow.is_near_sender() {
        return String::new();
    }
    let flight = &flow.data().limits.flight;
    let most = |from_ns: u64, to_ns: u64| {
        let within = |&(place, _): &(usize, &Bin)| (from_ns..to_ns).contains(&flight.begin_ns(place));
        let bins = flight.bins().iter().enumerate().filter(within).filter(|(_, bin)| bin.count > 0);
        bins.map(|(_, bin)| bin.most).max_by(f64::total_cmp)
    };
    let length = BESIDE.max(4 * flight.width_ns());
    let both =
        at_ns.filter_map(|at| most(at.saturating_sub(length), at).zip(most(at + length, at + 2 * length)));
    let (count, before, after) =
        both.fold((0_u32, 0.0, 0.0), |sum, one| (sum.0 + 1, sum.1 + one.0, sum.2 + one.1));
    if count == 0 {
        return String::new();
    }
    let kilo = |sum: f64| sum / f64::from(count) / 1e3;
    format!(
        " In flight were {:.0} kB at most just before, and {:.0} kB from {:.1} s after on, on average.",
        kilo(before),
        kilo(after),
        length as f64 / 1e9
    )
}

/// How much longer octets were under way to the capture the first time than when they were sent again, in nanoseconds, by a sender's clock with such a tick; none if that is less
/// than half of the time between the two.
fn held_ns(again: &Retransmission, tick_ns: u64) -> Option<u64> {
    let apart_ns = tick_ns.checked_mul(again.after_ticks?.into())?;
    let held_ns = apart_ns.checked_sub(again.after_ns?)?;
    (2 * held_ns >= apart_ns && held_ns > 2 * tick_ns).then_some(held_ns)
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let again = &flow.data().retransmissions;
    let of = |trigger| needless_by(again, trigger);
    let needless: u64 = Trigger::ALL.into_iter().map(of).sum();
    let but_probes = again.segments() - again.by_trigger(Trigger::Probe);
    let share = 100.0 * needless as f64 / but_probes.max(1) as f64;
    if needless < MIN_NEEDLESS || share < REPORTED_PCT || lacks_acks(flow) {
        return None;
    }
    let listed = || again.list().iter().filter(|one| one.needless.is_some() && of(one.trigger) > 0);
    let flight = in_flight(flow, listed().map(|one| one.at_ns));
    let timed = || listed().filter(|one| one.trigger == Trigger::Timeout);
    let early = why_early(timed(), flow.connection.tick_ns(flow.from), flow.connection.round_trip_ns());
    Some(Finding {
        subject: flow.named(),
        spans: listed().map(|one| [evidence.seconds_in(flow.capture, one.at_ns); 2]).collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the retransmissions",
        confidence: 0.95,
        cost: Cost::unknown("how far the window would have grown does not show"),
        capture: flow.capture,
        frames: listed().map(|one| one.number).take(NAMED).collect(),
        filter: format!("{} && tcp.analysis.retransmission", flow.filter()),
        says: format!(
            "{} of {} retransmitted segments had not been lost ({}).{early}{}{flight}",
            again.needless(),
            again.segments(),
            kinds(|trigger| again.needless_by(trigger)),
            overtaken::said(evidence, flow),
        ),
        remedy: "If round trips jump (scans, dozing, retries of the radio), mend that; if packets overtake each other, RACK tolerates it \
                 (`sysctl net.ipv4.tcp_recovery`), and more than one link or queue for a flow does not help."
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Data that a timer sent again for nothing, so long after the first by the capture's clock and so many ticks after it by the sender's.
    fn again(after_ms: u64, after_ticks: Option<u32>, proof: Needless) -> Retransmission {
        Retransmission {
            at_ns: 0,
            number: 41,
            octets: 1448,
            segments: 1,
            trigger: Trigger::Timeout,
            after_ns: Some(after_ms * MS),
            after_ticks,
            hole_ns: None,
            needless: Some(proof),
            thrown_away: false,
        }
    }

    /// Why the timer of these expired, by a clock of milliseconds on a way of 25 ms.
    fn why(all: &[Retransmission]) -> String {
        why_early(all.iter(), Some(MS), Some(25 * MS))
    }

    #[test]
    fn data_that_was_held_up_before_the_capture_is_no_timer_that_expired_early() {
        // `dns_isp_hijack.pcapng` of Chris Sanders.
        let held = why(&[again(1, Some(244), Needless::DuplicateSack)]);
        assert!(held.contains("under way to the capture for 243 ms longer"), "{held}");
        let risen = why(&[again(244, Some(244), Needless::Timestamps)]);
        assert!(
            risen.ends_with(
                "before an acknowledgment came: round trips (at best 25.0 ms) had risen above that."
            )
        );
        assert!(why(&[again(244, None, Needless::DuplicateSack)]).ends_with("or acknowledgments were lost."));
        assert!(why(&[again(244, Some(250), Needless::Acknowledged)]).contains("had passed the capture"));
        assert_eq!(why(&[]), "");
    }
}
