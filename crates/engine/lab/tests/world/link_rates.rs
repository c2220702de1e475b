//! Senders that know the rate of their own link, on a link that falls from 11 to 1 Mbit/s and comes back.

use crate::scenarios::good;
use airloom_lab::run::{self, Outcome};

fn outcome(link_rate: &str) -> Outcome {
    let text = format!(
        r#"
title = "A link that falls and comes back"
duration = "60 s"
[air]
standard = "802.11b"
band = "2.4 GHz"
width = "20 MHz"
[[ap]]
name = "ap"
adapter = "ns-2-80211b"
[[station]]
name = "slow"
host = "ns-2"
adapter = "ns-2-80211b"
snr = "60 dB"
rate = [
    {{ at = "0 s", rate = "11 Mbit/s" }},
    {{ at = "20 s", rate = "1 Mbit/s" }},
    {{ at = "40 s", rate = "11 Mbit/s" }},
]
[[station]]
name = "fast"
host = "ns-2"
adapter = "ns-2-80211b"
snr = "60 dB"
rate = "11 Mbit/s"
[[server]]
name = "server"
host = "ns-2"
link = {{ rate = "100 Mbit/s", delay = "1 ms" }}
[[flow]]
from = "slow"
to = "server"
tcp.link_rate = {link_rate}
[[flow]]
from = "fast"
to = "server"
tcp.link_rate = {link_rate}
"#
    );
    run::run(&good(&text), &mut |_| true).expect("not interrupted")
}

/// The mean of a metric of an entity from one second to another.
fn mean(outcome: &Outcome, entity: &str, metric: &str, from: f64, to: f64) -> f64 {
    let series = &outcome.series;
    let values: Vec<f64> = series
        .rows
        .iter()
        .filter(|row| row.time >= from && row.time < to)
        .filter(|row| {
            series.entities[usize::from(row.entity)] == entity && row.metric.name_and_unit().0 == metric
        })
        .map(|row| row.value)
        .collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn a_sender_that_is_told_takes_an_eleventh_of_its_window_and_leaves_the_air_to_the_other() {
    let (ignored, told) = (outcome("\"ignore\""), outcome("\"told\""));
    let cwnd = |from, to| mean(&told, "slow-server", "cwnd", from, to);
    let (before, during, after) = (cwnd(18.0, 20.0), cwnd(21.0, 23.0), cwnd(40.0, 42.0));
    assert!((during - before / 11.0).abs() < 1.5, "{during} of {before}");
    assert!(after > before, "what was saved is back: {after} after {before}");
    let fast = |run, from, to| mean(run, "fast-server", "goodput", from, to);
    // The performance anomaly, and its absence.
    assert!(fast(&ignored, 22.0, 40.0) < 0.55 * fast(&ignored, 5.0, 20.0));
    assert!(fast(&told, 22.0, 40.0) > 0.8 * fast(&told, 5.0, 20.0));
    let slow = |from, to| mean(&told, "slow-server", "goodput", from, to);
    assert!(slow(45.0, 60.0) > 0.95 * slow(5.0, 20.0), "it is back at its share");
}

#[test]
fn a_sender_that_asks_learns_the_same_a_question_later() {
    let (told, asked) = (outcome("\"told\""), outcome("{ poll = \"100 ms\" }"));
    let cwnd = |run, from: f64, to| mean(run, "slow-server", "cwnd", from, to);
    assert!((cwnd(&told, 22.0, 40.0) - cwnd(&asked, 22.0, 40.0)).abs() < 0.5);
    let seldom = outcome("{ poll = \"7 s\" }");
    // Asked at 14, 21 and 28 s.
    assert!(cwnd(&seldom, 20.0, 21.0) > 5.0 * cwnd(&seldom, 22.0, 28.0));
}

#[test]
fn a_sender_whose_link_never_changes_is_not_disturbed_by_asking() {
    let goodput = |run: &Outcome| mean(run, "fast-server", "goodput", 0.0, 20.0);
    let (ignored, told) = (outcome("\"ignore\""), outcome("\"told\""));
    assert!((goodput(&ignored) - goodput(&told)).abs() < 1e-12);
}
