//! A congestion control that is a class in Python: an object of it for every connection.

use super::answer::Answer;
use super::congestion_facts::{ARGUMENTS, Facts};
use super::hook::{Brought, Class, Object, Seam};
use super::refused;
use airloom_sim::{Duration, Time};
use airloom_tcp::congestion::{self, CongestionControl, CongestionWindow, Negotiated, Progress, Sample};
use pyo3::prelude::*;
use std::sync::Arc;

/// Its hooks.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[
        ("started", &["now", "cwnd", "ssthresh", "rtt", "mss"]),
        ("acked", &["now", "segments", "rtt", "cwnd", "ssthresh", "snd_una", "snd_nxt"]),
        ("round", &["now", "segments", "rtt", "cwnd", "ssthresh"]),
        ("grow", &["now", "segments", "cwnd", "ssthresh", "snd_una", "snd_nxt"]),
        ("lost", &["cwnd", "ssthresh"]),
        ("timeout", &["now", "snd_nxt"]),
        ("undone", &[]),
        (
            "sampled",
            &[
                "now",
                "cwnd",
                "rtt",
                "srtt",
                "mss",
                "newly_acked",
                "newly_lost",
                "in_flight",
                "prior_in_flight",
                "delivered",
                "rate_mbps",
                "app_limited",
                "state",
            ],
        ),
    ],
    arguments: ARGUMENTS,
};

/// Brings a congestion control, an object of the class for a connection.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let made = congestion::register(&class.name, &class.parameters(), move |making| {
        Box::new(Control::new(Object::new(&of, making)))
    });
    made.map(|_| ()).map_err(refused)
}

/// An object, and what the engine keeps for it.
struct Control {
    object: Object<Facts>,
    /// When a hook was called last; of a loss the sender does not say when it was.
    now: Time,
    /// The window as the class last said it, with its fraction.
    exact: f64,
    /// The rate at which segments leave, in bytes per second, if the class has said one.
    rate: Option<u64>,
    /// The round trip under way.
    round: Round,
}

/// A round trip: it ends when what was sent next at its beginning is acknowledged.
#[derive(Default)]
struct Round {
    ends: u64,
    segments: u64,
    least: Option<Duration>,
}

impl Control {
    fn new(object: Object<Facts>) -> Self {
        Self { object, now: Time::ZERO, exact: 0.0, rate: None, round: Round::default() }
    }

    /// The window with the fraction that the class last gave it, unless the sender has set another one since.
    fn exact(&self, window: &CongestionWindow) -> f64 {
        if self.exact as u32 == window.cwnd { self.exact } else { f64::from(window.cwnd) }
    }

    /// Calls a hook that may answer with a window, or with a window and a threshold.
    fn ask(&mut self, name: &str, window: &mut CongestionWindow, facts: Facts) {
        self.now = facts.now;
        let facts = facts.with(window, self.exact(window));
        let heard = |said: &Bound<'_, PyAny>| {
            let answer = Answer::of(said)?;
            Ok((answer.window()?, answer.threshold()?))
        };
        if let Some((cwnd, ssthresh)) = self.object.call(name, facts.now, &facts, heard) {
            self.set(window, cwnd);
            window.ssthresh = ssthresh.unwrap_or(window.ssthresh);
        }
    }

    fn set(&mut self, window: &mut CongestionWindow, cwnd: Option<f64>) {
        if let Some(cwnd) = cwnd {
            self.exact = cwnd;
            window.cwnd = cwnd as u32;
        }
    }

    /// Counts what an ACK covers; the last one of a round trip ends it.
    fn count(&mut self, window: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        self.round.segments += u64::from(ack.segments);
        self.round.least = self.round.least.into_iter().chain(rtt).min();
        if ack.una < self.round.ends {
            return;
        }
        let over = std::mem::replace(&mut self.round, Round { ends: ack.next, ..Round::default() });
        let facts = Facts { segments: over.segments, ..Facts::of_ack(ack, over.least) };
        self.ask("round", window, facts);
    }
}

impl CongestionControl for Control {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        let facts = Facts { now: self.now, ..Facts::default() }.with(w, self.exact(w));
        let heard = |said: &Bound<'_, PyAny>| Answer::of(said)?.only_threshold();
        self.object.call("lost", facts.now, &facts, heard).flatten().unwrap_or((w.cwnd / 2).max(2))
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
        self.ask("grow", w, Facts::of_ack(ack, None));
    }

    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        self.ask("acked", w, Facts::of_ack(ack, rtt));
        if self.object.class.has("round") {
            self.count(w, ack, rtt);
        }
    }

    fn timeout(&mut self, now: Time, next: u64) {
        self.object.tell("timeout", now, &Facts { now, next, ..Facts::default() });
    }

    fn models_path(&self) -> bool {
        self.object.class.has("sampled")
    }

    fn established(&mut self, w: &CongestionWindow, now: Time, rtt: Option<Duration>, agreed: &Negotiated) {
        let facts = Facts { now, rtt, mss: agreed.mss, ..Facts::default() };
        self.object.tell("started", now, &facts.with(w, f64::from(w.cwnd)));
    }

    fn sampled(&mut self, w: &mut CongestionWindow, s: &Sample) {
        self.now = s.now;
        let facts = Facts::of_sample(s).with(w, self.exact(w));
        let heard = |said: &Bound<'_, PyAny>| {
            let answer = Answer::of(said)?;
            Ok((answer.window()?, answer.rate()?))
        };
        if let Some((cwnd, rate)) = self.object.call("sampled", facts.now, &facts, heard) {
            self.set(w, cwnd);
            self.rate = rate.or(self.rate);
        }
    }

    fn pacing_rate(&self) -> Option<u64> {
        self.rate
    }

    fn undone(&mut self) {
        self.object.tell("undone", self.now, &Facts { now: self.now, ..Facts::default() });
    }
}
