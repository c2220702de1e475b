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
            let mss = tcp.mss.unwrap_or(sender.tcp.mss).min(receiver.tcp.mss);
            (mss + TCP, Some(TCP + TIMESTAMPS))
        }
        FlowKind::Udp { payload, .. } => (payload + UDP, None),
        FlowKind::Ping { payload, .. } => (payload + UDP, Some(payload + UDP)),
    }
}

/// The longest packet of a flow that a host sends, or that it receives.
pub(super) fn longest_at(scenario: &Scenario, flow: &Flow, host: &str, sent: bool) -> Option<u32> {
    let (forward, backward) = longest(scenario, flow);
    match host {
        host if host == flow.from => {
            if sent {
                Some(forward)
            } else {
                backward
            }
        }
        host if host == flow.to => {
            if sent {
                backward
            } else {
                Some(forward)
            }
        }
        _ => None,
    }
}
