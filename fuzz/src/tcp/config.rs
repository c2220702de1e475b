//! Any configuration that a scenario may have.

use super::feed::Feed;
use airloom_sim::{Bytes, Duration};
use airloom_tcp::{
    Acks, Clocks, Config, Congestion, Detection, Growth, HeldSacks, HyStartLimits, LossRecovery, Offer,
    ReceiveSpace, Reduction, RightSizing, SendSpace, SlowStart, SmallQueueLimits, Truesize, UnusedWindow,
    Validation,
};

/// Times in milliseconds.
fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A configuration. Buffers are small, so that a test is short. A line for each key, in the order in which the corpora have them.
pub(super) fn config(feed: &mut Feed<'_>) -> Config {
    Config {
        offer: Offer {
            mss: feed.one_of(&[1460, 536, 100, 8960]),
            sack: !feed.octet().is_multiple_of(4),
            timestamps: feed.flag(),
            duplicate_sack: feed.flag(),
            window_scale: feed.octet() % 15,
            ecn: feed.flag(),
        },
        growth: Growth {
            initial_window: feed.one_of(&[10, 1, 2, 3, 40]),
            initial_ssthresh: feed.one_of(&[None, Some(2), Some(12)]),
            congestion: feed.kind(Congestion::WORDS),
            slow_start: feed.kind(SlowStart::WORDS),
            slow_start_past_threshold: feed.flag(),
            hystart: HyStartLimits {
                hystart_part: feed.one_of(&[8, 16]),
                hystart_all_samples: feed.flag(),
                hystart_train_margin: feed.one_of(&[Duration::ZERO, ms(1)]),
            },
            cubic_fastest: feed.one_of(&[2, 1]),
            slow_start_by_acks: feed.flag(),
            count_segments: feed.flag(),
            grow_by_delivered: feed.flag(),
        },
        unused_window: UnusedWindow {
            window_validation: feed.kind(Validation::WORDS),
            slow_start_after_idle: feed.flag(),
        },
        small_queue: SmallQueueLimits {
            small_queue: feed.one_of(&[None, Some(Bytes(131_072)), Some(Bytes(4000))]),
            small_queue_shift: feed.one_of(&[None, Some(10), Some(7), Some(0)]),
            bursts: feed.flag(),
        },
        send: SendSpace {
            send_buffer_initial: feed.one_of(&[Bytes(16_384), Bytes(4000), Bytes(300_000)]),
            send_buffer_max: feed.one_of(&[Bytes(500_000), Bytes(16_384)]),
            send_buffer_segment: feed.one_of(&[None, Some(4352)]),
            send_buffer_between_segments: feed.flag(),
        },
        nagle: feed.flag(),
        receive: ReceiveSpace {
            receive_buffer_initial: feed.one_of(&[Bytes(131_072), Bytes(4000), Bytes(87_380)]),
            receive_buffer_max: feed.one_of(&[Bytes(1 << 20), Bytes(131_072), Bytes(32 << 20)]),
            right_sizing: feed.kind(RightSizing::WORDS),
            receive_window_share: u32::from(feed.octet() % 15),
            initial_receive_window: feed.one_of(&[10, 4, 45]),
        },
        acks: Acks {
            quick_acks: feed.one_of(&[16, 0]),
            ack_pushed: feed.flag(),
            delayed_ack: feed.one_of(&[ms(40), Duration::ZERO, ms(100)]),
        },
        held_sacks: HeldSacks {
            sack_delay: feed.one_of(&[Duration::ZERO, ms(1)]),
            sack_slack: feed.one_of(&[Duration::ZERO, Duration::from_micros(100)]),
            sacks_held: feed.one_of(&[44, 0, 1]),
        },
        recovery: recovery(feed),
        clocks: Clocks {
            rto_min: feed.one_of(&[ms(200), ms(1)]),
            rto_initial: feed.one_of(&[ms(1000), ms(3000)]),
            tick: feed.one_of(&[Duration::ZERO, ms(4), ms(10)]),
            timer_tick: feed.one_of(&[Duration::ZERO, ms(4)]),
        },
        truesize: Truesize { skb_truesize: feed.one_of(&[4352, 2304]), ack_truesize: 768 },
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
