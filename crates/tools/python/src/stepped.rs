//! A run in steps: it has a thread of its own, and waits in it until Python has decided what comes next.

use crate::kept_scenarios::KeptScenarios;
use crate::{errors, own};
use airloom_lab::metrics::SeriesRow;
use airloom_lab::scenario::{Flow, NodeLink, Role, Scenario};
use airloom_lab::stepped::{Decides, Next, run_stepped};
use airloom_lab::summary::Summary;
use airloom_lab::world::ChangeError;
use airloom_sim::Time;
use pyo3::prelude::*;
use std::mem;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What a step tells: the time in seconds, and each value with the place of its entity and the name of its metric.
type Step = (f64, Vec<(u16, &'static str, f64)>);

/// What something is, its name, the group that it belongs to, and from where to where it goes if it is a flow.
type Entity = (&'static str, String, Option<String>, Option<(String, String)>);

/// Nodes, links and flows in the order of the series.
fn entities(scenario: &Scenario) -> Vec<Entity> {
    let node = |(_, role): (_, Role<'_>)| match role {
        Role::AccessPoint(ap) => ("ap", ap.name.clone(), None, None),
        Role::Station(station) => ("station", station.name.clone(), station.group.clone(), None),
        Role::Server(server) => ("server", server.name.clone(), None, None),
    };
    let flow = |flow: &Flow| {
        ("flow", flow.name.clone(), flow.group.clone(), Some((flow.from.clone(), flow.to.clone())))
    };
    let link = |link: NodeLink| ("link", link.name, None, None);
    let links = scenario.node_links().into_iter().map(link);
    scenario.nodes().map(node).chain(links).chain(scenario.flow.iter().map(flow)).collect()
}

/// What the run says.
enum Report {
    Step(Time, Vec<SeriesRow>),
    Refused(ChangeError),
}

/// Passes on what comes of each step, and waits for what comes next.
struct Asks {
    tell: Sender<Report>,
    hear: Receiver<Next>,
}

impl Asks {
    /// What comes next, once this has been told; the end if nobody listens any more.
    fn ask(&self, report: Report) -> Option<Next> {
        self.tell.send(report).ok()?;
        self.hear.recv().ok()
    }
}

impl Decides for Asks {
    fn next(&mut self, now: Time, rows: Vec<SeriesRow>) -> Next {
        if own::is_raised() {
            return Next::End;
        }
        self.ask(Report::Step(now, rows)).unwrap_or(Next::End)
    }

    fn refused(&mut self, why: ChangeError) {
        // Who is gone hears of no refusal either; the next question ends the run.
        let _ = self.tell.send(Report::Refused(why));
    }
}

/// What became of a run: its summary, or why there is none.
type Ended = Result<Option<Summary>, PyErr>;

/// Wall time between two looks for Ctrl-C while a step is taken.
const INTERVAL: Duration = Duration::from_millis(50);

/// A run that has begun and goes on step by step.
struct Running {
    /// The process in which its thread is: one that was forked has no such thread.
    process: u32,
    decide: Sender<Next>,
    told: Receiver<Report>,
    thread: JoinHandle<Ended>,
}

/// Where a run is.
enum State {
    Running(Running),
    /// At its end, with its summary, which nobody has taken yet.
    Ended(Option<Box<Summary>>),
    Gone,
}

/// A run in steps, each as long as a bin of the scenario's series.
#[pyclass(frozen)]
pub(crate) struct Stepped {
    scenarios: KeptScenarios,
    state: Mutex<State>,
    /// Nodes and flows, by the places that steps tell.
    #[pyo3(get)]
    entities: Vec<Entity>,
    /// How long the scenario lasts, in seconds.
    #[pyo3(get)]
    duration: f64,
}

#[pymethods]
impl Stepped {
    #[new]
    fn new(
        py: Python<'_>,
        text: String,
        file: String,
        overrides: Vec<(String, String)>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let scenarios = KeptScenarios::of(text, file, seed);
        let scenario = scenarios.with(overrides)?;
        let (entities, duration) = (entities(&scenario), scenario.duration.as_secs_f64());
        let running = py.detach(|| Running::begin(scenario))?;
        Ok(Self { scenarios, state: Mutex::new(State::Running(running)), entities, duration })
    }

    /// Goes on for a step, with these overrides from now on if some are given. Nothing if it has ended.
    fn step(&self, py: Python<'_>, overrides: Option<Vec<(String, String)>>) -> PyResult<Option<Step>> {
        let after = overrides.map(|all| self.scenarios.with(all)).transpose()?;
        py.detach(|| self.at_rest()?.step(after))
    }

    /// Ends it, and gives its summary as JSON; nothing if there is none, or if it was taken before.
    fn end(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let summary = py.detach(|| self.at_rest()?.end())?;
        Ok(summary.map(|summary| summary.to_document().to_string()))
    }
}

impl Stepped {
    /// The run between two steps.
    fn at_rest(&self) -> PyResult<MutexGuard<'_, State>> {
        let state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // A hook of the run itself, or another thread.
            Err(TryLockError::WouldBlock) => {
                return Err(errors::refused("the run is in the midst of a step"));
            }
        };
        match &*state {
            State::Running(run) if run.process != std::process::id() => Err(errors::refused(
                "a run goes on in the process in which it began, not in one that was forked",
            )),
            _ => Ok(state),
        }
    }
}

impl State {
    /// Goes on for a step, in the world of another scenario if one is given.
    fn step(&mut self, after: Option<Scenario>) -> PyResult<Option<Step>> {
        let Self::Running(run) = self else { return Ok(None) };
        match run.step(after) {
            Ok(Some(told)) => told.map(Some),
            Ok(None) => {
                let Self::Running(run) = mem::replace(self, Self::Gone) else { return Ok(None) };
                // What ended it may be an error in a hook.
                *self = Self::Ended(run.end()?.map(Box::new));
                Ok(None)
            }
            Err(interrupted) => {
                // Its thread ends as it asks what comes next.
                *self = Self::Gone;
                Err(interrupted)
            }
        }
    }

    /// Ends the run, and gives its summary once.
    fn end(&mut self) -> Ended {
        match mem::replace(self, Self::Gone) {
            Self::Running(run) => run.end(),
            Self::Ended(summary) => Ok(summary.map(|summary| *summary)),
            Self::Gone => Ok(None),
        }
    }
}

impl Running {
    /// Begins a run in a thread of its own, which waits for its first step.
    fn begin(scenario: Scenario) -> PyResult<Self> {
        let ((decide, hear), (tell, told)) = (channel(), channel());
        let thread = thread::spawn(move || {
            let ended = run_stepped(&scenario, &mut Asks { tell, hear });
            own::take().map_or_else(|| ended.map_err(errors::run), Err)
        });
        let running = Self { process: std::process::id(), decide, told, thread };
        match running.told.recv() {
            Ok(_) => Ok(running),
            // It was refused before anything ran.
            Err(_) => running.end().map(|_| unreachable!("a run reports its beginning")),
        }
    }

    /// What comes of a step, or why the world cannot be that of another scenario; nothing if the run has ended.
    ///
    /// # Errors
    /// If Python was interrupted meanwhile.
    fn step(&self, after: Option<Scenario>) -> PyResult<Option<PyResult<Step>>> {
        let next = after.map_or(Next::On, |scenario| Next::Become(Box::new(scenario)));
        if self.decide.send(next).is_err() {
            return Ok(None);
        }
        let told = match self.hear()? {
            Some(Report::Step(now, rows)) => {
                let row = |row: SeriesRow| (row.entity, row.metric.name_and_unit().0, row.value);
                Ok((now.as_secs_f64(), rows.into_iter().map(row).collect()))
            }
            Some(Report::Refused(why)) => {
                // It waits at the same place as before.
                self.hear()?;
                Err(errors::refused(&why.to_string()))
            }
            None => return Ok(None),
        };
        Ok(Some(told))
    }

    /// Waits for what the run says; nothing if it has ended.
    fn hear(&self) -> PyResult<Option<Report>> {
        loop {
            match self.told.recv_timeout(INTERVAL) {
                Ok(report) => return Ok(Some(report)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            }
        }
    }

    /// Has it end, and waits for that.
    fn end(self) -> Ended {
        let Self { decide, told, thread, .. } = self;
        // It waits for a decision, or has ended.
        let _ = decide.send(Next::End);
        drop(told);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
