//! How often an MPDU is sent before its transmitter gives it up.

use crate::lab::{AP, BEACONS, Lab, adapter, sta};
use airloom_observe::{Fate, Observation};
use airloom_rate::Width::{self, Mhz20, Mhz40};
use airloom_rate::{GuardInterval, Ht, Rate};
use airloom_sim::{Duration, Time};
use airloom_wifi::{Adapter, RateChoice, Station};

/// Attempts at one packet sent at this rate over a channel on which nothing gets through.
fn attempts(mcs: u8, width: Width, by_rate: bool) -> usize {
    let adapter = Adapter { retry_limit_by_rate: by_rate, ..adapter() };
    let rate = RateChoice::Fixed(Rate::Ht(Ht { mcs, width, guard: GuardInterval::Ns800 }));
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
    let rates = [(0, Mhz20, 2), (2, Mhz20, 2), (2, Mhz40, 5), (4, Mhz40, 8), (7, Mhz40, 10)];
    for (mcs, width, retransmissions) in rates {
        assert_eq!(attempts(mcs, width, true), 1 + retransmissions, "MCS {mcs}");
        assert_eq!(attempts(mcs, width, false), 1 + 10, "MCS {mcs}, fixed limit");
    }
}
