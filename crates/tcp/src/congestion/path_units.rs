//! The units in which both versions of BBR reckon, those of the kernel, so that rounding is the same.

use airloom_sim::Duration;

/// One segment per microsecond (`BW_UNIT`).
pub(super) const RATE: u64 = 1 << 24;
/// A gain of one (`BBR_UNIT`).
pub(super) const ONE: u64 = 256;

pub(super) fn micros(d: Duration) -> u64 {
    d.as_nanos() / 1_000
}

/// A rate times a gain in bytes per second, less the one per cent by which pacing stays below (`bbr_rate_bytes_per_sec`).
pub(super) fn bytes_per_second(rate: u64, gain: u64, mss: u32) -> u64 {
    let scaled = (u128::from(rate) * u128::from(mss) * u128::from(gain)) >> 8;
    ((scaled * (1_000_000 / 100 * 99)) >> 24) as u64
}
