//! Paced and saturated UDP, and pings.

use crate::scenarios::{around, cases, good, number, queue};
use airloom_lab::run::{self, Outcome};
use airloom_lab::scenario::{Discipline, load};
use proptest::prelude::*;
use serde_json::Value;

/// A station beside an access point behind a fast wire.
const ENDS: &str = r#"
[[station]]
name = "sta1"
host = "linux-3.13"
adapter = "ath9k"
snr = "60 dB"
rate = "MCS 15"
[[server]]
name = "server"
host = "linux-3.13"
link = { rate = "1 Gbit/s", delay = "1 ms" }
"#;

/// The outcome of these flows between the two.
fn outcome(duration: u32, flows: &str) -> Outcome {
    let scenario = good(&around(duration, 1000, &format!("{ENDS}{flows}")));
    run::run(&scenario, &mut |_| true).expect("not interrupted")
}

fn flow(kind: &str, up: bool, rest: &str) -> String {
    let (from, to) = if up { ("sta1", "server") } else { ("server", "sta1") };
    format!("[[flow]]\nkind = \"{kind}\"\nfrom = \"{from}\"\nto = \"{to}\"\n{rest}\n")
}

#[test]
fn a_paced_flow_sends_at_its_rate_without_drift_and_all_of_it_arrives() {
    let outcome = outcome(10, &flow("udp", true, "rate = \"20 Mbit/s\"\npayload = \"1470 B\""));
    let flow = outcome.summary.to_value()["flows"][0].clone();
    // One at the beginning, and one for every 588 us that have passed: 10 s hold 17006 of these and a rest.
    assert_eq!(flow["sent"], 17_007);
    assert_eq!(flow["lost"], 0);
    let goodput = number(&flow["goodput_mbps"]);
    assert!((goodput / 20.0 - 1.0).abs() < 1e-3, "{goodput}");
    // A wire of 1 ms, and an exchange or two in the air.
    let delay = number(&flow["delay_mean_ms"]);
    assert!((1.1..1.6).contains(&delay), "{delay} ms");
}

#[test]
fn a_poisson_flow_has_its_rate_on_average_and_varies_as_it_should() {
    let rest = "rate = \"1 Mbit/s\"\npayload = \"125 B\"\nspacing = \"poisson\"";
    let outcome = outcome(200, &flow("udp", true, rest));
    let flow = outcome.summary.to_value()["flows"][0].clone();
    // 1000 a second: 200,000 with a standard deviation of 447.
    let sent = number(&flow["sent"]);
    assert!((sent - 200_000.0).abs() < 4.0 * 447.0, "{sent}");
    // Counts of a second have the variance of their mean.
    let per_second: Vec<f64> = outcome
        .series
        .rows
        .iter()
        .filter(|row| row.metric.name_and_unit().0 == "goodput")
        .map(|row| row.value * 1e6 / 8.0 / 125.0)
        .collect();
    assert_eq!(per_second.len(), 200);
    let mean = per_second.iter().sum::<f64>() / 200.0;
    let variance = per_second.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 199.0;
    // Chi-square with 199 degrees of freedom stays within these in all but one case of 1000.
    assert!((0.69..1.37).contains(&(variance / mean)), "variance {variance} of mean {mean}");
}

#[test]
fn a_saturated_flow_never_lets_its_queue_run_empty_nor_overflow() {
    let outcome = outcome(5, &flow("udp", true, "rate = \"saturated\""));
    let queue = outcome.summary.to_value()["nodes"][1]["queues"][0].clone();
    assert_eq!((&queue["layer"], &queue["drops"]), (&Value::from("discipline"), &Value::from(0)));
    assert!(number(&queue["mean_packets"]) > 1.0, "{queue}");
    let node = outcome.summary.to_value()["nodes"][1].clone();
    // MCS 15 at 40 MHz: the A-MPDU is bounded by its length in time (4 ms of 300 Mbit/s) and by 32 MPDUs.
    assert!(number(&node["mpdus_per_ampdu"]) > 31.5, "{node}");
    assert_eq!(outcome.summary.to_value()["flows"][0]["lost"], 0);
}

#[test]
fn a_saturated_server_fills_its_wire_and_the_access_point_drops_the_rest() {
    let outcome = outcome(2, &flow("udp", false, "rate = \"saturated\""));
    let flow = outcome.summary.to_value()["flows"][0].clone();
    // 1498 bytes and 38 around them at 1 Gbit/s.
    let sent = number(&flow["sent"]);
    assert!((sent / (2e9 / 8.0 / 1536.0) - 1.0).abs() < 1e-3, "{sent}");
    let drops = number(&outcome.summary.to_value()["nodes"][0]["queues"][0]["drops"]);
    assert!(drops > 0.0 && (drops - number(&flow["lost"])).abs() < 1.0, "{drops} dropped of {flow}");
}

/// Drivers that take packets from a queue above them, or pull them as they send, ahead for firmware, or ahead up to a limit of
/// air time; the small ones have room for a packet or two.
const DRIVERS: [&str; 10] = [
    "\"ath9k\"",
    "\"dcf\"",
    "\"edca-ax\"",
    "\"ath10k\"",
    "\"ath11k\"",
    "\"edca-be\"",
    "\"mt7925\"",
    "\"iwlmld\"",
    "{ profile = \"edca-ax\", pull = \"report\", aql = {} }",
    "{ profile = \"ath11k\", pull = \"report\", aql = {}, hardware_queue = 1, ampdu_bytes = \"4000 B\" }",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]
    /// What was sent and has not come lies in the driver, in an A-MPDU or, for a millisecond, on the wire: a small packet each 3 us.
    #[test]
    fn a_saturated_flow_alone_on_its_host_loses_nothing_in_its_own_queue(
        discipline in 0..Discipline::WORDS.len(),
        limit in prop_oneof![1u32..20, 20u32..400, Just(10_000)],
        driver in prop::sample::select(&DRIVERS),
        mcs in prop::sample::select(&["6 Mbit/s", "MCS 0", "MCS 7"]),
        payload in 1u32..1472,
        up in any::<bool>(),
    ) {
        let (driver, mcs) = if driver == DRIVERS[1] { (driver, "6 Mbit/s") } else { (driver, mcs) };
        let word = Discipline::WORDS[discipline];
        let own = queue(discipline, limit);
        // Room for all of an A-MPDU.
        let plain = queue(0, 2000);
        let wire = if up || word == "mac80211" { &plain } else { &own };
        let station = format!(
            "[[station]]\nname = \"sta1\"\nhost = {{ profile = \"linux-3.13\", queue = {own} }}\nadapter = {driver}\n\
             snr = \"60 dB\"\nrate = \"{mcs}\"\n[[server]]\nname = \"server\"\nhost = \"linux-3.13\"\n\
             link = {{ rate = \"{}\", delay = \"1 ms\", queue = {wire} }}\n{}",
            if up { "10 Gbit/s" } else { "100 Mbit/s" },
            flow("udp", up, &format!("rate = \"saturated\"\npayload = \"{payload} B\"")),
        );
        let text = around(1, 1000, &station).replace("duration = \"1 s\"", "duration = \"400 ms\"");
        let text = text.replace("802.11n", "802.11be").replacen("\"ath9k\"", "\"edca-be\"", 1);
        let scenario = good(&text);
        let outcome = run::run(&scenario, &mut |_| true).expect("not interrupted");
        let summary = outcome.summary.to_value();
        let queues = summary["nodes"][if up { 1 } else { 2 }]["queues"].as_array().expect("a list").clone();
        for queue in queues.iter().filter(|queue| queue["layer"] == if up { "discipline" } else { "link" }) {
            prop_assert_eq!(queue["drops"].as_u64(), Some(0), "{} {}\n{}", word, queue, text);
        }
        if up {
            let count = |key: &str| summary["flows"][0][key].as_u64().expect("a count");
            let on_wire = count("delivered").div_ceil(400);
            let below = u64::from(scenario.station[0].adapter.depth.driver_limit) + 2048 + on_wire;
            prop_assert!(count("delivered") > 0, "{}", text);
            prop_assert!(count("sent") <= count("delivered") + below, "{}\n{}", summary["flows"][0], text);
        }
    }
}

#[test]
fn saturated_flows_share_a_queue_that_throws_out_what_it_holds() {
    let flows = flow("udp", true, "rate = \"saturated\"").repeat(3);
    let flows = format!("{flows}[[flow]]\nfrom = \"sta1\"\nto = \"server\"\n");
    for discipline in ["sfq", "fq_codel", "codel"] {
        let scenario = around(
            1,
            100,
            &format!(
                "[[station]]\nname = \"sta1\"\nhost = {{ profile = \"linux-3.13\", queue = {{ discipline = \"{discipline}\", limit = \"9 packets\" }} }}\n\
             adapter = \"ath9k\"\nsnr = \"60 dB\"\nrate = \"MCS 15\"\n[[server]]\nname = \"server\"\nhost = \"linux-3.13\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\" }}\n{flows}"
            ),
        );
        let outcome = run::run(&good(&scenario), &mut |_| true).expect("not interrupted");
        for n in 0..3 {
            let flow = outcome.summary.to_value()["flows"][n].clone();
            assert!(number(&flow["delivered"]) > 100.0, "{discipline}: {flow}");
        }
    }
}

/// A transmitter holds packets until they are acknowledged; those that the receiver has passed on have arrived,
/// whenever the run ends.
#[test]
fn what_has_arrived_is_not_under_way_as_well() {
    let (flow, server) = (flow("udp", false, "rate = \"20 Mbit/s\""), around(1, 1000, ENDS));
    for n in 0..40 {
        let end = ("duration".to_owned(), format!("{} us", 100_000 + 20 * n));
        let scenario = load(&format!("{server}{flow}"), "test.toml", &[end], None).expect("a scenario");
        let outcome = run::run(&scenario, &mut |_| true).expect("not interrupted");
        let flow = outcome.summary.to_value()["flows"][0].clone();
        assert_eq!(flow["lost"], 0, "{flow}");
    }
}

#[test]
fn a_ping_takes_the_wire_twice_and_the_air_twice() {
    let outcome = outcome(10, &flow("ping", true, "interval = \"100 ms\""));
    let flow = outcome.summary.to_value()["flows"][0].clone();
    // The last one leaves as the run ends, and is not lost.
    assert_eq!(
        (&flow["sent"], &flow["answered"], &flow["lost"]),
        (&Value::from(101), &Value::from(100), &Value::from(0))
    );
    let at = |key: &str| number(&flow[key]);
    assert!((2.05..2.3).contains(&at("rtt_median_ms")), "{flow}");
    assert!(at("rtt_median_ms") <= at("rtt_p95_ms") && at("rtt_p95_ms") <= at("rtt_max_ms"), "{flow}");
    assert!(outcome.summary.jain.is_none(), "pings share nothing");
}

#[test]
fn a_ping_beside_a_saturated_flow_waits_in_its_queue() {
    let flows = flow("ping", true, "interval = \"100 ms\"") + &flow("udp", true, "rate = \"saturated\"");
    let loaded = outcome(10, &flows);
    let summary = loaded.summary.to_value();
    let queues = summary["nodes"][1]["queues"].as_array().expect("queues");
    let waits: f64 = queues.iter().map(|queue| number(&queue["mean_sojourn_ms"])).sum();
    let rtt = number(&loaded.summary.to_value()["flows"][0]["rtt_mean_ms"]);
    // The wire there and back; and the answer waits for an A-MPDU or two of 1.4 ms to end.
    assert!((0.0..2.8).contains(&(rtt - waits - 2.0)), "{rtt} ms with {waits} ms in queues");
}

#[test]
fn flows_are_told_their_shares_of_goodput_and_stations_theirs_of_the_air() {
    let near = |n: u32, mcs: u32| {
        format!(
            "[[station]]\nname = \"sta{n}\"\nhost = \"linux-3.13\"\nadapter = {{ profile = \"ath9k\", ampdu_frames = 1 }}\n\
             snr = \"60 dB\"\nrate = \"MCS {mcs}\"\n\
             [[flow]]\nkind = \"udp\"\nfrom = \"sta{n}\"\nto = \"server\"\nrate = \"saturated\"\n"
        )
    };
    let server = "[[server]]\nname = \"server\"\nhost = \"linux-3.13\"\nlink = { rate = \"1 Gbit/s\", delay = \"1 ms\" }\n";
    let text = around(20, 100, &format!("{server}{}{}", near(1, 0), near(2, 7)));
    let outcome = run::run(&good(&text), &mut |_| true).expect("not interrupted");
    let summary = outcome.summary.to_value();
    // With one MPDU in a turn both have as many turns, so half of the goodput each, whatever their rates.
    let shares = [0, 1].map(|n| number(&summary["flows"][n]["share"]));
    assert!((shares[0] - 0.5).abs() < 0.02 && (shares[0] + shares[1] - 1.0).abs() < 1e-12, "{shares:?}");
    assert!(number(&summary["jain"]) > 0.995);
    let call = "[[flow]]\nkind = \"udp\"\nfrom = \"server\"\nto = \"sta1\"\nrate = \"64 kbit/s\"\n";
    let beside = run::run(&good(&format!("{text}{call}")), &mut |_| true).expect("not interrupted");
    assert!(beside.summary.jain.expect("two saturated flows") > 0.99, "a call asks for no more than it gets");
    let alone = run::run(&good(&around(1, 100, &format!("{server}{}", near(1, 7)))), &mut |_| true);
    assert_eq!(alone.expect("not interrupted").summary.jain, None, "one flow shares with nobody");
    // 1538 bytes take 949 us at 13.5 or 15 Mbit/s and ten times less at 135 or 150: the performance anomaly.
    let air = &summary["airtime"]["by_station"];
    let (slow, fast) = (number(&air["sta1"]), number(&air["sta2"]));
    assert!((slow + fast - 1.0).abs() < 1e-12 && (0.78..0.88).contains(&slow), "{air}");
}

/// What a flow gets while it is alone says nothing of how it shares.
#[test]
fn flows_share_while_all_of_them_are_under_way() {
    let own = |n: u32, time: &str| {
        format!(
            "[[station]]\nname = \"sta{n}\"\nhost = \"linux-3.13\"\nadapter = \"ath9k\"\nsnr = \"60 dB\"\nrate = \"MCS 7\"\n\
             [[flow]]\nkind = \"udp\"\nfrom = \"sta{n}\"\nto = \"server\"\nrate = \"saturated\"\n{time}\n"
        )
    };
    let server = "[[server]]\nname = \"server\"\nhost = \"linux-3.13\"\nlink = { rate = \"1 Gbit/s\", delay = \"1 ms\" }\n";
    let summary = |first: &str, second: &str| {
        let text = around(8, 100, &format!("{server}{}{}", own(1, first), own(2, second)));
        run::run(&good(&text), &mut |_| true).expect("not interrupted").summary
    };
    let late = summary("", "start = \"6 s\"");
    assert!(late.jain.expect("two saturated flows") > 0.99, "{:?}", late.jain);
    assert_eq!(late.jain_time_share, Some(0.25));
    let in_turn = summary("stop = \"3 s\"", "start = \"4 s\"");
    assert_eq!((in_turn.jain, in_turn.jain_time_share), (None, Some(0.0)));
    assert_eq!(summary("", "").jain_time_share, None);
}

/// A program that writes 50 kB each 100 ms moves 4 Mbit/s, and one that has less to write than that stops.
#[test]
fn a_program_that_writes_now_and_then_moves_what_it_writes() {
    let write = "write = { size = \"50 kB\", every = \"100 ms\" }";
    let flow = |rest: &str| {
        outcome(10, &flow("tcp", true, &format!("{write}\n{rest}"))).summary.to_value()["flows"][0].clone()
    };
    let endless = flow("");
    assert!((number(&endless["goodput_mbps"]) - 4.0).abs() < 0.05, "{endless}");
    let all = flow("bytes = \"120 kB\"");
    assert_eq!(all["bytes_delivered"], 120_000, "{all}");
    let ended = flow("stop = \"950 ms\"");
    assert_eq!(ended["bytes_delivered"], 500_000, "{ended}");
}
