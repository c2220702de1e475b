//! The rates that a station and its access point both support.

use airloom_rate::{Code, Eht, GuardInterval, He, Ht, Ofdm, Padding, Punctured, Rate, Vht, Width};

use crate::adapter::Adapter;
use crate::air::Air;
use crate::format::Format;

/// The rates that a station and its access point both support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRates {
    /// Rates below HT, slowest first.
    pub legacy: Vec<Rate>,
    /// The newest format that both have of those that aggregate.
    pub fast: Option<AggregatingRates>,
}

/// What two radios both support of a format that aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AggregatingRates {
    /// The format.
    pub format: Format,
    /// Spatial streams.
    pub streams: u8,
    /// The width of the channel, or the widest of the format.
    pub width: Width,
    /// The shortest guard interval.
    pub guard: GuardInterval,
    /// The code of VHT.
    pub code: Code,
    /// The packet padding that the receiver needs, of HE and EHT: the longer one of the two.
    pub padding: Padding,
}

impl AggregatingRates {
    /// All its rates in a channel of `width`, with guard intervals from `guard` on, slowest first.
    fn rates(self, width: Width, guard: GuardInterval) -> Vec<Rate> {
        match self.format {
            Format::Ht => Ht::rates(self.streams, width, guard),
            Format::Vht => Vht::rates(self.streams, width, guard, self.code),
            Format::He => He::rates(self.streams, width, guard, self.padding),
            Format::Eht => Eht::rates(self.streams, width, guard, self.padding),
        }
    }

    /// All its rates over the whole width, slowest first.
    pub fn all(self) -> Vec<Rate> {
        self.rates(self.width, self.guard)
    }

    /// The rate of a scheme; where `streams` are not given, those of both, but for HT, whose schemes have them. None if the format
    /// has no such rate.
    pub fn rate(self, mcs: u8, streams: Option<u8>, guard: Option<GuardInterval>) -> Option<Rate> {
        let Self { format, width, code, padding, .. } = self;
        let guard = guard.unwrap_or(self.guard);
        let known = format.guards().contains(&guard);
        let number = streams.unwrap_or(self.streams);
        let (exists, rate) = match format {
            Format::Ht => {
                // MCS 3 with two streams is MCS 11; MCS 11 has two, whatever else is said.
                let with =
                    |streams| if mcs <= Ht::highest_mcs(1) { Ht::first_mcs(streams) + mcs } else { mcs };
                let rate = Rate::Ht(Ht { mcs: streams.map_or(mcs, with), width, guard });
                let agrees = streams.is_none_or(|streams| rate.streams() == u32::from(streams));
                (mcs <= Ht::highest_mcs(Ht::MOST_STREAMS) && agrees, rate)
            }
            Format::Vht => {
                let rate = Vht { mcs, streams: number, width, guard, code };
                (rate.exists(), Rate::Vht(rate))
            }
            Format::He => {
                let training = He::training_for(guard);
                let rate = He { mcs, streams: number, width, guard, training, padding };
                (rate.exists(), Rate::He(rate))
            }
            Format::Eht => {
                let (training, punctured) = (He::training_for(guard), Punctured::None);
                let rate = Eht { mcs, streams: number, width, guard, training, padding, punctured };
                (rate.exists(), Rate::Eht(rate))
            }
        };
        (known && exists).then_some(rate)
    }

    /// The highest rate.
    pub fn highest(self) -> Option<Rate> {
        self.all().into_iter().max_by_key(|rate| rate.bit_rate())
    }
}

impl SharedRates {
    /// What two adapters both support in this air.
    pub fn of(air: &Air, station: &Adapter, ap: &Adapter) -> Self {
        let spoken = air.rates_of(station.standard);
        let both = [station, ap];
        let [can, its] = both.map(|adapter| &adapter.capabilities);
        let qos = both.iter().all(|adapter| adapter.qos);
        let formats = both.map(|adapter| adapter.standard.format());
        let format = formats[0].min(formats[1]).min(air.standard.format()).filter(|_| qos);
        Self {
            legacy: air.rates().into_iter().filter(|rate| spoken.contains(rate)).collect(),
            fast: format.map(|format| AggregatingRates {
                format,
                streams: can.streams.min(its.streams),
                width: both.map(Adapter::widest).into_iter().fold(air.width, Width::min),
                guard: station.shortest_guard(format).max(ap.shortest_guard(format)),
                code: if can.ldpc && its.ldpc { Code::LowDensity } else { Code::Convolutional },
                padding: can.packet_padding.max(its.packet_padding),
            }),
        }
    }

    /// All rates that they can choose from, slowest first: those of the newest format that both have, of HT also those of each width
    /// below the channel's, which Minstrel-HT tries too (`minstrel_ht_update_caps`). The latter without the short guard interval:
    /// AR9280 and earlier have it at 40 MHz only (ath9k `ATH9K_HW_CAP_SGI_20`).
    pub fn rates(&self) -> Vec<Rate> {
        let Some(fast) = self.fast else { return self.legacy.clone() };
        let mut rates = fast.all();
        let narrower = |width: &Width| fast.format == Format::Ht && *width < fast.width;
        for width in Width::ALL.into_iter().rev().filter(narrower) {
            rates.extend(fast.rates(width, GuardInterval::Ns800));
        }
        rates.sort_by_key(|rate| rate.bit_rate());
        rates
    }

    /// Whether they have only the rates of 802.11b.
    pub fn is_80211b(&self) -> bool {
        self.fast.is_none() && self.legacy.iter().all(|rate| matches!(rate, Rate::Dsss(_)))
    }

    /// The highest common rate; an arbitrary one if there is none, which is reported elsewhere.
    pub(crate) fn highest(&self) -> Rate {
        let legacy = || self.legacy.last().copied().unwrap_or(Rate::Ofdm(Ofdm::M6));
        self.fast.and_then(AggregatingRates::highest).unwrap_or_else(legacy)
    }
}
