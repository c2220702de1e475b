//! Requests to a world that runs: how it is, and what to change. Anybody of the same user may ask, over sockets; a request is a
//! line of JSON, and so is its answer.

use crate::state::State;
use airloom_observe::NodeId;
use airloom_scenario::{self as scenario, Flow, Scenario, Walk};
use airloom_world::ChangeError;
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::unistd::geteuid;
use rustix::event::{PollFd, PollFlags, poll};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The longest request in bytes.
const LONGEST: u64 = 65_536;

/// What a world is asked for.
#[derive(Clone, Debug)]
pub enum Wish {
    /// To say how it is.
    Look,
    /// To have a station scan.
    Scan(NodeId),
    /// To send a station for a walk.
    Walk(NodeId, Walk),
    /// To have an access point with power, or without.
    Switch(NodeId, bool),
    /// To become that of another scenario.
    Become(Box<Scenario>),
}

/// A wish, what to call it where it is marked, and where its answer goes.
#[derive(Debug)]
pub struct Request {
    /// What is wished.
    pub wish: Wish,
    /// What it is called.
    pub called: String,
    pub(crate) answer: Sender<Result<State, String>>,
}

/// The scenario as it was given, by which changes are read: as `--set` on the command line.
#[derive(Clone, Debug)]
pub struct ScenarioSource {
    /// Its text.
    pub text: String,
    /// What messages call it.
    pub file: String,
    /// Values over its own.
    pub overrides: Vec<(String, String)>,
    /// The seed over its own.
    pub seed: Option<u64>,
    /// Whether its flows are simulated.
    pub flows: bool,
}

impl ScenarioSource {
    /// The scenario, and the flows that were taken out of it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn load(&self) -> Result<(Scenario, Vec<Flow>), scenario::Mistakes> {
        let mut read = scenario::load(&self.text, &self.file, &self.overrides, self.seed)?;
        let replaced = if self.flows { Vec::new() } else { std::mem::take(&mut read.flow) };
        Ok((read, replaced))
    }

    /// The station of this name.
    fn station(&self, name: &str) -> Result<NodeId, String> {
        let (scenario, _) = self.load().map_err(|error| error.to_string())?;
        let stations = scenario.stations().map(|(id, station)| (id, station.name.as_str()));
        named("station", name, stations.collect())
    }

    /// The access point of this name.
    fn access_point(&self, name: &str) -> Result<NodeId, String> {
        let (scenario, _) = self.load().map_err(|error| error.to_string())?;
        let access_points = scenario.access_points().map(|(id, ap)| (id, ap.name.as_str()));
        named("access point", name, access_points.collect())
    }

    /// The same with more values over its own.
    fn with(&self, settings: &[(String, String)]) -> Self {
        let kept = self.overrides.iter().filter(|(key, _)| !settings.iter().any(|(new, _)| new == key));
        let overrides = kept.chain(settings).cloned().collect();
        Self { overrides, ..self.clone() }
    }
}

/// The one of this name.
fn named(kind: &str, name: &str, all: Vec<(NodeId, &str)>) -> Result<NodeId, String> {
    let found = all.iter().find(|(_, one)| *one == name).map(|(id, _)| *id);
    let names = || all.iter().map(|(_, one)| *one).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("no {kind} {name:?}; there are {}", names()))
}

/// A request as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Look,
    Scan(String),
    /// A station, where it goes, and at what speed or in which time.
    Walk(String, String, String),
    Off(String),
    On(String),
    Set(Vec<(String, String)>),
}

/// An answer to one that failed.
#[derive(Serialize)]
struct Refused {
    error: String,
}

/// Takes requests until the process ends.
#[derive(Debug)]
pub struct Control {
    requests: Receiver<Request>,
}

impl Control {
    /// Takes them from these sockets.
    pub fn new(listeners: Vec<UnixListener>, source: ScenarioSource) -> Self {
        let (ask, requests) = channel();
        let source = Arc::new(Mutex::new(source));
        thread::spawn(move || accept(&listeners, &source, &ask));
        Self { requests }
    }

    /// The next request.
    pub(crate) fn next(&self) -> Option<Request> {
        self.requests.try_recv().ok()
    }
}

/// Takes connections, each into a thread of its own.
fn accept(listeners: &[UnixListener], source: &Arc<Mutex<ScenarioSource>>, ask: &Sender<Request>) {
    loop {
        let mut all: Vec<_> = listeners.iter().map(|one| PollFd::new(one, PollFlags::IN)).collect();
        if listeners.is_empty() || poll(&mut all, None).is_err_and(|error| error != rustix::io::Errno::INTR) {
            return;
        }
        let ready: Vec<bool> = all.iter().map(|one| !one.revents().is_empty()).collect();
        for (listener, _) in listeners.iter().zip(ready).filter(|(_, ready)| *ready) {
            if let Ok((stream, _)) = listener.accept()
                && is_own(&stream)
            {
                let (source, ask) = (Arc::clone(source), ask.clone());
                thread::spawn(move || serve(&stream, &source, &ask));
            }
        }
    }
}

/// Whether the other end belongs to the same user, or to root. Names of this kind have no permissions of their own.
fn is_own(stream: &UnixStream) -> bool {
    getsockopt(stream, PeerCredentials).is_ok_and(|peer| peer.uid() == geteuid().as_raw() || peer.uid() == 0)
}

/// Answers one after another, until the other end has no more.
fn serve(stream: &UnixStream, source: &Mutex<ScenarioSource>, ask: &Sender<Request>) -> io::Result<()> {
    let (mut lines, mut out) = (BufReader::new(stream), stream);
    loop {
        let mut line = String::new();
        if lines.by_ref().take(LONGEST).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut answer = match answered(&line, source, ask) {
            Ok(state) => serde_json::to_vec(&state)?,
            Err(error) => serde_json::to_vec(&Refused { error })?,
        };
        answer.push(b'\n');
        out.write_all(&answer)?;
    }
}

/// Refuses settings that nothing in the world would notice: of flows, which run as they began or are carried by hosts, and what is so
/// already.
fn refuse_without_effect(
    (before, running): (&Scenario, &[Flow]),
    (after, flows): (&Scenario, &[Flow]),
) -> Result<(), String> {
    if before.flow != after.flow || running != flows {
        return Err(ChangeError::Fixed.to_string());
    }
    if before == after {
        return Err("that changes nothing: it is so already".to_owned());
    }
    Ok(())
}

/// The answer to a line.
fn answered(line: &str, source: &Mutex<ScenarioSource>, ask: &Sender<Request>) -> Result<State, String> {
    let written: Written = serde_json::from_str(line).map_err(|error| format!("no request: {error}"))?;
    // One change after the other: each is of the scenario that the one before has left.
    let mut source = source.lock().map_err(|_| "the world has ended".to_owned())?;
    let mut changed = None;
    let (wish, called) = match written {
        Written::Look => (Wish::Look, String::new()),
        Written::Scan(name) => (Wish::Scan(source.station(&name)?), format!("scan {name}")),
        Written::Walk(name, place, pace) => {
            let walk = Walk::read(&place, &pace)?;
            (Wish::Walk(source.station(&name)?, walk), format!("walk {name} to {place}, {pace}"))
        }
        Written::Off(name) => (Wish::Switch(source.access_point(&name)?, false), format!("{name} off")),
        Written::On(name) => (Wish::Switch(source.access_point(&name)?, true), format!("{name} on")),
        Written::Set(settings) => {
            let next = source.with(&settings);
            let [before, after] = [&*source, &next].map(ScenarioSource::load);
            let (scenario, flows) = after.map_err(|error| error.to_string())?;
            if let Ok((before, running)) = before {
                refuse_without_effect((&before, &running), (&scenario, &flows))?;
            }
            let called = settings.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>();
            changed = Some(next);
            (Wish::Become(Box::new(scenario)), called.join(", "))
        }
    };
    let (answer, answers) = channel();
    let ended = || "the world has ended".to_owned();
    ask.send(Request { wish, called, answer }).map_err(|_| ended())?;
    let state = answers.recv().map_err(|_| ended())??;
    if let Some(next) = changed {
        *source = next;
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An example with a flow, with these settings over its own.
    fn source(flows: bool) -> ScenarioSource {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/download.toml");
        let text = std::fs::read_to_string(file).expect("it is there");
        ScenarioSource { text, file: "download.toml".to_owned(), overrides: Vec::new(), seed: None, flows }
    }

    /// What a change of one setting is answered with before it reaches the world; nothing if it reaches it.
    fn refused(flows: bool, key: &str, value: &str) -> Option<String> {
        let (ask, _none) = channel();
        drop(_none);
        let line = serde_json::json!({ "set": [[key, value]] }).to_string();
        let answer = answered(&line, &Mutex::new(source(flows)), &ask).expect_err("there is no world");
        (answer != "the world has ended").then_some(answer)
    }

    #[test]
    fn what_no_part_of_the_world_would_notice_is_refused() {
        for flows in [false, true] {
            for (key, value) in
                [("flow.0.tcp.congestion", "bbr"), ("flow.0.bytes", "1 MB"), ("flow.0.start", "1 s")]
            {
                let said = refused(flows, key, value).unwrap_or_default();
                assert!(said.starts_with("that is fixed while it runs; "), "{key} {flows}: {said}");
            }
            let (scenario, _) = source(flows).load().expect("sound");
            let snr = format!("{} dB", scenario.station[0].snr);
            let distance = scenario.station[0].distance.map(|metres| format!("{metres} m"));
            let same = distance.map_or(("station.0.snr", snr), |metres| ("station.0.distance", metres));
            assert_eq!(
                refused(flows, same.0, &same.1).as_deref(),
                Some("that changes nothing: it is so already")
            );
            assert_eq!(refused(flows, "station.0.distance", "17 m"), None);
            assert_eq!(refused(flows, "ap.0.queue.discipline", "codel"), None);
        }
    }
}
