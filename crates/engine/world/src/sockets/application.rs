//! An application that has `traffic`: what it hands over next, and when.

use super::traffic_script::TrafficScript;
use airloom_scenario::{Delivery, HandOver, HandedOver, OWN_TRAFFIC, Socket, Traffic};
use airloom_sim::{BroughtName, Time};
use std::sync::Arc;

/// One, at the sending end of a flow.
pub(crate) struct OwnTraffic {
    source: Box<dyn Traffic>,
    socket: Socket,
    started: bool,
    /// It is asked again as all is acknowledged.
    pub(super) awaits_delivery: bool,
    /// Bytes that it hands over as they are due.
    coming: u64,
}

impl OwnTraffic {
    /// The one of this name, with a seed of its own.
    pub(crate) fn new(name: BroughtName, seed: u64, socket: Socket) -> Self {
        let kind = OWN_TRAFFIC.make(name);
        let source = (kind.make)(&name.making(seed));
        let awaits_delivery = kind.delivery == Delivery::Awaited;
        Self { source, socket, started: false, awaits_delivery, coming: 0 }
    }

    /// One that hands over what a script says.
    pub(crate) fn scripted(steps: Arc<[HandedOver]>, socket: Socket) -> Self {
        let source = Box::new(TrafficScript::new(steps));
        Self { source, socket, started: false, awaits_delivery: false, coming: 0 }
    }

    /// The bytes that are due, once.
    pub(super) fn due(&mut self) -> u64 {
        std::mem::take(&mut self.coming)
    }

    /// When it hands over the next bytes, as far as it knows now: as its flow starts, or after others.
    pub(super) fn ask(&mut self, now: Time) -> Option<Time> {
        let first = !std::mem::replace(&mut self.started, true);
        let said = if first { self.source.started(now, &self.socket) } else { None };
        let said = said.or_else(|| self.source.next(now));
        self.expect(now, said)
    }

    /// The same as all is acknowledged.
    pub(super) fn delivered(&mut self, now: Time) -> Option<Time> {
        let said = self.source.delivered(now);
        self.expect(now, said)
    }

    fn expect(&mut self, now: Time, said: Option<HandOver>) -> Option<Time> {
        said.map(|HandOver { wait, bytes }| {
            self.coming = bytes;
            now + wait
        })
    }
}
