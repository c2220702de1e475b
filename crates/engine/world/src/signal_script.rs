//! Stations whose signal-to-noise ratio is a script: at each step the air learns the next one.

use super::{Event, World};
use airloom_observe::{NodeId, Observation, Probe};
use airloom_scenario::{Scenario, SignalStep};
use airloom_sim::{Calendar, Slot, Time};

/// The ratios that a station is still to have.
struct Script {
    station: NodeId,
    access_point: NodeId,
    /// By how many dB the access point hears the station better.
    up_db: f64,
    /// What the seed's shadowing adds to each ratio, in dB.
    shadow_db: f64,
    /// Those to come, the next one last.
    left: Vec<SignalStep>,
    slot: Slot,
}

/// The scripts of a run.
pub(super) struct SignalScripts(Vec<Script>);

impl SignalScripts {
    /// Those of a scenario, each waiting for its second step.
    pub(super) fn of(scenario: &Scenario, calendar: &mut Calendar<Event>) -> Self {
        let signals = scenario.signals();
        let scripted = scenario.stations().filter(|(_, station)| !station.later.is_empty());
        let scripts = scripted.map(|(id, station)| {
            let (access_point, ap) = scenario.access_point_of(station);
            let slot = calendar.reserve(Event::Signal(id));
            calendar.set(slot, Time::ZERO + station.later[0].at);
            Script {
                station: id,
                access_point,
                up_db: station.up_db(ap),
                shadow_db: signals.snr(station) - station.snr,
                left: station.later.iter().rev().cloned().collect(),
                slot,
            }
        });
        Self(scripts.collect())
    }
}

impl<P: Probe> World<P> {
    /// The next step of a station's script is due.
    #[cold]
    pub(super) fn signal_step(&mut self, now: Time, station: NodeId) {
        let Some(script) = self.signal_scripts.0.iter_mut().find(|script| script.station == station) else {
            return;
        };
        let Some(step) = script.left.pop() else { return };
        let snr_db = step.snr + script.shadow_db;
        self.air.set_signal([station, script.access_point], (snr_db, script.up_db));
        self.probe.see(now, Observation::Signal { station, snr_db });
        if let Some(next) = script.left.last() {
            self.calendar.set(script.slot, Time::ZERO + next.at);
        }
    }
}
