//! Bulk transfers over a wire.

use crate::wire::{SENDER, Setup, Wire};
use airloom_sim::{BitRate, Duration, Time};

fn secs(n: u64) -> Time {
    Time::ZERO + Duration::from_secs(n)
}

#[test]
fn a_transfer_completes_with_fin_both_ways() {
    let mut wire = Wire::start(Setup { bytes: 1_000_001, ..Setup::default() });
    assert!(!wire.run(secs(60)), "finished");
    assert_eq!(wire.log.delivered, 1_000_001);
    assert_eq!(wire.ends[SENDER].held_below() + wire.ends[1].held_below(), 0);
    assert_eq!(wire.log.retransmissions, 0);
}

#[test]
fn the_wire_is_filled() {
    let mut wire = Wire::start(Setup { rate: BitRate::from_mbps(50), ..Setup::default() });
    wire.run(secs(2));
    let before = wire.log.delivered;
    wire.run(secs(4));
    let mbps = (wire.log.delivered - before) as f64 * 8e-6 / 2.0;
    let expected = 50.0 * 1448.0 / 1538.0;
    assert!((mbps - expected).abs() < 0.02 * expected, "{mbps} Mbit/s rather than {expected}");
}

#[test]
fn what_arrives_behind_a_hole_is_seen() {
    let mut setup = Setup { bytes: 10 * 1448, ..Setup::default() };
    setup.faults[SENDER].lose_data = vec![0];
    let mut wire = Wire::start(setup);
    assert!(!wire.run(secs(60)), "finished");
    assert_eq!((wire.log.delivered, wire.log.behind_hole), (14_480, 9), "the first of ten was lost");
}
