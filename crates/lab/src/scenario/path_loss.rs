//! From a distance to a signal-to-noise ratio.

use super::air::{Band, Width};

/// The transmitter's power in dBm: a laptop's adapter.
pub const TRANSMIT_POWER_DBM: f64 = 17.0;
/// The carrier in hertz: channel 6 or 36 (IEEE 802.11-2012 annex E).
pub const fn carrier_hz(band: Band) -> f64 {
    match band {
        Band::Ghz2 => 2.437e9,
        Band::Ghz5 => 5.18e9,
    }
}
/// The path-loss exponent beyond the first metre: indoors through light walls.
pub const EXPONENT: f64 = 3.0;
/// Thermal noise at 290 K in dBm per hertz.
pub const THERMAL_NOISE_DBM_PER_HZ: f64 = -174.0;
/// The receiver's noise figure in dB.
pub const NOISE_FIGURE_DB: f64 = 7.0;
/// The speed of light in metres per second.
const LIGHT: f64 = 299_792_458.0;

/// The signal-to-noise ratio in dB, to a hundredth, at a distance in metres.
///
/// Log-distance path loss: free space up to 1 m, `20 log10(4 pi f / c)` there, and `10 n log10(d)` beyond it with
/// n = [`EXPONENT`]; the noise floor is `-174 dBm/Hz + 10 log10(width)` and the noise figure.
pub fn snr_at(metres: f64, band: Band, width: Width) -> f64 {
    let first_metre = 20.0 * libm::log10(4.0 * std::f64::consts::PI * carrier_hz(band) / LIGHT);
    let exponent = if metres < 1.0 { 2.0 } else { EXPONENT };
    let loss = first_metre + 10.0 * exponent * libm::log10(metres);
    let noise = THERMAL_NOISE_DBM_PER_HZ + 10.0 * libm::log10(width.hertz() as f64) + NOISE_FIGURE_DB;
    libm::round((TRANSMIT_POWER_DBM - loss - noise) * 100.0) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_metres_are_clear_and_ten_times_the_distance_costs_thirty_db() {
        // 17 dBm - (46.73 + 14.31) dB - (-90.98 dBm)
        assert!(
            (snr_at(3.0, Band::Ghz5, Width::Mhz40) - 46.94).abs() < 0.02,
            "{}",
            snr_at(3.0, Band::Ghz5, Width::Mhz40)
        );
        let lost = snr_at(3.0, Band::Ghz5, Width::Mhz20) - snr_at(30.0, Band::Ghz5, Width::Mhz20);
        assert!((lost - 30.0).abs() < 0.011, "{lost}");
        assert!(
            (snr_at(3.0, Band::Ghz5, Width::Mhz20) - snr_at(3.0, Band::Ghz5, Width::Mhz40) - 3.01).abs()
                < 0.011
        );
        // 20 log10(5180 / 2437)
        assert!(
            (snr_at(3.0, Band::Ghz2, Width::Mhz20) - snr_at(3.0, Band::Ghz5, Width::Mhz20) - 6.55).abs()
                < 0.011
        );
    }
}
