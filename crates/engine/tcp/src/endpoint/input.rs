//! Incoming segments: the handshake's end, data, and the answer to it (`tcp_input.c`, Linux 3.13).

use super::{Endpoint, Phase};
use crate::inbound::Answer;
use crate::timers::Pending;
use crate::{Effects, Segment, Timer, seq};
use airloom_observe::Probe;
use airloom_sim::Time;
use airloom_wire::TcpFlags;

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
            Phase::Idle if segment.header.flags.contains(TcpFlags::SYN) && self.handshake.passive() => {
                self.meet(segment);
                self.inbound.met_first(&self.agreed);
                self.phase = Phase::SynReceived;
                self.handshake.begin(now);
                self.send_syn(now, false, fx, probe);
                self.timers.retransmit_after(Pending::Timeout, now, self.rtt.rto(), fx);
            }
            Phase::SynSent
                if segment.header.flags.contains(TcpFlags::SYN)
                    && segment.header.flags.contains(TcpFlags::ACK) =>
            {
                if self.outbound.is_of_syn(segment.header.ack) {
                    self.meet(segment);
                    self.outbound.begin_widest_window(u64::from(segment.header.window));
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
                    self.outbound.begin_window(u64::from(segment.header.window) << self.agreed.peer_scale);
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
        let left = seq::near(self.inbound.next(), segment.header.seq);
        match self.phase {
            Phase::Idle | Phase::Finished => {}
            Phase::SynSent => {
                let acks = segment.header.flags.contains(TcpFlags::ACK);
                if acks && self.outbound.is_of_syn(segment.header.ack) {
                    self.finish(fx);
                }
            }
            Phase::SynReceived => {
                if self.inbound.in_first_window(segment) {
                    self.finish(fx);
                }
            }
            Phase::Established if left == self.inbound.next() => self.finish(fx),
            Phase::Established => {
                if self.inbound.is_ahead(left) {
                    self.send_ack(now, fx, probe);
                }
            }
        }
    }

    /// Whether a segment acknowledges our SYN and nothing else, and lies within the first window (`tcp_check_req`).
    fn answers_syn(&self, segment: &Segment) -> bool {
        let acks = segment.header.flags.contains(TcpFlags::ACK);
        acks && self.outbound.is_of_syn(segment.header.ack) && self.inbound.in_first_window(segment)
    }

    /// Takes the peer's SYN.
    fn meet(&mut self, segment: &Segment) {
        self.agreed = self.handshake.meet(&segment.header.options);
        self.ecn.met(!self.handshake.passive(), segment.header.flags);
        self.outbound.meet(self.inbound.meet(segment, &self.agreed));
    }

    /// The handshake is complete.
    fn establish<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.phase = Phase::Established;
        self.outbound.establish();
        self.inbound.establish(now, &self.agreed);
        self.timers.cancel(Timer::Retransmission);
        if self.retries.timeouts == 0 {
            let sample = self.rtt.elapsed(self.handshake.began(), now);
            self.rack.sampled(now.since(self.handshake.began()));
            self.rtt.sample(sample, self.outbound.una, self.outbound.next);
            self.observer.rtt(now, sample, probe);
        }
        // RFC 6298 section 5.7, RFC 5681 section 3.1: a SYN lost more than once indicates a bad path.
        if self.retries.timeouts > 1 {
            self.control.window.cwnd = 1;
        }
        self.retries.timeouts = 0;
        self.control.validator.touch(now);
        let rtt = self.rack.least_rtt();
        self.control.congestion.established(&self.control.window, now, rtt, &self.agreed);
        self.buffer.expand(self.control.congestion.buffer_windows(), self.control.window.cwnd);
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
            || seq::near(self.outbound.una, segment.header.ack) > self.outbound.next
        {
            return;
        }
        let (left, right) = self.inbound.place(segment);
        if self.inbound.is_outside(left, right) {
            self.inbound.repeated(left, right, &self.agreed);
            self.send_ack(now, fx, probe);
            return;
        }
        self.inbound.stamp(segment, left);
        let changed = self.acknowledged(now, segment, left, fx, probe);
        let data = self.inbound.wants(left, right);
        if data {
            self.data(now, segment, (left, right), fx, probe);
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
        self.answer(now, segment, data, fx, probe);
        if !segment.followed {
            self.inbound.read();
        }
        if self.inbound.closed() && self.outbound.close_acknowledged() && self.phase == Phase::Established {
            self.finish(fx);
        }
    }

    /// Takes the data of a segment from `left` to `right`.
    fn data<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        (left, right): (u64, u64),
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let marked = self.ecn.received(segment);
        let bytes = self.inbound.take(now, segment, (left, right), marked, &self.agreed, self.rtt.rto());
        if bytes > 0 {
            fx.delivered += bytes;
            self.observer.delivered(now, bytes, probe);
        } else if segment.payload > 0 && left > self.inbound.next() {
            self.observer.behind_hole(now, probe);
        }
        // The application closes its side once it has read the end of the file.
        if self.inbound.closed() {
            self.outbound.peer_closed();
        }
    }

    /// Acknowledges a segment now or later.
    #[inline]
    fn answer<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        data: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        match self.inbound.answer(now, segment, data, &self.agreed, self.rtt.srtt()) {
            Answer::Nothing => {}
            Answer::Now => self.send_ack(now, fx, probe),
            Answer::At(at) => self.timers.set(Timer::DelayedAck, at, fx),
            Answer::About(at) => self.timers.set_about(Timer::DelayedAck, now, at, fx),
        }
    }
}
