//! A congestion control of one's own: Vegas (Brakmo and Peterson 1995), beside what a scenario has.
//!
//! `cargo run --release --example vegas SCENARIO [KEY=VALUE...]`, with `flow.0.tcp.congestion=vegas` for the first flow.

use airloom::Making;
use airloom::congestion_control::{self, CongestionControl, CongestionWindow, Progress};
use airloom::summary::FlowNumbers;
use airloom::time::{Duration, Time};

/// Keeps a few segments in the path's queue, by what a round trip takes more than the least.
#[derive(Default)]
struct Vegas {
    /// How many, at least and at most.
    few: f64,
    many: f64,
    /// The least round trip so far, and that of this round.
    least: Option<Duration>,
    of_round: Option<Duration>,
    /// What was sent next at the beginning of this round.
    until: u64,
    doubles: bool,
}

impl Vegas {
    fn new(making: &Making) -> Self {
        Self { few: making.real("few"), many: making.real("many"), ..Self::default() }
    }

    fn round(&mut self, w: &mut CongestionWindow) {
        let Some((rtt, least)) = self.of_round.take().zip(self.least) else { return };
        let queued = f64::from(w.cwnd) * (1.0 - least.as_secs_f64() / rtt.as_secs_f64());
        if !w.in_slow_start() {
            w.cwnd = (w.cwnd + u32::from(queued < self.few) - u32::from(queued > self.many)).max(2);
        } else if queued > self.few {
            w.ssthresh = w.cwnd;
        } else {
            self.doubles = !self.doubles;
            w.cwnd *= 1 + u32::from(self.doubles);
        }
    }
}

impl CongestionControl for Vegas {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        (w.cwnd * 3 / 4).max(2)
    }

    /// It decides once in a round trip, in [`acked`](Self::acked).
    fn grow(&mut self, _: &mut CongestionWindow, _: &Progress) {}

    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        if let Some(rtt) = rtt {
            self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
            self.of_round = Some(self.of_round.map_or(rtt, |least| least.min(rtt)));
        }
        if ack.una >= self.until {
            self.until = ack.next;
            self.round(w);
        }
    }

    fn timeout(&mut self, _: Time, _: u64) {
        self.of_round = None;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = [("few", 2.0.into()), ("many", 4.0.into())];
    congestion_control::register("vegas", &parameters, |making| Box::new(Vegas::new(making)))?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let set = airloom::set(changes.iter().filter_map(|one| one.split_once('=')));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    let summary = airloom::summarize(&scenario, &mut |_| true)?;
    for flow in &summary.flows {
        if let FlowNumbers::Tcp(tcp) = &flow.numbers {
            println!("{} {}: {:.4} Mbit/s", flow.name, tcp.congestion, tcp.goodput.goodput_mbps);
        }
    }
    Ok(())
}
