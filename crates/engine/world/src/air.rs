//! Rates and timing of the air, from the scenario.

use airloom_rate::{Preamble, Rate};
use airloom_scenario::{Adapter, Air, Band, SlotTime, Standard};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::{Channel, Phy, Protection};

/// Timing of a standard in a band, with hostapd's basic rates.
pub fn timing(standard: Standard, band: Band) -> Phy {
    match (standard.has_ofdm(), band) {
        (false, _) => Phy::DSSS,
        (true, Band::Ghz2) => Phy::ERP,
        (true, Band::Ghz5 | Band::Ghz6) => Phy::OFDM_5GHZ,
    }
}

/// The channel: 6, 36 or, at 6 GHz, 5, with what lies above it.
pub(crate) fn channel(air: &Air) -> Channel {
    Channel::from_primary((air.band.carrier_hz() / 1e6) as u32, air.width)
}

/// Timing, basic rates and protection.
pub fn phy(air: &Air) -> Phy {
    let plain = timing(air.standard, air.band);
    Phy {
        // 192 us, or 96 us with the short preamble (IEEE 802.11-2020 table 16-4).
        rx_start: match (air.standard.has_ofdm(), air.preamble) {
            (false, Preamble::Short) => Duration::from_micros(96),
            _ => plain.rx_start,
        },
        slot: if air.slot == Some(SlotTime::Long) { Duration::from_micros(20) } else { plain.slot },
        basic: air.basic(),
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
    adapter.fixed_rates.management_rate.map_or_else(|| lowest(air), |rate| legacy(air, rate))
}

/// A rate below HT.
pub fn legacy(air: &Air, rate: BitRate) -> Rate {
    air.rate(rate).expect("rates are checked when the scenario is read")
}
