//! Sensing: radios that hear the same other radios sense the same medium.

use crate::contention::{ContenderId, Contention};
use crate::id::{RadioId, TimerId};
use crate::radio::Function;
use airloom_observe::NodeId;
use airloom_sim::{Duration, IndexVec, Time};

/// The medium as sensed by all radios that hear the same other radios. There is only one if all radios hear each other;
/// a frame costs work for each medium that hears it, never for each radio.
pub(super) struct Medium {
    /// Radios that its radios do not hear, in order.
    hidden: Vec<NodeId>,
    /// Whether they hear a radio.
    hears: IndexVec<RadioId, bool>,
    /// Their backoffs.
    pub(super) contention: Contention,
    /// The radio and queue of each contender.
    pub(super) contenders: IndexVec<ContenderId, (RadioId, Function)>,
    /// The next step of its radios' attempts.
    pub(super) timer: TimerId,
    /// Attempts in progress that keep it busy.
    busy: u32,
    /// Until when its radios must keep quiet after the last of them.
    quiet: Time,
}

impl Medium {
    /// A medium, idle, of radios that hear all of these but `hidden`, which is in order.
    pub(super) fn new(hidden: Vec<NodeId>, everybody: &[NodeId], slot: Duration, timer: TimerId) -> Self {
        let mut medium = Self {
            hidden,
            hears: IndexVec::default(),
            contention: Contention::new(slot),
            contenders: IndexVec::default(),
            timer,
            busy: 0,
            quiet: Time::ZERO,
        };
        everybody.iter().for_each(|&id| medium.meet(id));
        medium
    }

    /// Whether this is the medium of a radio that does not hear `hidden`, which is in order.
    pub(super) fn is_of(&self, hidden: &[NodeId]) -> bool {
        self.hidden == hidden
    }

    /// Adds a radio.
    pub(super) fn meet(&mut self, id: NodeId) {
        self.hears.push(self.hidden.binary_search(&id).is_err());
    }

    /// Whether its radios hear this one.
    pub(super) fn hears(&self, radio: RadioId) -> bool {
        self.hears[radio]
    }

    /// An attempt that it hears begins.
    pub(super) fn hold(&mut self, now: Time) {
        if self.busy == 0 {
            self.contention.busy(now);
        }
        self.busy += 1;
    }

    /// An attempt that it hears is over; all radios except its transmitter count slots from `quiet` on.
    pub(super) fn release(&mut self, now: Time, quiet: Time) {
        self.quiet = self.quiet.max(quiet);
        self.busy -= 1;
        if self.busy == 0 {
            self.contention.idle(self.quiet.max(now));
            self.quiet = Time::ZERO;
        }
    }
}
