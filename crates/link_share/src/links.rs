//! The links that are known, by interface, and what the congestion controls are told of each.

use crate::highest::Highest;
use airloom_sim::{Duration, Time};
use std::collections::BTreeMap;

/// How many links are known at most: `rates` in `bpf/control.bpf.c` has room for as many.
pub const MOST: usize = 64;

/// A network interface: its index, in the network namespace with this inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interface {
    /// Of the namespace's file in `/proc/PID/ns/net`.
    pub namespace: u32,
    /// The interface's index there.
    pub index: u32,
}

/// The rates of a link in bits per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Now.
    pub current: u64,
    /// The highest of late.
    pub highest: u64,
}

/// What is remembered of links.
#[derive(Debug)]
pub struct Links {
    within: Duration,
    known: BTreeMap<Interface, (Time, Highest)>,
}

impl Links {
    /// Remembers the highest rate for `within`, and a link for as long after its last word.
    pub fn new(within: Duration) -> Self {
        Self { within, known: BTreeMap::new() }
    }

    /// A link has a rate in bits per second; gives what is known of it. None beyond the most links that are known at once.
    pub fn heard(&mut self, now: Time, interface: Interface, rate: u64) -> Option<Rates> {
        let within = self.within;
        self.known.retain(|_, (last, _)| now < *last + within);
        if self.known.len() >= MOST && !self.known.contains_key(&interface) {
            return None;
        }
        let (last, highest) = self.known.entry(interface).or_insert_with(|| (now, Highest::new(within)));
        *last = now;
        Some(Rates { current: rate, highest: highest.seen(now, rate) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: u64) -> Time {
        Time::from_nanos(s * 1_000_000_000)
    }

    fn interface(index: u32) -> Interface {
        Interface { namespace: 1, index }
    }

    #[test]
    fn each_link_has_its_own_highest_rate_and_it_is_forgotten() {
        let mut links = Links::new(Duration::from_secs(60));
        links.heard(at(1), interface(2), 54).unwrap();
        links.heard(at(1), interface(3), 11).unwrap();
        assert_eq!(links.heard(at(30), interface(2), 6), Some(Rates { current: 6, highest: 54 }));
        assert_eq!(links.heard(at(30), interface(3), 1), Some(Rates { current: 1, highest: 11 }));
        assert_eq!(links.heard(at(70), interface(2), 6), Some(Rates { current: 6, highest: 6 }));
    }

    #[test]
    fn however_many_interfaces_come_and_go_it_does_not_grow() {
        let mut links = Links::new(Duration::from_secs(60));
        let told = (0..1000).filter(|&index| links.heard(at(1), interface(index), 1).is_some());
        assert_eq!(told.count(), MOST);
        assert!(links.heard(at(1), interface(0), 1).is_some(), "one that is known still counts");
        assert!(links.heard(at(100), interface(1000), 1).is_some(), "and later there is room again");
        assert_eq!(links.known.len(), 1);
    }
}
