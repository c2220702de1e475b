//! Bit errors of DSSS and CCK in white noise.
//!
//! The receiver collects the energy of a symbol over its chips and decides coherently. Phases are coded by their
//! differences, so that one wrong decision spoils two neighbouring symbols; since a frame with one wrong bit is lost
//! already, the decisions are counted, not the bits that they spoil.

use super::tail;
use airloom_rate::Speed;

/// The width in hertz over which the signal-to-noise ratio is taken.
const WIDTH: f64 = 20e6;
/// Symbols per second: 11 Mchip/s in Barker sequences of 11 chips (802.11-2020 15.4.4.4).
const BARKER_SYMBOLS: f64 = 1e6;
/// And in CCK code words of 8 chips (16.3.6.6).
const CCK_SYMBOLS: f64 = 1.375e6;

/// Squared distances from one CCK code word to the others, in units of a chip's energy, and how many lie there: all that
/// matters since the code words' pairwise ratios are code words again. From equation (16-1) with the phases of 5.5 Mbit/s
/// (16.3.6.6.3)...
const CCK_4: [(f64, f64); 2] = [(16.0, 14.0), (32.0, 1.0)];
/// ... and of 11 Mbit/s (16.3.6.6.4).
const CCK_8: [(f64, f64); 6] =
    [(8.0, 24.0), (12.0, 16.0), (16.0, 174.0), (20.0, 16.0), (24.0, 24.0), (32.0, 1.0)];

/// Probability that one data bit is decided wrongly at this ratio of powers.
pub(super) fn bit_error(speed: Speed, snr: f64) -> f64 {
    let barker = snr * WIDTH / BARKER_SYMBOLS;
    let cck = snr * WIDTH / CCK_SYMBOLS;
    match speed {
        // Antipodal signals, and two of them in quadrature (Proakis, Digital Communications, section 5.2).
        Speed::M1 => tail(barker),
        Speed::M2 => tail(barker / 2.0),
        Speed::M5_5 => per_bit(symbol_error(&CCK_4, cck), 4.0),
        Speed::M11 => per_bit(symbol_error(&CCK_8, cck), 8.0),
    }
}

/// Union bound over the code words that one may be taken for; a symbol of 8 chips has `snr` times the noise density.
fn symbol_error(distances: &[(f64, f64)], snr: f64) -> f64 {
    distances.iter().map(|&(distance, count)| count * tail(snr * distance / 32.0)).sum::<f64>().min(1.0)
}

/// The bit error probability with which `bits` survive together as often as the symbol that carries them.
fn per_bit(symbol_error: f64, bits: f64) -> f64 {
    (-libm::expm1(libm::log1p(-symbol_error) / bits)).min(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Stream;
    use std::collections::BTreeMap;

    /// Chips of a code word in quarter turns (equation 16-1).
    fn word([p1, p2, p3, p4]: [u32; 4]) -> [u32; 8] {
        [p1 + p2 + p3 + p4, p1 + p3 + p4, p1 + p2 + p4, p1 + p4 + 2, p1 + p2 + p3, p1 + p3, p1 + p2 + 2, p1]
            .map(|turns| turns % 4)
    }

    /// All code words: the phases that 2, 3 and 4 may take besides any of the first.
    fn words(second: &[u32], third: &[u32], fourth: &[u32]) -> Vec<[u32; 8]> {
        let mut all = Vec::new();
        for p1 in 0..4 {
            for &p2 in second {
                for &p3 in third {
                    all.extend(fourth.iter().map(|&p4| word([p1, p2, p3, p4])));
                }
            }
        }
        all
    }

    fn slow() -> Vec<[u32; 8]> {
        words(&[1, 3], &[0], &[0, 2])
    }

    fn fast() -> Vec<[u32; 8]> {
        let any = [0, 1, 2, 3];
        words(&any, &any, &any)
    }

    #[test]
    fn distances_are_those_of_the_standards_code_words() {
        for (words, table) in [(slow(), &CCK_4[..]), (fast(), &CCK_8[..])] {
            for &from in &words {
                let mut counts = BTreeMap::new();
                for &to in words.iter().filter(|&&to| to != from) {
                    let distance: u32 =
                        from.iter().zip(to).map(|(a, b)| [0, 2, 4, 2][((a + 4 - b) % 4) as usize]).sum();
                    *counts.entry(distance).or_insert(0) += 1;
                }
                let counted: Vec<_> = counts.into_iter().map(|(d, n)| (f64::from(d), f64::from(n))).collect();
                assert_eq!(counted, table);
            }
        }
    }

    /// Draws noisy code words and takes each for the nearest one.
    fn drawn_symbol_error(words: &[[u32; 8]], snr: f64, symbols: u32) -> f64 {
        const UNIT: [(f64, f64); 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let mut chance = Stream::new(1, "cck", "noise");
        // Chips of unit energy: a symbol has 8, the noise 8 / snr in both quadratures of a chip together.
        let deviation = libm::sqrt(4.0 / snr);
        let mut wrong = 0;
        for n in 0..symbols {
            let sent = n as usize % words.len();
            let chips = words[sent].map(|turn| {
                let (i, q) = UNIT[turn as usize];
                (i + deviation * chance.normal(), q + deviation * chance.normal())
            });
            let likeness = |word: &[u32; 8]| -> f64 {
                let parts = word.iter().zip(chips).map(|(&turn, (i, q))| {
                    let (a, b) = UNIT[turn as usize];
                    a * i + b * q
                });
                parts.sum()
            };
            let best = (0..words.len()).max_by(|&a, &b| likeness(&words[a]).total_cmp(&likeness(&words[b])));
            wrong += u32::from(best != Some(sent));
        }
        f64::from(wrong) / f64::from(symbols)
    }

    #[test]
    fn the_bound_is_close_to_drawn_noise() {
        for (words, table, snr, symbols) in
            [(slow(), &CCK_4[..], 11.0, 200_000), (fast(), &CCK_8[..], 26.0, 60_000)]
        {
            let (bound, drawn) = (symbol_error(table, snr), drawn_symbol_error(&words, snr, symbols));
            assert!(drawn > 0.003, "enough errors to compare: {drawn}");
            assert!(drawn < 1.1 * bound && bound < 1.25 * drawn, "{bound} against {drawn} drawn");
        }
    }

    #[test]
    fn faster_rates_need_more_signal() {
        for tenth in -100..100 {
            let snr = super::super::from_db(f64::from(tenth) / 10.0);
            let errors = Speed::ALL.map(|speed| 1.0 - super::super::survival(bit_error(speed, snr), 1024));
            assert!(errors.is_sorted(), "{tenth} tenths of a dB: {errors:?}");
        }
    }
}
