//! Worlds in real time, between network devices that Python has opened.

use crate::{Capture, errors};
use airloom_emulate::{Control, Devices, Live, ScenarioSource, Watch};
use airloom_lab::run::{Options, drive, drive_to_bundle};
use airloom_lab::scenario::{self, Scenario};
use airloom_lab::world::addresses;
use pyo3::prelude::*;
use std::fs::File;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

/// The hosts of a scenario, stations first, and their addresses.
#[pyfunction]
pub(crate) fn hosts(
    text: &str,
    file: &str,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
) -> PyResult<Vec<(String, String)>> {
    let scenario = scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    Ok(named(&scenario).into_iter().map(|(name, node)| (name, addresses::ip(node).to_string())).collect())
}

/// A real program of a scenario: its name, the host and the line to run, what runs on the other host and where, when it is
/// started and ended in seconds.
type ProgramParts = (String, (String, String), Option<(String, String)>, f64, Option<f64>);

/// The real programs of a scenario.
#[pyfunction]
pub(crate) fn programs(
    text: &str,
    file: &str,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
) -> PyResult<Vec<ProgramParts>> {
    let scenario = scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    let parts = |program: scenario::Program| {
        let scenario::Program { name, from, to, start, stop, command, listen } = program;
        let listen = listen.map(|line| (to, line));
        (name, (from, command), listen, start.as_secs_f64(), stop.map(|stop| stop.as_secs_f64()))
    };
    Ok(scenario.program.into_iter().map(parts).collect())
}

/// Stations and servers with their nodes.
fn named(scenario: &Scenario) -> Vec<(String, airloom_observe::NodeId)> {
    let hosts = scenario.nodes().filter(|(_, role)| role.host().is_some());
    hosts.map(|(node, role)| (role.name().clone(), node)).collect()
}

/// Moves a scenario along with the clock, between one network device for each host, in the order of `hosts`, until `stop` can
/// be read or the scenario ends. `kernels` are netlink sockets in the hosts, by which their kernels tell of TCP. Without `flows`
/// the scenario's own are left out. Requests come over `listeners`. By `gateway`, if there is one, packets leave for addresses outside. Takes the file descriptors over. Writes a bundle at `out`, if that is given, and returns the
/// timing as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
#[pyo3(signature = (text, file, overrides, seed, flows, devices, kernels, listeners, stop, gateway, out=None, replace=false, capture=None, engine=None))]
pub(crate) fn live(
    py: Python<'_>,
    text: String,
    file: String,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
    flows: bool,
    devices: Vec<RawFd>,
    kernels: Vec<RawFd>,
    listeners: Vec<RawFd>,
    stop: RawFd,
    gateway: Option<&str>,
    out: Option<PathBuf>,
    replace: bool,
    capture: Option<Capture>,
    engine: Option<String>,
) -> PyResult<String> {
    let devices: Vec<File> = devices.into_iter().map(taken).map(File::from).collect();
    let stop = File::from(taken(stop));
    let watch = Watch::new(kernels.into_iter().map(taken).map(File::from).collect());
    let listeners = listeners.into_iter().map(taken).map(UnixListener::from).collect();
    let source = ScenarioSource { text, file, overrides, seed, flows };
    let (scenario, replaced) = source.load().map_err(errors::scenario)?;
    let nodes = named(&scenario).into_iter().map(|(_, node)| node);
    let control = Control::new(listeners, source);
    let devices = Devices::new(nodes.zip(devices).collect(), watch, control, stop);
    let mut driver = Live::new(devices, scenario.clone(), &replaced);
    if let Some((_, node)) =
        gateway.and_then(|name| named(&scenario).into_iter().find(|(host, _)| host == name))
    {
        driver.lead_out_by(node);
    }
    let options = Options { replace, capture: capture.map(crate::settings), engine };
    let done = py.detach(|| match out {
        Some(out) => drive_to_bundle(&scenario, &out, &options, &mut driver).map(|_| ()),
        None => drive(&scenario, &mut driver),
    });
    done.map_err(errors::run)?;
    Ok(driver.lateness.timing().to_json())
}

/// A descriptor that Python gives away.
#[expect(
    unsafe_code,
    reason = "Python knows descriptors as numbers; it gives these away and never uses them again"
)]
fn taken(descriptor: RawFd) -> OwnedFd {
    // SAFETY: the caller in Python detached the descriptor from its own file object, so that nothing else closes it.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}
