//! Access points that ask a station to go to a better one, and what the station makes of it.

use crate::roaming::{End, only, play};
use crate::two_access_points::Room;
use airloom_observe::{JoiningFrame, NodeId};
use airloom_sim::{Duration, Time};

/// A laptop at the farther one of two access points, with a download: it stays at its own as long as nobody asks it to go.
fn room(steer: &str, roam: &str) -> End {
    let laptop = &format!("roam = {roam}");
    let flow = "from = \"server\"\nto = \"laptop\"\nkind = \"udp\"\nrate = \"1 Mbit/s\"";
    let room = Room { duration: "16 s", east_m: 30, laptop_m: 25, air: "", west: steer, laptop, flow };
    play(&room.scenario())
}

const STEER: &str = "steer = { below = \"-60 dBm\", better_by = \"8 dB\", waits = \"2 s\" }";
const EAST: NodeId = NodeId(1);

fn second(n: u64) -> Time {
    Time::ZERO + Duration::from_secs(n)
}

/// The frames of requests in their order, each once, and the second in which the first was sent.
fn asked(end: &End) -> (u64, Vec<JoiningFrame>) {
    assert!(end.guard.faults.is_empty(), "{:?}", end.guard.faults);
    let mut frames: Vec<_> = end.guard.asked.iter().map(|(_, frame)| *frame).collect();
    frames.dedup();
    let first = end.guard.asked.first().map_or(Time::ZERO, |(at, _)| *at);
    (first.since(Time::ZERO).as_nanos() / 1_000_000_000, frames)
}

/// wpa_supplicant, with which a sticky station obeys too, answers before it goes, and iwd just goes.
#[test]
fn a_station_that_obeys_scans_and_goes_to_the_access_point_that_is_named() {
    let request = JoiningFrame::TransitionRequest { to: EAST };
    let agrees = JoiningFrame::TransitionResponse { to: Some(EAST), status: 0 };
    let obeys = "{ by = \"sticky\", steered = \"obeys\" }";
    let slow = "{ by = \"wpa_supplicant\", threshold = \"-90 dBm\" }";
    let patient = "{ by = \"iwd\", threshold_5ghz = \"-90 dBm\" }";
    for (roam, frames) in
        [(obeys, vec![request, agrees]), (slow, vec![request, agrees]), (patient, vec![request])]
    {
        let end = room(STEER, roam);
        assert_eq!(asked(&end), (3, frames), "{roam}");
        let way = only(&end);
        assert_eq!(
            (way.why, way.from.as_str(), way.to.as_deref()),
            ("asked", "west", Some("east")),
            "{roam}"
        );
        // A scan of one channel, 56 ms, and the way there.
        let associated = way.associated_s.expect("it arrives");
        assert!((3.08..3.25).contains(&associated), "{roam}: {associated}");
        assert!(only(&end).gap_ms.expect("data on both sides") < 250.0, "{roam}");
        assert!(room("", roam).roams().is_empty(), "{roam}: not by itself");
    }
}

#[test]
fn a_station_that_refuses_stays() {
    let end = room(STEER, "\"sticky\"");
    let no = JoiningFrame::TransitionResponse { to: None, status: 1 };
    assert_eq!(asked(&end), (3, vec![JoiningFrame::TransitionRequest { to: EAST }, no]));
    assert!(end.roams().is_empty(), "{:?}", end.summary.roams);
}

#[test]
fn a_station_that_ignores_requests_is_deauthenticated_after_ten_seconds() {
    let end = room(STEER, "{ by = \"sticky\", steered = \"ignores\" }");
    let ends = JoiningFrame::Deauthentication { reason: 12 };
    assert_eq!(asked(&end), (3, vec![JoiningFrame::TransitionRequest { to: EAST }, ends]));
    let way = only(&end);
    assert_eq!((way.why, way.to.as_deref()), ("sent away", Some("east")));
    let associated = way.associated_s.expect("it arrives");
    assert!((13.1..13.5).contains(&associated), "two channels, 110 ms on each: {associated}");
    assert!(
        end.guard.asked.iter().all(|(at, _)| *at < second(14)),
        "nobody asks a station at the nearer one"
    );
}
