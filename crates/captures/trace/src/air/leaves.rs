//! Frames that end an association.

use crate::{Capped, Frame, Subtype};
use airloom_wire::MacAddr;
use std::collections::VecDeque;

/// Frames with the same number within this time are one that was sent, or captured, more than once, in nanoseconds.
const AGAIN: u64 = 1_000_000_000;
/// Numbers that are remembered: a burst of tools that forge such frames has 64, one for each end.
const MOST: usize = 256;

/// Frames of a radio that tell of its count for one that ends an association lie within this time of it, in nanoseconds, and between them are no more numbers than this.
const BESIDE: u64 = 5_000_000_000;
const MOST_BETWEEN: u16 = 512;
/// A radio gives numbers before its frames go: those to groups wait for a beacon, and a queue overtakes another. So far beside the numbers around it one may lie.
const ASIDE: u16 = 64;
/// So many of its last frames tell how strong a radio is heard.
const SIGNALS: usize = 8;

/// A frame that ends an association, beside the other frames of the radio that it names as its transmitter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leave {
    /// When it was captured, in nanoseconds since 1970.
    pub at_ns: u64,
    /// The station or the access point that it is for, or all.
    pub receiver: MacAddr,
    /// Whether its number lies between those of that radio's frames before and behind it. None where that does not show: beacons have a count of their own with some radios, so that
    /// they alone do not show that a number is of none.
    pub is_counted: Option<bool>,
    /// Its signal, and the weakest and the strongest of that radio's last frames, in dBm.
    pub signals_dbm: Option<(i8, [i8; 2])>,
    number: u16,
    /// The last numbers before it: of beacons, and of other frames; whether it lies between these and the next.
    before: [Option<(u64, u16)>; 2],
    between: [Option<bool>; 2],
}

impl Leave {
    /// Takes the next number of beacons (0) or of other frames (1).
    fn next(&mut self, at_ns: u64, kind: usize, number: u16) {
        let Some((then_ns, before)) = self.before[kind].take() else { return };
        let is_near = |one_ns: u64, other_ns: u64| other_ns.saturating_sub(one_ns) <= BESIDE;
        let ahead = |number: u16| number.wrapping_sub(before) % 4096;
        // A count that stands still is none.
        let tells = (1..=MOST_BETWEEN).contains(&ahead(number));
        if !is_near(then_ns, self.at_ns) || !is_near(self.at_ns, at_ns) || !tells {
            return;
        }
        self.between[kind] = match ahead(self.number) {
            own if (1..ahead(number)).contains(&own) => Some(true),
            own if (own + ASIDE) % 4096 <= ahead(number) + 2 * ASIDE => None,
            _ => Some(false),
        };
        self.is_counted = match self.between {
            [Some(true), _] | [_, Some(true)] => Some(true),
            [_, Some(false)] => Some(false),
            _ => None,
        };
    }
}

/// Deauthentications and disassociations of a transmitter, each once.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    /// How many.
    pub frames: u64,
    /// Those of them to a group: they are for all stations.
    pub to_all: u64,
    /// When the first and the last was captured, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    /// The first of them.
    each: Capped<Leave, 256>,
    /// The last numbers of the radio's other frames: of beacons, and of those that are none; and how strong the last were, in dBm.
    last: [Option<(u64, u16)>; 2],
    signals_dbm: VecDeque<i8>,
    /// The last numbers with their receivers, and when they came.
    lately: VecDeque<((MacAddr, u16), u64)>,
}

impl Leaves {
    /// Whether a frame that was taken lately has this receiver and number.
    pub(super) fn is_again(&self, at_ns: u64, receiver: MacAddr, number: u16) -> bool {
        let is_late = |then_ns: u64| then_ns.saturating_add(AGAIN) >= at_ns;
        self.lately.iter().any(|&(known, then_ns)| known == (receiver, number) && is_late(then_ns))
    }

    /// The first of them, beside the other frames of their transmitter.
    pub fn each(&self) -> &[Leave] {
        self.each.kept()
    }

    /// Takes another frame of the radio that is not QoS data, which all share one count (802.11-2020 clause 10.3.2.14.2), and was not sent before.
    pub(super) fn beside(&mut self, at_ns: u64, frame: &Frame) {
        if let Some(dbm) = frame.radio.signal_dbm {
            if self.signals_dbm.len() == SIGNALS {
                self.signals_dbm.pop_front();
            }
            self.signals_dbm.push_back(dbm);
        }
        let (None, Some(number), false) = (frame.tid, frame.sequence, frame.retry) else { return };
        let kind = usize::from(frame.subtype != Subtype::Beacon);
        self.last[kind] = Some((at_ns, number));
        let is_open = |one: &&mut Leave| one.before[kind].is_some();
        self.each
            .kept_mut()
            .iter_mut()
            .rev()
            .take_while(is_open)
            .for_each(|one| one.next(at_ns, kind, number));
    }

    /// Takes one more, with its receiver, its sequence number and its signal: tools count for each receiver anew.
    pub(super) fn take(&mut self, at_ns: u64, receiver: MacAddr, number: u16, dbm: Option<i8>) {
        if self.is_again(at_ns, receiver, number) {
            return;
        }
        while self.lately.front().is_some_and(|&(_, then_ns)| then_ns.saturating_add(AGAIN) < at_ns) {
            self.lately.pop_front();
        }
        if self.lately.len() == MOST {
            self.lately.pop_front();
        }
        self.lately.push_back(((receiver, number), at_ns));
        let is_known = self.signals_dbm.len() == SIGNALS;
        let range = self.signals_dbm.iter().min().zip(self.signals_dbm.iter().max()).filter(|_| is_known);
        self.each.push(Leave {
            at_ns,
            receiver,
            is_counted: None,
            signals_dbm: dbm.zip(range.map(|(&least, &most)| [least, most])),
            number,
            before: self.last,
            between: [None; 2],
        });
        self.frames += 1;
        self.to_all += u64::from(receiver.is_group());
        let (first, _) = *self.span_ns.get_or_insert((at_ns, at_ns));
        self.span_ns = Some((first, at_ns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_counts_once_at_a_time() {
        let mut leaves = Leaves::default();
        for burst in 0..3 {
            for number in 0..64 {
                let at_ns = burst * 5_000_000_000 + u64::from(number) * 1_000_000;
                leaves.take(at_ns, MacAddr::BROADCAST, number, None);
                leaves.take(at_ns + 3_000_000, MacAddr::BROADCAST, number, None);
            }
        }
        assert_eq!((leaves.frames, leaves.to_all), (192, 192));
        assert_eq!(leaves.span_ns, Some((0, 10_063_000_000)));
    }
    const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);

    /// A beacon or a probe response with a number and a signal.
    fn of(subtype: Subtype, number: u16, dbm: i8) -> Frame {
        let octets = [&[0x50, 0, 0, 0][..], &[2; 18], &(number << 4).to_le_bytes(), &[0; 12]].concat();
        let mut frame = crate::link::frame_of(&octets);
        (frame.subtype, frame.radio.signal_dbm) = (subtype, Some(dbm));
        frame
    }

    /// What is known of a frame with this number between ones of the radio with others.
    fn beside(before: &[(Subtype, u16)], number: u16, behind: &[(Subtype, u16)]) -> Leave {
        let mut leaves = Leaves::default();
        let mut at_ns = 0;
        let mut others = |leaves: &mut Leaves, frames: &[(Subtype, u16)]| {
            for &(subtype, number) in frames {
                at_ns += 100_000_000;
                leaves.beside(at_ns, &of(subtype, number, -70));
            }
            at_ns
        };
        let at_ns = others(&mut leaves, before);
        leaves.take(at_ns, STATION, number, Some(-40));
        others(&mut leaves, behind);
        leaves.each()[0]
    }

    #[test]
    fn a_number_of_the_radios_own_count_lies_between_those_beside_it() {
        use Subtype::{Beacon, ProbeResponse};
        let own = [(Beacon, 4090), (ProbeResponse, 4094)];
        let behind = [(ProbeResponse, 2), (Beacon, 3)];
        let counted = |number| beside(&own, number, &behind).is_counted;
        assert_eq!([4095, 1, 0].map(counted), [Some(true); 3]);
        assert_eq!([549, 2000, 4000].map(counted), [Some(false); 3]);
        assert_eq!(counted(4089), None, "it may have waited for a beacon");
        // Beacons may be counted by themselves, and what comes long behind tells nothing.
        assert_eq!(beside(&own[..1], 549, &behind).is_counted, None);
        assert_eq!(beside(&own, 549, &[(ProbeResponse, 3000)]).is_counted, None);
        assert_eq!(beside(&own, 549, &[]).is_counted, None);
    }

    #[test]
    fn a_number_a_little_aside_and_a_count_that_stands_still_tell_nothing() {
        use Subtype::ProbeResponse;
        let counted = |before, number, behind| {
            beside(&[(ProbeResponse, before)], number, &[(ProbeResponse, behind)]).is_counted
        };
        assert_eq!([2, 3, 66, 4094, 4030].map(|number| counted(4094, number, 2)), [None; 5]);
        assert_eq!([67, 4029].map(|number| counted(4094, number, 2)), [Some(false); 2]);
        assert_eq!([0, 7, 2000].map(|number| counted(0, number, 0)), [None; 3]);
    }

    #[test]
    fn its_signal_stands_beside_that_of_the_radios_last_frames() {
        let few = [(Subtype::Beacon, 7); 7];
        assert_eq!(beside(&few, 8, &[]).signals_dbm, None);
        assert_eq!(beside(&[(Subtype::Beacon, 7); 8], 8, &[]).signals_dbm, Some((-40, [-70, -70])));
    }
}
