//! Flows that are under way for a part of what is measured, and connections of hosts outside, which come when they come.

use crate::scenarios::{around, good};
use crate::temporary::Temporary;
use airloom_lab::run::{self, Options, drive_to_bundle};
use airloom_lab::scenario::Scenario;
use airloom_observe::{CaState, FlowId, FlowSeen, NodeId, Observation, Probe, Window};
use airloom_scenario::{Flow, FlowKind, FlowTcp};
use airloom_sim::{Duration, Time};
use airloom_world::{Driver, FlowEnd, World};
use serde_json::{Value, json};

/// A station beside a server, with these flows, for so many seconds.
fn cell(seconds: u32, flows: &str) -> Scenario {
    good(&around(
        seconds,
        300,
        &format!(
            "[[station]]\nname = \"sta\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nsnr = \"30 dB\"\n\
             [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"5 ms\" }}\n{flows}"
        ),
    ))
}

#[test]
fn a_goodput_times_its_share_of_the_time_is_bytes_over_the_run() {
    let flows = "[[flow]]\nname = \"all\"\nfrom = \"server\"\nto = \"sta\"\nkind = \"udp\"\nrate = \"1 Mbit/s\"\n\
                 [[flow]]\nname = \"get\"\nfrom = \"server\"\nto = \"sta\"\nbytes = \"1 MB\"\nstart = \"2 s\"\n\
                 [[flow]]\nname = \"call\"\nfrom = \"server\"\nto = \"sta\"\nkind = \"udp\"\nrate = \"1 Mbit/s\"\nstop = \"4 s\"\n";
    let summary = run::run(&cell(8, flows), &mut |_| true).expect("not interrupted").summary.to_value();
    let [all, get, call] = [0, 1, 2].map(|place| &summary["flows"][place]);
    for key in ["start_s", "end_s", "time_share"] {
        assert_eq!(all[key], Value::Null, "{all}");
    }
    assert_eq!(get["start_s"], json!(2.0));
    let number = |value: &Value| value.as_f64().expect("a number");
    let over_run = number(&get["goodput_mbps"]) * number(&get["time_share"]);
    assert!((over_run - 1.0).abs() < 1e-9, "8 Mbit in 8 s: {over_run}");
    assert!(number(&get["end_s"]) > 2.0 && number(&get["end_s"]) < 4.0, "{get}");
    assert_eq!(call["start_s"], Value::Null);
    assert!((number(&call["end_s"]) - 4.0).abs() < 0.1, "{call}");
    assert!((number(&call["time_share"]) - 0.5).abs() < 0.02, "{call}");
}

/// A connection that is seen first at 3 s, some milliseconds after it began, and carries data at once, and for a second before the end
/// at 8 s; in between so many packets are in flight.
struct Late {
    in_flight: u32,
}

impl Driver for Late {
    fn drive<P: Probe>(&mut self, world: &mut World<P>) -> bool {
        for tenth in 30..80 {
            let now = Time::ZERO + Duration::from_millis(100 * tenth);
            world.step(now);
            if tenth == 30 {
                world.probe().flow(now, &FlowSeen { name: "get", from: NodeId(2), to: NodeId(1) });
            }
            if (35..70).contains(&tenth) {
                let (flow, state) = (FlowId(0), CaState::Open);
                let (srtt, rto) = (Duration::from_millis(20), Duration::from_millis(200));
                let Self { in_flight } = *self;
                let window = Window { flow, cwnd: 10, ssthresh: u32::MAX, in_flight, srtt, rto, state };
                world.probe().see(now, Observation::Window(window));
            } else {
                world.probe().see(now, Observation::Delivered { flow: FlowId(0), bytes: 100_000 });
            }
        }
        world.step(Time::ZERO + Duration::from_secs(8));
        true
    }

    fn flows(&self) -> Vec<(Flow, FlowEnd)> {
        let kind = FlowKind::Tcp { bytes: None, write: None, tcp: FlowTcp::UNCHANGED };
        let start = Duration::from_millis(2_950);
        let [from, to] = ["server", "sta"].map(str::to_owned);
        let flow =
            Flow { name: "get".to_owned(), group: None, from, to, start, stop: None, dscp: None, kind };
        let end = FlowEnd { flow: FlowId(0), written: 1_500_000, delivered: 1_500_000, in_transit: 0 };
        vec![(flow, end)]
    }
}

/// What its summary says.
fn of_connection(in_flight: u32) -> Value {
    let folder = Temporary::new();
    let out = folder.path().join("run");
    drive_to_bundle(&cell(60, ""), &out, &Options::default(), &mut Late { in_flight })
        .unwrap_or_else(|error| panic!("{error}"));
    let text = std::fs::read_to_string(out.join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_connection_did_not_stand_still_before_it_was_there_or_while_its_program_paused() {
    let paused = of_connection(0);
    assert_eq!(paused["standstills"], Value::Null, "{paused}");
    assert_eq!(paused["flows"][0]["start_s"], json!(2.95));
    let stood = of_connection(7);
    let share = stood["standstills"][0]["share"].as_f64().expect("it stood still");
    assert!((share - 3.6 / 5.05).abs() < 1e-9, "from 3.4 s to 7 s of 5.05 s: {share}");
}
