//! Two saturated stations: how often they collide, and how they share.

use crate::lab::{AP, FULL, Lab, adapter, sta};
use airloom_observe::Fate;
use airloom_sim::{Duration, Time};

/// The probability that a transmission collides among `n` saturated stations whose contention window of `w` slots doubles
/// up to `m` times (Bianchi, "Performance analysis of the IEEE 802.11 distributed coordination function", 2000, equations
/// 7 and 9), by bisection.
fn bianchi(n: u32, w: f64, m: i32) -> f64 {
    let transmits = |p: f64| {
        let sum: f64 = (0..m).map(|i| (2.0 * p).powi(i)).sum();
        2.0 / (1.0 + w + p * w * sum)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let p = 0.5 * (low + high);
        let collides = 1.0 - (1.0 - transmits(p)).powi(n as i32 - 1);
        if collides > p { low = p } else { high = p }
    }
    low
}

#[test]
fn the_solver_finds_the_fixed_point() {
    // Without doubling, tau = 2 / (w + 1) whatever p is.
    assert!((bianchi(2, 15.0, 0) - 0.125).abs() < 1e-9);
    assert!((bianchi(3, 15.0, 0) - (1.0 - 0.875 * 0.875)).abs() < 1e-9);
}

#[test]
fn two_stations_collide_as_often_as_bianchi_says_and_share_equally() {
    let adapter = adapter();
    let mut lab = Lab::new(3, adapter, Duration::from_secs(1000), 0, |cell| {
        cell.add_station(Lab::plain(sta(1), "sta1", adapter));
        cell.add_station(Lab::plain(sta(2), "sta2", adapter));
    });
    lab.saturated = vec![(sta(1), AP, FULL), (sta(2), AP, FULL)];
    lab.run(Time::ZERO + Duration::from_secs(60));
    let data: Vec<_> = lab.ppdus().into_iter().filter(|p| p.kind.is_data()).collect();
    let collided = data.iter().filter(|p| p.fate == Fate::Collided).count();
    let measured = collided as f64 / data.len() as f64;
    let expected = bianchi(2, 16.0, 6);
    assert!(
        (measured - expected).abs() < 0.01,
        "{measured:.4} of {} PPDUs collided rather than {expected:.4}",
        data.len()
    );
    let share = lab.acked(sta(1)) as f64 / (lab.acked(sta(1)) + lab.acked(sta(2))) as f64;
    assert!((share - 0.5).abs() < 0.015, "the first station has a share of {share:.3}");
}
