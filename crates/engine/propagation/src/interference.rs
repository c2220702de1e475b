//! What overlaps a frame at its receiver: signals of others, each for a time, which add to the noise.

use crate::error;
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};

/// A signal as its receiver gets it.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// The rate of what is looked at.
    pub rate: Rate,
    /// Its ratio to the noise at the antenna, in dB.
    pub snr_db: f64,
    /// The transmitter's error vector magnitude, in dB.
    pub evm_db: f64,
    /// Spatial streams over which it splits its power.
    pub streams: u32,
    /// Small-scale fading, in dB.
    pub quick_db: f64,
}

impl Signal {
    /// The logarithm of the probability that a bit survives noise, if that is so many dB higher.
    fn log_bit(&self, higher_db: f64) -> f64 {
        let ratio = error::effective_snr_db(self.snr_db - higher_db, self.evm_db, self.streams);
        libm::log1p(-error::bit_error(self.rate, ratio + self.quick_db))
    }
}

/// Signals of others at a receiver.
#[derive(Clone, Debug, Default)]
pub struct Interference(Vec<Piece>);

/// One of them.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: Time,
    end: Time,
    /// Its power over that of the noise.
    ratio: f64,
}

impl Interference {
    /// There is one more, from `start` to `end`, with this ratio to the noise in dB.
    pub fn add(&mut self, (start, end): (Time, Time), snr_db: f64) {
        self.0.push(Piece { start, end, ratio: error::from_db(snr_db) });
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The probability that it spares `bytes` of a signal, sent evenly from `start` to `end`, of which noise alone has spared every
    /// bit: of each stretch with the same others, by signal over noise and their sum. A receiver follows one frame: one that is
    /// no stronger than another is lost.
    pub fn spares(&self, (start, end): (Time, Time), bytes: u32, signal: &Signal) -> f64 {
        let inside = |time: Time| time.max(start).min(end);
        let mut edges: Vec<Time> =
            self.0.iter().flat_map(|one| [inside(one.start), inside(one.end)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let whole = (end - start).max(Duration::from_nanos(1)).as_secs_f64();
        let (own, alone) = (error::from_db(signal.snr_db), signal.log_bit(0.0));
        let mut lost = 0.0;
        for stretch in edges.windows(2) {
            let there = self.0.iter().filter(|one| one.start <= stretch[0] && stretch[1] <= one.end);
            let ratios: Vec<f64> = there.map(|one| one.ratio).collect();
            let sum: f64 = ratios.iter().sum();
            if ratios.iter().any(|&ratio| ratio >= own) {
                return 0.0;
            }
            if sum > 0.0 {
                let share = (stretch[1] - stretch[0]).as_secs_f64() / whole;
                let amid = signal.log_bit(10.0 * libm::log10(1.0 + sum));
                lost += 8.0 * f64::from(bytes) * share * (amid - alone);
            }
        }
        libm::exp(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Signal = Signal {
        rate: Rate::Ofdm(airloom_rate::Ofdm::M54),
        snr_db: 30.0,
        evm_db: -200.0,
        streams: 1,
        quick_db: 0.0,
    };

    fn at(us: u64) -> Time {
        Time::ZERO + Duration::from_micros(us)
    }

    fn survival(snr_db: f64, bytes: f64) -> f64 {
        libm::exp(8.0 * bytes * libm::log1p(-error::bit_error(FAST.rate, snr_db)))
    }

    /// S / (N + I1 + I2) = 1000 / (1 + 2 + 4): 21.55 dB.
    #[test]
    fn signal_over_noise_and_the_sum_of_others_decides() {
        let mut others = Interference::default();
        others.add((at(0), at(500)), 10.0 * libm::log10(2.0));
        others.add((at(0), at(900)), 10.0 * libm::log10(4.0));
        let sinr = 10.0 * libm::log10(1000.0 / 7.0);
        let spares = others.spares((at(100), at(300)), 60, &FAST);
        let expected = survival(sinr, 60.0) / survival(30.0, 60.0);
        assert!((spares - expected).abs() < 1e-12 && (0.01..0.99).contains(&expected), "{spares} {expected}");
    }

    /// A quarter of the time amid one other is a quarter of the bits.
    #[test]
    fn what_overlaps_in_part_harms_in_part() {
        let mut others = Interference::default();
        others.add((at(350), at(900)), 7.0);
        let sinr = 10.0 * libm::log10(1000.0 / (1.0 + error::from_db(7.0)));
        let spares = others.spares((at(200), at(400)), 400, &FAST);
        let expected = survival(sinr, 100.0) / survival(30.0, 100.0);
        assert!((spares - expected).abs() < 1e-12 && (0.01..0.99).contains(&expected), "{spares} {expected}");
        let beside = others.spares((at(0), at(350)), 400, &FAST);
        assert!((beside - 1.0).abs() < 1e-15, "{beside}");
    }

    #[test]
    fn of_two_equal_frames_none_is_followed() {
        let mut others = Interference::default();
        others.add((at(0), at(10)), 30.0);
        let slow = Signal { rate: Rate::Ofdm(airloom_rate::Ofdm::M6), ..FAST };
        assert!(others.spares((at(0), at(100)), 1, &slow) < 1e-300);
    }
}
