//! A rate control as written in a file, and its check against the two adapters, which also fill in what it leaves open.

use airloom_rate::{Eht, GuardInterval, He, Ht, Rate, Vht, Width};
use airloom_sim::{BitRate, BroughtName, Duration};
use airloom_wifi::{Adaptive, RateChoice};

use crate::adapter::Adapter;
use crate::air::{Air, Standard, rates_said};
use crate::common::{AggregatingRates, SharedRates};
use crate::format::Format;
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
    /// A rate control that the caller brought chooses.
    Own(BroughtName),
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
    /// A rate of HT, VHT, HE or EHT, whichever both adapters have.
    Scheme {
        /// Where it stands.
        at: At,
        /// The scheme.
        mcs: u8,
        /// The streams, if given.
        streams: Option<u8>,
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
            RateChoice::Own(own) => Self::Own(*own),
        }
    }

    /// Whether it names a rate below those that aggregate.
    pub(crate) fn is_of_legacy(&self) -> bool {
        let legacy = |rate: &OneText| matches!(rate, OneText::Legacy { .. });
        match self {
            Self::Fixed(rate) => legacy(rate),
            Self::Scripted(steps) => steps.iter().any(|(_, rate)| legacy(rate)),
            Self::Adaptive(_) | Self::Own(_) => false,
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
            Self::Own(own) => RateChoice::Own(own),
        }
    }
}

/// The rate above those of OFDM that two adapters have and that is this fast, to a tenth of a megabit per second. If there are
/// several, or only others have one: what to say, and what to write; nothing if there is none at all.
fn scheme_by_speed(common: &SharedRates, wanted: BitRate) -> Result<Rate, (Option<String>, Option<String>)> {
    let tenths = |rate: BitRate| (rate.as_bps() + 50_000) / 100_000;
    let alike = |rates: Vec<Rate>| {
        rates.into_iter().filter(|rate| tenths(rate.bit_rate()) == tenths(wanted)).collect::<Vec<Rate>>()
    };
    let table = |rate: &Rate| match OneText::of(*rate) {
        OneText::Legacy { .. } => rate.to_string(),
        OneText::Scheme { mcs, streams, guard, .. } => {
            let streams = streams.map_or_else(String::new, |n| format!(", streams = {n}"));
            let guard =
                guard.map_or_else(String::new, |guard| format!(", guard_interval = \"{}\"", guard.name()));
            format!("{{ mcs = {mcs}{streams}{guard} }}")
        }
    };
    let Some(here) = common.fast else { return Err((None, None)) };
    let mbps = wanted.as_mbps_f64();
    match alike(here.all())[..] {
        [one] => return Ok(one),
        [] => {}
        ref several => {
            let names: Vec<String> = several.iter().map(Rate::to_string).collect();
            let tables: Vec<String> = several.iter().map(table).collect();
            let message = format!("{mbps} Mbit/s is that of {}", names.join(" and of "));
            return Err((Some(message), Some(format!("write {}", tables.join(" or ")))));
        }
    }
    let elsewhere = Width::ALL.into_iter().find_map(|width| {
        let fast =
            AggregatingRates { streams: Ht::MOST_STREAMS, width, guard: here.format.guards()[0], ..here };
        Some((width, *alike(fast.all()).first().filter(|_| width <= here.format.widest())?))
    });
    let fastest = common.highest();
    let speed = tenths(fastest.bit_rate()) as f64 / 10.0;
    let highest = format!("{fastest} is the highest here, {speed} Mbit/s");
    let message = elsewhere.map(|(width, rate)| {
        format!("{mbps} Mbit/s, {rate} in {}, is no rate of this channel and these adapters", width.name())
    });
    Err((
        message,
        Some(format!("write \"MCS 0\" to \"MCS {}\"; {highest}", here.format.highest_mcs(here.streams))),
    ))
}

impl OneText {
    /// For writing.
    pub(crate) fn of(rate: Rate) -> Self {
        let at = At::TOP;
        match rate {
            Rate::Dsss(_) | Rate::Ofdm(_) => Self::Legacy { at, rate: rate.bit_rate() },
            Rate::Ht(Ht { mcs, guard, .. }) => Self::Scheme { at, mcs, streams: None, guard: Some(guard) },
            Rate::Vht(Vht { mcs, streams, guard, .. })
            | Rate::He(He { mcs, streams, guard, .. })
            | Rate::Eht(Eht { mcs, streams, guard, .. }) => {
                Self::Scheme { at, mcs, streams: Some(streams), guard: Some(guard) }
            }
        }
    }

    /// Where it stands.
    pub(crate) fn at(&self) -> At {
        match *self {
            Self::Legacy { at, .. } | Self::Scheme { at, .. } => at,
        }
    }

    /// The rate in this air between these two. A rate that they cannot send is reported and replaced by another.
    fn on(&self, faults: &Faults, air: &Air, station: &Adapter, ap: &Adapter) -> Rate {
        match *self {
            Self::Legacy { rate, .. } => self.legacy_on(faults, rate, air, station, ap),
            Self::Scheme { mcs, streams, guard, .. } => {
                self.scheme_on(faults, (mcs, streams, guard), air, station, ap)
            }
        }
    }

    fn legacy_on(&self, faults: &Faults, rate: BitRate, air: &Air, station: &Adapter, ap: &Adapter) -> Rate {
        let common = SharedRates::of(air, station, ap);
        let Some(rate) = air.rate(rate) else {
            return scheme_by_speed(&common, rate).unwrap_or_else(|(message, hint)| {
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

    /// A guard interval left out is the shortest that both adapters support, streams left out are those of both.
    fn scheme_on(
        &self,
        faults: &Faults,
        (mcs, streams, guard): (u8, Option<u8>, Option<GuardInterval>),
        air: &Air,
        station: &Adapter,
        ap: &Adapter,
    ) -> Rate {
        let common = SharedRates::of(air, station, ap);
        let fail = |message: String, hint: Option<String>| faults.fail(self.at(), message, hint);
        let Some(fast) = common.fast else {
            let reason = if air.standard.format().is_none() {
                format!("the air is {}", air.standard.name())
            } else if [station, ap].iter().any(|adapter| adapter.standard.format().is_none()) {
                "an adapter is older".to_owned()
            } else {
                "an adapter has `qos = false`, and nothing aggregates without".to_owned()
            };
            let hint = rates_said("the station", &common.legacy);
            fail(format!("MCS {mcs} is a rate of 802.11n and later, but {reason}"), Some(hint));
            return common.highest();
        };
        let Some(rate) = fast.rate(mcs, streams, guard) else {
            let (message, hint) = missing(fast, mcs, streams, guard);
            fail(message, hint);
            return common.highest();
        };
        for (adapter, who) in [(station, "the adapter"), (ap, "the access point")] {
            if rate.streams() > u32::from(adapter.capabilities.streams) {
                let highest = fast.format.highest_mcs(adapter.capabilities.streams);
                let streams = streams_said(adapter.capabilities.streams);
                let hint = match fast.format {
                    Format::Ht => format!("its highest is MCS {highest}"),
                    Format::Vht | Format::He | Format::Eht => {
                        format!("write streams = {}", adapter.capabilities.streams)
                    }
                };
                fail(format!("{rate} is beyond {who}'s {streams}"), Some(hint));
            }
            if guard.is_some_and(|guard| guard < adapter.shortest_guard(fast.format)) {
                let hint = format!("{who} has `short_gi = false`");
                fail(format!("{who} cannot send with the short guard interval"), Some(hint));
            }
        }
        rate
    }
}

fn streams_said(streams: u8) -> String {
    format!("{streams} stream{}", if streams == 1 { "" } else { "s" })
}

/// Why a format has no such rate, and what to write.
fn missing(
    fast: AggregatingRates,
    mcs: u8,
    streams: Option<u8>,
    guard: Option<GuardInterval>,
) -> (String, Option<String>) {
    let AggregatingRates { format, width, .. } = fast;
    let (name, guards) = (Standard::with(format).name(), format.guards());
    if let Some(guard) = guard.filter(|guard| !guards.contains(guard)) {
        let known: Vec<_> = guards.iter().map(|guard| format!("\"{}\"", guard.name())).collect();
        let message = format!("{name} has no guard interval of {} ns", guard.duration().as_nanos());
        return (message, Some(format!("write guard_interval = {}", known.join(" or "))));
    }
    let highest = format.highest_mcs(Ht::MOST_STREAMS);
    if let Some(what) = Eht::left_out(mcs.into()).filter(|_| format == Format::Eht) {
        let hint = format!("MCS {mcs} is {what}; the highest here is MCS {highest}");
        return (format!("MCS {mcs} of {name} is not supported yet"), Some(hint));
    }
    if mcs > highest {
        return (format!("{name} has no MCS {mcs}"), Some(format!("its highest is MCS {highest}")));
    }
    if let (Format::Ht, Some(streams)) = (format, streams) {
        let own = mcs / Ht::first_mcs(2) + 1;
        let message = format!("MCS {mcs} of {name} has {}, not {streams}", streams_said(own));
        return (message, Some("leave streams out, or write MCS 0 to 7 with them".to_owned()));
    }
    let streams = streams.unwrap_or(fast.streams);
    let message = format!("{name} has no MCS {mcs} with {} in {}", streams_said(streams), width.name());
    (message, Some("its bits would not fill whole symbols: take the scheme below".to_owned()))
}
