//! Widths of channels and frames.

airloom_sim::kinds! {
    /// The width of a channel, or of a frame in it.
    pub enum Width {
        /// 20 MHz.
        Mhz20 = "20 MHz",
        /// 40 MHz.
        Mhz40 = "40 MHz",
        /// 80 MHz.
        Mhz80 = "80 MHz",
        /// 160 MHz in one piece.
        Mhz160 = "160 MHz",
        /// 320 MHz, of EHT at 6 GHz.
        Mhz320 = "320 MHz",
    }
}

impl Width {
    /// Megahertz.
    pub const fn mhz(self) -> u32 {
        match self {
            Self::Mhz20 => 20,
            Self::Mhz40 => 40,
            Self::Mhz80 => 80,
            Self::Mhz160 => 160,
            Self::Mhz320 => 320,
        }
    }

    /// Hertz.
    pub const fn hertz(self) -> u64 {
        self.mhz() as u64 * 1_000_000
    }
}
