//! A wireless adapter: what its hardware and its driver can do, in parts.

use crate::aql::Aql;
use crate::dscp::DscpMap;
use crate::rate_control::{Ladder, MinstrelHt};
use crate::reordering::Reordering;
use crate::turns::Turns;
use airloom_rate::Rate;
use airloom_sim::{Duration, kinds};

/// The capabilities and limits of an adapter and its driver.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    /// It sends QoS data to radios that do so too; aggregation requires it.
    pub qos: bool,
    /// What it joins into one PPDU.
    pub aggregation: Aggregation,
    /// What it holds below the queue above.
    pub depth: Depth,
    /// How its driver gives TIDs their turns, where it forms PPDUs itself and does not share air time.
    pub turns: Turns,
    /// How its driver pulls packets from the queue above; if none, that queue pushes them down as long as the driver has room.
    pub pull: Option<Pull>,
    /// How often it sends what was not acknowledged.
    pub retries: Retries,
    /// When a rate control in its firmware changes the rate.
    pub firmware: Ladder,
    /// Which Minstrel-HT its driver has, if it has that.
    pub minstrel: MinstrelHt,
    /// How long the receive side waits for a missing MPDU at most.
    pub reorder_timeout: Duration,
    /// When it gives up on a missing MPDU.
    pub reordering: Reordering,
    /// Error vector magnitude of the transmitter, in dB (negative).
    pub evm_db: f64,
    /// The receiver's noise figure, in dB.
    pub noise_figure_db: f64,
    /// How null frames are sent.
    pub null: NullFrames,
    /// How the user priority of a packet follows from its DSCP.
    pub dscp_map: DscpMap,
    /// PSDU length in bytes above which RTS/CTS precedes data.
    pub rts_threshold: Option<u32>,
    /// Rate of all control frames and of null frames; if none, control frames follow the basic rates, and null frames
    /// have the rate of beacons.
    pub control_rate: Option<Rate>,
    /// Rate of control frames that nothing elicits, if they follow the basic rates.
    pub rts_rate: RtsRate,
    /// Rate of beacons.
    pub beacon_rate: Rate,
}

kinds! {
    /// At which rate an adapter sends control frames that nothing elicits: RTS, a CTS to itself and BlockAck requests.
    pub enum RtsRate {
        /// At the highest basic rate that is not above that of the data (802.11-2020 10.6.6.2 and 10.6.6.5.2).
        Basic = "basic",
        /// Beside data from HT on, at the lowest rate of the band, whether it is basic or not.
        Lowest = "lowest",
    }
}

/// What an adapter joins into A-MSDUs and A-MPDUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aggregation {
    /// MPDUs in the window of a BlockAck agreement at most, either way: [`HT_WINDOW`](crate::reorder::HT_WINDOW) or what
    /// later amendments allow. An agreement is as large as the smaller one of its two ends.
    pub block_ack_window: u16,
    /// Packets in an A-MSDU at most; one for no A-MSDUs.
    pub amsdu_packets: u32,
    /// Bytes of an MPDU with an A-MSDU at most, either way: 3,895, 7,991 or 11,454 (maximum MPDU length, 802.11-2020 9.4.2.157.2); in HT an
    /// A-MSDU is at most 56 bytes shorter than that.
    pub mpdu_bytes: u32,
    /// MPDUs in one A-MPDU at most.
    pub ampdu_mpdus: u32,
    /// Bytes in one A-MPDU at most.
    pub ampdu_bytes: u32,
    /// Bytes in one A-MPDU at most that it says it receives (maximum A-MPDU length exponent, 802.11-2020 9.4.2.55.3); none for as many as
    /// the format has.
    pub ampdu_receive_bytes: Option<u32>,
    /// Air time of one A-MPDU at most.
    pub ampdu_duration: Duration,
    /// Least time between the starts of two MPDUs that its receiver needs.
    pub ampdu_spacing: Duration,
}

/// What an adapter and its driver hold at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// PPDUs that the hardware holds, the one on the air included.
    pub hardware_queue: u32,
    /// Frames in driver and hardware beyond which the queue above is stopped.
    pub driver_limit: u32,
}

/// How often an adapter sends a frame that is not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// Times an MPDU of an A-MPDU is sent again before it is given up.
    pub limit: u32,
    /// Each attempt that hardware makes by itself, since nothing answered, counts against `limit`. Otherwise all attempts until
    /// hardware hands the PPDU back count as one.
    pub counts_hardware: bool,
    /// An MPDU of an aggregate is sent again less often on a slow link
    /// ([`retry_out_index`](crate::reordering::smoothed_rate::SmoothedRate::retry_out_index)), so that TCP sees losses there.
    pub limit_by_rate: bool,
    /// Attempts at a frame that travels alone and is not longer than the RTS threshold, or at an RTS, before the frame is
    /// given up (dot11ShortRetryLimit).
    pub short_limit: u32,
    /// Attempts at a longer frame that travels alone (dot11LongRetryLimit).
    pub long_limit: u32,
}

/// How a driver that pulls shares the medium among receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    /// Air time of each in a round; if none, one PPDU each.
    pub share: Option<Duration>,
    /// How it pulls if firmware forms the PPDUs; if none, the driver forms them itself and pulls what each has room for.
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
    /// An interrupt comes once so many packets are reported, if `delay` is not over before.
    pub packets: u32,
    /// An interrupt comes this long after the first packet that is reported, at the latest.
    pub delay: Duration,
}

impl Adapter {
    /// The air time of each receiver in a round of PPDUs, if it is the driver that forms them and receivers share air time.
    pub(crate) fn share_of_ppdus(&self) -> Option<Duration> {
        self.pull.filter(|pull| pull.ahead.is_none())?.share
    }

    /// How TIDs have their turns: none is apart from a round where a share of air time decides.
    pub(crate) fn turns(&self) -> Turns {
        if self.share_of_ppdus().is_some() { Turns::Round } else { self.turns }
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
