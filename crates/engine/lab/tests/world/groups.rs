//! What goes to a group of stations: once for all, without acknowledgment, after a DTIM beacon while one of them dozes.

use crate::scenarios::good;
use airloom_lab::run;
use airloom_lab::scenario::Scenario;
use airloom_lab::summary::{FlowNumbers, Summary, Udp};
use airloom_observe::{FrameKind, NodeId, Observation, Ppdu};
use airloom_propagation::error;
use airloom_sim::{Duration, Time};
use airloom_world::World;

const CELL: &str = r#"
title = "A group"
duration = "20 s"
air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "dcf" }]
station = [{ name = "sta", count = 4, host = "linux-6.18", adapter = "dcf", snr = "40 dB" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "1 ms" } }]
flow = [{ kind = "publish", from = "server", to = "sta", rate = "400 kbit/s", payload = "1000 B", stop = "19 s" }]
"#;

type Observations = Vec<(Time, Observation)>;

fn observed(scenario: &Scenario) -> Observations {
    let mut world = World::new(scenario, Observations::new());
    world.run(&mut |_| true);
    world.into_probe()
}

/// PPDUs of the access point of a kind.
fn of_ap(seen: &Observations, kind: FrameKind) -> Vec<Ppdu> {
    let ppdu = |(_, one): &(Time, Observation)| match one {
        Observation::Ppdu(ppdu) if ppdu.kind == kind && ppdu.from == NodeId(0) => Some(*ppdu),
        _ => None,
    };
    seen.iter().filter_map(ppdu).collect()
}

fn summary(scenario: &Scenario) -> Summary {
    run::run(scenario, &mut |_| true).expect("not interrupted").summary
}

fn delivered(summary: &Summary) -> Vec<Udp> {
    let of = |numbers: &FlowNumbers| match numbers {
        FlowNumbers::Udp(udp) => udp.clone(),
        other => panic!("{other:?}"),
    };
    summary.flows.iter().map(|flow| of(&flow.numbers)).collect()
}

/// 50 datagrams a second for 19 s. One is 1000 + 28 + 36 bytes at 6 Mbit/s: 20 us and (16 + 8 x 1064 + 6) / 24 symbols of 4 us, 356 of them.
#[test]
fn a_datagram_goes_once_at_the_lowest_basic_rate() {
    let scenario = good(CELL);
    let seen = observed(&scenario);
    let data = of_ap(&seen, FrameKind::Data);
    let flows = delivered(&summary(&scenario));
    assert_eq!(flows.len(), 4);
    assert!(flows.iter().all(|flow| (flow.sent, flow.delivered, flow.lost) == (950, 950, 0)), "{flows:?}");
    assert_eq!(data.len(), 950, "one frame for four receivers");
    for ppdu in &data {
        assert_eq!(ppdu.end.since(ppdu.start), Duration::from_micros(20 + 356 * 4));
        assert_eq!((ppdu.users[0].to, ppdu.nav), (None, Duration::ZERO));
    }
    let acks =
        seen.iter().filter(|(_, one)| matches!(one, Observation::Ppdu(ppdu) if ppdu.kind == FrameKind::Ack));
    assert_eq!(acks.count(), 0, "nobody acknowledges it");
}

/// Each receiver loses by itself what noise damages on its way, and nobody sends it again: of n frames that survive with probability p,
/// n p arrive, within four standard deviations.
#[test]
fn each_receiver_loses_what_noise_damages() {
    let rate = airloom_rate::Rate::ofdm(6).expect("a rate");
    let evm = good(CELL).ap[0].adapter.evm;
    let survival =
        |snr: f64| error::survival(error::bit_error(rate, error::effective_snr_db(snr, evm, 1)), 1064);
    let ratios = (0..200).map(|tenths| f64::from(tenths) / 10.0);
    let (snr, survives): (f64, f64) = ratios
        .map(|snr| (snr, survival(snr)))
        .find(|(_, survives)| *survives > 0.4)
        .expect("a ratio at which some survive");
    assert!(survives < 0.9, "the test says nothing at {survives}");
    let far = CELL.replace("snr = \"40 dB\"", &format!("snr = \"{snr} dB\", rate = \"6 Mbit/s\""));
    let flows = delivered(&summary(&good(&far)));
    let within = 4.0 * (950.0 * survives * (1.0 - survives)).sqrt();
    for flow in &flows {
        assert!(
            (flow.delivered as f64 - 950.0 * survives).abs() < within,
            "{} of {survives}",
            flow.delivered
        );
    }
    let counts: Vec<u64> = flows.iter().map(|flow| flow.delivered).collect();
    assert!(counts.windows(2).any(|pair| pair[0] != pair[1]), "each for itself: {counts:?}");
}

/// A DTIM beacon comes every 204.8 ms: what came in between goes right behind it, and waits for half of that in the mean.
#[test]
fn while_a_station_dozes_all_wait_for_the_dtim_beacon() {
    let scenario = good(&CELL.replace(
        "snr = \"40 dB\" }]",
        "snr = \"40 dB\" }, { name = \"dozer\", host = \"linux-6.18\", adapter = \"dcf\", snr = \"40 dB\", power_save = {} }]",
    ).replace(
        "stop = \"19 s\" }]",
        "stop = \"19 s\", start = \"1 s\", spacing = \"poisson\", name = \"all\" }, \
         { kind = \"publish\", from = \"server\", to = \"dozer\", rate = \"80 kbit/s\", payload = \"1000 B\", spacing = \"poisson\", start = \"1 s\", stop = \"19 s\" }]",
    ));
    let seen = observed(&scenario);
    let beacons = of_ap(&seen, FrameKind::Beacon);
    let data = of_ap(&seen, FrameKind::Data);
    assert!(data.len() > 1000);
    for ppdu in &data {
        let (number, last) = beacons
            .iter()
            .enumerate()
            .rfind(|(_, beacon)| beacon.end <= ppdu.start)
            .expect("a beacon before it");
        assert_eq!(number % 2, 0, "behind a DTIM beacon, at {:?}", ppdu.start);
        assert!(ppdu.start.since(last.end) < Duration::from_millis(80), "{:?}", ppdu.start.since(last.end));
    }
    let flows = delivered(&summary(&scenario));
    for flow in &flows {
        assert_eq!(flow.lost, 0, "{flow:?}");
        let mean = flow.delay_mean_ms.expect("some arrived");
        // What comes while the others go, some 15 ms, goes behind them.
        assert!((80.0..112.0).contains(&mean), "half of 204.8 ms less that: {mean}");
    }
}

/// The access point sends each station a copy, which is acknowledged and comes again if it is not.
#[test]
fn to_each_by_itself_costs_a_frame_for_each_and_loses_nothing() {
    let each = CELL.replace(
        "adapter = \"dcf\" }]\nstation",
        "adapter = \"dcf\", multicast_to_unicast = true }]\nstation",
    );
    let scenario = good(&each.replace("snr = \"40 dB\"", "snr = \"6 dB\", rate = \"6 Mbit/s\""));
    let seen = observed(&scenario);
    let data = of_ap(&seen, FrameKind::Data);
    assert!(data.iter().all(|ppdu| ppdu.users[0].to.is_some()));
    assert!(data.len() >= 4 * 950, "{}", data.len());
    let flows = delivered(&summary(&scenario));
    assert!(flows.iter().all(|flow| (flow.delivered, flow.lost) == (950, 0)), "{flows:?}");
}

/// A station sends to its access point, which repeats it for the others; its own frame it does not take.
#[test]
fn a_station_publishes_by_its_access_point() {
    let scenario = good(&CELL.replace("from = \"server\", to = \"sta\"", "from = \"sta1\", to = \"sta3\""));
    let seen = observed(&scenario);
    let flows = delivered(&summary(&scenario));
    assert_eq!((flows.len(), flows[0].delivered, flows[0].lost), (1, 950, 0));
    assert_eq!(of_ap(&seen, FrameKind::Data).len(), 950);
}

/// The walk of the example takes the laptop along three access points of two channels; what it misses is what is sent while it scans or is
/// between two of them.
#[test]
fn what_is_for_all_reaches_a_station_wherever_it_is() {
    let example = include_str!("../../../../../examples/roaming.toml");
    let (head, _) = example.split_once("[[flow]]").expect("a flow");
    let flow = "[[flow]]\nkind = \"publish\"\nfrom = \"server\"\nto = \"laptop\"\nrate = \"200 kbit/s\"\npayload = \"1000 B\"\nstop = \"79 s\"\n";
    let summary = summary(&good(&format!("{head}{flow}")));
    let [Udp { sent, lost, .. }] = delivered(&summary)[..] else { panic!("one receiver") };
    assert!(summary.roams.as_ref().is_some_and(|roams| roams.len() >= 3), "{:?}", summary.roams);
    assert!(lost > 0 && lost < sent / 20, "{lost} of {sent}");
}
