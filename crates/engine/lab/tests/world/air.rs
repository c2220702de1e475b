//! Every moment of the air is accounted for once, and no flow gets more than the air can carry: with capture, hidden
//! stations, RTS and stations at the same place. More worlds: `WORLDS=20000`.

use crate::scenarios::{cases, good, number};
use airloom_lab::run;
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write;

/// A standard with its band, an adapter that speaks it, and data rates as written and in Mbit/s, the highest last.
type Standard = (&'static str, &'static str, &'static str, [(&'static str, f64); 4]);

const DSSS: [(&str, f64); 4] =
    [("1 Mbit/s", 1.0), ("2 Mbit/s", 2.0), ("5.5 Mbit/s", 5.5), ("11 Mbit/s", 11.0)];
const OFDM: [(&str, f64); 4] =
    [("6 Mbit/s", 6.0), ("12 Mbit/s", 12.0), ("24 Mbit/s", 24.0), ("54 Mbit/s", 54.0)];
const HT: [(&str, f64); 4] = [("MCS 0", 7.3), ("MCS 4", 43.4), ("MCS 7", 72.3), ("MCS 15", 144.5)];
const STANDARDS: [Standard; 4] = [
    ("802.11b", "2.4 GHz", "dcf", DSSS),
    ("802.11g", "2.4 GHz", "dcf", OFDM),
    ("802.11a", "5 GHz", "dcf", OFDM),
    ("802.11n", "5 GHz", "ath9k", HT),
];

#[derive(Clone, Debug)]
struct Station {
    snr: u32,
    rate: usize,
    rts: bool,
    hidden_from: Vec<bool>,
}

#[derive(Clone, Debug)]
struct Flow {
    station: prop::sample::Index,
    up: bool,
    kind: usize,
    start: u32,
    stop: Option<u32>,
}

const KINDS: [&str; 5] = [
    "kind = \"udp\"\nrate = \"saturated\"\n",
    "kind = \"udp\"\nrate = \"20 Mbit/s\"\npayload = \"300 B\"\n",
    "kind = \"tcp\"\n",
    "kind = \"tcp\"\nbytes = \"40 kB\"\n",
    "kind = \"ping\"\ninterval = \"10 ms\"\n",
];

/// A world as text, and the data rate of each flow's frames in the air.
#[derive(Clone, Debug)]
struct Drawn {
    text: String,
    rates: Vec<f64>,
}

fn station() -> impl Strategy<Value = Station> {
    // Few ratios, so that stations are often equal.
    let snr = prop_oneof![Just(25u32), Just(30), Just(40), 20u32..50];
    (snr, 0usize..4, any::<bool>(), prop::collection::vec(prop::bool::weighted(0.4), 8))
        .prop_map(|(snr, rate, rts, hidden_from)| Station { snr, rate, rts, hidden_from })
}

fn flow() -> impl Strategy<Value = Flow> {
    (
        any::<prop::sample::Index>(),
        prop::bool::weighted(0.8),
        0usize..5,
        0u32..100,
        prop::option::of(1u32..300),
    )
        .prop_map(|(station, up, kind, start, stop)| Flow {
            station,
            up,
            kind,
            start,
            stop: stop.map(|s| start + s),
        })
}

fn any_air() -> impl Strategy<Value = Drawn> {
    let stations = prop::collection::vec(station(), 1..=8);
    let flows = prop::collection::vec(flow(), 1..=8);
    let capture = prop_oneof![Just(None), Just(Some(0u32)), (0u32..12).prop_map(Some)];
    (0usize..4, stations, flows, capture, any::<u64>()).prop_map(|(standard, stations, flows, capture, seed)| {
        let (standard, band, adapter, rates) = STANDARDS[standard];
        let capture = capture.map_or_else(String::new, |c| format!("capture = \"{c} dB\"\n"));
        let mut text = format!(
            "title = \"A test\"\nduration = \"400 ms\"\nseed = {seed}\n\
             [air]\nstandard = \"{standard}\"\nband = \"{band}\"\nwidth = \"20 MHz\"\n{capture}\
             [[ap]]\nname = \"ap\"\nadapter = \"{adapter}\"\n\
             [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\" }}\n"
        );
        for (n, Station { snr, rate, rts, hidden_from }) in stations.iter().enumerate() {
            let rts = if *rts { "\"200 B\"" } else { "\"off\"" };
            let hidden: Vec<_> = (0..stations.len())
                .filter(|&other| other != n && hidden_from[other])
                .map(|other| format!("\"s{other}\""))
                .collect();
            writeln!(
                text,
                "[[station]]\nname = \"s{n}\"\nhost = \"linux-6.18\"\nsnr = \"{snr} dB\"\nrate = \"{}\"\n\
                 adapter = {{ profile = \"{adapter}\", rts_threshold = {rts} }}",
                rates[*rate].0,
            )
            .expect("text grows");
            if !hidden.is_empty() {
                writeln!(text, "hidden_from = [{}]", hidden.join(", ")).expect("text grows");
            }
        }
        let mut of_flows = Vec::new();
        for &Flow { station, up, kind, start, stop } in &flows {
            let at = station.index(stations.len());
            let station = format!("s{at}");
            let (from, to) = if up { (&*station, "server") } else { ("server", &*station) };
            text += &format!("[[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\nstart = \"{start} ms\"\n{}", KINDS[kind]);
            text += &stop.map_or_else(String::new, |s| format!("stop = \"{s} ms\"\n"));
            // The access point's own rate is the standard's highest.
            of_flows.push(rates[if up { stations[at].rate } else { 3 }].1);
        }
        Drawn { text, rates: of_flows }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(256), ..ProptestConfig::default() })]
    #[test]
    fn shares_of_the_air_add_up_and_no_flow_exceeds_its_medium(Drawn { text, rates } in any_air()) {
        let summary = run::summarize(&good(&text), &mut |_| true).expect("not interrupted").to_value();
        let air = &summary["airtime"];
        let shares = air["by_node"].as_object().expect("nodes").values();
        let all: Vec<f64> = shares.chain([&air["collided"], &air["idle"]]).map(number).collect();
        prop_assert!(all.iter().all(|&share| share >= 0.0), "{}\n{}", air, text);
        let sum: f64 = all.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-9, "{} in all: {}\n{}", sum, air, text);
        for (n, rate) in rates.iter().enumerate() {
            let goodput = summary["flows"][n]["goodput_mbps"].as_f64().unwrap_or(0.0);
            prop_assert!((0.0..*rate).contains(&goodput), "flow {}: {} of {} Mbit/s\n{}", n, goodput, rate, text);
        }
    }
}

/// Two stations that are hidden from each other and send all the time: nearly all of their frames overlap.
fn two_hidden(snr: [u32; 2], capture: &str) -> Value {
    let mut text = format!(
        "title = \"A test\"\nduration = \"5 s\"\n\
         [air]\nstandard = \"802.11a\"\nband = \"5 GHz\"\nwidth = \"20 MHz\"\ncapture = \"{capture}\"\n\
         [[ap]]\nname = \"ap\"\nadapter = \"dcf\"\n\
         [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\" }}\n"
    );
    for (n, snr) in snr.iter().enumerate() {
        writeln!(
            text,
            "[[station]]\nname = \"s{n}\"\nhost = \"linux-6.18\"\nsnr = \"{snr} dB\"\nrate = \"6 Mbit/s\"\n\
             adapter = \"dcf\"\nhidden_from = [\"s{}\"]\n\
             [[flow]]\nkind = \"udp\"\nfrom = \"s{n}\"\nto = \"server\"\nrate = \"saturated\"",
            1 - n
        )
        .expect("text grows");
    }
    run::summarize(&good(&text), &mut |_| true).expect("not interrupted").to_value()
}

#[test]
fn of_two_equal_frames_that_overlap_none_is_received() {
    let goodput = |summary: &Value, n: usize| number(&summary["flows"][n]["goodput_mbps"]);
    let equal = two_hidden([30, 30], "0 dB");
    let uneven = two_hidden([31, 30], "0 dB");
    let unheeded = two_hidden([31, 30], "2 dB");
    let (weak, strong) = (goodput(&uneven, 1), goodput(&uneven, 0));
    // Alone, a station gets about 5.4 Mbit/s.
    assert!(strong > 5.0 && weak < 0.2, "the stronger captures: {strong} and {weak} Mbit/s");
    for summary in [equal, unheeded] {
        let sum = goodput(&summary, 0) + goodput(&summary, 1);
        assert!(sum < 2.5, "most frames are lost on both sides: {sum} Mbit/s");
    }
}

#[test]
fn what_arrives_after_a_flow_has_stopped_counts_over_the_time_it_took() {
    let text = "title = \"A test\"\nduration = \"30 s\"\n\
                [air]\nstandard = \"802.11b\"\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\n\
                [[ap]]\nname = \"ap\"\nadapter = \"dcf\"\nqueue = { discipline = \"fifo\", limit = \"1000 packets\" }\n\
                [[station]]\nname = \"s\"\nhost = \"linux-6.18\"\nadapter = \"dcf\"\nsnr = \"40 dB\"\nrate = \"11 Mbit/s\"\n\
                [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = { rate = \"1 Gbit/s\", delay = \"1 ms\" }\n\
                [[flow]]\nkind = \"udp\"\nfrom = \"server\"\nto = \"s\"\nrate = \"20 Mbit/s\"\nstop = \"1 s\"\n";
    let summary = run::summarize(&good(text), &mut |_| true).expect("not interrupted").to_value();
    let flow = &summary["flows"][0];
    let goodput = number(&flow["goodput_mbps"]);
    // What 802.11b carries of datagrams of 1472 bytes at 11 Mbit/s with long preambles.
    assert!((5.5..6.1).contains(&goodput), "{flow}");
    // The queue takes about two seconds to empty.
    let took = number(&flow["bytes_delivered"]) * 8e-6 / goodput;
    assert!((2.0..4.0).contains(&took), "{took} s");
}
