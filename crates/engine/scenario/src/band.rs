//! Frequency bands.

airloom_sim::kinds! {
    /// The band.
    pub enum Band {
        /// 2.4 GHz.
        Ghz2 = "2.4 GHz",
        /// 5 GHz.
        Ghz5 = "5 GHz",
        /// 6 GHz.
        Ghz6 = "6 GHz",
    }
}

impl Band {
    /// The carrier in hertz: channel 6, 36 or, at 6 GHz, 5 (IEEE 802.11-2020 annex E; 802.11ax-2021 27.3.23.2).
    pub const fn carrier_hz(self) -> f64 {
        match self {
            Self::Ghz2 => 2.437e9,
            Self::Ghz5 => 5.18e9,
            Self::Ghz6 => 5.975e9,
        }
    }
}
