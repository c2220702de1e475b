//! An access point's announcement that it goes to another channel.

use super::element;
use crate::Error;
use crate::bytes::Cursor;

/// The Channel Switch Announcement element, and the extended one if a class is known (802.11-2020 clauses 9.4.2.18 and 9.4.2.52).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchAnnouncement {
    /// Stations are to send nothing until the access point has gone (mode 1).
    pub quiet: bool,
    /// The operating class of the new channel, which the extended element alone has (table E-4).
    pub class: Option<u8>,
    /// The number of the new channel, in the band of the beacon unless the class says otherwise.
    pub channel: u8,
    /// Beacons until the access point goes; with 0 it goes at any time.
    pub count: u8,
}

impl SwitchAnnouncement {
    pub(super) const ID: u8 = 37;
    pub(super) const EXTENDED_ID: u8 = 60;

    /// Appends the element.
    pub(super) fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        element::emit(Self::ID, [&[self.quiet.into(), self.channel, self.count]], out)
    }

    /// Appends the extended one, if a class is known.
    pub(super) fn emit_extended(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let Some(class) = self.class else { return Ok(()) };
        element::emit(Self::EXTENDED_ID, [&[self.quiet.into(), class, self.channel, self.count]], out)
    }

    /// Reads the element; it knows no class.
    pub(super) fn parse(mut body: Cursor<'_>) -> Option<Self> {
        let [mode, channel, count] = body.array().ok()?;
        Some(Self { quiet: mode == 1, class: None, channel, count })
    }

    /// Reads the extended element.
    pub(super) fn parse_extended(mut body: Cursor<'_>) -> Option<Self> {
        let [mode, class, channel, count] = body.array().ok()?;
        Some(Self { quiet: mode == 1, class: Some(class), channel, count })
    }
}
