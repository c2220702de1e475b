//! How the data of a PPDU of HE or EHT end: in which quarter of which symbol, and what a receiver needs behind it (802.11ax-2021 27.3.12,
//! 802.11be-2024 36.3.13).

use crate::modulation::{of_scheme, with_service_and_tail};
use crate::{Coding, ldpc};
use airloom_sim::Duration;

airloom_sim::kinds! {
    /// How long a receiver may need for the end of a PPDU: what its capabilities say for this width, these streams and this modulation
    /// (nominal packet padding, 802.11ax-2021 table 27-46, 802.11be-2024 table 36-61).
    pub enum Padding {
        /// No time.
        None = "0 us",
        /// 8 us for a full last symbol.
        Us8 = "8 us",
        /// 16 us for a full last symbol.
        Us16 = "16 us",
        /// 20 us for a full last symbol, in EHT alone.
        Us20 = "20 us",
    }
}

impl Padding {
    /// The packet extension behind a last symbol with this many segments of data.
    pub(crate) fn extension(self, segments: u64) -> Duration {
        let quarters = match self {
            Self::None => 0,
            Self::Us8 => segments.saturating_sub(2),
            Self::Us16 => segments,
            Self::Us20 => segments + 1,
        };
        Duration::from_micros(4) * quarters
    }
}

/// Segments of a symbol, of which the last one of a PPDU may fill fewer (802.11ax-2021 27.3.12.1).
const SEGMENTS: u64 = 4;

/// Coded and data bits of a symbol, or of a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) coded: u64,
    pub(crate) data: u64,
}

impl Bits {
    /// Those that this many subcarriers of a symbol carry at a scheme, on so many streams.
    pub(crate) fn of(mcs: u8, carriers: u32, streams: u8) -> Self {
        let (modulation, coding) = of_scheme(mcs);
        let coded = carriers * modulation.bits() * u32::from(streams);
        Self { coded: u64::from(coded), data: u64::from(coding.data_bits(coded)) }
    }
}

/// How the data of a PPDU end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Symbols, N_SYM.
    pub(crate) symbols: u64,
    /// Segments of the last one that hold data, the pre-FEC padding factor a: 1 to 4.
    pub(crate) segments: u64,
}

impl End {
    /// Where the data of a PSDU end, if a symbol has so many bits and each of its first three segments so many (802.11ax-2021 27.3.12.1 and,
    /// for the segment that LDPC may add, 27.3.12.5.2; 802.11be-2024 36.3.13.3.5).
    pub(crate) fn of(psdu: u32, symbol: Bits, segment: Bits, coding: Coding) -> Self {
        let bits = with_service_and_tail(psdu, 0);
        let symbols = bits.div_ceil(symbol.data);
        let excess = bits - (symbols - 1) * symbol.data;
        let segments = excess.div_ceil(segment.data).min(SEGMENTS);
        let in_last = |segment: u64, whole: u64| if segments < SEGMENTS { segments * segment } else { whole };
        let payload = (symbols - 1) * symbol.data + in_last(segment.data, symbol.data);
        let available = (symbols - 1) * symbol.coded + in_last(segment.coded, symbol.coded);
        match (ldpc::needs_more_room(payload, available, coding), segments) {
            (false, _) => Self { symbols, segments },
            (true, SEGMENTS) => Self { symbols: symbols + 1, segments: 1 },
            (true, _) => Self { symbols, segments: segments + 1 },
        }
    }
}
