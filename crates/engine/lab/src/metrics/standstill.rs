//! Whether a flow stood still: nothing of it was delivered for seconds though it had something to send.

use super::Meters;
use super::flow::FlowMeter;
use crate::summary::Standstill;
use airloom_scenario::{Flow, FlowKind, Scenario, UdpRate};
use airloom_sim::Time;

/// Of a flow that stands still for a smaller part of its time nothing is said.
const SHARE: f64 = 0.1;
/// Datagrams that are sent as often as this, in seconds, are always something to send: of those at random times one in 20 000 comes a second after the last.
const LONGEST_SPACING: f64 = 0.1;

/// The flows that stood still for a part of their time, in the order of the scenario.
pub(super) fn found(r: &Meters, scenario: &Scenario) -> Vec<Standstill> {
    scenario.flow.iter().zip(&r.flows).filter_map(|(flow, meter)| of(r, flow, meter)).collect()
}

fn of(r: &Meters, flow: &Flow, meter: &FlowMeter) -> Option<Standstill> {
    let begin = (Time::ZERO + flow.start).max(r.from);
    let end = super::flows::ends(r, flow, meter);
    // Of a flow that delivers nothing at all more is said elsewhere.
    if !has_something(&flow.kind) || meter.bytes.whole() == 0 || end <= begin {
        return None;
    }
    let mut still = meter.still;
    still.add(meter.last.max(begin).max(meter.begin), end);
    let share = still.total.as_secs_f64() / end.since(begin).as_secs_f64();
    let [from_s, to_s] = still.longest.map(Time::as_secs_f64);
    let behind_hole = Some(still.longest_behind).filter(|&segments| segments > 0);
    (share >= SHARE).then(|| Standstill { flow: flow.name.clone(), share, from_s, to_s, behind_hole })
}

/// Whether a flow has something to send from its start to its end.
fn has_something(kind: &FlowKind) -> bool {
    match *kind {
        FlowKind::Tcp { write: None, .. } | FlowKind::Udp { rate: UdpRate::Saturated, .. } => true,
        FlowKind::Udp { rate: UdpRate::Paced(rate, _), payload } => {
            8.0 * f64::from(payload) <= LONGEST_SPACING * 1e6 * rate.as_mbps_f64()
        }
        FlowKind::Tcp { .. }
        | FlowKind::Udp { rate: UdpRate::Traffic(_), .. }
        | FlowKind::Publish { .. }
        | FlowKind::Ping { .. } => false,
    }
}
