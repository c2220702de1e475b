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
    let recovery = recovery(feed);
    let mss = feed.one_of(&[1460, 536, 100, 8960]);
    let initial_window = feed.one_of(&[10, 1, 2, 3, 40]);
    let initial_ssthresh = feed.one_of(&[None, Some(2), Some(12)]);
    let small_queue = feed.one_of(&[None, Some(Bytes(131_072)), Some(Bytes(4000))]);
    let small_queue_shift = feed.one_of(&[None, Some(10), Some(7), Some(0)]);
    let send_buffer_initial = feed.one_of(&[Bytes(16_384), Bytes(4000), Bytes(300_000)]);
    let send_buffer_max = feed.one_of(&[Bytes(500_000), Bytes(16_384)]);
    let send_buffer_segment = feed.one_of(&[None, Some(4352)]);
    let receive_buffer_initial = feed.one_of(&[Bytes(131_072), Bytes(4000), Bytes(87_380)]);
    let receive_buffer_max = feed.one_of(&[Bytes(1 << 20), Bytes(131_072), Bytes(32 << 20)]);
    let window_validation = feed.kind(Validation::WORDS);
    let slow_start_after_idle = feed.flag();
    let congestion = feed.kind(Congestion::WORDS);
    let slow_start = feed.kind(SlowStart::WORDS);
    let slow_start_past_threshold = feed.flag();
    let hystart_part = feed.one_of(&[8, 16]);
    let hystart_all_samples = feed.flag();
    let hystart_train_margin = feed.one_of(&[Duration::ZERO, ms(1)]);
    let cubic_fastest = feed.one_of(&[2, 1]);
    let slow_start_by_acks = feed.flag();
    let count_segments = feed.flag();
    let grow_by_delivered = feed.flag();
    let sack = !feed.octet().is_multiple_of(4);
    let timestamps = feed.flag();
    let duplicate_sack = feed.flag();
    let window_scale = feed.octet() % 15;
    let right_sizing = feed.kind(RightSizing::WORDS);
    let receive_window_share = u32::from(feed.octet() % 15);
    let initial_receive_window = feed.one_of(&[10, 4, 45]);
    let sack_delay = feed.one_of(&[Duration::ZERO, ms(1)]);
    let sack_slack = feed.one_of(&[Duration::ZERO, Duration::from_micros(100)]);
    let sacks_held = feed.one_of(&[44, 0, 1]);
    let ecn = feed.flag();
    let nagle = feed.flag();
    let rto_min = feed.one_of(&[ms(200), ms(1)]);
    let rto_initial = feed.one_of(&[ms(1000), ms(3000)]);
    let quick_acks = feed.one_of(&[16, 0]);
    let delayed_ack = feed.one_of(&[ms(40), Duration::ZERO, ms(100)]);
    let timer_tick = feed.one_of(&[Duration::ZERO, ms(4)]);
    let ack_pushed = feed.flag();
    let send_buffer_between_segments = feed.flag();
    let tick = feed.one_of(&[Duration::ZERO, ms(4), ms(10)]);
    let bursts = feed.flag();
    let skb_truesize = feed.one_of(&[4352, 2304]);
    let ack_truesize = 768;
    Config {
        offer: Offer { mss, sack, timestamps, duplicate_sack, window_scale, ecn },
        clocks: Clocks { tick, timer_tick, rto_min, rto_initial },
        truesize: Truesize { skb_truesize, ack_truesize },
        growth: Growth {
            initial_window,
            initial_ssthresh,
            congestion,
            slow_start,
            slow_start_past_threshold,
            hystart: HyStartLimits { hystart_part, hystart_all_samples, hystart_train_margin },
            cubic_fastest,
            slow_start_by_acks,
            count_segments,
            grow_by_delivered,
        },
        unused_window: UnusedWindow { window_validation, slow_start_after_idle },
        recovery,
        send: SendSpace {
            send_buffer_initial,
            send_buffer_max,
            send_buffer_segment,
            send_buffer_between_segments,
        },
        nagle,
        small_queue: SmallQueueLimits { small_queue, small_queue_shift, bursts },
        receive: ReceiveSpace {
            receive_buffer_initial,
            receive_buffer_max,
            right_sizing,
            receive_window_share,
            initial_receive_window,
        },
        acks: Acks { delayed_ack, quick_acks, ack_pushed },
        held_sacks: HeldSacks { sack_delay, sack_slack, sacks_held },
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
