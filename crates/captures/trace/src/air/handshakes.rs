//! Handshakes of keys that did not come to their end.

use crate::{Capped, KeyMessage};
use airloom_wire::MacAddr;

/// The standard's count of an access point's tries (802.11-2020 annex C, `dot11RSNAConfigPairwiseUpdateCount`): hostapd makes one more
/// (2.11, `wpa_pairwise_update_count`), and disconnects the station behind them (`SM_STATE(WPA_PTK, PTKSTART)` and `PTKINITNEGOTIATING`).
const TRIES: u32 = 3;

/// An acknowledgment follows its frame within this time, in nanoseconds.
const ACKNOWLEDGED: u64 = 2_000_000;

/// A handshake of four that failed, as far as its access point's tries show: each has a new replay counter, and it makes another where the answer
/// that it waits for has not come, or is not right (802.11-2020 clause 12.7.6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedHandshake {
    /// The access point.
    pub bssid: MacAddr,
    /// The message that it tried again: 1, or 3, which it sends where message 2 was right.
    pub message: u8,
    /// How often it sent that.
    pub tries: u32,
    /// How many messages 2 it answered with message 1 again; and how many of them it had acknowledged, so that they were not lost.
    pub answered: u32,
    /// See `answered`.
    pub acknowledged: u32,
    /// Whether its access point said that it timed out (reason 15, 802.11-2020 table 9-49).
    pub timed_out: bool,
    /// The first and the last message, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
}

/// The handshakes of one station.
#[derive(Clone, Debug, Default)]
pub struct Handshakes {
    failed: Capped<FailedHandshake, 64>,
    going: Option<Going>,
}

/// A handshake that goes on.
#[derive(Clone, Debug)]
struct Going {
    bssid: MacAddr,
    span_ns: (u64, u64),
    /// How often message 1 came, and message 3, and the last counter of each.
    tries: [u32; 2],
    counters: [Option<u64>; 2],
    /// The last message 2 to the last message 1, and whether that was acknowledged.
    reply: Option<(u64, bool)>,
    answered: u32,
    acknowledged: u32,
    /// Whether it came to its end: by message 4, or by data.
    is_done: bool,
    timed_out: bool,
}

impl Handshakes {
    /// Those that failed, in their order.
    pub const fn failed(&self) -> &Capped<FailedHandshake, 64> {
        &self.failed
    }

    /// Takes a message between the station and an access point.
    pub(super) fn message(&mut self, at_ns: u64, bssid: MacAddr, message: KeyMessage) {
        let is_new = |going: &Going| {
            going.bssid != bssid || message.number == 1 && (going.tries[1] > 0 || going.is_done)
        };
        if self.going.as_ref().is_some_and(is_new) {
            self.end(true);
        }
        self.going.get_or_insert_with(|| Going::from(at_ns, bssid)).message(at_ns, message);
    }

    /// Takes an ACK to the station.
    pub(super) fn acknowledged(&mut self, at_ns: u64) {
        if let Some((sent_ns, known)) = self.going.as_mut().and_then(|going| going.reply.as_mut()) {
            *known |= at_ns.saturating_sub(*sent_ns) < ACKNOWLEDGED;
        }
    }

    /// Takes data between the station and an access point: the keys are there.
    pub(super) fn data(&mut self) {
        if let Some(going) = &mut self.going {
            going.is_done = true;
        }
    }

    /// The access point ends the association since the handshake timed out.
    pub(super) fn times_out(&mut self) {
        if let Some(going) = &mut self.going {
            going.timed_out = true;
        }
        self.end(true);
    }

    /// The handshake ends: with the capture, or `known` by a frame that ends the association or begins another.
    pub(super) fn end(&mut self, known: bool) {
        let failed = self.going.take().and_then(|going| going.failed(known));
        failed.into_iter().for_each(|failed| self.failed.push(failed));
    }
}

impl Going {
    const fn from(at_ns: u64, bssid: MacAddr) -> Self {
        Self {
            bssid,
            span_ns: (at_ns, at_ns),
            tries: [0; 2],
            counters: [None; 2],
            reply: None,
            answered: 0,
            acknowledged: 0,
            is_done: false,
            timed_out: false,
        }
    }

    fn message(&mut self, at_ns: u64, KeyMessage { number, counter }: KeyMessage) {
        self.span_ns.1 = at_ns;
        match number {
            2 if self.counters[0] == Some(counter) => {
                self.reply.get_or_insert((at_ns, false)).0 = at_ns;
            }
            1 | 3 => {
                let place = usize::from(number == 3);
                // The radio's own retry has the same counter.
                if self.counters[place].replace(counter) == Some(counter) {
                    return;
                }
                self.tries[place] += 1;
                if let Some((_, known)) = self.reply.take()
                    && number == 1
                {
                    self.answered += 1;
                    self.acknowledged += u32::from(known);
                }
            }
            4 => self.is_done = true,
            _ => {}
        }
    }

    /// What failed, if anything did.
    fn failed(&self, known: bool) -> Option<FailedHandshake> {
        let third = self.tries[1] > 0;
        let tries = self.tries[usize::from(third)];
        let is_failed =
            !self.is_done && (tries >= TRIES || known && tries > 1 || self.timed_out && tries > 0);
        is_failed.then_some(FailedHandshake {
            bssid: self.bssid,
            message: if third { 3 } else { 1 },
            tries,
            answered: if third { 0 } else { self.answered },
            acknowledged: if third { 0 } else { self.acknowledged },
            timed_out: self.timed_out,
            span_ns: self.span_ns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);

    /// What failed of a handshake of these messages, a second apart, with their counters: which, how often it was tried, messages 2 that were
    /// answered by message 1, and those of them that were acknowledged. `known`: whether its end was heard.
    fn failed(messages: &[(u8, u64)], known: bool) -> Vec<(u8, u32, u32, u32)> {
        let mut handshakes = Handshakes::default();
        for (&(number, counter), second) in messages.iter().zip(1..) {
            let at_ns = second * 1_000_000_000;
            handshakes.message(at_ns, AP, KeyMessage { number, counter });
            if number % 2 == 0 {
                handshakes.acknowledged(at_ns + 300_000);
            }
        }
        handshakes.end(known);
        let said = |one: &FailedHandshake| (one.message, one.tries, one.answered, one.acknowledged);
        handshakes.failed().kept().iter().map(said).collect()
    }

    #[test]
    fn message_3_that_comes_again_and_again_has_not_been_answered() {
        // `test/test1.pcap` of aircrack-ng, records 30 to 38.
        assert_eq!(failed(&[(1, 1), (2, 1), (3, 2), (3, 3), (3, 4), (3, 5)], true), [(3, 4, 0, 0)]);
        assert_eq!(failed(&[(3, 2), (3, 3)], true), [(3, 2, 0, 0)]);
        assert_eq!(failed(&[(3, 2), (3, 3)], false), [], "the capture may end within it");
        assert_eq!(failed(&[(3, 2), (3, 2), (3, 2)], true), [], "one message, and its retries");
    }

    #[test]
    fn a_handshake_that_comes_to_its_end_has_not_failed() {
        assert_eq!(failed(&[(1, 1), (2, 1), (3, 2), (3, 3), (3, 4), (4, 4)], true), []);
        // Message 4 was lost, and message 3 comes again.
        assert_eq!(failed(&[(3, 2), (4, 2), (3, 3), (3, 4), (3, 5)], true), []);
        let mut handshakes = Handshakes::default();
        (0..4).for_each(|counter| handshakes.message(counter, AP, KeyMessage { number: 3, counter }));
        handshakes.data();
        handshakes.end(true);
        assert_eq!(handshakes.failed().total(), 0, "data went");
    }

    #[test]
    fn an_access_point_that_waited_long_enough_says_so() {
        let ends = |message: Option<u8>| {
            let mut handshakes = Handshakes::default();
            for number in [Some(1), message].into_iter().flatten() {
                handshakes.message(7, AP, KeyMessage { number, counter: 1 });
            }
            handshakes.times_out();
            let said = |one: &FailedHandshake| (one.message, one.tries, one.timed_out);
            handshakes.failed().kept().iter().map(said).collect::<Vec<_>>()
        };
        assert_eq!(ends(None), [(1, 1, true)]);
        assert_eq!(ends(Some(4)), [], "it came to its end");
    }

    #[test]
    fn message_2_that_is_answered_by_message_1_was_not_right() {
        let wrong = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3), (1, 4), (2, 4)];
        assert_eq!(failed(&wrong, true), [(1, 4, 3, 3)]);
        // One that answers an earlier message says nothing.
        assert_eq!(failed(&[(1, 1), (1, 2), (2, 1), (1, 3)], true), [(1, 3, 0, 0)]);
        assert_eq!(failed(&[(1, 1), (1, 2), (2, 2), (3, 3)], true), [], "it was right");
    }

    #[test]
    fn each_handshake_counts_for_itself() {
        let two = [(1, 1), (2, 1), (3, 2), (3, 3), (3, 4), (1, 1), (2, 1), (3, 2), (3, 3)];
        assert_eq!(failed(&two, true), [(3, 3, 0, 0), (3, 2, 0, 0)]);
    }
}
