//! The summary of a run, as JSON.

use super::mean::Count;
use super::node::{NodeMeter, QueueMeter};
use super::{Meters, flows, names};
use airloom_observe::{DropCause, FrameClass, LossCause, QueueLayer};
use airloom_scenario::{Role, Scenario};
use airloom_sim::Duration;
use airloom_world::FlowEnd;
use serde_json::{Map, Value, json};

/// Everything about the whole run. `ends`: what became of each flow's bytes.
pub(super) fn summary(r: &Meters, scenario: &Scenario, ends: &[FlowEnd]) -> Value {
    let names = names(scenario);
    json!({
        "airloom": crate::VERSION,
        "title": scenario.title,
        "seed": scenario.seed,
        "duration_s": scenario.duration.as_secs_f64(),
        "flows": flows::flows(r, scenario, ends),
        "jain": flows::jain(r, scenario),
        "nodes": nodes(r, scenario),
        "airtime": airtime(r, &names),
        "drops": drops(r, &names),
        "scans": r.scans.scans(&names),
        "scan_requests": r.scans.requests(&names),
    })
}

fn queue(layer: QueueLayer, q: &QueueMeter, r: &Meters) -> Value {
    let mut told = json!({
        "layer": layer.name(),
        "mean_packets": q.depth.overall(r.until).unwrap_or(0.0),
        "max_packets": q.depth.max(),
        "mean_sojourn_ms": q.sojourn.overall(),
        "drops": dropped(q),
    });
    if q.marks.total() > 0 {
        told["marks"] = json!(q.marks.total());
    }
    told
}

fn dropped(q: &QueueMeter) -> u64 {
    q.drops.iter().map(Count::total).sum()
}

fn nodes(r: &Meters, scenario: &Scenario) -> Value {
    scenario
        .nodes()
        .zip(&r.nodes)
        .map(|((_, role), node)| {
            let name = role.name();
            let kind = match role {
                Role::AccessPoint(_) => "ap",
                Role::Station(_) => "station",
                Role::Server(_) => "server",
            };
            if let Role::Server(_) = role {
                return json!({ "name": name, "kind": kind, "queues": [{ "layer": QueueLayer::Link.name(), "drops": dropped(&node.link) }] });
            }
            let (ppdus, mpdus) = (node.ppdus.total(), node.mpdus.total());
            let frames: Map<String, Value> =
                FrameClass::WORDS.iter().zip(node.frames).map(|((name, _), n)| ((*name).to_owned(), json!(n))).collect();
            let mut summary = json!({
                "name": name,
                "kind": kind,
                "ampdus": ppdus,
                "mpdus_per_ampdu": (ppdus > 0).then(|| mpdus as f64 / ppdus as f64),
                "mac_rate_mbps": node.rate.overall(),
                "ampdu_rate_mbps": node.ampdu_rate.overall(),
                "received_rate_mbps": node.received_rate.overall(),
                "airtime_share": share(r, node),
                "mpdu_retries": node.retries.total(),
                "frames": frames,
                "queues": [queue(QueueLayer::Discipline, &node.discipline, r), queue(QueueLayer::Driver, &node.driver, r)],
            });
            if let Some(bus) = &node.bus {
                summary["bus"] = bus.summary();
            }
            summary
        })
        .collect()
}

fn share(r: &Meters, node: &NodeMeter) -> f64 {
    node.airtime_total.as_secs_f64() / r.until.as_secs_f64()
}

fn airtime(r: &Meters, names: &[String]) -> Value {
    let by_node: Map<String, Value> = names
        .iter()
        .zip(&r.nodes)
        .filter(|(_, node)| node.frames.iter().any(|&n| n > 0))
        .map(|(name, node)| (name.clone(), json!(share(r, node))))
        .collect();
    let all: Duration = r.nodes.iter().map(|node| node.exchanged).sum();
    let exchanges = names.iter().zip(&r.nodes).filter(|(_, node)| node.exchanged > Duration::ZERO);
    let part = |node: &NodeMeter| node.exchanged.as_secs_f64() / all.as_secs_f64();
    let by_station: Map<String, Value> =
        exchanges.map(|(name, node)| (name.clone(), json!(part(node)))).collect();
    // Of frames that overlap at most one is received: what it took is its sender's, the rest of their time is lost.
    let received = r.nodes.iter().map(|node| node.airtime_total).sum();
    let collided = r.air.total().saturating_sub(received).as_secs_f64() / r.until.as_secs_f64();
    let used: f64 = r.nodes.iter().map(|node| share(r, node)).sum();
    json!({
        "by_node": by_node,
        "by_station": by_station,
        "collided": collided,
        "idle": (1.0 - used - collided).max(0.0),
    })
}

fn drops(r: &Meters, names: &[String]) -> Value {
    let mut all = Vec::new();
    for (name, node) in names.iter().zip(&r.nodes) {
        let mut push = |place, cause, count: &Count| {
            let count = count.total();
            if count > 0 {
                all.push(json!({ "place": format!("{name} {place}"), "cause": cause, "count": count }));
            }
        };
        for (place, queue) in [("queue", &node.discipline), ("link", &node.link)] {
            DropCause::WORDS.iter().zip(&queue.drops).for_each(|((cause, _), n)| push(place, cause, n));
        }
        LossCause::WORDS.iter().zip(&node.lost).for_each(|((cause, _), n)| push("driver", cause, n));
    }
    Value::Array(all)
}
