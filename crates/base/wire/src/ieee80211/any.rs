//! What any frame shows in its first octets, whatever it is: also a frame that [`Frame`](super::Frame) does not describe, and
//! one that was cut short.

use super::header::{Flags, FrameControl, FrameType, SequenceControl};
use crate::bytes::Cursor;
use crate::{Error, MacAddr};

/// Type and subtype of a frame (802.11-2020 table 9-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subtype {
    /// A data frame with data.
    Data,
    /// A data frame without data.
    Null,
    /// An association or reassociation request or response.
    Association {
        /// Whether the station comes from another access point of the network.
        again: bool,
        /// Whether it is the answer.
        response: bool,
    },
    /// A probe request.
    ProbeRequest,
    /// A probe response.
    ProbeResponse,
    /// A beacon.
    Beacon,
    /// An authentication frame.
    Authentication,
    /// A disassociation or deauthentication.
    Leave,
    /// An action frame.
    Action,
    /// A BlockAck request.
    BlockAckReq,
    /// A BlockAck.
    BlockAck,
    /// A dozing station asks for one frame.
    PsPoll,
    /// A request to send.
    Rts,
    /// A clear to send.
    Cts,
    /// An acknowledgment of one frame.
    Ack,
    /// Any other.
    Other,
}

impl Subtype {
    pub(super) const fn of(kind: FrameType, subtype: u8) -> Self {
        match (kind, subtype) {
            (FrameType::Data, 4 | 12) => Self::Null,
            (FrameType::Data, subtype) if subtype & 4 == 0 => Self::Data,
            (FrameType::Management, 0..=3) => {
                Self::Association { again: subtype >= 2, response: subtype & 1 == 1 }
            }
            (FrameType::Management, 4) => Self::ProbeRequest,
            (FrameType::Management, 5) => Self::ProbeResponse,
            (FrameType::Management, 8) => Self::Beacon,
            (FrameType::Management, 10 | 12) => Self::Leave,
            (FrameType::Management, 11) => Self::Authentication,
            (FrameType::Management, 13 | 14) => Self::Action,
            (FrameType::Control, 8) => Self::BlockAckReq,
            (FrameType::Control, 9) => Self::BlockAck,
            (FrameType::Control, 10) => Self::PsPoll,
            (FrameType::Control, 11) => Self::Rts,
            (FrameType::Control, 12) => Self::Cts,
            (FrameType::Control, 13) => Self::Ack,
            _ => Self::Other,
        }
    }
}

/// The fields with which any frame begins; those behind the first address are missing if the frame does not have them or is
/// cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyFrame {
    /// What it is.
    pub subtype: Subtype,
    /// Flags of the Frame Control field.
    pub flags: Flags,
    /// To DS: a station sends to its access point.
    pub to_ds: bool,
    /// From DS: an access point sends to its station.
    pub from_ds: bool,
    /// The Duration/ID field.
    pub duration: u16,
    /// Address 1.
    pub receiver: MacAddr,
    /// Address 2.
    pub transmitter: Option<MacAddr>,
    /// Address 3.
    pub third: Option<MacAddr>,
    /// The Sequence Control field.
    pub sequence: Option<SequenceControl>,
}

impl AnyFrame {
    /// Reads them.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if the first address is not complete, [`Error::Unsupported`] for another protocol version and for
    /// extension frames, whose first fields are others.
    pub fn parse(mpdu: &[u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(mpdu);
        let control = FrameControl::parse(cursor.le16()?)?;
        let subtype = Subtype::of(control.kind, control.subtype);
        let (duration, receiver) = (cursor.le16()?, MacAddr(cursor.array()?));
        let second = match subtype {
            Subtype::Cts | Subtype::Ack => None,
            _ => cursor.array().ok().map(MacAddr),
        };
        let more = control.kind != FrameType::Control && second.is_some();
        let third = more.then(|| cursor.array().ok().map(MacAddr)).flatten();
        let sequence = third.and_then(|_| SequenceControl::parse(&mut cursor).ok());
        Ok(Self {
            subtype,
            flags: control.flags,
            to_ds: control.to_ds,
            from_ds: control.from_ds,
            duration,
            receiver,
            transmitter: second,
            third,
            sequence,
        })
    }
}
