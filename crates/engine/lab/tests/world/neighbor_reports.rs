//! Neighbor reports: a station asks for one as it is associated, and scans the channels that it names alone.

use crate::roaming::{End, only, play};
use crate::two_access_points::Room;
use airloom_observe::JoiningFrame;

/// A laptop with iwd at the farther one of two access points, which looks for the other one 5 s after its signal is low, with further keys of its
/// `roam`.
fn room(west: &str, roam: &str) -> String {
    let laptop = &format!("roam = {{ by = \"iwd\", threshold_5ghz = \"-60 dBm\"{roam} }}");
    let flow = "from = \"server\"\nto = \"laptop\"\nkind = \"udp\"\nrate = \"1 Mbit/s\"";
    let room = Room { duration: "9 s", east_m: 30, laptop_m: 25, air: "", west, laptop, flow };
    room.scenario()
}

const REPORTS: &str = "rrm_neighbor_report = true";

/// How long the scan before the way took, in ms.
fn scan_ms(end: &End) -> f64 {
    let scans = &end.guard.scans;
    let [.., [begun, over]] = &scans[..] else { panic!("{scans:?}") };
    over.since(*begun).as_secs_f64() * 1e3
}

/// Beside its own channel 36 the report names 44: two visits with probes, 28 + 28 ms each. Without it these are 44 and 11 channels that
/// nobody is on, 108 ms each, and 200 ms at home before each of those, since data wait.
#[test]
fn a_scan_after_a_report_visits_the_channels_that_it_names() {
    let [with, without] = [REPORTS, ""].map(|west| play(&room(west, ", channels = 12")));
    assert_eq!(only(&with).to.as_deref(), Some("east"));
    assert_eq!(only(&without).to.as_deref(), Some("east"));
    let [short, long] = [scan_ms(&with), scan_ms(&without)];
    assert!((112.0..113.0).contains(&short) && (3444.0..3450.0).contains(&long), "{short}, {long}");
}

/// What comes after its association asks anew; before the run it had its answer.
#[test]
fn a_station_asks_as_it_is_associated_and_is_told_all_of_the_network() {
    // East answers, so that it asks there; west alone answers, so that nobody asks.
    let text = |west: &str, east: &str| {
        room(west, "").replace("name = \"east\"", &format!("name = \"east\"\n{east}"))
    };
    let frames = |text: &str| {
        let end = play(text);
        assert!(end.guard.faults.is_empty(), "{:?}", end.guard.faults);
        let associated = only(&end).associated_s.expect("it arrives");
        let asked = end.guard.asked;
        assert!(asked.iter().all(|(at, _)| (associated..associated + 0.01).contains(&at.as_secs_f64())));
        let mut frames: Vec<_> = asked.into_iter().map(|(_, frame)| frame).collect();
        frames.dedup();
        frames
    };
    let both = [JoiningFrame::NeighborRequest, JoiningFrame::NeighborReport { named: 2 }];
    assert_eq!(frames(&text("", REPORTS)), both);
    assert_eq!(frames(&text(REPORTS, "")), []);
}
