//! Stations that doze to save power.

use crate::scenarios::{around, good};
use airloom_lab::run;
use serde_json::Value;

/// What came of pings to or from a station with these keys, at an interval in ms, for a minute.
fn pings(keys: &str, up: bool, interval: u32) -> Value {
    let (from, to) = if up { ("laptop", "server") } else { ("server", "laptop") };
    let rest = format!(
        r#"
[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "ath9k"
snr = "40 dB"
rate = "MCS 7"
{keys}
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
[[flow]]
kind = "ping"
from = "{from}"
to = "{to}"
interval = "{interval} ms"
"#
    );
    let text = around(60, 100, &rest);
    run::run(&good(&text), &mut |_| true).expect("not interrupted").summary.to_value()["flows"][0].clone()
}

fn number(flow: &Value, key: &str) -> f64 {
    flow[key].as_f64().unwrap_or_else(|| panic!("no {key} in {flow}"))
}

/// What arrives at any time waits for the next beacon: half an interval on average and a whole one at most.
#[test]
fn what_arrives_for_a_station_that_dozes_waits_for_a_beacon() {
    // Slowly through all phases of the beacon interval of 102.4 ms.
    let dozing = pings("power_save = {}", false, 311);
    let awake = pings("", false, 311);
    assert!(number(&awake, "rtt_max_ms") < 5.0, "{awake}");
    let (median, most) = (number(&dozing, "rtt_median_ms"), number(&dozing, "rtt_max_ms"));
    assert!((45.0..62.0).contains(&median) && (95.0..110.0).contains(&most), "{dozing}");
    assert_eq!(dozing["lost"], 0);
}

/// A station that listens to every third beacon alone lets it wait for up to three intervals.
#[test]
fn who_listens_seldom_waits_longer() {
    let most = number(&pings("power_save = { listen_interval = 3 }", false, 411), "rtt_max_ms");
    assert!((270.0..315.0).contains(&most), "{most} ms");
}

/// What it sends itself wakes it, and what comes back soon finds it awake.
#[test]
fn what_a_station_sends_itself_does_not_wait() {
    let most = number(&pings("power_save = {}", true, 311), "rtt_max_ms");
    assert!(most < 5.0, "{most} ms");
}

/// With data more often than its timeout it does not doze.
#[test]
fn a_station_with_data_does_not_doze() {
    let most = number(&pings("power_save = { timeout = \"100 ms\" }", false, 90), "rtt_max_ms");
    assert!(most < 5.0, "{most} ms");
}

/// A scan in between does not confuse it.
#[test]
fn a_station_that_dozes_may_scan() {
    let scan = "power_save = {}\nscan = { by = \"networkmanager-0.9.8\", channels = 8, first = \"5 s\", longest = \"20 s\", \
                shortest = \"20 s\" }";
    let flow = pings(scan, false, 311);
    assert_eq!(flow["lost"], 0, "{flow}");
    assert!((45.0..75.0).contains(&number(&flow, "rtt_median_ms")), "{flow}");
}
