//! What signal a rate needs.

use airloom_rate::{Width, sensitivity};
use airloom_trace::{Phy, Speed};

/// The noise against which the standard's sensitivities are given: thermal noise in 20 MHz, a noise figure of 10 dB and 5 dB for
/// the implementation (802.11-2020 clause 19.3.19.2), in dBm.
const NOISE: f64 = -174.0 + 73.0 + 10.0 + 5.0;

/// The ratio of signal to noise in dB at which one MPDU in ten is lost at an MCS, in any width with the noise of that width.
pub(crate) fn needed_by_index(index: u8) -> f64 {
    sensitivity(index, Width::Mhz20) - NOISE
}

/// The same for a rate. Of several streams each gets its share of the power.
pub(crate) fn needed(speed: &Speed) -> f64 {
    let streams = 10.0 * libm::log10(speed.streams.into());
    match (speed.phy, speed.index) {
        (_, Some(index)) => needed_by_index(index) + streams,
        // 802.11-2020 table 17-18 for OFDM; for DSSS some 10 dB at 11 Mbit/s, 1 dB at 1 (clauses 15.4.6.2 and 16.3.8.2).
        (Phy::Dsss, None) => 1.0 + 10.0 * libm::log10(speed.mbps) * 0.9,
        (_, None) => match speed.mbps {
            ..=6.0 => 4.0,
            ..=9.0 => 5.0,
            ..=12.0 => 7.0,
            ..=18.0 => 9.0,
            ..=24.0 => 12.0,
            ..=36.0 => 16.0,
            ..=48.0 => 20.0,
            _ => 21.0,
        },
    }
}

/// The highest MCS of a PHY that such a ratio is enough for, with that many streams; none if not even the lowest.
pub(crate) fn highest_index(phy: Phy, streams: u8, snr: f64) -> Option<u8> {
    let most = match phy {
        Phy::Dsss | Phy::Ofdm => return None,
        Phy::Ht => 7,
        Phy::Vht => 9,
        Phy::He => 11,
        Phy::Eht => 13,
    };
    let each = snr - 10.0 * libm::log10(streams.into());
    (0..=most).rev().find(|&index| needed_by_index(index) <= each)
}
