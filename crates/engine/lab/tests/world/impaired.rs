//! Links that lose packets, or hold them back.

use crate::scenarios::{around, good};
use airloom_lab::run;
use serde_json::Value;

/// What becomes of datagrams, one every millisecond, over the link of their sender.
fn summary(link: &str, kind: &str) -> Value {
    let rest = format!(
        "[[server]]\nname = \"near\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\", {link} }}\n\
         [[server]]\nname = \"far\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"10 ms\" }}\n\
         [[flow]]\nname = \"flow\"\nfrom = \"near\"\nto = \"far\"\n{kind}\n"
    );
    run::run(&good(&around(40, 20_000, &rest)), &mut |_| true).expect("not interrupted").summary.to_value()
}

const DATAGRAMS: &str =
    "kind = \"udp\"\nrate = \"1 Mbit/s\"\npayload = \"125 B\"\nspacing = \"constant\"\nstop = \"19 s\"";

/// Of 19,000 datagrams, a fifth within four standard deviations; each is counted where it was lost.
#[test]
fn a_share_of_the_packets_is_lost() {
    let summary = summary("loss = 0.2", DATAGRAMS);
    let lost = summary["flows"][0]["lost"].as_u64().expect("a number");
    assert!(lost.abs_diff(3800) < 4 * 55, "{lost}");
    let seen = &summary["drops"][0];
    assert_eq!((seen["place"].as_str(), seen["count"].as_u64()), (Some("near link"), Some(lost)));
    assert_eq!(seen["cause"], "lost on the link");
}

/// The mean delay has a quarter of what they are late by.
#[test]
fn a_share_of_the_packets_is_late() {
    let delay = |link: &str| {
        let summary = summary(link, DATAGRAMS);
        assert_eq!(summary["flows"][0]["lost"], 0);
        summary["flows"][0]["delay_mean_ms"].as_f64().expect("a time")
    };
    let later = delay("late = { share = 0.25, by = \"8 ms\" }") - delay("loss = 0");
    assert!((later - 2.0).abs() < 4.0 * 8.0 * (0.25_f64 * 0.75 / 19_000.0).sqrt(), "{later} ms");
}

/// Mathis et al. 1997: a sender with delayed acknowledgements whose losses are rare has a mean window of 0.87 / sqrt(p)
/// or less, since some losses end in timeouts; 1.22 / sqrt(p) is that of one without.
#[test]
fn the_window_follows_the_rate_of_loss() {
    let window = |loss: f64| {
        let kind = "kind = \"tcp\"\ntcp = { congestion = \"newreno\" }";
        summary(&format!("loss = {loss}"), kind)["flows"][0]["cwnd_mean"].as_f64().expect("a window")
    };
    let ratio = window(0.001) / window(0.016);
    assert!((ratio / 4.0 - 1.0).abs() < 0.2, "{ratio}");
}
