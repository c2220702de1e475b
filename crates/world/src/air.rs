//! From the words about the air to rates and timing.

use airloom_scenario::{
    Adapter, Adaptive, Air, Band, Common, CommonHt, DataRate, Preamble, RateControl, SlotTime, Standard,
    Station, Width,
};
use airloom_sim::{BitRate, Duration, Time};
use airloom_wifi::rate::{BasicRates, Ht, Ofdm, Rate, Speed};
use airloom_wifi::{Phy, Protection};

/// Timing, basic rates and protection.
pub fn phy(air: &Air) -> Phy {
    let plain = match (air.standard, air.band) {
        (Standard::B80211, _) => Phy::DSSS,
        (_, Band::Ghz2) => Phy::ERP,
        (_, Band::Ghz5) => Phy::OFDM_5GHZ,
    };
    let basic: Vec<Rate> = air.basic_rates.iter().flatten().map(|&rate| legacy(air, rate)).collect();
    let dsss: Vec<Speed> =
        basic.iter().filter_map(|r| if let Rate::Dsss(r) = r { Some(r.speed) } else { None }).collect();
    let ofdm: Vec<Ofdm> =
        basic.iter().filter_map(|r| if let Rate::Ofdm(r) = r { Some(*r) } else { None }).collect();
    Phy {
        // 192 us, or 96 us with the short preamble (IEEE 802.11-2020 table 16-4).
        rx_start: match (air.standard, air.preamble) {
            (Standard::B80211, Preamble::Short) => Duration::from_micros(96),
            _ => plain.rx_start,
        },
        slot: if air.slot == Some(SlotTime::Long) { Duration::from_micros(20) } else { plain.slot },
        basic: BasicRates::new(&dsss, &ofdm, air.preamble == Preamble::Short),
        protection: air.protection.unwrap_or(Protection::None),
        capture_db: air.capture,
        ..plain
    }
}

/// The lowest basic rate.
fn lowest(air: &Air) -> Rate {
    let lowest = air.basic_rates.iter().flatten().min();
    legacy(air, *lowest.expect("basic rates are filled in when the scenario is read"))
}

/// The rate of an adapter's beacons.
pub fn beacon(air: &Air, adapter: &Adapter) -> Rate {
    adapter.management_rate.map_or_else(|| lowest(air), |rate| legacy(air, rate))
}

/// A rate below HT.
pub fn legacy(air: &Air, rate: BitRate) -> Rate {
    Rate::dsss(rate, air.preamble == Preamble::Short)
        .or_else(|| Rate::ofdm(rate.as_bps() / 1_000_000))
        .expect("rates are checked when the scenario is read")
}

/// How the rate of data is chosen between two who have this in common.
pub(super) fn data_rate(air: &Air, station: &Station, common: &Common) -> airloom_wifi::DataRate {
    let one = |rate: DataRate| match rate {
        DataRate::Legacy(rate) => legacy(air, rate),
        DataRate::Ht { mcs, short_gi } => Rate::Ht(Ht { mcs, wide: air.width == Width::Mhz40, short_gi }),
    };
    match &station.rate {
        RateControl::Fixed(rate) => airloom_wifi::DataRate::Fixed(one(*rate)),
        RateControl::Scripted(steps) => {
            let steps: Vec<_> = steps.iter().map(|&(at, rate)| (Time::ZERO + at, one(rate))).collect();
            let (first, rest) = steps.split_first().expect("a script has steps");
            airloom_wifi::DataRate::Scripted(first.1, rest.to_vec())
        }
        &RateControl::Adaptive(control) => adaptive(air, control, &station.adapter, common),
    }
}

fn adaptive(air: &Air, control: Adaptive, adapter: &Adapter, common: &Common) -> airloom_wifi::DataRate {
    match control {
        Adaptive::Minstrel => airloom_wifi::DataRate::Minstrel(all_widths(air, common)),
        Adaptive::Arf => airloom_wifi::DataRate::Arf { rates: steps(air, common), adaptive: false },
        Adaptive::Aarf => airloom_wifi::DataRate::Arf { rates: steps(air, common), adaptive: true },
        Adaptive::Firmware => {
            airloom_wifi::DataRate::Firmware { rates: steps(air, common), ladder: adapter.firmware }
        }
    }
}

/// Every rate that there is to choose from, slowest first: those of HT where there is HT.
fn choice(air: &Air, common: &Common) -> Vec<Rate> {
    match common.ht {
        Some(CommonHt { streams, short_gi }) => {
            Ht::rates(streams, air.width == Width::Mhz40, short_gi).into_iter().map(Rate::Ht).collect()
        }
        None => common.legacy.iter().map(|&rate| legacy(air, rate)).collect(),
    }
}

/// The same with those of 20 MHz in a channel of 40 MHz, which Minstrel-HT tries too (`minstrel_ht_update_caps`). Without
/// the short guard interval: AR9280 and before have it at 40 MHz alone (ath9k `ATH9K_HW_CAP_SGI_20`).
fn all_widths(air: &Air, common: &Common) -> Vec<Rate> {
    let mut rates = choice(air, common);
    if let (Width::Mhz40, Some(ht)) = (air.width, common.ht) {
        rates.extend(Ht::rates(ht.streams, false, false).into_iter().map(Rate::Ht));
        rates.sort_by_key(|rate| rate.bit_rate());
    }
    rates
}

/// Every rate that there is to choose from, without those that are no faster than the one before.
fn steps(air: &Air, common: &Common) -> Vec<Rate> {
    let mut rates = choice(air, common);
    rates.dedup_by_key(|rate| rate.bit_rate());
    rates
}

/// The least contention window that the standard gives to who has these rates (IEEE 802.11-2020 18.4.5: aCWmin(0) and
/// aCWmin(1)).
pub(super) fn cw_min(rates: &[BitRate]) -> u32 {
    if rates.iter().all(|&rate| rate < BitRate::from_mbps(12)) { 31 } else { 15 }
}
