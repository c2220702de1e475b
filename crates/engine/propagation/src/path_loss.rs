//! From a distance to a signal-to-noise ratio.

use airloom_rate::Width;

/// The usual power of a transmitter in dBm: a laptop's adapter.
pub const TRANSMIT_POWER_DBM: f64 = 17.0;

/// How a signal weakens with distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathLoss {
    /// The exponent beyond the first metre: 2 in free space, 3 indoors through light walls.
    pub exponent: f64,
    /// Attenuation of each wall, in dB: 3.4 of a light one, 6.9 of a heavy one (COST 231, section 4.7.2).
    pub wall_db: f64,
}

impl PathLoss {
    /// Indoors.
    pub const INDOORS: Self = Self { exponent: 3.0, wall_db: 5.0 };
}

/// Thermal noise at 290 K in dBm per hertz.
const THERMAL_NOISE_DBM_PER_HZ: f64 = -174.0;
/// The usual noise figure of a receiver in dB.
pub const NOISE_FIGURE_DB: f64 = 7.0;
/// The speed of light in metres per second.
const LIGHT: f64 = 299_792_458.0;

/// The signal-to-noise ratio in dB, to a hundredth, at a distance in metres and behind a number of walls, on a carrier in Hz: what is
/// received, over the noise.
pub fn snr_at(metres: f64, walls: u32, path_loss: &PathLoss, carrier_hz: f64, width: Width) -> f64 {
    let behind_db = f64::from(walls) * path_loss.wall_db;
    snr_of(received_dbm(metres, behind_db, path_loss, carrier_hz), width)
}

/// The power that is received in dBm at a distance in metres, behind what takes so many dB, on a carrier in Hz.
///
/// Log-distance path loss: free space up to 1 m, `20 log10(4 pi f / c)` there, and `10 n log10(d)` beyond it with
/// n = [`PathLoss::exponent`].
pub(crate) fn received_dbm(metres: f64, behind_db: f64, path_loss: &PathLoss, carrier_hz: f64) -> f64 {
    let first_metre = 20.0 * libm::log10(4.0 * std::f64::consts::PI * carrier_hz / LIGHT);
    let exponent = if metres < 1.0 { 2.0 } else { path_loss.exponent };
    TRANSMIT_POWER_DBM - (first_metre + 10.0 * exponent * libm::log10(metres) + behind_db)
}

/// The noise in a channel, in dBm: `-174 dBm/Hz + 10 log10(width)` and the usual noise figure.
pub fn noise_dbm(width: Width) -> f64 {
    THERMAL_NOISE_DBM_PER_HZ + 10.0 * libm::log10(width.hertz() as f64) + NOISE_FIGURE_DB
}

/// The ratio of what is received to the noise of a channel, in dB, to a hundredth.
pub fn snr_of(received_dbm: f64, width: Width) -> f64 {
    libm::round((received_dbm - noise_dbm(width)) * 100.0) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Channels 36 and 6.
    const GHZ5: f64 = 5.18e9;
    const GHZ2: f64 = 2.437e9;

    fn snr(metres: f64, carrier_hz: f64, width: Width) -> f64 {
        snr_at(metres, 0, &PathLoss::INDOORS, carrier_hz, width)
    }

    #[test]
    fn three_metres_are_clear_and_ten_times_the_distance_costs_thirty_db() {
        // 17 dBm - (46.73 + 14.31) dB - (-90.98 dBm)
        let near = snr(3.0, GHZ5, Width::Mhz40);
        assert!((near - 46.94).abs() < 0.02, "{near}");
        let lost = snr(3.0, GHZ5, Width::Mhz20) - snr(30.0, GHZ5, Width::Mhz20);
        assert!((lost - 30.0).abs() < 0.011, "{lost}");
        assert!((snr(3.0, GHZ5, Width::Mhz20) - near - 3.01).abs() < 0.011);
        // 20 log10(5180 / 2437)
        let lower = snr(3.0, GHZ2, Width::Mhz20) - snr(3.0, GHZ5, Width::Mhz20);
        assert!((lower - 6.55).abs() < 0.011);
    }

    #[test]
    fn walls_and_the_exponent_take_their_share() {
        let clear = snr(10.0, GHZ5, Width::Mhz20);
        let with = |walls, exponent, wall_db| {
            snr_at(10.0, walls, &PathLoss { exponent, wall_db }, GHZ5, Width::Mhz20)
        };
        assert!((clear - with(3, 3.0, 6.9) - 20.7).abs() < 0.011);
        assert!((clear - with(0, 3.5, 5.0) - 5.0).abs() < 0.011);
        assert!((with(1, 2.0, 0.0) - clear - 10.0).abs() < 0.011);
    }
}
