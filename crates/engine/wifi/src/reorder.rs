//! The receive side of a BlockAck agreement: MPDUs go up in order, each once (802.11-2020 10.25.6.6; Linux
//! `ieee80211_sta_manage_reorder_buf`, net/mac80211/rx.c).

use crate::bitmap::Bitmap;
use airloom_sim::{Duration, Handle, Time};

/// MPDUs in the window of a BlockAck agreement of 802.11n; later amendments agree on up to 256 (802.11ax) and 1,024 (802.11be).
pub const HT_WINDOW: u16 = 64;

/// Sequence numbers are counted modulo 4096.
pub const SEQ_MODULO: u16 = 4096;

/// How far `seq` lies after `from`, modulo 4096; values of 2048 and more mean that it lies before.
pub const fn distance(from: u16, seq: u16) -> u16 {
    seq.wrapping_sub(from) % SEQ_MODULO
}

/// The sequence number that lies `ahead` after `from`.
pub const fn number(from: u16, ahead: u16) -> u16 {
    from.wrapping_add(ahead) % SEQ_MODULO
}

/// The result for an MPDU with a good frame check sequence.
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
    /// MPDUs in the window.
    window: u16,
    /// The sequence number awaited next.
    head: u16,
    /// Bit n: the MPDU `head + n` is held.
    held: Bitmap,
    /// Bit n: the MPDU `head + n` is given up.
    lost: Bitmap,
    /// The packet and when it came, by sequence number modulo their count: a power of two, so that numbers may wrap. None
    /// before the first is held.
    slots: Box<[(Handle, Time)]>,
    /// The other packets of A-MSDUs that are held, by the same numbers. None before the first of these is held.
    further: Box<[Vec<Handle>]>,
}

impl Reorder {
    /// An empty buffer under an agreement of `window` MPDUs that awaits sequence number 0 and gives up on a hole after
    /// `timeout`.
    pub fn new(timeout: Duration, window: u16) -> Self {
        let (held, lost) = (Bitmap::new(window), Bitmap::new(window));
        Self { timeout, window, head: 0, held, lost, slots: Box::default(), further: Box::default() }
    }

    /// The sequence number awaited next.
    pub fn head(&self) -> u16 {
        self.head
    }

    /// How many MPDUs are held behind a hole.
    pub fn len(&self) -> u32 {
        self.held.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Takes the MPDU `seq` with `packet` inside; appends to `up` what can be delivered now, in order.
    // In step with the sender this is all there is to do for an MPDU, of which there are more than of anything else.
    #[inline(always)]
    pub fn receive(&mut self, now: Time, seq: u16, packet: Handle, up: &mut Vec<Handle>) -> Arrival {
        if seq == self.head && self.held.is_empty() && self.lost.is_empty() {
            self.head = number(seq, 1);
            up.push(packet);
            return Arrival::Accepted;
        }
        self.receive_apart(now, seq, (packet, std::iter::empty()), up)
    }

    /// The same of an MPDU with a packet and further ones, an A-MSDU.
    #[cold]
    pub fn receive_all(
        &mut self,
        now: Time,
        seq: u16,
        (packet, further): (Handle, impl Iterator<Item = Handle>),
        up: &mut Vec<Handle>,
    ) -> Arrival {
        if seq == self.head && self.held.is_empty() && self.lost.is_empty() {
            self.head = number(seq, 1);
            up.push(packet);
            up.extend(further);
            return Arrival::Accepted;
        }
        self.receive_apart(now, seq, (packet, further), up)
    }

    /// Takes an MPDU that is not the one awaited next, or behind which MPDUs wait.
    fn receive_apart(
        &mut self,
        now: Time,
        seq: u16,
        (packet, further): (Handle, impl Iterator<Item = Handle>),
        up: &mut Vec<Handle>,
    ) -> Arrival {
        let ahead = distance(self.head, seq);
        if ahead >= SEQ_MODULO / 2 {
            return Arrival::Stale;
        }
        if ahead >= self.window {
            self.advance(distance(self.window - 1, seq), up);
        }
        let ahead = distance(self.head, seq);
        if self.held.contains(ahead) {
            return Arrival::Stale;
        }
        if self.lost.contains(ahead) {
            return Arrival::GivenUp;
        }
        self.held.insert(ahead);
        if self.slots.is_empty() {
            let slots = usize::from(self.window.next_power_of_two());
            self.slots = vec![(Handle(0), Time::ZERO); slots].into_boxed_slice();
        }
        let slot = self.slot(seq);
        self.slots[slot] = (packet, now);
        self.keep(slot, further);
        self.release(up);
        Arrival::Accepted
    }

    /// Gives up on the MPDU `seq`: it no longer holds back MPDUs behind it, and a later copy is ignored.
    /// Appends to `up` what can be delivered now. Returns whether it was awaited: inside the window, not held, not given up.
    pub fn give_up(&mut self, seq: u16, up: &mut Vec<Handle>) -> bool {
        let ahead = distance(self.head, seq);
        if ahead >= self.window || self.held.contains(ahead) || self.lost.contains(ahead) {
            return false;
        }
        self.lost.insert(ahead);
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
        if ahead >= self.window {
            return self.restart(start, up);
        }
        while self.head != start {
            self.step(up);
        }
        self.release(up);
    }

    /// Begins anew, with `start` awaited next; appends to `up` all that was held.
    pub fn restart(&mut self, start: u16, up: &mut Vec<Handle>) {
        while !self.held.is_empty() {
            self.skip_hole();
            self.release(up);
        }
        self.head = start;
        self.lost.clear();
    }

    /// When [`expire`](Self::expire) is next due: the timeout of the MPDU held longest among those behind the first hole.
    pub fn deadline(&self) -> Option<Time> {
        self.held.first().map(|ahead| self.slots[self.slot(number(self.head, ahead))].1 + self.timeout)
    }

    /// Gives up on every hole before an MPDU that has been held for the timeout. To be called at the deadline and after
    /// the MPDUs of a PPDU have been received, since filling one hole may uncover another that is older.
    pub fn expire(&mut self, now: Time, up: &mut Vec<Handle>) {
        while self.deadline().is_some_and(|due| due <= now) {
            self.skip_hole();
            self.release(up);
        }
    }

    /// Keeps the further packets of an A-MSDU.
    fn keep(&mut self, slot: usize, further: impl Iterator<Item = Handle>) {
        let mut further = further.peekable();
        if further.peek().is_none() {
            return;
        }
        if self.further.is_empty() {
            self.further = vec![Vec::new(); self.slots.len()].into_boxed_slice();
        }
        self.further[slot].extend(further);
    }

    fn slot(&self, seq: u16) -> usize {
        usize::from(seq) & (self.slots.len() - 1)
    }

    /// Moves the head to the first MPDU held.
    fn skip_hole(&mut self) {
        for _ in 0..self.held.first().unwrap_or_default() {
            self.held.shift();
            self.lost.shift();
            self.head = number(self.head, 1);
        }
    }

    /// Delivers what follows the head without a hole. An MPDU that was given up makes none, once something waits behind
    /// it: the head never runs ahead of what has been received.
    fn release(&mut self, up: &mut Vec<Handle>) {
        while self.held.contains(0) || self.lost.contains(0) && !self.held.is_empty() {
            self.step(up);
        }
    }

    /// Moves the head by one, and delivers the MPDU there if it is held.
    fn step(&mut self, up: &mut Vec<Handle>) {
        if self.held.contains(0) {
            let slot = self.slot(self.head);
            up.push(self.slots[slot].0);
            if let Some(further) = self.further.get_mut(slot) {
                up.append(further);
            }
        }
        self.held.shift();
        self.lost.shift();
        self.head = number(self.head, 1);
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
        let mut r = Reorder::new(TIMEOUT, HT_WINDOW);
        assert_eq!(feed(&mut r, ms(0), &[0, 2, 3]), [0]);
        assert_eq!(r.len(), 2);
        assert_eq!(feed(&mut r, ms(1), &[1]), [1, 2, 3]);
        assert_eq!(feed(&mut r, ms(1), &[2]), []);
    }

    #[test]
    fn a_hole_is_given_up_after_the_timeout() {
        let mut r = Reorder::new(TIMEOUT, HT_WINDOW);
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
        let mut r = Reorder::new(TIMEOUT, HT_WINDOW);
        assert_eq!(feed(&mut r, ms(0), &[3, 66]), [3]);
        assert_eq!(r.head(), 4);
        assert_eq!(feed(&mut r, ms(0), &[2]), []);
        assert_eq!(feed(&mut r, ms(0), &[1000]), [66]);
        assert_eq!(r.head(), 1000 - 63);
    }

    #[test]
    fn a_block_ack_request_moves_the_window() {
        let mut r = Reorder::new(TIMEOUT, HT_WINDOW);
        feed(&mut r, ms(0), &[1, 3, 4]);
        let mut up = Vec::new();
        r.advance(3, &mut up);
        assert_eq!((up, r.head()), (vec![Handle(1), Handle(3), Handle(4)], 5));
    }

    proptest! {
        /// Nothing is delivered twice or out of order, what is accepted is delivered or held, no hole is overdue.
        #[test]
        fn in_order_once_and_in_time(
            window in prop::sample::select(vec![64u16, 100, 256, 1024]),
            steps in prop::collection::vec((0u32..1280, 0u64..30, any::<bool>()), 1..400),
        ) {
            let mut r = Reorder::new(TIMEOUT, window);
            let mut now = Time::ZERO;
            let mut arrived: Vec<Handle> = Vec::new();
            let mut delivered: Vec<u32> = Vec::new();
            // Absolute numbers, up to a quarter beyond the window.
            let mut base: u32 = 4000;
            r.advance((base % 4096) as u16, &mut Vec::new());
            for (ahead, wait, request) in steps {
                now += Duration::from_millis(wait);
                let mut up = Vec::new();
                let absolute = base + ahead * u32::from(window) / 1024;
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
