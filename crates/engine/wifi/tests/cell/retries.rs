//! How often an MPDU is sent before its transmitter gives it up.

use crate::lab::{AP, BEACONS, Lab, RETRIES, adapter, sta};
use airloom_observe::{Fate, FrameKind};
use airloom_rate::Width::{self, Mhz20, Mhz40};
use airloom_rate::{GuardInterval, Ht, Rate};
use airloom_sim::{Duration, Time};
use airloom_wifi::{Adapter, RateChoice, Retries, Station};

/// Attempts at one packet sent at this rate over a channel on which nothing gets through.
fn attempts(mcs: u8, width: Width, by_rate: bool) -> usize {
    attempts_of(mcs, width, Adapter { retries: Retries { limit_by_rate: by_rate, ..RETRIES }, ..adapter() })
}

/// The same by this adapter.
fn attempts_of(mcs: u8, width: Width, adapter: Adapter) -> usize {
    let rate = Rate::Ht(Ht { mcs, width, guard: GuardInterval::Ns800 });
    unanswered(rate, adapter).into_iter().filter(|kind| kind.is_data()).count()
}

/// The frames for one packet sent at this rate over a channel on which nothing gets through.
fn unanswered(rate: Rate, adapter: Adapter) -> Vec<FrameKind> {
    let rate = RateChoice::Fixed(rate);
    let mut lab = Lab::new(1, adapter, BEACONS, 0, |cell| {
        cell.add_station(Station { snr_db: -30.0, rate, ..Lab::plain(sta(1), "sta1", adapter) });
    });
    lab.send_at(Time::ZERO, sta(1), AP, 1500);
    lab.run(Time::ZERO + Duration::from_secs(1));
    assert!(matches!(lab.packets[0].done, Some((_, false))));
    lab.ppdus().into_iter().filter(|p| p.fate == Fate::Corrupted).map(|p| p.kind).collect()
}

#[test]
fn a_slow_link_is_worth_fewer_retransmissions_where_the_limit_goes_by_rate() {
    let rates = [(0, Mhz20, 2), (2, Mhz20, 2), (2, Mhz40, 5), (4, Mhz40, 8), (7, Mhz40, 10)];
    for (mcs, width, retransmissions) in rates {
        assert_eq!(attempts(mcs, width, true), 1 + retransmissions, "MCS {mcs}");
        assert_eq!(attempts(mcs, width, false), 1 + 10, "MCS {mcs}, fixed limit");
    }
}

#[test]
fn a_driver_that_does_not_see_what_hardware_repeats_counts_rounds_of_ten() {
    for limit in [0, 2, 5] {
        let retries = Retries { limit, counts_hardware: false, ..RETRIES };
        let attempts = attempts_of(7, Mhz40, Adapter { retries, ..adapter() });
        assert_eq!(attempts, 10 * (1 + limit as usize));
    }
}

/// A BlockAck request is sent as often as hardware sends any frame, but not more often than data.
#[test]
fn an_unanswered_block_ack_request_is_sent_ten_times() {
    let fast = Rate::Ht(Ht { mcs: 7, width: Mhz20, guard: GuardInterval::Ns800 });
    for (limit, times) in [(30, 10), (10, 10), (3, 4)] {
        let frames = unanswered(fast, Adapter { retries: Retries { limit, ..RETRIES }, ..adapter() });
        let requests = frames.iter().filter(|&&kind| kind == FrameKind::BlockAckReq).count();
        assert_eq!((frames.len() - requests, requests), (1 + limit as usize, times));
    }
}
