//! Whether a call or a game goes on: few small packets, steadily, in both directions. Their bytes are no transfer, but nobody
//! suffers more from a scan.

use airloom_sim::{Bytes, Duration, Time};

/// Packets and bytes in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Packets.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What was sent and received until now, counted from any instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// By this station.
    pub sent: Count,
    /// By this station.
    pub received: Count,
}

impl Exchange {
    /// Bytes in both directions.
    pub fn bytes(&self) -> u64 {
        self.sent.bytes.wrapping_add(self.received.bytes)
    }
}

/// What counts as a call. A codec sends a packet each 20 to 60 ms, a game's server 20 to 128 a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    /// At least so many packets a second in each direction.
    pub rate: u64,
    /// The same while a socket is marked as a call's ([`crate::Input::Marked`]).
    pub marked_rate: u64,
    /// Of this mean size at most, in each direction.
    pub size: Bytes,
    /// For this long.
    pub after: Duration,
    /// It is over when it was less than that for this long. One side may fall silent: a call that goes on needs the rate in one
    /// direction, and any packet in the other.
    pub lapse: Duration,
}

impl Default for Calls {
    fn default() -> Self {
        Self {
            rate: 20,
            marked_rate: 5,
            size: Bytes(400),
            after: Duration::from_secs(3),
            lapse: Duration::from_secs(5),
        }
    }
}

/// Packets exchanged recently, by which a call is detected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    calls: Option<Calls>,
    last: Option<(Time, Exchange)>,
    /// A socket is marked as a call's.
    marked: bool,
    /// Since when packets have been exchanged as in a call.
    since: Option<Time>,
    /// Until when.
    until: Time,
    going_on: bool,
    /// A mark would make a difference.
    undecided: bool,
}

impl Call {
    pub(crate) fn new(calls: Option<Calls>) -> Self {
        let (last, since, until) = (None, None, Time::ZERO);
        Self { calls, last, marked: false, since, until, going_on: false, undecided: false }
    }

    /// Whether a call goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.going_on
    }

    /// Whether it would make a difference to know of marked sockets.
    pub(crate) fn needs_marks(&self) -> bool {
        self.undecided
    }

    /// Whether a socket is marked as a call's.
    pub(crate) fn mark(&mut self, marked: bool) {
        self.marked = marked;
    }

    /// So much has been sent and received until `now`. Samples should be a second apart, or more. Counters that decreased have
    /// been reset, and say nothing.
    pub(crate) fn sample(&mut self, now: Time, exchange: Exchange) {
        let Some(calls) = self.calls else { return };
        let (then, before) = self.last.replace((now, exchange)).unwrap_or((now, exchange));
        let age = now.since(then).as_nanos();
        let both = [
            since(exchange.sent, before.sent, calls.size, age),
            since(exchange.received, before.received, calls.size, age),
        ];
        let least = both[0].min(both[1]);
        let rate = if self.marked { calls.marked_rate } else { calls.rate };
        self.undecided = calls.marked_rate < calls.rate && least >= calls.marked_rate && least < calls.rate;
        // In a call that goes on, one side may fall silent.
        let silent = self.going_on && least > 0 && both[0].max(both[1]) >= rate;
        if least >= rate || silent {
            self.since.get_or_insert(then);
            self.until = now;
        } else if !self.going_on {
            self.since = None;
        }
        self.going_on = if self.going_on {
            now.since(self.until) < calls.lapse
        } else {
            self.since.is_some_and(|since| now.since(since) >= calls.after)
        };
        if !self.going_on && self.until < now {
            self.since = None;
        }
    }
}

/// Packets a second in one direction, rounded up, within `age` nanoseconds; zero where they were larger than a call's.
fn since(now: Count, before: Count, size: Bytes, age: u64) -> u64 {
    let packets = now.packets.saturating_sub(before.packets);
    let bytes = now.bytes.checked_sub(before.bytes).unwrap_or(u64::MAX);
    if packets == 0 || age == 0 || bytes / packets > size.0 {
        return 0;
    }
    let a_second = u128::from(packets) * 1_000_000_000;
    u64::try_from(a_second.div_ceil(u128::from(age))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A conversation, second by second: packets and their size each way.
    struct Talk {
        call: Call,
        second: u64,
        counts: Exchange,
    }

    impl Talk {
        fn new() -> Self {
            let mut talk =
                Self { call: Call::new(Some(Calls::default())), second: 0, counts: Exchange::default() };
            talk.call.sample(Time::ZERO, talk.counts);
            talk
        }

        /// So many seconds; returns in how many of them a call went on, and whether it does in the end.
        fn pass(&mut self, seconds: u64, sent: (u64, u64), received: (u64, u64)) -> (u64, bool) {
            let mut went_on = 0;
            for _ in 0..seconds {
                self.second += 1;
                for (count, (packets, size)) in
                    [(&mut self.counts.sent, sent), (&mut self.counts.received, received)]
                {
                    count.packets += packets;
                    count.bytes += packets * size;
                }
                self.call.sample(Time::ZERO + Duration::from_secs(self.second), self.counts);
                went_on += u64::from(self.call.goes_on());
            }
            (went_on, self.call.goes_on())
        }
    }

    #[test]
    fn a_call_is_noticed_after_three_seconds_and_its_end_after_five() {
        let mut talk = Talk::new();
        assert_eq!(talk.pass(10, (50, 120), (50, 120)), (8, true));
        assert_eq!(talk.pass(10, (0, 0), (0, 0)), (4, false));
        assert_eq!(talk.pass(2, (50, 120), (50, 120)), (0, false), "the next one begins anew");
    }

    #[test]
    fn a_game_of_twenty_packets_a_second_is_one_and_less_is_not() {
        assert_eq!(Talk::new().pass(10, (20, 80), (64, 200)), (8, true));
        assert_eq!(Talk::new().pass(10, (19, 80), (64, 200)), (0, false));
    }

    #[test]
    fn a_transfer_with_its_acknowledgements_is_no_call_in_either_direction() {
        assert_eq!(Talk::new().pass(10, (500, 66), (1000, 1514)), (0, false));
        assert_eq!(Talk::new().pass(10, (1000, 1514), (500, 66)), (0, false));
    }

    #[test]
    fn bursts_are_no_call() {
        let mut talk = Talk::new();
        for _ in 0..20 {
            assert_eq!(talk.pass(2, (100, 100), (100, 100)).0, 0);
            assert_eq!(talk.pass(1, (0, 0), (0, 0)).0, 0);
        }
    }

    #[test]
    fn one_side_may_fall_silent_but_not_vanish() {
        let mut talk = Talk::new();
        talk.pass(5, (50, 120), (50, 120));
        assert_eq!(talk.pass(60, (1, 60), (50, 120)), (60, true));
        assert_eq!(talk.pass(10, (0, 0), (50, 120)), (4, false));
    }

    #[test]
    fn a_marked_socket_needs_fewer_packets_and_is_asked_for_only_then() {
        let mut talk = Talk::new();
        assert!(!talk.call.needs_marks());
        assert_eq!(talk.pass(10, (8, 120), (8, 120)), (0, false));
        assert!(talk.call.needs_marks());
        talk.call.mark(true);
        assert_eq!(talk.pass(10, (8, 120), (8, 120)), (8, true));
        assert_eq!(talk.pass(10, (4, 120), (4, 120)), (4, false));
        assert!(!talk.call.needs_marks());
    }

    #[test]
    fn counters_that_start_anew_say_nothing() {
        let mut talk = Talk::new();
        talk.counts = Exchange { sent: Count { packets: 1 << 40, bytes: 1 << 50 }, ..Exchange::default() };
        talk.pass(1, (0, 0), (0, 0));
        talk.counts = Exchange::default();
        assert_eq!(talk.pass(1, (50, 100), (50, 100)), (0, false));
    }
}
