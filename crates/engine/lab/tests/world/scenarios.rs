//! Scenarios to be run.

use airloom_lab::run;
use airloom_lab::scenario::{Discipline, Scenario, load};
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write;

/// The paper's upload with small queues.
const TSQ: &str = include_str!("../../../../../papers/scan/upload-tsq.toml");
/// The same without.
const NO_TSQ: &str = include_str!("../../../../../papers/scan/upload-no-tsq.toml");

pub(crate) fn good(text: &str) -> Scenario {
    load(text, "test.toml", &[], None).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// What a run of a scenario sums up.
pub(crate) fn summary(text: &str) -> Value {
    run::summarize(&good(text), &mut |_| true).expect("not interrupted").to_value()
}

pub(crate) fn number(of: &Value) -> f64 {
    of.as_f64().expect("a number")
}

/// How many worlds a property is asked of: `WORLDS`, or this many where proptest draws its usual 256 cases, and in proportion
/// where `PROPTEST_CASES` says another number.
pub(crate) fn cases(usual: u32) -> u32 {
    let told = |name| std::env::var(name).ok().and_then(|n| n.parse::<u32>().ok());
    told("WORLDS").unwrap_or_else(|| (usual * told("PROPTEST_CASES").unwrap_or(256)).div_ceil(256))
}

/// One in so many of a test's cases, the first among them; all of them where `EVERY_CASE` is set, as `make nightly` has it.
pub(crate) fn sampled<T>(cases: impl IntoIterator<Item = T>, one_in: usize) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if std::env::var_os("EVERY_CASE").is_some() { 1 } else { one_in })
}

fn with(text: &str, overrides: &[(&str, &str)], seed: u64) -> Scenario {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    load(text, "test.toml", &overrides, Some(seed)).unwrap_or_else(|e| panic!("{e}"))
}

/// Six seconds of the upload with small queues, with a scan of eight channels after two.
pub(crate) fn upload(seed: u64) -> Scenario {
    with(TSQ, &[("duration", "6 s"), ("station.0.scan.first", "2 s"), ("station.0.scan.channels", "8")], seed)
}

/// Thirty seconds of the upload without small queues, without a scan.
pub(crate) fn window_limited() -> Scenario {
    with(NO_TSQ, &[("duration", "30 s"), ("station.0.scan.first", "1000 s")], 1)
}

/// An air of 40 MHz with an access point that holds some packets, and what else there may be.
pub(crate) fn around(duration: u32, packets: u32, rest: &str) -> String {
    around_ap(duration, &format!("queue = {}", queue(0, packets)), rest)
}

/// The same with an access point that has these keys.
pub(crate) fn around_ap(duration: u32, keys: &str, rest: &str) -> String {
    around_adapter(duration, ADAPTERS[0], keys, rest)
}

/// The same with this adapter.
fn around_adapter(duration: u32, adapter: &str, keys: &str, rest: &str) -> String {
    format!(
        r#"
title = "A test"
duration = "{duration} s"
[air]
standard = "802.11n"
band = "5 GHz"
width = "40 MHz"
[[ap]]
name = "ap"
adapter = {adapter}
{keys}
{rest}"#
    )
}

/// A queue of some discipline that holds some packets; those of any device come first.
pub(crate) fn queue(kind: usize, packets: u32) -> String {
    let discipline = Discipline::WORDS[kind];
    let more = match discipline {
        "tbf" => ", rate = \"20 Mbit/s\", burst = \"4 kB\"",
        _ => "",
    };
    format!("{{ discipline = \"{discipline}\", limit = \"{packets} packets\"{more} }}")
}

/// A world as drawn.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) text: String,
    /// Every flow ends long before the run does, and every station hears well.
    pub(crate) comes_to_rest: bool,
}

/// Drivers that pull from mac80211's queues as they send, or ahead with or without airtime queue limits.
const ADAPTERS: [&str; 3] = [
    "\"ath9k\"",
    "{ profile = \"ath9k\", pull = \"report\" }",
    "{ profile = \"ath9k\", pull = \"report\", driver_limit = \"400 packets\", aql = {} }",
];

const HOSTS: [&str; 2] = ["linux-3.13", "linux-3.2"];

fn station() -> impl Strategy<Value = (String, f64)> {
    let scan = prop::option::of((1u32..4000, 1u32..6));
    let adapter = prop::sample::select(&ADAPTERS);
    (0usize..2, adapter, 8.0..60.0f64, 0u32..16, (0..Discipline::WORDS.len(), 3u32..300), scan).prop_map(
        |(host, adapter, snr, mcs, held, scan)| {
            let mut text = format!(
                "host = {{ profile = \"{}\", queue = {} }}\n\
             adapter = {adapter}\nsnr = \"{snr:.1} dB\"\nrate = \"MCS {mcs}\"\n",
                HOSTS[host],
                queue(held.0, held.1)
            );
            if let Some((first, channels)) = scan {
                writeln!(
                text,
                "scan = {{ by = \"networkmanager-0.9.8\", channels = {channels}, first = \"{first} ms\" }}"
            )
            .expect("text grows");
            }
            (text, snr)
        },
    )
}

fn server() -> impl Strategy<Value = String> {
    (0usize..2, 5u32..1000, 0u32..40, (0..Discipline::OF_ANY_DEVICE.len(), 3u32..200)).prop_map(
        |(host, rate, delay, held)| {
            format!(
                "host = \"{}\"\nlink = {{ rate = \"{rate} Mbit/s\", delay = \"{delay} ms\", queue = {} }}\n",
                HOSTS[host],
                queue(held.0, held.1)
            )
        },
    )
}

/// Which way a flow goes.
#[derive(Clone, Copy, Debug)]
enum Course {
    Up,
    Down,
    /// From a station to the next one.
    Across,
}

#[derive(Clone, Debug)]
struct Flow {
    ends: (prop::sample::Index, prop::sample::Index),
    course: Course,
    start: u32,
    stop: Option<u32>,
    bytes: Option<u32>,
    kind: usize,
}

/// What distinguishes flows of one kind; TCP takes bytes besides.
const KINDS: [&str; 5] = [
    "tcp.congestion = \"newreno\"\n",
    "tcp.congestion = \"cubic\"\ntcp.mss = \"1000 B\"\n",
    "kind = \"udp\"\nrate = \"saturated\"\npayload = \"700 B\"\n",
    "kind = \"udp\"\nrate = \"3 Mbit/s\"\nspacing = \"poisson\"\n",
    "kind = \"ping\"\ninterval = \"70 ms\"\n",
];

fn flow() -> impl Strategy<Value = Flow> {
    let ends = any::<(prop::sample::Index, prop::sample::Index)>();
    let stop = prop::option::weighted(0.7, 1u32..3000);
    let bytes = prop::option::weighted(0.7, 1u32..1_000_000);
    let course = prop::sample::select(&[Course::Up, Course::Down, Course::Across]);
    (ends, course, 0u32..2000, stop, bytes, 0usize..5).prop_map(|(ends, course, start, stop, bytes, kind)| {
        Flow { ends, course, start, stop: stop.map(|s| start + s), bytes: bytes.filter(|_| kind < 2), kind }
    })
}

/// Up to four stations and two servers with up to five flows between them, for a minute.
pub(crate) fn any_world() -> impl Strategy<Value = Drawn> {
    let stations = prop::collection::vec(station(), 0..=4);
    let servers = prop::collection::vec(server(), 0..=2);
    let flows = prop::collection::vec(flow(), 0..=5);
    let held = (0..Discipline::WORDS.len(), 3u32..300);
    let processor = prop::option::of((0u32..500, 1u32..300));
    let adapter = prop::sample::select(&ADAPTERS);
    // Now and then the access point is without power for a while.
    let off = prop::option::weighted(0.3, (0u32..3000, 1u32..2000));
    let all = (stations, servers, flows, adapter, held, processor, off, any::<u64>());
    all.prop_map(|(stations, servers, flows, adapter, held, processor, off, seed)| {
        let mut rest = String::new();
        for (n, (station, _)) in stations.iter().enumerate() {
            rest += &format!("[[station]]\nname = \"sta{n}\"\n{station}");
        }
        for (n, server) in servers.iter().enumerate() {
            rest += &format!("[[server]]\nname = \"server{n}\"\n{server}");
        }
        let possible = if stations.is_empty() || servers.is_empty() { &[][..] } else { &flows[..] };
        for Flow { ends, course, start, stop, bytes, kind } in possible {
            let (a, b) = (ends.0.index(stations.len()), ends.1.index(servers.len()));
            let (station, server) = (format!("sta{a}"), format!("server{b}"));
            let (from, to) = match course {
                Course::Across if stations.len() > 1 => {
                    (station, format!("sta{}", (a + 1) % stations.len()))
                }
                Course::Up | Course::Across => (station, server),
                Course::Down => (server, station),
            };
            rest += &format!("[[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\nstart = \"{start} ms\"\n");
            rest += &stop.map_or_else(String::new, |s| format!("stop = \"{s} ms\"\n"));
            rest += &bytes.map_or_else(String::new, |b| format!("bytes = \"{b} B\"\n"));
            rest += KINDS[*kind];
        }
        let ends = possible.iter().all(|f| f.stop.is_some() || f.bytes.is_some());
        let comes_to_rest = ends && stations.iter().all(|(_, snr)| *snr > 36.0);
        let duration = if ends { 60 } else { 8 };
        let mut keys = format!("queue = {}\n", queue(held.0, held.1));
        if let Some((from, lasts)) = off {
            let to = from + lasts;
            keys += &format!("off = [{{ from = \"{from} ms\", to = \"{to} ms\" }}]\n");
        }
        if let Some((cost, ring)) = processor {
            keys += &format!(
                "processor = {{ profile = \"ar7161\", to_air = \"{cost} us\", ethernet_ring = \"{ring} packets\" }}"
            );
        }
        Drawn {
            text: format!("seed = {seed}\n{}", around_adapter(duration, adapter, &keys, &rest)),
            comes_to_rest,
        }
    })
}
