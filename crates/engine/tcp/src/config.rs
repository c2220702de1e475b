//! The configuration of an endpoint. Every field must be given: there is no default.

use crate::{Congestion, Detection, Reduction, RightSizing, SlowStart, Validation};
use airloom_sim::{Bytes, Duration};

/// The configuration of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The maximum segment size announced in a SYN, in bytes: the MTU without IPv4 and TCP headers.
    pub mss: u32,
    /// Initial window in segments (RFC 6928; Linux `TCP_INIT_CWND`).
    pub initial_window: u32,
    /// Slow-start threshold in segments before the first loss, if there is one (RFC 5681 section 3.1).
    pub initial_ssthresh: Option<u32>,
    /// TCP small queues: no new data while the layers below hold more than this, in bytes of truesize
    /// (`tcp_limit_output_bytes`, Linux 3.6; 131072). None: without limit, as before 3.6.
    pub small_queue: Option<Bytes>,
    /// The same limit, also bounded by what the pacing rate sends in 1 / 2^n seconds, but at least two segments
    /// (`sk_pacing_shift`, Linux 4.15; 10, and 7 if mac80211 asks for it). None: only `small_queue` applies.
    pub small_queue_shift: Option<u32>,
    /// What pacing lets go leaves in bursts of several segments, as from a host whose device divides them ([`Burst`](crate::Burst));
    /// otherwise one by one.
    pub bursts: bool,
    /// Send buffer in bytes of truesize, at first (`tcp_wmem[1]`).
    pub send_buffer_initial: Bytes,
    /// Send buffer in bytes of truesize, at most (`tcp_wmem[2]`).
    pub send_buffer_max: Bytes,
    /// Memory that the send buffer grows by for each segment of the window, in bytes (`per_mss` of `tcp_sndbuf_expand`: 4352 for
    /// Ethernet). None: as much as a segment takes, `skb_truesize`.
    pub send_buffer_segment: Option<u32>,
    /// The send buffer grows with the window whenever less than that is in flight, be it between two segments that are sent
    /// (`tcp_should_expand_sndbuf`, `tcp_event_new_data_sent`, Linux 5.18). Otherwise only if, after all are sent, less than the
    /// window is outstanding.
    pub send_buffer_between_segments: bool,
    /// Receive buffer in bytes of truesize, at first (`tcp_rmem[1]`).
    pub receive_buffer_initial: Bytes,
    /// Receive buffer in bytes of truesize, at most (`tcp_rmem[2]`).
    pub receive_buffer_max: Bytes,
    /// Congestion-window validation.
    pub window_validation: Validation,
    /// An unused window decays, as `window_validation` says; otherwise it stays (`sysctl_tcp_slow_start_after_idle`).
    pub slow_start_after_idle: bool,
    /// Congestion control.
    pub congestion: Congestion,
    /// Slow start.
    pub slow_start: SlowStart,
    /// Slow start goes one segment past the threshold, and takes a whole ACK (before Linux 4.3). Otherwise it ends at the
    /// threshold, and congestion avoidance counts the segments beyond it (`tcp_slow_start`).
    pub slow_start_past_threshold: bool,
    /// HyStart detects a growth of the delay by one n-th of the least round trip: n is 16 before Linux 3.19 and 8 since
    /// (`HYSTART_DELAY_THRESH`).
    pub hystart_part: u32,
    /// HyStart takes a round's delay from all of its samples rather than the first eight, and a round begins with the ACK
    /// that ends the last one, whether or not the window may grow (`hystart_update`, Linux 5.16).
    pub hystart_all_samples: bool,
    /// HyStart's train of ACKs is long if it lasts for half of the least round trip and this (`hystart_ack_delay`, Linux 5.6:
    /// a millisecond at any pacing rate below 2 Gbit/s). Zero: without margin.
    pub hystart_train_margin: Duration,
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
    /// Offer and use SACK (RFC 2018).
    pub sack: bool,
    /// Offer and use timestamps (RFC 7323).
    pub timestamps: bool,
    /// Report duplicates by D-SACK (RFC 2883), if SACK is used.
    pub duplicate_sack: bool,
    /// Window scale offered, as a shift of at most 14 (RFC 7323).
    pub window_scale: u8,
    /// How the receive buffer and the window grow.
    pub right_sizing: RightSizing,
    /// All of the receive buffer except 1/2^n of it is window, and all of it if this is zero (`tcp_adv_win_scale`).
    pub receive_window_share: u32,
    /// Segments of the first window offered (`tcp_default_init_rwnd`).
    pub initial_receive_window: u32,
    /// While data waits out of order, ACKs beyond the third for a hole are held back for a twentieth of the round trip, but
    /// no longer than this (`tcp_comp_sack_delay_ns`, Linux 4.18; 1 ms). Zero: none is.
    pub sack_delay: Duration,
    /// Added to that: how late the timer may be (`tcp_comp_sack_slack_ns`, 100 us).
    pub sack_slack: Duration,
    /// How many are held back at most (`tcp_comp_sack_nr`, 44).
    pub sacks_held: u32,
    /// Offer and use ECN (RFC 3168; `sysctl_tcp_ecn` 1).
    pub ecn: bool,
    /// Hold back a partial segment while another is unacknowledged (Nagle with Minshall's change,
    /// `tcp_nagle_check`).
    pub nagle: bool,
    /// Floor of the variance term of the retransmission timeout (`TCP_RTO_MIN`).
    pub rto_min: Duration,
    /// Retransmission timeout before the first sample (RFC 6298; `TCP_TIMEOUT_INIT`).
    pub rto_initial: Duration,
    /// How many ACKs are not delayed when data begins to arrive, and after losses (`TCP_MAX_QUICKACKS`).
    pub quick_acks: u32,
    /// A full segment that ends a write of the peer is acknowledged at once, as a shorter one is (`tcp_measure_rcv_mss`,
    /// Linux 6.6).
    pub ack_pushed: bool,
    /// How losses are detected, and which reactions are undone if there were none.
    pub recovery: LossRecovery,
    /// Shortest delay of a delayed ACK (`TCP_DELACK_MIN`); zero: none is delayed.
    pub delayed_ack: Duration,
    /// Granularity of round-trip measurements for the timeout: a jiffy (4 ms for HZ=250) before Linux 3.15. Zero: exact.
    /// Also that of timestamps, which count milliseconds if it is zero.
    pub tick: Duration,
    /// The tick on which timers expire: a jiffy (4 ms for HZ=250). Retransmission, probes and delayed ACKs wait for whole ticks
    /// and then for the next one of the timer wheel, since Linux 4.8 (`calc_wheel_index`); CUBIC reads its curve with them.
    /// Pacing and SACKs that are held back have timers of their own, which are exact. Zero: everything is.
    pub timer_tick: Duration,
    /// Memory of one data segment in the sender in bytes: an `sk_buff` of 256 and a page of 4096 in Linux 3.13.
    pub skb_truesize: u32,
    /// Memory of one segment without data in bytes: an `sk_buff` of 256 and its headers.
    pub ack_truesize: u32,
}

/// How losses are detected, and which reactions are undone if there were none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossRecovery {
    /// Duplicate ACKs or SACKed segments that indicate a loss (`tcp_reordering`).
    pub duplicate_threshold: u32,
    /// How losses are detected with SACK.
    pub detection: Detection,
    /// The threshold follows the reordering that is seen, and RACK waits longer for late segments after D-SACKs
    /// (`tcp_check_sack_reordering`, `tcp_rack_update_reo_wnd`, Linux 4.15).
    pub adaptive_reordering: bool,
    /// A timeout marks as lost the first segment and what RACK finds older than a round trip, not all, and leaves room for
    /// one segment more than is still in flight (`tcp_timeout_mark_lost`, Linux 4.18).
    pub timeout_spares_recent: bool,
    /// Send new data upon the first duplicate ACKs (RFC 3042).
    pub limited_transmit: bool,
    /// During recovery, mark a retransmission as lost once data sent after it is SACKed (`tcp_mark_lost_retrans`), not
    /// only by timeout.
    pub lost_retransmissions: bool,
    /// After two round trips without an ACK send one more segment, or the last again (RFC 8985 section 7;
    /// `tcp_send_loss_probe`).
    pub tail_loss_probe: bool,
    /// How the window is reduced to the threshold during recovery.
    pub reduction: Reduction,
    /// Undo a reduction if an ACK echoes a timestamp from before the first retransmission (Eifel, RFC 3522;
    /// `tcp_packet_delayed`, Linux 2.4).
    pub timestamp_undo: bool,
    /// Undo a reduction if D-SACKs report every retransmission as needless (RFC 3708; `tcp_try_undo_dsack`, Linux 2.4).
    pub duplicate_sack_undo: bool,
    /// Undo a timeout also if some of the segments had been retransmitted before (`tcp_enter_loss`, Linux 3.17).
    pub undo_repeated_timeout: bool,
    /// Until a first recovery has ended, `timestamp_undo` uses the time of the SYN as that of the first retransmission,
    /// so that the first spurious timeout is not recognised (`tcp_connect` and `tcp_retransmit_skb` with
    /// `retrans_stamp`, Linux 2.4 up to 2.4.18).
    pub stale_retransmit_stamp: bool,
    /// After a timeout try new data before retransmitting further, and undo if anything sent only once is acknowledged
    /// (F-RTO, RFC 5682 with SACK; `tcp_process_loss`, Linux 3.10).
    pub frto: bool,
}

impl Config {
    /// The buffers, timers and CUBIC of Linux 3.13 with the plainest loss recovery: the base of tests.
    pub const PLAIN: Self = Self {
        mss: 1460,
        initial_window: 10,
        initial_ssthresh: None,
        small_queue: Some(Bytes(131_072)),
        small_queue_shift: None,
        bursts: false,
        send_buffer_initial: Bytes(16_384),
        send_buffer_max: Bytes(4 << 20),
        send_buffer_segment: None,
        send_buffer_between_segments: false,
        receive_buffer_initial: Bytes(87_380),
        receive_buffer_max: Bytes(6 << 20),
        window_validation: Validation::Linux,
        slow_start_after_idle: true,
        congestion: Congestion::Cubic,
        slow_start: SlowStart::Linux,
        slow_start_past_threshold: true,
        hystart_part: 16,
        hystart_all_samples: false,
        hystart_train_margin: Duration::ZERO,
        cubic_fastest: 1,
        slow_start_by_acks: false,
        count_segments: false,
        grow_by_delivered: false,
        sack: true,
        timestamps: true,
        duplicate_sack: true,
        window_scale: 7,
        right_sizing: RightSizing::TwiceRead,
        receive_window_share: 1,
        initial_receive_window: 20,
        sack_delay: Duration::ZERO,
        sack_slack: Duration::ZERO,
        sacks_held: 44,
        ecn: false,
        nagle: true,
        rto_min: Duration::from_millis(200),
        rto_initial: Duration::from_secs(1),
        quick_acks: 16,
        ack_pushed: false,
        recovery: LossRecovery::PLAIN,
        delayed_ack: Duration::from_millis(40),
        tick: Duration::ZERO,
        timer_tick: Duration::ZERO,
        skb_truesize: 4352,
        ack_truesize: 768,
    };

    /// Payload of a full segment in bytes between two endpoints with this configuration.
    pub const fn segment_payload(&self) -> u32 {
        self.mss - if self.timestamps { 12 } else { 0 }
    }
}

impl LossRecovery {
    /// Nothing beyond the RFCs that every TCP follows.
    pub const PLAIN: Self = Self {
        duplicate_threshold: 3,
        detection: Detection::Sacks,
        adaptive_reordering: false,
        timeout_spares_recent: false,
        limited_transmit: true,
        lost_retransmissions: true,
        tail_loss_probe: false,
        reduction: Reduction::Proportional,
        timestamp_undo: false,
        duplicate_sack_undo: false,
        undo_repeated_timeout: false,
        stale_retransmit_stamp: false,
        frto: false,
    };
}
