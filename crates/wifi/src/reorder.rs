//! The receive side of a BlockAck agreement: MPDUs go up in order, each once (802.11-2020 10.25.6.6; Linux
//! `ieee80211_sta_manage_reorder_buf`, net/mac80211/rx.c).

use airloom_sim::{Duration, Handle, Time};

/// Frames in a BlockAck window; the bitmap of a compressed BlockAck has one bit for each.
pub const WINDOW: u16 = 64;

/// Sequence numbers are counted modulo 4096.
pub const SEQ_MODULO: u16 = 4096;

/// How far `seq` lies after `from`, modulo 4096; values of 2048 and more mean that it lies before.
pub const fn distance(from: u16, seq: u16) -> u16 {
    seq.wrapping_sub(from) % SEQ_MODULO
}

/// What became of an MPDU that came in with a good frame check sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was delivered or is held.
    Accepted,
    /// It had been received before, or the window has moved past it.
    Stale,
    /// It had been given up although its sender had not ([`Reorder::give_up`]).
    GivenUp,
}

/// The reorder buffer for one transmitter and TID.
pub struct Reorder {
    timeout: Duration,
    /// The sequence number awaited next.
    head: u16,
    /// Bit n: the MPDU `head + n` is held.
    held: u64,
    /// Bit n: the MPDU `head + n` is given up.
    lost: u64,
    /// By sequence number modulo the window: the packet and when it came.
    slots: [(Handle, Time); WINDOW as usize],
}

impl Reorder {
    /// An empty buffer that awaits sequence number 0 and gives up on a hole after `timeout`.
    pub fn new(timeout: Duration) -> Self {
        Self { timeout, head: 0, held: 0, lost: 0, slots: [(Handle(0), Time::ZERO); WINDOW as usize] }
    }

    /// The sequence number awaited next.
    pub fn head(&self) -> u16 {
        self.head
    }

    /// How many MPDUs are held behind a hole.
    pub fn len(&self) -> u32 {
        self.held.count_ones()
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// Takes the MPDU `seq` with `packet` inside; appends to `up` what can be delivered now, in order.
    pub fn receive(&mut self, now: Time, seq: u16, packet: Handle, up: &mut Vec<Handle>) -> Arrival {
        let ahead = distance(self.head, seq);
        if ahead >= SEQ_MODULO / 2 {
            return Arrival::Stale;
        }
        if ahead >= WINDOW {
            self.advance(distance(WINDOW - 1, seq), up);
        } else if ahead == 0 && self.held | self.lost == 0 {
            self.head = distance(0, seq + 1);
            up.push(packet);
            return Arrival::Accepted;
        }
        let bit = 1u64 << distance(self.head, seq);
        if self.held & bit != 0 {
            return Arrival::Stale;
        }
        if self.lost & bit != 0 {
            return Arrival::GivenUp;
        }
        self.held |= bit;
        self.slots[(seq % WINDOW) as usize] = (packet, now);
        self.release(up);
        Arrival::Accepted
    }

    /// Gives up on the MPDU `seq`: what waits behind it is not held back by it, and a copy that comes later is ignored.
    /// Appends to `up` what can be delivered now. Returns whether it was awaited: inside the window, not held, not given up.
    pub fn give_up(&mut self, seq: u16, up: &mut Vec<Handle>) -> bool {
        let ahead = distance(self.head, seq);
        if ahead >= WINDOW || (self.held | self.lost) >> ahead & 1 != 0 {
            return false;
        }
        self.lost |= 1 << ahead;
        self.release(up);
        true
    }

    /// Moves the window so that `start` is awaited next, giving up on what is missing before it (a BlockAck request, or
    /// an MPDU beyond the window).
    pub fn advance(&mut self, start: u16, up: &mut Vec<Handle>) {
        let ahead = distance(self.head, start);
        if ahead >= SEQ_MODULO / 2 {
            return;
        }
        if ahead >= WINDOW {
            while self.held != 0 {
                self.skip_hole();
                self.release(up);
            }
            (self.head, self.lost) = (start, 0);
            return;
        }
        let end = start;
        while self.head != end {
            if self.held & 1 != 0 {
                up.push(self.slots[(self.head % WINDOW) as usize].0);
            }
            self.step();
        }
        self.release(up);
    }

    /// When [`expire`](Self::expire) is next due: the timeout of the MPDU held longest among those behind the first hole.
    pub fn deadline(&self) -> Option<Time> {
        (self.held != 0).then(|| self.first_held().1 + self.timeout)
    }

    /// Gives up on every hole before an MPDU that has been held for the timeout. To be called at the deadline and after
    /// the MPDUs of a PPDU have been received, since filling one hole may uncover another that is older.
    pub fn expire(&mut self, now: Time, up: &mut Vec<Handle>) {
        while self.deadline().is_some_and(|due| due <= now) {
            self.skip_hole();
            self.release(up);
        }
    }

    fn first_held(&self) -> (Handle, Time) {
        let seq = distance(0, self.head + self.held.trailing_zeros() as u16);
        self.slots[(seq % WINDOW) as usize]
    }

    fn skip_hole(&mut self) {
        for _ in 0..self.held.trailing_zeros() {
            self.step();
        }
    }

    /// Delivers what follows the head without a hole. An MPDU that was given up makes none, once something waits behind
    /// it: the head never runs ahead of what has been received.
    fn release(&mut self, up: &mut Vec<Handle>) {
        while (self.held | self.lost) & 1 != 0 && self.held != 0 {
            if self.held & 1 != 0 {
                up.push(self.slots[(self.head % WINDOW) as usize].0);
            }
            self.step();
        }
    }

    fn step(&mut self) {
        self.held >>= 1;
        self.lost >>= 1;
        self.head = distance(0, self.head + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TIMEOUT: Duration = Duration::from_millis(100);

    fn ms(n: u64) -> Time {
        Time::ZERO + Duration::from_millis(n)
    }

    fn feed(r: &mut Reorder, now: Time, seqs: &[u16]) -> Vec<u32> {
        let mut up = Vec::new();
        for &s in seqs {
            r.receive(now, s, Handle(u32::from(s)), &mut up);
        }
        up.into_iter().map(|h| h.0).collect()
    }

    #[test]
    fn a_hole_holds_back_what_follows_until_it_is_filled() {
        let mut r = Reorder::new(TIMEOUT);
        assert_eq!(feed(&mut r, ms(0), &[0, 2, 3]), [0]);
        assert_eq!(r.len(), 2);
        assert_eq!(feed(&mut r, ms(1), &[1]), [1, 2, 3]);
        assert_eq!(feed(&mut r, ms(1), &[2]), []);
    }

    #[test]
    fn a_hole_is_given_up_after_the_timeout() {
        let mut r = Reorder::new(TIMEOUT);
        feed(&mut r, ms(0), &[1, 2]);
        feed(&mut r, ms(50), &[5]);
        assert_eq!(r.deadline(), Some(ms(100)));
        let mut up = Vec::new();
        r.expire(ms(100), &mut up);
        assert_eq!(up, [Handle(1), Handle(2)]);
        assert_eq!(r.deadline(), Some(ms(150)));
    }

    #[test]
    fn an_mpdu_beyond_the_window_pushes_it_on() {
        let mut r = Reorder::new(TIMEOUT);
        assert_eq!(feed(&mut r, ms(0), &[3, 66]), [3]);
        assert_eq!(r.head(), 4);
        assert_eq!(feed(&mut r, ms(0), &[2]), []);
        assert_eq!(feed(&mut r, ms(0), &[1000]), [66]);
        assert_eq!(r.head(), 1000 - 63);
    }

    #[test]
    fn a_block_ack_request_moves_the_window() {
        let mut r = Reorder::new(TIMEOUT);
        feed(&mut r, ms(0), &[1, 3, 4]);
        let mut up = Vec::new();
        r.advance(3, &mut up);
        assert_eq!((up, r.head()), (vec![Handle(1), Handle(3), Handle(4)], 5));
    }

    proptest! {
        /// Nothing is delivered twice or out of order, what is accepted is delivered or held, no hole is overdue.
        #[test]
        fn in_order_once_and_in_time(
            steps in prop::collection::vec((0u16..80, 0u64..30, any::<bool>()), 1..400),
        ) {
            let mut r = Reorder::new(TIMEOUT);
            let mut now = Time::ZERO;
            let mut arrived: Vec<Handle> = Vec::new();
            let mut delivered: Vec<u32> = Vec::new();
            // Absolute numbers; the sender never runs more than a window ahead of what it knows the receiver awaits.
            let mut base: u32 = 4000;
            r.advance((base % 4096) as u16, &mut Vec::new());
            for (ahead, wait, request) in steps {
                now += Duration::from_millis(wait);
                let mut up = Vec::new();
                let absolute = base + u32::from(ahead);
                if request {
                    r.advance((absolute % 4096) as u16, &mut up);
                } else if r.receive(now, (absolute % 4096) as u16, Handle(absolute), &mut up) == Arrival::Accepted {
                    arrived.push(Handle(absolute));
                }
                r.expire(now, &mut up);
                for h in up {
                    prop_assert!(delivered.last().is_none_or(|&last| h.0 > last), "{h:?} after {:?}", delivered.last());
                    let i = arrived.iter().position(|&a| a == h).expect("delivered what had arrived");
                    arrived.swap_remove(i);
                    delivered.push(h.0);
                }
                prop_assert_eq!(arrived.len() as u32, r.len(), "accepted = delivered + held");
                prop_assert!(r.deadline().is_none_or(|due| now < due), "an overdue hole");
                base += u32::from(distance((base % 4096) as u16, r.head()));
            }
        }
    }
}
