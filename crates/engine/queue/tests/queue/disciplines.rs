//! What every discipline keeps, and what each promises.

use airloom_observe::{Ecn, NodeId, QueueId, QueueLayer};
use airloom_queue::{
    Codel, Discipline, Fifo, FqCodel, Item, Limit, Next, Pie, Queue, Queueing, Red, Sfq, Tbf,
};
use airloom_sim::{BitRate, Bytes, Duration, Handle, Stream, Time};
use proptest::prelude::*;
use std::collections::BTreeMap;

const ID: QueueId = QueueId { node: NodeId(0), layer: QueueLayer::Discipline };
const CODEL: Codel =
    Codel { limit: 1000, target: Duration::from_millis(5), interval: Duration::from_millis(100), ecn: true };
const SFQ: Sfq = Sfq { limit: 127, depth: 127, flows: 127, divisor: 1024, quantum: 1514, perturb: None };
const FQ_CODEL: FqCodel = FqCodel {
    limit: 10_240,
    memory: Bytes(32 << 20),
    flows: 1024,
    quantum: 1514,
    target: Duration::from_millis(5),
    interval: Duration::from_millis(100),
    ecn: true,
};

fn fifo(packets: u32) -> Discipline {
    Discipline::Fifo(Fifo { limit: Limit { packets: Some(packets), bytes: None } })
}

fn empty(discipline: Discipline) -> Queue {
    discipline.queue(ID, Stream::new(1, "queue", "early drops")).expect("a queue for one device")
}

/// A hash that no other small number has in a table of 1024 buckets.
fn hash(flow: u32) -> u32 {
    flow << 22 | 0x1234
}

fn item(packet: u32, flow: u32, bytes: u32) -> Item {
    Item { packet: Handle(packet), bytes, flow: hash(flow), ecn: Ecn::NotEct }
}

/// A few of each discipline that hold 20 or 30 packets.
fn small() -> impl Strategy<Value = Discipline> {
    let perturbed = Some(Duration::from_millis(70));
    let sfq =
        |perturb| Discipline::Sfq(Sfq { limit: 30, depth: 12, flows: 3, divisor: 8, quantum: 300, perturb });
    let fair = FqCodel { limit: 20, memory: Bytes(20_000), flows: 8, quantum: 300, ..FQ_CODEL };
    prop::sample::select(vec![
        fifo(20),
        Discipline::Codel(Codel { limit: 20, ..CODEL }),
        Discipline::FqCodel(fair),
        sfq(None),
        sfq(perturbed),
        Discipline::Pie(Pie {
            limit: 20,
            target: Duration::from_millis(5),
            update: Duration::from_millis(15),
            burst: Duration::ZERO,
            alpha: 32,
            beta: 32,
            ecn: true,
        }),
        Discipline::Red(Red {
            limit: 20,
            min: 2,
            max: 12,
            one_in: 2,
            weight: 1,
            idle: Duration::from_millis(1),
            ecn: true,
        }),
        Discipline::Tbf(Tbf {
            rate: BitRate::from_bps(400_000),
            burst: Bytes(1600),
            latency: None,
            limit: Limit { packets: Some(20), bytes: None },
        }),
    ])
}

proptest! {
    /// Packets in = packets out + packets dropped + packets held; each is reported once; flows keep their order.
    #[test]
    fn every_packet_is_accounted_for_in_the_order_of_its_flow(
        discipline in small(),
        steps in prop::collection::vec((0u32..3, 0u32..6, 1u32..1600, 0u64..30), 1..400),
    ) {
        let mut queue = empty(discipline.clone());
        let (mut dropped, mut out, mut refused, mut pushed) = (Vec::new(), Vec::new(), 0, 0);
        let mut seen = Vec::new();
        let mut now = Time::ZERO;
        for (action, flow, bytes, pause) in steps {
            now += Duration::from_millis(pause);
            if action > 0 {
                let ecn = if flow % 2 == 0 { Ecn::Ect0 } else { Ecn::NotEct };
                let item = Item { ecn, ..item(pushed, flow, bytes) };
                pushed += 1;
                refused += usize::from(queue.enqueue(now, item, &mut dropped, &mut seen).is_err());
            } else {
                let held = queue.len();
                let next = queue.dequeue(now, &mut dropped, &mut seen);
                prop_assert_eq!(next == Next::Empty, held == 0, "it is empty if and only if it holds nothing");
                match next {
                    Next::Packet(item) => out.push(item),
                    Next::NotBefore(at) => prop_assert!(at > now, "{at:?} is no reason to wait at {now:?}"),
                    Next::Empty => {}
                }
            }
            prop_assert_eq!(pushed as usize, out.len() + dropped.len() + refused + queue.len());
        }
        let mut all: Vec<u32> = out.iter().chain(&dropped).map(|i| i.packet.0).collect();
        all.sort_unstable();
        all.dedup();
        prop_assert_eq!(all.len(), out.len() + dropped.len(), "no packet leaves twice");
        let mut last = BTreeMap::new();
        for item in &out {
            let before = last.insert(item.flow, item.packet.0);
            prop_assert!(before < Some(item.packet.0), "{item:?} after {before:?}");
            prop_assert!(item.ecn != Ecn::Ce || matches!(discipline, Discipline::Codel(_) | Discipline::FqCodel(_) | Discipline::Pie(_) | Discipline::Red(_)));
        }
    }
}

/// Serves `queue` at `rate` for `length` while flow n, from 10 n ms on, sends packets of `flows[n].0` bytes every
/// `flows[n].1`; returns what each flow got through and the longest that one of its packets waited.
fn bottleneck(
    queue: &mut Queue,
    rate: BitRate,
    length: Duration,
    flows: &[(u32, Duration)],
) -> Vec<(u64, Duration)> {
    let mut due: Vec<Time> = (0..flows.len() as u64).map(|n| Time::from_nanos(10_000_000 * n)).collect();
    let mut got = vec![(0, Duration::ZERO); flows.len()];
    let (mut entered, mut dropped) = (Vec::new(), Vec::new());
    let mut now = Time::ZERO;
    while now < Time::ZERO + length {
        while let Some(n) = (0..flows.len()).filter(|&n| due[n] <= now).min_by_key(|&n| due[n]) {
            let item = item(entered.len() as u32, n as u32, flows[n].0);
            entered.push((n, due[n]));
            let _ = queue.enqueue(due[n], item, &mut dropped, &mut ());
            due[n] += flows[n].1;
        }
        match queue.dequeue(now, &mut dropped, &mut ()) {
            Next::Packet(item) => {
                let (n, since) = entered[item.packet.0 as usize];
                got[n].0 += u64::from(item.bytes);
                got[n].1 = got[n].1.max(now - since);
                now += rate.time_for(Bytes(u64::from(item.bytes)));
            }
            Next::NotBefore(at) => now = at,
            Next::Empty => now = *due.iter().min().expect("flows"),
        }
    }
    got
}

fn jain(shares: impl Iterator<Item = f64> + Clone) -> f64 {
    let (sum, squares, n) = shares.fold((0.0, 0.0, 0.0), |(s, q, n), x| (s + x, q + x * x, n + 1.0));
    sum * sum / (n * squares)
}

/// Four flows, each of which alone asks for more than its fair share of 10 Mbit/s, with packets of other sizes.
fn unequal() -> [(u32, Duration); 4] {
    [(1500, 500), (300, 400), (1000, 2000), (100, 150)].map(|(bytes, us)| (bytes, Duration::from_micros(us)))
}

/// RFC 8290 section 4.1: capacity is shared by bytes, whatever a flow offers and however large its packets are. A fifo
/// shares it by what is offered.
#[test]
fn fq_codel_shares_a_bottleneck_equally_among_unequal_flows() {
    let rate = BitRate::from_mbps(10);
    let share = |mut queue: Queue| {
        let got = bottleneck(&mut queue, rate, Duration::from_secs(20), &unequal());
        jain(got.into_iter().map(|(bytes, _)| bytes as f64))
    };
    let fair = share(empty(Discipline::FqCodel(FQ_CODEL)));
    assert!(fair > 0.99, "{fair}");
    let stochastic = share(empty(Discipline::Sfq(SFQ)));
    assert!(stochastic > 0.99, "{stochastic}");
    let unfair = share(empty(fifo(1000)));
    assert!(unfair < 0.7, "{unfair}");
}

/// RFC 8290 section 4.2: a flow that sends less than a quantum in a round is served before the flows that have queues.
#[test]
fn a_sparse_flow_waits_for_less_than_one_round_of_quanta() {
    let rate = BitRate::from_mbps(10);
    let mut flows = unequal().to_vec();
    flows.push((200, Duration::from_millis(20)));
    let mut queue = empty(Discipline::FqCodel(FQ_CODEL));
    let got = bottleneck(&mut queue, rate, Duration::from_secs(20), &flows);
    let (bytes, longest) = got[4];
    assert!(bytes >= 200 * 990, "nothing of it is lost: {bytes}");
    let round = rate.time_for(Bytes(4 * 1514));
    assert!(longest < round, "{longest:?} in rounds of {round:?}");
    assert!(got[0].1 > round * 10, "the others have queues: {:?}", got[0].1);
}

/// Linux sch_sfq: 127 packets of a flow, and of all flows together.
#[test]
fn sfq_holds_127_packets_of_a_flow_and_the_longest_flow_makes_room() {
    let mut queue = empty(Discipline::Sfq(Sfq { limit: 1000, ..SFQ }));
    let mut dropped = Vec::new();
    let accepted = |queue: &mut Queue, flow, n: u32, dropped: &mut Vec<Item>| {
        (0..n).filter(|&p| queue.enqueue(Time::ZERO, item(p, flow, 1500), dropped, &mut ()).is_ok()).count()
    };
    assert_eq!(accepted(&mut queue, 1, 500, &mut dropped), 127);
    assert_eq!(accepted(&mut queue, 2, 500, &mut dropped), 127);
    assert_eq!((queue.len(), dropped.len()), (254, 0));

    let mut queue = empty(Discipline::Sfq(SFQ));
    assert_eq!(accepted(&mut queue, 1, 127, &mut dropped), 127);
    assert_eq!(accepted(&mut queue, 2, 50, &mut dropped), 50);
    assert_eq!((queue.len(), dropped.len()), (127, 50));
    let tail: Vec<u32> = dropped.iter().map(|item| item.packet.0).collect();
    assert!(dropped.iter().all(|item| item.flow == hash(1)), "flow 1 is the longest throughout");
    assert_eq!((tail[0], tail[49]), (126, 77), "from its tail");
}

/// RFC 8290 section 4.1.3 and Linux `fq_codel_drop()`: half of the fattest flow, 64 packets at most, from its head.
#[test]
fn an_overflow_of_fq_codel_costs_the_fattest_flow() {
    let mut queue = empty(Discipline::FqCodel(FqCodel { limit: 100, ..FQ_CODEL }));
    let mut dropped = Vec::new();
    for n in 0..100 {
        let (flow, bytes) = if n % 10 == 0 { (1, 1500) } else { (2, 500) };
        queue.enqueue(Time::ZERO, item(n, flow, bytes), &mut dropped, &mut ()).expect("it never refuses");
    }
    assert_eq!((queue.len(), dropped.len()), (100, 0));
    queue.enqueue(Time::ZERO, item(100, 3, 100), &mut dropped, &mut ()).expect("it never refuses");
    assert_eq!((queue.len(), dropped.len()), (101 - 45, 45));
    assert!(dropped.iter().all(|item| item.flow == hash(2)));
    assert_eq!(dropped[0].packet, Handle(1), "from its head");
}

/// RFC 8289 section 3: a standing queue of a responsive load is brought down to the target; here of one that offers 20 %
/// more than the rate and does not respond, drops go on until the excess is gone.
#[test]
fn codel_drops_the_excess_of_a_constant_overload() {
    let rate = BitRate::from_mbps(12);
    let mut queue = empty(Discipline::Codel(CODEL));
    let load = [(1500, Duration::from_micros(980))];
    let got = bottleneck(&mut queue, rate, Duration::from_secs(60), &load);
    let through = got[0].0 as f64 * 8.0 / 60.0 / 12e6;
    assert!(through > 0.99, "the bottleneck stays busy: {through}");
    assert!(queue.len() < 30, "{} packets stand", queue.len());
}
