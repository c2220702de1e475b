//! What a receiver's buffer and acknowledgments are.

use crate::RightSizing;
use airloom_sim::{Bytes, Duration};

/// The receive buffer, and the window offered from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceiveSpace {
    /// Receive buffer in bytes of truesize, at first (`tcp_rmem[1]`).
    pub receive_buffer_initial: Bytes,
    /// Receive buffer in bytes of truesize, at most (`tcp_rmem[2]`).
    pub receive_buffer_max: Bytes,
    /// How the receive buffer and the window grow.
    pub right_sizing: RightSizing,
    /// All of the receive buffer except 1/2^n of it is window, and all of it if this is zero (`tcp_adv_win_scale`).
    pub receive_window_share: u32,
    /// Segments of the first window offered (`tcp_default_init_rwnd`).
    pub initial_receive_window: u32,
}

impl ReceiveSpace {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self = Self {
        receive_buffer_initial: Bytes(87_380),
        receive_buffer_max: Bytes(6 << 20),
        right_sizing: RightSizing::TwiceRead,
        receive_window_share: 1,
        initial_receive_window: 20,
    };
}

/// When data in order is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acks {
    /// Shortest delay of a delayed ACK (`TCP_DELACK_MIN`); zero: none is delayed.
    pub delayed_ack: Duration,
    /// How many ACKs are not delayed when data begins to arrive, and after losses (`TCP_MAX_QUICKACKS`).
    pub quick_acks: u32,
    /// A full segment that ends a write of the peer is acknowledged at once, as a shorter one is (`tcp_measure_rcv_mss`,
    /// Linux 6.6).
    pub ack_pushed: bool,
}

impl Acks {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self =
        Self { delayed_ack: Duration::from_millis(40), quick_acks: 16, ack_pushed: false };
}

/// How long acknowledgments of data out of order are held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldSacks {
    /// While data waits out of order, ACKs beyond the third for a hole are held back for a twentieth of the round trip, but
    /// no longer than this (`tcp_comp_sack_delay_ns`, Linux 4.18; 1 ms). Zero: none is.
    pub sack_delay: Duration,
    /// Added to that: how late the timer may be (`tcp_comp_sack_slack_ns`, 100 us).
    pub sack_slack: Duration,
    /// How many are held back at most (`tcp_comp_sack_nr`, 44).
    pub sacks_held: u32,
}

impl HeldSacks {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self = Self { sack_delay: Duration::ZERO, sack_slack: Duration::ZERO, sacks_held: 44 };
}
