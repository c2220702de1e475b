//! Incoming segments: the handshake's end, data, and the answer to it (`tcp_input.c`, Linux 3.13).

use super::{Endpoint, Phase};
use crate::ack_compression::{BLOCKS, Wait};
use crate::delayed_ack::Decision;
use crate::handshake::Negotiated;
use crate::receiver::{Arrival, Receiver};
use crate::{Effects, Role, Segment, Timer, seq};
use airloom_observe::{Direction, Observation, Probe};
use airloom_sim::{Duration, Time};
use airloom_wire::{TcpFlags, Timestamps};

impl Endpoint {
    /// Takes what opens and closes a connection; returns whether `segment` is one of the established connection.
    #[inline]
    pub(crate) fn input<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        let flags = segment.header.flags;
        let ordinary = !flags.contains(TcpFlags::RST) && !flags.contains(TcpFlags::SYN);
        self.phase == Phase::Established && ordinary || self.shake_hands(now, segment, fx, probe)
    }

    fn shake_hands<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        if segment.header.flags.contains(TcpFlags::RST) {
            self.reset(now, segment, fx, probe);
            return false;
        }
        match self.phase {
            Phase::Idle if segment.header.flags.contains(TcpFlags::SYN) && self.role == Role::Passive => {
                self.meet(segment);
                self.receive_window.meet(self.agreed.mss);
                self.phase = Phase::SynReceived;
                self.syn_sent = now;
                self.send_syn(now, false, fx, probe);
                self.timers.set_after(Timer::Retransmission, now, self.rtt.rto(), fx);
            }
            Phase::SynSent
                if segment.header.flags.contains(TcpFlags::SYN)
                    && segment.header.flags.contains(TcpFlags::ACK) =>
            {
                if segment.header.ack == seq::wire(self.start) {
                    self.meet(segment);
                    self.peer_window = u64::from(segment.header.window);
                    self.pushes.offered(self.peer_window);
                    self.establish(now, fx, probe);
                    self.send_ack(now, fx, probe);
                    self.push(now, fx, probe);
                    // The buffer now holds a window: a writer that had filled the smaller buffer continues.
                    fx.writable |= self.buffer.wake(self.segments_held());
                }
            }
            Phase::Idle | Phase::SynSent => {}
            Phase::SynReceived if segment.header.flags.contains(TcpFlags::SYN) => {
                self.send_syn(now, true, fx, probe)
            }
            Phase::SynReceived => {
                if self.answers_syn(segment) {
                    self.establish(now, fx, probe);
                    self.peer_window = u64::from(segment.header.window) << self.agreed.peer_scale;
                    return true;
                }
            }
            // A repeated SYN-ACK: our acknowledgment was lost.
            Phase::Established | Phase::Finished if segment.header.flags.contains(TcpFlags::SYN) => {
                self.send_ack(now, fx, probe)
            }
            Phase::Established => return true,
            Phase::Finished => {
                if segment.sequence_length() > 0 {
                    self.send_ack(now, fx, probe);
                }
            }
        }
        false
    }

    /// A reset ends the connection if it is exactly what is expected; one that lies elsewhere in the window is challenged, and
    /// any other ignored (RFC 5961 section 3; `tcp_validate_incoming`, `tcp_rcv_synsent_state_process`, `tcp_check_req`).
    fn reset<P: Probe>(&mut self, now: Time, segment: &Segment, fx: &mut Effects, probe: &mut P) {
        let next = self.receiver.next();
        let left = seq::near(next, segment.header.seq);
        match self.phase {
            Phase::Idle | Phase::Finished => {}
            Phase::SynSent => {
                let acks = segment.header.flags.contains(TcpFlags::ACK);
                if acks && segment.header.ack == seq::wire(self.start) {
                    self.finish(fx);
                }
            }
            Phase::SynReceived => {
                if self.in_first_window(segment) {
                    self.finish(fx);
                }
            }
            Phase::Established if left == next => self.finish(fx),
            Phase::Established => {
                if left > next && left <= self.receive_window.right_edge() {
                    self.send_ack(now, fx, probe);
                }
            }
        }
    }

    /// Whether a segment touches the first window, before the handshake is complete.
    fn in_first_window(&self, segment: &Segment) -> bool {
        let next = self.receiver.next();
        let left = seq::near(next, segment.header.seq);
        left + u64::from(segment.sequence_length()) >= next
            && left <= next + u64::from(self.receive_window.initial())
    }

    /// Whether a segment acknowledges our SYN and nothing else, and lies within the first window (`tcp_check_req`).
    fn answers_syn(&self, segment: &Segment) -> bool {
        let acks = segment.header.flags.contains(TcpFlags::ACK);
        acks && segment.header.ack == seq::wire(self.start) && self.in_first_window(segment)
    }

    /// Takes the peer's SYN.
    fn meet(&mut self, segment: &Segment) {
        self.peer_syn = segment.header.options;
        self.agreed = Negotiated::with_peer(&self.config.offer, &segment.header.options);
        self.ecn.met(self.role == Role::Active, segment.header.flags);
        self.echo = segment.header.options.timestamps.map_or(0, |t| t.value);
        let first = seq::initial(segment.header.seq) + 1;
        self.receiver = Receiver::new(first, self.config.offer.duplicate_sack && self.agreed.sack);
        self.peer_window_seq = first;
    }

    /// The handshake is complete.
    fn establish<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.phase = Phase::Established;
        self.una = self.start;
        let (edge, mss) = (self.receiver.next(), self.agreed.mss);
        self.receive_window.establish(now, edge, self.agreed.own_scale, mss);
        self.timers.cancel(Timer::Retransmission);
        if self.timeouts == 0 {
            let sample = self.rtt.elapsed(self.syn_sent, now);
            self.rack.sampled(now.since(self.syn_sent));
            self.rtt.sample(sample, self.una, self.next);
            self.observe_rtt(now, sample, probe);
        }
        // RFC 6298 section 5.7, RFC 5681 section 3.1: a SYN lost more than once indicates a bad path.
        if self.timeouts > 1 {
            self.window.cwnd = 1;
        }
        self.timeouts = 0;
        self.validator.touch(now);
        let rtt = self.rack.least_rtt();
        self.congestion.established(&self.window, now, rtt, &self.agreed);
        self.buffer.expand(self.congestion.buffer_windows(), self.window.cwnd);
        fx.established = true;
        self.observe_window(now, probe);
    }

    pub(crate) fn finish(&mut self, fx: &mut Effects) {
        self.phase = Phase::Finished;
        self.timers.cancel_all(fx);
        fx.finished = true;
    }

    /// A segment of the established connection (`tcp_rcv_established`).
    pub(crate) fn established<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        // What acknowledges nothing, or what was never sent, is dropped whole.
        if !segment.header.flags.contains(TcpFlags::ACK)
            || seq::near(self.una, segment.header.ack) > self.next
        {
            return;
        }
        let left = seq::near(self.receiver.next(), segment.header.seq);
        let right = left + u64::from(segment.sequence_length());
        if right < self.receive_window.offered_at() || left > self.receive_window.right_edge() {
            self.outside(now, left, right, fx, probe);
            return;
        }
        if let Some(Timestamps { value, .. }) = segment.header.options.timestamps
            && left <= self.receive_window.offered_at()
            && value.wrapping_sub(self.echo) < 1 << 31
        {
            self.echo = value;
        }
        let changed = self.acknowledged(now, segment, left, fx, probe);
        // Nothing follows the peer's FIN (`tcp_rcv_state_process`).
        let data = right > left && !(self.peer_closed && right > self.receiver.next());
        if data {
            self.data(now, segment, left, right, fx, probe);
        }
        self.push(now, fx, probe);
        if changed {
            self.observe_window(now, probe);
        }
        if self.buffer.waiting() {
            let between = self.buffer.grows_between_segments();
            self.expand_send_buffer(if between { self.board.in_flight() } else { self.board.packets_out() });
            fx.writable |= self.buffer.wake(self.segments_held());
        }
        self.check_ack(now, segment, data, fx, probe);
        if !segment.followed {
            self.receiver.read();
        }
        if self.peer_closed && self.closing && self.una > self.written && self.phase == Phase::Established {
            self.finish(fx);
        }
    }

    /// A segment outside the window is answered at once (`tcp_send_dupack`).
    fn outside<P: Probe>(&mut self, now: Time, left: u64, right: u64, fx: &mut Effects, probe: &mut P) {
        if left < right && right <= self.receiver.next() {
            self.delayed_ack.hurry(self.receive_window.open(self.receiver.next()), self.agreed.mss);
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
        if segment.header.flags.contains(TcpFlags::FIN) && right > before {
            self.peer_fin = Some(self.peer_fin.map_or(right - 1, |fin| fin.min(right - 1)));
        }
        if self.ecn.received(segment) {
            self.delayed_ack.hurry(open, mss);
        }
        match self.receiver.take(left, right) {
            Arrival::InOrder(mut bytes) => {
                self.delayed_ack.received(now, self.rtt.rto(), open, mss);
                if let Some(fin) = self.peer_fin.filter(|fin| *fin < self.receiver.next()) {
                    bytes = fin - before;
                    self.receiver.end_at(fin + 1);
                    self.peer_closed = true;
                    // The application closes its side once it has read the end of the file.
                    self.closing |= self.closes_with_peer;
                    self.delayed_ack.hurry(open, mss);
                }
                if segment.header.flags.contains(TcpFlags::PSH) {
                    self.delayed_ack.pushed();
                }
                let next = self.receiver.next();
                self.deliver(now, bytes, fx, probe);
                self.let_window_grow(segment.payload);
                match segment.header.options.timestamps {
                    Some(Timestamps { echo, .. }) if self.agreed.timestamps => {
                        if segment.payload >= mss && echo != 0 {
                            self.receive_window.timestamp_rtt(self.clock.since(now, echo), echo);
                        }
                    }
                    _ => self.receive_window.window_rtt(now, next),
                }
                self.receive_window.adjust(now, next, self.receiver.highest());
            }
            Arrival::OutOfOrder => {
                self.delayed_ack.schedule();
                if self.agreed.sack && self.receive_window.goes_by_memory() {
                    self.receive_window.reordered(self.receiver.highest() - self.receiver.next());
                    self.let_window_grow(segment.payload);
                }
            }
            Arrival::Duplicate => self.delayed_ack.hurry(open, mss),
        }
    }

    #[inline]
    fn let_window_grow(&mut self, payload: u32) {
        if self.receive_window.grow(payload, self.receiver.waiting_bytes()) {
            self.delayed_ack.quicken();
        }
    }

    fn deliver<P: Probe>(&mut self, now: Time, bytes: u64, fx: &mut Effects, probe: &mut P) {
        if bytes == 0 {
            return;
        }
        self.delivered += bytes;
        fx.delivered += bytes;
        if self.direction == Direction::Backward {
            probe.see(now, Observation::Delivered { flow: self.flow, bytes });
        }
    }

    /// Acknowledges data above a hole, now or together with more of it.
    fn compress<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        let (mut rtt, srtt) = (self.receive_window.rtt(), self.rtt.srtt());
        if srtt > Duration::ZERO {
            rtt = rtt.min(srtt);
        }
        // An ACK has room for so many blocks; more would not report what came before (`tcp_sack_new_ofo_skb`).
        if self.compression.holds() && self.receiver.blocks_known() > BLOCKS {
            return self.send_ack(now, fx, probe);
        }
        match self.compression.wait(self.receiver.next(), rtt) {
            Wait::Nothing => self.send_ack(now, fx, probe),
            Wait::For(wait) => self.timers.set(Timer::DelayedAck, now + wait, fx),
            Wait::AsBefore => {}
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
        if segment.followed || !self.delayed_ack.due() {
            return;
        }
        let (next, mss) = (self.receiver.next(), self.agreed.mss);
        let waiting = self.receiver.waiting_bytes();
        let unacked = next - self.receive_window.offered_at();
        let small = data && segment.payload < mss;
        let opens = self.receive_window.deserves_update(next, waiting);
        let holes = self.receiver.has_holes() || opens;
        if holes && !opens && self.agreed.sack && !self.delayed_ack.at_once(unacked, mss, small) {
            return self.compress(now, fx, probe);
        }
        match self.delayed_ack.decide(now, unacked, mss, small, holes, self.rtt.srtt()) {
            Decision::Now => self.send_ack(now, fx, probe),
            Decision::By(at) => self.timers.set_about(Timer::DelayedAck, now, at, fx),
        }
    }
}
