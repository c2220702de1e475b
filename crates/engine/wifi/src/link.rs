//! One direction between two radios: its rates and losses, and whether its receiver is awake.

use crate::adapter::Adapter;
use crate::aggregate::{Batch, Limits};
use crate::amsdu::{Amsdu, Open};
use crate::category::{Category, PerCategory};
use crate::control_frames::{ControlFrame, ControlFrames, Sent};
use crate::frame_size;
use crate::id::{LinkId, PathId, PeerId, RadioId, RateId, TimerId};
use crate::phy::Phy;
use crate::power_save::Service;
use crate::rate_control::{self, Chain, MOST_TRIES, RateControl};
use crate::reordering::smoothed_rate::SmoothedRate;
use airloom_propagation::{Curve, Path};
use airloom_rate::{Rate, Width};
use airloom_sim::{Duration, Handle, IndexVec, Time};

/// PPDUs of firmware of which one may try a rate: Minstrel's share of frames that do (`lookaround_rate` 10 % of Linux 2.6.28, net/mac80211/rc80211_minstrel.c).
const PPDUS_FOR_SAMPLE: u32 = 10;

/// One direction between two radios.
pub(crate) struct Link {
    /// The transmitting radio.
    pub(crate) from: RadioId,
    /// The receiving radio.
    pub(crate) to: RadioId,
    /// The link the other way.
    pub(crate) reverse: LinkId,
    /// What the devices of the two radios are to each other.
    pub(crate) peer: PeerId,
    /// Its place among the links of that.
    pub(crate) number: u8,
    /// MPDUs that a PPDU may take of a window that is for several links; as many as there are of one for it alone.
    pub(crate) share: u32,
    /// The path between them.
    pub(crate) path: PathId,
    /// Data rates to choose from, with what follows from each.
    pub(crate) rates: IndexVec<RateId, LinkRate>,
    /// The control frames beside them.
    pub(crate) frames: ControlFrames,
    /// The rate control.
    pub(crate) control: Box<dyn RateControl>,
    /// The timer of its changes, if it makes any by itself.
    pub(crate) control_timer: Option<TimerId>,
    /// The rate that is now preferred.
    pub(crate) preferred: RateId,
    /// Bounds on its A-MSDUs, whatever their rate.
    pub(crate) amsdu: Amsdu,
    /// MPDUs are acknowledged one by one, each before the next is sent: no rate aggregates.
    pub(crate) stop_and_wait: bool,
    /// What firmware tries, if that forms the PPDUs and chooses their rates. Otherwise the driver marks packets that are to try a rate.
    pub(crate) firmware: Option<Trying>,
    /// How fast MPDUs go, for a transmitter that retries less on slow links.
    pub(crate) smoothed_rate: Option<SmoothedRate>,
    /// MPDUs in the window of an agreement, at its rates.
    pub(crate) window: u16,
    /// The transmitter believes that the receiver dozes, or that it is gone.
    pub(crate) dozing: bool,
    /// The receiver is at no access point of this transmitter, as far as that knows.
    pub(crate) gone: bool,
    /// What it may send meanwhile.
    pub(crate) service: Service,
    /// The receiver's voice category is delivery-enabled.
    pub(crate) uapsd: bool,
    /// More waited for a receiver that dozes as the last PPDU went to it.
    pub(crate) more: bool,
    /// What its receiver has not acknowledged, if its transmitter gives up on one that acknowledges nothing.
    pub(crate) unacknowledged: Option<Unacknowledged>,
    /// When its transmitter ends the association of a receiver that is silent, if it does.
    pub(crate) inactivity: Option<Inactivity>,
    /// When its transmitter had anything of its receiver for the last time, a frame to itself or an acknowledgment; known where stations roam.
    pub(crate) heard: Time,
}

/// Some of the links between two devices, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkSet(u16);

impl LinkSet {
    /// Takes in the link of this number; whether it was not in it.
    pub(crate) fn insert(&mut self, number: u8) -> bool {
        let before = self.0;
        self.0 |= 1 << number;
        self.0 != before
    }

    /// The link of this number is in it from now on, or not.
    pub(crate) fn put(&mut self, number: u8, is_in: bool) {
        self.0 = self.0 & !(1 << number) | u16::from(is_in) << number;
    }
}

/// What firmware tries that forms PPDUs itself. None of today is published: here it tries what mac80211 would, but with one PPDU of
/// [`PPDUS_FOR_SAMPLE`] at most. Marks of packets are made for a driver that forms PPDUs later, and one for each packet of a call would make each
/// of these a PPDU of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trying {
    /// PPDUs since the last that tried a rate.
    ppdus: u32,
    /// The rate to try next.
    next: Option<RateId>,
}

impl Trying {
    /// The rate that the next PPDU is to try, if any.
    fn with_next_ppdu(&mut self) -> Option<RateId> {
        self.ppdus += 1;
        let sample = if self.ppdus < PPDUS_FOR_SAMPLE { None } else { self.next.take() };
        if sample.is_some() {
            self.ppdus = 0;
        }
        sample
    }
}

/// What a receiver has not acknowledged since it last acknowledged anything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unacknowledged {
    /// PPDUs that hardware and driver have given up.
    pub(crate) ppdus: u32,
    /// When it acknowledged something.
    pub(crate) since: Time,
}

/// How an access point looks after a station that may have fallen silent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inactivity {
    /// For how long that may be silent.
    pub(crate) most: Duration,
    /// The next look.
    pub(crate) timer: TimerId,
    /// When it was asked whether it is still there, if it has not been heard since.
    pub(crate) polled: Option<Time>,
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
    /// Its user priority, 0 to 7, which is the TID of its frames.
    pub tid: u8,
}

/// The remaining room in a PPDU that a driver forms; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    mpdus: u32,
    bytes: u32,
    /// Bytes of an MPDU beyond its packet.
    overhead: u32,
    /// Bounds on A-MSDUs, and the last MPDU that packets may join, if there are any.
    amsdu: Option<(Amsdu, Option<Open>)>,
}

impl Room {
    /// Room for a packet of any length.
    pub(crate) const ONE: Self = Self { mpdus: 1, bytes: u32::MAX, overhead: 0, amsdu: None };

    /// Room for so many MPDUs and bytes, of which each MPDU takes `overhead`.
    pub(crate) const fn new(mpdus: u32, bytes: u32, overhead: u32) -> Self {
        Self { mpdus, bytes, overhead, amsdu: None }
    }

    /// The same where packets are joined within `limits`, first to `last`.
    pub(crate) const fn joining(self, limits: Amsdu, last: Option<Open>) -> Self {
        Self { amsdu: Some((limits, last)), ..self }
    }

    /// Whether there is no more room.
    pub fn is_used_up(&self) -> bool {
        let joins = |(limits, last): (Amsdu, Option<Open>)| last.is_some_and(|open| limits.has_room(open));
        self.bytes == 0 || self.mpdus == 0 && !self.amsdu.is_some_and(joins)
    }

    /// A packet of `bytes` goes in; the last may be longer than what was left, and then waits for the next PPDU.
    pub fn use_up(&mut self, bytes: u32) {
        if let Some((limits, last)) = &mut self.amsdu {
            let before = last.map_or(0, |open| open.mpdu);
            if let Some(grown) = last.and_then(|open| limits.join(open, bytes)) {
                *last = Some(grown);
                self.bytes = self.bytes.saturating_sub(grown.mpdu - before);
                return;
            }
            *last = Some(Open { mpdu: bytes + self.overhead, packets: 1 });
        }
        self.mpdus = self.mpdus.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes + self.overhead);
    }
}

/// A rate on a link.
pub(crate) struct LinkRate {
    /// The rate.
    pub(crate) rate: Rate,
    /// Bounds on its A-MPDUs.
    pub(crate) limits: PerCategory<Limits>,
    /// How its MPDUs fare.
    pub(crate) survival: Curve,
    /// An RTS before it,
    pub(crate) rts: ControlFrame,
    /// and the CTS that answers that.
    pub(crate) cts: ControlFrame,
    /// A BlockAck request while it is the preferred rate, a frame by itself in the primary 20 MHz,
    pub(crate) request: ControlFrame,
    /// and the BlockAck that answers that.
    pub(crate) requested: ControlFrame,
    /// The response to it.
    pub(crate) response: ControlFrame,
    /// Air time of the receiver's Ack.
    pub(crate) ack: Duration,
    /// Air time of its BlockAck.
    pub(crate) block_ack: Duration,
}

/// What all rates of a link have in common.
pub(crate) struct Between<'a> {
    pub(crate) phy: &'a Phy,
    pub(crate) sender: &'a Adapter,
    pub(crate) receiver: &'a Adapter,
    pub(crate) path: &'a Path,
    /// The width of the channel.
    pub(crate) channel: Width,
    /// It leads to the access point.
    pub(crate) upward: bool,
    /// How long each category of the sender keeps the medium.
    pub(crate) txops: PerCategory<Duration>,
    /// MPDUs in the window of an agreement.
    pub(crate) window: u16,
}

impl Between<'_> {
    /// What follows from a rate.
    fn rate(&self, rate: Rate, frames: &mut ControlFrames) -> LinkRate {
        let &Self { phy, sender, receiver, path, channel, window, .. } = self;
        let [there, back] = [(self.upward, sender), (!self.upward, receiver)].map(|(upward, by)| Sent {
            snr_db: path.mean_db(upward),
            channel,
            evm_db: by.evm_db,
        });
        let (width, least) = (rate.width(), Width::Mhz20);
        let asks = phy.request_rate(sender, rate);
        let answer = |rate| phy.control_rate(receiver, rate);
        LinkRate {
            rate,
            limits: limits(phy, (sender, receiver), self.txops, rate, window),
            survival: Curve::new(rate, (there.snr_in(width), path.fading_db), sender.evm_db, rate.streams()),
            rts: frames.of(asks, width, false, &there),
            cts: frames.of(answer(asks), width, true, &back),
            request: frames.of(asks, least, false, &there),
            requested: frames.of(answer(asks), least, true, &back),
            response: frames.of(answer(rate), width, true, &back),
            ack: phy.ppdu(answer(rate), frame_size::ACK_BYTES),
            block_ack: phy.ppdu(answer(rate), frame_size::block_ack_bytes(window)),
        }
    }
}

impl Link {
    /// The number of the first link of a peer, which most have alone.
    pub(crate) const FIRST: u8 = 0;

    /// A link at one of `rates` over this path in a channel of this width, to the access point if it leads `upward`; one of a pair
    /// with `reverse`.
    pub(crate) fn new(
        (from, to): (RadioId, RadioId),
        (reverse, peer): (LinkId, PeerId),
        (id, path, channel, upward): (PathId, &Path, Width, bool),
        (rates, control): (&[Rate], Box<dyn RateControl>),
        phy: &Phy,
        (sender, receiver): (&Adapter, &Adapter),
        txops: PerCategory<Duration>,
    ) -> Self {
        let stop_and_wait = !rates.iter().any(|rate| rate.aggregates());
        let largest = rates.iter().filter_map(|rate| rate.largest_aggregate()).map(|(mpdus, _)| mpdus).max();
        let window = sender.aggregation.block_ack_window.min(receiver.aggregation.block_ack_window);
        let window = largest.map_or(window, |mpdus| window.min(mpdus as u16));
        let mut frames = ControlFrames::default();
        let between = Between { phy, sender, receiver, path, channel, upward, txops, window };
        let rates: IndexVec<RateId, LinkRate> =
            rates.iter().map(|&rate| between.rate(rate, &mut frames)).collect();
        let qos = sender.qos && receiver.qos;
        let packets = if stop_and_wait || !qos { 1 } else { sender.aggregation.amsdu_packets };
        let amsdu = Amsdu {
            packets,
            mpdu: longest_mpdu(
                phy,
                &rates,
                sender.aggregation.mpdu_bytes.min(receiver.aggregation.mpdu_bytes),
            ),
        };
        Self {
            from,
            to,
            reverse,
            peer,
            number: Self::FIRST,
            share: u32::MAX,
            path: id,
            rates,
            frames,
            control_timer: None,
            preferred: control.preferred(),
            control,
            amsdu,
            stop_and_wait,
            firmware: sender.pull.and_then(|pull| pull.ahead).map(|_| Trying::default()),
            smoothed_rate: sender.retries.limit_by_rate.then(SmoothedRate::default),
            window,
            dozing: false,
            gone: false,
            service: Service::None,
            uapsd: false,
            more: false,
            unacknowledged: None,
            inactivity: None,
            heard: Time::ZERO,
        }
    }

    /// Whether its receiver stands for a group: it is the transmitter itself.
    #[inline]
    pub(crate) fn is_to_group(&self) -> bool {
        self.to == self.from
    }

    /// Whether frames of a category wait, since the receiver dozes.
    #[inline]
    pub(crate) fn withholds(&self, category: Category) -> bool {
        self.dozing && !self.serves(category)
    }

    /// Whether frames of a category may go to a receiver that dozes.
    #[cold]
    pub(crate) fn serves(&self, category: Category) -> bool {
        match self.service {
            Service::None => false,
            Service::Poll => !self.delivers(category),
            Service::Period => self.delivers(category),
            Service::Dtim => true,
        }
    }

    /// Whether frames of a category are for service periods alone: no beacon indicates them (802.11-2020 11.2.3.5).
    pub(crate) fn delivers(&self, category: Category) -> bool {
        self.uapsd && category == Category::Voice
    }

    /// Whether the receiver dozes and has asked for one MPDU.
    #[inline]
    pub(crate) fn is_polled(&self) -> bool {
        self.dozing && self.service == Service::Poll
    }

    /// It has one rate alone from now on, which aggregates if those before did.
    pub(crate) fn keep_to(&mut self, rate: Rate, between: &Between<'_>) {
        let known = self.rates.position(|known| known.rate == rate);
        let id = known.unwrap_or_else(|| self.rates.push(between.rate(rate, &mut self.frames)));
        self.control = rate_control::kept(id);
    }

    /// Its transmitter keeps the medium for other times from now on.
    pub(crate) fn bound(&mut self, &Between { phy, sender, receiver, txops, window, .. }: &Between<'_>) {
        for of in &mut self.rates {
            of.limits = limits(phy, (sender, receiver), txops, of.rate, window);
        }
    }

    /// Its path is so many dB better from now on, or worse: there, and back.
    pub(crate) fn shift(&mut self, [there, back]: [f64; 2]) {
        for rate in &mut self.rates {
            rate.survival.shift(there);
        }
        self.frames.shift([there, back]);
    }

    /// Bounds on an A-MSDU of a category now: what its rate control allows, and what an A-MPDU at the preferred rate may hold.
    pub(crate) fn amsdu_now(&self, category: Category) -> Amsdu {
        let longest =
            self.rates[self.preferred].limits[category].bytes.saturating_sub(frame_size::DELIMITER_BYTES);
        self.amsdu.within(longest.min(self.control.longest_amsdu().unwrap_or(u32::MAX)))
    }

    /// Whether hardware sends the rest of `batch` once more after this many unanswered attempts, rather than handing it
    /// back.
    pub(crate) fn goes_on(&self, batch: &Batch, chain: &Chain, attempts: u32, adapter: &Adapter) -> bool {
        let most = match chain.attempts() {
            u32::MAX if !adapter.retries.counts_hardware => MOST_TRIES,
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
            && !adapter.retries.counts_hardware
            && self.goes_on(batch, chain, attempts, adapter)
    }

    /// The rate that a packet must try which is handed down now.
    pub(crate) fn sample(&mut self, now: Time) -> Option<RateId> {
        let Some(firmware) = &mut self.firmware else { return self.control.sample(now) };
        firmware.next = firmware.next.or_else(|| self.control.sample(now));
        None
    }

    /// The rates of the next PPDU, whose first packet must try `marked`.
    pub(crate) fn choose(&mut self, marked: Option<RateId>) -> Chain {
        let sample = self.firmware.as_mut().map_or(marked, Trying::with_next_ppdu);
        self.control.choose(sample)
    }

    /// The limits of an A-MPDU that may be sent at any rate of `chain`: the spacing of the fastest, the length of the
    /// slowest (ath9k `ath_lookup_rate`). A sample travels alone.
    pub(crate) fn limits(&self, chain: &Chain, category: Category) -> Limits {
        let all = chain.rates().map(|rate| self.rates[rate].limits[category]);
        let bound = all.reduce(|a, b| Limits {
            mpdus: a.mpdus.min(b.mpdus),
            bytes: a.bytes.min(b.bytes),
            spacing: a.spacing.max(b.spacing),
        });
        let limits = bound.expect("a chain has rates");
        if chain.sample { Limits { mpdus: 1, ..limits } } else { limits }
    }

    /// The same of the next one to be formed, which takes no more of the window than the link's share.
    pub(crate) fn limits_of_next(&self, chain: &Chain, category: Category) -> Limits {
        let limits = self.limits(chain, category);
        Limits { mpdus: limits.mpdus.min(self.share), ..limits }
    }
}

/// The longest MPDU with an A-MSDU at these rates between adapters that have MPDUs of `bytes` (802.11-2020 table 9-34, 802.11ax-2021 table
/// 9-34): in HT, and in HE at 2.4 GHz, where there is no VHT, the A-MSDU is bounded by what is announced for HT, and HT bounds MPDUs of an
/// A-MPDU too.
fn longest_mpdu(phy: &Phy, rates: &IndexVec<RateId, LinkRate>, bytes: u32) -> u32 {
    let is_ht = !rates.iter().any(|of| of.rate.delimits_one());
    if !is_ht && phy.extension == Duration::ZERO {
        return bytes;
    }
    let around = frame_size::DATA_OVERHEAD - 8;
    let amsdu = (bytes - Amsdu::HT_MARGIN).min(Amsdu::HT_LONGEST);
    if is_ht { (amsdu + around).min(Amsdu::HT_MPDU) } else { amsdu + around }
}

/// Bounds on the A-MPDUs of each category at `rate`. One that keeps the medium for a time sends no A-MPDU that would last
/// longer with its response and with what protects it (802.11-2020 10.23.2.9).
fn limits(
    phy: &Phy,
    (sender, receiver): (&Adapter, &Adapter),
    txops: PerCategory<Duration>,
    rate: Rate,
    window: u16,
) -> PerCategory<Limits> {
    let (mpdus, bytes) = rate.largest_aggregate().unwrap_or((1, u32::MAX));
    let received = receiver.aggregation.ampdu_receive_bytes.unwrap_or(u32::MAX);
    let mpdus = sender.aggregation.ampdu_mpdus.min(mpdus);
    let bytes = sender.aggregation.ampdu_bytes.min(bytes).min(received);
    let (duration, spacing) = (sender.aggregation.ampdu_duration, receiver.aggregation.ampdu_spacing);
    let plain = Limits::new(rate, mpdus, bytes, duration, spacing);
    let long = phy.frame_protection(rate, phy.request_rate(sender, rate), sender.rts_threshold.is_some());
    let answer = phy.ppdu(phy.control_rate(receiver, rate), frame_size::block_ack_bytes(window));
    let around = phy.reservation(long) + phy.sifs + answer;
    PerCategory::from_fn(|category| match txops[category] {
        Duration::ZERO => plain,
        txop => plain.within(txop.saturating_sub(around), |bytes| phy.ppdu(rate, bytes)),
    })
}
