//! Control frames.

use super::header::{FrameControl, FrameType, SequenceControl};
use crate::bytes::Cursor;
use crate::{Error, MacAddr};

const BLOCK_ACK_REQ: u8 = 8;
const BLOCK_ACK: u8 = 9;
const PS_POLL: u8 = 10;
const RTS: u8 = 11;
const CTS: u8 = 12;
const ACK: u8 = 13;
/// The bits that mark an association identifier in a Duration/ID field (802.11-2020 clause 9.2.4.2).
const AID_MARK: u16 = 0xc000;

/// The value of the type subfield for the compressed variant, the only one here (802.11-2020 tables 9-24 and 9-26).
const COMPRESSED: u16 = 2;

/// Whether a BlockAck or BlockAckReq is itself to be acknowledged (802.11-2020 clauses 9.3.1.7.1 and 9.3.1.8.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BarPolicy {
    /// Value 0: as usual.
    #[default]
    Normal,
    /// Value 1: not at all.
    NoAck,
}

/// Which MPDUs a compressed BlockAck acknowledges: bit n stands for its starting sequence number + n (802.11ax-2021 clause 9.3.1.8.2,
/// 802.11be-2024 table 9-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledged {
    /// Among 64.
    Of64(u64),
    /// Among 256, the lowest 64 first.
    Of256([u64; 4]),
    /// Among 512.
    Of512([u64; 8]),
    /// Among 1,024.
    Of1024([u64; 16]),
}

impl Acknowledged {
    /// None of 64.
    pub const NONE: Self = Self::Of64(0);

    /// The bits in words of 64, lowest first.
    pub fn words(&self) -> &[u64] {
        match self {
            Self::Of64(word) => std::slice::from_ref(word),
            Self::Of256(words) => words,
            Self::Of512(words) => words,
            Self::Of1024(words) => words,
        }
    }

    /// How many MPDUs it speaks of.
    pub fn size(&self) -> u16 {
        64 * self.words().len() as u16
    }

    /// Whether bit n is set; those beyond its size are not.
    pub fn contains(&self, n: u16) -> bool {
        self.words().get(usize::from(n / 64)).is_some_and(|word| word >> (n % 64) & 1 != 0)
    }

    /// How many bits are set.
    pub fn count(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// One more than the highest bit set.
    pub fn span(&self) -> u16 {
        (0..self.size()).rev().find(|&n| self.contains(n)).map_or(0, |n| n + 1)
    }

    /// With these words of 64 bits, lowest first; none if no bitmap has so many.
    pub fn of(words: &[u64]) -> Option<Self> {
        Some(match words.len() {
            1 => Self::Of64(words[0]),
            4 => Self::Of256(words.try_into().ok()?),
            8 => Self::Of512(words.try_into().ok()?),
            16 => Self::Of1024(words.try_into().ok()?),
            _ => return None,
        })
    }

    /// What the fragment number subfield says of the length.
    const fn fragment(self) -> u8 {
        match self {
            Self::Of64(_) => 0,
            Self::Of256(_) => 4,
            Self::Of512(_) => 8,
            Self::Of1024(_) => 10,
        }
    }
}

/// A control frame. Durations are those of the Duration/ID field as on the air: microseconds below 32768 (802.11-2020
/// clause 9.2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlRepr {
    /// A request of a station that dozes for one frame (802.11-2020 clause 9.3.1.5).
    PsPoll {
        /// The station's association identifier, 1 to 2007; its two highest bits are set on the air.
        aid: u16,
        /// The access point.
        bssid: MacAddr,
        /// The station.
        transmitter: MacAddr,
    },
    /// Request to send (802.11-2020 clause 9.3.1.2).
    Rts {
        /// The Duration field.
        duration: u16,
        /// The receiver, which shall answer.
        receiver: MacAddr,
        /// The transmitter.
        transmitter: MacAddr,
    },
    /// Clear to send (802.11-2020 clause 9.3.1.3).
    Cts {
        /// The Duration field.
        duration: u16,
        /// The receiver, which may send.
        receiver: MacAddr,
    },
    /// Acknowledgment of one frame (802.11-2020 clause 9.3.1.4).
    Ack {
        /// The Duration field.
        duration: u16,
        /// Whose frame was received.
        receiver: MacAddr,
    },
    /// Compressed BlockAck request (802.11-2020 clause 9.3.1.7.2).
    BlockAckReq {
        /// The Duration field.
        duration: u16,
        /// The receiver, which shall answer.
        receiver: MacAddr,
        /// The transmitter.
        transmitter: MacAddr,
        /// Whether the request is to be acknowledged.
        policy: BarPolicy,
        /// Traffic identifier, 0 to 15; higher bits are ignored.
        tid: u8,
        /// The first sequence number asked for, modulo 4096; higher bits are ignored.
        start: u16,
    },
    /// Compressed BlockAck (802.11-2020 clause 9.3.1.8.2).
    BlockAck {
        /// The Duration field.
        duration: u16,
        /// Whose frames were received.
        receiver: MacAddr,
        /// The transmitter, which received them.
        transmitter: MacAddr,
        /// Whether the BlockAck is to be acknowledged.
        policy: BarPolicy,
        /// Traffic identifier, 0 to 15; higher bits are ignored.
        tid: u8,
        /// The sequence number that the bitmap's bit 0 stands for, modulo 4096; higher bits are ignored.
        start: u16,
        /// What was received.
        bitmap: Acknowledged,
    },
}

impl ControlRepr {
    /// Appends the frame, without a frame check sequence.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let (subtype, duration, receiver) = match *self {
            Self::PsPoll { aid, bssid, .. } => (PS_POLL, aid | AID_MARK, bssid),
            Self::Rts { duration, receiver, .. } => (RTS, duration, receiver),
            Self::Cts { duration, receiver } => (CTS, duration, receiver),
            Self::Ack { duration, receiver } => (ACK, duration, receiver),
            Self::BlockAckReq { duration, receiver, .. } => (BLOCK_ACK_REQ, duration, receiver),
            Self::BlockAck { duration, receiver, .. } => (BLOCK_ACK, duration, receiver),
        };
        FrameControl::new(FrameType::Control, subtype).emit(out);
        out.extend_from_slice(&duration.to_le_bytes());
        out.extend_from_slice(&receiver.0);
        match *self {
            Self::Cts { .. } | Self::Ack { .. } => {}
            Self::PsPoll { transmitter, .. } | Self::Rts { transmitter, .. } => {
                out.extend_from_slice(&transmitter.0)
            }
            Self::BlockAckReq { transmitter, policy, tid, start, .. } => {
                emit_bar(transmitter, policy, tid, (start, 0), out);
            }
            Self::BlockAck { transmitter, policy, tid, start, bitmap, .. } => {
                emit_bar(transmitter, policy, tid, (start, bitmap.fragment()), out);
                bitmap.words().iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
            }
        }
    }

    /// Parses what follows the Frame Control field.
    pub(super) fn parse(control: FrameControl, mut cursor: Cursor<'_>) -> Result<Self, Error> {
        let duration = cursor.le16()?;
        let receiver = MacAddr(cursor.array()?);
        match control.subtype {
            CTS => return Ok(Self::Cts { duration, receiver }),
            ACK => return Ok(Self::Ack { duration, receiver }),
            PS_POLL | RTS | BLOCK_ACK_REQ | BLOCK_ACK => {}
            _ => return Err(Error::Unsupported("control frame subtype")),
        }
        let transmitter = MacAddr(cursor.array()?);
        if control.subtype == PS_POLL {
            let aid = duration & !AID_MARK;
            return if duration & AID_MARK == AID_MARK {
                Ok(Self::PsPoll { aid, bssid: receiver, transmitter })
            } else {
                Err(Error::Unsupported("PS-Poll with a duration"))
            };
        }
        if control.subtype == RTS {
            return Ok(Self::Rts { duration, receiver, transmitter });
        }
        let bits = cursor.le16()?;
        if bits >> 1 & 15 != COMPRESSED {
            return Err(Error::Unsupported("BlockAck variant other than compressed"));
        }
        let policy = if bits & 1 == 0 { BarPolicy::Normal } else { BarPolicy::NoAck };
        let tid = (bits >> 12) as u8;
        let SequenceControl { number: start, fragment } = SequenceControl::parse(&mut cursor)?;
        if control.subtype == BLOCK_ACK_REQ {
            return Ok(Self::BlockAckReq { duration, receiver, transmitter, policy, tid, start });
        }
        let bitmap = match fragment {
            0 => Acknowledged::Of64(cursor.le64()?),
            4 => Acknowledged::Of256(words(&mut cursor)?),
            8 => Acknowledged::Of512(words(&mut cursor)?),
            10 => Acknowledged::Of1024(words(&mut cursor)?),
            _ => return Err(Error::Unsupported("BlockAck bitmap other than 64, 256, 512 or 1024 bits")),
        };
        Ok(Self::BlockAck { duration, receiver, transmitter, policy, tid, start, bitmap })
    }
}

fn words<const N: usize>(cursor: &mut Cursor<'_>) -> Result<[u64; N], Error> {
    let mut words = [0; N];
    for word in &mut words {
        *word = cursor.le64()?;
    }
    Ok(words)
}

/// Appends what BlockAckReq and BlockAck share after the first address: in the end the starting sequence number and the fragment
/// number subfield.
fn emit_bar(
    transmitter: MacAddr,
    policy: BarPolicy,
    tid: u8,
    (number, fragment): (u16, u8),
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(&transmitter.0);
    let no_ack = u16::from(policy == BarPolicy::NoAck);
    out.extend_from_slice(&(no_ack | COMPRESSED << 1 | u16::from(tid) << 12).to_le_bytes());
    SequenceControl { number, fragment }.emit(out);
}
