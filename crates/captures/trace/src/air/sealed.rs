//! The packet numbers of what one radio sends to another under one key: they tell how much was sent that was not heard.

use crate::Spread;
use crate::numbers::{LEFT_OUT, MODULO};

/// What comes so far behind the newest was in a BlockAck's window with it; what comes farther behind has another key.
const WINDOW: u64 = 1024;

/// The packet numbers that were heard. A sender counts its MPDUs under a key by them, whatever their traffic identifier, and never uses one twice (802.11-2020 clause 12.5.3.2):
/// unlike a sequence number they tell how often that came round.
#[derive(Clone, Debug, Default)]
pub(super) struct Sealed {
    newest: Option<u64>,
    /// MPDUs that were heard, each once.
    pub(super) heard: u64,
    /// MPDUs that were sent and never heard, of gaps that are longer than what a sender gives up.
    pub(super) skipped: u64,
    /// Records behind such gaps.
    pub(super) gaps: Spread<u32>,
}

impl Sealed {
    /// Takes a frame with its packet number, how far its sequence number is ahead of the one before of its traffic identifier, and whether it was not heard before.
    ///
    /// The packet number and the sequence number have to agree. Where they do not, the lesser counts: other traffic identifiers take packet numbers,
    /// and what is given up before it is encrypted takes sequence numbers alone.
    pub(super) fn take(&mut self, record: u32, number: u64, ahead: u16, is_new: bool) {
        self.heard += u64::from(is_new);
        let Some(newest) = self.newest.replace(number) else { return };
        let late = newest.saturating_sub(number);
        if (1..WINDOW).contains(&late) {
            self.newest = Some(newest);
            self.skipped = self.skipped.saturating_sub(u64::from(is_new));
            return;
        }
        let (sent, counted) = (number.saturating_sub(newest), u64::from(ahead));
        let went = if sent % u64::from(MODULO) == counted { sent } else { sent.min(counted) };
        // As many as this in a row may have been given up by their sender: more are the monitor's.
        if went > u64::from(LEFT_OUT) + 1 {
            self.skipped += went - 1;
            self.gaps.push(record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many were sent and not heard of a sender of which these packet numbers were, each with how far the sequence number is ahead.
    fn skipped(frames: &[(u64, u16)]) -> u64 {
        let mut sealed = Sealed::default();
        frames.iter().for_each(|&(number, ahead)| sealed.take(0, number, ahead, true));
        sealed.skipped
    }

    /// `wpa-test-decode.pcap.gz` of Wireshark's tests: frames 3824, 3836, 3850 and 3862 of 00:1b:77:2f:93:04.
    #[test]
    fn packet_numbers_tell_how_much_was_sent_that_was_not_heard() {
        assert_eq!(skipped(&[(32927, 836), (33758, 831), (34602, 844), (35426, 824)]), 830 + 843 + 823);
        // A sequence number that came round.
        assert_eq!(skipped(&[(1, 0), (1 + 3 * 4096 + 5, 5)]), 3 * 4096 + 4);
    }

    #[test]
    fn what_only_one_of_both_numbers_tells_does_not_count() {
        // Another traffic identifier sent, which has sequence numbers of its own.
        assert_eq!(skipped(&[(1, 0), (500, 1), (900, 12)]), 11);
        // A key that is new, and another device's sequence number.
        assert_eq!(skipped(&[(5000, 0), (1, 700), (2, 2000)]), 0);
        // What may have been given up.
        assert_eq!(skipped(&[(1, 0), (10, 9)]), 0);
    }

    #[test]
    fn what_comes_late_was_not_skipped() {
        let mut sealed = Sealed::default();
        sealed.take(0, 1, 0, true);
        sealed.take(0, 21, 20, true);
        (2..12).for_each(|number| sealed.take(0, number, 0, true));
        sealed.take(0, 3, 0, false);
        assert_eq!(sealed.skipped, 19 - 10);
    }
}
