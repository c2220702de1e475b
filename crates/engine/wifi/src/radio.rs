//! A radio of a device: its adapter, its transmit queues, what it is doing.

use crate::aql::Aql;
use crate::category::{Category, Edca, PerCategory};
use crate::contender::{Claim, Contender};
use crate::dscp::DscpMap;
use crate::frame_size;
use crate::id::{BssId, ChannelId, DeviceId, LinkId, MediumId, TidId, TimerId};
use crate::job::Job;
use crate::power_save::Saving;
use crate::rate_control::Ladder;
use crate::reorder::SEQ_MODULO;
use crate::reordering::Reordering;
use crate::scan::{Procedure, Scanner};
use airloom_observe::{FrameKind, NodeId};
use airloom_policy::Policy;
use airloom_rate::Rate;
use airloom_sim::{Duration, Stream, Time};

/// The capabilities and limits of an adapter and its driver.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    /// MPDUs in one A-MPDU at most.
    pub ampdu_mpdus: u32,
    /// Bytes in one A-MPDU at most.
    pub ampdu_bytes: u32,
    /// Air time of one A-MPDU at most.
    pub ampdu_duration: Duration,
    /// Least time between the starts of two MPDUs that its receiver needs.
    pub ampdu_spacing: Duration,
    /// Packets in an A-MSDU at most; one for no A-MSDUs.
    pub amsdu_packets: u32,
    /// Bytes of an MPDU with an A-MSDU at most, either way: 3,895, 7,991 or 11,454 (maximum MPDU length, 802.11-2020 9.4.2.157.2); in HT an
    /// A-MSDU is at most 56 bytes shorter than that.
    pub mpdu_bytes: u32,
    /// MPDUs in the window of a BlockAck agreement at most, either way: [`HT_WINDOW`](crate::reorder::HT_WINDOW) or what
    /// later amendments allow. An agreement is as large as the smaller one of its two ends.
    pub block_ack_window: u16,
    /// PPDUs that the hardware holds, the one on the air included.
    pub hardware_queue: usize,
    /// Frames in driver and hardware beyond which the queue above is stopped.
    pub driver_limit: u32,
    /// Times an MPDU of an A-MPDU is sent again before it is given up.
    pub retry_limit: u32,
    /// An attempt that hardware repeats by itself, since nothing answered, is such a time too; otherwise all that hardware
    /// does before it hands a PPDU back is one.
    pub counts_hardware_retries: bool,
    /// An MPDU of an aggregate is sent again less often on a slow link
    /// ([`retry_out_index`](crate::reordering::smoothed_rate::SmoothedRate::retry_out_index)), so that TCP sees losses there.
    pub retry_limit_by_rate: bool,
    /// Attempts at a frame that travels alone and is not longer than the RTS threshold, or at an RTS, before the frame is
    /// given up (dot11ShortRetryLimit).
    pub short_retry_limit: u32,
    /// Attempts at a longer frame that travels alone (dot11LongRetryLimit).
    pub long_retry_limit: u32,
    /// It sends QoS data to radios that do so too; aggregation requires it.
    pub qos: bool,
    /// How long the receive side waits for a missing MPDU at most.
    pub reorder_timeout: Duration,
    /// When it gives up on a missing MPDU.
    pub reordering: Reordering,
    /// PSDU length in bytes above which RTS/CTS precedes data.
    pub rts_threshold: Option<u32>,
    /// How the user priority of a packet follows from its DSCP.
    pub dscp_map: DscpMap,
    /// How each category of data contends; without QoS all data contends as best effort.
    pub edca: Edca,
    /// Rate of all control frames and of null frames; if none, control frames follow the basic rates, and null frames
    /// have the rate of beacons.
    pub control_rate: Option<Rate>,
    /// Rate of beacons.
    pub beacon_rate: Rate,
    /// When a rate control in its firmware changes the rate.
    pub firmware: Ladder,
    /// Error vector magnitude of the transmitter, in dB (negative).
    pub evm_db: f64,
    /// How null frames are sent.
    pub null: NullFrames,
    /// Its driver pulls packets as it forms PPDUs; if none, they are pushed down to it as long as it has room.
    pub pull: Option<Pull>,
}

/// How a driver that pulls shares the medium among receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    /// Air time of each in a round; if none, one PPDU each.
    pub share: Option<Duration>,
    /// It pulls for firmware that forms PPDUs; if none, it forms them itself and pulls what each has room for.
    pub ahead: Option<Ahead>,
}

/// How a driver pulls packets before PPDUs are formed of them: up to its limit, or to what airtime queue limits let it hold. Its firmware
/// sends a PPDU to each receiver in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// It pulls as PPDUs are reported too; otherwise only as packets come from above.
    pub on_report: bool,
    /// Airtime queue limits, if the driver asks for them.
    pub aql: Option<Aql>,
    /// How late reports of packets come; if none, each comes as the exchange ends.
    pub reports: Option<Reports>,
}

/// How late the reports of firmware reach its driver: by an interrupt that waits for several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    /// An interrupt comes as soon as so many packets are reported,
    pub packets: u32,
    /// or this long after the first of them.
    pub delay: Duration,
}

impl Adapter {
    /// The air time of each receiver in a round of PPDUs, if it is the driver that forms them and receivers share air time.
    pub(crate) fn share_of_ppdus(&self) -> Option<Duration> {
        self.pull.filter(|pull| pull.ahead.is_none())?.share
    }

    /// The rate of null frames.
    pub(crate) fn null_rate(&self) -> Rate {
        self.control_rate.unwrap_or(self.beacon_rate)
    }
}

/// How an adapter sends the null frames that announce that it leaves or is back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullFrames {
    /// Attempts before it gives up.
    pub attempts: u32,
    /// Attempts after which RTS/CTS precedes the frame.
    pub rts_after: u32,
    /// For this long after the first attempt no acknowledgment is heard when the radio is about to leave.
    pub deaf_before_leaving: Duration,
    /// The same when it has just come back.
    pub deaf_after_return: Duration,
}

impl NullFrames {
    /// Sent as any other frame.
    pub const PLAIN: Self = Self {
        attempts: 7,
        rts_after: 255,
        deaf_before_leaving: Duration::ZERO,
        deaf_after_return: Duration::ZERO,
    };
}

/// Which of a radio's transmit queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// Beacons.
    Beacon,
    /// Null frames, at the parameters of the voice category.
    Control,
    /// Data and BlockAck requests of a category.
    Data(Category),
}

impl Function {
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

/// What a frame without data says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A station's null frame with its power-management bit: true as it goes to sleep.
    Sleep(bool),
    /// A station's PS-Poll: it wants one MPDU.
    Poll,
    /// An access point's QoS null frame: nothing waits, and the service period is over.
    EndOfPeriod,
}

impl Notice {
    /// Bytes of the frame.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Sleep(_) => frame_size::NULL_BYTES,
            Self::Poll => frame_size::PS_POLL_BYTES,
            Self::EndOfPeriod => frame_size::QOS_NULL_BYTES,
        }
    }

    /// What is observed of it.
    pub(crate) fn kind(self) -> FrameKind {
        match self {
            Self::Sleep(sleep) => FrameKind::Null { sleep },
            Self::Poll => FrameKind::PsPoll,
            Self::EndOfPeriod => FrameKind::EndOfPeriod,
        }
    }
}

/// A frame without data being sent: a null frame, or a PS-Poll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Null {
    /// What it says.
    pub(crate) notice: Notice,
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
}

/// A station's scanning.
pub(crate) struct Scanning {
    /// The connection manager, which requests scans.
    pub(crate) scanner: Scanner,
    /// The remedy, which decides, if there is one.
    pub(crate) remedy: Option<Policy>,
    /// The procedure, which carries scans out.
    pub(crate) procedure: Procedure,
}

/// A radio.
pub(crate) struct Radio {
    /// The device that it belongs to.
    pub(crate) device: DeviceId,
    /// The node of that.
    pub(crate) node: NodeId,
    /// Its network.
    pub(crate) bss: BssId,
    /// The channel of its network.
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
    /// The claim of its beacons.
    pub(crate) beacon_claim: Claim,
    /// The claim of its null frames.
    pub(crate) control_claim: Claim,
    /// Its data by category.
    pub(crate) contenders: PerCategory<Contender>,
    /// The link to its access point; none of an access point itself.
    pub(crate) uplink: Option<LinkId>,
    /// Links on which it transmits.
    pub(crate) links: Vec<LinkId>,
    /// The frame without data that it is sending.
    pub(crate) null: Option<Null>,
    /// Links whose service periods it is to end with a null frame each, after that one.
    pub(crate) ends: Vec<LinkId>,
    /// Sequence number of the next frame that is neither data nor control: null frames and beacons count apart from the
    /// data of a BlockAck agreement (802.11-2020 10.3.2.14.2).
    pub(crate) next_seq: u16,
    /// A beacon is due.
    pub(crate) beacon_due: bool,
    /// Scanning, for a station that does.
    pub(crate) scanning: Option<Scanning>,
    /// Power save, for a station that does.
    pub(crate) saving: Option<Saving>,
}

impl Radio {
    /// Whether it is tuned to the channel of its network.
    #[inline]
    pub(crate) fn is_home(&self) -> bool {
        self.tuned == Some(self.channel)
    }

    /// The claim of `function`.
    #[inline]
    pub(crate) fn claim(&mut self, function: Function) -> &mut Claim {
        match function {
            Function::Beacon => &mut self.beacon_claim,
            Function::Control => &mut self.control_claim,
            Function::Data(category) => &mut self.contenders[category].claim,
        }
    }

    /// The PPDU that `function` has ready, if it sends data.
    #[inline]
    pub(crate) fn job(&self, function: Function) -> Option<&Job> {
        match function {
            Function::Data(category) => self.contenders[category].hardware.front(),
            Function::Beacon | Function::Control => None,
        }
    }

    /// The place of `function` among those that win at once: the lowest transmits (802.11-2020 10.23.2.4). Null frames go
    /// with voice, or with the data where there is no QoS.
    pub(crate) fn rank(&self, function: Function) -> usize {
        match function {
            Function::Beacon => 0,
            Function::Control if self.adapter.qos => 1 + Category::Voice.index(),
            Function::Control => 1 + Category::BestEffort.index(),
            Function::Data(category) => 1 + category.index(),
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
        self.contenders[category].hardware.len() < self.adapter.hardware_queue
    }

    /// Whether `function` has a frame to send.
    pub(crate) fn has_frame(&self, function: Function) -> bool {
        match function {
            Function::Beacon => self.beacon_due,
            Function::Control => self.null.is_some(),
            Function::Data(category) => self.is_home() && !self.contenders[category].hardware.is_empty(),
        }
    }
}
