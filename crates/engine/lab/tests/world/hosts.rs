//! The hosts among the profiles, each as a sender and as a receiver.

use crate::scenarios::sampled;
use crate::servers::between;
use airloom_lab::run;
use airloom_lab::scenario::{ProfileKind, Scenario, load, profiles};
use airloom_lab::world::World;
use airloom_observe::{Direction, Observation};
use airloom_sim::{Duration, Time};

/// Over 10 Mbit/s.
fn slow(sender: &str, receiver: &str) -> Scenario {
    let bottleneck =
        r#"rate = "10 Mbit/s", delay = "5 ms", queue = { discipline = "fifo", limit = "20 packets" }"#;
    let text = between("10 s", (sender, r#"rate = "100 Mbit/s", delay = "0 s""#), (receiver, bottleneck));
    load(&text, "hosts.toml", &[], None).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_host_sends_to_every_host() {
    let hosts = || profiles().into_iter().filter(|p| p.kind == ProfileKind::Host).map(|p| p.name);
    let pairs = hosts().flat_map(|sender| hosts().map(move |receiver| (sender, receiver)));
    // Of a prime number, so that each host is among them.
    for (sender, receiver) in sampled(pairs, 5) {
        let outcome = run::run(&slow(sender, receiver), &mut |_| true).expect("a run");
        let flow = outcome.summary.to_value()["flows"][0].clone();
        let goodput = flow["goodput_mbps"].as_f64().expect("a number");
        // No window of the day is below 11 segments, nor the round trip with a full queue above 35 ms.
        assert!((3.5..9.5).contains(&goodput), "{sender} to {receiver}: {goodput} Mbit/s");
    }
}

/// The most segments in flight.
fn flight(sender: &str, receiver: &str) -> u32 {
    let mut world = World::new(&slow(sender, receiver), Vec::<(Time, Observation)>::new());
    world.run(&mut |_| true);
    let flights = world.into_probe().into_iter().filter_map(|(_, seen)| match seen {
        Observation::Window(w) => Some(w.in_flight),
        Observation::InFlight { segments, .. } => Some(segments),
        _ => None,
    });
    flights.max().expect("a window")
}

#[test]
fn the_windows_of_the_day_bound_what_is_in_flight() {
    // In full segments: tcp_recv_hiwat and TcpWindowSize.
    assert_eq!(flight("linux-2.4", "sunos-5.8"), 17);
    assert_eq!(flight("linux-2.4", "windows-2000"), 12);
}

#[test]
fn a_sunos_receiver_holds_the_ack_of_a_lone_segment_for_100_ms() {
    let mut scenario = slow("linux-2.4", "sunos-5.8");
    scenario.server[0].host.tcp.growth.initial_window = 1;
    scenario.server[1].host.tcp.acks.quick_acks = 0;
    let mut world = World::new(&scenario, Vec::<(Time, Observation)>::new());
    world.run(&mut |_| true);
    let acks: Vec<_> = world
        .into_probe()
        .into_iter()
        .filter_map(|(at, seen)| match seen {
            Observation::Segment(s) if s.direction == Direction::Backward => Some((at, s.ack)),
            _ => None,
        })
        .take(3)
        .collect();
    // SYN-ACK, a segment by itself, then two together.
    let gained = |n: usize| acks[n].1.wrapping_sub(acks[n - 1].1);
    assert_eq!((gained(1), gained(2)), (1448, 2 * 1448));
    let gap = |n: usize| acks[n].0.since(acks[n - 1].0);
    let (held, prompt) = (Duration::from_millis(100), Duration::from_millis(15));
    assert!(gap(1) > held && gap(1) < held + prompt && gap(2) < prompt, "{:?} {:?}", gap(1), gap(2));
}
