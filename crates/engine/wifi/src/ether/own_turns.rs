//! Turns by a scheduler that somebody brings: it is asked for each PPDU, and told what was on the air.

use super::attempt::Attempt;
use super::{Effects, Ether};
use crate::adapter::Adapter;
use crate::category::Category;
use crate::id::{RadioId, TidId};
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::tid::Tid;
use crate::turns::{Aired, OWN_SCHEDULERS, Scheduler, Turns, Waiting};
use airloom_sim::Time;
use std::collections::BTreeMap;

/// The schedulers of all radios.
#[derive(Default)]
pub(super) struct OwnTurns {
    schedulers: BTreeMap<(RadioId, usize), OneRadio>,
}

/// That of one category of a radio.
struct OneRadio {
    scheduler: Box<dyn Scheduler>,
    /// The one that has its turn, while packets are pulled for it.
    turn: Option<TidId>,
}

impl OwnTurns {
    /// A radio is added, the schedulers of whose categories have these seeds.
    pub(super) fn add(&mut self, radio: RadioId, adapter: &Adapter, seed: impl Fn(Category) -> u64) {
        let Turns::Own(own) = adapter.turns else { return };
        for category in Category::ALL {
            let scheduler = OWN_SCHEDULERS.make(own)(&own.making(seed(category)));
            self.schedulers.insert((radio, category.index()), OneRadio { scheduler, turn: None });
        }
    }

    /// Whether there is any.
    pub(super) fn any(&self) -> bool {
        !self.schedulers.is_empty()
    }
}

impl Ether {
    /// Fills the hardware queue of a category. If the driver pulls for a TID, it continues after the answer.
    #[cold]
    pub(super) fn fill_by_scheduler(&mut self, now: Time, id: RadioId, category: Category, fx: &mut Effects) {
        while self.radios[id].has_room(category) {
            let Some(tid) = self.turn(now, id, category) else { return };
            let of = self.link_from(id, tid);
            let current = &mut self.tids[tid];
            let link = &mut self.links[of];
            let device = &self.devices[self.radios[id].device];
            if current.offered && !device.stopped && device.firmware.is_none() && current.wants_more(link) {
                let receiver = self.radios[link.to].node;
                fx.pulls.push((self.radios[id].node, receiver, current.number));
                return;
            }
            let batch = current.next_batch(link);
            current.queued.put(link.number, batch.is_some());
            if let Some(one) = self.own_turns.schedulers.get_mut(&(id, category.index())) {
                one.turn = None;
            }
            let contender = &mut self.radios[id].contenders[category];
            contender.ready.pop_front();
            if let Some((batch, chain)) = batch {
                contender.ready.push_back(tid);
                let psdus = [Psdu { tid, link: of, batch, chain }];
                contender.hardware.push_back(QueuedPpdu::Data { psdus, attempts: 0, aired: false });
            }
        }
    }

    /// The TID that has its turn, which is then the first of its category.
    fn turn(&mut self, now: Time, id: RadioId, category: Category) -> Option<TidId> {
        let (names, schedulers) = (&self.names, &mut self.own_turns.schedulers);
        let one = schedulers.get_mut(&(id, category.index()))?;
        let ready = &self.radios[id].contenders[category].ready;
        let first = *ready.front()?;
        if one.turn == Some(first) {
            return one.turn;
        }
        let waiting = ready.iter().map(|&tid| {
            let number = self.tids[tid].number;
            let link = &self.links[self.tids[tid].link_from(id, &self.peers, &self.links)];
            let receiver = &names[self.radios[link.to].node];
            Waiting { receiver, tid: number, rate: link.rates[link.preferred].rate }
        });
        let place = one.scheduler.next(now, &waiting.collect::<Vec<_>>());
        assert!(place < ready.len(), "a scheduler chose place {place} of a list of {}", ready.len());
        let ready = &mut self.radios[id].contenders[category].ready;
        let chosen = ready.remove(place)?;
        ready.push_front(chosen);
        one.turn = Some(chosen);
        one.turn
    }

    /// Tells the schedulers of both ends what was on the air.
    #[cold]
    pub(super) fn tell_aired(&mut self, now: Time, attempt: &Attempt) {
        let Attempt { radio, function, sent, good, .. } = *attempt;
        let Some(QueuedPpdu::Data { psdus, .. }) = self.radios[radio].queued(function).filter(|_| sent)
        else {
            return;
        };
        let ([Psdu { tid, link, .. }], [good]) = (psdus, good);
        let Tid { category, number, .. } = self.tids[*tid];
        let to = self.links[*link].to;
        let (names, schedulers) = (&self.names, &mut self.own_turns.schedulers);
        for (teller, peer, up) in [(radio, to, false), (to, radio, true)] {
            if let Some(one) = schedulers.get_mut(&(teller, category.index())).filter(|_| !up || good != 0) {
                let peer = &names[self.radios[peer].node];
                let time = attempt.main.length;
                one.scheduler.aired(now, &Aired { peer, tid: number, time, up });
            }
        }
    }
}
