//! What goes around a PPDU besides its data, by the rules of the air that hold where it went.

use crate::link::Link;
use crate::ppdus::are_mostly;
use airloom_trace::{Air, Phy};

/// Times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gaps {
    /// Nobody sends: SIFS, DIFS and half of the least window.
    pub(crate) around: f64,
    /// The half of the least window in it.
    pub(crate) backoff: f64,
    /// A preamble.
    pub(crate) preamble: f64,
    /// The answer.
    pub(crate) answer: f64,
}

/// A SIFS in nanoseconds, at 2.4 GHz with the extension of the signal (802.11-2020 clauses 17.4.4 and 18.4.5).
pub(crate) const SIFS: f64 = 16_000.0;

/// At 5 GHz 16 + 34 + 67 us (802.11-2020 clause 17.4.4), a preamble of 802.11n (clause 19.3.2) and an answer at 24 Mbit/s (clause 17.4.3). At 2.4 GHz
/// with short slots it is nearly the same, with the extension of the signal.
pub(crate) const USUAL: Gaps =
    Gaps { around: 117_000.0, backoff: 67_000.0, preamble: 36_000.0, answer: 32_000.0 };
/// A preamble of 802.11a and g (clause 17.3.2.1), and an ACK at 24 Mbit/s behind one.
const OFDM: Gaps = Gaps { preamble: 20_000.0, answer: 28_000.0, ..USUAL };
/// With slots of 20 us: a SIFS of 10 us with 6 us of extension, a DIFS of 50 us, and 150 us (802.11-2020 clause 18.4.5).
const LONG_SLOTS: Gaps = Gaps { around: 216_000.0, backoff: 150_000.0, ..USUAL };
/// 802.11b: 10 + 50 + 310 us, since its least window is 31 slots (802.11-2020 clause 16.3.4), a long preamble, and an ACK behind one at 2 Mbit/s.
const DSSS: Gaps = Gaps { around: 370_000.0, backoff: 310_000.0, preamble: 192_000.0, answer: 248_000.0 };

impl Gaps {
    /// Those around most of what a link carries.
    pub(crate) fn of(air: &Air, link: &Link<'_>) -> Self {
        let ap = if link.from.is_ap { link.from } else { link.to };
        if are_mostly(link.traffic, &[Phy::Dsss]) {
            DSSS
        } else if air.has_long_slots(ap.mac) {
            LONG_SLOTS
        } else if are_mostly(link.traffic, &[Phy::Ofdm]) {
            OFDM
        } else {
            USUAL
        }
    }
}
