//! Access points that go to another channel: what becomes of the networks, what captures show, and stations that stay behind.

use crate::scenarios::{good, number, summary};
use crate::temporary::Temporary;
use airloom_lab::capture::Settings;
use airloom_lab::run::{self, Options};
use airloom_wire::ieee80211::{BssDescription, Frame, ManagementBody, SwitchAnnouncement};
use airloom_wire::{RadiotapRepr, Reader};
use serde_json::Value;
use std::fs;

const AIR: &str = r#"
title = "Channel switches"
duration = "4 s"
air = { standard = "802.11ac", band = "5 GHz", width = "40 MHz" }
"#;

/// An access point of this name with these keys, and a station at it with a saturated upload to a server.
fn network(name: &str, keys: &str) -> String {
    format!(
        r#"
[[ap]]
name = "{name}"
adapter = "edca-ac"
{keys}
[[station]]
name = "{name}-sta"
ap = "{name}"
host = "linux-6.18"
adapter = "edca-ac"
snr = "40 dB"
[[server]]
name = "{name}-server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
[[flow]]
name = "{name}-flow"
kind = "udp"
rate = "saturated"
from = "{name}-sta"
to = "{name}-server"
"#
    )
}

/// Two access points on one channel, of which one goes away: each has a channel for itself afterwards, and gets what it gets alone.
#[test]
fn who_goes_away_leaves_two_networks_alone() {
    let switch = "channel = 36\nswitch = [{ at = \"1 s\", channel = 100 }]";
    let [one, two] = [network("one", switch), network("two", "channel = 36")];
    let warm = "warm_up = \"2 s\"\n";
    let both = summary(&format!("{warm}{AIR}{one}{two}"));
    let alone = summary(&format!("{warm}{AIR}{}", network("two", "channel = 36")));
    let goodput = |of: &Value, flow: usize| number(&of["flows"][flow]["goodput_mbps"]);
    for flow in [0, 1] {
        let share = goodput(&both, flow) / goodput(&alone, 0);
        assert!((share - 1.0).abs() < 0.02, "flow {flow}: {share}");
    }
    let channels = both["airtime"]["channels"].as_array().expect("channels");
    let named: Vec<_> = channels.iter().map(|one| (&one["channel"], &one["aps"])).collect();
    let expected = [(36, serde_json::json!(["one", "two"])), (100, serde_json::json!(["one"]))];
    assert_eq!(named.len(), 2);
    for ((channel, aps), (number, names)) in named.into_iter().zip(expected) {
        assert_eq!((channel, aps), (&serde_json::json!(number), &names));
    }
    let idle = number(&alone["airtime"]["idle"]);
    for channel in channels {
        assert!((number(&channel["idle"]) - idle).abs() < 0.02, "{channel} beside {idle}");
        assert!(number(&channel["collided"]) < 1e-9, "{channel}");
    }
}

/// The beacons of a capture: on which interface and frequency, and what they say.
fn beacons(bytes: &[u8], mut each: impl FnMut(u32, u16, &BssDescription<'_>)) {
    let mut reader = Reader::new(bytes).expect("a capture");
    while let Some(record) = reader.next() {
        let record = record.expect("a sound record");
        let (radiotap, mpdu) = RadiotapRepr::parse(record.data).expect("radiotap");
        let mhz = radiotap.channel.expect("a channel").mhz;
        if let Ok(Frame::Management(management)) = Frame::parse(&mpdu[..mpdu.len() - 4])
            && let ManagementBody::Beacon { bss, .. } = management.body
        {
            each(record.interface, mhz, &bss);
        }
    }
}

/// Beacons count down on the old channel, and come on the new one's interface afterwards, where their elements say so. A monitor on either
/// channel has those that are on it.
#[test]
fn a_capture_shows_the_announcement_and_then_the_new_channel() {
    let switch = "channel = 36\nposition = [\"0 m\", \"0 m\"]\nswitch = [{ at = \"1 s\", channel = 108 }]";
    let text = network("one", switch).replace("snr = \"40 dB\"", "position = [\"3 m\", \"0 m\"]");
    let monitors = [36, 108].map(|channel| {
        format!("[[monitor]]\nname = \"on{channel}\"\nposition = [\"1 m\", \"1 m\"]\nchannel = {channel}\n")
    });
    let scenario = good(&format!("{}{text}{}", AIR.replace("4 s", "2 s"), monitors.concat()));
    let folder = Temporary::new();
    let out = folder.path().join("run");
    let capture = Settings { snap_length: 0, ..Settings::default() };
    let options = Options { capture: Some(capture), ..Options::default() };
    run::run_to_bundle(&scenario, &out, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    let read = |name: &str| fs::read(out.join(name)).expect("a capture");
    let bytes = read("air.pcapng");
    let mut reader = Reader::new(&bytes[..]).expect("a capture");
    while let Some(record) = reader.next() {
        let record = record.expect("a sound record");
        let (radiotap, _) = RadiotapRepr::parse(record.data).expect("radiotap");
        let mhz = radiotap.channel.expect("a channel").mhz;
        assert_eq!(mhz, [5180, 5540][record.interface as usize], "a station goes before its access point");
    }
    let (mut counts, mut places) = (Vec::new(), Vec::new());
    beacons(&bytes, |interface, mhz, bss| {
        if let Some(SwitchAnnouncement { quiet: false, class: Some(122), channel: 108, count }) = bss.switch {
            assert_eq!(mhz, 5180);
            counts.push(count);
        } else {
            assert_eq!(bss.switch, None);
        }
        let primary = bss.ht_operation.expect("one of 802.11n").primary_channel;
        places.push((interface, mhz, primary));
    });
    assert_eq!(counts, [4, 3, 2, 1]);
    let before = places.iter().filter(|place| **place == (0, 5180, 36)).count();
    assert_eq!((before, places.len()), (13, 18), "one is left out of 19");
    assert!(places[before..].iter().all(|place| *place == (1, 5540, 108)), "{places:?}");
    for (name, expected, number) in [("on36", 5180, 13), ("on108", 5540, 5)] {
        let mut all = Vec::new();
        beacons(&read(&format!("{name}.pcapng")), |_, mhz, _| all.push(mhz));
        assert_eq!(all, vec![expected; number], "{name}");
    }
}

/// Two access points of one network, the nearer of which goes to another channel: announced or not.
fn roaming(count: u8) -> String {
    let ap = |name: &str, x: u32, keys: &str| {
        format!(
            "[[ap]]\nname = \"{name}\"\nadapter = \"ath9k\"\nssid = \"home\"\nposition = [\"{x} m\", \"0 m\"]\n{keys}\n"
        )
    };
    let switch = format!("channel = 36\nswitch = [{{ at = \"1 s\", channel = 100, count = {count} }}]");
    format!(
        r#"
title = "Who stays behind"
duration = "5 s"
air = {{ standard = "802.11n", band = "5 GHz", width = "20 MHz" }}
{}{}
[[station]]
name = "phone"
ap = "near"
host = "linux-6.18"
adapter = "ath9k"
position = ["3 m", "0 m"]
roam = "sticky"
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
[[flow]]
kind = "udp"
rate = "5 Mbit/s"
from = "server"
to = "phone"
"#,
        ap("near", 0, &switch),
        ap("far", 14, "channel = 44")
    )
}

#[test]
fn a_station_that_roams_follows_what_is_announced_and_looks_for_what_is_not() {
    let announced = summary(&roaming(5));
    assert_eq!(announced["roams"].as_array().map_or(0, Vec::len), 0, "{}", announced["roams"]);
    let (sent, lost) = (&announced["flows"][0]["sent"], &announced["flows"][0]["lost"]);
    // The interval between the station's way and that of its access point is 2 % of the run.
    let share = number(lost) / number(sent);
    assert!(share < 0.03, "{share}");
    let silent = summary(&roaming(0));
    let roams = silent["roams"].as_array().expect("roams");
    let [roam] = &roams[..] else { panic!("{roams:?}") };
    assert_eq!([&roam["from"], &roam["to"]], ["near", "near"], "{roam}");
    let share = number(&silent["flows"][0]["lost"]) / number(&silent["flows"][0]["sent"]);
    assert!((0.1..0.7).contains(&share), "{share}");
}
