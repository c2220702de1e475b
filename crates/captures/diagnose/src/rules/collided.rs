//! How it shows that what a station sends collides more often than among senders that hear each other.

use super::doubt::Doubt;
use super::tries::tries;
use super::weak::{SNR_MARGIN_DB, margin};
use crate::bianchi::expected;
use crate::capacity::taken_by_others;
use crate::heard::{given_up, is_deaf};
use crate::link::{Link, links};
use airloom_trace::{Air, Bins, MacAddr};
use std::collections::BTreeSet;

/// Fewer MPDUs than this say nothing; of a link of which many were given up so many do.
pub(super) const MIN_MPDUS: u64 = 50;
pub(super) const STARVED_MPDUS: u64 = 15;
/// The least share of PPDUs with retries that is reported, in percent.
const REPORTED_PCT: f64 = 15.0;
/// How many times more than those who hear each other have; by PPDUs that noise does not explain fewer are enough.
const BEYOND: f64 = 2.2;
const BEYOND_WHOLE: f64 = 1.7;
const BEYOND_WHOLE_GIVEN_UP: f64 = 1.5;
/// The same if the station gave up MPDUs, which senders that hear each other hardly do.
const BEYOND_GIVEN_UP: f64 = 1.3;
/// The least share of MPDUs given up, in percent, and the least number that is no accident; or both where there are few MPDUs.
const FEW_GIVEN_UP: u64 = 20;
const GIVEN_UP: [(f64, u64); 2] = [(1.0, FEW_GIVEN_UP), (10.0, 8)];
/// The same beside retries that noise does not explain, where others send.
const GIVEN_UP_BESIDE: (f64, u64) = (0.1, 10);
/// The fewest tries that a sender makes (802.11-2020 annex C: dot11LongRetryLimit).
const TRIES: f64 = 4.0;
/// A sender with less PPDUs than this share of the busiest one's is not one to collide with.
const RIVAL_SHARE: f64 = 0.2;
/// Others that take less of the time than this are not what a sender collides with all the time.
const OTHERS: f64 = 0.2;
/// Fewer PPDUs of others than this part of what a sender sends again are not what that collides with.
const FEW_OTHERS: f64 = 0.25;
/// The part of its frames that a link sends at least while all are there, if these are a measure.
const MOSTLY_THERE: f64 = 0.5;
/// Fewer large PPDUs than this say nothing.
const FEW_LARGE: u64 = 30;
/// A station and its access point.
const TWO: usize = 2;

/// What shows that a station's PPDUs collide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    /// The share of its PPDUs that was sent again, and from where on that is reported, in percent.
    pub(super) share: f64,
    pub(super) threshold: f64,
    /// What collisions among senders that hear each other explain, in percent.
    pub(super) explained: f64,
    /// The share of its MPDUs that was given up, in percent, if that is too many.
    pub(super) lost: Option<f64>,
    /// Which PPDUs these are.
    pub(super) of: Of,
}

/// Which PPDUs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Those with retries.
    All,
    /// Those of four MPDUs and more that were sent again as a whole.
    Wholes,
    /// Those with retries, and those given up.
    Tries,
    /// Those with retries, beside another station whose PPDUs collide.
    Partner,
}

/// The senders in the air that is looked at.
#[derive(Debug)]
pub(super) struct Senders<'a> {
    pub(super) air: &'a Air,
    links: Vec<Link<'a>>,
    /// Those that send about as often as anybody.
    busy: BTreeSet<MacAddr>,
}

impl<'a> Senders<'a> {
    pub(super) fn of(air: &'a Air) -> Self {
        let links = links(air, STARVED_MPDUS);
        let most = links.iter().map(|link| link.traffic.ppdus).max().unwrap_or_default();
        let is_busy = |link: &&Link<'_>| link.traffic.ppdus as f64 >= RIVAL_SHARE * most as f64;
        let busy = links.iter().filter(is_busy).map(|link| link.from.mac).collect();
        Self { air, links, busy }
    }

    /// How many PPDUs of other stations' data may have been on the air, either way: those that were heard, the tries before these that were not, as what collides is not, and those of what was given up.
    pub(super) fn of_others(&self, link: &Link<'_>) -> f64 {
        let all = links(self.air, 1).into_iter();
        let others = all.filter(|other| other.station().mac != link.station().mac);
        others.map(|other| tries(other.traffic.ppdus, other.traffic.again, given_up(&other).0)).sum()
    }

    /// Whether others send so little that what a link sends again beyond what is explained has not met that: no more than one in four of its PPDUs with retries can have.
    pub(super) fn meets_nobody(&self, link: &Link<'_>, proof: &Proof) -> bool {
        let beyond = (1.0 - proof.explained / proof.share).max(0.0) * link.traffic.again as f64;
        self.of_others(link) < FEW_OTHERS * beyond
    }

    /// What shows that a link's PPDUs collide, with such a signal where it is weakest, in dB; none where the signal may be why.
    pub(super) fn proof(&self, link: &Link<'_>, snr: f64) -> Option<Proof> {
        self.proof_alone(link, snr)
            .or_else(|| self.by_partner(link).filter(|proof| doubt(link, snr, proof).is_none()))
    }

    /// The same by what the link shows itself.
    fn proof_alone(&self, link: &Link<'_>, snr: f64) -> Option<Proof> {
        self.shown(link, snr).find(|proof| doubt(link, snr, proof).is_none())
    }

    /// What the signal may have to do with that where it is all that speaks against collisions.
    pub(super) fn doubtful(&self, link: &Link<'_>, snr: f64) -> Option<Doubt> {
        let proof = self.shown(link, snr).next().or_else(|| self.by_partner(link))?;
        if self.proof(link, snr).is_some() { None } else { doubt(link, snr, &proof) }
    }

    /// All that a link shows itself of collisions, whatever its signal.
    fn shown(&self, link: &Link<'_>, snr: f64) -> impl Iterator<Item = Proof> {
        let known = link.traffic.mpdus >= MIN_MPDUS;
        let by_ppdus = self.by_ppdus(link, snr).filter(|_| known);
        [by_ppdus, self.by_wholes(link), self.by_given_up(link)].into_iter().flatten()
    }

    /// How often PPDUs collide among as many senders as always have something to send, and this one, in percent.
    fn saturated(&self, link: &Link<'_>) -> f64 {
        expected(self.busy.len() + usize::from(!self.busy.contains(&link.from.mac)))
    }

    /// Those of the links of a link's access point to its stations that noise does not disturb: what it takes is no measure of collisions. All of them where it may disturb each.
    fn down_undisturbed(&self, link: &Link<'_>) -> Vec<&Link<'a>> {
        let is_strong = |one: &&Link<'a>| {
            one.lowest_snr(self.air).is_some_and(|snr| Doubt::of(one, snr, false).is_none())
        };
        let strong: Vec<_> = self.down(link).filter(is_strong).collect();
        if strong.is_empty() { self.down(link).collect() } else { strong }
    }

    /// The links of a link's access point to its stations.
    fn down(&self, link: &Link<'_>) -> impl Iterator<Item = &Link<'a>> {
        let ap = link.to.mac;
        self.links.iter().filter(move |other| other.from.mac == ap && other.traffic.mpdus >= MIN_MPDUS)
    }

    /// By PPDUs with retries, where the signal leaves noise out, against those of the access point, which all stations hear.
    fn by_ppdus(&self, link: &Link<'_>, snr: f64) -> Option<Proof> {
        let traffic = link.traffic;
        let down = self.down_undisturbed(link).into_iter();
        let (sent, again) = down.fold((0, 0), |sum, one| {
            let (ppdus, again) = self.while_all_are_there(one);
            (sum.0 + ppdus, sum.1 + again)
        });
        // A station that sends less than its access point meets a busy sender, but the access point seldom meets the station: its own share of retries
        // is too low a measure.
        let meets = if sent >= traffic.ppdus { expected(TWO) } else { 0.0 };
        let of_access_point = 100.0 * again as f64 / sent.max(1) as f64;
        let explained =
            if sent >= MIN_MPDUS { of_access_point.max(meets) } else { expected(self.busy.len()) };
        let (ppdus, resent) = self.while_all_are_there(link);
        let share = 100.0 * resent as f64 / ppdus.max(1) as f64;
        let lost = lost_by_tries(link, explained).or_else(|| self.lost_beside(link, explained));
        let least = if lost_by_tries(link, explained).is_some() { given_up_floor() } else { REPORTED_PCT };
        let threshold = least.max(explained * lost.map_or(BEYOND, |_| BEYOND_GIVEN_UP));
        // Noise destroys some MPDUs of a long PPDU, a collision all of them.
        let noise = traffic.large.ppdus >= 20 && traffic.large.lost_in_part > traffic.large.lost_whole;
        let collides = share >= threshold && margin(link, snr)? >= SNR_MARGIN_DB && !noise;
        collides.then_some(Proof { share, threshold, explained, lost, of: Of::All })
    }

    /// The PPDUs of a link, and those of them with retries, while all busy senders are there: one that is away, or dozes, meets nobody, and what is sent to it is sent again whatever that meets. All of
    /// them where most went while one was not.
    fn while_all_are_there(&self, link: &Link<'_>) -> (u64, u64) {
        let traffic = link.traffic;
        let radios = || self.busy.iter().filter_map(|&mac| self.air.radio(mac));
        let is_away = |begin_ns: u64, end_ns: u64| {
            let mut dozes = radios().flat_map(|radio| radio.presence.dozes().kept());
            dozes.any(|doze| doze.from_ns < end_ns && begin_ns < doze.to_ns)
        };
        let (sizes, retries) = (&traffic.over_time.sizes, &traffic.over_time.retries);
        let part = |bins: &Bins| {
            let each = bins.bins().iter().enumerate();
            let there = each.filter(|(place, _)| !is_away(bins.begin_ns(*place), bins.begin_ns(place + 1)));
            let all: f64 = bins.bins().iter().map(|bin| bin.sum).sum();
            if all > 0.0 { there.map(|(_, bin)| bin.sum).sum::<f64>() / all } else { 1.0 }
        };
        let most = part(sizes);
        if most < MOSTLY_THERE {
            return (traffic.ppdus, traffic.again);
        }
        let of = |count: u64, part: f64| libm::round(count as f64 * part) as u64;
        (of(traffic.ppdus, most), of(traffic.again, part(retries)))
    }

    /// The share of a link's MPDUs that were given up, in percent, if these are more than those who hear each other give up, and others send.
    fn lost_beside(&self, link: &Link<'_>, expected: f64) -> Option<f64> {
        let is_so = is_given_up(link, expected, GIVEN_UP_BESIDE) && self.others_send(link);
        is_so.then(|| given_up_percent(link))
    }

    /// By PPDUs of many MPDUs that repeat one of which nothing was acknowledged, whatever the rate: noise leaves some.
    fn by_wholes(&self, link: &Link<'_>) -> Option<Proof> {
        let large = &link.traffic.large;
        let (sent, whole) = self
            .down(link)
            .map(|one| &one.traffic.large)
            .fold((0, 0), |sum, one| (sum.0 + one.ppdus, sum.1 + one.lost_whole));
        let of_access_point = if sent >= FEW_LARGE { 100.0 * whole as f64 / sent as f64 } else { 0.0 };
        let explained = self.saturated(link).max(of_access_point);
        let beyond = if is_given_up(link, explained, (0.0, FEW_GIVEN_UP)) {
            BEYOND_WHOLE_GIVEN_UP
        } else {
            BEYOND_WHOLE
        };
        let (share, threshold) = (large.lost_whole_percent(), REPORTED_PCT.max(beyond * explained));
        let collides = large.lost_as_wholes() && share >= threshold && self.others_send(link);
        collides.then_some(Proof { share, threshold, explained, lost: None, of: Of::Wholes })
    }

    /// By MPDUs that were given up after all tries, at the slowest rate among them, while others send.
    fn by_given_up(&self, link: &Link<'_>) -> Option<Proof> {
        let traffic = link.traffic;
        let explained = self.saturated(link);
        let lost = lost_by_tries(link, explained)?;
        let (given_up, _) = given_up(link);
        let share = 100.0 * (traffic.again + given_up) as f64 / (traffic.ppdus + given_up).max(1) as f64;
        let threshold = given_up_floor().max(BEYOND_GIVEN_UP * explained);
        let noise = traffic.large.ppdus >= FEW_LARGE && !traffic.large.lost_as_wholes();
        let collides = share >= threshold && !noise && self.others_send(link);
        collides.then_some(Proof { share, threshold, explained, lost: Some(lost), of: Of::Tries })
    }

    /// The share of a link's MPDUs that was given up, in percent, if noise does not explain that and others send.
    pub(super) fn gives_up_beside(&self, link: &Link<'_>, snr: f64) -> Option<f64> {
        let loses_in_part = link.traffic.large.ppdus >= FEW_LARGE && !link.traffic.large.lost_as_wholes();
        let sound = Doubt::of(link, snr, false).is_none() && !loses_in_part && self.others_send(link);
        lost_by_tries(link, self.saturated(link)).filter(|_| sound)
    }

    /// By PPDUs with retries of a link that has few large ones, or of which retries go alone, beside another station's that collide: two are in each collision.
    fn by_partner(&self, link: &Link<'_>) -> Option<Proof> {
        let traffic = link.traffic;
        let explained = self.saturated(link);
        let share = 100.0 * traffic.again as f64 / traffic.ppdus.max(1) as f64;
        let threshold = REPORTED_PCT.max(BEYOND_WHOLE * explained);
        let is_partner = |other: &Link<'_>| {
            other.is_up() && other.to.mac == link.to.mac && other.from.mac != link.from.mac
        };
        let collides = |other: &Link<'_>| {
            other.lowest_snr(self.air).is_some_and(|snr| self.proof_alone(other, snr).is_some())
        };
        let is_unclear = traffic.large.ppdus < FEW_LARGE || traffic.large.go_again_alone();
        let known = traffic.mpdus >= MIN_MPDUS && is_unclear;
        let shows =
            known && share >= threshold && self.links.iter().any(|one| is_partner(one) && collides(one));
        shows.then_some(Proof { share, threshold, explained, lost: None, of: Of::Partner })
    }

    /// Whether others than a link's station send so much that what it sends meets that all the time.
    fn others_send(&self, link: &Link<'_>) -> bool {
        let is_other =
            |one: &Link<'_>| one.is_up() && one.from.mac != link.from.mac && !is_deaf(self.air, one);
        self.links.iter().any(is_other)
            && (taken_by_others(self.air, link.from.mac).unwrap_or_default() >= OTHERS
                || link.traffic.large.ppdus >= FEW_LARGE)
    }
}

/// What the signal of a link may have to do with what shows that its PPDUs collide.
fn doubt(link: &Link<'_>, snr: f64, proof: &Proof) -> Option<Doubt> {
    Doubt::of(link, snr, proof.of != Of::All)
}

/// The least share of PPDUs with retries that is reported of a station that gave up one MPDU in a hundred, in percent: so many times what a station and its access point have.
fn given_up_floor() -> f64 {
    BEYOND_GIVEN_UP * expected(TWO)
}

/// The share of a link's MPDUs that were given up, in percent, if these are so many that it is no accident.
fn lost_by_tries(link: &Link<'_>, expected: f64) -> Option<f64> {
    GIVEN_UP.iter().any(|&least| is_given_up(link, expected, least)).then(|| given_up_percent(link))
}

/// Whether a link gave up such a share of its MPDUs in percent, and so many, more than collisions among those who hear each other explain, of whose PPDUs
/// `expected` percent collide, and than the monitor may have missed.
fn is_given_up(link: &Link<'_>, expected: f64, (least, few): (f64, u64)) -> bool {
    let (given_up, never) = given_up(link);
    let explained = 100.0 * libm::pow(expected / 100.0, TRIES);
    given_up >= few && given_up_percent(link) >= least.max(BEYOND * explained) && 2 * given_up >= never
}

/// The share of a link's MPDUs that were given up, in percent.
fn given_up_percent(link: &Link<'_>) -> f64 {
    let (given_up, _) = given_up(link);
    100.0 * given_up as f64 / (link.traffic.mpdus + given_up).max(1) as f64
}
