//! W201: others use the air.

use super::slow_rate::may_go_faster;
use super::{no_air, with_links};
use crate::capacity::{MARGIN, NOT_WAITING, alone_mbps, moved_mbps, swiftest_mbps, taken_in};
use crate::demand::{ALL, Turns, answers};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::foreign;
use crate::gaps::Gaps;
use crate::heard::{deafness, heard_of, rateless};
use crate::link::{Link, data_span, links, shown};
use crate::ppdus::{can_aggregate, is_parted, wanders};
use crate::rate::about;
use crate::rule::Rule;
use crate::spare::{self, SHORT_PPDUS, are_alike, waits_in_silence};
use crate::window_bounds::within_windows;
use airloom_trace::{Air, Bins, MacAddr};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W201",
    name: "contention",
    means: "Others use the same channel so much that the device has to wait for its turn.",
    needs: "air",
    computes: "For each station with data, the air time that all others' data takes, of other stations and of other networks, while the air is \
               busy for at least two thirds of the time; where the station and others have data in less than four fifths of it, also of these if they last for 2 s. Reported from a half of the time on; where the station always has more to send, also if other \
               networks' data takes a quarter of the time, or if one other station takes more of the air than all others together because its data is slower: it needs a quarter more air for as much \
               data, and the two share the data more evenly than the air. Its cost is what the station would carry \
               in the time that others' data takes as it does in its own, or alone at the fastest rate that it uses if that is less: at least, since others keep rates and windows small. That is so where frames wait whenever it does not send: it takes four turns for each five of the busiest other one. Of one that takes fewer it is what the air would carry of it alone at the fastest rate that it uses, at most; that is unknown where the signal is enough for one twice as fast. Time in which it is not on its channel does not count.",
    traps: "A busy air of which the station itself has the most is not contention. A station that has the full air with a stream of UDP that takes a quarter of the time, and no half, may have its fair share: the rule says so and cannot tell. One that takes fewer turns than it could, such as one with a call, may have nothing to wait for: of that the rule cannot tell, nor of one that takes 0.55 times as many turns as another or fewer, or whose queue runs empty at its turns: its window, the wire or losses may hold it back; nor of one whose stream keeps one and the same rate, however long it waits; nor by the turns of an access point that sends to several stations, since these do not tell for which of them data waits; nor where data waits while nothing is heard for 15 % of the time, beside first tries that were not heard, though their retries were: the monitor does not hear everything. Where a tenth of the MPDUs is sent again, slower rates make PPDUs short, and no queue that runs empty. One slow station that takes more than its share is \
            reported as W202.",
    refuted_by: "The same rate of the station while the others are silent.",
    judge,
};

/// The share of time that the air is busy at least, with what goes before and after each PPDU, in percent.
const BUSY_PCT: f64 = 66.0;
/// Nothing is heard for so much of the time, in percent, if something takes it that is not heard: what is not known of backoffs and collisions takes less.
const SILENT_PCT: f64 = 15.0;
/// The share of time that others' data takes, in percent.
const REPORTED_PCT: f64 = 50.0;
/// The share of time that data of other networks takes, in percent: no access point shares the air with these.
const FOREIGN_PCT: f64 = 25.0;
/// A stream of UDP is named from this share of the time on, in percent, where a station beside it always has more to send: TCP would slow down.
const FLOOD_PCT: f64 = 25.0;
/// How much more air a slower station needs for as much data.
const SLOWER: f64 = 1.25;
/// A station that takes fewer turns than this for each one of another may wait for something else than the air: beside an upload those that a window of twenty segments holds back take 0.25 to
/// 0.52, and transfers by TCP among five others 0.55 and more.
const FEWEST_TURNS: f64 = 0.55;
/// Others are busy that take this part of what the one with the most takes, or a twentieth of the time.
const OF_THE_MOST: f64 = 0.5;
const BUSY: f64 = 0.05;
/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 50;
/// What is less than this part of a station's air time may be anything.
const STRAY: f64 = 0.01;
/// Where a station and others have data for less than this part of the time, that part is judged by itself if it is no shorter than this, in nanoseconds.
const NEARLY_ALL: f64 = 0.8;
/// See `NEARLY_ALL`.
const SHORT_NS: f64 = 2e9;
/// Why no rate in use bounds what a station would carry alone.
const SLOW: Cost = Cost::unknown(
    "the signal is enough for far faster rates than those in use, so these do not show what the station would carry alone",
);

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    if let Some(because) = deafness(air) {
        return Verdict::CannotTell(because);
    }
    let Some((from, to)) = data_span(air) else { return with_links(Verdict::NOTHING, air, MIN_MPDUS) };
    if let Some(because) = rateless(air) {
        return Verdict::CannotTell(because.to_owned());
    }
    let full = Full::of(evidence, *capture, air, Part { span_ns: (from, to), is_all: true });
    if full.busy() < BUSY_PCT {
        return Verdict::unless_found_suspects(Vec::new(), unheard(&full));
    }
    let stations: BTreeSet<MacAddr> = links(air, MIN_MPDUS).iter().map(|link| link.station().mac).collect();
    let (mut found, mut unclear, mut suspicion) = (Vec::new(), None, None);
    let turn_of = |mac| full.beside(mac).as_ref().unwrap_or(&full).turn_of(mac);
    for turn in stations.into_iter().filter_map(turn_of) {
        match turn {
            Turn::Waits(finding) => found.push(*finding),
            Turn::MayWait(because) => unclear = unclear.or(Some(because)),
            Turn::Shares(because) => suspicion = suspicion.or(Some(because)),
        }
    }
    let suspicion = suspicion.or_else(|| if found.is_empty() { unheard(&full) } else { None });
    match suspicion {
        Some(_) => Verdict::unless_found_suspects(found, suspicion),
        None => with_links(Verdict::unless_found(found, unclear), air, MIN_MPDUS),
    }
}

/// A part of the time in which data went.
#[derive(Clone, Copy)]
struct Part {
    span_ns: (u64, u64),
    /// Whether it is all of that time.
    is_all: bool,
}

impl Part {
    /// How much of what was noted over time belongs to it, from 0 to 1.
    fn of(self, noted: &Bins) -> f64 {
        if self.is_all {
            return 1.0;
        }
        let all: f64 = noted.bins().iter().map(|bin| bin.sum).sum();
        if all > 0.0 { noted.sum(self.span_ns.0, self.span_ns.1) / all } else { 0.0 }
    }
}

/// From when until when nearly all of what was noted in some lines over time lies, in nanoseconds since 1970: what is less than a hundredth at either end may be anything, such as a question for an
/// address. None if nothing was.
fn lasts<'a>(lines: impl Iterator<Item = &'a Bins> + Clone) -> Option<(u64, u64)> {
    let mut bins: Vec<(u64, u64, f64)> = lines
        .flat_map(|line| {
            let each = line.bins().iter().enumerate().filter(|(_, bin)| bin.sum > 0.0);
            each.map(|(place, bin)| (line.begin_ns(place), line.begin_ns(place + 1), bin.sum))
        })
        .collect();
    bins.sort_by_key(|bin| bin.0);
    let least = STRAY * bins.iter().map(|bin| bin.2).sum::<f64>();
    let is_stray = |so_far: &mut f64, sum: f64| {
        *so_far += sum;
        *so_far <= least
    };
    let (mut before, mut behind) = (0.0, 0.0);
    let first = bins.iter().find(|bin| !is_stray(&mut before, bin.2))?;
    let last = bins.iter().rev().find(|bin| !is_stray(&mut behind, bin.2))?;
    Some((first.0, last.1))
}

/// Air that is busy nearly all the time.
struct Full<'a> {
    evidence: &'a Evidence,
    capture: usize,
    air: &'a Air,
    /// The time that is looked at, and how long it is in nanoseconds.
    part: Part,
    time: f64,
    all: Vec<Link<'a>>,
    /// What data of each station takes in nanoseconds, and what that of all does.
    taken: BTreeMap<MacAddr, f64>,
    whole: f64,
    turns: Turns,
    slower: Option<(MacAddr, f64)>,
}

/// How a station comes to its turn in such air.
enum Turn {
    /// It waits for its turn.
    Waits(Box<Finding>),
    /// It may, though nothing shows that more was there to be sent.
    MayWait(String),
    /// Others have the air, and what that costs it does not show: a stream does not slow down for it, or it may have no more to send.
    Shares(String),
}

impl<'a> Full<'a> {
    /// What goes in a part of the time.
    fn of(evidence: &'a Evidence, capture: usize, air: &'a Air, part: Part) -> Self {
        let (from, to) = part.span_ns;
        let mut taken = taken_in(air, |link| part.of(&link.traffic.over_time.airtime));
        let all = links(air, 1);
        for (mac, ns) in &mut taken {
            let own = all.iter().filter(|link| link.station().mac == *mac);
            let share = own.map(|link| part.of(&link.traffic.over_time.airtime)).fold(0.0, f64::max);
            // Requests to send, and the answers to the station's own frames.
            *ns += share * air.radio(*mac).map_or(0.0, |radio| radio.control_ns as f64);
        }
        Self {
            evidence,
            capture,
            air,
            part,
            time: to.saturating_sub(from).max(1) as f64,
            whole: taken.values().sum(),
            taken,
            all,
            turns: Turns::of(air),
            slower: slower(air),
        }
    }

    /// The part of the time in which a station and others have data, if that is much less than all of it: nobody waits for what is not there. None if it is about all.
    fn beside(&self, mac: MacAddr) -> Option<Self> {
        let over_time = |own: bool| {
            let links = self.all.iter().filter(move |link| (link.station().mac == mac) == own);
            lasts(links.map(|link| &link.traffic.over_time.airtime))
        };
        let (from, to) = self.part.span_ns;
        let both = over_time(true)
            .zip(over_time(false))
            .map(|(own, others)| (own.0.max(others.0).max(from), own.1.min(others.1).min(to)));
        self.within(both)
    }

    /// The share of this time for which data takes the air, in percent, with what goes before and after each PPDU.
    fn busy(&self) -> f64 {
        100.0 * self.whole / self.time
    }

    /// The share of this time in percent that first tries take which the monitor did not hear, by those that it heard as they were sent again: they had no success.
    fn unheard_tries(&self) -> f64 {
        let ns = |link: &Link<'_>| {
            let traffic = link.traffic;
            let own = traffic.airtime_ns as f64 + traffic.ppdus as f64 * Gaps::of(self.air, link).around;
            let again = traffic.first_as_retries as f64 / traffic.mpdus.max(1) as f64;
            self.part.of(&traffic.over_time.airtime) * own * again
        };
        100.0 * self.all.iter().map(ns).sum::<f64>() / self.time
    }

    /// The part of the time in which a link has data, if that is much less than all of it.
    fn of_link(&self, link: &Link<'_>) -> Option<Self> {
        self.within(lasts([&link.traffic.over_time.airtime].into_iter()))
    }

    /// A time as a part of this one, if it is much less than all of it.
    fn within(&self, time: Option<(u64, u64)>) -> Option<Self> {
        let is_part = |&(begin, end): &(u64, u64)| {
            let length = end.saturating_sub(begin) as f64;
            length >= SHORT_NS && length < NEARLY_ALL * self.time
        };
        let part = Part { span_ns: time.filter(is_part)?, is_all: false };
        Some(Self::of(self.evidence, self.capture, self.air, part))
    }

    /// How a station comes to its turn, if that is worth telling.
    fn turn_of(&self, mac: MacAddr) -> Option<Turn> {
        let own_ns = self.taken[&mac];
        let (own, foreign): (Vec<&Link<'a>>, Vec<_>) =
            self.all.iter().partition(|link| link.station().mac == mac);
        let away = Away::of(self.air, mac, self.part.span_ns);
        let time = (self.time - away.ns()).max(1.0);
        let others_ns = (self.whole - own_ns) * away.rest_of(&foreign);
        let others = (100.0 * others_ns / time).min(100.0);
        let networks = foreign::networks(self.air, &self.taken, mac, self.time);
        let waiting: Vec<_> = own.iter().filter(|link| self.evidence.is_greedy(link)).copied().collect();
        let of_networks: f64 = networks.iter().map(|(_, share)| share).sum();
        let waits = !waiting.is_empty();
        let slow = self.slower.filter(|(rival, _)| *rival != mac && waits);
        let slow_pct = slow.map_or(f64::INFINITY, |_| 100.0 * own_ns / time);
        let reported = reported(others, slow_pct, of_networks, waits);
        let busy = self.busy();
        if busy < BUSY_PCT || (reported.is_none() && !(waits && others >= FLOOD_PCT)) {
            return None;
        }
        let flood = floods(self.evidence, self.capture, self.air, mac);
        let rivals = rivals(&self.taken, mac, self.time) + &flood;
        let Some((value, threshold)) = reported else {
            return (!flood.is_empty()).then(|| Turn::Shares(yields(mac, &rivals, others)));
        };
        if !waits && !own.iter().any(|link| self.turns.are_all_for(self.air, link)) {
            return Some(Turn::MayWait(format!(
                "station {mac}: data of {rivals} takes {others:.0} % of the time, but nothing shows that more was there to be sent: the station takes fewer turns than it could or keeps one and the same rate, or its access point's turns are not for it alone"
            )));
        }
        let takes = self.takes(&waiting, &foreign, &away);
        let of_both = 100.0 * (own_ns + others_ns) / time;
        let foreign_part = if waits { of_networks / others.max(1e-9) } else { 0.0 };
        let because =
            takes.and_then(|takes| takes.speaks_against((own_ns, others_ns), of_both, foreign_part));
        if let Some(because) = because {
            return Some(Turn::Shares(format!(
                "station {mac}: data of {rivals} takes {others:.0} % of the time{}, but whether the station would have sent more does not show: {because}. Its windows, the wire, or losses may hold it back",
                self.bound(&waiting, time / self.time)
            )));
        }
        Some(Turn::Waits(Box::new(Finding {
            subject: format!("station {mac}"),
            spans: vec![[self.part.span_ns.0, self.part.span_ns.1].map(|at| self.evidence.seconds(at))],
            value,
            threshold,
            unit: "% of the time",
            confidence: if waits { 0.9 } else { 0.6 },
            cost: self.cost(&waiting, others_ns / own_ns.max(1.0), time / self.time, takes),
            capture: self.capture,
            frames: shown(foreign.into_iter()),
            filter: format!("wlan.fc.type == 2 && !(wlan.addr == {mac})"),
            says: says(&rivals, others, busy, &networks, waits) + &slow.map_or_else(String::new, says_slower),
            remedy: remedy(of_networks, others, slow.is_some()).to_owned(),
        })))
    }

    /// Which turns a station takes over that of its links that takes most of them, of those over which more is there to be sent; none without any.
    fn takes(&self, waiting: &[&Link<'_>], foreign: &[&Link<'_>], away: &Away) -> Option<Takes> {
        let turns = |link: &Link<'_>| {
            let own = &link.traffic.over_time.airtime;
            link.traffic.ppdus as f64 * self.part.of(own) / heard_of(self.air, link)
        };
        let rivals = || foreign.iter().filter(|link| !answers(self.air, link));
        let most = rivals().map(|link| turns(link) * away.rest_of(&[link])).fold(1.0, f64::max);
        let of = |link: &&Link<'_>| Takes { turns: turns(link) / most, filled: filled(link) };
        waiting.iter().map(of).max_by(|one, other| one.turns.total_cmp(&other.turns))
    }

    /// What the station would carry more at most with all of the air, in words behind what others take; empty where that is not known.
    fn bound(&self, waiting: &[&Link<'_>], there: f64) -> String {
        let moved: f64 = waiting.iter().filter_map(|link| self.moved_mbps(link)).sum();
        let all: f64 = waiting.iter().map(|link| swiftest_mbps(self.air, link)).sum();
        let more = all * there - moved;
        if more <= 0.0 || waiting.iter().any(|link| may_go_faster(self.air, link)) {
            return String::new();
        }
        format!(", which leaves it up to {} less than all of the air would carry", about(more))
    }

    /// What others keep from a station with these links over which more is there to be sent, if their data takes so many times as long as its own, and it is on its channel for
    /// such a part of the time.
    fn cost(&self, waiting: &[&Link<'_>], times: f64, there: f64, takes: Option<Takes>) -> Cost {
        let Some(takes) = takes else { return NOT_WAITING };
        let moved: f64 = waiting.iter().filter_map(|link| self.moved_mbps(link)).sum();
        // In the time that others' data takes it would carry what it carries in its own, but for the backoffs during which several wait at once.
        let more = moved * times;
        if !takes.all() {
            if waiting.iter().any(|link| may_go_faster(self.air, link)) {
                return SLOW;
            }
            // Of each direction that waits it is reckoned that the other one's data goes in the same air.
            let all: f64 = waiting.iter().map(|link| swiftest_mbps(self.air, link)).sum();
            let most = (all * there - moved).max(0.0);
            let cost = Cost { at_most: true, ..Cost::mbps(most, moved, "of this station") };
            return within_windows(self.evidence, self.air, waiting, cost);
        }
        // Alone, the directions that wait would share the air.
        let alone = waiting.iter().map(|link| alone_mbps(self.air, link)).sum::<f64>() / waiting.len() as f64;
        let alone = ((1.0 - MARGIN) * alone * there - moved).max(0.0);
        // Rate controls are slow behind collisions, and do not show what they would do without.
        let cost = Cost::carried(more.min(alone), moved, "of this station");
        within_windows(self.evidence, self.air, waiting, cost)
    }

    /// What a link whose data waits while nothing is heard would carry more at most, in words: all of the air at the fastest rate that it uses. What it does in the rest of the time does not
    /// bound that: what disturbs it takes of what it sends, too, and keeps its rates slow and its PPDUs short. Empty where faster rates may be possible.
    fn at_most_more(&self, link: &Link<'_>) -> String {
        let more = swiftest_mbps(self.air, link) - self.moved_mbps(link).unwrap_or_default();
        if more > 0.0 && !may_go_faster(self.air, link) {
            format!(", and the data would go by up to {} faster", about(more))
        } else {
            String::new()
        }
    }

    /// Mbit/s of payload that a link has moved in this part of the time.
    fn moved_mbps(&self, link: &Link<'_>) -> Option<f64> {
        let (from, to) = data_span(self.air)?;
        let share = self.part.of(&link.traffic.over_time.octets);
        Some(moved_mbps(self.air, link)? * share * (to - from) as f64 / self.time)
    }
}

/// The times in which a station is not on its channel: it waits for nobody then.
struct Away(Vec<(u64, u64)>);

impl Away {
    fn of(air: &Air, mac: MacAddr, (from, to): (u64, u64)) -> Self {
        let spells = air.radio(mac).map(|radio| radio.presence.dozes().kept().to_vec()).unwrap_or_default();
        let within = spells.iter().map(|doze| (doze.from_ns.max(from), doze.to_ns.min(to)));
        Self(within.filter(|(begin, end)| begin < end).collect())
    }

    /// How long that is, in nanoseconds.
    fn ns(&self) -> f64 {
        self.0.iter().map(|(from, to)| (to - from) as f64).sum()
    }

    /// The part of the air that some links take which they take in the other time.
    fn rest_of(&self, links: &[&Link<'_>]) -> f64 {
        let air = links.iter().map(|link| &link.traffic.over_time.airtime);
        let (all, meanwhile) = air.fold((0.0, 0.0), |(all, meanwhile), line| {
            let each: f64 = self.0.iter().map(|&(from, to)| line.sum(from, to)).sum();
            (all + line.bins().iter().map(|bin| bin.sum).sum::<f64>(), meanwhile + each)
        });
        1.0 - meanwhile / f64::max(all, 1.0)
    }
}

/// Which turns a link takes.
#[derive(Clone, Copy, Debug)]
struct Takes {
    /// Its PPDUs for each one of the busiest of the others.
    turns: f64,
    /// Its PPDUs have this part of the MPDUs of its longest, by MPDU.
    filled: f64,
}

impl Takes {
    /// Whether frames wait whenever it does not send: turns are equal among those who always have some.
    fn all(self) -> bool {
        self.turns >= ALL
    }

    /// What speaks against that so much that others may not be what it waits for, by the nanoseconds that its data takes and that theirs does, and what both take of the time, in percent;
    /// none if nothing does. `foreign` is the part of the latter that is of other networks, with which no access point shares the air: these count from less on.
    fn speaks_against(self, (own_ns, others_ns): (f64, f64), busy: f64, foreign: f64) -> Option<String> {
        if 100.0 * self.filled < SHORT_PPDUS {
            return Some(format!(
                "its PPDUs have {:.0} % of the MPDUs of its longest, so that its queue runs empty at its turns",
                100.0 * self.filled
            ));
        }
        // With as many turns as another one it would leave the others so much.
        let equal = busy.min(100.0) * others_ns / (others_ns + own_ns / self.turns.max(1e-9));
        let is_much = equal >= REPORTED_PCT || foreign * equal >= FOREIGN_PCT;
        (self.turns < FEWEST_TURNS || (!self.all() && !is_much))
            .then(|| format!("it takes {:.2} times as many turns as another one", self.turns))
    }
}

/// The part of the MPDUs of a link's longest PPDU that its PPDUs have, by MPDU; all of them where frames go alone, or where that does not show, as where much is sent again at slower rates.
fn filled(link: &Link<'_>) -> f64 {
    let traffic = link.traffic;
    let tells = can_aggregate(traffic) && !is_parted(traffic) && !wanders(traffic);
    if tells { spare::filled(traffic) } else { 1.0 }
}

/// That a station which always has more to send has the air with a stream that does not slow down for it.
fn yields(station: MacAddr, rivals: &str, others: f64) -> String {
    format!(
        "station {station} always has more to send in air that is full; data of {rivals} takes {others:.0} % of the time, and would not slow down for it: whether that is too much does not show"
    )
}

/// Why it cannot be told that nobody else uses air in which the monitor hears nothing: data waits, its queue does not run
/// empty as the lengths of its PPDUs show, and yet it does not go as soon as it could. For as long as data had not come yet, or none is left to send, it waits for none.
fn unheard(full: &Full<'_>) -> Option<String> {
    let always = |link: &Link<'_>| full.evidence.is_greedy(link) && are_alike(link.traffic);
    let late = |link: &Link<'_>| waits_in_silence(full.air, link).filter(|_| always(link));
    let waiting = links(full.air, MIN_MPDUS);
    let mut said = waiting.iter().filter_map(|link| {
        let pressed = late(link)?;
        let part = full.of_link(link);
        let part = part.as_ref().unwrap_or(full);
        let let_go = 100.0 * link.traffic.let_go().1 as f64 / part.time;
        let silent = (100.0 - part.busy() - part.unheard_tries() - let_go).max(0.0);
        (silent >= SILENT_PCT).then(|| {
            format!(
                "station {}: for {silent:.0} % of the time nothing is heard, beside tries without success, while data waits for it and only {pressed:.0} % of the PPDUs begin as soon as they could: \
                 something may use the air that the monitor does not hear{}; `iw dev wlan0 survey dump` at the access point tells how busy its radio finds the air",
                link.station().mac,
                part.at_most_more(link)
            )
        })
    });
    said.next()
}

/// What others take of the time and from where on that is reported, in percent: of a station that waits also what other networks take, or all others from its own share on if one of
/// them has the air by being slow.
fn reported(others: f64, slow_pct: f64, of_networks: f64, waits: bool) -> Option<(f64, f64)> {
    let tried = [(others, REPORTED_PCT, true), (of_networks, FOREIGN_PCT, waits), (others, slow_pct, waits)];
    tried.into_iter().find(|(value, threshold, asked)| *asked && value >= threshold).map(|one| (one.0, one.1))
}

/// The station whose data takes more of the air than that of all others together because it is slower, and how many times as much air it needs for as much data. Turns
/// that do not go by air time give as much data to each sender (Heusse et al. 2003): it is one of these if data is shared more evenly than air.
fn slower(air: &Air) -> Option<(MacAddr, f64)> {
    let mut stations: BTreeMap<MacAddr, (f64, f64)> = BTreeMap::new();
    for link in links(air, MIN_MPDUS) {
        let heard = heard_of(air, &link);
        let sums = stations.entry(link.station().mac).or_default();
        sums.0 += link.traffic.airtime_ns as f64 / heard;
        sums.1 += link.traffic.octets as f64 / heard;
    }
    let all = stations.values().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    stations.into_iter().find_map(|(mac, (ns, octets))| {
        let (of_air, of_data) = (ns / (all.0 - ns).max(1.0), octets / (all.1 - octets).max(1.0));
        is_slower(of_air, of_data).then_some((mac, of_air / of_data))
    })
}

/// Whether a station that has so many times the air of all others together, and so many times their data, has the air by being slow.
fn is_slower(of_air: f64, of_data: f64) -> bool {
    of_air >= 1.0 && of_air >= SLOWER * of_data && of_air * of_data >= 1.0
}

/// What was seen: who takes how much of a busy air, and whether only its turns show that the station waits.
fn says(rivals: &str, others: f64, busy: f64, networks: &[(String, f64)], shows: bool) -> String {
    format!(
        "Data of {rivals} takes {others:.0} % of the time, with the gaps and answers that belong to it; the air is busy for {:.0} %.{}{}",
        busy.min(100.0),
        foreign::said(networks),
        if shows {
            ""
        } else {
            " That more was there to be sent shows by the station's turns alone: it takes as many as others do."
        }
    )
}

/// That one of the others takes more air because its data is so many times as slow.
fn says_slower((rival, times): (MacAddr, f64)) -> String {
    format!(
        " Station {rival} needs {times:.1} times as much air for as much data as the others: by that it takes more than half of what data takes."
    )
}

/// What helps against others that take so many percent of the time, other networks so many of these, or one because it is slower.
fn remedy(of_networks: f64, others: f64, slower: bool) -> &'static str {
    if 2.0 * of_networks > others {
        "Another channel or band than the other network's; no access point keeps what is not its own fair."
    } else if slower {
        "Bring the slower station closer to its access point, or to a channel or band of its own; what it sends no access point can hold back."
    } else {
        "Fewer stations at one access point, such as another one on another channel, or a wider channel; an access point that shares air time by station keeps the rest fair."
    }
}

/// The other stations in words: those that take a twentieth of the time each, or about as much as the others.
fn rivals(taken: &BTreeMap<MacAddr, f64>, station: MacAddr, time: f64) -> String {
    let others = || taken.iter().filter(|(mac, _)| **mac != station);
    let most = others().map(|(_, ns)| *ns).fold(0.0, f64::max);
    let busy: Vec<_> = others().filter(|(_, ns)| **ns >= (OF_THE_MOST * most).min(BUSY * time)).collect();
    match busy[..] {
        [(mac, _)] => format!("1 other busy station ({mac})"),
        _ => format!("{} other busy stations", busy.len()),
    }
}

/// The stream of UDP that is more than half of all octets of data to and from other stations, as a part of a sentence: UDP does not slow down for others by itself. Empty if none is,
/// or nothing can be read.
fn floods(evidence: &Evidence, capture: usize, air: &Air, station: MacAddr) -> String {
    let others = air.traffic().iter().filter(|((from, to), _)| *from != station && *to != station);
    let whole: u64 = others.map(|(_, traffic)| traffic.octets).sum();
    let is_own = |ends: &[SocketAddr; 2]| ends.iter().any(|end| air.station_of(end.ip()) == Some(station));
    let streams = evidence.streams[capture].iter().filter(|stream| !is_own(&stream.ends));
    let most = streams.filter(|stream| 2 * stream.octets > whole).max_by_key(|stream| stream.octets);
    most.map_or_else(String::new, |stream| {
        format!(", most of it UDP from {} to {},", stream.ends[0], stream.ends[1])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_station_is_slower_if_air_and_not_data_is_what_it_has_more_of() {
        assert!(is_slower(1.7, 0.8), "nearly as much data in much more of the air");
        assert!(!is_slower(1.1, 1.05), "as fast");
        assert!(!is_slower(1.05, 0.5), "as much air and half of the data, as where air is shared");
        assert!(!is_slower(3.0, 2.9), "more to send");
    }

    #[test]
    fn others_are_counted_without_the_station() {
        let stations = |shares: &[f64]| -> BTreeMap<MacAddr, f64> {
            shares
                .iter()
                .enumerate()
                .map(|(place, &share)| (MacAddr([2, 0, 0, 0, 0, place as u8]), share))
                .collect()
        };
        let own = MacAddr([2, 0, 0, 0, 0, 0]);
        assert_eq!(rivals(&stations(&[0.5, 0.4]), own, 1.0), "1 other busy station (02:00:00:00:00:01)");
        assert_eq!(rivals(&stations(&[0.01, 0.2, 0.2, 0.01]), own, 1.0), "2 other busy stations");
        assert_eq!(rivals(&stations(&[0.02; 50]), own, 1.0), "49 other busy stations");
    }

    #[test]
    fn what_is_hardly_anything_at_either_end_is_no_time_of_data() {
        let line = |sums: &[f64]| {
            let mut bins = Bins::from(0);
            for (place, &sum) in sums.iter().enumerate() {
                bins.note(place as u64 * 10_000_000, sum);
            }
            bins
        };
        let (one, other) = (line(&[1.0, 0.0, 0.0, 500.0]), line(&[0.0, 0.0, 0.0, 500.0, 500.0, 1.0]));
        assert_eq!(lasts([&one, &other].into_iter()), Some((30_000_000, 50_000_000)));
        assert_eq!(lasts([&line(&[])].into_iter()), None);
        let part = Part { span_ns: (30_000_000, 50_000_000), is_all: false };
        assert!((part.of(&other) - 1000.0 / 1001.0).abs() < 1e-9 && (part.of(&line(&[])) - 0.0).abs() < 1e-9);
    }
}
