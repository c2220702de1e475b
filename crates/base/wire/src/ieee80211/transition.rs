//! Other access points as one names them, and its requests to go there (BSS Transition Management, 802.11-2020 clause 9.6.13.9).

use super::element;
use crate::bytes::Cursor;
use crate::{Error, MacAddr};

const NEIGHBOUR_REPORT: u8 = 52;

/// Fields that stand before the list of candidates: BSS Termination Duration, a subelement of 12 octets, and a URL with its length.
const HAS_TERMINATION: u8 = 1 << 3;
const HAS_URL: u8 = 1 << 4;
const TERMINATION_LEN: usize = 12;

/// An access point that a station may go to: the fixed fields of a Neighbor Report element (802.11-2020 clause 9.4.2.36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// Its address.
    pub bssid: MacAddr,
    /// BSSID Information: whether it is within reach, and what it supports.
    pub info: u32,
    /// The operating class of its channel (annex E).
    pub class: u8,
    /// The number of its primary channel.
    pub channel: u8,
    /// Its PHY (`dot11PHYType`): 7 for HT, 9 for VHT, 14 for HE.
    pub phy: u8,
}

impl Neighbour {
    /// Appends the element.
    ///
    /// # Errors
    /// None that its length could cause.
    pub fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let rest = [self.class, self.channel, self.phy];
        element::emit(NEIGHBOUR_REPORT, [&self.bssid.0, &self.info.to_le_bytes(), &rest], out)
    }

    fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        let (bssid, info) = (MacAddr(body.array()?), body.le32()?);
        let [class, channel, phy] = body.array()?;
        Ok(Self { bssid, info, class, channel, phy })
    }
}

/// What an access point asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransitionRequest {
    /// Matches request and response.
    pub dialog_token: u8,
    /// Request Mode, of which those bits are cleared that announce what is not kept here.
    pub mode: u8,
    /// Beacon intervals until the access point ends the association, if `mode` says that it will.
    pub timer: u16,
    /// Beacon intervals for which the candidate is one.
    pub validity: u8,
    /// The first candidate, if any is named.
    pub candidate: Option<Neighbour>,
}

impl TransitionRequest {
    /// Of `mode`: candidates are named.
    pub const CANDIDATES: u8 = 1;
    /// Of `mode`: access points that are not named are not to be gone to.
    pub const ABRIDGED: u8 = 1 << 1;
    /// Of `mode`: the access point will end the association.
    pub const IMMINENT: u8 = 1 << 2;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(&[self.dialog_token, self.mode & !(HAS_TERMINATION | HAS_URL)]);
        out.extend_from_slice(&self.timer.to_le_bytes());
        out.push(self.validity);
        self.candidate.map_or(Ok(()), |candidate| candidate.emit(out))
    }

    pub(super) fn parse(dialog_token: u8, mut cursor: Cursor<'_>) -> Result<Self, Error> {
        let (mode, timer, validity) = (cursor.u8()?, cursor.le16()?, cursor.u8()?);
        if mode & HAS_TERMINATION != 0 {
            cursor.take(TERMINATION_LEN)?;
        }
        if mode & HAS_URL != 0 {
            let len = cursor.u8()?;
            cursor.take(len.into())?;
        }
        let mut candidate = None;
        while let Some((id, body)) = element::next(&mut cursor)? {
            if id == NEIGHBOUR_REPORT && candidate.is_none() {
                candidate = Some(Neighbour::parse(body)?);
            }
        }
        let mode = mode & !(HAS_TERMINATION | HAS_URL);
        Ok(Self { dialog_token, mode, timer, validity, candidate })
    }
}
