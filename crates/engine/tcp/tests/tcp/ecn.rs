//! Explicit congestion notification (RFC 3168).

use crate::wire::{Faults, SENDER, Setup, Wire};
use airloom_observe::{Ecn, LossEvent};
use airloom_sim::{Duration, Time};
use airloom_tcp::{Config, Congestion, Growth, Offer, Segment};
use airloom_wire::TcpFlags;

/// A transfer between two ends that both offer ECN or do not; data segments with these ordinal numbers are marked.
fn transfer(ecn: bool, mark_data: Vec<u64>) -> Wire {
    let config = Config {
        offer: Offer { ecn, ..Offer::PLAIN },
        growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN },
        ..Config::PLAIN
    };
    let faults = [Faults { mark_data, ..Faults::default() }, Faults::default()];
    let mut wire = Wire::new(Setup { config, bytes: 2_000_000, faults, ..Setup::default() });
    wire.keep_sent = true;
    wire.log.keep_windows = true;
    wire.open();
    wire.run(Time::ZERO + Duration::from_secs(60));
    assert_eq!(wire.log.delivered, 2_000_000);
    wire
}

fn syns(wire: &Wire) -> Vec<(bool, bool)> {
    let syns = wire
        .sent
        .iter()
        .chain(&wire.answered)
        .map(|s| s.1.header.flags)
        .filter(|flags| flags.contains(TcpFlags::SYN));
    syns.map(|flags| (flags.contains(TcpFlags::ECE), flags.contains(TcpFlags::CWR))).collect()
}

fn marks(wire: &Wire) -> usize {
    wire.log.losses.iter().filter(|l| l.1 == LossEvent::Marked).count()
}

/// Section 6.1.1: the SYN has both bits, the SYN-ACK one; without the wish to use it nothing shows.
#[test]
fn the_syns_agree() {
    assert_eq!(syns(&transfer(true, vec![])), [(true, true), (true, false)]);
    assert_eq!(syns(&transfer(false, vec![])), [(false, false), (false, false)]);
}

/// Sections 6.1.1, 6.1.4 and 6.1.5: new data alone is sent as capable.
#[test]
fn only_new_data_can_be_marked() {
    let wire = transfer(true, vec![]);
    let capable = |s: &Segment| s.ecn == Ecn::Ect0;
    assert!(wire.sent.iter().all(|s| capable(&s.1) == (s.1.payload > 0 && !s.1.retransmission)));
    assert!(
        transfer(false, vec![300])
            .sent
            .iter()
            .all(|s| s.1.ecn == Ecn::NotEct && !s.1.header.flags.contains(TcpFlags::ECE))
    );
}

/// Sections 6.1.2 and 6.1.3: one reduction to half for the marks of one window, no retransmissions, and the echo lasts
/// until the sender has signalled the reduction.
#[test]
fn marks_of_a_window_halve_it_once_and_are_echoed_until_that_is_signalled() {
    let wire = transfer(true, vec![300, 305, 310]);
    assert_eq!((marks(&wire), wire.log.retransmissions, wire.log.losses.len()), (1, 0, 1));
    let reduced = wire.log.losses[0].0;
    let before = wire.log.windows.iter().rfind(|w| w.0 < reduced).expect("a window").1;
    let after = wire.ends[SENDER].ssthresh();
    assert_eq!(after, before / 2);
    let signals: Vec<_> = wire
        .sent
        .iter()
        .filter(|s| s.1.header.flags.contains(TcpFlags::CWR) && !s.1.header.flags.contains(TcpFlags::SYN))
        .collect();
    assert_eq!(signals.len(), 1);
    let echoes: Vec<_> = wire
        .answered
        .iter()
        .filter(|s| s.1.header.flags.contains(TcpFlags::ECE) && !s.1.header.flags.contains(TcpFlags::SYN))
        .map(|s| s.0)
        .collect();
    // The signal takes 10 ms and the time in the queue; the transfer lasts longer than that.
    let (first, last) = (echoes[0], echoes[echoes.len() - 1]);
    let signal = signals[0].0;
    assert!(
        first < signal && signal < last && last < signal + Duration::from_millis(50),
        "{first:?} {signal:?} {last:?}"
    );
    assert!(wire.answered.last().expect("answers").0 > last + Duration::from_millis(20));
}

/// Section 6.1.2: marks a window apart reduce again.
#[test]
fn marks_of_different_windows_reduce_again() {
    assert_eq!(marks(&transfer(true, vec![300, 1000])), 2);
}
