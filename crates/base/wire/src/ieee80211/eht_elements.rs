//! Elements of 802.11be: what a network and its members can do beyond 802.11ax (802.11be-2024 clauses 9.4.2.321 and 9.4.2.323).

use super::element::emit;
use super::wide_elements::EXTENSION;
use crate::Error;
use crate::bytes::Cursor;

/// The most streams that a member receives (low four bits) and sends (high four) with MCS 0 to 9, with 10 and 11, and with 12 and 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamsByMcs(pub [u8; 3]);

impl StreamsByMcs {
    /// So many with every MCS, either way.
    pub const fn all(streams: u8) -> Self {
        Self([streams | streams << 4; 3])
    }
}

/// The EHT Capabilities element of an access point, without thresholds for packet extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EhtCapabilities {
    /// EHT MAC Capabilities Information; see the constants.
    pub mac: u16,
    /// EHT PHY Capabilities Information; see the constants.
    pub phy: [u8; 9],
    /// What it receives and sends up to 80 MHz.
    pub up_to_80: StreamsByMcs,
    /// The same at 160 MHz, if its HE Capabilities say that there is such a width.
    pub at_160: Option<StreamsByMcs>,
    /// The same at 320 MHz, if the PHY information says that there is such a width.
    pub at_320: Option<StreamsByMcs>,
}

impl EhtCapabilities {
    /// MAC information: MPDUs of up to 11,454 octets, at 2.4 GHz, where nothing else says so.
    pub const LONG_MPDU: u16 = 2 << 6;
    /// MAC information: A-MPDUs of up to 2^24 - 1 octets, but 15,523,200 at most.
    pub const LONG_AMPDU: u16 = 1 << 8;
    /// The first octet of the PHY information: 320 MHz at 6 GHz.
    pub const WIDTH_320: u8 = 1 << 1;

    pub(super) const ID: u8 = 108;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let wider = [self.at_160, self.at_320].into_iter().flatten();
        let maps: Vec<u8> = std::iter::once(self.up_to_80).chain(wider).flat_map(|map| map.0).collect();
        emit(EXTENSION, [&[Self::ID], &self.mac.to_le_bytes(), &self.phy, &maps], out)
    }

    /// `at_160`: the HE Capabilities before it say that there is such a width.
    pub(super) fn parse(mut body: Cursor<'_>, at_160: bool) -> Result<Self, Error> {
        let (mac, phy) = (body.le16()?, body.array::<9>()?);
        let mut map = || body.array().map(StreamsByMcs);
        let up_to_80 = map()?;
        let at_160 = at_160.then(&mut map).transpose()?;
        let at_320 = (phy[0] & Self::WIDTH_320 != 0).then(map).transpose()?;
        Ok(Self { mac, phy, up_to_80, at_160, at_320 })
    }
}

/// The EHT Operation element, without punctured channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EhtOperation {
    /// What every member has to have: the most streams that it receives and sends with MCS 0 to 7, 8 and 9, 10 and 11, 12 and 13.
    pub basic: [u8; 4],
    /// The width (0 to 4 for 20 to 320 MHz) and the channel numbers at the centres of the wider half and of the whole, where its HE Operation
    /// does not say it.
    pub channel: Option<[u8; 3]>,
}

impl EhtOperation {
    /// Parameters: where the channel is follows.
    const CHANNEL: u8 = 1;

    pub(super) const ID: u8 = 106;

    /// The width in MHz, where it says it.
    pub fn width_mhz(&self) -> Option<u16> {
        self.channel.map(|[code, ..]| code & 7).filter(|&code| code <= 4).map(|code| 20 << code)
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let parameters = if self.channel.is_some() { Self::CHANNEL } else { 0 };
        emit(
            EXTENSION,
            [&[Self::ID], &[parameters], &self.basic, self.channel.as_slice().as_flattened()],
            out,
        )
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        let (parameters, basic) = (body.u8()?, body.array()?);
        let channel = (parameters & Self::CHANNEL != 0).then(|| body.array()).transpose()?;
        Ok(Self { basic, channel })
    }
}
