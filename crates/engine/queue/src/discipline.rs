//! The list of all disciplines. Each is declared here once, and explained in its own file.

use crate::fifo::TX_QUEUE_LEN;
use crate::own::Own;
use crate::{Item, Limit, Next, Queueing, Walk};
use airloom_observe::{Probe, QueueId};
use airloom_sim::{Stream, Time};

/// Declares disciplines: each with its word in a scenario, its file and its parameters. Those with one queue have it as
/// `Queue` in their file.
macro_rules! disciplines {
    (
        $( $(#[doc = $doc:literal])* $word:literal: $file:ident::$name:ident; )*
        of receivers: $( $(#[doc = $rdoc:literal])* $rword:literal: $rfile:ident::$rname:ident; )*
    ) => {
        $( pub use crate::$file::$name; )*
        $( pub use crate::$rfile::$rname; )*

        airloom_sim::algorithms! {
            /// A discipline and its parameters.
            pub enum Discipline {
                $( $(#[doc = $doc])* $word: $name; )*
                $( $(#[doc = $rdoc])* $rword: $rname; )*
                brought
                /// One that somebody brings.
                Own;
            }
            visited by Walk;
        }

        impl Discipline {
            /// The words for those with one queue, which any device may have before it.
            pub const OF_ANY_DEVICE: &'static [&'static str] = &[$($word),*];

            /// An empty queue under it, which draws from `chance`; none if it has a queue for each receiver.
            pub fn queue(&self, id: QueueId, chance: Stream) -> Option<Queue> {
                match self {
                    $( Self::$name(of) => Some(Queue::$name(Box::new(of.queue(id, chance)))), )*
                    $( Self::$rname(_) => None, )*
                    Self::Own(of) => Some(Queue::Own(Box::new(of.queue(id, chance)))),
                }
            }
        }

        /// One queue under any discipline.
        pub enum Queue {
            $( $(#[doc = $doc])* $name(Box<crate::$file::Queue>), )*
            /// One that somebody brings.
            Own(Box<crate::own::Queue>),
        }

        impl Queueing for Queue {
            fn len(&self) -> usize {
                match self { $( Self::$name(queue) => queue.len(), )* Self::Own(queue) => queue.len() }
            }

            fn is_bypassed(&self) -> bool {
                match self { $( Self::$name(queue) => queue.is_bypassed(), )* Self::Own(queue) => queue.is_bypassed() }
            }

            #[inline]
            fn enqueue<P: Probe>(
                &mut self,
                now: Time,
                item: Item,
                dropped: &mut Vec<Item>,
                probe: &mut P,
            ) -> Result<(), Item> {
                match self {
                    $( Self::$name(queue) => queue.enqueue(now, item, dropped, probe), )*
                    Self::Own(queue) => queue.enqueue(now, item, dropped, probe),
                }
            }

            #[inline]
            fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Next {
                match self {
                    $( Self::$name(queue) => queue.dequeue(now, dropped, probe), )*
                    Self::Own(queue) => queue.dequeue(now, dropped, probe),
                }
            }
        }
    };
}

disciplines! {
    /// First in, first out; packets that do not fit are dropped.
    "fifo": fifo::Fifo;
    /// Controlled delay (RFC 8289).
    "codel": codel::Codel;
    /// Stochastic fairness queueing.
    "sfq": sfq::Sfq;
    /// Fair queueing with controlled delay (RFC 8290).
    "fq_codel": fq_codel::FqCodel;
    /// A delay controlled by dropping arrivals at random (RFC 8033).
    "pie": pie::Pie;
    /// Early drops at random, by the mean length of the queue (Floyd and Jacobson 1993).
    "red": red::Red;
    /// A token bucket, which holds back packets beyond its rate.
    "tbf": tbf::Tbf;
    of receivers:
    /// A queue of many flows for each receiver, from which a radio's driver pulls (mac80211's).
    "mac80211": mac80211::Mac80211;
}

impl Queue {
    /// Goes on under other numbers of its discipline with what it holds (`qdisc_change()`, Linux net/sched/sch_api.c); whether it can.
    pub fn change(&mut self, to: &Discipline) -> bool {
        match (self, to) {
            (Self::Fifo(queue), Discipline::Fifo(to)) => queue.change(to),
            (Self::Codel(queue), Discipline::Codel(to)) => queue.change(to),
            (Self::FqCodel(queue), Discipline::FqCodel(to)) if queue.hashes_as(to) => queue.change(to),
            (Self::Pie(queue), Discipline::Pie(to)) => queue.change(to),
            (Self::Red(queue), Discipline::Red(to)) => queue.change(to),
            _ => return false,
        }
        true
    }
}

impl Discipline {
    /// pfifo_fast on an Ethernet-like device (Linux net/sched/sch_generic.c).
    pub const LINUX: Self = Self::Fifo(Fifo { limit: TX_QUEUE_LEN });

    /// Its limit, if it is plain drop-tail: then the departure time of each packet is known at its arrival.
    pub fn drop_tail(&self) -> Option<Limit> {
        if let Self::Fifo(fifo) = self { Some(fifo.limit) } else { None }
    }
}
