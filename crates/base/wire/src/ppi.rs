//! Per-packet information, which some adapters put in front of frames instead of radiotap (CACE Technologies, PPI header format 1.0.1).

use crate::bytes::Cursor;
use crate::{Error, LinkType};

/// Length in octets of what every header has.
const START: usize = 8;
/// The flag that says that each field is aligned to four octets.
const ALIGNED: u8 = 1;
/// The field about a frame of 802.11, and its flags: the frame has its check sequence, and that is wrong.
const COMMON: u16 = 2;
const HAS_FCS: u16 = 1;
const BAD_FCS: u16 = 4;

/// Such a header. It is only read; of its fields only the one about any frame of 802.11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PpiRepr {
    /// What follows.
    pub link: LinkType,
    /// What a radio told.
    pub radio: Option<PpiRadio>,
}

/// What a radio told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PpiRadio {
    /// Whether the frame has its check sequence.
    pub fcs_at_end: bool,
    /// Whether that is wrong.
    pub bad_fcs: bool,
    /// In units of 500 kb/s; none if it is zero or fits no octet.
    pub rate: Option<u8>,
    /// Centre frequency of the primary channel in MHz; none if it is zero.
    pub channel_mhz: Option<u16>,
    /// Signal and noise in dBm; none where there is no negative number.
    pub signal_dbm: Option<i8>,
    /// See `signal_dbm`.
    pub noise_dbm: Option<i8>,
}

impl PpiRepr {
    /// Parses a header and returns what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if it is not complete, [`Error::Malformed`] if its length cannot be.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let (_version, flags) = (cursor.u8()?, cursor.u8()?);
        let length = usize::from(cursor.le16()?);
        let link = LinkType(u16::try_from(cursor.le32()?).map_err(|_| Error::Unsupported("link type"))?);
        let fields = length.checked_sub(START).ok_or(Error::Malformed("PPI header length"))?;
        let mut fields = Cursor::new(cursor.take(fields)?);
        let mut radio = None;
        while let (Ok(kind), Ok(size)) = (fields.le16(), fields.le16()) {
            let size = usize::from(size);
            let Ok(field) = fields.take(size) else { break };
            if kind == COMMON {
                radio = PpiRadio::read(field).ok();
            }
            if flags & ALIGNED != 0 && fields.take(size.next_multiple_of(4) - size).is_err() {
                break;
            }
        }
        Ok((Self { link, radio }, cursor.rest()))
    }
}

impl PpiRadio {
    fn read(field: &[u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(field);
        cursor.le64()?;
        let (flags, rate, mhz) = (cursor.le16()?, cursor.le16()?, cursor.le16()?);
        // The channel's flags and what frequency hopping has.
        cursor.take(4)?;
        let [signal, noise] =
            cursor.array()?.map(|octet: u8| Some(octet.cast_signed()).filter(|&dbm| dbm < 0));
        Ok(Self {
            fcs_at_end: flags & HAS_FCS != 0,
            bad_fcs: flags & BAD_FCS != 0,
            rate: u8::try_from(rate).ok().filter(|&rate| rate != 0),
            channel_mhz: Some(mhz).filter(|&mhz| mhz != 0),
            signal_dbm: signal,
            noise_dbm: noise,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_radio_told_is_one_of_the_fields() {
        // Link type 105, 8 + 4 + 20 octets: a TSF, flags 5, 11 Mb/s, 2412 MHz, -60 and -95 dBm.
        let mut octets = vec![0, 0, 32, 0, 105, 0, 0, 0, 2, 0, 20, 0];
        octets.extend([1, 2, 3, 4, 5, 6, 7, 8, 5, 0, 22, 0, 0x6c, 9, 0xa0, 0, 0, 0, 0xc4, 0xa1, 0xd4]);
        let radio = PpiRadio {
            fcs_at_end: true,
            bad_fcs: true,
            rate: Some(22),
            channel_mhz: Some(2412),
            signal_dbm: Some(-60),
            noise_dbm: Some(-95),
        };
        let told = PpiRepr { link: LinkType::IEEE802_11, radio: Some(radio) };
        assert_eq!(PpiRepr::parse(&octets), Ok((told, &[0xd4][..])));
        // Nothing but the link type.
        let short = PpiRepr { link: LinkType::ETHERNET, radio: None };
        assert_eq!(PpiRepr::parse(&[0, 0, 8, 0, 1, 0, 0, 0, 2]), Ok((short, &[2][..])));
        assert!(PpiRepr::parse(&[0, 0, 7, 0, 1, 0, 0, 0, 2]).is_err());
        assert_eq!(PpiRepr::parse(&octets[..31]), Err(Error::Truncated));
    }
}
