//! Stations that do not hear each other.

use crate::lab::{AGGREGATION, AP, DEPTH, FULL, Lab, adapter, best_effort, sta};
use airloom_observe::{Fate, FrameKind, NodeId};
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};
use airloom_wifi::{Adapter, Aggregation, Depth, Phy, RateChoice, Station};

const SECONDS: u64 = 20;

/// An adapter that sends single frames at 6 Mbit/s, which take two milliseconds.
fn slow(rts: bool) -> Adapter {
    let six = Rate::ofdm(6).expect("a rate");
    Adapter {
        aggregation: Aggregation { ampdu_mpdus: 1, ..AGGREGATION },
        control_rate: Some(six),
        beacon_rate: six,
        rts_threshold: rts.then_some(0),
        depth: Depth { driver_limit: 3, ..DEPTH },
        ..adapter()
    }
}

/// Two stations that always have a frame for the access point. Each hides from these.
fn two(hidden: [&[NodeId]; 2], rts: bool, phy: Phy, snr_db: [f64; 2]) -> Lab {
    let (adapter, edca) = (slow(rts), best_effort(2, 15, 1023));
    let mut lab = Lab::with(5, phy, (adapter, edca), Duration::from_secs(1000), 0, |cell| {
        for (i, name) in ["left", "right"].into_iter().enumerate() {
            let rate = RateChoice::Fixed(adapter.beacon_rate);
            let (hidden, snr_db) = (hidden[i].to_vec(), snr_db[i]);
            cell.add_station(Station {
                edca,
                rate,
                hidden,
                snr_db,
                ..Lab::plain(sta(i as u16 + 1), name, adapter)
            });
        }
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(SECONDS));
    lab
}

/// Packets per second that reach the access point.
fn delivered(lab: &Lab) -> f64 {
    lab.order.len() as f64 / SECONDS as f64
}

const LOUD: [f64; 2] = [100.0, 100.0];
const TOGETHER: [&[NodeId]; 2] = [&[], &[]];
const APART: [&[NodeId]; 2] = [&[NodeId(2)], &[NodeId(1)]];

/// A frame of 2 ms is lost to any that the other begins within 4 ms around it, which is several contention windows long:
/// what gets through comes from long backoffs after failures. A CTS is heard by both.
#[test]
fn two_hidden_stations_collapse_and_rts_restores_them() {
    let together = delivered(&two(TOGETHER, false, Phy::OFDM_5GHZ, LOUD));
    let apart = delivered(&two(APART, false, Phy::OFDM_5GHZ, LOUD));
    let reserved = delivered(&two(APART, true, Phy::OFDM_5GHZ, LOUD));
    println!("together {together:.0}, apart {apart:.0}, apart with RTS {reserved:.0} packets/s");
    assert!(apart < 0.5 * together, "no collapse: {apart:.0} of {together:.0} packets/s");
    assert!(reserved > 0.85 * together, "no recovery: {reserved:.0} of {together:.0} packets/s");
}

/// Without carrier sense a frame survives if the other begins none while it lasts: among hidden stations data frames
/// overlap for a part of their length, among the others for the whole of it.
#[test]
fn frames_of_hidden_stations_overlap_in_part() {
    let starts = |hidden| {
        let lab = two(hidden, false, Phy::OFDM_5GHZ, LOUD);
        let data: Vec<_> = lab.ppdus().into_iter().filter(|p| p.kind == FrameKind::Data).collect();
        let apart = data.windows(2).filter(|w| w[0].start < w[1].start && w[1].start < w[0].end).count();
        assert!(data.iter().any(|p| p.fate == Fate::Collided));
        apart
    };
    assert_eq!(starts(TOGETHER), 0);
    assert!(starts(APART) > 100);
}

#[test]
fn the_access_point_captures_the_stronger_of_two() {
    let phy = Phy { capture_db: Some(10.0), ..Phy::OFDM_5GHZ };
    let lab = two(APART, false, phy, [40.0, 30.0]);
    let (strong, weak) = (lab.acked(sta(1)), lab.acked(sta(2)));
    let collided = |from| lab.ppdus().iter().filter(|p| p.from == from && p.fate == Fate::Collided).count();
    // What remains began just before the access point answered the other: it does not hear while it sends.
    let (at_strong, at_weak) = (collided(sta(1)), collided(sta(2)));
    assert!(20 * at_strong < at_weak, "ten decibels are enough, but {at_strong} and {at_weak} collided");
    assert!(strong > 4 * weak, "{strong} and {weak} packets");
    let nearly = two(APART, false, phy, [39.9, 30.0]);
    let collided = nearly.ppdus().iter().filter(|p| p.from == sta(1) && p.fate == Fate::Collided).count();
    assert!(collided > 20 * at_strong, "a tenth less is not: {collided} collided");
}
