//! The one vocabulary of observations: every observable event of a run, from a frame in the air to a congestion window.
//!
//! Metrics, captures and reports are folds over [`Observation`]. Components hand each observation to a [`Probe`] given
//! by their caller; which probe is fixed at compile time, so that a probe which ignores an observation costs nothing.
//!
//! ```
//! use airloom_observe::{FlowId, Observation, Probe};
//! use airloom_sim::Time;
//!
//! /// The bytes that all applications received.
//! struct Received(u64);
//!
//! impl Probe for Received {
//!     const DETAIL: bool = false;
//!
//!     fn see(&mut self, _: Time, seen: Observation) {
//!         if let Observation::Delivered { bytes, .. } = seen {
//!             self.0 += bytes;
//!         }
//!     }
//! }
//!
//! // A pair of probes is a probe, too: here the second one keeps everything.
//! let mut probe = (Received(0), Vec::new());
//! probe.see(Time::ZERO, Observation::Delivered { flow: FlowId(0), bytes: 1448 });
//! assert_eq!((probe.0.0, probe.1.len()), (1448, 1));
//! ```

mod air;
mod bus;
mod datagram;
mod packet;
mod queue;
mod roam;
mod scan;
mod tcp;

pub use air::{BlockAck, Fate, FrameKind, LossCause, Mpdu, PowerBits, Ppdu, User, counted_by_class};
pub use airloom_wire::{Ecn, ieee80211::FrameClass};
pub use bus::{BusFrame, HoldSpell};
pub use datagram::DatagramEvent;
pub use packet::{OctetsSeen, PacketSeen};
pub use queue::{DropCause, QueueEvent, QueueId, QueueLayer};
pub use roam::{JoiningFrame, RoamEvent};
pub use scan::{RadioPlace, ScanEvent};
pub use tcp::{CaState, Direction, FlowSeen, LossEvent, PathModel, PathPhase, SegmentSent, Window};

use airloom_rate::Rate;
use airloom_sim::{Duration, Handle, Time};
use std::net::Ipv4Addr;

airloom_sim::index_type! {
    /// A host, station or access point. Dense from zero in the order of the scenario.
    pub struct NodeId(pub u16);

    /// A flow of the scenario, dense from zero.
    pub struct FlowId(pub u16);
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observation {
    /// A PPDU was sent; seen when it starts, its fate already known to the simulation.
    Ppdu(Ppdu),
    /// One MPDU of the PPDU seen last. Only for probes with [`Probe::DETAIL`].
    Mpdu(Mpdu),
    /// Which frame of a station's way to an access point the PPDU seen last is; before its MPDU. Only for probes with [`Probe::DETAIL`].
    Joining(JoiningFrame),
    /// Another packet of the A-MSDU in that MPDU, in their order. Only for probes with [`Probe::DETAIL`].
    Further {
        /// The packet.
        packet: Handle,
    },
    /// The bitmap of the last BlockAck, or a part of it. Only for probes with [`Probe::TRACE`].
    BlockAck(BlockAck),
    /// A node gave up on an MPDU, or lost it otherwise; on an A-MSDU, once for each packet that it knows of.
    MpduLost {
        /// The transmitter.
        node: NodeId,
        /// The receiver.
        peer: NodeId,
        /// Why it was lost.
        cause: LossCause,
    },
    /// The rate control of a link changed its preferred rate.
    LinkRate {
        /// The transmitter.
        node: NodeId,
        /// The receiver.
        peer: NodeId,
        /// Which link of the access point it is, where that has several.
        link: u8,
        /// The rate that it now prefers.
        rate: Rate,
    },
    /// How well a station and its access point receive each other from now on, where radios have places.
    Signal {
        /// The station.
        station: NodeId,
        /// The mean signal-to-noise ratio, in dB, the same both ways.
        snr_db: f64,
    },
    /// A packet that was put in at a host is lost there, since no other host has its destination address.
    NoRoute {
        /// The host.
        node: NodeId,
        /// The address.
        destination: Ipv4Addr,
    },
    /// A packet entered or left a queue, or was refused.
    Queue(QueueEvent),
    /// A TCP segment left the endpoint. Only for probes with [`Probe::TRACE`].
    Segment(SegmentSent),
    /// An acknowledgment reached a TCP sender. Only for probes with [`Probe::TRACE`].
    Acknowledgment {
        /// The flow.
        flow: FlowId,
        /// Its acknowledgment number.
        ack: u32,
    },
    /// A packet passed a host's network interface. Only for probes with [`Probe::DETAIL`].
    Packet {
        /// The host.
        node: NodeId,
        /// Whether it left the host rather than reached it.
        sent: bool,
        /// The packet.
        packet: Handle,
        /// Its content.
        content: PacketSeen,
    },
    /// The next beacon indicates to this station that the access point holds frames for it. Only for probes with
    /// [`Probe::DETAIL`].
    Indicated {
        /// The station, or the access point itself for the group of its stations.
        station: NodeId,
    },
    /// The next beacon announces that its access point goes to another channel (802.11-2020 9.4.2.18). Only for probes with
    /// [`Probe::DETAIL`].
    Announced {
        /// The access point.
        access_point: NodeId,
        /// The frequency in the middle of the primary 20 MHz there, in MHz.
        mhz: u32,
        /// After how many beacons it goes.
        count: u8,
    },
    /// The radio of an access point, or that of a station at it, has gone to another channel of the same width.
    Retuned {
        /// Its node.
        node: NodeId,
        /// The frequency in the middle of the primary 20 MHz there, in MHz.
        mhz: u32,
    },
    /// An interferer is on the air for which radios keep quiet whose primary 20 MHz are these.
    Interferer {
        /// The frequency in the middle of them, in MHz.
        mhz: u32,
        /// When it begins: now.
        start: Time,
        /// When it will be done.
        end: Time,
    },
    /// A TCP sender's window and timers, after a change.
    Window(Window),
    /// What a TCP sender has in flight has changed, and nothing else of its window: segments left without an acknowledgment.
    InFlight {
        /// The flow.
        flow: FlowId,
        /// Segments in flight by the sender's own estimate.
        segments: u32,
    },
    /// What a TCP sender takes its path to be; before its window, and of congestion controls that model the path. Only for
    /// probes with [`Probe::TRACE`].
    Path {
        /// The flow.
        flow: FlowId,
        /// Segments known to have arrived, since its beginning.
        delivered: u64,
        /// The model.
        model: PathModel,
    },
    /// A TCP sender measured a round trip.
    Rtt {
        /// The flow.
        flow: FlowId,
        /// The sample, before smoothing.
        sample: Duration,
    },
    /// A TCP sender retransmitted one segment.
    Retransmission {
        /// The flow.
        flow: FlowId,
    },
    /// A TCP sender changed its conclusion about losses.
    Loss {
        /// The flow.
        flow: FlowId,
        /// Its conclusion.
        event: LossEvent,
    },
    /// A TCP sender of a host outside is no more.
    Closed {
        /// The flow.
        flow: FlowId,
    },
    /// Bytes reached the receiving application, in order.
    Delivered {
        /// The flow.
        flow: FlowId,
        /// How many.
        bytes: u64,
    },
    /// A segment reached a TCP receiver and waits: what comes before it is missing.
    BehindHole {
        /// The flow.
        flow: FlowId,
    },
    /// An event of a datagram or a ping.
    Datagram {
        /// The flow.
        flow: FlowId,
        /// The event.
        event: DatagramEvent,
    },
    /// An event of a station's scanning.
    Scan {
        /// The station.
        node: NodeId,
        /// The event.
        event: ScanEvent,
    },
    /// A station's radio is about to leave its home channel, left it, or came back.
    Radio {
        /// The station.
        node: NodeId,
        /// Where it now is.
        place: RadioPlace,
    },
    /// A step of a station's way from one access point to another.
    Roam {
        /// The station.
        station: NodeId,
        /// The step.
        event: RoamEvent,
    },
    /// A frame of a USB bus is over.
    Bus(BusFrame),
    /// An adapter holds back the first packet of a spell.
    Hold(HoldSpell),
    /// A receiver's reorder buffer is empty again, after it held MPDUs behind a hole. Only for probes with [`Probe::TRACE`].
    Reordered {
        /// The transmitter.
        from: NodeId,
        /// The receiver.
        to: NodeId,
        /// When the first of them came.
        start: Time,
    },
}

/// Takes the observations of a run, and changes nothing.
pub trait Probe {
    /// Whether observations of single MPDUs and packets are wanted. They cost, so they are not even built otherwise.
    const DETAIL: bool;
    /// Whether observations of single segments and acknowledgments, TCP's and BlockAcks, are wanted. They cost less.
    const TRACE: bool = Self::DETAIL;

    /// Takes one observation. `now` is the simulated time; an observation about the near future (a frame of an exchange
    /// that has just begun) has its own time.
    fn see(&mut self, now: Time, seen: Observation);

    /// Takes the bytes of a packet that was put in from outside. Only for probes with [`Probe::DETAIL`].
    fn octets(&mut self, _now: Time, _seen: &OctetsSeen<'_>) {}

    /// Takes a TCP connection of hosts outside as one more flow, after those of the scenario and those taken before. What is
    /// observed of it comes later.
    fn flow(&mut self, _now: Time, _seen: &FlowSeen<'_>) {}
}

/// Two probes.
impl<A: Probe, B: Probe> Probe for (A, B) {
    const DETAIL: bool = A::DETAIL || B::DETAIL;
    const TRACE: bool = A::TRACE || B::TRACE;

    // Either may know the variant where an observation is made.
    #[inline(always)]
    fn see(&mut self, now: Time, seen: Observation) {
        self.0.see(now, seen);
        self.1.see(now, seen);
    }

    fn octets(&mut self, now: Time, seen: &OctetsSeen<'_>) {
        self.0.octets(now, seen);
        self.1.octets(now, seen);
    }

    fn flow(&mut self, now: Time, seen: &FlowSeen<'_>) {
        self.0.flow(now, seen);
        self.1.flow(now, seen);
    }
}

/// No probe.
impl Probe for () {
    const DETAIL: bool = false;

    fn see(&mut self, _: Time, _: Observation) {}
}

/// Keeps everything; for tests.
impl Probe for Vec<(Time, Observation)> {
    const DETAIL: bool = true;

    fn see(&mut self, now: Time, seen: Observation) {
        self.push((now, seen));
    }
}
