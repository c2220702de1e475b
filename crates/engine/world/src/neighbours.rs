//! What stations that roam know of their next hop: the address to which their packets go on the air.
//!
//! As a station leaves its access point its carrier goes, and Linux forgets what it knows of neighbours behind that (net/ipv4/arp.c
//! `arp_netdev_event`, `arp_evict_nocarrier`). The first packet then asks for the address anew. Asked before the station is at the next
//! access point, the question is lost and asked again after a second (`RETRANS_TIME`); packets wait meanwhile (`neigh_event_send`). The
//! answer to a question that arrives is taken to come at once. A host that forgets nothing loses packets instead: mac80211 has no station
//! to send them to (`ieee80211_lookup_ra_sta`).
//!
//! It forgets as Linux looks after the carrier's fall ([`Linkwatch`]): a second later where two roams follow each other within one. Until then,
//! or for good if the carrier is back before, its host knows its neighbours, and loses packets as one that forgets nothing.
//!
//! Before that wpa_supplicant closes the port, for as long as it takes to delete keys (`sme_send_authentication`: `eapol_sm_notify_portValid`).
//! The carrier and the neighbours are still there, so that nobody asks: mac80211 drops what the host sends (`ieee80211_build_hdr`), what
//! waits above the driver (`ieee80211_tx_dequeue`), and what comes in (`ieee80211_802_1x_port_control`), which is acknowledged all the same.

use super::linkwatch::Linkwatch;
use super::{Event, World};
use airloom_observe::{DropCause, LossCause, NodeId, Observation, Probe};
use airloom_queue::Item;
use airloom_scenario::Scenario;
use airloom_sim::{Calendar, Duration, Handle, IndexVec, Slot, Time};
use std::collections::VecDeque;

/// From a question that was lost to the next one (Linux `neigh_parms` `NEIGH_VAR_RETRANS_TIME`).
const ASKS_AGAIN: Duration = Duration::from_secs(1);
/// The most bytes of packets that wait (`NEIGH_VAR_QUEUE_LEN_BYTES`, `SK_WMEM_MAX`); the oldest makes room.
const MOST_BYTES: u32 = 212_992;

/// What a station knows.
enum State {
    /// The address.
    Known,
    /// Nothing once its kernel has looked; it has left its access point.
    Away { looks: Time },
    /// Nothing yet; it has asked and waits for the next time.
    Asks,
}

/// A station that roams.
struct Neighbour {
    forgets: bool,
    linkwatch: Linkwatch,
    state: State,
    /// It is at an access point.
    is_at_one: bool,
    /// It is about to leave that, and data go neither up nor down any more.
    is_closed: bool,
    waiting: VecDeque<Item>,
    bytes: u32,
    /// Datagrams that are lost. Their senders get the memory back later: one that always has more would lose it again at once, without end.
    lost: Vec<Item>,
    slot: Slot,
}

impl Neighbour {
    /// Whether it has forgotten its neighbours, since its kernel has looked after the carrier's fall.
    fn has_forgotten(&self, looks: Time, now: Time) -> bool {
        self.forgets && looks <= now
    }
}

/// See the module.
pub(super) struct Neighbours {
    stations: IndexVec<NodeId, Option<Neighbour>>,
}

impl Neighbours {
    /// Those of a scenario's stations; none if none roams.
    pub(super) fn of(scenario: &Scenario, calendar: &mut Calendar<Event>) -> Option<Box<Self>> {
        scenario.station.iter().any(|station| station.roam.is_some()).then_some(())?;
        let mut stations = IndexVec::default();
        for (id, station) in scenario.stations() {
            let neighbour = station.roam.as_ref().map(|roam| Neighbour {
                forgets: roam.forgets(),
                linkwatch: Linkwatch::default(),
                state: State::Known,
                is_at_one: true,
                is_closed: false,
                waiting: VecDeque::new(),
                bytes: 0,
                lost: Vec::new(),
                slot: calendar.reserve(Event::Resolve(id)),
            });
            *stations.grown_to(id) = neighbour;
        }
        Some(Box::new(Self { stations }))
    }

    fn station(&mut self, node: NodeId) -> Option<&mut Neighbour> {
        self.stations.get_mut(node)?.as_mut()
    }
}

impl<P: Probe> World<P> {
    /// Whether a packet that a station is about to send waits until it knows its next hop, or is lost since it is at no access point.
    #[cold]
    #[inline(never)]
    pub(super) fn waits_for_neighbour(&mut self, now: Time, node: NodeId, packet: Handle) -> bool {
        let item = self.item(packet);
        let Some(station) = self.neighbours.as_mut().and_then(|all| all.station(node)) else { return false };
        match station.state {
            _ if station.is_closed => return self.lose(now, node, item),
            State::Known => return false,
            State::Asks => {}
            State::Away { looks } if !station.has_forgotten(looks, now) => return self.lose(now, node, item),
            State::Away { .. } => {
                if station.is_at_one {
                    station.state = State::Known;
                    return false;
                }
                station.state = State::Asks;
                self.calendar.set(station.slot, now + ASKS_AGAIN);
            }
        }
        let mut lost = 0;
        station.bytes += item.bytes;
        station.waiting.push_back(item);
        while station.bytes > MOST_BYTES
            && let Some(oldest) = station.waiting.pop_front()
        {
            station.bytes -= oldest.bytes;
            station.lost.push(oldest);
            lost += 1;
        }
        self.report_lost(now, node, lost, DropCause::Left);
        true
    }

    /// mac80211 drops a packet that a station sends; true.
    fn lose(&mut self, now: Time, node: NodeId, item: Item) -> bool {
        self.report_lost(now, node, 1, DropCause::Left);
        let ends = self.packets.get(item.packet).content.is_tcp();
        match self.neighbours.as_mut().and_then(|all| all.station(node)) {
            Some(station) if !ends => station.lost.push(item),
            // TCP writes on as it gets the memory back, until its window is full.
            _ => {
                self.dropped.push(item);
                self.discard(node);
            }
        }
        true
    }

    /// Drops what comes in at stations whose ports are closed.
    #[cold]
    #[inline(never)]
    pub(super) fn turn_away(&mut self, now: Time, arrived: &mut Vec<(NodeId, Handle)>) {
        let Some(neighbours) = &mut self.neighbours else { return };
        let mut refused = Vec::new();
        arrived.retain(|&(node, packet)| {
            let closed = neighbours.station(node).is_some_and(|station| station.is_closed);
            if closed {
                refused.push((node, packet));
            }
            !closed
        });
        for (node, packet) in refused {
            let (peer, cause) = (self.bridge.next_hop(node, node), LossCause::PortClosed);
            self.probe.see(now, Observation::MpduLost { node, peer, cause });
            self.release(packet);
        }
    }

    /// A station is about to leave its access point.
    pub(super) fn close_port(&mut self, station: NodeId) {
        if let Some(station) = self.neighbours.as_mut().and_then(|all| all.station(station)) {
            station.is_closed = true;
        }
    }

    /// A station leaves its access point.
    pub(super) fn forget_neighbours(&mut self, now: Time, station: NodeId) {
        if let Some(station) = self.neighbours.as_mut().and_then(|all| all.station(station)) {
            station.is_closed = false;
            if !std::mem::take(&mut station.is_at_one) {
                return;
            }
            let looks = station.linkwatch.falls(now);
            if matches!(station.state, State::Known) {
                station.state = State::Away { looks };
            }
        }
    }

    /// A station is at an access point.
    pub(super) fn meet_neighbours(&mut self, now: Time, node: NodeId) {
        if let Some(station) = self.neighbours.as_mut().and_then(|all| all.station(node)) {
            station.is_at_one = true;
            station.linkwatch.rises(now);
            self.dropped.append(&mut station.lost);
            if let State::Away { looks } = station.state
                && !station.has_forgotten(looks, now)
            {
                station.state = State::Known;
            }
        }
        self.discard(node);
    }

    /// A station asks again for the address of its next hop.
    pub(super) fn resolve(&mut self, now: Time, node: NodeId) {
        let Some(station) = self.neighbours.as_mut().and_then(|all| all.station(node)) else { return };
        if !station.is_at_one {
            return self.calendar.set(station.slot, now + ASKS_AGAIN);
        }
        station.state = State::Known;
        station.bytes = 0;
        self.dropped.append(&mut station.lost);
        for item in std::mem::take(&mut station.waiting) {
            if !self.enter_air(now, node, item.packet) {
                self.dropped.push(item);
            }
        }
        self.discard(node);
    }
}
