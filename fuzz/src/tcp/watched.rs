//! An endpoint whose every step is checked.

use super::config::config;
use super::feed::Feed;
use airloom_observe::{Direction, FlowId};
use airloom_sim::{Duration, Time};
use airloom_tcp::{
    Config, Congestion, Effects, Endpoint, Outgoing, Phase, Role, Segment, Timer, TimerChange,
};
use airloom_wire::TcpFlags;
use std::collections::VecDeque;

/// An endpoint, the layers below it and its application.
pub(super) struct Watched {
    pub(super) end: Endpoint,
    pub(super) config: Config,
    pub(super) role: Role,
    pub(super) now: Time,
    pub(super) timers: [Option<Time>; Timer::ALL.len()],
    /// Memory of segments that the layers below hold, in their order.
    pub(super) below: VecDeque<u32>,
    /// The local queue takes so many segments more of the next call, if it is full by then.
    pub(super) room: Option<usize>,
    /// What the last call sent.
    pub(super) sent: Vec<Segment>,
    isn: u32,
    fx: Effects,
    /// Bytes acknowledged and delivered, and the number expected, before the last call.
    acked: u64,
    delivered: u64,
    expected: u32,
    /// Payload that was given to it.
    given: u64,
    /// Segments that it sent.
    segments: u64,
    peer_closed: bool,
    /// Both SYNs had a window scale.
    scaled: bool,
    /// Up to where it has offered a window, as the peer numbers its bytes.
    edge: Option<u32>,
}

impl Watched {
    pub(super) fn new(feed: &mut Feed<'_>) -> Self {
        let config = config(feed);
        let role = if feed.flag() { Role::Passive } else { Role::Active };
        let isn = feed.one_of(&[99, u32::MAX, u32::MAX - 5000, 1 << 31]);
        Self {
            end: Endpoint::new(config, role, FlowId(0), Direction::Forward, isn),
            config,
            role,
            now: Time::ZERO + Duration::from_millis(u64::from(feed.number())),
            timers: [None; Timer::ALL.len()],
            below: VecDeque::new(),
            room: None,
            sent: Vec::new(),
            isn,
            fx: Effects::default(),
            acked: 0,
            delivered: 0,
            expected: 0,
            given: 0,
            segments: 0,
            peer_closed: false,
            scaled: false,
            edge: None,
        }
    }

    /// The number on the wire of a byte written, counted from zero.
    pub(super) fn wire(&self, byte: u64) -> u32 {
        self.isn.wrapping_add(1).wrapping_add(byte as u32)
    }

    /// The byte written whose number on the wire this is.
    pub(super) fn byte(&self, wire: u32) -> u64 {
        wire.wrapping_sub(self.isn.wrapping_add(1)).into()
    }

    /// The first byte that is not acknowledged, the FIN counted.
    pub(super) fn una(&self) -> u64 {
        self.end.bytes_acked() + u64::from(self.end.close_acknowledged())
    }

    /// The first byte that was not sent.
    pub(super) fn next(&self) -> u64 {
        self.end.bytes_written() - self.end.unsent()
    }

    pub(super) fn receive(&mut self, segment: &Segment) {
        self.given += u64::from(segment.payload);
        if matches!(self.end.phase(), Phase::Idle | Phase::SynSent) {
            self.scaled = segment.header.options.window_scale.is_some();
        }
        self.call(|end, now, fx| end.receive(now, segment, fx, &mut ()));
    }

    /// The rounding of the windows that it offers.
    pub(super) fn unit(&self) -> u32 {
        1 << if self.scaled { self.config.offer.window_scale } else { 0 }
    }

    /// Where the last window ends that it has offered, if rounding has not moved that.
    pub(super) fn right_edge(&self) -> u32 {
        let expected = self.end.expected();
        let ahead = self.edge.map_or(0, |edge| edge.wrapping_sub(expected) as i32);
        expected.wrapping_add(ahead.max(0) as u32)
    }

    /// Fires a timer, whether or not it is due.
    pub(super) fn fire(&mut self, timer: Timer) {
        self.timers[timer.index()] = None;
        self.call(|end, now, fx| end.timer(now, timer, fx, &mut ()));
    }

    /// When the next timer is due, and which.
    pub(super) fn due(&self) -> Option<(Time, Timer)> {
        let due = |timer: Timer| self.timers[timer.index()].map(|at| (at, timer));
        Timer::ALL.into_iter().filter_map(due).min()
    }

    /// The layers below let so many segments go.
    pub(super) fn let_go(&mut self, count: usize) {
        let count = count.min(self.below.len());
        let freed: u64 = self.below.drain(..count).map(u64::from).sum();
        self.call(|end, now, fx| end.sent(now, freed, fx, &mut ()));
    }

    /// Makes a call, carries out what follows and checks what must hold.
    pub(super) fn call<T>(&mut self, call: impl FnOnce(&mut Endpoint, Time, &mut Effects) -> T) -> T {
        self.fx.clear();
        let answer = call(&mut self.end, self.now, &mut self.fx);
        self.check_segments();
        self.sent.clear();
        let segments = std::mem::take(&mut self.fx.segments);
        let room = self.room.take().unwrap_or(usize::MAX).min(segments.len());
        self.segments += segments.len() as u64;
        self.below.extend(segments[..room].iter().map(|out| out.truesize));
        self.sent.extend(segments[..room].iter().map(|out| out.segment));
        self.note_edge(&segments);
        self.take_changes();
        self.fx.clear();
        for out in &segments[room..] {
            self.end.handed_back(self.now, &out.segment, &mut self.fx, &mut ());
        }
        assert!(self.fx.segments.is_empty(), "a refusal sends nothing");
        self.take_changes();
        self.check();
        answer
    }

    /// Notes the windows that were offered, to a peer that guesses them if they were refused below.
    fn note_edge(&mut self, segments: &[Outgoing]) {
        let headers = segments.iter().map(|out| out.segment.header);
        for header in headers.filter(|header| header.flags.contains(TcpFlags::ACK)) {
            let unit = if header.flags.contains(TcpFlags::SYN) { 1 } else { self.unit() };
            let edge = header.ack.wrapping_add(u32::from(header.window) * unit);
            let ahead = |edge: u32| edge.wrapping_sub(header.ack) as i32;
            if self.edge.is_none_or(|before| ahead(edge) > ahead(before)) {
                self.edge = Some(edge);
            }
        }
    }

    fn take_changes(&mut self) {
        for (timer, change) in self.timers.iter_mut().zip(self.fx.timers) {
            match change {
                TimerChange::Keep => {}
                TimerChange::Set(at) => {
                    assert!(at >= self.now, "a timer is not set for the past");
                    *timer = Some(at);
                }
                TimerChange::Cancel => *timer = None,
            }
        }
    }

    /// What leaves was written, is not acknowledged yet, fits the peer's window if it is new, and is no more than what is out.
    fn check_segments(&self) {
        let (written, figures) = (self.end.bytes_written(), self.end.figures());
        for out in &self.fx.segments {
            let Segment { header, payload, retransmission, .. } = out.segment;
            let acks = header.flags.contains(TcpFlags::ACK);
            assert!(!acks || header.ack == self.end.expected() || header.ack == self.expected);
            if payload == 0 {
                continue;
            }
            let first = self.byte(header.seq);
            let end = first + u64::from(payload);
            assert!(payload <= figures.mss && first >= self.acked && end <= written);
            if !retransmission {
                assert!(end <= self.una() + figures.peer_window, "new data fits the peer's window");
            }
            if header.flags.contains(TcpFlags::FIN) {
                assert!(self.end.is_closing() && end == written);
            }
        }
        let data = self.fx.segments.iter().filter(|out| out.segment.sequence_length() > 0).count();
        assert!(data <= 2 * self.end.packets_out() as usize + 1, "no storm");
        assert!(self.fx.segments.len() <= data + 3, "no storm of ACKs");
    }

    fn check(&mut self) {
        let (end, figures) = (&self.end, self.end.figures());
        let (out, acked) = (end.packets_out(), end.bytes_acked());
        assert!(self.acked <= acked && acked <= self.next(), "only what was sent is acknowledged");
        assert!(figures.sacked + figures.lost <= out && figures.retransmitted <= out);
        assert!(end.in_flight() <= 2 * out);
        assert!(end.cwnd() >= 1 && end.ssthresh() >= 1);
        if matches!(self.config.growth.congestion, Congestion::NewReno | Congestion::Cubic) {
            let most = u64::from(self.config.growth.initial_window) + 3 * self.segments + 10;
            assert!(u64::from(end.cwnd()) <= most, "the window grows by what was sent");
        }
        assert_eq!(end.held_below(), self.below.iter().copied().map(u64::from).sum::<u64>());
        self.check_receiver();
        self.check_timers();
        self.acked = acked;
        self.delivered = end.bytes_delivered();
        self.expected = end.expected();
        self.peer_closed = end.peer_closed();
    }

    /// What is delivered was given, ends with the FIN, and what waits is bounded by the buffer and a packet.
    fn check_receiver(&self) {
        let (end, delivered) = (&self.end, self.end.bytes_delivered());
        assert!(self.delivered <= delivered && delivered <= self.given);
        assert!(!self.peer_closed || delivered == self.delivered, "nothing follows the end");
        let most = self.config.receive.receive_buffer_max.0.max(self.config.receive.receive_buffer_initial.0);
        let scale = (1 << self.config.offer.window_scale) + 65_536;
        assert!(end.buffered_out_of_order() <= most + scale, "{}", end.buffered_out_of_order());
    }

    /// Whatever is to come has a timer, an ACK or the layers below to bring it.
    fn check_timers(&self) {
        let (end, armed) = (&self.end, |timer: Timer| self.timers[timer.index()].is_some());
        match end.phase() {
            Phase::Idle => {}
            Phase::SynSent | Phase::SynReceived => assert!(armed(Timer::Retransmission)),
            Phase::Finished => assert_eq!(self.due(), None),
            Phase::Established if end.packets_out() > 0 => assert!(armed(Timer::Retransmission)),
            Phase::Established => {
                let fin = end.is_closing() && !end.close_acknowledged();
                if (end.unsent() > 0 || fin) && self.below.is_empty() {
                    assert!(
                        armed(Timer::Persist) || armed(Timer::Pacing),
                        "what is written is sent some day"
                    );
                }
            }
        }
    }
}
