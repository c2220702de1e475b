//! TCP through queues that manage their delay.

use crate::scenarios::{around, good};
use airloom_lab::world::World;
use airloom_observe::{NodeId, Observation, QueueEvent, QueueId, QueueLayer};
use airloom_sim::{Duration, Time};

/// Five flows over a wire of 10 Mbit/s with 40 ms there and back, through this queue: the mean time that their packets wait
/// before it from 20 s on, in ms, and how many of them pass in a second.
fn waits(queue: &str) -> (f64, f64) {
    let rest = format!(
        "[[server]]\nname = \"sender\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"0 s\" }}\n\
         [[server]]\nname = \"receiver\"\nhost = \"linux-6.18\"\n\
         link = {{ rate = \"10 Mbit/s\", delay = \"20 ms\", queue = {queue} }}\n{}",
        "[[flow]]\nfrom = \"sender\"\nto = \"receiver\"\ntcp.congestion = \"newreno\"\n".repeat(5)
    );
    let mut world = World::new(&good(&around(80, 1000, &rest)), Vec::<(Time, Observation)>::new());
    world.run(&mut |_| true);
    let before_the_wire = QueueId { node: NodeId(2), layer: QueueLayer::LinkTo };
    let from = Time::ZERO + Duration::from_secs(20);
    let seen = world.into_probe();
    let sojourns: Vec<f64> = seen
        .iter()
        .filter(|(at, _)| *at >= from)
        .filter_map(|(_, seen)| match seen {
            Observation::Queue(QueueEvent::Out { queue, sojourn, .. }) if *queue == before_the_wire => {
                Some(sojourn.as_secs_f64() * 1e3)
            }
            _ => None,
        })
        .collect();
    (sojourns.iter().sum::<f64>() / sojourns.len() as f64, sojourns.len() as f64 / 60.0)
}

/// RFC 8033 section 4: whatever the target, the mean delay is controlled to it, and the wire stays busy.
#[test]
fn pie_controls_the_delay_of_tcp_to_its_target() {
    for target in [15.0, 30.0] {
        let (wait, rate) = waits(&format!("{{ discipline = \"pie\", target = \"{target} ms\" }}"));
        assert!((wait / target - 1.0).abs() < 0.2, "{wait} ms rather than {target} ms");
        // A full packet is 1538 bytes on the wire.
        let busy = rate * 1538.0 * 8.0 / 10e6;
        assert!(busy > 0.95, "the wire is busy for {busy} of the time");
    }
    let (wait, _) = waits("{ discipline = \"codel\", limit = \"100 packets\", target = \"1 s\" }");
    assert!(wait > 60.0, "{wait} ms where nothing controls the delay");
}
