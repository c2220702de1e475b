//! The rate of data PPDUs: fixed, scripted, or adaptive.
//!
//! An adaptive rate control is one file: its parameters, with their words, bounds and defaults in a scenario
//! ([`Walk`](airloom_sim::Walk)), and the control that they configure ([`RateControl`]). The list is in `adaptive.rs`. A caller
//! brings one of its own by [`register_rate_control`].

mod aarf;
mod adaptive;
mod arf;
mod chain;
mod firmware;
mod minstrel;
mod onoe;
mod own;
mod scripted;

pub use adaptive::*;
pub use chain::Chain;
pub(crate) use chain::MOST_TRIES;
pub use firmware::Ladder;
pub use minstrel::MinstrelHt;
pub use own::{OWN_RATE_CONTROLS, register_rate_control};

use crate::id::RateId;
use airloom_rate::Rate;
use airloom_sim::{BroughtName, Duration, Stream, Time};
use scripted::Script;

/// How the rate of data PPDUs is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum RateChoice {
    /// A fixed rate.
    Fixed(Rate),
    /// One rate after another, each from its time after the start on; the first begins at zero, and the times ascend.
    Scripted(Vec<(Duration, Rate)>),
    /// Adaptive.
    Adaptive(Adaptive),
    /// By a rate control that the caller brought.
    Own(BroughtName),
}

impl RateChoice {
    /// The rates to choose from, and the control that chooses.
    pub(crate) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        match self {
            &Self::Fixed(rate) => Script::control(&[(Duration::ZERO, rate)]),
            Self::Scripted(steps) => Script::control(steps),
            Self::Adaptive(adaptive) => adaptive.control(setup),
            &Self::Own(own) => {
                let rates = setup.steps();
                let control = OWN_RATE_CONTROLS.make(own)(&own.making(setup.seed), &rates);
                (rates, control)
            }
        }
    }
}

/// A control that keeps to one rate.
pub(crate) fn kept(rate: RateId) -> Box<dyn RateControl> {
    Box::new(Script::new(rate, []))
}

/// The inputs from which a rate control is made.
pub(crate) struct Setup<'a> {
    /// The rates that both ends can send, of every width, slowest first.
    pub(crate) rates: &'a [Rate],
    /// The parameters of an adapter's firmware.
    pub(crate) firmware: Ladder,
    /// Which of Linux's Minstrel-HT a driver has.
    pub(crate) minstrel: MinstrelHt,
    /// The random stream.
    pub(crate) chance: Stream,
    /// The seed of a control that somebody brings.
    pub(crate) seed: u64,
}

impl Setup<'_> {
    /// The rates of the full width, without those that are no faster than the one before.
    fn steps(&self) -> Vec<Rate> {
        let widest = self.rates.iter().map(|rate| rate.width()).max();
        let mut rates: Vec<_> =
            self.rates.iter().copied().filter(|rate| Some(rate.width()) == widest).collect();
        rates.dedup_by_key(|rate| rate.bit_rate());
        rates
    }
}

/// A control over a list of rates, which it knows by their indices.
pub trait RateControl: Send {
    /// The rate that it would choose for most PPDUs now.
    fn preferred(&self) -> RateId;

    /// The rates of the next PPDU, which begins with a packet that must try `sample`: the preferred one, unless the
    /// control says otherwise.
    fn choose(&self, _sample: Option<RateId>) -> Chain {
        Chain::always(self.preferred())
    }

    /// Whether a new choice holds for PPDUs that are in hardware already: a driver hands its chain of rates down with
    /// each, while other controls sit in the hardware themselves.
    fn is_in_hardware(&self) -> bool;

    /// One attempt is over: of `attempted` MPDUs `succeeded` were acknowledged. Known in hardware.
    fn attempted(&mut self, _attempted: u32, _succeeded: u32) {}

    /// Hardware hands back a PPDU that it sent by `chain` in this many attempts: of its `mpdus` at the last of them
    /// `succeeded` were acknowledged. Known in drivers.
    fn completed(&mut self, _now: Time, _chain: &Chain, _attempts: u32, _mpdus: u32, _succeeded: u32) {}

    /// A packet is handed down: the rate that it is to try, if it is to try one.
    fn sample(&mut self, _now: Time) -> Option<RateId> {
        None
    }

    /// Bytes of an MPDU with an A-MSDU at most, if it bounds them.
    fn longest_amsdu(&self) -> Option<u32> {
        None
    }

    /// The time of its next timed change, if there is one.
    fn due(&self) -> Option<Time> {
        None
    }

    /// The time is `now`, which may be later than the change was due.
    fn step(&mut self, _now: Time) {}
}
