//! Frames by which an access point tells a station that it does not know it.

use super::Leaves;
use airloom_wire::MacAddr;

/// Reasons of such frames: a frame of class 2 or 3 from a station that is not authenticated, and one of class 3 from a station that is not associated
/// (802.11-2020 table 9-49 and clause 11.3.4.1).
const UNKNOWN: [u16; 2] = [6, 7];
/// An answer comes within this time after the last sign of what it answers, in nanoseconds: an access point queues answers behind each other.
const ANSWERED: u64 = 1_000_000_000;

/// The answers of an access point to frames of a station that it does not know: they end nothing.
#[derive(Clone, Debug, Default)]
pub struct TurnedAway {
    /// How many, and when.
    pub answers: Leaves,
    /// The access point of the last one.
    pub by: MacAddr,
    /// The reason of the last one.
    pub reason: u16,
    /// Frames of the station that were not answered yet, and the last sign of one.
    questions: u32,
    asked_ns: u64,
    /// Whether the access point has sent it data since it was last told to leave: then it knew it.
    is_known: bool,
}

impl TurnedAway {
    /// Takes a frame of the station that needs an association, or the acknowledgment of a frame of it that was not heard.
    pub(super) fn asks(&mut self, at_ns: u64) {
        self.questions = self.questions_at(at_ns).saturating_add(1);
        self.asked_ns = at_ns;
    }

    /// Takes data of the access point for the station.
    pub(super) fn is_sent_data(&mut self) {
        self.is_known = true;
    }

    /// Takes a frame to the station, with its number, that ends an association, and says whether it only answers that there is none.
    pub(super) fn told(
        &mut self,
        at_ns: u64,
        by: MacAddr,
        reason: Option<u16>,
        (to, number): (MacAddr, u16),
    ) -> bool {
        let was_known = std::mem::take(&mut self.is_known);
        let Some(reason) = reason.filter(|one| UNKNOWN.contains(one) && !was_known) else { return false };
        if self.answers.is_again(at_ns, to, number) {
            return true;
        }
        let questions = self.questions_at(at_ns);
        self.questions = questions.saturating_sub(1);
        if questions == 0 {
            return false;
        }
        (self.by, self.reason) = (by, reason);
        self.answers.take(at_ns, to, number, None);
        true
    }

    /// Frames of the station that may be answered at a time.
    const fn questions_at(&self, at_ns: u64) -> u32 {
        if at_ns.saturating_sub(self.asked_ns) < ANSWERED { self.questions } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);
    const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn only_what_was_asked_is_an_answer() {
        let mut one = TurnedAway::default();
        one.asks(10 * SECOND);
        assert!(one.told(10 * SECOND + 1, AP, Some(7), (STATION, 1)));
        assert!(one.told(10 * SECOND + 2, AP, Some(7), (STATION, 1)), "the same frame again");
        assert!(!one.told(10 * SECOND + 3, AP, Some(7), (STATION, 2)), "nothing was asked");
        one.asks(11 * SECOND);
        assert!(!one.told(12 * SECOND, AP, Some(7), (STATION, 3)), "too late");
        one.asks(12 * SECOND);
        assert!(!one.told(12 * SECOND, AP, Some(4), (STATION, 4)), "another reason");
        one.is_sent_data();
        assert!(!one.told(12 * SECOND, AP, Some(6), (STATION, 5)), "it had an association");
        assert_eq!((one.answers.frames, one.answers.span_ns), (1, Some((10 * SECOND + 1, 10 * SECOND + 1))));
    }
}
