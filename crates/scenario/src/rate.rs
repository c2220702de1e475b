//! How a station chooses its rate, and the rates that it can choose from.

use airloom_rate::{GuardInterval, Ht, Ofdm, Rate, Width};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::Adaptive;

use crate::adapter::Adapter;
use crate::air::{Air, Standard, rates_said};
use crate::rate_form::{OneText, RateText, StepText};
use airloom_config::error::Faults;

/// How a station, and the access point towards it, chooses the rate of data frames.
#[derive(Clone, Debug, PartialEq)]
pub enum RateControl {
    /// A fixed rate.
    Fixed(Rate),
    /// One rate after another, each from its time on; the first begins at zero, and the times ascend.
    Scripted(Vec<(Duration, Rate)>),
    /// A rate control chooses.
    Adaptive(Adaptive),
}

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
        let ht = [station, ap].iter().all(|a| a.standard == Standard::N80211 && a.qos);
        Self {
            legacy: air.rates().into_iter().filter(|rate| spoken.contains(rate)).collect(),
            ht: (ht && air.standard == Standard::N80211).then(|| CommonHt {
                streams: station.streams.min(ap.streams),
                width: air.width,
                guard: station.shortest_guard().max(ap.shortest_guard()),
            }),
        }
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

    /// The rate control between this station and its access point.
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
    /// The rate in this air between these two. A rate that they cannot send is reported and replaced by another.
    fn on(&self, faults: &Faults, air: &Air, station: &Adapter, ap: &Adapter) -> Rate {
        match *self {
            Self::Legacy { rate, .. } => self.legacy_on(faults, rate, air, station, ap),
            Self::Ht { mcs, guard, .. } => self.ht_on(faults, (mcs, guard), air, station, ap),
        }
    }

    fn legacy_on(&self, faults: &Faults, rate: BitRate, air: &Air, station: &Adapter, ap: &Adapter) -> Rate {
        let common = Common::of(air, station, ap);
        let Some(rate) = air.rate(rate) else {
            let name = air.standard.name();
            let message = format!("{} Mbit/s is no rate of {name}", rate.as_mbps_f64());
            faults.fail(self.at(), message, Some(rates_said(name, &air.rates())));
            return common.highest();
        };
        if !common.legacy.contains(&rate) {
            let spoken = station.standard.name();
            let message = format!("the adapter speaks {spoken}, which has no {rate}");
            faults.fail(self.at(), message, Some(rates_said(spoken, &common.legacy)));
        }
        rate
    }

    /// A guard interval left out is the shortest that both adapters support.
    fn ht_on(
        &self,
        faults: &Faults,
        (mcs, guard): (u8, Option<GuardInterval>),
        air: &Air,
        station: &Adapter,
        ap: &Adapter,
    ) -> Rate {
        let shortest = station.shortest_guard().max(ap.shortest_guard());
        let rate = Rate::Ht(Ht { mcs, width: air.width, guard: guard.unwrap_or(shortest) });
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
            faults.fail(self.at(), format!("{rate} is a rate of 802.11n, but {reason}"), Some(hint));
        }
        for (adapter, who) in [(station, "the adapter"), (ap, "the access point")] {
            let highest = Ht::highest_mcs(adapter.streams);
            if mcs > highest {
                let streams = match adapter.streams {
                    1 => "1 stream".to_owned(),
                    n => format!("{n} streams"),
                };
                let hint = format!("its highest is MCS {highest}");
                faults.fail(self.at(), format!("{rate} is beyond {who}'s {streams}"), Some(hint));
            }
            if guard.is_some_and(|guard| guard < adapter.shortest_guard()) {
                let message = format!("{who} cannot send with the short guard interval");
                faults.fail(self.at(), message, Some(format!("{who} has `short_gi = false`")));
            }
        }
        rate
    }
}
