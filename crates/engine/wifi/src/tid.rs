//! One TID of a peer: its sequence numbers, frames to be sent, frames received out of order (802.11-2020 10.25).

use crate::adapter::Adapter;
use crate::aggregate::{Batch, Limits};
use crate::category::Category;
use crate::frame_size;
use crate::id::{LinkId, PeerId, RadioId, TimerId};
use crate::link::{Link, LinkSet, Payload, Room};
use crate::peer::Peer;
use crate::power_save::Service;
use crate::rate_control::Chain;
use crate::reorder::Reorder;
use crate::reordering::Early;
use crate::send_window::SendWindow;
use airloom_sim::{IndexVec, Time};
use std::collections::VecDeque;

/// One TID of a peer, with an agreement of its own.
pub(crate) struct Tid {
    /// The peer.
    pub(crate) peer: PeerId,
    /// The link that it goes over; of several the one for which packets are pulled.
    pub(crate) link: LinkId,
    /// How many links it goes over.
    pub(crate) links: u8,
    /// Its number, 0 to 7.
    pub(crate) number: u8,
    /// The category that it is sent in: that of its number, or best effort between radios of which one has no QoS.
    pub(crate) category: Category,
    /// Bytes of an MPDU beyond its packet.
    pub(crate) overhead: u32,
    /// Attempts to reserve the medium for the frame under way, if it travels alone, that no CTS answered.
    pub(crate) unreserved: u32,
    /// Frames that wait for the air or for an acknowledgment.
    pub(crate) window: SendWindow,
    /// The receiver's reorder buffer.
    pub(crate) reorder: Reorder,
    /// The receiver's policy to give up on MPDUs before the timeout of that buffer, if it has one.
    pub(crate) early: Option<Box<Early>>,
    /// The timer of its reorder buffer.
    pub(crate) reorder_timer: TimerId,
    /// When that timer is armed for.
    pub(crate) reorder_due: Option<Time>,
    /// When that buffer last began to hold MPDUs, for probes with `TRACE`.
    pub(crate) held_since: Time,
    /// The links in whose transmitter's round it is.
    pub(crate) queued: LinkSet,
    /// Packets wait for it above a driver that pulls.
    pub(crate) offered: bool,
    /// Packets parked above the driver for a dozing receiver.
    pub(crate) parked: VecDeque<Payload>,
}

impl Tid {
    /// Without frames, of a peer whose receiver has this adapter, under an agreement of `window` MPDUs; whether it carries QoS data.
    pub(crate) fn new(
        (peer, link, number): (PeerId, LinkId, u8),
        qos: bool,
        window: u16,
        receiver: &Adapter,
        early: Option<Box<Early>>,
        reorder_timer: TimerId,
    ) -> Self {
        Self {
            peer,
            link,
            links: 1,
            number,
            category: if qos { Category::of_tid(number) } else { Category::BestEffort },
            overhead: if qos { frame_size::DATA_OVERHEAD } else { frame_size::PLAIN_DATA_OVERHEAD },
            unreserved: 0,
            window: SendWindow::new(window),
            reorder: Reorder::new(receiver.reorder_timeout, window),
            early,
            reorder_timer,
            reorder_due: None,
            held_since: Time::ZERO,
            queued: LinkSet::default(),
            offered: false,
            parked: VecDeque::new(),
        }
    }

    /// Whether it goes over several links.
    #[inline]
    pub(crate) fn is_over_several(&self) -> bool {
        self.links > 1
    }

    /// The link that it goes over from this radio.
    #[inline]
    pub(crate) fn link_from(
        &self,
        radio: RadioId,
        peers: &IndexVec<PeerId, Peer>,
        links: &IndexVec<LinkId, Link>,
    ) -> LinkId {
        if self.is_over_several() { peers[self.peer].link_from(radio, links) } else { self.link }
    }

    /// Whether the receiver's hardware has reported damaged MPDUs.
    pub(crate) fn has_reports(&self) -> bool {
        self.early.as_ref().is_some_and(|early| early.hardware.has_reports())
    }

    /// No CTS answered the RTS for the frame under way: whether there are attempts left (802.11-2020 10.3.4.4). A frame
    /// has been tried only when it was sent itself.
    pub(crate) fn reserves_again(&mut self, adapter: &Adapter) -> bool {
        self.unreserved += 1;
        self.unreserved < adapter.retries.short_limit
    }

    /// Times that each MPDU of `batch` may be sent again over `link`.
    pub(crate) fn retry_limit(&self, link: &Link, batch: &Batch, adapter: &Adapter) -> u32 {
        if !link.stop_and_wait {
            return link
                .smoothed_rate
                .and_then(|rate| rate.retry_out_index())
                .unwrap_or(adapter.retries.limit);
        }
        let long =
            adapter.rts_threshold.is_some_and(|most| batch.psdu(link.rates[link.preferred].rate) > most);
        let attempts = if long { adapter.retries.long_limit } else { adapter.retries.short_limit };
        if self.unreserved < adapter.retries.short_limit { attempts - 1 } else { 0 }
    }

    /// The remaining room in its next PPDU over `link`: what is allowed at every rate of the chain, within the window. The
    /// first MPDU always fits. Behind one that tries a rate there is none: it is left for the next PPDU, or goes alone (`ath_tx_form_aggr()`).
    pub(crate) fn room(&self, link: &Link) -> Room {
        if self.window.ends_in_sample() {
            return Room::default();
        }
        let mut limits = self.limits(link, &link.control.choose(None));
        if self.is_over_several() {
            // A PPDU for each link.
            let links = u32::from(self.links);
            (limits.mpdus, limits.bytes) = (limits.mpdus * links, limits.bytes.saturating_mul(links));
        }
        let (waiting, used) = self.window.waiting();
        let numbers = u32::from(self.window.size()).checked_sub(self.window.span());
        // One frame beyond is what did not join the last A-MSDU.
        let (Some(numbers), Some(mpdus)) = (numbers, limits.mpdus.checked_sub(waiting)) else {
            return Room::default();
        };
        let left = limits.bytes.saturating_sub(used).max(u32::from(waiting == 0));
        let room = Room::new(mpdus.min(numbers), left, self.overhead);
        if link.amsdu.joins() {
            room.joining(link.amsdu_now(self.category), self.window.open())
        } else {
            room
        }
    }

    /// The next MPDUs to travel together and the rates for them, unless the receiver dozes or no MPDU may be sent.
    pub(crate) fn next_batch(&mut self, link: &mut Link) -> Option<(Batch, Chain)> {
        if link.withholds(self.category) {
            return None;
        }
        let first = self.window.ready()?;
        let chain = link.choose(self.window.sample(first));
        let batch = self.window.select(first, &self.limits(link, &chain));
        if link.is_polled() {
            link.service = Service::None;
        }
        Some((batch, chain))
    }

    /// The limits of its next A-MPDU over `link` at these rates.
    fn limits(&self, link: &Link, chain: &Chain) -> Limits {
        let limits = link.limits_of_next(chain, self.category);
        if link.is_polled() { Limits { mpdus: 1, ..limits } } else { limits }
    }

    /// Whether frames wait behind those of `batch`.
    pub(crate) fn has_beyond(&self, batch: &Batch) -> bool {
        self.offered || !self.parked.is_empty() || self.window.len() > batch.len()
    }

    /// Whether its transmitter keeps frames, if the receiver dozes.
    pub(crate) fn has_frames(&self) -> bool {
        self.offered || !(self.parked.is_empty() && self.window.is_empty())
    }

    /// Whether the driver is to pull for it before its next PPDU over `link` is formed.
    pub(crate) fn wants_more(&self, link: &Link) -> bool {
        self.offered && !link.withholds(self.category) && !self.room(link).is_used_up()
    }
}
