//! A frame exchange between channel access and its end: RTS and CTS, the main frame, its response.
//!
//! A frame's fate is known as it ends, or as it begins if it collides with frames of the same slot.

use super::attempt::{Attempt, MainFrame, OnAir, Reception, Response, Stage};
use super::interference::Amid;
use super::sent_frame::number;
use super::{Effects, Ether};
use crate::adapter::NullFrames;
use crate::bss::Bss;
use crate::control_frames::ControlFrame;
use crate::frame_size;
use crate::id::{AttemptId, LinkId, MediumId, RadioId, RateId};
use crate::link::{Link, LinkRate};
use crate::phy::{FrameProtection, Phy};
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::radio::{AccessFunction, OutgoingPowerFrame, PowerFrame, PowerFrames, Radio};
use crate::tid::Tid;
use airloom_observe::{Fate, FrameKind, JoiningFrame, Observation, Ppdu, Probe, User};
use airloom_propagation::{Fade, Interference, Signal};
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};

impl Ether {
    /// `radio` gets the medium for `function`: RTS, or the main frame, goes on the air.
    pub(super) fn begin(
        &mut self,
        now: Time,
        radio: RadioId,
        function: AccessFunction,
        medium: MediumId,
    ) -> Attempt {
        if let (AccessFunction::Control, Some(outgoing)) =
            (function, &mut self.radios[radio].power_frames.outgoing)
        {
            if outgoing.attempts == 0 {
                outgoing.since = now;
            }
            outgoing.attempts += 1;
        }
        let bss = self.radios[radio].bss;
        let phy = &self.bss[bss].phy;
        let protection = self.protection(phy, radio, function);
        let main = self.main(phy, radio, function);
        let (stage, end) = match protection {
            FrameProtection::RtsCts(rate) => (Stage::Rts, now + phy.ppdu(rate, frame_size::RTS_BYTES)),
            _ => (Stage::Main, now + phy.lead(protection) + main.length),
        };
        Attempt {
            radio,
            bss,
            function,
            medium,
            protection,
            main,
            stage,
            next: end,
            begun: now,
            txop: match function {
                AccessFunction::Data(category) => now + self.radios[radio].contenders[category].txop,
                AccessFunction::Beacon | AccessFunction::Control => now,
            },
            vacant: false,
            on_air: [OnAir { from: radio, start: now, end, users: self.users(radio, function, medium) }],
            sent: stage == Stage::Main,
            responded: false,
            answered: false,
            good: [0],
            quiet: now,
        }
    }

    /// Who receives the frame that `radio`, which senses `medium`, has ready for `function`.
    #[inline(always)]
    fn users(&self, radio: RadioId, function: AccessFunction, medium: MediumId) -> [Reception; 1] {
        match (function, self.radios[radio].queued(function)) {
            (AccessFunction::Data(_), Some(queued)) => {
                queued.links().map(|link| self.reception(radio, link, medium))
            }
            (AccessFunction::Control, _) => self.power_frame_user(radio, medium),
            _ => [Reception::BROADCAST],
        }
    }

    /// Who receives the frame of power save that `radio` is sending.
    #[cold]
    fn power_frame_user(&self, radio: RadioId, medium: MediumId) -> [Reception; 1] {
        let outgoing = &self.radios[radio].power_frames.outgoing;
        [outgoing.as_ref().map_or(Reception::BROADCAST, |frame| self.reception(radio, frame.link, medium))]
    }

    /// How the receiver of a link, or all of its group, is about to receive a frame of `radio`, which senses `medium`.
    #[inline(always)]
    fn reception(&self, radio: RadioId, link: LinkId, medium: MediumId) -> Reception {
        let to = self.links[link].to;
        if to == radio {
            return Reception::BROADCAST;
        }
        let reaches = self.media[medium].alone || self.hears(to, radio);
        Reception { heard: self.radios[to].is_home() && reaches, ..Reception::by(to) }
    }

    /// The protection before the frame that `radio` has ready for `function`.
    #[inline(always)]
    pub(super) fn protection(&self, phy: &Phy, radio: RadioId, function: AccessFunction) -> FrameProtection {
        let Radio { adapter, power_frames: PowerFrames { outgoing, .. }, .. } = &self.radios[radio];
        match (function, self.radios[radio].queued(function), outgoing) {
            (_, Some(QueuedPpdu::Data { psdus: [Psdu { link, batch, chain, .. }], attempts, .. }), _) => {
                let link = &self.links[*link];
                let LinkRate { rate, rts, .. } = link.rates[chain.rate(*attempts)];
                let long = adapter.rts_threshold.is_some_and(|most| batch.psdu(rate) > most);
                match phy.frame_protection(rate, rts.rate, long || chain.reserves(*attempts)) {
                    // Nobody would answer (802.11-2020 10.3.2.4).
                    FrameProtection::RtsCts(_) if link.is_to_group() => FrameProtection::None,
                    protection => protection,
                }
            }
            (AccessFunction::Control, _, Some(outgoing)) if outgoing.reserves(adapter) => {
                FrameProtection::RtsCts(adapter.null_rate())
            }
            _ => FrameProtection::None,
        }
    }

    /// The main frame when `radio` gets the medium for `function`.
    #[inline(always)]
    pub(super) fn main(&self, phy: &Phy, radio: RadioId, function: AccessFunction) -> MainFrame {
        let Radio { adapter, power_frames: PowerFrames { outgoing, .. }, .. } = &self.radios[radio];
        match (function, self.radios[radio].queued(function), outgoing) {
            (_, Some(queued), _) => self.main_of(phy, queued),
            (AccessFunction::Control, _, Some(outgoing)) => {
                let rate = outgoing.rate(adapter);
                let answer = phy.control_rate(&self.radios[self.links[outgoing.link].to].adapter, rate);
                let length = phy.ppdu(rate, outgoing.frame.bytes());
                MainFrame { rates: [rate], length, responses: [ack_at(phy, answer)] }
            }
            _ => {
                let rate = adapter.beacon_rate;
                let length = phy.ppdu(rate, frame_size::BEACON_BYTES);
                MainFrame { rates: [rate], length, responses: [ack_at(phy, rate)] }
            }
        }
    }

    /// The main frame of a queued PPDU: data at its rate, or a BlockAck request along with the preferred one.
    #[inline(always)]
    fn main_of(&self, phy: &Phy, queued: &QueuedPpdu) -> MainFrame {
        let [link] = queued.links();
        let link = &self.links[link];
        let block_ack = frame_size::block_ack_bytes(link.window);
        let (rate, bytes, (kind, answering, answer, length)) = match queued {
            QueuedPpdu::Data { psdus: [Psdu { batch, chain, .. }], attempts, .. } => {
                let chosen = &link.rates[chain.rate(*attempts)];
                let answer = if batch.len() == 1 {
                    (FrameKind::Ack, chosen.response.rate, frame_size::ACK_BYTES, chosen.ack)
                } else {
                    (FrameKind::BlockAck, chosen.response.rate, block_ack, chosen.block_ack)
                };
                (chosen.rate, batch.psdu(chosen.rate), answer)
            }
            QueuedPpdu::BlockAckReq { .. } => {
                let LinkRate { request, requested, .. } = link.rates[link.preferred];
                let length = phy.ppdu(requested.rate, block_ack);
                let answer = (FrameKind::BlockAck, requested.rate, block_ack, length);
                (request.rate, frame_size::BLOCK_ACK_REQ_BYTES, answer)
            }
        };
        let response = Response { kind, rate: answering, bytes: answer, length };
        let length = phy.ppdu(rate, bytes);
        MainFrame { rates: [rate], length, responses: [response] }
    }

    /// For how long the main frame, which is not a beacon, reserves the medium after its end: for its response.
    fn main_nav(&self, attempt: &Attempt) -> Duration {
        self.bss[attempt.bss].phy.sifs + attempt.main.answer()
    }

    /// The link of a queued PPDU.
    pub(super) fn link_of(queued: &QueuedPpdu) -> LinkId {
        let [link] = queued.links();
        link
    }

    /// Which of its link's rates a queued PPDU goes at.
    fn rate_of(&self, queued: &QueuedPpdu) -> RateId {
        match queued {
            QueuedPpdu::Data { psdus: [Psdu { chain, .. }], attempts, .. } => chain.rate(*attempts),
            QueuedPpdu::BlockAckReq { link, .. } => self.links[*link].preferred,
        }
    }

    /// The response to a queued PPDU.
    #[inline]
    fn response_to(&self, queued: &QueuedPpdu) -> ControlFrame {
        let chosen = &self.links[Self::link_of(queued)].rates[self.rate_of(queued)];
        match queued {
            QueuedPpdu::Data { .. } => chosen.response,
            QueuedPpdu::BlockAckReq { .. } => chosen.requested,
        }
    }

    /// The rate of an attempt's RTS, if there is one, and that of the CTS that answers it.
    fn rts_rates(&self, attempt: &Attempt) -> Option<(Rate, Rate)> {
        let [OnAir { users: [Reception { by, .. }], .. }] = attempt.on_air;
        match (attempt.protection, by) {
            (FrameProtection::RtsCts(rate), Some(to)) => {
                let phy = &self.bss[attempt.bss].phy;
                Some((rate, phy.control_rate(&self.radios[to].adapter, rate)))
            }
            _ => None,
        }
    }

    /// Advances attempt `id`: its frame ended, collided at its start, or its response is due.
    pub(super) fn judge<P: Probe>(&mut self, now: Time, id: AttemptId, fx: &mut Effects, probe: &mut P) {
        let Attempt { stage, function, .. } = self.attempts[id];
        match stage {
            Stage::Space => self.resume(now, id),
            Stage::Rts => self.judge_rts(now, id, probe),
            Stage::Cts => self.clear_to_send(now, id, probe),
            Stage::Main => match function {
                AccessFunction::Beacon => self.judge_beacon(now, id, fx, probe),
                AccessFunction::Control => self.judge_null(now, id, probe),
                AccessFunction::Data(_) => self.judge_queued(now, id, fx, probe),
            },
            Stage::Response => self.respond(now, id, probe),
            Stage::Over => {}
        }
    }

    fn judge_rts<P: Probe>(&mut self, now: Time, id: AttemptId, probe: &mut P) {
        let Some((rate, cts_rate)) = self.rts_rates(&self.attempts[id]) else { return };
        self.weigh(now, id, (rate, frame_size::RTS_BYTES));
        let attempt = self.attempts[id];
        let [rts] = attempt.on_air;
        let [user] = rts.users;
        let (survives, fade) = self.survives_noise(now, &attempt, false);
        let fate = fate(&user, survives);
        let Phy { sifs, rx_start, slot, .. } = self.bss[attempt.bss].phy;
        let cts = self.bss[attempt.bss].phy.ppdu(cts_rate, frame_size::ACK_BYTES);
        let nav = sifs * 2 + cts + attempt.main.length + self.main_nav(&attempt);
        self.sent_frame(&rts, FrameKind::Rts, (rate, frame_size::RTS_BYTES), fate, nav)
            .filling(attempt.width())
            .in_fade(fade)
            .report(now, probe);
        if fate == Fate::Received {
            self.after_sifs(now, id, Stage::Cts, probe);
        } else {
            // 10.3.2.4: a NAV set by RTS may be reset when no frame follows.
            self.fail(id, sifs * 2 + cts + rx_start + slot * 2);
        }
    }

    /// Whether noise spares a control frame of a data queue's attempt: RTS or BlockAck request, or the CTS that is its
    /// `answer`; and the fade that it meets. Those of a protection are heard farther than what they protect.
    fn survives_noise(&mut self, now: Time, attempt: &Attempt, answer: bool) -> (bool, Fade) {
        let Attempt { radio, function, on_air, protection, .. } = *attempt;
        let [OnAir { users: [Reception { heard, disturbed, .. }], .. }] = on_air;
        let queued = self.radios[radio].queued(function);
        let Some(queued) = queued.filter(|_| heard && !disturbed) else { return (true, Fade::default()) };
        let (link, chosen) = (Self::link_of(queued), self.rate_of(queued));
        let Link { rates, frames, path, to, .. } = &mut self.links[link];
        let LinkRate { rts, cts, request, .. } = rates[chosen];
        if matches!(protection, FrameProtection::RtsCts(rate) if rate != rts.rate) {
            return (true, Fade::default());
        }
        let fade = self.power.path(*path).slow(now);
        let (frame, sender, bytes) = match (answer, protection) {
            (true, _) => (cts, *to, frame_size::ACK_BYTES),
            (false, FrameProtection::RtsCts(_)) => (rts, radio, frame_size::RTS_BYTES),
            (false, _) => (request, radio, frame_size::BLOCK_ACK_REQ_BYTES),
        };
        let survives = frames.at(frame, fade).of(bytes);
        (self.radios[sender].losses.uniform() < survives, fade)
    }

    /// After a SIFS the receiver responds. If there are stations that have not heard the transmitter they may begin
    /// meanwhile; otherwise nothing can come in between.
    fn after_sifs<P: Probe>(&mut self, now: Time, id: AttemptId, stage: Stage, probe: &mut P) {
        let attempt = &mut self.attempts[id];
        let [sent] = attempt.on_air;
        (attempt.stage, attempt.next) = (stage, sent.end + self.bss[attempt.bss].phy.sifs);
        if !self.media[attempt.medium].alone {
            return;
        }
        match stage {
            Stage::Cts => self.clear_to_send(now, id, probe),
            _ => self.respond(now, id, probe),
        }
    }

    /// CTS is sent: the medium belongs to the attempt until it is over.
    fn clear_to_send<P: Probe>(&mut self, now: Time, id: AttemptId, probe: &mut P) {
        let attempt = self.attempts[id];
        let Some((_, rate)) = self.rts_rates(&attempt) else { return };
        let start = attempt.next;
        let end = start + self.bss[attempt.bss].phy.ppdu(rate, frame_size::ACK_BYTES);
        self.answer(now, id, (start, end));
        self.weigh(now, id, (rate, frame_size::ACK_BYTES));
        let [cts] = self.attempts[id].on_air;
        let [user] = cts.users;
        let (survives, fade) = self.survives_noise(now, &attempt, true);
        let fate = fate(&user, survives);
        let sifs = self.bss[attempt.bss].phy.sifs;
        let start = end + sifs;
        let length = attempt.main.length;
        let nav = sifs + length + self.main_nav(&attempt);
        self.sent_frame(&cts, FrameKind::Cts, (rate, frame_size::ACK_BYTES), fate, nav)
            .filling(attempt.width())
            .in_fade(fade)
            .report(now, probe);
        if fate != Fate::Received {
            self.fail(id, Duration::ZERO);
            return;
        }
        let end = start + length;
        let on_air =
            attempt.on_air.map(|rts| OnAir { start, end, users: rts.users.map(Reception::anew), ..rts });
        let attempt = &mut self.attempts[id];
        (attempt.stage, attempt.next, attempt.on_air, attempt.sent) = (Stage::Main, end, on_air, true);
        self.radiate(now, id, self.attempts.len());
    }

    /// The receiver of attempt `id` sends a frame from `start` to `end`.
    fn answer(&mut self, now: Time, id: AttemptId, (start, end): (Time, Time)) {
        let Attempt { radio, medium, responded, on_air, .. } = self.attempts[id];
        let [OnAir { users: [Reception { by, .. }], .. }] = on_air;
        let from = by.expect("broadcasts are not answered");
        if !responded {
            self.attempts[id].responded = true;
            if !self.media[medium].alone {
                let sender = (from, self.attempts[id].width());
                self.media.hold_all(now, sender, Some(radio));
            }
        }
        self.attempts[id].on_air = [OnAir { from, start, end, users: [Reception::by(radio)] }];
        self.radiate(now, id, self.attempts.len());
    }

    fn judge_beacon<P: Probe>(&mut self, now: Time, id: AttemptId, fx: &mut Effects, probe: &mut P) {
        let Attempt { radio, bss, on_air: [on_air], .. } = self.attempts[id];
        if P::DETAIL {
            let group = self.bss[bss].group.as_ref().map(|group| group.link);
            for &link in self.radios[radio].links.iter().chain(&group) {
                if self.is_kept(link) {
                    let station = self.radios[self.links[link].to].node;
                    probe.see(now, Observation::Indicated { station });
                }
            }
            if let Some((mhz, count)) = self.announces(bss) {
                let access_point = self.radios[radio].node;
                probe.see(now, Observation::Announced { access_point, mhz, count });
            }
        }
        let seq = self.radios[radio].take_seq();
        let (rate, bytes) = (self.radios[radio].adapter.beacon_rate, frame_size::BEACON_BYTES);
        let (missed, disturbed) = self.missed_beacon(now, &on_air, (rate, bytes));
        let spared = disturbed == 0 || missed.len() < self.radios[radio].links.len();
        let fate = if on_air.is_disturbed() || !spared { Fate::Collided } else { Fate::Received };
        self.sent_frame(&on_air, FrameKind::Beacon, (rate, bytes), fate, Duration::ZERO).report(now, probe);
        number(now, seq, false, bytes, fate, probe);
        self.succeed(id, on_air.end, true);
        let Bss { beacons, .. } = &mut self.bss[bss];
        let beacon = *beacons;
        *beacons += 1;
        let missed = (fate == Fate::Received).then_some(&missed[..]);
        if let Some(missed) = missed {
            self.wake_for_beacon(now, radio, beacon, missed);
            if self.any_switches {
                self.follow(now, bss, beacon, missed, fx);
            }
        }
        self.serve_group(now, bss, beacon, missed, fx, probe);
        if self.roams {
            self.beacon_over(now, radio, missed, fx, probe);
        }
    }

    fn judge_null<P: Probe>(&mut self, now: Time, id: AttemptId, probe: &mut P) {
        let Attempt { radio, begun, main, .. } = self.attempts[id];
        let outgoing = self.radios[radio].power_frames.outgoing.expect("a frame of power save is being sent");
        let OutgoingPowerFrame { frame, attempts, seq, .. } = outgoing;
        let [rate] = main.rates;
        self.weigh(now, id, (rate, frame.bytes()));
        let [on_air] = self.attempts[id].on_air;
        let radio = &self.radios[radio];
        // A radio about to leave gets no acknowledgment; one that has just come back does not hear it.
        let deaf = is_deaf(&radio.adapter.null, &outgoing, begun);
        let [user] = on_air.users;
        // Whether its receiver is away is another matter.
        let heard = user.by.is_none_or(|by| !self.is_silent(by) && self.hears(by, on_air.from));
        let survives = match frame {
            _ if frame.suffers_noise() => heard && self.survives_joining(now, outgoing.link, frame.bytes()),
            _ => !(frame == PowerFrame::Sleep(true) && deaf),
        };
        let fate = fate(&Reception { heard, ..user }, survives);
        let asks_all = frame == PowerFrame::Joining(JoiningFrame::Probe { answer: false });
        // Nobody answers a frame to all within its exchange.
        let nav = if asks_all { Duration::ZERO } else { self.main_nav(&self.attempts[id]) };
        let bytes = frame.bytes();
        self.sent_frame(&on_air, frame.kind(), (rate, bytes), fate, nav).report(now, probe);
        if let (true, PowerFrame::Joining(which)) = (P::DETAIL, frame) {
            probe.see(now, Observation::Joining(which));
        }
        if frame != PowerFrame::Poll {
            number(now, seq, attempts > 1, bytes, fate, probe);
        }
        if let (Fate::Received, Some(outgoing)) = (fate, &mut self.radios[on_air.from].power_frames.outgoing)
        {
            outgoing.arrived = true;
        }
        if asks_all {
            self.succeed(id, on_air.end, false);
        } else if fate == Fate::Received {
            self.after_sifs(now, id, Stage::Response, probe);
        } else {
            self.fail(id, nav);
        }
    }

    fn judge_queued<P: Probe>(&mut self, now: Time, id: AttemptId, fx: &mut Effects, probe: &mut P) {
        let attempt = self.attempts[id];
        let Attempt { radio, function, .. } = attempt;
        let nav = self.main_nav(&attempt);
        self.report_own_cts(now, &attempt, nav, probe);
        let queued = self.radios[radio].queued(function).expect("a claim is made for a PPDU");
        let ([tid], [link]) = (queued.tids(), queued.links());
        let good = if let QueuedPpdu::Data { .. } = queued {
            if self.links[link].is_to_group() {
                return self.judge_group(now, (id, &attempt), tid, fx, probe);
            }
            if self.links[link].dozing {
                self.note_what_waits(radio, function);
            }
            let good = self.judge_data(now, (id, &attempt), nav, probe);
            self.attempts[id].good = good;
            let any = good.iter().any(|&good| good != 0);
            if any || self.tids[tid].has_reports() {
                self.received(now, id, fx, probe);
            }
            any
        } else {
            let [rate] = attempt.main.rates;
            self.weigh(now, id, (rate, frame_size::BLOCK_ACK_REQ_BYTES));
            let attempt = self.attempts[id];
            let (survives, fade) = self.survives_noise(now, &attempt, false);
            let [on_air] = attempt.on_air;
            let [user] = on_air.users;
            let (bytes, fate) = (frame_size::BLOCK_ACK_REQ_BYTES, fate(&user, survives));
            self.sent_frame(&on_air, FrameKind::BlockAckReq, (rate, bytes), fate, nav)
                .of(self.tids[tid].number)
                .in_fade(fade)
                .report(now, probe);
            number(now, self.tids[tid].window.start(), false, bytes, fate, probe);
            fate == Fate::Received
        };
        if good {
            self.after_sifs(now, id, Stage::Response, probe);
        } else {
            self.fail(id, nav);
        }
    }

    /// A data PPDU ends: the loss of every MPDU is drawn. Returns how many each user received.
    fn judge_data<P: Probe>(
        &mut self,
        now: Time,
        (id, attempt): (AttemptId, &Attempt),
        nav: Duration,
        probe: &mut P,
    ) -> [u32; 1] {
        let Attempt { radio, bss, on_air: [on_air], protection, .. } = *attempt;
        let users: [User; 1] = std::array::from_fn(|place| match self.power.weighs() {
            false => self.receive(now, attempt, place, None),
            true => self.receive_by_power(now, (id, attempt), place),
        });
        let observed = Ppdu {
            start: on_air.start + self.bss[bss].phy.lead(protection),
            end: on_air.end,
            from: self.radios[radio].node,
            link: self.bss[bss].link,
            kind: if users.iter().any(|user| user.mpdus > 1) { FrameKind::Ampdu } else { FrameKind::Data },
            width: attempt.width(),
            nav,
            users,
        };
        probe.see(now, Observation::Ppdu(observed));
        if P::DETAIL {
            (0..users.len()).for_each(|place| self.report_mpdus(now, attempt, place, probe));
        }
        users.map(|user| user.good.into())
    }

    /// The same as [`receive`](Self::receive) where places are known: what overlaps the PPDU counts by its power.
    #[cold]
    #[inline(never)]
    fn receive_by_power(&mut self, now: Time, (id, attempt): (AttemptId, &Attempt), place: usize) -> User {
        let Attempt { on_air: [on_air], .. } = attempt;
        let mut overlapping = self.data_overlapping(now, on_air, &on_air.users[place]);
        let others = overlapping.as_mut().map(|(others, header)| (others, *header));
        let user = self.receive(now, attempt, place, others);
        if let Some((others, _)) = overlapping {
            self.others = others;
        }
        self.attempts[id].on_air[0].users[place].disturbed |= user.fate == Fate::Collided;
        user
    }

    /// The user at this place of a data PPDU has received what came through, amid these others if there are any.
    // Inlined, so that the way without others, which is nearly all, asks nothing about them.
    #[inline(always)]
    fn receive(
        &mut self,
        now: Time,
        attempt: &Attempt,
        place: usize,
        others: Option<(&mut Interference, Signal)>,
    ) -> User {
        let Attempt { radio, function, main, on_air: [on_air], .. } = attempt;
        let reception = &on_air.users[place];
        let Radio { contenders, losses, .. } = &mut self.radios[*radio];
        let (psdus, attempts, aired) = match function {
            AccessFunction::Data(category) => match contenders[*category].hardware.front() {
                Some(QueuedPpdu::Data { psdus, attempts, aired }) => (psdus, *attempts, *aired),
                _ => unreachable!("data of a PPDU on the air is in hardware"),
            },
            _ => unreachable!("only data has users with PSDUs"),
        };
        let Psdu { tid, link, batch, chain } = &psdus[place];
        let Tid { number, window, early, .. } = &mut self.tids[*tid];
        let Link { rates, path, .. } = &mut self.links[*link];
        let chosen = &mut rates[chain.rate(attempts)];
        let reaches = reception.heard && !reception.disturbed;
        let path = self.power.path(*path);
        let fade = if reaches { path.fade(now, losses) } else { Fade::default() };
        let fade_db = if reaches { path.off_mean_db(fade) } else { 0.0 };
        let (mut good, mut retries, mut bytes) = (0, 0u16, 0u64);
        let psdu = batch.psdu(chosen.rate);
        let (survival, mut amid) = match others {
            None => (chosen.survival.at(fade), None),
            Some((others, header)) => {
                let span = (on_air.end - main.length, on_air.end);
                let header = self.hardiness.of((on_air.from, reception.by.unwrap_or(on_air.from)), header);
                let (survival, hardiness) = chosen.survival.amid(fade);
                (survival, Some(Amid::new(others, span, psdu, (header, hardiness), losses)))
            }
        };
        for (n, (seq, frame)) in (0..).zip(window.members(batch)) {
            let mpdu = frame.mpdu;
            retries += u16::from(frame.is_repeat(aired));
            frame.good = reaches && losses.uniform() < survival.of(mpdu);
            if let Some(amid) = &mut amid {
                frame.good = amid.spares(mpdu, frame.good, losses);
            }
            if frame.good {
                good += 1;
                bytes += u64::from(mpdu);
            } else if let (true, Some(early)) = (reaches, early.as_mut()) {
                early.hardware.damaged(n, (seq, frame.tcp), mpdu, survival);
            }
        }
        let (rate, tid) = (chosen.rate, *number);
        let mpdus = batch.len() as u16;
        let to = reception.by.map(|to| {
            self.devices[self.radios[to].device].moved += bytes;
            self.radios[to].node
        });
        let disturbed = reception.disturbed || good == 0 && amid.is_some_and(|amid| amid.spoiled);
        let fate = fate(&Reception { disturbed, ..*reception }, good != 0);
        User { to, rate, mpdus, good, retries, bytes: psdu, fate, tid, fade_db }
    }

    /// The receiver responds to the frame of attempt `id`.
    fn respond<P: Probe>(&mut self, now: Time, id: AttemptId, probe: &mut P) {
        let attempt = self.attempts[id];
        let Attempt { radio, function, begun, next: start, main, .. } = attempt;
        let [Response { kind, rate, bytes, length }] = main.responses;
        let queued = self.radios[radio].queued(function);
        let tid = queued.map_or(0, |queued| {
            let [tid] = queued.tids();
            self.tids[tid].number
        });
        let chosen = queued.map(|queued| (Self::link_of(queued), self.response_to(queued)));
        self.answer(now, id, (start, start + length));
        self.weigh(now, id, (rate, bytes));
        let [answer] = self.attempts[id].on_air;
        let mut fade = Fade::default();
        let survives = match (chosen, &self.radios[radio].power_frames.outgoing) {
            (Some((link, response)), _) => {
                let Link { frames, to, path, .. } = &mut self.links[link];
                fade = self.power.path(*path).slow(now);
                let response = frames.at(response, fade);
                self.radios[*to].losses.uniform() < response.of(bytes)
            }
            (None, Some(OutgoingPowerFrame { frame, link, .. })) if frame.suffers_noise() => {
                let back = self.links[*link].reverse;
                self.survives_joining(now, back, bytes)
            }
            (None, Some(null)) => !is_deaf(&self.radios[radio].adapter.null, null, begun),
            (None, None) => true,
        };
        // A deaf adapter does not hear it; errors of the path apply to any.
        let fate = match (answer.is_disturbed(), survives, chosen) {
            (true, ..) => Fate::Collided,
            (_, true, _) => Fate::Received,
            (_, _, Some(_)) => Fate::Corrupted,
            (_, _, None) => Fate::Unheard,
        };
        self.sent_frame(&answer, kind, (rate, bytes), fate, Duration::ZERO)
            .filling(main.width())
            .of(tid)
            .in_fade(fade)
            .report(now, probe);
        if P::TRACE && kind == FrameKind::BlockAck {
            self.report_block_ack(now, radio, function, probe);
        }
        self.succeed(id, answer.end, fate == Fate::Received);
    }

    /// The last frame of attempt `id` ends at `end`.
    pub(super) fn succeed(&mut self, id: AttemptId, end: Time, answered: bool) {
        let attempt = &mut self.attempts[id];
        (attempt.stage, attempt.next, attempt.quiet, attempt.answered) = (Stage::Over, end, end, answered);
    }

    /// No response will come to the frame of attempt `id`. Its transmitter waits until its ACK timeout (10.3.2.9). A station
    /// that decoded the frame keeps quiet for its NAV, `reserved`; any other for an extended inter-frame space
    /// (10.3.2.3.7).
    fn fail(&mut self, id: AttemptId, reserved: Duration) {
        let [last] = self.attempts[id].on_air;
        let (end, disturbed) = (last.end, last.is_disturbed());
        let phy = &self.bss[self.attempts[id].bss].phy;
        let (waits, quiet) = if phy.waits_after_failure {
            let extended = phy.sifs + phy.ppdu(phy.lowest, frame_size::ACK_BYTES);
            let timeout = phy.sifs + phy.slot + phy.rx_start;
            (timeout, if disturbed { extended } else { reserved })
        } else {
            (Duration::ZERO, Duration::ZERO)
        };
        let attempt = &mut self.attempts[id];
        (attempt.stage, attempt.next, attempt.quiet) = (Stage::Over, end + waits, end + quiet);
    }
}

/// An Ack at `rate`.
fn ack_at(phy: &Phy, rate: Rate) -> Response {
    let bytes = frame_size::ACK_BYTES;
    Response { kind: FrameKind::Ack, rate, bytes, length: phy.ppdu(rate, bytes) }
}

/// Whether an adapter is deaf during an attempt at a null frame that begins at this time.
fn is_deaf(how: &NullFrames, outgoing: &OutgoingPowerFrame, begun: Time) -> bool {
    let until = if outgoing.frame == PowerFrame::Sleep(true) {
        how.deaf_before_leaving
    } else {
        how.deaf_after_return
    };
    outgoing.travels && begun - outgoing.since < until
}

fn fate(user: &Reception, good: bool) -> Fate {
    match (user.disturbed, user.heard, good) {
        (true, ..) => Fate::Collided,
        (_, false, _) => Fate::Unheard,
        (.., false) => Fate::Corrupted,
        _ => Fate::Received,
    }
}
