//! What all MAC headers share.

use crate::Error;
use crate::bytes::Cursor;

/// The type of a frame (802.11-2020 clause 9.2.4.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameType {
    Management,
    Control,
    Data,
}

/// Flags of the Frame Control field that data and management frames use (802.11-2020 clause 9.2.4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// More fragments of the MSDU follow (clause 9.2.4.1.5).
    pub more_fragments: bool,
    /// This is a retransmission (clause 9.2.4.1.6).
    pub retry: bool,
    /// The station will doze after this exchange (clause 9.2.4.1.7).
    pub power_management: bool,
    /// The access point holds more frames for the dozing station (clause 9.2.4.1.8).
    pub more_data: bool,
    /// The frame body is encrypted (clause 9.2.4.1.9).
    pub protected: bool,
}

/// The Frame Control field (802.11-2020 clause 9.2.4.1).
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameControl {
    pub(super) kind: FrameType,
    pub(super) subtype: u8,
    pub(super) to_ds: bool,
    pub(super) from_ds: bool,
    pub(super) flags: Flags,
    /// An HT Control field follows, in QoS data and management frames (clause 9.2.4.1.10).
    pub(super) htc: bool,
}

impl FrameControl {
    pub(super) const fn new(kind: FrameType, subtype: u8) -> Self {
        let flags = Flags {
            more_fragments: false,
            retry: false,
            power_management: false,
            more_data: false,
            protected: false,
        };
        Self { kind, subtype, to_ds: false, from_ds: false, flags, htc: false }
    }

    pub(super) fn emit(self, out: &mut Vec<u8>) {
        let kind = match self.kind {
            FrameType::Management => 0,
            FrameType::Control => 1,
            FrameType::Data => 2,
        };
        let bits = [
            self.to_ds,
            self.from_ds,
            self.flags.more_fragments,
            self.flags.retry,
            self.flags.power_management,
            self.flags.more_data,
            self.flags.protected,
            self.htc,
        ];
        let second = bits.into_iter().rev().fold(0, |octet, bit| octet << 1 | u8::from(bit));
        out.extend_from_slice(&[self.subtype << 4 | kind << 2, second]);
    }

    /// The Frame Control field of a management frame, and what follows its header: a duration, three addresses, a sequence number, and HT Control if it has that.
    pub(super) fn before_body(mpdu: &[u8]) -> Result<(Self, Cursor<'_>), Error> {
        let mut cursor = Cursor::new(mpdu);
        let control = Self::parse(cursor.le16()?)?;
        cursor.le16()?;
        let _addresses: [[u8; 6]; 3] = [cursor.array()?, cursor.array()?, cursor.array()?];
        SequenceControl::parse(&mut cursor)?;
        if control.htc {
            cursor.le32()?;
        }
        Ok((control, cursor))
    }

    pub(super) fn parse(bits: u16) -> Result<Self, Error> {
        if bits & 3 != 0 {
            return Err(Error::Unsupported("802.11 protocol version"));
        }
        let kind = match bits >> 2 & 3 {
            0 => FrameType::Management,
            1 => FrameType::Control,
            2 => FrameType::Data,
            _ => return Err(Error::Unsupported("802.11 extension frame")),
        };
        let bit = |index: u16| bits >> index & 1 != 0;
        let flags = Flags {
            more_fragments: bit(10),
            retry: bit(11),
            power_management: bit(12),
            more_data: bit(13),
            protected: bit(14),
        };
        let subtype = (bits >> 4 & 15) as u8;
        Ok(Self { kind, subtype, to_ds: bit(8), from_ds: bit(9), flags, htc: bit(15) })
    }
}

/// The Sequence Control field (802.11-2020 clause 9.2.4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SequenceControl {
    /// The sequence number, modulo 4096; higher bits are ignored.
    pub number: u16,
    /// The fragment number, modulo 16; higher bits are ignored.
    pub fragment: u8,
}

impl SequenceControl {
    pub(super) fn emit(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.number << 4 | u16::from(self.fragment & 15)).to_le_bytes());
    }

    pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let bits = cursor.le16()?;
        Ok(Self { number: bits >> 4, fragment: (bits & 15) as u8 })
    }
}
