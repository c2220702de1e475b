//! Calls that wait. packetdrill makes them in a thread of its own, while its main thread lets time pass and packets arrive.
//!
//! Results repeat, since the two threads take turns: whenever the main thread has changed something, those that wait look at it
//! before it goes on, and no time passes until those that are done have read the clock, which packetdrill makes them do.

use crate::stack::{Answer, Stack};
use airloom_sim::{Duration, Time};
use libc::c_int;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// How long the main thread waits for another that is done, in real time: it is then somewhere else.
const OTHER_THREAD_WITHIN: std::time::Duration = std::time::Duration::from_secs(2);

struct Turns {
    stack: Stack,
    /// Calls that wait, and how many of them have yet to look at what changed.
    waiting: usize,
    looking: usize,
    /// Calls that are done, whose threads have not read the clock yet.
    leaving: usize,
}

/// The stack, for several threads.
pub(crate) struct Machine {
    turns: Mutex<Turns>,
    changed: Condvar,
    main: ThreadId,
}

impl Machine {
    /// A machine whose main thread is this one.
    pub(crate) fn new(stack: Stack) -> Self {
        Self {
            turns: Mutex::new(Turns { stack, waiting: 0, looking: 0, leaving: 0 }),
            changed: Condvar::new(),
            main: thread::current().id(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is the thread that lets time pass.
    pub(crate) fn is_main(&self) -> bool {
        thread::current().id() == self.main
    }

    /// Does something with the stack at once.
    pub(crate) fn now<T>(&self, act: impl FnOnce(&mut Stack) -> T) -> T {
        let mut turns = self.lock();
        let time = turns.stack.clock.now();
        turns.stack.clock.set(time);
        let answer = act(&mut turns.stack);
        drop(self.shown(turns));
        answer
    }

    /// Lets those that wait look at what changed.
    fn shown<'a>(&'a self, mut turns: MutexGuard<'a, Turns>) -> MutexGuard<'a, Turns> {
        if turns.waiting > 0 && self.is_main() {
            turns.looking = turns.waiting;
            self.changed.notify_all();
            turns = self.until(turns, |turns| turns.looking == 0);
        }
        turns
    }

    fn until<'a>(
        &'a self,
        turns: MutexGuard<'a, Turns>,
        done: impl Fn(&Turns) -> bool,
    ) -> MutexGuard<'a, Turns> {
        let waited = self.changed.wait_timeout_while(turns, OTHER_THREAD_WITHIN, |turns| !done(turns));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Makes a call until it has an answer. Without one it fails with `none` if it may not wait: its socket does not block, or it
    /// is the main thread's, without which nothing happens.
    pub(crate) fn wait<T>(
        &self,
        blocks: bool,
        none: c_int,
        mut call: impl FnMut(&mut Stack) -> Answer<T>,
    ) -> Result<T, c_int> {
        if !blocks || self.is_main() {
            return self.now(|stack| call(stack)).unwrap_or(Err(none));
        }
        let mut turns = self.lock();
        if let Some(answer) = call(&mut turns.stack) {
            turns.leaving += 1;
            return answer;
        }
        turns.waiting += 1;
        loop {
            turns = self
                .changed
                .wait_while(turns, |turns| turns.looking == 0)
                .unwrap_or_else(PoisonError::into_inner);
            turns.looking -= 1;
            let answer = call(&mut turns.stack);
            self.changed.notify_all();
            if let Some(answer) = answer {
                turns.waiting -= 1;
                turns.leaving += 1;
                return answer;
            }
        }
    }

    /// Makes a call until it has an answer or `timeout` has passed; then there is none. The main thread lets that time pass itself.
    pub(crate) fn wait_for<T>(
        &self,
        timeout: Option<Duration>,
        mut call: impl FnMut(&mut Stack) -> Answer<T>,
    ) -> Option<Result<T, c_int>> {
        let until = timeout.map(|timeout| self.now(|stack| stack.clock.now() + timeout));
        if !self.is_main() {
            let late = |stack: &Stack| until.is_some_and(|until| stack.clock.now() >= until);
            let call = |stack: &mut Stack| match call(stack) {
                None if late(stack) => Some(Ok(None)),
                answer => answer.map(|answer| answer.map(Some)),
            };
            return self.wait(true, libc::EAGAIN, call).transpose();
        }
        loop {
            if let Some(answer) = self.now(&mut call) {
                return Some(answer);
            }
            let next = self.now(|stack| stack.due());
            match (next, until) {
                (Some(at), until) if until.is_none_or(|until| at < until) => self.pass(at),
                (_, Some(until)) => {
                    self.pass(until);
                    return self.now(&mut call);
                }
                _ => return None,
            }
        }
    }

    /// Time passes until `until`, with everything that happens by then.
    pub(crate) fn pass(&self, until: Time) {
        let mut turns = self.lock();
        loop {
            turns = self.until(turns, |turns| turns.leaving == 0);
            turns.leaving = 0;
            let Some(at) = turns.stack.due().filter(|at| *at <= until) else { break };
            turns.stack.step(at);
            turns = self.shown(turns);
        }
        turns.stack.clock.set(until);
        turns = self.shown(turns);
        drop(turns);
    }

    /// The next packet that leaves, and when; time passes until then.
    pub(crate) fn sniff(&self) -> Option<(Time, Vec<u8>)> {
        loop {
            let mut turns = self.lock();
            if let Some(packet) = turns.stack.take() {
                return Some(packet);
            }
            let at = turns.stack.due()?;
            if at.since(turns.stack.clock.now()) > SILENCE {
                return None;
            }
            drop(turns);
            self.pass(at);
        }
    }

    /// The time as a program reads it.
    pub(crate) fn read_clock(&self) -> Time {
        let mut turns = self.lock();
        if !self.is_main() && turns.leaving > 0 {
            turns.leaving -= 1;
            self.changed.notify_all();
            return turns.stack.clock.now();
        }
        turns.stack.clock.read()
    }
}

/// After this much time without a packet there will be none.
const SILENCE: Duration = Duration::from_secs(3600);
