//! Frequency bands.

/// The band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// 2.4 GHz.
    Ghz2,
    /// 5 GHz.
    Ghz5,
}

impl Band {
    /// The carrier in hertz: channel 6 or 36 (IEEE 802.11-2012 annex E).
    pub const fn carrier_hz(self) -> f64 {
        match self {
            Self::Ghz2 => 2.437e9,
            Self::Ghz5 => 5.18e9,
        }
    }
}
