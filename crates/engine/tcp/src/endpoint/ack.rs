//! Acknowledgments (`tcp_ack`, Linux 3.13).

use super::Endpoint;
use super::loss_recovery::{AckSummary, Follows};
use super::path::Before;
use crate::congestion::Progress;
use crate::loss_probe::Seen;
use crate::scoreboard::Acked;
use crate::{Effects, Segment, Timer, seq};
use airloom_observe::{CaState, Direction, Observation, Probe};
use airloom_sim::{Duration, Time};
use airloom_wire::SackBlock;

/// Segments that a D-SACK reports, and where they end.
#[derive(Clone, Copy)]
struct Duplicate {
    segments: u32,
    end: u64,
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
        if P::TRACE && self.direction == Direction::Forward {
            let (flow, ack) = (self.flow, segment.header.ack);
            probe.see(now, Observation::Acknowledgment { flow, ack });
        }
        let ack = seq::near(self.una, segment.header.ack);
        if ack > self.next {
            return false;
        }
        let una = self.una;
        let opened = ack >= una && self.update_window(segment, left, ack);
        if ack > una {
            self.una = ack;
            self.timeouts = 0;
        }
        self.probes = 0;
        if self.board.packets_out() == 0 && segment.header.options.sack.is_empty() {
            self.nothing_out(opened);
            return false;
        }
        self.progress(now, segment, (una, ack), opened, fx, probe)
    }

    /// An acknowledgment came while nothing is outstanding; `opened` if it brought a newer window.
    fn nothing_out(&mut self, opened: bool) {
        if self.next < self.end() && self.peer_window > 0 && opened {
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
        let (stale, advanced) = (ack < una, ack > una);
        let prior_in_flight = self.board.in_flight();
        let prior_out = self.board.packets_out();
        let prior_unsacked = prior_out - self.board.sacked();
        let before = Before {
            in_flight: prior_in_flight,
            unsacked: prior_unsacked,
            delivered: self.board.delivered(),
            lost: self.board.all_lost(),
            una,
        };
        let sacked_edge = self.board.sacked_edge(una);
        let mut duplicate = None;
        let sacked = if segment.header.options.sack.is_empty() || !self.agreed.sack {
            Acked::default()
        } else {
            let sacked = self.take_sack(segment);
            duplicate = self.take_duplicate_sack(segment, ack);
            if self.recovery.state != CaState::Loss || self.undo.open() {
                self.check_reordering(sacked.reordered);
            }
            sacked
        };
        if stale {
            return self.late_news(now, segment, before, &sacked, fx, probe);
        }
        let duplicate_end = duplicate.map(|duplicate| duplicate.end);
        self.board.count_delivered(sacked.segments + duplicate.map_or(0, |duplicate| duplicate.segments));
        if prior_out == 0 {
            self.nothing_out(opened);
            // It may report that the last retransmissions were needless.
            if duplicate_end.is_some() {
                self.update_recovery(now, &AckSummary::default(), probe);
            }
            return duplicate_end.is_some();
        }
        let acked = if advanced { self.board.acknowledge(self.una, sacked_edge) } else { Acked::default() };
        if self.agreed.sack {
            self.board.count_delivered(acked.fresh);
            self.check_reordering(acked.reordered);
        } else if acked.segments > 0 && !self.board.uncount_duplicates(acked.segments) {
            self.reordering.too_many_duplicates(self.board.packets_out() + acked.segments);
        }
        let path_rtt = self.measure(now, segment, &acked, &sacked, probe);
        // A SACK rearms only if its segments left before the head last did; otherwise the timeout might never expire.
        let sacked_early = sacked.first.zip(self.board.head_sent()).is_some_and(|(at, head)| at < head);
        let progress = acked.segments > 0 || sacked_early;
        if self.detects_by_time() {
            self.rack.arrived(now, &sacked, false);
            self.rack.arrived(now, &acked, self.is_for_original(&acked, segment));
            if let Some(newest) = acked.newest().max(sacked.newest()) {
                self.rack.adapt(now, newest);
            }
        }
        if acked.segments > 0 {
            let progress = Progress { now, segments: acked.segments, una: self.una, next: self.next };
            let rtt = if self.config.grow_by_delivered {
                path_rtt
            } else {
                acked.last.filter(|_| !acked.retransmitted).map(|at| now.since(at))
            };
            self.congestion.acked(&mut self.window, &progress, rtt);
            self.validator.acknowledged(now, acked.segments, self.rtt.srtt());
            if !self.config.grow_by_delivered && !self.recovery.reducing() {
                let by_acks = self.config.slow_start_by_acks && self.window.in_slow_start();
                let segments = if by_acks { 1 } else { progress.segments };
                self.grow(prior_in_flight, &Progress { segments, ..progress });
            }
        } else if self.config.grow_by_delivered && path_rtt.is_some() {
            let progress = Progress { now, segments: 0, una: self.una, next: self.next };
            self.congestion.acked(&mut self.window, &progress, path_rtt);
        }
        let marked = self.ecn.asked(segment.header.flags);
        let repeats = !advanced && !opened && segment.sequence_length() == 0;
        if self.loss_probe.is_some() {
            let seen = Seen { repeats: repeats && sacked.segments == 0, duplicate_end };
            self.loss_probe_answered(now, ack, &seen, probe);
        }
        let follows = if repeats
            || duplicate_end.is_some()
            || marked
            || sacked.segments > 0
            || self.recovery.state != CaState::Open
        {
            let edge = self.recovery.high_seq;
            let news = AckSummary {
                before,
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
        } else {
            Follows::Nothing
        };
        if self.config.grow_by_delivered {
            let grows = acked.segments > 0 || (self.reordering.is_high() && sacked.segments > 0);
            self.control(now, &before, advanced, grows);
        }
        self.path_acknowledged(now, &before, [&acked, &sacked], path_rtt);
        self.follow(now, &follows, fx, probe);
        if progress || self.rack.wait.is_some() {
            self.arm_timer(now, progress, fx);
        }
        true
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

    /// Reduces the window or grows it, once it is known what an acknowledgment reports (`tcp_cong_control`, Linux 4.6).
    fn control(&mut self, now: Time, before: &Before, advanced: bool, grows: bool) {
        let segments = self.delivered_since(before);
        if self.recovery.reducing() {
            self.reduce_by(segments, advanced && self.board.all_lost() == before.lost, false);
        } else if grows {
            self.grow(before.in_flight, &Progress { now, segments, una: self.una, next: self.next });
        }
    }

    /// Whether an acknowledgment of a retransmission echoes a timestamp from before it (`tcp_skb_spurious_retrans`).
    fn is_for_original(&self, acked: &Acked, segment: &Segment) -> bool {
        let Some(((again, _), echo)) = acked.last_repeat.zip(self.echo_of(segment)) else { return false };
        echo.wrapping_sub(self.timestamp(again)) >= 1 << 31
    }

    /// Grows the window if it may grow (`tcp_cong_avoid`).
    fn grow(&mut self, prior_in_flight: u32, progress: &Progress) {
        let slow_start = self.window.in_slow_start();
        let limited = self.validator.may_grow(prior_in_flight, self.window_in_use(), slow_start);
        self.validator.considered(progress.now, limited);
        if limited {
            self.congestion.grow(&mut self.window, progress);
            self.window.cwnd = self.share.grown(self.window.cwnd);
        }
    }

    /// Segments known to have arrived since `before`: those counted (`tcp_newly_delivered`, Linux 4.6), or those that are
    /// outstanding and not SACKed any more (`prior_unsacked`).
    pub(crate) fn delivered_since(&self, before: &Before) -> u32 {
        if self.config.grow_by_delivered {
            return (self.board.delivered() - before.delivered) as u32;
        }
        before.unsacked.saturating_sub(self.board.packets_out() - self.board.sacked())
    }

    /// Takes the peer's window if this segment is newer than the one it was last taken from; true if so
    /// (`tcp_ack_update_window`).
    #[inline]
    fn update_window(&mut self, segment: &Segment, left: u64, ack: u64) -> bool {
        let window = u64::from(segment.header.window) << self.agreed.peer_scale;
        let newer = ack > self.una
            || left > self.peer_window_seq
            || (left == self.peer_window_seq && window > self.peer_window);
        if newer {
            self.peer_window_seq = left;
            self.peer_window = window;
            self.pushes.offered(window);
        }
        newer
    }

    fn take_sack(&mut self, segment: &Segment) -> Acked {
        let mut blocks = [(0, 0); 4];
        let mut count = 0;
        for &SackBlock { left, right } in segment.header.options.sack.as_slice() {
            let (left, right) = (seq::near(self.una, left), seq::near(self.una, right));
            // Blocks below the edge are duplicates (RFC 2883) or outdated.
            if left < right && right > self.una && right <= self.next {
                blocks[count] = (left.max(self.una), right);
                count += 1;
            }
        }
        self.board.selectively_acknowledge(&mut blocks[..count])
    }

    /// Records a D-SACK, which is the first block if it lies below `ack` or within the second (RFC 2883 section 4;
    /// `tcp_check_dsack`).
    fn take_duplicate_sack(&mut self, segment: &Segment, ack: u64) -> Option<Duplicate> {
        let blocks = segment.header.options.sack.as_slice();
        let place =
            |&SackBlock { left, right }: &SackBlock| (seq::near(self.una, left), seq::near(self.una, right));
        let mut places = blocks.iter().map(place);
        let (left, right) = places.next()?;
        let inside = places.next().is_some_and(|(l, r)| l <= left && right <= r);
        if left >= right || !(left < ack || inside) {
            return None;
        }
        let segments = (right - left).div_ceil(u64::from(self.agreed.mss)) as u32;
        if !self.board.count_needless(segments) {
            return None;
        }
        // A duplicate of a loss probe has nothing to do with reordering.
        let probe = self.loss_probe.is_some_and(|probe| probe.edge == right);
        if self.config.recovery.adaptive_reordering && self.reordering.seen() && !probe {
            self.rack.was_needless();
        }
        if right <= ack {
            self.undo.reported(segments, right);
        } else {
            let (again, late) = self.board.report_duplicates(left, right);
            self.undo.reported(again, right);
            self.check_reordering(late);
        }
        Some(Duplicate { segments, end: right })
    }

    /// A segment from `low` on, if one, came after others that had been sent later (`tcp_check_sack_reordering`).
    fn check_reordering(&mut self, low: Option<u64>) {
        if let Some(low) = low {
            self.reordering.arrived_late(low, self.board.sacked_edge(self.una), self.agreed.mss);
        }
    }

    /// The timestamp that an ACK echoes, if it does.
    fn echo_of(&self, segment: &Segment) -> Option<u32> {
        let echo = segment.header.options.timestamps.map(|t| t.echo);
        echo.filter(|echo| self.agreed.timestamps && *echo != 0)
    }

    /// Measures the round trip (`tcp_ack_update_rtt`): by the time of sending unless Karn's rule forbids, then by the
    /// timestamp's echo. Returns that of the last segment covered, which shows the path best.
    fn measure<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        acked: &Acked,
        sacked: &Acked,
        probe: &mut P,
    ) -> Option<Duration> {
        let direct = if acked.retransmitted { None } else { acked.first }.or(sacked.first);
        let (sample, last) = match (direct, self.echo_of(segment)) {
            (Some(at), _) => {
                let last = sacked.last.or(if acked.retransmitted { None } else { acked.last });
                (self.rtt.elapsed(at, now), now.since(last.unwrap_or(at)))
            }
            (None, Some(echo)) if acked.segments > 0 => {
                let sample = self.since_timestamp(now, echo).max(self.timestamp_unit());
                (sample, sample)
            }
            _ => return None,
        };
        self.rack.sampled(last);
        self.rtt.sample(sample, self.una, self.next);
        self.observe_rtt(now, sample, probe);
        Some(last)
    }
}
