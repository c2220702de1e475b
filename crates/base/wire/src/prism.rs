//! What adapters before radiotap put in front of an 802.11 frame: the headers of Prism and of AVS.

use crate::Error;
use crate::bytes::Cursor;

/// The message code of a Prism header, in the byte order of the machine that wrote it.
const PRISM: u32 = 0x44;
/// Length in octets of code, length and the device's name.
const PRISM_START: usize = 24;
/// Items of a Prism header, each a code, a status, a length and a value; the status is 0 where there is a value. Their numbers, which
/// one driver's codes have in the upper half and another's from bit 12 on (Wireshark's `packet-ieee80211-prism.c` lists both).
const CHANNEL: u32 = 3;
const SIGNAL: u32 = 6;
const NOISE: u32 = 7;
const RATE: u32 = 8;

/// The upper 20 bits of the first word of an AVS header, which is in big-endian order; below them is its version.
const AVS: u32 = 0x8_0211;

/// Such a header. It is only read; of AVS's nothing but the length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrismRepr {
    /// The channel's number.
    pub channel: Option<u32>,
    /// Signal in dBm, where the driver gives it so (a negative number).
    pub signal_dbm: Option<i8>,
    /// Noise in dBm, likewise.
    pub noise_dbm: Option<i8>,
    /// In units of 500 kb/s.
    pub rate: Option<u8>,
}

impl PrismRepr {
    /// Parses a header and returns the frame behind it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if the header is not complete, [`Error::Unsupported`] if it is neither of the two.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let code: [u8; 4] = cursor.array()?;
        let length: [u8; 4] = cursor.array()?;
        if u32::from_be_bytes(code) >> 12 == AVS {
            let (_, frame) = split(bytes, u32::from_be_bytes(length))?;
            return Ok((Self::default(), frame));
        }
        let read = match (u32::from_le_bytes(code), u32::from_be_bytes(code)) {
            (PRISM, _) => u32::from_le_bytes,
            (_, PRISM) => u32::from_be_bytes,
            _ => return Err(Error::Unsupported("header before an 802.11 frame")),
        };
        let (header, frame) = split(bytes, read(length))?;
        let mut items =
            Cursor::new(header.get(PRISM_START..).ok_or(Error::Malformed("Prism header length"))?);
        let mut repr = Self::default();
        while let (Ok(code), Ok(status), Ok(value)) = (items.array(), items.array::<4>(), items.array()) {
            // Status and length are two octets each; the status comes first in either order.
            if status[..2] != [0, 0] {
                continue;
            }
            let value = read(value);
            let dbm = i8::try_from(value.cast_signed()).ok().filter(|&dbm| dbm < 0);
            let code = read(code);
            match if code & 0xffff == PRISM { code >> 16 } else { code >> 12 } {
                CHANNEL => repr.channel = Some(value),
                SIGNAL => repr.signal_dbm = dbm,
                NOISE => repr.noise_dbm = dbm,
                RATE => repr.rate = u8::try_from(value).ok(),
                _ => {}
            }
        }
        Ok((repr, frame))
    }
}

fn split(bytes: &[u8], length: u32) -> Result<(&[u8], &[u8]), Error> {
    bytes.split_at_checked(length as usize).ok_or(Error::Truncated)
}
