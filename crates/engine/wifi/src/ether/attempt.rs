//! An attempt of a radio: its PPDU on the air, its queue and its progress.

use crate::id::{BssId, MediumId, RadioId};
use crate::phy::FrameProtection;
use crate::radio::AccessFunction;
use airloom_observe::FrameKind;
use airloom_rate::{Rate, Width};
use airloom_sim::{Duration, Time};

/// One radio's attempt: a frame or several, and the response it waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// The radio.
    pub(super) radio: RadioId,
    /// The radio's network.
    pub(super) bss: BssId,
    /// Which of its queues.
    pub(super) function: AccessFunction,
    /// The medium that the radio senses.
    pub(super) medium: MediumId,
    /// The protection before the main frame.
    pub(super) protection: FrameProtection,
    /// The main frame.
    pub(super) main: MainFrame,
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
    /// Its PPDUs on the air: one, since in no exchange do several radios answer at once.
    pub(super) on_air: [OnAir; 1],
    /// The main frame was sent, rather than only an RTS before it.
    pub(super) sent: bool,
    /// The receivers have sent something too.
    pub(super) responded: bool,
    /// The response was received, or none was due.
    pub(super) answered: bool,
    /// MPDUs that were received without errors, by user.
    pub(super) good: [u32; 1],
    /// When all other radios may count slots again.
    pub(super) quiet: Time,
}

// A larger one is copied by a call.
const _: () = assert!(size_of::<Attempt>() <= 128);

/// The main frame of an attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct MainFrame {
    /// Its rate, for each user.
    pub(super) rates: [Rate; 1],
    /// Its air time.
    pub(super) length: Duration,
    /// What each user answers, unless it is a beacon.
    pub(super) responses: [Response; 1],
}

impl Attempt {
    /// Who answered, if anybody did: its last PPDU is the answer, or its own that got none.
    pub(super) fn answerer(&self) -> Option<RadioId> {
        let [last] = &self.on_air;
        let answerer = if last.from == self.radio { last.radios().next() } else { Some(last.from) };
        answerer.filter(|_| self.responded)
    }

    /// What its frames fill of their channel: a control frame fills what the main frame does (802.11-2020 10.6.6.6).
    #[inline(always)]
    pub(super) fn width(&self) -> Width {
        self.main.width()
    }
}

impl MainFrame {
    /// Its width: below HT it goes in the primary 20 MHz alone.
    #[inline(always)]
    pub(super) fn width(&self) -> Width {
        let [rate] = self.rates;
        rate.width()
    }

    /// How long the answers last: as long as the longest.
    pub(super) fn answer(&self) -> Duration {
        let [Response { length, .. }] = self.responses;
        length
    }
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

/// A PPDU on the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnAir {
    /// The transmitter.
    pub(super) from: RadioId,
    /// When its preamble begins.
    pub(super) start: Time,
    /// When its last symbol ends.
    pub(super) end: Time,
    /// How each of its users receives it.
    pub(super) users: [Reception; 1],
}

/// How a user of a PPDU receives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reception {
    /// The user's radio; none for a broadcast, which goes to all.
    pub(super) by: Option<RadioId>,
    /// It was listening as the attempt began.
    pub(super) heard: bool,
    /// It hears another PPDU as well, or transmits itself.
    pub(super) disturbed: bool,
}

impl Reception {
    /// By all that listen, undisturbed so far.
    pub(super) const BROADCAST: Self = Self { by: None, heard: true, disturbed: false };

    /// By one that listens, undisturbed so far.
    pub(super) fn by(radio: RadioId) -> Self {
        Self { by: Some(radio), heard: true, disturbed: false }
    }

    /// The same, not yet disturbed.
    pub(super) fn anew(self) -> Self {
        Self { disturbed: false, ..self }
    }
}

impl OnAir {
    /// Whether no user can receive it, since all are disturbed.
    pub(super) fn is_disturbed(&self) -> bool {
        self.users.iter().all(|user| user.disturbed)
    }

    /// Whether this radio sends it, or is one of its users.
    pub(super) fn involves(&self, radio: RadioId) -> bool {
        self.from == radio || self.radios().any(|user| user == radio)
    }

    /// The radios of its users, if it is no broadcast.
    pub(super) fn radios(&self) -> impl Iterator<Item = RadioId> {
        self.users.into_iter().filter_map(|user| user.by)
    }
}
