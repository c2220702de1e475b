//! Links behind queues that hold packets back.

use crate::scenarios::{around, good};
use airloom_lab::run;

/// 10 Mbit/s, counted in packets of 1500 bytes.
const TBF: &str = "{ discipline = \"tbf\", rate = \"10 Mbit/s\", burst = \"5 kB\" }";

/// The goodput of a flow from `from` to `to`, in Mbit/s. The link of the server `near` is shaped, and so is what the station
/// `sta` sends.
fn goodput(from: &str, to: &str, kind: &str) -> f64 {
    let rest = format!(
        "[[station]]\nname = \"sta\"\nhost = {{ profile = \"linux-6.18\", queue = {TBF} }}\nadapter = \"ath9k\"\nsnr = \"50 dB\"\nrate = \"MCS 15\"\n\
         [[server]]\nname = \"near\"\nhost = \"linux-6.18\"\n\
         link = {{ rate = \"1 Gbit/s\", delay = \"1 ms\", queue = {TBF} }}\n\
         [[server]]\nname = \"far\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"10 ms\" }}\n\
         [[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\n{kind}\n"
    );
    let outcome = run::run(&good(&around(40, 1000, &rest)), &mut |_| true).expect("not interrupted");
    outcome.summary.to_value()["flows"][0]["goodput_mbps"].as_f64().expect("a rate")
}

/// The device that dequeues asks again when the tokens are there: a server's wire, the access point's wire to it, a station's driver.
#[test]
fn a_flow_gets_the_shaped_rate() {
    for (from, to) in [("near", "far"), ("far", "near"), ("sta", "far")] {
        let datagrams = goodput(from, to, "kind = \"udp\"\nrate = \"saturated\"\npayload = \"1472 B\"");
        let best = 10.0 * 1472.0 / 1500.0;
        assert!((datagrams / best - 1.0).abs() < 0.01, "from {from} to {to}: {datagrams} of {best} Mbit/s");
        let tcp = goodput(from, to, "");
        let best = 10.0 * 1448.0 / 1500.0;
        assert!((tcp / best - 1.0).abs() < 0.01, "from {from} to {to}: {tcp} of {best} Mbit/s of TCP");
    }
}
