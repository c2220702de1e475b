//! A world is changed while it runs: the same changes at the same instants give the same run, and each does what it says.

use airloom_observe::{DropCause, NodeId, Observation, QueueEvent, RadioPlace, ScanEvent};
use airloom_queue::{Fate, Law, Seen, register_queue};
use airloom_scenario::{Scenario, load};
use airloom_sim::{Duration, Making, Time};
use airloom_tcp::congestion::{CongestionControl, register};
use airloom_wire::{Ipv4Repr, Packet, Payload, Transport, UdpRepr};
use airloom_world::{Arrived, ChangeError, World, addresses::ip};

const STATION: NodeId = NodeId(1);
const SERVER: NodeId = NodeId(2);
const CELL: &str = r#"
title = "One cell"
[air]
standard = "802.11n"
band = "5 GHz"
width = "20 MHz"
[[ap]]
name = "ap"
adapter = "ath9k"
[[station]]
name = "sta"
host = "linux-3.13"
adapter = "ath9k"
distance = "3 m"
rate = "minstrel"
scan = { by = "networkmanager-0.9.8", channels = 4, first = "100 s", shortest = "120 s" }
[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "1 ms" }
"#;

fn scenario(settings: &[(&str, &str)]) -> Scenario {
    with(CELL, settings)
}

/// A scenario of this text with these settings.
fn with(text: &str, settings: &[(&str, &str)]) -> Scenario {
    let settings: Vec<_> =
        settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    load(text, "cell.toml", &settings, None).unwrap_or_else(|error| panic!("{error}"))
}

fn ms(n: u64) -> Time {
    Time::ZERO + Duration::from_millis(n)
}

type Observations = Vec<(Time, Observation)>;
/// What is wished of a world, whose scenario is as this says.
type Wish = fn(&mut World<Observations>, &mut Scenario) -> Result<(), ChangeError>;

/// A datagram from the station every 400 us for three seconds, while wishes are fulfilled at their instants.
fn run(wishes: &[(u64, Wish)]) -> (Observations, Vec<Arrived>, u64) {
    let mut now = scenario(&[]);
    let mut world = World::new(&now, Observations::new());
    let mut octets = Vec::new();
    let transport = Transport::Udp(UdpRepr { src_port: 4000, dst_port: 7 });
    let payload = Payload::Bytes(&[7; 1400]);
    Packet { ip: Ipv4Repr::new(ip(STATION), ip(SERVER)), transport, payload }
        .emit(usize::MAX, &mut octets)
        .expect("it fits");
    let mut wishes = wishes.iter().peekable();
    let mut arrived = Vec::new();
    for n in 0..7500 {
        world.step(Time::ZERO + Duration::from_micros(400 * n));
        while let Some((_, wish)) = wishes.next_if(|(at, _)| ms(*at) <= world.now()) {
            wish(&mut world, &mut now).expect("it can be");
        }
        world.put(STATION, octets.clone()).expect("a packet");
        arrived.extend(std::iter::from_fn(|| world.take()));
    }
    // Enough for a full queue at the lowest rate.
    world.step(ms(60_000));
    arrived.extend(std::iter::from_fn(|| world.take()));
    assert_eq!(world.packets_in_transit(), 0, "none is forgotten in a queue that is no more");
    let lost = world.lost();
    (world.into_probe(), arrived, lost)
}

fn become_one_with(
    world: &mut World<Observations>,
    now: &mut Scenario,
    settings: &[(&str, &str)],
) -> Result<(), ChangeError> {
    let after = scenario(settings);
    world.change(now, &after)?;
    *now = after;
    Ok(())
}

fn far(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    become_one_with(world, now, &[("station.0.distance", "60 m")])
}

fn fair(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    let settings =
        [("station.0.distance", "60 m"), ("station.0.host.queue", "{ discipline = \"fq_codel\" }")];
    become_one_with(world, now, &settings)
}

fn remedied(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    become_one_with(world, now, &[("station.0.scan.remedy", "skip-if-moved")])
}

fn scan(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    world.scan_now(now, STATION)
}

#[test]
fn the_same_changes_at_the_same_instants_give_the_same_run() {
    let wishes: [(u64, Wish); 3] = [(500, scan), (1000, far), (2000, fair)];
    let (once, again) = (run(&wishes), run(&wishes));
    assert_eq!(once.1, again.1);
    assert!(once.0 == again.0, "every observation");
    assert_ne!(run(&[]).1, once.1);
}

#[test]
fn what_is_never_changed_is_as_it_would_be() {
    let same: Wish = |world, now| become_one_with(world, now, &[]);
    assert!(run(&[]).0 == run(&[(1000, same)]).0);
}

#[test]
fn a_station_that_is_carried_away_gets_less_through() {
    let (_, near, none) = run(&[]);
    let (seen, arrived, lost) = run(&[(1000, far)]);
    let told: Vec<_> = seen
        .iter()
        .filter_map(|(time, seen)| match seen {
            Observation::Signal { station: STATION, snr_db } => Some((*time, snr_db.round() as i32)),
            _ => None,
        })
        .collect();
    // Captures and meters have it from there on.
    assert!(matches!(told[..], [(time, snr)] if time >= ms(1000) && snr < 30), "{told:?}");
    let after = |all: &[Arrived]| all.iter().filter(|one| (ms(1100)..ms(3000)).contains(&one.time)).count();
    assert_eq!(none, 0);
    assert!(after(&arrived) < after(&near), "{} of {}", after(&arrived), after(&near));
    assert_eq!(arrived.len() as u64 + lost, 7500, "each arrives or is lost");
}

#[test]
fn a_scan_comes_when_it_is_wished() {
    let (seen, ..) = run(&[(500, scan)]);
    let first = |wanted: &dyn Fn(&Observation) -> bool| {
        seen.iter().find(|(_, seen)| wanted(seen)).map(|(time, _)| *time)
    };
    let requested =
        |seen: &Observation| matches!(seen, Observation::Scan { event: ScanEvent::Requested, .. });
    let away = |seen: &Observation| matches!(seen, Observation::Radio { place: RadioPlace::Away, .. });
    assert_eq!(first(&requested), Some(ms(500)));
    assert!(first(&away).is_some_and(|time| (ms(500)..ms(700)).contains(&time)));
    let trips = seen.iter().filter(|(_, seen)| away(seen)).count();
    assert!((2..=4).contains(&trips), "{trips} of at most four channels one by one");
}

#[test]
fn a_remedy_that_is_put_on_skips_the_next_scan() {
    let (seen, ..) = run(&[(500, remedied), (1000, scan)]);
    let of = |wanted| {
        seen.iter()
            .filter(|(_, seen)| matches!(seen, Observation::Scan { event, .. } if *event == wanted))
            .count()
    };
    assert_eq!((of(ScanEvent::Requested), of(ScanEvent::Skipped), of(ScanEvent::Started)), (1, 1, 0));
}

#[test]
fn what_waits_in_a_queue_that_is_replaced_is_dropped_and_counted() {
    let (seen, arrived, lost) = run(&[(500, far), (2000, fair)]);
    let replaced = seen.iter().filter(|(_, seen)| {
        matches!(seen, Observation::Queue(QueueEvent::Drop { cause: DropCause::Replaced, .. }))
    });
    let times: Vec<_> = replaced.map(|(time, _)| *time).collect();
    assert!(!times.is_empty() && times.iter().all(|time| *time == times[0]), "{times:?}");
    assert_eq!(arrived.len() as u64 + lost, 7500);
}

/// A queue of one's own, which drops all once it is shut.
struct Gate(bool);

impl Law for Gate {
    fn arrives(&mut self, _: Time, _: &Seen) -> Fate {
        if self.0 { Fate::Drop } else { Fate::Pass }
    }
}

fn gated(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    become_one_with(world, now, &[("station.0.host.queue", "{ discipline = \"gate\" }")])
}

fn shut(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    let settings = [("station.0.host.queue", "{ discipline = \"gate\" }"), ("own.gate.shut", "true")];
    become_one_with(world, now, &settings)
}

#[test]
fn a_queue_of_ones_own_takes_the_place_of_another_and_gets_other_values() {
    register_queue("gate", &[("shut", false.into())], |making| Box::new(Gate(making.flag("shut"))))
        .expect("a name");
    let drops = |(seen, ..): (Observations, Vec<Arrived>, u64)| {
        let managed = |seen: &Observation| {
            matches!(seen, Observation::Queue(QueueEvent::Drop { cause: DropCause::Managed, .. }))
        };
        seen.iter().filter(|(_, seen)| managed(seen)).count()
    };
    assert_eq!(drops(run(&[(1000, gated)])), 0);
    // A packet each 400 us in the last second.
    let dropped = drops(run(&[(1000, gated), (2000, shut)]));
    assert!((2_495..=2_500).contains(&dropped), "{dropped}");
}

#[test]
fn what_has_begun_keeps_its_values() {
    let make = |_: &Making| -> Box<dyn CongestionControl> { unreachable!("nothing is sent by TCP") };
    register("held", &[("segments", 4.into())], make).expect("a name");
    let host = ("server.0.host.congestion", "held");
    let before = scenario(&[host]);
    let mut world = World::new(&before, Observations::new());
    let after = scenario(&[host, ("own.held.segments", "5")]);
    assert_eq!(world.change(&before, &after), Err(ChangeError::Fixed));
}

fn patient(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    become_one_with(world, now, &[("ap.0.wmm.be.cw_min", "1023")])
}

fn patient_by_adapter(world: &mut World<Observations>, now: &mut Scenario) -> Result<(), ChangeError> {
    become_one_with(world, now, &[("station.0.adapter.cw_min", "1023")])
}

/// How long after the one before each PPDU of the station begins, from one second on, in microseconds, on average.
fn waits(wishes: &[(u64, Wish)]) -> f64 {
    let (seen, ..) = run(wishes);
    let mut ends: Option<Time> = None;
    let mut found = Vec::new();
    for (_, seen) in &seen {
        let Observation::Ppdu(ppdu) = seen else { continue };
        if let Some(before) =
            ends.filter(|&before| ppdu.from == STATION && before >= ms(1000) && ppdu.start < ms(3000))
        {
            found.push(ppdu.start.since(before).as_secs_f64() * 1e6);
        }
        ends = Some(ppdu.end);
    }
    found.iter().sum::<f64>() / found.len() as f64
}

/// A backoff is drawn evenly from zero to the window (802.11-2020 10.3.3): of 1023 slots of 9 us that are 4.6 ms on average.
#[test]
fn a_station_with_a_wide_window_waits_longer_and_draws_from_all_of_it() {
    for wish in [patient as Wish, patient_by_adapter] {
        let wide = waits(&[(500, wish)]);
        assert!((4_400.0..4_900.0).contains(&wide), "{wide} us");
    }
}

#[test]
fn what_is_fixed_is_refused_and_changes_nothing() {
    let before = scenario(&[]);
    let mut world = World::new(&before, Observations::new());
    for (settings, says) in [
        (&[("station.0.adapter", "broadcom")][..], "that is fixed while it runs"),
        (&[("seed", "5"), ("station.0.distance", "9 m")], "that is fixed while it runs"),
        (&[("ap.0.wmm.be.aifsn", "9")], "that is fixed while it runs"),
        (&[("ap.0.queue", "{ discipline = \"mac80211\" }")], "the queue of ap cannot be changed"),
    ] {
        let error = world.change(&before, &scenario(settings)).expect_err("it is fixed");
        assert!(error.to_string().contains(says), "{error}");
    }
    let error = world.scan_now(&before, SERVER).expect_err("servers do not scan");
    assert_eq!(error, ChangeError::NeverScans("server".to_owned()));
    world.step(ms(500));
    let mut other = World::new(&before, Observations::new());
    other.step(ms(500));
    assert!(world.into_probe() == other.into_probe());
}

/// What is told of a radio is what holds now: 30 m and 5 m from the access point, 10 lg(30 / 5)^3 = 23.3 dB apart.
#[test]
fn the_signal_of_a_station_that_walks_is_that_of_where_it_is() {
    let text = CELL.replace(
        "distance = \"3 m\"",
        "walk = { from = [\"30 m\", \"0 m\"], to = [\"5 m\", \"0 m\"], speed = \"5 m/s\" }",
    );
    let text = text.replace("name = \"ap\"", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]");
    let scenario = load(&text, "walk.toml", &[], None).unwrap_or_else(|error| panic!("{error}"));
    let mut world = World::new(&scenario, ());
    let now = |world: &World<()>| world.radio(STATION).and_then(|radio| radio.snr_db).expect("a station");
    let before = now(&world);
    world.step(ms(5_100));
    let there = scenario.place().expect("positions").snr(STATION, Duration::from_millis(5_100));
    assert!((now(&world) - there).abs() < 1e-9, "{} {there}", now(&world));
    assert!((now(&world) - before - 23.344).abs() < 0.02, "{before} {}", now(&world));
    assert_eq!(
        world.radio(NodeId(0)).and_then(|radio| radio.snr_db),
        None,
        "an access point has one for each station"
    );
    assert_eq!(world.radio(SERVER), None);
}

/// The laptop of the example has gone from the hall to the kitchen by then.
#[test]
fn the_signal_of_a_station_that_roams_is_that_of_where_it_is_at() {
    let text = include_str!("../../../../../examples/roaming.toml");
    let scenario = load(text, "roaming.toml", &[], None).unwrap_or_else(|error| panic!("{error}"));
    let [kitchen, laptop] = [NodeId(1), NodeId(3)];
    let mut world = World::new(&scenario, ());
    world.step(ms(25_000));
    let there = scenario.place().expect("positions").snr_to(laptop, kitchen, Duration::from_millis(25_000));
    let now = world.radio(laptop).and_then(|radio| radio.snr_db).expect("a station");
    assert!((now - there).abs() < 1e-9, "{now} {there}");
}

#[test]
fn an_access_point_without_power_is_silent_until_it_is_on_again() {
    let ap = NodeId(0);
    let off: Wish = |world, _| {
        world.switch(NodeId(0), false);
        Ok(())
    };
    let on: Wish = |world, _| {
        assert!(world.radio(NodeId(0)).is_some_and(|radio| radio.off && !radio.away));
        world.switch(NodeId(0), true);
        Ok(())
    };
    let (seen, arrived, _) = run(&[(1000, off), (2000, on)]);
    let silent = ms(1010)..ms(2000);
    let sends = |seen: &Observation| match seen {
        Observation::Ppdu(ppdu) => ppdu.from == ap,
        _ => false,
    };
    assert!(!seen.iter().any(|(at, seen)| silent.contains(at) && sends(seen)));
    assert!(!arrived.iter().any(|one| silent.contains(&one.time)));
    let after = arrived.iter().filter(|one| one.time >= silent.end).count();
    assert!(after > 2000, "2,500 a second, and what waited: {after}");
    assert_eq!(run(&[(1000, off), (2000, on)]).1.len(), arrived.len(), "the same changes, the same run");
}

/// Two networks of two stations each, in which all that can be set matters: places, fixed rates, airtime queue limits.
const HOUSE: &str = r#"
title = "Two networks on a channel"
air = { standard = "802.11ac", band = "5 GHz", width = "40 MHz" }
[[ap]]
name = "one"
adapter = "ath10k"
channel = 36
position = ["0 m", "0 m"]
[[ap]]
name = "other"
adapter = "ath10k"
channel = 36
position = ["30 m", "0 m"]
[[station]]
name = "near"
ap = "one"
host = "linux-6.18"
adapter = "ath9k"
position = ["3 m", "0 m"]
rate = "MCS 7"
[[station]]
name = "far"
ap = "one"
host = "linux-6.18"
adapter = "iwlwifi"
position = ["12 m", "4 m"]
rate = "minstrel"
[[station]]
name = "guest"
ap = "other"
host = "linux-6.18"
adapter = "iwlwifi"
position = ["24 m", "2 m"]
rate = "minstrel"
[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "5 ms" }
[[flow]]
from = "server"
to = "near"
[[flow]]
from = "server"
to = "far"
[[flow]]
from = "near"
to = "server"
[[flow]]
from = "guest"
to = "server"
"#;

const SETTINGS: [(&str, &str); 7] = [
    ("station.0.rate", "MCS 2"),
    ("ap.0.wmm.be.txop_limit", "2528 us"),
    ("ap.0.edca.be.txop_limit", "1504 us"),
    ("ap.0.adapter.aql", "{ low = \"20 ms\", high = \"20 ms\" }"),
    ("ap.0.queue", "{ discipline = \"mac80211\", target = \"2 ms\", interval = \"20 ms\" }"),
    ("ap.1.adapter.tx_power", "23 dBm"),
    ("station.2.adapter.tx_power", "11 dBm"),
];

fn house(settings: &[(&str, &str)]) -> Scenario {
    with(HOUSE, settings)
}

/// What is on the air up to a time.
fn aired(mut world: World<Observations>, until: Time) -> Vec<String> {
    world.step(until);
    let all = world.into_probe();
    all.iter()
        .filter(|(_, seen)| matches!(seen, Observation::Ppdu(_)))
        .map(|one| format!("{one:?}"))
        .collect()
}

#[test]
fn what_is_set_before_anything_happens_is_as_if_the_scenario_had_said_it() {
    let before = house(&[]);
    let usual = aired(World::with_walks(&before, Observations::new()), ms(400));
    for setting in SETTINGS {
        let after = house(&[setting]);
        let mut world = World::with_walks(&before, Observations::new());
        world.change(&before, &after).unwrap_or_else(|error| panic!("{setting:?}: {error}"));
        let changed = aired(world, ms(400));
        assert!(changed == aired(World::with_walks(&after, Observations::new()), ms(400)), "{setting:?}");
        assert!(changed != usual, "{setting:?} changes something");
    }
}

/// With one station each PPDU of a radio is one at the rate that is set, so that both take effect at the same end of an exchange.
#[test]
fn a_rate_that_is_set_is_that_of_a_script_which_says_so() {
    let flow = "[[flow]]\nfrom = \"server\"\nto = \"sta\"\n[[flow]]\nfrom = \"sta\"\nto = \"server\"\n";
    let alone = |rate: &str| with(&format!("{CELL}{flow}"), &[("station.0.rate", rate)]);
    let script = r#"[{ at = "0 s", rate = "MCS 7" }, { at = "200 ms", rate = "MCS 2" }, { at = "300 ms", rate = "MCS 7" }]"#;
    let scripted = aired(World::new(&alone(script), Observations::new()), ms(400));
    let (before, slow) = (alone("MCS 7"), alone("MCS 2"));
    let mut world = World::new(&before, Observations::new());
    world.step(ms(200));
    world.change(&before, &slow).expect("rates are fixed");
    world.step(ms(300));
    world.change(&slow, &before).expect("rates are fixed");
    let changed = aired(world, ms(400));
    let same = scripted.iter().zip(&changed).take_while(|(one, other)| one == other).count();
    assert!(scripted == changed, "the same up to PPDU {same} of {}", scripted.len());
}

#[test]
fn a_power_is_fixed_where_the_world_was_made_without_changes_of_reach() {
    let (before, after) = (house(&[]), house(&[("ap.1.adapter.tx_power", "23 dBm")]));
    let mut world = World::new(&before, Observations::new());
    assert_eq!(world.change(&before, &after), Err(ChangeError::Fixed));
    let adaptive = house(&[("station.0.rate", "minstrel")]);
    assert_eq!(World::with_walks(&before, ()).change(&before, &adaptive), Err(ChangeError::Fixed));
}
