//! The delivery rate of the network: a sample with every ACK, from the time a segment was sent to the time it was
//! acknowledged (`tcp_rate.c`, Linux 4.9 on; draft-cheng-iccrg-delivery-rate-estimation).

use airloom_sim::{Duration, Time};
use std::collections::VecDeque;

/// The account as a segment was sent, for the sample that its acknowledgment will give.
#[derive(Clone, Copy)]
struct Sent {
    end: u64,
    at: Time,
    /// Segments delivered by then, and when the last of them was.
    delivered: u64,
    delivered_at: Time,
    /// When the segment was sent that begins the interval of sending.
    first_at: Time,
    limited: bool,
    /// Segments in flight then, itself among them, and all that had been marked as lost.
    in_flight: u32,
    lost: u64,
}

/// A sample of the delivery rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// Segments delivered between the sending of the newest segment acknowledged and this ACK.
    pub delivered: u64,
    /// In how long: the longer one of sending and of acknowledging them.
    pub interval: Duration,
    /// Segments that had been delivered as that segment was sent.
    pub prior_delivered: u64,
    /// The application had left the network idle: the network may be faster.
    pub limited: bool,
    /// Segments in flight as that segment was sent, itself among them.
    pub in_flight: u32,
    /// All that had been marked as lost by then.
    pub lost: u64,
}

impl Rate {
    /// Segments per microsecond, times 2^24.
    pub fn per_microsecond(&self) -> u64 {
        (self.delivered << 24) / (self.interval.as_nanos() / 1_000).max(1)
    }
}

/// The board as a segment is sent: segments in flight, that one among them, and all that were marked as lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Board {
    pub(crate) in_flight: u32,
    pub(crate) lost: u64,
}

/// The account of delivered segments.
#[derive(Default)]
pub(crate) struct Delivery {
    sent: VecDeque<Sent>,
    delivered: u64,
    delivered_at: Time,
    first_at: Time,
    /// Samples are limited by the application until more than this has been delivered (`app_limited`).
    limited_until: Option<u64>,
}

impl Delivery {
    /// Segments delivered so far.
    pub(crate) fn delivered(&self) -> u64 {
        self.delivered
    }

    /// When the last of them was.
    pub(crate) fn delivered_at(&self) -> Time {
        self.delivered_at
    }

    /// Whether samples are limited by the application rather than by the network.
    pub(crate) fn is_limited(&self) -> bool {
        self.limited_until.is_some()
    }

    /// A segment that ends at `end` is sent (`tcp_rate_skb_sent`); `nothing_out` if no other segment is outstanding.
    pub(crate) fn sent(&mut self, now: Time, end: u64, nothing_out: bool, board: Board) {
        if nothing_out {
            (self.first_at, self.delivered_at) = (now, now);
        }
        let sent = self.snapshot(now, end, board);
        self.sent.push_back(sent);
    }

    /// A segment is retransmitted.
    pub(crate) fn resent(&mut self, now: Time, end: u64, board: Board) {
        let again = self.snapshot(now, end, board);
        if let Some(sent) = self.find(end) {
            *sent = again;
        }
    }

    fn snapshot(&self, at: Time, end: u64, board: Board) -> Sent {
        let limited = self.is_limited();
        let Self { delivered, delivered_at, first_at, .. } = *self;
        let Board { in_flight, lost } = board;
        Sent { end, at, delivered, delivered_at, first_at, limited, in_flight, lost }
    }

    fn find(&mut self, end: u64) -> Option<&mut Sent> {
        let place = self.sent.binary_search_by_key(&end, |sent| sent.end).ok()?;
        self.sent.get_mut(place)
    }

    /// Segments from `seq` on did not leave the host.
    pub(crate) fn unsent(&mut self, seq: u64) {
        self.sent.truncate(self.sent.partition_point(|sent| sent.end <= seq));
    }

    /// The board as the segment that ends at `end` was last sent, and whether samples were limited by the application then.
    pub(crate) fn board_of(&mut self, end: u64) -> Option<(Board, bool)> {
        let sent = self.find(end)?;
        Some((Board { in_flight: sent.in_flight, lost: sent.lost }, sent.limited))
    }

    /// The application has nothing more to send while `in_flight` segments are out (`tcp_rate_check_app_limited`).
    pub(crate) fn limit(&mut self, in_flight: u32) {
        self.limited_until = Some(self.delivered + u64::from(in_flight));
    }

    /// An ACK up to `una` covered `segments` more, the newest of which, if known, was sent at the time and ends at the
    /// sequence number of `newest` (`tcp_rate_skb_delivered`, `tcp_rate_gen`). None if there is no valid sample: one
    /// over less than `least_rtt` is of a segment that was retransmitted although it had arrived.
    pub(crate) fn acknowledged(
        &mut self,
        now: Time,
        una: u64,
        segments: u32,
        newest: Option<(Time, u64)>,
        least_rtt: Duration,
    ) -> Option<Rate> {
        let newest = newest.and_then(|(_, end)| self.find(end).copied());
        let covered = self.sent.partition_point(|sent| sent.end <= una);
        self.sent.drain(..covered);
        self.delivered += u64::from(segments);
        self.limited_until = self.limited_until.filter(|until| self.delivered <= *until);
        if segments > 0 {
            self.delivered_at = now;
        }
        let newest = newest?;
        self.first_at = newest.at;
        let sending = newest.at.since(newest.first_at);
        let interval = sending.max(now.since(newest.delivered_at));
        let rate = Rate {
            delivered: self.delivered - newest.delivered,
            interval,
            prior_delivered: newest.delivered,
            limited: newest.limited,
            in_flight: newest.in_flight,
            lost: newest.lost,
        };
        (interval >= least_rtt && interval > Duration::ZERO).then_some(rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    const MS: Duration = Duration::from_millis(1);

    /// Ten segments leave at once; from 100 ms on one is acknowledged every 2 ms.
    #[test]
    fn the_slower_of_sending_and_acknowledging_counts() {
        let mut delivery = Delivery::default();
        (1..=10).for_each(|n| delivery.sent(at(0), n, n == 1, Board::default()));
        let first = delivery.acknowledged(at(100), 1, 1, Some((at(0), 1)), MS).unwrap();
        assert_eq!((first.delivered, first.interval), (1, MS * 100), "a round trip at first");
        delivery.sent(at(100), 11, false, Board::default());
        for n in 2..=10 {
            delivery.acknowledged(at(98 + 2 * n), n, 1, Some((at(0), n)), MS).unwrap();
        }
        let rate = delivery.acknowledged(at(200), 11, 1, Some((at(100), 11)), MS).unwrap();
        // Sent as one was delivered, arrived as eleven were.
        assert_eq!((rate.delivered, rate.interval, rate.prior_delivered), (10, MS * 100, 1));
    }

    /// ACKs that arrive together do not make the network look faster than the sending rate.
    #[test]
    fn acks_that_come_together_are_measured_by_the_sending() {
        let mut delivery = Delivery::default();
        (1..=5).for_each(|n| delivery.sent(at(10 * n), n, n == 1, Board::default()));
        let rate = delivery.acknowledged(at(61), 5, 5, Some((at(50), 5)), MS).unwrap();
        assert_eq!((rate.delivered, rate.interval), (5, MS * 51), "since the first was sent");
        let mut later = Delivery::default();
        later.sent(at(0), 1, true, Board::default());
        (2..=5).for_each(|n| later.sent(at(10 * n), n, false, Board::default()));
        later.acknowledged(at(51), 1, 1, Some((at(0), 1)), MS);
        let rate = later.acknowledged(at(52), 5, 4, Some((at(50), 5)), MS).unwrap();
        assert_eq!((rate.delivered, rate.interval), (5, MS * 52));
    }

    #[test]
    fn a_sample_of_an_idle_application_says_so_until_the_gap_has_passed() {
        let mut delivery = Delivery::default();
        delivery.sent(at(0), 1, true, Board::default());
        delivery.limit(1);
        delivery.sent(at(5), 2, false, Board::default());
        let first = delivery.acknowledged(at(100), 1, 1, Some((at(0), 1)), MS).unwrap();
        assert!(!first.limited && delivery.is_limited());
        let second = delivery.acknowledged(at(105), 2, 1, Some((at(5), 2)), MS).unwrap();
        assert!(second.limited && !delivery.is_limited());
    }

    #[test]
    fn what_was_refused_or_came_too_soon_gives_no_sample() {
        let mut delivery = Delivery::default();
        delivery.sent(at(0), 10, true, Board::default());
        delivery.sent(at(0), 20, false, Board::default());
        delivery.unsent(10);
        assert_eq!(delivery.acknowledged(at(50), 20, 1, Some((at(0), 20)), MS), None);
        delivery.sent(at(50), 30, true, Board::default());
        delivery.resent(at(90), 30, Board::default());
        assert_eq!(delivery.acknowledged(at(91), 30, 1, Some((at(90), 30)), MS * 100), None);
    }
}
