//! Congestion control: how the window grows, and by how much it shrinks. Each control has a slow start, which is a part of
//! its own. A caller brings a control of its own by [`register`].

mod bbr;
mod bbr3;
mod cubic;
mod hystart;
mod hystart_plus_plus;
mod kinds;
mod newreno;
mod own;
mod path_units;
mod slow_start;
mod windowed_max;

pub use crate::delivery::Rate;
pub use crate::handshake::Negotiated;
use crate::jiffies::Jiffies;
use crate::{Growth, SlowStart};
pub use airloom_observe::{CaState, PathModel};
use airloom_sim::{Duration, Time};
use bbr::Bbr;
use bbr3::Bbr3;
use cubic::Cubic;
use hystart::HyStart;
use hystart_plus_plus::HyStartPlusPlus;
pub use kinds::Congestion;
use newreno::NewReno;
pub use own::{OWN_CONTROLS, register};
use slow_start::{SlowStarter, Standard};

/// The congestion window in segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CongestionWindow {
    /// The window.
    pub cwnd: u32,
    /// Slow-start threshold; `u32::MAX` while unset.
    pub ssthresh: u32,
    /// Fraction of a segment gained so far (`snd_cwnd_cnt`).
    pub count: u32,
    /// How many segments past the threshold slow start ends: one before Linux 4.3, none since.
    pub past: u32,
}

impl CongestionWindow {
    /// Slow start: one segment per segment acknowledged, up to its end. Returns how many segments are left for congestion
    /// avoidance, of which there are none if slow start goes past the threshold (`tcp_slow_start`, 3.13 and 6.x).
    pub fn slow_start(&mut self, acked: u32) -> u32 {
        let grown = self.cwnd.saturating_add(acked).min(self.slow_start_end());
        let used = grown.saturating_sub(self.cwnd);
        self.cwnd = grown;
        if self.past > 0 { 0 } else { acked - used }
    }

    fn slow_start_end(&self) -> u32 {
        self.ssthresh.saturating_add(self.past)
    }

    /// One segment more per `per` counted (`tcp_cong_avoid_ai`). Earlier counts, from slower growth, give at most one
    /// segment.
    pub fn avoid(&mut self, per: u32, counted: u32) {
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

    /// Whether the window is below the end of slow start.
    pub fn in_slow_start(&self) -> bool {
        self.cwnd < self.slow_start_end()
    }
}

/// An ACK for new data.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// When it came.
    pub now: Time,
    /// Segments acknowledged.
    pub segments: u32,
    /// First unacknowledged sequence number.
    pub una: u64,
    /// Next sequence number to be sent.
    pub next: u64,
}

/// The input, with each ACK, of a congestion control that models the path (`rate_sample`, and fields of `tcp_sock`).
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// When the ACK came.
    pub now: Time,
    /// The sample of the delivery rate, if the ACK gives one.
    pub rate: Option<Rate>,
    /// Segments newly acknowledged or SACKed.
    pub acked: u32,
    /// Segments newly marked as lost.
    pub lost: u32,
    /// Segments in flight before the ACK.
    pub prior_in_flight: u32,
    /// Segments in flight after it.
    pub in_flight: u32,
    /// The round trip of the last segment that it covers.
    pub rtt: Option<Duration>,
    /// The receiver may have held the ACK back.
    pub held_back: bool,
    /// The smoothed round trip; zero before the first sample.
    pub srtt: Duration,
    /// The state of the sender.
    pub state: CaState,
    /// All segments delivered so far.
    pub delivered: u64,
    /// When the last of them was.
    pub delivered_at: Time,
    /// All segments marked as lost so far.
    pub all_lost: u64,
    /// Payload of a full segment in bytes.
    pub mss: u32,
    /// When the next segment leaves, by pacing.
    pub departure: Time,
    /// A host hands to its device at once what the pacing rate sends in 1 / 2^n seconds (`sk_pacing_shift`).
    pub burst_shift: u32,
    /// As much as the window allows was in flight at some time since a window ago (`is_cwnd_limited`).
    pub window_limited: bool,
}

/// A segment that was marked as lost (`skb_marked_lost` of BBR's third version).
#[derive(Clone, Copy, Debug)]
pub struct LostSegment {
    /// When it was marked.
    pub now: Time,
    /// Segments in flight when it was sent, itself among them.
    pub in_flight: u32,
    /// Segments marked as lost since then, itself among them.
    pub lost: u64,
    /// The application had left the network idle when it was sent.
    pub limited: bool,
}

/// A congestion control (Linux `tcp_congestion_ops`).
pub trait CongestionControl: Send {
    /// The threshold after a loss, noting that the window was `w` (`ssthresh`).
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32;
    /// Grows the window (`cong_avoid`); called only if it may grow.
    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress);
    /// Records an ACK and its round-trip time (`pkts_acked`), also in state Disorder.
    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>);
    /// A retransmission timeout (`set_state` to `TCP_CA_Loss`).
    fn timeout(&mut self, now: Time, next: u64);

    /// Whether it models the path: then every segment sent ([`sent`](Self::sent)) and every ACK
    /// ([`sampled`](Self::sampled)) is reported to it, and it alone changes the window (`cong_control`).
    fn models_path(&self) -> bool {
        false
    }
    /// The connection is established, after a handshake that took `rtt` unless it had to be repeated (`init`). `mss` is the
    /// payload of a full segment.
    fn established(
        &mut self,
        _w: &CongestionWindow,
        _now: Time,
        _rtt: Option<Duration>,
        _agreed: &Negotiated,
    ) {
    }
    /// How many windows the send buffer holds (`sndbuf_expand`).
    fn buffer_windows(&self) -> u64 {
        2
    }
    /// A retransmission timeout, of a control that models the path: the sample is of the time, not of an ACK.
    fn timed_out(&mut self, _s: &Sample) {}
    /// A segment is marked as lost, before the sample of the ACK that tells so.
    fn lost(&mut self, _w: &mut CongestionWindow, _lost: &LostSegment) {}
    /// A new segment leaves; `limited` while samples show the application's rate, not the network's (`cwnd_event`).
    fn sent(&mut self, _w: &mut CongestionWindow, _s: &Sample, _limited: bool) {}
    /// Sets the window after an ACK in any state (`cong_control`).
    fn sampled(&mut self, _w: &mut CongestionWindow, _s: &Sample) {}
    /// Bytes per second at which segments leave; none if they are not paced (`sk_pacing_rate`).
    fn pacing_rate(&self) -> Option<u64> {
        None
    }
    /// The least segments that leave at once where a device divides them (`min_tso_segs`; otherwise `tcp_min_tso_segs`, 2).
    fn least_burst(&self) -> u32 {
        2
    }
    /// What it takes the path to be, if it models one (`get_info`).
    fn path(&self) -> Option<PathModel> {
        None
    }
    /// Whether it leaves the network underused on purpose, so that samples do not show its rate.
    fn drains(&self) -> bool {
        false
    }
    /// A reduction was spurious (`undo_cwnd`).
    fn undone(&mut self) {}
}

/// The congestion control of a configuration, which reads its time in `jiffies`. Full segments carry `payload` bytes; `isn` is
/// its only source of randomness.
pub(crate) fn control(
    growth: &Growth,
    jiffies: Jiffies,
    payload: u32,
    isn: u32,
) -> Box<dyn CongestionControl> {
    match growth.congestion {
        Congestion::NewReno => Box::new(NewReno::new(slow_start(growth), growth.count_segments)),
        Congestion::Bbr => Box::new(Bbr::new(growth.initial_window, isn, payload)),
        Congestion::Bbr3 => Box::new(Bbr3::new(growth.initial_window, isn, payload)),
        Congestion::Cubic => Box::new(Cubic::new(slow_start(growth), growth.cubic_fastest).ticking(jiffies)),
        Congestion::Own(own) => OWN_CONTROLS.make(own)(&own.making(isn.into())),
    }
}

/// The slow start of a configuration.
fn slow_start(growth: &Growth) -> Box<dyn SlowStarter> {
    match (growth.slow_start, growth.congestion) {
        (SlowStart::HyStart, _) | (SlowStart::Linux, Congestion::Cubic) => {
            Box::new(HyStart::new(&growth.hystart))
        }
        (SlowStart::HyStartPlusPlus, _) => Box::new(HyStartPlusPlus::default()),
        (SlowStart::Standard | SlowStart::Linux, _) => Box::new(Standard),
    }
}
