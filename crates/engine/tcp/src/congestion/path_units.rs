//! The units in which both versions of BBR reckon, those of the kernel, so that rounding is the same.

use airloom_sim::Duration;

/// One segment per microsecond (`BW_UNIT`).
pub(super) const RATE: u64 = 1 << 24;
/// A gain of one (`BBR_UNIT`).
pub(super) const ONE: u64 = 256;

pub(super) fn micros(d: Duration) -> u64 {
    d.as_nanos() / 1_000
}

/// Segments that a rate carries in so many microseconds, however many they are.
pub(super) fn carried(rate: u64, micros: u64) -> u64 {
    rate.saturating_mul(micros) / RATE
}

/// A rate times a gain in bytes per second, less the one per cent by which pacing stays below (`bbr_rate_bytes_per_sec`).
pub(super) fn bytes_per_second(rate: u64, gain: u64, mss: u32) -> u64 {
    let scaled = (u128::from(rate) * u128::from(mss) * u128::from(gain)) >> 8;
    ((scaled * (1_000_000 / 100 * 99)) >> 24) as u64
}

/// A rate in bytes of payload per second, as kernels tell it (`bbr_get_info`).
pub(super) fn payload_per_second(rate: u64, mss: u32) -> u64 {
    ((u128::from(rate) * u128::from(mss) * 1_000_000) >> 24) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_carries_less_than_it_might_only_in_weeks() {
        assert_eq!(carried(RATE / 1000, 2_000_000), 1999, "the rate was rounded down");
        assert_eq!(carried(RATE, 1 << 39), 1 << 39, "six days at a segment per microsecond");
        assert_eq!(carried(RATE, u64::MAX), u64::MAX / RATE);
    }
}
