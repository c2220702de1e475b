//! What the kernel tells of the signal of beacons: that their mean has crossed a threshold (mac80211 of Linux 6.18, net/mac80211/mlme.c
//! `ieee80211_handle_beacon_sig`).

/// Beacons before the mean is believed (`IEEE80211_SIGNAL_AVE_MIN_COUNT`).
const BELIEVED: u32 = 4;

/// The mean of the signal of beacons, each of which counts a quarter (`DECLARE_EWMA(beacon_signal, 4, 4)`), and its threshold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Monitor {
    threshold_dbm: i32,
    hysteresis_db: i32,
    /// In sixteenths of a dB below 0 dBm.
    mean: Option<i32>,
    beacons: u32,
    /// The mean that was told last.
    told: Option<i32>,
}

impl Monitor {
    pub(super) const fn new(threshold_dbm: i32, hysteresis_db: i32) -> Self {
        Self { threshold_dbm, hysteresis_db, mean: None, beacons: 0, told: None }
    }

    /// The mean in dBm, as a poll of the station has it.
    pub(super) fn mean_dbm(&self) -> Option<i32> {
        self.mean.map(|mean| -(mean >> 4))
    }

    /// A beacon at this power. If the mean is told: whether it is above the threshold.
    pub(super) fn beacon(&mut self, dbm: i32) -> Option<bool> {
        let value = -dbm << 4;
        self.mean = Some(self.mean.map_or(value, |mean| ((mean << 2) - mean + value) >> 2));
        self.beacons += 1;
        let mean = self.mean_dbm()?;
        let moved = |by: i32| self.told.is_none_or(|told| by * (mean - told) > self.hysteresis_db);
        let above = if self.beacons < BELIEVED {
            return None;
        } else if mean < self.threshold_dbm && moved(-1) {
            false
        } else if mean > self.threshold_dbm && moved(1) {
            true
        } else {
            return None;
        };
        self.told = Some(mean);
        Some(above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_once_four_beacons_are_in_and_again_beyond_the_hysteresis() {
        let mut monitor = Monitor::new(-70, 4);
        let mut told = |dbm: i32, beacons: u32| -> Vec<bool> {
            (0..beacons).filter_map(|_| monitor.beacon(dbm)).collect()
        };
        assert_eq!(told(-60, 3), []);
        assert_eq!(told(-60, 9), [true]);
        assert_eq!(told(-75, 20), [false], "and not again within 4 dB of what it told");
        assert_eq!(told(-78, 20), [false]);
        assert_eq!(told(-69, 20), [true]);
    }

    /// By hand, from -60 dBm on: -64 is 60 x 0.75 + 64 x 0.25 = 61, 61.75, 62.3, and in sixteenths 960, 976, 988, 997.
    #[test]
    fn a_beacon_counts_a_quarter() {
        let mut monitor = Monitor::new(-70, 4);
        monitor.beacon(-60);
        let means: Vec<_> = (0..3).map(|_| (monitor.beacon(-64), monitor.mean).1).collect();
        assert_eq!(means, [Some(976), Some(988), Some(997)]);
        assert_eq!(monitor.mean_dbm(), Some(-62));
    }
}
