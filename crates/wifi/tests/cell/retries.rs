//! How often an MPDU is sent before its transmitter gives it up.

use crate::lab::{AP, BEACONS, Lab, adapter, sta};
use airloom_observe::{Fate, Observation};
use airloom_sim::{Duration, Time};
use airloom_wifi::rate::{Ht, Rate};
use airloom_wifi::{Adapter, RateChoice, Station};

/// Attempts at one packet sent at this rate over a channel on which nothing gets through.
fn attempts(mcs: u8, wide: bool, by_rate: bool) -> usize {
    let adapter = Adapter { retry_limit_by_rate: by_rate, ..adapter() };
    let rate = RateChoice::Fixed(Rate::Ht(Ht { mcs, wide, short_gi: false }));
    let mut lab = Lab::new(1, adapter, BEACONS, 0, |cell| {
        cell.add_station(Station { snr_db: -30.0, rate, ..Lab::plain(sta(1), "sta1", adapter) });
    });
    lab.send_at(Time::ZERO, sta(1), AP, 1500);
    lab.run(Time::ZERO + Duration::from_secs(1));
    assert!(matches!(lab.packets[0].done, Some((_, false))));
    let corrupted = |seen: &Observation| matches!(seen, Observation::Ppdu(p) if p.kind.is_data() && p.fate == Fate::Corrupted);
    lab.seen.iter().filter(|(_, seen)| corrupted(seen)).count()
}

#[test]
fn a_slow_link_is_worth_fewer_retransmissions_where_the_limit_goes_by_rate() {
    let rates = [(0, false, 2), (2, false, 2), (2, true, 5), (4, true, 8), (7, true, 10)];
    for (mcs, wide, retransmissions) in rates {
        assert_eq!(attempts(mcs, wide, true), 1 + retransmissions, "MCS {mcs}");
        assert_eq!(attempts(mcs, wide, false), 1 + 10, "MCS {mcs}, fixed limit");
    }
}
