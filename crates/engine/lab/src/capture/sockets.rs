//! Every change of every sender's window and of what it has in flight, and what it takes its path to be, as `sockets.parquet`.

use crate::files::{Columns, Getter, Log, Names, Sink, names};
use airloom_observe::{FlowId, PathModel, Window};
use airloom_scenario::Scenario;
use airloom_sim::{Duration, IndexVec, Time};
use std::io;

/// A row: a window, and the model that a congestion control has set it by, with how many segments had been delivered.
struct SocketRow {
    time: Time,
    window: Window,
    path: Option<(u64, PathModel)>,
}

/// The log: when a window changed, and to what.
pub(super) struct SocketLog {
    rows: Log<SocketRow>,
    flows: Names,
    /// The model of each flow that has one.
    paths: IndexVec<FlowId, Option<(u64, PathModel)>>,
    /// The last window of each flow.
    windows: IndexVec<FlowId, Option<Window>>,
}

impl SocketLog {
    /// Opens it.
    pub(super) fn new(sink: Sink, scenario: &Scenario) -> io::Result<Self> {
        use Getter::Number;
        let flows = names(scenario.flow.iter().map(|f| &f.name));
        let columns: Columns<SocketRow> = vec![
            ("time", Number(|row| row.time.as_secs_f64())),
            ("flow", Getter::name(flows.clone(), |row| row.window.flow.0)),
            ("cwnd", Number(|row| row.window.cwnd.into())),
            ("ssthresh", Number(|row| unless_infinite(row.window.ssthresh))),
            ("in_flight", Number(|row| row.window.in_flight.into())),
            ("srtt_ms", Number(|row| ms(row.window.srtt))),
            ("rto_ms", Number(|row| ms(row.window.rto))),
            ("state", Getter::word(|row| row.window.state.name())),
            ("phase", Getter::word(|row| row.path.map_or("", |(_, model)| model.phase.name()))),
            ("delivered", Number(|row| row.path.map_or(f64::NAN, |(delivered, _)| delivered as f64))),
            ("path_mbps", Number(|row| row.model(|model| model.rate as f64 * 8e-6))),
            ("path_rtt_ms", Number(|row| row.model(|model| ms(model.least_rtt)))),
            ("pacing_gain", Number(|row| row.model(|model| gain(model.pacing_gain)))),
            ("window_gain", Number(|row| row.model(|model| gain(model.window_gain)))),
            ("excess", Number(|row| row.model(|model| model.excess.into()))),
            ("short_term", Number(|row| row.model(|model| unless_infinite(model.short_term)))),
            ("long_term", Number(|row| row.model(|model| unless_infinite(model.long_term)))),
        ];
        let paths = scenario.flow.iter().map(|_| None).collect();
        let windows = scenario.flow.iter().map(|_| None).collect();
        Ok(Self { rows: Log::new(sink, "sockets", columns)?, flows, paths, windows })
    }

    /// One more flow.
    pub(super) fn flow(&mut self, name: &str) {
        self.flows.add(name);
        self.paths.push(None);
        self.windows.push(None);
    }

    /// What a flow takes its path to be, until it says otherwise.
    pub(super) fn path(&mut self, flow: FlowId, delivered: u64, model: PathModel) {
        self.paths[flow] = Some((delivered, model));
    }

    /// A flow's window, until it says otherwise.
    pub(super) fn window(&mut self, window: Window) {
        self.windows[window.flow] = Some(window);
    }

    /// So many segments of a flow are in flight, and all else is as it was.
    pub(super) fn in_flight(&mut self, flow: FlowId, segments: u32) {
        if let Some(window) = &mut self.windows[flow] {
            window.in_flight = segments;
        }
    }

    /// A row of what a flow has, if it has a window.
    pub(super) fn row(&mut self, time: Time, flow: FlowId) -> io::Result<()> {
        let row = self.windows[flow].map(|window| SocketRow { time, window, path: self.paths[flow] });
        row.map_or(Ok(()), |row| self.rows.push(row))
    }

    /// Completes the file.
    pub(super) fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}

impl SocketRow {
    /// A number of the model; not a number without one.
    fn model(&self, of: impl Fn(&PathModel) -> f64) -> f64 {
        self.path.as_ref().map_or(f64::NAN, |(_, model)| of(model))
    }
}

fn ms(d: Duration) -> f64 {
    d.as_nanos() as f64 * 1e-6
}

fn gain(parts: u16) -> f64 {
    f64::from(parts) / 256.0
}

/// Not a number while there is no bound.
fn unless_infinite(segments: u32) -> f64 {
    if segments == u32::MAX { f64::NAN } else { segments.into() }
}
