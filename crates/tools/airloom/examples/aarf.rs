//! A rate control of one's own: AARF (Lacage, Manshaei and Turletti 2004), at both ends of every link.
//!
//! `cargo run --release --example aarf SCENARIO [KEY=VALUE...]`, with `own.patient.most=100` for more patience.

use airloom::rate_control::{self, RateControl, RateId};
use airloom::summary::FlowNumbers;
use airloom::{Index, Making};

/// Goes up after so many successes in a row, and asks for twice as many where that fails at once.
struct Aarf {
    rate: usize,
    highest: usize,
    /// Successes that are asked for at first, at most, and now.
    least: i64,
    most: i64,
    now: i64,
    /// Failures in a row after which it goes down.
    enough: i64,
    successes: i64,
    failures: i64,
    attempts: i64,
    /// The next attempt is the first at a higher rate.
    tries: bool,
}

impl Aarf {
    fn new(making: &Making, rates: usize) -> Self {
        let [least, most, enough] = ["successes", "most", "failures"].map(|name| making.whole(name));
        Self {
            rate: rates - 1,
            highest: rates - 1,
            least,
            most,
            now: least,
            enough,
            successes: 0,
            failures: 0,
            attempts: 0,
            tries: false,
        }
    }

    fn go(&mut self, rate: usize) {
        (self.rate, self.successes, self.failures, self.attempts) = (rate, 0, 0, 0);
    }
}

impl RateControl for Aarf {
    fn preferred(&self) -> RateId {
        RateId::new(self.rate)
    }

    fn is_in_hardware(&self) -> bool {
        true
    }

    /// An A-MPDU has succeeded if half of it has.
    fn attempted(&mut self, attempted: u32, succeeded: u32) {
        let first = std::mem::replace(&mut self.tries, false);
        self.attempts += 1;
        if 2 * succeeded < attempted {
            (self.successes, self.failures) = (0, self.failures + 1);
            if first || self.failures == self.enough {
                self.now = if first { (2 * self.now).min(self.most) } else { self.least };
                self.go(self.rate.saturating_sub(1));
            }
            return;
        }
        (self.successes, self.failures) = (self.successes + 1, 0);
        // What the paper calls a timer: 15 attempts for 10 successes.
        let due = self.successes >= self.now || self.attempts >= self.now * 3 / 2;
        if due && self.rate < self.highest {
            self.go(self.rate + 1);
            self.tries = true;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = [("successes", 10.into()), ("most", 50.into()), ("failures", 2.into())];
    rate_control::register("patient", &parameters, |making, rates| Box::new(Aarf::new(making, rates.len())))?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let changes = changes.iter().filter_map(|one| one.split_once('='));
    let set = airloom::set([("station.0.rate", "patient")].into_iter().chain(changes));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    for flow in &airloom::summarize(&scenario, &mut |_| true)?.flows {
        if let FlowNumbers::Tcp(tcp) = &flow.numbers {
            println!("{}: {:.4} Mbit/s", flow.name, tcp.goodput.goodput_mbps);
        }
    }
    Ok(())
}
