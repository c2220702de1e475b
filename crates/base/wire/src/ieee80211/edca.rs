//! The EDCA Parameter Set element.

use super::element::emit;
use crate::Error;
use crate::bytes::Cursor;

/// How stations contend in one access category (802.11-2020 clause 9.4.2.28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcParameters {
    /// Slots after SIFS before backoff begins, four bits; higher bits are ignored.
    pub aifsn: u8,
    /// The exponent of the smallest contention window, 2^n - 1 slots, four bits.
    pub ecw_min: u8,
    /// The exponent of the largest contention window, four bits.
    pub ecw_max: u8,
    /// The TXOP limit in units of 32 us; 0 for one PPDU with its response.
    pub txop_limit: u16,
}

/// The EDCA Parameter Set element: how the stations of an access point contend (802.11-2020 clause 9.4.2.28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdcaParameters {
    /// The QoS Info field.
    pub qos_info: u8,
    /// By access category index: best effort, background, video, voice (802.11-2020 table 9-153).
    pub categories: [AcParameters; 4],
}

impl EdcaParameters {
    pub(super) const ID: u8 = 12;

    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut records = [[0; 4]; 4];
        for ((index, record), of) in (0..).zip(&mut records).zip(&self.categories) {
            let [low, high] = of.txop_limit.to_le_bytes();
            *record = [index << 5 | of.aifsn & 15, of.ecw_max << 4 | of.ecw_min & 15, low, high];
        }
        // The second octet updates what 802.11ax has beyond it: nothing.
        emit(Self::ID, [&[self.qos_info, 0], records.as_flattened()], out)
    }

    pub(super) fn parse(mut body: Cursor<'_>) -> Result<Self, Error> {
        if body.rest().len() != 18 {
            return Err(Error::Malformed("EDCA Parameter Set element"));
        }
        let mut parameters = Self { qos_info: body.u8()?, ..Self::default() };
        body.u8()?;
        for of in &mut parameters.categories {
            let (first, windows, txop_limit) = (body.u8()?, body.u8()?, body.le16()?);
            *of =
                AcParameters { aifsn: first & 15, ecw_min: windows & 15, ecw_max: windows >> 4, txop_limit };
        }
        Ok(parameters)
    }
}
