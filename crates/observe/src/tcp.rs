//! TCP endpoints.

use crate::FlowId;
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
    /// The local queue refused a segment; the window is reduced although nothing was lost on the wire.
    LocalDrop,
    /// The receiver echoed an ECN mark; the window is reduced although nothing was lost.
    Marked,
    /// A reduction was found to have been spurious and was undone.
    Undone,
}
