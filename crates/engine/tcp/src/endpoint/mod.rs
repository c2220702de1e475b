//! The endpoint: its parts and its interface. Incoming segments are handled in `input`, `ack`, `reports` and `loss_recovery`,
//! sending in `output`, `timeout` and `local_drop`; each other file uses the part of the same name.

mod ack;
mod input;
mod link_share;
mod local_drop;
mod loss_probe;
mod loss_recovery;
mod output;
mod path;
mod rack;
mod reports;
mod socket;
mod timeout;
mod undo;

use crate::ack_compression::AckCompression;
use crate::delayed_ack::DelayedAck;
use crate::ecn::Notification;
use crate::handshake::{Handshake, Negotiated};
use crate::inbound::Inbound;
use crate::jiffies::Jiffies;
use crate::observer::Observer;
use crate::outbound::Outbound;
use crate::rack::Rack;
use crate::receive_window::ReceiveWindow;
use crate::recovery::Recovery;
use crate::reordering::Reordering;
use crate::retries::Retries;
use crate::rtt::RttEstimator;
use crate::scoreboard::Scoreboard;
use crate::send_buffer::SendBuffer;
use crate::small_queue::SmallQueue;
use crate::timers::{Pending, Timers};
use crate::timestamps::TimestampClock;
use crate::window_control::WindowControl;
use crate::{Config, Effects, Segment, Timer, seq};
use airloom_observe::{CaState, Direction, FlowId, LossEvent, Observation, Probe, Window};
use airloom_sim::{Duration, Time};
use airloom_wire::TcpFlags;
use path::Path;
pub use socket::Figures;

/// Which side opens the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It sends the first SYN.
    Active,
    /// It waits for a SYN.
    Passive,
}

/// The state of the connection (RFC 9293 section 3.3.2, the states after the handshake taken together).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Closed or listening.
    Idle,
    /// A SYN was sent.
    SynSent,
    /// A SYN was received and answered.
    SynReceived,
    /// The handshake is complete.
    Established,
    /// Both directions are closed and acknowledged, or the connection was reset.
    Finished,
}

/// One TCP endpoint: its parts, each of which has its own configuration, and what they have to know of each other.
pub struct Endpoint {
    handshake: Handshake,
    phase: Phase,
    agreed: Negotiated,
    observer: Observer,
    /// What was last shown to be in flight.
    flight_shown: u32,
    timers: Timers,
    clock: TimestampClock,
    small_queue: SmallQueue,

    outbound: Outbound,
    buffer: SendBuffer,
    board: Scoreboard,
    rtt: RttEstimator,
    control: WindowControl,
    /// Present if the congestion control models the path.
    path: Option<Box<Path>>,
    recovery: Recovery,
    reordering: Reordering,
    rack: Rack,
    retries: Retries,
    ecn: Notification,

    inbound: Inbound,
}

impl Endpoint {
    /// An endpoint that does nothing until it is opened or a SYN arrives. `direction` is `Forward` at the data's sender,
    /// which reports its window, round trips and losses, and `Backward` at its receiver, which reports the bytes that
    /// it delivers. `isn` is the initial sequence number.
    pub fn new(config: Config, role: Role, flow: FlowId, direction: Direction, isn: u32) -> Self {
        let jiffies = Jiffies::new(config.clocks.timer_tick);
        let clock = TimestampClock::new(config.clocks.tick);
        let Config { offer, truesize, .. } = config;
        let payload = offer.segment_payload();
        let control = WindowControl::new(&config.growth, &config.unused_window, jiffies, payload, isn);
        let path = control.congestion.models_path().then(Box::default);
        let inbound = Inbound::new(
            ReceiveWindow::new(&config.receive, offer.mss, truesize.skb_truesize),
            DelayedAck::new(&config.acks),
            AckCompression::new(&config.held_sacks),
            clock,
            offer.duplicate_sack,
        );
        Self {
            handshake: Handshake::new(role, offer),
            phase: Phase::Idle,
            agreed: Negotiated::nothing_yet(&offer),
            observer: Observer::new(flow, direction),
            flight_shown: 0,
            timers: Timers::new(jiffies),
            clock,
            small_queue: SmallQueue::new(&config.small_queue, truesize),
            outbound: Outbound::new(seq::initial(isn), config.nagle),
            buffer: SendBuffer::new(&config.send, truesize, config.small_queue.bursts),
            board: Scoreboard::new(path.is_some()),
            rtt: RttEstimator::new(&config.clocks),
            control,
            path,
            recovery: Recovery::new(&config.recovery),
            reordering: Reordering::new(&config.recovery),
            rack: Rack::default(),
            retries: Retries::default(),
            ecn: Notification::new(offer.ecn),
            inbound,
        }
    }

    /// Opens the connection: an active endpoint sends its SYN.
    pub fn open<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if !self.handshake.passive() && self.phase == Phase::Idle {
            self.phase = Phase::SynSent;
            self.handshake.begin(now);
            self.send_syn(now, false, fx, probe);
            self.timers.retransmit_after(Pending::Timeout, now, self.rtt.rto(), fx);
            if self.recovery.rules.stale_retransmit_stamp {
                self.recovery.undo.repeated(self.clock.at(now));
            }
        }
    }

    /// Takes one segment from the network.
    pub fn receive<P: Probe>(&mut self, now: Time, segment: &Segment, fx: &mut Effects, probe: &mut P) {
        self.retries.begin();
        if self.input(now, segment, fx, probe) {
            self.established(now, segment, fx, probe);
        }
        self.observe_flight(now, probe);
    }

    /// Takes up to `bytes` from the application into the send buffer and sends as much as allowed. Returns how many
    /// were taken. If they are fewer than asked, the application waits until [`Effects::writable`].
    pub fn write<P: Probe>(&mut self, now: Time, bytes: u64, fx: &mut Effects, probe: &mut P) -> u64 {
        self.outbound.begin_write(false);
        self.take_in(now, bytes, fx, probe)
    }

    fn take_in<P: Probe>(&mut self, now: Time, bytes: u64, fx: &mut Effects, probe: &mut P) -> u64 {
        if self.outbound.closing() || self.phase == Phase::Finished {
            return 0;
        }
        if self.phase != Phase::Established {
            self.buffer.wait();
            return 0;
        }
        self.path_is_idle();
        let mss = u64::from(self.agreed.mss);
        let taken = self.buffer.admit(bytes, self.segments_held(), self.outbound.tail(mss), mss);
        self.outbound.write(taken, self.agreed.mss);
        self.push(now, fx, probe);
        self.observe_flight(now, probe);
        taken
    }

    /// Closes this side: a FIN follows what was written.
    pub fn close<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if !self.outbound.closing() && self.phase != Phase::Finished {
            self.outbound.close();
            self.push(now, fx, probe);
            self.observe_flight(now, probe);
        }
    }

    /// Takes the expiry of a timer; it is ignored if it is no longer wanted.
    pub fn timer<P: Probe>(&mut self, now: Time, timer: Timer, fx: &mut Effects, probe: &mut P) {
        self.retries.begin();
        if !self.timers.fired(timer, now, fx) {
            return;
        }
        match timer {
            Timer::Retransmission => match self.timers.pending() {
                Pending::Timeout => self.retransmission_timeout(now, fx, probe),
                Pending::Probe => self.send_loss_probe(now, fx, probe),
                Pending::Reordering => self.reordering_timeout(now, fx, probe),
            },
            Timer::DelayedAck => {
                if self.inbound.timer_fired(self.rtt.rto()) {
                    self.send_ack(now, fx, probe);
                }
            }
            Timer::Persist => self.persist(now, fx, probe),
            Timer::Pacing => self.pacing_elapsed(now, fx, probe),
        }
        self.observe_flight(now, probe);
    }

    /// The layers below freed `truesize` bytes of segments, transmitted or dropped later: new data that TCP small
    /// queues held back may follow (`tcp_wfree`).
    pub fn sent<P: Probe>(&mut self, now: Time, truesize: u64, fx: &mut Effects, probe: &mut P) {
        if self.small_queue.freed(truesize) {
            self.push(now, fx, probe);
            self.observe_flight(now, probe);
        }
    }

    /// The local queue refused `segment` of the effects last taken (`tcp_transmit_skb` returning `NET_XMIT_DROP`). The
    /// caller [hands back](Self::handed_back) this one and every later segment of those effects, in their order, and no [`Endpoint::sent`]
    /// for them.
    pub fn refused<P: Probe>(&self, now: Time, segment: &Segment, probe: &mut P) {
        if segment.payload > 0 {
            self.observer.loss(now, LossEvent::LocalDrop, probe);
        }
    }

    /// A segment was not sent, since the queue refused it or one before it. Never yields segments; new data is put back as unsent and
    /// goes with the next ACK or, if nothing is in flight, by a timer.
    pub fn handed_back<P: Probe>(&mut self, now: Time, segment: &Segment, fx: &mut Effects, probe: &mut P) {
        let data = segment.payload > 0 || segment.header.flags.contains(TcpFlags::FIN);
        self.small_queue.refused(segment.payload);
        if data && !segment.header.flags.contains(TcpFlags::SYN) {
            self.take_back(now, segment, fx, probe);
            self.observe_flight(now, probe);
        }
    }

    /// Congestion window in segments.
    pub fn cwnd(&self) -> u32 {
        self.control.window.cwnd
    }

    /// Slow-start threshold in segments; `u32::MAX` while unset.
    pub fn ssthresh(&self) -> u32 {
        self.control.window.ssthresh
    }

    /// Segments in flight by the sender's estimate (`tcp_packets_in_flight`).
    pub fn in_flight(&self) -> u32 {
        self.board.in_flight()
    }

    /// Segments sent and not cumulatively acknowledged (`packets_out`).
    pub fn packets_out(&self) -> u32 {
        self.board.packets_out()
    }

    /// Smoothed round-trip time; zero before the first sample.
    pub fn srtt(&self) -> Duration {
        self.rtt.srtt()
    }

    /// Retransmission timeout, backed off as it may be.
    pub fn rto(&self) -> Duration {
        self.rtt.rto()
    }

    /// Congestion state.
    pub fn state(&self) -> CaState {
        self.recovery.state
    }

    /// The state of the connection.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Bytes taken from the application.
    pub fn bytes_written(&self) -> u64 {
        self.outbound.bytes_written()
    }

    /// Bytes cumulatively acknowledged.
    pub fn bytes_acked(&self) -> u64 {
        self.outbound.bytes_acked()
    }

    /// Bytes delivered to the application in order.
    pub fn bytes_delivered(&self) -> u64 {
        self.inbound.delivered()
    }

    /// Truesize in bytes of the segments that the layers below hold.
    pub fn held_below(&self) -> u64 {
        self.small_queue.held()
    }

    /// Bytes written and not yet sent.
    pub fn unsent(&self) -> u64 {
        self.outbound.unsent()
    }

    /// Bytes that wait out of order.
    pub fn buffered_out_of_order(&self) -> u64 {
        self.inbound.waiting_bytes()
    }

    /// Segments in the send buffer, with unsent data divided into segments.
    pub(crate) fn segments_held(&self) -> u64 {
        u64::from(self.board.packets_out()) + self.outbound.unsent().div_ceil(u64::from(self.agreed.mss))
    }

    /// Shows what is in flight, if it is not what was shown last: segments leave without an acknowledgment too, and come back
    /// from a queue that refuses them.
    #[inline]
    fn observe_flight<P: Probe>(&mut self, now: Time, probe: &mut P) {
        let segments = self.board.in_flight();
        if segments != self.flight_shown {
            self.flight_shown = segments;
            self.observer.flight(now, segments, probe);
        }
    }

    #[inline]
    pub(crate) fn observe_window<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if let Some(flow) = self.observer.sends() {
            self.observe_path(now, flow, probe);
            self.flight_shown = self.board.in_flight();
            let window = Window {
                flow,
                cwnd: self.control.in_use(),
                ssthresh: self.control.window.ssthresh,
                in_flight: self.flight_shown,
                srtt: self.rtt.srtt(),
                rto: self.rtt.rto(),
                state: self.recovery.state,
            };
            probe.see(now, Observation::Window(window));
        }
    }
}
