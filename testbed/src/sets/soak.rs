//! Ten minutes in which anything happens at any time, and nothing may be lost.

use crate::bed::{BGSCAN, Bed, bgscan, connected, disconnects, signal, spawn};
use crate::check::{check, run, s, until};
use crate::guard;
use airloom_sim::Stream;
use std::thread::sleep;
use std::time::Instant;

const LONG: u64 = 600;
/// Seconds between two happenings, at most.
const GAP: u32 = 12;

pub(crate) fn checks() {
    super::install();
    let bed = Bed::up();
    guard::start(true);
    let mut chance = Stream::new(1, "soak", "happenings");
    let began = Instant::now();
    let mut happened = [0; 7];
    while began.elapsed() < s(LONG) {
        sleep(s(1 + u64::from(chance.up_to(GAP))));
        let what = chance.up_to(9);
        let kind = match what {
            0..=2 => {
                bed.moves(what != 0);
                usize::from(what != 0)
            }
            3 | 4 => {
                signal(-50 - i64::from(chance.up_to(30)));
                2
            }
            5 | 6 => {
                let asking = if what == 5 { "nmcli device wifi rescan" } else { "iw dev wlan0 scan trigger" };
                drop(std::thread::spawn(|| spawn(asking).wait()));
                3
            }
            7 => {
                run("systemctl restart airloom-guard");
                4
            }
            8 => {
                run("systemctl kill --signal KILL airloom-guard");
                5
            }
            _ => {
                run(if chance.chance(0.5) { "airloom-guard hold 60s" } else { "airloom-guard release" });
                6
            }
        };
        happened[kind] += 1;
    }
    let [stops, starts, signals, requests, restarts, kills, asked] = happened;
    println!(
        "     in {LONG} s: {starts} starts and {stops} ends of transfers, {signals} changes of signal, {requests} requests, \
         {restarts} restarts, {kills} kills, {asked} holds and releases by hand"
    );
    let lost = disconnects();
    check("no disconnects in ten minutes of anything", lost == 0 && connected(), &format!("{lost}"));
    bed.moves(false);
    signal(-50);
    run("airloom-guard release");
    let back = until(s(60), || guard::UNIT.active() && bgscan() == BGSCAN);
    check("in the end background scanning is as it was", back.is_some(), &bgscan());
}
