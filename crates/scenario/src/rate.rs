//! How a station chooses its rate, and between which it can.

use airloom_sim::{BitRate, Duration};
use airloom_wifi::Adaptive;

use crate::adapter::Adapter;
use crate::air::{Air, Standard, rates_said};
use crate::rate_form::{OneText, RateText, StepText};
use airloom_config::error::Faults;

/// How a station, and the access point towards it, chooses the rate of data frames.
#[derive(Clone, Debug, PartialEq)]
pub enum RateControl {
    /// Always the same.
    Fixed(DataRate),
    /// One after the other, each from its time on; the first begins at zero, and the times ascend.
    Scripted(Vec<(Duration, DataRate)>),
    /// Whichever has proved good.
    Adaptive(Adaptive),
}

/// A rate of data frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataRate {
    /// One below HT.
    Legacy(BitRate),
    /// One of HT.
    Ht {
        /// The modulation and coding scheme, 0 to 15 (IEEE 802.11-2020 section 19.5).
        mcs: u8,
        /// Whether the guard interval is the short one, 400 ns.
        short_gi: bool,
    },
}

/// What a station and its access point can both send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// Rates below HT, slowest first.
    pub legacy: Vec<BitRate>,
    /// HT, if both have it.
    pub ht: Option<CommonHt>,
}

/// What two radios have in common of HT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonHt {
    /// Spatial streams.
    pub streams: u8,
    /// The short guard interval.
    pub short_gi: bool,
}

impl Common {
    /// What two adapters have in common in this air.
    pub fn of(air: &Air, station: &Adapter, ap: &Adapter) -> Self {
        let spoken = station.standard.rates(air.band);
        let ht = [station, ap].iter().all(|a| a.standard == Standard::N80211 && a.qos);
        Self {
            legacy: air.rates().into_iter().filter(|rate| spoken.contains(rate)).collect(),
            ht: (ht && air.standard == Standard::N80211).then(|| CommonHt {
                streams: station.streams.min(ap.streams),
                short_gi: station.short_gi && ap.short_gi,
            }),
        }
    }

    /// Whether they have the rates of 802.11b and no others.
    pub fn is_80211b(&self) -> bool {
        self.ht.is_none() && self.legacy.last().is_none_or(|&highest| highest < BitRate::from_mbps(12))
    }

    /// The highest rate.
    pub(crate) fn highest(&self) -> DataRate {
        match self.ht {
            Some(CommonHt { streams, short_gi }) => DataRate::Ht { mcs: top(streams), short_gi },
            None => DataRate::Legacy(self.legacy.last().copied().unwrap_or(BitRate::from_mbps(1))),
        }
    }
}

/// The highest scheme with so many streams: eight to a stream.
fn top(streams: u8) -> u8 {
    streams.saturating_mul(8).saturating_sub(1)
}

impl RateText {
    /// For writing.
    pub(crate) fn of(rate: &RateControl) -> Self {
        match rate {
            RateControl::Fixed(rate) => Self::Fixed(OneText::of(*rate)),
            RateControl::Scripted(steps) => {
                Self::Scripted(steps.iter().map(|&(at, rate)| StepText::of(at, rate)).collect())
            }
            RateControl::Adaptive(control) => Self::Adaptive(control.clone()),
        }
    }

    /// What it is between this station and its access point.
    pub(crate) fn on(self, faults: &Faults, air: &Air, station: &Adapter, ap: &Adapter) -> RateControl {
        let one = |rate: OneText| rate.on(faults, air, station, ap);
        match self {
            Self::Fixed(rate) => RateControl::Fixed(one(rate)),
            Self::Scripted(steps) => {
                RateControl::Scripted(steps.into_iter().map(|step| (step.at, one(step.rate))).collect())
            }
            Self::Adaptive(control) => RateControl::Adaptive(control),
        }
    }
}

impl OneText {
    fn on(self, faults: &Faults, air: &Air, station: &Adapter, ap: &Adapter) -> DataRate {
        match self {
            Self::Legacy { rate, .. } => self.legacy_on(faults, rate, air, station, ap),
            Self::Ht { mcs, short_gi, .. } => self.ht_on(faults, (mcs, short_gi), air, station, ap),
        }
    }

    fn legacy_on(
        &self,
        faults: &Faults,
        rate: BitRate,
        air: &Air,
        station: &Adapter,
        ap: &Adapter,
    ) -> DataRate {
        let (name, rates) = (air.standard.name(), air.rates());
        let common = Common::of(air, station, ap).legacy;
        let shown = rate.as_mbps_f64();
        if !rates.contains(&rate) {
            let message = format!("{shown} Mbit/s is no rate of {name}");
            faults.fail(self.at(), message, Some(rates_said(name, &rates)));
        } else if !common.contains(&rate) {
            let spoken = station.standard.name();
            let message = format!("the adapter speaks {spoken}, which has no {shown} Mbit/s");
            faults.fail(self.at(), message, Some(rates_said(spoken, &common)));
        }
        DataRate::Legacy(rate)
    }

    /// An unsaid guard interval is the shortest that the adapter has.
    fn ht_on(
        &self,
        faults: &Faults,
        (mcs, short_gi): (u8, Option<bool>),
        air: &Air,
        station: &Adapter,
        ap: &Adapter,
    ) -> DataRate {
        let common = Common::of(air, station, ap);
        if common.ht.is_none() {
            let reason = if air.standard != Standard::N80211 {
                format!("the air is {}", air.standard.name())
            } else if [station, ap].iter().any(|a| a.standard != Standard::N80211) {
                "an adapter is older".to_owned()
            } else {
                "an adapter has `qos = false`, and nothing aggregates without".to_owned()
            };
            let hint = rates_said("the station", &common.legacy);
            faults.fail(self.at(), format!("MCS {mcs} is a rate of 802.11n, but {reason}"), Some(hint));
        }
        for (adapter, who) in [(station, "the adapter"), (ap, "the access point")] {
            if mcs > top(adapter.streams) {
                let streams = match adapter.streams {
                    1 => "1 stream".to_owned(),
                    n => format!("{n} streams"),
                };
                let hint = format!("its highest is MCS {}", top(adapter.streams));
                faults.fail(self.at(), format!("MCS {mcs} is beyond {who}'s {streams}"), Some(hint));
            }
            if short_gi == Some(true) && !adapter.short_gi {
                let message = format!("{who} cannot send with the short guard interval");
                faults.fail(self.at(), message, Some(format!("{who} has `short_gi = false`")));
            }
        }
        DataRate::Ht { mcs, short_gi: short_gi.unwrap_or(station.short_gi && ap.short_gi) }
    }
}
