//! W307: full packets vanish on the way, and shorter ones arrive.

use super::in_flows;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::Flow;
use crate::rule::Rule;
use crate::standstill::{frames, of_time, too_long, was_too_long};
use crate::undelivered::too_big_of;
use airloom_trace::tcp::Stuck;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W307",
    name: "full packets vanish",
    means: "Large packets vanish on the way and small ones arrive, so that a connection opens and then \
            stands still.",
    needs: "TCP",
    computes: "The payload of the packet at which a flow stands still as the capture ends, sent four times at least and never acknowledged, against \
               the longest that has arrived. Reported where it is longer than that and longer than 1160 octets, and shorter ones that were sent \
               after it have arrived (SACK), or the receiver goes on to talk. The same of a packet that was sent three times without an answer, until its sender cut it and the first of \
               the shorter ones was acknowledged at once, as Windows does where it looks for black holes.",
    traps: "Where nothing comes from the receiver any more, the connection is dead (W406). Where packets as long have arrived before, the way may \
            have changed, and the rule does not say so.",
    refuted_by: "A ping of the same size that may not be fragmented (`ping -M do -s`) and is answered.",
    judge,
};

fn judge(evidence: &Evidence) -> Verdict {
    in_flows(evidence, found)
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
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
        remedy: "A lower MTU at the sender, or MSS clamping where the way gets narrower, such as at a tunnel (`iptables -t mangle -A FORWARD -p tcp \
                 --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu`). Linux finds the size by itself with `sysctl net.ipv4.tcp_mtu_probing=1`. \
                 Let ICMP's \"fragmentation needed\" pass."
            .to_owned(),
    })
}

/// The time in which nothing moved: until the sender cut what did not fit.
fn until_cut(flow: &Flow<'_>, stuck: &Stuck) -> Cost {
    let (first, last) = flow.connection.span_ns;
    let [still, all] = [stuck.until_ns().saturating_sub(stuck.span_ns.0), last.saturating_sub(first)]
        .map(|ns| ns as f64 / 1e9);
    Cost::seconds(still, (still / all.max(1e-3)).min(1.0), "in which nothing moves")
}
