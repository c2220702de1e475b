//! Monitor stations at places: each hears what gets through to it, and nobody else is any different for that.

use crate::scenarios::good;
use crate::temporary::Temporary;
use airloom_lab::capture::Settings;
use airloom_lab::run::{self, Options};
use airloom_wire::{RadiotapRepr, Reader};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Two stations 60 m apart that do not hear each other upload to the access point between them.
const HALL: &str = r#"
title = "Monitors"
duration = "1 s"
air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "dcf", channel = 36, position = ["0 m", "0 m"] }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "1 ms" } }]
station = [
  { name = "left", host = "linux-6.18", adapter = "dcf", rate = "6 Mbit/s", position = ["-30 m", "0 m"] },
  { name = "right", host = "linux-6.18", adapter = "dcf", rate = "6 Mbit/s", position = ["30 m", "0 m"] },
]
flow = [
  { kind = "udp", from = "left", to = "server", rate = "saturated" },
  { kind = "udp", from = "right", to = "server", rate = "saturated" },
]
"#;
const MONITORS: &str = r#"
monitor = [
  { name = "beside-ap", position = ["0 m", "0 m"] },
  { name = "beside-left", position = ["-31 m", "0 m"] },
  { name = "garden", position = ["600 m", "0 m"], channel = 36 },
]
"#;

/// The frames of a capture by start and content, each with its signal in dBm.
type Heard = BTreeMap<(u64, Vec<u8>), i8>;

/// What a capture of a bundle has.
fn heard(out: &Path, name: &str) -> Heard {
    let bytes = fs::read(out.join(format!("{name}.pcapng"))).expect("a capture");
    let mut reader = Reader::new(&bytes[..]).expect("a capture");
    let mut all = BTreeMap::new();
    while let Some(record) = reader.next() {
        let (radiotap, frame) = RadiotapRepr::parse(record.expect("a sound record").data).expect("radiotap");
        let start = radiotap.tsft.expect("a time");
        all.insert((start, frame.to_vec()), radiotap.signal_dbm.expect("a signal"));
    }
    all
}

/// The signals of data frames of the node with this number: type 2, and its address is the second.
fn of(heard: &Heard, node: u8) -> Vec<i8> {
    let sent = |frame: &[u8]| frame[0] & 0x0c == 0x08 && frame.get(15) == Some(&node);
    heard.iter().filter(|((_, frame), _)| sent(frame)).map(|(_, &dbm)| dbm).collect()
}

fn captured(text: &str, out: &Path) {
    let options = Options { capture: Some(Settings::default()), ..Options::default() };
    run::run_to_bundle(&good(text), out, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_monitor_hears_what_gets_through_to_its_place() {
    let folder = Temporary::new();
    let [without, with] = ["without", "with"].map(|name| folder.path().join(name));
    captured(HALL, &without);
    captured(&format!("{MONITORS}{HALL}"), &with);
    let read = |out: &Path| fs::read(out.join("air.pcapng")).expect("a capture");
    assert!(read(&without) == read(&with), "the run depends on who listens");

    let [air, beside_ap, beside_left, garden] =
        ["air", "beside-ap", "beside-left", "garden"].map(|name| heard(&with, name));
    let differ = air.keys().filter(|one| !beside_ap.contains_key(one)).count()
        + beside_ap.keys().filter(|one| !air.contains_key(one)).count();
    assert!(differ * 50 < air.len() && air.len() > 100, "{differ} of {}", air.len());
    let [left, right] = [1, 2].map(|node| of(&air, node).len());
    let near = of(&beside_left, 1);
    assert!(near.len() * 2 > 3 * left, "{} beside it, {left} at the access point", near.len());
    assert!(of(&beside_left, 2).len() <= right, "the near one drowns what the far one sends meanwhile");
    // 17 dBm - 46.73 dB, a metre off; 30 log10(30) dB less at the access point.
    assert!(near.iter().all(|&dbm| dbm == -29), "{near:?}");
    assert!(of(&beside_ap, 1).iter().all(|&dbm| dbm == -74), "{:?}", of(&beside_ap, 1));
    assert!(garden.is_empty(), "{} frames at -113 dBm", garden.len());
}
