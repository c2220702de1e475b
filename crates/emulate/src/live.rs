//! The loop that moves a world along with a clock.

use crate::connections::Connections;
use crate::lateness::Lateness;
use crate::sock_diag::Socket;
use airloom_observe::{NodeId, Probe};
use airloom_scenario::Flow;
use airloom_sim::Time;
use airloom_world::{Driver, FlowEnd, World};

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

    /// Takes what a host's kernel tells of one of its sockets.
    fn socket(&mut self) -> Option<Socket>;

    /// Whether it goes on.
    fn goes_on(&mut self) -> bool;
}

/// Drives a world in real time.
#[derive(Debug)]
pub struct Live<O> {
    outside: O,
    connections: Connections,
    /// What came of the timing.
    pub lateness: Lateness,
}

impl<O: Outside> Live<O> {
    /// Begins with what is outside, and no connection yet.
    pub fn new(outside: O, connections: Connections) -> Self {
        Self { outside, connections, lateness: Lateness::default() }
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
            self.outside.deliver(arrived.node, &arrived.packet);
            self.lateness.delivered(arrived.time, self.outside.now(), arrived.packet.len());
        }
    }
}

impl<O: Outside> Driver for Live<O> {
    /// Runs until the outside ends, or the scenario does.
    fn drive<P: Probe>(&mut self, world: &mut World<P>) -> bool {
        let end = world.end();
        while self.outside.goes_on() {
            let now = self.outside.now().min(end);
            world.step(now);
            self.hand_out(world);
            self.look_at_sockets(world);
            if now == end {
                break;
            }
            let mut taken = 0;
            while taken < AT_ONCE
                && let Some((node, packet)) = self.outside.sent()
            {
                taken += 1;
                world.step(self.outside.now().min(end));
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
        self.look_at_sockets(world);
        self.lateness.lost(world.lost());
        true
    }

    fn flows(&self) -> Vec<(Flow, FlowEnd)> {
        self.connections.flows()
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        vec![("timing.json", self.lateness.timing().to_json())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
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
    }

    impl Outside for &mut Machine {
        fn now(&mut self) -> Time {
            self.now
        }

        fn wait(&mut self, until: Option<Time>) {
            let next = self
                .sends
                .front()
                .map(|send| send.0)
                .into_iter()
                .chain(self.sockets.front().map(|told| told.0));
            let mut wakes = until.into_iter().chain(next).min().unwrap_or(self.end).max(self.now);
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

        fn socket(&mut self) -> Option<Socket> {
            self.sockets.front().is_some_and(|told| told.0 <= self.now).then_some(())?;
            self.sockets.pop_front().map(|(_, socket)| socket)
        }

        fn goes_on(&mut self) -> bool {
            self.now < self.end
        }
    }

    /// A thousand datagrams, one each millisecond, from a laptop to a server, on a machine that may oversleep.
    #[expect(clippy::type_complexity, reason = "what was sent, what arrived, and when")]
    fn carried(asleep: Option<(u64, u64)>) -> (Vec<Vec<u8>>, Vec<(NodeId, Vec<u8>)>, crate::Timing) {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/download.toml");
        let text = std::fs::read_to_string(file).expect("it is there");
        let calm = [("flow".to_owned(), "[]".to_owned())];
        let scenario = airloom_scenario::load(&text, "download.toml", &calm, None).expect("a sound scenario");
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
        };
        let mut world = World::new(&scenario, ());
        let mut live = Live::new(&mut machine, Connections::new(&scenario, &[]));
        assert!(live.drive(&mut world));
        let timing = live.lateness.timing();
        assert!(machine.got.iter().all(|(node, _)| *node == server));
        (sent, machine.got, timing)
    }

    #[test]
    fn what_is_sent_arrives_in_order_and_in_time() {
        let (sent, got, timing) = carried(None);
        assert!(got.into_iter().map(|(_, packet)| packet).eq(sent));
        assert_eq!((timing.put, timing.delivered, timing.lost, timing.refused), (1000, 1000, 0, 0));
        assert_eq!(timing.verdict, Verdict::Valid, "{timing:?}");
        assert!(timing.longest_stall_ms < 1e-6, "{timing:?}");
    }

    #[test]
    fn a_machine_that_stands_still_makes_a_run_invalid() {
        let (sent, got, timing) = carried(Some((500, 900)));
        assert_eq!(got.len(), sent.len(), "what is late is not lost");
        assert_eq!(timing.verdict, Verdict::Invalid, "{timing:?}");
        assert!((350.0..410.0).contains(&timing.longest_stall_ms), "{timing:?}");
    }
}
