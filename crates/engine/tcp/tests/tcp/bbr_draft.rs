//! The example test cases of draft-ietf-ccwg-bbr (appendix A, as of 4ce5e87 in its repository) on a wire: one connection,
//! 10 Mbit/s and 40 ms there and back, a queue that never overflows, unless the case asks for something else.
//!
//! What only the state machine knows, such as `full_bw_count`, is tested on samples made by hand, beside the code.

use crate::wire::{PathSeen, RECEIVER, SENDER, Setup, Wire};
use airloom_observe::LossEvent;
use airloom_observe::PathPhase::{self, Cruise, Down, Drain, ProbeRtt, Refill, StartUp, Up};
use airloom_sim::{BitRate, Duration};
use airloom_tcp::{Config, Congestion, Detection, Growth, LossRecovery, SmallQueueLimits};

/// Payload of a full segment, and its bytes on the wire.
const MSS: u64 = 1448;
const ON_WIRE: u64 = 1538;
/// No bound.
const NONE: u32 = u32::MAX;
/// How often the application may write.
const STEP: Duration = Duration::from_micros(500);

/// What the application does.
#[derive(Clone, Copy)]
enum Application {
    /// It has always more to send than the buffer takes.
    Greedy,
    /// It never has more than eight segments waiting, so that it can fall silent at once.
    Prompt,
    /// It writes one segment in so many steps.
    Slow(u64),
    Silent,
}

/// A connection, and what BBR makes of it.
struct Run {
    wire: Wire,
    application: Application,
    steps: u64,
}

fn setup(mbps: u64) -> Setup {
    let recovery = LossRecovery {
        detection: Detection::Time,
        tail_loss_probe: true,
        timestamp_undo: true,
        duplicate_sack_undo: true,
        ..LossRecovery::PLAIN
    };
    let config = Config {
        growth: Growth { congestion: Congestion::Bbr3, ..Growth::PLAIN },
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        recovery,
        ..Config::PLAIN
    };
    let delay = Duration::from_millis(20);
    Setup { config, rate: BitRate::from_mbps(mbps), delay, drops_unseen: true, ..Setup::default() }
}

impl Run {
    fn new(application: Application, setup: Setup) -> Self {
        Self { wire: Wire::start(setup), application, steps: 0 }
    }

    fn step(&mut self) {
        self.steps += 1;
        let end = &self.wire.ends[SENDER];
        let (written, unsent) = (end.bytes_written(), end.unsent());
        let more = match self.application {
            Application::Greedy => u64::MAX / 2,
            Application::Prompt => (8 * MSS).saturating_sub(unsent),
            Application::Slow(steps) if self.steps.is_multiple_of(steps) => MSS,
            Application::Slow(_) | Application::Silent => 0,
        };
        self.wire.stop_writing_after(written + more);
        let until = self.wire.now() + STEP;
        self.wire.run_to(until);
    }

    fn run_for(&mut self, ms: u64) {
        (0..2 * ms).for_each(|_| self.step());
    }

    fn last(&self) -> PathSeen {
        *self.wire.log.paths.last().expect("it is connected")
    }

    /// Goes on until it is in this phase: all that was seen until then, with the first of the phase.
    fn until(&mut self, phase: PathPhase) -> Vec<PathSeen> {
        let from = self.wire.log.paths.len();
        for _ in 0..40_000 {
            self.step();
            let seen = &self.wire.log.paths[from..];
            if let Some(met) = seen.iter().position(|seen| seen.model.phase == phase) {
                return seen[..=met].to_vec();
            }
        }
        panic!("{phase:?} is not reached from {:?}", self.last());
    }

    /// Goes on until it is no longer in the phase in which it is: all that was seen of it, with the first of the next.
    fn through(&mut self) -> Vec<PathSeen> {
        let phase = self.last().model.phase;
        let paths = &self.wire.log.paths;
        let from = paths.len() - paths.iter().rev().take_while(|seen| seen.model.phase == phase).count();
        for _ in 0..40_000 {
            self.step();
            let seen = &self.wire.log.paths[from..];
            if let Some(end) = seen.iter().position(|seen| seen.model.phase != phase) {
                return seen[..=end].to_vec();
            }
        }
        panic!("it stays in {phase:?}");
    }

    /// Goodput in Mbit/s over so many milliseconds.
    fn goodput(&mut self, ms: u64) -> f64 {
        let before = self.wire.log.delivered;
        self.run_for(ms);
        (self.wire.log.delivered - before) as f64 * 8e-3 / ms as f64
    }

    /// From now on a share of what is sent is lost.
    fn lose(&mut self, share: f64) {
        self.wire.setup.faults[SENDER].loss = share;
    }

    /// From now on, for so many milliseconds, ACKs come together, once in each `together`.
    fn aggregate(&mut self, together: u64, ms: u64) {
        let at = |n: u64| self.wire.now() + Duration::from_millis(n * together);
        self.wire.setup.faults[RECEIVER].held = (0..ms / together).map(|n| (at(n), at(n + 1))).collect();
    }
}

/// The phases in their order.
fn phases(paths: &[PathSeen]) -> Vec<PathPhase> {
    let mut phases: Vec<_> = paths.iter().map(|seen| seen.model.phase).collect();
    phases.dedup();
    phases
}

/// Where rounds end: when a segment has arrived that was sent after they began.
fn rounds(paths: &[PathSeen]) -> Vec<PathSeen> {
    let over = |seen: &PathSeen| seen.delivered + u64::from(seen.in_flight);
    let mut end = over(&paths[0]);
    let mut rounds = Vec::new();
    for seen in paths {
        if seen.delivered > end {
            end = over(seen);
            rounds.push(*seen);
        }
    }
    rounds
}

/// What is there besides the first of the next phase, and that.
fn parted(paths: &[PathSeen]) -> (&[PathSeen], PathSeen) {
    let (next, phase) = paths.split_last().expect("a phase has ended");
    (phase, *next)
}

/// The rate in Mbit/s that it takes the path for.
fn mbps(seen: &PathSeen) -> f64 {
    seen.model.rate as f64 * 8e-6
}

/// What a wire carries of payload, in Mbit/s.
fn carries(mbps: f64) -> f64 {
    mbps * MSS as f64 / ON_WIRE as f64
}

/// Segments that fill the path as it takes it to be (`BBRInflight(1.0)`).
fn fills(seen: &PathSeen) -> u32 {
    (seen.model.rate as f64 * seen.model.least_rtt.as_secs_f64() / MSS as f64).ceil() as u32
}

fn close(a: f64, b: f64, share: f64) -> bool {
    (a / b - 1.0).abs() <= share
}

#[test]
fn a_1_exiting_startup_on_bandwidth_plateau() {
    let mut run = Run::new(Application::Greedy, setup(10));
    let seen = run.until(Drain);
    assert_eq!(phases(&seen), [StartUp, Drain]);
    assert!(close(mbps(&run.last()), carries(10.0), 0.02), "{} Mbit/s", mbps(&run.last()));
    let rates: Vec<_> = rounds(&seen).iter().map(mbps).collect();
    let grown: Vec<_> = rates.windows(2).map(|pair| pair[1] >= 1.25 * pair[0]).collect();
    assert_eq!(&grown[grown.len() - 4..], [true, false, false, false], "{rates:?}");
    assert_eq!(run.wire.log.retransmissions, 0);
}

#[test]
fn a_2_exiting_startup_on_loss_when_application_limited() {
    // 4 of 100 Mbit/s, and 200 ms, so that a round has many losses.
    let mut run = Run::new(Application::Slow(6), Setup { delay: Duration::from_millis(100), ..setup(100) });
    run.run_for(3_000);
    assert_eq!(phases(&run.wire.log.paths), [StartUp]);
    run.lose(0.2);
    let since = run.wire.now();
    let startup = run.through();
    let (_, next) = parted(&startup);
    // Nothing is left to drain: draining and going down are over with the same ACK.
    assert_eq!(next.model.phase, Cruise);
    assert!(next.model.long_term < NONE);
    let took = next.at.since(since).as_secs_f64();
    assert!((0.4..0.8).contains(&took), "{took} s: a round until a loss is seen, and one in recovery");
}

#[test]
fn a_3_exiting_drain_based_on_inflight() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Drain);
    let drain = run.through();
    let (drain, next) = parted(&drain);
    assert!(drain.iter().all(|seen| seen.model.pacing_gain == 256 / 2));
    assert!(drain.iter().all(|seen| seen.in_flight > fills(seen)));
    assert!(next.in_flight <= fills(&next));
    assert_eq!(next.model.phase, Cruise, "it need not go down any further");
    assert!(rounds(drain).len() <= 1);
}

#[test]
fn a_4_exiting_drain_based_on_time() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Drain);
    // The case takes a tenth away. At half the rate that is drained, so that more than half has to go.
    run.wire.setup.rate = BitRate::from_mbps(4);
    let drain = run.through();
    let (_, next) = parted(&drain);
    assert!(drain.iter().all(|seen| seen.in_flight > fills(seen)));
    assert_eq!((rounds(&drain).len(), next.model.phase), (4, Down), "more than three rounds");
}

#[test]
fn a_5_exiting_probe_up_on_bandwidth_plateau() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Up);
    let up = run.through();
    let (_, next) = parted(&up);
    assert_eq!((rounds(&up).len(), next.model.phase), (3, Down));
    assert_eq!((next.model.long_term, run.wire.log.retransmissions), (NONE, 0));
}

#[test]
fn a_6_exiting_probe_up_on_loss_when_application_limited() {
    let mut run = Run::new(Application::Prompt, setup(10));
    run.until(Up);
    run.application = Application::Slow(4);
    run.run_for(100);
    assert_eq!(run.last().model.phase, Up);
    let from = run.wire.log.paths.len() - 1;
    run.lose(0.2);
    let up = run.through();
    let (_, next) = parted(&up);
    assert!(rounds(&run.wire.log.paths[from..]).len() <= 2);
    // It goes down, where so little is in flight that it cruises with the same ACK.
    assert_eq!(next.model.phase, Cruise);
    assert_eq!(
        next.model.long_term, NONE,
        "of samples that are limited it learns no bound (`HandleInflightTooHigh`)"
    );
}

/// But for the measurement of the round trip, after five seconds.
#[test]
fn a_7_never_exiting_probe_up_or_startup_when_application_limited_with_no_loss() {
    let mut run = Run::new(Application::Slow(4), setup(10));
    run.run_for(10_000);
    assert_eq!(phases(&run.wire.log.paths), [StartUp, ProbeRtt, StartUp]);
    let mut run = Run::new(Application::Prompt, setup(10));
    run.until(Up);
    run.application = Application::Slow(4);
    let up = run.through();
    let (_, next) = parted(&up);
    assert_eq!(next.model.phase, ProbeRtt);
    assert!(rounds(&up).len() > 60, "{} rounds", rounds(&up).len());
}

#[test]
fn a_8_exiting_probe_down_on_inflight() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Up);
    run.until(Down);
    let down = run.through();
    let (down, next) = parted(&down);
    assert!(down.iter().all(|seen| seen.model.pacing_gain == 256 * 9 / 10));
    assert!(down.iter().all(|seen| seen.in_flight > fills(seen)));
    assert!(next.in_flight <= fills(&next));
    assert_eq!(next.model.phase, Cruise);
}

#[test]
fn a_9_exiting_probe_down_after_max_time() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Up);
    run.until(Down);
    // A tenth less would still be drained, since it paces one per cent below nine tenths.
    run.wire.setup.rate = BitRate::from_bps(8_500_000);
    let down = run.through();
    let (_, next) = parted(&down);
    let took = next.at.since(down[0].at).as_secs_f64();
    assert_eq!(next.model.phase, Refill);
    assert!((2.0..3.1).contains(&took), "{took} s");
}

#[test]
fn a_10_entering_and_exiting_probe_rtt() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(ProbeRtt);
    let probe = run.through();
    let (probe, next) = parted(&probe);
    let (begin, took) = (probe[0].at.as_secs_f64(), next.at.since(probe[0].at).as_secs_f64());
    assert!((5.0..5.1).contains(&begin), "the handshake is the least round trip: {begin} s");
    assert_eq!(probe[0].model.window_gain, 256 / 2);
    assert!(probe.iter().all(|seen| seen.cwnd <= fills(seen) / 2));
    assert!((0.2..0.3).contains(&took) && !rounds(probe).is_empty(), "{took} s");
    assert_eq!((next.model.phase, next.cwnd > 2 * fills(&next)), (Cruise, true), "{next:?}");
    // The next one is five seconds after this.
    let cycle = run.until(ProbeRtt);
    let pause = cycle.last().unwrap().at.since(next.at).as_secs_f64();
    assert!((5.0..5.1).contains(&pause), "{pause} s");
}

#[test]
fn a_11_skipping_probe_rtt_due_to_application_limited_sending() {
    let mut run = Run::new(Application::Prompt, setup(10));
    run.run_for(3_000);
    run.application = Application::Silent;
    run.run_for(6_000);
    assert_eq!(run.last().in_flight, 0);
    run.application = Application::Prompt;
    let from = run.wire.log.paths.len();
    run.run_for(4_900);
    assert!(!phases(&run.wire.log.paths[from..]).contains(&ProbeRtt), "the pause was measurement enough");
    run.run_for(300);
    assert!(phases(&run.wire.log.paths[from..]).contains(&ProbeRtt), "five seconds later it is due");
}

#[test]
fn a_12_achieving_expected_startup_bandwidth_on_a_link_with_aggregation() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.run_for(42);
    run.aggregate(20, 5_000);
    let seen = run.until(Drain);
    let end = seen.last().unwrap();
    // 16 segments and a quarter in each 20 ms, so that some rates are those of 17.
    assert!(close(mbps(end), carries(10.0), 0.05), "{} Mbit/s", mbps(end));
    assert!((16..=18).contains(&end.model.excess), "{}", end.model.excess);
    assert!(end.cwnd > 2 * fills(end), "{end:?}");
}

#[test]
fn a_13_achieving_expected_cruise_bandwidth_on_a_link_with_aggregation() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Cruise);
    for (together, comes) in [(20, 16..=18), (80, 64..=68)] {
        run.until(ProbeRtt);
        run.aggregate(together, 4_800);
        run.run_for(2_000);
        let mbps = run.goodput(2_000);
        assert!(mbps > 0.97 * carries(10.0), "{mbps} Mbit/s");
        let seen = run.last();
        assert!(comes.contains(&seen.model.excess), "{seen:?}");
        assert!(seen.cwnd.abs_diff(2 * fills(&seen) + seen.model.excess) <= 9, "{seen:?}");
    }
}

#[test]
fn a_14_correctly_managing_sub_packet_bdps() {
    // A segment takes 48 ms, the way 1 ms.
    let slow = Setup { delay: Duration::from_micros(500), rate: BitRate::from_bps(256_000), ..setup(10) };
    let mut run = Run::new(Application::Greedy, slow);
    run.run_for(20_000);
    let from = run.wire.log.paths.len();
    let mbps = run.goodput(10_000);
    assert!(close(mbps, carries(0.256), 0.03), "{mbps} Mbit/s");
    let least = run.wire.log.paths[from..].iter().map(|seen| seen.cwnd).min();
    assert_eq!(least, Some(4));
    assert!(close(self::mbps(&run.last()), carries(0.256), 0.03), "{:?}", run.last());
}

/// Without a bound of the long term it grows by the gain alone. A sample is the mean of a round, so that 1.25, less one per cent,
/// is a growth by 1.155 in each: ten times as much after 16 rounds, and three more show that this is all.
#[test]
fn a_15_increasing_bandwidth_10x_and_ensuring_full_bandwidth_is_reached() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Refill);
    run.wire.setup.rate = BitRate::from_mbps(100);
    run.until(Up);
    let up = run.through();
    assert!(close(mbps(up.last().unwrap()), carries(100.0), 0.02), "{:?}", up.last());
    assert_eq!(rounds(&up).len(), 19);
}

/// With one it is raised by one segment in the first round, and by twice as many in each that follows.
#[test]
fn a_15_increasing_bandwidth_10x_with_a_long_term_bound() {
    let mut run = Run::new(Application::Greedy, setup(10));
    run.until(Up);
    run.lose(0.1);
    run.until(Down);
    run.lose(0.0);
    assert!(run.last().model.long_term < 2 * fills(&run.last()), "{:?}", run.last());
    run.wire.setup.rate = BitRate::from_mbps(100);
    run.until(Up);
    let up = run.through();
    assert!(close(mbps(up.last().unwrap()), carries(100.0), 0.02), "{:?}", up.last());
    let bounds: Vec<_> = rounds(&up).iter().map(|seen| seen.model.long_term).collect();
    let grown: Vec<_> = bounds.windows(2).map(|pair| pair[1] - pair[0]).take(4).collect();
    assert_eq!(grown, [2, 4, 8, 16], "{bounds:?}");
    assert!(bounds.len() <= 25, "{} rounds", bounds.len());
}

#[test]
fn a_16_decreasing_bandwidth_10x_and_ensuring_max_bandwidth_adapts_down() {
    let mut run = Run::new(Application::Greedy, Setup { queue: 300, ..setup(100) });
    run.until(Cruise);
    run.wire.setup.rate = BitRate::from_mbps(10);
    run.until(Up);
    let begun = run.until(Down).pop().unwrap();
    assert!(close(mbps(&begun), carries(100.0), 0.02), "what it has measured counts for two cycles");
    // Losses lower the rate by 0.7 in each round, of more than 300 ms now.
    let down = run.through();
    assert!(mbps(down.last().unwrap()) < 0.5 * carries(100.0), "{:?}", down.last());
    run.until(Up);
    run.until(Down);
    run.run_for(1_000);
    assert!(close(mbps(&run.last()), carries(10.0), 0.02), "{:?}", run.last());
}

#[test]
fn a_17_handling_token_bucket_policers() {
    let mut run = Run::new(Application::Greedy, setup(100));
    run.wire.setup.faults[SENDER].policer = Some((BitRate::from_mbps(10), 1_000_000.0));
    run.run_for(2_000);
    let short = |seen: &PathSeen| seen.model.short_term < NONE;
    assert!(run.wire.log.paths.iter().any(short), "losses have taught it");
    let (before, sent) = (run.wire.log.retransmissions, run.wire.ends_sent(SENDER));
    let mbps = run.goodput(20_000);
    let lost = (run.wire.log.retransmissions - before) as f64 / (run.wire.ends_sent(SENDER) - sent) as f64;
    assert!(close(mbps, carries(10.0), 0.03), "{mbps} Mbit/s");
    assert!(lost < 0.07, "{lost} of all: each probe finds the bucket full, and empties it");
}

#[test]
fn a_18_handling_spurious_fast_recovery() {
    let mut run = Run::new(Application::Greedy, setup(10));
    let before = run.until(Up).pop().unwrap();
    let next = before.delivered + u64::from(before.in_flight);
    // Three segments come 35 ms late, two percent of the flight are less than one.
    let late = (2..5).map(|n| (next + n, Duration::from_millis(35))).collect();
    run.wire.setup.faults[SENDER].late_data = late;
    let from = run.wire.log.paths.len();
    run.run_for(200);
    let seen = &run.wire.log.paths[from..];
    assert_eq!(phases(seen), [Up, Down, Refill, Up]);
    let lowered = seen.iter().find(|seen| seen.model.phase == Down).unwrap();
    assert!(lowered.model.long_term < NONE && lowered.cwnd < before.cwnd, "{lowered:?}");
    let restored = seen.iter().find(|seen| seen.model.phase == Refill).unwrap();
    assert_eq!((restored.model.short_term, restored.model.long_term), (NONE, NONE));
    assert!(restored.cwnd >= before.cwnd, "{restored:?}");
    assert!(run.wire.log.losses.iter().any(|loss| loss.1 == LossEvent::Undone));
}

#[test]
fn a_19_handling_spurious_rto_recovery() {
    let mut run = Run::new(Application::Greedy, setup(10));
    let before = run.until(Up).pop().unwrap();
    let (begin, end) = (before.at + Duration::from_millis(20), before.at + Duration::from_millis(620));
    run.wire.setup.faults[SENDER].held = vec![(begin, end)];
    let from = run.wire.log.paths.len();
    run.run_for(1_000);
    let seen = &run.wire.log.paths[from..];
    assert_eq!(phases(seen)[..4], [Up, Down, Refill, Up]);
    let restored = seen.iter().find(|seen| seen.model.phase == Refill).unwrap();
    assert_eq!((restored.model.short_term, restored.model.long_term), (NONE, NONE));
    assert!(restored.cwnd >= 2 * fills(restored), "{restored:?}");
    let losses: Vec<_> = run.wire.log.losses.iter().map(|loss| loss.1).collect();
    assert_eq!(losses[..2], [LossEvent::Timeout, LossEvent::Undone]);
}

#[test]
fn a_20_entering_and_exiting_probe_rtt_during_startup() {
    let mut run = Run::new(Application::Slow(8), Setup { delay: Duration::from_millis(50), ..setup(10) });
    run.run_for(12_000);
    assert_eq!(phases(&run.wire.log.paths), [StartUp, ProbeRtt, StartUp, ProbeRtt, StartUp]);
    run.application = Application::Greedy;
    run.until(Drain);
    assert!(close(mbps(&run.last()), carries(10.0), 0.02), "{} Mbit/s", mbps(&run.last()));
}

#[test]
fn a_21_handling_loss_during_probe_up_after_inflight_longterm_is_set() {
    let mut run = Run::new(Application::Greedy, setup(10));
    let mut bounds = Vec::new();
    for _ in 0..4 {
        run.until(Up);
        run.lose(0.1);
        let up = run.through();
        run.lose(0.0);
        let (up, next) = parted(&up);
        assert_eq!(next.model.phase, Down);
        assert!(rounds(up).len() <= 2);
        bounds.push((up[0].model.long_term, next.model.long_term, fills(&next)));
    }
    assert_eq!(bounds[0].0, NONE);
    for (before, after, fills) in bounds {
        assert!(after < before && 10 * after >= 7 * fills, "{before} to {after} of {fills}");
    }
}

#[test]
fn a_22_handling_application_limited_sending_during_probe_refill() {
    let mut run = Run::new(Application::Prompt, setup(10));
    let before = run.until(Refill).pop().unwrap();
    run.application = Application::Slow(8);
    let refill = run.through();
    let (_, next) = parted(&refill);
    assert_eq!((rounds(&refill).len(), next.model.phase), (1, Up));
    run.run_for(200);
    assert_eq!((run.last().model.phase, run.last().model.rate), (Up, before.model.rate));
    run.application = Application::Prompt;
    let up = run.through();
    let (_, next) = parted(&up);
    assert_eq!((next.model.phase, next.model.rate), (Down, before.model.rate));
}
