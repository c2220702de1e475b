//! What a segment does (`tcp_input.c`, Linux 3.13).

use crate::congestion::{CongestionControl, Progress};
use crate::delayed_ack::Decision;
use crate::endpoint::{Endpoint, Phase};
use crate::handshake::Negotiated;
use crate::receiver::{Arrival, Receiver};
use crate::scoreboard::Acked;
use crate::{Effects, Role, Segment, Timer, seq};
use airloom_observe::{CaState, Direction, LossEvent, Observation, Probe};
use airloom_sim::Time;

/// What the recovery machinery has to know of an ACK.
struct AckNews {
    /// Segments outstanding and not SACKed before it (`prior_unsacked`).
    prior_unsacked: u32,
    advanced: bool,
    duplicate: bool,
}

impl Endpoint {
    pub(crate) fn input<P: Probe>(&mut self, now: Time, segment: &Segment, fx: &mut Effects, probe: &mut P) {
        if segment.flags.rst() {
            if self.phase != Phase::Idle {
                self.finish(fx);
            }
            return;
        }
        match self.phase {
            Phase::Idle if segment.flags.syn() && self.role == Role::Passive => {
                self.meet(segment);
                self.phase = Phase::SynReceived;
                self.syn_sent = now;
                self.send_syn(now, false, fx, probe);
                self.timers.set(Timer::Retransmission, now + self.rtt.rto(), fx);
            }
            Phase::SynSent if segment.flags.syn() && segment.flags.ack() => {
                if segment.ack == seq::wire(self.start) {
                    self.meet(segment);
                    self.peer_window = u64::from(segment.window);
                    self.establish(now, fx, probe);
                    self.send_ack(now, fx, probe);
                    self.push(now, fx, probe);
                }
            }
            Phase::Idle | Phase::SynSent => {}
            Phase::SynReceived if segment.flags.syn() => self.send_syn(now, true, fx, probe),
            Phase::SynReceived => {
                if segment.flags.ack() && seq::near(self.start, segment.ack) >= self.start {
                    self.establish(now, fx, probe);
                    self.peer_window = u64::from(segment.window) << self.agreed.peer_scale;
                    self.established(now, segment, fx, probe);
                }
            }
            // A repeated SYN-ACK: our acknowledgment was lost.
            Phase::Established | Phase::Finished if segment.flags.syn() => self.send_ack(now, fx, probe),
            Phase::Established => self.established(now, segment, fx, probe),
            Phase::Finished => {
                if segment.sequence_length() > 0 {
                    self.send_ack(now, fx, probe);
                }
            }
        }
    }

    /// Takes the peer's SYN.
    fn meet(&mut self, segment: &Segment) {
        self.peer_syn = segment.options;
        self.agreed = Negotiated::with_peer(&self.config, &segment.options);
        self.echo = segment.options.timestamps.map_or(0, |t| t.0);
        let first = seq::initial(segment.seq) + 1;
        self.receiver = Receiver::new(first, self.config.duplicate_sack && self.agreed.sack);
        self.peer_window_seq = first;
    }

    /// The handshake is complete.
    fn establish<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.phase = Phase::Established;
        self.una = self.start;
        let (edge, mss) = (self.receiver.next(), self.agreed.mss);
        self.receive_window
            .establish(now, edge, self.agreed.own_scale, mss);
        self.timers.cancel(Timer::Retransmission);
        if self.timeouts == 0 {
            let sample = self.rtt.elapsed(self.syn_sent, now);
            self.rtt.sample(sample, self.una, self.next);
        }
        // RFC 6298 section 5.7, RFC 5681 section 3.1: a SYN lost more than once speaks for a bad path.
        if self.timeouts > 1 {
            self.window.cwnd = 1;
        }
        self.timeouts = 0;
        self.validator.touch(now);
        self.buffer.expand(self.window.cwnd);
        fx.established = true;
        self.observe_window(now, probe);
    }

    fn finish(&mut self, fx: &mut Effects) {
        self.phase = Phase::Finished;
        self.timers.cancel_all(fx);
        fx.finished = true;
    }

    /// A segment of the established connection (`tcp_rcv_established`).
    fn established<P: Probe>(&mut self, now: Time, segment: &Segment, fx: &mut Effects, probe: &mut P) {
        let left = seq::near(self.receiver.next(), segment.seq);
        let right = left + u64::from(segment.sequence_length());
        if right < self.receive_window.offered_at() || left > self.receive_window.right_edge() {
            self.outside(now, left, right, fx, probe);
            return;
        }
        if let Some((value, _)) = segment.options.timestamps
            && left <= self.receive_window.offered_at()
            && value.wrapping_sub(self.echo) < 1 << 31
        {
            self.echo = value;
        }
        if segment.flags.ack() {
            self.acknowledged(now, segment, left, fx, probe);
        }
        if right > left {
            self.data(now, segment, left, right, fx, probe);
        }
        self.push(now, fx, probe);
        if self.buffer.waiting() {
            if self.board.packets_out() < self.window.cwnd {
                self.buffer.expand(self.window.cwnd);
            }
            fx.writable |= self.buffer.wake(self.segments_held());
        }
        self.check_ack(now, segment, right > left, fx, probe);
        if self.peer_closed && self.closing && self.una > self.written && self.phase == Phase::Established {
            self.finish(fx);
        }
    }

    /// A segment outside the window is answered at once (`tcp_send_dupack`).
    fn outside<P: Probe>(&mut self, now: Time, left: u64, right: u64, fx: &mut Effects, probe: &mut P) {
        if left < right && right <= self.receiver.next() {
            self.delayed_ack
                .hurry(self.receive_window.open(self.receiver.next()), self.agreed.mss);
            self.receiver.take(left, right);
        }
        self.send_ack(now, fx, probe);
    }

    /// Takes data, which goes to the application at once if it is in order (`tcp_data_queue`).
    fn data<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        left: u64,
        right: u64,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let (mss, before) = (self.agreed.mss, self.receiver.next());
        let open = self.receive_window.open(before);
        if segment.flags.fin() {
            self.peer_fin = Some(right - 1);
        }
        match self.receiver.take(left, right) {
            Arrival::InOrder(mut bytes) => {
                self.delayed_ack.received(now, self.rtt.rto(), open, mss);
                let next = self.receiver.next();
                if self.peer_fin.is_some_and(|fin| fin < next) && !self.peer_closed {
                    bytes -= 1;
                    self.peer_closed = true;
                    self.closing |= self.config.close_on_fin;
                    self.delayed_ack.hurry(open, mss);
                }
                self.deliver(now, bytes, fx, probe);
                self.receive_window.grow();
                match segment.options.timestamps {
                    Some((_, echo)) if self.agreed.timestamps => {
                        if segment.payload >= mss && echo != 0 {
                            self.receive_window.timestamp_rtt(self.since_timestamp(now, echo));
                        }
                    }
                    _ => self.receive_window.window_rtt(now, next),
                }
                self.receive_window.adjust(now, next);
            }
            Arrival::OutOfOrder => self.delayed_ack.schedule(),
            Arrival::Duplicate => self.delayed_ack.hurry(open, mss),
        }
    }

    fn deliver<P: Probe>(&mut self, now: Time, bytes: u64, fx: &mut Effects, probe: &mut P) {
        if bytes == 0 {
            return;
        }
        self.delivered += bytes;
        fx.delivered += bytes;
        if self.direction == Direction::Backward {
            probe.see(
                now,
                Observation::Delivered {
                    flow: self.flow,
                    bytes,
                },
            );
        }
    }

    /// Acknowledges now or later (`__tcp_ack_snd_check`, `tcp_cleanup_rbuf`).
    fn check_ack<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        data: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        if !self.delayed_ack.due() {
            return;
        }
        let (next, mss) = (self.receiver.next(), self.agreed.mss);
        let waiting = self.receiver.waiting_bytes();
        let unacked = next - self.receive_window.offered_at();
        let small = data && segment.payload < mss;
        let holes = self.receiver.has_holes() || self.receive_window.deserves_update(next, waiting);
        match self
            .delayed_ack
            .decide(now, unacked, mss, small, holes, self.rtt.srtt())
        {
            Decision::Now => self.send_ack(now, fx, probe),
            Decision::By(at) => self.timers.set(Timer::DelayedAck, at, fx),
        }
    }

    /// Takes an acknowledgment (`tcp_ack`).
    fn acknowledged<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        left: u64,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let ack = seq::near(self.una, segment.ack);
        if ack > self.next {
            return;
        }
        let stale = ack < self.una;
        let advanced = ack > self.una;
        let prior_in_flight = self.board.in_flight();
        let prior_out = self.board.packets_out();
        let prior_unsacked = prior_out - self.board.sacked();
        let opened = !stale && self.update_window(segment, left, ack);
        if advanced {
            self.una = ack;
            self.timeouts = 0;
        }
        self.probes = 0;
        let sacked = if segment.options.sack.is_empty() || !self.agreed.sack {
            Acked::default()
        } else {
            self.take_sack(segment)
        };
        if prior_out == 0 {
            if self.next < self.end() && self.peer_window > 0 && opened {
                self.timers.cancel(Timer::Persist);
            }
            return;
        }
        let acked = if advanced {
            self.board.acknowledge(self.una)
        } else {
            Acked::default()
        };
        if acked.segments > 0 && !self.agreed.sack {
            self.board.uncount_duplicates(acked.segments);
        }
        self.measure(now, segment, &acked, &sacked, probe);
        // A SACK rearms only if what it covers left before the head last did; else the timeout might recede for ever.
        if acked.segments > 0
            || sacked
                .first
                .zip(self.board.head_sent())
                .is_some_and(|(s, head)| s < head)
        {
            self.rearm(now, fx);
        }
        if acked.segments > 0 {
            let progress = Progress {
                now,
                segments: acked.segments,
                una: self.una,
                next: self.next,
            };
            let rtt = acked
                .last
                .filter(|_| !acked.retransmitted)
                .map(|at| now.since(at));
            let open = self.recovery.state == CaState::Open;
            self.congestion.acked(&mut self.window, &progress, rtt, open);
            self.validator.acknowledged(now, acked.segments, self.rtt.srtt());
            if !self.recovery.reducing() && self.validator.may_grow(prior_in_flight, self.window.cwnd) {
                self.congestion.grow(&mut self.window, &progress);
            }
        }
        let repeats = !advanced && !stale && !opened && segment.sequence_length() == 0;
        if repeats || sacked.segments > 0 || self.recovery.state != CaState::Open {
            let news = AckNews {
                prior_unsacked,
                advanced,
                duplicate: repeats,
            };
            self.alert(now, &news, fx, probe);
        }
        self.observe_window(now, probe);
    }

    /// Takes the peer's window (`tcp_ack_update_window`); true if it changed.
    fn update_window(&mut self, segment: &Segment, left: u64, ack: u64) -> bool {
        let window = u64::from(segment.window) << self.agreed.peer_scale;
        let newer = ack > self.una
            || left > self.peer_window_seq
            || (left == self.peer_window_seq && window > self.peer_window);
        if newer {
            self.peer_window_seq = left;
            let changed = self.peer_window != window;
            self.peer_window = window;
            return changed;
        }
        false
    }

    fn take_sack(&mut self, segment: &Segment) -> Acked {
        let mut blocks = [(0, 0); 4];
        let mut count = 0;
        for &(left, right) in segment.options.sack.as_slice() {
            let (left, right) = (seq::near(self.una, left), seq::near(self.una, right));
            // Below the edge lie duplicates (RFC 2883) and old news.
            if left < right && right > self.una && right <= self.next {
                blocks[count] = (left.max(self.una), right);
                count += 1;
            }
        }
        self.board.selectively_acknowledge(&mut blocks[..count])
    }

    /// Measures the round trip (`tcp_ack_update_rtt`): by the time of sending unless Karn's rule forbids, then by the
    /// timestamp's echo.
    fn measure<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        acked: &Acked,
        sacked: &Acked,
        probe: &mut P,
    ) {
        let direct = if acked.retransmitted { None } else { acked.first }.or(sacked.first);
        let sample = match (direct, segment.options.timestamps) {
            (Some(at), _) => self.rtt.elapsed(at, now),
            (None, Some((_, echo))) if acked.segments > 0 && echo != 0 => self.since_timestamp(now, echo),
            _ => return,
        };
        self.rtt.sample(sample, self.una, self.next);
        if self.direction == Direction::Forward {
            probe.see(
                now,
                Observation::Rtt {
                    flow: self.flow,
                    sample,
                },
            );
        }
    }

    /// `tcp_rearm_rto`.
    fn rearm(&mut self, now: Time, fx: &mut Effects) {
        if self.board.packets_out() == 0 {
            self.timers.cancel(Timer::Retransmission);
        } else {
            self.timers.set(Timer::Retransmission, now + self.rtt.rto(), fx);
        }
    }

    /// The state machine of recovery (`tcp_fastretrans_alert`).
    fn alert<P: Probe>(&mut self, now: Time, news: &AckNews, fx: &mut Effects, probe: &mut P) {
        let reno = !self.agreed.sack;
        if self.una >= self.recovery.high_seq {
            match self.recovery.state {
                // Something beyond what was out then must be acknowledged.
                CaState::Cwr if self.una > self.recovery.high_seq => {
                    self.window.cwnd = self.window.ssthresh;
                    self.recovery.state = CaState::Open;
                }
                CaState::Recovery => {
                    if reno {
                        self.board.reset_duplicates();
                        if self.una == self.recovery.high_seq {
                            // RFC 6582: leaving at the edge itself would let old duplicates start another recovery.
                            let most = self.board.in_flight() + 3;
                            self.window.cwnd = self.window.cwnd.min(most);
                            return;
                        }
                    }
                    self.window.cwnd = self.window.ssthresh;
                    self.recovery.state = CaState::Open;
                    self.observe_loss(now, LossEvent::RecoveryLeft, probe);
                }
                _ => {}
            }
        }
        match self.recovery.state {
            CaState::Recovery => {
                if reno && news.duplicate {
                    self.board.count_duplicate();
                }
                if reno && news.advanced {
                    self.board.mark_head_lost();
                }
                self.mark_lost();
                self.reduce(news, false);
            }
            CaState::Loss => {
                self.loss_progress(now, news, probe);
                if self.recovery.state != CaState::Open {
                    self.retransmit(now, fx, probe);
                    return;
                }
                self.suspect(now, news, probe);
            }
            _ => self.suspect(now, news, probe),
        }
        if self.recovery.state == CaState::Recovery {
            self.retransmit(now, fx, probe);
        }
    }

    /// An ACK in state Loss (`tcp_process_loss`).
    fn loss_progress<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) {
        let reno = !self.agreed.sack;
        let recovered = self.una >= self.recovery.high_seq;
        if recovered && !(reno && self.una == self.recovery.high_seq && self.board.packets_out() > 0) {
            self.recovery.state = CaState::Open;
            self.observe_loss(now, LossEvent::RecoveryLeft, probe);
            return;
        }
        if !reno {
            return;
        }
        if self.next > self.recovery.high_seq && news.duplicate {
            self.board.count_duplicate();
        } else if news.advanced {
            self.board.reset_duplicates();
        }
    }

    /// An ACK outside recovery: perhaps the third duplicate (`tcp_time_to_recover`, `tcp_try_to_open`).
    fn suspect<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) {
        if !self.agreed.sack {
            if news.advanced {
                self.board.reset_duplicates();
            }
            if news.duplicate {
                self.board.count_duplicate();
            }
        }
        if self.board.lost() > 0 || self.board.sacked() >= self.config.duplicate_threshold {
            self.enter_recovery(now, probe);
            self.mark_lost();
            if self.board.lost() == 0 {
                self.board.mark_head_lost();
            }
            self.reduce(news, true);
        } else if self.recovery.state == CaState::Cwr {
            self.reduce(news, false);
        } else {
            let clean = self.board.sacked() == 0 && self.board.retransmitted() == 0;
            let state = if clean { CaState::Open } else { CaState::Disorder };
            if state != self.recovery.state {
                self.recovery.state = state;
                self.recovery.high_seq = self.next;
            }
        }
    }

    /// `tcp_enter_recovery`: a reduction that is under way goes on.
    fn enter_recovery<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if self.recovery.state != CaState::Cwr {
            self.begin_reduction();
        }
        self.recovery.state = CaState::Recovery;
        self.observe_loss(now, LossEvent::RecoveryEntered, probe);
    }

    fn mark_lost(&mut self) {
        if self.agreed.sack {
            self.board.mark_lost_below_sacks(self.config.duplicate_threshold);
            if self.config.lost_retransmissions && self.recovery.state == CaState::Recovery {
                self.board.mark_lost_retransmissions();
            }
        } else if self.recovery.state == CaState::Recovery {
            self.board.mark_head_lost();
        }
    }

    fn reduce(&mut self, news: &AckNews, first: bool) {
        let unsacked = self.board.packets_out() - self.board.sacked();
        let delivered = news.prior_unsacked.saturating_sub(unsacked);
        let in_flight = self.board.in_flight();
        let ssthresh = self.window.ssthresh;
        self.window.cwnd = self
            .recovery
            .reduced_window(ssthresh, in_flight, delivered, first);
    }
}
