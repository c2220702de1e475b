//! Checks before a run whether it fits into memory.
//!
//! Series and captures are written during the run; a series of more rows than can be read at once is refused nevertheless. Memory
//! grows with the length of a run only by data for its summary:
//! every round trip of a ping, for the quantiles, and every scan.

#[cfg_attr(target_family = "wasm", path = "of_a_page.rs")]
mod left;

use airloom_scenario::{Flow, FlowKind, Recording, RemedyPolicy, Role, Scan, Scenario, Station};
use airloom_sim::{Bytes, Duration};

/// A round trip, and its copy that is sorted.
const PING: u64 = 16;
/// A request for a scan, as it is kept and as JSON; a trip off the channel likewise.
const REQUEST: u64 = 900;
const TRIP: u64 = 1100;
/// A host with its queues, sockets and meters.
const HOST: u64 = 30_000;
/// No trip off the channel is shorter, with the time until the next.
const SHORTEST_TRIP: Duration = Duration::from_millis(20);

/// Rows of the longest series that is finer than seconds: a gigabyte or two once it is read.
const MOST_ROWS: u64 = 1 << 24;

/// Makes sure that `scenario` can be run here.
///
/// # Errors
/// Memory needed and available, and what to change.
pub fn check(scenario: &Scenario) -> Result<(), String> {
    readable(scenario)?;
    let needed = needed(scenario);
    match left::available().filter(|&available| available < needed) {
        None => Ok(()),
        Some(available) => Err(format!(
            "this run needs about {} of memory, and {} are left; make `duration` shorter, pings rarer or scans fewer",
            said(needed),
            said(available)
        )),
    }
}

/// Makes sure that a series finer than seconds can be read again.
fn readable(scenario: &Scenario) -> Result<(), String> {
    let (every, rows) = (scenario.record.every, rows(scenario));
    if every >= Recording::USUAL.every || rows <= MOST_ROWS {
        return Ok(());
    }
    let (millions, most) = (rows as f64 * 1e-6, MOST_ROWS as f64 * 1e-6);
    Err(format!(
        "this run's series would have about {millions:.0} million rows, at most {most:.1} can be read again; make \
         `record.every` longer, `duration` shorter or stations fewer"
    ))
}

/// The most rows that the series of `scenario` can have.
pub fn rows(scenario: &Scenario) -> u64 {
    let bins = scenario.duration.as_nanos().div_ceil(scenario.record.every.as_nanos().max(1));
    bins.saturating_mul(rows_of_a_bin(scenario))
}

/// The most rows that a bin of the series has: one for each metric of each node and flow.
fn rows_of_a_bin(scenario: &Scenario) -> u64 {
    let node = |role| match role {
        Role::AccessPoint(_) => 11,
        Role::Station(Station { adapter, .. }) => {
            if adapter.usb.is_some() {
                16
            } else {
                12
            }
        }
        Role::Server(_) => 5,
    };
    let flow = |flow: &Flow| match flow.kind {
        FlowKind::Tcp { .. } => 8,
        FlowKind::Udp { .. } | FlowKind::Publish { .. } => 2,
        FlowKind::Ping { .. } => 1,
    };
    scenario.nodes().map(|(_, role)| node(role)).chain(scenario.flow.iter().map(flow)).sum()
}

/// An estimate of the memory of a run, its end included.
pub fn needed(scenario: &Scenario) -> Bytes {
    let hosts = (scenario.station.len() + scenario.server.len()) as u64 * HOST;
    let pings: u64 = scenario.flow.iter().map(|flow| pings(flow, scenario.duration) * PING).sum();
    let scans = |Station { scan, .. }: &Station| scan.as_ref().map_or(0, |s| scans(s, scenario.duration));
    Bytes(hosts + pings + scenario.station.iter().map(scans).sum::<u64>())
}

fn pings(flow: &Flow, duration: Duration) -> u64 {
    match flow.kind {
        FlowKind::Ping { interval, .. } => {
            let lasts = flow.stop.unwrap_or(duration).min(duration).saturating_sub(flow.start);
            lasts.as_nanos() / interval.as_nanos().max(1)
        }
        FlowKind::Tcp { .. } | FlowKind::Udp { .. } | FlowKind::Publish { .. } => 0,
    }
}

/// The least memory for the scans of a station; a remedy may skip all of them.
fn scans(scan: &Scan, duration: Duration) -> u64 {
    let lasts = duration.saturating_sub(scan.first.unwrap_or(scan.longest)).as_nanos();
    let requests = lasts / scan.longest.as_nanos().max(1);
    let trips = match scan.remedy.policy {
        RemedyPolicy::None => (requests * u64::from(scan.channels)).min(lasts / SHORTEST_TRIP.as_nanos()),
        RemedyPolicy::SkipIfMoved | RemedyPolicy::Own(_) => 0,
    };
    requests * REQUEST + trips * TRIP
}

fn said(bytes: Bytes) -> String {
    match bytes.0 as f64 {
        b if b < 1e9 => format!("{:.0} MB", b * 1e-6),
        b => format!("{:.1} GB", b * 1e-9),
    }
}
