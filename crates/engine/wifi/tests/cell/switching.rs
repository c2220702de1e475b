//! An access point that goes to another channel: its stations follow, and what was on its old channel is alone there.

use crate::lab::{AP, BEACONS, FULL, Lab, access_point, adapter, ms, sta};
use airloom_observe::{Fate, FrameKind, NodeId, Observation};
use airloom_rate::Width;
use airloom_sim::{Duration, Time};
use airloom_wifi::{AccessPoint, Channel, ChannelSwitch, Edca, Ether, Fetch, Phy, PowerSave, Station};

/// Another access point.
const OTHER: NodeId = NodeId(7);

/// The channel of 40 MHz with this primary one.
fn channel(mhz: u32) -> Channel {
    Channel::from_primary(mhz, Width::Mhz40)
}

fn at(n: u64) -> Time {
    Time::ZERO + ms(n)
}

/// From 5180 to 5500 MHz, decided at 1000 ms.
fn switch(count: u8) -> Vec<ChannelSwitch> {
    vec![ChannelSwitch { at: at(1000), channel: channel(5500), count }]
}

/// An access point that does this, with these stations; not run yet.
fn cell(switches: Vec<ChannelSwitch>, stations: impl IntoIterator<Item = Station<'static>>) -> Ether {
    let mut ether = Ether::new(1);
    let plain = access_point(AP, (adapter(), Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 64);
    let bss = ether.add_access_point(AccessPoint { switches, ..plain });
    stations.into_iter().for_each(|station| ether.add_station(bss, station));
    ether
}

/// When each node was on which channel.
fn retuned(lab: &Lab) -> Vec<(Time, NodeId, u32)> {
    let of = |(now, seen): &(Time, Observation)| match seen {
        Observation::Retuned { node, mhz } => Some((*now, *node, *mhz)),
        _ => None,
    };
    lab.seen.iter().filter_map(of).collect()
}

/// Beacons are due at 1024.0, 1126.4, 1228.8, 1331.2 ms and so on after the decision.
#[test]
fn a_station_follows_with_the_last_announcement_and_its_access_point_an_interval_later() {
    let mut lab = Lab::of(cell(switch(5), [Lab::plain(sta(1), "sta1", adapter())]));
    lab.run(at(2000));
    let announced = lab.seen.iter().filter_map(|(now, seen)| match seen {
        Observation::Announced { access_point: AP, mhz: 5500, count } => Some((*now, *count)),
        _ => None,
    });
    let announced: Vec<(Time, u8)> = announced.collect();
    assert_eq!(announced.iter().map(|one| one.1).collect::<Vec<_>>(), [4, 3, 2, 1]);
    let [(followed, station, 5500), (went, AP, 5500)] = retuned(&lab)[..] else {
        panic!("{:?}", retuned(&lab));
    };
    assert_eq!(station, sta(1));
    let last = announced[3].0;
    assert!(followed >= last && followed < last + ms(1), "{followed:?} {last:?}");
    assert_eq!(went, Time::ZERO + BEACONS * 14);
    // One beacon is left out.
    let beacons = lab.ppdus().into_iter().filter(|ppdu| ppdu.kind == FrameKind::Beacon);
    let beacons: Vec<Time> = beacons.map(|ppdu| ppdu.start).collect();
    assert!(beacons.iter().all(|start| start.since(Time::ZERO) < BEACONS * 14 || *start > went + ms(100)));
    assert_eq!(beacons.len(), 2000 * 1000 / 102_400 - 1);
}

/// All that the station sends until its access point is there is sent for nothing, and comes again: nothing is lost, doubled or out of order.
#[test]
fn a_flow_goes_on_in_order() {
    let long = airloom_wifi::Retries { limit: 1_000_000, ..adapter().retries };
    let adapter = airloom_wifi::Adapter { retries: long, ..adapter() };
    for (from, to) in [(AP, sta(1)), (sta(1), AP)] {
        let mut ether = Ether::new(1);
        let plain = access_point(AP, (adapter, Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 64);
        let bss = ether.add_access_point(AccessPoint { switches: switch(5), ..plain });
        ether.add_station(bss, Lab::plain(sta(1), "sta1", adapter));
        let mut lab = Lab::of(ether);
        lab.saturated = vec![(from, to, FULL, 0)];
        lab.run(at(3000));
        lab.saturated.clear();
        lab.run(at(4000));
        let order: Vec<usize> = lab.order.iter().map(|one| one.1).collect();
        assert_eq!(order, (0..lab.packets.len()).collect::<Vec<_>>());
        let lost = lab.ppdus().into_iter().filter(|ppdu| ppdu.fate == Fate::Unheard);
        let lost: Vec<Time> = lost.map(|ppdu| ppdu.start).collect();
        let [Some(first), Some(last)] = [lost.first(), lost.last()] else { panic!("none was lost") };
        assert!(*first > at(1331) && *last < at(1435), "{first:?} {last:?}");
    }
}

/// Two networks share a channel until one goes away. Each is alone then: no frame of one delays or collides with one of the other.
#[test]
fn who_is_left_on_a_channel_has_it_alone() {
    let mut ether = cell(switch(5), [Lab::plain(sta(1), "sta1", adapter())]);
    let plain = access_point(OTHER, (adapter(), Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 64);
    let other = ether.add_access_point(AccessPoint { name: "other", ..plain });
    ether.add_station(other, Lab::plain(sta(2), "sta2", adapter()));
    let mut lab = Lab::of(ether);
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), OTHER, FULL, 0)];
    let carried = |lab: &Lab| [sta(1), sta(2)].map(|station| lab.acked(station));
    lab.run(at(1000));
    let shared = carried(&lab);
    lab.run(at(1500));
    let before = carried(&lab);
    lab.run(at(2500));
    let after = carried(&lab);
    for n in 0..2 {
        let (shared, alone) = (shared[n] as f64, (after[n] - before[n]) as f64);
        assert!((1.8..2.4).contains(&(alone / shared)), "{n}: {shared} together, {alone} alone");
    }
    assert!(lab.ppdus().iter().filter(|ppdu| ppdu.start > at(1500)).all(|p| p.fate == Fate::Received));
}

/// The other way about: on the new channel there is somebody already.
#[test]
fn who_comes_to_a_channel_shares_it() {
    let mut ether = cell(switch(5), [Lab::plain(sta(1), "sta1", adapter())]);
    let plain = access_point(OTHER, (adapter(), Edca::STATION), Phy::OFDM_5GHZ, BEACONS, 64);
    let there = AccessPoint { name: "other", channel: channel(5500), ..plain };
    let other = ether.add_access_point(there);
    ether.add_station(other, Lab::plain(sta(2), "sta2", adapter()));
    let mut lab = Lab::of(ether);
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), OTHER, FULL, 0)];
    lab.run(at(1500));
    let before = [sta(1), sta(2)].map(|station| lab.acked(station));
    lab.run(at(3500));
    let after = [sta(1), sta(2)].map(|station| lab.acked(station));
    let [one, two] = [0, 1].map(|n| (after[n] - before[n]) as f64);
    assert!((0.85..1.18).contains(&(one / two)), "{one} {two}");
    let mut late: Vec<_> = lab.ppdus().into_iter().filter(|ppdu| ppdu.start > at(1500)).collect();
    assert!(late.iter().any(|ppdu| ppdu.fate == Fate::Collided), "they contend");
    late.retain(|ppdu| ppdu.fate == Fate::Received);
    assert!(late.windows(2).all(|two| two[0].end <= two[1].start), "what is received overlaps nothing");
}

/// Nothing is announced: seven beacon intervals and a search later the station has found its access point.
#[test]
fn a_station_that_heard_no_announcement_stays_behind_for_a_while() {
    let search = ms(500);
    let station = || Station { search, ..Lab::plain(sta(1), "sta1", adapter()) };
    let mut lab = Lab::of(cell(switch(0), [station()]));
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(at(1005));
    let lost_from = lab.acked(sta(1));
    let found = at(1000) + BEACONS * 7 + search;
    lab.run(found);
    assert_eq!(lab.acked(sta(1)), lost_from);
    let late = lab.ppdus().into_iter().filter(|ppdu| ppdu.start > at(1005));
    let late: Vec<_> = late.filter(|ppdu| ppdu.kind == FrameKind::Ampdu).collect();
    assert!(!late.is_empty() && late.iter().all(|ppdu| ppdu.fate == Fate::Unheard), "{:?}", late.first());
    lab.run(found + ms(300));
    assert!(lab.acked(sta(1)) > lost_from + 1000);
    let [(_, AP, _), (back, _, 5500)] = retuned(&lab)[..] else { panic!("{:?}", retuned(&lab)) };
    assert!(back >= found && back < found + ms(10), "{back:?}");
}

/// It listens to every seventh beacon alone, of which none is among the four that announce.
#[test]
fn a_station_that_sleeps_through_all_announcements_stays_behind() {
    let power_save = |listen_interval| {
        let (timeout, fetch) = (ms(50), Fetch::Null);
        Some(PowerSave { timeout, listen_interval, fetch, uapsd: false })
    };
    for (listens, follows) in [(1, true), (7, false)] {
        let power_save = power_save(listens);
        let station = Station { power_save, search: ms(500), ..Lab::plain(sta(1), "sta1", adapter()) };
        let mut lab = Lab::of(cell(switch(5), [station]));
        lab.run(at(3000));
        let nodes: Vec<NodeId> = retuned(&lab).iter().map(|one| one.1).collect();
        assert_eq!(nodes == [sta(1), AP], follows, "{nodes:?}");
        assert_eq!(nodes.len(), 2);
    }
}

/// To another channel and back: nothing is left there that would be in the way.
#[test]
fn it_may_come_back() {
    let back = ChannelSwitch { at: at(2000), channel: channel(5180), count: 3 };
    let switches = [switch(3), vec![back]].concat();
    let mut lab = Lab::of(cell(switches, [Lab::plain(sta(1), "sta1", adapter())]));
    lab.saturated = vec![(sta(1), AP, FULL, 0), (AP, sta(1), FULL, 0)];
    lab.run(at(1000));
    let first = lab.acked(sta(1)) + lab.acked(AP);
    lab.run(at(3000));
    let before = lab.acked(sta(1)) + lab.acked(AP);
    lab.run(at(4000));
    let last = lab.acked(sta(1)) + lab.acked(AP) - before;
    assert!((last as f64 / first as f64 - 1.0).abs() < 0.02, "{first} {last}");
    let nodes: Vec<(NodeId, u32)> = retuned(&lab).iter().map(|one| (one.1, one.2)).collect();
    assert_eq!(nodes, [(sta(1), 5500), (AP, 5500), (sta(1), 5180), (AP, 5180)]);
}

/// What a network with switches to come does until then is what one without does.
#[test]
fn a_switch_changes_nothing_before_it() {
    let run = |switches| {
        let stations = [1, 2].map(|n| Lab::plain(sta(n), ["sta1", "sta2"][usize::from(n) - 1], adapter()));
        let mut lab = Lab::of(cell(switches, stations));
        lab.saturated = vec![(sta(1), AP, FULL, 0), (AP, sta(2), FULL, 0)];
        lab.run(at(1000));
        lab.ppdus()
    };
    assert_eq!(run(switch(5)), run(Vec::new()));
    assert_eq!(Duration::from_micros(102_400), BEACONS);
}
