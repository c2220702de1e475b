//! Whole capture records of a radio.

use crate::ieee80211::{DataRepr, Frame, fcs};
use crate::radiotap::Flags;
use crate::{Error, EtherType, Packet, RadiotapRepr, SnapRepr};

/// How a frame's check sequence came out at the radio that captured it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fcs {
    /// It matches.
    Good,
    /// The frame was corrupted. Its other octets are captured as they were sent; the check sequence shows the
    /// corruption.
    Bad,
}

/// What a radio captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mpdu<'a> {
    /// A data frame with an IPv4 packet in LLC/SNAP, of whose payload perhaps only the length is known.
    Packet(DataRepr, Packet<'a>),
    /// Any other frame.
    Frame(Frame<'a>),
}

/// A capture record of link type [`RADIOTAP`](crate::LinkType::RADIOTAP): radiotap, MPDU, frame check sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AirFrame<'a> {
    /// What the radio knew. The flags about the frame check sequence are set by [`emit`](Self::emit).
    pub radiotap: RadiotapRepr,
    /// The frame.
    pub mpdu: Mpdu<'a>,
    /// Its check sequence.
    pub fcs: Fcs,
}

impl AirFrame<'_> {
    /// Appends the first octets of the record, at most `room` of them, and returns the length of the whole record in
    /// octets. Checksums and the frame check sequence are those of the whole frame.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if the packet or an element exceeds what its format can hold; nothing is appended then.
    pub fn emit(&self, room: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        let start = out.len();
        self.emit_whole_or_cut(start, room, out).inspect_err(|_| out.truncate(start))
    }

    fn emit_whole_or_cut(&self, start: usize, room: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        let verdict = match self.fcs {
            Fcs::Good => Flags::FCS_AT_END,
            Fcs::Bad => Flags::FCS_AT_END | Flags::BAD_FCS,
        };
        let others =
            Flags(self.radiotap.flags.unwrap_or_default().0 & !(Flags::FCS_AT_END | Flags::BAD_FCS).0);
        RadiotapRepr { flags: Some(others | verdict), ..self.radiotap }.emit(out);
        let mpdu = out.len();
        let len = match &self.mpdu {
            Mpdu::Frame(frame) => {
                frame.emit(out)?;
                out.len() - start
            }
            Mpdu::Packet(header, packet) => {
                header.emit(out);
                SnapRepr { ethertype: EtherType::IPV4 }.emit(out);
                let headers = out.len() - start;
                headers + packet.emit(room.saturating_sub(headers), out)?
            }
        };
        // Only a frame captured to its end shows its check sequence; of any other, not all octets are here to check.
        if len < room {
            let mut fcs = fcs::compute(&out[mpdu..]);
            if self.fcs == Fcs::Bad {
                fcs = fcs.map(|octet| !octet);
            }
            out.extend_from_slice(&fcs);
        }
        out.truncate(start.saturating_add(room));
        Ok(len + fcs::LEN)
    }
}
