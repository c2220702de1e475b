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
    /// The highest within the window.
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

    /// A link has a rate in bits per second; gives what is known of it, and the links that are forgotten now: those that have been
    /// silent for too long and, where there are too many, the one that has been silent longest.
    pub fn heard(&mut self, now: Time, interface: Interface, rate: u64) -> (Rates, Vec<Interface>) {
        let within = self.within;
        let mut forgotten = Vec::new();
        self.known.retain(|&known, (last, _)| {
            let kept = now < *last + within || known == interface;
            if !kept {
                forgotten.push(known);
            }
            kept
        });
        if self.known.len() >= MOST && !self.known.contains_key(&interface) {
            let silent = self.known.iter().min_by_key(|(known, (last, _))| (*last, **known));
            if let Some(silent) = silent.map(|(known, _)| *known) {
                self.known.remove(&silent);
                forgotten.push(silent);
            }
        }
        let (last, highest) = self.known.entry(interface).or_insert_with(|| (now, Highest::new(within)));
        *last = now;
        (Rates { current: rate, highest: highest.seen(now, rate) }, forgotten)
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
        links.heard(at(1), interface(2), 54);
        links.heard(at(1), interface(3), 11);
        let mut now = |s, index, rate| links.heard(at(s), interface(index), rate);
        assert_eq!(now(30, 2, 6), (Rates { current: 6, highest: 54 }, vec![]));
        assert_eq!(now(30, 3, 1), (Rates { current: 1, highest: 11 }, vec![]));
        assert_eq!(now(70, 2, 6), (Rates { current: 6, highest: 6 }, vec![]));
        assert_eq!(now(100, 2, 6), (Rates { current: 6, highest: 6 }, vec![interface(3)]));
    }

    #[test]
    fn however_many_interfaces_come_and_go_it_does_not_grow() {
        let mut links = Links::new(Duration::from_secs(60));
        let gone: Vec<_> = (0..1000).flat_map(|index| links.heard(at(1), interface(index), 1).1).collect();
        assert_eq!((gone.len(), links.known.len()), (1000 - MOST, MOST));
        assert_eq!(links.heard(at(2), interface(999), 1).1, [], "one that is known takes no other's place");
        assert_eq!(links.heard(at(100), interface(1000), 1).1.len(), MOST, "and later all are forgotten");
        assert_eq!(links.known.len(), 1);
    }
}
