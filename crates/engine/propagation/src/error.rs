//! From signal-to-noise ratio to the probability that an MPDU survives.
//!
//! Gaussian noise; hard-decision Viterbi decoding bounded by the code's distance spectrum, or low-density parity checks as
//! simulated decoders have them; every MPDU independent given the ratio. The transmitter's error vector magnitude adds to the noise and bounds the ratio at the receiver, which
//! leaves a few per cent of losses at the highest rates even at three metres.

mod dsss;
mod ldpc;

use airloom_rate::{Coding, Modulation, Rate, Scheme, Width};

/// A ratio in decibels as a plain ratio.
pub fn from_db(db: f64) -> f64 {
    libm::pow(10.0, db / 10.0)
}

/// The signal-to-noise ratio per stream, in dB, when the path gives `snr_db` in all, the transmitter's error vector
/// magnitude is `evm_db` (negative), and power is split evenly over `streams`.
pub fn effective_snr_db(snr_db: f64, evm_db: f64, streams: u32) -> f64 {
    amid_error_vectors_db(snr_db, from_db(evm_db), streams)
}

/// The same, the power of the error vectors over that of the signal as a plain ratio.
pub(crate) fn amid_error_vectors_db(snr_db: f64, error_vectors: f64, streams: u32) -> f64 {
    let noise = f64::from(streams) / from_db(snr_db) + error_vectors;
    -10.0 * libm::log10(noise)
}

/// What the signal-to-noise ratio of a path gains, in dB, if a frame puts the same power into less of its width: it
/// meets less noise. To a hundredth, as scenarios give ratios.
pub fn narrowing_gain_db(channel: Width, frame: Width) -> f64 {
    if channel == frame {
        return 0.0;
    }
    let share = f64::from(channel.mhz()) / f64::from(frame.mhz());
    libm::round(1000.0 * libm::log10(share)) / 100.0
}

/// Probability that one data bit comes out wrong after decoding.
pub fn bit_error(rate: Rate, snr_db: f64) -> f64 {
    match rate.scheme() {
        Scheme::Chips(speed) => dsss::bit_error(speed, from_db(snr_db)),
        Scheme::Convolutional(modulation, coding) => {
            coded_bit_error(coding, raw_bit_error(modulation, from_db(snr_db)))
        }
        Scheme::LowDensity(mcs) => ldpc::bit_error(mcs, snr_db),
    }
}

/// Probability that an MPDU of `bytes` survives bit errors of this probability.
pub fn survival(bit_error: f64, bytes: u32) -> f64 {
    libm::exp(8.0 * f64::from(bytes) * libm::log1p(-bit_error))
}

/// Probability that a Gaussian variable exceeds `sqrt(2 x)` standard deviations.
fn tail(x: f64) -> f64 {
    0.5 * libm::erfc(libm::sqrt(x))
}

/// Error probability of one bit before decoding, Gray-coded constellations in white noise (Proakis, Digital
/// Communications, section 4.3); `snr` is the ratio of symbol energy to noise density.
fn raw_bit_error(modulation: Modulation, snr: f64) -> f64 {
    match modulation {
        Modulation::Bpsk => tail(snr),
        Modulation::Qpsk => tail(snr / 2.0),
        Modulation::Qam16 => 0.75 * tail(snr / 10.0),
        Modulation::Qam64 => 7.0 / 12.0 * tail(snr / 42.0),
        Modulation::Qam256 => 15.0 / 32.0 * tail(snr / 170.0),
        Modulation::Qam1024 => 31.0 / 80.0 * tail(snr / 682.0),
        Modulation::Qam4096 => 63.0 / 192.0 * tail(snr / 2730.0),
    }
}

/// Union bound over the distance spectrum of the (133, 171) code and its puncturings (Frenger, Orten and Ottosson, 1999;
/// Haccoun and Begin, 1989): sum of c_d D^d over 2k, with D = sqrt(4 p (1 - p)).
fn coded_bit_error(coding: Coding, p: f64) -> f64 {
    let (k, first, step, weights): (f64, u32, u32, &[f64]) = match coding {
        Coding::Half => (
            1.0,
            10,
            2,
            &[36.0, 211.0, 1404.0, 11_633.0, 77_433.0, 502_690.0, 3_322_763.0, 21_292_910.0, 134_365_911.0],
        ),
        Coding::TwoThirds => (
            2.0,
            6,
            1,
            &[3.0, 70.0, 285.0, 1276.0, 6160.0, 27_128.0, 117_019.0, 498_860.0, 2_103_891.0, 8_784_123.0],
        ),
        Coding::ThreeQuarters => (
            3.0,
            5,
            1,
            &[
                42.0,
                201.0,
                1492.0,
                10_469.0,
                62_935.0,
                379_644.0,
                2_253_373.0,
                13_073_811.0,
                75_152_755.0,
                428_005_675.0,
            ],
        ),
        Coding::FiveSixths => (
            5.0,
            4,
            1,
            &[
                92.0,
                528.0,
                8694.0,
                79_453.0,
                792_114.0,
                7_375_573.0,
                67_884_974.0,
                610_875_423.0,
                5_427_275_376.0,
                47_664_215_639.0,
            ],
        ),
    };
    let d = libm::sqrt(4.0 * p * (1.0 - p));
    let between = power(d, step);
    let sum = power(d, first) * weights.iter().rev().fold(0.0, |sum, weight| sum * between + weight);
    (sum / (2.0 * k)).min(0.5)
}

/// A number to a small whole power.
fn power(of: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, Ht, Ofdm};

    fn loss(rate: Rate, snr_db: f64) -> f64 {
        1.0 - survival(bit_error(rate, snr_db), 1000)
    }

    #[test]
    fn loss_falls_with_snr_and_rises_with_rate() {
        for rate in Ofdm::ALL.map(Rate::Ofdm) {
            let mut last = 1.0;
            for tenth in 0..400 {
                let now = loss(rate, f64::from(tenth) / 10.0);
                assert!(now <= last + 1e-12, "{rate:?} at {tenth} tenths of a dB");
                last = now;
            }
            assert!(last < 1e-9);
        }
    }

    /// The receiver sensitivities of table 17-18 lie 10 dB noise figure and 5 dB implementation margin above the ideal:
    /// ten per cent loss of 1,000-byte frames falls within a dB or two of these.
    #[test]
    fn ten_per_cent_loss_falls_where_receivers_put_it() {
        let noise = -174.0 + 73.0; // kTB in 20 MHz, dBm
        for (rate, sensitivity) in
            Ofdm::ALL.into_iter().zip([-82.0, -81.0, -79.0, -77.0, -74.0, -70.0, -66.0, -65.0])
        {
            let snr = sensitivity - noise - 15.0;
            let knee =
                (0..400).map(|t| f64::from(t) / 10.0).find(|&s| loss(Rate::Ofdm(rate), s) < 0.1).unwrap();
            assert!((knee - snr).abs() < 2.5, "{rate:?}: knee {knee} dB, standard {snr} dB");
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "rounded to the hundredth that is meant")]
    fn half_the_width_meets_half_the_noise() {
        assert_eq!(narrowing_gain_db(Width::Mhz40, Width::Mhz20), 3.01);
        assert_eq!(narrowing_gain_db(Width::Mhz40, Width::Mhz40), 0.0);
    }

    #[test]
    fn error_vectors_bound_the_ratio() {
        assert!((effective_snr_db(60.0, -27.0, 1) - 27.0).abs() < 0.01);
        assert!((effective_snr_db(20.0, -60.0, 2) - 16.99).abs() < 0.01);
        let best = Rate::Ht(Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 });
        assert!(loss(best, 20.0) > 0.9 && loss(best, 30.0) < 1e-3);
    }
}
