//! Throughput is window over round-trip time.

use crate::scenarios::{around, good, window_limited};
use airloom_lab::metrics::{Metric, Series};
use airloom_lab::run;

/// Payload of a full segment with timestamps, in Mbit.
const SEGMENT: f64 = 1448.0 * 8e-6;

/// The values of `metric` of the last entity, the flow, in the bins from second `from` on.
fn values(series: &Series, metric: Metric, from: f64) -> Vec<f64> {
    let flow = series.entities.len() as u16 - 1;
    let rows = series.rows.iter().filter(|r| r.entity == flow && r.metric == metric && r.time >= from);
    rows.map(|r| r.value).collect()
}

/// In each second from `from` on, goodput and `held` segments over the round-trip time, in Mbit/s, and whether the window
/// was left alone: nothing was sent again.
fn seconds(series: &Series, held: Metric, from: f64) -> Vec<(f64, f64, bool)> {
    let steady = values(series, Metric::Retransmissions, from).into_iter().map(|n| n < 0.5);
    let [goodput, held, rtt] = [Metric::Goodput, held, Metric::Rtt].map(|m| values(series, m, from));
    assert_eq!((goodput.len(), rtt.len()), (held.len(), held.len()));
    let law = held.iter().zip(&rtt).map(|(&w, &r)| w * SEGMENT / (r * 1e-3));
    goodput.into_iter().zip(law).zip(steady).map(|((g, l), s)| (g, l, s)).collect()
}

/// The law holds within `each` in every steady second, and within `all` on the whole.
fn check(seconds: &[(f64, f64, bool)], each: f64, all: f64) {
    assert!(seconds.iter().filter(|s| s.2).count() > 10);
    for (n, (goodput, law, _)) in seconds.iter().enumerate().filter(|(_, s)| s.2) {
        assert!((law / goodput - 1.0).abs() < each, "second {n}: {goodput:.2} rather than {law:.2} Mbit/s");
    }
    let (goodput, law) = seconds.iter().fold((0.0, 0.0), |(g, l), s| (g + s.0, l + s.1));
    assert!((law / goodput - 1.0).abs() < all, "on the whole {:.3}", law / goodput);
}

/// A sender without small queue: packets in flight wait in the station's own queue.
#[test]
fn goodput_is_flight_over_round_trip_time_in_the_air() {
    let series = run::run(&window_limited(), &mut |_| true).expect("not interrupted").series;
    check(&seconds(&series, Metric::InFlight, 5.0), 0.03, 0.01);
}

/// Senders with small queues that contend: ACKs come together, and what they let go leaves later, as the queues below make room.
#[test]
fn goodput_is_flight_over_round_trip_time_where_segments_leave_long_after_their_acks() {
    let mut rest = String::from(
        "[[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = { rate = \"1 Gbit/s\", delay = \"6 ms\" }\n",
    );
    for n in 1..=8 {
        rest += &format!(
            "[[station]]\nname = \"sta{n}\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nsnr = \"40 dB\"\n\
             [[flow]]\nfrom = \"sta{n}\"\nto = \"server\"\n"
        );
    }
    let series = run::run(&good(&around(20, 1000, &rest)), &mut |_| true).expect("not interrupted").series;
    check(&seconds(&series, Metric::InFlight, 5.0), 0.5, 0.1);
}

/// A window limited only by congestion, over a long wire behind the access point.
#[test]
fn goodput_is_window_over_round_trip_time_on_a_long_path() {
    let rest = r#"
[[server]]
name = "sender"
host = "linux-3.13"
link = { rate = "1 Gbit/s", delay = "0 s" }
[[server]]
name = "receiver"
host = "linux-3.13"
link = { rate = "50 Mbit/s", delay = "20 ms", queue = { discipline = "fifo", limit = "150 packets" } }
[[flow]]
from = "sender"
to = "receiver"
tcp.congestion = "newreno"
"#;
    let series = run::run(&good(&around(60, 1000, rest)), &mut |_| true).expect("not interrupted").series;
    check(&seconds(&series, Metric::Cwnd, 10.0), 0.05, 0.01);
}
