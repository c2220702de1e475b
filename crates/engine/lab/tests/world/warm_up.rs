//! What is not measured before the warm-up has ended, held against the series, of which it changes nothing.

use crate::scenarios::{around, good};
use airloom_lab::metrics::{Metric, Series};
use airloom_lab::run::{self, Outcome};
use airloom_sim::Duration;

/// A download that begins cold, beside pings and datagrams, for ten seconds of which none, or the first four and a half, are not measured.
fn outcome(warm_up: Option<&str>) -> Outcome {
    let mut text = around(
        10,
        300,
        "[[station]]\nname = \"sta\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nsnr = \"30 dB\"\n\
         [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = { rate = \"1 Gbit/s\", delay = \"20 ms\" }\n\
         [[flow]]\nfrom = \"server\"\nto = \"sta\"\n\
         [[flow]]\nkind = \"ping\"\nfrom = \"server\"\nto = \"sta\"\ninterval = \"10 ms\"\n\
         [[flow]]\nkind = \"udp\"\nfrom = \"sta\"\nto = \"server\"\nrate = \"1 Mbit/s\"\n",
    );
    text = text.replace("[air]", "record = { every = \"500 ms\" }\n[air]");
    if let Some(warm_up) = warm_up {
        text = text.replace("[air]", &format!("warm_up = \"{warm_up}\"\n[air]"));
    }
    run::run(&good(&text), &mut |_| true).expect("not interrupted")
}

/// The mean of a metric over the bins from 4.5 s on.
fn late(series: &Series, entity: &str, metric: Metric) -> f64 {
    let place = series.entities.iter().position(|name| name == entity).expect("it is there");
    let rows = series.rows.iter().filter(|row| usize::from(row.entity) == place && row.metric == metric);
    let values: Vec<f64> = rows.filter(|row| row.time >= 4.5).map(|row| row.value).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn the_summary_is_of_the_time_after_it() {
    let (whole, warm) = (outcome(None), outcome(Some("4.5 s")));
    assert_eq!(warm.series, whole.series);
    let (cold, measured) = (whole.summary.to_value(), warm.summary.to_value());
    assert_eq!((&cold["warm_up_s"], &measured["warm_up_s"]), (&serde_json::Value::Null, &4.5.into()));
    let near = |pointer: &str, entity: &str, metric: Metric| {
        let found = measured.pointer(pointer).and_then(serde_json::Value::as_f64).expect(pointer);
        let expected = late(&warm.series, entity, metric);
        assert!(
            (found - expected).abs() <= 1e-6 * expected.abs(),
            "{pointer}: {found} rather than {expected}"
        );
        assert_ne!(cold.pointer(pointer), measured.pointer(pointer), "{pointer}: nothing was cold");
    };
    near("/flows/0/goodput_mbps", "server-sta", Metric::Goodput);
    near("/flows/0/cwnd_mean", "server-sta", Metric::Cwnd);
    near("/flows/0/srtt_mean_ms", "server-sta", Metric::Srtt);
    near("/nodes/0/airtime_share", "ap", Metric::Airtime);
    near("/nodes/0/queues/0/mean_packets", "ap", Metric::Queue);
    let pings = &measured["flows"][1];
    let (sent, answered) =
        (pings["sent"].as_u64().expect("sent"), pings["answered"].as_u64().expect("answered"));
    assert!(sent.abs_diff(550) <= 1 && answered <= sent, "{pings}");
    let shares: f64 = measured["airtime"]["by_node"]
        .as_object()
        .expect("shares")
        .values()
        .map(|v| v.as_f64().unwrap())
        .sum();
    let rest = ["idle", "collided"]
        .map(|key| measured["airtime"][key].as_f64().expect("a share"))
        .iter()
        .sum::<f64>();
    assert!((shares + rest - 1.0).abs() < 1e-3, "{shares} and {rest} of the air's time");
}

#[test]
fn one_of_no_length_changes_nothing() {
    let (whole, warm) = (outcome(None), outcome(Some("0 s")));
    assert_eq!((warm.series, warm.summary), (whole.series, whole.summary));
}

#[test]
fn a_run_that_was_ended_before_it_is_measured_as_a_whole() {
    let mut scenario = good(&around(10, 300, ""));
    scenario.warm_up = Some(Duration::from_secs(20));
    let outcome = run::run(&scenario, &mut |_| true).expect("not interrupted");
    assert_eq!(outcome.summary.warm_up_s, None);
}

/// Packets that were sent before it wait for seconds in a FIFO of 2,000, and are under way as the run ends: they hide none that was lost.
#[test]
fn what_waits_since_before_it_hides_no_loss() {
    let of = |warm_up: &str| {
        let text = r#"
            title = "a deep queue"
            duration = "10 s"
            warm_up = "WARM"
            air = { standard = "802.11b", band = "2.4 GHz", width = "20 MHz" }
            ap = [{ name = "ap", adapter = "dcf", queue = { discipline = "fifo", limit = "2000 packets" } }]
            station = [{ name = "far", host = "linux-6.18", adapter = "dcf", distance = "10 m", rate = "2 Mbit/s" }]
            server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "5 ms" } }]
            flow = [{ kind = "udp", from = "server", to = "far", rate = "5 Mbit/s", payload = "1400 B" }]
        "#;
        let summary =
            run::run(&good(&text.replace("WARM", warm_up)), &mut |_| true).expect("it runs").summary;
        let flow = summary.to_value()["flows"][0].clone();
        ["sent", "delivered", "lost"].map(|key| flow[key].as_u64().expect("a count"))
    };
    // Nothing is dropped before 5 s, so that all who are lost were sent behind that.
    let ([_, _, all], [sent, delivered, lost]) = (of("0 s"), of("5 s"));
    assert_eq!(lost, all);
    assert!(lost > 500 && sent > lost + delivered, "{sent} sent, {delivered} arrived, {lost} lost");
}
