//! What is remembered: the last tenth of a second, and all since what may become a window began.

use super::event::Event;
use super::window::{BEFORE, Windows};
use airloom_sim::Time;
use std::collections::VecDeque;

/// Events that are remembered at most; the oldest go.
const MOST: usize = 1 << 16;
/// Events between two looks at what may be forgotten, at least.
const LOOK_EVERY: usize = 1 << 11;

/// See the module.
pub(super) struct Memory {
    /// In the order of time.
    pub(super) events: VecDeque<Event>,
    /// At how many events to look for what may be forgotten.
    limit: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self { events: VecDeque::new(), limit: LOOK_EVERY }
    }
}

impl Memory {
    /// Remembers an event, after the windows that end before it were closed.
    #[inline]
    pub(super) fn push(&mut self, event: Event, windows: &mut Windows) {
        if event.at >= windows.due || self.events.len() >= self.limit {
            self.tidy(event.at, windows);
        }
        self.append(event);
    }

    /// Remembers an event as late as the last.
    #[inline]
    pub(super) fn append(&mut self, event: Event) {
        self.events.push_back(event);
    }

    /// When the last event was.
    pub(super) fn last(&self) -> Time {
        self.events.back().map_or(Time::ZERO, |event| event.at)
    }

    #[cold]
    fn tidy(&mut self, now: Time, windows: &mut Windows) {
        windows.close(now, &self.events, false);
        let keep = windows.first().unwrap_or(now).min(now);
        let old = self.events.partition_point(|event| event.at + BEFORE < keep);
        let old = old.max((self.events.len() + LOOK_EVERY).saturating_sub(MOST));
        self.events.drain(..old.min(self.events.len()));
        self.limit = (2 * self.events.len()).clamp(LOOK_EVERY, MOST);
    }
}
