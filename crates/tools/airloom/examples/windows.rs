//! A probe of one's own: what it sees of a run and no summary has.
//!
//! `cargo run --release --example windows SCENARIO` prints the largest congestion window of each flow, and when it was that.

use airloom::World;
use airloom::observe::{FlowId, Observation, Probe};
use airloom::time::Time;
use std::collections::BTreeMap;

/// The largest window of each flow, in segments, and when it was that first.
#[derive(Default)]
struct Largest(BTreeMap<FlowId, (u32, Time)>);

impl Probe for Largest {
    /// Single MPDUs and packets are of no interest.
    const DETAIL: bool = false;

    fn see(&mut self, now: Time, seen: Observation) {
        if let Observation::Window(window) = seen {
            let largest = self.0.entry(window.flow).or_default();
            if window.cwnd > largest.0 {
                *largest = (window.cwnd, now);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which scenario?")?;
    let scenario = airloom::load(&std::fs::read_to_string(&file)?, &file, &[], None)?;
    let mut world = World::new(&scenario, Largest::default());
    world.run(&mut |_| true);
    for (flow, (cwnd, when)) in world.into_probe().0 {
        println!("flow {}: {cwnd} segments at {:.3} s", flow.0, when.as_secs_f64());
    }
    Ok(())
}
