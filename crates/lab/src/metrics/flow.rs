//! What is measured of a flow.

use super::mean::{Count, SampleMean, TimeMean};
use super::series::{Metric, Series};
use airloom_observe::{LossEvent, Window};
use airloom_sim::{Duration, Time};

fn ms(d: Duration) -> f64 {
    d.as_nanos() as f64 * 1e-6
}

#[derive(Clone, Debug, Default)]
pub(super) struct FlowMeter {
    pub(super) bytes: Count,
    pub(super) cwnd: TimeMean,
    ssthresh: TimeMean,
    in_flight: TimeMean,
    pub(super) srtt: TimeMean,
    pub(super) rtt: SampleMean,
    pub(super) retransmissions: Count,
    pub(super) recoveries: u64,
    pub(super) timeouts: u64,
    pub(super) local_drops: u64,
    pub(super) undone: u64,
}

impl FlowMeter {
    pub(super) fn window(&mut self, now: Time, window: &Window) {
        self.cwnd.set(now, f64::from(window.cwnd));
        self.in_flight.set(now, f64::from(window.in_flight));
        if window.srtt > Duration::ZERO {
            self.srtt.set(now, ms(window.srtt));
        }
        if window.ssthresh != u32::MAX {
            self.ssthresh.set(now, f64::from(window.ssthresh));
        }
    }

    pub(super) fn rtt(&mut self, sample: Duration) {
        self.rtt.add(ms(sample));
    }

    pub(super) fn retransmission(&mut self) {
        self.retransmissions.add(1);
    }

    pub(super) fn delivered(&mut self, bytes: u64) {
        self.bytes.add(bytes);
    }

    pub(super) fn loss(&mut self, event: LossEvent) {
        match event {
            LossEvent::RecoveryEntered => self.recoveries += 1,
            LossEvent::Timeout => self.timeouts += 1,
            LossEvent::LocalDrop => self.local_drops += 1,
            LossEvent::Undone => self.undone += 1,
            LossEvent::Marked | LossEvent::RecoveryLeft => {}
        }
    }

    pub(super) fn close_bin(&mut self, start: Time, end: Time, entity: u16, series: &mut Series) {
        let (time, length) = (start.as_secs_f64(), end.since(start).as_secs_f64());
        let goodput = self.bytes.take() * 8e-6 / length;
        series.push(time, entity, Metric::Goodput, Some(goodput));
        series.push(time, entity, Metric::Cwnd, self.cwnd.take(start, end));
        series.push(time, entity, Metric::Ssthresh, self.ssthresh.take(start, end));
        series.push(time, entity, Metric::InFlight, self.in_flight.take(start, end));
        series.push(time, entity, Metric::Srtt, self.srtt.take(start, end));
        series.push(time, entity, Metric::Rtt, self.rtt.take());
        let retransmissions = self.retransmissions.take() / length;
        series.push(time, entity, Metric::Retransmissions, Some(retransmissions));
    }
}
