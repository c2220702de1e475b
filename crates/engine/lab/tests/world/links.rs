//! Stations with several links at once: what they carry together, and that nothing is lost or counted twice.

use crate::scenarios::{cases, good, number, summary};
use airloom_lab::capture::Settings;
use airloom_lab::run;
use airloom_lab::world::World;
use airloom_wire::ieee80211::{Addressing, Frame};
use airloom_wire::{MacAddr, RadiotapRepr, Reader};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Three channels, each with its band and the width of its link.
const LINKS: [&str; 3] = [
    "{ band = \"5 GHz\", channel = 36, width = \"80 MHz\" }",
    "{ band = \"6 GHz\", channel = 5, width = \"80 MHz\" }",
    "{ band = \"2.4 GHz\", channel = 6, width = \"20 MHz\" }",
];

/// An access point with the first links of those, behind a fast wire, and what else there is.
fn around(duration: &str, links: usize, rest: &str) -> String {
    format!(
        r#"
title = "links"
duration = "{duration}"
[air]
standard = "802.11be"
band = "5 GHz"
width = "80 MHz"
[[ap]]
name = "ap"
adapter = "edca-be"
links = [{}]
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "10 Gbit/s", delay = "1 ms" }}
{rest}"#,
        LINKS[..links].join(", ")
    )
}

/// A station over these of its access point's links, at these rates.
fn station(name: &str, how: &str, rates: &[(usize, &str)]) -> String {
    let link = |&(link, rate): &(usize, &str)| LINKS[link].replace(" }", &format!(", rate = \"{rate}\" }}"));
    let links: Vec<String> = rates.iter().map(link).collect();
    format!(
        "[[station]]\nname = \"{name}\"\nhost = \"linux-6.18\"\nadapter = \"edca-be\"\nsnr = \"60 dB\"\n{how}\nlinks = [{}]\n",
        links.join(", ")
    )
}

const SATURATED: &str =
    "[[flow]]\nkind = \"udp\"\nfrom = \"sta\"\nto = \"server\"\nrate = \"saturated\"\npayload = \"1470 B\"\n";

fn goodput(text: &str) -> f64 {
    number(&summary(text)["flows"][0]["goodput_mbps"])
}

#[test]
fn saturated_links_add_up() {
    let with = |how: &str, rates: &[(usize, &str)]| {
        goodput(&around("1 s", 3, &format!("{}{SATURATED}", station("sta", how, rates))))
    };
    let (fast, slow, least) = ((0, "MCS 4"), (1, "MCS 2"), (2, "MCS 4"));
    let alone: Vec<f64> = [fast, slow, least].iter().map(|&one| with("", &[one])).collect();
    let same = with("", &[(1, "MCS 4")]);
    for (links, expected) in [
        (vec![fast, (1, "MCS 4")], alone[0] + same),
        (vec![fast, slow], alone[0] + alone[1]),
        (vec![fast, slow, least], alone.iter().sum()),
    ] {
        let measured = with("multi_link = \"str\"", &links);
        let off = measured / expected - 1.0;
        assert!(off.abs() < 0.02, "{links:?}: {measured:.0} rather than {expected:.0} Mbit/s");
    }
    let single = with("multi_link = \"mlsr\"", &[fast, slow]);
    assert!((single / alone[0] - 1.0).abs() < 1e-9, "{single} rather than {} Mbit/s", alone[0]);
}

/// On each channel the shares of all that send there, of what collided and of what was idle add up to one.
fn check_channels(summary: &Value) {
    for one in summary["airtime"]["channels"].as_array().expect("channels") {
        let here = |link: &&Value| link["channel"] == one["channel"] && link["band"] == one["band"];
        let nodes = summary["nodes"].as_array().expect("nodes");
        let links = nodes.iter().filter_map(|node| node["links"].as_array()).flatten();
        let of_links: f64 = links.filter(here).map(|link| number(&link["airtime_share"])).sum();
        let (collided, idle) = (number(&one["collided"]), number(&one["idle"]));
        assert!(collided >= 0.0 && idle >= 0.0 && of_links + collided + idle <= 1.0 + 1e-9, "{one}");
    }
}

/// The links of a node send what it sends.
fn check_nodes(summary: &Value) {
    for node in summary["nodes"].as_array().expect("nodes") {
        let Some(links) = node["links"].as_array() else { continue };
        let sum = |key: &str| links.iter().map(|link| number(&link[key])).sum::<f64>();
        for key in ["ampdus", "mpdu_retries", "airtime_share"] {
            assert!((sum(key) - number(&node[key])).abs() < 1e-9, "{key} of {node}");
        }
    }
}

/// A world with stations over some links each and a flow of each, which may end long before it.
fn any_links() -> impl Strategy<Value = (String, bool)> {
    let link = (8.0..45.0f64, prop::sample::select(vec!["MCS 0", "MCS 5", "MCS 11", "minstrel", "arf"]));
    let one = (
        prop::collection::vec(link, 3),
        prop::sample::subsequence(vec![0usize, 1, 2], 1..=3),
        any::<bool>(),
        0usize..4,
        prop::sample::select(vec![
            "\"edca-be\"",
            "{ profile = \"edca-be\", amsdu_frames = 3 }",
            "\"mt7925\"",
        ]),
    );
    (1usize..=3, prop::collection::vec(one, 1..=3), any::<bool>(), any::<u16>()).prop_map(
        |(known, stations, finite, seed)| {
            let mut rest = String::new();
            for (n, (links, used, single, kind, adapter)) in stations.into_iter().enumerate() {
                let used: Vec<usize> = used.into_iter().filter(|&link| link < known).collect();
                let links: Vec<String> = used
                    .iter()
                    .map(|&link| {
                        let (snr, rate) = &links[link];
                        LINKS[link].replace(" }", &format!(", snr = \"{snr:.1} dB\", rate = \"{rate}\" }}"))
                    })
                    .collect();
                let how = if single { "multi_link = \"mlsr\"" } else { "" };
                let chosen = match &links[..] {
                    [] => String::new(),
                    some if known > 1 => format!("links = [{}]\n{how}", some.join(", ")),
                    _ => String::new(),
                };
                write!(
                    rest,
                    "[[station]]\nname = \"sta{n}\"\nhost = \"linux-6.18\"\nadapter = {adapter}\nsnr = \"30 dB\"\n{chosen}\n"
                )
                .expect("text");
                let ends = if kind % 2 == 0 { [format!("sta{n}"), "server".into()] } else { ["server".into(), format!("sta{n}")] };
                let what = match (kind / 2, finite) {
                    (0, true) => "bytes = \"200 kB\"",
                    (0, false) => "",
                    (_, true) => "kind = \"udp\"\nrate = \"30 Mbit/s\"\npayload = \"1200 B\"\nstop = \"300 ms\"",
                    (_, false) => "kind = \"udp\"\nrate = \"200 Mbit/s\"\npayload = \"1200 B\"",
                };
                write!(rest, "[[flow]]\nfrom = \"{}\"\nto = \"{}\"\n{what}\n", ends[0], ends[1]).expect("text");
            }
            let text = around(if finite { "3 s" } else { "600 ms" }, known, &rest);
            (format!("seed = {seed}\n{text}"), finite)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(40)))]
    #[test]
    fn bytes_packets_and_air_time_of_links_are_accounted_for((text, finite) in any_links()) {
        let scenario = good(&text);
        prop_assert_eq!(&good(&scenario.to_toml()), &scenario);
        let mut unkept = ();
        let mut world = World::new(&scenario, airloom_lab::metrics::Recorder::new(&scenario, &mut unkept));
        prop_assert!(world.run(&mut |_| true));
        let (flows, in_transit) = (world.flows(), world.packets_in_transit());
        let summary = world.into_probe().finish(&scenario, &flows).to_value();
        for (n, flow) in flows.iter().enumerate() {
            let measured = &summary["flows"][n];
            if let Some(held) = measured["bytes_held"].as_u64() {
                prop_assert_eq!(measured["bytes_delivered"].as_u64(), Some(flow.delivered));
                prop_assert_eq!(held + flow.delivered, flow.written);
            } else {
                let count = |key: &str| measured[key].as_u64().expect("a count");
                prop_assert_eq!(count("sent"), count("delivered") + count("lost") + flow.in_transit, "{}", text);
            }
        }
        if finite {
            prop_assert!(in_transit == 0, "{} packets are left\n{}", in_transit, text);
        }
        check_nodes(&summary);
        if scenario.ap[0].links().len() > 1 {
            check_channels(&summary);
        }
    }
}

/// A capture has a record of each channel, and each link its own address; packets are between the same hosts.
#[test]
fn captures_have_a_channel_for_each_link() {
    let flow = "[[flow]]\nfrom = \"sta\"\nto = \"server\"\nbytes = \"2 MB\"\n";
    let text = around("1 s", 2, &format!("{}{flow}", station("sta", "", &[(0, "MCS 4"), (1, "MCS 4")])));
    let files = run::captured_in_memory(&good(&text), &Settings::default(), &mut |_| true);
    let files = files.unwrap_or_else(|e| panic!("{e}"));
    let (_, air) = files.iter().find(|(name, _)| name == "air.pcapng").expect("a capture of the air");
    let mut reader = Reader::new(&air[..]).expect("a capture");
    let mut senders = BTreeSet::new();
    while let Some(record) = reader.next() {
        let data = record.expect("a record").data;
        let (radiotap, mpdu) = RadiotapRepr::parse(data).expect("radiotap");
        if let Ok(Frame::Data { header, .. }) = Frame::parse(&mpdu[..mpdu.len() - 4]) {
            let sender = match header.addressing {
                Addressing::ToDs { source, .. } => source,
                Addressing::FromDs { bssid, .. } => bssid,
                other => unreachable!("{other:?}"),
            };
            senders.insert((radiotap.channel.expect("a channel").mhz, sender));
        }
    }
    let of = |link: u8, node: u8| MacAddr([2, 0, 0, link, 0, node]);
    let both = BTreeSet::from([(5180, of(0, 0)), (5180, of(0, 1)), (5975, of(2, 0)), (5975, of(2, 1))]);
    assert_eq!(senders, both);
}
