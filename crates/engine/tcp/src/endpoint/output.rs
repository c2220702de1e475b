//! Sending of segments (`tcp_output.c`, Linux 3.13).

use super::{Endpoint, Phase};
use crate::cwnd_validation::Use;
use crate::inbound::Acknowledgment;
use crate::scoreboard::Resend;
use crate::timers::Pending;
use crate::{Effects, Outgoing, Segment, Timer, seq};
use airloom_observe::{CaState, Probe};
use airloom_sim::Time;
use airloom_wire::{TcpFlags, TcpOptions, TcpRepr, Timestamps};

impl Endpoint {
    // Inlined like what makes a segment, so that it is made in the place where it lies.
    #[inline(always)]
    pub(crate) fn hand_down<P: Probe>(
        &mut self,
        now: Time,
        segment: Segment,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let truesize = self.small_queue.handed_down(segment.payload);
        self.observer.segment(now, &segment, probe);
        fx.segments.push(Outgoing { segment, truesize });
    }

    /// A segment of the established connection, which always acknowledges.
    #[inline(always)]
    pub(crate) fn segment(
        &mut self,
        now: Time,
        seq: u64,
        payload: u32,
        flags: TcpFlags,
        again: bool,
    ) -> Segment {
        let Acknowledgment { next, window, due } = self.inbound.acknowledge();
        if due {
            self.timers.cancel(Timer::DelayedAck);
        }
        let timestamps = self
            .agreed
            .timestamps
            .then(|| Timestamps { value: self.clock.at(now), echo: self.inbound.echo() });
        let (marks, ecn) = self.ecn.of_segment(payload, again);
        Segment {
            header: TcpRepr {
                seq: seq::wire(seq),
                ack: seq::wire(next),
                window,
                flags: flags | TcpFlags::ACK | marks,
                options: TcpOptions { timestamps, ..TcpOptions::default() },
                ..TcpRepr::default()
            },
            payload,
            ecn,
            retransmission: again,
            followed: false,
        }
    }

    /// Sends a SYN, or the passive side's SYN-ACK.
    pub(crate) fn send_syn<P: Probe>(&mut self, now: Time, again: bool, fx: &mut Effects, probe: &mut P) {
        let passive = self.handshake.passive();
        let stamp =
            Timestamps { value: self.clock.at(now), echo: if passive { self.inbound.echo() } else { 0 } };
        let flags = if passive { TcpFlags::SYN | TcpFlags::ACK } else { TcpFlags::SYN };
        let segment = Segment {
            header: TcpRepr {
                seq: self.outbound.syn(),
                ack: if passive { seq::wire(self.inbound.next()) } else { 0 },
                window: self.inbound.initial_window(),
                flags: flags | self.ecn.of_syn(passive),
                options: self.handshake.options(stamp),
                ..TcpRepr::default()
            },
            retransmission: again,
            ..Segment::default()
        };
        self.hand_down(now, segment, fx, probe);
    }

    /// Sends an acknowledgment without data, with SACK blocks if there are any (`tcp_send_ack`).
    pub(crate) fn send_ack<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        let mut segment = self.segment(now, self.outbound.next, 0, TcpFlags::ACK, false);
        if self.agreed.sack && self.inbound.has_blocks() {
            let room = if self.agreed.timestamps { 3 } else { 4 };
            for (left, right) in self.inbound.blocks(room) {
                segment.header.options.sack.push(seq::wire(left), seq::wire(right));
            }
        }
        self.hand_down(now, segment, fx, probe);
    }

    /// Sends new data as far as everything permits (`tcp_write_xmit`).
    #[inline]
    pub(crate) fn push<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if self.phase == Phase::Established && !self.outbound.all_sent() {
            self.push_data(now, fx, probe);
        }
    }

    fn push_data<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if self.small_queue.follows_rate() {
            self.small_queue.tighten(self.pacing_rate());
        }
        if self.small_queue.bursts() {
            self.buffer.sends(self.burst());
        }
        let mut sent = 0;
        while !self.outbound.all_sent() && !self.paced(now, fx) {
            let Some((payload, fin)) = self.admitted() else {
                break;
            };
            if !self.small_queue.admits() {
                break;
            }
            self.send_new(now, payload, fin, fx, probe);
            sent += 1;
            if self.buffer.grows_between_segments() {
                self.expand_send_buffer(self.board.in_flight());
            }
        }
        if sent > 0 {
            self.after_sending(now, sent);
            if !self.schedule_probe(now, false, fx) && self.timers.pending() == Pending::Probe {
                self.rearm_timeout(now, fx);
            }
        } else if self.board.in_flight() >= self.control.in_use() && !self.control.is_cut() {
            // One of somebody's own that would never send again.
            assert!(self.control.window.cwnd > 0, "a congestion control set a window of no segment");
            let held = self.use_of_window();
            self.control.validator.held_back(now, &held);
        }
        self.check_probe_timer(now, fx);
    }

    /// Lets the send buffer grow if the application waits and less than a window is `used` (`tcp_new_space`).
    pub(crate) fn expand_send_buffer(&mut self, used: u32) {
        if self.buffer.waiting() && used < self.control.window.cwnd {
            self.buffer.expand(self.control.congestion.buffer_windows(), self.control.window.cwnd);
        }
    }

    /// Bytes per second by which Linux would pace.
    pub(crate) fn pacing_rate(&self) -> u64 {
        self.control.pacing_rate(self.rtt.srtt(), self.board.packets_out(), self.agreed.mss)
    }

    /// The next new segment, if congestion window, peer's window and Nagle allow it.
    #[inline]
    fn admitted(&self) -> Option<(u32, bool)> {
        let mss = self.agreed.mss;
        let (payload, fin) = self.outbound.next_segment(mss);
        let full = payload == mss;
        let mut out = self.board.in_flight();
        if !self.recovery.rules.limited_transmit && self.recovery.state == CaState::Disorder {
            out += self.board.sacked();
        }
        // The congestion window does not limit a last segment with FIN (`tcp_cwnd_test`).
        let quota = out < self.control.in_use() || (fin && !full);
        let held = !full && !fin && self.outbound.holds_back();
        (quota && self.outbound.fits(payload) && !held).then_some((payload, fin))
    }

    pub(crate) fn send_new<P: Probe>(
        &mut self,
        now: Time,
        payload: u32,
        fin: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        if self.board.packets_out() == 0 {
            self.control.restart(now, self.recovery.reducing(), self.rtt.rto());
            self.timers.cancel(Timer::Persist);
            self.arm_timeout(now, fx);
        }
        let length = payload + u32::from(fin);
        let seq = self.outbound.next;
        let flags = self.outbound.flags(payload, fin);
        self.path_sends(now, length, payload);
        self.board.push(seq, length, now, flags.contains(TcpFlags::PSH));
        self.outbound.sent(length, payload < self.agreed.mss);
        let segment = self.segment(now, seq, payload, flags, false);
        self.hand_down(now, segment, fx, probe);
    }

    pub(crate) fn after_sending(&mut self, now: Time, sent: u32) {
        self.end_burst();
        self.recovery.sent(sent);
        if self.control.is_cut() {
            // Use of a reduced window does not show the needs of the application.
            self.control.validator.touch(now);
            return;
        }
        let sent = self.use_of_window();
        self.control.sent(now, &sent);
    }

    fn use_of_window(&self) -> Use {
        Use {
            out: self.board.packets_out(),
            cwnd: self.control.window.cwnd,
            full: self.board.in_flight() >= self.control.window.cwnd,
            slow_start: self.control.window.in_slow_start(),
            una: self.outbound.una,
            next: self.outbound.next,
            current: self.control.current_ssthresh(self.recovery.reducing()),
            rto: self.rtt.rto(),
            open: self.recovery.state == CaState::Open,
            waiting: self.buffer.waiting(),
        }
    }

    /// With nothing outstanding and data to send, only a timer can continue (`tcp_check_probe_timer`).
    pub(crate) fn check_probe_timer(&mut self, now: Time, fx: &mut Effects) {
        let stuck = self.board.packets_out() == 0 && !self.outbound.all_sent();
        if stuck && self.timers.deadline(Timer::Persist).is_none() {
            self.timers.set_after(Timer::Persist, now, self.rtt.rto(), fx);
        }
    }

    /// Retransmits lost segments as far as the window permits (`tcp_xmit_retransmit_queue`).
    pub(crate) fn retransmit<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        while self.board.in_flight() < self.control.window.cwnd && !self.paced(now, fx) {
            let mut id = self.board.next_lost();
            if id.is_none()
                && self.recovery.state == CaState::Recovery
                && self.agreed.sack
                && !self.detects_by_time()
                && !self.may_send_now()
            {
                id = self.board.next_hole();
            }
            let Some(id) = id else { break };
            self.resend(now, id, fx, probe);
        }
    }

    /// Whether new data could be sent, the congestion window aside (`tcp_may_send_now`).
    fn may_send_now(&self) -> bool {
        let (payload, _) = self.outbound.next_segment(self.agreed.mss);
        !self.outbound.all_sent() && self.outbound.fits(payload)
    }

    pub(crate) fn resend<P: Probe>(&mut self, now: Time, id: u64, fx: &mut Effects, probe: &mut P) {
        let resend = self.board.resend(id, now, self.outbound.next);
        self.recovery.sent(1);
        self.recovery.undo.repeated(self.clock.at(now));
        if self.board.head() == Some(id) && self.timers.pending() != Pending::Reordering {
            self.arm_timeout(now, fx);
        }
        self.repeat(now, resend, fx, probe);
    }

    /// Hands down a retransmission.
    pub(crate) fn repeat<P: Probe>(&mut self, now: Time, again: Resend, fx: &mut Effects, probe: &mut P) {
        let (payload, flags) = self.outbound.again(again);
        let segment = self.segment(now, again.seq, payload, flags, true);
        self.control.validator.touch(now);
        self.path_repeats(now, again.seq + u64::from(again.length), payload);
        self.hand_down(now, segment, fx, probe);
        self.observer.retransmission(now, probe);
    }
}
