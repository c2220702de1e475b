//! A rate control as written in a file, and its check against the two adapters, which also fill in what it leaves open.

use airloom_rate::{GuardInterval, Ht, Rate, Width};
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

/// The rate of HT that two adapters have and that is this fast, to a tenth of a megabit per second. If there are several, or
/// only others have one: what to say, and what to write; nothing if there is none at all.
fn ht_by_speed(common: &Common, wanted: BitRate) -> Result<Rate, (Option<String>, Option<String>)> {
    let tenths = |rate: BitRate| (rate.as_bps() + 50_000) / 100_000;
    let alike = |rates: Vec<Rate>| {
        rates.into_iter().filter(|rate| tenths(rate.bit_rate()) == tenths(wanted)).collect::<Vec<Rate>>()
    };
    let table = |rate: &Rate| match rate {
        Rate::Ht(ht) => format!("{{ mcs = {}, guard_interval = \"{}\" }}", ht.mcs, ht.guard.name()),
        Rate::Dsss(_) | Rate::Ofdm(_) => rate.to_string(),
    };
    let Some(here) = common.ht else { return Err((None, None)) };
    let mbps = wanted.as_mbps_f64();
    let all = || Ht::rates(here.streams, here.width, here.guard);
    match alike(all())[..] {
        [one] => return Ok(one),
        [] => {}
        ref several => {
            let names: Vec<String> = several.iter().map(Rate::to_string).collect();
            let tables: Vec<String> = several.iter().map(table).collect();
            let message = format!("{mbps} Mbit/s is that of {}", names.join(" and of "));
            return Err((Some(message), Some(format!("write {}", tables.join(" or ")))));
        }
    }
    let elsewhere = [Width::Mhz20, Width::Mhz40].into_iter().find_map(|width| {
        Some((width, *alike(Ht::rates(Ht::MOST_STREAMS, width, GuardInterval::Ns400)).first()?))
    });
    let fastest = common.highest();
    let speed = tenths(fastest.bit_rate()) as f64 / 10.0;
    let highest = format!("{fastest} is the highest here, {speed} Mbit/s");
    let message = elsewhere.map(|(width, rate)| {
        format!("{mbps} Mbit/s, {rate} in {}, is no rate of this channel and these adapters", width.name())
    });
    Err((message, Some(format!("write \"MCS 0\" to \"MCS {}\"; {highest}", Ht::highest_mcs(here.streams)))))
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
            return ht_by_speed(&common, rate).unwrap_or_else(|(message, hint)| {
                let name = air.standard.name();
                let message =
                    message.unwrap_or_else(|| format!("{} Mbit/s is no rate of {name}", rate.as_mbps_f64()));
                let hint = hint.unwrap_or_else(|| rates_said(name, &air.rates()));
                faults.fail(self.at(), message, Some(hint));
                common.highest()
            });
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
