//! From what kernels tell of their sockets to flows: each way of a connection that carries data is one, observed as flows of
//! the simulation are.

use crate::sock_diag::Socket;
use airloom_observe::{CaState, FlowId, FlowSeen, LossEvent, NodeId, Observation, Probe, Window};
use airloom_scenario::{Flow, FlowKind, FlowTcp, Program, Scenario};
use airloom_sim::{Bytes, Time};
use airloom_tcp::Congestion;
use airloom_world::{FlowEnd, addresses};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::SocketAddrV4;

/// What a sender sends before it has heard anything: ten segments (RFC 6928). A connection that carried no more tells nothing of
/// congestion control, and is no flow.
const INITIAL_WINDOW: u64 = 10 * 1448;
/// Flows that are told apart; of those beyond them only their number is kept.
const MOST: usize = 256;

/// The connections of the hosts of a world.
#[derive(Debug)]
pub(crate) struct Connections {
    /// What flows of the scenario are called that the hosts carry in its place, by their ends.
    names: Vec<(String, [NodeId; 2])>,
    /// The host by which connections leave.
    gateway: Option<NodeId>,
    /// What nodes are called.
    nodes: Vec<String>,
    /// The scenario's own flows come before.
    first: usize,
    ways: BTreeMap<[SocketAddrV4; 2], OneWay>,
    flows: Vec<Kept>,
    beyond: u64,
}

/// One way of a connection.
#[derive(Debug)]
struct OneWay {
    /// When it was first seen.
    since: Time,
    /// Whether the data leave for an address outside.
    leaves: bool,
    /// The socket that sends, as last seen.
    sender: Option<Socket>,
    /// Bytes at the other end, and whether that socket is gone; once it has been seen.
    received: Option<(u64, bool)>,
    /// Its flow, once it carries data; none if there are too many.
    flow: Option<Option<usize>>,
    /// What has been observed of it.
    told: Observed,
}

/// How much has been observed.
#[derive(Debug, Default)]
struct Observed {
    delivered: u64,
    retransmissions: u32,
    timeouts: u16,
    state: Option<CaState>,
    closed: bool,
}

/// A connection of real hosts as it is now, one way of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct FlowState {
    /// Its name.
    name: String,
    /// Bytes that have arrived.
    delivered: u64,
    /// Its congestion window in segments.
    cwnd: u32,
    /// Its smoothed round trip.
    srtt_ms: f64,
    /// Segments sent again.
    retransmissions: u32,
    /// Whether it has ended.
    closed: bool,
}

/// A flow.
#[derive(Debug)]
struct Kept {
    name: String,
    ends: [NodeId; 2],
    since: Time,
    written: u64,
    delivered: u64,
    closed: bool,
    congestion: Option<Congestion>,
    /// As last seen.
    state: FlowState,
}

impl Connections {
    /// None yet, of the hosts of this scenario; connections between the ends of flows that it once had are called as those.
    pub(crate) fn new(scenario: &Scenario, replaced: &[Flow]) -> Self {
        let ends = |names: [&String; 2]| names.map(|name| scenario.host(name).0);
        let carried = replaced.iter().filter(|flow| matches!(flow.kind, FlowKind::Tcp { .. }));
        let carried = carried.map(|flow| (flow.name.clone(), ends([&flow.from, &flow.to])));
        // A program may ask for what the other host then sends.
        let programs = scenario.program.iter().flat_map(|program| {
            let Program { name, from, to, .. } = program;
            [ends([from, to]), ends([to, from])].map(|ends| (name.clone(), ends))
        });
        Self {
            names: programs.chain(carried).collect(),
            nodes: scenario.nodes().map(|(_, role)| role.name().clone()).collect(),
            gateway: None,
            first: scenario.flow.len(),
            ways: BTreeMap::new(),
            flows: Vec::new(),
            beyond: 0,
        }
    }

    /// Connections with addresses outside are those of this host from now on.
    pub(crate) fn lead_out_by(&mut self, gateway: NodeId) {
        self.gateway = Some(gateway);
    }

    /// How many carried data: those that are flows, and those beyond.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.flows.len() as u64, self.beyond)
    }

    /// Takes what a kernel tells of a socket, and shows a probe what is new.
    pub(crate) fn take<P: Probe>(&mut self, now: Time, socket: Socket, probe: &mut P) {
        let [here, there] = [[socket.local, socket.remote], [socket.remote, socket.local]];
        self.of(now, there).received = Some((socket.received, socket.closed));
        self.carry(now, there, probe);
        self.of(now, here).sender = Some(socket);
        self.carry(now, here, probe);
    }

    /// A way, as far as it is known.
    fn of(&mut self, now: Time, ends: [SocketAddrV4; 2]) -> &mut OneWay {
        self.ways.entry(ends).or_insert_with(|| OneWay {
            since: now,
            leaves: addresses::node(*ends[1].ip()).is_none(),
            sender: None,
            received: None,
            flow: None,
            told: Observed::default(),
        })
    }

    /// Shows a probe what is new of a way, and forgets it once both of its ends are closed.
    fn carry<P: Probe>(&mut self, now: Time, ends: [SocketAddrV4; 2], probe: &mut P) {
        let Some(mut way) = self.ways.remove(&ends) else { return };
        let closed = way.received.is_none_or(|(_, closed)| closed)
            && way.sender.as_ref().is_none_or(|sender| sender.closed);
        // The ports serve another connection.
        if way.bytes() < way.told.delivered {
            way = OneWay { since: now, flow: None, told: Observed::default(), ..way };
        }
        if way.flow.is_none() && way.bytes() > INITIAL_WINDOW {
            way.flow = Some(self.open(now, way.since, ends, probe));
        }
        if let Some(Some(flow)) = way.flow {
            let id = FlowId((self.first + flow) as u16);
            way.show(now, id, probe);
            let kept = &mut self.flows[flow];
            kept.delivered = way.told.delivered;
            kept.state.delivered = way.told.delivered;
            if let Some(sender) = &way.sender {
                kept.written = sender.acknowledged + u64::from(sender.unacknowledged);
                kept.closed = sender.closed;
                kept.state.closed = sender.closed;
                kept.state.cwnd = sender.cwnd;
                kept.state.srtt_ms = sender.srtt.as_secs_f64() * 1e3;
                kept.state.retransmissions = sender.retransmissions;
                kept.congestion = kept.congestion.or_else(|| congestion(&sender.congestion));
            }
        }
        if !closed {
            self.ways.insert(ends, way);
        }
    }

    /// Makes a flow of a way, if there is room and both ends are hosts.
    fn open<P: Probe>(
        &mut self,
        now: Time,
        since: Time,
        ends: [SocketAddrV4; 2],
        probe: &mut P,
    ) -> Option<usize> {
        let node = |end: SocketAddrV4| addresses::node(*end.ip()).or(self.gateway);
        let [Some(from), Some(to)] = ends.map(node) else { return None };
        if self.flows.len() == MOST {
            self.beyond += 1;
            return None;
        }
        let name = self.name([from, to]);
        probe.flow(now, &FlowSeen { name: &name, from, to });
        let state = FlowState {
            name: name.clone(),
            delivered: 0,
            cwnd: 0,
            srtt_ms: 0.0,
            retransmissions: 0,
            closed: false,
        };
        self.flows.push(Kept {
            name,
            ends: [from, to],
            since,
            written: 0,
            delivered: 0,
            closed: false,
            congestion: None,
            state,
        });
        Some(self.flows.len() - 1)
    }

    /// What a flow between two hosts is called: as the first flow of the scenario between them whose name is free, or by them.
    fn name(&mut self, ends: [NodeId; 2]) -> String {
        if let Some(place) = self.names.iter().position(|(_, of)| *of == ends) {
            let name = self.names.remove(place).0;
            // It is taken in the other direction, too.
            self.names.retain(|(other, _)| *other != name);
            return name;
        }
        let [from, to] = ends.map(|node| &self.nodes[usize::from(node.0)]);
        let (mut name, mut number) = (format!("{from}-{to}"), 1);
        while self.flows.iter().any(|flow| flow.name == name) {
            number += 1;
            name = format!("{from}-{to}-{number}");
        }
        name
    }

    /// The flows as they are now.
    pub(crate) fn state(&self) -> Vec<FlowState> {
        self.flows.iter().map(|kept| kept.state.clone()).collect()
    }

    /// The flows as a scenario would have them, which writes as many bytes as were delivered, and how they ended.
    pub(crate) fn flows(&self) -> Vec<(Flow, FlowEnd)> {
        let numbered = self.flows.iter().zip(self.first..);
        numbered.map(|(kept, number)| kept.flow(FlowId(number as u16), &self.nodes)).collect()
    }
}

impl OneWay {
    /// Bytes that have arrived; outside, where nothing tells of them, those that were acknowledged from there.
    fn bytes(&self) -> u64 {
        match (&self.sender, self.received) {
            (Some(sender), None) if self.leaves => sender.acknowledged,
            (_, received) => received.map_or(0, |(bytes, _)| bytes),
        }
    }

    /// Shows a probe what is new.
    fn show<P: Probe>(&mut self, now: Time, flow: FlowId, probe: &mut P) {
        let bytes = self.bytes() - self.told.delivered;
        if bytes > 0 {
            probe.see(now, Observation::Delivered { flow, bytes });
            self.told.delivered += bytes;
        }
        let Some(sender) = &self.sender else { return };
        for _ in self.told.retransmissions..sender.retransmissions {
            probe.see(now, Observation::Retransmission { flow });
        }
        for _ in self.told.timeouts..sender.timeouts {
            probe.see(now, Observation::Loss { flow, event: LossEvent::Timeout });
        }
        let recovers = |state: Option<CaState>| matches!(state, Some(CaState::Recovery | CaState::Loss));
        let event = match (self.told.state, sender.state) {
            (before, CaState::Recovery) if !recovers(before) => Some(LossEvent::RecoveryEntered),
            (before, CaState::Open | CaState::Disorder | CaState::Cwr) if recovers(before) => {
                Some(LossEvent::RecoveryLeft)
            }
            _ => None,
        };
        if let Some(event) = event {
            probe.see(now, Observation::Loss { flow, event });
        }
        let &Socket { cwnd, ssthresh, in_flight, srtt, rto, state, .. } = sender;
        if !self.told.closed {
            probe.see(now, Observation::Window(Window { flow, cwnd, ssthresh, in_flight, srtt, rto, state }));
        }
        if sender.closed && !self.told.closed {
            probe.see(now, Observation::Closed { flow });
        }
        self.told.closed = sender.closed;
        self.told.retransmissions = sender.retransmissions;
        self.told.timeouts = sender.timeouts;
        self.told.state = Some(state);
    }
}

impl Kept {
    fn flow(&self, id: FlowId, nodes: &[String]) -> (Flow, FlowEnd) {
        let [from, to] = self.ends.map(|node| nodes[usize::from(node.0)].clone());
        let bytes = self.closed.then_some(Bytes(self.delivered));
        let tcp = FlowTcp { congestion: self.congestion, ..FlowTcp::UNCHANGED };
        let kind = FlowKind::Tcp { bytes, write: None, tcp };
        let start = self.since.since(Time::ZERO);
        let flow =
            Flow { name: self.name.clone(), group: None, from, to, start, stop: None, dscp: None, kind };
        // The receiver may have told its part later than the sender.
        let written = self.written.max(self.delivered);
        (flow, FlowEnd { flow: id, written, delivered: self.delivered, in_transit: 0 })
    }
}

/// A congestion control by the kernel's word for it; none that airloom does not know.
fn congestion(word: &str) -> Option<Congestion> {
    let word = if word == "reno" { "newreno" } else { word };
    Congestion::of(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Duration;

    type Observations = Vec<(Time, Observation)>;

    fn scenario() -> (Scenario, Vec<Flow>) {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/download.toml");
        let text = std::fs::read_to_string(file).expect("it is there");
        let mut scenario =
            airloom_scenario::load(&text, "download.toml", &[], None).expect("a sound scenario");
        let replaced = std::mem::take(&mut scenario.flow);
        (scenario, replaced)
    }

    /// A socket of the server's port, or of the laptop's, that has so many bytes acknowledged and received.
    fn socket(of_server: bool, port: u16, [acknowledged, received]: [u64; 2]) -> Socket {
        let laptop = SocketAddrV4::new([10, 0, 0, 1].into(), port);
        let server = SocketAddrV4::new([10, 0, 0, 2].into(), 80);
        let (local, remote) = if of_server { (server, laptop) } else { (laptop, server) };
        Socket {
            local,
            remote,
            closed: false,
            congestion: "bbr".to_owned(),
            state: CaState::Open,
            cwnd: 20,
            ssthresh: u32::MAX,
            in_flight: 10,
            srtt: Duration::from_millis(30),
            rto: Duration::from_millis(230),
            retransmissions: 0,
            timeouts: 0,
            acknowledged,
            unacknowledged: 0,
            received,
        }
    }

    fn ms(n: u64) -> Time {
        Time::ZERO + Duration::from_millis(n)
    }

    fn sum(seen: &Observations, of: impl Fn(&Observation) -> u64) -> u64 {
        seen.iter().map(|(_, seen)| of(seen)).sum()
    }

    #[test]
    fn a_download_is_the_scenarios_flow_with_all_of_its_bytes() {
        let (scenario, replaced) = scenario();
        let mut all = Connections::new(&scenario, &replaced);
        let mut seen = Observations::new();
        for n in 1..=50 {
            let bytes = n * 10_000;
            let state = if (10..20).contains(&n) { CaState::Recovery } else { CaState::Open };
            let retransmissions = if n < 10 { 0 } else { 4 };
            let sender = Socket { state, retransmissions, ..socket(true, 4000, [bytes, 300]) };
            all.take(ms(n * 10), sender, &mut seen);
            all.take(ms(n * 10), socket(false, 4000, [300, bytes]), &mut seen);
        }
        for closed in [socket(true, 4000, [500_000, 300]), socket(false, 4000, [300, 500_000])] {
            let closed = Socket { closed: true, retransmissions: 4, ..closed };
            all.take(ms(510), closed, &mut seen);
        }
        let delivered = sum(&seen, |seen| match seen {
            Observation::Delivered { flow: FlowId(0), bytes } => *bytes,
            _ => 0,
        });
        assert_eq!(delivered, 500_000, "the request of the other way is no flow");
        assert_eq!(sum(&seen, |seen| matches!(seen, Observation::Retransmission { .. }).into()), 4);
        let losses: Vec<_> = seen
            .iter()
            .filter_map(|(time, seen)| match seen {
                Observation::Loss { event, .. } => Some((*time, *event)),
                _ => None,
            })
            .collect();
        assert_eq!(losses, [(ms(100), LossEvent::RecoveryEntered), (ms(200), LossEvent::RecoveryLeft)]);
        assert_eq!(sum(&seen, |seen| matches!(seen, Observation::Closed { .. }).into()), 1);
        let [(flow, end)] = &all.flows()[..] else { panic!("one flow") };
        assert_eq!(
            (flow.name.as_str(), flow.from.as_str(), flow.to.as_str()),
            ("download", "server", "laptop")
        );
        assert_eq!((end.written, end.delivered, flow.start), (500_000, 500_000, Duration::from_millis(10)));
        let FlowKind::Tcp { bytes, tcp, .. } = &flow.kind else { panic!("TCP") };
        assert_eq!((*bytes, tcp.congestion), (Some(Bytes(500_000)), Some(Congestion::Bbr)));
        assert!(all.ways.is_empty(), "what is closed is forgotten");
    }

    #[test]
    fn connections_have_names_of_their_own_and_ports_serve_again() {
        let (scenario, replaced) = scenario();
        let mut all = Connections::new(&scenario, &replaced);
        let mut seen = Observations::new();
        for (n, port, bytes) in [(1, 1, 90_000), (2, 2, 90_000), (3, 2, 80_000), (4, 3, 10_000)] {
            all.take(ms(n), socket(false, port, [100, bytes]), &mut seen);
        }
        all.take(ms(5), socket(false, 4, [70_000, 0]), &mut seen);
        all.take(ms(5), socket(true, 4, [0, 70_000]), &mut seen);
        let flows = all.flows();
        let names: Vec<_> = flows.iter().map(|(flow, end)| (flow.name.as_str(), end.delivered)).collect();
        let expected = [
            ("download", 90_000),
            ("server-laptop", 90_000),
            ("server-laptop-2", 80_000),
            ("laptop-server", 70_000),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_programs_connection_has_its_name_whichever_way_the_data_go() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/download.toml");
        let text = std::fs::read_to_string(file).expect("it is there");
        let page = "[[flow]]\nname = \"page\"\nkind = \"command\"\nfrom = \"laptop\"\nto = \"server\"\ncommand = \"curl\"";
        let text = text.replace("[[flow]]", &format!("{page}\n[[flow]]"));
        let mut scenario = airloom_scenario::load(&text, "page.toml", &[], None).expect("a sound scenario");
        let replaced = std::mem::take(&mut scenario.flow);
        let mut all = Connections::new(&scenario, &replaced);
        let mut seen = Observations::new();
        for port in 1..=3 {
            all.take(ms(1), socket(false, port, [300, 90_000]), &mut seen);
        }
        let names: Vec<_> = all.flows().into_iter().map(|(flow, _)| flow.name).collect();
        assert_eq!(names, ["page", "download", "server-laptop"]);
    }

    #[test]
    fn too_many_are_counted_and_those_that_failed_forgotten() {
        let (scenario, replaced) = scenario();
        let mut all = Connections::new(&scenario, &replaced);
        let mut seen = Observations::new();
        for port in 1..=300 {
            all.take(ms(1), socket(false, port, [0, 20_000]), &mut seen);
            all.take(ms(2), socket(false, port, [0, 20_000]), &mut seen);
            all.take(ms(3), Socket { closed: true, ..socket(true, 1000 + port, [0, 0]) }, &mut seen);
        }
        assert_eq!(all.counts(), (256, 44));
        assert_eq!(all.ways.len(), 600, "both ways of those that are open");
    }
}
