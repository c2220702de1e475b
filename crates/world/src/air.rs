//! Rates and timing of the air, from the scenario.

use airloom_rate::{GuardInterval, Ht, Legacy, Preamble, Rate, Width};
use airloom_scenario::{Adapter, Air, Band, Common, SlotTime};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::{BasicRates, Phy, Protection};

/// Timing, basic rates and protection.
pub fn phy(air: &Air) -> Phy {
    let plain = match (air.standard.has_ofdm(), air.band) {
        (false, _) => Phy::DSSS,
        (true, Band::Ghz2) => Phy::ERP,
        (true, Band::Ghz5) => Phy::OFDM_5GHZ,
    };
    let (mut dsss, mut ofdm) = (Vec::new(), Vec::new());
    for &rate in air.basic_rates.iter().flatten() {
        match legacy(air, rate).reference() {
            Legacy::Dsss(rate) => dsss.push(rate.speed),
            Legacy::Ofdm(rate) => ofdm.push(rate),
        }
    }
    Phy {
        // 192 us, or 96 us with the short preamble (IEEE 802.11-2020 table 16-4).
        rx_start: match (air.standard.has_ofdm(), air.preamble) {
            (false, Preamble::Short) => Duration::from_micros(96),
            _ => plain.rx_start,
        },
        slot: if air.slot == Some(SlotTime::Long) { Duration::from_micros(20) } else { plain.slot },
        basic: BasicRates::new(&dsss, &ofdm, air.preamble),
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
    air.rate(rate).expect("rates are checked when the scenario is read")
}

/// All rates that two radios with these common capabilities can choose from, slowest first: those of HT if both have
/// it, also those of each width below the channel's, which Minstrel-HT tries too (`minstrel_ht_update_caps`). The latter
/// without the short guard interval: AR9280 and earlier have it at 40 MHz only (ath9k `ATH9K_HW_CAP_SGI_20`).
pub(super) fn rates(common: &Common) -> Vec<Rate> {
    let Some(ht) = common.ht else { return common.legacy.clone() };
    let mut rates = Ht::rates(ht.streams, ht.width, ht.guard);
    for &(_, width) in Width::WORDS.iter().rev().filter(|(_, width)| *width < ht.width) {
        rates.extend(Ht::rates(ht.streams, width, GuardInterval::Ns800));
    }
    rates.sort_by_key(|rate| rate.bit_rate());
    rates
}

/// The least contention window of the standard for a radio with these rates (IEEE 802.11-2020 18.4.5: aCWmin(0) and
/// aCWmin(1)).
pub(super) fn cw_min(rates: &[Rate]) -> u32 {
    if rates.iter().all(|rate| matches!(rate, Rate::Dsss(_))) { 31 } else { 15 }
}
