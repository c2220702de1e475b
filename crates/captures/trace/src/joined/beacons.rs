//! Beacons that several monitors heard: each says the time of its access point, so that no two are alike.

use super::clock::Clock;
use super::sample::Sample;
use crate::{Frame, Subtype};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr};

/// A beacon has no address of the Internet Protocol.
const NOWHERE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// A sample of a monitor's beacons: the same ones in every monitor that heard them.
#[derive(Clone, Debug, Default)]
pub struct Beacons(Sample<8192>);

impl Beacons {
    /// Notes a frame if it is a beacon.
    pub fn see(&mut self, at_ns: u64, frame: &Frame) {
        if let (Subtype::Beacon, Some(bssid), Some(beacon)) = (frame.subtype, frame.bssid, frame.beacon)
            && !frame.radio.damaged
        {
            let mut hasher = DefaultHasher::new();
            (bssid.0, beacon.timer_us).hash(&mut hasher);
            self.0.keep(hasher.finish(), at_ns, [NOWHERE; 2]);
        }
    }

    /// The clock of another monitor against this one's; none if they heard too few of the same beacons.
    pub fn clock(&self, other: &Self) -> Option<Clock> {
        Clock::at_once(&self.0.shared(&other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::frame_of;

    fn beacon(timer_us: u64) -> Frame {
        let octets =
            [&[0x80, 0, 0, 0][..], &[255; 6], &[2; 12], &[0, 0], &timer_us.to_le_bytes(), &[100, 0, 1, 0]]
                .concat();
        frame_of(&octets)
    }

    /// Beacons of a minute as two monitors hear them, the second with another clock and stamps that are late now and then.
    fn heard(ahead_ms: i64, drift_ppm: f64) -> [Beacons; 2] {
        let mut both = [Beacons::default(), Beacons::default()];
        for number in 0..600_u64 {
            let at = 1_000_000_000_000 + number * 102_400_000;
            let late = u64::from(number % 7 == 0) * 3_000_000;
            let ahead = ahead_ms * 1_000_000 + (drift_ppm * (number * 102_400) as f64 / 1e3) as i64;
            both[0].see(at, &beacon(number * 102_400));
            if number % 3 > 0 {
                both[1].see((at + late).saturating_add_signed(ahead), &beacon(number * 102_400));
            }
        }
        both
    }

    #[test]
    fn beacons_that_both_heard_put_their_clocks_together() {
        for (ahead_ms, drift_ppm) in [(0, 0.0), (3_600_000, 40.0), (-250, -15.0)] {
            let [one, other] = heard(ahead_ms, drift_ppm);
            assert_eq!(one.0.shared(&other.0).len(), 400);
            let clock = one.clock(&other).expect("hundreds");
            for second in [0_u64, 30, 60] {
                let at = 1_000_000_000_000 + second * 1_000_000_000;
                let ahead = ahead_ms * 1_000_000 + (drift_ppm * second as f64 * 1e3) as i64;
                let off = clock.corrected(at.saturating_add_signed(ahead)).abs_diff(at);
                assert!(off < 200_000, "{off} ns at {second} s of {ahead_ms} ms, {drift_ppm} ppm");
            }
        }
    }

    #[test]
    fn a_timer_that_says_the_same_again_tells_nothing() {
        let mut both = [Beacons::default(), Beacons::default()];
        for number in 0..100 {
            both.iter_mut().for_each(|one| one.see(number * 102_400_000, &beacon(7)));
        }
        assert_eq!(both[0].clock(&both[1]), None);
    }
}
