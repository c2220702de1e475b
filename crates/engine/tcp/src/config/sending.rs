//! What a sender's window, buffer and queues are.

use crate::{Congestion, SlowStart, Validation};
use airloom_sim::{Bytes, Duration};

/// Congestion control: how the window begins and grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Initial window in segments (RFC 6928; Linux `TCP_INIT_CWND`).
    pub initial_window: u32,
    /// Slow-start threshold in segments before the first loss, if there is one (RFC 5681 section 3.1).
    pub initial_ssthresh: Option<u32>,
    /// Congestion control.
    pub congestion: Congestion,
    /// Slow start.
    pub slow_start: SlowStart,
    /// Slow start ends one segment past the threshold, and the rest of the ACK that reaches that end is not counted (before Linux 4.3).
    /// Otherwise it ends at the threshold, and congestion avoidance counts the rest of that ACK (`tcp_slow_start`).
    pub slow_start_past_threshold: bool,
    /// When HyStart ends it.
    pub hystart: HyStartLimits,
    /// CUBIC's window grows by at most one segment for this many acknowledged (`bictcp_update`; 2 since Linux 4.0).
    pub cubic_fastest: u32,
    /// In slow start, grow by one segment per ACK (`tcp_slow_start`, before Linux 3.13) rather than per segment.
    pub slow_start_by_acks: bool,
    /// In congestion avoidance, count acknowledged segments (Linux 4.0) rather than ACKs (3.13). CUBIC always
    /// counts segments, as 3.13 does in effect by its `delayed_ack` ratio.
    pub count_segments: bool,
    /// The window grows after an ACK's losses are known, by all segments delivered, SACKed ones among them
    /// (`tcp_cong_control`, Linux 4.6). Otherwise before that, by those acknowledged.
    pub grow_by_delivered: bool,
}

impl Growth {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self = Self {
        initial_window: 10,
        initial_ssthresh: None,
        congestion: Congestion::Cubic,
        slow_start: SlowStart::Linux,
        slow_start_past_threshold: true,
        hystart: HyStartLimits::PLAIN,
        cubic_fastest: 1,
        slow_start_by_acks: false,
        count_segments: false,
        grow_by_delivered: false,
    };
}

/// When HyStart ends slow start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyStartLimits {
    /// HyStart detects a growth of the delay by one n-th of the least round trip: n is 16 before Linux 3.19 and 8 since
    /// (`HYSTART_DELAY_THRESH`).
    pub hystart_part: u32,
    /// HyStart takes a round's delay from all of its samples rather than the first eight, and a round begins with the ACK
    /// that ends the last one, whether or not the window may grow (`hystart_update`, Linux 5.16).
    pub hystart_all_samples: bool,
    /// HyStart's train of ACKs is long if it lasts longer than half of the sum of the least round trip and this (`hystart_ack_delay`, Linux 5.6:
    /// a millisecond at any pacing rate below 2 Gbit/s). Zero: without margin.
    pub hystart_train_margin: Duration,
}

impl HyStartLimits {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self =
        Self { hystart_part: 16, hystart_all_samples: false, hystart_train_margin: Duration::ZERO };
}

/// What becomes of a congestion window that is not used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnusedWindow {
    /// Congestion-window validation.
    pub window_validation: Validation,
    /// An unused window decays, as `window_validation` says; otherwise it stays (`sysctl_tcp_slow_start_after_idle`).
    pub slow_start_after_idle: bool,
}

impl UnusedWindow {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self = Self { window_validation: Validation::Linux, slow_start_after_idle: true };
}

/// The send buffer, and how it grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SendSpace {
    /// Send buffer in bytes of truesize, at first (`tcp_wmem[1]`).
    pub send_buffer_initial: Bytes,
    /// Send buffer in bytes of truesize, at most (`tcp_wmem[2]`).
    pub send_buffer_max: Bytes,
    /// Memory that the send buffer grows by for each segment of the window, in bytes (`per_mss` of `tcp_sndbuf_expand`: 4352 for
    /// Ethernet). None: as much as a segment takes, `skb_truesize`.
    pub send_buffer_segment: Option<u32>,
    /// The send buffer may grow whenever less than the window is in flight, even between two segments of one burst
    /// (`tcp_should_expand_sndbuf`, `tcp_event_new_data_sent`, Linux 5.18). Otherwise only if less than the window is outstanding after all
    /// segments are sent.
    pub send_buffer_between_segments: bool,
}

impl SendSpace {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self = Self {
        send_buffer_initial: Bytes(16_384),
        send_buffer_max: Bytes(4 << 20),
        send_buffer_segment: None,
        send_buffer_between_segments: false,
    };
}

/// How much a sender hands to the layers below, and in which portions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallQueueLimits {
    /// TCP small queues: no new data while the layers below hold more than this, in bytes of truesize
    /// (`tcp_limit_output_bytes`, Linux 3.6; 131072). None: without limit, as before 3.6.
    pub small_queue: Option<Bytes>,
    /// The same limit, also bounded by what the pacing rate sends in 1 / 2^n seconds, but at least two segments
    /// (`sk_pacing_shift`, Linux 4.15; 10, and 7 if mac80211 asks for it). None: only `small_queue` applies.
    pub small_queue_shift: Option<u32>,
    /// Segments that pacing releases leave in bursts of several, as from a host whose device cuts bursts into segments
    /// ([`Burst`](crate::Burst)); otherwise one by one.
    pub bursts: bool,
}

impl SmallQueueLimits {
    /// As in [`Config::PLAIN`](crate::Config::PLAIN).
    pub const PLAIN: Self =
        Self { small_queue: Some(Bytes(131_072)), small_queue_shift: None, bursts: false };
}
