//! How slow a link is, for remedies that retransmit less on slow ones: the smoothed data rate and what follows from it.

use airloom_sim::BitRate;

/// The exponential moving average of the data rates of a link's MPDUs: three quarters of the past and one of the present
/// at each (Nomoto et al., INNOV 2017, III.B).
#[derive(Clone, Copy, Debug, Default)]
pub struct SmoothedRate {
    /// In bit/s; none before the first MPDU.
    bps: Option<u64>,
}

impl SmoothedRate {
    /// An MPDU travels at `rate`.
    pub fn update(&mut self, rate: BitRate) {
        let rate = rate.as_bps();
        self.bps = Some(self.bps.map_or(rate, |past| (3 * past + rate) / 4));
    }

    /// The average, once there is one.
    pub fn get(&self) -> Option<BitRate> {
        self.bps.map(BitRate::from_bps)
    }

    /// How many retransmissions an MPDU is worth at this rate; none if the link is fast enough for as many as its sender
    /// likes, or not known yet (ibid., table I).
    pub fn retry_out_index(&self) -> Option<u32> {
        const MBPS: u64 = 1_000_000;
        match self.bps? {
            bps if bps <= 25 * MBPS => Some(2),
            bps if bps <= 50 * MBPS => Some(5),
            bps if bps <= 100 * MBPS => Some(8),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mpdu_counts_a_quarter() {
        let mut smoothed = SmoothedRate::default();
        assert_eq!(smoothed.get(), None);
        for (rate, average) in [(120, 120), (40, 100), (40, 85), (105, 90)] {
            smoothed.update(BitRate::from_mbps(rate));
            assert_eq!(smoothed.get(), Some(BitRate::from_mbps(average)));
        }
    }

    #[test]
    fn the_index_follows_the_table() {
        let table = [
            (6_500_000, Some(2)),
            (25_000_000, Some(2)),
            (25_000_001, Some(5)),
            (50_000_000, Some(5)),
            (50_000_001, Some(8)),
            (100_000_000, Some(8)),
            (100_000_001, None),
            (300_000_000, None),
        ];
        for (bps, index) in table {
            let mut smoothed = SmoothedRate::default();
            smoothed.update(BitRate::from_bps(bps));
            assert_eq!(smoothed.retry_out_index(), index, "{bps} bit/s");
        }
        assert_eq!(SmoothedRate::default().retry_out_index(), None);
    }
}
