//! Formats of frames that aggregate.

use airloom_rate::{Eht, GuardInterval, He, Ht, Vht, Width};

/// Formats that aggregate, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// 802.11n.
    Ht,
    /// 802.11ac.
    Vht,
    /// 802.11ax.
    He,
    /// 802.11be.
    Eht,
}

impl Format {
    /// The most MPDUs under one BlockAck, which are those of an aggregate, and the most bytes of an aggregate.
    pub const fn largest_aggregate(self) -> (u32, u32) {
        match self {
            Self::Ht => Ht::LARGEST_AGGREGATE,
            Self::Vht => Vht::LARGEST_AGGREGATE,
            Self::He => He::LARGEST_AGGREGATE,
            Self::Eht => Eht::LARGEST_AGGREGATE,
        }
    }

    /// The highest scheme with this number of streams, as they are counted in it: in HT schemes go on from one stream to the next.
    pub const fn highest_mcs(self, streams: u8) -> u8 {
        match self {
            Self::Ht => Ht::highest_mcs(streams),
            Self::Vht => Vht::HIGHEST_MCS,
            Self::He => He::HIGHEST_MCS,
            Self::Eht => Eht::HIGHEST_MCS,
        }
    }

    /// Its widest channel.
    pub const fn widest(self) -> Width {
        match self {
            Self::Ht => Width::Mhz40,
            Self::Vht | Self::He => Width::Mhz160,
            Self::Eht => Width::Mhz320,
        }
    }

    /// Its guard intervals, the shortest first.
    pub const fn guards(self) -> &'static [GuardInterval] {
        match self {
            Self::Ht | Self::Vht => &[GuardInterval::Ns400, GuardInterval::Ns800],
            Self::He | Self::Eht => &[GuardInterval::Ns800, GuardInterval::Ns1600, GuardInterval::Ns3200],
        }
    }
}
