//! An attempt of a radio: its frame on the air, its queue and its progress.

use crate::id::{BssId, MediumId, RadioId};
use crate::phy::FrameProtection;
use crate::radio::Function;
use airloom_observe::FrameKind;
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};

/// One radio's attempt: a frame or several, and the response it waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// The radio.
    pub(super) radio: RadioId,
    /// The radio's network.
    pub(super) bss: BssId,
    /// Which of its queues.
    pub(super) function: Function,
    /// The medium that the radio senses.
    pub(super) medium: MediumId,
    /// The protection before the main frame.
    pub(super) protection: FrameProtection,
    /// The main frame.
    pub(super) main: Main,
    /// The stage of the attempt.
    pub(super) stage: Stage,
    /// When it advances next.
    pub(super) next: Time,
    /// When it began.
    pub(super) begun: Time,
    /// Until when its TXOP lasts, if it may hold more than this attempt.
    pub(super) txop: Time,
    /// No frame followed in its TXOP.
    pub(super) vacant: bool,
    /// The frame on the air.
    pub(super) frame: Frame,
    /// The receiver was listening as it began.
    pub(super) heard: bool,
    /// The main frame was sent, rather than only an RTS before it.
    pub(super) sent: bool,
    /// The receiver has sent something too.
    pub(super) responded: bool,
    /// The response was received, or none was due.
    pub(super) answered: bool,
    /// MPDUs that were received without errors.
    pub(super) good: u32,
    /// When all other radios may count slots again.
    pub(super) quiet: Time,
}

/// The main frame of an attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Main {
    /// Its rate.
    pub(super) rate: Rate,
    /// Its air time.
    pub(super) length: Duration,
    /// What answers it, unless it is a beacon.
    pub(super) response: Response,
}

/// The response to a main frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Response {
    /// Ack or BlockAck.
    pub(super) kind: FrameKind,
    /// Its rate.
    pub(super) rate: Rate,
    /// Its length in bytes.
    pub(super) bytes: u32,
    /// Its air time.
    pub(super) length: Duration,
}

/// The stage of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The space between two frames of one TXOP.
    Space,
    /// RTS is on the air.
    Rts,
    /// RTS has been received; CTS is due.
    Cts,
    /// The main frame is on the air.
    Main,
    /// It has been received; the response is due.
    Response,
    /// It is over.
    Over,
}

/// A frame on the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The transmitter.
    pub(super) from: RadioId,
    /// The receiver; none for a broadcast.
    pub(super) to: Option<RadioId>,
    /// When its preamble begins.
    pub(super) start: Time,
    /// When its last symbol ends.
    pub(super) end: Time,
    /// The receiver hears another frame as well, or transmits itself.
    pub(super) disturbed: bool,
}
