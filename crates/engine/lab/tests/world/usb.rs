//! Stations whose adapter is on USB.

use airloom_lab::metrics::Recorder;
use airloom_lab::scenario::load;
use airloom_lab::world::World;
use serde_json::Value;

const UPLOAD: &str = include_str!("../../../../../papers/usb/upload.toml");
const HOLD: &str = include_str!("../../../../../papers/usb/hold.toml");

/// The summary of a scenario with these changes.
fn run(text: &str, overrides: &[(&str, &str)]) -> Value {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let scenario = load(text, "test.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}"));
    let mut unkept = ();
    let mut world = World::new(&scenario, Recorder::new(&scenario, &mut unkept));
    assert!(world.run(&mut |_| true));
    let flows = world.flows();
    assert!(world.packets_in_transit() < 200, "packets pile up");
    world.into_probe().finish(&scenario, &flows).to_value()
}

fn flow(summary: &Value, metric: &str) -> f64 {
    summary["flows"][0][metric].as_f64().unwrap_or_else(|| panic!("{metric} in {summary}"))
}

/// 1,568 bytes in 25 transactions, one in each frame of a millisecond, carry 1,448 bytes of payload; the air is never in the way.
#[test]
fn the_slowest_mode_paces_tcp_to_a_transaction_a_frame() {
    let slow = [("station.0.adapter.usb.reclamation", "false")];
    for (queue, frames) in [("3 packets", 25.0), ("1 packets", 26.0)] {
        let summary = run(UPLOAD, &[slow[0], ("station.0.adapter.usb.queue", queue)]);
        let (goodput, expected) = (flow(&summary, "goodput_mbps"), 1_448.0 * 8e-3 / frames);
        assert!((goodput / expected - 1.0).abs() < 0.01, "{goodput} against {expected} Mbit/s");
    }
}

/// The bus carried what the air carried, except for packets in transit.
#[test]
fn the_bus_carries_each_packet_once() {
    let summary = run(UPLOAD, &[]);
    let nodes = summary["nodes"].as_array().expect("nodes");
    let bus = &nodes.iter().find(|n| n["name"] == "laptop").expect("a laptop")["bus"];
    let count = |key: &str| bus[key].as_u64().expect("a count");
    // An ACK of 52 bytes and its descriptor take two.
    assert!(count("in").abs_diff(2 * count("in_packets")) <= 1);
    let delivered = flow(&summary, "bytes_delivered") / 1_448.0;
    let out = count("out_packets") as f64;
    assert!((0.0..20.0).contains(&(out - delivered)), "{out} packets out, {delivered} delivered");
    // So do the two that open the connection; every other packet takes 25, and one may be on its way.
    assert!(count("out") - (25 * (count("out_packets") - 2) + 2 * 2) < 25);
}

#[test]
fn held_acknowledgments_make_the_timer_expire_and_nothing_else_does() {
    let held = run(HOLD, &[]);
    assert!(flow(&held, "timeouts") >= 3.0);
    assert!(
        held["drops"].as_array().expect("drops").iter().all(|drop| drop["count"] == 0),
        "{}",
        held["drops"]
    );
    let clear = run(UPLOAD, &[]);
    assert_eq!((flow(&clear, "timeouts"), flow(&clear, "retransmissions")), (0.0, 0.0));
}

/// Random spells: the same seed gives the same ones, another seed gives different ones.
#[test]
fn spells_by_chance_depend_on_the_seed_alone() {
    let by_chance = |seed: &str| {
        let hold = ("station.0.adapter.usb.hold", "{ every = \"1 s\", longest = \"300 ms\" }");
        let summary = run(HOLD, &[("seed", seed), hold]);
        summary["nodes"][1]["bus"]["holds"].clone()
    };
    assert_eq!(by_chance("1"), by_chance("1"));
    assert_ne!(by_chance("1"), by_chance("2"));
    assert!(by_chance("1").as_array().expect("spells").len() > 2);
}

/// Without MAC retransmission frames that collide are lost for good; UDP has nothing to collide with but beacons.
#[test]
fn collisions_are_between_data_and_acknowledgments() {
    let clean = ("station.0.adapter.evm", "-25 dB");
    let retries = |overrides: &[(&str, &str)]| {
        let summary = run(UPLOAD, overrides);
        let laptop = &summary["nodes"][1];
        laptop["mpdu_retries"].as_f64().expect("a count") / laptop["ampdus"].as_f64().expect("a count")
    };
    let tcp = retries(&[clean]);
    let udp = retries(&[clean, ("flow.0.kind", "udp"), ("flow.0.rate", "saturated")]);
    assert!(tcp > 0.02 && udp < 0.002, "TCP {tcp}, UDP {udp}");
}
