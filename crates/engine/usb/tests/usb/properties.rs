//! With any packets at any times: no packet is lost or reordered, and observation changes nothing.

use airloom_observe::{NodeId, Observation};
use airloom_sim::{Duration, Handle, Stream, Time};
use airloom_usb::{Bus, Config, Effects, Holding, Traversal};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Input {
    Submit(u32),
    Incoming(u32),
    Room(bool),
    /// The timer is called although it is not due.
    Look,
}

fn config() -> impl Strategy<Value = Config> {
    (any::<bool>(), any::<bool>(), 1u32..6, 0u32..80, 0u64..120, prop::option::of(1u64..30)).prop_map(
        |(depth, reclamation, queue, descriptor, drain, hold)| Config {
            traversal: if depth { Traversal::Depth } else { Traversal::Breadth },
            reclamation,
            queue,
            descriptor,
            drain: Duration::from_micros(drain),
            hold: hold.map(|ms| Holding {
                at: Some(vec![Duration::from_millis(5)]),
                every: None,
                shortest: Duration::ZERO,
                longest: Duration::from_millis(ms),
            }),
        },
    )
}

fn inputs() -> impl Strategy<Value = Vec<(u64, Input)>> {
    let input = prop_oneof![
        3 => (1u32..1501).prop_map(Input::Submit),
        2 => (1u32..1501).prop_map(Input::Incoming),
        1 => any::<bool>().prop_map(Input::Room),
    ];
    prop::collection::vec((0u64..5_000, input), 1..40)
}

/// What came across, and when, in order: at the adapter and at the host.
type Crossed = (Vec<(Time, Handle)>, Vec<(Time, Handle)>);

/// Feeds the inputs, each this many microseconds after the one before, then gives the bus a second to end. Packets that
/// the driver does not accept are not handed down.
fn crossed(config: &Config, inputs: &[(u64, Input)]) -> (Crossed, [u32; 2], Vec<BusTotals>) {
    let mut bus = Bus::new(NodeId(0), config.clone(), Stream::new(1, "bus", "holding"));
    let (mut fx, mut seen) = (Effects::default(), Vec::new());
    let (mut out, mut received) = (Vec::new(), Vec::new());
    let (mut timer, mut now, mut handed) = (None, Time::ZERO, [0; 2]);
    let mut settle = |now: Time, fx: &mut Effects, timer: &mut Option<Time>| {
        out.extend(fx.arrived.iter().map(|&packet| (now, packet)));
        received.extend(fx.received.iter().map(|&packet| (now, packet)));
        *timer = fx.timer.unwrap_or(*timer);
        fx.clear();
    };
    let last = (1_000_000, Input::Look);
    for &(after, input) in inputs.iter().chain([&(0, Input::Room(true)), &last]) {
        let at = now + Duration::from_micros(after);
        while let Some(due) = timer.filter(|due| *due <= at) {
            timer = None;
            bus.timer(due, &mut fx, &mut seen);
            settle(due, &mut fx, &mut timer);
        }
        now = at;
        match input {
            Input::Submit(bytes) if bus.accepts() => {
                bus.submit(now, Handle(handed[0]), bytes, &mut fx, &mut seen);
                handed[0] += 1;
            }
            Input::Submit(_) => {}
            Input::Incoming(bytes) => {
                bus.incoming(now, Handle(handed[1]), bytes, &mut fx, &mut seen);
                handed[1] += 1;
            }
            Input::Room(room) => bus.set_room(now, room, &mut fx, &mut seen),
            Input::Look => bus.timer(now, &mut fx, &mut seen),
        }
        settle(now, &mut fx, &mut timer);
    }
    let frames = seen.into_iter().filter_map(|(_, observation)| match observation {
        Observation::Bus(f) => Some((f.start, f.out, f.r#in)),
        _ => None,
    });
    ((out, received), handed, frames.collect())
}

/// Start of a frame, OUT and IN transactions that moved data.
type BusTotals = (Time, u16, u16);

proptest! {
    #[test]
    fn every_packet_gets_across_once_and_in_order(config in config(), inputs in inputs()) {
        let ((out, received), handed, frames) = crossed(&config, &inputs);
        for (crossed, handed) in [(out, handed[0]), (received, handed[1])] {
            let packets: Vec<u32> = crossed.iter().map(|(_, packet)| packet.0).collect();
            prop_assert_eq!(packets, (0..handed).collect::<Vec<_>>());
        }
        for (_, out, input) in frames {
            prop_assert!(config.traversal == Traversal::Depth || config.reclamation || (out <= 1 && input <= 1));
        }
    }

    /// What lies ahead is computed, and caught up with when something happens: how often must not matter.
    #[test]
    fn looking_on_changes_nothing(config in config(), inputs in inputs(), looks in prop::collection::vec(0u64..1_000, 40)) {
        let mut closer = Vec::new();
        for (&(after, input), &look) in inputs.iter().zip(&looks) {
            let first = look.min(after);
            closer.extend([(first, Input::Look), (after - first, input)]);
        }
        prop_assert_eq!(crossed(&config, &inputs), crossed(&config, &closer));
    }
}
