//! Drivers that pull ahead for their firmware, with and without airtime queue limits.

use crate::scenarios::good;
use airloom_lab::world::World;
use airloom_observe::{NodeId, Observation, Probe, QueueEvent, QueueLayer};
use airloom_sim::Time;

/// What an access point's driver held and what its stations got.
#[derive(Default)]
struct Held {
    /// Packets at most, after the first half of a second.
    most: u32,
    /// Packets at the end of the run.
    last: u32,
    /// Good MPDUs to each station.
    good: [f64; 3],
    /// PPDUs to each.
    ppdus: [u32; 3],
}

impl Probe for Held {
    const DETAIL: bool = false;

    fn see(&mut self, now: Time, seen: Observation) {
        match seen {
            Observation::Queue(
                QueueEvent::In { queue, packets } | QueueEvent::Out { queue, packets, .. },
            ) if queue.node == NodeId(0) && queue.layer == QueueLayer::Driver => {
                self.last = packets;
                if now.as_secs_f64() > 0.5 {
                    self.most = self.most.max(packets);
                }
            }
            Observation::Ppdu(ppdu) if ppdu.kind.is_data() && ppdu.from == NodeId(0) => {
                for user in ppdu.users {
                    let to = usize::from(user.to.expect("a receiver").0);
                    self.good[to] += f64::from(user.good);
                    self.ppdus[to] += 1;
                }
            }
            _ => {}
        }
    }
}

/// Three seconds of saturated downloads to stations at these rates, behind an access point whose adapter has these keys.
fn held(keys: &str, rates: &[u32]) -> Held {
    let mut text = format!(
        "title = \"Limits\"\nduration = \"3 s\"\n\
         [air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n\
         [[ap]]\nname = \"ap\"\nadapter = {{ profile = \"ath9k\", driver_limit = \"1000 packets\", {keys} }}\n\
         queue = {{ discipline = \"mac80211\" }}\n\
         [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"10 Gbit/s\", delay = \"1 ms\" }}\n"
    );
    for (n, mcs) in rates.iter().enumerate() {
        text += &format!(
            "[[station]]\nname = \"sta{n}\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nsnr = \"60 dB\"\nrate = \"MCS {mcs}\"\n\
             [[flow]]\nfrom = \"server\"\nto = \"sta{n}\"\nkind = \"udp\"\nrate = \"300 Mbit/s\"\npayload = \"1472 B\"\n"
        );
    }
    let mut world = World::new(&good(&text), Held::default());
    assert!(world.run(&mut |_| true));
    world.into_probe()
}

#[test]
fn a_driver_that_pulls_ahead_fills_itself() {
    let Held { most, last, .. } = held("pull = \"report\"", &[15]);
    assert_eq!(most, 1000);
    assert!(last > 900, "{last}");
}

/// Packets of 1,500 bytes are estimated at 40 us at MCS 15 in 40 MHz with the short guard interval: 12 ms are 300. At MCS 8, 30 Mbit/s,
/// they are 419 us and a quarter of 44 us, 428 in units of 4: 12 ms are 29.
#[test]
fn one_receiver_has_the_high_limit() {
    for (mcs, packets) in [(15, 300), (8, 29)] {
        let Held { most, last, .. } = held("pull = \"report\", aql = {}", &[mcs]);
        assert_eq!(most, packets, "MCS {mcs}");
        assert!(last > packets / 2, "the driver is filled again: {last}");
    }
}

/// Other limits: 2 ms are 50 packets.
#[test]
fn limits_can_be_set() {
    let Held { most, .. } = held("pull = \"report\", aql = { low = \"1 ms\", high = \"2 ms\" }", &[15]);
    assert_eq!(most, 50);
}

/// The driver's turns by air time decide who is pulled first, and the limits let both have enough for the next PPDU: so firmware that
/// sends one to each in turn shares by PPDU.
#[test]
fn firmware_sends_a_ppdu_to_each_in_turn() {
    let Held { ppdus: [_, near, far], .. } = held("pull = \"report\", aql = {}", &[15, 8]);
    assert!(near > 100 && near.abs_diff(far) <= 2, "{near} and {far} PPDUs");
}

/// A driver that pulls only as packets come holds no more, and less when they come seldom: it runs dry between them.
#[test]
fn a_driver_that_does_not_look_at_reports_runs_dry() {
    let by = |pull: &str| {
        held(&format!("pull = \"{pull}\", aql = {{ low = \"400 us\", high = \"400 us\" }}"), &[15])
    };
    let (report, arrival) = (by("report"), by("arrival"));
    assert!(arrival.most <= report.most, "{} and {}", arrival.most, report.most);
    assert!(arrival.good[1] <= report.good[1], "{} and {}", arrival.good[1], report.good[1]);
}
