//! Pseudo retry-out: a receiver that gives up on an MPDU before its sender does (Nomoto et al., INNOV 2017, section III).
//!
//! A sender that retransmits ten times and more hides every loss from TCP; on a slow link TCP then fills whatever queue
//! there is. The receiver cannot stop the sender from retransmitting, but it decides what goes up. So its driver counts how
//! often each MPDU has come in damaged, as its hardware reports it. Once an MPDU has been *re*transmitted without
//! success as often as the limit for a link of this speed ([`SmoothedRate::retry_out_index`]), it counts as lost: MPDUs
//! behind it go up, and a later good copy is ignored, though the hardware acknowledges it. TCP sees a loss and slows
//! down.
//!
//! What the hardware reports of a damaged MPDU may be wrong, its number included. Three things keep a wrong number
//! harmless. Counts are kept for one window to either side of the number awaited, and nothing else is believed. The buffer
//! moves past a number given up only when a good MPDU waits behind it, so that it never runs ahead of the sender. And it
//! takes several reports of one number to give up on it, at the price of one segment, which TCP sends again.

use super::EarlyRelease;
use super::bad_fcs::BadFcs;
use super::smoothed_rate::SmoothedRate;
use crate::reorder::{SEQ_MODULO, distance, number};
use airloom_observe::LossCause;
use airloom_sim::BitRate;

/// What a receiving driver concludes from an MPDU with a bad frame check sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its number lies too far from those awaited to be true.
    Incredible,
    /// It has been retransmitted this often without success, as far as known.
    Counted(u8),
    /// It has been retransmitted this often without success, which is too often: it is lost, if it is still awaited.
    Overdue(u8),
}

/// The remedy's memory for one transmitter and TID.
#[derive(Clone, Debug)]
pub struct PseudoRetryOut {
    rate: SmoothedRate,
    /// MPDUs in the window of the agreement.
    window: u16,
    /// How often each number came in damaged, by number modulo the span, which is a power of two so that numbers may wrap.
    damaged: Box<[u8]>,
    /// One after the highest number that has a count.
    end: u16,
}

impl PseudoRetryOut {
    /// No MPDU has come in under an agreement of `window` MPDUs, and 0 is awaited.
    pub fn new(window: u16) -> Self {
        // Counts reach a window to either side of the number awaited.
        let span = usize::from(2 * window.next_power_of_two());
        Self { rate: SmoothedRate::default(), window, damaged: vec![0; span].into_boxed_slice(), end: window }
    }

    fn span(&self) -> u16 {
        self.damaged.len() as u16
    }

    fn count(&mut self, seq: u16) -> &mut u8 {
        &mut self.damaged[usize::from(seq) & (self.damaged.len() - 1)]
    }

    /// An MPDU came in at `rate`, damaged or not, while `head` was awaited. What it was is for [`damaged`](Self::damaged)
    /// to say.
    pub fn heard(&mut self, rate: BitRate, head: u16) {
        self.rate.update(rate);
        self.follow(head);
    }

    /// The MPDU heard last came in damaged. It says to be `seq`, and to carry TCP or not.
    pub fn damaged(&mut self, seq: u16, tcp: bool) -> Verdict {
        if distance(seq, self.end) == 0 || distance(seq, self.end) > 2 * self.window {
            return Verdict::Incredible;
        }
        let damaged = self.count(seq);
        *damaged = damaged.saturating_add(1);
        let retransmissions = *damaged - 1;
        let enough = self.rate.retry_out_index().is_some_and(|index| u32::from(retransmissions) >= index);
        if tcp && enough { Verdict::Overdue(retransmissions) } else { Verdict::Counted(retransmissions) }
    }

    /// Moves the span along with the number awaited, which never goes back; what enters it has not been counted yet.
    fn follow(&mut self, head: u16) {
        let end = number(head, self.window);
        let ahead = distance(self.end, end);
        for n in 1..=ahead.min(self.span()) {
            *self.count(number(end, SEQ_MODULO - n)) = 0;
        }
        self.end = end;
    }
}

impl EarlyRelease for PseudoRetryOut {
    fn cause(&self) -> LossCause {
        LossCause::PseudoRetryOut
    }

    fn good(&mut self, _seq: u16, rate: BitRate, head: u16) {
        self.heard(rate, head);
    }

    fn damaged(&mut self, mpdu: BadFcs, rate: BitRate, head: u16, numbers: &mut Vec<u16>) {
        self.heard(rate, head);
        if let Verdict::Overdue(_) = self.damaged(mpdu.seq, mpdu.tcp) {
            numbers.push(mpdu.seq);
        }
    }
}
