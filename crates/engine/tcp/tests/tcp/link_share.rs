//! A sender that knows the rate of its link.

use crate::wire::{Faults, SENDER, Setup, Wire};
use airloom_sim::{BitRate, Duration, Time};
use airloom_tcp::{Config, Congestion, Growth, SlowStart, SmallQueueLimits, UnusedWindow, Validation};
use proptest::prelude::*;

const CONTROLS: [Congestion; 2] = [Congestion::NewReno, Congestion::Cubic];

/// A path of 20 ms that holds a window of any size.
fn setup(congestion: Congestion) -> Setup {
    let config = Config {
        growth: Growth { congestion, slow_start: SlowStart::Standard, ..Growth::PLAIN },
        unused_window: UnusedWindow { window_validation: Validation::Linux, ..UnusedWindow::PLAIN },
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    };
    // A loss ends slow start.
    let faults = [Faults { lose_data: vec![100], ..Faults::default() }, Faults::default()];
    Setup { config, faults, rate: BitRate::from_mbps(20), ..Setup::default() }
}

#[test]
fn below_the_highest_rate_a_part_of_the_window_is_in_flight_and_above_it_all_of_it_again() {
    for congestion in CONTROLS {
        let mut wire = Wire::start(setup(congestion));
        wire.run_for(1000);
        let (whole, in_flight) = (wire.ends[SENDER].cwnd(), wire.ends[SENDER].in_flight());
        assert!(whole > 30 && in_flight + 3 > whole, "{in_flight} of {whole}");
        wire.link_rate(1);
        wire.run_for(500);
        let saved = wire.ends[SENDER].cwnd();
        assert_eq!(saved, whole, "the window underneath stays what it was");
        assert!(wire.ends[SENDER].in_flight() <= saved / 11, "{} of {saved}", wire.ends[SENDER].in_flight());
        wire.link_rate(11);
        assert_eq!(wire.ends[SENDER].in_flight(), saved, "back at once, in one burst");
    }
}

#[test]
fn a_loss_on_a_slow_link_cuts_the_saved_window_which_then_grows_back_and_no_further() {
    for congestion in CONTROLS {
        let mut setup = setup(congestion);
        setup.faults[0].lose_data.push(2500);
        let mut wire = Wire::start(setup);
        wire.run_for(1000);
        wire.link_rate(2);
        let saved = wire.ends[SENDER].cwnd();
        let mut least = saved;
        for _ in 0..600 {
            wire.run_for(100);
            least = least.min(wire.ends[SENDER].cwnd());
            assert!(wire.ends[SENDER].cwnd() <= saved);
        }
        assert!(least < saved, "a segment was lost");
        assert_eq!(wire.ends[SENDER].cwnd(), saved, "after a minute");
    }
}

#[test]
fn a_connection_that_begins_on_a_slow_link_has_a_window_that_grows() {
    let mut wire = Wire::new(setup(CONTROLS[0]));
    wire.link_rate(1);
    wire.open();
    wire.run_for(5000);
    assert!(wire.ends[SENDER].in_flight() > 3, "{}", wire.ends[SENDER].in_flight());
}

#[test]
fn what_the_window_tells_is_what_is_in_use() {
    let mut wire = Wire::new(setup(CONTROLS[0]));
    wire.log.keep_windows = true;
    wire.open();
    wire.run_for(1000);
    wire.link_rate(2);
    wire.run_for(1000);
    let cwnd = wire.ends[SENDER].cwnd();
    assert_eq!(wire.log.windows.last().map(|w| w.1), Some(cwnd / 6), "11 over 2, rounded, is 6");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn whatever_is_lost_and_whatever_the_link_does_everything_arrives(
        rates in prop::collection::vec(1u64..=11, 1..20),
        loss in 0.0..0.1f64,
        cubic in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let faults = [Faults { loss, ..Faults::default() }, Faults { loss, ..Faults::default() }];
        let bytes = 300_000;
        let mut wire = Wire::start(Setup { faults, bytes, seed, ..setup(CONTROLS[usize::from(cubic)]) });
        for rate in rates {
            wire.run_for(100);
            wire.link_rate(rate);
        }
        wire.link_rate(1);
        wire.run(Time::ZERO + Duration::from_secs(600));
        prop_assert_eq!(wire.log.delivered, bytes);
    }
}
