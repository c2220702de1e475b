//! Elements of management frames (802.11-2020 clause 9.4.2).

use crate::Error;
use crate::bytes::Cursor;

/// Appends an element: its identifier, its length and its parts (802.11-2020 clause 9.4.2.1).
pub(super) fn emit<const N: usize>(id: u8, parts: [&[u8]; N], out: &mut Vec<u8>) -> Result<(), Error> {
    let len: usize = parts.iter().map(|part| part.len()).sum();
    out.extend_from_slice(&[id, u8::try_from(len).map_err(|_| Error::TooLong("element"))?]);
    for part in parts {
        out.extend_from_slice(part);
    }
    Ok(())
}

/// The next element's identifier and body, or none at the end.
pub(super) fn next<'a>(cursor: &mut Cursor<'a>) -> Result<Option<(u8, Cursor<'a>)>, Error> {
    if cursor.is_empty() {
        return Ok(None);
    }
    let (id, len) = (cursor.u8()?, cursor.u8()?);
    Ok(Some((id, Cursor::new(cursor.take(len.into())?))))
}

/// Size in octets of a traffic indication virtual bitmap: one bit for each AID up to 2007, and one for group traffic.
const MAP_LEN: usize = 251;

/// The TIM element: for which dozing stations the access point holds frames (802.11-2020 clause 9.4.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tim<'a> {
    /// Beacons before the next DTIM, zero in a DTIM itself.
    pub dtim_count: u8,
    /// Beacon intervals between DTIMs.
    pub dtim_period: u8,
    /// Group-addressed frames will follow the DTIM (bit 0 of the Bitmap Control field).
    pub group_traffic: bool,
    /// Bitmap Offset, seven bits: how many pairs of zero octets stand before `bitmap` in the whole map.
    pub offset: u8,
    /// The Partial Virtual Bitmap, 1 to 251 octets.
    pub bitmap: &'a [u8],
}

impl<'a> Tim<'a> {
    pub(super) const ID: u8 = 5;

    /// Whether frames are held for the station with this association identifier (1 to 2007).
    pub fn holds_for(&self, aid: u16) -> bool {
        let octet = usize::from(aid / 8).checked_sub(2 * usize::from(self.offset));
        octet.and_then(|octet| self.bitmap.get(octet)).is_some_and(|octet| octet >> (aid % 8) & 1 != 0)
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.bitmap.is_empty() || self.bitmap.len() > MAP_LEN {
            return Err(Error::TooLong("TIM bitmap"));
        }
        let control = self.offset << 1 | u8::from(self.group_traffic);
        emit(Self::ID, [&[self.dtim_count, self.dtim_period, control], self.bitmap], out)
    }

    pub(super) fn parse(mut body: Cursor<'a>) -> Result<Self, Error> {
        let fixed = body.array();
        let bitmap = body.rest();
        let (Ok([dtim_count, dtim_period, control]), 1..=MAP_LEN) = (fixed, bitmap.len()) else {
            return Err(Error::Malformed("TIM element"));
        };
        let (group_traffic, offset) = (control & 1 != 0, control >> 1);
        Ok(Self { dtim_count, dtim_period, group_traffic, offset, bitmap })
    }
}

/// A whole traffic indication virtual bitmap, from which a [`Tim`] is cut (802.11-2020 clause 9.4.2.5.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficMap([u8; MAP_LEN]);

impl Default for TrafficMap {
    fn default() -> Self {
        Self([0; MAP_LEN])
    }
}

impl TrafficMap {
    /// Notes whether frames are held for the station with this association identifier.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if no station can have it: they are 1 to 2007 (802.11-2020 clause 9.4.1.8).
    pub fn set(&mut self, aid: u16, held: bool) -> Result<(), Error> {
        if !(1..=2007).contains(&aid) {
            return Err(Error::TooLong("association identifier"));
        }
        let (octet, bit) = (&mut self.0[usize::from(aid / 8)], 1 << (aid % 8));
        *octet = if held { *octet | bit } else { *octet & !bit };
        Ok(())
    }

    /// The element, its bitmap cut to the part that must be sent. Counts are in beacons.
    pub fn tim(&self, dtim_count: u8, dtim_period: u8, group_traffic: bool) -> Tim<'_> {
        let held = |octet: &u8| *octet != 0;
        let (start, end) = match (self.0.iter().position(held), self.0.iter().rposition(held)) {
            // Bitmap Offset counts pairs, so the cut is at an even octet.
            (Some(first), Some(last)) => (first & !1, last + 1),
            _ => (0, 1),
        };
        Tim { dtim_count, dtim_period, group_traffic, offset: (start / 2) as u8, bitmap: &self.0[start..end] }
    }
}

/// The HT Capabilities element (802.11-2020 clause 9.4.2.55).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HtCapabilities {
    /// HT Capability Information; see the constants.
    pub info: u16,
    /// A-MPDU Parameters: maximum length exponent in bits 0 and 1 (2^(13 + exponent) - 1 octets), minimum start spacing
    /// in bits 2 to 4.
    pub ampdu: u8,
    /// Supported MCS Set.
    pub mcs_set: [u8; 16],
    /// HT Extended Capabilities.
    pub extended: u16,
    /// Transmit Beamforming Capabilities.
    pub beamforming: u32,
    /// ASEL Capability.
    pub antenna_selection: u8,
}

impl HtCapabilities {
    /// Information bit: 40 MHz as well as 20 MHz.
    pub const WIDE: u16 = 0x0002;
    /// Information bit: short guard interval at 20 MHz.
    pub const SHORT_GI_20: u16 = 0x0020;
    /// Information bit: short guard interval at 40 MHz.
    pub const SHORT_GI_40: u16 = 0x0040;

    pub(super) const ID: u8 = 45;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let (info, extended) = (self.info.to_le_bytes(), self.extended.to_le_bytes());
        let (beamforming, selection) = (self.beamforming.to_le_bytes(), [self.antenna_selection]);
        emit(Self::ID, [&info, &[self.ampdu], &self.mcs_set, &extended, &beamforming, &selection], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        if body.rest().len() != 26 {
            return Err(Error::Malformed("HT Capabilities element"));
        }
        Ok(Self {
            info: body.le16()?,
            ampdu: body.u8()?,
            mcs_set: body.array()?,
            extended: body.le16()?,
            beamforming: body.le32()?,
            antenna_selection: body.u8()?,
        })
    }
}

/// The HT Operation element (802.11-2020 clause 9.4.2.56).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HtOperation {
    /// Primary Channel, a channel number.
    pub primary_channel: u8,
    /// HT Operation Information: in the first octet the secondary channel offset (bits 0 and 1: 0 none, 1 above,
    /// 3 below) and the channel width (bit 2: wider than 20 MHz).
    pub info: [u8; 5],
    /// Basic HT-MCS Set.
    pub basic_mcs_set: [u8; 16],
}

impl HtOperation {
    pub(super) const ID: u8 = 61;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        emit(Self::ID, [&[self.primary_channel], &self.info, &self.basic_mcs_set], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        if body.rest().len() != 22 {
            return Err(Error::Malformed("HT Operation element"));
        }
        Ok(Self { primary_channel: body.u8()?, info: body.array()?, basic_mcs_set: body.array()? })
    }
}
