//! How a driver gives its receivers their turns: as one that is built in, or by a scheduler that the caller brings.

use airloom_rate::Rate;
use airloom_sim::{Brought, BroughtName, Duration, Making, NameError, ParameterValue, Time};
use std::sync::Arc;

/// How a driver gives the TIDs of a category their turns where it does not share air time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// One PPDU each; one that has sent keeps its turn in the next round, whether it has a frame by then or not.
    Round,
    /// As ath9k until Linux 3.11: one has its turn until the hardware is full, and stays in the round only while it has more.
    Linux3_2,
    /// As ath9k of Linux 3.15 to 4.10: one PPDU each; and whenever the driver finds the hardware full, the next one goes to the tail
    /// without a turn.
    Linux3_15,
    /// As a scheduler says that somebody brings.
    Own(BroughtName),
}

impl Turns {
    /// Those that are built in, and the words for them.
    pub const WORDS: &[(&str, Self)] =
        &[("round", Self::Round), ("linux-3.2", Self::Linux3_2), ("linux-3.15", Self::Linux3_15)];

    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Linux3_2 => "linux-3.2",
            Self::Linux3_15 => "linux-3.15",
            Self::Own(own) => own.text(),
        }
    }
}

/// One that may have something to send.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// The name of its receiver; of frames to a group, that of the access point.
    pub receiver: &'a str,
    /// Its number (IEEE 802.11-2020 9.2.4.5.2).
    pub tid: u8,
    /// The rate at which its next PPDU would go.
    pub rate: Rate,
}

/// Data that was on the air.
#[derive(Clone, Copy, Debug)]
pub struct Aired<'a> {
    /// The name of the other end.
    pub peer: &'a str,
    /// Its number.
    pub tid: u8,
    /// How long the PPDU took, without what answers it.
    pub time: Duration,
    /// It came from there, and some of it was heard.
    pub up: bool,
}

/// What gives turns, in one access category of one radio.
pub trait Scheduler {
    /// The place in the list of the one whose PPDU is formed next. The list is in the order of a round: one that has had its turn is at the
    /// end, and so is one that has something again. One that turns out to have nothing leaves it, and the scheduler is asked again.
    fn next(&mut self, now: Time, waiting: &[Waiting<'_>]) -> usize;

    /// Data was on the air, to a receiver or from one.
    fn aired(&mut self, _now: Time, _aired: &Aired<'_>) {}
}

/// Makes the scheduler of a category of a radio.
type Make = dyn Fn(&Making) -> Box<dyn Scheduler> + Send + Sync;

/// All that were brought.
pub static OWN_SCHEDULERS: Brought<Make> = Brought::new();

/// Brings a scheduler with these parameters, each with its default: from now on scenarios may name it where they name `"round"`. One of
/// the same name, brought before, is replaced. One that answers with a place beyond its list ends the run in a panic.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register_scheduler(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    make: impl Fn(&Making) -> Box<dyn Scheduler> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    let built_in: Vec<&str> = Turns::WORDS.iter().map(|(word, _)| *word).collect();
    OWN_SCHEDULERS.bring(name, &built_in, parameters, Arc::new(make))
}
