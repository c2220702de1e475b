//! Acknowledgments (`tcp_ack`, Linux 3.13).

use super::Endpoint;
use super::loss_recovery::{AckSummary, Follows};
use super::path::Before;
use super::reports::Reported;
use crate::congestion::Progress;
use crate::loss_probe::Seen;
use crate::scoreboard::Acked;
use crate::{Effects, Segment, Timer, seq};
use airloom_observe::{CaState, Probe};
use airloom_sim::{Duration, Time};

/// What an acknowledgment covers of what was outstanding.
struct Covered {
    /// Segments newly acknowledged, and those newly SACKed.
    acked: Acked,
    sacked: Acked,
    /// Where the segment ends that a D-SACK reports.
    duplicate_end: Option<u64>,
    /// The first unacknowledged sequence number moved.
    advanced: bool,
    /// The retransmission timeout begins anew.
    restarts: bool,
}

impl Endpoint {
    /// Takes an acknowledgment (`tcp_ack`); true if there was something to acknowledge.
    pub(crate) fn acknowledged<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        left: u64,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        self.observer.acknowledgment(now, segment.header.ack, probe);
        let ack = seq::near(self.outbound.una, segment.header.ack);
        if ack > self.outbound.next {
            return false;
        }
        let una = self.outbound.una;
        let window = u64::from(segment.header.window) << self.agreed.peer_scale;
        let opened = ack >= una && self.outbound.take_window(window, left, ack);
        if ack > una {
            self.outbound.una = ack;
            self.retries.timeouts = 0;
        }
        self.retries.probes = 0;
        if self.board.packets_out() == 0 && segment.header.options.sack.is_empty() {
            self.nothing_out(opened);
            return false;
        }
        self.progress(now, segment, (una, ack), opened, fx, probe)
    }

    /// An acknowledgment came while nothing is outstanding; `opened` if it brought a newer window.
    fn nothing_out(&mut self, opened: bool) {
        if opened && self.outbound.may_continue() {
            self.timers.cancel(Timer::Persist);
        }
    }

    /// Applies an acknowledgment up to `ack` to the outstanding segments, of which `una` was the first until now;
    /// `opened` if it brought a newer window. True if there was something to acknowledge.
    #[inline(never)]
    fn progress<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        (una, ack): (u64, u64),
        opened: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        let before = self.before(una);
        let reported = self.take_reports(segment, ack);
        if ack < una {
            return self.late_news(now, segment, before, &reported.sacked, fx, probe);
        }
        self.board.count_delivered(reported.segments());
        if before.out == 0 {
            return self.acknowledged_nothing(now, reported, opened, probe);
        }
        let covered = self.cover(reported, &before);
        let rtt = self.measure(now, segment, &covered, probe);
        self.record_arrivals(now, segment, &covered);
        self.grow_by_acknowledged(now, &before, &covered, rtt);
        let judged = self.judge(now, segment, &before, &covered, opened, probe);
        self.grow_by_delivered(now, &before, &covered);
        self.path_acknowledged(now, &before, [&covered.acked, &covered.sacked], rtt);
        self.follow(now, &judged, fx, probe);
        if covered.restarts || self.rack.wait.is_some() {
            self.arm_timer(now, covered.restarts, fx);
        }
        true
    }

    /// The state before an acknowledgment, before which `una` was the first unacknowledged.
    #[inline]
    fn before(&self, una: u64) -> Before {
        let out = self.board.packets_out();
        Before {
            out,
            in_flight: self.board.in_flight(),
            unsacked: out - self.board.sacked(),
            delivered: self.board.delivered(),
            lost: self.board.all_lost(),
            una,
            sacked_edge: self.board.sacked_edge(una),
        }
    }

    /// Takes an acknowledgment while nothing was outstanding; true if it reports duplicates.
    #[cold]
    fn acknowledged_nothing<P: Probe>(
        &mut self,
        now: Time,
        reported: Reported,
        opened: bool,
        probe: &mut P,
    ) -> bool {
        self.nothing_out(opened);
        let duplicates = reported.duplicate.is_some();
        // It may report that the last retransmissions were needless.
        if duplicates {
            self.update_recovery(now, &AckSummary::default(), probe);
        }
        duplicates
    }

    /// Takes what is acknowledged off the board, and learns from it how far the path reorders.
    // Each segment would pay for the call.
    #[inline(always)]
    fn cover(&mut self, reported: Reported, before: &Before) -> Covered {
        let Reported { sacked, duplicate } = reported;
        let advanced = self.outbound.una > before.una;
        let acked = if advanced {
            self.board.acknowledge(self.outbound.una, before.sacked_edge)
        } else {
            Acked::default()
        };
        if self.agreed.sack {
            self.board.count_delivered(acked.fresh);
            self.check_reordering(acked.reordered);
        } else if acked.segments > 0 && !self.board.uncount_duplicates(acked.segments) {
            self.reordering.too_many_duplicates(self.board.packets_out() + acked.segments);
        }
        // A SACK rearms only if its segments left before the head last did; otherwise the timeout might never expire.
        let sacked_early = sacked.first.zip(self.board.head_sent()).is_some_and(|(at, head)| at < head);
        let duplicate_end = duplicate.map(|duplicate| duplicate.end);
        Covered { acked, sacked, duplicate_end, advanced, restarts: acked.segments > 0 || sacked_early }
    }

    /// Records for loss detection by time which segments have arrived.
    #[inline]
    fn record_arrivals(&mut self, now: Time, segment: &Segment, covered: &Covered) {
        if !self.detects_by_time() {
            return;
        }
        let Covered { acked, sacked, .. } = covered;
        self.rack.arrived(now, sacked, false);
        self.rack.arrived(now, acked, self.is_for_original(acked, segment));
        if let Some(newest) = acked.newest().max(sacked.newest()) {
            self.rack.adapt(now, newest);
        }
    }

    /// Grows the window by what is acknowledged, if that is done before it is known what is lost. The last segment covered took
    /// `rtt`.
    // Each segment would pay for the call.
    #[inline(always)]
    fn grow_by_acknowledged(&mut self, now: Time, before: &Before, covered: &Covered, rtt: Option<Duration>) {
        let (acked, reducing) = (&covered.acked, self.recovery.reducing());
        let progress = self.progress_of(now, acked.segments);
        let rtts = (rtt, self.rtt.srtt());
        self.control.acknowledged(acked, &progress, rtts, before.in_flight, reducing);
    }

    /// Decides what an acknowledgment says of losses, and what follows it; `opened` if it brought a newer window.
    // Each segment would pay for the call.
    #[inline(always)]
    fn judge<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        before: &Before,
        covered: &Covered,
        opened: bool,
        probe: &mut P,
    ) -> Follows {
        let &Covered { ref acked, ref sacked, duplicate_end, advanced, .. } = covered;
        let marked = self.ecn.asked(segment.header.flags);
        let repeats = !advanced && !opened && segment.sequence_length() == 0;
        if self.recovery.probe.is_some() {
            let seen = Seen { repeats: repeats && sacked.segments == 0, duplicate_end };
            self.loss_probe_answered(now, self.outbound.una, &seen, probe);
        }
        let plain = !repeats && duplicate_end.is_none() && !marked && sacked.segments == 0;
        if plain && self.recovery.state == CaState::Open {
            return Follows::Nothing;
        }
        let edge = self.recovery.high_seq;
        let news = AckSummary {
            before: *before,
            advanced,
            duplicate: repeats && duplicate_end.is_none(),
            sacked: sacked.segments > 0,
            // Without SACK it is unknown what else a retransmission revealed.
            original: sacked.original_below(edge)
                || (acked.original_below(edge) && (self.agreed.sack || !acked.retransmitted)),
            echo: self.echo_of(segment),
            marked,
        };
        self.update_recovery(now, &news, probe)
    }

    /// An acknowledgment that another one has overtaken: only its SACKs are news, and they count for nothing but losses
    /// (`old_ack` of `tcp_ack`).
    #[cold]
    fn late_news<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        before: Before,
        sacked: &Acked,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        if segment.header.options.sack.is_empty() {
            return false;
        }
        if self.detects_by_time() {
            self.rack.arrived(now, sacked, false);
        }
        let news = AckSummary {
            before,
            sacked: sacked.segments > 0,
            original: sacked.original_below(self.recovery.high_seq),
            echo: self.echo_of(segment),
            ..AckSummary::default()
        };
        let follows = self.update_recovery(now, &news, probe);
        self.follow(now, &follows, fx, probe);
        if self.rack.wait.is_some() {
            self.arm_timer(now, false, fx);
        }
        true
    }

    /// Reduces the window or grows it, if that is done once it is known what an acknowledgment reports (`tcp_cong_control`,
    /// Linux 4.6).
    #[inline]
    fn grow_by_delivered(&mut self, now: Time, before: &Before, covered: &Covered) {
        if !self.control.by_delivered {
            return;
        }
        let segments = self.delivered_since(before);
        if self.recovery.reducing() {
            self.reduce_by(segments, covered.advanced && self.board.all_lost() == before.lost, false);
        } else if covered.acked.segments > 0 || (self.reordering.is_high() && covered.sacked.segments > 0) {
            let progress = self.progress_of(now, segments);
            self.control.grow(before.in_flight, &progress);
        }
    }

    /// Whether an acknowledgment of a retransmission echoes a timestamp from before it (`tcp_skb_spurious_retrans`).
    fn is_for_original(&self, acked: &Acked, segment: &Segment) -> bool {
        let Some(((again, _), echo)) = acked.last_repeat.zip(self.echo_of(segment)) else { return false };
        echo.wrapping_sub(self.clock.at(again)) >= 1 << 31
    }

    /// The progress that an acknowledgment of so many segments is to the congestion control.
    #[inline]
    fn progress_of(&self, now: Time, segments: u32) -> Progress {
        Progress { now, segments, una: self.outbound.una, next: self.outbound.next }
    }

    /// Segments known to have arrived since `before`: those counted (`tcp_newly_delivered`, Linux 4.6), or those that are
    /// outstanding and not SACKed any more (`prior_unsacked`).
    pub(crate) fn delivered_since(&self, before: &Before) -> u32 {
        if self.control.by_delivered {
            return (self.board.delivered() - before.delivered) as u32;
        }
        before.unsacked.saturating_sub(self.board.packets_out() - self.board.sacked())
    }

    /// The timestamp that an ACK echoes, if it does.
    fn echo_of(&self, segment: &Segment) -> Option<u32> {
        let echo = segment.header.options.timestamps.map(|t| t.echo);
        echo.filter(|echo| self.agreed.timestamps && *echo != 0)
    }

    /// Measures the round trip (`tcp_ack_update_rtt`): by the time of sending unless Karn's rule forbids, then by the
    /// timestamp's echo. Returns that of the last segment covered, which shows the path best.
    #[inline]
    fn measure<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        covered: &Covered,
        probe: &mut P,
    ) -> Option<Duration> {
        let Covered { acked, sacked, .. } = covered;
        let direct = if acked.retransmitted { None } else { acked.first }.or(sacked.first);
        let (sample, last) = match (direct, self.echo_of(segment)) {
            (Some(at), _) => {
                let last = sacked.last.or(if acked.retransmitted { None } else { acked.last });
                (self.rtt.elapsed(at, now), now.since(last.unwrap_or(at)))
            }
            (None, Some(echo)) if acked.segments > 0 => {
                let sample = self.clock.since(now, echo).max(self.clock.unit());
                (sample, sample)
            }
            _ => return None,
        };
        self.rack.sampled(last);
        self.rtt.sample(sample, self.outbound.una, self.outbound.next);
        self.observer.rtt(now, sample, probe);
        Some(last)
    }
}
