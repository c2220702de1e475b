//! What kept a sender from sending more (after T-RAT: Zhang, Breslau, Paxson, Shenker, SIGCOMM 2002).

use crate::{Bins, Spread};
use std::collections::VecDeque;

/// The most acknowledgments that may be on their way from where the capture was made to the sender.
const MOST_UNDERWAY: usize = 4096;

airloom_sim::kinds! {
    /// What kept a sender from sending more.
    pub enum Limit {
        /// The congestion window, or what else lets a sender wait for acknowledgments: its send buffer, the queue below it.
        Congestion = "congestion",
        /// The receiver's window: it has no room for another segment.
        Receiver = "receiver",
        /// The application: nothing is outstanding, or the last segment was not full.
        Application = "application",
        /// Recovery from losses.
        Recovery = "recovery",
        /// The application, or what is outstanding in the queue of its own host, or its radio, which has to go before more is sent (Linux: TCP small queues):
        /// acknowledgments have made room that is not used.
        Unclear = "unclear",
    }
}

/// A sender as it sees itself: an acknowledgment counts once it has gone the way from the capture to the sender, and data as if
/// it had been sent that much earlier. Where the capture was made farther away, pauses on the way from the sender to there count as
/// the application's.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Octets outstanding at the sender over time.
    pub flight: Bins,
    /// The part of the receiver's window that was outstanding as data was sent, over time.
    pub used: Bins,
    lasted_ns: [u64; Limit::ALL.len()],
    /// Recovery since the sender last sent or heard of anything new.
    repeated_ns: u64,
    /// The same since the last data: it counts once more comes.
    pending_ns: [u64; Limit::ALL.len()],
    shown: [Spread<u32>; Limit::ALL.len()],
    /// When each acknowledgment is at the sender, what it acknowledges and up to where its window reaches.
    underway: VecDeque<AckReport>,
    /// When the last of those that are at the sender passed the place of the capture.
    reached_ns: Option<u64>,
    una: u64,
    next: u64,
    edge: Option<u64>,
    /// The widest window that the sender knows, in octets.
    widest: u64,
    /// The largest window of the receiver so far, in octets, as data was acknowledged.
    largest: u64,
    /// Octets that had been acknowledged as that window grew last.
    grown_at: u64,
    /// Octets that were acknowledged together with a window.
    acknowledged: u64,
    /// Those of them whose acknowledgment offers two thirds of the largest window so far, or less.
    withheld: u64,
    /// Since when the limit that holds now has held.
    since_ns: Option<u64>,
    /// Since when the application has been the limit, or may have been, without a break.
    idle_ns: Option<u64>,
    /// Of the limits since the last data, the one that held longest without a break, and for how long.
    longest: Option<(Limit, u64)>,
    /// The last segment was not full.
    short: bool,
    /// The last segment lay far beyond the receiver's edge, which does not hold its sender then.
    beyond: bool,
    /// The last data was captured at the sender's own interface.
    at_sender: bool,
    /// Octets acknowledged since the last data was sent.
    freed: u64,
    /// Until this octet is acknowledged the sender recovers.
    recover: u64,
    segment: u64,
}

/// Data that a sender sends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    /// The octet behind it.
    pub(super) end: u64,
    /// The payload of a full segment.
    pub(super) segment: u64,
    /// It is not full.
    pub(super) short: bool,
    /// The radio below the sender had sent it before: it waited there, not for its program.
    pub(super) delayed: bool,
    /// Its sender had waited for its retransmission timer, with this outstanding.
    pub(super) timed_out: bool,
    /// For how long it had waited below its TCP, as far as that shows, in nanoseconds.
    pub(super) late_ns: u64,
    /// It lies far beyond the edge that the receiver had given.
    pub(super) beyond: bool,
    /// It was captured at the sender's own interface: no data waits for the air before that.
    pub(super) at_sender: bool,
}

/// What an acknowledgment tells a sender.
#[derive(Clone, Copy, Debug)]
pub(super) struct AckReport {
    /// When it passed the place of the capture, and when it is at the sender as the last round trips to there say.
    pub(super) passed_ns: u64,
    pub(super) at_ns: u64,
    pub(super) una: u64,
    /// Up to where its window reaches; none if that is not known.
    pub(super) edge: Option<u64>,
}

impl Limits {
    /// How long a limit held, in nanoseconds.
    pub const fn lasted_ns(&self, limit: Limit) -> u64 {
        self.lasted_ns[limit as usize]
    }

    /// How long the sender has repeated itself since it last sent or heard of anything new, in nanoseconds: a part of the recovery.
    pub const fn repeated_ns(&self) -> u64 {
        self.repeated_ns
    }

    /// The active time in nanoseconds.
    pub fn active_ns(&self) -> u64 {
        self.lasted_ns.iter().sum()
    }

    /// The share of the active time, 0 to 1: from the first data to the last. Behind that there is nothing that could have been sent.
    pub fn share(&self, limit: Limit) -> f64 {
        self.lasted_ns(limit) as f64 / self.active_ns().max(1) as f64
    }

    /// The receiver's largest window in octets, if it has not grown for the second half of the data; none of one that still grows or does not show.
    pub const fn settled_window(&self) -> Option<u64> {
        if self.largest > 0 && 2 * self.grown_at <= self.acknowledged { Some(self.largest) } else { None }
    }

    /// The share of the data, 0 to 1, whose acknowledgment leaves a third of the receiver's largest window away, or more: what its program has not read takes
    /// that room. Nothing on the way does that, however full the window is.
    pub fn withheld(&self) -> f64 {
        self.withheld as f64 / self.acknowledged.max(1) as f64
    }

    /// Records of some data that had to wait for a limit.
    pub fn shown(&self, limit: Limit) -> &[u32] {
        self.shown[limit as usize].kept()
    }

    /// The stream begins.
    pub(super) fn begin(&mut self, at: u64) {
        (self.una, self.next) = (at, at);
    }

    /// The stream began before the first data that was captured.
    pub(super) fn reach_back(&mut self, at: u64) {
        self.una = self.una.min(at);
    }

    /// Data was sent in a record.
    pub(super) fn sent(&mut self, (now_ns, number): (u64, u32), data: Data, recover: u64) {
        self.catch_up(now_ns);
        self.charge(now_ns, data.delayed);
        let recovered_ns = self.lasted_ns(Limit::Recovery);
        self.waited(now_ns, data.late_ns);
        if data.timed_out {
            self.waited_for_timer();
        }
        self.lasts();
        let goes_on = data.end > self.next || self.freed > 0;
        self.repeated_ns =
            if goes_on { 0 } else { self.repeated_ns + self.lasted_ns(Limit::Recovery) - recovered_ns };
        if let Some((held, _)) = self.longest.take() {
            self.shown[held as usize].push(number);
        }
        self.since_ns.get_or_insert(now_ns);
        self.next = self.next.max(data.end);
        self.short = data.short;
        self.beyond = data.beyond;
        self.at_sender = data.at_sender;
        self.segment = data.segment;
        self.freed = 0;
        self.recover = recover;
        let flight = self.next.saturating_sub(self.una) as f64;
        self.flight.note(now_ns, flight);
        if let Some(window) = self.edge.map(|edge| edge.saturating_sub(self.una)).filter(|&window| window > 0)
        {
            self.used.note(now_ns, flight / window as f64);
        }
    }

    /// The sender asked whether a window is still closed: it has more to send.
    pub(super) fn probed(&mut self, now_ns: u64) {
        self.catch_up(now_ns);
        self.charge(now_ns, false);
        self.lasts();
    }

    /// The last part of the time for which the application seems to have been the limit is none of it, if that is how long data had waited below its TCP.
    fn waited(&mut self, now_ns: u64, late_ns: u64) {
        let Some(idle_ns) = self.idle_ns.take() else { return };
        let lasted_ns = now_ns.saturating_sub(idle_ns);
        let mut left_ns = late_ns.min(lasted_ns);
        if 2 * left_ns > lasted_ns {
            self.longest = Some((Limit::Congestion, left_ns));
        }
        for limit in [Limit::Application, Limit::Unclear] {
            let part_ns = left_ns.min(self.pending_ns[limit as usize]);
            self.pending_ns[limit as usize] -= part_ns;
            self.pending_ns[Limit::Congestion as usize] += part_ns;
            left_ns -= part_ns;
        }
    }

    /// What seemed to be the application's time since the last data was spent waiting for the timer.
    fn waited_for_timer(&mut self) {
        for limit in [Limit::Application, Limit::Unclear] {
            let waited_ns = std::mem::take(&mut self.pending_ns[limit as usize]);
            self.pending_ns[Limit::Recovery as usize] += waited_ns;
        }
        if let Some((held @ (Limit::Application | Limit::Unclear), _)) = &mut self.longest {
            *held = Limit::Recovery;
        }
    }

    /// The sender's program keeps a time of its own: acknowledgments are not what it waits for.
    pub(super) fn wait_for_program(&mut self) {
        for limit in [Limit::Congestion, Limit::Unclear] {
            self.lasted_ns[Limit::Application as usize] +=
                std::mem::take(&mut self.lasted_ns[limit as usize]);
        }
        if self.shown[Limit::Application as usize].kept().is_empty() {
            self.shown[Limit::Application as usize] =
                std::mem::take(&mut self.shown[Limit::Congestion as usize]);
        }
    }

    fn lasts(&mut self) {
        for (lasted_ns, pending_ns) in self.lasted_ns.iter_mut().zip(&mut self.pending_ns) {
            *lasted_ns += std::mem::take(pending_ns);
        }
    }

    /// An acknowledgment is on its way to the sender.
    pub(super) fn told(&mut self, told: AckReport) {
        if self.underway.len() == MOST_UNDERWAY {
            self.arrive();
        }
        self.underway.push_back(told);
    }

    /// Lets what is underway until a time arrive.
    pub(super) fn catch_up(&mut self, now_ns: u64) {
        while self.underway.front().is_some_and(|told| told.at_ns <= now_ns) {
            self.arrive();
        }
    }

    /// Whether an acknowledgment passed the place of the capture between two times, neither of them before the last that is at the sender passed.
    pub(super) fn told_between(&self, from_ns: u64, to_ns: u64) -> bool {
        let underway = self.underway.iter().map(|told| told.passed_ns);
        self.reached_ns.into_iter().chain(underway).find(|&at| at >= from_ns).is_some_and(|at| at <= to_ns)
    }

    /// Lets the rest arrive.
    pub(super) fn finish(&mut self) {
        self.catch_up(u64::MAX);
    }

    /// Counts new data by the room that its receiver has left.
    fn noted_window(&mut self, told: &AckReport) {
        let Some(window) = told.edge.map(|edge| edge.saturating_sub(told.una)) else { return };
        if window > self.largest {
            self.grown_at = self.acknowledged;
        }
        self.largest = self.largest.max(window);
        if self.largest == 0 {
            return;
        }
        let octets = told.una - self.una;
        self.acknowledged += octets;
        self.withheld += if 3 * window <= 2 * self.largest { octets } else { 0 };
    }

    fn arrive(&mut self) {
        let Some(told) = self.underway.pop_front() else { return };
        self.reached_ns = Some(told.passed_ns);
        self.charge(told.at_ns, false);
        if told.una > self.una {
            self.freed += told.una - self.una;
            self.noted_window(&told);
            self.una = told.una;
            self.next = self.next.max(told.una);
            if self.since_ns.is_some() {
                self.flight.note(told.at_ns, (self.next - self.una) as f64);
            }
        }
        self.edge = told.edge;
        self.widest = self.widest.max(told.edge.map_or(0, |edge| edge.saturating_sub(self.una)));
    }

    /// The time until now belongs to the limit that has held; that of data which waited at the radio is not the application's.
    fn charge(&mut self, now_ns: u64, delayed: bool) {
        let Some(since) = self.since_ns else { return };
        let lasted_ns = now_ns.saturating_sub(since);
        let limit = match self.limit() {
            Limit::Application | Limit::Unclear if delayed => Limit::Congestion,
            limit => limit,
        };
        self.pending_ns[limit as usize] += lasted_ns;
        if matches!(limit, Limit::Application | Limit::Unclear) {
            self.idle_ns.get_or_insert(since);
        } else {
            self.idle_ns = None;
        }
        if lasted_ns > self.longest.map_or(0, |(_, longest)| longest) {
            self.longest = Some((limit, lasted_ns));
        }
        self.since_ns = Some(since.max(now_ns));
    }

    fn limit(&self) -> Limit {
        let flight = self.next.saturating_sub(self.una);
        let room = self.edge.map(|edge| edge.saturating_sub(self.next));
        // Into a window that is closed nothing is sent again, either.
        let is_closed = self.edge.is_some_and(|edge| edge <= self.una) && self.next > self.una;
        if is_closed {
            Limit::Receiver
        } else if self.una < self.recover {
            Limit::Recovery
        } else if !self.beyond && room.is_some_and(|room| room < self.segment.min((self.widest / 2).max(1))) {
            // A sender sends what half of the widest window has room for, however long a segment may be (RFC 9293 section 3.8.6.2.1).
            Limit::Receiver
        } else if flight == 0 || self.short {
            Limit::Application
        } else if self.freed > flight.max(2 * self.segment) {
            // Linux lets two packets wait below TCP, however slowly they leave (`tcp_small_queue_check` of tcp_output.c).
            if self.at_sender && flight < 2 * self.segment { Limit::Application } else { Limit::Unclear }
        } else {
            Limit::Congestion
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full segment that went at once.
    const FULL: Data = Data {
        end: 0,
        segment: 1000,
        short: false,
        delayed: false,
        timed_out: false,
        late_ns: 0,
        beyond: false,
        at_sender: false,
    };

    /// Full segments whose acknowledgment comes after `round` ms, `apart` ms from each other, the last of each `burst` of them short.
    fn shares(round: u64, apart: u64, burst: u64, edge: u64) -> [f64; 5] {
        let mut limits = Limits::default();
        limits.begin(0);
        let mut next = 0;
        for segment in 0..1000 {
            let length = if segment % burst == burst - 1 { 100 } else { 1000 };
            next += length;
            let at_ns = segment * apart * 1_000_000;
            limits.sent((at_ns, 0), Data { end: next, short: length < 1000, ..FULL }, 0);
            let at_ns = at_ns + round * 1_000_000;
            limits.told(AckReport { passed_ns: at_ns, at_ns, una: next, edge: Some(next + edge) });
        }
        limits.finish();
        Limit::ALL.map(|limit| limits.share(limit))
    }

    #[test]
    fn a_sender_with_little_to_say_is_limited_by_its_application() {
        let [congestion, receiver, application, recovery, _] = shares(10, 100, 1, 100_000);
        assert!(application > 0.99, "{congestion} {receiver} {application} {recovery}");
        // Full segments, but nothing is outstanding nine tenths of the time.
        assert!((shares(10, 100, u64::MAX, 100_000)[2] - 0.9).abs() < 0.01);
    }

    #[test]
    fn the_part_of_the_window_that_is_used_is_noted_whatever_delays_data_behind_its_sender() {
        let used = |edge: u64| {
            let mut limits = Limits::default();
            limits.begin(0);
            for segment in 0..100 {
                let (at_ns, end) = (segment * 1_000_000, (segment + 1) * 1000);
                limits.sent((at_ns, 0), Data { end, ..FULL }, 0);
                // Ten segments are outstanding once the first is acknowledged.
                let at_ns = at_ns + 9_500_000;
                limits.told(AckReport { passed_ns: at_ns, at_ns, una: end, edge: Some(end + edge) });
            }
            let bins = limits.used.bins();
            (bins[2].least, bins[2].most, limits.used.origin_ns())
        };
        assert_eq!(used(10_000), (1.0, 1.0, Some(10_000_000)));
        assert_eq!(used(20_000), (0.5, 0.5, Some(10_000_000)));
    }

    #[test]
    fn what_waited_at_the_radio_did_not_wait_for_its_program() {
        let share = |delayed: bool| {
            let mut limits = Limits::default();
            limits.begin(0);
            for segment in 0..100 {
                let (at_ns, end) = (segment * 100_000_000, (segment + 1) * 1000);
                limits.sent((at_ns, 0), Data { end, delayed, ..FULL }, 0);
                let at_ns = at_ns + 1_000_000;
                limits.told(AckReport { passed_ns: at_ns, at_ns, una: end, edge: None });
            }
            limits.share(Limit::Application)
        };
        assert!(share(false) > 0.98 && share(true) < 0.02);
    }

    #[test]
    fn what_data_waited_below_its_tcp_is_no_pause_of_its_program() {
        let share = |late_ns: u64| {
            let mut limits = Limits::default();
            limits.begin(0);
            for segment in 0..100 {
                let (at_ns, end) = (segment * 10_000_000, (segment + 1) * 1000);
                let data = Data { end, late_ns, ..FULL };
                limits.sent((at_ns, 0), data, 0);
                let at_ns = at_ns + 1_000_000;
                limits.told(AckReport { passed_ns: at_ns, at_ns, una: end, edge: None });
            }
            limits.share(Limit::Application)
        };
        let [none, half, all] = [0, 4_500_000, 20_000_000].map(share);
        assert!((none - 0.9).abs() < 0.01 && (half - 0.45).abs() < 0.01 && all < 1e-9, "{none} {half} {all}");
    }

    #[test]
    fn a_wait_for_the_timer_is_no_pause_of_a_program() {
        let share = |timed_out: bool| {
            let mut limits = Limits::default();
            limits.begin(0);
            let data = Data { end: 800, short: true, ..FULL };
            limits.sent((0, 0), data, 0);
            limits.sent((200_000_000, 1), Data { timed_out, ..data }, 800);
            limits.told(AckReport { passed_ns: 201_000_000, at_ns: 201_000_000, una: 800, edge: None });
            limits.sent((1_000_000_000, 2), Data { end: 1600, ..data }, 800);
            [Limit::Application, Limit::Recovery].map(|limit| (1e3 * limits.share(limit)) as u64)
        };
        assert_eq!([false, true].map(share), [[999, 1], [799, 201]]);
    }

    #[test]
    fn room_that_is_not_used_while_data_is_outstanding_says_nothing_of_a_program() {
        let mut limits = Limits::default();
        limits.begin(0);
        for burst in 0..100 {
            for segment in 1..=10 {
                let end = burst * 10_000 + segment * 1000;
                let data = Data { end, ..FULL };
                limits.sent((burst * 10_000_000, 0), data, 0);
            }
            // All but the last is acknowledged after 2 ms.
            let (at_ns, una) = (burst * 10_000_000 + 2_000_000, burst * 10_000 + 9_000);
            limits.told(AckReport { passed_ns: at_ns, at_ns, una, edge: None });
        }
        let [congestion, _, application, _, unclear] = Limit::ALL.map(|limit| limits.share(limit));
        assert!((congestion - 0.2).abs() < 0.01 && application < 1e-9 && (unclear - 0.8).abs() < 0.01);
    }

    #[test]
    fn what_comes_behind_the_last_data_does_not_count() {
        let mut limits = Limits::default();
        limits.begin(0);
        for segment in 0..10 {
            let data = Data { end: (segment + 1) * 1000, ..FULL };
            limits.sent((segment * 1_000_000, 0), data, 0);
        }
        for at_ns in [5_000_000_000, 9_000_000_000] {
            limits.told(AckReport { passed_ns: at_ns, at_ns, una: 10_000, edge: None });
        }
        limits.finish();
        assert_eq!(Limit::ALL.map(|limit| limits.lasted_ns(limit)), [9_000_000, 0, 0, 0, 0]);
    }

    #[test]
    fn a_few_octets_in_a_window_that_is_smaller_than_a_segment_are_all_there_is() {
        // Over a loopback a segment of 64 kB is as large as the window.
        let limit = |octets: u64| {
            let mut limits = Limits::default();
            limits.begin(0);
            limits.told(AckReport { passed_ns: 0, at_ns: 0, una: 0, edge: Some(65_000) });
            limits.sent((1, 0), Data { end: octets, segment: 65_483, short: true, ..FULL }, 0);
            limits.sent((1_000_000, 0), Data { end: octets + 1, segment: 65_483, short: true, ..FULL }, 0);
            [Limit::Receiver, Limit::Application].map(|limit| limits.share(limit).round())
        };
        assert_eq!([limit(500), limit(64_000)], [[0.0, 1.0], [1.0, 0.0]]);
    }

    #[test]
    fn a_sender_that_never_stops_is_limited_by_its_window() {
        // At its end it has nothing left to send.
        assert!(shares(100, 1, u64::MAX, 1_000_000)[0] > 0.9);
        // What is outstanding, 100 segments, leaves no room for another.
        assert!(shares(100, 1, u64::MAX, 100_000)[1] > 0.8);
    }
}
