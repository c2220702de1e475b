//! A roaming policy of one's own: below a signal it looks for an access point that is stronger by so much, the rule with hysteresis of
//! telephones (3GPP TS 36.331 5.5.4.4) and of most drivers.
//!
//! `cargo run --release --example stronger SCENARIO [KEY=VALUE...]` has it at the first station; `own.stronger.better=8` roams later.

use airloom::Making;
use airloom::roaming_policy::{self, Channels, Heard, Manager, Wish};
use airloom::summary::FlowNumbers;
use airloom::time::{Duration, Time};

/// Scans as the mean of its beacons falls below a signal, and again after a while.
struct Stronger {
    /// In dBm, and in dB.
    below: f64,
    better: f64,
    /// Time between two scans.
    every: Duration,
    /// What it has of its access point, in dBm, and whether that is below.
    mean: f64,
    low: bool,
}

impl Stronger {
    fn new(making: &Making) -> Self {
        let every = Duration::from_nanos((making.real("every") * 1e9).round() as u64);
        Self { below: making.real("below"), better: making.real("better"), every, mean: 0.0, low: false }
    }
}

impl Manager for Stronger {
    fn associated(&mut self, _: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        (self.mean, self.low) = (at.dbm.into(), false);
        wishes.push(Wish::Wake(None));
    }

    fn beacon(&mut self, _: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        self.mean += (f64::from(at.dbm) - self.mean) / 4.0;
        let was = std::mem::replace(&mut self.low, self.mean < self.below);
        if self.low && !was {
            wishes.push(Wish::Scan(Channels::Usual));
        }
    }

    fn scanned(&mut self, now: Time, _: bool, _: Option<&Heard>, others: &[Heard], wishes: &mut Vec<Wish>) {
        let best = others.iter().rev().max_by_key(|one| one.dbm);
        let enough = self.mean + self.better;
        match best.filter(|best| self.low && f64::from(best.dbm) >= enough) {
            Some(best) => wishes.push(Wish::Go(best.bss)),
            None => wishes.push(Wish::Wake(Some(now + self.every))),
        }
    }

    fn timer(&mut self, _: Time, wishes: &mut Vec<Wish>) {
        if self.low {
            wishes.push(Wish::Scan(Channels::Usual));
        }
    }

    /// wpa_supplicant's.
    fn searches_every(&self) -> Duration {
        Duration::from_secs(5)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = [("below", (-60.0).into()), ("better", 3.0.into()), ("every", 5.0.into())];
    roaming_policy::register("stronger", &parameters, |making, _| Box::new(Stronger::new(making)))?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let changes = changes.iter().filter_map(|one| one.split_once('='));
    let set = airloom::set([("station.0.roam", "stronger")].into_iter().chain(changes));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    let summary = airloom::summarize(&scenario, &mut |_| true)?;
    println!("roams: {}", summary.roams.iter().flatten().count());
    for flow in &summary.flows {
        if let FlowNumbers::Tcp(tcp) = &flow.numbers {
            println!("{}: {:.4} Mbit/s", flow.name, tcp.goodput.goodput_mbps);
        }
    }
    Ok(())
}
