//! Traffic of one's own: a source that sends and is silent for Pareto's times, of which many together are self-similar (Willinger,
//! Taqqu, Sherman and Wilson 1997).
//!
//! `cargo run --release --example pareto SCENARIO [KEY=VALUE...]` has it in the first flow, with `own.pareto.shape=1.2` for longer tails.

use airloom::summary::FlowNumbers;
use airloom::time::{Duration, Time};
use airloom::traffic::{self, Delivery, HandOver, Traffic};
use airloom::{Making, Stream};

/// Hands over the same at equal intervals while it sends.
struct OnOff {
    /// Mean times in seconds.
    on: f64,
    off: f64,
    /// The smaller it is, the longer the longest times; the mean is finite above 1, the variance above 2.
    shape: f64,
    /// Seconds between two hand-overs of so many bytes.
    gap: f64,
    size: u64,
    /// Hand-overs to come before it is silent.
    left: u64,
    /// Its own random numbers.
    draw: Stream,
}

impl OnOff {
    fn new(making: &Making) -> Self {
        let size = making.whole("size").unsigned_abs();
        Self {
            on: making.real("on"),
            off: making.real("off"),
            shape: making.real("shape"),
            gap: size as f64 * 8e-6 / making.real("mbps"),
            size,
            left: 0,
            draw: making.stream(),
        }
    }

    /// Seconds with this mean: Pareto's are exponential in an exponential deviate.
    fn seconds(&mut self, mean: f64) -> f64 {
        let least = mean * (self.shape - 1.0) / self.shape;
        least * libm::exp(self.draw.exponential() / self.shape)
    }
}

impl Traffic for OnOff {
    /// It is silent first, so that sources do not begin together.
    fn next(&mut self, _: Time) -> Option<HandOver> {
        let mut wait = self.gap;
        if self.left == 0 {
            wait = self.seconds(self.off);
            self.left = (self.seconds(self.on) / self.gap).ceil() as u64;
        }
        self.left -= 1;
        Some(HandOver { wait: Duration::from_nanos((wait * 1e9) as u64), bytes: self.size })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = [
        ("mbps", 4.0.into()),
        ("size", 1000.into()),
        ("on", 0.2.into()),
        ("off", 0.3.into()),
        ("shape", 1.5.into()),
    ];
    traffic::register("pareto", &parameters, Delivery::Unseen, |making| Box::new(OnOff::new(making)))?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let changes = changes.iter().filter_map(|one| one.split_once('='));
    let set = airloom::set([("flow.0.traffic", "pareto")].into_iter().chain(changes));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    for flow in &airloom::summarize(&scenario, &mut |_| true)?.flows {
        if let FlowNumbers::Tcp(tcp) = &flow.numbers {
            println!("{}: {:.4} Mbit/s", flow.name, tcp.goodput.goodput_mbps);
        }
    }
    Ok(())
}
