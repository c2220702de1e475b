//! Measurements of a flow of datagrams or pings.

use super::mean::{Count, SampleMean};
use super::quantiles::Quantiles;
use airloom_observe::DatagramEvent;

/// Datagrams sent and arrived, or pings sent and answered, and how long that took.
#[derive(Clone, Debug, Default)]
pub(super) struct DatagramMeter {
    pub(super) sent: Count,
    pub(super) arrived: Count,
    /// One-way delays, or round trips of pings, in ms.
    pub(super) delay: SampleMean,
    pub(super) delays: Quantiles,
    /// All round trips of pings, in ns; pings are few.
    rtts: Vec<u64>,
}

impl DatagramMeter {
    /// Counts an event. Returns the payload that arrived with it.
    pub(super) fn event(&mut self, event: &DatagramEvent) -> u64 {
        match *event {
            DatagramEvent::Sent => self.sent.add(1),
            DatagramEvent::Arrived { payload, delay } => {
                self.arrived.add(1);
                self.delay.add(ms(delay.as_nanos()));
                self.delays.add(delay);
                return u64::from(payload);
            }
            DatagramEvent::Answered { rtt } => {
                self.arrived.add(1);
                self.delay.add(ms(rtt.as_nanos()));
                self.delays.add(rtt);
                self.rtts.push(rtt.as_nanos());
            }
        }
        0
    }

    /// Those that neither arrived nor are among the `in_transit` still under way.
    pub(super) fn lost(&self, in_transit: u64) -> u64 {
        self.sent.total() - self.arrived.total() - in_transit
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
    use airloom_sim::Duration;

    #[test]
    fn quantiles_are_of_nearest_rank() {
        let mut meter = DatagramMeter::default();
        assert_eq!(meter.rtt_quantile(0.5), None);
        for n in (1..=20).rev() {
            meter.event(&DatagramEvent::Sent);
            meter.event(&DatagramEvent::Answered { rtt: Duration::from_millis(n) });
        }
        let at = |share| meter.rtt_quantile(share).map(f64::round);
        assert_eq!((at(0.0), at(0.5), at(0.95), at(1.0)), (Some(1.0), Some(10.0), Some(19.0), Some(20.0)));
    }

    #[test]
    fn what_is_under_way_is_not_lost() {
        let mut meter = DatagramMeter::default();
        (0..5).for_each(|_| assert_eq!(meter.event(&DatagramEvent::Sent), 0));
        let delay = Duration::from_millis(1);
        assert_eq!(meter.event(&DatagramEvent::Arrived { payload: 7, delay }), 7);
        assert_eq!(meter.lost(3), 1);
    }
}
