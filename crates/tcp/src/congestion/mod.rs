//! Congestion control: how the window grows, and by how much it shrinks.

mod cubic;
mod hystart;
mod newreno;

use crate::{Config, Congestion};
use airloom_sim::{Duration, Time};
use cubic::Cubic;
use newreno::NewReno;

/// The congestion window in segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CongestionWindow {
    pub(crate) cwnd: u32,
    /// Slow-start threshold; `u32::MAX` while unset.
    pub(crate) ssthresh: u32,
    /// Fraction of a segment gained so far (`snd_cwnd_cnt`).
    pub(crate) count: u32,
}

impl CongestionWindow {
    /// Slow start: one segment per segment acknowledged, up to just past the threshold (`tcp_slow_start`, 3.13).
    fn slow_start(&mut self, acked: u32) {
        self.cwnd = self.cwnd.saturating_add(acked).min(self.ssthresh.saturating_add(1));
    }

    /// One segment more per `per` counted (`tcp_cong_avoid_ai`). What was counted while growth was slower counts for
    /// one segment at most.
    fn avoid(&mut self, per: u32, counted: u32) {
        if self.count >= per {
            self.count = 0;
            self.cwnd += 1;
        }
        self.count += counted;
        if self.count >= per {
            self.cwnd += self.count / per;
            self.count %= per;
        }
    }

    pub(crate) fn in_slow_start(&self) -> bool {
        self.cwnd <= self.ssthresh
    }
}

/// An ACK for new data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub(crate) now: Time,
    /// Segments acknowledged.
    pub(crate) segments: u32,
    /// First unacknowledged sequence number.
    pub(crate) una: u64,
    /// Next sequence number to be sent.
    pub(crate) next: u64,
}

/// A congestion control (Linux `tcp_congestion_ops`).
pub(crate) trait CongestionControl {
    /// The threshold after a loss, noting that the window was `w` (`ssthresh`).
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32;
    /// Lets the window grow (`cong_avoid`); called only if it may.
    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress);
    /// Takes note of an ACK and its round-trip time (`pkts_acked`); `open` is false amid disorder.
    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>, open: bool);
    /// A retransmission timeout (`set_state` to `TCP_CA_Loss`).
    fn timeout(&mut self, now: Time, next: u64);
}

/// The congestion controls that there are.
pub(crate) enum Controller {
    NewReno(NewReno),
    Cubic(Cubic),
}

impl Controller {
    pub(crate) fn new(config: &Config) -> Self {
        match config.congestion {
            Congestion::NewReno => Self::NewReno(NewReno::new(config.count_segments)),
            Congestion::Cubic => {
                let hystart = config.hystart.then_some(config.hystart_part);
                Self::Cubic(Cubic::new(hystart, config.cubic_fastest))
            }
        }
    }
}

macro_rules! dispatch {
    ($self:ident, $control:ident => $call:expr) => {
        match $self {
            Self::NewReno($control) => $call,
            Self::Cubic($control) => $call,
        }
    };
}

impl CongestionControl for Controller {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        dispatch!(self, c => c.ssthresh(w))
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
        dispatch!(self, c => c.grow(w, ack));
    }

    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>, open: bool) {
        dispatch!(self, c => c.acked(w, ack, rtt, open));
    }

    fn timeout(&mut self, now: Time, next: u64) {
        dispatch!(self, c => c.timeout(now, next));
    }
}
