//! Roams: each step of a station's way from one access point to another, and what it costs.

use super::flows::takes_what_it_gets;
use crate::summary;
use airloom_observe::{Fate, FlowId, LossCause, NodeId, Ppdu, RoamEvent};
use airloom_scenario::{Flow, FlowKind, Scenario, Writing};
use airloom_sim::{Duration, IndexVec, Time};

/// A flow that has not always more to send is idle if it had no data for so long before, and so long after the first data it may still suffer from a roam.
const BESIDE: Duration = Duration::from_secs(1);

/// The reason of an access point that ends an association since the station has not gone as it was asked to (802.11-2020 table 9-49).
const BSS_TRANSITION: u16 = 12;

/// A station's way.
#[derive(Clone, Copy, Debug)]
struct Roam {
    station: NodeId,
    from: NodeId,
    to: Option<NodeId>,
    why: &'static str,
    given_up: Option<Time>,
    decided: Option<Time>,
    late: Duration,
    left: Option<Time>,
    associated: Option<Time>,
    first_data: Option<Time>,
    /// The last data with the access point that it was at.
    last_data: Option<Time>,
    stall: Option<Duration>,
    lost: u64,
}

/// What is known of a station that roams.
#[derive(Clone, Copy, Debug)]
struct Station {
    at: NodeId,
    last_data: Option<Time>,
    /// The place of its last way.
    roam: Option<usize>,
}

/// A flow of TCP at an end of which a station roams.
#[derive(Clone, Copy, Debug)]
struct Watched {
    station: NodeId,
    /// It always has more to send, or does within `BESIDE`.
    never_idle: bool,
    /// When it stops, if it does.
    stop: Option<Time>,
    /// When data last arrived.
    last: Option<Time>,
    /// When data arrived after the station had left, for the first time since before it was idle.
    begun: Time,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct RoamLog {
    roams: Vec<Roam>,
    stations: IndexVec<NodeId, Option<Station>>,
    flows: IndexVec<FlowId, Option<Watched>>,
    /// Whether any station roams.
    pub(super) watches: bool,
}

impl RoamLog {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut log = Self::default();
        for (id, station) in scenario.stations().filter(|(_, station)| station.roam.is_some()) {
            let at = scenario.access_point_of(station).0;
            *log.stations.grown_to(id) = Some(Station { at, last_data: None, roam: None });
            log.watches = true;
        }
        let end = |name: &str| scenario.host(name).0;
        for flow in &scenario.flow {
            let ends = [end(&flow.from), end(&flow.to)];
            if matches!(flow.kind, FlowKind::Tcp { .. }) {
                let stop = flow.stop.map(|stop| Time::ZERO + stop);
                log.watch(ends, takes_what_it_gets(flow) || writes_often(flow), stop);
            } else {
                log.flows.push(None);
            }
        }
        log
    }

    /// A connection of hosts outside begins: whether it always has more to send is not known.
    pub(super) fn flow(&mut self, ends: [NodeId; 2]) {
        self.watch(ends, false, None);
    }

    /// Watches the next flow if a station at its end roams.
    fn watch(&mut self, ends: [NodeId; 2], never_idle: bool, stop: Option<Time>) {
        let roams = ends.into_iter().find(|&end| self.station(end).is_some());
        let watched = |station| Watched { station, never_idle, stop, last: None, begun: Time::ZERO };
        self.flows.push(roams.map(watched));
    }

    fn station(&self, node: NodeId) -> Option<&Station> {
        self.stations.get(node)?.as_ref()
    }

    fn station_mut(&mut self, node: NodeId) -> Option<&mut Station> {
        self.stations.get_mut(node)?.as_mut()
    }

    /// The way that a station is on, or was last.
    fn last(&mut self, station: NodeId) -> Option<&mut Roam> {
        let place = self.station(station)?.roam?;
        self.roams.get_mut(place)
    }

    /// The way that a station is on; it sets out if it is on none.
    fn under_way(&mut self, station: NodeId) -> Option<&mut Roam> {
        let Station { at, last_data, roam } = *self.station(station)?;
        let goes_on = roam.is_some_and(|place| self.roams[place].associated.is_none());
        if !goes_on {
            self.roams.push(Roam {
                station,
                from: at,
                to: None,
                why: "decided",
                given_up: None,
                decided: None,
                late: Duration::ZERO,
                left: None,
                associated: None,
                first_data: None,
                last_data,
                stall: None,
                lost: 0,
            });
            let place = self.roams.len() - 1;
            self.station_mut(station)?.roam = Some(place);
        }
        self.last(station)
    }

    /// A step of a station's way.
    pub(super) fn event(&mut self, now: Time, station: NodeId, event: RoamEvent) {
        if let RoamEvent::Dropped { packets } = event {
            // The access point that it was at learns later than the station itself that it has left.
            if let Some(roam) = self.last(station) {
                roam.lost += u64::from(packets);
            }
            return;
        }
        let Some(roam) = self.under_way(station) else { return };
        match event {
            RoamEvent::Failed { .. } | RoamEvent::Dropped { .. } => {}
            RoamEvent::Lost => roam.why = "lost",
            RoamEvent::Dismissed { reason } => {
                roam.why = if reason == BSS_TRANSITION { "sent away" } else { "dismissed" };
            }
            RoamEvent::Asked => roam.why = "asked",
            RoamEvent::GivenUp { .. } => roam.given_up = Some(now),
            RoamEvent::Decided { to, late } => {
                (roam.to, roam.decided, roam.late) = (Some(to), Some(now), late);
            }
            RoamEvent::Left { .. } => roam.left = Some(now),
            RoamEvent::Associated { to } => {
                roam.associated = Some(now);
                if let Some(station) = self.station_mut(station) {
                    station.at = to;
                }
            }
        }
    }

    /// A PPDU with data.
    #[cold]
    #[inline(never)]
    pub(super) fn data(&mut self, ppdu: &Ppdu) {
        for user in &ppdu.users {
            let (from, Some(to), Fate::Received) = (ppdu.from, user.to, user.fate) else { continue };
            for (node, other) in [(from, to), (to, from)] {
                let Some(&Station { at, .. }) = self.station(node) else { continue };
                if at != other {
                    continue;
                }
                let fresh = |roam: &&mut Roam| roam.associated.is_some() && roam.first_data.is_none();
                if let Some(roam) = self.last(node).filter(fresh) {
                    roam.first_data = Some(ppdu.end);
                }
                if let Some(station) = self.station_mut(node) {
                    station.last_data = Some(ppdu.end);
                }
                let before = |roam: &&mut Roam| roam.left.is_none();
                if let Some(roam) = self.last(node).filter(before) {
                    roam.last_data = Some(ppdu.end);
                }
            }
        }
    }

    /// An MPDU is lost between two nodes.
    #[cold]
    #[inline(never)]
    pub(super) fn lost(&mut self, node: NodeId, peer: NodeId, cause: LossCause) {
        let Some(station) = [node, peer].into_iter().find(|&end| self.station(end).is_some()) else { return };
        let Some(roam) = self.last(station) else { return };
        let in_vain = node == roam.from && roam.left.is_some() && roam.associated.is_none();
        if matches!(cause, LossCause::Left | LossCause::PortClosed) || in_vain {
            roam.lost += 1;
        }
    }

    /// New data has arrived for an application.
    #[cold]
    #[inline(never)]
    pub(super) fn delivered(&mut self, now: Time, flow: FlowId) {
        let Some(watched) = self.flows.get(flow).copied().flatten() else { return };
        let left = self.last(watched.station).and_then(|roam| roam.left).filter(|&left| now >= left);
        let idle = |left: Time| !watched.never_idle && watched.last.is_some_and(|last| last + BESIDE < left);
        let begun = if left.is_some_and(idle) { now } else { watched.begun };
        self.flows[flow] = Some(Watched { last: Some(now), begun, ..watched });
        let (Some(before), Some(left)) = (watched.last, left) else { return };
        let Some(roam) = self.last(watched.station) else { return };
        if begun <= left && roam.first_data.is_none_or(|first| before <= first + BESIDE) {
            roam.stall = roam.stall.max(Some(now - before));
        }
    }

    /// The time until `end` for which a flow that always has more to send has waited for data since a station set out on its last way.
    fn waits(&self, place: usize, end: Time) -> Option<Duration> {
        let roam = &self.roams[place];
        let is_last = self.station(roam.station).is_some_and(|station| station.roam == Some(place));
        let left = roam.left.unwrap_or(end);
        let waits = |watched: &Watched| {
            let sends = watched.never_idle && watched.stop.is_none_or(|stop| stop >= end);
            let before = watched.last.filter(|_| is_last && sends && watched.station == roam.station)?;
            let suffers = roam.first_data.is_none_or(|first| before <= first + BESIDE);
            (watched.begun <= left && suffers).then(|| end.since(before))
        };
        self.flows.iter().flatten().filter_map(waits).max()
    }

    /// All ways; what had not ended at the `end` of the run has its cost so far.
    pub(super) fn roams(&self, names: &[String], end: Time) -> Vec<summary::Roam> {
        let name = |node: NodeId| names[usize::from(node.0)].clone();
        let seconds = |t: Option<Time>| t.map(Time::as_secs_f64);
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let roam = |(place, roam): (usize, &Roam)| summary::Roam {
            station: name(roam.station),
            from: name(roam.from),
            to: roam.to.map(name),
            why: roam.why,
            given_up_s: seconds(roam.given_up),
            decided_s: seconds(roam.decided),
            decided_late_ms: (roam.why == "decided" && roam.decided.is_some()).then(|| ms(roam.late)),
            left_s: seconds(roam.left),
            associated_s: seconds(roam.associated),
            first_data_s: seconds(roam.first_data),
            gap_ms: (roam.first_data.or_else(|| roam.associated.is_none().then_some(end)))
                .zip(roam.last_data)
                .map(|(first, last)| ms(first.since(last))),
            tcp_stall_ms: roam.stall.max(self.waits(place, end)).map(ms),
            lost_in_buffer: roam.lost,
        };
        self.roams.iter().enumerate().map(roam).collect()
    }
}

/// Whether a program writes so often that a second without data is none in which it had nothing to send.
fn writes_often(flow: &Flow) -> bool {
    matches!(&flow.kind, FlowKind::Tcp { write: Some(Writing::Paced(write)), .. } if write.every <= BESIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{FrameKind, User};
    use airloom_rate::Rate;

    const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/roaming.toml");

    fn house(set: &[(&str, &str)]) -> Scenario {
        let text = std::fs::read_to_string(HOUSE).expect("it is there");
        let set: Vec<_> = set.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        airloom_scenario::load(&text, HOUSE, &set, None).expect("a sound scenario")
    }

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// What TCP waits for where the laptop has had no data for 1.5 s as it leaves, and has some 300 ms later and from then on.
    fn stall_after_silence(scenario: &Scenario, kernels: bool) -> Option<f64> {
        let [laptop, server] = ["laptop", "server"].map(|name| scenario.host(name).0);
        let [hall, kitchen] = [0, 1].map(NodeId);
        let mut log = RoamLog::new(scenario);
        log.flow([server, laptop]);
        let flow = FlowId(u16::from(kernels));
        log.delivered(at(1500), flow);
        log.event(at(3000), laptop, RoamEvent::Left { from: hall, to: kitchen });
        log.event(at(3055), laptop, RoamEvent::Associated { to: kitchen });
        for ms in [3300, 3320, 3340] {
            log.delivered(at(ms), flow);
        }
        log.roams(&vec![String::new(); 5], at(3350))[0].tcp_stall_ms
    }

    #[test]
    fn what_may_have_had_nothing_to_send_has_not_waited() {
        assert_eq!(stall_after_silence(&house(&[]), true), None);
    }

    #[test]
    fn a_program_that_writes_often_has_waited() {
        let writes = |every| house(&[("flow.0.write", every)]);
        let often = writes(r#"{ size = "200 B", every = "20 ms" }"#);
        assert_eq!(stall_after_silence(&often, false), Some(1800.0));
        let seldom = writes(r#"{ size = "200 B", every = "2 s" }"#);
        assert_eq!(stall_after_silence(&seldom, false), None);
    }

    #[test]
    fn a_kernels_connection_stalls_as_a_simulated_one_does() {
        let scenario = house(&[]);
        let [laptop, server] = ["laptop", "server"].map(|name| scenario.host(name).0);
        let [hall, kitchen] = [0, 1].map(NodeId);
        let mut log = RoamLog::new(&scenario);
        let [simulated, kernels] = [0, 1].map(FlowId);
        log.flow([server, laptop]);
        for flow in [simulated, kernels] {
            log.delivered(at(990), flow);
        }
        log.event(at(1000), laptop, RoamEvent::Decided { to: kitchen, late: Duration::ZERO });
        log.event(at(1000), laptop, RoamEvent::Left { from: hall, to: kitchen });
        log.event(at(1055), laptop, RoamEvent::Associated { to: kitchen });
        log.delivered(at(1280), simulated);
        log.delivered(at(1290), kernels);
        log.delivered(at(1300), kernels);
        assert_eq!(log.roams(&vec![String::new(); 5], at(1310))[0].tcp_stall_ms, Some(300.0));
    }

    #[test]
    fn a_way_that_has_not_ended_costs_what_it_has_cost_so_far() {
        let cost = |set: &[(&str, &str)], there: bool| {
            let scenario = house(set);
            let laptop = scenario.host("laptop").0;
            let [hall, kitchen] = [0, 1].map(NodeId);
            let mut log = RoamLog::new(&scenario);
            log.data(&ppdu(980, hall, laptop));
            log.delivered(at(990), FlowId(0));
            log.event(at(1000), laptop, RoamEvent::Left { from: hall, to: kitchen });
            if there {
                log.event(at(1055), laptop, RoamEvent::Associated { to: kitchen });
            }
            let roam = log.roams(&vec![String::new(); 5], at(4990)).remove(0);
            (roam.gap_ms, roam.tcp_stall_ms)
        };
        assert_eq!(cost(&[], false), (Some(4010.0), Some(4000.0)));
        assert_eq!(cost(&[], true), (None, Some(4000.0)), "how long the air will have no data is not known");
        let stops = [("flow.0.stop", "4 s")];
        assert_eq!(cost(&stops, false), (Some(4010.0), None), "its flow may have nothing to send any more");
    }

    /// A data frame that ends then.
    fn ppdu(ms: u64, from: NodeId, to: NodeId) -> Ppdu {
        let rate = Rate::ofdm(6).expect("a rate");
        let fate = Fate::Received;
        let user = User {
            to: Some(to),
            rate,
            mpdus: 1,
            good: 1,
            retries: 0,
            bytes: 1500,
            fate,
            tid: 0,
            fade_db: 0.0,
        };
        let (start, end) = (at(ms - 2), at(ms));
        Ppdu {
            link: 0,
            start,
            end,
            from,
            kind: FrameKind::Data,
            width: rate.width(),
            nav: Duration::ZERO,
            users: [user],
        }
    }
}
