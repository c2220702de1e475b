//! W307: full packets vanish on the way, and shorter ones arrive.

use super::by_size::{BySize, by_size};
use super::{in_flows, with_enough};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::rule::Rule;
use crate::standstill::{SMALL, frames, of_time, too_long, was_too_long};
use crate::undelivered::too_big_of;
use airloom_trace::tcp::{Limit, Stuck, Vantage};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W307",
    name: "full packets vanish",
    means: "Large packets vanish on the way and small ones arrive, so that a connection opens and then \
            stands still, or crawls.",
    needs: "TCP",
    computes: "The payload of the packet at which a flow stands still as the capture ends, sent four times at least and never acknowledged, against \
               the longest that has arrived. Reported where it is longer than that and longer than 1160 octets, and shorter ones that were sent \
               after it have arrived (SACK), or the receiver goes on to talk. The same of a packet that was sent three times without an answer, until its sender cut it and the first of \
               the shorter ones was acknowledged at once, as Windows does where it looks for black holes. And where no packet arrives that is longer than the longest that did: ten at least, half of them sent again or \
               left out by SACK, in turns with ten at least of half that length or more, of which no more than a tenth is lost.",
    traps: "Where nothing comes from the receiver any more, the connection is dead (W406). Where packets as long have arrived before, the way may \
            have changed, and the rule does not say so.",
    refuted_by: "A ping of the same size that may not be fragmented (`ping -M do -s`) and is answered.",
    judge,
};

const REMEDY: &str = "A lower MTU at the sender, or MSS clamping where the way gets narrower, such as at a tunnel (`iptables -t mangle -A FORWARD -p tcp \
                      --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu`). Linux finds the size by itself with `sysctl net.ipv4.tcp_mtu_probing=1`. \
                      Let ICMP's \"fragmentation needed\" pass.";

fn judge(evidence: &Evidence) -> Verdict {
    let found = in_flows(evidence, |evidence, flow| {
        // Where a router says that packets are too big, their sender cuts them.
        let is_told = too_big_of(evidence, flow).is_some();
        let sizes = || by_size(flow, SMALL).filter(|_| !is_told);
        stands_still(evidence, flow).or_else(|| sizes().map(|sizes| goes_on(evidence, flow, &sizes)))
    });
    let is_long = |flow: &Flow<'_>| flow.data().longest > SMALL;
    with_enough(found, flows(evidence, 1).iter().any(is_long), || {
        format!("no packet with more than {SMALL} octets of payload")
    })
}

/// What is found in a flow that goes on, in shorter packets.
fn goes_on(evidence: &Evidence, flow: &Flow<'_>, sizes: &BySize) -> Finding {
    let BySize { arrives, vanish: [least, most], packets: [vanish, others], .. } = *sizes;
    let recovers = 100.0 * flow.data().limits.share(Limit::Recovery);
    let at_sender = flow.connection.vantage(flow.from) == Vantage::Sender;
    let lengths = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let (why, remedy) = match sizes.merged() {
        Some(of) if at_sender => (
            format!(" So long a packet is one of {of} or more that the adapter is to cut (TSO)."),
            "Let the sending host cut them itself: `ethtool -K IFACE tso off gso off`.".to_owned(),
        ),
        Some(of) => (
            format!(
                " So long a packet is {of} merged ones (GRO, LRO), which whatever merged them cannot send on."
            ),
            "Turn the merging off on the box that forwards them: `ethtool -K IFACE gro off lro off`."
                .to_owned(),
        ),
        None => (String::new(), REMEDY.to_owned()),
    };
    Finding {
        subject: flow.named(),
        spans: vec![sizes.span_ns.map(|at| evidence.seconds_in(flow.capture, at))],
        value: least.into(),
        threshold: arrives.into(),
        unit: "octets of payload",
        confidence: 0.9,
        cost: Cost::percent(recovers, "% of the time", "of this flow"),
        capture: flow.capture,
        frames: sizes.numbers.clone(),
        filter: format!("{} && tcp.len > {arrives}", flow.filter()),
        says: format!(
            "All {vanish} packets with more than {arrives} octets of payload ({lengths}) vanished behind the place of the capture: none was acknowledged or reported by SACK. Of the \
             {others} that passed in between, no longer than that, nearly all arrived.{why} The sender recovered for {recovers:.0} % of its time."
        ),
        remedy,
    }
}

fn stands_still(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let cut = was_too_long(flow);
    let stuck = cut.map(|one| one.stuck).or_else(|| too_long(flow))?;
    let arrived = flow.data().longest_arrived();
    let [from, to] = [stuck.span_ns.0, stuck.span_ns.1].map(|at| evidence.seconds_in(flow.capture, at));
    let shows = if stuck.overtaken {
        "shorter ones that were sent after it have arrived"
    } else {
        "the receiver goes on to talk meanwhile"
    };
    let told = match too_big_of(evidence, flow) {
        Some((by, 0)) => format!(", as {by} says (ICMP)"),
        Some((by, most)) => format!(", and {by} says that more than {most} octets do not fit (ICMP)"),
        None => ", and nothing in the capture says so to the sender".to_owned(),
    };
    Some(Finding {
        subject: flow.named(),
        spans: vec![[from, to]],
        value: stuck.octets.into(),
        threshold: arrived as f64,
        unit: "octets of payload",
        confidence: if stuck.overtaken { 0.9 } else { 0.75 },
        cost: cut.map_or_else(|| of_time(flow, &stuck), |_| until_cut(flow, &stuck)),
        capture: flow.capture,
        frames: frames(flow, &stuck),
        filter: format!("{} && tcp.len >= {}", flow.filter(), stuck.octets),
        says: format!(
            "A packet with {} octets of payload was sent {} times in {:.1} s and never acknowledged; {shows}, and the longest that ever \
             arrived has {arrived}.{} The way carries no packets of full size{told}.",
            stuck.octets,
            stuck.times,
            to - from,
            cut.map_or_else(String::new, |one| format!(
                " Its sender cut it {:.1} s after the first time, and {} octets arrived at once.",
                stuck.until_ns().saturating_sub(stuck.span_ns.0) as f64 / 1e9,
                one.to
            ))
        ),
        remedy: REMEDY.to_owned(),
    })
}

/// The time in which nothing moved: until the sender cut what did not fit.
fn until_cut(flow: &Flow<'_>, stuck: &Stuck) -> Cost {
    let (first, last) = flow.connection.span_ns;
    let [still, all] = [stuck.until_ns().saturating_sub(stuck.span_ns.0), last.saturating_sub(first)]
        .map(|ns| ns as f64 / 1e9);
    Cost::seconds(still, (still / all.max(1e-3)).min(1.0), "in which nothing moves")
}
