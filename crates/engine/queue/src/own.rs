//! Disciplines that the caller brings: a first-in first-out queue of which a law of one's own drops and marks packets, as they arrive and as they
//! leave.

use crate::fifo::TX_QUEUE_LEN;
use crate::parameters::parameters;
use crate::store::Held;
use crate::{Discipline, Item, Limit, Next, Queueing, Reporter, Walk};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Brought, BroughtName, Duration, Making, NameError, ParameterValue, Stream, Time};
use std::collections::VecDeque;
use std::sync::Arc;

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// It goes on.
    #[default]
    Pass,
    /// It is marked, or dropped where its transport does not understand ECN (RFC 3168 section 5).
    Mark,
    /// It is dropped.
    Drop,
}

/// A packet, and what else the queue holds.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The packet.
    pub item: Item,
    /// Packets that wait, without this one.
    pub packets: u32,
    /// Their bytes.
    pub bytes: u64,
    /// A number from 0 to 1, drawn anew each time the law is asked, from the run's seed.
    pub chance: f64,
}

/// What decides about packets.
pub trait Law {
    /// A packet arrives for which there is room.
    fn arrives(&mut self, _now: Time, _seen: &Seen) -> Fate {
        Fate::Pass
    }

    /// A packet that has waited so long is about to leave.
    fn leaves(&mut self, _now: Time, _seen: &Seen, _sojourn: Duration) -> Fate {
        Fate::Pass
    }
}

/// Makes the law of a queue.
type Make = dyn Fn(&Making) -> Box<dyn Law> + Send + Sync;

/// All that were brought.
pub static OWN_QUEUES: Brought<Make> = Brought::new();

/// Brings a discipline with these parameters, each with its default: from now on scenarios may name it where they name `"codel"`. One
/// of the same name, brought before, is replaced.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register_queue(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    make: impl Fn(&Making) -> Box<dyn Law> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    OWN_QUEUES.bring(name, Discipline::WORDS, parameters, Arc::new(make))
}

parameters! {
    /// How much a queue holds whose law somebody brings.
    pub struct Room {
        /// The most it holds, "1000 packets" or "128 KiB", or both in an array; what comes beyond is dropped, whatever the law says.
        limit: Limit = limit(), default TX_QUEUE_LEN;
    }
}

/// A discipline that was brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// Its name.
    pub name: BroughtName,
    /// How much its queue holds.
    pub room: Room,
}

impl Own {
    /// Visits the parameters of the one of this name, with their values in `from` if given.
    pub fn walk<W: Walk>(name: BroughtName, from: Option<&Self>, walk: &mut W) -> Option<Self> {
        Room::walk(from.map(|from| &from.room), walk).map(|room| Self { name, room })
    }

    /// An empty queue, which draws from `chance`.
    pub fn queue(&self, id: QueueId, chance: Stream) -> Queue {
        // What the law is shown as `chance` is drawn from the stream itself.
        let seed = chance.clone().up_to(u32::MAX).into();
        let law = OWN_QUEUES.make(self.name)(&self.name.making(seed));
        Queue { reporter: Reporter(id), limit: self.room.limit, law, chance, held: VecDeque::new(), bytes: 0 }
    }
}

/// A queue under a law.
pub struct Queue {
    reporter: Reporter,
    limit: Limit,
    law: Box<dyn Law>,
    chance: Stream,
    held: VecDeque<Held>,
    bytes: u64,
}

impl Queue {
    /// The facts about a packet by which the law decides.
    fn seen(&mut self, item: Item) -> Seen {
        Seen { item, packets: self.held.len() as u32, bytes: self.bytes, chance: self.chance.uniform() }
    }

    /// Whether a packet goes on, marked perhaps.
    fn passes<P: Probe>(&self, now: Time, fate: Fate, item: &mut Item, probe: &mut P) -> bool {
        match fate {
            Fate::Pass => true,
            Fate::Mark if item.ecn.mark() => {
                self.reporter.marked(now, probe);
                true
            }
            Fate::Mark | Fate::Drop => {
                self.reporter.dropped(now, self.held.len() as u32, DropCause::Managed, probe);
                false
            }
        }
    }
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.held.len()
    }

    fn is_bypassed(&self) -> bool {
        false
    }

    fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        mut item: Item,
        _: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        if self.limit.is_full(self.held.len(), self.bytes, item.bytes) {
            self.reporter.dropped(now, self.held.len() as u32, DropCause::Full, probe);
            return Err(item);
        }
        let seen = self.seen(item);
        let fate = self.law.arrives(now, &seen);
        if !self.passes(now, fate, &mut item, probe) {
            return Err(item);
        }
        self.bytes += u64::from(item.bytes);
        self.held.push_back(Held { since: now, item });
        self.reporter.entered(now, self.held.len() as u32, probe);
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Next {
        while let Some(Held { since, mut item }) = self.held.pop_front() {
            self.bytes -= u64::from(item.bytes);
            let seen = self.seen(item);
            let fate = self.law.leaves(now, &seen, now - since);
            if self.passes(now, fate, &mut item, probe) {
                self.reporter.left(now, self.held.len() as u32, now - since, probe);
                return Next::Packet(item);
            }
            dropped.push(item);
        }
        Next::Empty
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{Ecn, NodeId, QueueLayer};
    use airloom_sim::Handle;

    /// Drops every third arrival, and marks what has waited for longer than 10 ms.
    struct Strict(u32);

    impl Law for Strict {
        fn arrives(&mut self, _now: Time, seen: &Seen) -> Fate {
            assert!((0.0..1.0).contains(&seen.chance));
            self.0 += 1;
            if self.0.is_multiple_of(3) { Fate::Drop } else { Fate::Pass }
        }

        fn leaves(&mut self, _now: Time, _seen: &Seen, sojourn: Duration) -> Fate {
            if sojourn > Duration::from_millis(10) { Fate::Mark } else { Fate::Pass }
        }
    }

    #[test]
    fn a_law_drops_and_marks_and_the_limit_holds() {
        let name = register_queue("strict", &[], |_| Box::new(Strict(0))).expect("a name");
        let room = Room { limit: Limit { packets: Some(4), bytes: None } };
        let id = QueueId { node: NodeId(0), layer: QueueLayer::Discipline };
        let mut queue = Own { name, room }.queue(id, Stream::new(1, "", ""));
        let ecn = |n: u32| if n.is_multiple_of(2) { Ecn::Ect0 } else { Ecn::NotEct };
        let mut went_in = Vec::new();
        for n in 0..8 {
            let item = Item { packet: Handle(n), bytes: 1000, flow: 0, ecn: ecn(n) };
            if queue.enqueue(Time::ZERO, item, &mut Vec::new(), &mut ()).is_ok() {
                went_in.push(n);
            }
        }
        assert_eq!(went_in, [0, 1, 3, 4], "each third is dropped, and four fit");
        let (late, mut dropped) = (Time::ZERO + Duration::from_millis(11), Vec::new());
        let out: Vec<_> = std::iter::from_fn(|| match queue.dequeue(late, &mut dropped, &mut ()) {
            Next::Packet(item) => Some((item.packet.0, item.ecn)),
            _ => None,
        })
        .collect();
        assert_eq!(out, [(0, Ecn::Ce), (4, Ecn::Ce)]);
        assert_eq!(dropped.iter().map(|item| item.packet.0).collect::<Vec<_>>(), [1, 3], "no ECN");
        assert!(queue.is_empty());
        assert_eq!(
            register_queue("codel", &[], |_| Box::new(Strict(0))),
            Err(NameError::BuiltIn("codel".to_owned()))
        );
    }
}
