//! A run in steps: it has a thread of its own, and waits in it until Python has decided what comes next.

use crate::{errors, own};
use airloom_lab::metrics::SeriesRow;
use airloom_lab::scenario::{self, Flow, Role, Scenario};
use airloom_lab::stepped::{Decides, Next, run_stepped};
use airloom_lab::summary::Summary;
use airloom_lab::world::ChangeError;
use airloom_sim::Time;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// What a step tells: the time in seconds, and each value with the place of its entity and the name of its metric.
type Step = (f64, Vec<(u16, &'static str, f64)>);

/// What something is, its name, and the group that it belongs to.
type Entity = (&'static str, String, Option<String>);

/// Nodes and flows in the order of the series.
fn entities(scenario: &Scenario) -> Vec<Entity> {
    let node = |(_, role): (_, Role<'_>)| match role {
        Role::AccessPoint(ap) => ("ap", ap.name.clone(), None),
        Role::Station(station) => ("station", station.name.clone(), station.group.clone()),
        Role::Server(server) => ("server", server.name.clone(), None),
    };
    let flow = |flow: &Flow| ("flow", flow.name.clone(), flow.group.clone());
    scenario.nodes().map(node).chain(scenario.flow.iter().map(flow)).collect()
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
type Ended = Result<Summary, PyErr>;

/// A run that has begun and goes on step by step.
struct Running {
    decide: Sender<Next>,
    told: Receiver<Report>,
    thread: JoinHandle<Ended>,
}

/// A run in steps, each as long as a bin of the scenario's series.
#[pyclass(frozen)]
pub(crate) struct Stepped {
    source: (String, String, Option<u64>),
    overrides: Mutex<Vec<(String, String)>>,
    running: Mutex<Option<Running>>,
    /// Nodes and flows, by the places that steps tell: what each is, its name, and its group.
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
        let scenario = scenario::load(&text, &file, &overrides, seed).map_err(errors::scenario)?;
        let (entities, duration) = (entities(&scenario), scenario.duration.as_secs_f64());
        let running = py.detach(|| Running::begin(scenario))?;
        Ok(Self {
            source: (text, file, seed),
            overrides: Mutex::new(overrides),
            running: Mutex::new(Some(running)),
            entities,
            duration,
        })
    }

    /// Goes on for a step, in the scenario with these settings over its own from now on. Nothing if it has ended.
    fn step(&self, py: Python<'_>, settings: Vec<(String, String)>) -> PyResult<Option<Step>> {
        py.detach(|| self.go_on(settings))
    }

    /// Ends it, and gives its summary as JSON; nothing if it has been ended before.
    fn end(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let ended = py.detach(|| lock(&self.running).take().map(Running::end).transpose())?;
        Ok(ended.map(|summary| summary.to_document().to_string()))
    }
}

impl Stepped {
    fn go_on(&self, settings: Vec<(String, String)>) -> PyResult<Option<Step>> {
        let mut running = lock(&self.running);
        let Some(run) = running.as_ref() else { return Ok(None) };
        let after = if settings.is_empty() { None } else { Some(self.with(settings)?) };
        let (scenario, overrides) = after.unzip();
        let Some(step) = run.step(scenario)? else {
            // What ended it may be an error in a hook.
            return running.take().map_or(Ok(None), |run| run.end().map(|_| None));
        };
        if let Some(overrides) = overrides {
            *lock(&self.overrides) = overrides;
        }
        Ok(Some(step))
    }

    /// The scenario with more settings over its own, and all of these.
    fn with(&self, settings: Vec<(String, String)>) -> PyResult<(Scenario, Vec<(String, String)>)> {
        let mut all = lock(&self.overrides).clone();
        all.retain(|(key, _)| settings.iter().all(|(new, _)| new != key));
        all.extend(settings);
        let (text, file, seed) = &self.source;
        let scenario = scenario::load(text, file, &all, *seed).map_err(errors::scenario)?;
        Ok((scenario, all))
    }
}

impl Running {
    /// Begins a run in a thread of its own, which waits for its first step.
    fn begin(scenario: Scenario) -> PyResult<Self> {
        let ((decide, hear), (tell, told)) = (channel(), channel());
        let thread = thread::spawn(move || {
            own::forget();
            let ended = run_stepped(&scenario, &mut Asks { tell, hear });
            own::take().map_or_else(|| ended.map_err(errors::run), Err)
        });
        let running = Self { decide, told, thread };
        match running.told.recv() {
            Ok(_) => Ok(running),
            // It was refused before anything ran.
            Err(_) => running.end().map(|_| unreachable!("a run tells of its beginning")),
        }
    }

    /// Goes on for a step, in the world of another scenario if one is given; nothing if the run has ended.
    fn step(&self, after: Option<Scenario>) -> PyResult<Option<Step>> {
        let next = after.map_or(Next::On, |scenario| Next::Become(Box::new(scenario)));
        let told = self.decide.send(next).ok().and_then(|()| self.told.recv().ok());
        match told {
            Some(Report::Step(now, rows)) => {
                let row = |row: SeriesRow| (row.entity, row.metric.name_and_unit().0, row.value);
                Ok(Some((now.as_secs_f64(), rows.into_iter().map(row).collect())))
            }
            Some(Report::Refused(why)) => {
                // It waits at the same place as before.
                let _ = self.told.recv();
                Err(errors::refused(&why.to_string()))
            }
            None => Ok(None),
        }
    }

    /// Has it end, and waits for that.
    fn end(self) -> Ended {
        let Self { decide, told, thread } = self;
        // It waits for a decision, or has ended.
        let _ = decide.send(Next::End);
        drop(told);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// What a lock holds; a thread that panicked while it held it has left it as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
