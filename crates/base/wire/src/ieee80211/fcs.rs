//! The frame check sequence (802.11-2020 clause 9.2.4.8).

use crate::Error;

/// Length in octets.
pub const LEN: usize = 4;

/// The frame check sequence of a frame, in the order of its octets on the air.
pub fn compute(frame: &[u8]) -> [u8; LEN] {
    // The polynomial of highest degree goes first and each octet's low bit goes first: that is CRC-32 (IEEE 802.3),
    // least significant octet first.
    crc32fast::hash(frame).to_le_bytes()
}

/// Checks the frame check sequence at the end of a frame and returns the frame without it.
///
/// # Errors
///
/// [`Error::Truncated`] below 4 octets; [`Error::Checksum`] if it does not match.
pub fn strip(frame: &[u8]) -> Result<&[u8], Error> {
    let (frame, fcs) = frame.split_last_chunk::<LEN>().ok_or(Error::Truncated)?;
    if compute(frame) == *fcs { Ok(frame) } else { Err(Error::Checksum) }
}
