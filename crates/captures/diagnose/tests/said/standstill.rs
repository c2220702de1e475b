//! What is no standstill, though data was outstanding meanwhile.

use crate::host::Host;

/// A connection with a segment at 1 s and one at 2 s, as `arkime_synthetic.pcap` has them, and perhaps an answer at 2.1 s.
fn two_segments(answered: bool) -> Host {
    let mut host = Host::default();
    host.sends(0, 0, 2, 0);
    host.sends(20, 1, 0x12, 0);
    host.sends(20, 0, 0x10, 0);
    host.sends(1_000, 0, 0x18, 72);
    host.sends(2_000, 0, 0x18, 40);
    if answered {
        host.sends(2_100, 1, 0x10, 0);
    }
    host
}

/// For how long its flow stood still, in seconds.
fn still_s(host: Host) -> f64 {
    host.diagnosis().connections.iter().map(|flow| flow.data.still_s).fold(0.0, f64::max)
}

#[test]
fn the_time_between_two_segments_that_nothing_answers_is_no_standstill() {
    assert!(still_s(two_segments(false)).abs() < 1e-9);
    assert!(still_s(two_segments(true)) >= 1.0, "an answer shows that the receiver was there");
}
