//! Elements of 802.11ac and 802.11ax: what a network and its members can do beyond 802.11n (802.11-2020 clauses 9.4.2.157 and
//! 9.4.2.158, 802.11ax-2021 clauses 9.4.2.248 and 9.4.2.249).

use super::element::emit;
use crate::Error;
use crate::bytes::Cursor;

/// The identifier of elements that have another one in their first octet.
pub(super) const EXTENSION: u8 = 255;

/// The highest schemes of up to eight streams, two bits each: those of one stream lowest. 3 stands for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McsMap(pub u16);

impl McsMap {
    /// `code` for each of so many streams, none for more.
    pub const fn of(streams: u8, code: u16) -> Self {
        let (mut map, mut stream) = (0xffff_u16, 0);
        while stream < streams && stream < 8 {
            map = map & !(3 << (2 * stream)) | code << (2 * stream);
            stream += 1;
        }
        Self(map)
    }
}

/// The VHT Capabilities element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VhtCapabilities {
    /// VHT Capabilities Information; see the constants.
    pub info: u32,
    /// What it receives: codes 0 to 2 for MCS 7, 8 and 9.
    pub receives: McsMap,
    /// What it sends.
    pub sends: McsMap,
}

impl VhtCapabilities {
    /// Information: MPDUs of up to 7,991 octets.
    pub const MIDDLE_MPDU: u32 = 1;
    /// Information: MPDUs of up to 11,454 octets.
    pub const LONG_MPDU: u32 = 2;
    /// Information: 160 MHz.
    pub const WIDE: u32 = 1 << 2;
    /// Information: low-density parity checks are received.
    pub const LDPC: u32 = 1 << 4;
    /// Information: short guard interval at 80 MHz.
    pub const SHORT_GI_80: u32 = 1 << 5;
    /// Information: short guard interval at 160 MHz.
    pub const SHORT_GI_160: u32 = 1 << 6;
    /// Information: the place of n, for A-MPDUs of up to 2^(13 + n) - 1 octets.
    pub const AMPDU: u32 = 23;

    pub(super) const ID: u8 = 191;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let (receives, sends) = (self.receives.0.to_le_bytes(), self.sends.0.to_le_bytes());
        emit(Self::ID, [&self.info.to_le_bytes(), &receives, &[0, 0], &sends, &[0, 0]], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        if body.rest().len() != 12 {
            return Err(Error::Malformed("VHT Capabilities element"));
        }
        let (info, receives, _, sends) = (body.le32()?, body.le16()?, body.le16()?, body.le16()?);
        Ok(Self { info, receives: McsMap(receives), sends: McsMap(sends) })
    }
}

/// The VHT Operation element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VhtOperation {
    /// 0 up to 40 MHz, 1 for 80 and 160 MHz.
    pub width: u8,
    /// The channel number at the centre of 80 MHz, and that at the centre of 160 MHz; zero where there is none.
    pub centres: [u8; 2],
    /// What every member has to have.
    pub basic: McsMap,
}

impl VhtOperation {
    pub(super) const ID: u8 = 192;

    /// The width in MHz where it is 80 or more (802.11-2020 table 11-23: a second centre makes it 160); none of a narrower network.
    pub fn width_mhz(&self) -> Option<u16> {
        match (self.width, self.centres[1]) {
            (0, _) => None,
            (1, 0) => Some(80),
            _ => Some(160),
        }
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        emit(Self::ID, [&[self.width], &self.centres, &self.basic.0.to_le_bytes()], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        if body.rest().len() != 5 {
            return Err(Error::Malformed("VHT Operation element"));
        }
        Ok(Self { width: body.u8()?, centres: body.array()?, basic: McsMap(body.le16()?) })
    }
}

/// The HE Capabilities element, without thresholds for packet extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeCapabilities {
    /// HE MAC Capabilities Information.
    pub mac: [u8; 6],
    /// HE PHY Capabilities Information; see the constants.
    pub phy: [u8; 11],
    /// What it receives and sends up to 80 MHz: codes 0 to 2 for MCS 7, 9 and 11.
    pub up_to_80: [McsMap; 2],
    /// The same at 160 MHz, if the PHY information says that there is such a width.
    pub at_160: Option<[McsMap; 2]>,
}

impl HeCapabilities {
    /// The first octet of the PHY information: 40 MHz at 2.4 GHz.
    pub const WIDTH_40: u8 = 1 << 1;
    /// The same octet: 40 and 80 MHz at 5 and 6 GHz.
    pub const WIDTH_80: u8 = 1 << 2;
    /// The same octet: 160 MHz at 5 and 6 GHz.
    pub const WIDTH_160: u8 = 1 << 3;
    /// The second octet: low-density parity checks.
    pub const LDPC: u8 = 1 << 5;
    /// The fourth octet of the MAC information: the place of what is added to the n of VHT, at 2.4 GHz of HT.
    pub const AMPDU: u8 = 3;

    pub(super) const ID: u8 = 35;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let maps = self.up_to_80.iter().chain(self.at_160.iter().flatten());
        let maps: Vec<u8> = maps.flat_map(|map| map.0.to_le_bytes()).collect();
        emit(EXTENSION, [&[Self::ID], &self.mac, &self.phy, &maps], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        let (mac, phy) = (body.array()?, body.array::<11>()?);
        let mut maps = || Ok::<_, Error>([McsMap(body.le16()?), McsMap(body.le16()?)]);
        let up_to_80 = maps()?;
        let at_160 = (phy[0] & Self::WIDTH_160 != 0).then(maps).transpose()?;
        Ok(Self { mac, phy, up_to_80, at_160 })
    }
}

/// The HE Operation element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeOperation {
    /// Colour of the network, 1 to 63.
    pub colour: u8,
    /// What every member has to have.
    pub basic: McsMap,
    /// At 6 GHz the primary channel, the width (0 to 3 for 20 to 160 MHz) and the channel numbers at the centres of 80 and 160 MHz.
    pub six_ghz: Option<[u8; 4]>,
}

impl HeOperation {
    /// Parameters: RTS is not asked for after any time, and whether what concerns 6 GHz follows.
    const NO_RTS: u32 = 1023 << 4;
    const SIX_GHZ: u32 = 1 << 17;
    /// Mbit/s that a member at 6 GHz has to reach.
    const LEAST_RATE: u8 = 6;

    pub(super) const ID: u8 = 36;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let six = if self.six_ghz.is_some() { Self::SIX_GHZ } else { 0 };
        let [a, b, c, _] = (Self::NO_RTS | six).to_le_bytes();
        let told: Vec<u8> =
            self.six_ghz.iter().flatten().copied().chain(self.six_ghz.map(|_| Self::LEAST_RATE)).collect();
        emit(EXTENSION, [&[Self::ID], &[a, b, c], &[self.colour], &self.basic.0.to_le_bytes(), &told], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        let [a, b, c] = body.array()?;
        let parameters = u32::from_le_bytes([a, b, c, 0]);
        let (colour, basic) = (body.u8()? & 63, McsMap(body.le16()?));
        // What concerns VHT, and networks with one beacon for several, stands before it.
        let (vht, hosted) = (parameters & 1 << 14 != 0, parameters & 1 << 15 != 0);
        let _ = body.take(if vht { 3 } else { 0 } + usize::from(hosted))?;
        let six_ghz = (parameters & Self::SIX_GHZ != 0).then(|| body.array()).transpose()?;
        Ok(Self { colour, basic, six_ghz })
    }
}

/// The HE 6 GHz Band Capabilities element: what elements of 802.11n and 802.11ac say in other bands (802.11ax-2021 clause 9.4.2.263).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SixGhzCapabilities(pub u16);

impl SixGhzCapabilities {
    /// The place of n, for A-MPDUs of up to 2^(13 + n) - 1 octets.
    pub const AMPDU: u32 = 3;
    /// MPDUs of up to 7,991 octets.
    pub const MIDDLE_MPDU: u16 = 1 << 6;
    /// MPDUs of up to 11,454 octets.
    pub const LONG_MPDU: u16 = 2 << 6;

    pub(super) const ID: u8 = 59;

    pub(super) fn emit(self, out: &mut Vec<u8>) -> Result<(), Error> {
        emit(EXTENSION, [&[Self::ID], &self.0.to_le_bytes()], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        body.le16().map(Self)
    }
}
