//! What a scenario is warned of comes true, and what it is not warned of does not.

use crate::scenarios::{around, good};
use airloom_lab::run;
use airloom_lab::scenario::Scenario;

/// A saturated download at a fixed rate to a station with this ratio.
fn download(rate: &str, snr: i32) -> Scenario {
    good(&around(
        1,
        1000,
        &format!(
            "[[station]]\nname = \"sta\"\nhost = \"linux-3.13\"\nadapter = {{ profile = \"ath9k\", control_rate = \"basic\" }}\n\
             snr = \"{snr} dB\"\nrate = \"{rate}\"\n\
             [[server]]\nname = \"server\"\nhost = \"linux-3.13\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\" }}\n\
             [[flow]]\nkind = \"udp\"\nfrom = \"server\"\nto = \"sta\"\nrate = \"saturated\"\n"
        ),
    ))
}

fn goodput(scenario: &Scenario) -> f64 {
    let outcome = run::run(scenario, &mut |_| true).expect("not interrupted");
    outcome.summary.to_value()["flows"][0]["goodput_mbps"].as_f64().expect("a number")
}

/// The ratio below which a rate is warned of is where its goodput falls from most of what it can be to next to nothing.
#[test]
fn a_rate_starves_where_it_is_warned_of() {
    for rate in ["MCS 0", "MCS 4", "MCS 7", "MCS 15"] {
        let heard = |snr: &i32| download(rate, *snr).warnings().is_empty();
        let first = (4..40).find(heard).expect("some ratio is enough");
        assert!((first..40).all(|snr| heard(&snr)), "{rate}");
        let [below, there, best] =
            [first - 2, first, first + 8].map(|snr| goodput(&download(rate, snr.max(3))));
        assert!(there > 0.4 * best, "{rate} at {first} dB: {there} of {best} Mbit/s");
        if first > 4 {
            assert!(below < 0.05 * best, "{rate} at {} dB: {below} of {best} Mbit/s", first - 2);
        }
    }
}
