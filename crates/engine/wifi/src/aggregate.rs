//! Aggregation: the limits of an A-MPDU, and a batch under construction.

use crate::bitmap::Bitmap;
use crate::frame_size;
use crate::reorder::{distance, number};
use airloom_rate::Rate;
use airloom_sim::Duration;

/// Bounds on one A-MPDU at one rate.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// MPDUs.
    pub mpdus: u32,
    /// Bytes of PSDU.
    pub bytes: u32,
    /// Least distance between the starts of two MPDUs, in bytes.
    pub spacing: u32,
}

impl Limits {
    /// The limits at `rate`: at most `mpdus` and `bytes`, no longer on air than `duration`, MPDUs that start no closer
    /// than `spacing` (Linux ath9k `ath_lookup_rate` and `ath_compute_num_delims`). A format that bounds its PPDUs bounds
    /// `duration` too.
    pub fn new(rate: Rate, mpdus: u32, bytes: u32, duration: Duration, spacing: Duration) -> Self {
        let duration = rate.longest().map_or(duration, |most| duration.min(most - rate.airtime(0)));
        let in_time = rate.bit_rate().as_bps() * duration.as_nanos() / 8_000_000_000;
        Self { mpdus, bytes: bytes.min(in_time as u32), spacing: spacing_bytes(rate, spacing) }
    }

    /// The same, no longer on air than `most`, where a PSDU takes `airtime`.
    pub(crate) fn within(self, most: Duration, airtime: impl Fn(u32) -> Duration) -> Self {
        let (mut fits, mut too_long) = (0, self.bytes + 1);
        while too_long - fits > 1 {
            let middle = fits.midpoint(too_long);
            if airtime(middle) <= most { fits = middle } else { too_long = middle }
        }
        Self { bytes: fits, ..self }
    }
}

/// MPDUs of one PPDU, in order of their sequence numbers.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The sequence number of the first.
    start: u16,
    /// Bit n: the MPDU `start + n` is in it.
    members: Bitmap,
    /// One more than the highest bit set.
    span: u16,
    len: u32,
    bytes: u32,
    last_mpdu: u32,
}

impl Batch {
    /// An empty batch under an agreement of `window` MPDUs, to begin with the sequence number `start`.
    pub fn new(window: u16, start: u16) -> Self {
        Self { start, members: Bitmap::new(window), span: 0, len: 0, bytes: 0, last_mpdu: 0 }
    }

    /// The sequence number of its first MPDU.
    pub fn start(&self) -> u16 {
        self.start
    }

    /// The sequence numbers in it.
    pub fn seqs(&self) -> impl Iterator<Item = u16> + '_ {
        self.members.iter().map(|n| number(self.start, n))
    }

    /// Sequence numbers from the first to the last in it.
    pub fn span(&self) -> u16 {
        self.span
    }

    /// Whether it is without gaps.
    pub fn is_whole(&self) -> bool {
        self.len == u32::from(self.span)
    }

    /// Whether the MPDU that lies `ahead` after the first is in it.
    #[inline]
    pub fn contains(&self, ahead: u16) -> bool {
        self.members.contains(ahead)
    }

    /// How many MPDUs are in it.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of the PSDU at `rate`: in HT one MPDU alone travels without delimiters, as no A-MPDU.
    pub fn psdu(&self, rate: Rate) -> u32 {
        if self.len() == 1 && !rate.delimits_one() { self.last_mpdu } else { self.bytes }
    }

    /// Adds an MPDU of `mpdu` bytes that lies `ahead` after the start, or reports that `limits` forbid it. The first always
    /// fits, and is the start.
    ///
    /// # Panics
    /// If it lies beyond the window that begins with the start.
    pub fn push(&mut self, ahead: u16, mpdu: u32, limits: &Limits) -> bool {
        let delimiter = frame_size::DELIMITER_BYTES;
        let spread =
            if self.is_empty() { 0 } else { limits.spacing.saturating_sub(delimiter + self.last_mpdu) };
        let bytes = self.bytes + spread + frame_size::subframe(self.bytes + spread, mpdu);
        if !self.is_empty() && (self.len() >= limits.mpdus || bytes > limits.bytes) {
            return false;
        }
        self.members.insert(ahead);
        self.span = ahead + 1;
        self.len += 1;
        self.bytes = bytes;
        self.last_mpdu = mpdu;
        true
    }

    /// Keeps only the MPDUs for which `keep` holds; `size` gives an MPDU's bytes.
    pub fn retain(&mut self, limits: &Limits, mut keep: impl FnMut(u16) -> bool, size: impl Fn(u16) -> u32) {
        let mut seqs = self.seqs().filter(|&seq| keep(seq)).peekable();
        let start = seqs.peek().copied().unwrap_or(self.start);
        let mut kept = Self { start, members: self.members.emptied(), span: 0, len: 0, bytes: 0, ..*self };
        for seq in seqs {
            kept.push(distance(start, seq), size(seq), limits);
        }
        *self = kept;
    }
}

/// The least distance between the starts of two MPDUs in an A-MPDU, in bytes, for a receiver that needs `spacing`
/// between them (10.12.3, minimum MPDU start spacing).
fn spacing_bytes(rate: Rate, spacing: Duration) -> u32 {
    (rate.bit_rate().as_bps() * spacing.as_nanos()).div_ceil(8_000_000_000) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, Ht, Width};

    const HT: Rate = ht(15, Width::Mhz40, GuardInterval::Ns400);

    const fn ht(mcs: u8, width: Width, guard: GuardInterval) -> Rate {
        Rate::Ht(Ht { mcs, width, guard })
    }

    fn limits(mcs: u8) -> Limits {
        Limits::new(
            ht(mcs, Width::Mhz40, GuardInterval::Ns400),
            32,
            65_535,
            Duration::from_millis(4),
            Duration::from_micros(8),
        )
    }

    fn fill(limits: &Limits, mpdu: u32) -> Batch {
        let mut batch = Batch::new(64, 0);
        while batch.push(batch.len() as u16, mpdu, limits) {}
        batch
    }

    #[test]
    fn thirty_two_full_mpdus_fit_at_the_highest_rate() {
        let batch = fill(&limits(15), 1538);
        assert_eq!((batch.len(), batch.psdu(HT)), (32, 32 * 1544 - 2));
    }

    #[test]
    fn four_milliseconds_bind_at_low_rates() {
        // 15 Mbit/s x 4 ms = 7,500 bytes.
        assert_eq!(fill(&limits(0), 1538).len(), 4);
        let crawl = Rate::Ht(Ht { mcs: 0, width: Width::Mhz20, guard: GuardInterval::Ns800 });
        let tight = Limits::new(crawl, 32, 65_535, Duration::from_millis(1), Duration::ZERO);
        assert_eq!(fill(&tight, 1538).len(), 1, "the first always fits");
    }

    #[test]
    fn small_mpdus_are_spread_to_the_minimum_spacing() {
        let batch = fill(&limits(15), 100);
        assert_eq!(batch.len(), 32);
        assert_eq!(batch.psdu(HT), 31 * 300 + 104, "a start every 300 bytes");
    }

    #[test]
    fn a_single_mpdu_needs_no_delimiter() {
        let mut batch = Batch::new(64, 7);
        batch.push(0, 1538, &limits(15));
        assert_eq!(batch.psdu(HT), 1538);
        batch.push(1, 1538, &limits(15));
        assert_eq!(batch.psdu(HT), 1542 + 2 + 1542);
        batch.retain(&limits(15), |seq| seq == 8, |_| 1538);
        assert_eq!((batch.seqs().collect(), batch.psdu(HT)), (vec![8], 1538));
    }

    #[test]
    fn spacing_grows_with_the_rate() {
        let spacing = Duration::from_micros(8);
        let ht = |mcs, width, guard| Rate::Ht(Ht { mcs, width, guard });
        assert_eq!(spacing_bytes(ht(15, Width::Mhz40, GuardInterval::Ns400), spacing), 300);
        assert_eq!(spacing_bytes(ht(0, Width::Mhz20, GuardInterval::Ns800), spacing), 7); // 6.5 Mbit/s x 8 us = 6.5 bytes
    }
}
