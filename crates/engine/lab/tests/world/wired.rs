//! Flows between servers, which the access point forwards from wire to wire.

use crate::servers::between;
use airloom_lab::run::{self, Outcome};
use airloom_lab::scenario::{Scenario, load};
use airloom_lab::world::World;
use airloom_observe::{CaState, Direction, Observation};
use airloom_sim::Time;

/// A sender on a fast wire, a receiver behind a bottleneck of 10 Mbit/s, 20 ms there and back, and no station at all.
fn wired() -> String {
    let bottleneck =
        r#"rate = "10 Mbit/s", delay = "10 ms", queue = { discipline = "fifo", limit = "45 kB" }"#;
    between("20 s", ("linux-3.13", "rate = \"1 Gbit/s\", delay = \"0 s\""), ("linux-3.13", bottleneck))
}

fn good(text: &str) -> Scenario {
    load(text, "wired.toml", &[], None).unwrap_or_else(|e| panic!("{e}"))
}

fn outcome(text: &str) -> Outcome {
    run::run(&good(text), &mut |_| true).unwrap()
}

/// A full segment carries 1448 bytes in 1538 on the wire.
const BEST: f64 = 10.0 * 1448.0 / 1538.0;

#[test]
fn a_server_sends_to_a_server_at_the_bottlenecks_rate() {
    let outcome = outcome(&wired());
    let flow = outcome.summary.to_value()["flows"][0].clone();
    let goodput = flow["goodput_mbps"].as_f64().unwrap();
    assert!((0.95 * BEST..BEST).contains(&goodput), "{goodput} of {BEST} Mbit/s");
    // 16.25 packets of path and 30 of queue: the window oscillates between 0.7 times and once their sum.
    let cwnd = flow["cwnd_mean"].as_f64().unwrap();
    assert!((30.0..47.0).contains(&cwnd), "{cwnd}");
    let rtt = flow["rtt_mean_ms"].as_f64().unwrap();
    assert!((30.0..58.0).contains(&rtt), "{rtt} ms");
    assert!(flow["recoveries"].as_u64().unwrap() > 2);
    assert_eq!(flow["timeouts"], 0);
}

#[test]
fn what_the_bottleneck_drops_is_counted_at_the_access_point() {
    let outcome = outcome(&wired());
    let drops = &outcome.summary.drops;
    assert_eq!(drops.len(), 1);
    assert_eq!((drops[0].place.as_str(), drops[0].cause), ("ap link", "full"));
    assert_eq!(
        drops[0].count,
        outcome.summary.to_value()["flows"][0]["retransmissions"],
        "every loss is repaired once, and nothing else is repeated"
    );
}

#[test]
fn wired_flows_share_the_access_point_with_stations() {
    let both = format!(
        "{}
[[station]]
name = \"sta\"
host = \"linux-3.13\"
adapter = \"ath9k\"
snr = \"35 dB\"
rate = \"MCS 15\"
[[flow]]
from = \"sta\"
to = \"sender\"
[[flow]]
from = \"receiver\"
to = \"sta\"
",
        wired()
    );
    let outcome = outcome(&both);
    let goodput: Vec<f64> =
        (0..3).map(|n| outcome.summary.to_value()["flows"][n]["goodput_mbps"].as_f64().unwrap()).collect();
    assert!(goodput[0] > 0.85 * BEST, "{goodput:?}");
    assert!(goodput[1] > 50.0, "{goodput:?}");
    assert!(goodput[2] > 0.5 * BEST, "{goodput:?}");
}

#[test]
fn the_same_run_comes_out_the_same() {
    let (a, b) = (outcome(&wired()), outcome(&wired()));
    assert_eq!(a.summary, b.summary);
    assert_eq!(a.series, b.series);
    assert_eq!(a.events, b.events);
}

#[test]
fn the_first_flight_is_the_initial_window() {
    let mut scenario = good(&wired());
    scenario.duration = airloom_sim::Duration::from_millis(35);
    let mut world = World::new(&scenario, Vec::<(Time, Observation)>::new());
    world.run(&mut |_| true);
    let data = |seen: &Observation| matches!(seen, Observation::Segment(s) if s.direction == Direction::Forward && s.payload > 0);
    let sent = world.into_probe().iter().filter(|(_, seen)| data(seen)).count();
    assert_eq!(sent, 10, "although the buffer that was filled before the handshake held four");
}

/// The window and the state in which the first slow start ends, on a path of 16 packets and a queue of 292.
fn first_slow_start(congestion: &str, slow_start: &str) -> (u32, CaState) {
    let tcp = format!("tcp = {{ congestion = \"{congestion}\", slow_start = \"{slow_start}\" }}\nto = ");
    let scenario = good(&wired().replace("45 kB", "450 kB").replace("to = ", &tcp));
    let mut world = World::new(&scenario, Vec::<(Time, Observation)>::new());
    world.run(&mut |_| true);
    let end = world.into_probe().into_iter().find_map(|(_, seen)| match seen {
        Observation::Window(w) if w.ssthresh < u32::MAX => Some((w.cwnd, w.state)),
        _ => None,
    });
    end.expect("slow start ends")
}

#[test]
fn hystart_plus_plus_leaves_slow_start_before_a_long_queue_overflows() {
    for congestion in ["newreno", "cubic"] {
        let (window, state) = first_slow_start(congestion, "standard");
        assert!(window > 292 && state == CaState::Recovery, "{congestion}: {window}, {state:?}");
        // The round of 40 segments begins with three packets in the queue, that of 80 with two dozen, which are more than
        // 4 ms; five rounds of a quarter each then make three times 80.
        let (window, state) = first_slow_start(congestion, "hystart++");
        assert!((80..292).contains(&window) && state == CaState::Open, "{congestion}: {window}, {state:?}");
    }
}

/// Linux 4.0 made NewReno count segments: with an ACK for every second one, the sawtooth is half as long.
#[test]
fn a_younger_kernels_newreno_grows_twice_as_fast() {
    let recoveries = |host: &str| {
        let text = wired()
            .replace("linux-3.13", host)
            .replace("20 s", "60 s")
            .replace("to = ", "tcp = { congestion = \"newreno\" }\nto = ");
        outcome(&text).summary.to_value()["flows"][0]["recoveries"].as_f64().unwrap()
    };
    let ratio = recoveries("linux-6.18") / recoveries("linux-3.13");
    assert!((1.7..2.3).contains(&ratio), "{ratio}");
}
