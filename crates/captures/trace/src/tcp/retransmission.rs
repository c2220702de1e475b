//! Segments that were sent again: why, and whether that was needed.

use super::scoreboard::{Mark, Sent};
use crate::{Bins, Capped};
use std::collections::VecDeque;

/// The most retransmissions of a direction that are listed.
const MOST_LISTED: usize = 1024;
/// The most retransmissions whose proof may still come. D-SACKs follow within a round trip.
const MOST_OPEN: usize = 256;
/// A timer that is shorter is not told by its doubling, in nanoseconds: Linux's `TCP_RTO_MIN` but for a tenth.
const LEAST_TIMER: u64 = 180_000_000;
/// A timer has doubled if it comes as near to that as a part of this many.
const DOUBLED_WITHIN: u64 = 32;

airloom_sim::kinds! {
    /// What made a sender send a segment again, as far as the packets tell.
    pub enum Trigger {
        /// Duplicate acknowledgments or SACKs, then or at the beginning of the recovery in which it was sent (RFC 5681 section 3.2,
        /// RFC 6675, RFC 8985).
        Fast = "fast",
        /// The retransmission timer expired (RFC 6298 section 5).
        Timeout = "timeout",
        /// A timeout, before the octets that were outstanding then had been acknowledged: the rest of what the sender took for lost.
        AfterTimeout = "after_timeout",
        /// A tail loss probe (RFC 8985 section 7): the last segment again, sooner than by the retransmission timer.
        Probe = "probe",
        /// The handshake: a SYN or a SYN-ACK again.
        Handshake = "handshake",
        /// A router said that the packet before was too big for its way (RFC 1191, RFC 8201): no loss, but how its sender learns what fits.
        TooBig = "too_big",
        /// Nothing that the capture shows.
        Unclear = "unclear",
    }
}

airloom_sim::kinds! {
    /// What proves that a retransmission was not needed.
    pub enum Needless {
        /// The receiver reported the octets as received twice (RFC 2883).
        DuplicateSack = "duplicate_sack",
        /// The acknowledgment echoes the clock of an earlier transmission (Eifel, RFC 3522; `tcp_packet_delayed`).
        Timestamps = "timestamps",
        /// The acknowledgment came sooner after the retransmission than the shortest round trip.
        TooSoon = "too_soon",
        /// The acknowledgment of the octets had been captured before the retransmission was.
        Acknowledged = "acknowledged",
        /// Acknowledgments account for the first transmission, for this one and for all in between: each has its own, in order.
        Counted = "counted",
        /// The original was captured after it.
        Overtook = "overtook",
    }
}

/// A packet that holds octets which the sender had sent before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retransmission {
    /// When it was captured, in nanoseconds since 1970.
    pub at_ns: u64,
    /// Its record.
    pub number: u32,
    /// Octets that were sent before.
    pub octets: u32,
    /// Segments on the wire: more than one with segmentation offload.
    pub segments: u32,
    /// Why it was sent.
    pub trigger: Trigger,
    /// How long ago the octets had last passed, in nanoseconds; none if they never had.
    pub after_ns: Option<u64>,
    /// How many ticks of the sender's clock (RFC 7323) ago it had sent them, of those that passed once before; none without such a clock.
    pub after_ticks: Option<u32>,
    /// For how long octets behind these had been captured, in nanoseconds, if that these were sent before is inferred: they were never captured, since they were lost on their way to
    /// where the capture was made, but later ones were. None if they were captured before.
    pub hole_ns: Option<u64>,
    /// What proves that it was not needed; none if nothing does.
    pub needless: Option<Needless>,
    /// Whether its octets had last been sent beyond the receiver's window, which throws such data away: no loss on the way.
    pub thrown_away: bool,
}

/// A retransmission of which a proof may still come.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: u64,
    end: u64,
    at_ns: u64,
    segments: u32,
    trigger: Trigger,
    after_ns: Option<u64>,
    /// Its place in the list, if it is there.
    listed: Option<usize>,
    /// Whether it is known that it was not needed.
    proven: bool,
    thrown_away: bool,
    /// What it filled, as long as the original may still come.
    filled: Option<Filled>,
}

/// A gap that a retransmission filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filled {
    /// The gap, as it was.
    pub(super) gap: Sent,
    /// What the sender marked the retransmission with, when it passed, and why it was sent.
    pub(super) mark: Mark,
    pub(super) at_ns: u64,
    pub(super) trigger: Trigger,
    /// Octets of which the original has not passed.
    left: u64,
}

impl Open {
    /// Whether it holds any of these octets.
    const fn holds(&self, start: u64, end: u64) -> bool {
        self.start < end && start < self.end
    }
}

/// The retransmissions of one direction. Counts are segments as they went over the wire.
#[derive(Clone, Debug, Default)]
pub struct Retransmissions {
    by_trigger: [u64; Trigger::ALL.len()],
    /// Those without need, by trigger and then by proof: few connections have any.
    proven: Option<Box<[[u64; Needless::ALL.len()]; Trigger::ALL.len()]>>,
    /// Those that were needed since the receiver had thrown the first away.
    thrown_away: [u64; Trigger::ALL.len()],
    over_time: Option<Box<[Bins; Trigger::ALL.len()]>>,
    /// Octets that were sent again.
    pub octets: u64,
    /// Segments whose earlier transmission was not captured: see [`Retransmission::hole_ns`].
    pub inferred: u64,
    list: Vec<Retransmission>,
    /// Few connections have any.
    doubtful: Option<Box<Doubtful>>,
    packets: u64,
    open: VecDeque<Open>,
    /// When the last of more than an octet passed, which is no question whether the other end is there, in nanoseconds since 1970; 0 without any.
    last_ns: u64,
}

/// Retransmissions that reports prove needless which may be none.
#[derive(Clone, Debug, Default)]
struct Doubtful {
    /// Segments: all of them, and those that went since the receiver had thrown the first away.
    by_trigger: [[u64; 2]; Trigger::ALL.len()],
    /// Their places in the list.
    listed: Vec<usize>,
}

impl Retransmissions {
    /// Segments that were sent again.
    pub fn segments(&self) -> u64 {
        self.by_trigger.iter().sum()
    }

    /// Segments that were sent again for this reason.
    pub const fn by_trigger(&self, trigger: Trigger) -> u64 {
        self.by_trigger[trigger as usize]
    }

    /// The same over time; none if nothing was sent again.
    pub fn over_time(&self, trigger: Trigger) -> Option<&Bins> {
        Some(&self.over_time.as_ref()?[trigger as usize])
    }

    /// The same for all reasons.
    pub(super) fn bins(&self) -> impl Iterator<Item = &Bins> {
        self.over_time.iter().flat_map(|all| all.iter())
    }

    /// The same, to be changed.
    pub(super) fn bins_mut(&mut self) -> impl Iterator<Item = &mut Bins> {
        self.over_time.iter_mut().flat_map(|all| all.iter_mut())
    }

    /// Segments that were sent again without need, with this proof. They are counted by their trigger too.
    pub fn by_proof(&self, proof: Needless) -> u64 {
        self.proven.iter().flat_map(|all| all.iter()).map(|by_proof| by_proof[proof as usize]).sum()
    }

    /// Segments that were sent again without need.
    pub fn needless(&self) -> u64 {
        self.proven.iter().flat_map(|all| all.iter()).flatten().sum()
    }

    /// The same, of those that were sent again for this reason.
    pub fn needless_by(&self, trigger: Trigger) -> u64 {
        self.proven.as_ref().map_or(0, |all| all[trigger as usize].iter().sum())
    }

    /// Segments that were sent again for this reason since they had gone beyond the receiver's window; none of them without need.
    pub const fn thrown_away_by(&self, trigger: Trigger) -> u64 {
        self.thrown_away[trigger as usize]
    }

    /// The first packets that were sent again, in their order.
    pub fn list(&self) -> &[Retransmission] {
        &self.list
    }

    /// Packets that were sent again; with segmentation offload one may hold several segments.
    pub const fn packets(&self) -> u64 {
        self.packets
    }

    /// Takes a retransmission of octets, with what the sender marked it with and the gap that it filled.
    pub(super) fn note(
        &mut self,
        (start, end): (u64, u64),
        what: Retransmission,
        mark: Mark,
        gap: Option<Sent>,
    ) {
        self.packets += 1;
        self.octets += u64::from(what.octets);
        if what.octets > 1 {
            self.last_ns = self.last_ns.max(what.at_ns);
        }
        self.by_trigger[what.trigger as usize] += u64::from(what.segments);
        self.over_time.get_or_insert_default()[what.trigger as usize].note(what.at_ns, what.segments.into());
        self.inferred += u64::from(what.segments) * u64::from(what.hole_ns.is_some());
        let listed = (self.list.len() < MOST_LISTED).then_some(self.list.len());
        if listed.is_some() {
            self.list.push(what);
        }
        if let Some(proof) = what.needless {
            self.proven.get_or_insert_default()[what.trigger as usize][proof as usize] +=
                u64::from(what.segments);
        } else if what.thrown_away {
            self.thrown_away[what.trigger as usize] += u64::from(what.segments);
        }
        let proven = what.needless.is_some();
        let Retransmission { at_ns, trigger, segments, after_ns, thrown_away, .. } = what;
        let filled = gap.map(|gap| Filled { gap, mark, at_ns, trigger, left: what.octets.into() });
        self.open.push_back(Open {
            start,
            end,
            at_ns,
            segments,
            trigger,
            after_ns,
            listed,
            proven,
            thrown_away,
            filled,
        });
        if self.open.len() > MOST_OPEN {
            self.open.pop_front();
        }
    }

    /// Whether octets that are sent again after such a time show a timer that doubles as it expires (RFC 6298 section 5.5): the last time it was half of it.
    /// That time the timer had expired too, unless another reason is known.
    pub(super) fn doubles(&mut self, start: u64, after_ns: u64) -> bool {
        let Some(place) = self.open.iter().rposition(|one| one.start == start) else { return false };
        let one = self.open[place];
        let Some(twice_ns) =
            one.after_ns.filter(|&half_ns| half_ns >= LEAST_TIMER).map(|half_ns| 2 * half_ns)
        else {
            return false;
        };
        let doubles = after_ns.abs_diff(twice_ns) <= twice_ns / DOUBLED_WITHIN;
        if doubles && one.trigger == Trigger::Unclear {
            self.by_timer(place);
        }
        doubles
    }

    /// When the last of more than an octet passed, in nanoseconds since 1970; 0 without any.
    pub(super) const fn last_ns(&self) -> u64 {
        self.last_ns
    }

    /// One of those that are open, of which the reason was unclear, was sent by the timer.
    fn by_timer(&mut self, place: usize) {
        let one = &mut self.open[place];
        let [from, to] =
            [std::mem::replace(&mut one.trigger, Trigger::Timeout), Trigger::Timeout].map(|one| one as usize);
        let segments = u64::from(one.segments);
        self.by_trigger[from] -= segments;
        self.by_trigger[to] += segments;
        let over_time = self.over_time.get_or_insert_default();
        over_time[from].take_back(one.at_ns, one.segments.into());
        over_time[to].note(one.at_ns, one.segments.into());
        if one.thrown_away && !one.proven {
            self.thrown_away[from] -= segments;
            self.thrown_away[to] += segments;
        }
        if let Some(filled) = &mut one.filled {
            filled.trigger = Trigger::Timeout;
        }
        let Some(listed) = one.listed else { return };
        self.list[listed].trigger = Trigger::Timeout;
    }

    /// Takes a proof about all retransmissions of octets that were captured at a time or later. Whether any was not proven before.
    pub(super) fn prove(&mut self, start: u64, end: u64, since_ns: u64, proof: Needless) -> bool {
        let mut any = false;
        for place in 0..self.open.len() {
            let one = &self.open[place];
            if one.holds(start, end) && one.at_ns >= since_ns {
                any |= self.proven(place, proof);
            }
        }
        any
    }

    /// Takes a report that octets arrived once more than they had to (RFC 2883): of several retransmissions of the same octets it is about one,
    /// the last that no report was about. Whether it is about any. `is_doubtful` if it may be no such report.
    pub(super) fn prove_last(&mut self, start: u64, end: u64, is_doubtful: bool) -> bool {
        let mut about: Vec<(u64, u64)> = Vec::new();
        for place in (0..self.open.len()).rev() {
            let one = self.open[place];
            if one.holds(start, end) && !about.iter().any(|&(from, to)| one.holds(from, to)) {
                let is_news = self.proven(place, Needless::DuplicateSack);
                if is_news && is_doubtful {
                    self.doubts(&one);
                }
                about.push((one.start, one.end));
                _ = self.open.remove(place);
            }
        }
        !about.is_empty()
    }

    /// What proves that one was not needed may be no such report.
    fn doubts(&mut self, one: &Open) {
        let doubtful = self.doubtful.get_or_insert_default();
        let [all, thrown_away] = &mut doubtful.by_trigger[one.trigger as usize];
        *all += u64::from(one.segments);
        *thrown_away += u64::from(one.segments) * u64::from(one.thrown_away);
        doubtful.listed.extend(one.listed);
    }

    /// Reports that were doubtful prove nothing.
    pub(super) fn withdraw_doubtful(&mut self) {
        let (Some(proven), Some(doubtful)) = (&mut self.proven, self.doubtful.take()) else { return };
        for (trigger, [all, thrown_away]) in doubtful.by_trigger.into_iter().enumerate() {
            proven[trigger][Needless::DuplicateSack as usize] -= all;
            self.thrown_away[trigger] += thrown_away;
        }
        for listed in doubtful.listed {
            self.list[listed].needless = None;
        }
    }

    /// Takes octets that may be the originals of what filled a gap: these were late, not lost. Gives when what overtook the first of them had
    /// passed, in nanoseconds; none if they are no originals.
    pub(super) fn late(
        &mut self,
        start: u64,
        end: u64,
        is_original: impl Fn(&Filled) -> bool,
    ) -> Option<u64> {
        let mut since_ns = None;
        for place in 0..self.open.len() {
            let one = &mut self.open[place];
            let holds = one.holds(start, end);
            let Some(filled) = one.filled.as_mut().filter(|filled| holds && is_original(filled)) else {
                continue;
            };
            let gap_ns = filled.gap.first_ns;
            since_ns = Some(since_ns.map_or(gap_ns, |since_ns: u64| since_ns.min(gap_ns)));
            filled.left = filled.left.saturating_sub(one.end.min(end) - one.start.max(start));
            if filled.left == 0 {
                one.filled = None;
                self.inferred -= u64::from(one.segments);
                if let Some(listed) = one.listed {
                    self.list[listed].hole_ns = None;
                }
                self.proven(place, Needless::Overtook);
            }
        }
        since_ns
    }

    /// One of those that are open is proven; whether it was not before.
    fn proven(&mut self, place: usize, proof: Needless) -> bool {
        let one = &mut self.open[place];
        if std::mem::replace(&mut one.proven, true) {
            return false;
        }
        self.proven.get_or_insert_default()[one.trigger as usize][proof as usize] += u64::from(one.segments);
        if one.thrown_away {
            self.thrown_away[one.trigger as usize] -= u64::from(one.segments);
        }
        if let Some(listed) = one.listed {
            self.list[listed].needless = Some(proof);
        }
        true
    }
}

/// A packet that later ones overtook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reordered {
    /// When it was captured, in nanoseconds since 1970.
    pub at_ns: u64,
    /// Its record.
    pub number: u32,
    /// How long the first of those that overtook it came earlier, in nanoseconds.
    pub late_ns: u64,
    /// How many segments lay between it and the last that had come, by their octets.
    pub segments: u32,
}

/// Packets that later ones overtook.
pub type Reorderings = Capped<Reordered, 1024>;

#[cfg(test)]
mod tests {
    use super::*;

    /// Data of 100 octets that a timer sent again.
    fn timed(place: u64, thrown_away: bool) -> Retransmission {
        Retransmission {
            at_ns: place,
            number: 0,
            octets: 100,
            segments: 1,
            trigger: Trigger::Timeout,
            after_ns: None,
            after_ticks: None,
            hole_ns: None,
            needless: None,
            thrown_away,
        }
    }

    #[test]
    fn doubtful_reports_beyond_the_list_prove_nothing_either() {
        let mut again = Retransmissions::default();
        let all = 2 * MOST_LISTED as u64;
        for place in 0..all {
            again.note((100 * place, 100 * place + 100), timed(place, place % 2 == 0), Mark::default(), None);
            // The last report is no doubtful one.
            again.prove_last(100 * place, 100 * place + 100, place + 1 < all);
        }
        assert_eq!((again.needless(), again.thrown_away_by(Trigger::Timeout)), (all, 0));
        again.withdraw_doubtful();
        assert_eq!((again.needless(), again.thrown_away_by(Trigger::Timeout)), (1, all / 2));
        assert!(again.list().iter().all(|one| one.needless.is_none()));
    }

    #[test]
    fn what_is_beyond_the_list_is_counted_by_its_trigger() {
        let mut again = Retransmissions::default();
        let all = 3 * MOST_LISTED as u64;
        for place in 0..all {
            let trigger = if place % 3 == 0 { Trigger::Probe } else { Trigger::Timeout };
            let needless = (place % 2 == 0).then_some(Needless::Acknowledged);
            let what = Retransmission { trigger, needless, ..timed(place, false) };
            again.note((100 * place, 100 * place + 100), what, Mark::default(), None);
            again.prove(100 * place, 100 * place + 100, place, Needless::DuplicateSack);
        }
        assert_eq!(again.list().len(), MOST_LISTED);
        let by = [Trigger::Probe, Trigger::Timeout].map(|trigger| again.needless_by(trigger));
        assert_eq!(by, [all / 3, 2 * all / 3]);
        let proofs = [Needless::Acknowledged, Needless::DuplicateSack].map(|proof| again.by_proof(proof));
        assert_eq!((proofs, again.needless()), ([all / 2; 2], all));
    }
}
