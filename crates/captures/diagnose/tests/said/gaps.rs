//! Gaps of one station whose causes differ, from the octets of a capture to what is said of them.

use airloom_diagnose::Placed;

const STATION: [u8; 6] = [2, 0, 0, 0, 0, 1];
const AP: [u8; 6] = [2, 0, 0, 0, 0, 8];
/// First octets of frames: data, a beacon, an answer to a probe, a deauthentication, a request to associate and its answer.
const DATA: u8 = 0x08;
const BEACON: u8 = 0x80;
const PROBE_RESPONSE: u8 = 0x50;
const DEAUTHENTICATION: u8 = 0xc0;
const ASKS: u8 = 0x00;
const ANSWERS: u8 = 0x10;
/// What beacons and answers to probes begin with: a timer, an interval and capabilities.
const TIMER: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 1, 0];

/// A capture of the air, in which each radio has a count of its own.
#[derive(Default)]
struct Monitor {
    octets: Vec<u8>,
    counts: [u16; 2],
}

impl Monitor {
    /// A frame at so many milliseconds, up or down, with a signal.
    fn frame(&mut self, at_ms: u32, first: u8, up: bool, body: &[u8], number: Option<u16>, dbm: i8) {
        let to_from_ds = if first == DATA { 2 - u8::from(up) } else { 0 };
        let count = &mut self.counts[usize::from(up)];
        *count += u16::from(number.is_none());
        let number = number.unwrap_or(*count) << 4;
        let [receiver, transmitter] = if up { [AP, STATION] } else { [STATION, AP] };
        let receiver = if first == BEACON { [255; 6] } else { receiver };
        let third = if first == DATA { if up { AP } else { STATION } } else { AP };
        // Radiotap with a signal alone.
        let radiotap = [0, 0, 9, 0, 0x20, 0, 0, 0, dbm as u8];
        let head = [&radiotap[..], &[first, to_from_ds, 0, 0], &receiver, &transmitter, &third].concat();
        let frame = [&head[..], &number.to_le_bytes(), body].concat();
        let length = frame.len() as u32;
        for word in [at_ms / 1000, at_ms % 1000 * 1000, length, length] {
            self.octets.extend(word.to_le_bytes());
        }
        self.octets.extend(frame);
    }

    fn own(&mut self, at_ms: u32, first: u8, up: bool, body: &[u8]) {
        self.frame(at_ms, first, up, body, None, if up { -50 } else { -70 });
    }

    /// Data both ways and beacons, from one time to another.
    fn goes_on(&mut self, from_ms: u32, to_ms: u32) {
        for at_ms in (from_ms..to_ms).step_by(50) {
            self.own(at_ms, DATA, true, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 6, 0, 1]);
            self.own(at_ms + 10, DATA, false, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 6, 0, 1]);
            self.own(at_ms + 20, BEACON, false, &TIMER);
        }
    }

    /// Asks for an association and gets an answer with this status.
    fn asks(&mut self, at_ms: u32, status: u8) {
        self.own(at_ms, ASKS, true, &[1, 0, 10, 0]);
        self.own(at_ms + 2, ANSWERS, false, &[1, 0, status, 0, 1, 0xc0]);
    }

    /// What is found of gaps, in the order in which they begin.
    fn gaps(&self) -> Vec<Placed> {
        let found = crate::diagnosis(127, &self.octets).findings;
        let mut gaps: Vec<_> = found.into_iter().filter(|one| one.code == "W103").collect();
        gaps.sort_by(|one, other| one.finding.spans[0][0].total_cmp(&other.finding.spans[0][0]));
        gaps
    }
}

#[test]
fn each_cause_of_gaps_is_a_finding_with_its_own_count_and_time() {
    let mut monitor = Monitor::default();
    monitor.goes_on(0, 3000);
    // Ended by the access point, twice.
    for at_ms in [3000, 6000] {
        monitor.own(at_ms, DEAUTHENTICATION, false, &[4, 0]);
        monitor.own(at_ms + 5, BEACON, false, &TIMER);
        monitor.asks(at_ms + 400, 0);
        monitor.goes_on(at_ms + 500, at_ms + 3000);
    }
    // Refused at first.
    monitor.asks(9000, 10);
    for at_ms in (9100..10_000).step_by(100) {
        monitor.own(at_ms, BEACON, false, &TIMER);
    }
    monitor.asks(10_000, 0);
    monitor.goes_on(10_010, 13_000);
    // In the name of the access point, with the number and the signal of another radio.
    monitor.frame(13_000, DEAUTHENTICATION, false, &[7, 0], Some(3000), -30);
    monitor.frame(13_001, DEAUTHENTICATION, false, &[4, 0], Some(3001), -30);
    monitor.own(13_005, BEACON, false, &TIMER);
    monitor.own(13_006, PROBE_RESPONSE, false, &TIMER);
    monitor.asks(13_300, 0);
    monitor.goes_on(13_400, 16_000);
    let gaps = monitor.gaps();
    let said: Vec<_> = gaps.iter().map(|one| (one.finding.says.as_str(), one.finding.spans.len())).collect();
    let [by_ap, refused, forged] = said[..] else { panic!("three causes: {said:#?}") };
    assert!(refused.0.starts_with("The access point refused an association once (status 10"), "{said:#?}");
    assert!(
        by_ap.0.starts_with(
            "The access point ended the association (reason 4: inactivity); the sequence number is of its own count."
        ),
        "{said:#?}"
    );
    assert!(forged.0.starts_with("2 frames ended the association (reason 7"), "{said:#?}");
    assert!(forged.0.contains("-30 dBm, others of the radio that it names with -70 dBm"), "{said:#?}");
    assert_eq!([refused.1, by_ap.1, forged.1], [1, 2, 1]);
    assert!(by_ap.0.contains("2 new associations with data before and after"), "{said:#?}");
}
