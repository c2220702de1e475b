//! All media, and which of them come next: what changes on one costs nothing on the others.

use super::earliest::Earliest;
use super::medium::Medium;
use super::reach::Reach;
use crate::contention::{ContenderId, Contention};
use crate::id::{MediumId, RadioId};
use crate::spectrum::Sensed;
use airloom_rate::Width;
use airloom_sim::{Index, IndexVec, Time};
use std::{mem, ops};

/// All media.
#[derive(Default)]
pub(super) struct Media {
    all: IndexVec<MediumId, Medium>,
    /// Which of them hear which radios.
    pub(super) reach: Reach,
    /// When the next backoff on each is over, if nothing changes, as far as it has been worked out.
    accesses: Earliest<MediumId>,
    /// Those for which it is to be worked out anew. While there is one medium, that knows by itself.
    changed: Vec<MediumId>,
}

impl Media {
    /// Adds one.
    pub(super) fn push(&mut self, medium: Medium) -> MediumId {
        let id = self.all.push(medium);
        // The first was not listed while it was the only one.
        self.change(MediumId::new(0), |_| ());
        id
    }

    /// Whether there is more than one.
    #[inline]
    fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// The number that the next one has.
    pub(super) fn next_id(&self) -> MediumId {
        let [id] = self.all.next_ids();
        id
    }

    /// The numbers of all.
    pub(super) fn ids(&self) -> impl Iterator<Item = MediumId> + use<> {
        self.all.ids()
    }

    /// The first for which `wanted` holds.
    pub(super) fn position(&self, wanted: impl FnMut(&Medium) -> bool) -> Option<MediumId> {
        self.all.position(wanted)
    }

    /// Does something to a medium, and notes whether its next access may have moved.
    #[inline(always)]
    pub(super) fn change<R>(&mut self, id: MediumId, what: impl FnOnce(&mut Medium) -> R) -> R {
        let result = what(&mut self.all[id]);
        if self.are_several() {
            self.note(id);
        }
        result
    }

    /// Lists a medium, of several, if its next access may have moved.
    fn note(&mut self, id: MediumId) {
        let medium = &mut self.all[id];
        if medium.contention.take_changed() && !mem::replace(&mut medium.changed, true) {
            self.changed.push(id);
        }
    }

    /// Does something to the backoffs of a medium.
    #[inline(always)]
    pub(super) fn contend<R>(&mut self, id: MediumId, what: impl FnOnce(&mut Contention) -> R) -> R {
        self.change(id, |medium| what(&mut medium.contention))
    }

    /// An attempt begins of which radios of a medium sense this.
    #[inline]
    pub(super) fn hold(&mut self, now: Time, id: MediumId, sensed: Sensed) {
        self.change(id, |medium| medium.hold(now, sensed));
    }

    /// `radio` begins to transmit at this width: all media that hear it are busy, unless `but` had made them so.
    #[inline(never)]
    pub(super) fn hold_all(&mut self, now: Time, sender: (RadioId, Width), but: Option<RadioId>) {
        let reach = mem::take(&mut self.reach);
        match but {
            None => reach.of(sender).for_each(|(id, sensed)| self.hold(now, id, sensed)),
            Some(but) => reach.beyond(sender, but).for_each(|(id, sensed)| self.hold(now, id, sensed)),
        }
        self.reach = reach;
    }

    /// An attempt is over of which radios of a medium sensed this; all but its transmitter count slots from `quiet` on.
    #[inline]
    pub(super) fn release(&mut self, now: Time, quiet: Time, id: MediumId, sensed: Sensed) {
        self.change(id, |medium| medium.release(now, quiet, sensed));
    }

    /// An attempt of `radio` at this width is over, to which `answerer` has sent something too, if anybody has: all media that heard either
    /// are idle.
    #[inline(never)]
    pub(super) fn release_all(
        &mut self,
        now: Time,
        quiet: Time,
        (radio, width): (RadioId, Width),
        answerer: Option<RadioId>,
    ) {
        let reach = mem::take(&mut self.reach);
        reach.of((radio, width)).for_each(|(id, sensed)| self.release(now, quiet, id, sensed));
        if let Some(answerer) = answerer {
            let beyond = reach.beyond((answerer, width), radio);
            beyond.for_each(|(id, sensed)| self.release(now, quiet, id, sensed));
        }
        self.reach = reach;
    }

    /// Works out anew when the next backoff is over, if that may have moved; none if it may not.
    #[inline]
    pub(super) fn reschedule(&mut self) -> Option<Option<Time>> {
        if self.are_several() {
            return self.reschedule_changed();
        }
        let only = MediumId::new(0);
        let contention = &mut self.all.get_mut(only)?.contention;
        contention.take_changed().then(|| {
            let next = contention.next_access();
            self.accesses.set(only, next);
            next
        })
    }

    /// The same where there are several: for those that are listed.
    #[inline(never)]
    fn reschedule_changed(&mut self) -> Option<Option<Time>> {
        if self.changed.is_empty() {
            return None;
        }
        while let Some(id) = self.changed.pop() {
            let medium = &mut self.all[id];
            medium.changed = false;
            self.accesses.set(id, medium.contention.next_access());
        }
        Some(self.accesses.first())
    }

    /// Takes the winners of a medium on which a backoff is over now, of several media the first in their order; none is over before.
    #[inline(always)]
    pub(super) fn take_winners(&mut self, now: Time, winners: &mut Vec<ContenderId>) -> Option<MediumId> {
        let id = self.accesses.take(now)?;
        self.contend(id, |contention| contention.take_winners(now, winners));
        debug_assert!(!self.are_several() || self.all[id].changed);
        Some(id)
    }
}

impl ops::Index<MediumId> for Media {
    type Output = Medium;

    #[inline]
    fn index(&self, id: MediumId) -> &Medium {
        &self.all[id]
    }
}
