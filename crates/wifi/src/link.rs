//! One direction between two radios: its rate and losses, frames to be sent, frames received out of order.

use crate::aggregate::{Batch, Limits};
use crate::channel::{Channel, Curve};
use crate::error;
use crate::frame_size;
use crate::id::{ChannelId, LinkId, RadioId, RateId, TimerId};
use crate::phy::Phy;
use crate::radio::Adapter;
use crate::rate_control::{Chain, MOST_TRIES, RateControl};
use crate::reorder::Reorder;
use crate::reordering::Early;
use crate::reordering::smoothed_rate::SmoothedRate;
use crate::send_window::SendWindow;
use airloom_rate::Rate;
use airloom_sim::{Duration, Handle, IndexVec, Time};
use std::collections::VecDeque;

/// One direction between two radios.
pub(crate) struct Link {
    /// The transmitting radio.
    pub(crate) from: RadioId,
    /// The receiving radio.
    pub(crate) to: RadioId,
    /// The link the other way.
    pub(crate) reverse: LinkId,
    /// The channel between them.
    pub(crate) channel: ChannelId,
    /// Data rates to choose from, with what follows from each.
    pub(crate) rates: IndexVec<RateId, LinkRate>,
    /// The rate control.
    pub(crate) control: Box<dyn RateControl>,
    /// The timer of its changes, if it makes any by itself.
    pub(crate) control_timer: Option<TimerId>,
    /// The rate that is now preferred.
    pub(crate) preferred: RateId,
    /// Bytes of an MPDU beyond its packet.
    pub(crate) overhead: u32,
    /// MPDUs are acknowledged one by one, each before the next is sent: no rate aggregates.
    pub(crate) stop_and_wait: bool,
    /// Attempts to reserve the medium for the frame under way, if it travels alone, that no CTS answered.
    pub(crate) unreserved: u32,
    /// How fast MPDUs go, for a transmitter that retries less on slow links.
    pub(crate) smoothed_rate: Option<SmoothedRate>,
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
    /// It is in its transmitter's round.
    pub(crate) queued: bool,
    /// Packets wait for it above a driver that pulls.
    pub(crate) offered: bool,
    /// When it last had a frame on the air.
    pub(crate) active: Time,
    /// Nanoseconds of air time that it may still use, where air time is shared; may be negative.
    pub(crate) balance: i64,
    /// The transmitter believes that the receiver dozes.
    pub(crate) dozing: bool,
    /// Packets parked above the driver for a dozing receiver.
    pub(crate) parked: VecDeque<Payload>,
}

/// An IP packet as a driver sees it.
#[derive(Clone, Copy, Debug)]
pub struct Payload {
    /// The packet.
    pub packet: Handle,
    /// Its bytes.
    pub bytes: u32,
    /// Whether it carries TCP.
    pub tcp: bool,
}

/// The remaining room in a PPDU that a driver forms; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    mpdus: u32,
    bytes: u32,
    /// Bytes of an MPDU beyond its packet.
    overhead: u32,
}

impl Room {
    /// Whether there is no more room.
    pub fn is_used_up(&self) -> bool {
        self.mpdus == 0 || self.bytes == 0
    }

    /// A packet of `bytes` goes in; the last may be longer than what was left, and then waits for the next PPDU.
    pub fn use_up(&mut self, bytes: u32) {
        self.mpdus = self.mpdus.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes + self.overhead);
    }
}

/// A rate on a link.
pub(crate) struct LinkRate {
    /// The rate.
    pub(crate) rate: Rate,
    /// Bounds on its A-MPDUs.
    pub(crate) limits: Limits,
    /// How its MPDUs fare.
    pub(crate) survival: Curve,
    /// The rate of control frames that the transmitter sends along with it.
    pub(crate) control_rate: Rate,
    /// How those fare.
    pub(crate) control: Curve,
    /// The rate of responses to it.
    pub(crate) response_rate: Rate,
    /// Air time of the receiver's Ack.
    pub(crate) ack: Duration,
    /// Air time of its BlockAck.
    pub(crate) block_ack: Duration,
    /// How those fare on their way back.
    pub(crate) response: Curve,
}

impl Link {
    /// A link at one of `rates` over this channel, one of a pair with `reverse`.
    pub(crate) fn new(
        (from, to): (RadioId, RadioId),
        reverse: LinkId,
        (id, channel): (ChannelId, &Channel),
        (rates, control): (&[Rate], Box<dyn RateControl>),
        phy: &Phy,
        (sender, receiver): (&Adapter, &Adapter),
    ) -> Self {
        let Channel { snr_db, fading_db, .. } = *channel;
        let stop_and_wait = !rates.iter().any(|rate| rate.aggregates());
        let window = sender.block_ack_window.min(receiver.block_ack_window);
        let widest = rates.iter().map(|rate| rate.width()).max().expect("a link has rates");
        let snr = |rate: Rate| snr_db + error::narrowing_gain_db(widest, rate.width_in(widest));
        let rates = rates.iter().map(|&rate| LinkRate {
            rate,
            limits: Limits::new(
                rate,
                if rate.aggregates() { sender.ampdu_mpdus } else { 1 },
                sender.ampdu_bytes,
                sender.ampdu_duration,
                receiver.ampdu_spacing,
            ),
            survival: Curve::new(rate, (snr(rate), fading_db), sender.evm_db, rate.streams()),
            control_rate: phy.control_rate(sender, rate),
            control: Curve::new(phy.control_rate(sender, rate), (snr_db, 0.0), sender.evm_db, 1),
            response_rate: phy.control_rate(receiver, rate),
            ack: phy.ppdu(phy.control_rate(receiver, rate), frame_size::ACK_BYTES),
            block_ack: phy.ppdu(phy.control_rate(receiver, rate), frame_size::block_ack_bytes(window)),
            response: Curve::new(phy.control_rate(receiver, rate), (snr_db, 0.0), receiver.evm_db, 1),
        });
        Self {
            from,
            to,
            reverse,
            channel: id,
            rates: rates.collect(),
            control_timer: None,
            preferred: control.preferred(),
            control,
            overhead: if sender.qos && receiver.qos {
                frame_size::DATA_OVERHEAD
            } else {
                frame_size::PLAIN_DATA_OVERHEAD
            },
            stop_and_wait,
            unreserved: 0,
            smoothed_rate: sender.retry_limit_by_rate.then(SmoothedRate::default),
            window: SendWindow::new(window),
            reorder: Reorder::new(receiver.reorder_timeout, window),
            early: None,
            reorder_timer: TimerId(0),
            reorder_due: None,
            held_since: Time::ZERO,
            queued: false,
            offered: false,
            active: Time::ZERO,
            balance: 0,
            dozing: false,
            parked: VecDeque::new(),
        }
    }

    /// Whether the receiver's hardware has reported damaged MPDUs.
    pub(crate) fn has_reports(&self) -> bool {
        self.early.as_ref().is_some_and(|early| early.hardware.has_reports())
    }

    /// No CTS answered the RTS for the frame under way: whether there are attempts left (802.11-2020 10.3.4.4). A frame
    /// has been tried only when it was sent itself.
    pub(crate) fn reserves_again(&mut self, adapter: &Adapter) -> bool {
        self.unreserved += 1;
        self.unreserved < adapter.short_retry_limit
    }

    /// Times that each MPDU of `batch` may be sent again.
    pub(crate) fn retry_limit(&self, batch: &Batch, adapter: &Adapter) -> u32 {
        if !self.stop_and_wait {
            return self.smoothed_rate.and_then(|rate| rate.retry_out_index()).unwrap_or(adapter.retry_limit);
        }
        let long =
            adapter.rts_threshold.is_some_and(|most| batch.psdu(self.rates[self.preferred].rate) > most);
        let attempts = if long { adapter.long_retry_limit } else { adapter.short_retry_limit };
        if self.unreserved < adapter.short_retry_limit { attempts - 1 } else { 0 }
    }

    /// The remaining room in its next PPDU: what is allowed at every rate of the chain, within the window. The first
    /// MPDU always fits.
    pub(crate) fn room(&self) -> Room {
        let Limits { mpdus, bytes, .. } = self.limits(&self.control.choose(None));
        let (waiting, used) = self.window.waiting();
        let numbers = u32::from(self.window.size()).saturating_sub(self.window.span());
        let left = bytes.saturating_sub(used).max(u32::from(waiting == 0));
        Room { mpdus: mpdus.saturating_sub(waiting).min(numbers), bytes: left, overhead: self.overhead }
    }

    /// Whether its transmitter keeps frames for a receiver that dozes.
    pub(crate) fn is_kept(&self) -> bool {
        self.dozing && (self.offered || !(self.parked.is_empty() && self.window.is_empty()))
    }

    /// Whether its driver is to pull for it before the next PPDU is formed.
    pub(crate) fn wants_more(&self) -> bool {
        self.offered && !self.dozing && !self.room().is_used_up()
    }

    /// Whether hardware sends the rest of `batch` once more after this many unanswered attempts, rather than handing it
    /// back.
    pub(crate) fn goes_on(&self, batch: &Batch, chain: &Chain, attempts: u32, adapter: &Adapter) -> bool {
        let most = match chain.attempts() {
            u32::MAX if !adapter.counts_hardware_retries => MOST_TRIES,
            attempts => attempts,
        };
        !batch.is_empty() && (self.stop_and_wait || attempts < most)
    }

    /// Whether hardware hides the `attempts`-th unanswered attempt from its driver, since it makes another one.
    pub(crate) fn hides_attempt(
        &self,
        batch: &Batch,
        chain: &Chain,
        attempts: u32,
        adapter: &Adapter,
    ) -> bool {
        !self.stop_and_wait
            && !adapter.counts_hardware_retries
            && self.goes_on(batch, chain, attempts, adapter)
    }

    /// The next MPDUs to travel together and the rates for them, unless the receiver dozes or no MPDU may be sent.
    pub(crate) fn next_batch(&mut self) -> Option<(Batch, Chain)> {
        if self.dozing {
            return None;
        }
        let first = self.window.ready()?;
        let chain = self.control.choose(self.window.sample(first));
        let batch = self.window.select(first, &self.limits(&chain));
        Some((batch, chain))
    }

    /// The limits of an A-MPDU that may be sent at any rate of `chain`: the spacing of the fastest, the length of the
    /// slowest (ath9k `ath_lookup_rate`). A sample travels alone.
    pub(crate) fn limits(&self, chain: &Chain) -> Limits {
        let all = chain.rates().map(|rate| self.rates[rate].limits);
        let bound = all.reduce(|a, b| Limits {
            mpdus: a.mpdus.min(b.mpdus),
            bytes: a.bytes.min(b.bytes),
            spacing: a.spacing.max(b.spacing),
        });
        let limits = bound.expect("a chain has rates");
        if chain.sample { Limits { mpdus: 1, ..limits } } else { limits }
    }
}
