//! Impairments of a wired link besides its rate and its delay: loss, and delivery after later packets.
//!
//! It acts at the far end, when the queue before the link and its sender have long forgotten them.

use super::id::WiredLinkId;
use super::{Event, World};
use airloom_observe::{DropCause, Probe};
use airloom_scenario::Link;
use airloom_sim::{Calendar, Duration, Handle, Slot, Stream, Time};
use std::collections::VecDeque;

/// Losses and delays of one direction of a link.
pub(super) struct Impairment {
    loss: f64,
    /// The share that is held back, and for how long.
    late: Option<(f64, Duration)>,
    chance: Stream,
    /// What is held back, and until when; in this order, since all are held back for the same time.
    held: VecDeque<(Time, Handle)>,
    /// Fires when the first of them arrives.
    slot: Slot,
}

impl Impairment {
    /// That of a link, unless it has none.
    pub(super) fn of(
        given: &Link,
        index: WiredLinkId,
        chance: Stream,
        calendar: &mut Calendar<Event>,
    ) -> Option<Self> {
        let (loss, late) = (given.loss, given.late.as_ref().map(|late| (late.share, late.by)));
        (loss > 0.0 || late.is_some()).then(|| Self {
            loss,
            late,
            chance,
            held: VecDeque::new(),
            slot: calendar.reserve(Event::Late(index)),
        })
    }
}

impl<P: Probe> World<P> {
    /// A packet is at the end of a link, where it may be lost or held back. Returns whether it arrives now.
    pub(super) fn passes(&mut self, now: Time, link: WiredLinkId, handle: Handle) -> bool {
        let wired_link = &mut self.wired_links[link];
        let Some(Impairment { loss, late, chance, held, slot }) = &mut wired_link.impairment else {
            return true;
        };
        if chance.chance(*loss) {
            wired_link.dropped(now, DropCause::Lost, &mut self.probe);
            self.release(handle);
            return false;
        }
        let Some((_, by)) = late.filter(|&(share, _)| chance.chance(share)) else { return true };
        held.push_back((now + by, handle));
        if held.len() == 1 {
            self.calendar.set(*slot, now + by);
        }
        false
    }

    /// The first packet that a link holds back arrives.
    pub(super) fn late_arrival(&mut self, now: Time, link: WiredLinkId) {
        let wired_link = &mut self.wired_links[link];
        let node = wired_link.to;
        let Some(Impairment { held, slot, .. }) = &mut wired_link.impairment else { return };
        let Some((_, handle)) = held.pop_front() else { return };
        self.calendar.set_or_cancel(*slot, held.front().map(|&(at, _)| at));
        self.arrived(now, node, handle);
    }
}
