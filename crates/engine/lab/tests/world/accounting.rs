//! Every byte written is delivered or held, every packet is somewhere, and no node uses more than the whole airtime.

use crate::scenarios::{any_world, around, cases, good};
use airloom_lab::metrics::Recorder;
use airloom_lab::scenario::{Discipline, FlowKind, Scenario};
use airloom_lab::summary::Summary;
use airloom_lab::world::{FlowEnd, World};
use proptest::prelude::*;

/// What a run ends with.
struct End {
    flows: Vec<FlowEnd>,
    in_transit: usize,
    summary: Summary,
}

fn run(scenario: &Scenario) -> End {
    let mut unkept = ();
    let mut world = World::new(scenario, Recorder::new(scenario, &mut unkept));
    assert!(world.run(&mut |_| true));
    let flows = world.flows();
    let in_transit = world.packets_in_transit();
    let summary = world.into_probe().finish(scenario, &flows);
    End { flows, in_transit, summary }
}

/// No more packets than all queues, drivers, reorder buffers and wires can hold.
fn room(scenario: &Scenario) -> usize {
    let limit = |queue: &Discipline| {
        let packets = match queue {
            Discipline::Fifo(fifo) => fifo.limit.packets.expect("a limit in packets"),
            Discipline::Codel(codel) => codel.limit,
            Discipline::Sfq(sfq) => sfq.limit,
            Discipline::FqCodel(fq_codel) => fq_codel.limit,
            Discipline::Pie(pie) => pie.limit,
            Discipline::Red(red) => red.limit,
            Discipline::Tbf(tbf) => tbf.limit.packets.expect("a limit in packets"),
            Discipline::Mac80211(mac80211) => mac80211.limit,
            Discipline::Own(_) => unreachable!("nobody brings one"),
        };
        packets as usize
    };
    let (ap, stations) = (&scenario.ap[0], &scenario.station);
    // Both directions of a link have a driver's queue and a reorder buffer; packets kept for power save are added.
    let driver = |limit: u32| limit as usize + 64;
    let mut room = limit(&ap.queue) + driver(ap.adapter.depth.driver_limit);
    room += ap.processor.as_ref().map_or(0, |p| (p.ethernet_ring + p.radio_ring) as usize + 1);
    for station in stations {
        room += limit(&station.host.queue) + driver(station.adapter.depth.driver_limit);
        room += ap.power_save_buffer as usize + 64;
    }
    for server in &scenario.server {
        let shortest = server.link.rate.highest().time_for(airloom_sim::Bytes(78)).as_nanos();
        room += 2 * (limit(&server.link.queue) + 2 + (server.link.delay.as_nanos() / shortest) as usize);
    }
    room
}

fn check_air(summary: &Summary) {
    let air = &summary.airtime;
    assert!(air.by_node.values().all(|&share| share >= 0.0) && air.collided >= 0.0, "{air:?}");
    assert!(air.by_node.values().sum::<f64>() + air.collided <= 1.0 + 1e-9, "{air:?}");
    assert!(air.idle >= -1e-9, "{air:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]
    #[test]
    fn bytes_packets_and_air_time_are_accounted_for(drawn in any_world()) {
        let scenario = good(&drawn.text);
        let end = run(&scenario);
        check_air(&end.summary);
        for (n, flow) in end.flows.iter().enumerate() {
            let measured = end.summary.to_value()["flows"][n].clone();
            match &scenario.flow[n].kind {
                FlowKind::Tcp { bytes, .. } => {
                    let (written, delivered) = (flow.written, flow.delivered);
                    prop_assert!(delivered <= written, "flow {n}: {delivered} of {written} bytes\n{}", drawn.text);
                    prop_assert_eq!(measured["bytes_delivered"].as_u64(), Some(delivered));
                    prop_assert_eq!(measured["bytes_held"].as_u64(), Some(written - delivered));
                    if let Some(bytes) = bytes {
                        prop_assert!(written <= bytes.0);
                        let finishes = drawn.comes_to_rest && scenario.flow[n].stop.is_none();
                        prop_assert!(!finishes || delivered == bytes.0, "flow {n}: {delivered} of {bytes:?}\n{}", drawn.text);
                    }
                    if drawn.comes_to_rest {
                        prop_assert!(delivered == written, "flow {n}: {delivered} of {written} bytes\n{}", drawn.text);
                    }
                }
                _ => {
                    let count = |key: &str| measured[key].as_u64();
                    let arrived = count("delivered").or(count("answered")).expect("a count");
                    let (sent, lost) = (count("sent").expect("a count"), count("lost").expect("a count"));
                    prop_assert_eq!(sent, arrived + lost + flow.in_transit, "flow {}\n{}", n, &drawn.text);
                    // A flow that stops early may have found no room.
                    let flow = &scenario.flow[n];
                    let lasts = flow.start < scenario.duration && flow.stop.is_none();
                    prop_assert!(sent > 0 || !lasts, "flow {n}\n{}", drawn.text);
                }
            }
        }
        // A transmitter may hold packets that have arrived, until they are acknowledged.
        let under_way: u64 = end.flows.iter().map(|flow| flow.in_transit).sum();
        prop_assert!(under_way <= end.in_transit as u64);
        let most = if drawn.comes_to_rest { 0 } else { room(&scenario) };
        prop_assert!(end.in_transit <= most, "{} packets rather than {most}\n{}", end.in_transit, drawn.text);
    }
}

#[test]
fn a_world_without_flows_beacons() {
    let end = run(&good(&around(5, 100, "")));
    assert_eq!((end.flows.len(), end.in_transit), (0, 0));
    // 48 beacons of 360 us in 5 s.
    let share = end.summary.airtime.by_node["ap"];
    assert!((share - 48.0 * 360e-6 / 5.0).abs() < 1e-9, "{share}");
    check_air(&end.summary);
}
