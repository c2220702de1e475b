//! How long the packets of a flow are.

use crate::flow::{Flow, FlowKind};
use crate::model::Scenario;

/// The headers of IP and TCP without options.
const TCP: u32 = 40;
/// TCP's timestamps (RFC 7323): part of a segment that carries data, so they take from its payload.
const TIMESTAMPS: u32 = 12;
/// The headers of IP and of UDP or ICMP.
const UDP: u32 = 28;

/// The longest packets of a flow, there and back; none if it sends nothing back.
pub(super) fn longest(scenario: &Scenario, flow: &Flow) -> (u32, Option<u32>) {
    match &flow.kind {
        FlowKind::Tcp { tcp, .. } => {
            let [(_, sender), (_, receiver)] = [&flow.from, &flow.to].map(|name| scenario.host(name));
            let mss = tcp.mss.unwrap_or(sender.tcp.offer.mss).min(receiver.tcp.offer.mss);
            (mss + TCP, Some(TCP + TIMESTAMPS))
        }
        FlowKind::Udp { payload, .. } | FlowKind::Publish { payload, .. } => (payload + UDP, None),
        FlowKind::Ping { payload, .. } => (payload + UDP, Some(payload + UDP)),
    }
}

/// The longest packet of a flow that a host sends, or that it receives.
pub(super) fn longest_at(scenario: &Scenario, flow: &Flow, host: &str, sent: bool) -> Option<u32> {
    // Asked of every host and every flow: only those that belong together may cost a search for the flow's ends.
    let away = host == flow.from;
    if !away && host != flow.to {
        return None;
    }
    let (forward, backward) = longest(scenario, flow);
    if away == sent { Some(forward) } else { backward }
}
