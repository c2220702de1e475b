//! The rates that a station and its access point both support.

use airloom_rate::{GuardInterval, Ht, Ofdm, Rate, Width};

use crate::adapter::Adapter;
use crate::air::Air;

/// The rates that a station and its access point both support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// Rates below HT, slowest first.
    pub legacy: Vec<Rate>,
    /// HT, if both have it.
    pub ht: Option<CommonHt>,
}

/// What two radios both support of HT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonHt {
    /// Spatial streams.
    pub streams: u8,
    /// The width of the channel.
    pub width: Width,
    /// The shortest guard interval.
    pub guard: GuardInterval,
}

impl CommonHt {
    /// The highest rate.
    fn highest(self) -> Rate {
        Rate::Ht(Ht { mcs: Ht::highest_mcs(self.streams), width: self.width, guard: self.guard })
    }
}

impl Common {
    /// What two adapters both support in this air.
    pub fn of(air: &Air, station: &Adapter, ap: &Adapter) -> Self {
        let spoken = air.rates_of(station.standard);
        let ht = [station, ap].iter().all(|a| a.standard.has_ht() && a.qos);
        Self {
            legacy: air.rates().into_iter().filter(|rate| spoken.contains(rate)).collect(),
            ht: (ht && air.standard.has_ht()).then(|| CommonHt {
                streams: station.streams.min(ap.streams),
                width: air.width,
                guard: station.shortest_guard().max(ap.shortest_guard()),
            }),
        }
    }

    /// All rates that they can choose from, slowest first: those of HT if both have it, also those of each width below the
    /// channel's, which Minstrel-HT tries too (`minstrel_ht_update_caps`). The latter without the short guard interval:
    /// AR9280 and earlier have it at 40 MHz only (ath9k `ATH9K_HW_CAP_SGI_20`).
    pub fn rates(&self) -> Vec<Rate> {
        let Some(ht) = self.ht else { return self.legacy.clone() };
        let mut rates = Ht::rates(ht.streams, ht.width, ht.guard);
        for &(_, width) in Width::WORDS.iter().rev().filter(|(_, width)| *width < ht.width) {
            rates.extend(Ht::rates(ht.streams, width, GuardInterval::Ns800));
        }
        rates.sort_by_key(|rate| rate.bit_rate());
        rates
    }

    /// Whether they have only the rates of 802.11b.
    pub fn is_80211b(&self) -> bool {
        self.ht.is_none() && self.legacy.iter().all(|rate| matches!(rate, Rate::Dsss(_)))
    }

    /// The highest common rate; an arbitrary one if there is none, which is reported elsewhere.
    pub(crate) fn highest(&self) -> Rate {
        let legacy = || self.legacy.last().copied().unwrap_or(Rate::Ofdm(Ofdm::M6));
        self.ht.map_or_else(legacy, CommonHt::highest)
    }
}
