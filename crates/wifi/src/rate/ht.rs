//! The rates of the HT PHY (802.11-2020 clause 19), 802.11n.

use super::{Coding, Modulation, Ofdm};
use airloom_sim::{BitRate, Duration};

/// An HT rate with equal modulation on all streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ht {
    /// Modulation and coding scheme, 0 to 31; eight for each spatial stream.
    pub mcs: u8,
    /// 40 MHz rather than 20 MHz.
    pub wide: bool,
    /// The 400 ns guard interval rather than 800 ns.
    pub short_gi: bool,
}

impl Ht {
    /// All rates of up to `streams` streams in a channel of this width, slowest first.
    pub fn rates(streams: u8, wide: bool, short_gi: bool) -> Vec<Self> {
        let guards = if short_gi { &[false, true][..] } else { &[false][..] };
        let mut rates: Vec<_> = (0..streams * 8)
            .flat_map(|mcs| guards.iter().map(move |&short_gi| Self { mcs, wide, short_gi }))
            .collect();
        rates.sort_by_key(|rate| rate.bit_rate());
        rates
    }

    /// Spatial streams, 1 to 4.
    pub const fn streams(self) -> u32 {
        self.mcs as u32 / 8 + 1
    }

    /// Modulation and coding (802.11-2020 tables 19-27 to 19-34).
    pub const fn scheme(self) -> (Modulation, Coding) {
        match self.mcs % 8 {
            0 => (Modulation::Bpsk, Coding::Half),
            1 => (Modulation::Qpsk, Coding::Half),
            2 => (Modulation::Qpsk, Coding::ThreeQuarters),
            3 => (Modulation::Qam16, Coding::Half),
            4 => (Modulation::Qam16, Coding::ThreeQuarters),
            5 => (Modulation::Qam64, Coding::TwoThirds),
            6 => (Modulation::Qam64, Coding::ThreeQuarters),
            _ => (Modulation::Qam64, Coding::FiveSixths),
        }
    }

    /// Symbol interval: 3.6 us with the short guard interval, 4 us otherwise.
    pub const fn symbol(self) -> Duration {
        Duration::from_nanos(if self.short_gi { 3_600 } else { 4_000 })
    }

    /// Data bits per symbol, N_DBPS: 52 subcarriers of 20 MHz carry data, 108 of 40 MHz.
    pub const fn bits_per_symbol(self) -> u32 {
        let (modulation, coding) = self.scheme();
        let carriers = if self.wide { 108 } else { 52 };
        coding.data_bits(carriers * modulation.bits() * self.streams())
    }

    /// Data bits per second.
    pub const fn bit_rate(self) -> BitRate {
        BitRate::from_bps(self.bits_per_symbol() as u64 * 1_000_000_000 / self.symbol().as_nanos())
    }

    /// The rate of 802.11a by which responses to this one are chosen (802.11-2020 table 10-9).
    pub const fn reference(self) -> Ofdm {
        match self.mcs % 8 {
            0 => Ofdm::M6,
            1 => Ofdm::M12,
            2 => Ofdm::M18,
            3 => Ofdm::M24,
            4 => Ofdm::M36,
            5 => Ofdm::M48,
            _ => Ofdm::M54,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ht(mcs: u8, wide: bool, short_gi: bool) -> f64 {
        Ht { mcs, wide, short_gi }.bit_rate().as_mbps_f64()
    }

    /// The standard's own tables, 19-27 to 19-34.
    #[test]
    fn ht_rates_are_the_standards() {
        let long20 = [6.5, 13.0, 19.5, 26.0, 39.0, 52.0, 58.5, 65.0];
        for (mcs, &mbps) in long20.iter().enumerate() {
            assert!((ht(mcs as u8, false, false) - mbps).abs() < 1e-6);
            assert!((ht(mcs as u8 + 8, false, false) - 2.0 * mbps).abs() < 1e-6);
        }
        let long40 = [13.5, 27.0, 40.5, 54.0, 81.0, 108.0, 121.5, 135.0];
        for (mcs, &mbps) in long40.iter().enumerate() {
            assert!((ht(mcs as u8, true, false) - mbps).abs() < 1e-6);
        }
        assert!((ht(7, true, true) - 150.0).abs() < 1e-6);
        assert!((ht(15, true, true) - 300.0).abs() < 1e-6);
        assert!((ht(0, false, true) - 7.222_222).abs() < 1e-6);
    }
}
