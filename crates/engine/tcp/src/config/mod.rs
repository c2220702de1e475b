//! The configuration of an endpoint. Every field must be given: there is no default. Each part of an endpoint gets its part of
//! it, and sees no other. A field has the name of its key in scenarios (docs/tcp.md).

mod receiving;
mod recovery;
mod sending;

use airloom_sim::Duration;
pub use receiving::{Acks, HeldSacks, ReceiveSpace};
pub use recovery::LossRecovery;
pub use sending::{Growth, HyStartLimits, SendSpace, SmallQueueLimits, UnusedWindow};

/// The configuration of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// What a SYN offers.
    pub offer: Offer,
    /// Clocks and timeouts.
    pub clocks: Clocks,
    /// The memory that segments take.
    pub truesize: Truesize,
    /// Congestion control.
    pub growth: Growth,
    /// What becomes of a window that is not used.
    pub unused_window: UnusedWindow,
    /// How losses are detected, and which reactions are undone if there were none.
    pub recovery: LossRecovery,
    /// The send buffer.
    pub send: SendSpace,
    /// Hold back a partial segment while another is unacknowledged (Nagle with Minshall's change,
    /// `tcp_nagle_check`).
    pub nagle: bool,
    /// What is handed to the layers below.
    pub small_queue: SmallQueueLimits,
    /// The receive buffer and its window.
    pub receive: ReceiveSpace,
    /// Acknowledgments of data in order.
    pub acks: Acks,
    /// Acknowledgments of data out of order.
    pub held_sacks: HeldSacks,
}

impl Config {
    /// The buffers, timers and CUBIC of Linux 3.13 with the plainest loss recovery: the base of tests.
    pub const PLAIN: Self = Self {
        offer: Offer::PLAIN,
        clocks: Clocks::PLAIN,
        truesize: Truesize::PLAIN,
        growth: Growth::PLAIN,
        unused_window: UnusedWindow::PLAIN,
        recovery: LossRecovery::PLAIN,
        send: SendSpace::PLAIN,
        nagle: true,
        small_queue: SmallQueueLimits::PLAIN,
        receive: ReceiveSpace::PLAIN,
        acks: Acks::PLAIN,
        held_sacks: HeldSacks::PLAIN,
    };
}

/// What a SYN offers, and a SYN-ACK agrees to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// The maximum segment size announced in a SYN, in bytes: the MTU without IPv4 and TCP headers.
    pub mss: u32,
    /// Offer and use SACK (RFC 2018).
    pub sack: bool,
    /// Offer and use timestamps (RFC 7323).
    pub timestamps: bool,
    /// Report duplicates by D-SACK (RFC 2883), if SACK is used.
    pub duplicate_sack: bool,
    /// Window scale offered, as a shift of at most 14 (RFC 7323).
    pub window_scale: u8,
    /// Offer and use ECN (RFC 3168; `sysctl_tcp_ecn` 1).
    pub ecn: bool,
}

impl Offer {
    /// As in [`Config::PLAIN`].
    pub const PLAIN: Self =
        Self { mss: 1460, sack: true, timestamps: true, duplicate_sack: true, window_scale: 7, ecn: false };

    /// Payload of a full segment in bytes between two endpoints that offer this.
    pub const fn segment_payload(&self) -> u32 {
        self.mss - if self.timestamps { 12 } else { 0 }
    }
}

/// The clocks of round trips, timestamps and timers, and the bounds of the retransmission timeout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// Granularity of round-trip measurements for the timeout: a jiffy (4 ms for HZ=250) before Linux 3.15. Zero: exact.
    /// Also that of timestamps, which count milliseconds if it is zero.
    pub tick: Duration,
    /// The tick on which timers expire: a jiffy (4 ms for HZ=250). Retransmission, probes and delayed ACKs wait for whole ticks
    /// and then for the next one of the timer wheel, since Linux 4.8 (`calc_wheel_index`); CUBIC reads its curve with them.
    /// Pacing and SACKs that are held back have timers of their own, which are exact. Zero: everything is.
    pub timer_tick: Duration,
    /// Floor of the variance term of the retransmission timeout (`TCP_RTO_MIN`).
    pub rto_min: Duration,
    /// Retransmission timeout before the first sample (RFC 6298; `TCP_TIMEOUT_INIT`).
    pub rto_initial: Duration,
}

impl Clocks {
    /// As in [`Config::PLAIN`].
    pub const PLAIN: Self = Self {
        tick: Duration::ZERO,
        timer_tick: Duration::ZERO,
        rto_min: Duration::from_millis(200),
        rto_initial: Duration::from_secs(1),
    };
}

/// The memory that segments take, for which all buffers and queues have their limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truesize {
    /// Memory of one data segment in the sender in bytes: an `sk_buff` of 256 and a page of 4096 in Linux 3.13.
    pub skb_truesize: u32,
    /// Memory of one segment without data in bytes: an `sk_buff` of 256 and its headers.
    pub ack_truesize: u32,
}

impl Truesize {
    /// As in [`Config::PLAIN`].
    pub const PLAIN: Self = Self { skb_truesize: 4352, ack_truesize: 768 };
}
