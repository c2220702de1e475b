//! Measurements of a flow of datagrams or pings.

use super::mean::{Count, SampleMean};
use super::quantiles::Quantiles;
use airloom_observe::DatagramEvent;
use airloom_sim::{Duration, Time};

/// Datagrams sent and arrived, or pings sent and answered, and how long that took: of those that were sent after the warm-up.
#[derive(Clone, Debug, Default)]
pub(super) struct DatagramMeter {
    pub(super) sent: Count,
    pub(super) arrived: Count,
    /// One-way delays, or round trips of pings, in ms.
    pub(super) delay: SampleMean,
    pub(super) delays: Quantiles,
    /// All round trips of pings, in ns; pings are few.
    rtts: Vec<u64>,
    /// From when on they count.
    from: Time,
}

impl DatagramMeter {
    /// Counts an event. Returns the payload that arrived with it.
    pub(super) fn event(&mut self, now: Time, event: &DatagramEvent) -> u64 {
        match *event {
            DatagramEvent::Sent => self.sent.add(1),
            DatagramEvent::Arrived { payload, delay } => {
                self.arrived(now, delay);
                return u64::from(payload);
            }
            DatagramEvent::Answered { rtt } => {
                if self.arrived(now, rtt) {
                    self.rtts.push(rtt.as_nanos());
                }
            }
        }
        0
    }

    /// Counts one that took so long. Whether it was sent late enough to count.
    fn arrived(&mut self, now: Time, took: Duration) -> bool {
        let counts = now.since(self.from) >= took;
        if counts {
            self.arrived.add(1);
            self.delay.add(ms(took.as_nanos()));
            self.delays.add(took);
        } else {
            self.delay.add_to_bin(ms(took.as_nanos()));
        }
        counts
    }

    /// Those sent before `now` count in the series alone.
    pub(super) fn forget(&mut self, now: Time) {
        self.from = now;
        self.sent.forget();
        self.arrived.forget();
        self.delay.forget();
        self.delays = Quantiles::default();
        self.rtts.clear();
    }

    /// Those that neither arrived nor are among the `in_transit` still under way, of those that count.
    pub(super) fn lost(&self, in_transit: u64) -> u64 {
        (self.sent.total() - self.arrived.total()).saturating_sub(in_transit)
    }

    /// The round trip in ms that a share of all pings did not exceed, if one was answered (nearest rank).
    pub(super) fn rtt_quantile(&self, share: f64) -> Option<f64> {
        let mut rtts = self.rtts.clone();
        rtts.sort_unstable();
        let rank = (share * rtts.len() as f64).ceil() as usize;
        rtts.get(rank.max(1) - 1).map(|&rtt| ms(rtt))
    }
}

fn ms(nanos: u64) -> f64 {
    nanos as f64 * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn quantiles_are_of_nearest_rank() {
        let mut meter = DatagramMeter::default();
        assert_eq!(meter.rtt_quantile(0.5), None);
        for n in (1..=20).rev() {
            meter.event(at(0), &DatagramEvent::Sent);
            meter.event(at(99), &DatagramEvent::Answered { rtt: Duration::from_millis(n) });
        }
        let at = |share| meter.rtt_quantile(share).map(f64::round);
        assert_eq!((at(0.0), at(0.5), at(0.95), at(1.0)), (Some(1.0), Some(10.0), Some(19.0), Some(20.0)));
    }

    #[test]
    fn what_is_under_way_is_not_lost() {
        let mut meter = DatagramMeter::default();
        (0..5).for_each(|_| assert_eq!(meter.event(at(0), &DatagramEvent::Sent), 0));
        let delay = Duration::from_millis(1);
        assert_eq!(meter.event(at(1), &DatagramEvent::Arrived { payload: 7, delay }), 7);
        assert_eq!(meter.lost(3), 1);
    }
    #[test]
    fn what_was_sent_before_it_counts_is_neither_delayed_nor_lost() {
        let mut meter = DatagramMeter::default();
        let sent = |meter: &mut DatagramMeter, ms| meter.event(at(ms), &DatagramEvent::Sent);
        let arrived = |meter: &mut DatagramMeter, ms, took| {
            let delay = Duration::from_millis(took);
            meter.event(at(ms), &DatagramEvent::Arrived { payload: 7, delay })
        };
        (0..4).for_each(|ms| _ = sent(&mut meter, ms));
        meter.forget(at(10));
        assert_eq!(arrived(&mut meter, 12, 12), 7, "its payload came now");
        sent(&mut meter, 11);
        arrived(&mut meter, 13, 2);
        assert_eq!((meter.sent.total(), meter.arrived.total(), meter.lost(0)), (1, 1, 0));
        assert_eq!((meter.delay.take(), meter.delay.overall()), (Some(7.0), Some(2.0)), "its bin has both");
    }
}
