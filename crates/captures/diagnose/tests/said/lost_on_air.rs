//! A connection on which nothing is answered any more while a monitor hears what becomes of its frames.

use crate::monitor::Monitor;

const CLIENT: usize = 0;
const SERVER: usize = 1;
const ARRIVES: (u32, bool) = (1, true);

const DATA: (u8, usize) = (0x18, 1000);
const FIN: (u8, usize) = (0x11, 0);

/// What [`said_of`] has of data.
fn said(tries: (u32, bool), signs: u32, station_dbm: i8) -> (bool, String) {
    said_of(DATA, tries, signs, station_dbm)
}

/// What is said where a server is not acknowledged any more behind 120 segments: whether W406 found the connection dead, and what it, W105 or the reason why it cannot tell says. The last
/// segment, of these flags and so many octets, is sent six times in 6.2 s, in so many tries each, and the station is heard so strongly at so many other times of these.
fn said_of((flags, payload): (u8, usize), tries: (u32, bool), signs: u32, station_dbm: i8) -> (bool, String) {
    let mut monitor = Monitor::new(-60);
    monitor.sends(0, CLIENT, 2, 0, ARRIVES);
    monitor.sends(5, SERVER, 0x12, 0, ARRIVES);
    monitor.sends(10, CLIENT, 0x10, 0, ARRIVES);
    for turn in 1..=120 {
        monitor.sends(20 * turn, SERVER, 0x18, 1000, ARRIVES);
        monitor.sends(20 * turn + 8, CLIENT, 0x10, 0, ARRIVES);
    }
    monitor.station_dbm = station_dbm;
    let stuck = monitor.host.next;
    for (turn, wait_ms) in (0..).zip([0, 200, 600, 1400, 3000, 6200]) {
        monitor.host.next = stuck;
        monitor.sends(3000 + wait_ms, SERVER, flags, payload, tries);
        if turn < signs {
            monitor.gives_a_sign(3000 + wait_ms + 1100);
        }
    }
    let diagnosis = monitor.diagnosis();
    let of = |code: &str| {
        diagnosis.findings.iter().find(|one| one.code == code).map(|one| one.finding.says.clone())
    };
    let unclear = || diagnosis.abstained.iter().find(|one| one.code == "W406").map(|one| one.because.clone());
    let dead = of("W406");
    (dead.is_some(), dead.or_else(|| of("W105")).or_else(unclear).unwrap_or_default())
}

#[test]
fn a_station_that_is_heard_and_gets_nothing_is_out_of_reach_and_not_dead() {
    let (dead, says) = said((4, false), 6, -84);
    assert!(!dead && says.contains("none of their 6 MPDUs was acknowledged"), "{says}");
    assert!(says.contains("10 dB above the noise since then"), "{says}");
    // A strong signal does not explain it.
    let (dead, says) = said((4, false), 6, -60);
    assert!(!dead && says.contains("is on the air") && says.contains("why does not show"), "{says}");
}

#[test]
fn a_station_that_gives_no_sign_is_gone_with_its_radio() {
    let (dead, says) = said((4, false), 0, -84);
    assert!(dead && says.contains("its radio was not there"), "{says}");
}

#[test]
fn an_end_alone_that_does_not_arrive_harms_none() {
    assert_eq!(said_of(FIN, (4, false), 6, -84), (false, String::new()));
}

#[test]
fn frames_that_are_not_repeated_were_acknowledged_whatever_the_monitor_heard() {
    for signs in [0, 6] {
        let (dead, says) = said((1, false), signs, -84);
        assert!(dead && !says.contains("was not there") && !says.contains("was acknowledged"), "{says}");
    }
}

#[test]
fn a_station_that_gets_the_frames_and_answers_none_is_as_dead_as_a_host_can_be() {
    let (dead, says) = said((1, true), 6, -60);
    assert!(dead && !says.contains("was not there"), "{says}");
}
