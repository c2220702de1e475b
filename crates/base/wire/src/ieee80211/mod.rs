//! IEEE 802.11 frames (802.11-2020 clause 9), without what the PHY adds around them.

mod amsdu;
mod any;
mod class;
mod control;
mod data;
mod edca;
mod eht_elements;
mod element;
pub mod fcs;
mod header;
mod joining;
mod key_message;
mod management;
mod rsn;
mod switch;
mod transition;
mod wide_elements;

pub use amsdu::Subframe;
pub use any::{AnyFrame, Subtype};
pub use class::FrameClass;
pub use control::{Acknowledged, BarPolicy, ControlRepr};
pub use data::{AckPolicy, Addressing, DataRepr, Qos};
pub use edca::{AcParameters, EdcaParameters};
pub use eht_elements::{EhtCapabilities, EhtOperation, StreamsByMcs};
pub use element::{HtCapabilities, HtOperation, Tim, TrafficMap};
pub use header::{Flags, SequenceControl};
pub use joining::Joining;
pub use key_message::KeyMessage;
pub use management::{
    AddBaParameters, Authentication, BssDescription, Capabilities, ManagementBody, ManagementRepr,
    Reassociation,
};
pub use rsn::{Rsn, Security};
pub use switch::SwitchAnnouncement;
pub use transition::{Neighbour, TransitionRequest};
pub use wide_elements::{
    HeCapabilities, HeOperation, McsMap, SixGhzCapabilities, VhtCapabilities, VhtOperation,
};

use crate::Error;
use crate::bytes::Cursor;
use header::{FrameControl, FrameType};

/// A frame without its frame check sequence (802.11-2020 clause 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A data frame, QoS or not, with or without data.
    Data {
        /// Its header.
        header: DataRepr,
        /// The frame body; LLC first. Empty in null frames.
        body: &'a [u8],
    },
    /// A control frame.
    Control(ControlRepr),
    /// A management frame.
    Management(ManagementRepr<'a>),
}

impl<'a> Frame<'a> {
    /// Appends the frame, without a frame check sequence.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if an element of a management frame exceeds what it may hold; nothing is appended then.
    pub fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Data { header, body } => {
                header.emit(out);
                out.extend_from_slice(body);
            }
            Self::Control(control) => control.emit(out),
            Self::Management(management) => management.emit(out)?,
        }
        Ok(())
    }

    /// Parses a frame from which the frame check sequence has been taken off ([`fcs::strip`]).
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if a header or an element is not complete, [`Error::Unsupported`] for frame types and
    /// subtypes not described here, [`Error::Malformed`] where fields contradict each other.
    pub fn parse(mpdu: &'a [u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(mpdu);
        let control = FrameControl::parse(cursor.le16()?)?;
        match control.kind {
            FrameType::Data => {
                let (header, body) = DataRepr::parse(control, cursor)?;
                Ok(Self::Data { header, body })
            }
            FrameType::Control => ControlRepr::parse(control, cursor).map(Self::Control),
            FrameType::Management => ManagementRepr::parse(control, cursor).map(Self::Management),
        }
    }
}
