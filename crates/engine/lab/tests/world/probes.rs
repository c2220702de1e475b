//! Packets that try a rate, and those that wait beside them.

use crate::scenarios::{good, number};
use airloom_lab::run;

/// Eight uploads leave the access point few PPDUs for a telephone, fewer than a call has packets: it hears only if they are joined, though
/// Minstrel would have each packet try a rate, once in 20 ms.
#[test]
fn firmware_joins_the_packets_of_a_call_though_each_is_due_to_try_a_rate() {
    let scenario = |adapter: &str| {
        format!(
            r#"
title = "A call down behind eight uploads"
duration = "6 s"
[air]
standard = "802.11ac"
band = "5 GHz"
width = "80 MHz"
[[ap]]
name = "ap"
adapter = "{adapter}"
[[station]]
name = "laptop"
count = 8
host = "linux-6.18"
adapter = "iwlwifi"
distance = "8 m"
rate = "MCS 8"
[[station]]
name = "telephone"
host = "linux-6.18"
adapter = "iwlwifi"
distance = "12 m"
rate = "minstrel"
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "15 ms" }}
[[flow]]
name = "upload"
from = "laptop"
to = "server"
[[flow]]
name = "call"
kind = "udp"
from = "server"
to = "telephone"
rate = "80 kbit/s"
payload = "200 B"
"#
        )
    };
    for adapter in ["ath10k", "ath11k", "iwlwifi"] {
        let outcome = run::run(&good(&scenario(adapter)), &mut |_| true).expect("not interrupted");
        let summary = outcome.summary.to_value();
        let flows = summary["flows"].as_array().expect("a list");
        let call = flows.iter().find(|flow| flow["name"] == "call").expect("it is there");
        let delay = number(&call["delay_mean_ms"]);
        // A few turns of nine receivers, 40 ms each.
        assert!(delay < 200.0, "{adapter}: {delay} ms");
    }
}

/// ath9k puts back the one packet that is to try a rate and pulls no other (`ath_tx_form_aggr()`): all that waits is where CoDel and turns by air time see it.
#[test]
fn a_driver_that_pulls_holds_a_ppdu_and_no_packets_behind_one_that_tries_a_rate() {
    let text = r#"
title = "Twenty-five downloads"
duration = "3 s"
[air]
standard = "802.11ax"
band = "5 GHz"
width = "80 MHz"
[[ap]]
name = "ap"
adapter = "edca-ax"
[[station]]
name = "laptop"
count = 25
host = "linux-6.18"
adapter = "edca-ax"
distance = "14 m"
rate = "minstrel"
[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "5 ms" }
[[flow]]
from = "server"
to = "laptop"
"#;
    let outcome = run::run(&good(text), &mut |_| true).expect("not interrupted");
    let queues = outcome.summary.to_value()["nodes"][0]["queues"].clone();
    let held = |layer: &str| {
        let queue = queues.as_array().expect("a list").iter().find(|queue| queue["layer"] == layer);
        number(&queue.expect("it is there")["mean_packets"])
    };
    // 64 packets of an A-MPDU, and one that tries a rate at each receiver. It was 241.
    assert!(held("driver") < 64.0 + 25.0, "{}", held("driver"));
    assert!(held("discipline") > held("driver"), "{}", held("discipline"));
}
