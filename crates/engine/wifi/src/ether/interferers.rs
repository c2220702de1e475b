//! Interferers: what they send keeps radios quiet that receive it strongly enough, and disturbs frames by its power.

use super::medium::Medium;
use super::{Effects, Ether, Timer};
use crate::id::{InterfererId, MediumId, RadioId, TimerId};
use crate::interferer::{Burst, Source, Spectrum};
use crate::power::is_heard;
use crate::spectrum::Sensed;
use airloom_observe::{NodeId, Observation, Probe};
use airloom_propagation::{Interference, error};
use airloom_rate::Width;
use airloom_sim::{Duration, IndexVec, Stream, Time};
use std::collections::BTreeSet;

/// DIFS at 5 GHz and at most so many slots of it: how long a neighbour waits behind others, by chance.
const DIFS: Duration = Duration::from_micros(34);
const BACKOFF_SLOT: Duration = Duration::from_micros(9);
const MOST_SLOTS: u32 = 15;

/// All that interferes.
#[derive(Default)]
pub(super) struct Interferers {
    all: IndexVec<InterfererId, Interferer>,
    /// Their recent bursts, each with whose it was.
    bursts: Vec<(InterfererId, Burst)>,
}

/// One of them.
struct Interferer {
    source: Source,
    /// By node the power at which it is received, in dBm.
    levels: IndexVec<NodeId, f64>,
    chance: Stream,
    timer: TimerId,
    /// What it sends, or sends next.
    burst: Option<Burst>,
    /// The media that it keeps busy.
    held: Option<Vec<MediumId>>,
}

impl Ether {
    /// Adds an interferer, by its name, which nodes receive at these powers in dBm. All of them come before the radios.
    pub fn add_interferer(&mut self, name: &str, source: Source, levels: IndexVec<NodeId, f64>) {
        let [id] = self.interferers.all.next_ids();
        let timer = self.register(Timer::Interferer(id));
        let chance = Stream::new(self.seed, name, "bursts");
        self.power.weigh();
        self.interferers.all.push(Interferer { source, levels, chance, timer, burst: None, held: None });
    }

    /// Whether anything interferes.
    pub(super) fn has_interferers(&self) -> bool {
        !self.interferers.all.is_empty()
    }

    /// For which interferers a node keeps quiet, in order: for those at the level of energy detection, and for a neighbour's preambles.
    pub(super) fn quiet_for(&self, node: NodeId) -> Vec<InterfererId> {
        let is_heard_by = |id: &InterfererId| {
            let Interferer { source, levels, .. } = &self.interferers.all[*id];
            levels.get(node).is_some_and(|&dbm| is_heard(dbm, Width::Mhz20, source.is_80211()))
        };
        self.interferers.all.ids().filter(is_heard_by).collect()
    }

    /// Arms the timers of their first bursts.
    pub(super) fn start_interferers(&mut self, fx: &mut Effects) {
        for id in self.interferers.all.ids() {
            let Interferer { source, chance, .. } = &mut self.interferers.all[id];
            let first = source.first(chance);
            self.prepare(id, first, fx);
        }
    }

    /// What an interferer sends next.
    fn prepare(&mut self, id: InterfererId, from: Time, fx: &mut Effects) {
        let wanted: Vec<Spectrum> = self.channels.iter().map(|channel| channel.spectrum()).collect();
        let Interferer { source, chance, timer, burst, .. } = &mut self.interferers.all[id];
        *burst = source.next(from, &wanted, chance);
        if let Some(burst) = burst {
            fx.arm(*timer, burst.start);
        }
    }

    /// An interferer begins to send, or is done.
    #[cold]
    pub(super) fn interferer_timer<P: Probe>(
        &mut self,
        now: Time,
        id: InterfererId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Interferer { source, chance, timer, burst: Some(burst), held, .. } =
            &mut self.interferers.all[id]
        else {
            return;
        };
        if let Some(held) = held.take() {
            let ended = burst.end;
            for medium in held {
                self.media.release(now, now, medium, Sensed::Primary);
            }
            return self.prepare(id, ended, fx);
        }
        let senses = |medium: &Medium| {
            let own = self.channels[medium.sensing.channel].part(Width::Mhz20).spectrum();
            medium.sensing.energy.binary_search(&id).is_ok() && own.overlaps(&burst.spectrum)
        };
        let near: Vec<MediumId> = self.media.ids().filter(|&medium| senses(&self.media[medium])).collect();
        if source.is_80211() && near.iter().any(|&medium| self.media[medium].is_busy()) {
            let later = DIFS + BACKOFF_SLOT * u64::from(chance.up_to(MOST_SLOTS));
            let length = burst.end - burst.start;
            (burst.start, burst.end) = (now + later, now + later + length);
            return fx.arm(*timer, burst.start);
        }
        fx.arm(*timer, burst.end);
        let burst = *burst;
        for &medium in &near {
            self.media.hold(now, medium, Sensed::Primary);
        }
        self.observe_burst(now, &near, burst.end, probe);
        self.interferers.all[id].held = Some(near);
        self.note_burst(now, id, burst);
    }

    /// These media are busy with a burst: seen once for each primary channel among them.
    fn observe_burst<P: Probe>(&self, now: Time, near: &[MediumId], end: Time, probe: &mut P) {
        let primary = |medium: &MediumId| self.channels[self.media[*medium].sensing.channel].primary_mhz;
        let held: BTreeSet<u32> = near.iter().map(primary).collect();
        for mhz in held {
            probe.see(now, Observation::Interferer { mhz, start: now, end });
        }
    }

    /// A burst is on the air; what ended before any frame that is there began is forgotten.
    fn note_burst(&mut self, now: Time, id: InterfererId, burst: Burst) {
        let began = self.attempts.iter().flat_map(|attempt| attempt.on_air).map(|on_air| on_air.start).min();
        let began = began.unwrap_or(now).min(now);
        self.interferers.bursts.retain(|(_, one)| one.end > began);
        self.interferers.bursts.push((id, burst));
    }

    /// Adds the bursts that overlap a frame in time and spectrum to what disturbs it at this receiver, over the noise in this width.
    pub(super) fn add_bursts(
        &self,
        others: &mut Interference,
        (start, end): (Time, Time),
        spectrum: Spectrum,
        (by, width): (RadioId, Width),
    ) {
        let node = self.radios[by].node;
        for (id, burst) in &self.interferers.bursts {
            if burst.start < end && start < burst.end && burst.spectrum.overlaps(&spectrum) {
                let dbm = self.interferers.all[*id].levels.get(node).copied().unwrap_or(f64::NEG_INFINITY);
                others.add((burst.start, burst.end), error::from_db(dbm - self.power.noise_dbm(node, width)));
            }
        }
    }
}
