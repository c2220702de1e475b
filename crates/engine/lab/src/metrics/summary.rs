//! Builds the summary of the run from the meters.

use super::mean::Count;
use super::node::{NodeMeter, QueueMeter};
use super::{Meters, flows, names};
use crate::summary::{Airtime, Drop, Node, NodeKind, Queue, QueueDepth, Radio, Summary, Warning};
use airloom_observe::{DropCause, LossCause, QueueLayer, counted_by_class};
use airloom_scenario::{Role, Scenario};
use airloom_sim::Duration;
use airloom_world::FlowEnd;

/// The summary of the whole run without captures. `ends`: the final byte counts of each flow.
pub(super) fn summary(r: &Meters, scenario: &Scenario, ends: &[FlowEnd]) -> Summary {
    let names = names(scenario);
    Summary {
        airloom: crate::VERSION.to_owned(),
        title: scenario.title.clone(),
        seed: scenario.seed,
        duration_s: scenario.duration.as_secs_f64(),
        flows: flows::flows(r, scenario, ends),
        jain: flows::jain(r, scenario),
        nodes: scenario.nodes().zip(&r.nodes).map(|((_, role), meter)| node(r, role, meter)).collect(),
        airtime: airtime(r, &names),
        drops: drops(r, &names),
        scans: r.scans.scans(&names),
        scan_requests: r.scans.requests(&names),
        warnings: scenario.warnings().into_iter().map(warning).collect(),
        captured: None,
    }
}

fn warning(warning: airloom_scenario::Warning) -> Warning {
    let airloom_scenario::Warning { concerns, message, hint, .. } = warning;
    Warning { concerns, message, hint }
}

fn node(r: &Meters, role: Role<'_>, meter: &NodeMeter) -> Node {
    let name = role.name().clone();
    let kind = match role {
        Role::AccessPoint(_) => NodeKind::Ap,
        Role::Station(_) => NodeKind::Station,
        Role::Server(_) => {
            let layer = QueueLayer::Link.name();
            let queue = Queue { layer, drops: dropped(&meter.link), marks: None, depth: None };
            return Node {
                name,
                group: None,
                kind: NodeKind::Server,
                radio: None,
                queues: vec![queue],
                bus: None,
            };
        }
    };
    let group = if let Role::Station(station) = role { station.group.clone() } else { None };
    let mut queues = vec![
        queue(QueueLayer::Discipline, &meter.discipline, r),
        queue(QueueLayer::Driver, &meter.driver, r),
    ];
    if matches!(role, Role::AccessPoint(ap) if ap.processor.is_some()) {
        queues.push(queue(QueueLayer::Processor, &meter.processor, r));
    }
    let bus = meter.bus.as_ref().map(|bus| bus.summary());
    Node { name, group, kind, radio: Some(radio(r, meter)), queues, bus }
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
        frames: counted_by_class(meter.frames).collect(),
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
    node.airtime_total.as_secs_f64() / r.until.as_secs_f64()
}

fn airtime(r: &Meters, names: &[String]) -> Airtime {
    let by_node = names
        .iter()
        .zip(&r.nodes)
        .filter(|(_, node)| node.frames.iter().any(|&n| n > 0))
        .map(|(name, node)| (name.clone(), share(r, node)))
        .collect();
    let all: Duration = r.nodes.iter().map(|node| node.exchanged).sum();
    let exchanges = names.iter().zip(&r.nodes).filter(|(_, node)| node.exchanged > Duration::ZERO);
    let part = |node: &NodeMeter| node.exchanged.as_secs_f64() / all.as_secs_f64();
    let by_station = exchanges.map(|(name, node)| (name.clone(), part(node))).collect();
    // Of overlapping frames at most one is received: its airtime counts for its sender, the rest is lost.
    let received = r.nodes.iter().map(|node| node.airtime_total).sum();
    let collided = r.air.total().saturating_sub(received).as_secs_f64() / r.until.as_secs_f64();
    let used: f64 = r.nodes.iter().map(|node| share(r, node)).sum();
    Airtime { by_node, by_station, collided, idle: (1.0 - used - collided).max(0.0) }
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
