//! Segments that a radio passes up together, merged or not.

use crate::scenarios::{around, good};
use airloom_lab::world::World;
use airloom_observe::{Direction, Observation, Probe};
use airloom_sim::Time;

/// Segments of a download one way and the other.
#[derive(Default)]
struct Segments([u64; 2]);

impl Probe for Segments {
    const DETAIL: bool = false;
    const TRACE: bool = true;

    fn see(&mut self, _: Time, what: Observation) {
        if let Observation::Segment(segment) = what {
            self.0[usize::from(segment.direction == Direction::Backward)] += 1;
        }
    }
}

/// Acknowledgments for each segment of a download, and what it delivered.
fn download(keys: &str) -> (f64, u64) {
    let rest = format!(
        "[[station]]\nname = \"sta\"\nhost = \"linux-6.18\"\nadapter = {{ profile = \"ath9k\"{keys} }}\nsnr = \"40 dB\"\nrate = \"MCS 7\"\n\
         [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\" }}\n\
         [[flow]]\nfrom = \"server\"\nto = \"sta\"\n"
    );
    let mut world = World::new(&good(&around(5, 100, &rest)), Segments::default());
    assert!(world.run(&mut |_| true));
    let delivered = world.flows()[0].delivered;
    let [data, acks] = world.into_probe().0;
    (acks as f64 / data as f64, delivered)
}

/// A driver without NAPI has every second segment acknowledged, one with it every packet: about one of an aggregate.
#[test]
fn what_is_merged_is_acknowledged_once() {
    let (each, plain) = download("");
    let (once, merged) = download(", gro = true");
    assert!((0.45..0.6).contains(&each), "{each} ACKs for each segment");
    assert!(once < 0.2, "{once} ACKs for each segment");
    assert!(merged * 100 > plain * 97, "{merged} bytes, {plain} without");
}
