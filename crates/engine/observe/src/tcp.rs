//! TCP endpoints.

use crate::{FlowId, NodeId};
use airloom_sim::{Duration, kinds};

/// The direction of a segment in its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From the data's sender to its receiver.
    Forward,
    /// From the receiver back.
    Backward,
}

kinds! {
    /// The congestion state of a sender, in Linux's words (`enum tcp_ca_state`).
    pub enum CaState {
        /// No sign of loss.
        Open = "open",
        /// Duplicate ACKs or SACK blocks were seen.
        Disorder = "disorder",
        /// The window is being reduced because of a local drop or an ECN mark.
        Cwr = "cwr",
        /// Fast recovery.
        Recovery = "recovery",
        /// Recovery after a retransmission timeout.
        Loss = "loss",
    }
}

/// A TCP connection of hosts outside of the simulation: the data that goes one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowSeen<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The host whose data it is.
    pub from: NodeId,
    /// The host that receives it.
    pub to: NodeId,
}

/// A sender's window and timers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The flow.
    pub flow: FlowId,
    /// Congestion window in segments.
    pub cwnd: u32,
    /// Slow-start threshold in segments; `u32::MAX` while unset.
    pub ssthresh: u32,
    /// Segments in flight by the sender's own estimate.
    pub in_flight: u32,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
    /// Retransmission timeout.
    pub rto: Duration,
    /// Congestion state.
    pub state: CaState,
}

kinds! {
    /// The phase of a congestion control that models its path (BBR, in the words of draft-ietf-ccwg-bbr).
    pub enum PathPhase {
        /// The rate doubles until the pipe is full.
        StartUp = "start-up",
        /// The queue from start-up is drained.
        Drain = "drain",
        /// It sends less than the path delivers.
        Down = "down",
        /// It sends as much.
        Cruise = "cruise",
        /// It fills the pipe before a probe (version 3).
        Refill = "refill",
        /// It probes for more.
        Up = "up",
        /// It measures the round trip of an empty pipe.
        ProbeRtt = "probe-rtt",
    }
}

/// What a sender takes its path to be (`tcp_bbr_info`, as `ss -i` shows it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathModel {
    /// The phase.
    pub phase: PathPhase,
    /// The estimated rate in bytes of payload per second.
    pub rate: u64,
    /// The least round trip; zero before the first sample.
    pub least_rtt: Duration,
    /// Gains of pacing and of the window, in parts of 256.
    pub pacing_gain: u16,
    /// See there.
    pub window_gain: u16,
    /// Segments that ACKs come together by, for which the window has room.
    pub excess: u32,
    /// Bounds that losses have taught for the short and the long term, in segments; `u32::MAX` if there is none, as always in
    /// version 1.
    pub short_term: u32,
    /// See there.
    pub long_term: u32,
}

/// A segment leaving an endpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentSent {
    /// The flow.
    pub flow: FlowId,
    /// Its direction.
    pub direction: Direction,
    /// Its first sequence number.
    pub seq: u32,
    /// Its acknowledgment number.
    pub ack: u32,
    /// Payload bytes.
    pub payload: u32,
    /// Whether it is a retransmission.
    pub retransmission: bool,
}

/// A sender's conclusion about losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossEvent {
    /// Fast recovery began.
    RecoveryEntered,
    /// Recovery ended, everything outstanding at its start being acknowledged.
    RecoveryLeft,
    /// The retransmission timer expired.
    Timeout,
    /// The local queue refused a segment, new or sent again. The window is reduced, once for several of them, although nothing was lost on the wire.
    LocalDrop,
    /// The receiver echoed an ECN mark; the window is reduced although nothing was lost.
    Marked,
    /// A reduction was found to have been spurious and was undone.
    Undone,
}
