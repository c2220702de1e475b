//! Guard intervals of OFDM symbols.

use airloom_sim::Duration;

airloom_sim::kinds! {
    /// What keeps the echoes of a symbol out of the next one.
    pub enum GuardInterval {
        /// 400 ns, the short one of HT and VHT.
        Ns400 = "short",
        /// 800 ns, the long one of HT and VHT, the shortest of HE and EHT and the only one of 802.11a and 802.11g.
        Ns800 = "long",
        /// 1,600 ns, of HE and EHT.
        Ns1600 = "1.6 us",
        /// 3,200 ns, of HE and EHT.
        Ns3200 = "3.2 us",
    }
}

impl GuardInterval {
    /// Its length.
    pub const fn duration(self) -> Duration {
        Duration::from_nanos(match self {
            Self::Ns400 => 400,
            Self::Ns800 => 800,
            Self::Ns1600 => 1600,
            Self::Ns3200 => 3200,
        })
    }
}
