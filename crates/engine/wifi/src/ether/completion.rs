//! Reception and the end of an exchange: the receiver passes MPDUs up, the transmitter gets its report.

use super::attempt::Attempt;
use super::driver::Report;
use super::{Effects, Ether};
use crate::Category;
use crate::contender::{Claim, Contender};
use crate::id::{AttemptId, MediumId, RadioId};
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::radio::{AccessFunction, Radio};
use crate::rate_control::MOST_TRIES;
use crate::reorder::Arrival;
use crate::spectrum::Sensed;
use crate::tid::Tid;
use airloom_observe::{LossCause, Observation, Probe};
use airloom_sim::Time;

impl Ether {
    /// The data PPDU of attempt `id` has been received: its good MPDUs go through the reorder buffer, its damaged ones
    /// to the inspector.
    pub(super) fn received<P: Probe>(&mut self, now: Time, id: AttemptId, fx: &mut Effects, probe: &mut P) {
        let Attempt { radio, function, .. } = self.attempts[id];
        let users = self.attempts[id].good.len();
        for user in 0..users {
            let Some(QueuedPpdu::Data { psdus, attempts, .. }) = self.radios[radio].queued(function) else {
                return;
            };
            let (&Psdu { tid, link, ref batch, chain }, attempts) = (&psdus[user], *attempts);
            if self.links[self.links[link].reverse].gone {
                let good = self.attempts[id].good[user];
                self.refuse(now, link, good, probe);
                continue;
            }
            let Tid { window, reorder, early, .. } = &mut self.tids[tid];
            let current = &self.links[link];
            let (node, peer) = (self.radios[radio].node, self.radios[current.to].node);
            let mut lost = |cause| probe.see(now, Observation::MpduLost { node, peer, cause });
            let rate = || current.rates[chain.rate(attempts)].rate.bit_rate();
            for (n, (seq, frame)) in (0..).zip(window.members(batch)) {
                if !frame.good {
                    if let Some(early) = early {
                        early.damaged(n, rate(), (reorder, &mut self.up), &mut lost);
                    }
                    continue;
                }
                if let Some(early) = early {
                    early.driver.good(seq, rate(), reorder.head());
                }
                let (packet, repeated) = (frame.packet, std::mem::replace(&mut frame.arrived, true));
                if current.stop_and_wait {
                    // MPDUs missing before this one were given up: its transmitter does not go back.
                    reorder.advance(seq, &mut self.up);
                }
                let further = || frame.further().iter().map(|further| further.packet);
                let arrival = match frame.further() {
                    [] => reorder.receive(now, seq, packet, &mut self.up),
                    _ => reorder.receive_all(now, seq, (packet, further()), &mut self.up),
                };
                match arrival {
                    Arrival::Accepted => {
                        fx.kept.push(packet);
                        if !frame.further().is_empty() {
                            fx.kept.extend(further());
                        }
                    }
                    Arrival::GivenUp => {}
                    Arrival::Stale if repeated => {}
                    Arrival::Stale => {
                        lost(LossCause::TooLate);
                        further().for_each(|_| lost(LossCause::TooLate));
                    }
                }
            }
            if let Some(early) = early {
                early.ended((reorder, &mut self.up), &mut lost);
            }
            reorder.expire(now, &mut self.up);
            self.deliver(now, tid, fx, probe);
        }
    }

    /// All attempts on a medium are over: every transmitter has its result and backs off.
    pub(super) fn finish<P: Probe>(&mut self, now: Time, medium: MediumId, fx: &mut Effects, probe: &mut P) {
        let mut over = std::mem::take(&mut self.over);
        over.extend(self.attempts.extract_if(|a| a.medium == medium));
        self.release(now, &over);
        for attempt in &over {
            self.conclude(now, medium, attempt, fx, probe);
        }
        over.clear();
        self.over = over;
        if !self.attempts.is_empty() {
            self.schedule_exchange(medium, fx);
        }
    }

    /// Attempts are over: all radios that heard them may contend again.
    fn release(&mut self, now: Time, over: &[Attempt]) {
        for attempt in over {
            if self.media[attempt.medium].alone {
                self.media.release(now, attempt.quiet, attempt.medium, Sensed::Primary);
            } else {
                let sender = (attempt.radio, attempt.width());
                self.media.release_all(now, attempt.quiet, sender, attempt.answerer());
            }
        }
    }

    /// An attempt is over: its transmitter takes the result, backs off unless it goes on, and has what follows.
    fn conclude<P: Probe>(
        &mut self,
        now: Time,
        medium: MediumId,
        attempt: &Attempt,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Attempt { radio, function, answered, vacant, .. } = *attempt;
        let claim = self.radios[radio].claim(function);
        if answered {
            claim.reset();
        } else if !vacant {
            claim.widen();
        }
        if self.roams {
            self.note_heard(now, attempt);
        }
        let done = match function {
            _ if vacant => false,
            AccessFunction::Beacon => {
                self.radios[radio].beacons.due = false;
                false
            }
            AccessFunction::Control => self.null_attempted(now, radio, answered, fx, probe),
            AccessFunction::Data(_) => {
                self.job_attempted(now, attempt, fx, probe);
                false
            }
        };
        let follows = self.goes_on(now, attempt);
        if !follows {
            let radio = &mut self.radios[radio];
            let Claim { contender, cw, .. } = *radio.claim(function);
            let slots = radio.backoff.up_to(cw);
            self.media.contend(medium, |contention| contention.back_off(now, contender, slots));
        }
        if done {
            self.null_done(now, radio, fx, probe);
        }
        self.fill_hardware(now, radio, fx);
        if self.multi_link {
            self.fill_others(now, radio, fx);
        }
        let device = self.radios[radio].device;
        if self.devices[device].firmware.as_ref().is_some_and(|firmware| firmware.pulls_at_end()) {
            self.pull_again(device, fx);
        }
        if !matches!(function, AccessFunction::Data(_)) {
            self.claim(now, radio, function);
        }
        self.check_empty(now, radio, fx, probe);
    }

    /// The attempt at the PPDU at the head of a radio's hardware queue is over. The hardware reports the fate of data,
    /// retransmits PPDUs without response, and sends a BlockAck request for MPDUs that its driver gave up.
    fn job_attempted<P: Probe>(&mut self, now: Time, attempt: &Attempt, fx: &mut Effects, probe: &mut P) {
        let Attempt { radio: id, function, answered, sent, .. } = *attempt;
        self.charge(now, attempt);
        if self.own_turns.any() {
            self.tell_aired(now, attempt);
        }
        let AccessFunction::Data(category) = function else { return };
        let Radio { adapter, contenders, .. } = &mut self.radios[id];
        let Some(queued) = contenders[category].hardware.pop_front() else {
            return;
        };
        match queued {
            QueuedPpdu::Data { psdus: [psdu], attempts, aired } => {
                let [good] = attempt.good;
                let report = Report { psdu, attempts, sent, acked: answered.then_some(good) };
                self.data_attempted(now, (id, category), report, aired || sent, fx, probe);
            }
            QueuedPpdu::BlockAckReq { tid, .. } if answered => {
                let current = &mut self.tids[tid];
                let start = current.window.start();
                current.reorder.advance(start, &mut self.up);
                current.reorder.expire(now, &mut self.up);
                self.deliver(now, tid, fx, probe);
            }
            QueuedPpdu::BlockAckReq { tid, link, attempts }
                // mac80211 sends what is no data as `rate_control_send_low()` says, with the driver's `max_rate_tries`.
                if attempts < adapter.retries.limit.min(MOST_TRIES - 1) =>
            {
                contenders[category].hardware.push_front(QueuedPpdu::BlockAckReq { tid, link, attempts: attempts + 1 });
            }
            QueuedPpdu::BlockAckReq { .. } => {}
        }
    }

    /// The hardware reports the fate of data, of which some was sent already if it is `aired`.
    fn data_attempted<P: Probe>(
        &mut self,
        now: Time,
        (id, category): (RadioId, Category),
        mut report: Report,
        aired: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let answered = report.acked.is_some();
        let gave_up = self.reported(now, &mut report);
        let (Psdu { tid, link, batch, chain }, attempts) = (report.psdu, report.attempts + 1);
        if self.devices[self.radios[id].device].firmware.is_some() {
            self.note_estimate((tid, link), chain.rate(attempts - 1));
        }
        let stop_and_wait = self.links[link].stop_and_wait;
        let Radio { adapter, contenders, .. } = &mut self.radios[id];
        let Contender { claim, hardware, .. } = &mut contenders[category];
        if !answered && self.links[link].goes_on(&batch, &chain, attempts, adapter) {
            let psdus = [Psdu { tid, link, batch, chain }];
            hardware.push_front(QueuedPpdu::Data { psdus, attempts, aired });
        } else if !answered {
            self.tids[tid].window.recall(&batch);
        }
        if gave_up {
            claim.reset();
            if !stop_and_wait {
                hardware.push_front(QueuedPpdu::BlockAckReq { tid, link, attempts: 0 });
            }
        }
        self.queue(tid);
        self.note_rate(now, link, fx, probe);
        self.report_settled(now, tid, LossCause::RetryLimit, fx, probe);
        if answered {
            self.active(now, link, category, fx);
        }
        if answered && self.radios[id].uplink == Some(link) {
            self.heard_from(now, link, category, fx, probe);
        } else if self.links[link].dozing {
            self.served(now, link, answered);
        }
        if self.links[link].unacknowledged.is_some() && (answered || gave_up) {
            self.count_unacknowledged(now, link, answered, fx, probe);
        }
    }
}
