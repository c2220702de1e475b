//! The loop that moves a world along with a clock.

use crate::connections::Connections;
use crate::control::{Request, Wish};
use crate::lateness::Lateness;
use crate::sock_diag::Socket;
use crate::state::State;
use airloom_observe::{NodeId, Probe};
use airloom_scenario::{Flow, Scenario};
use airloom_sim::{IndexVec, Time};
use airloom_world::{Driver, FlowEnd, World};
use serde::Serialize;

/// Packets of one host that are taken before the world moves on: as many as a driver gets in one poll (Linux's NAPI weight).
const AT_ONCE: usize = 64;

/// What is outside of the world: a clock, and hosts that send and receive packets.
pub trait Outside {
    /// The time since the world began. It never runs back.
    fn now(&mut self) -> Time;

    /// Waits until this time, if there is one, until a host sends something, or until the end; it may return sooner.
    fn wait(&mut self, until: Option<Time>);

    /// Takes a packet that a host has sent, from the IPv4 header on.
    fn sent(&mut self) -> Option<(NodeId, Vec<u8>)>;

    /// Hands a packet to the host that it is for.
    fn deliver(&mut self, node: NodeId, packet: &[u8]);

    /// Has the hosts' kernels tell of their sockets as they are now.
    fn look_again(&mut self);

    /// Takes what a host's kernel tells of one of its sockets.
    fn socket(&mut self) -> Option<Socket>;

    /// Takes what somebody wishes of the world.
    fn request(&mut self) -> Option<Request>;

    /// Whether it goes on.
    fn goes_on(&mut self) -> bool;
}

/// Something that was changed while it ran.
#[derive(Clone, Debug, Serialize)]
struct Change {
    /// When, in seconds.
    time_s: f64,
    /// What.
    change: String,
}

/// Drives a world in real time.
#[derive(Debug)]
pub struct Live<O> {
    outside: O,
    /// As it is now.
    scenario: Scenario,
    /// By which host packets leave, if they may.
    gateway: Option<NodeId>,
    connections: Connections,
    /// Bytes that each node has sent and received.
    carried: IndexVec<NodeId, [u64; 2]>,
    /// What was changed, and when.
    changes: Vec<Change>,
    /// What came of the timing.
    pub lateness: Lateness,
}

impl<O: Outside> Live<O> {
    /// Begins with what is outside, in the world of a scenario from which these flows were taken, since hosts carry them.
    pub fn new(outside: O, scenario: Scenario, replaced: &[Flow]) -> Self {
        let connections = Connections::new(&scenario, replaced);
        let carried = scenario.nodes().map(|_| [0; 2]).collect();
        let lateness = Lateness::default();
        Self { outside, scenario, gateway: None, connections, carried, changes: Vec::new(), lateness }
    }

    /// Does what is wished.
    fn fulfil<P: Probe>(&mut self, world: &mut World<P>) {
        while let Some(Request { wish, called, answer }) = self.outside.request() {
            let done = match wish {
                Wish::Look => Ok(()),
                Wish::Scan(station) => world.scan_now(&self.scenario, station),
                Wish::Walk(station, walk) => world.walk(&self.scenario, station, &walk),
                Wish::Switch(access_point, on) => {
                    world.switch(access_point, on);
                    Ok(())
                }
                Wish::Become(after) => world.change(&self.scenario, &after).map(|()| self.scenario = *after),
            };
            if done.is_ok() && !called.is_empty() {
                self.changes.push(Change { time_s: world.now().as_secs_f64(), change: called });
            }
            let state = || {
                let flows = self.connections.state();
                State::of(&self.scenario, world, &self.carried, flows, self.lateness.timing())
            };
            // The program that asked may be gone.
            let _ = answer.send(done.map(|()| state()).map_err(|error| error.to_string()));
        }
    }

    /// Has packets for addresses outside go to a host, which forwards them.
    pub fn lead_out_by(&mut self, gateway: NodeId) {
        self.gateway = Some(gateway);
        self.connections.lead_out_by(gateway);
    }

    /// Takes what kernels tell.
    fn look_at_sockets<P: Probe>(&mut self, world: &mut World<P>) {
        while let Some(socket) = self.outside.socket() {
            self.connections.take(world.now(), socket, world.probe());
        }
        self.lateness.connections(self.connections.counts());
    }

    /// Hands out what has arrived.
    fn hand_out<P: Probe>(&mut self, world: &mut World<P>) {
        while let Some(arrived) = world.take() {
            self.carried[arrived.node][1] += arrived.packet.len() as u64;
            self.outside.deliver(arrived.node, &arrived.packet);
            self.lateness.delivered(arrived.time, self.outside.now(), arrived.packet.len());
        }
    }
}

impl<O: Outside> Driver for Live<O> {
    /// Runs until the outside ends, or the scenario does.
    fn drive<P: Probe>(&mut self, world: &mut World<P>) -> bool {
        let end = world.end();
        if let Some(gateway) = self.gateway {
            world.lead_out_by(gateway);
        }
        while self.outside.goes_on() {
            let now = self.outside.now().min(end);
            world.step(now);
            self.hand_out(world);
            self.look_at_sockets(world);
            self.fulfil(world);
            if now == end {
                break;
            }
            let mut taken = 0;
            while taken < AT_ONCE
                && let Some((node, packet)) = self.outside.sent()
            {
                taken += 1;
                world.step(self.outside.now().min(end));
                self.carried[node][0] += packet.len() as u64;
                self.lateness.put(world.put(node, packet).is_ok());
            }
            self.hand_out(world);
            if taken == 0 {
                let until = world.next_event();
                self.outside.wait(until);
                if let Some(until) = until {
                    self.lateness.woke(until, self.outside.now());
                }
            }
        }
        self.outside.look_again();
        self.look_at_sockets(world);
        self.lateness.lost(world.lost());
        true
    }

    fn sends_for_walks(&self) -> bool {
        true
    }

    fn flows(&self) -> Vec<(Flow, FlowEnd)> {
        self.connections.flows()
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        let changes = serde_json::json!({ "schema": "airloom-changes/1", "changes": self.changes });
        let changes = (!self.changes.is_empty()).then(|| ("changes.json", format!("{changes:#}\n")));
        std::iter::once(("timing.json", self.lateness.timing().to_json())).chain(changes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScenarioSource, TimingVerdict};
    use airloom_scenario::Walk;
    use airloom_sim::Duration;
    use airloom_wire::{Ipv4Repr, Packet, Payload, Transport, UdpRepr};
    use airloom_world::addresses::ip;
    use std::collections::VecDeque;

    /// A machine whose clock moves while it waits: hosts send at times that are given, and it may oversleep.
    struct Machine {
        now: Time,
        end: Time,
        sends: VecDeque<(Time, NodeId, Vec<u8>)>,
        /// When it wakes up from a wait that would have ended within this spell.
        asleep: Option<(Time, Time)>,
        got: Vec<(NodeId, Vec<u8>)>,
        sockets: VecDeque<(Time, Socket)>,
        requests: VecDeque<(Time, Request)>,
    }

    impl Outside for &mut Machine {
        fn now(&mut self) -> Time {
            self.now
        }

        fn wait(&mut self, until: Option<Time>) {
            let requests = self.requests.front().map(|asked| asked.0);
            let sends = self.sends.front().map(|send| send.0);
            let told = self.sockets.front().map(|told| told.0);
            let all = [until, requests, sends, told].into_iter().flatten();
            let mut wakes = all.min().unwrap_or(self.end).max(self.now);
            if let Some((from, to)) = self.asleep
                && (from..to).contains(&wakes)
            {
                wakes = to;
            }
            self.now = wakes;
        }

        fn sent(&mut self) -> Option<(NodeId, Vec<u8>)> {
            self.sends.front().is_some_and(|send| send.0 <= self.now).then_some(())?;
            self.sends.pop_front().map(|(_, node, packet)| (node, packet))
        }

        fn deliver(&mut self, node: NodeId, packet: &[u8]) {
            self.got.push((node, packet.to_vec()));
        }

        fn look_again(&mut self) {}

        fn socket(&mut self) -> Option<Socket> {
            self.sockets.front().is_some_and(|told| told.0 <= self.now).then_some(())?;
            self.sockets.pop_front().map(|(_, socket)| socket)
        }

        fn request(&mut self) -> Option<Request> {
            self.requests.front().is_some_and(|asked| asked.0 <= self.now).then_some(())?;
            self.requests.pop_front().map(|(_, request)| request)
        }

        fn goes_on(&mut self) -> bool {
            self.now < self.end
        }
    }

    /// The example with more values over its own.
    fn source(settings: &[(&str, &str)]) -> ScenarioSource {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/download.toml");
        let text = std::fs::read_to_string(file).expect("it is there");
        let overrides =
            settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        ScenarioSource { text, file: "download.toml".to_owned(), overrides, seed: None, flows: false }
    }

    /// A thousand datagrams, one each millisecond, from a laptop to a server, on a machine that may oversleep.
    #[expect(clippy::type_complexity, reason = "what was sent, what arrived, and when")]
    fn carried(
        asleep: Option<(u64, u64)>,
        requests: Vec<(Time, Request)>,
    ) -> (Vec<Vec<u8>>, Vec<(NodeId, Vec<u8>)>, crate::Timing, Vec<(&'static str, String)>) {
        carried_in(&source(&[]), asleep, requests)
    }

    /// The same in a scenario of these two.
    #[expect(clippy::type_complexity, reason = "what was sent, what arrived, and when")]
    fn carried_in(
        source: &ScenarioSource,
        asleep: Option<(u64, u64)>,
        requests: Vec<(Time, Request)>,
    ) -> (Vec<Vec<u8>>, Vec<(NodeId, Vec<u8>)>, crate::Timing, Vec<(&'static str, String)>) {
        let scenario = source.load().expect("a sound scenario").0;
        let (laptop, server) = (scenario.host("laptop").0, scenario.host("server").0);
        let at = |ms: u64| Time::ZERO + Duration::from_millis(ms);
        let datagram = |n: u64| {
            let mut octets = Vec::new();
            let transport = Transport::Udp(UdpRepr { src_port: 4000, dst_port: 7 });
            let payload = Payload::Bytes(&n.to_be_bytes());
            Packet { ip: Ipv4Repr::new(ip(laptop), ip(server)), transport, payload }
                .emit(usize::MAX, &mut octets)
                .expect("it fits");
            octets
        };
        let sent: Vec<_> = (0..1000).map(datagram).collect();
        let sends = (100..).zip(&sent).map(|(ms, packet)| (at(ms), laptop, packet.clone())).collect();
        let asleep = asleep.map(|(from, to)| (at(from), at(to)));
        let mut machine = Machine {
            now: Time::ZERO,
            end: at(2000),
            sends,
            asleep,
            got: Vec::new(),
            sockets: VecDeque::new(),
            requests: requests.into(),
        };
        let mut world = World::with_walks(&scenario, ());
        let mut live = Live::new(&mut machine, scenario.clone(), &[]);
        assert!(live.drive(&mut world));
        let timing = live.lateness.timing();
        let files = live.files();
        assert!(machine.got.iter().all(|(node, _)| *node == server));
        (sent, machine.got, timing, files)
    }

    #[test]
    fn what_is_sent_arrives_in_order_and_in_time() {
        let (sent, got, timing, files) = carried(None, Vec::new());
        assert!(got.into_iter().map(|(_, packet)| packet).eq(sent));
        assert_eq!((timing.put, timing.delivered, timing.lost, timing.refused), (1000, 1000, 0, 0));
        assert_eq!(timing.verdict, TimingVerdict::Valid, "{timing:?}");
        assert!(timing.longest_stall_ms < 1e-6, "{timing:?}");
        assert_eq!(files.len(), 1, "nothing was changed");
    }

    #[test]
    fn wishes_are_fulfilled_or_refused_and_marked() {
        let become_one_with = |settings| Wish::Become(Box::new(source(settings).load().expect("sound").0));
        let (answer, answers) = std::sync::mpsc::channel();
        let request = |ms, called: &str, wish| {
            let request = Request { wish, called: called.to_owned(), answer: answer.clone() };
            (Time::ZERO + Duration::from_millis(ms), request)
        };
        let requests = vec![
            request(300, "away", become_one_with(&[("station.0.distance", "12 m")])),
            request(400, "other", become_one_with(&[("station.0.adapter", "broadcom")])),
            request(500, "scan laptop", Wish::Scan(NodeId(1))),
            request(600, "", Wish::Look),
        ];
        let (.., files) = carried(None, requests);
        let all: Vec<_> = answers.try_iter().collect();
        let [Ok(moved), Err(fixed), Err(scan), Ok(looked)] = &all[..] else { panic!("{all:?}") };
        assert!(fixed.contains("fixed while it runs"), "{fixed}");
        assert_eq!(scan, "laptop has no `scan`, so that nothing scans there");
        let read = |state| serde_json::to_value(state).expect("JSON");
        assert_eq!(read(moved)["hosts"][1]["distance_m"], 12.0);
        assert_eq!(read(looked)["hosts"][1]["sent"], 500 * (20 + 8 + 8));
        assert_eq!(read(looked)["hosts"][0]["discipline"], "fifo");
        let ("changes.json", changes) = &files[1] else { panic!("{files:?}") };
        let changes: serde_json::Value = serde_json::from_str(changes).expect("JSON");
        let away = serde_json::json!([{ "time_s": 0.3, "change": "away" }]);
        assert_eq!(changes, serde_json::json!({ "schema": "airloom-changes/1", "changes": away }));
    }

    #[test]
    fn a_station_is_sent_for_a_walk_where_there_are_places() {
        let walk = || Wish::Walk(NodeId(1), Walk::read("40 m, 0 m", "20 m/s").expect("sound"));
        let (answer, answers) = std::sync::mpsc::channel();
        let request = |ms, called: &str, wish| {
            let request = Request { wish, called: called.to_owned(), answer: answer.clone() };
            (Time::ZERO + Duration::from_millis(ms), request)
        };
        let ask = || {
            vec![request(300, "", Wish::Look), request(500, "walk", walk()), request(1500, "", Wish::Look)]
        };
        let places = [("ap.0.position", "[\"0 m\", \"0 m\"]"), ("station.0.position", "[\"4 m\", \"0 m\"]")];
        carried_in(&source(&places), None, ask());
        let read = |state: &Result<crate::State, String>| {
            let host = &serde_json::to_value(state.as_ref().expect("fulfilled")).expect("JSON")["hosts"][1];
            [&host["position_m"][0], &host["snr_db"]].map(|value| value.as_f64().expect("a number"))
        };
        let all: Vec<_> = answers.try_iter().collect();
        let [[before, near], [begun, _], [after, far]] = [0, 1, 2].map(|place| read(&all[place]));
        assert_eq!((before, begun), (4.0, 4.0));
        assert!((after - 24.0).abs() < 0.01, "it has gone for a second: {after}");
        assert!(near - far > 15.0, "{near} {far}");
        carried(None, ask());
        let all: Vec<_> = answers.try_iter().collect();
        let [Ok(_), Err(refused), Ok(_)] = &all[..] else { panic!("{all:?}") };
        assert!(refused.starts_with("laptop has no place from which to walk"), "{refused}");
    }

    #[test]
    fn a_machine_that_stands_still_makes_a_run_invalid() {
        let (sent, got, timing, _) = carried(Some((500, 900)), Vec::new());
        assert_eq!(got.len(), sent.len(), "what is late is not lost");
        assert_eq!(timing.verdict, TimingVerdict::Invalid, "{timing:?}");
        assert!((350.0..410.0).contains(&timing.longest_stall_ms), "{timing:?}");
    }
}
