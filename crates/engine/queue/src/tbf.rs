//! A token bucket: packets leave at a rate, but for a burst (Linux `net/sched/sch_tbf.c` without `peakrate`).
//!
//! Tokens come in at the rate until the bucket is full; a packet leaves once there is one for each of its bytes, and takes
//! them with it. So in any time t no more than burst + rate x t passes (`tbf_dequeue()`). Packets keep their order: a short
//! one does not overtake a long one that waits for its tokens. What is longer than the burst never has its tokens and is
//! dropped as it comes (`tbf_enqueue()`). Lengths are those of packets, where Linux adds their Ethernet header of 14 bytes.
//!
//! Tokens are counted exactly, in billionths of a bit: at a rate of n bit/s a nanosecond brings n of them.

use crate::fifo::{self, Fifo};
use crate::parameters::{MOST_BYTES, MOST_TIME, parameters};
use crate::{Item, Limit, Next, Queueing};
use airloom_observe::{Probe, QueueId};
use airloom_sim::{BitRate, Bytes, Duration, Stream, Time};

/// Billionths of a bit in a byte.
const BYTE: u64 = 8_000_000_000;

parameters! {
    /// A token bucket; of `latency` and `limit`, what is less binds.
    pub struct Tbf {
        /// The rate at which tokens come in.
        rate: BitRate = rate(BitRate::from_bps(1), BitRate::from_mbps(400_000));
        /// What the bucket holds: it passes at once after a pause. Longer packets never pass.
        burst: Bytes = size(Bytes(1), MOST_BYTES);
        /// The longest that a packet waits for tokens, or "off": it limits the bytes held to `rate` times it and the burst
        /// (tc-tbf(8)).
        latency: Option<Duration> = time_or_off(Duration::from_micros(1), MOST_TIME), default Some(Duration::from_millis(50));
        /// The most it holds, "1000 packets" or "128 KiB", or both in an array.
        limit: Limit = limit(), default Limit { packets: None, bytes: None };
    }
}

impl Tbf {
    /// An empty queue with a full bucket.
    pub fn queue(&self, id: QueueId, chance: Stream) -> Queue {
        let by_latency = self.latency.map(|latency| {
            let bits = u128::from(self.rate.as_bps()) * u128::from(latency.as_nanos());
            Bytes(self.burst.0 + (bits / u128::from(BYTE)) as u64)
        });
        let bytes = self.limit.bytes.into_iter().chain(by_latency).min();
        let limit = Limit { bytes, ..self.limit };
        let (rate, burst) = (self.rate.as_bps(), self.burst.0);
        Queue {
            held: Fifo { limit }.queue(id, chance),
            rate,
            burst,
            tokens: burst * BYTE,
            counted: Time::ZERO,
        }
    }
}

/// See the module.
pub struct Queue {
    held: fifo::Queue,
    /// In bits per second.
    rate: u64,
    /// In bytes.
    burst: u64,
    /// How many there were when they were counted last.
    tokens: u64,
    counted: Time,
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.held.len()
    }

    /// Never: every packet takes tokens.
    fn is_bypassed(&self) -> bool {
        false
    }

    fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        if u64::from(item.bytes) > self.burst {
            return self.held.refuse(now, item, probe);
        }
        self.held.enqueue(now, item, dropped, probe)
    }

    fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Next {
        let Some(bytes) = self.held.first().map(|item| item.bytes) else { return Next::Empty };
        let earned = self.rate.saturating_mul((now - self.counted).as_nanos());
        self.tokens = self.tokens.saturating_add(earned).min(self.burst * BYTE);
        self.counted = now;
        let price = u64::from(bytes) * BYTE;
        if price > self.tokens {
            return Next::NotBefore(now + Duration::from_nanos((price - self.tokens).div_ceil(self.rate)));
        }
        self.tokens -= price;
        self.held.dequeue(now, dropped, probe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{Ecn, NodeId, QueueLayer};
    use airloom_sim::Handle;
    use proptest::prelude::*;

    fn queue(tbf: &Tbf) -> Queue {
        let id = QueueId { node: NodeId(0), layer: QueueLayer::Link };
        tbf.queue(id, Stream::new(1, "", ""))
    }

    fn tbf(bps: u64, burst: u64) -> Tbf {
        let limit = Limit { packets: None, bytes: None };
        Tbf { rate: BitRate::from_bps(bps), burst: Bytes(burst), latency: None, limit }
    }

    fn item(bytes: u32) -> Item {
        Item { packet: Handle(0), bytes, flow: 0, ecn: Ecn::NotEct }
    }

    fn push(queue: &mut Queue, now: Time, bytes: u32) -> bool {
        queue.enqueue(now, item(bytes), &mut Vec::new(), &mut ()).is_ok()
    }

    /// The instants at which packets, each so many nanoseconds after the one before it, leave for a device that asks as soon
    /// as it may. It also asks too early, which must not change the answer.
    fn departures(queue: &mut Queue, packets: &[(u64, u32)], early: u64) -> Vec<Time> {
        let (mut arrival, mut now, mut left) = (Time::ZERO, Time::ZERO, Vec::new());
        for &(gap, bytes) in packets {
            arrival += Duration::from_nanos(gap);
            now = now.max(arrival);
            assert!(push(queue, arrival, bytes));
            loop {
                match queue.dequeue(now, &mut Vec::new(), &mut ()) {
                    Next::Packet(_) => break left.push(now),
                    Next::NotBefore(at) => {
                        assert!(at > now);
                        let between =
                            Time::from_nanos(at.as_nanos() - (early % (at - now).as_nanos()).max(1));
                        assert_eq!(queue.dequeue(between, &mut Vec::new(), &mut ()), Next::NotBefore(at));
                        now = at;
                    }
                    Next::Empty => panic!("a packet waits"),
                }
            }
        }
        left
    }

    proptest! {
        /// The definition in net/sched/sch_tbf.c: packets i to k, served at t(i) to t(k), are burst + rate (t(k) - t(i)) bytes
        /// at most, for any i and k. Each packet leaves in the first nanosecond in which that holds.
        #[test]
        fn a_packet_leaves_exactly_when_its_tokens_are_there(
            bps in prop_oneof![1u64..1000, 1_000u64..100_000, 1_000_000u64..1_000_000_000],
            burst in 1500u64..10_000,
            early in any::<u64>(),
            packets in prop::collection::vec((prop_oneof![Just(0), 0u64..20_000_000], 1u32..=1500), 1..60),
        ) {
            let left = departures(&mut queue(&tbf(bps, burst)), &packets, early);
            let (mut arrival, mut before) = (0, 0);
            for k in 0..packets.len() {
                arrival += packets[k].0;
                let mut first = arrival.max(before);
                let mut sum = 0u128;
                for i in (0..=k).rev() {
                    sum += u128::from(packets[i].1) * u128::from(BYTE);
                    let beyond = sum.saturating_sub(u128::from(burst) * u128::from(BYTE));
                    if i < k {
                        first = first.max(left[i].as_nanos() + beyond.div_ceil(u128::from(bps)) as u64);
                    }
                }
                prop_assert_eq!(left[k].as_nanos(), first, "packet {}", k);
                before = first;
            }
        }
    }

    /// 10 Mbit/s and 3000 bytes: two full packets at once, then one every 1.2 ms, and two again after 2.4 ms of rest.
    #[test]
    fn a_burst_passes_at_once_and_the_rest_at_the_rate() {
        let mut packets = [(0, 1500); 6];
        packets[4].0 = 6_000_000;
        let left = departures(&mut queue(&tbf(10_000_000, 3000)), &packets, 7);
        let left: Vec<u64> = left.into_iter().map(Time::as_nanos).collect();
        assert_eq!(left, [0, 0, 1_200_000, 2_400_000, 6_000_000, 6_000_000]);
    }

    /// Linux `tbf_enqueue()`: it would never leave, nor would anything behind it.
    #[test]
    fn what_is_longer_than_the_burst_is_dropped_as_it_comes() {
        let mut queue = queue(&tbf(1_000_000, 1000));
        assert!(!push(&mut queue, Time::ZERO, 1001));
        assert!(push(&mut queue, Time::ZERO, 1000));
        assert_eq!(queue.len(), 1);
    }

    /// tc-tbf(8): the limit is rate x latency + burst; here 12,500 + 1500 bytes. A tighter limit of its own binds instead.
    #[test]
    fn the_latency_limits_what_waits() {
        let latency = Some(Duration::from_millis(100));
        let fits = |limit| {
            let mut queue = queue(&Tbf { latency, limit, ..tbf(1_000_000, 1500) });
            (0..100).filter(|_| push(&mut queue, Time::ZERO, 1000)).count()
        };
        assert_eq!(fits(Limit { packets: None, bytes: None }), 14);
        assert_eq!(fits(Limit { packets: Some(5), bytes: None }), 5);
        assert_eq!(fits(Limit { packets: None, bytes: Some(Bytes(3500)) }), 3);
        assert_eq!(fits(Limit { packets: None, bytes: Some(Bytes(100_000)) }), 14);
    }
}
