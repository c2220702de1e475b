//! Units as types: instants, durations, rates and sizes, all integers so that a run is exact and repeatable.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// An instant of simulated time, in nanoseconds since the run began. Holds 584 years.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

/// A length of simulated time in nanoseconds; never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(u64);

/// A data rate in bits per second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BitRate(u64);

/// An amount of data in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub u64);

impl Time {
    /// The beginning of the run.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// The instant `ns` nanoseconds after the beginning.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since the beginning.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the beginning.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The time elapsed since `earlier`, or zero if that is later.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// `n` nanoseconds.
    pub const fn from_nanos(n: u64) -> Self {
        Self(n)
    }

    /// `n` microseconds.
    pub const fn from_micros(n: u64) -> Self {
        Self(n * 1_000)
    }

    /// `n` milliseconds.
    pub const fn from_millis(n: u64) -> Self {
        Self(n * 1_000_000)
    }

    /// `n` seconds.
    pub const fn from_secs(n: u64) -> Self {
        Self(n * 1_000_000_000)
    }

    /// `s` seconds, rounded to the nanosecond; negative and absurd values saturate.
    pub fn from_secs_f64(s: f64) -> Self {
        Self((s * 1e9).round() as u64)
    }

    /// Length in nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Length in whole microseconds, rounded down.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1_000
    }

    /// Length in whole milliseconds, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Length in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// `self - other`, or zero if `other` is longer.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl BitRate {
    /// `n` bits per second.
    pub const fn from_bps(n: u64) -> Self {
        Self(n)
    }

    /// `n` megabits per second.
    pub const fn from_mbps(n: u64) -> Self {
        Self(n * 1_000_000)
    }

    /// Bits per second.
    pub const fn as_bps(self) -> u64 {
        self.0
    }

    /// Megabits per second.
    pub fn as_mbps_f64(self) -> f64 {
        self.0 as f64 * 1e-6
    }

    /// How long `size` takes at this rate, rounded up to the nanosecond. At a rate of zero it never ends.
    pub const fn time_for(self, size: Bytes) -> Duration {
        if self.0 == 0 {
            return Duration(u64::MAX);
        }
        Duration(match size.0.checked_mul(8_000_000_000) {
            Some(nanobits) => nanobits.div_ceil(self.0),
            None => (size.0 as u128 * 8_000_000_000).div_ceil(self.0 as u128) as u64,
        })
    }
}

impl Bytes {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// `n` kibibytes.
    pub const fn from_kib(n: u64) -> Self {
        Self(n * 1024)
    }
}

impl Add<Duration> for Time {
    type Output = Self;
    fn add(self, d: Duration) -> Self {
        Self(self.0.saturating_add(d.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, d: Duration) {
        *self = *self + d;
    }
}

impl Sub<Duration> for Time {
    type Output = Self;
    fn sub(self, d: Duration) -> Self {
        Self(self.0.saturating_sub(d.0))
    }
}

impl Sub for Time {
    type Output = Duration;
    fn sub(self, earlier: Self) -> Duration {
        debug_assert!(self >= earlier, "time ran back: {self:?} - {earlier:?}");
        self.since(earlier)
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0.saturating_add(o.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl Sub for Duration {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        debug_assert!(self >= o, "negative duration: {self:?} - {o:?}");
        self.saturating_sub(o)
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    fn mul(self, n: u64) -> Self {
        Self(self.0.saturating_mul(n))
    }
}

impl Div<u64> for Duration {
    type Output = Self;
    fn div(self, n: u64) -> Self {
        Self(self.0 / n)
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0)
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, o: Self) {
        self.0 += o.0;
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t={:.9}s", self.as_secs_f64())
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n >= 1_000_000_000 => write!(f, "{}s", n as f64 * 1e-9),
            n if n >= 1_000_000 => write!(f, "{}ms", n as f64 * 1e-6),
            n if n >= 1_000 => write!(f, "{}us", n as f64 * 1e-3),
            n => write!(f, "{n}ns"),
        }
    }
}

impl fmt::Debug for BitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Mbit/s", self.as_mbps_f64())
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialisation_time_is_exact_and_rounds_up() {
        assert_eq!(BitRate::from_mbps(1000).time_for(Bytes(1538)), Duration::from_nanos(12_304));
        assert_eq!(BitRate::from_bps(3).time_for(Bytes(1)), Duration::from_nanos(2_666_666_667));
        assert_eq!(BitRate::default().time_for(Bytes(1)).as_nanos(), u64::MAX);
    }

    #[test]
    fn instants_and_durations_add_up() {
        let t = Time::ZERO + Duration::from_millis(3);
        assert_eq!(t - (t - Duration::from_micros(1)), Duration::from_micros(1));
        assert_eq!(Time::NEVER + Duration::from_secs(1), Time::NEVER);
        assert_eq!(Time::ZERO.since(t), Duration::ZERO);
    }
}
