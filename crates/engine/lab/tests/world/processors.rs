//! An access point whose processor needs time for each packet.

use crate::scenarios::{around_ap, good, number};
use airloom_lab::run;
use serde_json::Value;

/// What runs of a minute count: a server and a station, fast links, and a processor between them.
fn summary(processor: &str, flows: &str) -> Value {
    let processor = format!("processor = {{ profile = \"ar7161\", {processor} }}");
    let rest = format!(
        r#"
[[station]]
name = "station"
host = "linux-6.18"
adapter = "ath9k"
snr = "60 dB"
rate = "MCS 15"
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "100 Gbit/s", delay = "0 s" }}
{flows}"#
    );
    let text = around_ap(60, &processor, &rest);
    run::run(&good(&text), &mut |_| true).expect("not interrupted").summary.to_value()
}

fn flow(down: bool, rest: &str) -> String {
    let (from, to) = if down { ("server", "station") } else { ("station", "server") };
    format!("[[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\n{rest}\n")
}

/// What waits for the processor.
fn waiting(summary: &Value) -> Value {
    let queues = summary["nodes"][0]["queues"].as_array().expect("queues");
    queues.iter().find(|queue| queue["layer"] == "processor").expect("a processor").clone()
}

/// Datagrams of 8 kbit with headers left out, so many in a second.
fn datagrams(per_second: u32, spacing: &str) -> String {
    format!(
        "kind = \"udp\"\npayload = \"1000 B\"\nrate = \"{} kbit/s\"\nspacing = \"{spacing}\"",
        8 * per_second
    )
}

/// Saturated, it forwards one packet in each `to_air`; the rest of what is offered finds the ring full and is counted.
#[test]
fn a_saturated_processor_forwards_one_over_its_cost() {
    let found = summary("to_air = \"200 us\"", &flow(true, &datagrams(8_000, "constant")));
    let flow = &found["flows"][0];
    let [sent, delivered, lost] = ["sent", "delivered", "lost"].map(|key| number(&flow[key]));
    assert!((delivered / 300_000.0 - 1.0).abs() < 1e-3, "{delivered}");
    assert_eq!(found["drops"].as_array().expect("a list").len(), 1, "{}", found["drops"]);
    let drops = &found["drops"][0];
    assert_eq!((&drops["place"], &drops["cause"]), (&"ap processor".into(), &"full".into()));
    assert_eq!(drops["count"], flow["lost"]);
    // The ring's 256 and the one in work stay behind, and a few on the air.
    let waiting = waiting(&found);
    assert_eq!((number(&waiting["max_packets"]), number(&waiting["drops"])), (257.0, lost));
    assert!((257.0..300.0).contains(&(sent - delivered - lost)), "{sent} {delivered} {lost}");
    assert!((number(&waiting["mean_sojourn_ms"]) / (257.0 * 0.2) - 1.0).abs() < 0.01);
}

/// M/D/1 (Pollaczek and Khinchine): a packet is there for D + load D / (2 (1 - load)).
#[test]
fn random_arrivals_wait_as_in_m_d_1() {
    for (per_second, load) in [(2_500, 0.5), (4_000, 0.8)] {
        let down = flow(true, &datagrams(per_second, "poisson"));
        let found = summary("to_air = \"200 us\"", &down);
        let waiting = waiting(&found);
        let law = 0.2 + load * 0.2 / (2.0 * (1.0 - load));
        let sojourn = number(&waiting["mean_sojourn_ms"]);
        assert!((sojourn / law - 1.0).abs() < 0.03, "load {load}: {sojourn} ms rather than {law}");
        // Little's law.
        let there = f64::from(per_second) * law * 1e-3;
        assert!((number(&waiting["mean_packets"]) / there - 1.0).abs() < 0.03, "{waiting}");
        assert_eq!(waiting["drops"], 0);
    }
}

/// Both ways share one processor, and where both rings are full and of one length, packets of both pass alike.
#[test]
fn both_directions_share_the_processor() {
    let flows = [true, false].map(|down| flow(down, &datagrams(6_000, "constant"))).concat();
    let rings = "ethernet_ring = \"100 packets\", radio_ring = \"100 packets\"";
    let found = summary(&format!("to_air = \"200 us\", to_wire = \"50 us\", {rings}"), &flows);
    let [down, up] = [0, 1].map(|flow| number(&found["flows"][flow]["delivered"]) / 60.0);
    assert!((down * 200e-6 + up * 50e-6 - 1.0).abs() < 2e-3, "{down} and {up} packets in a second");
    assert!((down / up - 1.0).abs() < 0.1, "{down} and {up} packets in a second");
}

/// What takes no time delays nothing and drops nothing.
#[test]
fn a_processor_may_be_free() {
    let flows = [true, false].map(|down| flow(down, &datagrams(6_000, "constant"))).concat();
    let found = summary("to_air = \"0 s\", to_wire = \"0 s\"", &flows);
    let waiting = waiting(&found);
    assert_eq!((number(&waiting["mean_sojourn_ms"]), &found["drops"]), (0.0, &Value::Array(Vec::new())));
}
