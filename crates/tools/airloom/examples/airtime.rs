//! A scheduler of one's own: a deficit round robin (Shreedhar and Varghese 1995) that counts air time, as mac80211's does.
//!
//! `cargo run --release --example airtime SCENARIO [KEY=VALUE...]` has it at the first access point; `own.air.favoured=near` and
//! `own.air.weight=3` give one station three times the air of another.

use airloom::Making;
use airloom::scheduler::{self, Aired, Scheduler, Waiting};
use airloom::summary::FlowNumbers;
use airloom::time::Time;
use std::collections::BTreeMap;

/// The next turn is that of the first with air time left; where none has any, each is given its share.
struct AirTime {
    /// Seconds that each is given in a round.
    share: f64,
    /// Who is given more of them, and how often.
    favoured: &'static str,
    weight: f64,
    /// Seconds that each has left.
    left: BTreeMap<String, f64>,
}

impl AirTime {
    fn new(making: &Making) -> Self {
        Self {
            share: making.real("share"),
            favoured: making.text("favoured"),
            weight: making.real("weight"),
            left: BTreeMap::new(),
        }
    }

    fn left(&mut self, receiver: &str) -> &mut f64 {
        self.left.entry(receiver.to_owned()).or_default()
    }
}

impl Scheduler for AirTime {
    fn next(&mut self, _: Time, waiting: &[Waiting<'_>]) -> usize {
        loop {
            if let Some(place) = waiting.iter().position(|one| *self.left(one.receiver) > 0.0) {
                return place;
            }
            for one in waiting {
                let weight = if one.receiver == self.favoured { self.weight } else { 1.0 };
                *self.left(one.receiver) += self.share * weight;
            }
        }
    }

    fn aired(&mut self, _: Time, aired: &Aired<'_>) {
        *self.left(aired.peer) -= aired.time.as_secs_f64();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = [("share", 0.000_256.into()), ("favoured", "".into()), ("weight", 1.0.into())];
    scheduler::register("air", &parameters, |making| Box::new(AirTime::new(making)))?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let changes = changes.iter().filter_map(|one| one.split_once('='));
    let set = airloom::set([("ap.0.adapter.turns", "air")].into_iter().chain(changes));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    for flow in &airloom::summarize(&scenario, &mut |_| true)?.flows {
        if let FlowNumbers::Tcp(tcp) = &flow.numbers {
            println!("{}: {:.4} Mbit/s", flow.name, tcp.goodput.goodput_mbps);
        }
    }
    Ok(())
}
