//! Stations that walk: with each step the air learns how well radios receive each other, and which of them hear each other.

use super::{Event, World};
use airloom_observe::{NodeId, Observation, Probe};
use airloom_scenario::{Hearing, Place, Scenario, Walk};
use airloom_sim::{Calendar, Duration, Slot, Time};
use airloom_wifi::{Channel, Ether};

/// The place of all radios, and the next step of each that moves.
pub(super) struct Walking {
    place: Place,
    steps: Vec<(NodeId, Slot)>,
}

impl Walking {
    /// The places of a scenario's radios and the first step of each that moves; none if radios have no places.
    pub(super) fn of(scenario: &Scenario, calendar: &mut Calendar<Event>) -> Option<Self> {
        let place = scenario.place()?;
        let mut steps = Vec::new();
        for node in place.radios() {
            if let Some(first) = place.next_step(node, Duration::ZERO) {
                let slot = calendar.reserve(Event::Step(node));
                calendar.set(slot, Time::ZERO + first);
                steps.push((node, slot));
            }
        }
        Some(Self { place, steps })
    }

    /// The place of all radios.
    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The same, to be changed.
    pub(super) fn place_mut(&mut self) -> &mut Place {
        &mut self.place
    }

    /// Tells the air how strongly all radios receive each other as the run begins.
    pub(super) fn levels(&self, air: &mut Ether) {
        for one in self.place.radios() {
            for other in self.place.on_spectrum_of(one).filter(|&other| other > one) {
                let [there, back] = self.place.between([one, other], Duration::ZERO);
                air.set_level([one, other], there.dbm);
                air.set_level([other, one], back.dbm);
            }
        }
    }
}

impl<P: Probe> World<P> {
    /// Shows the probe how well stations and their access points receive each other as the run begins, where that may change.
    pub(super) fn show_signals(&mut self, scenario: &Scenario) {
        let signals = scenario.signals();
        for (id, station) in scenario.stations() {
            let snr_db = match &self.walking {
                Some(Walking { place, .. }) => place.snr(id, Duration::ZERO),
                None if station.later.is_empty() => continue,
                None => signals.snr(station),
            };
            self.probe.see(Time::ZERO, Observation::Signal { station: id, snr_db });
        }
    }

    /// A station begins a walk now, instead of what is left of its way. Whether it has a place, and the world walks.
    pub(super) fn begin_walk(&mut self, station: NodeId, walk: &Walk) -> bool {
        let now = self.now;
        let Some(Walking { place, steps }) = &mut self.walking else { return false };
        place.send(station, now.since(Time::ZERO), walk);
        if !steps.iter().any(|(node, _)| *node == station) {
            steps.push((station, self.calendar.reserve(Event::Step(station))));
        }
        self.step_on(now, station);
        self.settle(now);
        true
    }

    /// A station has gone a step.
    #[cold]
    pub(super) fn step_on(&mut self, now: Time, station: NodeId) {
        self.is_elsewhere(now, station);
        let at = now.since(Time::ZERO);
        let Some(Walking { place, steps }) = &self.walking else { return };
        if let Some(next) = place.next_step(station, at)
            && let Some((_, slot)) = steps.iter().find(|(node, _)| *node == station)
        {
            self.calendar.set(*slot, Time::ZERO + next);
        }
    }

    /// A radio of a node has gone to another channel; to this one if it is the one that the node uses.
    #[cold]
    pub(super) fn retuned(&mut self, now: Time, node: NodeId, channel: Option<Channel>) {
        let Some(walking) = &mut self.walking else { return };
        if let Some(channel) = channel {
            walking.place.retune(node, channel);
        }
        let stations: Vec<NodeId> = walking.place.stations_of(node).collect();
        self.is_elsewhere(now, node);
        for station in stations {
            self.learns_signals(now, station);
        }
    }

    /// A radio with a place sends with this power from now on, in dBm: the air learns how strongly others receive it.
    #[cold]
    pub(super) fn sends_with(&mut self, now: Time, node: NodeId, dbm: f64) {
        if let Some(walking) = &mut self.walking {
            walking.place.set_power(node, dbm);
        }
        self.retuned(now, node, None);
    }

    /// A station is at another place, or on another channel: the air learns who receives it how strongly.
    #[cold]
    pub(super) fn is_elsewhere(&mut self, now: Time, station: NodeId) {
        let Some(Walking { place, .. }) = &self.walking else { return };
        let at = now.since(Time::ZERO);
        for other in place.on_spectrum_of(station) {
            let pair = [station.min(other), station.max(other)];
            let ways = place.between(pair, at);
            for ([from, by], Hearing { dbm, heard }) in [pair, [pair[1], pair[0]]].into_iter().zip(ways) {
                self.air.set_level([from, by], dbm);
                self.air.set_reach(now, [from, by], heard, &mut self.air_fx);
            }
        }
        self.learns_signals(now, station);
    }

    /// How well a station and its access points receive each other is told anew; of an access point there is nothing to tell.
    fn learns_signals(&mut self, now: Time, station: NodeId) {
        let Some(Walking { place, .. }) = &self.walking else { return };
        let at = now.since(Time::ZERO);
        let mut ways = place.ways(station).peekable();
        if ways.peek().is_none() {
            return;
        }
        for access_point in ways {
            let ratios = (place.snr_to(station, access_point, at), place.up_db(station, access_point));
            self.air.set_signal([station, access_point], ratios);
        }
        self.probe.see(now, Observation::Signal { station, snr_db: place.snr(station, at) });
    }
}
