//! What a sound scenario is warned of, word for word, and where.

use airloom_scenario::load_with_warnings;

const GOOD: &str = r#"title = "A test"
duration = "10 s"

[air]
standard = "802.11n"
band = "5 GHz"
width = "40 MHz"

[[ap]]
name = "ap"
adapter = "ath9k"

[[station]]
name = "alice"
host = "linux-6.18"
adapter = "ath9k"
distance = "3 m"

[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }

[[flow]]
from = "server"
to = "alice"
"#;

/// The warnings about a text, each as it is printed.
fn warned(text: &str, overrides: &[(&str, &str)]) -> Vec<String> {
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let (scenario, warnings) =
        load_with_warnings(text, "test.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.warnings().len(), warnings.len());
    warnings.into_iter().map(|warning| warning.to_string()).collect()
}

/// The good scenario with `old` replaced by `new`.
fn with(old: &str, new: &str) -> Vec<String> {
    assert_eq!(GOOD.matches(old).count(), 1, "{old} is not there once");
    warned(&GOOD.replace(old, new), &[])
}

#[test]
fn a_good_scenario_is_warned_of_nothing() {
    assert_eq!(warned(GOOD, &[]), [""; 0]);
}

#[test]
fn limits_below_another_queue_are_warned_of() {
    let ap = [("ap.0.adapter", "ath10k")];
    let hint = "write queue = { discipline = \"mac80211\" }";
    let limits = |name: &str, queue: &str| {
        format!("`aql` limits nothing at `{name}`: its queue is `{queue}`\n  {hint}")
    };
    let queue = ("ap.0.queue", "{ discipline = \"fifo\" }");
    let [no_linux, warning] = &warned(GOOD, &[ap[0], queue])[..] else { panic!("two warnings") };
    assert!(no_linux.contains("no Linux since 4.7 has a `fifo` above the driver of `ap`"), "{no_linux}");
    assert!(warning.ends_with(&limits("ap", "fifo")), "{warning}");
    assert_eq!(warned(GOOD, &ap), [""; 0], "its queue is mac80211's");
    let old = [("station.0.adapter", "mt76"), ("station.0.host", "linux-3.13")];
    let [warning] = &warned(GOOD, &old)[..] else { panic!("one warning") };
    assert!(warning.ends_with(&limits("alice", "fifo")), "{warning}");
}

#[test]
fn a_flow_that_begins_after_the_end_is_warned_of() {
    let late = "flow `server-alice` starts at 10 s, but the run ends at 10 s";
    let hint = "let it start earlier, or give the run a longer `duration`";
    let file = with("to = \"alice\"", "to = \"alice\"\nstart = \"10 s\"");
    assert_eq!(file, [format!("test.toml:27:9: {late}\n  {hint}")]);
    let set = warned(GOOD, &[("flow.0.start", "10 s")]);
    assert_eq!(set, [format!("set flow.0.start=10 s: {late}\n  {hint}")]);
    assert_eq!(with("to = \"alice\"", "to = \"alice\"\nstart = \"9.9 s\""), [""; 0]);
}

#[test]
fn a_flow_that_stops_after_the_end_or_before_anything_is_measured_is_warned_of() {
    let stops = |when: &str| with("to = \"alice\"\n", &format!("to = \"alice\"\nstop = \"{when}\"\n"));
    let hint = "leave `stop` out, or give the run a longer `duration`";
    let late = "flow `server-alice` stops at 20 s, but the run ends at 10 s";
    assert_eq!(stops("20 s"), [format!("test.toml:27:8: {late}\n  {hint}")]);
    assert_eq!(stops("10 s"), [""; 0]);
    let cold = warned(GOOD, &[("flow.0.stop", "3 s"), ("warm_up", "4 s")]);
    let said =
        "flow `server-alice` stops at 3 s, but the `warm_up` lasts until 4 s: nothing of it is measured";
    let hint = "let it stop later, or write a shorter `warm_up`";
    assert_eq!(cold, [format!("set flow.0.stop=3 s: {said}\n  {hint}")]);
}

#[test]
fn a_scenario_without_a_flow_is_warned_of() {
    let none = with("[[flow]]\nfrom = \"server\"\nto = \"alice\"\n", "");
    let hint = "write [[flow]] with from = \"server\" and to = \"a station\"";
    assert_eq!(none, [format!("test.toml:1:1: there is no flow: nothing will be sent\n  {hint}")]);
}

/// The warnings about the good scenario with other values, without their places.
fn set(overrides: &[(&str, &str)]) -> Vec<String> {
    let bare = |warning: String| warning.split_once(": ").map_or(String::new(), |(_, rest)| rest.to_owned());
    let without_text = |warning: String| {
        let (message, hint) = warning.split_once("\n  ").expect("a hint");
        let message = message.split_once(" (--set").map_or(message, |(message, _)| message);
        format!("{message}\n  {hint}")
    };
    warned(GOOD, overrides).into_iter().map(bare).map(without_text).collect()
}

const FAR: (&str, &str) = ("station.alice.distance", "20 m");
const PINNED: (&str, &str) = ("station.alice.rate", "MCS 15");
const LOST: &str = "MCS 15 needs about 28 dB, but `alice` has 22.2 dB at 20 m: all frames to it are lost";
const BETTER: &str = "rate = \"minstrel\" chooses what works; the highest that works is MCS 12";

#[test]
fn a_fixed_rate_that_is_not_heard_is_warned_of() {
    let file = warned(&GOOD.replace("\"3 m\"", "\"20 m\"\nrate = \"MCS 15\""), &[]);
    assert_eq!(file, [format!("test.toml:18:8: {LOST}\n  {BETTER}")]);
    assert_eq!(set(&[FAR]), [""; 0], "Minstrel chooses what works");
    assert_eq!(set(&[FAR, ("station.alice.rate", "MCS 12")]), [""; 0], "as the hint says");
    assert_eq!(set(&[PINNED]), [""; 0]);
    let crowd = set(&[FAR, PINNED, ("station.alice.count", "40")]);
    let first = LOST.replace("alice", "alice1");
    assert_eq!(crowd, [format!("{first}; so it is with all 40 of `alice`\n  {BETTER}")]);
    let upload = set(&[FAR, PINNED, ("flow.0.from", "alice"), ("flow.0.to", "server")]);
    assert_eq!(upload, [format!("{}\n  {BETTER}", LOST.replace("to it", "from it"))]);
    let walls = set(&[PINNED, ("station.alice.distance", "15 m"), ("station.alice.walls", "1")]);
    let place = LOST.replace("22.2 dB at 20 m", "21.0 dB at 15 m behind a wall");
    assert_eq!(walls, [format!("{place}\n  {BETTER}")]);
}

#[test]
fn a_step_of_a_script_that_is_not_heard_is_warned_of_if_it_comes() {
    let steps = "[{ at = \"0 s\", rate = \"MCS 3\" }, { at = \"5 s\", rate = \"MCS 15\" }]";
    let late = steps.replace("5 s", "10 s");
    assert_eq!(set(&[FAR, ("station.alice.rate", steps)]), [format!("from 5 s on {LOST}\n  {BETTER}")]);
    assert_eq!(set(&[FAR, ("station.alice.rate", &late)]), [""; 0], "the run is over then");
}

#[test]
fn acknowledgements_that_are_not_heard_are_warned_of_whatever_chooses_the_rate() {
    let snr = ("station.alice.snr", "7 dB");
    let own = ("station.alice.adapter.control_rate", "24 Mbit/s");
    let its = ("ap.0.adapter.control_rate", "24 Mbit/s");
    let lost =
        "an acknowledgement at 24 Mbit/s needs about 10 dB, but `alice` has 7.0 dB: all acknowledgements";
    let hint = "write adapter = { profile = \"ath9k\", control_rate = \"basic\" } for `alice` and for the access point";
    assert_eq!(set(&[snr, own, its]), [format!("{lost} from it are lost\n  {hint}")]);
    assert_eq!(set(&[snr, its]), [format!("{lost} to it are lost\n  {hint}")]);
    assert_eq!(set(&[snr]), [""; 0]);
    let closer = "move it closer, or give it a higher `snr`";
    let limit = set(&[("station.alice.snr", "-1 dB")]);
    // Acknowledgements at 6 Mbit/s fill the same 20 MHz, and are shorter.
    let lost = "even MCS 0 needs about 1 dB, but `alice` has -1.0 dB: all frames to it are lost";
    assert_eq!(limit, [format!("{lost}\n  {closer}")]);
}

#[test]
fn a_transmitter_that_is_too_noisy_is_warned_of() {
    let all = set(&[("station.alice.snr", "40 dB"), PINNED, ("ap.0.adapter.evm", "-15 dB")]);
    let noisy =
        "MCS 15 needs a transmitter with a better `evm`, and `alice` has 40.0 dB: all frames to it are lost";
    assert_eq!(all, [format!("{noisy}\n  {}", BETTER.replace("12", "11"))]);
}

/// What no flow sends is not missed.
#[test]
fn only_stations_with_flows_are_warned_of() {
    let other = "[[station]]\nname = \"bob\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\ndistance = \"30 m\"\n\
                 rate = \"MCS 15\"\n\n[[server]]";
    assert_eq!(with("[[server]]", other), [""; 0]);
}

#[test]
fn queues_without_room_for_a_packet_are_warned_of() {
    let queue = |key: &str, queue: &str| set(&[(key, queue)]);
    let holds = "less than a packet of";
    assert_eq!(
        queue("ap.0.queue", "{ discipline = \"tbf\", rate = \"1 Mbit/s\", burst = \"1 kB\" }"),
        [
            "the token bucket of `ap` holds 1000 B, so no packet of 1500 B passes\n  write burst = \"1500 B\" or more"
        ]
    );
    for (discipline, key) in [("mac80211", "memory"), ("fq_codel", "memory"), ("fifo", "limit")] {
        let told = queue("ap.0.queue", &format!("{{ discipline = \"{discipline}\", {key} = \"1 kB\" }}"));
        let wanted = format!(
            "the queue of `ap` holds 1000 B, {holds} 1500 B: what has to wait is lost\n  \
             write {key} = \"100 kB\" or more"
        );
        // The one before it is of mac80211's queues above an older Linux.
        assert_eq!(told.last(), Some(&wanted));
    }
    let acks = queue("station.alice.host.queue", "{ discipline = \"fifo\", limit = \"50 B\" }");
    assert!(acks[1].contains("of `alice` holds 50 B, less than a packet of 52 B"), "{acks:?}");
    let one = queue("ap.0.queue", "{ discipline = \"mac80211\", limit = \"1 packets\" }");
    assert!(
        one[1].starts_with("the queue of `ap` has room for one packet, and one flow sends more"),
        "{one:?}"
    );
    let link = queue("server.server.link.queue", "{ discipline = \"fifo\", limit = \"1 kB\" }");
    assert_eq!(link.len(), 1, "both directions of the link have this queue: {link:?}");
    assert_eq!(queue("ap.0.queue", "{ discipline = \"fifo\", limit = \"1 packets\" }"), [""; 0]);
}

/// What does not hold, of a text with these overrides.
fn overridden(text: &str, overrides: &[(&str, &str)]) -> Vec<String> {
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let found = airloom_scenario::overridden(text, "test.toml", &overrides);
    found.into_iter().map(|note| note.to_string()).collect()
}

#[test]
fn what_something_else_takes_the_place_of_is_noted() {
    assert_eq!(overridden(GOOD, &[]), [""; 0]);
    let own = GOOD.replace(
        "host = \"linux-6.18\"\nlink",
        "host = { profile = \"linux-6.18\", congestion = \"bbr\" }\nlink",
    ) + "tcp = { congestion = \"cubic\", mss = \"1000 B\" }\n";
    let said = "`congestion` of host `server` does not hold for the flow from `server` to `alice`, whose `tcp` has its own";
    assert_eq!(overridden(&own, &[]), [format!("test.toml:21:47: {said}")]);
    let rate = GOOD.replace(
        "adapter = \"ath9k\"\ndistance",
        "adapter = { profile = \"ath9k\", rate_control = \"arf\" }\nrate = \"minstrel\"\ndistance",
    );
    let said = "`rate_control` chooses nothing: station `alice` has a `rate`";
    assert_eq!(overridden(&rate, &[]), [format!("test.toml:16:47: {said}")]);
    let said = "`snr` takes the place of the file's `distance`";
    let set = overridden(GOOD, &[("station.alice.snr", "30 dB")]);
    assert_eq!(set, [format!("set station.alice.snr=30 dB: {said}")]);
    let wall = GOOD.replace("width", "path_loss = { wall = \"5 dB\" }\nwidth");
    let said = "`wall` of `path_loss` takes nothing: no station has `walls`";
    assert_eq!(overridden(&wall, &[]), [format!("test.toml:7:22: {said}")]);
    assert_eq!(overridden(&wall, &[("station.0.walls", "1")]), [""; 0]);
}

/// At a place where no rate gets through the slowest is named, and what is the matter is the place.
#[test]
fn a_station_far_off_on_the_plan_is_told_to_come_closer() {
    let text = GOOD
        .replace("distance = \"3 m\"", "position = [\"900 m\", \"0 m\"]\nrate = \"minstrel\"")
        .replace("name = \"ap\"\n", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]\n");
    let [said] = &warned(&text, &[])[..] else { panic!("one warning") };
    assert!(said.starts_with("test.toml:18:12: even MCS 0 needs about "), "{said}");
    assert!(said.ends_with("all frames to it are lost\n  move it closer, or its access point"), "{said}");
}

#[test]
fn a_walk_that_begins_after_the_run_is_warned_of() {
    let path = "path = [{ at = \"15 s\", position = [\"1 m\", \"0 m\"] }, { at = \"20 s\", position = [\"9 m\", \"0 m\"] }]";
    let text = GOOD
        .replace("distance = \"3 m\"", path)
        .replace("name = \"ap\"\n", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]\n");
    assert_eq!(
        warned(&text, &[]),
        [
            "test.toml:18:8: station `alice` does not move: its path begins at 15 s, but the run ends at 10 s\n  \
          let it begin earlier, or give the run a longer `duration`"
        ]
    );
}

#[test]
fn an_access_point_that_loses_its_power_late_or_gives_up_on_nobody_is_warned_of() {
    let ap = |key: &str| with("name = \"ap\"", &format!("name = \"ap\"\n{key}"));
    assert_eq!(
        ap("off = [{ from = \"9 s\", to = \"10 s\" }, { from = \"12 s\", to = \"13 s\" }]"),
        ["test.toml:11:7: access point `ap` keeps its power at 12 s: the run ends at 10 s\n  \
          let `off` begin earlier, or give the run a longer `duration`"]
    );
    assert_eq!(
        ap("switch = [{ at = \"9 s\", channel = 100 }, { at = \"12 s\", channel = 36 }]"),
        ["test.toml:11:10: access point `ap` stays on its channel at 12 s: the run ends at 10 s\n  \
          let `switch` begin earlier, or give the run a longer `duration`"]
    );
    assert_eq!(
        ap("disassoc_low_ack = true"),
        ["test.toml:11:20: access point `ap` gives up on no station: none roams\n  \
          give a station `roam`, such as roam = \"sticky\", or leave `disassoc_low_ack` out"]
    );
    assert_eq!(
        ap("ap_max_inactivity = \"60 s\""),
        ["test.toml:11:21: access point `ap` gives up on no station: none roams\n  \
          give a station `roam`, such as roam = \"sticky\", or leave `ap_max_inactivity` out"]
    );
    assert_eq!(
        ap("rrm_neighbor_report = true"),
        ["test.toml:11:23: access point `ap` names its neighbours to no station: none asks\n  \
          give a station roam = \"iwd\", \"ios\" or \"macos\", which ask, or leave `rrm_neighbor_report` out"]
    );
}

#[test]
fn an_access_point_that_asks_nobody_to_go_is_warned_of() {
    let other = "[[ap]]\nname = \"other\"\nssid = \"a\"\nchannel = 36\nadapter = \"ath9k\"\n\n[[ap]]\nname = \"ap\"\nssid = \"a\"\nchannel = 36";
    let steer = "steer = { below = \"-70 dBm\", better_by = \"8 dB\" }";
    let text = GOOD.replace("[[ap]]\nname = \"ap\"", &format!("{other}\n{steer}"));
    let text = text.replace("[[station]]", "[[station]]\nap = \"ap\"");
    assert_eq!(
        warned(&text, &[]),
        ["test.toml:19:9: access point `ap` asks no station to go: none roams\n  \
          give a station `roam`, such as roam = \"sticky\", or leave `steer` out"]
    );
}

#[test]
fn an_access_point_that_alone_has_fast_transitions_is_warned_of() {
    let other = |keys: &str| {
        let first = format!(
            "[[ap]]\nname = \"other\"\nchannel = 36\nadapter = \"ath9k\"\n{keys}\n\n[[ap]]\nname = \"ap\"\nssid = \"a\"\nchannel = 36\nft = true"
        );
        let text = GOOD.replace("[[ap]]\nname = \"ap\"", &first);
        warned(&text.replace("[[station]]", "[[station]]\nap = \"ap\""), &[])
    };
    let alone = "test.toml:19:6: access point `ap` has `ft`, but no other one of its network has: roams there take the full handshake\n  \
                 give another one with the same `ssid` ft = true, or leave `ft` out";
    assert_eq!(other("ssid = \"a\""), [alone]);
    assert_eq!(other("ssid = \"a\"\nft = true"), [""; 0]);
}

#[test]
fn a_link_that_loses_everything_is_warned_of() {
    let loss = |share: &str| with("delay = \"0.25 ms\"", &format!("delay = \"0.25 ms\", loss = {share}"));
    let lost = "test.toml:22:55: `loss` is 1: the link of server `server` loses every packet\n  it is a share: write 0.01 for 1 %";
    assert_eq!([loss("1"), loss("1.0")], [[lost], [lost]]);
    assert_eq!(loss("0.9"), [""; 0]);
}

/// A group is warned once, and the warning says of which members it is.
#[test]
fn what_holds_for_members_of_a_group_is_said_once() {
    let stops = [("station.alice.count", "15"), ("flow.0.stop", "3 s"), ("warm_up", "4 s")];
    let [said] = &set(&stops)[..] else { panic!("one warning") };
    assert!(
        said.starts_with(
            "flow `server-alice1` stops at 3 s, but the `warm_up` lasts until 4 s: nothing of it is measured; so it is with all 15 of \
             `server-alice`\n"
        ),
        "{said}"
    );
    let aql = [
        ("station.alice.count", "2"),
        ("station.alice.adapter", "mt76"),
        ("station.alice.host", "linux-3.13"),
    ];
    let [said] = &set(&aql)[..] else { panic!("one warning") };
    assert!(said.contains("at `alice1`: its queue is `fifo`; so it is with all 2 of `alice`"), "{said}");
}

/// Of a group that is written one by one only some may be meant: these are named.
#[test]
fn members_that_a_warning_is_about_are_named_where_it_is_not_all() {
    let (head, rest) = GOOD.split_once("[[station]]").expect("a station");
    let (_, server) = rest.split_once("[[server]]").expect("a server");
    let member = |n: u32| {
        let path = if n > 2 {
            "\npath = [{ at = \"20 s\", position = [\"3 m\", \"0 m\"] }, { at = \"30 s\", position = [\"4 m\", \"0 m\"] }]"
        } else {
            "\nposition = [\"3 m\", \"0 m\"]"
        };
        format!(
            "[[station]]\nname = \"s{n}\"\ngroup = \"s\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"{path}\n"
        )
    };
    let head = head.replace("name = \"ap\"", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]");
    let stations: String = (1..=4).map(member).collect();
    let server = server.replace("\"alice\"", "\"s1\"");
    let [said] = &warned(&format!("{head}{stations}[[server]]{server}"), &[])[..] else { panic!("one") };
    assert!(said.contains("the run ends at 10 s; so it is with `s4`\n"), "{said}");
}

/// A station that walks away for good is warned of with the time; one that comes back is not.
#[test]
fn a_walk_out_of_reach_is_warned_of_with_its_time() {
    let text = |way: &str| {
        let (head, rest) = GOOD.split_once("[[station]]").expect("a station");
        let head = head.replace("name = \"ap\"", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]");
        format!("{head}[[station]]{}", rest.replace("distance = \"3 m\"", way))
    };
    let way = |points: &[(u32, u32)]| {
        let each: Vec<String> = points
            .iter()
            .map(|(at, x)| format!("{{ at = \"{at} s\", position = [\"{x} m\", \"0 m\"] }}"))
            .collect();
        format!("path = [{}]", each.join(", "))
    };
    let gone = warned(&text(&way(&[(0, 3), (4, 403)])), &[]);
    let [said] = &gone[..] else { panic!("{gone:?}") };
    assert!(said.contains("station `alice` walks out of reach at about "), "{said}");
    assert!(said.contains(" and stays so until the run ends: even MCS 0 needs about "), "{said}");
    assert_eq!(warned(&text(&way(&[(0, 3), (4, 403), (8, 3)])), &[]), [""; 0], "it comes back");
    assert_eq!(warned(&text(&way(&[(0, 3), (12, 403)])), &[]).len(), 1, "it is away before the run ends");
}

#[test]
fn a_driver_of_another_linux_than_its_stations_host_is_warned_of() {
    let station = |adapter: &str| {
        with(
            "adapter = \"ath9k\"\ndistance",
            &format!("adapter = {{ profile = \"ath9k\", {adapter} }}\ndistance"),
        )
    };
    let [said] = &station("kernel = \"Linux 4.4\"")[..] else { panic!("one warning") };
    let told = "`kernel = \"Linux 4.4\"` of the adapter of `alice` decides nothing: at a station the Linux of its host does, Linux 6.18\n  \
                write host = { profile = \"linux-6.18\", kernel = \"Linux 4.4\" }";
    assert!(said.ends_with(told), "{said}");
    // What the profile says nobody has wished, what the host is agrees, and at an access point it decides.
    assert_eq!(station("kernel = \"Linux 3.2\""), [""; 0]);
    assert_eq!(station("kernel = \"Linux 6.18\""), [""; 0]);
    let ap = with(
        "adapter = \"ath9k\"\n\n[[station]]",
        "adapter = { profile = \"ath9k\", kernel = \"Linux 4.4\" }\n\n[[station]]",
    );
    assert_eq!(ap, [""; 0]);
}
