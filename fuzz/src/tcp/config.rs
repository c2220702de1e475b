//! Any configuration that a scenario may have.

use super::feed::Feed;
use airloom_sim::{Bytes, Duration};
use airloom_tcp::{
    Config, Congestion, Detection, LossRecovery, Reduction, RightSizing, SlowStart, Validation,
};

/// Times in milliseconds.
fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A configuration. Buffers are small, so that a test is short.
pub(super) fn config(feed: &mut Feed<'_>) -> Config {
    let recovery = recovery(feed);
    Config {
        mss: feed.one_of(&[1460, 536, 100, 8960]),
        initial_window: feed.one_of(&[10, 1, 2, 3, 40]),
        initial_ssthresh: feed.one_of(&[None, Some(2), Some(12)]),
        small_queue: feed.one_of(&[None, Some(Bytes(131_072)), Some(Bytes(4000))]),
        small_queue_shift: feed.one_of(&[None, Some(10), Some(7), Some(0)]),
        send_buffer_initial: feed.one_of(&[Bytes(16_384), Bytes(4000), Bytes(300_000)]),
        send_buffer_max: feed.one_of(&[Bytes(500_000), Bytes(16_384)]),
        send_buffer_segment: feed.one_of(&[None, Some(4352)]),
        receive_buffer_initial: feed.one_of(&[Bytes(131_072), Bytes(4000), Bytes(87_380)]),
        receive_buffer_max: feed.one_of(&[Bytes(1 << 20), Bytes(131_072), Bytes(32 << 20)]),
        window_validation: feed.kind(Validation::WORDS),
        slow_start_after_idle: feed.flag(),
        congestion: feed.kind(Congestion::WORDS),
        slow_start: feed.kind(SlowStart::WORDS),
        slow_start_past_threshold: feed.flag(),
        hystart_part: feed.one_of(&[8, 16]),
        hystart_all_samples: feed.flag(),
        hystart_train_margin: feed.one_of(&[Duration::ZERO, ms(1)]),
        cubic_fastest: feed.one_of(&[2, 1]),
        slow_start_by_acks: feed.flag(),
        count_segments: feed.flag(),
        grow_by_delivered: feed.flag(),
        sack: !feed.octet().is_multiple_of(4),
        timestamps: feed.flag(),
        duplicate_sack: feed.flag(),
        window_scale: feed.octet() % 15,
        right_sizing: feed.kind(RightSizing::WORDS),
        receive_window_share: u32::from(feed.octet() % 15),
        initial_receive_window: feed.one_of(&[10, 4, 45]),
        sack_delay: feed.one_of(&[Duration::ZERO, ms(1)]),
        sack_slack: feed.one_of(&[Duration::ZERO, Duration::from_micros(100)]),
        sacks_held: feed.one_of(&[44, 0, 1]),
        ecn: feed.flag(),
        nagle: feed.flag(),
        rto_min: feed.one_of(&[ms(200), ms(1)]),
        rto_initial: feed.one_of(&[ms(1000), ms(3000)]),
        quick_acks: feed.one_of(&[16, 0]),
        recovery,
        delayed_ack: feed.one_of(&[ms(40), Duration::ZERO, ms(100)]),
        timer_tick: feed.one_of(&[Duration::ZERO, ms(4)]),
        ack_pushed: feed.flag(),
        send_buffer_between_segments: feed.flag(),
        tick: feed.one_of(&[Duration::ZERO, ms(4), ms(10)]),
        bursts: feed.flag(),
        skb_truesize: feed.one_of(&[4352, 2304]),
        ack_truesize: 768,
    }
}

fn recovery(feed: &mut Feed<'_>) -> LossRecovery {
    LossRecovery {
        duplicate_threshold: feed.one_of(&[3, 1, 10]),
        detection: feed.kind(Detection::WORDS),
        adaptive_reordering: feed.flag(),
        timeout_spares_recent: feed.flag(),
        limited_transmit: feed.flag(),
        lost_retransmissions: feed.flag(),
        tail_loss_probe: feed.flag(),
        reduction: feed.kind(Reduction::WORDS),
        timestamp_undo: feed.flag(),
        duplicate_sack_undo: feed.flag(),
        undo_repeated_timeout: feed.flag(),
        stale_retransmit_stamp: feed.flag(),
        frto: feed.flag(),
    }
}
