//! A queue discipline of one's own: BLUE (Feng and others 2002).
//!
//! `cargo run --release --example blue SCENARIO [KEY=VALUE...]` has it at the first access point of a scenario.

use airloom::Making;
use airloom::queue::{self, Fate, Law, Seen};
use airloom::time::{Duration, Time};

/// Drops with a probability that rises when the queue overflows, and falls when it is empty.
struct Blue {
    /// Packets from which on the queue counts as overflowing.
    most: u32,
    /// What an overflow adds to the probability, what an empty queue takes away, and the time between two changes.
    up: f64,
    down: f64,
    hold: Duration,
    probability: f64,
    changed: Time,
}

impl Blue {
    fn new(making: &Making) -> Self {
        Self {
            most: making.whole("most") as u32,
            up: making.real("up"),
            down: making.real("down"),
            hold: Duration::from_nanos((making.real("hold") * 1e9) as u64),
            probability: 0.0,
            changed: Time::ZERO,
        }
    }
}

impl Law for Blue {
    fn arrives(&mut self, now: Time, seen: &Seen) -> Fate {
        let by = if seen.packets >= self.most { self.up } else { -self.down };
        if (seen.packets == 0 || seen.packets >= self.most) && now - self.changed > self.hold {
            self.probability = (self.probability + by).clamp(0.0, 1.0);
            self.changed = now;
        }
        if seen.chance < self.probability { Fate::Drop } else { Fate::Pass }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters =
        [("most", 200.into()), ("up", 0.0025.into()), ("down", 0.000_25.into()), ("hold", 0.1.into())];
    queue::register("blue", &parameters, |making| Box::new(Blue::new(making)))?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let changes = changes.iter().filter_map(|one| one.split_once('='));
    let set = airloom::set([("ap.0.queue", "{ discipline = \"blue\" }")].into_iter().chain(changes));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    let summary = airloom::summarize(&scenario, &mut |_| true)?;
    for node in &summary.nodes {
        for queue in &node.queues {
            println!("{} {}: {} packets dropped", node.name, queue.layer, queue.drops);
        }
    }
    Ok(())
}
