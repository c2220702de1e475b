//! The transmit side of a BlockAck agreement, as an ath9k-like driver keeps it: one software queue per station and TID
//! whose frames carry their sequence numbers, and a window that begins with the oldest one that is not settled yet
//! (Linux `ath_tx_addto_baw`, `ath_tx_form_aggr`, `ath_tx_complete_aggr`, drivers/net/wireless/ath/ath9k/xmit.c).

use crate::aggregate::{Batch, Limits};
use crate::amsdu::{Amsdu, Open};
use crate::id::RateId;
use crate::reorder::{distance, number};
use airloom_sim::{Handle, Time};
use std::collections::VecDeque;
use std::collections::vec_deque::IterMut;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    InHardware,
    Settled,
}

/// A packet behind the first one of an A-MSDU.
#[derive(Clone, Copy, Debug)]
pub struct Further {
    /// The packet.
    pub packet: Handle,
    since: Time,
}

/// The packets behind the first one of an A-MSDU.
#[derive(Clone, Debug, Default)]
struct Others(Vec<Further>);

impl Others {
    /// They are settled.
    #[cold]
    fn settle(&self, acked: bool, settled: &mut Vec<Settled>) {
        let packets = self.0.iter();
        settled.extend(packets.map(|&Further { packet, since }| Settled { packet, since, mpdu: 0, acked }));
    }
}

/// A frame that is not settled, or lies behind one that is not.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The packet inside, or the first of an A-MSDU.
    pub packet: Handle,
    /// The other packets of an A-MSDU, apart, since most frames have none.
    further: Option<Box<Others>>,
    /// Bytes of its MPDU.
    pub mpdu: u32,
    /// It carries TCP.
    pub tcp: bool,
    /// Times that it was sent without success.
    pub retries: u16,
    /// It was received without errors the last time that it was sent: its bit in the BlockAck.
    pub good: bool,
    /// It has been received without errors at least once.
    pub arrived: bool,
    since: Time,
    /// Index of the rate that it must try, if any.
    sample: Option<RateId>,
    state: State,
}

impl Frame {
    /// Its packets are settled.
    #[inline]
    fn settle(&self, acked: bool, settled: &mut Vec<Settled>) {
        settled.push(Settled { packet: self.packet, since: self.since, mpdu: self.mpdu, acked });
        if let Some(further) = &self.further {
            further.settle(acked, settled);
        }
    }

    /// Whether it goes out again, as hardware marks it: after a failed attempt that its driver saw, or whenever the
    /// hardware repeats a PPDU by itself, which was `aired` before.
    #[inline]
    pub fn is_repeat(&self, aired: bool) -> bool {
        self.retries > 0 || aired
    }

    /// The other packets of an A-MSDU; none of any other frame.
    #[inline]
    pub fn further(&self) -> &[Further] {
        self.further.as_ref().map_or(&[], |further| &further.0)
    }
}

/// A packet settled by a transmission attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The packet.
    pub packet: Handle,
    /// When it was handed to the driver.
    pub since: Time,
    /// Its MPDU's length in bytes; none of a packet behind the first one of an A-MSDU.
    pub mpdu: u32,
    /// Whether it was acknowledged; otherwise it was given up.
    pub acked: bool,
}

/// Frames handed to the driver for one receiver, until each is acknowledged or given up.
pub struct SendWindow {
    /// MPDUs that the BlockAck agreement lets go from the first on.
    size: u16,
    frames: VecDeque<Frame>,
    /// Sequence number of `frames[0]`, which is the start of the window.
    first: u16,
    /// So many frames, the first ones, have been in hardware, so that their receiver may have them.
    sealed: usize,
    waiting: u32,
    unsettled: u32,
}

/// The frames of a batch in their order.
// A loop of its own: the iterators of the standard library are not inlined over the two halves of a deque.
struct Members<'a> {
    /// Those from its first on, among them such as are no members.
    frames: IterMut<'a, Frame>,
    /// How far behind its first the next is.
    ahead: u16,
    /// All are members.
    whole: bool,
    batch: &'a Batch,
}

impl<'a> Iterator for Members<'a> {
    type Item = (u16, &'a mut Frame);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (frame, ahead) = (self.frames.next()?, self.ahead);
            self.ahead += 1;
            if self.whole || self.batch.contains(ahead) {
                return Some((number(self.batch.start(), ahead), frame));
            }
        }
    }
}

impl SendWindow {
    /// An empty window under an agreement of `size` MPDUs.
    pub fn new(size: u16) -> Self {
        Self { size, frames: VecDeque::new(), first: 0, sealed: 0, waiting: 0, unsettled: 0 }
    }

    /// MPDUs that the BlockAck agreement lets go from the first on.
    pub fn size(&self) -> u16 {
        self.size
    }

    /// Frames held, waiting or in hardware.
    pub fn len(&self) -> u32 {
        self.unsettled
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.unsettled == 0
    }

    /// Where the first frame is that waits for the hardware, if the window lets one go.
    pub fn ready(&self) -> Option<usize> {
        if self.waiting == 0 {
            return None;
        }
        let once_more = self.waiting as usize > self.frames.len() - self.sealed;
        let first = if once_more {
            self.frames.iter().take(self.sealed).position(|frame| frame.state == State::Waiting)?
        } else {
            self.sealed
        };
        (first < usize::from(self.size)).then_some(first)
    }

    /// Whether any frame waits for the hardware, inside the window or not.
    pub fn has_waiting(&self) -> bool {
        self.waiting > 0
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

    /// The rate that the frame at `place` must try, if any.
    pub fn sample(&self, place: usize) -> Option<RateId> {
        self.frames[place].sample
    }

    /// The start of the window: everything before it is settled.
    pub fn start(&self) -> u16 {
        self.first
    }

    /// Whether its last frame waits to try a rate, so that nothing goes with what would come behind it.
    pub fn ends_in_sample(&self) -> bool {
        self.sealed < self.frames.len() && self.frames.back().is_some_and(|frame| frame.sample.is_some())
    }

    /// Takes in `packet`, which makes an MPDU of `mpdu` bytes, carries TCP or not and is to try a rate or not, and numbers
    /// it.
    pub fn push(&mut self, now: Time, packet: Handle, mpdu: u32, tcp: bool, sample: Option<RateId>) {
        self.frames.push_back(Frame {
            packet,
            further: None,
            since: now,
            mpdu,
            tcp,
            sample,
            retries: 0,
            good: false,
            arrived: false,
            state: State::Waiting,
        });
        self.waiting += 1;
        self.unsettled += 1;
    }

    /// The last frame, if packets may join it.
    pub fn open(&self) -> Option<Open> {
        let frame = self.frames.back()?;
        let open = self.sealed < self.frames.len() && frame.sample.is_none();
        open.then(|| Open { mpdu: frame.mpdu, packets: 1 + frame.further().len() as u32 })
    }

    /// Takes `packet` of `bytes` into the last frame, if that still waits for its first time in hardware and `limits` let it.
    pub fn join(&mut self, now: Time, packet: Handle, bytes: u32, limits: &Amsdu) -> bool {
        let Some(grown) = self.open().and_then(|open| limits.join(open, bytes)) else { return false };
        let Some(frame) = self.frames.back_mut() else { return false };
        frame.mpdu = grown.mpdu;
        frame.further.get_or_insert_default().0.push(Further { packet, since: now });
        true
    }

    /// Picks what goes into the next PPDU: frames waiting inside the window, the one at `place` and later ones, within
    /// `limits`. One that is to try a rate does not travel behind others (`ath_tx_form_aggr`).
    pub fn select(&mut self, place: usize, limits: &Limits) -> Batch {
        let mut batch = Batch::new(self.size, number(self.first, place as u16));
        let end = self.frames.len().min(usize::from(self.size));
        let frames = (0..).zip(self.frames.range_mut(place..end));
        let waiting = frames.filter(|(_, frame)| frame.state == State::Waiting);
        for (ahead, frame) in waiting.take(self.waiting as usize) {
            if frame.sample.is_some() && !batch.is_empty() || !batch.push(ahead, frame.mpdu, limits) {
                break;
            }
            frame.state = State::InHardware;
        }
        self.waiting -= batch.len();
        self.sealed = self.sealed.max(place + usize::from(batch.span()));
        batch
    }

    /// The frame `seq`.
    ///
    /// # Panics
    /// If it is settled and so is everything before it, or there was none.
    pub fn frame(&mut self, seq: u16) -> &mut Frame {
        &mut self.frames[usize::from(distance(self.first, seq))]
    }

    /// The frames of `batch`, which is in hardware, with their sequence numbers.
    #[inline]
    pub fn members<'a>(&'a mut self, batch: &'a Batch) -> impl Iterator<Item = (u16, &'a mut Frame)> {
        let before = usize::from(distance(self.first, batch.start()));
        let frames = self.frames.range_mut(before..before + usize::from(batch.span()));
        Members { frames, ahead: 0, whole: batch.is_whole(), batch }
    }

    /// The BlockAck for `batch` came: its good frames are settled. The rest wait again, or are given up once they have
    /// been retried `limit` times. Returns whether any was given up, so that the receiver must move its window.
    #[inline]
    pub fn acknowledged(&mut self, batch: &Batch, limit: u32, settled: &mut Vec<Settled>) -> bool {
        let gave_up = self.judge(batch, true, limit, State::Waiting, settled);
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
        let gave_up = self.judge(batch, false, limit, State::InHardware, settled);
        batch.retain(
            limits,
            |seq| self.frames[usize::from(distance(self.first, seq))].state != State::Settled,
            |seq| self.frames[usize::from(distance(self.first, seq))].mpdu,
        );
        self.slide();
        gave_up
    }

    /// Takes `batch` back from the hardware, unsent and without counting a retry.
    pub fn recall(&mut self, batch: &Batch) {
        for seq in batch.seqs() {
            self.frame(seq).state = State::Waiting;
        }
        self.waiting += batch.len();
    }

    /// Drops all frames. Frames that were in hardware or had been sent before leave holes in the sequence; numbers
    /// of those never tried are given out again (Linux 3.2 `ath_tid_drain`).
    pub fn drop_all(&mut self, settled: &mut Vec<Settled>) {
        let dropped = self.frames.iter().filter(|f| f.state != State::Settled);
        dropped.for_each(|f| f.settle(false, settled));
        let untried =
            self.frames.iter().rev().take_while(|f| f.state == State::Waiting && f.retries == 0).count();
        self.first = number(self.first, (self.frames.len() - untried) as u16);
        self.frames.clear();
        (self.sealed, self.waiting, self.unsettled) = (0, 0, 0);
    }

    /// Handles the frames of `batch` after an attempt that was answered or not; those to be retransmitted are `next`.
    /// Returns whether any was given up.
    fn judge(
        &mut self,
        batch: &Batch,
        answered: bool,
        limit: u32,
        next: State,
        settled: &mut Vec<Settled>,
    ) -> bool {
        let (mut done, mut acked) = (0, 0);
        for (_, frame) in self.members(batch) {
            let good = answered && frame.good;
            frame.retries += 1;
            if good || u32::from(frame.retries) > limit {
                frame.state = State::Settled;
                frame.settle(good, settled);
                done += 1;
                acked += u32::from(good);
            } else {
                frame.state = next;
            }
        }
        self.unsettled -= done;
        if next == State::Waiting {
            self.waiting += batch.len() - done;
        }
        done > acked
    }

    fn slide(&mut self) {
        while self.frames.front().is_some_and(|f| f.state == State::Settled) {
            self.frames.pop_front();
            self.sealed -= 1;
            self.first = number(self.first, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, Ht, Rate, Width};
    use airloom_sim::Duration;
    use proptest::prelude::*;

    fn limits() -> Limits {
        let rate = Rate::Ht(Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 });
        Limits::new(rate, 32, 65_535, Duration::from_millis(4), Duration::ZERO)
    }

    /// The BlockAck for `batch` comes and acknowledges the frames for which `good` holds.
    fn answer(w: &mut SendWindow, batch: &Batch, good: impl Fn(u16) -> bool, settled: &mut Vec<Settled>) {
        batch.seqs().for_each(|seq| w.frame(seq).good = good(seq));
        w.acknowledged(batch, 10, settled);
    }

    fn window(frames: u32) -> SendWindow {
        let mut w = SendWindow::new(64);
        (0..frames).for_each(|n| w.push(Time::ZERO, Handle(n), 1538, true, None));
        w
    }

    /// Picks the next batch, which there is.
    fn select(w: &mut SendWindow, limits: &Limits) -> Batch {
        let first = w.ready().expect("a frame may go");
        w.select(first, limits)
    }

    /// The rate that the first frame to go is to try.
    fn sample(w: &SendWindow) -> Option<RateId> {
        w.sample(w.ready().expect("a frame may go"))
    }

    #[test]
    fn one_loss_stalls_the_window_at_sixty_four() {
        let mut w = window(200);
        let (a, b) = (select(&mut w, &limits()), select(&mut w, &limits()));
        assert_eq!((a.len(), b.len(), w.ready()), (32, 32, None));
        let mut settled = Vec::new();
        answer(&mut w, &a, |seq| seq != 5, &mut settled);
        assert_eq!((w.start(), settled.len()), (5, 31));
        let c = select(&mut w, &limits());
        assert_eq!(
            c.seqs().collect::<Vec<_>>(),
            [5, 64, 65, 66, 67, 68],
            "the retry first, then what the window has room for"
        );
        answer(&mut w, &b, |_| true, &mut settled);
        assert!(w.ready().is_none());
        answer(&mut w, &c, |_| true, &mut settled);
        assert_eq!(w.start(), 69);
    }

    #[test]
    fn a_frame_is_given_up_after_its_retries() {
        let mut w = window(2);
        let mut batch = select(&mut w, &limits());
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
        let next = |w: &mut SendWindow, limits: &Limits| select(w, limits).seqs().collect::<Vec<_>>();
        let mut w = SendWindow::new(64);
        (0..5).for_each(|n| w.push(Time::ZERO, Handle(n), 1538, true, (n == 2).then_some(RateId(7))));
        assert_eq!((sample(&w), next(&mut w, &limits())), (None, vec![0, 1]));
        assert_eq!(sample(&w), Some(RateId(7)));
        assert_eq!(next(&mut w, &Limits { mpdus: 1, ..limits() }), [2]);
        assert_eq!((sample(&w), next(&mut w, &limits())), (None, vec![3, 4]));
    }

    #[test]
    fn dropping_leaves_holes_only_for_what_was_tried() {
        let mut w = window(40);
        select(&mut w, &limits());
        let mut settled = Vec::new();
        w.drop_all(&mut settled);
        assert_eq!((settled.len(), w.start()), (40, 32));
    }

    proptest! {
        /// With any losses, every frame is settled exactly once, no frame leaves the window, numbers wrap.
        #[test]
        fn every_frame_is_settled_once(
            size in prop::sample::select(vec![64u16, 256, 1024]),
            luck in prop::collection::vec(any::<u64>(), 20..400),
            silence in prop::collection::vec(prop::bool::weighted(0.2), 400),
        ) {
            let mut w = SendWindow { first: 4080, ..SendWindow::new(size) };
            let most = Limits { mpdus: u32::from(size) / 2, bytes: u32::MAX, ..limits() };
            let batches = u32::from(size) / 64;
            let mut pushed = 0;
            let mut seen = std::collections::BTreeSet::new();
            let mut hardware: VecDeque<Batch> = VecDeque::new();
            for (i, bits) in luck.iter().enumerate() {
                for _ in 0..10 * batches {
                    w.push(Time::ZERO, Handle(pushed), 100 + pushed % 1400, true, None);
                    pushed += 1;
                }
                while hardware.len() < 2 && w.ready().is_some() {
                    let batch = select(&mut w, &most);
                    prop_assert!(!batch.is_empty());
                    prop_assert!(batch.seqs().all(|s| distance(w.start(), s) < size));
                    hardware.push_back(batch);
                }
                let Some(mut batch) = hardware.pop_front() else { continue };
                let mut settled = Vec::new();
                if silence[i] {
                    w.unanswered(&mut batch, &most, 4, &mut settled);
                    if !batch.is_empty() {
                        hardware.push_front(batch);
                    }
                } else {
                    for (n, seq) in batch.seqs().enumerate() {
                        w.frame(seq).good = bits >> (n % 63) & 1 != 0;
                    }
                    w.acknowledged(&batch, 4, &mut settled);
                }
                for s in settled {
                    prop_assert!(seen.insert(s.packet.0), "{:?} settled twice", s.packet);
                }
                prop_assert_eq!(seen.len() as u32 + w.len(), pushed);
            }
        }
    }
}
