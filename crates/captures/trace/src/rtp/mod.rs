//! RTP in datagrams of UDP (RFC 3550): what is missing of it, and how unevenly it comes.

mod clock;
mod late;
mod stalls;

use clock::Clocks;
pub use late::Late;
use late::Lateness;
pub use stalls::Stalled;
use stalls::Stalls;

/// The version that all of it has, in the first two bits (RFC 3550 section 5.1). What shares the port has others there (RFC 7983).
const VERSION: u8 = 2;
/// A header without contributing sources.
const HEADER: usize = 12;
/// What has these payload types is RTCP on the same port (RFC 5761 section 4).
const RTCP: std::ops::Range<u8> = 64..96;
/// A longer gap is a sender that began anew, and what comes later than so many others is not late but of a new beginning (RFC 3550
/// appendix A.1).
const DROPOUT: u16 = 3000;
const MISORDER: u16 = 100;
/// So few packets are not believed to be RTP.
const WATCHED: u64 = 32;

/// The fields of a header that tell one packet from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtpHeader {
    /// The sequence number: one more for each packet.
    pub sequence: u16,
    /// When the first of its samples was taken, by the sender's clock.
    pub stamp: u32,
    /// The synchronization source.
    pub source: u32,
    /// The payload type.
    pub kind: u8,
    /// Whether it begins a talk spurt, or ends a picture (RFC 3551 sections 4.1 and 5).
    pub marker: bool,
}

impl RtpHeader {
    /// Reads what may be a header; whether it is shows when more of them come.
    pub(crate) fn read(octets: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER] = octets.first_chunk()?;
        let [first, second, s0, s1, t0, t1, t2, t3, i0, i1, i2, i3] = *header;
        (first >> 6 == VERSION && !RTCP.contains(&(second & 0x7f))).then_some(Self {
            sequence: u16::from_be_bytes([s0, s1]),
            stamp: u32::from_be_bytes([t0, t1, t2, t3]),
            source: u32::from_be_bytes([i0, i1, i2, i3]),
            kind: second & 0x7f,
            marker: second & 0x80 != 0,
        })
    }
}

/// What the packets of one source show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    /// Its number.
    pub(crate) source: u32,
    /// The first sequence number since it began, the highest with its overflows, and which of the last 128 were received.
    first: u64,
    highest: u64,
    recent: u128,
    /// Where most numbers in a row are missing.
    hole: RtpHole,
    last_ns: u64,
    /// Packets that were received since it began, and what there was before.
    received: u64,
    before: Missing,
    /// Those that came right behind the one before them, and the one that is to follow a jump for it to be a new beginning.
    next: u64,
    resumes: Option<u16>,
    clocks: Clocks,
    stalls: Stalls,
    lateness: Lateness,
}

/// Packets that should have come, and those of them that did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Packets that were sent, by their sequence numbers.
    pub sent: u64,
    /// Those that are not there.
    pub missing: u64,
}

/// Numbers in a row that are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RtpHole {
    /// How many.
    pub missing: u64,
    /// When the packets before and behind them came, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
}

/// What is missing of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfSource {
    /// Its number (SSRC: RFC 3550 section 3).
    pub source: u32,
    /// All of its packets.
    pub counts: Missing,
    /// The most of them in a row that are missing.
    pub in_a_row: u64,
}

/// What a packet changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Came {
    /// Packets that are missing since it came; less than zero if it was taken for missing.
    pub(crate) missing: f64,
    /// The interarrival jitter in nanoseconds (RFC 3550 section 6.4.1), where the clock of the stamps is known.
    pub(crate) jitter_ns: Option<f64>,
}

impl Source {
    pub(crate) fn new(now_ns: u64, header: RtpHeader) -> Self {
        let at = u64::from(header.sequence);
        Self {
            source: header.source,
            first: at,
            highest: at,
            recent: 1,
            hole: RtpHole::default(),
            last_ns: now_ns,
            received: 1,
            before: Missing { sent: 0, missing: 0 },
            next: 0,
            resumes: None,
            clocks: Clocks::new(now_ns, header),
            stalls: Stalls::new(now_ns),
            lateness: Lateness::default(),
        }
    }

    /// Takes a packet after the first.
    pub(crate) fn see(&mut self, now_ns: u64, header: RtpHeader) -> Came {
        let ahead = header.sequence.wrapping_sub(self.highest as u16);
        if ahead > u16::MAX - MISORDER {
            return self.see_late(ahead.wrapping_neg());
        }
        if ahead >= DROPOUT {
            if self.resumes != Some(header.sequence) {
                self.resumes = Some(header.sequence.wrapping_add(1));
                return Came::default();
            }
            // The one before it was the first.
            let (before, next, stalls) = (self.missing(), self.next + 1, self.stalls.anew(now_ns));
            let (hole, lateness) = (self.hole, self.lateness.anew());
            let anew = Self::new(now_ns, header);
            let highest = anew.highest + (1 << 16);
            *self = Self {
                before,
                next,
                first: highest - 1,
                highest,
                recent: 3,
                received: 2,
                stalls,
                lateness,
                hole,
                ..anew
            };
            return Came::default();
        }
        self.resumes = None;
        if ahead == 0 {
            return Came::default();
        }
        let last_ns = std::mem::replace(&mut self.last_ns, now_ns);
        if u64::from(ahead) > self.hole.missing + 1 {
            self.hole = RtpHole { missing: u64::from(ahead) - 1, span_ns: [last_ns, now_ns] };
        }
        self.recent = self.recent.checked_shl(ahead.into()).unwrap_or_default() | 1;
        self.highest += u64::from(ahead);
        self.received += 1;
        self.next += u64::from(ahead == 1);
        let kept = self.clocks.see(now_ns, header);
        self.stalls.see(now_ns, ahead == 1, kept);
        if let Some(kept) = kept {
            self.lateness.see(now_ns, kept);
        }
        let jitter_ns = kept.and_then(|kept| kept.off_ns.map(|_| kept.jitter_ns));
        Came { missing: f64::from(ahead - 1), jitter_ns }
    }

    /// One that comes so many behind others, or again.
    const fn see_late(&mut self, by: u16) -> Came {
        let bit = 1_u128 << by;
        if self.recent & bit != 0 {
            return Came { missing: 0.0, jitter_ns: None };
        }
        self.recent |= bit;
        // What was sent before the first is none that was missing.
        if self.highest - self.first < by as u64 {
            return Came { missing: 0.0, jitter_ns: None };
        }
        self.received += 1;
        Came { missing: -1.0, jitter_ns: None }
    }

    /// Packets that were sent from the first to the last of them, and those that are not there.
    pub(crate) const fn missing(&self) -> Missing {
        let sent = self.highest - self.first + 1;
        Missing {
            sent: self.before.sent + sent,
            missing: self.before.missing + sent.saturating_sub(self.received),
        }
    }

    /// The same with its number, and the most in a row. What came late was missing as the next came, and is no more.
    pub(crate) fn told(&self) -> OfSource {
        let counts = self.missing();
        OfSource { source: self.source, counts, in_a_row: self.hole.missing.min(counts.missing) }
    }

    /// Where most numbers in a row are missing.
    pub(crate) const fn hole(&self) -> RtpHole {
        self.hole
    }

    /// How often it stood still.
    pub(crate) const fn stalled(&self) -> Stalled {
        self.stalls.told
    }

    /// Where it came latest by its stamps.
    pub(crate) const fn late(&self) -> Late {
        self.lateness.told
    }

    /// Whether it is RTP: the numbers of most of its packets are one after the other.
    pub(crate) const fn is_believed(&self) -> bool {
        let Missing { sent, missing } = self.missing();
        let came = sent - missing;
        came >= WATCHED && 2 * self.next >= came
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: u64 = 1_000_000;

    fn header(sequence: u64) -> RtpHeader {
        RtpHeader {
            sequence: sequence as u16,
            stamp: 160 * sequence as u32,
            source: 7,
            kind: 0,
            marker: false,
        }
    }

    /// A call of a packet every 20 ms of which these came, in this order.
    fn call(came: impl IntoIterator<Item = u64>) -> (Source, f64) {
        let mut came = came.into_iter();
        let first = came.next().unwrap_or_default();
        let mut source = Source::new(20 * first * MS, header(first));
        let missing = came.map(|number| source.see(20 * number * MS, header(number)).missing).sum();
        (source, missing)
    }

    proptest! {
        #[test]
        fn what_is_missing_is_counted_whatever_overflows(
            first in 0..100_000_u64,
            lost in prop::collection::btree_set(1..499_u64, 0..100),
        ) {
            let (source, noted) = call((0..500).filter(|at| !lost.contains(at)).map(|at| first + at));
            prop_assert_eq!(source.missing(), Missing { sent: 500, missing: lost.len() as u64 });
            prop_assert!((noted - lost.len() as f64).abs() < 0.5);
        }

        #[test]
        fn order_and_copies_make_nothing_missing(swaps in prop::collection::vec(1..99_usize, 0..30)) {
            let mut order: Vec<u64> = (0..400).collect();
            swaps.iter().for_each(|&at| order.swap(3 * at, 3 * at + 2));
            order.extend(350..400);
            let (source, noted) = call(order);
            prop_assert_eq!((source.missing().missing, noted), (0, 0.0));
        }
    }

    #[test]
    fn a_sender_that_begins_anew_loses_nothing() {
        let (source, noted) = call((0..200).chain(30_000..30_200));
        assert_eq!((source.missing().missing, noted), (0, 0.0));
        assert_eq!(source.missing().sent, 400);
    }

    #[test]
    fn numbers_that_do_not_follow_each_other_are_no_rtp() {
        assert!(call(0..40).0.is_believed());
        assert!(!call((0..400).step_by(2)).0.is_believed(), "every second number");
        assert!(!call((0..40).map(|_| 7)).0.is_believed(), "one number");
        assert!(!call(0..20).0.is_believed(), "too few");
    }

    /// Every second packet is 4 ms late: each interval is off by 4 ms, and so is their smoothed mean in the end.
    #[test]
    fn jitter_is_how_far_intervals_are_from_those_of_the_stamps() {
        let mut source = Source::new(0, header(0));
        let late = |number: u64| 20 * number * MS + 4 * MS * (number % 2);
        let last = (1..1_000).filter_map(|number| source.see(late(number), header(number)).jitter_ns).last();
        assert!((last.unwrap_or_default() / 1e6 - 4.0).abs() < 0.01, "{last:?}");
        let mut even = Source::new(0, header(0));
        let last =
            (1..1_000).filter_map(|number| even.see(20 * number * MS, header(number)).jitter_ns).last();
        assert_eq!(last, Some(0.0));
    }

    /// A call of ten seconds whose packets come at these times and have these stamps, in ms.
    fn carried(came: impl Fn(u64) -> u64, stamped: impl Fn(u64) -> u64) -> Source {
        let of = |number| RtpHeader { stamp: 8 * stamped(20 * number) as u32, ..header(number) };
        let mut source = Source::new(MS * came(0), of(0));
        for number in 1..500 {
            source.see(MS * came(20 * number), of(number));
        }
        source
    }

    /// How often it stood still, and for how long it did and its sender paused, in ms.
    fn stalled(came: impl Fn(u64) -> u64, stamped: impl Fn(u64) -> u64) -> [u64; 3] {
        let source = carried(came, stamped);
        let Stalled { times, longest_ns, paused_ns, .. } = source.stalled();
        [times, longest_ns / MS, paused_ns / MS]
    }

    #[test]
    fn what_stands_still_comes_at_once_though_its_stamps_went_on() {
        let held = |sent| if (5_001..6_100).contains(&sent) { 6_100 } else { sent };
        assert_eq!(stalled(held, |sent| sent), [1, 1_100, 0]);
        let again = |sent| match sent {
            5_001..5_200 => 8_000,
            5_200..8_400 => 8_400,
            other => other,
        };
        assert_eq!(stalled(again, |sent| sent), [1, 3_000, 0], "it stands still again before it has come");
        // Of a second that waited, a link that has a third more than the call carries half in 1.5 s.
        let slow = |sent: u64| if sent <= 5_000 { sent } else { sent.max(6_000 + (sent - 5_000) * 3 / 4) };
        assert_eq!(stalled(slow, |sent| sent), [1, 1_015, 0], "a slow link");
        let brief = |sent| if (5_001..5_150).contains(&sent) { 5_150 } else { sent };
        assert_eq!(stalled(brief, |sent| sent), [0; 3]);
    }

    #[test]
    fn what_comes_late_for_long_did_not_come_at_once() {
        let late = |came: &dyn Fn(u64) -> u64| {
            let source = carried(came, |sent| sent);
            let Late { most_ns, span_ns } = source.late();
            let Stalled { longest_ns, at_once_ns, .. } = source.stalled();
            ([most_ns / MS, span_ns[0] / MS, span_ns[1] / MS], [longest_ns / MS, at_once_ns / MS])
        };
        let held = |sent| if (3_001..5_000).contains(&sent) { 5_000 } else { sent };
        assert_eq!(late(&held), ([1_980, 5_000, 5_000], [2_000, 2_000]), "all of it comes at once");
        // A fifth comes at once, the rest as fast as it is sent, for three seconds, and then all of it.
        let some = |sent| match sent {
            3_001..3_400 => 5_000,
            3_400..6_400 => sent + 1_600,
            6_400..8_000 => 8_000,
            other => other,
        };
        assert_eq!(late(&some), ([1_980, 5_000, 8_000], [2_000, 0]));
        let fills = |sent: u64| if sent < 7_000 { sent + sent / 5 } else { sent.max(8_380) };
        assert_eq!(late(&fills).1, [0, 0], "a queue that fills does not stand still");
    }

    #[test]
    fn what_is_not_made_up_is_not_late() {
        let paused = |sent| if sent > 5_000 { sent + 1_500 } else { sent };
        assert_eq!(carried(paused, |sent| sent).late(), Late::default(), "a sender that paused");
        let off = |sent: u64| sent + sent / 50;
        assert_eq!(carried(off, |sent| sent).late(), Late::default(), "clocks that differ");
        let brief = |sent| if (5_001..5_950).contains(&sent) { 5_950 } else { sent };
        assert_eq!(carried(brief, |sent| sent).late(), Late::default(), "less than a second");
    }

    #[test]
    fn a_sender_that_pauses_does_not_stand_still() {
        let paused = |sent| if sent > 5_000 { sent + 6_000 } else { sent };
        assert_eq!(stalled(paused, paused), [0, 0, 6_020]);
        assert_eq!(
            stalled(paused, |sent| sent),
            [0; 3],
            "stamps that stood still too, or a capture's clock that was set"
        );
        assert_eq!(stalled(|sent| sent, paused), [0; 3], "stamps that begin elsewhere");
    }

    #[test]
    fn what_shares_the_port_is_no_rtp() {
        let mut octets = [0; 12];
        assert!(RtpHeader::read(&octets).is_none(), "STUN");
        octets[0] = 0x80;
        assert!(RtpHeader::read(&octets).is_some());
        octets[1] = 200;
        assert!(RtpHeader::read(&octets).is_none(), "a sender report of RTCP");
        assert!(RtpHeader::read(&octets[..11]).is_none(), "cut");
    }
}
