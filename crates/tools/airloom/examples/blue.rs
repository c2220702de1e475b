//! A queue discipline of one's own: BLUE (Feng and others 2002).
//!
//! `cargo run --release --example blue SCENARIO` has it at the first access point of a scenario.

use airloom::queue::{self, Fate, Law, Seen};
use airloom::time::{Duration, Time};

/// Packets from which on the queue counts as overflowing.
const MOST: u32 = 200;

/// What an overflow adds to the probability, what an empty queue takes away, and the time between two changes.
const UP: f64 = 0.0025;
const DOWN: f64 = 0.00025;
const HOLD: Duration = Duration::from_millis(100);

/// Drops with a probability that rises when the queue overflows, and falls when it is empty.
struct Blue {
    probability: f64,
    changed: Time,
}

impl Law for Blue {
    fn arrives(&mut self, now: Time, seen: &Seen) -> Fate {
        let by = if seen.packets >= MOST { UP } else { -DOWN };
        if (seen.packets == 0 || seen.packets >= MOST) && now - self.changed > HOLD {
            self.probability = (self.probability + by).clamp(0.0, 1.0);
            self.changed = now;
        }
        if seen.chance < self.probability { Fate::Drop } else { Fate::Pass }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    queue::register("blue", || Box::new(Blue { probability: 0.0, changed: Time::ZERO }))?;
    let file = std::env::args().nth(1).ok_or("which scenario?")?;
    let set = airloom::set([("ap.0.queue", "{ discipline = \"blue\" }")]);
    let scenario = airloom::load(&std::fs::read_to_string(&file)?, &file, &set, None)?;
    let summary = airloom::summarize(&scenario, &mut |_| true)?;
    for node in &summary.nodes {
        for queue in &node.queues {
            println!("{} {}: {} packets dropped", node.name, queue.layer, queue.drops);
        }
    }
    Ok(())
}
