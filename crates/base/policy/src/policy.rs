//! The policy: free, holding scans off, or letting one scan through.
//!
//! ```text
//!      a transfer or a call goes on            held for the cap
//!   Free --------------------------> Holding -----------------------> LettingThrough
//!    ^ <------------------------------  |  <-----------------------------  |
//!    |    over, link lost or weakening       a scan was made, or none came |
//!    + <-------------------------------------------------------------------+
//! ```

use airloom_sim::{Bytes, Duration, Time};

use crate::call::{Call, Calls, Exchange};
use crate::signal::{Signal, Weak};
use crate::transfer::Transfer;

/// The terms on which scans are held off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanPolicyConfig {
    /// More bytes than this within [`ScanPolicyConfig::look`] are a transfer.
    pub threshold: Bytes,
    /// How far back it looks for a transfer; with zero, to the last sample of bytes moved.
    pub look: Duration,
    /// What counts as a call; `None` for nothing.
    pub calls: Option<Calls>,
    /// The longest hold; `None` for one without end. Two holds with less than `opening` and no scan between them count as one.
    pub cap: Option<Duration>,
    /// After a hold of that length, how long it waits for a scan to let through.
    pub opening: Duration,
    /// When the signal alone forbids to hold; `None` for never.
    pub weak: Option<Weak>,
}

/// Inputs of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Bytes sent and received until now, counted from any instant.
    Moved(u64),
    /// Packets and bytes exchanged until now, counted from any instant: what [`Input::Moved`] says, and more.
    Exchanged(Exchange),
    /// Whether a socket is marked as a call's: by its DSCP, or its priority.
    Marked(bool),
    /// The signal of the access point, in dBm.
    Signal(i16),
    /// Whether the station is associated and authenticated (`completed`, in wpa_supplicant's words).
    Completed(bool),
    /// A scan was requested, or has just started.
    ScanRequested,
    /// A scan completed; it was not aborted.
    ScanDone,
    /// The user wants scans held off until this time, whatever goes on.
    HoldUntil(Time),
    /// A game or a call goes on until this time, as something else than packets says; a time in the past ends it.
    EngagedUntil(Time),
    /// The user wants scans back until what goes on is over.
    Release,
    /// Nothing happened, but time passed.
    Tick,
}

/// Effects of the policy. `Hold` and `Release` alternate, beginning with `Hold`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keep scans from being started.
    Hold,
    /// Restore the state before the last `Hold`.
    Release,
    /// Refuse the scan requested: skip it, or abort it if it has begun.
    Refuse,
    /// Allow the scan requested whatever goes on: scans have been held off for long enough.
    LetThrough,
}

/// The state of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Free: scans happen as without the policy.
    Free,
    /// Holding scans off.
    Holding {
        /// Start of the hold; shorter pauses count as part of it.
        since: Time,
    },
    /// Letting one scan through between two holds.
    LettingThrough {
        /// It holds again after this time even if no scan came.
        until: Time,
    },
}

/// Why scans should be held off, or why not. The first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Not: the station is not connected, and may have to scan to become so.
    Unconnected,
    /// Not: the signal is weak and falling, and the station may have to roam.
    Weakening,
    /// Not: the user said so.
    Released,
    /// The user said so.
    Asked,
    /// A call or a game goes on.
    Call,
    /// A transfer goes on.
    Transfer,
    /// Not: no considerable traffic.
    Quiet,
}

impl Cause {
    /// Whether scans should be held off for it.
    pub fn holds(self) -> bool {
        matches!(self, Self::Asked | Self::Call | Self::Transfer)
    }
}

/// The policy and what it remembers.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    terms: ScanPolicyConfig,
    transfer: Transfer,
    call: Call,
    /// Something has been exchanged: counters have a value to begin from.
    counted: bool,
    signal: Signal,
    completed: bool,
    asked_until: Option<Time>,
    engaged_until: Option<Time>,
    released: bool,
    state: State,
    last: Option<Hold>,
}

/// A hold that is over, while no scan has been made since.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// How much of the cap it has taken.
    held: Duration,
    ended: Time,
}

impl Policy {
    /// A station that is connected, or not, and of which nothing else is known.
    pub fn new(terms: ScanPolicyConfig, completed: bool) -> Self {
        Self {
            terms,
            transfer: Transfer::new(terms.threshold, terms.look),
            call: Call::new(terms.calls),
            counted: false,
            signal: Signal::new(terms.weak),
            completed,
            asked_until: None,
            engaged_until: None,
            released: false,
            state: State::Free,
            last: None,
        }
    }

    /// What it does at present.
    pub fn state(&self) -> State {
        self.state
    }

    /// Why it should hold scans off, or not.
    pub fn cause(&self) -> Cause {
        if !self.completed {
            Cause::Unconnected
        } else if self.signal.weak_and_falling() {
            Cause::Weakening
        } else if self.released {
            Cause::Released
        } else if self.asked_until.is_some() {
            Cause::Asked
        } else if self.call.goes_on() || self.engaged_until.is_some() {
            Cause::Call
        } else if self.transfer.goes_on() {
            Cause::Transfer
        } else {
            Cause::Quiet
        }
    }

    /// Whether it would make a difference to know the signal.
    pub fn needs_signal(&self) -> bool {
        self.terms.weak.is_some() && (self.cause().holds() || self.cause() == Cause::Weakening)
    }

    /// Whether it would make a difference to know of marked sockets.
    pub fn needs_marks(&self) -> bool {
        self.call.needs_marks()
    }

    /// Whether anything goes on that scans would disturb.
    fn busy(&self) -> bool {
        self.transfer.goes_on() || self.call.goes_on() || self.engaged_until.is_some()
    }

    /// When it needs the next [`Input::Tick`], if there is no other input before.
    pub fn due(&self) -> Option<Time> {
        let own = match self.state {
            State::Free => None,
            State::Holding { since } => self.terms.cap.map(|cap| since + cap),
            State::LettingThrough { until } => Some(until + Duration::from_nanos(1)),
        };
        own.into_iter().chain(self.asked_until).chain(self.engaged_until).min()
    }

    /// Takes an input and appends its effects.
    pub fn handle(&mut self, now: Time, input: Input, effects: &mut Vec<Effect>) {
        self.asked_until.take_if(|until| now >= *until);
        self.engaged_until.take_if(|until| now >= *until);
        match input {
            Input::Moved(bytes) => {
                self.transfer.sample(now, bytes);
                self.released &= self.busy();
            }
            Input::Exchanged(exchange) => {
                // What was counted before the policy was there is no transfer.
                if !std::mem::replace(&mut self.counted, true) {
                    self.transfer.begin(now, exchange.bytes());
                }
                self.transfer.sample(now, exchange.bytes());
                self.call.sample(now, exchange);
                self.released &= self.busy();
            }
            Input::Marked(marked) => self.call.mark(marked),
            Input::Signal(dbm) => self.signal.sample(now, dbm),
            Input::Completed(completed) => {
                if completed != self.completed {
                    self.signal.forget();
                }
                self.completed = completed;
            }
            Input::HoldUntil(until) => {
                self.asked_until = Some(until).filter(|until| *until > now);
                self.released = false;
            }
            Input::EngagedUntil(until) => self.engaged_until = Some(until).filter(|until| *until > now),
            Input::Release => {
                self.asked_until = None;
                self.released = self.busy();
            }
            Input::ScanDone => {
                self.last = None;
                if let State::LettingThrough { .. } = self.state {
                    self.state = State::Free;
                }
            }
            Input::ScanRequested | Input::Tick => {}
        }
        self.settle(now, effects);
        if input == Input::ScanRequested {
            match self.state {
                State::Free => {}
                State::Holding { .. } => effects.push(Effect::Refuse),
                State::LettingThrough { .. } => effects.push(Effect::LetThrough),
            }
        }
    }

    /// Enters the state that cause and time ask for, and says whether a hold begins or ends.
    fn settle(&mut self, now: Time, effects: &mut Vec<Effect>) {
        let holds = self.cause().holds();
        let next = match self.state {
            State::Free | State::LettingThrough { .. } if !holds => State::Free,
            State::Free => self.beginning(now),
            State::LettingThrough { until } if now > until => State::Holding { since: now },
            State::Holding { .. } if !holds => State::Free,
            State::Holding { since } if self.terms.cap.is_some_and(|cap| now.since(since) >= cap) => {
                State::LettingThrough { until: now + self.terms.opening }
            }
            same => same,
        };
        if let (State::Holding { since }, State::Free | State::LettingThrough { .. }) = (self.state, next) {
            self.last = Some(Hold { held: now.since(since), ended: now });
        }
        let held = |state| matches!(state, State::Holding { .. });
        if held(self.state) != held(next) {
            effects.push(if held(next) { Effect::Hold } else { Effect::Release });
        }
        self.state = next;
    }

    /// The state in which a hold begins. A pause of the transfer, or a user's release and hold, does not have the
    /// cap begin anew.
    fn beginning(&self, now: Time) -> State {
        let last = self.last.filter(|last| now.since(last.ended) < self.terms.opening);
        match (last, self.terms.cap) {
            (Some(last), Some(cap)) if last.held >= cap => {
                State::LettingThrough { until: last.ended + self.terms.opening }
            }
            (Some(last), Some(_)) => State::Holding { since: now - last.held },
            _ => State::Holding { since: now },
        }
    }
}
