//! What overlaps a frame at its receiver: signals of others, each for a time, which add to the noise.

use crate::error;
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};

/// A signal as its receiver gets it.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The logarithm of the probability that a bit survives noise, if that is so many dB higher, beside error vectors of this power.
    fn log_bit(&self, higher_db: f64, error_vectors: f64) -> f64 {
        let ratio = error::amid_error_vectors_db(self.snr_db - higher_db, error_vectors, self.streams);
        libm::log1p(-error::bit_error(self.rate, ratio + self.quick_db))
    }
}

/// For how many sums of others it is kept how hardy a signal is amid them, as a power of two.
const KNOWN_BITS: u32 = 5;

/// How hardy a signal is amid others: what was worked out of that for one stretch serves all that are alike.
#[derive(Clone, Debug)]
pub struct Hardiness {
    signal: Signal,
    /// Its ratio to the noise.
    own: f64,
    /// The power of its error vectors over its own.
    error_vectors: f64,
    /// The logarithm of the probability that a bit survives noise alone.
    alone: f64,
    /// The same amid others of this sum of ratios, each in the place that follows from that: the sums that come often stay, whatever comes
    /// in between. A sum of zero is none.
    amid: Vec<(f64, f64)>,
}

impl Hardiness {
    /// Of this signal.
    pub fn new(signal: Signal) -> Self {
        let error_vectors = error::from_db(signal.evm_db);
        let (own, alone) = (error::from_db(signal.snr_db), signal.log_bit(0.0, error_vectors));
        Self { signal, own, error_vectors, alone, amid: Vec::new() }
    }

    /// The signal.
    pub fn signal(&self) -> &Signal {
        &self.signal
    }

    /// Whether it is that of this signal.
    pub fn is_of(&self, signal: &Signal) -> bool {
        self.signal == *signal
    }

    /// The logarithm of the probability that others of this sum spare a bit that noise has spared.
    fn log_spared(&mut self, sum: f64) -> f64 {
        if self.amid.is_empty() {
            self.amid.resize(1 << KNOWN_BITS, (0.0, 0.0));
        }
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4).
        let place = sum.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - KNOWN_BITS);
        let (of, amid) = &mut self.amid[place as usize];
        if of.to_bits() != sum.to_bits() {
            let log = self.signal.log_bit(10.0 * libm::log10(1.0 + sum), self.error_vectors);
            (*of, *amid) = (sum, log);
        }
        *amid - self.alone
    }
}

/// Signals of others at a receiver.
#[derive(Clone, Debug, Default)]
pub struct Interference {
    pieces: Vec<Piece>,
    /// The times between which the same ones are there, in order, once that has been worked out.
    stretches: Vec<Stretch>,
    /// When one begins or ends: a buffer.
    edges: Vec<Time>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: Time,
    end: Time,
    /// Its power over that of the noise.
    ratio: f64,
}

/// A time in which the same ones are there.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: Time,
    end: Time,
    /// The sum of their ratios to the noise.
    sum: f64,
    /// The greatest of these.
    strongest: f64,
}

impl Interference {
    /// There is none any more.
    pub fn clear(&mut self) {
        self.stretches.clear();
        self.pieces.clear();
    }

    /// There is one more, from `start` to `end`, with this plain ratio to the noise.
    pub fn add(&mut self, (start, end): (Time, Time), ratio: f64) {
        self.stretches.clear();
        self.pieces.push(Piece { start, end, ratio });
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Works out when which ones are there.
    fn stretch(&mut self) {
        self.edges.clear();
        self.edges.extend(self.pieces.iter().flat_map(|one| [one.start, one.end]));
        self.edges.sort_unstable();
        self.edges.dedup();
        self.stretches.extend(self.edges.windows(2).map(|edge| {
            let [start, end] = [edge[0], edge[1]];
            let there = self.pieces.iter().filter(|one| one.start <= start && end <= one.end);
            let (sum, strongest) =
                there.fold((0.0, 0.0_f64), |(sum, most), one| (sum + one.ratio, most.max(one.ratio)));
            Stretch { start, end, sum, strongest }
        }));
    }

    /// The probability that it spares `bytes` of a signal, sent evenly from `start` to `end`, of which noise alone has spared every
    /// bit: of each stretch with the same others, by signal over noise and their sum. A receiver follows one frame: one that is
    /// no stronger than another is lost.
    pub fn spares(&mut self, (start, end): (Time, Time), bytes: u32, hardiness: &mut Hardiness) -> f64 {
        if self.stretches.is_empty() {
            self.stretch();
        }
        let whole = (end - start).max(Duration::from_nanos(1)).as_secs_f64();
        let mut lost = 0.0;
        let there =
            self.stretches.iter().skip_while(|one| one.end <= start).take_while(|one| one.start < end);
        for stretch in there.filter(|one| one.sum > 0.0 && start < end) {
            let (from, until) = (stretch.start.max(start), stretch.end.min(end));
            if stretch.strongest >= hardiness.own {
                return 0.0;
            }
            let share = (until - from).as_secs_f64() / whole;
            lost += 8.0 * f64::from(bytes) * share * hardiness.log_spared(stretch.sum);
        }
        if lost == 0.0 { 1.0 } else { libm::exp(lost) }
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
        others.add((at(0), at(500)), 2.0);
        others.add((at(0), at(900)), 4.0);
        let sinr = 10.0 * libm::log10(1000.0 / 7.0);
        let spares = others.spares((at(100), at(300)), 60, &mut Hardiness::new(FAST));
        let expected = survival(sinr, 60.0) / survival(30.0, 60.0);
        assert!((spares - expected).abs() < 1e-12 && (0.01..0.99).contains(&expected), "{spares} {expected}");
    }

    /// A quarter of the time amid one other is a quarter of the bits.
    #[test]
    fn what_overlaps_in_part_harms_in_part() {
        let mut others = Interference::default();
        others.add((at(350), at(900)), error::from_db(7.0));
        let sinr = 10.0 * libm::log10(1000.0 / (1.0 + error::from_db(7.0)));
        let spares = others.spares((at(200), at(400)), 400, &mut Hardiness::new(FAST));
        let expected = survival(sinr, 100.0) / survival(30.0, 100.0);
        assert!((spares - expected).abs() < 1e-12 && (0.01..0.99).contains(&expected), "{spares} {expected}");
        let beside = others.spares((at(0), at(350)), 400, &mut Hardiness::new(FAST));
        assert!((beside - 1.0).abs() < 1e-15, "{beside}");
    }

    #[test]
    fn of_two_equal_frames_none_is_followed() {
        let mut others = Interference::default();
        others.add((at(0), at(10)), error::from_db(30.0));
        let slow = Signal { rate: Rate::Ofdm(airloom_rate::Ofdm::M6), ..FAST };
        assert!(others.spares((at(0), at(100)), 1, &mut Hardiness::new(slow)) < 1e-300);
    }
}
