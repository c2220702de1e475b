//! What frames meet in a channel that is wider than they are.

use crate::lab::{AP, BEACONS, FAST, FULL, Lab, adapter, sta};
use airloom_observe::Fate;
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};
use airloom_wifi::{RateChoice, Station};

/// The share of data frames that are lost.
fn lost(rate: RateChoice) -> f64 {
    let mut lab = Lab::new(1, adapter(), BEACONS, 0, |cell| {
        cell.add_station(Station { snr_db: 22.0, rate, ..Lab::plain(sta(1), "sta1", adapter()) });
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(2));
    let ppdus = lab.ppdus();
    let data: Vec<_> = ppdus.iter().filter(|ppdu| ppdu.kind.is_data()).collect();
    data.iter().filter(|ppdu| ppdu.fate == Fate::Corrupted).count() as f64 / data.len() as f64
}

/// An OFDM frame in a channel of 40 MHz goes as a duplicate on both halves, whether or not its link has HT rates too.
#[test]
fn frames_below_ht_gain_nothing_in_a_wide_channel() {
    let ofdm = Rate::ofdm(54).expect("a rate");
    let alone = lost(RateChoice::Fixed(ofdm));
    let beside_ht =
        lost(RateChoice::Scripted(vec![(Duration::ZERO, ofdm), (Duration::from_secs(1000), FAST)]));
    assert!((0.2..0.8).contains(&alone), "{alone}");
    assert!((alone - beside_ht).abs() < 0.05, "{alone} alone, {beside_ht} on a link with HT rates");
}
