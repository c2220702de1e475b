//! Deadlines that move at every ACK without a calendar operation each time.
//!
//! A deadline that moves later leaves the armed timer alone; when that fires too early it is armed again for the true
//! deadline, and one that fires without a deadline is ignored. Almost every ACK moves the retransmission deadline
//! later, so that this saves one calendar operation per ACK.

use crate::jiffies::Jiffies;
use crate::{Effects, Timer, TimerChange};
use airloom_sim::{Duration, Time};

#[derive(Clone, Copy, Default)]
struct Lazy {
    deadline: Option<Time>,
    armed: Option<Time>,
}

/// The purpose for which the retransmission timer is armed (`icsk_pending`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// The retransmission timeout.
    Timeout,
    /// A tail loss probe.
    Probe,
    /// Segments that may be late.
    Reordering,
}

/// All timers of an endpoint.
pub(crate) struct Timers {
    lazy: [Lazy; Timer::ALL.len()],
    pending: Pending,
    jiffies: Jiffies,
}

impl Timers {
    pub(crate) fn new(jiffies: Jiffies) -> Self {
        Self { lazy: Default::default(), pending: Pending::Timeout, jiffies }
    }

    pub(crate) fn deadline(&self, timer: Timer) -> Option<Time> {
        self.lazy[timer.index()].deadline
    }

    /// The purpose for which the retransmission timer is armed.
    pub(crate) fn pending(&self) -> Pending {
        self.pending
    }

    /// Arms the retransmission timer for a purpose, `wait` after `now` (`tcp_reset_xmit_timer`).
    #[inline]
    pub(crate) fn retransmit_after(&mut self, purpose: Pending, now: Time, wait: Duration, fx: &mut Effects) {
        self.pending = purpose;
        self.set_after(Timer::Retransmission, now, wait, fx);
    }

    /// Sets a timer that expires in whole ticks, `wait` after `now` or a little later (`sk_reset_timer`).
    #[inline]
    pub(crate) fn set_after(&mut self, timer: Timer, now: Time, wait: Duration, fx: &mut Effects) {
        self.set_about(timer, now, now + self.jiffies.whole(wait), fx);
    }

    /// The same for a given time.
    #[inline]
    pub(crate) fn set_about(&mut self, timer: Timer, now: Time, at: Time, fx: &mut Effects) {
        self.set(timer, self.jiffies.expiry(now, at), fx);
    }

    /// Sets a timer that expires at an exact time (`hrtimer_start`).
    pub(crate) fn set(&mut self, timer: Timer, at: Time, fx: &mut Effects) {
        let lazy = &mut self.lazy[timer.index()];
        lazy.deadline = Some(at);
        if lazy.armed.is_none_or(|armed| armed > at) {
            lazy.armed = Some(at);
            fx.change(timer, TimerChange::Set(at));
        }
    }

    pub(crate) fn cancel(&mut self, timer: Timer) {
        if timer == Timer::Retransmission {
            self.pending = Pending::Timeout;
        }
        self.lazy[timer.index()].deadline = None;
    }

    /// Takes an expiry; true if the deadline is indeed reached, which it then no longer is set.
    pub(crate) fn fired(&mut self, timer: Timer, now: Time, fx: &mut Effects) -> bool {
        let lazy = &mut self.lazy[timer.index()];
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
        for timer in Timer::ALL {
            self.lazy[timer.index()] = Lazy::default();
            fx.change(timer, TimerChange::Cancel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ns: u64) -> Time {
        Time::from_nanos(ns)
    }

    fn exact() -> Timers {
        Timers::new(Jiffies::new(Duration::ZERO))
    }

    #[test]
    fn a_later_deadline_costs_no_calendar_operation_until_the_armed_one_fires() {
        let (mut timers, mut fx) = (exact(), Effects::default());
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
        let (mut timers, mut fx) = (exact(), Effects::default());
        timers.set(Timer::Persist, at(10), &mut fx);
        timers.set(Timer::Persist, at(5), &mut fx);
        assert_eq!(fx.timers[Timer::Persist.index()], TimerChange::Set(at(5)));
    }

    #[test]
    fn a_timer_of_ticks_expires_with_one() {
        let (mut timers, mut fx) = (Timers::new(Jiffies::new(Duration::from_millis(4))), Effects::default());
        timers.set_after(Timer::Retransmission, at(1_000_000), Duration::from_millis(5), &mut fx);
        assert_eq!(timers.deadline(Timer::Retransmission), Some(at(12_000_000)));
        timers.set(Timer::Pacing, at(1_000_001), &mut fx);
        assert_eq!(timers.deadline(Timer::Pacing), Some(at(1_000_001)));
    }

    #[test]
    fn a_cancelled_timer_fires_in_vain() {
        let (mut timers, mut fx) = (exact(), Effects::default());
        timers.set(Timer::DelayedAck, at(10), &mut fx);
        timers.cancel(Timer::DelayedAck);
        assert!(!timers.fired(Timer::DelayedAck, at(10), &mut fx));
    }
}
