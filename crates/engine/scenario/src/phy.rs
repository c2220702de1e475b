//! Timing and rates of the air, as the radios have them.

use crate::adapter::Adapter;
use crate::air::{Air, SlotTime, Standard};
use crate::band::Band;
use airloom_rate::{Preamble, Rate};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::{Phy, Protection};

impl Standard {
    /// Timing of the standard in a band, with hostapd's basic rates.
    pub fn timing(self, band: Band) -> Phy {
        match (self.has_ofdm(), band) {
            (false, _) => Phy::DSSS,
            (true, Band::Ghz2) => Phy::ERP,
            (true, Band::Ghz5 | Band::Ghz6) => Phy::OFDM_5GHZ,
        }
    }
}

impl Air {
    /// Timing, basic rates and protection.
    pub fn phy(&self) -> Phy {
        let plain = self.standard.timing(self.band);
        Phy {
            // 192 us, or 96 us with the short preamble (IEEE 802.11-2020 table 16-4).
            rx_start: match (self.standard.has_ofdm(), self.preamble) {
                (false, Preamble::Short) => Duration::from_micros(96),
                _ => plain.rx_start,
            },
            slot: if self.slot == Some(SlotTime::Long) { Duration::from_micros(20) } else { plain.slot },
            basic: self.basic(),
            protection: self.protection.unwrap_or(Protection::None),
            capture_db: self.capture,
            ..plain
        }
    }

    /// The rate of an adapter's beacons.
    pub fn beacon(&self, adapter: &Adapter) -> Rate {
        self.legacy(adapter.fixed_rates.management_rate.unwrap_or_else(|| self.lowest()))
    }

    /// A rate below HT that a scenario names.
    pub fn legacy(&self, rate: BitRate) -> Rate {
        self.rate(rate).expect("rates are checked when the scenario is read")
    }

    /// The lowest basic rate.
    fn lowest(&self) -> BitRate {
        let lowest = self.basic_rates.iter().flatten().min();
        *lowest.expect("basic rates are filled in when the scenario is read")
    }
}
