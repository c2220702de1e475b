//! Channel access: which frames go on the air, which radios hear them, and which frames overlap.

use super::attempt::{Attempt, OnAir, Reception, Stage};
use super::{Effects, Ether};
use crate::contention::ContenderId;
use crate::id::{AttemptId, MediumId, RadioId};
use crate::radio::{AccessFunction, Radio};
use crate::spectrum::{Channel, Sensed};
use airloom_observe::Probe;
use airloom_rate::Width;
use airloom_sim::{Index, Time};

impl Ether {
    /// Backoffs end now: one winner transmits, several collide.
    pub(super) fn access<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        let (fresh, mut winners) = (self.attempts.len(), std::mem::take(&mut self.winners));
        while let Some(medium) = self.media.take_winners(now, &mut winners) {
            for contender in winners.drain(..) {
                let (radio, function) = self.media[medium].contenders[contender];
                if !self.media[medium].alone && self.is_too_wide(now, radio, function) {
                    self.put_off(now, contender, (radio, function));
                } else if let Some(id) = self.attempts.position(|a| a.radio == radio) {
                    self.collide_inside(now, id, function);
                } else if !self.multi_link || self.form_at_access(radio, function) {
                    let attempt = self.begin(now, radio, function, medium);
                    self.attempts.push(attempt);
                }
            }
        }
        self.winners = winners;
        for id in self.attempts.ids().skip(fresh) {
            self.hold(now, id);
            self.radiate(now, id, id.place());
        }
        while let Some((radio, function)) = self.spurned.pop() {
            self.radios[radio].claim(function).widen();
            self.claim(now, radio, function);
        }
        for id in self.attempts.ids().skip(fresh) {
            // Frames that collided in this slot have already failed.
            if self.attempts[id].on_air.iter().all(OnAir::is_disturbed) {
                self.judge(now, id, fx, probe);
            }
            self.schedule_exchange(self.attempts[id].medium, fx);
        }
    }

    /// Whether the frame that a radio has ready is wider than what has been idle for long enough beside its primary channel.
    #[cold]
    fn is_too_wide(&self, now: Time, radio: RadioId, function: AccessFunction) -> bool {
        let Radio { bss, medium, channel, .. } = self.radios[radio];
        if self.channels[channel].width == Width::Mhz20 {
            return false;
        }
        let phy = &self.bss[bss].phy;
        let width = self.main(phy, radio, function).width();
        !self.media[medium].secondary.is_idle(now, width, phy.before_wide())
    }

    /// What has won the medium cannot go now: it contends anew, as if the medium were busy (10.23.2.5, e). Its frame keeps its width;
    /// the standard would let it go in the part that is idle too.
    #[cold]
    fn put_off(&mut self, now: Time, contender: ContenderId, (radio, function): (RadioId, AccessFunction)) {
        let radio = &mut self.radios[radio];
        let cw = radio.claim(function).cw;
        let slots = radio.backoff.up_to(cw);
        self.media.contend(radio.medium, |contention| contention.put_off(now, contender, slots));
    }

    /// An internal collision: the higher of two categories of a radio sends, the other backs off as if it had failed
    /// (10.23.2.4).
    #[cold]
    fn collide_inside(&mut self, now: Time, id: AttemptId, function: AccessFunction) {
        let Attempt { radio, function: first, medium, .. } = self.attempts[id];
        let rank = |function| self.radios[radio].rank(function);
        if rank(function) < rank(first) {
            if self.multi_link && !self.form_at_access(radio, function) {
                return;
            }
            self.attempts[id] = self.begin(now, radio, function, medium);
            self.spurned.push((radio, first));
        } else {
            self.spurned.push((radio, function));
        }
    }

    /// The next step of the attempts of a medium's radios.
    pub(super) fn exchange_timer<P: Probe>(
        &mut self,
        now: Time,
        medium: MediumId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        if self.access_at == Some(now) {
            // A radio that begins to transmit at this very instant cannot sense frames that begin with it.
            self.access_at = None;
            fx.timers.push((super::ACCESS, None));
            self.access(now, fx, probe);
        }
        let mut over = true;
        for id in self.attempts.ids() {
            let Attempt { medium: of, stage, next, .. } = self.attempts[id];
            if of == medium && stage != Stage::Over {
                over = false;
                if next == now {
                    self.judge(now, id, fx, probe);
                }
            }
        }
        if over {
            self.finish(now, medium, fx, probe);
        } else {
            self.schedule_exchange(medium, fx);
        }
    }

    /// Arms the timer of a medium for the first step to come of any attempt, or for the end of the last.
    pub(super) fn schedule_exchange(&self, medium: MediumId, fx: &mut Effects) {
        let of = |a: &&Attempt| a.medium == medium;
        let step = self.attempts.iter().filter(of).filter(|a| a.stage != Stage::Over).map(|a| a.next).min();
        if let Some(at) = step.or_else(|| self.ends_on(medium)) {
            fx.arm(self.media[medium].timer, at);
        }
    }

    /// If a radio is in the middle of an exchange: until when at least. It ends for all on its medium at once.
    pub(super) fn on_air_until(&self, radio: RadioId) -> Option<Time> {
        self.ends_on(self.attempts.iter().find(|a| a.radio == radio)?.medium)
    }

    /// When all exchanges on a medium end at the earliest, if there are any.
    fn ends_on(&self, medium: MediumId) -> Option<Time> {
        self.attempts.iter().filter(|a| a.medium == medium).map(|a| a.next).max()
    }

    /// The same if it is at either end of an exchange: until when at least.
    pub(super) fn exchanges_until(&self, radio: RadioId) -> Option<Time> {
        let is_at_end = |a: &&Attempt| a.radio == radio || a.on_air.iter().any(|one| one.involves(radio));
        self.attempts.iter().filter(is_at_end).filter_map(|a| self.ends_on(a.medium)).max()
    }

    /// Attempt `id` begins: the media that hear its transmitter are busy.
    #[inline(always)]
    pub(super) fn hold(&mut self, now: Time, id: AttemptId) {
        let attempt = &self.attempts[id];
        if self.media[attempt.medium].alone {
            self.media.hold(now, attempt.medium, Sensed::Primary);
        } else {
            self.media.hold_all(now, (attempt.radio, attempt.width()), None);
        }
    }

    /// Whether a radio hears another.
    #[inline]
    pub(super) fn hears(&self, by: RadioId, from: RadioId) -> bool {
        self.media.reach.hears(self.radios[by].medium, from)
    }

    /// The PPDUs of attempt `id` go on the air: those of the first `others` attempts that overlap them at a receiver, in time and
    /// spectrum, disturb them, and they those.
    #[inline]
    pub(super) fn radiate(&mut self, now: Time, id: AttemptId, others: usize) {
        if self.power.weighs() {
            self.note_emission(now, id);
        }
        for another in self.attempts.ids().take(others).filter(|&another| another != id) {
            self.disturb(id, another);
        }
    }

    /// The PPDUs of two attempts disturb each other where they overlap.
    #[inline(never)]
    fn disturb(&mut self, id: AttemptId, another: AttemptId) {
        if self.power.has_places() && !self.meets(id, another) || !self.share_spectrum(id, another) {
            return;
        }
        for n in 0..self.attempts[id].on_air.len() {
            for m in 0..self.attempts[another].on_air.len() {
                let (one, other) = (self.attempts[id].on_air[n], self.attempts[another].on_air[m]);
                if other.end > one.start {
                    self.attempts[id].on_air[n].users = self.disturbed(&one, &other);
                    self.attempts[another].on_air[m].users = self.disturbed(&other, &one);
                }
            }
        }
    }

    /// Whether a radio that sends a frame of either attempt is one to which the other sends. Where powers are known, all else is decided
    /// by them.
    fn meets(&self, id: AttemptId, another: AttemptId) -> bool {
        let [one, other] = [id, another].map(|id| &self.attempts[id].on_air);
        one.iter().any(|a| other.iter().any(|b| a.involves(b.from) || b.involves(a.from)))
    }

    /// How the users of a PPDU receive it, given another one that overlaps it.
    fn disturbed(&self, ppdu: &OnAir, other: &OnAir) -> [Reception; 1] {
        ppdu.users.map(|user| Reception {
            disturbed: user.disturbed || self.disturbs(other, ppdu, user.by),
            ..user
        })
    }

    /// Whether `one` keeps `other`, which overlaps it in time and spectrum, from being received by this radio; a broadcast, by all. Where
    /// powers are known they decide, as `other` ends.
    fn disturbs(&self, one: &OnAir, other: &OnAir, receiver: Option<RadioId>) -> bool {
        let by_power = self.power.has_places();
        let Some(receiver) = receiver else { return !by_power };
        receiver == one.from
            || !by_power && self.hears(receiver, one.from) && !self.captures(receiver, other, one)
    }

    /// Whether the frames of two attempts have spectrum in common.
    #[inline(always)]
    fn share_spectrum(&self, one: AttemptId, other: AttemptId) -> bool {
        let [one, other] = [one, other].map(|id| &self.attempts[id]);
        one.medium == other.medium || !self.media[one.medium].alone && self.overlap(one, other)
    }

    /// The same of attempts of radios that sense different media.
    #[cold]
    fn overlap(&self, one: &Attempt, other: &Attempt) -> bool {
        self.filled(one).overlaps(&self.filled(other))
    }

    /// The spectrum that the frames of an attempt fill.
    pub(super) fn filled(&self, attempt: &Attempt) -> Channel {
        self.channels[self.radios[attempt.radio].channel].part(attempt.width())
    }

    /// The width of the channel that a radio is tuned to.
    pub(super) fn width_at(&self, radio: RadioId) -> Width {
        self.channels[self.radios[radio].channel].width
    }

    /// Whether `receiver` receives `strong` in spite of `weak`. False if either signal is unknown, so only access
    /// points capture. A receiver follows one frame: of two equal ones it captures none.
    fn captures(&self, receiver: RadioId, strong: &OnAir, weak: &OnAir) -> bool {
        let Some(ratio) = self.bss[self.radios[receiver].bss].phy.capture_db else { return false };
        let snr = |ppdu: &OnAir| self.power.snr_db(ppdu.from, receiver);
        let (Some(strong), Some(weak)) = (snr(strong), snr(weak)) else {
            return false;
        };
        strong > weak && strong - weak >= ratio
    }
}
