//! Sensing: radios that are on one channel and hear the same other radios sense the same medium.

use crate::contention::{ContenderId, Contention};
use crate::id::{ChannelId, RadioId, TimerId};
use crate::radio::AccessFunction;
use airloom_observe::NodeId;
use airloom_sim::{Duration, IndexVec, Time};

/// What the radios of a medium have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sensing {
    /// Their channel.
    pub(super) channel: ChannelId,
    /// Their slot time.
    pub(super) slot: Duration,
    /// Nodes that they do not hear, in order.
    pub(super) hidden: Vec<NodeId>,
    /// The radio that senses it alone, if its hearing may change.
    pub(super) alone: Option<RadioId>,
}

/// The medium as sensed by all radios that hear the same other radios. There is only one if all radios are on one channel
/// and hear each other; a frame costs work for each medium that hears it, never for each radio.
pub(super) struct Medium {
    /// How its radios sense it.
    pub(super) sensing: Sensing,
    /// Whether they hear a radio.
    hears: IndexVec<RadioId, bool>,
    /// No other medium has spectrum in common with it: whatever any radio here sends, all of them hear.
    pub(super) alone: bool,
    /// Their backoffs.
    pub(super) contention: Contention,
    /// The radio and queue of each contender.
    pub(super) contenders: IndexVec<ContenderId, (RadioId, AccessFunction)>,
    /// The next step of its radios' attempts.
    pub(super) timer: TimerId,
    /// Attempts in progress that keep it busy.
    busy: u32,
    /// Until when its radios must keep quiet after the last of them.
    quiet: Time,
}

impl Medium {
    /// A medium, idle, that has met no radio.
    pub(super) fn new(sensing: Sensing, timer: TimerId) -> Self {
        Self {
            contention: Contention::new(sensing.slot),
            sensing,
            hears: IndexVec::default(),
            alone: true,
            contenders: IndexVec::default(),
            timer,
            busy: 0,
            quiet: Time::ZERO,
        }
    }

    /// Adds a radio of this node, whose channel overlaps its own or does not.
    pub(super) fn meet(&mut self, node: NodeId, overlaps: bool) {
        self.hears.push(overlaps && self.sensing.hidden.binary_search(&node).is_err());
    }

    /// Its radios hear this one from now on, or do not.
    pub(super) fn set_hearing(&mut self, radio: RadioId, heard: bool) {
        self.hears[radio] = heard;
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
