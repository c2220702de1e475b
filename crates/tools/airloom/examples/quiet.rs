//! A scan policy of one's own: a scan that is asked for is skipped if data have moved since the request before, for so long at most.
//!
//! `cargo run --release --example quiet SCENARIO [KEY=VALUE...]` has it at the first station, which scans; `own.quiet.longest=60` lets one
//! through after a minute.

use airloom::scan_policy::{self, Asked, ScanPolicy};
use airloom::summary::FlowNumbers;
use airloom::time::{Duration, Time};

/// Skips while data move.
struct Quiet {
    /// After so long a scan takes place though data move.
    longest: Duration,
    /// Since when they are postponed.
    since: Option<Time>,
}

impl ScanPolicy for Quiet {
    fn allows(&mut self, now: Time, asked: &Asked) -> bool {
        let since = *self.since.get_or_insert(now);
        let allowed = asked.moved == 0 || now - since >= self.longest;
        if allowed {
            self.since = None;
        }
        allowed
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    scan_policy::register("quiet", &[("longest", 600.0.into())], |making| {
        let longest = Duration::from_nanos((making.real("longest") * 1e9).round() as u64);
        Box::new(Quiet { longest, since: None })
    })?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, changes) = arguments.split_first().ok_or("which scenario?")?;
    let changes = changes.iter().filter_map(|one| one.split_once('='));
    let set = airloom::set([("station.0.scan.remedy", "quiet")].into_iter().chain(changes));
    let scenario = airloom::load(&std::fs::read_to_string(file)?, file, &set, None)?;
    let summary = airloom::summarize(&scenario, &mut |_| true)?;
    println!("scans: {}", summary.scans.len());
    for flow in &summary.flows {
        if let FlowNumbers::Tcp(tcp) = &flow.numbers {
            println!("{}: {:.4} Mbit/s", flow.name, tcp.goodput.goodput_mbps);
        }
    }
    Ok(())
}
