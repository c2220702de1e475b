//! A radio of a device: its transmit queues, what it is doing.

use crate::adapter::Adapter;
use crate::category::{Category, PerCategory};
use crate::contender::{Claim, Contender};
use crate::contention::ContenderId;
use crate::frame_size;
use crate::id::{BssId, ChannelId, DeviceId, LinkId, MediumId, TidId, TimerId};
use crate::power_save::Saving;
use crate::queued_ppdu::QueuedPpdu;
use crate::reorder::SEQ_MODULO;
use crate::scan::{Judge, Procedure, Scanner};
use airloom_observe::{FrameKind, JoiningFrame, NodeId};
use airloom_rate::Rate;
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

/// A channel access function of a radio: what contends for its turns by itself (EDCAF, 802.11-2020 10.23.2), with what it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessFunction {
    /// Beacons.
    Beacon,
    /// Null frames and PS-Polls, at the parameters of the voice category.
    Control,
    /// Data and BlockAck requests of a category.
    Data(Category),
}

impl AccessFunction {
    /// All of them, in the order of their contenders: best effort before the others.
    pub(crate) const ALL: [Self; 6] = [
        Self::Beacon,
        Self::Control,
        Self::Data(Category::BestEffort),
        Self::Data(Category::Voice),
        Self::Data(Category::Video),
        Self::Data(Category::Background),
    ];
}

/// A frame without a packet by which stations and access points agree: on power save, or on an association.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PowerFrame {
    /// A station's null frame with its power-management bit: true as it goes to sleep.
    Sleep(bool),
    /// A station's null frame that asks whether its access point is still there.
    Asks,
    /// An access point's null frame that asks whether a station is still there: a QoS null frame if both have QoS.
    AsksStation {
        /// Whether they have.
        qos: bool,
    },
    /// A station's PS-Poll: it wants one MPDU.
    Poll,
    /// An access point's QoS null frame: nothing waits, and the service period is over.
    EndOfPeriod,
    /// A frame of a station's way to an access point.
    Joining(JoiningFrame),
}

impl PowerFrame {
    /// Bytes of the frame.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Sleep(_) | Self::Asks | Self::AsksStation { qos: false } => frame_size::NULL_BYTES,
            Self::Poll => frame_size::PS_POLL_BYTES,
            Self::EndOfPeriod | Self::AsksStation { qos: true } => frame_size::QOS_NULL_BYTES,
            Self::Joining(frame) => frame_size::joining_bytes(frame),
        }
    }

    /// Whether noise may damage it or its acknowledgment, both at the lowest basic rate: a frame of an association, or the question of an
    /// access point whether a station is there. What is about power save gets through wherever it is heard.
    pub(crate) fn suffers_noise(self) -> bool {
        matches!(self, Self::Joining(_) | Self::AsksStation { .. })
    }

    /// What is observed of it.
    pub(crate) fn kind(self) -> FrameKind {
        match self {
            Self::Sleep(sleep) => FrameKind::Null { sleep },
            Self::Asks | Self::AsksStation { .. } => FrameKind::Null { sleep: false },
            Self::Poll => FrameKind::PsPoll,
            Self::EndOfPeriod => FrameKind::EndOfPeriod,
            Self::Joining(_) => FrameKind::Joining,
        }
    }
}

/// Such a frame that is being sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutgoingPowerFrame {
    /// Which it is.
    pub(crate) frame: PowerFrame,
    /// The link that it goes over.
    pub(crate) link: LinkId,
    /// The radio leaves the channel, or has just come back to it.
    pub(crate) travels: bool,
    /// Attempts made.
    pub(crate) attempts: u32,
    /// When the first was made.
    pub(crate) since: Time,
    /// Its sequence number.
    pub(crate) seq: u16,
    /// It was received.
    pub(crate) arrived: bool,
}

impl OutgoingPowerFrame {
    /// Its rate: of frames of associations the lowest basic one (mac80211 `rate_control_send_low`, `IEEE80211_TX_CTL_USE_MINRATE` of EAPOL).
    #[cold]
    #[inline(never)]
    pub(crate) fn rate(&self, adapter: &Adapter) -> Rate {
        if self.frame.suffers_noise() { adapter.beacon_rate } else { adapter.null_rate() }
    }

    /// Attempts that this adapter makes at it.
    pub(crate) fn most(&self, adapter: &Adapter) -> u32 {
        match self.frame {
            PowerFrame::Joining(JoiningFrame::Probe { answer: false }) => 1,
            frame if frame.suffers_noise() => adapter.retries.short_limit,
            _ => adapter.null.attempts,
        }
    }

    /// Whether RTS and CTS precede the attempt under way.
    #[cold]
    #[inline(never)]
    pub(crate) fn reserves(&self, adapter: &Adapter) -> bool {
        self.attempts > adapter.null.rts_after && !self.frame.suffers_noise()
    }
}

/// A station's scanning.
pub(crate) struct Scanning {
    /// The program that requests scans now and then, if there is one.
    pub(crate) scanner: Option<Scanner>,
    /// The remedy, which decides, if there is one.
    pub(crate) remedy: Option<Judge>,
    /// The procedure, which carries scans out.
    pub(crate) procedure: Procedure,
}

impl PowerFrames {
    /// Whether such a frame is being sent, or waits for that.
    pub(crate) fn has(&self, frame: PowerFrame) -> bool {
        self.outgoing.is_some_and(|one| one.frame == frame) || self.waiting.iter().any(|one| one.1 == frame)
    }
}

/// The beacons of a radio.
pub(crate) struct Beacons {
    /// Their claim.
    pub(crate) claim: Claim,
    /// One is due.
    pub(crate) due: bool,
}

/// A radio's frames without packets.
pub(crate) struct PowerFrames {
    /// Their claim.
    pub(crate) claim: Claim,
    /// The one that it is sending.
    pub(crate) outgoing: Option<OutgoingPowerFrame>,
    /// Links whose service periods it is to end with a null frame each, after that one.
    pub(crate) ends: Vec<LinkId>,
    /// Frames of associations that it is to send over these links, after those.
    pub(crate) waiting: VecDeque<(LinkId, PowerFrame)>,
}

/// What a radio is registered with on a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mooring {
    /// The channel.
    pub(crate) channel: ChannelId,
    /// The medium that it senses there.
    pub(crate) medium: MediumId,
    /// Its contenders on that, in the order of [`AccessFunction::ALL`].
    pub(crate) contenders: [ContenderId; AccessFunction::ALL.len()],
}

/// How a radio goes to another channel, of a network that does.
pub(crate) struct Retuning {
    /// All channels that it is ever on.
    pub(crate) moorings: Vec<Mooring>,
    /// When it goes to the next one.
    pub(crate) timer: TimerId,
    /// The one to which it goes then, if it is about to.
    pub(crate) to: Option<ChannelId>,
    /// How long a station that does not roam looks for its network once that is lost.
    pub(crate) search: Duration,
}

/// A radio.
pub(crate) struct Radio {
    /// The device that it belongs to.
    pub(crate) device: DeviceId,
    /// The node of that.
    pub(crate) node: NodeId,
    /// Its network.
    pub(crate) bss: BssId,
    /// The channel of its network, as far as it knows.
    pub(crate) channel: ChannelId,
    /// The channel that it is tuned to; none of those known here while it scans elsewhere.
    pub(crate) tuned: Option<ChannelId>,
    /// The medium that it senses while it is tuned to the channel of its network.
    pub(crate) medium: MediumId,
    /// Its capabilities.
    pub(crate) adapter: Adapter,
    /// Steps of its scan.
    pub(crate) scan_timer: TimerId,
    /// Requests for scans.
    pub(crate) request_timer: TimerId,
    /// Its backoffs.
    pub(crate) backoff: Stream,
    /// Draws the losses of its frames.
    pub(crate) losses: Stream,
    /// Its beacons.
    pub(crate) beacons: Beacons,
    /// Its frames without data.
    pub(crate) power_frames: PowerFrames,
    /// Its data by category.
    pub(crate) contenders: PerCategory<Contender>,
    /// The link to its access point; none of an access point itself.
    pub(crate) uplink: Option<LinkId>,
    /// Links on which it transmits.
    pub(crate) links: Vec<LinkId>,
    /// Sequence number of the next frame that is neither data nor control: null frames and beacons count apart from the
    /// data of a BlockAck agreement (802.11-2020 10.3.2.14.2).
    pub(crate) next_seq: u16,
    /// Scanning, for a station that does.
    pub(crate) scanning: Option<Scanning>,
    /// Power save, for a station that does.
    pub(crate) saving: Option<Saving>,
    /// How it goes to another channel, if its network ever does.
    pub(crate) retuning: Option<Box<Retuning>>,
}

impl Radio {
    /// Whether a scan of it is under way.
    pub(crate) fn scans(&self) -> bool {
        self.scanning.as_ref().is_some_and(|scanning| !scanning.procedure.is_idle())
    }

    /// Whether it is tuned to the channel of its network.
    #[inline]
    pub(crate) fn is_home(&self) -> bool {
        self.tuned == Some(self.channel)
    }

    /// The claim of `function`.
    #[inline]
    pub(crate) fn claim(&mut self, function: AccessFunction) -> &mut Claim {
        match function {
            AccessFunction::Beacon => &mut self.beacons.claim,
            AccessFunction::Control => &mut self.power_frames.claim,
            AccessFunction::Data(category) => &mut self.contenders[category].claim,
        }
    }

    /// The PPDU that `function` has ready, if it sends data.
    #[inline]
    pub(crate) fn queued(&self, function: AccessFunction) -> Option<&QueuedPpdu> {
        match function {
            AccessFunction::Data(category) => self.contenders[category].hardware.front(),
            AccessFunction::Beacon | AccessFunction::Control => None,
        }
    }

    /// The place of `function` among those that win at once: the lowest transmits (802.11-2020 10.23.2.4). Null frames go
    /// with voice, or with the data where there is no QoS.
    pub(crate) fn rank(&self, function: AccessFunction) -> usize {
        match function {
            AccessFunction::Beacon => 0,
            AccessFunction::Control if self.adapter.qos => 1 + Category::Voice.index(),
            AccessFunction::Control => 1 + Category::BestEffort.index(),
            AccessFunction::Data(category) => 1 + category.index(),
        }
    }

    /// Takes the next sequence number of null frames and beacons.
    pub(crate) fn take_seq(&mut self) -> u16 {
        let seq = self.next_seq;
        self.next_seq = (seq + 1) % SEQ_MODULO;
        seq
    }

    /// A TID joins those of its category whose PPDUs take turns: ahead of them where air time decides.
    pub(crate) fn join(&mut self, category: Category, tid: TidId) {
        let ready = &mut self.contenders[category].ready;
        if self.adapter.share_of_ppdus().is_some() { ready.push_front(tid) } else { ready.push_back(tid) }
    }

    /// Whether the hardware takes another PPDU of a category.
    pub(crate) fn has_room(&self, category: Category) -> bool {
        self.contenders[category].hardware.len() < self.adapter.depth.hardware_queue as usize
    }

    /// Whether `function` has a frame to send.
    pub(crate) fn has_frame(&self, function: AccessFunction) -> bool {
        match function {
            AccessFunction::Beacon => self.beacons.due,
            AccessFunction::Control => self.power_frames.outgoing.is_some(),
            AccessFunction::Data(category) => {
                self.is_home() && !self.contenders[category].hardware.is_empty()
            }
        }
    }
}
