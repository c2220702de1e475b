//! Minstrel-HT in a channel of 40 MHz: from far away it is better off with half of it.

use crate::scenarios::{around, good};
use airloom_lab::world::World;
use airloom_observe::{Observation, Probe};
use airloom_rate::Width;
use airloom_sim::Time;

/// MPDUs that arrived, by the width of their PPDU: 20 MHz, 40 MHz.
#[derive(Default)]
struct Arrived([u64; 2]);

impl Probe for Arrived {
    const DETAIL: bool = false;

    fn see(&mut self, _: Time, seen: Observation) {
        if let Observation::Ppdu(ppdu) = seen
            && ppdu.kind.is_data()
        {
            for user in ppdu.users {
                self.0[usize::from(user.rate.width() == Width::Mhz40)] += u64::from(user.good);
            }
        }
    }
}

fn arrived(snr: &str, rate: &str) -> [u64; 2] {
    let rest = format!(
        "[[station]]\nname = \"sta\"\nhost = \"linux-3.13\"\nadapter = \"ath9k\"\nsnr = \"{snr}\"\nrate = \"{rate}\"\n\
         [[server]]\nname = \"server\"\nhost = \"linux-3.13\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"1 ms\" }}\n\
         [[flow]]\nfrom = \"server\"\nto = \"sta\"\nkind = \"udp\"\nrate = \"400 Mbit/s\"\n"
    );
    let mut world = World::new(&good(&around(5, 100, &rest)), Arrived::default());
    assert!(world.run(&mut |_| true));
    world.into_probe().0
}

#[test]
fn the_rates_of_20_mhz_carry_further() {
    let [narrow, wide] = arrived("2 dB", "minstrel");
    assert!(narrow > 500 && narrow > 20 * wide, "{narrow} at 20 MHz, {wide} at 40 MHz");
}

#[test]
fn near_by_the_whole_channel_is_used() {
    let [narrow, wide] = arrived("35 dB", "minstrel");
    assert!(wide > 100 * narrow, "{narrow} at 20 MHz, {wide} at 40 MHz");
}
