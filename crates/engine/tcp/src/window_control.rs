//! The congestion window and all that moves it: the congestion control, what becomes of it unused, and the share of it that is in
//! use at the present rate of the link (`tcp_cong_avoid`, `tcp_update_pacing_rate`, Linux).

use crate::congestion::{self, CongestionControl, CongestionWindow, Progress};
use crate::cwnd_validation::{Decay, Use, Validator};
use crate::jiffies::Jiffies;
use crate::scoreboard::Acked;
use crate::{Growth, LinkShare, UnusedWindow, Validation};
use airloom_sim::{BitRate, Duration, Time};

/// The congestion window and its congestion control.
pub(crate) struct WindowControl {
    pub(crate) window: CongestionWindow,
    pub(crate) congestion: Box<dyn CongestionControl>,
    pub(crate) validator: Validator,
    share: LinkShare,
    /// The window grows after an ACK's losses are known, by all segments delivered.
    pub(crate) by_delivered: bool,
    slow_start_by_acks: bool,
}

impl WindowControl {
    /// Full segments carry `payload` bytes; `isn` is the only source of randomness.
    pub(crate) fn new(
        growth: &Growth,
        unused: &UnusedWindow,
        jiffies: Jiffies,
        payload: u32,
        isn: u32,
    ) -> Self {
        let congestion = congestion::control(growth, jiffies, payload, isn);
        let mut unused = *unused;
        if congestion.models_path() {
            // Linux validates no window that a model of the path has set (`tcp_cwnd_validate`, `tcp_slow_start_after_idle_check`).
            unused.window_validation = Validation::None;
        }
        Self {
            window: CongestionWindow {
                cwnd: growth.initial_window,
                ssthresh: growth.initial_ssthresh.unwrap_or(u32::MAX),
                count: 0,
                past: u32::from(growth.slow_start_past_threshold),
            },
            congestion,
            validator: Validator::new(&unused, growth.initial_window),
            share: LinkShare::WHOLE,
            by_delivered: growth.grow_by_delivered,
            slow_start_by_acks: growth.slow_start_by_acks,
        }
    }

    /// The window in use, in segments: the congestion window, or its share in proportion to the rate of the link.
    #[inline]
    pub(crate) fn in_use(&self) -> u32 {
        self.share.window(self.window.cwnd)
    }

    /// Whether the link's rate cuts the window.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.share.cuts()
    }

    /// The link has the rate `current` now, of at most `highest`; true if that changes the window in use.
    pub(crate) fn turn(&mut self, current: BitRate, highest: BitRate, established: bool) -> bool {
        let share = self.share.turned(current, highest, established.then_some(self.window.cwnd));
        std::mem::replace(&mut self.share, share) != share
    }

    /// Reports an acknowledgment to the congestion control, and grows the window by it if that is done before its losses are
    /// known, as long as it is not `reducing`. `rtt` is the round trip of the last segment covered, `srtt` the mean one, and
    /// `in_flight` what was in flight before.
    // Each segment would pay for the call.
    #[inline(always)]
    pub(crate) fn acknowledged(
        &mut self,
        acked: &Acked,
        progress: &Progress,
        (rtt, srtt): (Option<Duration>, Duration),
        in_flight: u32,
        reducing: bool,
    ) {
        if acked.segments == 0 {
            if self.by_delivered && rtt.is_some() {
                self.congestion.acked(&mut self.window, progress, rtt);
            }
            return;
        }
        let rtt = if self.by_delivered {
            rtt
        } else {
            acked.last.filter(|_| !acked.retransmitted).map(|at| progress.now.since(at))
        };
        self.congestion.acked(&mut self.window, progress, rtt);
        self.validator.acknowledged(progress.now, acked.segments, srtt);
        if !self.by_delivered && !reducing {
            let by_acks = self.slow_start_by_acks && self.window.in_slow_start();
            let segments = if by_acks { 1 } else { progress.segments };
            self.grow(in_flight, &Progress { segments, ..*progress });
        }
    }

    /// Grows the window if it may grow (`tcp_cong_avoid`), before which `in_flight` segments were in flight.
    #[inline]
    pub(crate) fn grow(&mut self, in_flight: u32, progress: &Progress) {
        let slow_start = self.window.in_slow_start();
        let limited = self.validator.may_grow(in_flight, self.in_use(), slow_start);
        self.validator.considered(progress.now, limited);
        if limited {
            self.congestion.grow(&mut self.window, progress);
            self.window.cwnd = self.share.grown(self.window.cwnd);
        }
    }

    /// The threshold after a loss, by the congestion control.
    pub(crate) fn reduced_threshold(&mut self, in_flight: u32) -> u32 {
        self.window.cwnd = self.validator.before_reduction(self.window.cwnd, in_flight);
        self.congestion.ssthresh(&self.window)
    }

    /// The threshold that remembers the window, which is `reducing` or not (`tcp_current_ssthresh`).
    #[inline]
    pub(crate) fn current_ssthresh(&self, reducing: bool) -> u32 {
        let CongestionWindow { cwnd, ssthresh, .. } = self.window;
        if reducing { ssthresh } else { ssthresh.max(cwnd / 2 + cwnd / 4) }
    }

    /// Data is about to be sent with nothing outstanding: an idle window may have to decay (`tcp_cwnd_restart`).
    #[inline]
    pub(crate) fn restart(&mut self, now: Time, reducing: bool, rto: Duration) {
        let current = self.current_ssthresh(reducing);
        let decay = self.validator.restart(now, self.window.cwnd, current, rto);
        self.decay(decay);
    }

    /// Data was sent, upon which so much of the window is in use (`tcp_cwnd_validate`).
    #[inline]
    pub(crate) fn sent(&mut self, now: Time, used: &Use) {
        let decay = self.validator.sent(now, used);
        self.decay(decay);
    }

    fn decay(&mut self, decay: Option<Decay>) {
        if let Some(Decay { cwnd, ssthresh }) = decay {
            self.window.cwnd = cwnd;
            self.window.ssthresh = ssthresh;
        }
    }

    /// Bytes per second by which Linux would pace (`tcp_update_pacing_rate`): twice the window per round trip in slow start, 1.2
    /// times the window later, unless the congestion control sets it. `out` segments of `mss` bytes are outstanding. Here it sizes
    /// the small queue.
    pub(crate) fn pacing_rate(&self, srtt: Duration, out: u32, mss: u32) -> u64 {
        if let Some(rate) = self.congestion.pacing_rate() {
            return rate;
        }
        let srtt = srtt.as_nanos();
        if srtt == 0 {
            return u64::MAX;
        }
        let cwnd = self.in_use();
        let percent = if cwnd < self.window.ssthresh / 2 { 200 } else { 120 };
        let window = u64::from(cwnd.max(out)) * u64::from(mss);
        match window.checked_mul(percent * 10_000_000) {
            Some(scaled) => scaled / srtt,
            None => (u128::from(window) * u128::from(percent) * 10_000_000 / u128::from(srtt)) as u64,
        }
    }
}
