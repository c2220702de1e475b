//! The guard beside iwd, which NetworkManager has for its backend.

use crate::bed::{Bed, signal};
use crate::capture::scans;
use crate::check::{check, expect, run, s, until, write};
use crate::guard;
use std::fs;

/// Below iwd's threshold for roaming at 5 GHz (-76 dBm) and above the critical one (-82 dBm).
const WEAK: i64 = -78;
/// Longer than a hold's cap, and than iwd waits between two roaming scans (60 s).
const LONG: u64 = 150;

pub(crate) fn checks() {
    super::install();
    println!(
        "     Linux {}; {}",
        run("uname -r"),
        run("dpkg-query --show network-manager iwd").replace(['\t', '\n'], " ")
    );
    switch();
    let bed = &Bed::with(connects);
    bed.quiet();
    let joined = joins();
    signal(WEAK);
    bed.moves(true);
    without(bed);
    with(bed);
    killed(bed);
    bed.moves(false);
    let over = until(s(30), || !guard::holds() && affinities() == NONE);
    check("it lets go after the transfer", over.is_some(), &affinities());
    guard::stop();
    check("the link was never lost", joins() == joined, &format!("{} associations", joins()));
}

/// iwd takes wpa_supplicant's place.
fn switch() {
    run("systemctl stop NetworkManager wpa_supplicant");
    run("systemctl mask --now wpa_supplicant");
    write(
        "/etc/NetworkManager/conf.d/iwd.conf",
        "[device]\nwifi.backend=iwd\nwifi.scan-rand-mac-address=no\n",
    );
}

/// iwd connects by itself to networks that it knows, and NetworkManager leaves that to it: the first time somebody has to ask.
///
/// Step by step, because of NetworkManager 1.52. It registers its agent only with an iwd that is there already. And it asks for a new
/// passphrase once a connection has failed, even if the network was only not found yet.
fn connects() -> bool {
    run("systemctl start iwd");
    if !property("State").starts_with('s') {
        return false;
    }
    run("systemctl start NetworkManager");
    run("nmcli --get-values SSID device wifi list --rescan no").contains("home")
        && run("nmcli connection up home").contains("successfully")
        && property("State").contains("\"connected\"")
}

/// How often the station has joined a network so far.
fn joins() -> usize {
    run("journalctl --no-pager --dmesg --output cat")
        .lines()
        .filter(|line| line.contains("wlan0: associated"))
        .count()
}

/// A property of the station, as busctl shows it.
fn property(name: &str) -> String {
    let number = |file| fs::read_to_string(format!("/sys/class/net/wlan0/{file}")).unwrap_or_default();
    let path = format!("/net/connman/iwd/{}/{}", number("phy80211/index").trim(), number("ifindex").trim());
    run(&format!("busctl get-property net.connman.iwd {path} net.connman.iwd.Station {name}"))
}

/// The lever, as busctl shows it.
const NONE: &str = "ao 0";

fn affinities() -> String {
    property("Affinities")
}

fn holds() -> bool {
    guard::holds() && affinities().starts_with("ao 1 ")
}

fn without(bed: &Bed) {
    expect("iwd scans to roam", s(120), || bed.background_scan(s(100)).is_some());
    let before = bed.capture.count();
    std::thread::sleep(s(LONG));
    bed.quiet();
    let scans = scans(&bed.capture.since(before));
    let trips: Vec<_> = scans.iter().map(Vec::len).collect();
    let measured = format!("{} scans in {LONG} s, of {trips:?} trips", scans.len());
    check("without guard: iwd scans to roam about every minute", scans.len() >= 2, &measured);
}

fn with(bed: &Bed) {
    guard::start(true);
    expect("the guard holds", s(60), holds);
    bed.quiet();
    check("while it holds, the access point in use has the station's affinity", holds(), &affinities());
    let before = bed.capture.count();
    let held = until(s(150), || !guard::holds()).unwrap_or(s(999));
    let trips = bed.capture.since(before).len();
    let measured = format!("{trips} trips in {:.0} s of a transfer over a weak link", held.as_secs_f64());
    check("while it holds, the radio never leaves its channel", trips == 0 && held > s(90), &measured);
    let shown = (guard::shows("State "), affinities());
    check(
        "after the cap it lets through",
        shown == ("letting-through".into(), NONE.into()),
        &format!("{shown:?}"),
    );
    let came = bed.background_scan(s(60));
    let measured = format!("after {:.0} s", came.unwrap_or_default().as_secs_f64());
    check("a scan comes through", came.is_some(), &measured);
    expect("it holds again", s(60), holds);
    let (before, done) = (bed.capture.count(), guard::shows("ScansAborted "));
    let said = run("nmcli device wifi rescan");
    expect("a scan is aborted", s(30), || guard::shows("ScansAborted ") != done);
    bed.quiet();
    let seen = bed.capture.since(before);
    let measured = format!("{} trips; {said}", seen.len());
    check("a request that goes through iwd is aborted after one trip", seen.len() <= 1, &measured);
}

/// kill -9 while it holds: iwd itself puts things back.
fn killed(bed: &Bed) {
    guard::stop();
    bed.quiet();
    guard::start(false);
    expect("the guard holds", s(120), holds);
    run("systemctl kill --signal KILL airloom-guard");
    let back = until(s(30), || affinities() == NONE);
    let measured = format!("{} after {:.1} s", affinities(), back.unwrap_or_default().as_secs_f64());
    check("killed with -9 while it holds, things are as they were", back.is_some(), &measured);
    expect("the guard holds again", s(60), holds);
}
