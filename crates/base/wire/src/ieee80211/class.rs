//! The classes of frames, for counting and for tables.

use super::Subtype;
use airloom_sim::kinds;

kinds! {
    /// Classes of frames, by the words of summaries and of Python.
    pub enum FrameClass {
        /// Data, in an A-MPDU or not.
        Data = "data",
        /// Data frames without data.
        Null = "null",
        /// Beacons.
        Beacon = "beacon",
        /// Requests to send.
        Rts = "rts",
        /// Clear to send.
        Cts = "cts",
        /// Acknowledgments of one frame.
        Ack = "ack",
        /// BlockAcks.
        BlockAck = "block_ack",
        /// BlockAck requests.
        BlockAckReq = "block_ack_req",
        /// PS-Polls.
        PsPoll = "ps_poll",
        /// Frames of stations' ways to access points: probes, authentication, association, handshakes of keys.
        Joining = "joining",
    }
}

impl Subtype {
    /// The class of a frame of this subtype; none for those that no table has a column for, such as management frames.
    pub const fn class(self) -> Option<FrameClass> {
        Some(match self {
            Self::Data => FrameClass::Data,
            Self::Null => FrameClass::Null,
            Self::Beacon => FrameClass::Beacon,
            Self::Rts => FrameClass::Rts,
            Self::Cts => FrameClass::Cts,
            Self::Ack => FrameClass::Ack,
            Self::BlockAck => FrameClass::BlockAck,
            Self::BlockAckReq => FrameClass::BlockAckReq,
            Self::PsPoll => FrameClass::PsPoll,
            Self::Association { .. }
            | Self::ProbeRequest
            | Self::ProbeResponse
            | Self::Authentication
            | Self::Leave
            | Self::Action
            | Self::Other => return None,
        })
    }
}
