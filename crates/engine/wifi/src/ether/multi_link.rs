//! Multi-link operation: one association over several links, each with a radio of its own at either end (IEEE 802.11be-2024 35.3).
//!
//! Numbers, windows and reordering are those of the two devices, whatever link an MPDU goes over: every TID goes over every
//! link, which is the default mapping (35.3.7). So an MPDU that one link lost may go again over another.
//!
//! Which MPDUs go over which link is decided here. A PPDU that waits for its link's medium is a promise that can be taken back: as a radio gets
//! the medium, it takes the first MPDUs of the window that are not on the air elsewhere, and what waits behind other radios is formed anew of
//! the rest. What hardware sends once more stays where it is. Since one window is for all links, a PPDU takes no more of it than its link's
//! share by rate: else the fastest would have all of it in flight, and the others nothing to send.

use super::{Effects, Ether, Station};
use crate::category::Category;
use crate::device::Association;
use crate::id::{BssId, LinkId, PeerId, RadioId, TidId};
use crate::link::{Link, Trying};
use crate::peer::Peer;
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::radio::AccessFunction;
use airloom_sim::{IndexVec, Time};

impl Ether {
    /// Adds a further link between a station and its access point, which has a radio in this network too.
    ///
    /// # Panics
    /// If the station has no first link.
    pub fn add_link(&mut self, bss: BssId, station: Station<'_>) {
        let device = self.device(station.id);
        let association = self.devices[device].association.expect("a station has a first link");
        self.add_berth(bss, station, Some(association));
        let Association { up, down } = association;
        for peer in [up, down] {
            self.share_window(peer);
        }
        self.multi_link = true;
    }

    /// A link is one more of a peer.
    pub(super) fn join_peer(&mut self, peer: PeerId, id: LinkId) {
        let Peer { links, tids, .. } = &mut self.peers[peer];
        self.links[id].number = links.len() as u8;
        links.push(id);
        for &tid in &*tids {
            self.tids[tid].links = links.len() as u8;
        }
        // Packets belong to no link as they come down, so that none can be marked to try a rate of one.
        for &link in &*links {
            self.links[link].firmware.get_or_insert(Trying::default());
        }
    }

    /// The link of a TID's peer that this radio sends over.
    #[inline]
    pub(super) fn link_from(&self, radio: RadioId, tid: TidId) -> LinkId {
        self.tids[tid].link_from(radio, &self.peers, &self.links)
    }

    /// Says how much of the window a PPDU over each link of a peer may take: as much as its preferred rate is of the sum of all.
    pub(super) fn share_window(&mut self, peer: PeerId) {
        let links = &self.peers[peer].links;
        let rate = |link: LinkId| self.links[link].rates[self.links[link].preferred].rate.bit_rate().as_bps();
        let sum: u64 = links.iter().map(|&link| rate(link)).sum();
        let window = u64::from(self.tids[self.peers[peer].tids[0]].window.size());
        for n in 0..links.len() {
            let link = self.peers[peer].links[n];
            let rate = self.links[link].rates[self.links[link].preferred].rate.bit_rate().as_bps();
            self.links[link].share = (window * rate / sum).max(1) as u32;
        }
    }

    /// A TID that goes over several links joins the round of each.
    #[cold]
    pub(super) fn queue_over_all(&mut self, id: TidId) {
        let tid = &mut self.tids[id];
        for &link in &self.peers[tid.peer].links {
            let link = &self.links[link];
            if tid.queued.insert(link.number) {
                self.radios[link.from].join(tid.category, id);
            }
        }
    }

    /// Each link of a TID but the one that it names last may try a rate with a packet that comes down now.
    #[cold]
    pub(super) fn sample_over_others(&mut self, now: Time, tid: TidId) {
        let named = self.tids[tid].link;
        for &link in self.peers[self.tids[tid].peer].links.iter().filter(|&&link| link != named) {
            self.links[link].sample(now);
        }
    }

    /// Keeps the hardware queues full over which a TID goes.
    #[cold]
    pub(super) fn fill_over_all(&mut self, now: Time, tid: TidId, category: Category, fx: &mut Effects) {
        let peer = self.tids[tid].peer;
        for n in 0..self.peers[peer].links.len() {
            let radio = self.links[self.peers[peer].links[n]].from;
            if self.radios[radio].has_room(category) {
                self.fill(now, radio, category, fx);
            }
        }
    }

    /// Keeps the hardware queues of the other radios of a radio's device full.
    #[cold]
    pub(super) fn fill_others(&mut self, now: Time, radio: RadioId, fx: &mut Effects) {
        let device = self.radios[radio].device;
        for n in 0..self.devices[device].radios.len() {
            let other = self.devices[device].radios[n];
            if other != radio {
                self.fill_hardware(now, other, fx);
            }
        }
    }

    /// A radio has the medium for data: of a TID that goes over several links, the first MPDUs that are not on the air go into the PPDU, and
    /// what waits behind the other radios is formed anew. False if nothing is left to send.
    #[cold]
    pub(super) fn form_at_access(&mut self, radio: RadioId, function: AccessFunction) -> bool {
        let AccessFunction::Data(category) = function else { return true };
        let head = self.radios[radio].queued(function);
        let Some(QueuedPpdu::Data { psdus: [psdu], attempts: 0, aired: false }) = head else {
            return self.radios[radio].has_frame(function);
        };
        let (tid, first) = (psdu.tid, psdu.link);
        if !self.tids[tid].is_over_several() {
            return true;
        }
        let mut links = self.peers[self.tids[tid].peer].links.clone();
        links.iter().for_each(|&link| self.take_back(link, (tid, category)));
        links.retain(|&link| link != first);
        links.insert(0, first);
        links.iter().for_each(|&link| self.form_anew(link, (tid, category)));
        true
    }

    /// The PPDUs of a TID that wait behind a link's radio and have not begun.
    fn waiting(
        &mut self,
        link: LinkId,
        (tid, category): (TidId, Category),
    ) -> impl Iterator<Item = &mut Psdu> {
        let radio = self.links[link].from;
        let function = AccessFunction::Data(category);
        let begun = self.attempts.iter().any(|a| a.radio == radio && a.function == function);
        let hardware = self.radios[radio].contenders[category].hardware.iter_mut().skip(usize::from(begun));
        hardware.filter_map(move |queued| match queued {
            QueuedPpdu::Data { psdus: [psdu], attempts: 0, aired: false } if psdu.tid == tid => Some(psdu),
            _ => None,
        })
    }

    /// What such PPDUs hold waits for the hardware again.
    fn take_back(&mut self, link: LinkId, of: (TidId, Category)) {
        let batches: Vec<_> = self.waiting(link, of).map(|psdu| psdu.batch.clone()).collect();
        batches.iter().for_each(|batch| self.tids[of.0].window.recall(batch));
    }

    /// Such PPDUs are formed anew at the rates that were chosen; those for which nothing is left are no more.
    fn form_anew(&mut self, link: LinkId, of: (TidId, Category)) {
        let (id, category) = of;
        let chains: Vec<_> = self.waiting(link, of).map(|psdu| psdu.chain).collect();
        let (tid, over) = (&mut self.tids[id], &self.links[link]);
        let batches: Vec<_> = chains
            .iter()
            .map(|chain| {
                let place = tid.window.ready()?;
                Some(tid.window.select(place, &over.limits_of_next(chain, category)))
            })
            .collect();
        let mut formed = batches.into_iter();
        let mut gone = 0;
        for psdu in self.waiting(link, of) {
            match formed.next().flatten() {
                Some(batch) => psdu.batch = batch,
                None => gone += 1,
            }
        }
        if gone > 0 {
            self.drop_last(link, of, gone);
        }
    }

    /// The last of such PPDUs are no more.
    fn drop_last(&mut self, link: LinkId, (tid, category): (TidId, Category), mut gone: usize) {
        let radio = self.links[link].from;
        let hardware = &mut self.radios[radio].contenders[category].hardware;
        for place in (0..hardware.len()).rev() {
            let is_one = matches!(&hardware[place], QueuedPpdu::Data { psdus: [psdu], attempts: 0, aired: false } if psdu.tid == tid);
            if is_one && gone > 0 {
                hardware.remove(place);
                gone -= 1;
            }
        }
        if hardware.is_empty() {
            self.withdraw(radio, category);
        }
    }
}

impl Peer {
    /// The link that a radio sends over.
    pub(crate) fn link_from(&self, radio: RadioId, links: &IndexVec<LinkId, Link>) -> LinkId {
        let own = self.links.iter().find(|&&link| links[link].from == radio);
        *own.expect("a radio sends over a link of its own")
    }
}
