//! Access points that lose their power, or give up on a station, and what the station makes of it.

use crate::roaming::{End, only, play};
use crate::two_access_points::Room;
use airloom_lab::summary::FlowNumbers;
use airloom_observe::JoiningFrame;

/// A laptop that stands between two access points, nearer to the first, and a flow.
fn room(air: &str, west: &str, laptop: &str, flow: &str) -> String {
    let flow = &format!("name = \"flow\"\n{flow}");
    Room { duration: "6 s", east_m: 20, laptop_m: 4, air, west, laptop, flow }.scenario()
}

const DOWN: &str = "from = \"server\"\nto = \"laptop\"\nkind = \"udp\"\nrate = \"4 Mbit/s\"";
const UP: &str = "from = \"laptop\"\nto = \"server\"\nkind = \"udp\"\nrate = \"4 Mbit/s\"";
const STICKY: &str = "roam = \"sticky\"";

fn off(from: &str, to: &str) -> String {
    format!("off = [{{ from = \"{from}\", to = \"{to}\" }}]")
}

/// The share of a flow's datagrams that arrived.
fn arrived(end: &End) -> f64 {
    let FlowNumbers::Udp(udp) = &end.summary.flows[0].numbers else { panic!("datagrams") };
    udp.delivered as f64 / udp.sent as f64
}

/// So many packets were lost, at this place for this cause.
fn dropped(end: &End, place: &str, cause: &str) -> u64 {
    let is_it = |drop: &&airloom_lab::summary::Drop| drop.place == place && drop.cause == cause;
    end.summary.drops.iter().find(is_it).map_or(0, |drop| drop.count)
}

/// 350 packets a second.
#[test]
fn a_station_misses_the_beacons_of_an_access_point_without_power_and_finds_another() {
    for roam in ["sticky", "wpa_supplicant", "iwd"] {
        let end = play(&room("", &off("2 s", "5 s"), &format!("roam = \"{roam}\""), DOWN));
        assert!(end.guard.faults.is_empty(), "{:?}", end.guard.faults);
        let way = only(&end);
        let east = Some("east".to_owned());
        assert_eq!((way.from.as_str(), way.to, way.why), ("west", east, "lost"), "{roam}");
        assert_eq!(way.decided_late_ms, None, "{roam}: it did not decide by itself");
        // Seven beacons of 102.4 ms, a search of two channels for 110 ms each, and the way there.
        let there = way.associated_s.expect("it arrived");
        assert!((2.7..3.1).contains(&there), "{roam}: {there}");
        let lost = dropped(&end, "west queue", "access point off");
        assert!((250..450).contains(&lost), "{roam}: {lost} packets came to the access point meanwhile");
        assert_eq!(dropped(&end, "west queue", "station left"), 0, "{roam}: one cause for each");
        assert!(arrived(&end) > 0.75, "{roam}: {}", arrived(&end));
    }
}

/// After the seventh beacon, 717 ms after the last, it asks twice: `edca-ac` makes so many attempts at a null frame. Back within these, the access point
/// acknowledges one and says that it does not know the station.
#[test]
fn a_station_asks_an_access_point_without_beacons_whether_it_is_there() {
    let of = |until: &str| play(&room("", &off("2 s", until), STICKY, DOWN));
    let end = of("5 s");
    let (asked, lost) = (&end.guard.unanswered, end.guard.lost.expect("it has lost it").as_secs_f64());
    assert_eq!(asked.len(), 2 * ATTEMPTS, "{asked:?}");
    let [first, last] = [asked[0], asked[asked.len() - 1]].map(|at| at.as_secs_f64());
    assert!(first > SEVENTH && last <= lost && lost < SEVENTH + 0.02, "{asked:?}, {lost}");
    let end = of("2663 ms");
    assert!(end.guard.lost.is_none() && !end.guard.unanswered.is_empty());
    assert_eq!(only(&end).why, "dismissed");
}

/// The seventh beacon after 2 s, of one each 102.4 ms.
const SEVENTH: f64 = 26.0 * 0.1024;
const ATTEMPTS: usize = 7;

#[test]
fn a_station_that_does_not_roam_has_no_network_until_the_power_is_back() {
    // What a station has to send waits in its queue: its driver gives up one after the other meanwhile, and CoDel drops some of the rest. In eight
    // seeds 80 to 86 % arrive.
    for (flow, share) in [(DOWN, 0.45..0.55), (UP, 0.75..0.9)] {
        let end = play(&room("", &off("2 s", "5 s"), "", flow));
        assert!(end.roams().is_empty());
        assert!(share.contains(&arrived(&end)), "three of six seconds: {}", arrived(&end));
    }
    let end = play(&room("", &off("2 s", "5 s"), "", "from = \"server\"\nto = \"laptop\"\nstop = \"4 s\""));
    let FlowNumbers::Tcp(tcp) = &end.summary.flows[0].numbers else { panic!("TCP") };
    assert!(tcp.timeouts > 0);
    assert_eq!(end.flows[0].delivered, end.flows[0].written, "TCP goes on where it was");
}

/// Its beacons are back before seven were missed.
#[test]
fn an_access_point_that_was_off_for_a_moment_tells_a_station_that_it_does_not_know_it() {
    let short = off("2 s", "2.3 s");
    for (roam, most) in [("sticky", 0.1), ("wpa_supplicant", 0.1), ("iwd", 0.4)] {
        let end = play(&room("", &short, &format!("roam = \"{roam}\""), UP));
        assert!(end.guard.faults.is_empty(), "{:?}", end.guard.faults);
        let way = only(&end);
        let west = Some("west".to_owned());
        assert_eq!((way.from.as_str(), way.to, way.why), ("west", west, "dismissed"), "{roam}");
        // iwd searches first, two channels for 110 ms each.
        let there = way.associated_s.expect("it arrived") - 2.3;
        assert!((0.03..most).contains(&there), "{roam}: {there}");
        assert!(dropped(&end, "laptop driver", "station not associated") > 0);
        // TCP waits for its timer at most, which is less than one of the six seconds.
        assert!(arrived(&end) > 5.0 / 6.0, "{roam}: {}", arrived(&end));
    }
    let end = play(&room("", &short, STICKY, DOWN));
    assert!(end.roams().is_empty(), "it sends nothing, and so is not told");
    assert!(dropped(&end, "west queue", "station left") > 1000);
}

/// 30 s after the last datagram, although all beacons come (`IEEE80211_CONNECTION_IDLE_TIME`).
#[test]
fn a_station_that_sends_nothing_asks_after_half_a_minute_and_learns_that_it_is_forgotten() {
    let of = |west: &str| {
        let down = format!("{DOWN}\nstop = \"1 s\"");
        play(&room("", west, STICKY, &down).replace("\"6 s\"", "\"33 s\""))
    };
    let end = of(&off("2 s", "2.3 s"));
    assert!(end.guard.faults.is_empty(), "{:?}", end.guard.faults);
    let way = only(&end);
    assert_eq!((way.to.as_deref(), way.why), (Some("west"), "dismissed"));
    let left = way.left_s.expect("it left");
    assert!((31.0..31.1).contains(&left), "{left}");
    assert!(of("").roams().is_empty(), "its access point knows it, and acknowledges the question");
}

/// hostapd's `ap_handle_timer`: a poll after the time, the disassociation 3 s later. Its beacons come, but nothing else.
#[test]
fn an_access_point_gives_up_on_a_station_that_is_silent_for_long() {
    let of = |air: &str| {
        let down = format!("{DOWN}\nstop = \"1 s\"");
        let west = "ap_max_inactivity = \"5 s\"";
        play(&room(air, west, STICKY, &down).replace("\"6 s\"", "\"16 s\""))
    };
    let end = of(", outages = { between = \"1.5 s\", lasting = \"1000 s\", depth = \"90 dB\" }");
    assert!(end.guard.faults.is_empty(), "{:?}", end.guard.faults);
    let polls = |end: &End| end.guard.polls.iter().map(|at| at.as_secs_f64()).collect::<Vec<_>>();
    let [(told, frame), ..] = end.guard.asked[..] else { panic!("nothing was sent") };
    assert_eq!(frame, JoiningFrame::Disassociation { reason: 4 });
    let told = told.as_secs_f64();
    let at: Vec<f64> = polls(&end).iter().map(|at| told - at).filter(|before| *before > 0.0).collect();
    assert!(
        told > 8.0 && at.len() == 7 && at.iter().all(|before| (2.98..3.01).contains(before)),
        "{told}, {at:?}"
    );
    let end = of("");
    assert!(end.guard.asked.is_empty(), "it acknowledges each poll");
    let [first, second] = polls(&end)[..] else { panic!("{:?}", end.guard.polls) };
    assert!((6.0..6.01).contains(&first) && (11.0..11.01).contains(&second), "{first} {second}");
}

/// Something stands in the way for a while, of which the station's beacons know nothing.
fn in_the_way(west: &str) -> End {
    let air = ", outages = { between = \"1 s\", lasting = \"5 s\", depth = \"90 dB\" }";
    let pings = "kind = \"ping\"\ninterval = \"40 ms\"";
    let flow = |from: &str, to: &str| format!("from = \"{from}\"\nto = \"{to}\"\n{pings}");
    let flows = flow("server", "laptop") + "\n[[flow]]\nname = \"up\"\n" + &flow("laptop", "server");
    play(&room(air, west, STICKY, &flows).replace("\"6 s\"", "\"20 s\""))
}

#[test]
fn an_access_point_gives_up_on_a_station_after_fifty_frames_and_a_second() {
    let [kept, given_up] = ["", "disassoc_low_ack = true"].map(in_the_way);
    assert!(kept.roams().is_empty(), "{:?}", kept.summary.roams);
    assert!(given_up.guard.faults.is_empty(), "{:?}", given_up.guard.faults);
    let first = &given_up.roams()[0];
    assert_eq!((first.why, first.to.as_deref()), ("dismissed", Some("west")));
    let [at, back] =
        [first.given_up_s, first.associated_s].map(|at| at.expect("it was given up and came back"));
    assert!(at > 1.0 && back > at, "{first:?}");
    assert!(dropped(&given_up, "west queue", "station left") > 0, "it sends no more");
    let sent = |end: &End| dropped(end, "west driver", "retry limit");
    assert!(sent(&given_up) < sent(&kept), "{} {}", sent(&given_up), sent(&kept));
}
