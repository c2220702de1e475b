//! Measurements of a flow.

use super::datagrams::DatagramMeter;
use super::mean::{Count, SampleMean, TimeMean, nanos};
use super::quantiles::Quantiles;
use super::series::{Bin, Metric};
use super::still::{self, Still};
use airloom_observe::{DatagramEvent, LossEvent, Window};
use airloom_scenario::{Flow, FlowKind};
use airloom_sim::{Duration, Time};

fn ms(d: Duration) -> f64 {
    nanos(d) * 1e-6
}

/// Bits of a packet of 1500 bytes, by which a window becomes a load.
const PACKET_BITS: f64 = 12_000.0;

/// One flow: the payload that arrived, and measurements specific to its kind.
#[derive(Clone, Debug)]
pub(super) struct FlowMeter {
    pub(super) bytes: Count,
    /// When the last of them arrived.
    pub(super) last: Time,
    /// When its first byte may arrive, or what is measured begins; of a connection of real hosts, when it last had nothing in flight.
    pub(super) begin: Time,
    /// Whether it is one, whose program nothing is known of.
    is_connection: bool,
    pub(super) still: Still,
    pub(super) shared: Shared,
    pub(super) own: Own,
}

/// What of a flow arrives while all those are under way that always have more to send.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shared {
    from: Time,
    until: Time,
    bytes: u64,
}

impl Shared {
    /// From a time until another, before which nothing has arrived.
    pub(super) fn between((from, until): (Time, Time)) -> Self {
        Self { from, until, bytes: 0 }
    }

    #[inline(always)]
    fn add(&mut self, now: Time, bytes: u64) {
        if self.from <= now && now <= self.until {
            self.bytes += bytes;
        }
    }

    /// In Mbit/s; none without such a time.
    pub(super) fn goodput_mbps(&self) -> Option<f64> {
        (self.from < self.until).then(|| self.bytes as f64 * 8e-6 / self.until.since(self.from).as_secs_f64())
    }
}

/// Measurements specific to a kind of flow.
#[derive(Clone, Debug)]
pub(super) enum Own {
    Tcp(Box<TcpMeter>),
    Udp(DatagramMeter),
    Ping(DatagramMeter),
}

impl FlowMeter {
    /// Of a flow that may share what there is with others from a time until another.
    pub(super) fn new(flow: &Flow, sharing: (Time, Time)) -> Self {
        let own = match flow.kind {
            FlowKind::Tcp { .. } => Own::Tcp(Box::default()),
            FlowKind::Udp { .. } | FlowKind::Publish { .. } => Own::Udp(DatagramMeter::default()),
            FlowKind::Ping { .. } => Own::Ping(DatagramMeter::default()),
        };
        Self { begin: Time::ZERO + flow.start, shared: Shared::between(sharing), ..Self::of(own) }
    }

    /// Of a connection of real hosts, which nothing is known of before it is first seen to carry data.
    pub(super) fn of_connection(seen: Time) -> Self {
        Self { begin: seen, is_connection: true, ..Self::of(Own::Tcp(Box::default())) }
    }

    fn of(own: Own) -> Self {
        Self {
            bytes: Count::default(),
            last: Time::ZERO,
            begin: Time::ZERO,
            is_connection: false,
            still: Still::default(),
            shared: Shared::default(),
            own,
        }
    }

    pub(super) fn tcp(&mut self) -> &mut TcpMeter {
        match &mut self.own {
            Own::Tcp(meter) => meter,
            _ => unreachable!("windows, segments and losses are observed of TCP only"),
        }
    }

    #[inline(always)]
    pub(super) fn window(&mut self, now: Time, window: &Window) {
        // A real program may pause: only what is in flight shows that there was something to send.
        if self.is_connection && window.in_flight == 0 {
            self.begin = now;
        }
        self.tcp().window(now, window);
    }

    pub(super) fn datagram(&mut self, now: Time, event: &DatagramEvent) {
        if let Own::Udp(meter) | Own::Ping(meter) = &mut self.own {
            let bytes = meter.event(now, event);
            if bytes > 0 {
                self.delivered(now, bytes);
            }
        }
    }

    pub(super) fn delivered(&mut self, now: Time, bytes: u64) {
        self.bytes.add(bytes);
        self.shared.add(now, bytes);
        if now.since(self.last) >= still::LEAST {
            self.stood(now);
        }
        self.still.ends();
        self.last = now;
    }

    /// Something is delivered, long after the last.
    #[cold]
    fn stood(&mut self, now: Time) {
        self.still.add(self.last.max(self.begin), now);
    }

    /// What was before `now` counts in the series alone.
    pub(super) fn forget(&mut self, now: Time) {
        self.bytes.forget();
        (self.begin, self.still) = (self.begin.max(now), Still::default());
        match &mut self.own {
            Own::Tcp(meter) => meter.forget(now),
            Own::Udp(meter) | Own::Ping(meter) => meter.forget(now),
        }
    }

    pub(super) fn close_bin(&mut self, start: Time, end: Time, entity: u16, bin: &mut Bin) {
        let (time, length) = (start.as_secs_f64(), end.since(start).as_secs_f64());
        let goodput = self.bytes.take() * 8e-6 / length;
        match &mut self.own {
            Own::Tcp(meter) => {
                bin.push(time, entity, Metric::Goodput, Some(goodput));
                meter.close_bin(start, end, entity, bin);
            }
            Own::Udp(meter) => {
                bin.push(time, entity, Metric::Goodput, Some(goodput));
                bin.push(time, entity, Metric::Delay, meter.delay.take());
            }
            Own::Ping(meter) => bin.push(time, entity, Metric::Rtt, meter.delay.take()),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct TcpMeter {
    pub(super) cwnd: TimeMean,
    ssthresh: TimeMean,
    pub(super) in_flight: TimeMean,
    pub(super) srtt: TimeMean,
    pub(super) rtt: SampleMean,
    pub(super) rtts: Quantiles,
    pub(super) retransmissions: Count,
    pub(super) recoveries: u64,
    pub(super) timeouts: u64,
    pub(super) local_drops: u64,
    pub(super) undone: u64,
}

impl TcpMeter {
    #[inline(always)]
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

    #[inline(always)]
    pub(super) fn in_flight(&mut self, now: Time, segments: u32) {
        self.in_flight.set(now, f64::from(segments));
    }

    /// The sender is no more, nor are its window and its round trip.
    pub(super) fn closed(&mut self, now: Time) {
        for mean in [&mut self.cwnd, &mut self.ssthresh, &mut self.in_flight, &mut self.srtt] {
            mean.end(now);
        }
    }

    pub(super) fn rtt(&mut self, sample: Duration) {
        self.rtt.add(ms(sample));
        self.rtts.add(sample);
    }

    pub(super) fn retransmission(&mut self) {
        self.retransmissions.add(1);
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

    fn forget(&mut self, now: Time) {
        for mean in [&mut self.cwnd, &mut self.ssthresh, &mut self.in_flight, &mut self.srtt] {
            mean.forget(now);
        }
        self.rtt.forget();
        self.rtts = Quantiles::default();
        self.retransmissions.forget();
        (self.recoveries, self.timeouts, self.local_drops, self.undone) = (0, 0, 0, 0);
    }

    fn close_bin(&mut self, start: Time, end: Time, entity: u16, bin: &mut Bin) {
        let (time, length) = (start.as_secs_f64(), end.since(start).as_secs_f64());
        let (cwnd, rtt) = (self.cwnd.take(start, end), self.rtt.take());
        bin.push(time, entity, Metric::Cwnd, cwnd);
        bin.push(time, entity, Metric::Ssthresh, self.ssthresh.take(start, end));
        bin.push(time, entity, Metric::InFlight, self.in_flight.take(start, end));
        bin.push(time, entity, Metric::Srtt, self.srtt.take(start, end));
        bin.push(time, entity, Metric::Rtt, rtt);
        let load = cwnd.zip(rtt).filter(|(_, ms)| *ms > 0.0).map(|(cwnd, ms)| cwnd * PACKET_BITS / ms / 1e3);
        bin.push(time, entity, Metric::Load, load);
        let retransmissions = self.retransmissions.take() / length;
        bin.push(time, entity, Metric::Retransmissions, Some(retransmissions));
    }
}
