//! Round-trip time and retransmission timeout (RFC 6298; `tcp_rtt_estimator`, `tcp_set_rto`, Linux 3.13).

use crate::Clocks;
use crate::jiffies::Jiffies;
use crate::rack::SLACK;
use airloom_sim::{Duration, Time};

/// Largest retransmission timeout (`TCP_RTO_MAX`).
pub(crate) const RTO_MAX: Duration = Duration::from_secs(120);

/// Smoothed round-trip time, its variance, and the timeout.
pub(crate) struct RttEstimator {
    tick: u64,
    jiffies: Jiffies,
    rto_min: i64,
    rto_initial: Duration,
    /// Eight times the smoothed round-trip time, in ns; zero before the first sample.
    srtt8: i64,
    /// Four times the mean deviation, in ns.
    mdev4: i64,
    /// Largest `mdev4` of the present round trip, never below the floor.
    mdev4_max: i64,
    /// The variance term of the timeout, in ns.
    rttvar: i64,
    /// The round trip over which `mdev4_max` is taken ends when this is acknowledged.
    round_end: u64,
    rto: Duration,
}

impl RttEstimator {
    pub(crate) fn new(clocks: &Clocks) -> Self {
        Self {
            tick: clocks.tick.as_nanos(),
            jiffies: Jiffies::new(clocks.timer_tick),
            rto_min: clocks.rto_min.as_nanos() as i64,
            rto_initial: clocks.rto_initial,
            srtt8: 0,
            mdev4: 0,
            mdev4_max: 0,
            rttvar: 0,
            round_end: 0,
            rto: clocks.rto_initial,
        }
    }

    /// Smoothed round-trip time; zero before the first sample.
    pub(crate) fn srtt(&self) -> Duration {
        Duration::from_nanos((self.srtt8 >> 3) as u64)
    }

    /// The timeout, backed off as it may be.
    pub(crate) fn rto(&self) -> Duration {
        self.rto
    }

    /// The time from `sent` to `now` as the configured clock sees it.
    pub(crate) fn elapsed(&self, sent: Time, now: Time) -> Duration {
        match self.tick {
            0 => now.since(sent),
            tick => Duration::from_nanos((now.as_nanos() / tick - sent.as_nanos() / tick) * tick),
        }
    }

    /// Takes a sample while `una` to `next` is outstanding; the timeout is no longer backed off.
    pub(crate) fn sample(&mut self, rtt: Duration, una: u64, next: u64) {
        // Linux makes a sample of zero jiffies one jiffy.
        let mut m = (rtt.as_nanos() as i64).max(self.tick.max(1) as i64);
        if self.srtt8 == 0 {
            self.srtt8 = m << 3;
            self.mdev4 = m << 1;
            self.rttvar = self.mdev4.max(self.rto_min);
            self.mdev4_max = self.rttvar;
            self.round_end = next;
        } else {
            m -= self.srtt8 >> 3;
            self.srtt8 += m;
            let falling = m < 0;
            m = m.abs() - (self.mdev4 >> 2);
            // A falling round-trip time raises the variance only slowly; otherwise the timeout would grow with it.
            if falling && m > 0 {
                m >>= 3;
            }
            self.mdev4 += m;
            if self.mdev4 > self.mdev4_max {
                self.mdev4_max = self.mdev4;
                self.rttvar = self.rttvar.max(self.mdev4_max);
            }
            if una > self.round_end {
                if self.mdev4_max < self.rttvar {
                    self.rttvar -= (self.rttvar - self.mdev4_max) >> 2;
                }
                self.round_end = next;
                self.mdev4_max = self.rto_min;
            }
        }
        let rto = Duration::from_nanos(((self.srtt8 >> 3) + self.rttvar) as u64);
        self.rto = self.jiffies.whole(rto).min(RTO_MAX);
    }

    /// After which time without an ACK a tail loss probe is due (`tcp_schedule_loss_probe`); the receiver may hold back the ACK
    /// of a `single` segment.
    pub(crate) fn probe_wait(&self, single: bool) -> Duration {
        let more = if single { Duration::from_nanos(self.rto_min as u64) } else { SLACK };
        let srtt = self.srtt();
        if srtt == Duration::ZERO { self.rto_initial } else { srtt * 2 + more }
    }

    /// Doubles the timeout.
    pub(crate) fn back_off(&mut self) {
        self.rto = (self.rto * 2).min(RTO_MAX);
    }

    /// Undoes one doubling.
    pub(crate) fn undo_back_off(&mut self, before: Duration) {
        self.rto = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn estimator(tick: u64) -> RttEstimator {
        RttEstimator::new(&Clocks { tick: ms(tick), ..Clocks::PLAIN })
    }

    #[test]
    fn the_variance_term_and_not_the_timeout_has_a_floor() {
        let mut e = estimator(0);
        assert_eq!((e.srtt(), e.rto()), (Duration::ZERO, ms(1000)));
        for i in 0..100 {
            e.sample(ms(50), i, i + 1);
        }
        assert_eq!((e.srtt(), e.rto()), (ms(50), ms(250)));
    }

    #[test]
    fn the_first_sample_gives_three_times_itself() {
        let mut e = estimator(0);
        e.sample(ms(400), 0, 1);
        assert_eq!((e.srtt(), e.rto()), (ms(400), ms(1200)));
        e.sample(ms(480), 0, 1);
        // srtt = 400 + 80/8; mdev4 = 800 + 80 - 200 is below the maximum of this round.
        assert_eq!((e.srtt(), e.rto()), (ms(410), ms(1210)));
    }

    #[test]
    fn back_off_doubles_up_to_the_limit_and_a_sample_ends_it() {
        let mut e = estimator(0);
        e.sample(ms(50), 0, 1);
        e.back_off();
        assert_eq!(e.rto(), ms(500));
        (0..20).for_each(|_| e.back_off());
        assert_eq!(e.rto(), ms(120_000));
        e.sample(ms(50), 0, 1);
        assert_eq!(e.rto(), ms(250));
    }

    #[test]
    fn a_clock_in_jiffies_counts_edges() {
        let e = estimator(4);
        let at = |us| Time::ZERO + Duration::from_micros(us);
        assert_eq!(e.elapsed(at(3_999), at(4_001)), ms(4));
        assert_eq!(e.elapsed(at(4_001), at(7_999)), ms(0));
        let mut e = estimator(4);
        e.sample(ms(0), 0, 1);
        assert_eq!(e.srtt(), ms(4));
    }

    /// `__tcp_set_rto`: from microseconds to jiffies, rounded up.
    #[test]
    fn a_timeout_is_of_whole_ticks() {
        let mut e = RttEstimator::new(&Clocks { timer_tick: ms(4), ..Clocks::PLAIN });
        e.sample(ms(101), 0, 1);
        assert_eq!(e.rto(), ms(304), "101 + 4 / 2 * 101");
    }
}
