//! Several networks in one ether: on channels apart they do not know of each other, on one channel they share it.

use crate::lab::{AP, BEACONS, FULL, Lab, access_point, adapter, ms, sta};
use airloom_observe::{Fate, NodeId};
use airloom_rate::Width;
use airloom_sim::Time;
use airloom_wifi::{AccessPoint, Channel, Edca, Ether, Phy};

/// Another access point.
const OTHER: NodeId = NodeId(7);

/// Two networks with a saturated station each, 40 MHz wide: the first has the lower half of its channel at 5180 MHz, the second this
/// channel; for a second.
fn two(second: Channel) -> Lab {
    let mut ether = Ether::new(1);
    let first = Channel::from_primary(5180, Width::Mhz40);
    for (id, name, channel, station) in [(AP, "one", first, 1), (OTHER, "other", second, 2)] {
        let plain = access_point(id, (adapter(), Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 0);
        let bss = ether.add_access_point(AccessPoint { name, channel, ..plain });
        ether.add_station(bss, Lab::plain(sta(station), &format!("sta{station}"), adapter()));
    }
    let mut lab = Lab::of(ether);
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), OTHER, FULL, 0)];
    lab.run(Time::ZERO + ms(1000));
    lab
}

/// One network, alone, with the first of these stations.
fn one() -> Lab {
    let mut lab = Lab::new(1, adapter(), BEACONS, 0, |network| {
        network.add_station(Lab::plain(sta(1), "sta1", adapter()));
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + ms(1000));
    lab
}

/// Every frame of the first network is where it would be without the second.
#[test]
fn networks_on_channels_apart_do_not_know_of_each_other() {
    let (two, one) = (two(Channel::from_primary(5220, Width::Mhz40)), one());
    let first = two.ppdus().into_iter().filter(|p| [AP, sta(1)].contains(&p.from));
    assert_eq!(first.collect::<Vec<_>>(), one.ppdus());
    assert!(two.acked(sta(1)) > 10_000 && two.acked(sta(2)) > 10_000);
    assert!(two.ppdus().iter().all(|p| p.fate == Fate::Received));
}

/// On one channel, whichever half of it is primary, stations of two networks contend as if they were of one: each gets half, and at
/// times they collide.
#[test]
fn networks_that_share_spectrum_share_the_medium() {
    let alone = one().acked(sta(1)) as f64;
    for primary_mhz in [5180, 5200] {
        let lab = two(Channel::from_lowest(5180, Width::Mhz40, primary_mhz));
        let shares = [sta(1), sta(2)].map(|station| lab.acked(station) as f64 / alone);
        assert!(shares.iter().all(|share| (0.4..0.55).contains(share)), "{shares:?}");
        assert!(lab.ppdus().iter().any(|p| p.fate == Fate::Collided));
    }
}

/// Access points on one channel have clocks of their own: their beacons do not collide beacon after beacon.
#[test]
fn beacons_of_networks_on_one_channel_are_heard() {
    let mut ether = Ether::new(1);
    for n in 0..4 {
        let (name, id) = (["one", "two", "three", "four"][n], NodeId(n as u16));
        let plain = access_point(id, (adapter(), Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 0);
        ether.add_access_point(AccessPoint { name, ..plain });
    }
    let mut lab = Lab::of(ether);
    lab.run(Time::ZERO + ms(10_000));
    for n in 0..4 {
        let own: Vec<_> = lab.ppdus().into_iter().filter(|p| p.from == NodeId(n)).collect();
        assert!(
            (96..=97).contains(&own.len()) && own.iter().all(|p| p.fate == Fate::Received),
            "{n}: {own:?}"
        );
    }
}

/// One device with a radio in each of two networks: packets cross both at once, each way, and neither takes time from the other.
#[test]
fn a_device_with_two_radios_serves_two_networks() {
    let mut ether = Ether::new(1);
    for (mhz, station) in [(5180, 1), (5220, 2)] {
        let channel = Channel::from_primary(mhz, Width::Mhz40);
        let plain = access_point(AP, (adapter(), Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 0);
        let bss = ether.add_access_point(AccessPoint { channel, ..plain });
        ether.add_station(bss, Lab::plain(sta(station), &format!("sta{station}"), adapter()));
    }
    let mut lab = Lab::of(ether);
    for station in [sta(1), sta(2)] {
        assert!(lab.send_at(Time::ZERO, AP, station, FULL) && lab.send_at(Time::ZERO, station, AP, FULL));
    }
    lab.run(Time::ZERO + ms(10));
    assert!(lab.packets.iter().all(|life| life.arrived.is_some() && matches!(life.done, Some((_, true)))));
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), AP, FULL, 0)];
    lab.run(Time::ZERO + ms(1000));
    let alone = one().acked(sta(1)) as f64;
    let shares = [sta(1), sta(2)].map(|station| lab.acked(station) as f64 / alone);
    assert!(shares.iter().all(|share| (0.97..1.03).contains(share)), "{shares:?}");
}
