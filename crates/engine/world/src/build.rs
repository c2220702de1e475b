//! Builds components from a scenario: the only place that knows both.

use super::absences::Absences;
use super::addresses;
use super::bridge::Bridge;
use super::fed::Fed;
use super::flow_hash::flow_hash;
use super::gro::Gro;
use super::id::{PublicationId, SocketId, WiredLinkId};
use super::impairment::Impairment;
use super::line_rate::LineRate;
use super::neighbours::Neighbours;
use super::processor::Processor;
use super::publications::Publications;
use super::signal_script::SignalScripts;
use super::sockets::{
    Application, End, LinkRateFeedback, OwnTraffic, Pace, Pinger, Plan, Sender, Socket, Tcp, Writes,
};
use super::tx_queues::TxQueues;
use super::usb::Port;
use super::walking::Walking;
use super::wired_link::{ManagedQueue, WiredLink};
use super::{Event, Node, World};
use airloom_observe::{Direction, FlowId, NodeId, Probe, QueueId, QueueLayer};
use airloom_policy::ScanPolicyConfig;
use airloom_queue::Limit;
use airloom_scenario::{
    AccessPoint, Adapter, Air, ChannelSwitch, Discipline, Flow, FlowKind, FlowTcp, Link, LinkRate, Place,
    Remedy, RemedyPolicy, Roam, Role, Scan, Scenario, Server, SharedRates, Station, Steer, TrafficSource,
    UdpRate, Writing,
};
use airloom_sim::{Calendar, Duration, Index, IndexVec, Slab, Stream, Time, seed_of};
use airloom_tcp::{Config, Endpoint, Role as TcpRole, Timer};
use airloom_wifi::scan::{Procedure, Scanner};
use airloom_wifi::{BssId, Category, DscpMap, Edca, Ether, Pull, RateChoice, Reordering, Roaming, Turns};
use airloom_wire::{FiveTuple, Protocol};
use std::collections::VecDeque;
use std::sync::Arc;

/// Builds the world of a scenario, its nodes in the order of their numbers: access points, stations, servers. Stations with places may be
/// sent for walks, if that is said.
pub(super) fn world<P: Probe>(scenario: &Scenario, may_walk: bool, probe: P) -> World<P> {
    let mut calendar = Calendar::default();
    let walking = Walking::of(scenario, &mut calendar);
    let ether = match &walking {
        Some(walking) if may_walk || walking.place().moves() || scenario.any_switches() => {
            Ether::with_changing_reach(scenario.seed)
        }
        _ => Ether::new(scenario.seed),
    };
    let OnTheAir { mut nodes, air, bridge, ports } =
        on_the_air(&mut calendar, scenario, walking.as_ref(), ether);
    let wired_links = servers(&mut calendar, scenario, &mut nodes);
    let neighbours = Neighbours::of(scenario, &mut calendar);
    let signal_scripts = SignalScripts::of(scenario, &mut calendar);
    let salt = Stream::new(scenario.seed, "world", "salt of flow hashes").up_to(u32::MAX).into();
    let (sockets, outside) = sockets(&mut calendar, scenario, salt);
    let air_slots =
        (0..air.timers()).map(|n| calendar.reserve(Event::Air(airloom_wifi::TimerId(n)))).collect();
    let is_joined = |role: Role<'_>| matches!(role, Role::Station(one) if one.adapter.host_side.gro);
    let radios = scenario.nodes().take_while(|(_, role)| role.adapter().is_some());
    let gro = Gro::of(radios.map(|(_, role)| is_joined(role)).collect());
    let datagrams_follow =
        sockets.iter().any(|socket| matches!(&socket.end, End::Udp(sender) if sender.follows()));
    let mut world = World {
        calendar,
        now: Time::ZERO,
        until: Time::ZERO + scenario.duration,
        air,
        air_slots,
        walking,
        signal_scripts,
        bridge,
        neighbours,
        nodes,
        absences: Absences::default(),
        gro,
        ports,
        wired_links,
        link_rate_followers: sockets.ids().filter(|&id| sockets[id].follows_link_rate()).collect(),
        sockets,
        packets: Slab::default(),
        fed: Fed::default(),
        outside,
        publications: Publications::of(scenario),
        salt,
        dropped: Vec::new(),
        pending_credits: VecDeque::new(),
        saturated_ready: Vec::new(),
        datagrams_follow,
        air_fx: Box::default(),
        air_spare: None,
        tcp_spare: None,
        probe,
    };
    world.show_signals(scenario);
    world.air.start(&mut world.air_fx);
    world.settle_air(Time::ZERO);
    world
}

/// Access points and stations, each with the queue above its driver, its radio, and its place in the bridge.
struct OnTheAir {
    nodes: Vec<Node>,
    air: Ether,
    bridge: Bridge,
    ports: IndexVec<NodeId, Option<Port>>,
}

/// Builds what is on the air, in the order of the nodes: access points, then stations.
fn on_the_air(
    calendar: &mut Calendar<Event>,
    scenario: &Scenario,
    walking: Option<&Walking>,
    mut air: Ether,
) -> OnTheAir {
    let chance = |entity: &str, category| match category {
        Category::BestEffort => Stream::new(scenario.seed, entity, "early drops"),
        other => Stream::new(scenario.seed, entity, &format!("early drops of {}", other.name())),
    };
    // Queues for receivers are found by the receiver's node.
    let receivers = scenario.ap.len() + scenario.station.len();
    let mut nodes = Vec::new();
    let place = walking.map(Walking::place);
    let mut hidden = place.map_or_else(|| scenario.hidden(), Place::hidden);
    interferers(&mut air, scenario, place);
    let mut bridge = Bridge::default();
    let mut ports = IndexVec::default();
    // Of each access point one for each of its links.
    let mut networks = IndexVec::<NodeId, Vec<BssId>>::default();
    let signals = scenario.signals();
    let publishes = scenario.flow.iter().any(|flow| matches!(flow.kind, FlowKind::Publish { .. }));
    for (id, ap) in scenario.access_points() {
        let queues = TxQueues::new(id, &ap.queue, receivers, |of| chance(&ap.name, of), calendar);
        nodes.push(Node::Radio(queues));
        let hidden = std::mem::take(&mut hidden[id]);
        let links = scenario.links_of(ap).into_iter().map(|(link, its)| {
            let mut radio = access_point(id, &link, hidden.clone(), &its);
            radio.reports = ap.rrm_neighbor_report.then(|| scenario.named_beside(ap).count() as u8);
            radio.has_group = publishes;
            air.add_access_point(radio)
        });
        networks.push(links.collect());
        bridge.add_access_point(ap.processor.as_ref().map(|given| Processor::new(id, given, calendar)));
        ports.push(None);
    }
    for (id, station) in scenario.stations() {
        let (ap_id, ap) = scenario.access_point_of(station);
        let chance = |of| chance(&station.name, of);
        let ways = scenario.ways_of(station);
        let receivers = ways.iter().map(|(id, _)| id.0).fold(ap_id.0, u16::max);
        let receivers = usize::from(receivers) + 1;
        nodes.push(Node::Radio(TxQueues::new(id, &station.host.queue, receivers, chance, calendar)));
        let hidden = std::mem::take(&mut hidden[id]);
        let (link, its) = scenario.link_of(ap, station.first_link());
        let mut radio = station_radio(id, station, hidden.clone(), &link, &its);
        radio.scanning = station.scan.as_ref().map(|scan| scanning(scan, station, scenario.seed));
        radio.snr_db = signals.snr(station);
        let above_db = radio.snr_db - station.snr;
        let rate = (radio.rate.clone(), radio.rates.clone());
        air.add_station(networks[ap_id][station.first_link()], radio);
        for further in station.further_links() {
            let (link, its) = scenario.link_of(ap, further.number);
            let mut radio = station_radio(id, station, hidden.clone(), &link, &its);
            (radio.snr_db, radio.rate) = (further.snr + above_db, further.rate.clone());
            air.add_link(networks[ap_id][further.number], radio);
        }
        if let Some(roam) = &station.roam {
            let how = roaming(scenario, station, roam);
            let others = ways.iter().map(|&(other, ap)| {
                let radio = berth(scenario, (id, station), ap, walking.map(Walking::place), other);
                (networks[other][0], radio, ap.ft)
            });
            let scans = Procedure::new(station.host.offchannel, how.channels);
            air.let_roam((id, networks[ap_id][0], rate, ap.ft), how, others.collect(), scans);
        }
        bridge.add_station(ap_id);
        ports.push(Port::of(station, id, scenario.seed, calendar));
    }
    if let Some(walking) = walking {
        walking.levels(&mut air);
    }
    OnTheAir { nodes, air, bridge, ports }
}

/// Adds what else is on the air.
fn interferers(air: &mut Ether, scenario: &Scenario, place: Option<&Place>) {
    let networks: Vec<_> = scenario.channels().iter().map(|channel| channel.spectrum()).collect();
    let radios = scenario.ap.len() + scenario.station.len();
    for one in &scenario.interferer {
        let carrier_hz = one.carrier_hz(&scenario.air);
        let level = |node: usize| match (one.level, one.position, place) {
            (Some(dbm), ..) => dbm,
            (_, Some(from), Some(place)) => {
                place.level_at(from, carrier_hz, NodeId::new(node), Duration::ZERO)
            }
            _ => f64::NEG_INFINITY,
        };
        let levels = (0..radios).map(level).collect();
        air.add_interferer(&one.name, one.source(&scenario.air, &networks), levels);
    }
}

/// Adds the servers; returns their links, one for each direction.
fn servers(
    calendar: &mut Calendar<Event>,
    scenario: &Scenario,
    nodes: &mut Vec<Node>,
) -> IndexVec<WiredLinkId, WiredLink> {
    let ap_id = scenario.access_point_with_wires();
    let mut wired_links = IndexVec::default();
    for server in &scenario.server {
        let id = NodeId(nodes.len() as u16);
        let [uplink, downlink] = wired_links.next_ids();
        nodes.push(Node::Server { uplink, downlink });
        let ways = [
            (QueueLayer::Link, [id, ap_id], uplink, ["early drops", "losses"]),
            (QueueLayer::LinkTo, [ap_id, id], downlink, ["early drops towards it", "losses towards it"]),
        ];
        for (layer, ends, index, purposes) in ways {
            let chances = purposes.map(|purpose| Stream::new(scenario.seed, &server.name, purpose));
            let queue = QueueId { node: id, layer };
            wired_links.push(link(calendar, server, queue, ends, index, chances));
        }
    }
    wired_links
}

/// The two ends of each flow; then the one for packets that come from outside of the scenario, and its number.
fn sockets(
    calendar: &mut Calendar<Event>,
    scenario: &Scenario,
    salt: u64,
) -> (IndexVec<SocketId, Socket>, SocketId) {
    let mut sockets = IndexVec::<SocketId, Socket>::default();
    let publications = scenario.publications();
    for (i, flow) in scenario.flow.iter().enumerate() {
        let ends: [SocketId; 2] = sockets.next_ids();
        start_and_stop(calendar, flow, ends[0]);
        let mut pair = pair(calendar, scenario, salt, (FlowId(i as u16), ends), flow);
        if let FlowKind::Publish { .. } = flow.kind {
            let publication = publications.iter().position(|flows| flows[0] == i);
            publish(scenario, &mut pair[0], publication.map(PublicationId::new), &flow.from);
        }
        pair.into_iter().for_each(|socket| {
            sockets.push(socket);
        });
    }
    let [outside] = sockets.next_ids();
    let ap_id = scenario.access_point_with_wires();
    sockets.push(Socket::outside(ap_id, outside, FlowId(scenario.flow.len() as u16)));
    (sockets, outside)
}

/// How the driver of this adapter gets its packets from this queue.
fn pull(discipline: &Discipline, adapter: &Adapter) -> Option<Pull> {
    let Discipline::Mac80211(queues) = discipline else { return None };
    let ahead = adapter.pulling.ahead();
    // A scheduler of one's own says whose PPDU is next, and not what a driver pulls ahead.
    let own = matches!(adapter.turns, Turns::Own(_)) && ahead.is_none();
    Some(Pull { share: queues.airtime.filter(|_| !own), ahead })
}

/// One direction of a server's link; its queue draws from the first stream, its losses and late deliveries from the second.
fn link(
    calendar: &mut Calendar<Event>,
    server: &Server,
    id: QueueId,
    ends: [NodeId; 2],
    index: WiredLinkId,
    [chance, losses]: [Stream; 2],
) -> WiredLink {
    let slots = [calendar.reserve(Event::Arrival(index)), calendar.reserve(Event::Departure(index))];
    let Link { rate, delay, queue: discipline, .. } = &server.link;
    let limit = discipline.drop_tail().unwrap_or(Limit { packets: None, bytes: None });
    let mut link = WiredLink::new(id, ends, LineRate::of(rate), *delay, limit, slots);
    if discipline.drop_tail().is_none() {
        let queue = discipline.queue(id, chance).expect("a link's queue is not for receivers");
        link.managed = Some(ManagedQueue { queue, free: calendar.reserve(Event::Free(index)) });
    }
    link.impairment = Impairment::of(&server.link, index, losses, calendar);
    link
}

/// Sets when a flow starts and, if it does, stops.
fn start_and_stop(calendar: &mut Calendar<Event>, flow: &Flow, sender: SocketId) {
    let start = calendar.reserve(Event::Start(sender));
    calendar.set(start, Time::ZERO + flow.start);
    if let Some(stop) = flow.stop {
        let slot = calendar.reserve(Event::Stop(sender));
        calendar.set(slot, Time::ZERO + stop);
    }
}

/// The two sockets of a flow: the sender's and the receiver's.
fn pair(
    calendar: &mut Calendar<Event>,
    scenario: &Scenario,
    salt: u64,
    (id, [first, second]): (FlowId, [SocketId; 2]),
    flow: &Flow,
) -> [Socket; 2] {
    let hash = flow_hash(&five_tuple(scenario, id, flow), salt);
    let socket = |(name, direction, peer): (&str, Direction, SocketId), end| {
        let (node, host) = scenario.host(name);
        let other = if direction == Direction::Forward { &flow.to } else { &flow.from };
        let (peer_node, _) = scenario.host(other);
        let (dscp, overhead) = (flow.dscp.unwrap_or(0), host.packet_overhead);
        Socket { flow: id, hash, direction, peer, peer_node, node, dscp, overhead, end }
    };
    let forward = (flow.from.as_str(), Direction::Forward, second);
    let backward = (flow.to.as_str(), Direction::Backward, first);
    let sender = match &flow.kind {
        FlowKind::Tcp { bytes, write, tcp } => {
            let plan = |write: &Writing| match write {
                &Writing::Paced(airloom_scenario::Writes { size, every }) => {
                    Plan::Even { size: size.0, every }
                }
                Writing::Traffic(source) => Plan::Own(Box::new(traffic(scenario, flow, source, None))),
            };
            let pace = write.as_ref().map(|write| Writes {
                plan: plan(write),
                due: calendar.reserve(Event::Write(first)),
                ready: 0,
            });
            let writer = Application::Writer { left: bytes.map(|b| b.0), pace, stopped: false };
            let ends =
                [(forward, first, tcp, writer), (backward, second, &FlowTcp::UNCHANGED, Application::Reader)];
            return ends.map(|(place, own, changes, application)| {
                let (name, direction, _) = place;
                let (_, host) = scenario.host(name);
                let seed = (scenario.seed, flow.name.as_str());
                let tcp = (changes.over(&host.tcp), changes.link_rate.unwrap_or(host.link_rate));
                let end = connection(calendar, seed, (id, direction, own), tcp, application);
                socket(place, End::Tcp(Box::new(end)))
            });
        }
        &FlowKind::Udp { ref rate, payload } => {
            let pace = match rate {
                UdpRate::Saturated => saturating(scenario, flow, payload),
                &UdpRate::Paced(rate, spacing) => {
                    let departures = Stream::new(scenario.seed, &flow.name, "departures of datagrams");
                    Pace::Paced { rate, spacing, departures }
                }
                UdpRate::Traffic(source) => {
                    Pace::Own(Box::new(traffic(scenario, flow, source, Some(payload))))
                }
            };
            End::Udp(Sender::new(pace, payload, calendar.reserve(Event::Due(first))))
        }
        &FlowKind::Publish { rate, spacing, payload } => {
            let departures = Stream::new(scenario.seed, &flow.name, "departures of datagrams");
            let pace = Pace::Paced { rate, spacing, departures };
            End::Udp(Sender::new(pace, payload, calendar.reserve(Event::Due(first))))
        }
        &FlowKind::Ping { interval, payload } => {
            End::Ping(Pinger::new(interval, payload, calendar.reserve(Event::Due(first))))
        }
    };
    [socket(forward, sender), socket(backward, End::Sink)]
}

/// The application of a flow that has `traffic`.
fn traffic(scenario: &Scenario, flow: &Flow, source: &TrafficSource, payload: Option<u32>) -> OwnTraffic {
    let socket = airloom_scenario::Socket { payload };
    match source {
        &TrafficSource::Own(own) => {
            let seed = seed_of(scenario.seed, &flow.name, "traffic of one's own");
            OwnTraffic::new(own, seed, socket)
        }
        TrafficSource::Script(steps) => OwnTraffic::scripted(Arc::clone(steps), socket),
    }
}

/// Makes a socket the sender of a publication, by way of its access point; the flows of further receivers send nothing.
fn publish(scenario: &Scenario, socket: &mut Socket, publication: Option<PublicationId>, from: &str) {
    let station = scenario.station.iter().find(|station| station.name == from);
    let by_air = station.map(|station| scenario.access_point_of(station).0);
    socket.peer_node = by_air.unwrap_or_else(|| scenario.access_point_with_wires());
    socket.end = match (std::mem::replace(&mut socket.end, End::Sink), publication) {
        (End::Udp(sender), Some(publication)) => End::Udp(sender.publishing(publication)),
        _ => End::Sink,
    };
}

/// What the forward packets of a flow have in common.
fn five_tuple(scenario: &Scenario, id: FlowId, flow: &Flow) -> FiveTuple {
    let [src, dst] = [&flow.from, &flow.to].map(|name| addresses::ip(scenario.host(name).0));
    let ports = addresses::ports(id, Direction::Forward);
    let (protocol, ports) = match flow.kind {
        FlowKind::Tcp { .. } => (Protocol::TCP, ports),
        FlowKind::Udp { .. } | FlowKind::Publish { .. } => (Protocol::UDP, ports),
        FlowKind::Ping { .. } => (Protocol::ICMP, (0, 0)),
    };
    FiveTuple { src, dst, protocol, ports }
}

/// One end of a TCP connection.
fn connection(
    calendar: &mut Calendar<Event>,
    (seed, name): (u64, &str),
    (id, direction, socket): (FlowId, Direction, SocketId),
    (tcp, link_rate): (Config, LinkRate),
    application: Application,
) -> Tcp {
    let (role, purpose) = match direction {
        Direction::Forward => (TcpRole::Active, "isn of sender"),
        Direction::Backward => (TcpRole::Passive, "isn of receiver"),
    };
    let isn = Stream::new(seed, name, purpose).up_to(u32::MAX);
    let slots = Timer::ALL.map(|timer| calendar.reserve(Event::Tcp(socket, timer)));
    let link_rate_feedback = match (link_rate, direction) {
        (LinkRate::Pushed, Direction::Forward) => LinkRateFeedback::Pushed,
        (LinkRate::Polled(every), Direction::Forward) => {
            LinkRateFeedback::Polled { every, due: calendar.reserve(Event::Due(socket)) }
        }
        _ => LinkRateFeedback::None,
    };
    let endpoint = Endpoint::new(tcp, role, id, direction, isn);
    Tcp { endpoint, fx: Box::default(), application, slots, awaits_delivery: false, link_rate_feedback }
}

/// How a saturated flow with this payload keeps a station's driver full and the queue above it non-empty, or a server's link busy,
/// without a loss in its own queue.
///
/// In Linux a sender waits as its socket's buffer is full (net/core/sock.c, `sock_alloc_send_pskb()`), and a datagram that a queue
/// drops gives its room there back as one does that was sent (`sock_wfree()`): what is longer than a queue would be dropped in it
/// and sent again without end. So a plain queue with room for all that it takes is filled so far, shared with the host's other
/// flows of this DSCP. In any other the flow's next datagram datagrams_follow the last.
fn saturating(scenario: &Scenario, flow: &Flow, payload: u32) -> Pace {
    const WAITING: u64 = 16;
    // Of IP and UDP, and what Ethernet puts around a packet.
    const HEADERS: u32 = 28 + 38;
    let (queue, driver) = match scenario.station.iter().find(|s| s.name == flow.from) {
        Some(Station { host, adapter, .. }) => {
            let bus = adapter.usb.as_ref().map_or(0, |usb| usb.queue);
            (Some(&host.queue), u64::from(adapter.depth.driver_limit + bus))
        }
        None => (scenario.server.iter().find(|s| s.name == flow.from).map(|s| &s.link.queue), 0),
    };
    let Some(Limit { packets, bytes }) = queue.and_then(Discipline::drop_tail) else {
        return Pace::Following;
    };
    let (_, host) = scenario.host(&flow.from);
    let longest = u64::from(payload + host.packet_overhead + HEADERS);
    let by_bytes = bytes.map_or(u64::MAX, |bytes| bytes.0 / longest);
    let room = packets.map_or(u64::MAX, u64::from).min(by_bytes);
    let like = |other: &&Flow| {
        let saturated = matches!(other.kind, FlowKind::Udp { rate: UdpRate::Saturated, .. });
        saturated && other.from == flow.from && other.dscp == flow.dscp
    };
    let flows = scenario.flow.iter().filter(like).count() as u64;
    let below = (driver + WAITING).div_ceil(flows);
    match driver {
        // A wire says when a packet has left it, not when it has left the queue.
        0 => Pace::Filling { below: below.min(room / flows).max(1) },
        _ if below * flows <= room => Pace::Filling { below },
        _ => Pace::Following,
    }
}

/// An access point as the air knows it.
fn access_point<'a>(
    id: NodeId,
    ap: &'a AccessPoint,
    hidden: Vec<NodeId>,
    air: &Air,
) -> airloom_wifi::AccessPoint<'a> {
    let adapter = airloom_wifi::Adapter {
        reordering: if ap.pseudo_retry_out { Reordering::PseudoRetryOut } else { Reordering::Timeout },
        pull: pull(&ap.queue, &ap.adapter),
        ..adapter(&ap.adapter, air)
    };
    airloom_wifi::AccessPoint {
        id,
        name: &ap.name,
        adapter,
        edca: edca_of_access_point(ap, air),
        channel: ap.spectrum(air),
        phy: air.phy(),
        beacon_interval: ap.beacon_interval,
        park_limit: ap.power_save_buffer as usize,
        dtim_period: ap.dtim_period,
        has_group: false,
        off: ap.off.iter().flatten().map(|cut| [cut.from, cut.to].map(|at| Time::ZERO + at)).collect(),
        switches: ap.switches().map(|one| switch(one, air)).collect(),
        disassoc_low_ack: ap.disassoc_low_ack,
        max_inactivity: ap.ap_max_inactivity,
        steering: ap.steer.as_ref().map(Steer::rules),
        reports: None,
        hidden,
    }
}

/// A switch of an access point to another channel.
fn switch(one: &ChannelSwitch, air: &Air) -> airloom_wifi::ChannelSwitch {
    let channel = air.band.channel(one.channel, air.width).expect("channels are checked as they are read");
    airloom_wifi::ChannelSwitch { at: Time::ZERO + one.at, channel, count: one.count }
}

/// A station's radio as the air knows it.
fn station_radio<'a>(
    id: NodeId,
    station: &'a Station,
    hidden: Vec<NodeId>,
    ap: &AccessPoint,
    air: &Air,
) -> airloom_wifi::Station<'a> {
    let common = SharedRates::of(air, &station.adapter, &ap.adapter);
    airloom_wifi::Station {
        id,
        name: &station.name,
        adapter: airloom_wifi::Adapter {
            pull: pull(&station.host.queue, &station.adapter),
            ..adapter(&station.adapter, air)
        },
        edca: edca_of_station(station, ap, air),
        snr_db: station.snr,
        up_db: station.up_db(ap),
        fading_db: air.fading,
        slow_fading: air.slow_fading,
        outages: air.outages,
        rate: station.rate.clone(),
        rates: common.rates(),
        hidden,
        scanning: None,
        power_save: station.power_save,
        search: station.host.offchannel.dwell * u64::from(air.band.channels_to_search()),
    }
}

/// How an access point contends in its air.
pub(crate) fn edca_of_access_point(ap: &AccessPoint, air: &Air) -> Edca {
    ap.adapter.edca(&air.rates(), Edca::ACCESS_POINT, ap.edca.as_ref())
}

/// How a station contends at an access point in its air.
pub(crate) fn edca_of_station(station: &Station, ap: &AccessPoint, air: &Air) -> Edca {
    let common = SharedRates::of(air, &station.adapter, &ap.adapter);
    station.adapter.edca(&common.legacy, Edca::STATION, ap.wmm.as_ref())
}

/// How a station roams.
fn roaming(scenario: &Scenario, station: &Station, roam: &Roam) -> Roaming {
    let channels = roam.channels.unwrap_or_else(|| scenario.channels_beside(station));
    let dwell = station.host.offchannel.dwell;
    Roaming { policy: roam.policy(), channels, steered: roam.steered(), dwell }
}

/// A station's radio at an access point that it may go to.
fn berth<'a>(
    scenario: &Scenario,
    (id, station): (NodeId, &'a Station),
    ap: &AccessPoint,
    place: Option<&Place>,
    there: NodeId,
) -> airloom_wifi::Station<'a> {
    let hidden = place.map_or_else(|| scenario.hidden(), Place::hidden)[id].clone();
    let mut radio = station_radio(id, station, hidden, ap, &scenario.air_of(ap));
    let has = |rate: &_| radio.rates.contains(rate);
    // A rate that is said for its own access point may be none of this one.
    let sound = match &radio.rate {
        RateChoice::Fixed(rate) => has(rate),
        RateChoice::Scripted(steps) => steps.iter().all(|(_, rate)| has(rate)),
        RateChoice::Adaptive(_) | RateChoice::Own(_) => true,
    };
    if let (false, Some(&fastest)) = (sound, radio.rates.iter().max_by_key(|rate| rate.bit_rate())) {
        radio.rate = RateChoice::Fixed(fastest);
    }
    if let Some(place) = place {
        radio.snr_db = place.snr_to(id, there, Duration::ZERO);
    }
    radio
}

/// An adapter in this air.
fn adapter(adapter: &Adapter, air: &Air) -> airloom_wifi::Adapter {
    airloom_wifi::Adapter {
        qos: adapter.qos,
        aggregation: adapter.aggregation,
        depth: adapter.depth,
        turns: adapter.turns,
        pull: None,
        retries: adapter.retries,
        firmware: adapter.firmware,
        minstrel: adapter.minstrel,
        reorder_timeout: adapter.reorder_timeout,
        reordering: Reordering::Timeout,
        evm_db: adapter.evm,
        noise_figure_db: adapter.front_end.noise_figure,
        null: adapter.null_frame,
        dscp_map: adapter.dscp_map.unwrap_or(DscpMap::Rfc8325),
        rts_threshold: adapter.rts_threshold,
        control_rate: adapter.fixed_rates.control_rate.map(|rate| air.legacy(rate)),
        rts_rate: adapter.fixed_rates.rts_rate,
        beacon_rate: air.beacon(adapter),
    }
}

/// What makes a station scan, what judges its requests, and how it scans.
fn scanning(
    scan: &Scan,
    station: &Station,
    seed: u64,
) -> (Scanner, Option<airloom_wifi::scan::Remedy>, Procedure) {
    let scanner = match scan.first {
        Some(first) => Scanner::new(first, scan.shortest, scan.step, scan.longest),
        None => Scanner::settled(phase(scan.longest, &station.name, seed), scan.longest),
    };
    (
        scanner,
        remedy(&scan.remedy, &station.name, seed),
        Procedure::new(station.host.offchannel, scan.channels),
    )
}

/// How long after the beginning of the run a station that scans every `interval` does so first, since the run finds it at any
/// instant between two scans.
fn phase(interval: Duration, name: &str, seed: u64) -> Duration {
    let drawn = Stream::new(seed, name, "phase of scans").uniform();
    Duration::from_nanos((drawn * interval.as_nanos() as f64) as u64)
}

/// What judges the requests for scans of a station of this name, if anything does.
pub(super) fn remedy(remedy: &Remedy, name: &str, seed: u64) -> Option<airloom_wifi::scan::Remedy> {
    match remedy.policy {
        RemedyPolicy::Own(own) => {
            Some(airloom_wifi::scan::Remedy::Own(own, seed_of(seed, name, "remedy against scans")))
        }
        RemedyPolicy::None => None,
        RemedyPolicy::SkipIfMoved => {
            // A request looks back to the one before it, and is itself the scan that is allowed.
            let terms = ScanPolicyConfig {
                threshold: remedy.threshold,
                look: Duration::ZERO,
                calls: None,
                cap: remedy.longest_postponement,
                opening: Duration::ZERO,
                weak: None,
            };
            Some(airloom_wifi::scan::Remedy::Policy(terms))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::phase;
    use airloom_sim::Duration;

    /// A run finds a station anywhere between two scans: in each tenth of 120 s as often as in any other.
    #[test]
    fn the_phase_of_scans_is_uniform_over_an_interval() {
        let mut tenths = [0u32; 10];
        for seed in 0..10_000 {
            tenths[(phase(Duration::from_secs(120), "laptop", seed).as_secs_f64() / 12.0) as usize] += 1;
        }
        let chi2: f64 = tenths.iter().map(|&n| libm::pow(f64::from(n) - 1000.0, 2.0) / 1000.0).sum();
        assert!(chi2 < 27.9, "{chi2}: beyond the 0.1 % point for 9 degrees of freedom");
    }

    #[test]
    fn stations_have_phases_of_their_own() {
        let of = |name, seed| phase(Duration::from_secs(120), name, seed);
        assert_ne!(of("laptop", 1), of("telephone", 1));
        assert_ne!(of("laptop", 1), of("laptop", 2));
    }
}
