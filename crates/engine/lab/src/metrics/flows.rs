//! The flows in the summary: each by its kind, and how fairly they share.

use super::Meters;
use super::datagrams::DatagramMeter;
use super::flow::{FlowMeter, Own, TcpMeter};
use crate::summary::{self, FlowNumbers, Goodput, OwnTime, Ping, Tcp, Udp};
use airloom_scenario::{Flow, FlowKind, FlowTcp, Scenario, UdpRate};
use airloom_sim::Time;
use airloom_world::FlowEnd;

/// Every flow, in the order of the scenario.
pub(super) fn flows(r: &Meters, scenario: &Scenario, ends: &[FlowEnd]) -> Vec<summary::Flow> {
    let all: f64 = data_goodputs(r, scenario).sum();
    let flows = scenario.flow.iter().zip(&r.flows).zip(goodputs(r, scenario)).zip(ends);
    flows
        .map(|(((flow, meter), goodput_mbps), end)| {
            let goodput = Goodput { goodput_mbps, share: (all > 0.0).then(|| goodput_mbps / all) };
            let numbers = match (&meter.own, &flow.kind) {
                (Own::Tcp(own), FlowKind::Tcp { tcp: over, .. }) => {
                    FlowNumbers::Tcp(tcp(r, meter, own, congestion(scenario, flow, over), goodput, end))
                }
                (Own::Ping(own), _) => FlowNumbers::Ping(ping(own, end)),
                (Own::Udp(own), _) => FlowNumbers::Udp(udp(own, meter, goodput, end)),
                (Own::Tcp(_), _) => unreachable!("a flow's meter is of its kind"),
            };
            summary::Flow {
                name: flow.name.clone(),
                group: flow.group.clone(),
                from: flow.from.clone(),
                to: flow.to.clone(),
                own_time: own_time(r, flow, meter),
                numbers,
            }
        })
        .collect()
}

fn carries_data(flow: &Flow) -> bool {
    !matches!(flow.kind, FlowKind::Ping { .. })
}

/// Goodput of each flow in Mbit/s, over the time in which its bytes arrived, after the warm-up.
fn goodputs(r: &Meters, scenario: &Scenario) -> Vec<f64> {
    let goodput = |(flow, meter): (&Flow, &FlowMeter)| {
        let time = under_way(r, flow, meter);
        if time > 0.0 { meter.bytes.total() as f64 * 8e-6 / time } else { 0.0 }
    };
    scenario.flow.iter().zip(&r.flows).map(goodput).collect()
}

/// For how long a flow is under way while it is measured, in seconds.
fn under_way(r: &Meters, flow: &Flow, meter: &FlowMeter) -> f64 {
    let (start, end) = ((Time::ZERO + flow.start).max(r.from), ends(r, flow, meter));
    end.since(start.min(end)).as_secs_f64()
}

/// What is told of the time of a flow that is not under way all the time.
fn own_time(r: &Meters, flow: &Flow, meter: &FlowMeter) -> OwnTime {
    let (start, end) = (Time::ZERO + flow.start, ends(r, flow, meter));
    let start_s = (start > r.from).then(|| start.as_secs_f64());
    let end_s = (end < r.until).then(|| end.as_secs_f64());
    let time_share = start_s.or(end_s).map(|_| under_way(r, flow, meter) / r.measured());
    OwnTime { start_s, end_s, time_share }
}

/// When a flow ends: with the last of a given number of bytes; otherwise when its application stops or the run ends, or
/// with data that arrives later.
pub(super) fn ends(r: &Meters, flow: &Flow, meter: &FlowMeter) -> Time {
    match flow.kind {
        FlowKind::Tcp { bytes: Some(all), .. } if meter.bytes.whole() >= all.0 => meter.last,
        _ => flow.stop.map_or(r.until, |stop| (Time::ZERO + stop).min(r.until)).max(meter.last),
    }
}

fn congestion(scenario: &Scenario, flow: &Flow, tcp: &FlowTcp) -> &'static str {
    tcp.over(&scenario.host(&flow.from).1.tcp).growth.congestion.name()
}

fn tcp(
    r: &Meters,
    meter: &FlowMeter,
    own: &TcpMeter,
    congestion: &'static str,
    goodput: Goodput,
    end: &FlowEnd,
) -> Tcp {
    let delivered = meter.bytes.whole();
    Tcp {
        goodput,
        congestion,
        bytes_written: end.written,
        bytes_delivered: delivered,
        bytes_held: end.written - delivered,
        retransmissions: own.retransmissions.total(),
        timeouts: own.timeouts,
        recoveries: own.recoveries,
        local_drops: own.local_drops,
        undone: own.undone,
        cwnd_mean: own.cwnd.overall(r.until),
        cwnd_max: own.cwnd.max(),
        in_flight_mean: own.in_flight.overall(r.until),
        srtt_mean_ms: own.srtt.overall(r.until),
        rtt_mean_ms: own.rtt.overall(),
        rtt_median_ms: own.rtts.at(0.5),
        rtt_p95_ms: own.rtts.at(0.95),
        rtt_p99_ms: own.rtts.at(0.99),
        rpm: own.rtts.per_minute(),
    }
}

fn udp(own: &DatagramMeter, meter: &FlowMeter, goodput: Goodput, end: &FlowEnd) -> Udp {
    Udp {
        goodput,
        bytes_delivered: meter.bytes.total(),
        sent: own.sent.total(),
        delivered: own.arrived.total(),
        lost: own.lost(end.in_transit),
        delay_mean_ms: own.delay.overall(),
        delay_median_ms: own.delays.at(0.5),
        delay_p95_ms: own.delays.at(0.95),
        delay_p99_ms: own.delays.at(0.99),
    }
}

fn ping(own: &DatagramMeter, end: &FlowEnd) -> Ping {
    Ping {
        sent: own.sent.total(),
        answered: own.arrived.total(),
        lost: own.lost(end.in_transit),
        rtt_mean_ms: own.delay.overall(),
        rtt_median_ms: own.rtt_quantile(0.5),
        rtt_p95_ms: own.rtt_quantile(0.95),
        rtt_p99_ms: own.rtt_quantile(0.99),
        rtt_max_ms: own.rtt_quantile(1.0),
        rpm: own.delays.per_minute(),
    }
}

/// Jain's fairness index over the goodputs of the flows that take what they get, while all of them are under way; none of
/// fewer than two, if they never all are, or if nothing arrived.
pub(super) fn jain(r: &Meters, scenario: &Scenario) -> Option<f64> {
    let all = scenario.flow.iter().zip(&r.flows).filter(|(flow, _)| takes_what_it_gets(flow));
    let x: Vec<f64> = all.map(|(_, meter)| meter.shared.goodput_mbps()).collect::<Option<_>>()?;
    let (sum, squares) = x.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
    (x.len() > 1 && squares > 0.0).then(|| sum * sum / (x.len() as f64 * squares))
}

/// The part of what is measured in which all flows that take what they get are under way; none of fewer than two, or if
/// that is all of it.
pub(super) fn sharing_part(scenario: &Scenario) -> Option<f64> {
    let (from, until) = sharing(scenario);
    let (warm, end) = measured(scenario);
    let several = scenario.flow.iter().filter(|flow| takes_what_it_gets(flow)).count() > 1;
    let part = until.since(from.min(until)).as_secs_f64() / end.since(warm).as_secs_f64();
    (several && (from, until) != (warm, end)).then_some(part)
}

/// From when until when all flows that take what they get are under way while it is measured; the end is not behind the
/// beginning if they never all are.
pub(super) fn sharing(scenario: &Scenario) -> (Time, Time) {
    let own = || scenario.flow.iter().filter(|flow| takes_what_it_gets(flow));
    let (warm, end) = measured(scenario);
    let from = own().map(|flow| Time::ZERO + flow.start).fold(warm, Time::max);
    let until = own().filter_map(|flow| flow.stop).map(|stop| Time::ZERO + stop).fold(end, Time::min);
    (from, until)
}

/// From when until when a run is measured.
fn measured(scenario: &Scenario) -> (Time, Time) {
    (Time::ZERO + scenario.warm_up.unwrap_or_default(), Time::ZERO + scenario.duration)
}

/// Whether a flow always has more to send: what limits it is then the network, not its application.
pub(super) fn takes_what_it_gets(flow: &Flow) -> bool {
    matches!(
        flow.kind,
        FlowKind::Tcp { bytes: None, write: None, .. } | FlowKind::Udp { rate: UdpRate::Saturated, .. }
    )
}

fn data_goodputs(r: &Meters, scenario: &Scenario) -> impl Iterator<Item = f64> {
    let all = scenario.flow.iter().zip(goodputs(r, scenario));
    all.filter(|(flow, _)| carries_data(flow)).map(|(_, goodput)| goodput)
}
