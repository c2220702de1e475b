//! What a receiver does about missing MPDUs beyond what mac80211 does, whose buffer gives up on a hole after a timeout
//! ([`Reorder`]): on which it gives up earlier.
//!
//! A policy is one file that implements `EarlyRelease`; [`Reordering`] lists them all. A receiver that has none is not
//! asked for anything.
//!
//! ```text
//!               good FCS
//!  hardware -------------------------> driver: Reorder::receive, EarlyRelease::good
//!     |       bad FCS, number legible
//!     '-- Inspector -----------------> EarlyRelease::damaged --- numbers ---> Reorder::give_up
//! ```

mod bad_fcs;
pub mod pseudo_retry_out;
pub mod receive_script;
pub mod smoothed_rate;

use crate::reorder::Reorder;
use airloom_observe::LossCause;
use airloom_sim::{BitRate, Handle, Stream};
use bad_fcs::{BadFcs, Inspector};
use pseudo_retry_out::PseudoRetryOut;

/// When a receiver gives up on a missing MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reordering {
    /// After a timeout, as mac80211 does.
    Timeout,
    /// Once it has come in damaged too often for a link of its speed ([`pseudo_retry_out`]), or after the timeout.
    PseudoRetryOut,
}

impl Reordering {
    /// What a receiver needs beyond its buffer of `window` MPDUs, if anything. What can be read of damaged MPDUs is drawn
    /// from what `chance` makes.
    pub(crate) fn early(self, window: u16, chance: impl FnOnce() -> Stream) -> Option<Box<Early>> {
        let driver = match self {
            Self::Timeout => return None,
            Self::PseudoRetryOut => Box::new(PseudoRetryOut::new(window)),
        };
        Some(Box::new(Early { hardware: Inspector::new(chance()), driver, numbers: Vec::new() }))
    }
}

/// On which missing MPDUs a receiving driver gives up before the timeout. It answers with their numbers; one that is not
/// awaited, since it is held, given up or outside the window, has no effect.
pub(crate) trait EarlyRelease: Send {
    /// The loss cause of those MPDUs.
    fn cause(&self) -> LossCause;

    /// The MPDU `seq` came in well at `rate` while the number `head` was awaited; the buffer is about to take it.
    fn good(&mut self, seq: u16, rate: BitRate, head: u16);

    /// An MPDU of which this much can be read came in damaged at `rate` while the number `head` was awaited. Appends the
    /// numbers to give up at once.
    fn damaged(&mut self, mpdu: BadFcs, rate: BitRate, head: u16, numbers: &mut Vec<u16>);

    /// All MPDUs of a PPDU have been dealt with, and `head` is awaited. Appends the numbers to give up.
    fn ended(&mut self, _head: u16, _numbers: &mut Vec<u16>) {}
}

/// A receiver that gives up on MPDUs before the timeout: its hardware's view of damaged MPDUs, and its policy.
pub(crate) struct Early {
    /// The hardware.
    pub(crate) hardware: Inspector,
    /// The driver.
    pub(crate) driver: Box<dyn EarlyRelease>,
    /// A buffer of one step.
    numbers: Vec<u16>,
}

impl Early {
    /// The driver learns what can be read of the damaged MPDU at `position` of a PPDU. Appends to `up` what that releases
    /// and reports each MPDU that is given up.
    pub(crate) fn damaged(
        &mut self,
        position: u16,
        rate: BitRate,
        (reorder, up): (&mut Reorder, &mut Vec<Handle>),
        lost: impl FnMut(LossCause),
    ) {
        if let Some(mpdu) = self.hardware.report(position) {
            self.driver.damaged(mpdu, rate, reorder.head(), &mut self.numbers);
            self.give_up((reorder, up), lost);
        }
    }

    /// The PPDU has been dealt with; likewise.
    pub(crate) fn ended(
        &mut self,
        (reorder, up): (&mut Reorder, &mut Vec<Handle>),
        lost: impl FnMut(LossCause),
    ) {
        self.hardware.forget();
        self.driver.ended(reorder.head(), &mut self.numbers);
        self.give_up((reorder, up), lost);
    }

    fn give_up(&mut self, (reorder, up): (&mut Reorder, &mut Vec<Handle>), mut lost: impl FnMut(LossCause)) {
        for seq in self.numbers.drain(..) {
            if reorder.give_up(seq, up) {
                lost(self.driver.cause());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reorder::HT_WINDOW;
    use airloom_sim::{Duration, Time};

    /// Gives up on what is awaited as a PPDU ends, and on a number that cannot be awaited.
    struct Impatient;

    impl EarlyRelease for Impatient {
        fn cause(&self) -> LossCause {
            LossCause::TooLate
        }

        fn good(&mut self, _seq: u16, _rate: BitRate, _head: u16) {}

        fn damaged(&mut self, _mpdu: BadFcs, _rate: BitRate, _head: u16, _numbers: &mut Vec<u16>) {}

        fn ended(&mut self, head: u16, numbers: &mut Vec<u16>) {
            numbers.extend([head + HT_WINDOW, head]);
        }
    }

    #[test]
    fn what_a_policy_gives_up_releases_what_waits_behind_it() {
        let hardware = Inspector::new(Stream::new(1, "ap", "damage"));
        let mut early = Early { hardware, driver: Box::new(Impatient), numbers: Vec::new() };
        let mut reorder = Reorder::new(Duration::from_millis(100), HT_WINDOW);
        let (mut up, mut lost) = (Vec::new(), Vec::new());
        for seq in [1, 2, 4] {
            reorder.receive(Time::ZERO, seq, Handle(u32::from(seq)), &mut up);
        }
        assert_eq!(up, []);
        early.ended((&mut reorder, &mut up), |cause| lost.push(cause));
        assert_eq!((&up[..], &lost[..]), (&[Handle(1), Handle(2)][..], &[LossCause::TooLate][..]));
        early.ended((&mut reorder, &mut up), |cause| lost.push(cause));
        assert_eq!((up.len(), lost.len(), reorder.head()), (3, 2, 5));
    }
}
