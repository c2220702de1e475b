//! A TXOP of several frame exchanges: the same category goes on after a SIFS while its limit lasts (802.11-2020 10.23.2.8 and
//! 10.23.2.9).
//!
//! Any frames of the category may go, to any receiver, each if it ends with its response within the limit; the first may
//! exceed it, since an A-MPDU is formed to fit and one MPDU alone need not. A frame without response ends the TXOP.

use super::Ether;
use super::attempt::{Attempt, OnAir, Reception, Stage};
use crate::id::AttemptId;
use crate::radio::AccessFunction;
use airloom_sim::Time;

impl Ether {
    /// Whether the TXOP of an attempt that is over goes on: then the medium stays busy, and the next frame follows after a
    /// SIFS.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, now: Time, attempt: &Attempt) -> bool {
        attempt.answered && now < attempt.txop && self.follows(now, attempt)
    }

    /// Whether a frame follows one that was answered before the limit of its TXOP.
    #[cold]
    fn follows(&mut self, now: Time, attempt: &Attempt) -> bool {
        let &Attempt { radio, function, bss, txop, .. } = attempt;
        let AccessFunction::Data(category) = function else { return false };
        let contender = &self.radios[radio].contenders[category];
        if !self.radios[radio].is_home() {
            return false;
        }
        let start = now + self.bss[bss].phy.sifs;
        let follows = if contender.hardware.is_empty() {
            // Its PPDU is formed in this instant.
            !contender.ready.is_empty() && start < txop
        } else {
            self.fits(start, attempt)
        };
        if follows {
            // Nothing is on the air yet.
            let on_air = [OnAir { from: radio, start: now, end: now, users: [Reception::BROADCAST] }];
            let (responded, answered, sent, good) = (false, false, false, [0]);
            let stage = Stage::Space;
            let next = Attempt { stage, next: start, on_air, responded, answered, sent, good, ..*attempt };
            let id = self.attempts.push(next);
            self.hold(now, id);
        }
        follows
    }

    /// The space in a TXOP is over: its next frame goes on the air, or there is none after all.
    #[cold]
    pub(super) fn resume(&mut self, now: Time, id: AttemptId) {
        let Attempt { radio, function, medium, txop, .. } = self.attempts[id];
        if self.multi_link {
            self.form_at_access(radio, function);
        }
        if self.radios[radio].has_frame(function) && self.fits(now, &self.attempts[id]) {
            self.attempts[id] = Attempt { txop, ..self.begin(now, radio, function, medium) };
            self.radiate(now, id, self.attempts.len());
        } else {
            let attempt = &mut self.attempts[id];
            (attempt.stage, attempt.next, attempt.quiet, attempt.vacant) = (Stage::Over, now, now, true);
        }
    }

    /// Whether an exchange with the next frame of an attempt's TXOP, which begins at `start`, is over within it. It may be no wider than
    /// the one before (10.23.2.8); where others share a part of the channel, it is as wide.
    #[cold]
    fn fits(&self, start: Time, before: &Attempt) -> bool {
        let &Attempt { radio, function, medium, txop, .. } = before;
        let phy = &self.bss[self.radios[radio].bss].phy;
        let reserved = phy.reservation(self.protection(phy, radio, function));
        let main = self.main(phy, radio, function);
        let fills = self.media[medium].alone || main.width() == before.width();
        fills && start + reserved + main.length + phy.sifs + main.answer() <= txop
    }
}
