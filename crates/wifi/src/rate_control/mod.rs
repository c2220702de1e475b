//! Which rate a data PPDU is sent at: always the same, one by a script, or whichever has proved good.

mod arf;
mod firmware;
mod minstrel;
mod scripted;

pub(crate) use arf::Arf;
pub(crate) use firmware::Firmware;
pub use firmware::Ladder;
pub(crate) use minstrel::Minstrel;
pub(crate) use scripted::Script;

use airloom_sim::Time;

/// Attempts at each rate of a chain but the last.
const TRIES: u32 = 2;

/// What a PPDU is sent at, by attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Indices into the rates.
    stages: [u8; 3],
    /// The first stage is a sample: one MPDU and one attempt.
    pub(crate) sample: bool,
}

impl Chain {
    /// This rate at every attempt.
    fn always(rate: usize) -> Self {
        Self { stages: [rate as u8; 3], sample: false }
    }

    /// The rate of attempt `n`, counted from zero.
    pub(crate) fn rate(&self, n: u32) -> usize {
        let stage = if self.sample { n.min(2) } else { (n / TRIES).min(2) };
        usize::from(self.stages[stage as usize])
    }

    /// All its rates.
    pub(crate) fn rates(&self) -> impl Iterator<Item = usize> {
        self.stages.into_iter().map(usize::from)
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
    /// The rates of the next PPDU.
    pub(crate) fn choose(&mut self) -> Chain {
        match self {
            Self::Fixed => Chain::always(0),
            Self::Scripted(script) => Chain::always(script.now()),
            Self::Arf(arf) => Chain::always(arf.rate()),
            Self::Firmware(firmware) => Chain::always(firmware.rate()),
            Self::Minstrel(minstrel) => minstrel.choose(),
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

    /// Of `attempted` MPDUs sent at `rate`, `succeeded` were acknowledged.
    pub(crate) fn report(&mut self, now: Time, rate: usize, attempted: u32, succeeded: u32) {
        match self {
            Self::Fixed | Self::Scripted(_) => {}
            Self::Arf(arf) => arf.report(2 * succeeded >= attempted),
            Self::Firmware(firmware) => firmware.report(2 * succeeded >= attempted),
            Self::Minstrel(minstrel) => minstrel.report(now, rate, attempted, succeeded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_falls_back_to_the_safest_rate() {
        let chain = Chain { stages: [9, 7, 2], sample: false };
        assert_eq!((0..6).map(|n| chain.rate(n)).collect::<Vec<_>>(), [9, 9, 7, 7, 2, 2]);
        let sample = Chain { stages: [30, 9, 2], sample: true };
        assert_eq!((0..4).map(|n| sample.rate(n)).collect::<Vec<_>>(), [30, 9, 2, 2]);
    }

    #[test]
    fn a_fixed_rate_stays() {
        let mut fixed = RateControl::Fixed;
        fixed.report(Time::ZERO, 0, 10, 0);
        assert_eq!(fixed.choose().rate(5), 0);
    }
}
