//! The summary of a run, as JSON.

use super::node::{FRAME_NAMES, NodeMeter, QueueMeter};
use super::{Recorder, names};
use crate::scenario::{Congestion, Scenario};
use serde_json::{Map, Value, json};

/// Everything about the whole run. `written`: what each flow's application wrote, in bytes.
pub(super) fn summary(r: &Recorder, scenario: &Scenario, written: &[u64]) -> Value {
    let names = names(scenario);
    json!({
        "airloom": crate::VERSION,
        "title": scenario.title,
        "seed": scenario.seed,
        "duration_s": scenario.duration.as_secs_f64(),
        "flows": flows(r, scenario, written),
        "jain": jain(r, scenario),
        "nodes": nodes(r, scenario, &names),
        "airtime": airtime(r, &names),
        "drops": drops(r, &names),
        "scans": r.scans.scans(&names),
        "scan_requests": r.scans.requests(&names),
    })
}

/// Goodput of each flow while it could run, in Mbit/s.
fn goodputs(r: &Recorder, scenario: &Scenario) -> Vec<f64> {
    let end = scenario.duration;
    let active = scenario.flow.iter().map(|f| f.stop.unwrap_or(end).min(end).saturating_sub(f.start));
    r.flows
        .iter()
        .zip(active)
        .map(|(meter, time)| match time.as_secs_f64() {
            t if t > 0.0 => meter.bytes.total() as f64 * 8e-6 / t,
            _ => 0.0,
        })
        .collect()
}

fn flows(r: &Recorder, scenario: &Scenario, written: &[u64]) -> Value {
    scenario
        .flow
        .iter()
        .zip(&r.flows)
        .zip(goodputs(r, scenario))
        .zip(written)
        .map(|(((flow, meter), goodput), &written)| {
            let host = scenario
                .station
                .iter()
                .map(|s| (&s.name, &s.host))
                .chain(scenario.server.iter().map(|s| (&s.name, &s.host)))
                .find(|(name, _)| **name == flow.from)
                .map(|(_, host)| flow.tcp.over(&host.tcp).congestion);
            let delivered = meter.bytes.total();
            json!({
                "name": flow.name,
                "from": flow.from,
                "to": flow.to,
                "congestion": match host {
                    Some(Congestion::NewReno) => "newreno",
                    _ => "cubic",
                },
                "goodput_mbps": goodput,
                "bytes_written": written,
                "bytes_delivered": delivered,
                "bytes_held": written - delivered,
                "retransmissions": meter.retransmissions.total(),
                "timeouts": meter.timeouts,
                "recoveries": meter.recoveries,
                "local_drops": meter.local_drops,
                "undone": meter.undone,
                "cwnd_mean": meter.cwnd.overall(r.until),
                "cwnd_max": meter.cwnd.max(),
                "srtt_mean_ms": meter.srtt.overall(r.until),
                "rtt_mean_ms": meter.rtt.overall(),
            })
        })
        .collect()
}

/// Jain's fairness index over the flows' goodputs; none without flows.
fn jain(r: &Recorder, scenario: &Scenario) -> Value {
    let x = goodputs(r, scenario);
    let (sum, squares) = x.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
    if squares > 0.0 { json!(sum * sum / (x.len() as f64 * squares)) } else { Value::Null }
}

fn queue(layer: &str, q: &QueueMeter, r: &Recorder) -> Value {
    let mut told = json!({
        "layer": layer,
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
    q.full.total() + q.managed.total()
}

fn nodes(r: &Recorder, scenario: &Scenario, names: &[String]) -> Value {
    let stations = 1..=scenario.station.len();
    names
        .iter()
        .zip(&r.nodes)
        .enumerate()
        .map(|(i, (name, node))| {
            if i > scenario.station.len() {
                return json!({ "name": name, "kind": "server", "queues": [{ "layer": "link", "drops": dropped(&node.link) }] });
            }
            let (ppdus, mpdus) = (node.ppdus.total(), node.mpdus.total());
            let frames: Map<String, Value> =
                FRAME_NAMES.iter().zip(node.frames).map(|(name, n)| ((*name).to_owned(), json!(n))).collect();
            let mut summary = json!({
                "name": name,
                "kind": if stations.contains(&i) { "station" } else { "ap" },
                "ampdus": ppdus,
                "mpdus_per_ampdu": (ppdus > 0).then(|| mpdus as f64 / ppdus as f64),
                "mac_rate_mbps": node.rate.overall(),
                "ampdu_rate_mbps": node.ampdu_rate.overall(),
                "airtime_share": share(r, node),
                "mpdu_retries": node.retries.total(),
                "frames": frames,
                "queues": [queue("discipline", &node.discipline, r), queue("driver", &node.driver, r)],
            });
            if let Some(bus) = &node.bus {
                summary["bus"] = bus.summary();
            }
            summary
        })
        .collect()
}

fn share(r: &Recorder, node: &NodeMeter) -> f64 {
    node.airtime_total.as_secs_f64() / r.until.as_secs_f64()
}

fn airtime(r: &Recorder, names: &[String]) -> Value {
    let by_node: Map<String, Value> = names
        .iter()
        .zip(&r.nodes)
        .filter(|(_, node)| node.frames.iter().any(|&n| n > 0))
        .map(|(name, node)| (name.clone(), json!(share(r, node))))
        .collect();
    let used: f64 = r.nodes.iter().map(|node| share(r, node)).sum();
    let collided = r.collided.as_secs_f64() / r.until.as_secs_f64();
    json!({ "by_node": by_node, "collided": collided, "idle": 1.0 - used - collided })
}

fn drops(r: &Recorder, names: &[String]) -> Value {
    let mut all = Vec::new();
    for (name, node) in names.iter().zip(&r.nodes) {
        let places = [
            ("queue", "full", node.discipline.full.total()),
            ("queue", "queue manager", node.discipline.managed.total()),
            ("link", "full", node.link.full.total()),
            ("link", "queue manager", node.link.managed.total()),
            ("driver", "retry limit", node.lost[0].total()),
            ("driver", "radio left the channel", node.lost[1].total()),
            ("driver", "power-save buffer full", node.lost[2].total()),
            ("driver", "too late for the receiver", node.lost[3].total()),
            ("driver", "pseudo retry-out", node.lost[4].total()),
        ];
        for (place, cause, count) in places {
            if count > 0 {
                all.push(json!({ "place": format!("{name} {place}"), "cause": cause, "count": count }));
            }
        }
    }
    Value::Array(all)
}
