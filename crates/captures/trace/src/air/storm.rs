//! Bursts in which nothing but retries goes.

use super::ppdu::Ppdu;
use crate::{Capped, Speed};

/// A burst has this many PPDUs at least, and lasts this long, in nanoseconds.
const FEWEST: u32 = 4;
const SHORTEST: u64 = 5_000_000;

/// PPDUs one after another of which every MPDU is a retry, until one is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storm {
    /// The end of the first, in nanoseconds since 1970, and its record.
    pub from_ns: u64,
    /// See `from_ns`.
    pub number: u32,
    /// The end of the last.
    pub to_ns: u64,
    /// How many.
    pub ppdus: u32,
    /// Their MPDUs.
    pub mpdus: u64,
    /// Whether the last, which was answered, went at a slower rate than all before it: then that rate is what gets through, and no pause of a disturbance.
    pub slowed: bool,
    /// The slowest rate at which nothing arrived, as far as rates are known.
    pub failed: Option<Speed>,
}

/// The bursts of one direction between two radios.
#[derive(Clone, Debug, Default)]
pub(super) struct Storms {
    now: Option<Storm>,
    /// The rate of its last PPDU, and the slowest of those before it.
    last: Option<Speed>,
    failed: Option<Speed>,
}

impl Storms {
    /// Takes a PPDU.
    pub(super) fn sent(&mut self, ppdu: &Ppdu) {
        if ppdu.retried < ppdu.mpdus {
            if self.now.is_some() {
                self.rate(ppdu);
            }
            return;
        }
        let storm = self.now.get_or_insert(Storm {
            from_ns: ppdu.end_ns,
            number: ppdu.number,
            to_ns: ppdu.end_ns,
            ppdus: 0,
            mpdus: 0,
            slowed: false,
            failed: None,
        });
        storm.to_ns = ppdu.end_ns;
        storm.ppdus += 1;
        storm.mpdus += u64::from(ppdu.mpdus);
        self.rate(ppdu);
    }

    /// Takes the rate of a PPDU of a burst, or of a new one behind it.
    fn rate(&mut self, ppdu: &Ppdu) {
        let slower = |one: Speed, other: Speed| if other.mbps < one.mbps { other } else { one };
        self.failed = self.failed.into_iter().chain(self.last).reduce(slower);
        self.last = ppdu.speed();
    }

    /// A PPDU was answered.
    pub(super) fn answered(&mut self, into: &mut Capped<Storm>) {
        let (last, failed) = (self.last.take(), self.failed.take());
        let slowed = last.zip(failed).is_some_and(|(last, failed)| last.mbps < failed.mbps);
        if let Some(storm) = self.now.take()
            && storm.ppdus >= FEWEST
            && storm.to_ns.saturating_sub(storm.from_ns) >= SHORTEST
        {
            into.push(Storm { slowed, failed, ..storm });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Radio;
    use crate::link::{Seen, read};
    use crate::{Frame, Speed};
    use airloom_wire::{Captured, LinkType};

    const MILLISECOND: u64 = 1_000_000;

    /// The bursts among PPDUs of two MPDUs, of which so many are retries, at these milliseconds; answered or not.
    fn storms(ppdus: &[(u64, u32, bool)]) -> Vec<(u64, u64, u32, u64)> {
        let told = |storm: &Storm| {
            (storm.from_ns / MILLISECOND, storm.to_ns / MILLISECOND, storm.ppdus, storm.mpdus)
        };
        all(ppdus.iter().map(|&ppdu| (ppdu, 108))).iter().map(told).collect()
    }

    /// The same, each with its rate in 500 kbit/s.
    fn all(ppdus: impl Iterator<Item = ((u64, u32, bool), u8)>) -> Vec<Storm> {
        let mut octets = [0; 24];
        octets[0] = 0x08;
        let record = Captured {
            interface: 0,
            link: LinkType::IEEE802_11,
            stamp_ns: None,
            data: &octets,
            original_len: 24,
            comment: None,
        };
        let Seen::Air(first) = read(&record, &mut Vec::new()) else { panic!("no frame") };
        let (mut storms, mut found) = (Storms::default(), Capped::default());
        for ((at, retried, answered), units) in ppdus {
            let end_ns = at * MILLISECOND;
            let first = Frame { radio: Radio { speed: Speed::legacy(units), ..first.radio }, ..first };
            storms.sent(&Ppdu {
                number: 0,
                end_ns,
                first,
                mpdus: 2,
                retried,
                amsdus: 0,
                octets: 0,
                bodies: 0,
            });
            if answered {
                storms.answered(&mut found);
            }
        }
        found.kept().to_vec()
    }

    #[test]
    fn a_burst_that_the_first_slower_ppdu_ends_is_of_the_rate() {
        let burst = [(0, 2, false), (2, 2, false), (4, 2, false), (6, 2, true)];
        let slowed = |units: [u8; 4]| all(burst.into_iter().zip(units))[0].slowed;
        assert!(slowed([96, 96, 96, 72]), "a signal that faded for 48 Mbit/s");
        assert!(!slowed([96, 96, 72, 72]), "at 36 Mbit/s nothing arrived at first either");
        assert!(!slowed([96, 24, 96, 96]) && !slowed([96; 4]));
        let failed = |units: [u8; 4]| all(burst.into_iter().zip(units))[0].failed.map(|speed| speed.mbps);
        assert_eq!(failed([96, 24, 96, 96]), Some(12.0));
        assert_eq!(failed([96, 96, 96, 12]), Some(48.0), "at the last rate it arrived");
        // The last is given up at 6 Mbit/s, and new data arrives at 54.
        let given_up = [(0, 2, false), (2, 2, false), (4, 2, false), (6, 2, false), (8, 0, true)];
        assert!(!all(given_up.into_iter().zip([108, 108, 108, 12, 108]))[0].slowed);
    }

    #[test]
    fn a_burst_lasts_from_the_first_ppdu_of_retries_alone_to_the_one_that_is_answered() {
        let ppdus = [
            (0, 0, true),
            (1, 0, false),
            (3, 2, false),
            (5, 2, false),
            (6, 2, false),
            (9, 2, true),
            (10, 0, true),
        ];
        assert_eq!(storms(&ppdus), [(3, 9, 4, 8)]);
    }

    #[test]
    fn few_retries_short_ones_and_those_beside_new_frames_are_no_burst() {
        let few = [(0, 2, false), (5, 2, false), (10, 2, true)];
        let short = [(0, 2, false), (1, 2, false), (2, 2, false), (4, 2, true)];
        let beside = [(0, 1, false), (5, 1, false), (10, 1, false), (15, 1, true)];
        let answered = [(0, 2, false), (5, 2, true), (10, 2, false), (15, 2, true)];
        for ppdus in [&few[..], &short, &beside, &answered] {
            assert_eq!(storms(ppdus), []);
        }
    }

    #[test]
    fn what_is_not_answered_yet_is_no_burst() {
        assert_eq!(storms(&[(0, 2, false), (5, 2, false), (10, 2, false), (15, 2, false)]), []);
    }
}
