//! Errors behind the low-density parity check code of VHT, HE and EHT.

use airloom_rate::Eht;

/// Bits of a code word (802.11-2020 table 19-15; the longest, of which all but the shortest PPDUs consist).
const WORD_BITS: f64 = 1944.0;

/// For each scheme the ratio in dB at which half of the code words are lost, the deviation of a normal distribution in dB that a
/// word's loss follows, and data bits in a coded one.
///
/// Fitted to the tables of ns-3's `TableBasedErrorRateModel` (3.36 on), frame losses of 1,458 bytes in white noise that were simulated
/// with MATLAB (Patidar, Roy, Henderson and Chandramohan, WNS3 2017): those curves and these are within 0.15 dB of each other between
/// losses of 90 % and 0.1 %.
///
/// Those tables end with 1024-QAM. For 4096-QAM the middle is the ratio at which bit-interleaved coded modulation with Gray labels (Caire,
/// Taricco and Biglieri, 1998) carries as many bits as the code has of data, 28.8 and 31.6 dB, and the distance that the decoder keeps from
/// it: at 3/4 that is 1.17, 1.40 and 1.63 dB from 64-QAM on, 1.85 is next; at 5/6 0.88, 1.17 and 1.22, 1.35 is next.
const CURVES: [(f64, f64, f64); Eht::HIGHEST_MCS as usize + 1] = [
    (-1.66, 0.454, 1.0 / 2.0),
    (1.35, 0.445, 1.0 / 2.0),
    (4.08, 0.356, 3.0 / 4.0),
    (6.77, 0.504, 1.0 / 2.0),
    (10.07, 0.402, 3.0 / 4.0),
    (14.13, 0.456, 2.0 / 3.0),
    (15.56, 0.433, 3.0 / 4.0),
    (17.02, 0.478, 5.0 / 6.0),
    (20.65, 0.477, 3.0 / 4.0),
    (22.51, 0.476, 5.0 / 6.0),
    (25.66, 0.528, 3.0 / 4.0),
    (27.70, 0.555, 5.0 / 6.0),
    (30.65, 0.56, 3.0 / 4.0),
    (32.95, 0.57, 5.0 / 6.0),
];

/// Probability per data bit at this ratio in dB, by which words are lost as the curve says.
pub(super) fn bit_error(mcs: u8, snr_db: f64) -> f64 {
    let (middle, deviation, data_share) = CURVES[usize::from(mcs.min(Eht::HIGHEST_MCS))];
    let beyond = (snr_db - middle) / deviation;
    let word = 0.5 * libm::erfc(beyond / core::f64::consts::SQRT_2);
    // All but certain: at a probability of 1 the logarithm has no value.
    let kept = libm::log1p(-word.min(1.0 - 1e-15));
    -libm::expm1(kept / (WORD_BITS * data_share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::survival;

    /// Where the tables named above have a frame of 1,458 bytes lost in one case of ten, between their steps of 0.25 dB.
    #[test]
    fn frames_are_lost_where_the_simulated_decoder_loses_them() {
        let tables = [-0.66, 2.35, 4.81, 7.88, 10.88, 15.06, 16.47, 17.99, 21.64, 23.47, 26.78, 28.88];
        for (mcs, wanted) in (0..).zip(tables) {
            let loss = |snr_db| 1.0 - survival(bit_error(mcs, snr_db), 1458);
            let knee = (0..4000).map(|n| f64::from(n) / 100.0 - 3.0).find(|&snr| loss(snr) < 0.1);
            assert!(
                knee.is_some_and(|knee| (knee - wanted).abs() <= 0.15),
                "MCS {mcs}: {knee:?}, table {wanted}"
            );
            assert!(loss(wanted - 2.0) > 0.999 && loss(wanted + 2.0) < 1e-4, "MCS {mcs}");
        }
    }

    /// The standard wants 4096-QAM to be received at signals 5 and 6 dB above those of 1024-QAM at the same rates of the code (802.11be-2024
    /// table 36-78), which rounds to whole decibels; the curves are as far apart within 0.8.
    #[test]
    fn schemes_are_as_far_apart_as_the_sensitivities_of_the_standard() {
        use airloom_rate::{Width, sensitivity};
        for mcs in [10, 11] {
            let wanted = sensitivity(mcs + 2, Width::Mhz20) - sensitivity(mcs, Width::Mhz20);
            let apart = CURVES[usize::from(mcs) + 2].0 - CURVES[usize::from(mcs)].0;
            assert!((apart - wanted).abs() < 0.8, "MCS {mcs}: {apart} dB apart, {wanted} by the standard");
        }
    }

    #[test]
    fn losses_of_any_ratio_are_probabilities() {
        for mcs in 0..=Eht::HIGHEST_MCS {
            for snr_db in [-200.0, -10.0, 0.0, 10.0, 40.0, 200.0] {
                let p = bit_error(mcs, snr_db);
                assert!((0.0..=1.0).contains(&p), "MCS {mcs} at {snr_db} dB: {p}");
            }
        }
    }
}
