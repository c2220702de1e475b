//! Which rate a data PPDU is sent at: always the same, one by a script, or whichever has proved good.

mod arf;
mod firmware;
mod minstrel;
mod scripted;

pub use firmware::Ladder;

use crate::rate::Rate;
use airloom_sim::{Stream, Time};
use arf::Arf;
use firmware::Firmware;
use minstrel::Minstrel;
use scripted::Script;

/// How the rate of data PPDUs is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataRate {
    /// Always this.
    Fixed(Rate),
    /// The first to begin with, and then each of the others from its time on, in order of time.
    Scripted(Rate, Vec<(Time, Rate)>),
    /// One up or down these, slowest first, as ARF or AARF finds right.
    Arf {
        /// What there is to choose from.
        rates: Vec<Rate>,
        /// AARF.
        adaptive: bool,
    },
    /// The highest of these, slowest first, after so many successes, and down as an early adapter's firmware goes.
    Firmware {
        /// What there is to choose from.
        rates: Vec<Rate>,
        /// When it changes the rate.
        ladder: Ladder,
    },
    /// The best of these, slowest first, as Minstrel-HT finds it.
    Minstrel(Vec<Rate>),
}

impl DataRate {
    /// The rates to choose from, and the control that chooses, which draws from `chance`.
    pub(crate) fn control(&self, chance: Stream) -> (Vec<Rate>, RateControl) {
        match self {
            &Self::Fixed(rate) => (vec![rate], RateControl::Fixed),
            Self::Scripted(first, steps) => {
                // A script may come back to a rate any number of times; there are few.
                let mut rates = vec![*first];
                let mut index = |rate: Rate| {
                    rates.iter().position(|&known| known == rate).unwrap_or_else(|| {
                        rates.push(rate);
                        rates.len() - 1
                    })
                };
                let steps: Vec<_> = steps.iter().map(|&(at, rate)| (at, index(rate))).collect();
                (rates, RateControl::Scripted(Script::new(0, steps)))
            }
            Self::Arf { rates, adaptive } => {
                (rates.clone(), RateControl::Arf(Arf::new(rates.len(), *adaptive)))
            }
            Self::Firmware { rates, ladder } => {
                (rates.clone(), RateControl::Firmware(Firmware::new(rates.len(), *ladder)))
            }
            Self::Minstrel(rates) => {
                (rates.clone(), RateControl::Minstrel(Box::new(Minstrel::new(rates, chance))))
            }
        }
    }
}

/// A rate of a chain, and the attempts that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    /// Index into the rates.
    rate: u8,
    attempts: u32,
}

/// What a PPDU is sent at, by attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    stages: [Stage; 3],
    /// The first stage is a sample: one MPDU and one attempt.
    pub(crate) sample: bool,
}

impl Chain {
    /// This rate at every attempt.
    fn always(rate: usize) -> Self {
        Self { stages: [Stage { rate: rate as u8, attempts: u32::MAX }; 3], sample: false }
    }

    /// The stage of attempt `n`, counted from zero; the last one lasts.
    fn stage(&self, n: u32) -> usize {
        let [first, second, _] = self.stages.map(|stage| stage.attempts);
        usize::from(n >= first) + usize::from(n >= first.saturating_add(second))
    }

    /// The rate of attempt `n`.
    pub(crate) fn rate(&self, n: u32) -> usize {
        usize::from(self.stages[self.stage(n)].rate)
    }

    /// Whether attempt `n` is at a rate that is only fallen back upon.
    pub(crate) fn has_fallen_back(&self, n: u32) -> bool {
        self.stage(n) > 0
    }

    /// How often hardware sends a PPDU before it hands it back.
    pub(crate) fn attempts(&self) -> u32 {
        self.stages.iter().fold(0, |sum, stage| sum.saturating_add(stage.attempts))
    }

    /// All its rates.
    pub(crate) fn rates(&self) -> impl Iterator<Item = usize> {
        self.stages.into_iter().map(|stage| usize::from(stage.rate))
    }
}

/// A control over a list of rates.
pub(crate) enum RateControl {
    /// The only rate, always.
    Fixed,
    /// By a script.
    Scripted(Script),
    /// ARF or AARF.
    Arf(Arf),
    /// That of an early adapter's firmware.
    Firmware(Firmware),
    /// Minstrel-HT.
    Minstrel(Box<Minstrel>),
}

impl RateControl {
    /// A packet is handed down: the index of the rate that it is to try, if it is to try one.
    pub(crate) fn sample(&mut self) -> Option<u8> {
        match self {
            Self::Minstrel(minstrel) => minstrel.sample(),
            _ => None,
        }
    }

    /// The rates of the next PPDU, which begins with a packet that is to try `sample`.
    pub(crate) fn choose(&self, sample: Option<u8>) -> Chain {
        match self {
            Self::Fixed => Chain::always(0),
            Self::Scripted(script) => Chain::always(script.now()),
            Self::Arf(arf) => Chain::always(arf.rate()),
            Self::Firmware(firmware) => Chain::always(firmware.rate()),
            Self::Minstrel(minstrel) => minstrel.choose(sample),
        }
    }

    /// The rate that it would choose for most PPDUs now.
    pub(crate) fn preferred(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Scripted(script) => script.now(),
            Self::Arf(arf) => arf.rate(),
            Self::Firmware(firmware) => firmware.rate(),
            Self::Minstrel(minstrel) => minstrel.best(),
        }
    }

    /// Whether a new choice holds for PPDUs that are in hardware already: a driver hands its chain of rates down with
    /// each, while other controls sit in the hardware themselves.
    pub(crate) fn is_in_hardware(&self) -> bool {
        matches!(self, Self::Scripted(_) | Self::Arf(_) | Self::Firmware(_))
    }

    /// One attempt is over: of `attempted` MPDUs `succeeded` were acknowledged. For controls in hardware.
    pub(crate) fn attempted(&mut self, attempted: u32, succeeded: u32) {
        match self {
            Self::Fixed | Self::Scripted(_) | Self::Minstrel(_) => {}
            Self::Arf(arf) => arf.report(2 * succeeded >= attempted),
            Self::Firmware(firmware) => firmware.report(2 * succeeded >= attempted),
        }
    }

    /// Hardware hands back a PPDU that it sent by `chain`, so many attempts: of `mpdus` `succeeded` were acknowledged. For
    /// controls in drivers.
    pub(crate) fn completed(&mut self, now: Time, chain: &Chain, attempts: u32, mpdus: u32, succeeded: u32) {
        if let Self::Minstrel(minstrel) = self {
            minstrel.completed(now, chain, attempts, (mpdus, succeeded));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_falls_back_to_the_safest_rate() {
        let stage = |rate, attempts| Stage { rate, attempts };
        let chain = Chain { stages: [stage(9, 3), stage(7, 2), stage(2, 2)], sample: false };
        assert_eq!((0..8).map(|n| chain.rate(n)).collect::<Vec<_>>(), [9, 9, 9, 7, 7, 2, 2, 2]);
        assert_eq!((chain.attempts(), chain.has_fallen_back(2), chain.has_fallen_back(3)), (7, false, true));
        let always = Chain::always(4);
        assert_eq!(
            (always.rate(1000), always.attempts(), always.has_fallen_back(1000)),
            (4, u32::MAX, false)
        );
    }

    #[test]
    fn a_script_of_many_steps_is_followed_to_its_end() {
        let (slow, fast) = (Rate::ofdm(6).unwrap(), Rate::ofdm(54).unwrap());
        let at = |n: u64| Time::from_nanos(n);
        let steps = (1..=999).map(|n| (at(n), if n % 2 == 0 { slow } else { fast })).collect();
        let script = DataRate::Scripted(slow, steps);
        let (rates, mut control) = script.control(Stream::new(1, "x", "rate"));
        for n in 1..=999 {
            let RateControl::Scripted(script) = &mut control else { unreachable!() };
            script.step(at(n));
            assert_eq!(rates[control.choose(None).rate(0)], if n % 2 == 0 { slow } else { fast }, "step {n}");
            assert_eq!(control.choose(None).rate(0), control.preferred());
        }
    }

    #[test]
    fn a_fixed_rate_stays() {
        let mut fixed = RateControl::Fixed;
        fixed.attempted(10, 0);
        assert_eq!(fixed.choose(None).rate(5), 0);
    }
}
