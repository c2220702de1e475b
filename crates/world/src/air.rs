//! From the words about the air to rates and timing.

use airloom_scenario::{
    Adapter, Air, Band, Common, CommonHt, DataRate, Preamble, RateControl, SlotTime, Standard, Station, Width,
};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::rate::{BasicRates, Ht, Ofdm, Rate, Speed};
use airloom_wifi::{Phy, Protection, RateChoice};

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

/// How the rate of a station's data is chosen.
pub(super) fn rate_choice(air: &Air, station: &Station) -> RateChoice {
    let one = |rate: DataRate| match rate {
        DataRate::Legacy(rate) => legacy(air, rate),
        DataRate::Ht { mcs, short_gi } => Rate::Ht(Ht { mcs, wide: air.width == Width::Mhz40, short_gi }),
    };
    match &station.rate {
        RateControl::Fixed(rate) => RateChoice::Fixed(one(*rate)),
        RateControl::Scripted(steps) => {
            RateChoice::Scripted(steps.iter().map(|&(at, rate)| (at, one(rate))).collect())
        }
        RateControl::Adaptive(control) => RateChoice::Adaptive(control.clone()),
    }
}

/// Every rate that two who have this in common can choose from, slowest first: those of HT where there is HT, in a channel
/// of 40 MHz also those of 20 MHz, which Minstrel-HT tries too (`minstrel_ht_update_caps`). The latter without the short
/// guard interval: AR9280 and before have it at 40 MHz alone (ath9k `ATH9K_HW_CAP_SGI_20`).
pub(super) fn rates(air: &Air, common: &Common) -> Vec<Rate> {
    let Some(CommonHt { streams, short_gi }) = common.ht else {
        return common.legacy.iter().map(|&rate| legacy(air, rate)).collect();
    };
    let wide = air.width == Width::Mhz40;
    let mut rates = Ht::rates(streams, wide, short_gi);
    if wide {
        rates.extend(Ht::rates(streams, false, false));
        rates.sort_by_key(|rate| rate.bit_rate());
    }
    rates.into_iter().map(Rate::Ht).collect()
}

/// The least contention window that the standard gives to who has these rates (IEEE 802.11-2020 18.4.5: aCWmin(0) and
/// aCWmin(1)).
pub(super) fn cw_min(rates: &[BitRate]) -> u32 {
    if rates.iter().all(|&rate| rate < BitRate::from_mbps(12)) { 31 } else { 15 }
}
