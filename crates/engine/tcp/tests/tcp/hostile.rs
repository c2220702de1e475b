//! With any faults of the wire, every byte arrives once and in order, and the connection ends.

use crate::wire::{Faults, RECEIVER, SENDER, Setup, Wire};
use airloom_sim::{BitRate, Bytes, Duration, Time};
use airloom_tcp::{
    Clocks, Config, Congestion, Detection, Growth, HyStartLimits, LossRecovery, Offer, Phase, ReceiveSpace,
    Reduction, SendSpace, SlowStart, SmallQueueLimits, UnusedWindow, Validation,
};
use proptest::prelude::*;

fn faults() -> impl Strategy<Value = Faults> {
    let share = |most: f64| prop_oneof![Just(0.0), 0.0..most];
    (share(0.2), share(0.1), share(0.2), 0u64..50, share(0.2)).prop_map(
        |(loss, dup, reorder, ms, refusal)| Faults {
            loss,
            duplication: dup,
            reordering: reorder,
            disorder: Duration::from_millis(ms),
            refusal,
            ..Faults::default()
        },
    )
}

/// Any kind of a list.
fn one_of<T: Copy + std::fmt::Debug>(
    kinds: &'static [(&'static str, T)],
) -> impl Strategy<Value = T> + Clone {
    proptest::sample::select(kinds).prop_map(|(_, kind)| kind)
}

fn config() -> impl Strategy<Value = Config> {
    let congestion = (one_of(Congestion::WORDS), one_of(SlowStart::WORDS), 1..32u32);
    let validation = one_of(Validation::WORDS);
    let buffer = (10_000u64..500_000, 1u64..10).prop_map(|(b, times)| (Bytes(b), Bytes(b * times)));
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (congestion, validation, buffer.clone(), buffer, switches, 0u8..9, any::<bool>(), 0u64..2).prop_map(
        |(
            (congestion, slow_start, hystart_part),
            validation,
            send,
            receive,
            (sack, stamps, dsack, limited, nagle),
            scale,
            tsq,
            tick,
        )| {
            Config {
                growth: Growth {
                    congestion,
                    slow_start,
                    hystart: HyStartLimits { hystart_part, ..HyStartLimits::PLAIN },
                    ..Growth::PLAIN
                },
                unused_window: UnusedWindow { window_validation: validation, ..UnusedWindow::PLAIN },
                send: SendSpace { send_buffer_initial: send.0, send_buffer_max: send.1, ..SendSpace::PLAIN },
                receive: ReceiveSpace {
                    receive_buffer_initial: receive.0,
                    receive_buffer_max: receive.1,
                    ..ReceiveSpace::PLAIN
                },
                offer: Offer {
                    sack,
                    timestamps: stamps,
                    duplicate_sack: dsack,
                    window_scale: scale,
                    ..Offer::PLAIN
                },
                small_queue: SmallQueueLimits {
                    small_queue: tsq.then_some(Bytes(131_072)),
                    ..SmallQueueLimits::PLAIN
                },
                clocks: Clocks { tick: Duration::from_millis(4 * tick), ..Clocks::PLAIN },
                nagle,
                recovery: LossRecovery {
                    lost_retransmissions: dsack != limited,
                    limited_transmit: limited,
                    ..LossRecovery::PLAIN
                },
                ..Config::PLAIN
            }
        },
    )
}

/// How a sender detects losses, and undoes its reactions.
fn recovering(config: Config) -> impl Strategy<Value = Config> {
    let detection = one_of(Detection::WORDS);
    let switches = (any::<([bool; 6], [bool; 3])>(), detection);
    switches.prop_map(
        move |(([halving, timestamps, duplicates, repeated, stale, frto], others), detection)| Config {
            growth: Growth { slow_start_by_acks: others[1], ..config.growth },
            receive: ReceiveSpace { receive_window_share: 2 * u32::from(others[2]), ..config.receive },
            recovery: LossRecovery {
                detection,
                tail_loss_probe: others[0],
                reduction: if halving { Reduction::RateHalving } else { Reduction::Proportional },
                timestamp_undo: timestamps,
                duplicate_sack_undo: duplicates,
                undo_repeated_timeout: repeated,
                stale_retransmit_stamp: stale,
                frto,
                ..config.recovery
            },
            ..config
        },
    )
}

fn setup() -> impl Strategy<Value = Setup> {
    let path = (1u64..200, 0u64..100, prop_oneof![Just(1000usize), 1usize..40]);
    (config().prop_flat_map(recovering), path, faults(), faults(), any::<u64>(), any::<u32>(), 0u64..400_000)
        .prop_map(|(config, (mbps, ms, queue), there, back, seed, isn, bytes)| Setup {
            config,
            rate: BitRate::from_mbps(mbps),
            delay: Duration::from_millis(ms),
            queue,
            drops_unseen: false,
            faults: [there, back],
            seed,
            // Half of all runs wrap.
            isn: if seed % 2 == 0 { u32::MAX - isn % 400_000 } else { isn },
            bytes,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_byte_arrives_once_and_in_order(setup in setup()) {
        let bytes = setup.bytes;
        let tsq = setup.config.small_queue.small_queue.is_some();
        let mut wire = Wire::start(setup);
        // Stop early where the last FIN's acknowledgment may be lost for as long as the peer likes.
        let mut until = Time::ZERO;
        while !wire.ends.iter().all(|e| e.phase() == Phase::Finished) && until < Time::ZERO + Duration::from_secs(40_000) {
            until += Duration::from_secs(10);
            wire.run(until);
        }
        prop_assert_eq!(wire.ends[RECEIVER].bytes_delivered(), bytes);
        prop_assert_eq!(wire.log.delivered, bytes);
        prop_assert_eq!(wire.ends[SENDER].bytes_acked(), bytes);
        prop_assert!(wire.finished == [true, true], "finished: {:?}", wire.finished);
        prop_assert_eq!(wire.ends[SENDER].in_flight(), 0);
        wire.run(until + Duration::from_secs(300));
        prop_assert_eq!(wire.ends[SENDER].held_below() + wire.ends[RECEIVER].held_below(), 0);
        if tsq {
            // 31 data segments, and retransmissions and ACKs, which are not limited, on top: only without losses exact.
            prop_assert!(wire.log.retransmissions > 0 || wire.most_held <= 31 * 4352 + 20 * 768);
        }
    }
}
