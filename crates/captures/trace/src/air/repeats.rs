//! Whether anything arrived of a PPDU, as the PPDU of retries that follows it shows.

use crate::BlockAck;
use crate::numbers::MODULO;

/// The most numbers that are kept: an A-MPDU has no more (802.11be).
const MOST: usize = 1024;
/// This share of the numbers between the first and the last that are sent again is among these where nothing had arrived: the monitor may have missed some.
const NEARLY_ALL: f64 = 0.75;

/// What did not arrive of a PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// All of it: nothing was acknowledged.
    Whole,
    /// Some of its MPDUs.
    Part,
}

/// The numbers of one stream that went together.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// Those of the last PPDU that were not acknowledged, those that were, and those of the PPDU that is being heard.
    last: Vec<u16>,
    acknowledged: Vec<u16>,
    now: Vec<u16>,
}

impl Repeats {
    /// The monitor heard an MPDU with this number.
    pub(super) fn heard(&mut self, sequence: u16) {
        if self.now.len() < MOST {
            self.now.push(sequence % MODULO);
        }
    }

    /// The receiver sent a BlockAck.
    pub(super) fn acknowledged(&mut self, told: BlockAck) {
        let arrived =
            |&mut sequence: &mut u16| told.bitmap.contains((sequence + MODULO - told.start) % MODULO);
        self.acknowledged.extend(self.last.extract_if(.., arrived));
    }

    /// The PPDU that was being heard is complete, and consists of retries: what was lost of the one that it repeats.
    ///
    /// What collides at the monitor too is not heard, nor is the BlockAck always. Then the gaps show what noise left: what was lost as a whole has none.
    pub(super) fn lost(&self) -> Option<Lost> {
        let (first, last) = (*self.now.first()?, *self.now.last()?);
        let behind = |sequence: u16| (sequence + MODULO - first) % MODULO;
        let again = |of: &[u16]| of.iter().filter(|sequence| self.now.contains(sequence)).count();
        let missing = again(&self.last);
        let (sent, all) = match missing {
            // All had arrived: the BlockAck was lost.
            0 if again(&self.acknowledged) > 0 => return None,
            0 => (self.now.len(), usize::from(behind(last)) + 1),
            _ if !self.acknowledged.is_empty() => return Some(Lost::Part),
            _ => (missing, self.last.iter().filter(|&&sequence| behind(sequence) <= behind(last)).count()),
        };
        Some(if sent as f64 >= NEARLY_ALL * all as f64 { Lost::Whole } else { Lost::Part })
    }

    /// The next PPDU begins.
    pub(super) fn next(&mut self) {
        std::mem::swap(&mut self.last, &mut self.now);
        self.now.clear();
        self.acknowledged.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_wire::ieee80211::Acknowledged;

    /// What was lost of a PPDU of some numbers, which a BlockAck answers with these bits from the first on, if one was heard, and behind which these are sent again.
    fn lost(sent: &[u16], bits: Option<u64>, again: &[u16]) -> Option<Lost> {
        let mut repeats = Repeats::default();
        sent.iter().for_each(|&sequence| repeats.heard(sequence));
        repeats.next();
        if let Some(bits) = bits {
            repeats.acknowledged(BlockAck { tid: 0, start: sent[0], bitmap: Acknowledged::Of64(bits) });
        }
        again.iter().for_each(|&sequence| repeats.heard(sequence));
        repeats.lost()
    }

    fn numbers(from: u16, to: u16) -> Vec<u16> {
        (from..to).map(|sequence| sequence % MODULO).collect()
    }

    #[test]
    fn what_noise_left_goes_alone_and_was_no_whole() {
        let sent = numbers(4090, 4106);
        let left = [4090, 4093, 4094, 0, 3, 9];
        let bits = (0..16).filter(|&bit| !left.contains(&sent[bit])).map(|bit| 1 << bit).sum();
        assert_eq!(lost(&sent, Some(bits), &left), Some(Lost::Part));
        assert_eq!(lost(&sent, None, &left), Some(Lost::Part), "its gaps show that too");
        assert_eq!(lost(&sent, Some(0xff), &sent[8..]), Some(Lost::Part), "a collision began in the middle");
    }

    #[test]
    fn what_was_lost_as_a_whole_comes_again_as_it_was() {
        let sent = numbers(4090, 4106);
        assert_eq!(lost(&sent, None, &sent), Some(Lost::Whole));
        assert_eq!(lost(&sent, None, &sent[..5]), Some(Lost::Whole), "fewer go together at a slower rate");
        assert_eq!(lost(&sent, None, &sent[3..]), Some(Lost::Whole), "the first were given up");
        assert_eq!(lost(&sent, Some(0), &sent), Some(Lost::Whole), "the answer to a request");
        let missed: Vec<_> = sent.iter().copied().filter(|sequence| sequence % 8 > 0).collect();
        assert_eq!(lost(&sent, None, &missed), Some(Lost::Whole), "the monitor missed some");
    }

    #[test]
    fn what_was_not_heard_before_shows_by_its_gaps_how_it_was_lost() {
        let sent = numbers(10, 18);
        assert_eq!(
            lost(&sent, Some(0xff), &numbers(18, 30)),
            Some(Lost::Whole),
            "it collided at the monitor too"
        );
        assert_eq!(lost(&sent, Some(0xff), &[18, 21, 22, 29]), Some(Lost::Part), "noise at the monitor too");
        assert_eq!(lost(&[], None, &sent), Some(Lost::Whole), "the capture begins");
    }

    #[test]
    fn where_all_had_arrived_nothing_was_lost_but_the_block_ack() {
        let sent = numbers(10, 18);
        assert_eq!(lost(&sent, Some(0xff), &sent), None);
    }
}
