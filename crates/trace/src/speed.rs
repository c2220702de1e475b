//! How fast a frame was sent, as the radio that heard it tells.

use airloom_rate::{GuardInterval, Ht, Ofdm, Rate, Width};
use airloom_sim::Duration;
use airloom_wire::RadiotapRepr;
use airloom_wire::radiotap::{Bandwidth, He, Mcs, Vht};

/// The PHY of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phy {
    /// 802.11b.
    Dsss,
    /// 802.11a and 802.11g.
    Ofdm,
    /// 802.11n.
    Ht,
    /// 802.11ac.
    Vht,
    /// 802.11ax.
    He,
}

/// A PHY rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// The PHY.
    pub phy: Phy,
    /// In Mbit/s.
    pub mbps: f64,
    /// The MCS, of 802.11n's without the streams: 0 to 7, 9 or 11. None before 802.11n.
    pub index: Option<u8>,
    /// Spatial streams.
    pub streams: u8,
    /// Width in MHz.
    pub mhz: u16,
}

/// Subcarriers that carry data in 20, 40, 80 and 160 MHz (802.11-2020 table 21-5; 802.11ax-2021 table 27-13).
const VHT_CARRIERS: [f64; 4] = [52.0, 108.0, 234.0, 468.0];
const HE_CARRIERS: [f64; 4] = [234.0, 468.0, 980.0, 1960.0];
/// Data bits per subcarrier and stream by MCS: bits of the modulation times the coding rate.
const BITS: [f64; 12] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 4.5, 5.0, 6.0, 8.0 * 5.0 / 6.0, 7.5, 10.0 * 5.0 / 6.0];

impl Speed {
    /// That of a frame, as far as its radiotap header tells.
    pub fn of(radio: &RadiotapRepr) -> Option<Self> {
        (radio.he.and_then(Self::he))
            .or_else(|| radio.vht.and_then(Self::vht))
            .or_else(|| radio.mcs.and_then(Self::ht))
            .or_else(|| radio.rate.and_then(Self::legacy))
    }

    /// A rate before 802.11n, in units of 500 kb/s.
    pub fn legacy(units: u8) -> Option<Self> {
        let phy = match units {
            2 | 4 | 11 | 22 => Phy::Dsss,
            12 | 18 | 24 | 36 | 48 | 72 | 96 | 108 => Phy::Ofdm,
            _ => return None,
        };
        Some(Self { phy, mbps: f64::from(units) / 2.0, index: None, streams: 1, mhz: 20 })
    }

    fn ht(mcs: Mcs) -> Option<Self> {
        let index = mcs.index().filter(|&index| index < 32)?;
        let (width, mhz) = match mcs.bandwidth() {
            Some(Bandwidth::Mhz40) => (Width::Mhz40, 40),
            _ => (Width::Mhz20, 20),
        };
        let short = mcs.short_guard_interval() == Some(true);
        let guard = if short { GuardInterval::Ns400 } else { GuardInterval::Ns800 };
        let rate = Rate::Ht(Ht { mcs: index, width, guard });
        let mbps = rate.bit_rate().as_bps() as f64 / 1e6;
        Some(Self { phy: Phy::Ht, mbps, index: Some(index % 8), streams: index / 8 + 1, mhz })
    }

    fn vht(vht: Vht) -> Option<Self> {
        let (index, streams) = vht.index_and_streams()?;
        let symbol_us = if vht.short_guard_interval() { 3.6 } else { 4.0 };
        Self::computed(Phy::Vht, index, streams, vht.mhz(), VHT_CARRIERS, symbol_us)
    }

    fn he(he: He) -> Option<Self> {
        let guard_us = f64::from(he.guard_interval_ns().unwrap_or(800)) / 1e3;
        let streams = he.streams().max(1);
        Self::computed(Phy::He, he.index()?, streams, he.mhz()?, HE_CARRIERS, 12.8 + guard_us)
    }

    fn computed(
        phy: Phy,
        index: u8,
        streams: u8,
        mhz: u16,
        carriers: [f64; 4],
        symbol_us: f64,
    ) -> Option<Self> {
        let carriers = carriers.get((mhz / 20).trailing_zeros() as usize)?;
        let mbps = carriers * BITS.get(usize::from(index))? * f64::from(streams) / symbol_us;
        Some(Self { phy, mbps, index: Some(index), streams, mhz })
    }

    /// The slowest at which the octets of a PSDU still cost air: what a preamble takes.
    ///
    /// Long preambles of 802.11b, since short ones are told by a flag that few drivers set; of 802.11n on the mixed format with
    /// a training field for each stream (802.11-2020 clauses 16.2.2.2, 17.3.2, 19.3.9, 21.3.4; 802.11ax-2021 clause 27.3.11).
    pub fn preamble(&self) -> Duration {
        let streams = u64::from(self.streams);
        Duration::from_nanos(match self.phy {
            Phy::Dsss => 192_000,
            Phy::Ofdm => 20_000,
            Phy::Ht => 32_000 + 4_000 * if streams == 3 { 4 } else { streams },
            Phy::Vht => 36_000 + 4_000 * streams.next_multiple_of(2).max(1).min(streams + 1),
            Phy::He => 36_000 + 8_000 * streams,
        })
    }

    /// Air time of the octets of a PSDU without the preamble, to the nanosecond rather than in whole symbols.
    pub fn body(&self, octets: u32) -> Duration {
        Duration::from_nanos((f64::from(octets) * 8e3 / self.mbps) as u64)
    }

    /// Whether this is a rate of 802.11b or the lowest of OFDM, at which broadcasts and answers go.
    pub fn is_basic(&self) -> bool {
        matches!(self.phy, Phy::Dsss)
            || self.phy == Phy::Ofdm && self.mbps <= Rate::Ofdm(Ofdm::M24).bit_rate().as_bps() as f64 / 1e6
    }
}
