//! The fields of a PPDU one after another, for telling what its duration is made of.

use airloom_sim::Duration;

/// A field of a PPDU, or several alike in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// What the standard calls it.
    pub name: &'static str,
    /// The duration of one.
    pub each: Duration,
    /// How many there are in a row.
    pub times: u64,
}

impl Field {
    /// `times` fields of `each`.
    pub(crate) const fn new(name: &'static str, each: Duration, times: u64) -> Self {
        Self { name, each, times }
    }

    /// The duration of all in the row.
    pub fn duration(self) -> Duration {
        self.each * self.times
    }
}

/// What every PPDU of OFDM begins with, so that all can tell how long it is (802.11-2020 17.3.3).
pub(crate) const LEGACY: [Field; 3] = [
    Field::new("L-STF", Duration::from_micros(8), 1),
    Field::new("L-LTF", Duration::from_micros(8), 1),
    Field::new("L-SIG", Duration::from_micros(4), 1),
];

/// Long training fields for this number of streams, 1 to 8 (802.11-2020 tables 19-13 and 21-13, 802.11ax-2021 27.3.11.10).
pub(crate) const fn training_fields(streams: u32) -> u64 {
    match streams {
        0..=1 => 1,
        2 => 2,
        3..=4 => 4,
        5..=6 => 6,
        _ => 8,
    }
}

/// Symbols with a short guard interval, rounded up to whole 4 us (802.11-2020 equations 19-90 and 21-106).
pub(crate) fn in_whole_4_us(symbols: Duration) -> Duration {
    Duration::from_micros(4) * symbols.as_nanos().div_ceil(4_000)
}
