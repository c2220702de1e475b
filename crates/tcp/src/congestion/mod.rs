//! Congestion control: how the window grows, and by how much it shrinks. Each control has a slow start, which is a part of
//! its own.

mod cubic;
mod hystart;
mod hystart_plus_plus;
mod newreno;
mod slow_start;

use crate::{Config, Congestion, SlowStart};
use airloom_sim::{Duration, Time};
use cubic::Cubic;
use hystart::HyStart;
use hystart_plus_plus::HyStartPlusPlus;
use newreno::NewReno;
use slow_start::{SlowStarter, Standard};

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
pub(crate) trait CongestionControl: Send {
    /// The threshold after a loss, noting that the window was `w` (`ssthresh`).
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32;
    /// Lets the window grow (`cong_avoid`); called only if it may.
    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress);
    /// Takes note of an ACK and its round-trip time (`pkts_acked`), amid disorder too.
    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>);
    /// A retransmission timeout (`set_state` to `TCP_CA_Loss`).
    fn timeout(&mut self, now: Time, next: u64);
}

/// The congestion control that a configuration asks for.
pub(crate) fn control(config: &Config) -> Box<dyn CongestionControl> {
    let slow_start = slow_start(config);
    match config.congestion {
        Congestion::NewReno => Box::new(NewReno::new(slow_start, config.count_segments)),
        Congestion::Cubic => Box::new(Cubic::new(slow_start, config.cubic_fastest)),
    }
}

/// The slow start that a configuration asks for.
fn slow_start(config: &Config) -> Box<dyn SlowStarter> {
    match (config.slow_start, config.congestion) {
        (SlowStart::HyStart, _) | (SlowStart::Linux, Congestion::Cubic) => {
            Box::new(HyStart::new(config.hystart_part))
        }
        (SlowStart::HyStartPlusPlus, _) => Box::new(HyStartPlusPlus::default()),
        (SlowStart::Standard | SlowStart::Linux, _) => Box::new(Standard),
    }
}
