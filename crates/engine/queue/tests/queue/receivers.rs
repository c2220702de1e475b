//! What mac80211's queues promise each receiver.

use airloom_observe::{Ecn, NodeId, QueueId, QueueLayer};
use airloom_queue::{Item, Mac80211};
use airloom_sim::{Bytes, Duration, Handle, Time};
use proptest::prelude::*;
use std::collections::BTreeMap;

const ID: QueueId = QueueId { node: NodeId(0), layer: QueueLayer::Discipline };
const MAC80211: Mac80211 = Mac80211 {
    limit: 8192,
    memory: Bytes(4 << 20),
    flows: 4096,
    quantum: 300,
    target: Duration::from_millis(20),
    interval: Duration::from_millis(100),
    ecn: true,
    airtime: None,
};

fn item(packet: u32, flow: u32, bytes: u32) -> Item {
    Item { packet: Handle(packet), bytes, flow: flow << 20, ecn: Ecn::NotEct }
}

proptest! {
    /// Packets in = packets out + packets dropped + packets held; each comes out for its receiver, and in the order of its
    /// flow unless receivers' flows fall into the same few buckets.
    #[test]
    fn every_packet_is_accounted_for_at_its_receiver(
        few in any::<bool>(),
        steps in prop::collection::vec((0u32..3, 0u32..3, 0u32..6, 1u32..1600, 0u64..30), 1..400),
    ) {
        let flows = if few { 4 } else { 4096 };
        let mut queues = Mac80211 { limit: 40, memory: Bytes(30_000), flows, ..MAC80211 }.queues(ID, 3);
        let (mut dropped, mut out, mut receivers) = (Vec::new(), Vec::new(), Vec::new());
        let mut now = Time::ZERO;
        for (action, receiver, flow, bytes, pause) in steps {
            now += Duration::from_millis(pause);
            if action > 0 {
                queues.enqueue(now, receiver, item(receivers.len() as u32, 600 * flow + receiver, bytes), &mut dropped, &mut ());
                receivers.push(receiver);
            } else {
                let held = queues.has(receiver);
                let next = queues.dequeue(now, receiver, &mut dropped, &mut ());
                prop_assert!(held || next.is_none());
                prop_assert!(next.is_some() || !queues.has(receiver), "it gives something until nothing is left");
                prop_assert!(next.is_none_or(|item| receivers[item.packet.0 as usize] == receiver));
                out.extend(next);
            }
            prop_assert_eq!(receivers.len(), out.len() + dropped.len() + queues.len());
            prop_assert!(queues.len() <= 40);
        }
        let mut last = BTreeMap::new();
        for item in &out {
            let before = last.insert((receivers[item.packet.0 as usize], item.flow), item.packet.0);
            prop_assert!(few || before < Some(item.packet.0), "{item:?} after {before:?}");
        }
    }
}

/// Linux `fq_flow_drop()`: half of the packets of the flow with the most bytes, whosever it is, from its head.
#[test]
fn an_overflow_costs_the_fattest_flow_of_any_receiver_half_of_its_packets() {
    let mut queues = Mac80211 { limit: 10, ..MAC80211 }.queues(ID, 2);
    let mut dropped = Vec::new();
    for n in 0..11 {
        let (receiver, flow, bytes) = if n < 4 { (0, 1, 1500) } else { (1, n, 200) };
        queues.enqueue(Time::ZERO, receiver, item(n, flow, bytes), &mut dropped, &mut ());
    }
    let lost: Vec<u32> = dropped.iter().map(|item| item.packet.0).collect();
    assert_eq!((queues.len(), lost), (9, vec![0, 1]));
}

/// Linux `fq_tin_dequeue_func()` with the `mtu` of `codel_params_init()`: the last packet of a flow is never dropped, however
/// long it has waited; RFC 8289 section 4.2 exempts the last full-sized packet of the queue.
#[test]
fn the_last_packet_of_a_flow_is_never_dropped() {
    let mut queues = MAC80211.queues(ID, 1);
    let mut dropped = Vec::new();
    for second in 0..20 {
        let at = Time::ZERO + Duration::from_secs(second);
        queues.enqueue(at, 0, item(second as u32, 1, 1500), &mut dropped, &mut ());
        let late = at + Duration::from_millis(900);
        assert!(queues.dequeue(late, 0, &mut dropped, &mut ()).is_some());
    }
    assert!(dropped.is_empty());
}
