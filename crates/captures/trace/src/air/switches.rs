//! Announcements of an access point that it goes to another channel (802.11-2020 clauses 9.4.2.18, 11.8.8 and 11.9.7).

use crate::{Capped, Frame};
use airloom_wire::ieee80211::SwitchAnnouncement;

/// The announcements of one radio.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    all: Capped<Switch, 16>,
    /// Its last beacon announced the last of them.
    open: bool,
}

/// An announcement: beacons in a row that say the same but for their count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What the last beacon of them said.
    pub said: SwitchAnnouncement,
    /// The first and the last of them, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
    /// The record of the first.
    pub number: u32,
    /// How many there were.
    pub beacons: u32,
    /// The next beacon of the radio that does not belong to it; none if none was heard.
    pub next_ns: Option<u64>,
}

impl Switches {
    /// The first of them, and how many there were.
    pub const fn all(&self) -> &Capped<Switch, 16> {
        &self.all
    }

    /// Takes a frame that it sent.
    pub(super) fn sent(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        let Some(beacon) = frame.beacon else { return };
        let last = self.all.last_mut();
        let Some(said) = beacon.switch else {
            if let Some(last) = last.filter(|last| last.next_ns.is_none()) {
                last.next_ns = Some(at_ns);
            }
            self.open = false;
            return;
        };
        match last
            .filter(|last| self.open && last.said.channel == said.channel && last.said.count >= said.count)
        {
            Some(last) => {
                (last.said, last.span_ns.1) = (said, at_ns);
                last.beacons += 1;
            }
            None => {
                if let Some(last) = self.all.last_mut() {
                    last.next_ns.get_or_insert(at_ns);
                }
                self.all.push(Switch { said, span_ns: (at_ns, at_ns), number, beacons: 1, next_ns: None })
            }
        }
        self.open = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::frame_of;

    /// A beacon with this channel and count, or none.
    fn beacon(switch: Option<[u8; 2]>) -> Frame {
        let element = switch.map_or(Vec::new(), |[channel, count]| vec![37, 3, 0, channel, count]);
        let head = [&[0x80, 0, 0, 0][..], &[255; 6], &[2; 12], &[0, 0], &[0; 8], &[100, 0, 1, 0]].concat();
        frame_of(&[head, element].concat())
    }

    #[test]
    fn beacons_that_count_down_are_one_announcement() {
        let mut switches = Switches::default();
        let said =
            [None, Some([100, 4]), Some([100, 3]), Some([100, 1]), None, Some([36, 2]), Some([36, 4]), None];
        for (number, said) in (0..).zip(said) {
            switches.sent(u64::from(number) * 100, number, &beacon(said));
        }
        let seen: Vec<_> = switches.all().kept().iter().collect();
        let told: Vec<_> = seen.iter().map(|one| (one.said.channel, one.said.count, one.beacons)).collect();
        assert_eq!(told, [(100, 1, 3), (36, 2, 1), (36, 4, 1)], "one that counts anew is another one");
        assert_eq!((seen[0].span_ns, seen[0].number, seen[0].next_ns), ((100, 300), 1, Some(400)));
        assert_eq!((seen[1].next_ns, seen[2].next_ns), (Some(600), Some(700)));
    }
}
