//! How fast a frame was sent, as the radio that heard it tells.

use airloom_rate::{Code, Eht, GuardInterval, He, Ht, Padding, Preamble, Punctured, Rate, Vht, Width};
use airloom_sim::{BitRate, Duration};
use airloom_wire::RadiotapRepr;
use airloom_wire::radiotap::{self, Bandwidth, Mcs};

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
    /// 802.11be.
    Eht,
}

/// A PHY rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// The PHY.
    pub phy: Phy,
    /// In Mbit/s.
    pub mbps: f64,
    /// The MCS, of 802.11n's without the streams: 0 to 7, 9, 11 or 13. None before 802.11n.
    pub index: Option<u8>,
    /// Spatial streams.
    pub streams: u8,
    /// Width in MHz.
    pub mhz: u16,
    rate: Rate,
}

/// 20 to 320 MHz.
fn width(mhz: u16) -> Option<Width> {
    Width::ALL.into_iter().find(|width| width.mhz() == u32::from(mhz))
}

/// The guard interval of HE and EHT, the shortest if it is not told.
fn guard_interval(ns: Option<u32>) -> GuardInterval {
    match ns {
        Some(1600) => GuardInterval::Ns1600,
        Some(3200) => GuardInterval::Ns3200,
        _ => GuardInterval::Ns800,
    }
}

impl Speed {
    /// That of a frame, as far as its radiotap header tells.
    pub fn of(radio: &RadiotapRepr) -> Option<Self> {
        (radio.eht.and_then(|told| Self::eht(told, radio.usig?)))
            .or_else(|| radio.he.and_then(Self::he))
            .or_else(|| radio.vht.and_then(Self::vht))
            .or_else(|| radio.mcs.and_then(Self::ht))
            .or_else(|| radio.rate.and_then(Self::legacy))
    }

    fn new(phy: Phy, index: Option<u8>, rate: Rate) -> Self {
        let mbps = rate.bit_rate().as_bps() as f64 / 1e6;
        Self { phy, mbps, index, streams: rate.streams() as u8, mhz: rate.width().mhz() as u16, rate }
    }

    /// A rate before 802.11n, in units of 500 kb/s. Preambles of 802.11b are taken to be long, since short ones are told by a flag
    /// that few drivers set.
    pub fn legacy(units: u8) -> Option<Self> {
        let rate = Rate::legacy(BitRate::from_bps(u64::from(units) * 500_000), Preamble::Long)?;
        let phy = if matches!(rate, Rate::Dsss(_)) { Phy::Dsss } else { Phy::Ofdm };
        Some(Self::new(phy, None, rate))
    }

    fn ht(told: Mcs) -> Option<Self> {
        let mcs = told.index().filter(|&index| index < 32)?;
        let width = if told.bandwidth() == Some(Bandwidth::Mhz40) { Width::Mhz40 } else { Width::Mhz20 };
        let short = told.short_guard_interval() == Some(true);
        let guard = if short { GuardInterval::Ns400 } else { GuardInterval::Ns800 };
        Some(Self::new(Phy::Ht, Some(mcs % 8), Rate::Ht(Ht { mcs, width, guard })))
    }

    fn vht(told: radiotap::Vht) -> Option<Self> {
        let (mcs, streams) =
            told.index_and_streams().filter(|&(mcs, streams)| mcs <= Vht::HIGHEST_MCS && streams <= 8)?;
        let guard = if told.short_guard_interval() { GuardInterval::Ns400 } else { GuardInterval::Ns800 };
        let rate = Vht { mcs, streams, width: width(told.mhz())?, guard, code: Code::LowDensity };
        Some(Self::new(Phy::Vht, Some(mcs), Rate::Vht(rate)))
    }

    /// What is not told is taken for the shortest: guard interval, training fields, packet extension.
    fn he(told: radiotap::He) -> Option<Self> {
        let mcs = told.index().filter(|&mcs| mcs <= He::HIGHEST_MCS)?;
        let guard = guard_interval(told.guard_interval_ns());
        let (streams, training) = (told.streams().clamp(1, 8), He::training_for(guard));
        let rate = He { mcs, streams, width: width(told.mhz()?)?, guard, training, padding: Padding::None };
        Some(Self::new(Phy::He, Some(mcs), Rate::He(rate)))
    }

    /// The width is that of the whole PPDU, of which other users may have parts. What is not told is taken for the shortest.
    fn eht(told: radiotap::Eht, whole: radiotap::Usig) -> Option<Self> {
        let mcs = told.index().filter(|&mcs| mcs <= Eht::HIGHEST_MCS)?;
        let guard = guard_interval(told.guard_interval_ns());
        let (streams, training) = (told.streams()?.clamp(1, 8), He::training_for(guard));
        let (padding, punctured) = (Padding::None, Punctured::None);
        let rate = Eht { mcs, streams, width: width(whole.mhz()?)?, guard, training, padding, punctured };
        Some(Self::new(Phy::Eht, Some(mcs), Rate::Eht(rate)))
    }

    /// Air time of a PPDU with so many octets of PSDU.
    pub fn airtime(&self, octets: u32) -> Duration {
        self.rate.airtime(octets)
    }
}
