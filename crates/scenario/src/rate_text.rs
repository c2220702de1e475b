//! A rate control as written in a file, and its check against the two adapters, which also fill in what it leaves open.

use airloom_rate::{GuardInterval, Ht, Rate};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::{Adaptive, RateChoice};

use crate::adapter::Adapter;
use crate::air::{Air, rates_said};
use crate::common::Common;
use airloom_config::error::{At, Faults};

/// A rate control as written, before it is checked against the adapters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RateText {
    /// A fixed rate.
    Fixed(OneText),
    /// One rate after another, each from its time on.
    Scripted(Vec<(Duration, OneText)>),
    /// A rate control chooses.
    Adaptive(Adaptive),
}

/// A rate as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OneText {
    /// A rate below HT.
    Legacy {
        /// Where it stands.
        at: At,
        /// The rate.
        rate: BitRate,
    },
    /// A rate of HT.
    Ht {
        /// Where it stands.
        at: At,
        /// The scheme.
        mcs: u8,
        /// The guard interval, if given.
        guard: Option<GuardInterval>,
    },
}

impl RateText {
    /// For writing.
    pub(crate) fn of(rate: &RateChoice) -> Self {
        match rate {
            RateChoice::Fixed(rate) => Self::Fixed(OneText::of(*rate)),
            RateChoice::Scripted(steps) => {
                Self::Scripted(steps.iter().map(|&(at, rate)| (at, OneText::of(rate))).collect())
            }
            RateChoice::Adaptive(control) => Self::Adaptive(control.clone()),
        }
    }

    /// The rate control between this station and its access point.
    pub(crate) fn on(self, faults: &Faults, air: &Air, station: &Adapter, ap: &Adapter) -> RateChoice {
        let one = |rate: OneText| rate.on(faults, air, station, ap);
        match self {
            Self::Fixed(rate) => RateChoice::Fixed(one(rate)),
            Self::Scripted(steps) => {
                RateChoice::Scripted(steps.into_iter().map(|(at, rate)| (at, one(rate))).collect())
            }
            Self::Adaptive(control) => RateChoice::Adaptive(control),
        }
    }
}

impl OneText {
    /// For writing.
    pub(crate) fn of(rate: Rate) -> Self {
        let at = At::TOP;
        match rate {
            Rate::Dsss(_) | Rate::Ofdm(_) => Self::Legacy { at, rate: rate.bit_rate() },
            Rate::Ht(Ht { mcs, guard, .. }) => Self::Ht { at, mcs, guard: Some(guard) },
        }
    }

    /// Where it stands.
    pub(crate) fn at(&self) -> At {
        match *self {
            Self::Legacy { at, .. } | Self::Ht { at, .. } => at,
        }
    }

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
            let reason = if !air.standard.has_ht() {
                format!("the air is {}", air.standard.name())
            } else if [station, ap].iter().any(|a| !a.standard.has_ht()) {
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
