//! An application that somebody brings: what it hands over next, and when.

use airloom_scenario::{Begins, HandOver, OWN_TRAFFIC, Traffic};
use airloom_sim::{BroughtName, Time};

/// One, at the sending end of a flow.
pub(crate) struct OwnTraffic {
    source: Box<dyn Traffic>,
    begins: Begins,
    started: bool,
    /// It is asked again as all is acknowledged.
    pub(super) awaits_delivery: bool,
    /// Bytes that it hands over as they are due.
    coming: u64,
}

impl OwnTraffic {
    /// The one of this name.
    pub(crate) fn new(name: BroughtName, begins: Begins) -> Self {
        let brings = OWN_TRAFFIC.make(name);
        let source = (brings.make)();
        Self { source, begins, started: false, awaits_delivery: brings.awaits_delivery, coming: 0 }
    }

    /// The bytes that are due, once.
    pub(super) fn due(&mut self) -> u64 {
        std::mem::take(&mut self.coming)
    }

    /// When it hands over the next bytes, as far as it knows now: as its flow starts, or after others.
    pub(super) fn ask(&mut self, now: Time) -> Option<Time> {
        let first = !std::mem::replace(&mut self.started, true);
        let said = if first { self.source.started(now, &self.begins) } else { None };
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
