//! Sensing: radios that are on one channel and hear the same other radios sense the same medium.
//!
//! It is busy while their primary channel is; what is on the rest of a wider one keeps back frames that would fill it.

use super::secondary::Secondary;
use crate::contention::{ContenderId, Contention};
use crate::id::{ChannelId, InterfererId, RadioId, TimerId};
use crate::radio::AccessFunction;
use crate::spectrum::Sensed;
use airloom_observe::NodeId;
use airloom_rate::Width;
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
    /// Interferers for which they keep quiet, in order.
    pub(super) energy: Vec<InterfererId>,
    /// The radio that senses it alone, if its hearing may change.
    pub(super) alone: Option<RadioId>,
}

/// The medium as sensed by all radios that hear the same other radios. There is only one if all radios are on one channel
/// and hear each other; a frame costs work for each medium that hears it, never for each radio.
pub(super) struct Medium {
    /// How its radios sense it.
    pub(super) sensing: Sensing,
    /// No other medium has spectrum in common with it: whatever any radio here sends, all of them hear.
    pub(super) alone: bool,
    /// Their backoffs.
    pub(super) contention: Contention,
    /// It is on the list of those for which it is to be worked out anew when the next of them is over.
    pub(super) changed: bool,
    /// The radio and queue of each contender.
    pub(super) contenders: IndexVec<ContenderId, (RadioId, AccessFunction)>,
    /// The next step of its radios' attempts.
    pub(super) timer: TimerId,
    /// Attempts in progress that keep it busy.
    busy: u32,
    /// What is on the rest of their channel.
    pub(super) secondary: Secondary,
    /// Until when its radios must keep quiet after the last of them.
    quiet: Time,
}

impl Medium {
    /// A medium, idle.
    pub(super) fn new(sensing: Sensing, timer: TimerId) -> Self {
        Self {
            contention: Contention::new(sensing.slot),
            sensing,
            alone: true,
            changed: false,
            contenders: IndexVec::default(),
            timer,
            busy: 0,
            secondary: Secondary::default(),
            quiet: Time::ZERO,
        }
    }

    /// Whether its radios do not hear a node.
    pub(super) fn is_hidden(&self, node: NodeId) -> bool {
        self.sensing.hidden.binary_search(&node).is_ok()
    }

    /// Whether anything keeps it busy.
    pub(super) fn is_busy(&self) -> bool {
        self.busy > 0
    }

    /// An attempt begins of which it senses this.
    #[inline]
    pub(super) fn hold(&mut self, now: Time, sensed: Sensed) {
        match sensed {
            Sensed::Nothing => {}
            Sensed::Primary => {
                if self.busy == 0 {
                    self.contention.busy(now);
                }
                self.busy += 1;
            }
            Sensed::Secondary(width) => self.hold_beside(width),
        }
    }

    /// It fills some of the rest of a channel of this width.
    #[cold]
    #[inline(never)]
    fn hold_beside(&mut self, width: Width) {
        self.secondary.hold(width);
    }

    /// An attempt is over of which it sensed this; where it was busy, all radios except its transmitter count slots from `quiet` on.
    #[inline]
    pub(super) fn release(&mut self, now: Time, quiet: Time, sensed: Sensed) {
        match sensed {
            Sensed::Nothing => {}
            Sensed::Primary => {
                self.quiet = self.quiet.max(quiet);
                self.busy -= 1;
                if self.busy == 0 {
                    self.contention.idle(self.quiet.max(now));
                    self.quiet = Time::ZERO;
                }
            }
            Sensed::Secondary(width) => self.release_beside(now, width),
        }
    }

    /// It filled some of the rest of a channel of this width.
    #[cold]
    #[inline(never)]
    fn release_beside(&mut self, now: Time, width: Width) {
        self.secondary.release(now, width);
    }
}
