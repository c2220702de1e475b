//! What judges the scans that a station's connection manager asks for: the policy that the daemon runs too, or one that somebody brings.

use airloom_observe::ScanEvent;
use airloom_policy::{Effect, Input, Policy, ScanPolicyConfig};
use airloom_sim::{Brought, BroughtName, Duration, Making, Time};

/// A scan that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// MPDU bytes that the station has sent and received since the request before, or since the beginning.
    pub moved: u64,
    /// Frames in its driver and hardware, which a scan has to wait for.
    pub waiting: u32,
    /// How many requests before this one were refused, one after another.
    pub skipped: u32,
    /// How long ago the last scan was allowed, if one was.
    pub since: Option<Duration>,
}

/// What decides whether a scan that is asked for takes place.
pub trait ScanPolicy {
    /// Whether it does.
    fn allows(&mut self, now: Time, asked: &Asked) -> bool;
}

/// Makes the policy of a station.
type Make = dyn Fn(&Making) -> Box<dyn ScanPolicy> + Send + Sync;

/// All that were brought.
pub static OWN_SCAN_POLICIES: Brought<Make> = Brought::new();

/// What judges the requests of a station.
#[derive(Clone, Debug)]
pub enum Remedy {
    /// The policy that `airloom-guard` runs too, on these terms.
    Policy(ScanPolicyConfig),
    /// One that somebody brings, and the seed of its own.
    Own(BroughtName, u64),
}

/// A remedy at work.
pub(crate) enum Judge {
    Policy(Box<Policy>),
    Own(Own),
}

/// A policy of one's own, and the facts that it gets.
pub(crate) struct Own {
    policy: Box<dyn ScanPolicy>,
    /// Bytes moved up to the request before.
    moved: u64,
    skipped: u32,
    allowed: Option<Time>,
}

impl Judge {
    pub(crate) fn new(remedy: Remedy) -> Self {
        match remedy {
            Remedy::Policy(terms) => Self::Policy(Box::new(Policy::new(terms, true))),
            Remedy::Own(name, seed) => {
                let policy = OWN_SCAN_POLICIES.make(name)(&name.making(seed));
                Self::Own(Own { policy, moved: 0, skipped: 0, allowed: None })
            }
        }
    }

    /// Judges a request of a station that has moved so many bytes, and has frames that wait: nothing said lets the scan take place.
    pub(crate) fn hears(&mut self, now: Time, moved: u64, waiting: u32) -> Option<ScanEvent> {
        match self {
            Self::Policy(policy) => {
                let mut effects = Vec::new();
                policy.handle(now, Input::Moved(moved), &mut effects);
                policy.handle(now, Input::ScanRequested, &mut effects);
                let told = |effect| effects.contains(&effect);
                let let_through = told(Effect::LetThrough).then_some(ScanEvent::LetThrough);
                if told(Effect::Refuse) { Some(ScanEvent::Skipped) } else { let_through }
            }
            Self::Own(own) => own.hears(now, moved, waiting),
        }
    }
}

impl Own {
    fn hears(&mut self, now: Time, moved: u64, waiting: u32) -> Option<ScanEvent> {
        let since = self.allowed.map(|at| now - at);
        let before = std::mem::replace(&mut self.moved, moved);
        let asked = Asked { moved: moved - before, waiting, skipped: self.skipped, since };
        if self.policy.allows(now, &asked) {
            (self.allowed, self.skipped) = (Some(now), 0);
            return None;
        }
        self.skipped += 1;
        Some(ScanEvent::Skipped)
    }
}
