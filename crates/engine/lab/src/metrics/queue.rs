//! Measurements of a queue.

use super::mean::{Count, SampleMean, TimeMean, nanos};
use airloom_observe::{DropCause, QueueEvent};
use airloom_sim::{Duration, Time};

/// One queue of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct QueueMeter {
    pub(super) depth: TimeMean,
    pub(super) sojourn: SampleMean,
    /// Packets dropped, by cause.
    pub(super) drops: [Count; DropCause::WORDS.len()],
    pub(super) marks: Count,
    stays: Stays,
}

/// Packets of which it is known as they go in when they come out. They are counted many at a time, since single ones cost more.
#[derive(Clone, Debug, Default)]
struct Stays {
    /// Those that are not counted to their end, in their order.
    open: Vec<Stay>,
    /// The sum of their lengths.
    length: Duration,
    /// Until when they are counted.
    counted: Time,
    /// The most that were inside at a time.
    most: usize,
}

/// From when until when a packet is inside.
#[derive(Clone, Copy, Debug)]
struct Stay {
    from: Time,
    to: Time,
}

/// Stays that there is room for at first.
const STAYS: usize = 256;

impl Stays {
    /// How long the first `out` were inside, and how long all were since the last count.
    fn lengths(&mut self, out: usize, now: Time) -> (Duration, Duration) {
        let rest = &self.open[out..];
        let left: Duration = rest.iter().map(|stay| stay.to - stay.from).sum();
        let so_far: Duration = rest.iter().map(|stay| now.since(stay.from)).sum();
        let before = self.open.iter().take_while(|stay| stay.from < self.counted);
        let before: Duration = before.map(|stay| self.counted - stay.from).sum();
        let gone = std::mem::replace(&mut self.length, left) - left;
        (gone, gone + so_far - before)
    }

    /// The most that were inside at a time, those among them that have come since the last count.
    fn most_inside(&mut self) -> usize {
        for place in self.most..self.open.len() {
            // Nothing overtakes, so that those between the two are inside, too.
            if self.open[place - self.most].to > self.open[place].from {
                self.most += 1;
            }
        }
        self.most
    }
}

impl QueueMeter {
    // Inlined, since event and queue are known where the observation is made.
    #[inline(always)]
    pub(super) fn event(&mut self, now: Time, event: &QueueEvent) {
        match *event {
            QueueEvent::In { packets, .. } => self.depth.set(now, f64::from(packets)),
            QueueEvent::Through { sojourn, .. } => self.through(now, sojourn),
            QueueEvent::Out { packets, sojourn, .. } => {
                self.depth.set(now, f64::from(packets));
                self.sojourn.add(nanos(sojourn) * 1e-6);
            }
            QueueEvent::Drop { cause, packets, .. } => {
                // Those whose stay is known say themselves when they are inside.
                if self.stays.open.is_empty() {
                    self.depth.set(now, f64::from(packets));
                }
                self.drops[cause.index()].add(1);
            }
            QueueEvent::Mark { .. } => self.marks.add(1),
        }
    }

    /// A packet goes in, and will be inside for so long.
    #[inline(always)]
    fn through(&mut self, now: Time, sojourn: Duration) {
        if sojourn == Duration::ZERO {
            self.depth.begin(now);
            return self.sojourn.add_all(0.0, 1);
        }
        if self.stays.open.len() == self.stays.open.capacity() {
            self.make_room(now);
        }
        self.stays.open.push(Stay { from: now, to: now + sojourn });
        self.stays.length += sojourn;
    }

    /// Counts what has come out, so that there is room for as many stays as there were.
    #[cold]
    fn make_room(&mut self, now: Time) {
        self.depth.begin(now);
        self.count_stays(now);
        let open = &mut self.stays.open;
        open.reserve(open.len().max(STAYS));
    }

    /// Counts the stays of packets up to this time.
    fn count_stays(&mut self, now: Time) {
        let out = self.stays.open.partition_point(|stay| stay.to < now);
        let (gone, inside) = self.stays.lengths(out, now);
        self.sojourn.add_all(nanos(gone) * 1e-6, out as u64);
        self.depth.add(inside, self.stays.most_inside() as f64);
        self.stays.open.drain(..out);
        self.stays.counted = now;
    }

    pub(super) fn forget(&mut self, now: Time) {
        self.count_stays(now);
        self.depth.forget(now);
        self.stays.most = self.stays.open.len();
        self.sojourn.forget();
        self.drops.iter_mut().chain([&mut self.marks]).for_each(Count::forget);
    }

    /// The mean depth and the mean wait of the bin that ends, if there are any; then starts afresh.
    pub(super) fn take(&mut self, start: Time, end: Time) -> [Option<f64>; 2] {
        self.count_stays(end);
        [self.depth.take(start, end), self.sojourn.take()]
    }

    /// How many packets were dropped in the bin that ends; then starts afresh.
    pub(super) fn take_drops(&mut self) -> f64 {
        self.drops.iter_mut().map(Count::take).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{NodeId, QueueId, QueueLayer};

    const QUEUE: QueueId = QueueId { node: NodeId(0), layer: QueueLayer::Link };

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// A queue in which nothing overtakes is measured alike, whether its packets are seen twice or once.
    #[test]
    fn what_comes_out_when_it_is_known_is_measured_as_what_is_seen_to() {
        let (mut twice, mut once) = (QueueMeter::default(), QueueMeter::default());
        // In at, out at, in ms: the last is inside as the second bin ends.
        let packets = [(0, 0), (1, 7), (3, 15), (4, 22), (16, 25)];
        let mut seen = Vec::new();
        for (came, left) in packets {
            let [at, out] = [came, left].map(|n| Time::ZERO + ms(n));
            let sojourn = out - at;
            seen.push((at, QueueEvent::Through { queue: QUEUE, sojourn }));
            let inside =
                |then: u64| packets.iter().filter(|(came, left)| *came <= then && then < *left).count();
            twice_seen(&mut seen, (at, inside(came)), (out, inside(left)), sojourn);
        }
        seen.sort_by_key(|(at, _)| *at);
        let bins = [(0, 10), (10, 20)];
        for (start, end) in bins.map(|(start, end)| (Time::ZERO + ms(start), Time::ZERO + ms(end))) {
            for (at, event) in seen.iter().filter(|(at, _)| start <= *at && *at < end) {
                let meter = if matches!(event, QueueEvent::Through { .. }) { &mut once } else { &mut twice };
                meter.event(*at, event);
            }
            assert_eq!(once.take(start, end), twice.take(start, end));
        }
        let end = Time::ZERO + ms(20);
        assert_eq!(once.depth.overall(end), twice.depth.overall(end));
        assert_eq!(once.depth.overall(end), Some(f64::from(6 + 12 + 16 + 4) / 20.0));
        assert_eq!((once.depth.max(), once.sojourn.overall()), (3.0, Some(6.0)));
    }

    fn twice_seen(
        seen: &mut Vec<(Time, QueueEvent)>,
        (at, then): (Time, usize),
        (out, later): (Time, usize),
        sojourn: Duration,
    ) {
        if at == out {
            return seen.push((at, QueueEvent::Out { queue: QUEUE, packets: 0, sojourn }));
        }
        seen.push((at, QueueEvent::In { queue: QUEUE, packets: then as u32 }));
        seen.push((out, QueueEvent::Out { queue: QUEUE, packets: later as u32, sojourn }));
    }

    /// What waits as the warm-up ends counts from there on.
    #[test]
    fn what_is_inside_as_the_warm_up_ends_counts_from_there_on() {
        let mut meter = QueueMeter::default();
        let at = |n| Time::ZERO + ms(n);
        for (came, sojourn) in [(0, 4), (2, 10)] {
            meter.event(at(came), &QueueEvent::Through { queue: QUEUE, sojourn: ms(sojourn) });
        }
        meter.forget(at(6));
        assert_eq!(meter.take(at(0), at(16)), [Some(14.0 / 16.0), Some(7.0)]);
        assert_eq!((meter.depth.overall(at(16)), meter.sojourn.overall()), (Some(0.6), Some(10.0)));
        assert!((meter.depth.max() - 1.0).abs() < 1e-9);
    }

    /// A packet that is refused changes nothing of those that wait.
    #[test]
    fn what_is_refused_changes_no_depth() {
        let mut meter = QueueMeter::default();
        let at = |n| Time::ZERO + ms(n);
        meter.event(at(0), &QueueEvent::Through { queue: QUEUE, sojourn: ms(4) });
        meter.event(at(1), &QueueEvent::Drop { queue: QUEUE, cause: DropCause::Full, packets: 1 });
        meter.event(at(6), &QueueEvent::Drop { queue: QUEUE, cause: DropCause::Lost, packets: 0 });
        assert_eq!(meter.take(at(0), at(8)), [Some(0.5), Some(4.0)]);
        assert!((meter.take_drops() - 2.0).abs() < 1e-9);
    }
}
