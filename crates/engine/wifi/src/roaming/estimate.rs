//! What connection managers take a network to carry, from its signal.

use super::Heard;
use airloom_rate::{Code, Eht, GuardInterval, He, Ht, Padding, Rate, Vht, Width};

/// The noise that wpa_supplicant takes there to be in 20 MHz where its driver names none, in dBm: at 2.4 GHz, and above
/// (`DEFAULT_NOISE_FLOOR_2GHZ`, `_5GHZ`, `_6GHZ`).
const NOISE_DBM: [i32; 2] = [-89, -92];

/// The least ratio in dB for each scheme of one stream in 20 MHz; 3 dB more for each doubling of the width (wpa_supplicant 2.11
/// `vht20_table`, `he20_table` and those of wider channels, whose last two are of EHT).
const LEAST_SNR_DB: [i32; 14] = [2, 5, 9, 11, 15, 18, 20, 25, 29, 31, 34, 36, 39, 42];
/// Below each ratio in dB the highest rate below HT, in Mbit/s (`wpas_get_est_tpt`).
const BELOW_HT: [(i32, u32); 20] = [
    (1, 1),
    (4, 2),
    (5, 6),
    (6, 9),
    (7, 12),
    (8, 14),
    (9, 16),
    (10, 18),
    (11, 24),
    (12, 27),
    (13, 30),
    (14, 33),
    (15, 36),
    (16, 39),
    (17, 42),
    (18, 45),
    (19, 48),
    (20, 51),
    (21, 54),
    (i32::MAX, 54),
];

/// The least signal in dBm for each scheme in 20 MHz; 3 dB more for each doubling of the width (iwd 3.10 `ht_vht_he_base_rssi`).
const LEAST_DBM: [i32; 12] = [-82, -79, -77, -74, -70, -66, -65, -64, -59, -57, -54, -51];
/// The same of rates below HT, in Mbit/s (`rate_rssi_map`).
const LEAST_DBM_BELOW_HT: [(i32, f64); 12] = [
    (-90, 1.0),
    (-88, 2.0),
    (-86, 5.5),
    (-84, 11.0),
    (-82, 6.0),
    (-81, 9.0),
    (-79, 12.0),
    (-77, 18.0),
    (-74, 24.0),
    (-70, 36.0),
    (-66, 48.0),
    (-65, 54.0),
];
/// What it takes a network to carry that it cannot judge, in bit/s (`scan_parse_result`).
const UNKNOWN_BPS: u64 = 2_000_000;

/// The ratio of a signal to noise as wpa_supplicant reckons it, in dB.
pub(super) const fn snr_db(of: &Heard) -> i32 {
    of.dbm - NOISE_DBM[if of.mhz < 4000 { 0 } else { 1 }]
}

/// The throughput that wpa_supplicant expects of a network, in kbit/s (2.11 `wpas_get_est_tpt`): that of one stream.
pub(super) fn throughput_kbps(of: &Heard) -> u32 {
    let snr = snr_db(of);
    let fastest = of.highest.bit_rate().as_bps() / 1_000_000;
    let below = BELOW_HT.iter().find(|(most, _)| snr < *most).map_or(0, |(_, mbps)| *mbps);
    let legacy = 1000
        * if scheme(of.highest, 0, 1, Width::Mhz20).is_some() { below } else { below.min(fastest as u32) };
    let widths = Width::ALL.into_iter().filter(|&width| width <= of.highest.width());
    // A newer format counts as faster, whatever it carries.
    let newer = match of.highest {
        Rate::Eht(_) => 3,
        Rate::He(_) => 2,
        Rate::Vht(_) => 1,
        _ => 0,
    };
    widths
        .filter_map(|width| interpolated_kbps(of.highest, snr, width))
        .map(|kbps| kbps + newer)
        .fold(legacy, u32::max)
}

/// The rate at this ratio in this width, between those of the schemes around it (`max_rate`).
fn interpolated_kbps(format: Rate, snr: i32, width: Width) -> Option<u32> {
    let least = |mcs: usize| LEAST_SNR_DB[mcs] + 3 * width.index() as i32;
    let kbps = |mcs: usize| {
        let rate = scheme(format, mcs as u8, 1, width)?;
        Some((rate.bit_rate().as_bps() / 1000) as i32)
    };
    let steps: Vec<(i32, i32)> =
        (0..LEAST_SNR_DB.len()).map_while(|mcs| Some((least(mcs), kbps(mcs)?))).collect();
    let beyond = steps.iter().position(|(least, _)| snr < *least);
    let (above, below) = match beyond {
        None => return steps.last().map(|(_, kbps)| *kbps as u32),
        Some(0) => (steps.first()?, &(0, 0)),
        Some(place) => (&steps[place], &steps[place - 1]),
    };
    if snr < 0 {
        return Some(0);
    }
    Some((below.1 + (snr - below.0) * (above.1 - below.1) / (above.0 - below.0)) as u32)
}

/// The rate that iwd expects of a network, in bit/s (3.10 `band_estimate_he_rx_rate` and those of earlier formats; it takes EHT for HE):
/// the highest at which anything gets through, in the widest channel in which anything does.
pub(super) fn data_rate_bps(of: &Heard) -> u64 {
    let streams = of.highest.streams() as u8;
    let short = of.highest.guard_interval() == Some(GuardInterval::Ns400);
    let widest = of.highest.width().min(Width::Mhz160);
    let widths = Width::ALL.into_iter().rev().filter(|&width| width <= widest);
    let mut rates = widths.filter_map(|width| {
        let gets_through = |mcs: &usize| of.dbm >= LEAST_DBM[*mcs] + 3 * width.index() as i32;
        let all = (0..LEAST_DBM.len()).rev().filter(gets_through);
        let rate =
            all.filter_map(|mcs| scheme(of.highest, mcs as u8, streams, width)).next()?.bit_rate().as_bps();
        Some(if short { rate / 9 * 10 } else { rate })
    });
    let most = of.highest.bit_rate().as_mbps_f64();
    let below_ht =
        |&&(least, mbps): &&(i32, f64)| of.dbm >= least && (of.highest.aggregates() || mbps <= most);
    let legacy = || LEAST_DBM_BELOW_HT.iter().filter(below_ht).map(|(_, mbps)| (mbps * 1e6) as u64).max();
    rates.next().or_else(legacy).unwrap_or(UNKNOWN_BPS)
}

/// The rate of a scheme in the format of `like`, with the long guard interval; none if that has none.
fn scheme(like: Rate, mcs: u8, streams: u8, width: Width) -> Option<Rate> {
    let guard = GuardInterval::Ns800;
    match like {
        Rate::Ht(_) if mcs < 8 && width <= Width::Mhz40 => {
            Some(Rate::Ht(Ht { mcs: Ht::first_mcs(streams) + mcs, width, guard }))
        }
        Rate::Vht(_) => {
            let rate = Vht { mcs, streams, width, guard, code: Code::Convolutional };
            rate.exists().then_some(Rate::Vht(rate))
        }
        Rate::He(_) => {
            let (training, padding) = (He::training_for(guard), Padding::Us16);
            let rate = He { mcs, streams, width, guard, training, padding };
            rate.exists().then_some(Rate::He(rate))
        }
        Rate::Eht(eht) => {
            let rate = Eht { mcs, streams, width, guard, training: He::training_for(guard), ..eht };
            rate.exists().then_some(Rate::Eht(rate))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::BssId;
    use airloom_sim::Index;

    fn heard(dbm: i32, mhz: u32, highest: Rate) -> Heard {
        Heard { bss: BssId::new(0), dbm, mhz, highest, fast: false, reports: false }
    }

    fn he(width: Width) -> Rate {
        scheme(
            Rate::He(He {
                mcs: 11,
                streams: 2,
                width,
                guard: GuardInterval::Ns800,
                training: He::training_for(GuardInterval::Ns800),
                padding: Padding::Us16,
            }),
            11,
            2,
            width,
        )
        .expect("a rate")
    }

    /// From wpa_supplicant's tables: of 80 MHz, 8 dB are 36,000 and 31 dB 360,300 kbit/s; 24 dB 288,200 and 26 dB 324,300, whose middle
    /// is 306,250; HE counts 2 more.
    #[test]
    fn throughput_is_that_of_wpa_supplicants_tables() {
        let is = |kbps: u32, table: u32| {
            assert!(kbps.abs_diff(table) < 100, "{kbps}, not {table}: its tables are rounded")
        };
        let of = |snr: i32| throughput_kbps(&heard(snr - 92, 5180, he(Width::Mhz80)));
        for (snr, table) in [(31, 360_302), (25, 306_252), (60, 600_502)] {
            is(of(snr), table);
        }
        let ht = Rate::Ht(Ht { mcs: 15, width: Width::Mhz20, guard: GuardInterval::Ns800 });
        let of = |snr: i32| throughput_kbps(&heard(snr - 89, 2412, ht));
        // At 10 dB that is 22,750, and 24 Mbit/s below HT are more.
        assert_eq!([of(9), of(10), of(25), of(40)], [19_500, 24_000, 65_000, 65_000]);
    }

    /// From iwd's tables: -65 dBm in 80 MHz are scheme 4, which needs -70 + 6, in two streams 2 x 216.2 Mbit/s.
    #[test]
    fn a_rate_is_that_of_iwds_tables() {
        let mbps = |dbm: i32| data_rate_bps(&heard(dbm, 5180, he(Width::Mhz80))) / 1_000_000;
        assert_eq!([mbps(-64), mbps(-65), mbps(-40)], [432, 288, 1200]);
        assert_eq!(mbps(-78), 34, "too weak for 80 MHz and for 40, where -79 is the least for scheme 0");
        assert_eq!(mbps(-95), 2);
    }
}
