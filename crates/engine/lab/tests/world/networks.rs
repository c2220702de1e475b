//! Several access points in one scenario, on one channel or on channels apart.

use crate::scenarios::{cases, good, number, summary};
use crate::temporary::Temporary;
use airloom_lab::capture::Settings;
use airloom_lab::metrics::Recorder;
use airloom_lab::run::{self, Options};
use airloom_lab::scenario::{FlowKind, Role, Scenario};
use airloom_lab::world::World;
use airloom_observe::{Fate, NodeId, Observation, Ppdu, Probe};
use airloom_sim::Time;
use airloom_wifi::Channel;
use airloom_wire::{RadiotapRepr, Reader};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// All PPDUs of a run, each with the primary channel of its sender in MHz if that has gone to another one before.
#[derive(Default)]
struct Ppdus {
    all: Vec<(Ppdu, Option<u32>)>,
    retuned: BTreeMap<NodeId, u32>,
}

impl Probe for Ppdus {
    const DETAIL: bool = false;

    fn see(&mut self, _: Time, seen: Observation) {
        match seen {
            Observation::Ppdu(ppdu) => self.all.push((ppdu, self.retuned.get(&ppdu.from).copied())),
            Observation::Retuned { node, mhz } => {
                self.retuned.insert(node, mhz);
            }
            _ => {}
        }
    }
}

const AIR: &str = r#"
title = "Networks"
duration = "2 s"
air = { standard = "802.11n", band = "5 GHz", width = "40 MHz" }
"#;

/// An access point of this name with these keys, one station at it, a server, and a flow between the two.
fn network(name: &str, keys: &str, flow: &str) -> String {
    format!(
        r#"
[[ap]]
name = "{name}"
adapter = "ath9k"
{keys}
[[station]]
name = "{name}-sta"
ap = "{name}"
host = "linux-6.18"
adapter = "ath9k"
snr = "40 dB"
[[server]]
name = "{name}-server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
[[flow]]
name = "{name}-flow"
{flow}
"#
    )
}

fn up(name: &str) -> String {
    let flow = "kind = \"udp\"\nrate = \"saturated\"\n";
    format!("{flow}from = \"{name}-sta\"\nto = \"{name}-server\"")
}

fn down(name: &str) -> String {
    format!("from = \"{name}-server\"\nto = \"{name}-sta\"")
}

/// Every number of a flow and of a radio is what it would be without the other network.
#[test]
fn networks_on_channels_apart_are_as_alone() {
    let one = network("one", "channel = 36", &up("one"));
    let two = network("two", "channel = 44", &down("two"));
    let both = summary(&format!("{AIR}{one}{two}"));
    for (n, network) in [one, two].iter().enumerate() {
        let alone = summary(&format!("{AIR}{network}"));
        let mut flow = both["flows"][n].clone();
        flow["share"] = alone["flows"][0]["share"].clone();
        assert_eq!(flow, alone["flows"][0]);
        assert!(number(&flow["goodput_mbps"]) > 100.0, "{flow}");
        assert_eq!(both["airtime"]["channels"][n]["idle"], alone["airtime"]["idle"]);
        for (radio, alone_radio) in [(n, 0), (2 + n, 1)] {
            let mut radio = both["nodes"][radio].clone();
            radio.as_object_mut().expect("a table").remove("ap");
            assert_eq!(radio, alone["nodes"][alone_radio]);
        }
    }
}

/// Two saturated uploads of two networks on one channel: each has half of what both have, as two stations of one network.
#[test]
fn networks_on_one_channel_share_it() {
    let [one, two] = ["one", "two"].map(|name| network(name, "channel = 36", &up(name)));
    let both = summary(&format!("{AIR}{one}{two}"));
    let second = two.split("[[station]]").nth(1).expect("a station").replace("ap = \"two\"", "ap = \"one\"");
    let one_network = summary(&format!("{AIR}{one}[[station]]{second}"));
    let goodput = |of: &Value| [0, 1].map(|n| number(&of["flows"][n]["goodput_mbps"]));
    let ([a, b], [c, d]) = (goodput(&both), goodput(&one_network));
    assert!((a / (a + b) - 0.5).abs() < 0.03, "{a} and {b} Mbit/s");
    // The second network has beacons of its own, a third of a per cent of the time.
    assert!(((a + b) / (c + d) - 1.0).abs() < 0.03, "{a} and {b} rather than {c} and {d} Mbit/s");
    assert_eq!([&both["nodes"][2]["ap"], &both["nodes"][3]["ap"]], ["one", "two"]);
    let air = &both["airtime"];
    let [collided, idle] = [&air["collided"], &air["idle"]];
    let channel = serde_json::json!({
        "channel": 36, "band": "5 GHz", "width": "40 MHz", "aps": ["one", "two"], "collided": collided, "idle": idle
    });
    assert!(number(collided) > 0.0 && air["channels"] == serde_json::json!([channel]), "{air}");
}

/// Packets pass the processors of the access points at which their ends are, each once and no other.
#[test]
fn a_packet_passes_the_processors_on_its_way() {
    let processor = "processor = { profile = \"ar7161\", to_air = \"1 ms\", to_wire = \"2 ms\" }";
    let ping = |from: &str, to: &str| {
        format!("kind = \"ping\"\ninterval = \"100 ms\"\nfrom = \"{from}\"\nto = \"{to}\"")
    };
    let rtt = |one: &str, two: &str, ends: [&str; 2]| {
        let first = network("one", &format!("channel = 36\n{one}"), &ping(ends[0], ends[1]));
        let between = format!("{}\nstart = \"50 ms\"", ping("two-server", "one-server"));
        let second = network("two", &format!("channel = 44\n{two}"), &between);
        number(&summary(&format!("{AIR}{first}{second}"))["flows"][0]["rtt_median_ms"])
    };
    for (ends, at_one, at_two) in [
        (["one-server", "one-sta"], 3.0, 0.0),
        (["two-server", "two-sta"], 0.0, 3.0),
        (["one-server", "two-sta"], 0.0, 3.0),
        (["one-sta", "two-sta"], 3.0, 3.0),
        (["one-sta", "two-server"], 3.0, 0.0),
    ] {
        let none = rtt("", "", ends);
        for (one, two, more) in
            [(processor, "", at_one), ("", processor, at_two), (processor, processor, at_one + at_two)]
        {
            let found = rtt(one, two, ends) - none;
            assert!((found - more).abs() < 0.1, "{ends:?}: {found} ms rather than {more}");
        }
    }
}

/// Each channel has a monitor of its own, whose records have its frequency and are of radios on it.
#[test]
fn each_channel_has_a_monitor() {
    let text: String = [("one", 36), ("two", 44), ("three", 36)]
        .map(|(name, channel)| network(name, &format!("channel = {channel}"), &down(name)))
        .concat();
    let scenario = good(&format!("{AIR}{text}"));
    let folder = Temporary::new();
    let out = folder.path().join("run");
    let options = Options { capture: Some(Settings::default()), ..Options::default() };
    let summary =
        run::run_to_bundle(&scenario, &out, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    let bytes = fs::read(out.join("air.pcapng")).expect("a capture");
    let mut reader = Reader::new(&bytes[..]).expect("a capture");
    let mut heard: BTreeMap<(u32, u16), u64> = BTreeMap::new();
    while let Some(record) = reader.next() {
        let record = record.expect("a sound record");
        let (radiotap, _) = RadiotapRepr::parse(record.data).expect("radiotap");
        let mhz = radiotap.channel.expect("a channel").mhz;
        *heard.entry((record.interface, mhz)).or_default() += 1;
    }
    assert_eq!(heard.keys().copied().collect::<Vec<_>>(), [(0, 5180), (1, 5220)]);
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    let captured = summary["captured"]["air"].as_object().expect("captures").values();
    let captured: u64 = captured.filter_map(Value::as_u64).sum();
    assert_eq!(heard.values().sum::<u64>(), captured);
    assert!(heard.values().all(|&records| records > 10_000), "{heard:?}");
}

/// A network of an access point: its keys, its adapter and that of its stations, and the rates that both have.
type Kind = (&'static str, &'static str, &'static [&'static str]);

/// Networks of every band and width, whose channels are apart, the same, or parts of one another.
const KINDS: &[Kind] = &[
    ("channel = 36", "ath9k", &["MCS 0", "MCS 7", "MCS 15", "minstrel"]),
    ("channel = 40", "ath9k", &["MCS 1", "MCS 11", "MCS 14", "6 Mbit/s"]),
    ("channel = 44", "ath9k", &["MCS 3", "MCS 12", "MCS 4", "MCS 9"]),
    ("channel = 149", "ath9k", &["MCS 5", "MCS 8", "MCS 13", "MCS 2"]),
    ("channel = 36\nwidth = \"20 MHz\"\nssid = \"one\"", "ath9k", &["MCS 7", "MCS 15", "minstrel", "arf"]),
    ("channel = 40\nwidth = \"20 MHz\"\nssid = \"one\"", "ath9k", &["MCS 3", "MCS 11", "24 Mbit/s", "MCS 8"]),
    (
        "channel = 48\nwidth = \"20 MHz\"\nstandard = \"802.11a\"",
        "dcf",
        &["6 Mbit/s", "54 Mbit/s", "arf", "onoe"],
    ),
    (
        "channel = 44\nwidth = \"80 MHz\"\nstandard = \"802.11ac\"",
        "edca-ac",
        &["MCS 0", "MCS 4", "MCS 9", "minstrel"],
    ),
    (
        "channel = 36\nwidth = \"160 MHz\"\nstandard = \"802.11ax\"",
        "edca-ax",
        &["MCS 1", "MCS 5", "MCS 11", "minstrel"],
    ),
    (
        "channel = 1\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"",
        "ath9k",
        &["MCS 0", "11 Mbit/s", "54 Mbit/s", "minstrel"],
    ),
    (
        "channel = 1\nband = \"2.4 GHz\"\nwidth = \"40 MHz\"",
        "ath9k",
        &["MCS 3", "MCS 15", "1 Mbit/s", "aarf"],
    ),
    (
        "channel = 11\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\nstandard = \"802.11g\"\nslot = \"long\"",
        "dcf",
        &["11 Mbit/s", "54 Mbit/s", "2 Mbit/s", "6 Mbit/s"],
    ),
    (
        "channel = 5\nband = \"6 GHz\"\nwidth = \"80 MHz\"\nstandard = \"802.11ax\"",
        "edca-ax",
        &["MCS 0", "MCS 7", "MCS 11", "minstrel"],
    ),
];

/// A channel to which such a network may go, if there is one that overlaps none of the others in part.
fn elsewhere(keys: &str) -> Option<u8> {
    Some(match keys {
        _ if keys.contains("2.4 GHz") && keys.contains("40 MHz") => return None,
        _ if keys.contains("2.4 GHz") => {
            if keys.contains("channel = 11") {
                1
            } else {
                11
            }
        }
        _ if keys.contains("6 GHz") => 37,
        _ if keys.contains("160 MHz") => 100,
        _ if keys.contains("channel = 149") => 36,
        _ => 149,
    })
}

/// A world with one to four networks, as drawn, some of which go to another channel.
fn networks() -> impl Strategy<Value = String> {
    let switch = prop::option::weighted(0.3, (0u32..300, 0u8..4));
    let ap = (prop::sample::select(KINDS), prop::bool::ANY, switch);
    let station = (any::<prop::sample::Index>(), 12u32..60, 0usize..4);
    let flow = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..4, 0u32..500);
    let width = prop::sample::select(&["20 MHz", "40 MHz"]);
    let drawn = (
        prop::collection::vec(ap, 1..=4),
        prop::collection::vec(station, 1..6),
        prop::collection::vec(flow, 1..6),
        width,
        any::<u32>(),
    );
    drawn.prop_map(|(aps, stations, flows, width, seed)| {
        let mut text = format!(
            "title = \"A test\"\nduration = \"500 ms\"\nseed = {seed}\n\
             air = {{ standard = \"802.11n\", band = \"5 GHz\", width = \"{width}\" }}\n\
             [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"200 Mbit/s\", delay = \"2 ms\" }}\n"
        );
        for (n, ((keys, adapter, _), processor, switch)) in aps.iter().enumerate() {
            let processor = if *processor { "processor = \"ar7161\"\n" } else { "" };
            let switch = switch.zip(elsewhere(keys)).map_or(String::new(), |((at, count), channel)| {
                format!("switch = [{{ at = \"{at} ms\", channel = {channel}, count = {count} }}]\n")
            });
            writeln!(text, "[[ap]]\nname = \"ap{n}\"\nadapter = \"{adapter}\"\n{keys}\n{processor}{switch}")
                .expect("text grows");
        }
        for (n, (at, snr, rate)) in stations.iter().enumerate() {
            let home = at.index(aps.len());
            let (_, adapter, rates) = aps[home].0;
            writeln!(
                text,
                "[[station]]\nname = \"s{n}\"\nap = \"ap{home}\"\nhost = \"linux-6.18\"\nadapter = \"{adapter}\"\n\
                 snr = \"{snr} dB\"\nrate = \"{}\"",
                rates[*rate]
            )
            .expect("text grows");
        }
        for (from, to, kind, start) in flows {
            let (from, to) = (from.index(stations.len() + 1), to.index(stations.len()));
            // The last one is the server.
            let to = if from == to { stations.len() } else { to };
            let host = |n: usize| if n == stations.len() { "server".to_owned() } else { format!("s{n}") };
            let kind = [
                "",
                "kind = \"udp\"\nrate = \"saturated\"",
                "kind = \"udp\"\nrate = \"3 Mbit/s\"",
                "kind = \"ping\"\ninterval = \"20 ms\"",
            ][kind];
            writeln!(
                text,
                "[[flow]]\nfrom = \"{}\"\nto = \"{}\"\nstart = \"{start} ms\"\n{kind}",
                host(from),
                host(to)
            )
            .expect("text grows");
        }
        text
    })
}

/// The time on a channel is its nodes', collisions' and nobody's.
fn check_channel(scenario: &Scenario, channel: usize, air: &Value) -> Result<(), TestCaseError> {
    let of = scenario.channel_of();
    let names = scenario.nodes().filter(|(id, _)| of[*id] == Some(channel)).map(|(_, role)| role.name());
    let used: f64 = names.filter_map(|name| air["by_node"].get(name)).map(number).sum();
    let several = air.get("channels").map(|channels| &channels[channel]);
    let rest = several.unwrap_or(air);
    let sum = used + number(&rest["collided"]) + number(&rest["idle"]);
    prop_assert!((sum - 1.0).abs() < 1e-9, "{} in all: {}", sum, air);
    Ok(())
}

/// The same of all channels together, between which radios go.
fn check_channels(scenario: &Scenario, air: &Value) -> Result<(), TestCaseError> {
    let used: f64 = air["by_node"].as_object().expect("nodes").values().map(number).sum();
    let channels = air["channels"].as_array().expect("channels");
    let rest: f64 = channels.iter().map(|one| number(&one["collided"]) + number(&one["idle"])).sum();
    prop_assert_eq!(channels.len(), scenario.channels().len());
    prop_assert!((used + rest - channels.len() as f64).abs() < 1e-9, "{} and {}: {}", used, rest, air);
    Ok(())
}

/// What a PPDU fills at least: a control frame may fill more.
fn filled(scenario: &Scenario, (ppdu, retuned): &(Ppdu, Option<u32>)) -> Channel {
    let home = |station| scenario.access_point_of(station).1;
    let (_, role) = scenario.nodes().find(|(id, _)| *id == ppdu.from).expect("a node");
    let ap = match role {
        Role::AccessPoint(ap) => ap,
        Role::Station(station) => home(station),
        Role::Server(_) => unreachable!("a server has no radio"),
    };
    let air = scenario.air_of(ap);
    let is_it = |channel: &Channel| retuned.is_none_or(|mhz| mhz == channel.primary_mhz);
    let channel = ap.spectra(&air).into_iter().find(is_it).expect("one on which it is");
    channel.part(ppdu.users[0].rate.width())
}

/// Of what was received nothing overlapped in time and spectrum.
fn check_overlaps(scenario: &Scenario, ppdus: &[(Ppdu, Option<u32>)]) -> Result<(), TestCaseError> {
    let received = ppdus.iter().filter(|(ppdu, _)| ppdu.users[0].fate == Fate::Received);
    let mut received: Vec<(&Ppdu, Channel)> =
        received.map(|ppdu| (&ppdu.0, filled(scenario, ppdu))).collect();
    received.sort_by_key(|(ppdu, _)| ppdu.start);
    for (n, (first, there)) in received.iter().enumerate() {
        for (second, here) in received[n + 1..].iter().take_while(|(next, _)| next.start < first.end) {
            prop_assert!(!there.overlaps(here), "{:?} {:?}", first, second);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), ..ProptestConfig::default() })]
    #[test]
    fn any_number_of_networks_keeps_the_laws(text in networks()) {
        let scenario = good(&text);
        let mut unkept = ();
        let mut world = World::new(&scenario, (Recorder::new(&scenario, &mut unkept), Ppdus::default()));
        prop_assert!(world.run(&mut |_| true));
        let ends = world.flows();
        let (recorder, Ppdus { all: ppdus, .. }) = world.into_probe();
        let summary = recorder.finish(&scenario, &ends).to_value();
        let home = |node| scenario.stations().find(|(id, _)| *id == node).map(|(_, one)| scenario.access_point_of(one).0);
        for (ppdu, _) in &ppdus {
            // From a station to its own access point, or from that to it.
            let [user] = ppdu.users;
            if let Some(to) = user.to {
                prop_assert!(home(ppdu.from) == Some(to) || home(to) == Some(ppdu.from), "{:?}\n{}", ppdu, text);
            }
        }
        if scenario.any_switches() {
            check_channels(&scenario, &summary["airtime"])?;
        } else {
            for channel in 0..scenario.channels().len() {
                check_channel(&scenario, channel, &summary["airtime"])?;
            }
        }
        check_overlaps(&scenario, &ppdus)?;
        for (n, end) in ends.iter().enumerate() {
            let flow = &summary["flows"][n];
            if let FlowKind::Tcp { .. } = scenario.flow[n].kind {
                prop_assert!(end.delivered <= end.written);
                prop_assert_eq!(flow["bytes_delivered"].as_u64(), Some(end.delivered));
            } else {
                let count = |key: &str| flow[key].as_u64();
                let arrived = count("delivered").or(count("answered")).expect("a count");
                let (sent, lost) = (count("sent").expect("a count"), count("lost").expect("a count"));
                prop_assert_eq!(sent, arrived + lost + end.in_transit, "flow {}\n{}", n, &text);
                prop_assert!(sent > 0, "flow {}\n{}", n, &text);
            }
        }
        // The resolved file says the same.
        prop_assert_eq!(good(&scenario.to_toml()), scenario);
    }
}
