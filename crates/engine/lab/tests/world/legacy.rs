//! TCP through cells of 802.11b, a and g: the goodput of one flow, by hand and by run, and the effect of slow stations
//! and changing rates on it.

use crate::scenarios::good;
use airloom_lab::run;
use airloom_lab::scenario::Scenario;

/// A cell with one station that sends to a server for this many seconds.
fn cell(air: &str, station: &str, seconds: u32) -> Scenario {
    good(&format!(
        r#"
title = "A test"
duration = "{seconds} s"
[air]
width = "20 MHz"
{air}
[[ap]]
name = "ap"
adapter = "dcf"
[[station]]
name = "sta1"
host = "linux-3.13"
snr = "40 dB"
{station}
[[server]]
name = "server"
host = "linux-3.13"
link = {{ rate = "1 Gbit/s", delay = "0.25 ms" }}
[[flow]]
from = "sta1"
to = "server"
"#
    ))
}

const B: &str = "standard = \"802.11b\"\nband = \"2.4 GHz\"\n";
const A: &str = "standard = \"802.11a\"\nband = \"5 GHz\"\n";
const G: &str = "standard = \"802.11g\"\nband = \"2.4 GHz\"\n";

/// Goodput of the only flow, in Mbit/s.
fn goodput(scenario: &Scenario) -> f64 {
    let outcome = run::run(scenario, &mut |_| true).expect("not interrupted");
    outcome.summary.to_value()["flows"][0]["goodput_mbps"].as_f64().expect("a number")
}

/// One segment of 1,448 bytes in a frame of 1,536 bytes, and half a TCP acknowledgment in one of 88, in microseconds, each
/// with DIFS, mean backoff, SIFS and the response. Backoffs of station and access point that run at the same time gain a
/// little on that, collisions lose a little.
#[test]
fn one_flow_attains_what_its_cell_can_carry() {
    let rows = [
        // 50 + 15.5 x 20 + 1310 + 10 + 248 and 50 + 310 + 256 + 10 + 248.
        (B.to_owned(), "11 Mbit/s", 1928.0, 874.0),
        // All four rates basic: responses take 203.
        (format!("{B}basic_rates = [\"1 Mbit/s\", \"11 Mbit/s\"]"), "11 Mbit/s", 1883.0, 829.0),
        // 50 + 310 + 1214 + 10 + 152 and 50 + 310 + 160 + 10 + 152.
        (format!("{B}preamble = \"short\""), "11 Mbit/s", 1736.0, 682.0),
        // 50 + 310 + 12480 + 10 + 304 and 50 + 310 + 896 + 10 + 304.
        (B.to_owned(), "1 Mbit/s", 13_154.0, 1570.0),
        // 34 + 7.5 x 9 + 248 + 16 + 28 and 34 + 67.5 + 36 + 16 + 28.
        (A.to_owned(), "54 Mbit/s", 393.5, 181.5),
        // 28 + 7.5 x 9 + 254 + 10 + 34 and 28 + 67.5 + 42 + 10 + 34.
        (G.to_owned(), "54 Mbit/s", 393.5, 181.5),
        // 50 + 7.5 x 20 + CTS 203 + 10 + 254 + 10 + 34 and 50 + 150 + 203 + 10 + 42 + 10 + 34.
        (format!("{G}protection = \"cts-to-self\"\nslot = \"long\""), "54 Mbit/s", 711.0, 499.0),
        // The same with RTS 207 + 10 before.
        (format!("{G}protection = \"rts-cts\"\nslot = \"long\""), "54 Mbit/s", 928.0, 716.0),
    ];
    for (air, rate, data, ack) in rows {
        let expected = 8.0 * 1448.0 / (data + 0.5 * ack);
        let measured = goodput(&cell(&air, &format!("adapter = \"dcf\"\nrate = \"{rate}\""), 20));
        let off = measured / expected - 1.0;
        println!("{} at {rate}: {measured:.2} Mbit/s, {expected:.2} expected", air.replace('\n', " "));
        assert!(off.abs() < 0.05, "{air} at {rate}: {measured:.3} rather than {expected:.3} Mbit/s");
    }
}

/// A station of 802.11b in a cell of 802.11g: the slot is long, and the other stations use protection.
#[test]
fn a_station_of_802_11b_makes_a_cell_of_802_11g_protect_itself() {
    let old = "adapter = { profile = \"dcf\", standard = \"802.11b\", rate_control = \"highest\" }";
    let text = cell(G, old, 1).to_toml();
    for line in ["slot = \"long\"", "protection = \"cts-to-self\"", "rate = \"11 Mbit/s\""] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    let highest = "adapter = { profile = \"dcf\", rate_control = \"highest\" }";
    let text = cell(G, highest, 1).to_toml();
    for line in ["slot = \"short\"", "protection = \"none\"", "rate = \"54 Mbit/s\""] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

#[test]
fn a_script_of_rates_is_followed() {
    let rate = "[{ at = \"0 s\", rate = \"11 Mbit/s\" }, { at = \"10 s\", rate = \"1 Mbit/s\" }]";
    let scenario = cell(B, &format!("adapter = \"dcf\"\nrate = {rate}"), 20);
    assert_eq!(good(&scenario.to_toml()), scenario);
    let outcome = run::run(&scenario, &mut |_| true).expect("not interrupted");
    let series = outcome.series;
    for row in series.rows.iter().filter(|row| row.metric.name_and_unit().0 == "mac_rate") {
        let expected = if row.time < 10.0 { 11.0 } else { 1.0 };
        // The step finds a frame on the air, one among 70 of the second that follows.
        let others = if (row.time - 10.0).abs() < 0.5 { 10.0 / 70.0 } else { 0.0 };
        assert!((row.value - expected).abs() < others + 1e-9, "{} Mbit/s at {} s", row.value, row.time);
    }
}

/// At 40 dB every rate is good, and at 3 dB none above 5.5 Mbit/s is.
#[test]
fn adaptive_controls_settle_on_a_rate_that_works() {
    for control in ["arf", "aarf", "minstrel", "onoe"] {
        for (snr, least, most) in [("40 dB", 4.7, 5.3), ("3 dB", 2.2, 3.6)] {
            let text = cell(B, &format!("adapter = \"dcf\"\nrate = \"{control}\""), 20).to_toml();
            let measured = goodput(&good(&text.replace("snr = \"40 dB\"", &format!("snr = \"{snr}\""))));
            println!("{control} at {snr}: {measured:.2} Mbit/s");
            assert!((least..most).contains(&measured), "{control} at {snr}: {measured} Mbit/s");
        }
    }
}
