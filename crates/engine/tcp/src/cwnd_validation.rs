//! Congestion-window validation: whether an unused window may grow, or stay.

use crate::{UnusedWindow, Validation};
use airloom_sim::{Duration, Time};

/// How long RFC 7661 keeps a window that is not used (section 4.4.2).
const NON_VALIDATED: Duration = Duration::from_secs(300);
/// Segments by which Linux 3.13 lets the flight fall short of a window in full use (`tcp_max_tso_deferred_mss`).
const SLACK: u32 = 3;

/// The reaction to an unused window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decay {
    pub(crate) cwnd: u32,
    pub(crate) ssthresh: u32,
}

/// A sender after it was asked to send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// Segments sent and not cumulatively acknowledged (`packets_out`).
    pub(crate) out: u32,
    pub(crate) cwnd: u32,
    /// Whether as much is in flight as the window allows.
    pub(crate) full: bool,
    pub(crate) slow_start: bool,
    /// First unacknowledged sequence number, and the next one.
    pub(crate) una: u64,
    pub(crate) next: u64,
    /// The threshold that remembers the window (`tcp_current_ssthresh`).
    pub(crate) current: u32,
    pub(crate) rto: Duration,
    /// Whether the sender is not in recovery.
    pub(crate) open: bool,
    /// Whether the application waits for room in the send buffer.
    pub(crate) waiting: bool,
}

/// How far the present window's worth of data used the window (`is_cwnd_limited`, `max_packets_out`, `cwnd_usage_seq`).
#[derive(Default)]
struct Usage {
    full: bool,
    most_out: u32,
    until: u64,
}

impl Usage {
    fn record(&mut self, u: &Use) {
        if u.una >= self.until || u.full || (!self.full && u.out > self.most_out) {
            *self = Self { full: u.full, most_out: u.out, until: u.next };
        }
    }

    fn limits(&self, cwnd: u32, slow_start: bool) -> bool {
        self.full || (slow_start && cwnd < 2 * self.most_out)
    }
}

/// The use made of the window.
pub(crate) struct Validator {
    mode: Validation,
    /// An unused window decays.
    decays: bool,
    initial_window: u32,
    /// Most segments out since `stamp` (`snd_cwnd_used`).
    used: u32,
    /// When the window was last in full use, changed, or could have grown (`snd_cwnd_stamp`).
    stamp: Time,
    /// When data was last sent (`lsndtime`).
    last_sent: Time,
    usage: Usage,
    pipe: PipeAck,
}

impl Validator {
    pub(crate) fn new(unused: &UnusedWindow, initial_window: u32) -> Self {
        Self {
            mode: unused.window_validation,
            decays: unused.slow_start_after_idle,
            initial_window,
            used: 0,
            stamp: Time::ZERO,
            last_sent: Time::ZERO,
            usage: Usage::default(),
            pipe: PipeAck::default(),
        }
    }

    /// Data was sent, though not new data, or the connection was established.
    pub(crate) fn touch(&mut self, now: Time) {
        self.last_sent = now;
    }

    /// Records segments acknowledged. `srtt` is zero before the first sample.
    pub(crate) fn acknowledged(&mut self, now: Time, segments: u32, srtt: Duration) {
        if self.mode == Validation::Rfc7661 {
            self.pipe.acknowledged(now, segments, srtt);
        }
    }

    /// An ACK could have raised the window, which was `limited` or not: the time without full use counts anew. Linux sets
    /// `snd_cwnd_stamp` upon each, whether the window grows or not (`tcp_cong_avoid`), and 2.4 only if the window was full.
    #[inline]
    pub(crate) fn considered(&mut self, now: Time, limited: bool) {
        let always = matches!(self.mode, Validation::Linux | Validation::LinuxUsed);
        if always || self.mode == Validation::LinuxFull && limited {
            self.stamp = now;
        }
    }

    /// Whether the window may grow on an ACK before which `in_flight` segments were out (`tcp_is_cwnd_limited`).
    pub(crate) fn may_grow(&self, in_flight: u32, cwnd: u32, slow_start: bool) -> bool {
        match self.mode {
            Validation::None => true,
            Validation::LinuxUsed => self.usage.limits(cwnd, slow_start),
            Validation::Linux | Validation::Rfc2861 => in_flight + SLACK >= cwnd,
            Validation::LinuxFull => in_flight >= cwnd,
            Validation::Rfc7661 => self.pipe.validates(cwnd),
        }
    }

    /// The window upon which a reduction is based: RFC 7661 section 4.4.1 excludes an unused one. One segment
    /// at least.
    pub(crate) fn before_reduction(&self, cwnd: u32, in_flight: u32) -> u32 {
        match self.pipe.largest() {
            Some(pipe) if self.mode == Validation::Rfc7661 && !self.pipe.validates(cwnd) => {
                pipe.max(in_flight).clamp(1, cwnd)
            }
            _ => cwnd,
        }
    }

    /// Called before data is sent with nothing outstanding: the decay after an idle time longer than the timeout
    /// (`tcp_cwnd_restart`): a halving per timeout, not below the initial window.
    pub(crate) fn restart(&mut self, now: Time, cwnd: u32, current: u32, rto: Duration) -> Option<Decay> {
        let mut idle = now.since(self.last_sent);
        if matches!(self.mode, Validation::None | Validation::Rfc7661) || !self.decays || idle <= rto {
            return None;
        }
        let floor = self.initial_window.min(cwnd);
        let mut decayed = cwnd;
        while idle > rto && decayed > floor {
            idle = idle.saturating_sub(rto);
            decayed >>= 1;
        }
        self.stamp = now;
        self.used = 0;
        Some(Decay { cwnd: decayed.max(floor), ssthresh: current })
    }

    /// Called whenever data was sent (`tcp_cwnd_validate`).
    pub(crate) fn sent(&mut self, now: Time, u: &Use) -> Option<Decay> {
        self.last_sent = now;
        self.validate(now, u)
    }

    /// Whether as much as the window allows was in flight at some time since a window ago, as far as that was recorded.
    pub(crate) fn was_full(&self) -> bool {
        self.usage.full
    }

    /// Notes that the window lets nothing go, which is its use if Linux looks at it (`tcp_write_xmit`).
    pub(crate) fn held_back(&mut self, now: Time, u: &Use) {
        if matches!(self.mode, Validation::LinuxUsed | Validation::None) {
            self.validate(now, u);
        }
    }

    fn validate(&mut self, now: Time, u: &Use) -> Option<Decay> {
        let mut in_use = u.out >= u.cwnd;
        let decays = match self.mode {
            Validation::None => {
                self.usage.record(u);
                return None;
            }
            Validation::Linux | Validation::LinuxFull => !u.waiting,
            Validation::LinuxUsed => {
                self.usage.record(u);
                in_use = self.usage.limits(u.cwnd, u.slow_start);
                !u.waiting
            }
            Validation::Rfc2861 => true,
            Validation::Rfc7661 => return self.expire(now, u.cwnd, u.current),
        };
        if in_use {
            self.used = 0;
            self.stamp = now;
            return None;
        }
        self.used = self.used.max(u.out);
        if !self.decays || now.since(self.stamp) < u.rto {
            return None;
        }
        self.stamp = now;
        if !u.open || !decays {
            return None;
        }
        let used = std::mem::take(&mut self.used).max(self.initial_window);
        (used < u.cwnd).then(|| Decay { cwnd: (u.cwnd + used) / 2, ssthresh: u.current })
    }

    /// RFC 7661 section 4.4.2: a window unused for five minutes is halved.
    fn expire(&mut self, now: Time, cwnd: u32, current: u32) -> Option<Decay> {
        if self.pipe.validates(cwnd) {
            self.stamp = now;
            return None;
        }
        if now.since(self.stamp) < NON_VALIDATED {
            return None;
        }
        self.stamp = now;
        let decayed = (cwnd / 2).max(self.initial_window);
        (decayed < cwnd).then_some(Decay { cwnd: decayed, ssthresh: current })
    }
}

/// RFC 7661's pipeACK: the largest number of segments acknowledged within a round trip, over the sampling period of
/// max(3 RTT, 1 s), here kept as four quarters.
#[derive(Default)]
struct PipeAck {
    quarters: [Option<u32>; 4],
    quarter_began: Time,
    round_began: Time,
    acked: u32,
}

impl PipeAck {
    fn acknowledged(&mut self, now: Time, segments: u32, srtt: Duration) {
        self.acked += segments;
        let round = now.since(self.round_began);
        if srtt == Duration::ZERO || round < srtt {
            return;
        }
        let quarter = (srtt * 3).max(Duration::from_secs(1)) / 4;
        let passed = now.since(self.quarter_began).as_nanos() / quarter.as_nanos();
        if passed > 0 {
            let shift = passed.min(4) as usize;
            self.quarters.rotate_right(shift % 4);
            self.quarters[..shift].fill(None);
            self.quarter_began = now;
        }
        // A round that lasted longer than the round-trip time counts by its mean.
        let sample = u64::from(self.acked) * srtt.as_nanos() / round.as_nanos();
        self.quarters[0] = self.quarters[0].max(Some(sample as u32));
        self.acked = 0;
        self.round_began = now;
    }

    fn largest(&self) -> Option<u32> {
        self.quarters.iter().copied().max().flatten()
    }

    /// Before the first measurement the window counts as used (section 4.2).
    fn validates(&self, cwnd: u32) -> bool {
        self.largest().is_none_or(|pipe| pipe.saturating_mul(2) >= cwnd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn at(n: u64) -> Time {
        Time::ZERO + ms(n)
    }

    fn validator(window_validation: Validation) -> Validator {
        Validator::new(&UnusedWindow { window_validation, slow_start_after_idle: true }, 10)
    }

    /// A sender of `out` segments from a window of 100, with a timeout of 200 ms.
    fn with(out: u32, waiting: bool) -> Use {
        Use {
            out,
            cwnd: 100,
            full: out >= 100,
            slow_start: false,
            una: 0,
            next: 0,
            current: 75,
            rto: ms(200),
            open: true,
            waiting,
        }
    }

    #[test]
    fn linux_grows_only_a_window_within_three_of_full() {
        let v = validator(Validation::Linux);
        assert!(v.may_grow(17, 20, false) && !v.may_grow(16, 20, true));
        let v = validator(Validation::LinuxFull);
        assert!(v.may_grow(20, 20, false) && !v.may_grow(19, 20, true));
        assert!(validator(Validation::None).may_grow(0, 20, false));
    }

    /// `tcp_is_cwnd_limited` and `tcp_cwnd_validate`, Linux 6.x.
    #[test]
    fn in_slow_start_the_window_becomes_twice_what_was_used() {
        let mut v = validator(Validation::LinuxUsed);
        v.sent(at(0), &Use { out: 20, cwnd: 39, una: 0, next: 20, slow_start: true, ..with(20, false) });
        assert!(v.may_grow(0, 39, true) && !v.may_grow(0, 40, true), "in flight does not count");
        assert!(!v.may_grow(20, 20, false), "past slow start only a window that was full");
    }

    #[test]
    fn a_full_window_counts_for_a_window_of_data() {
        let mut v = validator(Validation::LinuxUsed);
        v.sent(at(0), &Use { full: true, una: 0, next: 100, ..with(100, false) });
        v.sent(at(10), &Use { una: 50, next: 110, ..with(60, false) });
        assert!(v.may_grow(0, 100, false), "what was out then is not yet acknowledged");
        v.sent(at(20), &Use { una: 100, next: 160, ..with(60, false) });
        assert!(!v.may_grow(0, 100, false));
        v.held_back(at(30), &Use { full: true, una: 100, next: 160, ..with(60, false) });
        assert!(v.may_grow(0, 100, false), "the window let nothing go");
    }

    #[test]
    fn idle_windows_are_halved_per_timeout_down_to_the_initial_one() {
        let restart = |mode, cwnd, idle| {
            validator(mode).restart(at(idle), cwnd, 75, ms(200)).map(|d| (d.cwnd, d.ssthresh))
        };
        assert_eq!(restart(Validation::Linux, 100, 200), None);
        assert_eq!(restart(Validation::Linux, 100, 201), Some((50, 75)));
        assert_eq!(restart(Validation::Linux, 100, 401), Some((25, 75)));
        assert_eq!(restart(Validation::Linux, 100, 9999), Some((10, 75)));
        assert_eq!(restart(Validation::Linux, 4, 9999), Some((4, 75)));
        assert_eq!(restart(Validation::None, 100, 9999), None);
        assert_eq!(restart(Validation::Rfc7661, 100, 9999), None);
    }

    #[test]
    fn an_application_limited_window_decays_per_timeout() {
        let decay = |mode, waiting| {
            let mut v = validator(mode);
            assert_eq!(v.sent(at(0), &with(100, waiting)), None);
            assert_eq!(v.sent(at(199), &with(40, waiting)), None);
            v.sent(at(200), &with(30, waiting)).map(|d| d.cwnd)
        };
        assert_eq!(decay(Validation::Linux, false), Some(70));
        assert_eq!(decay(Validation::LinuxUsed, false), Some(70));
        assert_eq!(decay(Validation::Linux, true), None, "a full send buffer is not the application's fault");
        assert_eq!(decay(Validation::Rfc2861, true), Some(70));
        assert_eq!(decay(Validation::None, false), None);
    }

    #[test]
    fn a_window_that_lasts_does_not_decay() {
        let lasting = UnusedWindow { window_validation: Validation::LinuxUsed, slow_start_after_idle: false };
        let mut v = Validator::new(&lasting, 10);
        assert_eq!(v.restart(at(10_000), 100, 75, ms(200)), None);
        assert_eq!(v.sent(at(0), &with(100, false)), None);
        assert_eq!(v.sent(at(10_000), &with(30, false)), None);
    }

    #[test]
    fn an_ack_that_could_raise_the_window_restarts_the_timeout() {
        let decay = |mode, limited| {
            let mut v = validator(mode);
            assert_eq!(v.sent(at(0), &with(100, false)), None);
            v.considered(at(150), limited);
            let early = v.sent(at(349), &with(40, false)).map(|d| d.cwnd);
            (early, v.sent(at(350), &with(40, false)).map(|d| d.cwnd))
        };
        for limited in [false, true] {
            assert_eq!(decay(Validation::Linux, limited), (None, Some(70)));
            assert_eq!(decay(Validation::Rfc2861, limited), (Some(70), None), "that clock is Linux's");
        }
        assert_eq!(decay(Validation::LinuxFull, true), (None, Some(70)));
        assert_eq!(decay(Validation::LinuxFull, false), (Some(70), None));
    }

    #[test]
    fn rfc_7661_asks_for_half_the_window_within_a_round_trip() {
        let mut v = validator(Validation::Rfc7661);
        assert!(v.may_grow(0, 1000, false), "nothing measured");
        for i in 1..=10 {
            v.acknowledged(at(100 * i), 20, ms(100));
        }
        assert!(v.may_grow(0, 40, false) && !v.may_grow(0, 41, false));
        assert_eq!((v.before_reduction(100, 5), v.before_reduction(100, 30)), (20, 30));
        assert_eq!(v.before_reduction(40, 5), 40);
        let mut idle = validator(Validation::Rfc7661);
        (1..=10).for_each(|i| idle.acknowledged(at(100 * i), 0, ms(100)));
        assert_eq!(idle.before_reduction(10, 0), 1, "never nothing");
        // The samples age: after the sampling period only new ones count.
        for i in 30..=40 {
            v.acknowledged(at(100 * i), 2, ms(100));
        }
        assert!(v.may_grow(0, 4, false) && !v.may_grow(0, 5, false));
        let sent = Use { cwnd: 50, ..with(2, false) };
        assert_eq!(v.sent(at(4_000), &sent), None);
        assert_eq!(v.sent(at(300_000), &sent).map(|d| d.cwnd), Some(25));
    }
}
