//! What receiving hardware can read of an MPDU whose frame check sequence is bad.
//!
//! Hardware that is asked to (ath9k: `ATH9K_RXERR_CRC`, passed up by mac80211's `FIF_FCSFAIL`) hands damaged MPDUs to its
//! driver as they are. Their number is worth something as long as the octets around it have survived: the delimiter, without
//! which the MPDU is not found, the header with addresses and number, and enough of the body to show what it carries.
//! Whether they have is drawn from the bit errors that damaged the MPDU. If they have not, one bit of them is wrong,
//! each with the same probability: in the number itself, which is then false, or elsewhere, so that the MPDU's link is
//! unknown.

use crate::reorder::SEQ_MODULO;
use airloom_propagation::Survival;
use airloom_sim::Stream;

/// Octets that must have survived: delimiter (802.11-2020 9.7.1), QoS data header (9.3.2.1), LLC and SNAP, IPv4 header.
const READ: u32 = 4 + 26 + 8 + 20;

/// Bits of a sequence number.
const NUMBER_BITS: u32 = SEQ_MODULO.ilog2();

/// A damaged MPDU as the driver gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadFcs {
    /// Which MPDU of its PPDU it was.
    position: u16,
    /// The number in its header.
    pub(crate) seq: u16,
    /// Whether it carries TCP.
    pub(crate) tcp: bool,
}

/// The receiving hardware's view of the damaged MPDUs of one PPDU.
pub(crate) struct Inspector {
    chance: Stream,
    seen: Vec<BadFcs>,
}

impl Inspector {
    /// Draws from `chance` what can be read.
    pub(crate) fn new(chance: Stream) -> Self {
        Self { chance, seen: Vec::new() }
    }

    /// The PPDU has been handled.
    pub(crate) fn forget(&mut self) {
        self.seen.clear();
    }

    /// Its MPDU at `position`, of `bytes`, is damaged by errors that MPDUs outlive as `survival` says.
    pub(crate) fn damaged(
        &mut self,
        position: u16,
        (seq, tcp): (u16, bool),
        bytes: u32,
        survival: &mut Survival,
    ) {
        let hit = (1.0 - survival.of(READ.min(bytes))) / (1.0 - survival.of(bytes));
        let wrong = self.chance.chance(hit).then(|| self.chance.up_to(8 * READ - 1));
        let seq = match wrong {
            None => seq,
            Some(bit) if bit < NUMBER_BITS => seq ^ (1 << bit),
            Some(_) => return,
        };
        self.seen.push(BadFcs { position, seq, tcp });
    }

    /// Whether anything can be read of the PPDU's damaged MPDUs.
    pub(crate) fn has_reports(&self) -> bool {
        !self.seen.is_empty()
    }

    /// What can be read of the MPDU at `position`.
    pub(crate) fn report(&self, position: u16) -> Option<BadFcs> {
        self.seen.iter().copied().find(|bad| bad.position == position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, Ht, Rate, Width};

    /// Of 40,000 damaged MPDUs of 1,538 octets: how many are read correctly, and how many with a false number.
    fn read(snr_db: f64) -> (f64, f64) {
        let mut survival =
            Survival::new(Rate::Ht(Ht { mcs: 3, width: Width::Mhz40, guard: GuardInterval::Ns800 }), snr_db);
        let mut hardware = Inspector::new(Stream::new(1, "ap", "damage"));
        let (mut right, mut wrong) = (0.0, 0.0);
        for _ in 0..40_000 {
            hardware.forget();
            hardware.damaged(0, (2000, true), 1538, &mut survival);
            if let Some(bad) = hardware.report(0) {
                *(if bad.seq == 2000 { &mut right } else { &mut wrong }) += 1.0 / 40_000.0;
            }
        }
        (right, wrong)
    }

    #[test]
    fn where_few_bits_fail_headers_fail_by_their_share() {
        // One error in the MPDU at most: it hits the 58 octets in 58 cases of 1,538, and the number in 12 bits of those.
        let (right, wrong) = read(14.0);
        let share = 58.0 / 1538.0;
        assert!((right - (1.0 - share)).abs() < 0.005, "{right}");
        assert!((wrong - share * 12.0 / 464.0).abs() < 0.001, "{wrong}");
    }

    #[test]
    fn where_every_bit_may_fail_nothing_is_read() {
        let (right, wrong) = read(-10.0);
        assert!(right < 0.001 && (wrong - 12.0 / 464.0).abs() < 0.003, "{right} {wrong}");
    }
}
