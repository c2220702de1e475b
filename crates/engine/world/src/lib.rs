//! Hosts, queues, links and the air, and the one loop that moves packets between them.
//!
//! Components never call each other. Each call leaves effects in a buffer; the loop carries them out until none are
//! left and only then pops the next event. A packet stays in one slab from the sending to the receiving endpoint, with
//! a count of its holders, since a transmitter keeps it until it is acknowledged while the receiver may already have
//! passed it on.
//!
//! ```
//! use airloom_observe::{Observation, Probe};
//! use airloom_sim::Time;
//! use airloom_world::World;
//!
//! /// PPDUs on the air.
//! struct Ppdus(u32);
//!
//! impl Probe for Ppdus {
//!     const DETAIL: bool = false;
//!
//!     fn see(&mut self, _: Time, seen: Observation) {
//!         self.0 += u32::from(matches!(seen, Observation::Ppdu(_)));
//!     }
//! }
//!
//! let text = std::fs::read_to_string("../../../examples/download.toml")?;
//! let short = [("duration".to_owned(), "100 ms".to_owned())];
//! let scenario = airloom_scenario::load(&text, "download.toml", &short, None)?;
//! let mut world = World::new(&scenario, Ppdus(0));
//! assert!(world.run(&mut |_| true), "nothing stops it before its end");
//! assert!(world.flows()[0].delivered > 0);
//! assert!(world.into_probe().0 > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod absences;
pub mod addresses;
mod bridge;
mod build;
mod change;
mod device;
mod fed;
mod flow_hash;
mod gro;
mod id;
mod impairment;
mod line_rate;
mod linkwatch;
mod neighbours;
mod packet;
mod processor;
mod publications;
mod roaming;
mod route;
mod signal_script;
mod sockets;
mod tx_queues;
mod usb;
mod walking;
mod wired_link;

use absences::Absences;
use airloom_observe::{Direction, FlowId, NodeId, Probe};
use airloom_queue::Item;
use airloom_scenario::{Flow, Scenario};
use airloom_sim::{Calendar, IndexVec, Slab, Slot, Time};
use airloom_wifi::{Category, Ether, TimerId};
use bridge::Bridge;
pub use change::{ChangeError, RadioNow};
use fed::Fed;
pub use fed::{Arrived, MTU, PutError};
use gro::Gro;
use id::{SocketId, WiredLinkId};
use neighbours::Neighbours;
use packet::{Content, Packet};
use publications::Publications;
use signal_script::SignalScripts;
use sockets::{End, Socket};
use std::collections::VecDeque;
use tx_queues::TxQueues;
use usb::Port;
use walking::Walking;
use wired_link::WiredLink;

/// Events. Small, since it is copied for every event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A timer of the air.
    Air(TimerId),
    /// A packet reaches the far end of a wired link.
    Arrival(WiredLinkId),
    /// A packet that a wired link has held back reaches its far end.
    Late(WiredLinkId),
    /// A packet has left a sender's own network card.
    Departure(WiredLinkId),
    /// A wired link polls its managed queue for the next packet.
    Free(WiredLinkId),
    /// A radio's driver polls the queue of a category above it for packets.
    Ask(NodeId, Category),
    /// An access point's processor is done with a packet.
    Processed(NodeId),
    /// A timer of a TCP endpoint.
    Tcp(SocketId, airloom_tcp::Timer),
    /// A flow's own timer: its next datagram, its next ping, or the next question for the rate of its link.
    Due(SocketId),
    /// A TCP application writes.
    Write(SocketId),
    /// A timer of a station's bus.
    Usb(NodeId),
    /// A station that walks is a step further.
    Step(NodeId),
    /// A station's signal-to-noise ratio changes, as its script has it.
    Signal(NodeId),
    /// A station that has left an access point asks again for the address of its next hop.
    Resolve(NodeId),
    /// A flow begins.
    Start(SocketId),
    /// A flow's application stops writing.
    Stop(SocketId),
}

/// How a node sends packets.
enum Node {
    /// By air, through the queues above its radio: to the access point, or from there to stations.
    Radio(TxQueues),
    /// Over a wired link to the access point, which has another for the way back.
    Server { uplink: WiredLinkId, downlink: WiredLinkId },
}

/// A running scenario and its probe.
///
/// It runs to the end of its scenario, or it is stepped, and packets are put in at one host and taken out at another:
///
/// ```
/// use airloom_sim::{Duration, Time};
/// use airloom_wire::{Ipv4Repr, Packet, Payload, Transport, UdpRepr};
/// use airloom_world::{World, addresses::ip};
///
/// let text = r#"
///     title = "One cell"
///     [air]
///     standard = "802.11a"
///     band = "5 GHz"
///     width = "20 MHz"
///     [[ap]]
///     name = "ap"
///     adapter = "dcf"
///     [[station]]
///     name = "laptop"
///     host = "linux-6.18"
///     adapter = "dcf"
///     snr = "40 dB"
///     [[server]]
///     name = "server"
///     host = "linux-6.18"
///     link = { rate = "1 Gbit/s", delay = "1 ms" }
/// "#;
/// let scenario = airloom_scenario::load(text, "cell.toml", &[], None)?;
/// let (laptop, server) = (scenario.host("laptop").0, scenario.host("server").0);
/// let mut world = World::new(&scenario, ());
///
/// let mut datagram = Vec::new();
/// let transport = Transport::Udp(UdpRepr { src_port: 4000, dst_port: 7 });
/// let ip = Ipv4Repr::new(ip(laptop), ip(server));
/// Packet { ip, transport, payload: Payload::Bytes(b"hello") }.emit(usize::MAX, &mut datagram)?;
/// world.put(laptop, datagram.clone())?;
///
/// let arrived = loop {
///     world.step(world.next_event().expect("an access point sends beacons"));
///     if let Some(arrived) = world.take() {
///         break arrived;
///     }
/// };
/// assert_eq!((arrived.node, arrived.packet), (server, datagram));
/// assert!(arrived.time > Time::ZERO + Duration::from_millis(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World<P> {
    calendar: Calendar<Event>,
    /// The time until which all events have been handled.
    now: Time,
    /// When the scenario ends.
    until: Time,
    air: Ether,
    air_slots: IndexVec<TimerId, Slot>,
    /// Where radios are, if they have places.
    walking: Option<Walking>,
    /// The ratios that stations have later.
    signal_scripts: SignalScripts,
    /// Which access point a station is at.
    bridge: Bridge,
    /// What stations that roam know of their next hop; none if no station does.
    neighbours: Option<Box<Neighbours>>,
    nodes: Vec<Node>,
    /// Access points and stations for which packets are lost.
    absences: Absences,
    /// Which drivers hand up packets that are merged, if any does.
    gro: Option<Gro>,
    /// The buses of stations whose adapter is on USB, for all nodes with a radio.
    ports: IndexVec<NodeId, Option<Port>>,
    wired_links: IndexVec<WiredLinkId, WiredLink>,
    sockets: IndexVec<SocketId, Socket>,
    /// Sockets to which the driver reports the rate of its link.
    link_rate_followers: Vec<SocketId>,
    packets: Slab<Packet>,
    /// The bytes of packets that were put in.
    fed: Fed,
    /// The socket of all packets that were put in, which takes every packet that returns to it.
    outside: SocketId,
    /// What is sent to groups of stations.
    publications: Publications,
    /// Makes the hashes of flows differ from run to run.
    salt: u64,
    /// Packets that a queue has just dropped.
    dropped: Vec<Item>,
    /// Memory of dropped packets that goes back to sockets.
    pending_credits: VecDeque<(SocketId, u32)>,
    /// Sockets of saturated flows that have room for more.
    saturated_ready: Vec<SocketId>,
    /// Whether there are saturated flows whose datagrams follow one another through a queue.
    datagrams_follow: bool,
    /// Effects of the air; sockets and buses hold theirs. For air and TCP a second buffer is filled while the first is
    /// carried out, so that nothing is allocated after warm-up.
    air_fx: Box<airloom_wifi::Effects>,
    air_spare: Option<Box<airloom_wifi::Effects>>,
    tcp_spare: Option<Box<airloom_tcp::Effects>>,
    probe: P,
}

/// What moves a world through time.
pub trait Driver {
    /// Moves a world to its end, or to where it stops; whether what was observed is to be kept.
    fn drive<P: Probe>(&mut self, world: &mut World<P>) -> bool;

    /// Whether it sends stations for walks.
    fn sends_for_walks(&self) -> bool {
        false
    }

    /// The flows of hosts outside that the probe was shown ([`Probe::flow`]), in their order.
    fn flows(&self) -> Vec<(Flow, FlowEnd)> {
        Vec::new()
    }

    /// Files that it leaves beside what is observed, by name.
    fn files(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// The final byte counts of one flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowEnd {
    /// The flow.
    pub flow: FlowId,
    /// Bytes that the application wrote into a TCP connection.
    pub written: u64,
    /// Bytes of it that reached the other application, in order.
    pub delivered: u64,
    /// Packets of it in transit, in either direction; of datagrams and pings those sent from the time on that was asked for.
    pub in_transit: u64,
}

impl<P: Probe> World<P> {
    /// Builds the world of `scenario` at time zero.
    pub fn new(scenario: &Scenario, probe: P) -> Self {
        build::world(scenario, false, probe)
    }

    /// The same in which stations may be [sent for walks](Self::walk), if radios have places. It costs a medium for each radio.
    pub fn with_walks(scenario: &Scenario, probe: P) -> Self {
        build::world(scenario, true, probe)
    }

    /// Runs to the end of the scenario. `progress` gets the share of the time that has passed, every 32,768 events;
    /// when it returns false the run stops. Returns whether the end was reached.
    pub fn run(&mut self, progress: &mut dyn FnMut(f64) -> bool) -> bool {
        const BETWEEN_REPORTS: u32 = 1 << 15;
        while !self.advance(self.until, BETWEEN_REPORTS) {
            if !progress(self.calendar.now().as_secs_f64() / self.until.as_secs_f64()) {
                return false;
            }
        }
        true
    }

    /// Runs until `time`, including all events at that instant. A world can be stepped beyond the end of its scenario;
    /// stepping back does nothing.
    pub fn step(&mut self, time: Time) {
        while !self.advance(time, u32::MAX) {}
    }

    /// When the scenario ends.
    pub fn end(&self) -> Time {
        self.until
    }

    /// The time until which all events have been handled.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The time of the next event, unless a packet is put in before.
    pub fn next_event(&self) -> Option<Time> {
        self.calendar.next()
    }

    /// Handles events until `time`, but at most `most` of them; whether those were all.
    fn advance(&mut self, time: Time, most: u32) -> bool {
        for _ in 0..most {
            let Some((now, event)) = self.calendar.pop(time) else {
                self.now = self.now.max(time);
                return true;
            };
            self.handle(now, event);
        }
        self.now = self.calendar.now();
        false
    }

    /// The probe, for what is observed of hosts outside.
    pub fn probe(&mut self) -> &mut P {
        &mut self.probe
    }

    /// The probe, with everything it has observed.
    pub fn into_probe(self) -> P {
        self.probe
    }

    /// How many events have been handled.
    pub fn events(&self) -> u64 {
        self.calendar.delivered()
    }

    /// Packets currently in a queue, a driver or the air.
    pub fn packets_in_transit(&self) -> usize {
        self.packets.len()
    }

    /// The byte counts of each flow so far.
    pub fn flows(&self) -> Vec<FlowEnd> {
        self.flows_since(Time::ZERO)
    }

    /// The same; of datagrams and pings in transit those that were sent from a time on.
    pub fn flows_since(&self, from: Time) -> Vec<FlowEnd> {
        let mut in_transit = IndexVec::<FlowId, u64>::default();
        let counts =
            |packet: &&Packet| !packet.arrived && packet.content.sent().is_none_or(|sent| sent >= from);
        for packet in self.packets.values().filter(counts) {
            match packet.content {
                Content::Published { publication, .. } => {
                    let flows = self.flows_in_transit(packet, publication);
                    flows.into_iter().for_each(|flow| *in_transit.grown_to(flow) += 1);
                }
                _ => *in_transit.grown_to(packet.flow) += 1,
            }
        }
        let senders = self.sockets.iter().filter(|socket| socket.direction == Direction::Forward);
        senders
            .map(|sender| {
                let (written, delivered) = match (&sender.end, &self.sockets[sender.peer].end) {
                    (End::Tcp(from), End::Tcp(to)) => {
                        (from.endpoint.bytes_written(), to.endpoint.bytes_delivered())
                    }
                    _ => (0, 0),
                };
                let in_transit = in_transit.get(sender.flow).copied().unwrap_or(0);
                FlowEnd { flow: sender.flow, written, delivered, in_transit }
            })
            .collect()
    }

    // Inlined into the loop, so that the arrival of a packet is no call.
    #[inline(always)]
    fn handle(&mut self, now: Time, event: Event) {
        match event {
            Event::Air(timer) => self.air.timer(now, timer, &mut self.air_fx, &mut self.probe),
            Event::Arrival(link) => self.arrival(now, link),
            Event::Late(link) => self.late_arrival(now, link),
            Event::Departure(link) => self.departure(now, link),
            Event::Free(link) => self.line_free(now, link),
            Event::Ask(node, category) => self.pump(now, node, category),
            Event::Processed(access_point) => self.processed(now, access_point),
            Event::Tcp(socket, timer) => self.tcp_timer(now, socket, timer),
            Event::Due(socket) => self.flow_due(now, socket),
            Event::Write(socket) => self.write_more(now, socket),
            Event::Usb(node) => self.bus_timer(now, node),
            Event::Step(station) => self.step_on(now, station),
            Event::Signal(station) => self.signal_step(now, station),
            Event::Resolve(station) => self.resolve(now, station),
            Event::Start(socket) => self.start_flow(now, socket),
            Event::Stop(socket) => self.stop_flow(now, socket),
        }
        self.settle(now);
    }

    /// Carries out effects until none are left.
    fn settle(&mut self, now: Time) {
        self.settle_air(now);
        while let Some((socket, truesize)) = self.pending_credits.pop_front() {
            self.credit_dropped(now, socket, truesize);
            self.settle_air(now);
        }
        // After the queues have advanced: before, they would have no room.
        while let Some(socket) = self.saturated_ready.pop() {
            self.send_datagrams(now, socket);
            self.settle_air(now);
        }
    }

    /// Carries out the effects of the air until none are left.
    #[inline]
    fn settle_air(&mut self, now: Time) {
        if !self.air_fx.is_empty() {
            self.carry_out(now);
        }
    }

    fn carry_out(&mut self, now: Time) {
        while !self.air_fx.is_empty() {
            let mut fx = self.air_spare.take().unwrap_or_default();
            std::mem::swap(&mut self.air_fx, &mut fx);
            for &(timer, at) in &fx.timers {
                self.calendar.set_or_cancel(self.air_slots[timer], at);
            }
            if !fx.moves.is_empty() {
                self.all_moved(now, &mut fx.moves);
            }
            for &packet in &fx.kept {
                self.packets.get_mut(packet).holders += 1;
            }
            if self.neighbours.is_some() {
                self.turn_away(now, &mut fx.arrived);
            }
            if self.gro.is_some() {
                self.merge(&fx.arrived);
            }
            for &(node, packet) in &fx.arrived {
                self.heard(now, node, packet);
            }
            for &(station, packet) in &fx.to_group {
                self.heard_of_group(now, station, packet);
            }
            self.transmitted(now, &fx.done);
            for change in &fx.rates {
                self.link_rate_changed(now, change.node, change.peer);
            }
            for &(node, receiver, tid) in &fx.pulls {
                self.pulled(now, node, receiver, tid);
            }
            for &(node, category) in &fx.wake {
                self.radio_free(now, node, category);
            }
            fx.clear();
            self.air_spare = Some(fx);
        }
    }

    fn node(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[usize::from(node.0)]
    }
}
