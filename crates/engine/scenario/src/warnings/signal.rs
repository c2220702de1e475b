//! Rates that a station and its access point do not hear of each other.

use super::alike::also;
use super::packets::longest_at;
use super::{Place, Warning};
use crate::adapter::Adapter;
use crate::air::Air;
use crate::common::SharedRates;
use crate::model::Scenario;
use crate::signals::Signals;
use crate::station::Station;
use airloom_config::form::Measure;
use airloom_propagation::error;
use airloom_rate::{Rate, Width};
use airloom_wifi::{Adaptive, RateChoice, frame_size};
use std::borrow::Cow;

/// A frame that survives less often than this is warned of: a lower rate would then carry more.
const MIN_SURVIVING: f64 = 0.5;
/// A rate needs the ratio at which this share of frames survives: receivers are specified at a loss of a tenth (IEEE
/// 802.11-2020 19.3.19.2).
const HEARD: f64 = 0.9;
/// The ratios among which that one is looked for, in dB.
const RATIOS: std::ops::Range<i32> = -20..70;

const CLOSER: &str = "move it closer, or give it a higher `snr`";
const CLOSER_ON_PLAN: &str = "move it closer, or its access point";

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let signals = scenario.signals();
    let mut all: Vec<(Lost, Vec<&Station>)> = Vec::new();
    for (number, station) in scenario.station.iter().enumerate() {
        let Some(lost) = RadioPath::between(scenario, station, signals.best_snr(station)).lost(number) else {
            continue;
        };
        let same = |(found, stations): &&mut (Lost, Vec<&Station>)| {
            station.group.is_some() && stations[0].group == station.group && found.subject == lost.subject
        };
        match all.iter_mut().find(same) {
            Some((_, stations)) => stations.push(station),
            None => all.push((lost, vec![station])),
        }
    }
    let warning = |(lost, stations): (Lost, Vec<&Station>)| {
        let others: Vec<&str> = stations[1..].iter().map(|station| station.name.as_str()).collect();
        let more = stations[0].group.as_deref().map_or(String::new(), |group| also(scenario, group, &others));
        Warning {
            message: format!(
                "{} {}: {}{more}",
                lost.subject,
                has(scenario, stations[0], &signals),
                lost.share
            ),
            hint: Some(lost.hint),
            concerns: stations.iter().map(|station| station.name.clone()).collect(),
            place: lost.place,
        }
    };
    all.into_iter().map(warning).collect()
}

/// The ratio that a station has, and where from.
fn has(scenario: &Scenario, station: &Station, signals: &Signals<'_>) -> String {
    let ratio = signals.best_snr(station);
    let walls = match station.walls {
        None | Some(0) => String::new(),
        Some(1) => " behind a wall".to_owned(),
        Some(walls) => format!(" behind {walls} walls"),
    };
    let place = station.distance.map_or(String::new(), |metres| format!(" at {metres} m{walls}"));
    let seed =
        if scenario.air.shadowing > 0.0 { format!(" with seed {}", scenario.seed) } else { String::new() };
    format!("`{}` has {ratio:.1} dB{place}{seed}", station.name)
}

/// What is lost between a station and its access point.
pub(super) struct Lost {
    place: Place,
    /// What needs which ratio, before the one that there is.
    pub(super) subject: String,
    /// What comes of that.
    share: String,
    hint: String,
}

/// The path between a station and its access point.
pub(super) struct RadioPath<'a> {
    scenario: &'a Scenario,
    station: &'a Station,
    /// The ratio of the station, in dB.
    ratio: f64,
    /// By how many dB that of its access point is higher.
    up_db: f64,
    /// The air of their network.
    air: Cow<'a, Air>,
    ap: &'a Adapter,
    /// How the ratio varies, in dB: what a data frame meets, and what its acknowledgement meets.
    deviation: [f64; 2],
    /// The directions in which there are packets, the one with the longest first.
    ways: Vec<RadioDirection<'a>>,
}

/// One direction of it.
struct RadioDirection<'a> {
    /// Whether it leads to the station.
    down: bool,
    sender: &'a Adapter,
    receiver: &'a Adapter,
    /// The longest MPDU.
    bytes: u32,
}

impl<'a> RadioPath<'a> {
    pub(super) fn between(scenario: &'a Scenario, station: &'a Station, ratio: f64) -> Self {
        let (_, home) = scenario.access_point_of(station);
        let (air, ap) = (scenario.air_at(station), &home.adapter);
        let slow = scenario.air.slow_fading.as_ref().map_or(0.0, |slow| slow.deviation_db);
        let way = |down: bool| {
            let (sender, receiver) = if down { (ap, &station.adapter) } else { (&station.adapter, ap) };
            let packets =
                scenario.flow.iter().filter_map(|flow| longest_at(scenario, flow, &station.name, !down));
            packets.max().map(|most| RadioDirection {
                down,
                sender,
                receiver,
                bytes: most + frame_size::DATA_OVERHEAD,
            })
        };
        let mut ways: Vec<RadioDirection<'_>> = [true, false].into_iter().filter_map(way).collect();
        ways.sort_by_key(|way| std::cmp::Reverse(way.bytes));
        let deviation = [libm::hypot(scenario.air.fading, slow), slow];
        Self { scenario, station, ratio, up_db: station.up_db(home), air, ap, deviation, ways }
    }

    /// What is lost, if it is so much that hardly anything gets through.
    pub(super) fn lost(&self, number: usize) -> Option<Lost> {
        match &self.station.rate {
            RateChoice::Fixed(rate) => {
                self.ways.iter().find_map(|way| self.lost_at(number, way, *rate, None))
            }
            RateChoice::Scripted(steps) => {
                let within = steps.iter().filter(|(at, _)| *at < self.scenario.duration);
                within.flat_map(|step| self.ways.iter().map(move |way| (step, way))).find_map(
                    |((at, rate), way)| {
                        let from = format!("from {} on ", at.written());
                        self.lost_at(number, way, *rate, Some(from))
                    },
                )
            }
            RateChoice::Adaptive(Adaptive::Minstrel(_)) => self.lost_at_all(number, &self.common().rates()),
            RateChoice::Adaptive(_) | RateChoice::Own(_) => self.lost_at_all(number, &self.full_rates()),
        }
    }

    /// What is lost at the hardiest of the rates that a rate control may choose, if there is none at which enough survives.
    fn lost_at_all(&self, number: usize, rates: &[Rate]) -> Option<Lost> {
        let heard = |way: &RadioDirection<'_>| {
            rates.iter().any(|&rate| {
                self.data(way, rate) >= MIN_SURVIVING && self.response(way, rate) >= MIN_SURVIVING
            })
        };
        let deaf = self.ways.iter().find(|way| !heard(way))?;
        // Of rates at which equally many survive, such as none, the slowest.
        let slowest_last = rates.iter().rev().copied();
        let hardiest = slowest_last.max_by(|&a, &b| self.data(deaf, a).total_cmp(&self.data(deaf, b)));
        hardiest.and_then(|rate| self.lost_at(number, deaf, rate, None))
    }

    /// The rates of the full width, from which all rate controls choose but Minstrel.
    fn full_rates(&self) -> Vec<Rate> {
        let mut rates = self.common().rates();
        rates.retain(|rate| is_full(*rate, self.air.width));
        rates
    }

    /// What is lost one way at a rate, `from` some time on.
    fn lost_at(
        &self,
        number: usize,
        way: &RadioDirection<'_>,
        rate: Rate,
        from: Option<String>,
    ) -> Option<Lost> {
        self.data_lost(number, way, rate, from).or_else(|| self.responses_lost(number, way, rate))
    }

    fn data_lost(
        &self,
        number: usize,
        way: &RadioDirection<'_>,
        rate: Rate,
        from: Option<String>,
    ) -> Option<Lost> {
        let survive = self.data(way, rate);
        let least = self.common().rates().first() == Some(&rate);
        let when = if least { "even ".to_owned() } else { from.unwrap_or_default() };
        let place = if least { self.place_key() } else { "rate" };
        (survive < MIN_SURVIVING).then(|| Lost {
            place: Place::new("station", number, &[place]),
            subject: format!("{when}{rate} {}", needed(|snr| self.data_at(way, rate, snr))),
            share: format!(
                "{} {} it are lost",
                share(survive, "frames"),
                if way.down { "to" } else { "from" }
            ),
            hint: if least { self.closer().to_owned() } else { self.better() },
        })
    }

    fn responses_lost(&self, number: usize, way: &RadioDirection<'_>, rate: Rate) -> Option<Lost> {
        let survive = self.response(way, rate);
        let (answer, fixed) = (self.answer(way, rate), way.receiver.fixed_rates.control_rate.is_some());
        let (from, name) = (if way.down { "from" } else { "to" }, &self.station.name);
        let basic = || {
            let profile = &way.receiver.profile;
            format!(
                "write adapter = {{ profile = \"{profile}\", control_rate = \"basic\" }} for `{name}` and for the access \
                 point"
            )
        };
        (survive < MIN_SURVIVING).then(|| Lost {
            place: Place::new(
                "station",
                number,
                if fixed { &["adapter", "control_rate"] } else { &["rate"] },
            ),
            subject: format!(
                "an acknowledgement at {answer} {}",
                needed(|snr| self.response_at(way, rate, snr))
            ),
            share: format!("{} {from} it are lost", share(survive, "acknowledgements")),
            hint: match self.common().legacy.first() {
                Some(&lowest) if lowest == answer => self.closer().to_owned(),
                _ if fixed => basic(),
                _ => self.better(),
            },
        })
    }

    fn common(&self) -> SharedRates {
        SharedRates::of(&self.air, &self.station.adapter, self.ap)
    }

    /// The key that says where the station is, if one does on a plan.
    fn place_key(&self) -> &'static str {
        match (self.station.position, &self.station.path) {
            (Some(_), _) => "position",
            (None, Some(_)) => "path",
            _ => "rate",
        }
    }

    /// What to do where no rate is slow enough.
    fn closer(&self) -> &'static str {
        if self.station.track().is_some() { CLOSER_ON_PLAN } else { CLOSER }
    }

    /// What to write instead.
    fn better(&self) -> String {
        let works = |rate: &&Rate| {
            self.ways.iter().all(|way| self.data(way, **rate) >= HEARD && self.response(way, **rate) >= HEARD)
        };
        let rates = self.common().rates();
        let width = self.air.width;
        let fastest = rates.iter().rev().filter(|rate| is_full(**rate, width)).find(works);
        let fastest = fastest.map_or(String::new(), |rate| format!("; the highest that works is {rate}"));
        format!("rate = \"minstrel\" chooses what works{fastest}")
    }

    /// The rate at which a frame is acknowledged.
    fn answer(&self, way: &RadioDirection<'_>, rate: Rate) -> Rate {
        let fixed = way.receiver.fixed_rates.control_rate.and_then(|rate| self.air.rate(rate));
        fixed.unwrap_or_else(|| self.air.basic().response(rate))
    }

    /// The ratio of frames to the station, or to its access point, in dB.
    fn ratio_of(&self, down: bool) -> f64 {
        if down { self.ratio } else { self.ratio + self.up_db }
    }

    /// Probability that a data frame survives.
    fn data(&self, way: &RadioDirection<'_>, rate: Rate) -> f64 {
        self.data_at(way, rate, self.ratio_of(way.down))
    }

    fn data_at(&self, way: &RadioDirection<'_>, rate: Rate, snr: f64) -> f64 {
        let width = self.air.width;
        let snr = snr + error::narrowing_gain_db(width, rate.width());
        survival(rate, snr, self.deviation[0], way.sender, rate.streams(), way.bytes)
    }

    /// Probability that its acknowledgement survives.
    fn response(&self, way: &RadioDirection<'_>, rate: Rate) -> f64 {
        self.response_at(way, rate, self.ratio_of(!way.down))
    }

    fn response_at(&self, way: &RadioDirection<'_>, rate: Rate, snr: f64) -> f64 {
        let bytes = if rate.aggregates() { frame_size::BLOCK_ACK_BYTES } else { frame_size::ACK_BYTES };
        // As wide as what it acknowledges (802.11-2020 10.6.6.6).
        let snr = snr + error::narrowing_gain_db(self.air.width, rate.width());
        survival(self.answer(way, rate), snr, self.deviation[1], way.receiver, 1, bytes)
    }
}

/// Whether a rate is of a channel's whole width, or below HT, which has no other.
fn is_full(rate: Rate, channel: Width) -> bool {
    rate.width() == channel || !rate.aggregates()
}

/// Probability that a frame survives, the mean over a ratio that varies: over as many quantiles as fading has.
fn survival(rate: Rate, snr: f64, deviation: f64, sender: &Adapter, streams: u32, bytes: u32) -> f64 {
    /// Quantiles of the standard normal distribution at (2k + 1) / 16.
    const QUANTILES: [f64; 8] = [-1.534, -0.887, -0.489, -0.157, 0.157, 0.489, 0.887, 1.534];
    let at = |z: f64| {
        let ratio = error::effective_snr_db(snr, sender.evm, streams) + z * deviation;
        error::survival(error::bit_error(rate, ratio), bytes)
    };
    if deviation > 0.0 { QUANTILES.map(at).iter().sum::<f64>() / QUANTILES.len() as f64 } else { at(0.0) }
}

/// The ratio that is needed so that enough survives.
fn needed(survival: impl Fn(f64) -> f64) -> String {
    match RATIOS.into_iter().find(|&db| survival(f64::from(db)) >= HEARD) {
        Some(db) => format!("needs about {db} dB, but"),
        None => "needs a transmitter with a better `evm`, and".to_owned(),
    }
}

/// The share of these that does not survive, as a whole number of per cent.
fn share(survive: f64, what: &str) -> String {
    match libm::round(100.0 * (1.0 - survive)) as u32 {
        100 => format!("all {what}"),
        percent => format!("{percent} % of the {what}"),
    }
}
