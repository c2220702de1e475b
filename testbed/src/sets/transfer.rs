//! A weak signal and a bulk transfer, without the guard and with it; the package; what the daemon costs.

use crate::bed::{BGSCAN, Bed, bgscan, connected, disconnects, signal};
use crate::capture::scans;
use crate::check::{check, expect, s, until};
use crate::guard;
use std::thread::sleep;
use std::time::Instant;

/// Longer than a hold's cap.
const LONG: u64 = 150;

pub(crate) fn checks() {
    super::install();
    super::security();
    let bed = Bed::up();
    check("NetworkManager gives the network its background scanning", bgscan() == BGSCAN, &bgscan());
    idle();
    signal(-80);
    bed.moves(true);
    without(&bed);
    with(&bed);
    check(
        "the link was never lost",
        connected() && disconnects() == 0,
        &format!("{} disconnects", disconnects()),
    );
}

/// What the daemon costs while nothing moves.
fn idle() {
    guard::start(false);
    sleep(s(10));
    let (cpu, began) = (guard::UNIT.cpu(), Instant::now());
    sleep(s(120));
    let share = (guard::UNIT.cpu() - cpu) as f64 / began.elapsed().as_nanos() as f64;
    let measured =
        format!("{:.3} % of an emulated core that executes 500 million instructions a second", share * 100.0);
    check("idle, it takes less than 0.1 % of a core", share < 0.001, &measured);
    let (resident, own) = (guard::UNIT.memory("VmRSS:"), guard::UNIT.memory("RssAnon:"));
    check(
        "it keeps less than 8 MB resident",
        resident < 7812,
        &format!("{resident} KiB, {own} KiB of them its own"),
    );
    guard::stop();
}

fn without(bed: &Bed) {
    expect("background scanning scans", s(120), || bed.background_scan(s(100)).is_some());
    let before = bed.capture.count();
    sleep(s(LONG));
    bed.quiet();
    let scans = scans(&bed.capture.since(before));
    let trips: Vec<_> = scans.iter().map(Vec::len).collect();
    let measured = format!("{} scans in {LONG} s, of {trips:?} trips", scans.len());
    check(
        "without guard: a scan about every 40 s, of ten or more trips",
        scans.len() >= 3 && trips.iter().all(|n| *n >= 10),
        &measured,
    );
}

fn with(bed: &Bed) {
    guard::start(false);
    expect("the guard holds", s(60), guard::holds);
    bed.quiet();
    let before = bed.capture.count();
    check("while it holds, background scanning is off", bgscan() == "\"\"", &bgscan());
    let held = until(s(150), || !guard::holds()).unwrap_or(s(999));
    let trips = bed.capture.since(before).len();
    let measured = format!("{trips} trips in {:.0} s of a transfer over a weak link", held.as_secs_f64());
    check("while it holds, the radio never leaves its channel", trips == 0 && held > s(90), &measured);
    let shown = guard::shows("State ");
    check("after the cap it lets through", shown == "letting-through", &shown);
    check("while it lets through, background scanning is as it was", bgscan() == BGSCAN, &bgscan());
    let came = bed.background_scan(s(60));
    check(
        "a scan comes through",
        came.is_some(),
        &format!("after {:.0} s", came.unwrap_or_default().as_secs_f64()),
    );
    expect("it holds again", s(60), guard::holds);
    bed.moves(false);
    let over = until(s(30), || !guard::holds());
    check(
        "it lets go after the transfer",
        over.is_some(),
        &format!("after {:.0} s", over.unwrap_or_default().as_secs_f64()),
    );
    check("after the transfer, background scanning is as it was to the byte", bgscan() == BGSCAN, &bgscan());
    let came = bed.background_scan(s(60));
    check("scans resume", came.is_some(), &format!("after {:.0} s", came.unwrap_or_default().as_secs_f64()));
}
