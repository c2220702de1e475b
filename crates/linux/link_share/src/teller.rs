//! Passes on what is known of links to the table that the congestion controls read, which has room for [`MOST`](crate::links::MOST) of them.

use crate::links::{Interface, Links, Rates};
use airloom_sim::{Duration, Time};

/// Where controls are told the rates of links.
pub trait Table {
    /// Tells the rates of a link; controls believe it until `until`, of CLOCK_MONOTONIC. Flows over the link have `floor` segments at
    /// least.
    ///
    /// # Errors
    ///
    /// The kernel refuses, such as for a table that is full.
    fn tell(&self, interface: Interface, rates: Rates, until: Time, floor: u32) -> Result<(), String>;

    /// Makes the place of a link free, if it has one.
    fn forget(&self, interface: Interface);

    /// The links that have a place, and until when they are believed.
    fn held(&self) -> Vec<(Interface, Time)>;
}

/// What tells the controls.
#[derive(Debug)]
pub struct Teller<T> {
    table: T,
    links: Links,
    floor: u32,
    ask: Duration,
}

impl<T: Table> Teller<T> {
    /// Tells a table, in which a predecessor may have left something. A rate is renewed every `ask`.
    pub fn new(table: T, links: Links, floor: u32, ask: Duration, now: Time) -> Self {
        let teller = Self { table, links, floor, ask };
        teller.clear(now);
        teller
    }

    /// How often a rate is to be renewed.
    pub fn ask(&self) -> Duration {
        self.ask
    }

    /// Passes on the rate of a link in bits per second, valid until two more questions have had no answer. Gives the links that had
    /// to go for it.
    ///
    /// # Errors
    ///
    /// The kernel refuses.
    pub fn tell(&mut self, now: Time, interface: Interface, rate: u64) -> Result<Vec<Interface>, String> {
        let (rates, forgotten) = self.links.heard(now, interface, rate);
        for &gone in &forgotten {
            self.table.forget(gone);
        }
        let until = now + (self.ask * 3).max(Duration::from_secs(1));
        let told = || self.table.tell(interface, rates, until, self.floor);
        told().or_else(|_| {
            // What a predecessor was still believed about is no link of ours, and is never forgotten as one.
            self.clear(now);
            told()
        })?;
        Ok(forgotten)
    }

    /// Makes the places free of what is not believed any more.
    fn clear(&self, now: Time) {
        for (interface, until) in self.table.held() {
            if until <= now {
                self.table.forget(interface);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::MOST;
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::rc::Rc;

    /// A table of the kernel's kind: full is full.
    #[derive(Clone, Default)]
    struct Full(Rc<RefCell<BTreeMap<Interface, Time>>>);

    impl Table for Full {
        fn tell(&self, interface: Interface, _: Rates, until: Time, _: u32) -> Result<(), String> {
            let mut held = self.0.borrow_mut();
            if held.len() >= MOST && !held.contains_key(&interface) {
                return Err("Argument list too long".to_owned());
            }
            held.insert(interface, until);
            Ok(())
        }

        fn forget(&self, interface: Interface) {
            self.0.borrow_mut().remove(&interface);
        }

        fn held(&self) -> Vec<(Interface, Time)> {
            self.0.borrow().iter().map(|(interface, until)| (*interface, *until)).collect()
        }
    }

    const RECENT: Duration = Duration::from_secs(300);
    const ASK: Duration = Duration::from_millis(100);

    fn at(s: u64) -> Time {
        Time::from_nanos(s * 1_000_000_000)
    }

    fn interface(index: usize) -> Interface {
        Interface { namespace: 1, index: index as u32 }
    }

    fn teller(table: &Full, now: Time) -> Teller<Full> {
        Teller::new(table.clone(), Links::new(RECENT), 1, ASK, now)
    }

    #[test]
    fn an_adapter_may_be_plugged_in_as_often_as_one_likes() {
        for apart in [1, 100, 301] {
            let table = Full::default();
            let mut teller = teller(&table, at(0));
            for index in 0..10 * MOST {
                let now = at(apart * index as u64);
                teller.tell(now, interface(index), 54_000_000).unwrap();
                assert!(table.0.borrow()[&interface(index)] > now, "the newest is believed");
                assert!(table.0.borrow().len() <= MOST);
            }
        }
    }

    #[test]
    fn what_a_predecessor_left_is_in_nobodys_way() {
        let table = Full::default();
        let mut first = teller(&table, at(0));
        for index in 0..MOST {
            first.tell(at(10), interface(index), 1).unwrap();
        }
        // As long as all of it is believed there is no room; it is, for a second.
        let mut second = teller(&table, at(10));
        assert!(second.tell(at(10), interface(MOST), 1).is_err());
        assert_eq!(second.tell(at(12), interface(MOST), 1), Ok(vec![]));
        assert_eq!(table.held().len(), 1);
        // And what had expired by then is cleared at the start.
        drop(teller(&table, at(20)));
        assert_eq!(table.held(), []);
    }

    #[test]
    fn the_link_that_was_silent_longest_gives_its_place() {
        let table = Full::default();
        let mut teller = teller(&table, at(0));
        for index in 0..MOST {
            teller.tell(at(index as u64), interface(index), 1).unwrap();
        }
        teller.tell(at(100), interface(0), 1).unwrap();
        assert_eq!(teller.tell(at(101), interface(MOST), 1), Ok(vec![interface(1)]));
        assert!(!table.0.borrow().contains_key(&interface(1)));
    }
}
