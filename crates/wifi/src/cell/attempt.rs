//! What a radio has on the air: which frame, on whose behalf, and how far it has come.

use crate::id::{MediumId, RadioId};
use crate::phy::Guard;
use crate::radio::Function;
use airloom_sim::Time;

/// One radio's attempt: a frame or several, and the response it waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// The radio.
    pub(super) radio: RadioId,
    /// Which of its queues.
    pub(super) function: Function,
    /// The medium that the radio senses.
    pub(super) medium: MediumId,
    /// What goes before the frame that matters.
    pub(super) guard: Guard,
    /// How far it has come.
    pub(super) stage: Stage,
    /// When the next is known of it.
    pub(super) next: Time,
    /// When it began.
    pub(super) begun: Time,
    /// The frame on the air.
    pub(super) frame: Frame,
    /// The receiver listened as it began.
    pub(super) heard: bool,
    /// The frame that matters was sent, rather than only an RTS before it.
    pub(super) sent: bool,
    /// The receiver has sent something too.
    pub(super) responded: bool,
    /// The response was received, or none was due.
    pub(super) answered: bool,
    /// MPDUs that were received well.
    pub(super) good: u32,
    /// When everybody else may count slots again.
    pub(super) quiet: Time,
}

/// How far an attempt has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// RTS is on the air.
    Rts,
    /// RTS has been received; CTS is due.
    Cts,
    /// The frame that matters is on the air.
    Main,
    /// It has been received; the response is due.
    Response,
    /// Nothing more comes.
    Over,
}

/// A frame on the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Who transmits.
    pub(super) from: RadioId,
    /// Who is to receive; none for a broadcast.
    pub(super) to: Option<RadioId>,
    /// When its preamble begins.
    pub(super) start: Time,
    /// When its last symbol ends.
    pub(super) end: Time,
    /// The receiver hears something else as well, or transmits itself.
    pub(super) disturbed: bool,
}
