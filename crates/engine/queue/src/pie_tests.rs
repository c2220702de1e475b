use super::*;
use airloom_observe::{Ecn, NodeId, QueueLayer};
use airloom_sim::Handle;
use proptest::prelude::*;

const PIE: Pie = Pie {
    limit: 1000,
    target: Duration::from_millis(15),
    update: Duration::from_millis(15),
    burst: Duration::from_millis(150),
    alpha: 2,
    beta: 20,
    ecn: false,
};
const LONG: u64 = 100_000;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn chance() -> Stream {
    Stream::new(1, "queue", "early drops")
}

/// A controller past its burst allowance, with a delay of 20 ms at this and the last update.
fn busy(probability: f64) -> Control {
    let (delay, delay_before) = (ms(20), ms(20));
    Control { probability, accumulated: 0.0, delay, delay_before, allowance: Duration::ZERO }
}

fn queue(law: &Pie) -> Queue {
    law.queue(QueueId { node: NodeId(0), layer: QueueLayer::Discipline }, chance())
}

fn item(ecn: Ecn) -> Item {
    Item { packet: Handle(0), bytes: 1500, flow: 0, ecn }
}

/// Offers `n` packets at once to a queue that holds many already, under a fixed probability.
fn struck(law: &Pie, probability: f64, ecn: Ecn, n: u32) -> (u32, u32) {
    let mut queue = queue(law);
    for _ in 0..10 {
        queue.enqueue(Time::ZERO, item(ecn), &mut Vec::new(), &mut ()).expect("a burst is let in");
    }
    queue.control = busy(probability);
    let (mut dropped, mut marked) = (0, 0);
    for _ in 0..n {
        match queue.enqueue(Time::ZERO, item(ecn), &mut Vec::new(), &mut ()) {
            Ok(()) => marked += u32::from(queue.held.back().is_some_and(|held| held.item.ecn == Ecn::Ce)),
            Err(_) => dropped += 1,
        }
    }
    (dropped, marked)
}

/// RFC 8033 section 4.2: alpha (delay - target) + beta (delay - delay before), divided by more the smaller the probability.
/// At 20 ms, grown from 12 ms, that is 5 ms / 8 + 8 ms x 5 / 4 = 0.010625.
#[test]
fn the_step_of_the_probability_is_tuned_to_its_size() {
    let table = [
        (0.0, 2048.0),
        (0.000_000_9, 2048.0),
        (0.000_001, 512.0),
        (0.000_01, 128.0),
        (0.000_1, 32.0),
        (0.001, 8.0),
        (0.01, 2.0),
        (0.099, 2.0),
        (0.1, 1.0),
        (0.5, 1.0),
    ];
    for (probability, divisor) in table {
        let mut control = Control { delay_before: ms(12), ..busy(probability) };
        control.update(&PIE);
        let step = control.probability - probability;
        assert!((step * divisor - 0.010_625).abs() < 1e-12, "{probability}: {step}");
        assert_eq!(control.delay_before, ms(20));
    }
}

/// RFC 8033 section 5.5: from 10 % on by no more than 2 % at a time; section 4.2: and never beyond 0 and 1.
#[test]
fn a_large_probability_grows_by_two_percent_at_most() {
    let after = |probability, delay, delay_before| {
        let mut control = Control { delay, delay_before, ..busy(probability) };
        control.update(&PIE);
        control.probability
    };
    let jump = 0.085 / 8.0 + 0.1 * 1.25;
    assert!((after(0.1, ms(100), ms(0)) - 0.12).abs() < 1e-12);
    assert!(
        (after(0.09, ms(100), ms(0)) - (0.09 + jump / 2.0)).abs() < 1e-12,
        "below, there is no such bound"
    );
    assert!((after(0.99, ms(100), ms(0)) - 1.0).abs() < 1e-12);
    assert!(after(0.11, ms(20), ms(400)) <= 0.0);
}

/// RFC 8033 section 4.2: by 2 % at each update while the delay is, and was, less than half of the target.
#[test]
fn the_probability_decays_when_congestion_is_over() {
    let law = Pie { alpha: 0, beta: 0, ..PIE };
    for (delay, delay_before, factor) in [(7, 7, 0.98), (8, 7, 1.0), (7, 8, 1.0), (0, 0, 0.98)] {
        let mut control = Control { delay: ms(delay), delay_before: ms(delay_before), ..busy(0.5) };
        control.update(&law);
        assert!((control.probability - 0.5 * factor).abs() < 1e-12, "{delay} ms after {delay_before} ms");
    }
}

/// RFC 8033 section 4.4: nothing is dropped for 150 ms, which are ten updates, and again after the queue was quiet.
#[test]
fn a_burst_is_let_in_whole() {
    let mut control = Control { delay: ms(100), delay_before: ms(100), ..Control::new(&PIE) };
    for _ in 0..9 {
        control.update(&PIE);
        control.probability = 1.0;
        assert!(!control.strikes(LONG, &PIE, &mut chance()), "{:?} are left", control.allowance);
    }
    control.update(&PIE);
    assert!(control.strikes(LONG, &PIE, &mut chance()));
    (control.delay, control.delay_before, control.probability) = (ms(7), ms(7), 0.000_000_1);
    control.update(&PIE);
    assert_eq!((control.probability.to_bits(), control.allowance), (0, ms(150)));
    (control.delay, control.allowance) = (ms(8), ms(0));
    control.update(&PIE);
    assert_eq!(control.allowance, ms(0), "not before the delay is less than half of the target");
}

/// RFC 8033 section 4.1: not while the delay was less than half of the target with a probability below 20 %, nor while no
/// more than a couple of full-sized packets wait.
#[test]
fn a_queue_that_works_well_is_left_alone() {
    let strikes = |probability, delay_before, backlog| {
        let mut control = Control { delay_before, accumulated: 8.5, ..busy(probability) };
        control.strikes(backlog, &PIE, &mut chance())
    };
    assert!(!strikes(0.19, ms(7), LONG));
    assert!(strikes(0.2, ms(7), LONG));
    assert!(strikes(0.19, ms(8), LONG));
    assert!(!strikes(1.0, ms(100), 3000));
    assert!(strikes(1.0, ms(100), 3001));
}

/// RFC 8033 section 5.4: with a probability of 1 % the next drop comes after 85 packets and before 851, and the mean gap is
/// what that leaves of a geometric one: 84 packets, and a hundred more but for those beyond the bound.
#[test]
fn drops_are_neither_too_close_nor_too_far_apart() {
    let (mut control, mut chance) = (busy(0.01), chance());
    let (mut gaps, mut gap) = (Vec::new(), 0);
    while gaps.len() < 5000 {
        gap += 1;
        if control.strikes(LONG, &PIE, &mut chance) {
            gaps.push(gap);
            gap = 0;
        }
    }
    let (least, most) = (gaps.iter().min().expect("gaps"), gaps.iter().max().expect("gaps"));
    // A sum of that many hundredths may miss its bound by one.
    assert!((85..=86).contains(least) && *most <= 851, "from {least} to {most}");
    let mean = gaps.iter().sum::<u32>() as f64 / gaps.len() as f64;
    // Its standard deviation is 100 / sqrt(5000) = 1.4.
    assert!((mean - 184.0).abs() < 5.0, "{mean}");
}

/// RFC 8033 section 5.1: what can be marked is marked up to 10 %, beyond that it is dropped as everything else.
#[test]
fn capable_transports_are_marked_up_to_ten_percent() {
    let law = Pie { ecn: true, limit: 100_000, ..PIE };
    let close = |n: u32, expected: f64| (f64::from(n) / expected - 1.0).abs() < 0.1;
    // A mean gap of (0.85 + 1 - 0.1) / 0.1 packets, and of (0.85 + 1) / 0.11 or so.
    let (dropped, marked) = struck(&law, 0.1, Ecn::Ect0, 20_000);
    assert!(dropped == 0 && close(marked, 20_000.0 / 18.0), "{dropped} dropped, {marked} marked");
    let (dropped, marked) = struck(&law, 0.11, Ecn::Ect0, 20_000);
    assert!(dropped > 500 && marked == 0, "{dropped} dropped, {marked} marked");
    let (dropped, marked) = struck(&law, 0.1, Ecn::NotEct, 20_000);
    assert!(close(dropped, 20_000.0 / 18.0) && marked == 0, "{dropped} dropped, {marked} marked");
    let (dropped, marked) = struck(&Pie { ecn: false, ..law }, 0.1, Ecn::Ect0, 20_000);
    assert!(dropped > 500 && marked == 0, "{dropped} dropped, {marked} marked");
}

#[test]
fn beyond_the_limit_the_newcomer_is_dropped() {
    let mut queue = queue(&Pie { limit: 20, ..PIE });
    let accepted = (0..50)
        .filter(|_| queue.enqueue(Time::ZERO, item(Ecn::Ect0), &mut Vec::new(), &mut ()).is_ok())
        .count();
    assert_eq!((accepted, queue.len()), (20, 20));
}

/// Feeds a queue that sends 10 Mbit/s with `load` times as much for a minute. Returns the mean delay and the share of packets
/// dropped over its second half.
fn overload(load: f64) -> (f64, f64) {
    let (mut queue, service) = (queue(&PIE), 1.2e-3);
    let (mut came, mut left) = (0u32, 0u32);
    let (mut delays, mut counted, mut dropped) = (0.0, 0u32, 0u32);
    let at = |seconds: f64| Time::ZERO + Duration::from_secs_f64(seconds);
    while f64::from(left) * service < 60.0 {
        let (arrives, leaves) = (f64::from(came) * service / load, f64::from(left) * service);
        let late = leaves > 30.0;
        if arrives <= leaves {
            came += 1;
            let refused = queue.enqueue(at(arrives), item(Ecn::NotEct), &mut Vec::new(), &mut ()).is_err();
            (counted, dropped) = (counted + u32::from(late), dropped + u32::from(late && refused));
        } else {
            left += 1;
            queue.dequeue(at(leaves), &mut Vec::new(), &mut ());
            delays += if late { queue.control.delay.as_secs_f64() } else { 0.0 };
        }
    }
    (delays / (30.0 / service), f64::from(dropped) / f64::from(counted))
}

/// RFC 8033 section 4.2: a controller with an integral part rests only at its target. Of a load that does not respond, it
/// then drops the excess.
#[test]
fn the_delay_settles_at_the_target_and_the_excess_is_dropped() {
    for load in [1.02, 1.03, 1.05, 1.08] {
        let (delay, dropped) = overload(load);
        assert!((delay / 0.015 - 1.0).abs() < 0.02, "load {load}: {delay} s");
        let excess = 1.0 - 1.0 / load;
        assert!((dropped / excess - 1.0).abs() < 0.01, "load {load}: {dropped} rather than {excess}");
    }
}

/// RFC 8033 section 5.5 bounds steps up, not steps down: beyond 10 % the delay settles somewhat above the target.
#[test]
fn an_excess_beyond_ten_percent_is_dropped_as_well() {
    for load in [1.2, 1.5] {
        let (delay, dropped) = overload(load);
        assert!((0.015..0.020).contains(&delay), "load {load}: {delay} s");
        let excess = 1.0 - 1.0 / load;
        assert!((dropped / excess - 1.0).abs() < 0.01, "load {load}: {dropped} rather than {excess}");
    }
}

proptest! {
    /// A queue that makes up for its updates late is in the same state as one that makes each when it is due.
    #[test]
    fn updates_made_up_for_are_those_that_were_due(
        steps in prop::collection::vec((any::<bool>(), prop_oneof![0u64..3, 0u64..40, 1_000u64..30_000]), 1..80),
    ) {
        let (mut late, mut punctual) = (queue(&PIE), queue(&PIE));
        let (mut now, mut due) = (Time::ZERO, Time::ZERO + PIE.update);
        for (push, pause) in steps {
            now += Duration::from_millis(pause);
            while due <= now {
                punctual.control.update(&PIE);
                punctual.updated = due;
                due += PIE.update;
            }
            for queue in [&mut late, &mut punctual] {
                if push {
                    let _ = queue.enqueue(now, item(Ecn::NotEct), &mut Vec::new(), &mut ());
                } else {
                    queue.dequeue(now, &mut Vec::new(), &mut ());
                }
            }
            prop_assert_eq!(&late.control, &punctual.control);
        }
    }
}
