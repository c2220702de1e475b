//! What holds for every channel, whatever it damages and whatever it makes damaged headers say.

use crate::bench::{Bench, Exchange, Luck, exchange};
use airloom_sim::Duration;
use proptest::prelude::*;

/// A channel without a fault.
fn fine() -> Exchange {
    Exchange { luck: vec![Luck::Good; 32], answered: true, pause: Duration::from_millis(1) }
}

/// Agreements of 802.11n, 802.11ax and 802.11be.
fn window() -> impl Strategy<Value = u16> {
    prop::sample::select(vec![64, 256, 1024])
}

proptest! {
    /// The checks of the bench hold throughout; at the end, once the channel is fine, nothing is held any more.
    #[test]
    fn without_the_remedy_what_arrives_good_goes_up_once_in_order_and_in_time(
        window in window(),
        exchanges in prop::collection::vec(exchange(30, 5), 1..60),
        retry_limit in 0u32..12,
    ) {
        let mut bench = Bench::new(window, retry_limit, false);
        exchanges.iter().for_each(|e| bench.play(e));
        (0..40).for_each(|_| bench.play(&fine()));
        prop_assert!(bench.reorder.is_empty());
    }

    #[test]
    fn with_the_remedy_nothing_is_out_of_order_twice_or_behind_a_number_given_up(
        window in window(),
        exchanges in prop::collection::vec(exchange(50, 5), 1..60),
        retry_limit in 0u32..12,
    ) {
        let mut bench = Bench::new(window, retry_limit, true);
        exchanges.iter().for_each(|e| bench.play(e));
        (0..40).for_each(|_| bench.play(&fine()));
        prop_assert!(bench.reorder.is_empty());
    }

    /// Even if most numbers lie, only what was given up is missing, and a fine channel delivers everything again.
    #[test]
    fn numbers_that_lie_cannot_stall_delivery(
        window in window(),
        exchanges in prop::collection::vec(exchange(20, 200), 1..60),
        aim in prop::option::of(0u16..128),
    ) {
        let mut bench = Bench::new(window, 10, true);
        for mut e in exchanges {
            if let Some(aim) = aim {
                // All of them name one number near the head, the worst that can be.
                let target = (bench.reorder.head() + aim * (window / 64)) % 4096;
                e.luck.iter_mut().for_each(|l| if let Luck::Lie(seq) = l { *seq = target });
            }
            bench.play(&e);
        }
        // What was given up ahead of its time is used up within two windows.
        (0..10).for_each(|_| bench.play(&fine()));
        let before = bench.delivered.len();
        let late = bench.too_late;
        (0..20).for_each(|_| bench.play(&fine()));
        prop_assert_eq!(bench.delivered.len() - before, 10 * usize::from(window));
        prop_assert_eq!(bench.too_late, late);
    }
}
