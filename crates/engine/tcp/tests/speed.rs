//! What a segment costs: run with `--release -- --ignored --nocapture`.
#![expect(clippy::disallowed_types, reason = "it measures how long a segment takes")]

use airloom_observe::{Direction, FlowId, Observation, Probe};
use airloom_sim::{Duration, Time};
use airloom_tcp::{Config, Effects, Endpoint, Outgoing, Role, SmallQueueLimits, Timer, TimerChange};
use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Instant;

/// A fold as cheap as the usual metrics.
struct Fold(u64);

impl Probe for Fold {
    const DETAIL: bool = false;

    fn see(&mut self, _: Time, seen: Observation) {
        self.0 += match seen {
            Observation::Window(w) => u64::from(w.cwnd),
            Observation::Rtt { sample, .. } => sample.as_nanos(),
            Observation::Delivered { bytes, .. } => bytes,
            _ => 1,
        };
    }
}

/// Two endpoints with nothing between them but two lists and every `loss`-th data segment missing.
fn run(segments: u64, loss: u64, config: Config) -> (f64, u64) {
    let end = |role, direction| Endpoint::new(config, role, FlowId(0), direction, 1);
    let mut ends = [end(Role::Active, Direction::Forward), end(Role::Passive, Direction::Backward)];
    let mut fx = Effects::default();
    let mut lists: [VecDeque<Outgoing>; 2] = [VecDeque::new(), VecDeque::new()];
    let mut probe = Fold(0);
    let mut due = [[None; Timer::ALL.len()]; 2];
    let mut now = Time::ZERO;
    ends[0].open(now, &mut fx, &mut probe);
    let (mut data, mut changes) = (0, 0);
    let mut carry = |i: usize,
                     fx: &mut Effects,
                     lists: &mut [VecDeque<Outgoing>; 2],
                     due: &mut [[Option<Time>; Timer::ALL.len()]; 2]| {
        lists[i].extend(fx.segments.drain(..));
        for (slot, change) in due[i].iter_mut().zip(fx.timers) {
            match change {
                TimerChange::Keep => continue,
                TimerChange::Set(at) => *slot = Some(at),
                TimerChange::Cancel => *slot = None,
            }
            changes += 1;
        }
        let write = i == 0 && (fx.established || fx.writable);
        fx.clear();
        write
    };
    carry(0, &mut fx, &mut lists, &mut due);
    let begin = Instant::now();
    while data < segments {
        now += Duration::from_micros(10);
        let mut idle = true;
        for i in 0..2 {
            // Each turn moves at most one segment each way, with a queue of 20 before it is deemed transmitted.
            if let Some(out) = lists[i].pop_front() {
                idle = false;
                ends[i].sent(now, u64::from(out.truesize), &mut fx, &mut probe);
                while carry(i, &mut fx, &mut lists, &mut due) {
                    ends[i].write(now, u64::MAX / 4, &mut fx, &mut probe);
                }
                if out.segment.payload > 0 {
                    data += 1;
                    if data % loss == 0 {
                        continue;
                    }
                }
                ends[1 - i].receive(now, &out.segment, &mut fx, &mut probe);
                while carry(1 - i, &mut fx, &mut lists, &mut due) {
                    ends[1 - i].write(now, u64::MAX / 4, &mut fx, &mut probe);
                }
            }
        }
        if idle {
            now += Duration::from_millis(1);
        }
        for i in 0..2 {
            for timer in Timer::ALL {
                if due[i][timer.index()].is_some_and(|at| at <= now) {
                    due[i][timer.index()] = None;
                    ends[i].timer(now, timer, &mut fx, &mut probe);
                    carry(i, &mut fx, &mut lists, &mut due);
                }
            }
        }
    }
    black_box(probe.0);
    (begin.elapsed().as_nanos() as f64 / segments as f64, changes)
}

#[test]
#[ignore = "a measurement, not a test"]
fn nanoseconds_per_segment() {
    // Without small queues the two lists hold up to 964 segments: the cost must not grow with the window.
    let large = Config {
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    };
    for (name, config) in [("small window", Config::PLAIN), ("large window", large)] {
        for loss in [u64::MAX, 1000, 100] {
            let n = 2_000_000;
            // The best of some runs: others use the machine too.
            let runs = (0..5).map(|_| run(n, loss, config));
            let (ns, changes) = runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("five runs");
            let changes = changes as f64 / n as f64;
            println!("{name}, one in {loss} lost: {ns:.0} ns and {changes:.4} timer changes per segment");
        }
    }
}
