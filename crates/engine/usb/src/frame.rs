//! What fits a frame, in byte times of the full-speed bus: 12 Mbit/s, hence 1,500 in a frame (USB 1.1 section 8.4.3).

use airloom_sim::{Duration, Time};

/// Length of a frame (USB 1.1 section 7.1.12).
pub const FRAME: Duration = Duration::from_millis(1);

/// Byte times of a frame.
pub(crate) const FRAME_BYTES: u32 = 1_500;

/// The most that one bulk transaction carries, in bytes (USB 1.1 section 5.8.3).
pub const MAX_PAYLOAD: u32 = 64;

/// What a bulk transaction costs beside its payload, in byte times: three packets with their SYNC and PID, address and
/// checksums, and the gaps between them (USB 1.1 table 5-9).
pub const TRANSACTION_OVERHEAD: u32 = 13;

/// A transaction that carries all it can.
pub(crate) const FULL_TRANSACTION: u32 = MAX_PAYLOAD + TRANSACTION_OVERHEAD;

/// An IN token that is answered with NAK: two packets and one gap of [`TRANSACTION_OVERHEAD`], no data packet between.
pub(crate) const NAKED_IN: u32 = 8;

/// The start-of-frame packet: SYNC, PID, frame number and checksum (USB 1.1 section 8.4.2).
pub(crate) const START_OF_FRAME: u32 = 4;

/// How long after a frame's end the driver's completion handler has run. A frame's interrupt comes at its end (UHCI 1.1
/// section 1.3), when the controller is already walking the next one. Any time will do that is longer than a walk past empty
/// lists and shorter than a transaction: what the handler submits then misses a walk that goes round only once.
pub(crate) const INTERRUPT_LATENCY: Duration = Duration::from_micros(20);

/// When a frame begins.
pub(crate) const fn start(frame: u64) -> Time {
    Time::from_nanos(frame * FRAME.as_nanos())
}

/// The instant `bytes` byte times into a frame.
pub(crate) const fn instant(frame: u64, bytes: u32) -> Time {
    Time::from_nanos(start(frame).as_nanos() + bytes as u64 * FRAME.as_nanos() / FRAME_BYTES as u64)
}

/// The frame in which an instant lies, and the byte times from its start, rounded up.
pub(crate) const fn place(at: Time) -> (u64, u32) {
    let (frame, rest) = (at.as_nanos() / FRAME.as_nanos(), at.as_nanos() % FRAME.as_nanos());
    (frame, (rest * FRAME_BYTES as u64).div_ceil(FRAME.as_nanos()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// USB 1.1 table 5-9: 64-byte transfers, 19 a frame, 37 byte times left.
    #[test]
    fn nineteen_full_transactions_fit_a_frame() {
        assert_eq!(FRAME_BYTES / FULL_TRANSACTION, 19);
        assert_eq!(FRAME_BYTES % FULL_TRANSACTION, 37);
        const { assert!(START_OF_FRAME <= FRAME_BYTES - 19 * FULL_TRANSACTION) };
    }

    #[test]
    fn places_and_instants_agree() {
        for bytes in [0, 1, 77, 1_499] {
            assert_eq!(place(instant(7, bytes)), (7, bytes));
        }
    }
}
