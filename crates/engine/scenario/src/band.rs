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
