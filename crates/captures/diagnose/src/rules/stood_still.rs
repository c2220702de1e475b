//! Ways that stood still again and again, and not as a scan does: what a host shows of outages.

use crate::evidence::Evidence;
use airloom_trace::Bins;
use airloom_trace::tcp::Connection;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// What is shorter may be a station's turn among many, or its sleep until the next beacon, in nanoseconds.
const SHORTEST: u64 = 150_000_000;
/// So many are no accident.
const FEWEST: usize = 3;
/// The share of the time that they take, in percent.
const LEAST_PCT: f64 = 5.0;

/// What a capture shows of the way from an end, if it stood still again and again, in words; a capture of the air beside it tells more.
pub(super) fn stood_still(
    evidence: &Evidence,
    capture: usize,
    connection: &Connection,
    from: usize,
) -> Option<String> {
    let spells = connection.interruptions[from].list.kept();
    let span_ns = connection.span_ns;
    let spells: Vec<_> = spells.iter().filter(|spell| spell.length_ns() >= SHORTEST).collect();
    let heard = |at: u64| {
        let at = evidence.seconds_in(capture, at);
        evidence.is_heard(at, at)
    };
    let away: u64 = spells.iter().map(|spell| spell.length_ns()).sum();
    let share = 100.0 * away as f64 / (span_ns.1 - span_ns.0).max(1) as f64;
    if spells.len() < FEWEST || share < LEAST_PCT || spells.iter().any(|spell| heard(spell.from_ns)) {
        return None;
    }
    let longest = spells.iter().map(|spell| spell.length_ns()).max()?;
    let spans: Vec<_> = spells.iter().map(|spell| (spell.from_ns, spell.to_ns)).collect();
    let others = hosts_meanwhile(evidence, capture, connection.ends[from].ip(), &spans);
    let beside = if others > 0 {
        format!(
            "meanwhile data of {others} other {} went on: where they share its air they may have had it, as many stations do, or some that do not hear each other; or ",
            if others == 1 { "host" } else { "hosts" }
        )
    } else {
        "others had the air (many stations, or some that do not hear each other), ".to_owned()
    };
    Some(format!(
        "{} times, {share:.0} % of the time, nothing came for {:.0} ms on average, {:.0} ms at most, and then what had been sent meanwhile: \
         {beside}something disturbs the way, a radio was away, or a link fades; a monitor's capture beside this one tells which",
        spells.len(),
        away as f64 / spells.len() as f64 / 1e6,
        longest as f64 / 1e6
    ))
}

/// How many hosts beside one and those that it talks to have data arrive in most of some spells, in nanoseconds.
fn hosts_meanwhile(evidence: &Evidence, capture: usize, host: IpAddr, spells: &[(u64, u64)]) -> usize {
    let connections = &evidence.connections[capture];
    let partners: BTreeSet<IpAddr> = connections
        .iter()
        .map(|one| one.ends.map(|end| end.ip()))
        .filter(|ends| ends.contains(&host))
        .flatten()
        .collect();
    let goes_on = |data: &Bins| {
        let in_spell = |&&(from, to): &&(u64, u64)| data.sum(from, to) > 0.0;
        2 * spells.iter().filter(in_spell).count() > spells.len()
    };
    let others = connections.iter().filter(|one| one.directions.iter().any(|data| goes_on(&data.delivered)));
    let hosts: BTreeSet<IpAddr> = others.flat_map(|one| one.ends.map(|end| end.ip())).collect();
    hosts.difference(&partners).count()
}
