//! Builds the summary of the run from the meters.

use super::air::AirTime;
use super::mean::Count;
use super::node::NodeMeter;
use super::queue::QueueMeter;
use super::{Meters, flows, names, standstill};
use crate::summary::{
    Airtime, ChannelTime, Drop, Node, NodeKind, Queue, QueueDepth, Radio, Signal, Summary, Warning,
};
use airloom_observe::{DropCause, LossCause, QueueLayer, counted_by_class};
use airloom_scenario::{AccessPoint, Role, Scenario};
use airloom_sim::{Duration, Time};
use airloom_world::FlowEnd;

/// The summary of the whole run without captures. `ends`: the final byte counts of each flow.
pub(super) fn summary(r: &Meters, scenario: &Scenario, ends: &[FlowEnd]) -> Summary {
    let names = names(scenario);
    Summary {
        airloom: crate::VERSION.to_owned(),
        title: scenario.title.clone(),
        seed: scenario.seed,
        duration_s: scenario.duration.as_secs_f64(),
        warm_up_s: (r.from > Time::ZERO).then(|| r.from.as_secs_f64()),
        flows: flows::flows(r, scenario, ends),
        jain: flows::jain(r, scenario),
        jain_time_share: flows::sharing_part(scenario),
        nodes: scenario
            .nodes()
            .zip(&r.nodes)
            .map(|((id, role), meter)| Node {
                links: r.links.summary(id, r.measured()),
                ..node(r, scenario, role, meter)
            })
            .collect(),
        airtime: airtime(r, scenario, &names),
        drops: drops(r, &names),
        scans: r.scans.scans(&names),
        scan_requests: r.scans.requests(&names),
        roams: (scenario.ap.len() > 1).then(|| r.roams.roams(&names, r.until)),
        warnings: scenario.warnings().into_iter().map(warning).collect(),
        standstills: standstill::found(r, scenario),
        trends: r.trends.found(r.from, r.until),
        captured: None,
    }
}

fn warning(warning: airloom_scenario::Warning) -> Warning {
    let airloom_scenario::Warning { concerns, message, hint, .. } = warning;
    Warning { concerns, message, hint }
}

fn node(r: &Meters, scenario: &Scenario, role: Role<'_>, meter: &NodeMeter) -> Node {
    let name = role.name().clone();
    let kind = match role {
        Role::AccessPoint(_) => NodeKind::Ap,
        Role::Station(_) => NodeKind::Station,
        Role::Server(_) => {
            let queues = [(QueueLayer::Link, &meter.link), (QueueLayer::LinkTo, &meter.link_to)];
            return Node {
                name,
                group: None,
                kind: NodeKind::Server,
                ap: None,
                signal: None,
                radio: None,
                queues: queues.map(|(layer, meter)| queue(layer, meter, r)).into(),
                bus: None,
                links: None,
            };
        }
    };
    let station = if let Role::Station(station) = role { Some(station) } else { None };
    let group = station.and_then(|station| station.group.clone());
    let ap = station.filter(|_| scenario.ap.len() > 1).map(|station| station.ap.clone());
    let mut queues = vec![
        queue(QueueLayer::Discipline, &meter.discipline, r),
        queue(QueueLayer::Driver, &meter.driver, r),
    ];
    if matches!(role, Role::AccessPoint(ap) if ap.processor.is_some()) {
        queues.push(queue(QueueLayer::Processor, &meter.processor, r));
    }
    let bus = meter.bus.as_ref().map(|bus| bus.summary());
    let signal = meter.signal.least_and_median(r.until);
    let signal = signal.map(|(signal_min_db, signal_median_db)| Signal { signal_min_db, signal_median_db });
    Node { name, group, kind, ap, signal, radio: Some(radio(r, meter)), queues, bus, links: None }
}

fn radio(r: &Meters, meter: &NodeMeter) -> Radio {
    let (ppdus, mpdus) = (meter.ppdus.total(), meter.mpdus.total());
    Radio {
        ampdus: ppdus,
        mpdus_per_ampdu: (ppdus > 0).then(|| mpdus as f64 / ppdus as f64),
        mac_rate_mbps: meter.rate.overall(),
        ampdu_rate_mbps: meter.ampdu_rate.overall(),
        received_rate_mbps: meter.received_rate.overall(),
        airtime_share: share(r, meter),
        mpdu_retries: meter.retries.total(),
        frames: counted_by_class(meter.frames()).collect(),
    }
}

fn queue(layer: QueueLayer, q: &QueueMeter, r: &Meters) -> Queue {
    let depth = QueueDepth {
        mean_packets: q.depth.overall(r.until).unwrap_or(0.0),
        max_packets: q.depth.max(),
        mean_sojourn_ms: q.sojourn.overall(),
    };
    let marks = Some(q.marks.total()).filter(|&marks| marks > 0);
    Queue { layer: layer.name(), drops: dropped(q), marks, depth: Some(depth) }
}

fn dropped(q: &QueueMeter) -> u64 {
    q.drops.iter().map(Count::total).sum()
}

fn share(r: &Meters, node: &NodeMeter) -> f64 {
    node.airtime().as_secs_f64() / r.measured()
}

fn airtime(r: &Meters, scenario: &Scenario, names: &[String]) -> Airtime {
    let by_node = names
        .iter()
        .zip(&r.nodes)
        .filter(|(_, node)| node.frames().iter().any(|&n| n > 0))
        .map(|(name, node)| (name.clone(), share(r, node)))
        .collect();
    let exchanges = names.iter().zip(&r.nodes).filter(|(_, node)| node.exchanged > Duration::ZERO);
    let part = |node: &NodeMeter| {
        let all: Duration = on(r, node.channel).map(|node| node.exchanged).sum();
        node.exchanged.as_secs_f64() / all.as_secs_f64()
    };
    let by_station = exchanges.map(|(name, node)| (name.clone(), part(node))).collect();
    let channels = channels(r, scenario);
    let mean = |of: fn(&ChannelTime) -> f64| channels.iter().map(of).sum::<f64>() / channels.len() as f64;
    let (collided, idle) = (mean(|one| one.collided), mean(|one| one.idle));
    let interfered =
        channels.iter().find_map(|one| one.interfered).map(|_| mean(|one| one.interfered.unwrap_or(0.0)));
    let channels = if scenario.ap.len() > 1 || channels.len() > 1 { channels } else { Vec::new() };
    Airtime { by_node, by_station, collided, interfered, idle, channels }
}

/// The radios on a channel.
fn on(r: &Meters, channel: Option<usize>) -> impl Iterator<Item = &NodeMeter> {
    r.nodes.iter().filter(move |node| node.channel == channel)
}

fn channels(r: &Meters, scenario: &Scenario) -> Vec<ChannelTime> {
    let time = |(place, air): (usize, &AirTime)| {
        let share = |time: Duration| time.as_secs_f64() / r.measured();
        let (collided, idle) = match r.collided.get(place) {
            Some(collided) => (share(collided.total()), 1.0 - share(air.total())),
            None => {
                // Of overlapping frames at most one is received: its airtime counts for its sender, the rest is lost.
                let alone = r.nodes.ids().filter(|&id| !r.links.has_several(id));
                let of_nodes = alone.map(|id| r.nodes[id].airtime_on(place));
                let times: Vec<Duration> = of_nodes.chain(r.links.airtimes_on(place)).collect();
                let received: Duration = times.iter().copied().sum();
                let collided = share(air.total().saturating_sub(received));
                let used: f64 = times.iter().map(|&time| share(time)).sum();
                (collided, 1.0 - used - collided)
            }
        };
        let interfered = r.taken.get(place).map(|taken| share(taken.total().saturating_sub(air.total())));
        let channel = r.channels[place];
        let aps: Vec<&AccessPoint> = scenario.ever_on(channel).collect();
        let (band, width) = scenario.band_and_width(channel);
        ChannelTime {
            channel: band.number_of(channel.primary_mhz),
            band: band.name().to_owned(),
            width: width.name().to_owned(),
            aps: aps.iter().map(|ap| ap.name.clone()).collect(),
            collided,
            interfered,
            idle: (idle - interfered.unwrap_or(0.0)).max(0.0),
        }
    };
    r.air.iter().enumerate().map(time).collect()
}

fn drops(r: &Meters, names: &[String]) -> Vec<Drop> {
    let mut all = Vec::new();
    for (name, node) in names.iter().zip(&r.nodes) {
        let mut push = |place, cause: &'static str, count: &Count| {
            let count = count.total();
            if count > 0 {
                all.push(Drop { place: format!("{name} {place}"), cause, count });
            }
        };
        let queues = [("queue", &node.discipline), ("link", &node.link), ("processor", &node.processor)];
        for (place, queue) in queues {
            DropCause::WORDS.iter().zip(&queue.drops).for_each(|((cause, _), n)| push(place, cause, n));
        }
        LossCause::WORDS.iter().zip(&node.lost).for_each(|((cause, _), n)| push("driver", cause, n));
    }
    all
}
