//! Frames in the air.

use crate::NodeId;
use airloom_rate::{Rate, Width};
use airloom_sim::{Duration, Handle, Time, kinds};
use airloom_wire::ieee80211::FrameClass;

/// The content of a PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameKind {
    /// One data MPDU outside an A-MPDU.
    Data,
    /// An A-MPDU of data MPDUs.
    Ampdu,
    /// A data frame without data, with its power-management bit (802.11-2020 9.2.4.1.7).
    Null {
        /// The power-management bit: true as the station goes to sleep.
        sleep: bool,
    },
    /// A QoS null frame of an access point that ends a service period (EOSP, 802.11-2020 9.2.4.5.2).
    EndOfPeriod,
    /// A station that dozes asks for one MPDU.
    PsPoll,
    /// A beacon.
    Beacon,
    /// Request to send.
    Rts,
    /// Clear to send.
    Cts,
    /// Acknowledgment of one frame.
    Ack,
    /// Compressed BlockAck.
    BlockAck,
    /// Compressed BlockAck request.
    BlockAckReq,
    /// A frame of a station's way to an access point; which, [`Observation::Joining`](crate::Observation::Joining) tells.
    Joining,
}

impl FrameKind {
    /// Whether the frame carries upper-layer data.
    pub const fn is_data(self) -> bool {
        matches!(self, Self::Data | Self::Ampdu)
    }

    /// The class under which it is counted.
    pub const fn class(self) -> FrameClass {
        match self {
            Self::Data | Self::Ampdu => FrameClass::Data,
            Self::Null { .. } | Self::EndOfPeriod => FrameClass::Null,
            Self::PsPoll => FrameClass::PsPoll,
            Self::Beacon => FrameClass::Beacon,
            Self::Rts => FrameClass::Rts,
            Self::Cts => FrameClass::Cts,
            Self::Ack => FrameClass::Ack,
            Self::BlockAck => FrameClass::BlockAck,
            Self::BlockAckReq => FrameClass::BlockAckReq,
            Self::Joining => FrameClass::Joining,
        }
    }
}

/// The words of all classes with how many frames of each there are; of PS-Polls and of a station's way to an access point only if there
/// are any.
pub fn counted_by_class(frames: [u64; FrameClass::WORDS.len()]) -> impl Iterator<Item = (String, u64)> {
    let words = FrameClass::WORDS.iter().zip(frames);
    let some =
        words.filter(|&((_, class), n)| n > 0 || !matches!(class, FrameClass::PsPoll | FrameClass::Joining));
    some.map(|((word, _), n)| ((*word).to_owned(), n))
}

kinds! {
    /// The fate of a PPDU at one of its receivers.
    pub enum Fate {
        /// Its preamble and at least one MPDU were received.
        Received = "received",
        /// Every MPDU failed its frame check sequence.
        Corrupted = "corrupted",
        /// Another transmission overlapped it.
        Collided = "collided",
        /// The receiver was not listening on this channel, or is out of reach.
        Unheard = "unheard",
    }
}

/// One PPDU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ppdu {
    /// When its preamble begins.
    pub start: Time,
    /// When its last symbol ends.
    pub end: Time,
    /// The transmitter.
    pub from: NodeId,
    /// Over which link of its access point it goes, where that has several.
    pub link: u8,
    /// Its content.
    pub kind: FrameKind,
    /// What it fills of its channel: a control frame below HT fills what its exchange does, as duplicates (802.11-2020 10.6.6.6).
    pub width: Width,
    /// For how long after its end it reserves the medium for the rest of its exchange (Duration/ID field, 802.11-2020
    /// 9.2.5).
    pub nav: Duration,
    /// Its users, each with a PSDU: one, since no PPDU goes to several.
    pub users: [User; 1],
}

/// What a PPDU is for one of its users, its receivers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct User {
    /// The receiver; none for a broadcast.
    pub to: Option<NodeId>,
    /// The rate of its PSDU.
    pub rate: Rate,
    /// MPDUs in it.
    pub mpdus: u16,
    /// MPDUs among them that were received with a good frame check sequence.
    pub good: u16,
    /// MPDUs among them that are retransmissions.
    pub retries: u16,
    /// PSDU length in bytes, delimiters and padding included.
    pub bytes: u32,
    /// Its fate at the receiver.
    pub fate: Fate,
    /// The TID of its data, or of the data that it asks for or acknowledges; 0 of all else.
    pub tid: u8,
    /// How far fading and outages took its signal off the mean of its path, in dB; 0 where its fate did not depend on them, as where something overlapped it.
    pub fade_db: f64,
}

/// One MPDU of a data PPDU, in the order of its users, of a null frame, of a beacon, or the range of a BlockAck request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mpdu {
    /// Its sequence number, modulo 4096; the starting sequence number of a BlockAck request.
    pub seq: u16,
    /// Whether the retry bit is set.
    pub retry: bool,
    /// Its length in bytes, header and frame check sequence included.
    pub bytes: u16,
    /// The packet inside, the first if there are several; `None` in frames without data.
    pub packet: Option<Handle>,
    /// Packets inside; several in an A-MSDU, of which [`Observation::Further`](crate::Observation::Further) tells those behind the first.
    pub packets: u8,
    /// Whether it was received with a good frame check sequence.
    pub good: bool,
    /// What it says of power save.
    pub power: PowerBits,
}

/// What an MPDU with data says of power save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerBits {
    /// Its sender dozes (power management, 802.11-2020 9.2.4.1.7).
    pub sleeps: bool,
    /// More waits for its receiver, which dozes (more data, 9.2.4.1.8).
    pub more: bool,
    /// A service period is over (EOSP, 9.2.4.5.2).
    pub ends: bool,
}

/// The bitmap of a BlockAck. With an agreement of more than 64 MPDUs it is observed in parts of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAck {
    /// The sequence number of bit 0.
    pub start: u16,
    /// Bit n: the MPDU `start + n` is acknowledged.
    pub bitmap: u64,
}

kinds! {
    /// Why an MPDU was lost for good.
    pub enum LossCause {
        /// The retry limit was reached.
        RetryLimit = "retry limit",
        /// It waited in the driver when the radio left the channel, and the driver dropped it.
        RadioLeft = "radio left the channel",
        /// The access point's buffer for a dozing station was full, and this was the oldest frame in it.
        PowerSaveOverflow = "power-save buffer full",
        /// It arrived after the receiver had given up on it and passed on later MPDUs.
        TooLate = "too late for the receiver",
        /// The receiver assumed it lost before its transmitter gave up, so that TCP would react.
        PseudoRetryOut = "pseudo retry-out",
        /// It waited as the station left its access point, or as the access point learnt of that.
        Left = "station left",
        /// Its access point had no power any more.
        Off = "access point off",
        /// It arrived at an access point that did not know its station, and was not passed on.
        Unassociated = "station not associated",
        /// It arrived at a station that was about to leave, and had closed its port.
        PortClosed = "port closed",
    }
}
