//! What an outage does to a station: while it lasts nothing arrives, and all arrives outside of one.

use crate::lab::{AP, FULL, Lab, adapter, sta};
use airloom_observe::Fate;
use airloom_propagation::Outages;
use airloom_sim::{Duration, Time};
use airloom_wifi::Station;

/// Rare, and as long as many PPDUs.
const OUTAGES: Outages =
    Outages { between: Duration::from_millis(800), lasting: Duration::from_millis(200), depth_db: 200.0 };

/// The fates of the data of a station that always has more to send, over a channel without noise but for outages.
fn fates(outages: Option<Outages>) -> Vec<(Time, Fate)> {
    let mut lab = Lab::new(3, adapter(), Duration::from_secs(1000), 0, |cell| {
        cell.add_station(Station { outages, ..Lab::plain(sta(1), "sta1", adapter()) });
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(60));
    lab.ppdus().into_iter().filter(|p| p.kind.is_data()).map(|p| (p.start, p.fate)).collect()
}

#[test]
fn a_station_is_cut_off_for_as_long_as_its_outages_last() {
    assert!(fates(None).iter().all(|&(_, fate)| fate == Fate::Received));
    let fates = fates(Some(OUTAGES));
    let changes: Vec<_> = fates.chunk_by(|a, b| a.1 == b.1).map(|run| (run[0].0, run[0].1)).collect();
    assert!(fates.iter().all(|&(_, fate)| matches!(fate, Fate::Received | Fate::Corrupted)));
    let lasted: Duration = changes
        .windows(2)
        .filter(|pair| pair[0].1 == Fate::Corrupted)
        .map(|pair| pair[1].0 - pair[0].0)
        .fold(Duration::ZERO, |sum, one| sum + one);
    // Some 60 outages of 200 ms on average: the standard error of the share is a tenth of it and more.
    let share = lasted.as_secs_f64() / 60.0;
    assert!((0.12..0.28).contains(&share), "{share}");
    let outages = changes.iter().filter(|change| change.1 == Fate::Corrupted).count();
    assert!((35..85).contains(&outages), "{outages}");
}
