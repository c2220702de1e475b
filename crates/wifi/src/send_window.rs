//! The transmit side of a BlockAck agreement, as an ath9k-like driver keeps it: one software queue per station and TID
//! whose frames carry their sequence numbers, and a window of 64 beyond the oldest one that is not settled yet
//! (Linux `ath_tx_addto_baw`, `ath_tx_form_aggr`, `ath_tx_complete_aggr`, drivers/net/wireless/ath/ath9k/xmit.c).

use crate::aggregate::{Batch, Limits};
use crate::reorder::{SEQ_MODULO, WINDOW, distance};
use airloom_sim::{Handle, Time};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    InHardware,
    Settled,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    packet: Handle,
    since: Time,
    mpdu: u32,
    tcp: bool,
    /// Index of the rate that it is to try, if any.
    sample: Option<u8>,
    retries: u16,
    /// It has been received well at least once.
    arrived: bool,
    state: State,
}

impl Frame {
    fn settle(&self, acked: bool) -> Settled {
        Settled { packet: self.packet, since: self.since, mpdu: self.mpdu, acked }
    }
}

/// What a transmission attempt settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The packet.
    pub packet: Handle,
    /// When it was handed to the driver.
    pub since: Time,
    /// Its MPDU's length in bytes.
    pub mpdu: u32,
    /// Whether it was acknowledged; otherwise it was given up.
    pub acked: bool,
}

/// Frames handed to the driver for one receiver, until each is acknowledged or given up.
#[derive(Default)]
pub struct SendWindow {
    frames: VecDeque<Frame>,
    /// Sequence number of `frames[0]`, which is the start of the window.
    first: u16,
    waiting: u32,
    unsettled: u32,
}

impl SendWindow {
    /// Frames held, waiting or in hardware.
    pub fn len(&self) -> u32 {
        self.unsettled
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.unsettled == 0
    }

    /// Whether a frame waits for the hardware and the window lets it go.
    pub fn is_ready(&self) -> bool {
        self.waiting > 0 && self.in_window().any(|(_, frame)| frame.state == State::Waiting)
    }

    /// Frames that wait for the hardware, and the bytes of their MPDUs.
    pub fn waiting(&self) -> (u32, u32) {
        let waiting = self.frames.iter().filter(|frame| frame.state == State::Waiting);
        (self.waiting, waiting.map(|frame| frame.mpdu).sum())
    }

    /// Sequence numbers from the start of the window to the last that is taken.
    pub fn span(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The rate that the first frame to go next is to try, if it is to try one.
    pub fn sample(&self) -> Option<u8> {
        self.in_window().find(|(_, frame)| frame.state == State::Waiting).and_then(|(_, frame)| frame.sample)
    }

    /// The start of the window: everything before it is settled.
    pub fn start(&self) -> u16 {
        self.first
    }

    /// Takes in `packet`, which makes an MPDU of `mpdu` bytes, carries TCP or not and is to try a rate or not, and numbers
    /// it.
    pub fn push(&mut self, now: Time, packet: Handle, mpdu: u32, tcp: bool, sample: Option<u8>) {
        self.frames.push_back(Frame {
            packet,
            since: now,
            mpdu,
            tcp,
            sample,
            retries: 0,
            arrived: false,
            state: State::Waiting,
        });
        self.waiting += 1;
        self.unsettled += 1;
    }

    /// Picks what goes into the next PPDU: frames waiting inside the window, oldest first, within `limits`. One that is to
    /// try a rate does not travel behind others (`ath_tx_form_aggr`).
    pub fn select(&mut self, limits: &Limits) -> Batch {
        let mut batch = Batch::default();
        let mut left = self.waiting;
        let first = self.first;
        for (i, frame) in self.frames.iter_mut().take(usize::from(WINDOW)).enumerate() {
            if left == 0 {
                break;
            }
            if frame.state == State::Waiting {
                if frame.sample.is_some() && !batch.is_empty()
                    || !batch.push(number(first, i), frame.mpdu, limits)
                {
                    break;
                }
                frame.state = State::InHardware;
                left -= 1;
            }
        }
        self.waiting = left;
        batch
    }

    /// The packet, the MPDU's bytes and the retries so far of the frame `seq`.
    pub fn frame(&self, seq: u16) -> (Handle, u32, u16) {
        let frame = &self.frames[usize::from(distance(self.first, seq))];
        (frame.packet, frame.mpdu, frame.retries)
    }

    /// Whether the frame `seq` carries TCP.
    pub fn carries_tcp(&self, seq: u16) -> bool {
        self.frames[usize::from(distance(self.first, seq))].tcp
    }

    /// Notes that the frame `seq` has been received well; returns whether it had been before.
    pub fn arrive(&mut self, seq: u16) -> bool {
        std::mem::replace(&mut self.frames[usize::from(distance(self.first, seq))].arrived, true)
    }

    /// The BlockAck for `batch` came: bit n of `good` says whether its n-th MPDU is acknowledged. What is not waits again,
    /// or is given up once it has been retried `limit` times. Returns whether anything was given up, so that the receiver
    /// must be told to move its window.
    pub fn acknowledged(&mut self, batch: &Batch, good: u64, limit: u32, settled: &mut Vec<Settled>) -> bool {
        let mut gave_up = false;
        for (n, &seq) in batch.seqs().iter().enumerate() {
            gave_up |= self.judge(seq, good >> n & 1 != 0, limit, State::Waiting, settled);
        }
        self.slide();
        gave_up
    }

    /// No acknowledgment came for `batch` at all: every MPDU counts a retry and stays in hardware, except those that are
    /// given up, which leave the batch. Returns whether any were.
    pub fn unanswered(
        &mut self,
        batch: &mut Batch,
        limits: &Limits,
        limit: u32,
        settled: &mut Vec<Settled>,
    ) -> bool {
        let before = batch.len();
        let old = *batch;
        for &seq in old.seqs() {
            self.judge(seq, false, limit, State::InHardware, settled);
        }
        batch.retain(
            limits,
            |seq| self.frames[usize::from(distance(self.first, seq))].state != State::Settled,
            |seq| self.frames[usize::from(distance(self.first, seq))].mpdu,
        );
        self.slide();
        batch.len() < before
    }

    /// Takes `batch` back from the hardware, unsent and without counting a retry.
    pub fn recall(&mut self, batch: &Batch) {
        for &seq in batch.seqs() {
            self.frames[usize::from(distance(self.first, seq))].state = State::Waiting;
        }
        self.waiting += batch.len();
    }

    /// Throws everything away. Frames that were in hardware or had been sent before leave holes in the sequence; numbers
    /// of those never tried are given out again (Linux 3.2 `ath_tid_drain`).
    pub fn drop_all(&mut self, settled: &mut Vec<Settled>) {
        let dropped = self.frames.iter().filter(|f| f.state != State::Settled);
        settled.extend(dropped.map(|f| f.settle(false)));
        let untried =
            self.frames.iter().rev().take_while(|f| f.state == State::Waiting && f.retries == 0).count();
        self.first = number(self.first, self.frames.len() - untried);
        self.frames.clear();
        (self.waiting, self.unsettled) = (0, 0);
    }

    fn judge(&mut self, seq: u16, good: bool, limit: u32, next: State, settled: &mut Vec<Settled>) -> bool {
        let frame = &mut self.frames[usize::from(distance(self.first, seq))];
        frame.retries += 1;
        let gave_up = !good && u32::from(frame.retries) > limit;
        if good || gave_up {
            frame.state = State::Settled;
            settled.push(frame.settle(good));
            self.unsettled -= 1;
        } else {
            frame.state = next;
            self.waiting += u32::from(next == State::Waiting);
        }
        gave_up
    }

    fn slide(&mut self) {
        while self.frames.front().is_some_and(|f| f.state == State::Settled) {
            self.frames.pop_front();
            self.first = number(self.first, 1);
        }
    }

    fn in_window(&self) -> impl Iterator<Item = (usize, &Frame)> {
        self.frames.iter().take(usize::from(WINDOW)).enumerate()
    }
}

fn number(first: u16, offset: usize) -> u16 {
    ((usize::from(first) + offset) % usize::from(SEQ_MODULO)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::{Ht, Rate};
    use airloom_sim::Duration;
    use proptest::prelude::*;

    fn limits() -> Limits {
        let rate = Rate::Ht(Ht { mcs: 15, wide: true, short_gi: true });
        Limits::new(rate, 32, 65_535, Duration::from_millis(4), Duration::ZERO)
    }

    fn window(frames: u32) -> SendWindow {
        let mut w = SendWindow::default();
        (0..frames).for_each(|n| w.push(Time::ZERO, Handle(n), 1538, true, None));
        w
    }

    #[test]
    fn one_loss_stalls_the_window_at_sixty_four() {
        let mut w = window(200);
        let (a, b) = (w.select(&limits()), w.select(&limits()));
        assert_eq!((a.len(), b.len(), w.is_ready()), (32, 32, false));
        let mut settled = Vec::new();
        w.acknowledged(&a, !(1 << 5), 10, &mut settled);
        assert_eq!((w.start(), settled.len()), (5, 31));
        let c = w.select(&limits());
        assert_eq!(c.seqs(), [5, 64, 65, 66, 67, 68], "the retry first, then what the window has room for");
        w.acknowledged(&b, u64::MAX, 10, &mut settled);
        assert!(!w.is_ready());
        w.acknowledged(&c, u64::MAX, 10, &mut settled);
        assert_eq!(w.start(), 69);
    }

    #[test]
    fn a_frame_is_given_up_after_its_retries() {
        let mut w = window(2);
        let mut batch = w.select(&limits());
        let mut settled = Vec::new();
        for attempt in 0..3 {
            let gave_up = w.unanswered(&mut batch, &limits(), 2, &mut settled);
            assert_eq!(gave_up, attempt == 2);
        }
        assert_eq!(settled.len(), 2);
        assert!(settled.iter().all(|s| !s.acked) && batch.is_empty() && w.is_empty());
        assert_eq!(w.start(), 2);
    }

    #[test]
    fn what_is_to_try_a_rate_goes_first() {
        let mut w = SendWindow::default();
        (0..5).for_each(|n| w.push(Time::ZERO, Handle(n), 1538, true, (n == 2).then_some(7)));
        assert_eq!((w.sample(), w.select(&limits()).seqs()), (None, &[0, 1][..]));
        assert_eq!(w.sample(), Some(7));
        assert_eq!(w.select(&Limits { mpdus: 1, ..limits() }).seqs(), [2]);
        assert_eq!((w.sample(), w.select(&limits()).seqs()), (None, &[3, 4][..]));
    }

    #[test]
    fn dropping_leaves_holes_only_for_what_was_tried() {
        let mut w = window(40);
        w.select(&limits());
        let mut settled = Vec::new();
        w.drop_all(&mut settled);
        assert_eq!((settled.len(), w.start()), (40, 32));
    }

    proptest! {
        /// Whatever the channel does, every frame is settled exactly once, nothing leaves the window, numbers wrap.
        #[test]
        fn every_frame_is_settled_once(
            good in prop::collection::vec(any::<u64>(), 20..400),
            silence in prop::collection::vec(prop::bool::weighted(0.2), 400),
        ) {
            let mut w = SendWindow { first: 4080, ..Default::default() };
            let mut pushed = 0;
            let mut seen = std::collections::BTreeSet::new();
            let mut hardware: VecDeque<Batch> = VecDeque::new();
            for (i, bits) in good.iter().enumerate() {
                for _ in 0..10 {
                    w.push(Time::ZERO, Handle(pushed), 100 + pushed % 1400, true, None);
                    pushed += 1;
                }
                while hardware.len() < 2 && w.is_ready() {
                    let batch = w.select(&limits());
                    prop_assert!(!batch.is_empty());
                    prop_assert!(batch.seqs().iter().all(|&s| distance(w.start(), s) < WINDOW));
                    hardware.push_back(batch);
                }
                let Some(mut batch) = hardware.pop_front() else { continue };
                let mut settled = Vec::new();
                if silence[i] {
                    w.unanswered(&mut batch, &limits(), 4, &mut settled);
                    if !batch.is_empty() {
                        hardware.push_front(batch);
                    }
                } else {
                    w.acknowledged(&batch, *bits, 4, &mut settled);
                }
                for s in settled {
                    prop_assert!(seen.insert(s.packet.0), "{:?} settled twice", s.packet);
                }
                prop_assert_eq!(seen.len() as u32 + w.len(), pushed);
            }
        }
    }
}
