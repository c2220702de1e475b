//! Deadlines that move at every ACK without a calendar operation each time.
//!
//! A deadline that moves later leaves the armed timer alone; when that fires too early it is armed again for the true
//! deadline, and one that fires without a deadline is ignored. Almost every ACK moves the retransmission deadline
//! later, so that this saves one calendar operation per ACK.

use crate::{Effects, Timer, TimerChange};
use airloom_sim::Time;

#[derive(Clone, Copy, Default)]
struct Lazy {
    deadline: Option<Time>,
    armed: Option<Time>,
}

/// All timers of an endpoint.
#[derive(Default)]
pub(crate) struct Timers([Lazy; Timer::ALL.len()]);

impl Timers {
    pub(crate) fn deadline(&self, timer: Timer) -> Option<Time> {
        self.0[timer.index()].deadline
    }

    pub(crate) fn set(&mut self, timer: Timer, at: Time, fx: &mut Effects) {
        let lazy = &mut self.0[timer.index()];
        lazy.deadline = Some(at);
        if lazy.armed.is_none_or(|armed| armed > at) {
            lazy.armed = Some(at);
            fx.timers[timer.index()] = TimerChange::Set(at);
        }
    }

    pub(crate) fn cancel(&mut self, timer: Timer) {
        self.0[timer.index()].deadline = None;
    }

    /// Takes an expiry; true if the deadline is indeed reached, which it then no longer is set.
    pub(crate) fn fired(&mut self, timer: Timer, now: Time, fx: &mut Effects) -> bool {
        let lazy = &mut self.0[timer.index()];
        lazy.armed = None;
        match lazy.deadline {
            Some(deadline) if deadline > now => {
                self.set(timer, deadline, fx);
                false
            }
            due => {
                lazy.deadline = None;
                due.is_some()
            }
        }
    }

    /// Disarms everything, also in the caller's calendar.
    pub(crate) fn cancel_all(&mut self, fx: &mut Effects) {
        for (lazy, change) in self.0.iter_mut().zip(&mut fx.timers) {
            *change = TimerChange::Cancel;
            *lazy = Lazy::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ns: u64) -> Time {
        Time::from_nanos(ns)
    }

    #[test]
    fn a_later_deadline_costs_no_calendar_operation_until_the_armed_one_fires() {
        let (mut timers, mut fx) = (Timers::default(), Effects::default());
        let i = Timer::Retransmission.index();
        timers.set(Timer::Retransmission, at(10), &mut fx);
        assert_eq!(fx.timers[i], TimerChange::Set(at(10)));
        fx.clear();
        timers.set(Timer::Retransmission, at(25), &mut fx);
        assert_eq!(fx.timers[i], TimerChange::Keep);
        assert!(!timers.fired(Timer::Retransmission, at(10), &mut fx));
        assert_eq!(fx.timers[i], TimerChange::Set(at(25)));
        assert!(timers.fired(Timer::Retransmission, at(25), &mut fx));
        assert_eq!(timers.deadline(Timer::Retransmission), None);
    }

    #[test]
    fn an_earlier_deadline_moves_the_armed_timer() {
        let (mut timers, mut fx) = (Timers::default(), Effects::default());
        timers.set(Timer::Persist, at(10), &mut fx);
        timers.set(Timer::Persist, at(5), &mut fx);
        assert_eq!(fx.timers[Timer::Persist.index()], TimerChange::Set(at(5)));
    }

    #[test]
    fn a_cancelled_timer_fires_in_vain() {
        let (mut timers, mut fx) = (Timers::default(), Effects::default());
        timers.set(Timer::DelayedAck, at(10), &mut fx);
        timers.cancel(Timer::DelayedAck);
        assert!(!timers.fired(Timer::DelayedAck, at(10), &mut fx));
    }
}
