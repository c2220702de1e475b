//! Somebody gets the medium: what goes on the air, who hears it, and when the exchange is over.
//!
//! The outcome of an exchange is settled as it begins, since nothing can disturb it any more: whoever could collide has
//! done so in the same slot.

use super::{Cell, Effects, FINISH, RECEIVED};
use crate::airtime;
use crate::link::{Link, LinkRate};
use crate::phy::Guard;
use crate::radio::{Function, Job, Null};
use crate::rate::Rate;
use airloom_observe::{Fate, FrameKind, Mpdu, NodeId, Observation, Ppdu, Probe};
use airloom_sim::{Duration, Time};

/// One radio's part in the exchange on the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub(super) radio: usize,
    pub(super) function: Function,
    /// The response was received, or none was due.
    pub(super) answered: bool,
    /// The frame itself was sent, rather than only an RTS before it.
    pub(super) sent: bool,
    /// Bit n: the n-th MPDU was received well.
    pub(super) good: u64,
    /// When the transmitter knows.
    pub(super) end: Time,
}

/// A PPDU to be told to a probe.
struct Frame {
    start: Time,
    end: Time,
    from: NodeId,
    to: Option<NodeId>,
    kind: FrameKind,
    rate: Rate,
    bytes: u32,
    fate: Fate,
}

impl Frame {
    /// A frame of a single MPDU.
    fn show<P: Probe>(self, now: Time, probe: &mut P) {
        let Self { start, end, from, to, kind, rate, bytes, fate } = self;
        let good = u16::from(fate == Fate::Received);
        probe.see(
            now,
            Observation::Ppdu(Ppdu {
                start,
                end,
                from,
                to,
                kind,
                rate: rate.info(),
                mpdus: 1,
                good,
                retries: 0,
                bytes,
                fate,
            }),
        );
    }
}

impl Cell {
    /// Backoffs end now: one winner transmits, several collide.
    pub(super) fn access<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        debug_assert!(self.attempts.is_empty());
        let mut winners = std::mem::take(&mut self.winners);
        self.contention.take_winners(now, &mut winners);
        self.contention.busy(now);
        for contender in winners.drain(..) {
            let (radio, function) = self.contenders[contender as usize];
            if self.attempts.iter().any(|a| a.radio == radio) {
                // An internal collision: the higher category sends, this one backs off as if it had failed (10.23.2.4).
                self.radios[radio].claim(function).widen();
                self.claim(now, radio, function);
            } else {
                self.attempts.push(Attempt {
                    radio,
                    function,
                    answered: false,
                    sent: false,
                    good: 0,
                    end: now,
                });
            }
        }
        self.winners = winners;
        let collided = self.attempts.len() > 1;
        for i in 0..self.attempts.len() {
            let Attempt { radio, function, .. } = self.attempts[i];
            self.attempts[i] = match function {
                Function::Beacon => self.send_beacon(now, radio, collided, probe),
                Function::Control => self.send_null(now, radio, collided, probe),
                Function::Data => self.send_job(now, radio, collided, fx, probe),
            };
        }
        let end = self.attempts.iter().map(|a| a.end).max().unwrap_or(now);
        fx.arm(FINISH, end);
    }

    fn send_beacon<P: Probe>(&mut self, now: Time, index: usize, collided: bool, probe: &mut P) -> Attempt {
        if P::DETAIL {
            for &link in &self.radios[index].links {
                let Link { dozing, parked, window, to, .. } = &self.links[link];
                if *dozing && !(parked.is_empty() && window.is_empty()) {
                    probe.see(now, Observation::Indicated { station: self.radios[*to].id });
                }
            }
        }
        let radio = &mut self.radios[index];
        let seq = radio.take_seq();
        let rate = radio.adapter.beacon_rate;
        let end = now + self.phy.ppdu(rate, airtime::BEACON_BYTES);
        let fate = if collided { Fate::Collided } else { Fate::Received };
        let (kind, bytes) = (FrameKind::Beacon, airtime::BEACON_BYTES);
        Frame { start: now, end, from: radio.id, to: None, kind, rate, bytes, fate }.show(now, probe);
        number(now, seq, false, bytes, fate, probe);
        Attempt { radio: index, function: Function::Beacon, answered: true, sent: true, good: 1, end }
    }

    fn send_null<P: Probe>(&mut self, now: Time, index: usize, collided: bool, probe: &mut P) -> Attempt {
        let radio = &mut self.radios[index];
        let rate = radio.adapter.control_rate.unwrap_or(radio.adapter.beacon_rate);
        let how = radio.adapter.null;
        let null: &mut Null = radio.null.as_mut().expect("a null frame is being sent");
        if null.attempts == 0 {
            null.since = now;
        }
        null.attempts += 1;
        let Null { sleep, attempts, since, seq } = *null;
        let rts = attempts > how.rts_after;
        let deaf = if sleep { how.deaf_before_leaving } else { how.deaf_after_return };
        let deaf = now - since < deaf;
        let (from, to) = (radio.id, self.radios[0].id);
        let mut start = now;
        if rts {
            let Some(after) = self.reserve(now, (index, 0), rate, fate(collided, true, true), probe) else {
                let end = now + self.silence(rate, self.phy.ppdu(rate, airtime::RTS_BYTES));
                let function = Function::Control;
                return Attempt { radio: index, function, answered: false, sent: false, good: 0, end };
            };
            start = after;
        }
        let response_rate = self.phy.control_rate(&self.radios[0].adapter, rate);
        let length = self.phy.ppdu(rate, airtime::NULL_BYTES);
        // A radio about to leave is not acknowledged; one that has just come back does not hear that it is.
        let received = !(collided || sleep && deaf);
        let fate = match (collided, received) {
            (true, _) => Fate::Collided,
            (_, true) => Fate::Received,
            _ => Fate::Corrupted,
        };
        let (kind, bytes) = (FrameKind::Null { sleep }, airtime::NULL_BYTES);
        Frame { start, end: start + length, from, to: Some(to), kind, rate, bytes, fate }.show(now, probe);
        number(now, seq, attempts > 1, bytes, fate, probe);
        let mut end = start + self.silence(response_rate, length);
        if received {
            let rate = response_rate;
            let start = start + length + self.phy.sifs;
            end = start + self.phy.ppdu(rate, airtime::ACK_BYTES);
            let fate = if deaf { Fate::Unheard } else { Fate::Received };
            let (kind, bytes) = (FrameKind::Ack, airtime::ACK_BYTES);
            Frame { start, end, from: to, to: Some(from), kind, rate, bytes, fate }.show(now, probe);
        }
        let (function, answered) = (Function::Control, received && !deaf);
        Attempt { radio: index, function, answered, sent: true, good: 0, end }
    }

    fn send_job<P: Probe>(
        &mut self,
        now: Time,
        index: usize,
        collided: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) -> Attempt {
        let job = *self.radios[index].hardware.front().expect("a claim is made for a job");
        let function = Function::Data;
        let failed = |sent, end| Attempt { radio: index, function, answered: false, sent, good: 0, end };
        let link = job.link();
        let to = self.links[link].to;
        let heard = self.radios[to].on_channel && !self.transmits(to);
        let (from_id, to_id) = (self.radios[index].id, self.radios[to].id);
        let Job::Data { batch, chain, attempts, .. } = job else {
            let chosen = self.links[link].preferred;
            let LinkRate { control_rate: rate, response_rate, .. } = self.links[link].rates[chosen];
            let (bytes, kind) = (airtime::BLOCK_ACK_REQ_BYTES, FrameKind::BlockAckReq);
            let length = self.phy.ppdu(rate, bytes);
            let fate = fate(collided, heard, heard);
            let end = now + length;
            Frame { start: now, end, from: from_id, to: Some(to_id), kind, rate, bytes, fate }
                .show(now, probe);
            number(now, self.links[link].window.start(), false, bytes, fate, probe);
            if fate != Fate::Received {
                return failed(true, now + self.silence(response_rate, length));
            }
            let (answered, end) = self.respond(now, end, (link, chosen), FrameKind::BlockAck, probe);
            return Attempt { radio: index, function, answered, sent: true, good: 1, end };
        };
        let psdu = batch.psdu();
        let chosen = chain.rate(attempts);
        let LinkRate { rate, control_rate, response_rate, .. } = self.links[link].rates[chosen];
        let mut start = now;
        let long = self.radios[index].adapter.rts_threshold.is_some_and(|most| psdu > most);
        match self.phy.guard(rate, control_rate, long) {
            Guard::None => {}
            Guard::RtsCts(rate) => {
                let fate = fate(collided, heard, heard);
                match self.reserve(now, (index, to), rate, fate, probe) {
                    Some(after) => start = after,
                    None => {
                        let length = self.phy.ppdu(rate, airtime::RTS_BYTES);
                        return failed(false, now + self.silence(rate, length));
                    }
                }
            }
            Guard::CtsToSelf(rate) => {
                let fate = if collided { Fate::Collided } else { Fate::Received };
                start = self.clear(now, now, (index, index), rate, fate, probe);
            }
        }
        let end = start + self.phy.ppdu(rate, psdu);
        let (mut good, mut retries, mut bytes) = (0u64, 0u16, 0u64);
        let Link { window, rates, early, .. } = &mut self.links[link];
        let mut inspector = early.as_mut().map(|early| &mut early.hardware);
        let losses = &mut self.radios[index].losses;
        let fades = &mut rates[chosen].survival;
        let fade = if fades.len() > 1 { losses.up_to(fades.len() as u32 - 1) as usize } else { 0 };
        let survival = &mut fades[fade];
        for (n, &seq) in batch.seqs().iter().enumerate() {
            let (_, mpdu, tries) = window.frame(seq);
            retries += u16::from(tries > 0);
            if !collided && heard && losses.uniform() < survival.of(mpdu) {
                good |= 1 << n;
                bytes += u64::from(mpdu);
            } else if let (false, true, Some(hardware)) = (collided, heard, &mut inspector) {
                hardware.damaged(n, (seq, window.carries_tcp(seq)), mpdu, survival);
            }
        }
        if good != 0 || inspector.is_some_and(|hardware| hardware.has_reports()) {
            fx.arm(RECEIVED, end);
        }
        self.radios[to].moved += bytes;
        let fate = fate(collided, heard, good != 0);
        let kind = if batch.len() > 1 { FrameKind::Ampdu } else { FrameKind::Data };
        probe.see(
            now,
            Observation::Ppdu(Ppdu {
                start,
                end,
                from: from_id,
                to: Some(to_id),
                kind,
                rate: rate.info(),
                mpdus: batch.len() as u16,
                good: good.count_ones() as u16,
                retries,
                bytes: psdu,
                fate,
            }),
        );
        if P::DETAIL {
            for (n, &seq) in batch.seqs().iter().enumerate() {
                let (packet, mpdu, tries) = self.links[link].window.frame(seq);
                let (retry, good) = (tries > 0, good >> n & 1 != 0);
                let mpdu = Mpdu { seq, retry, bytes: mpdu as u16, packet: Some(packet), good };
                probe.see(now, Observation::Mpdu(mpdu));
            }
        }
        if good == 0 {
            return failed(true, end + self.silence(response_rate, Duration::ZERO));
        }
        let response = if batch.len() > 1 { FrameKind::BlockAck } else { FrameKind::Ack };
        let (answered, end) = self.respond(now, end, (link, chosen), response, probe);
        Attempt { radio: index, function, answered, sent: true, good, end }
    }

    /// RTS, which fares like this, and CTS before a frame; returns when the frame may start, or none if no CTS comes.
    fn reserve<P: Probe>(
        &mut self,
        now: Time,
        (from, to): (usize, usize),
        rate: Rate,
        fate: Fate,
        probe: &mut P,
    ) -> Option<Time> {
        let (start, end) = (now, now + self.phy.ppdu(rate, airtime::RTS_BYTES));
        let (kind, bytes) = (FrameKind::Rts, airtime::RTS_BYTES);
        let (from_id, to_id) = (self.radios[from].id, self.radios[to].id);
        Frame { start, end, from: from_id, to: Some(to_id), kind, rate, bytes, fate }.show(now, probe);
        if fate != Fate::Received {
            return None;
        }
        let rate = self.phy.control_rate(&self.radios[to].adapter, rate);
        Some(self.clear(now, end + self.phy.sifs, (to, from), rate, Fate::Received, probe))
    }

    /// A CTS at `start`, which fares like this, for whoever may send next, which may be its transmitter; returns when
    /// that frame may start.
    fn clear<P: Probe>(
        &mut self,
        now: Time,
        start: Time,
        (from, to): (usize, usize),
        rate: Rate,
        fate: Fate,
        probe: &mut P,
    ) -> Time {
        let end = start + self.phy.ppdu(rate, airtime::ACK_BYTES);
        let (kind, bytes) = (FrameKind::Cts, airtime::ACK_BYTES);
        let (from, to) = (self.radios[from].id, Some(self.radios[to].id));
        Frame { start, end, from, to, kind, rate, bytes, fate }.show(now, probe);
        end + self.phy.sifs
    }

    /// The receiver of a link responds to a frame that ended at `end`, sent at one of its rates; returns whether the response is received, and when
    /// it ends.
    fn respond<P: Probe>(
        &mut self,
        now: Time,
        end: Time,
        (link, chosen): (usize, usize),
        kind: FrameKind,
        probe: &mut P,
    ) -> (bool, Time) {
        let link = &mut self.links[link];
        let responder = &mut self.radios[link.to];
        let LinkRate { response_rate: rate, response, .. } = &mut link.rates[chosen];
        let rate = *rate;
        let bytes = if kind == FrameKind::BlockAck { airtime::BLOCK_ACK_BYTES } else { airtime::ACK_BYTES };
        let received = responder.losses.uniform() < response.of(bytes);
        let fate = if received { Fate::Received } else { Fate::Corrupted };
        let from = responder.id;
        let to = Some(self.radios[link.from].id);
        let start = end + self.phy.sifs;
        let end = start + self.phy.ppdu(rate, bytes);
        Frame { start, end, from, to, kind, rate, bytes, fate }.show(now, probe);
        (received, end)
    }

    /// How long a transmitter waits that sent for `length` and hears no response; for everybody else this stands for the
    /// extended inter-frame space (10.3.2.3.7): SIFS and an ACK before the usual wait.
    fn silence(&self, rate: Rate, length: Duration) -> Duration {
        length + self.phy.sifs + self.phy.ppdu(rate, airtime::ACK_BYTES)
    }

    fn transmits(&self, radio: usize) -> bool {
        self.attempts.iter().any(|a| a.radio == radio)
    }
}

/// Tells the sequence number of a frame seen just before.
fn number<P: Probe>(now: Time, seq: u16, retry: bool, bytes: u32, fate: Fate, probe: &mut P) {
    if P::DETAIL {
        let good = fate == Fate::Received;
        probe.see(now, Observation::Mpdu(Mpdu { seq, retry, bytes: bytes as u16, packet: None, good }));
    }
}

fn fate(collided: bool, heard: bool, good: bool) -> Fate {
    match (collided, heard, good) {
        (true, ..) => Fate::Collided,
        (_, false, _) => Fate::Unheard,
        (.., false) => Fate::Corrupted,
        _ => Fate::Received,
    }
}
