//! A rate that needs more signal than there is: what a monitor hears go, and what arrives of it.

use crate::monitor::Monitor;
use airloom_diagnose::Diagnosis;

const CLIENT: usize = 0;
const SERVER: usize = 1;
const ARRIVES: (u32, bool) = (1, true);
/// Too weak for MCS 7, which needs 22 dB: 14 dB above the noise.
const WEAK_DBM: i8 = -80;

/// What is found where a server sends so many segments, each in so many tries, and one more that nothing answers, five times in 6 s, in as many tries.
fn found(segments: u32, tries: u32, (before, then): (bool, bool)) -> Diagnosis {
    let mut monitor = Monitor::new(WEAK_DBM);
    monitor.mcs = Some(7);
    monitor.sends(0, CLIENT, 2, 0, ARRIVES);
    monitor.sends(5, SERVER, 0x12, 0, ARRIVES);
    monitor.sends(10, CLIENT, 0x10, 0, ARRIVES);
    for turn in 1..=segments {
        monitor.sends(20 * turn, SERVER, 0x18, 1000, (tries, before));
        monitor.sends(20 * turn + 15, CLIENT, 0x10, 0, ARRIVES);
    }
    let stuck = monitor.host.next;
    for wait_ms in [0, 400, 1200, 2800, 6000] {
        monitor.host.next = stuck;
        monitor.sends(3000 + wait_ms, SERVER, 0x18, 1000, (tries, then));
    }
    monitor.diagnosis()
}

/// The codes that are found.
fn codes(diagnosis: &Diagnosis) -> Vec<&str> {
    diagnosis.findings.iter().map(|one| one.code).collect()
}

#[test]
fn few_frames_of_which_none_arrives_are_no_dead_connection() {
    let diagnosis = found(0, 8, (true, false));
    assert_eq!(codes(&diagnosis), ["W105"]);
    let unclear = diagnosis.abstained.iter().find(|one| one.code == "W406").expect("it stands still");
    assert!(unclear.because.contains("of 6 MPDUs from"), "{}", unclear.because);
    assert!(unclear.because.contains("no more than 1 arrived"), "{}", unclear.because);
    assert!(diagnosis.findings[0].finding.cost.unknown.is_some());
}

#[test]
fn what_arrives_at_the_fifth_try_arrives() {
    let diagnosis = found(60, 5, (true, true));
    assert!(codes(&diagnosis).contains(&"W406"), "{:?}", codes(&diagnosis));
    let weak = diagnosis.findings.iter().find(|one| one.code == "W105").expect("80 % are sent again");
    assert_eq!(weak.finding.cost.unknown, None);
}
