//! Effects of an endpoint.

use crate::Segment;
use airloom_sim::Time;

/// One segment to be handed to the local queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The segment.
    pub segment: Segment,
    /// Its memory in bytes, to be handed back to [`Endpoint::sent`](crate::Endpoint::sent) once it has left.
    pub truesize: u32,
}

/// A timer of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// Retransmission timeout, of data and of SYNs (Linux `ICSK_TIME_RETRANS`).
    Retransmission,
    /// Delayed acknowledgment (Linux `ICSK_TIME_DACK`).
    DelayedAck,
    /// Probe of a closed window, or another try after a local drop with nothing in flight (`ICSK_TIME_PROBE0`).
    Persist,
    /// The next departure of a paced sender (`pacing_timer`).
    Pacing,
}

impl Timer {
    /// All of them, in the order of [`Timer::index`].
    pub const ALL: [Self; 4] = [Self::Retransmission, Self::DelayedAck, Self::Persist, Self::Pacing];

    /// Its place in [`Timer::ALL`] and in [`Effects::timers`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A change of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TimerChange {
    /// It stays as it is, armed or not.
    #[default]
    Keep,
    /// It is armed for this instant, whether or not it was armed before.
    Set(Time),
    /// It is disarmed.
    Cancel,
}

/// Effects of one call. Owned, and cleared between calls, by the caller.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Segments to be handed to the local queue, in this order.
    pub segments: Vec<Outgoing>,
    /// Timers to be changed, by [`Timer::index`].
    pub timers: [TimerChange; Timer::ALL.len()],
    /// Whether one of them is to be changed.
    changes_timers: bool,
    /// Bytes that reached the application, in order.
    pub delivered: u64,
    /// An application that waits may write again.
    pub writable: bool,
    /// The handshake is complete.
    pub established: bool,
    /// Both directions are closed and acknowledged, or the connection was reset.
    pub finished: bool,
}

impl Effects {
    /// Whether there is nothing to carry out; delivered bytes need nothing.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && !self.writable && !self.changes_timers
    }

    /// Whether a timer changes.
    pub fn changes_timers(&self) -> bool {
        self.changes_timers
    }

    /// Changes a timer.
    pub(crate) fn change(&mut self, timer: Timer, change: TimerChange) {
        self.timers[timer.index()] = change;
        self.changes_timers = true;
    }

    /// Clears everything, but keeps the capacity for segments.
    pub fn clear(&mut self) {
        self.segments.clear();
        if std::mem::take(&mut self.changes_timers) {
            self.timers = [TimerChange::Keep; Timer::ALL.len()];
        }
        self.delivered = 0;
        self.writable = false;
        self.established = false;
        self.finished = false;
    }
}
