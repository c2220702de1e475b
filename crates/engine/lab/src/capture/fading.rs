//! Fading of the paths to a monitor at a place: each varies as much as a station's to its access point, by a chance of its own.

use airloom_observe::NodeId;
use airloom_propagation::Path;
use airloom_scenario::Scenario;
use airloom_sim::{IndexVec, Stream, Time};

/// The paths from all radios to one monitor.
pub(super) struct Fading {
    paths: IndexVec<NodeId, Path>,
    quick: Stream,
    /// When one was last used.
    last: Time,
}

impl Fading {
    /// That of a monitor with this name; none if nothing fades. Outages are of a station's path alone.
    pub(super) fn of(scenario: &Scenario, monitor: &str) -> Option<Self> {
        let (seed, air) = (scenario.seed, &scenario.air);
        let path = |(_, role): (NodeId, airloom_scenario::Role<'_>)| {
            let chance = Stream::new(seed, monitor, &format!("slow fading from {}", role.name()));
            Path::new((0.0, air.fading), air.slow_fading, chance, None)
        };
        (air.fading > 0.0 || air.slow_fading.is_some()).then(|| Self {
            paths: scenario.nodes().map(path).collect(),
            quick: Stream::new(seed, monitor, "fading at a monitor"),
            last: Time::ZERO,
        })
    }

    /// How far it takes a PPDU of a radio, which ends now, off its mean, in dB. What ends at the same time may be told in any order.
    pub(super) fn db(&mut self, from: NodeId, now: Time) -> f64 {
        self.last = self.last.max(now);
        let path = &mut self.paths[from];
        let fade = path.fade(self.last, &mut self.quick);
        path.off_mean_db(fade)
    }
}
