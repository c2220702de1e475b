//! One scan as it shows on the air, and what happens meanwhile to packets for the station.

use crate::lab::{AP, BEACONS, FULL, Lab, MODERN, Sent, adapter, ms, scanning, sta};
use airloom_observe::{Fate, FrameKind, LossCause, Observation, RadioPlace};
use airloom_sim::{Duration, Time};
use airloom_wifi::Station;

const PARKED: usize = 64;
/// Packets for the station during its first absence, one every millisecond.
const DURING: usize = 90;

/// A station scans three channels at 50 ms. Meanwhile the access point sends to it: ten packets before, ninety in the
/// first absence, ten after the scan.
fn scan() -> Lab {
    let adapter = adapter();
    let (scanner, procedure) = scanning(ms(50), Duration::from_secs(1000), MODERN);
    let scanning = Some((scanner, None, procedure));
    let mut lab = Lab::new(7, adapter, BEACONS, PARKED, |cell| {
        cell.add_station(Station { scanning, ..Lab::plain(sta(1), "sta1", adapter) });
    });
    let mut send = |at: u64, packets: usize| {
        let at = Time::ZERO + ms(at);
        lab.run(at);
        (0..packets).for_each(|_| assert!(lab.send_at(at, AP, sta(1), FULL)));
    };
    send(10, 10);
    (0..DURING).for_each(|n| send(60 + n as u64, 1));
    send(1500, 10);
    lab.run(Time::ZERO + Duration::from_secs(2));
    lab
}

/// Trips as (first null frame due, tuned away, tuned back, announced).
fn trips(lab: &Lab) -> Vec<[Time; 4]> {
    let mut trips: Vec<Vec<Time>> = Vec::new();
    for &(now, seen) in &lab.seen {
        if let Observation::Radio { place, .. } = seen {
            if place == RadioPlace::Leaving {
                trips.push(Vec::new());
            }
            trips.last_mut().expect("a trip begins with leaving").push(now);
        }
    }
    trips.into_iter().map(|t| t.try_into().expect("a trip has four instants")).collect()
}

#[test]
fn null_frames_open_and_close_every_trip_and_beacons_lie_between() {
    let lab = scan();
    let (ppdus, trips) = (lab.ppdus(), trips(&lab));
    assert_eq!(trips.len(), 3);
    for [leaving, away, back, home] in trips {
        let within = |from: Time, to: Time| ppdus.iter().filter(move |p| p.start >= from && p.end <= to);
        let nulls = |from, to| within(from, to).filter(|p| matches!(p.kind, FrameKind::Null { .. }));
        let train = |from, to, sleep: bool, deaf: Duration| {
            let train: Vec<&Sent> = nulls(from, to).collect();
            assert!(train.iter().all(|p| p.kind == FrameKind::Null { sleep } && p.from == sta(1)));
            let (first, last) = (train[0], train[train.len() - 1]);
            let length = last.start - first.start;
            assert!(length >= deaf && length < deaf + ms(1), "attempts until it hears again: {length:?}");
            assert_eq!(last.fate, Fate::Received);
            let answer = within(last.end, to).find(|p| p.kind == FrameKind::Ack).expect("an acknowledgment");
            assert_eq!((answer.from, answer.to, answer.fate), (AP, Some(sta(1)), Fate::Received));
            let rts = within(from, to).filter(|p| p.kind == FrameKind::Rts).count();
            assert_eq!(rts, train.len() - 4, "RTS from the fifth attempt on");
        };
        train(leaving, away, true, Duration::from_micros(1600));
        train(back, home, false, Duration::from_micros(1100));
        assert_eq!(back - away, ms(111));
        assert_eq!(nulls(away, back).count(), 0);
        assert!(within(away, back).any(|p| p.kind == FrameKind::Beacon), "a beacon while away");
        let concerns = |p: &&Sent| p.from == sta(1) || p.to == Some(sta(1));
        assert_eq!(within(away, back).filter(concerns).count(), 0, "the access point knows that it dozes");
    }
}

#[test]
fn parked_packets_are_bounded_and_follow_in_order() {
    let lab = scan();
    let [leaving, away, back, home] = trips(&lab)[0];
    assert!(leaving < away && away < Time::ZERO + ms(60) && back > Time::ZERO + ms(60 + DURING as u64));
    let overflow = DURING - PARKED;
    let lost: Vec<usize> = (0..lab.packets.len()).filter(|&n| lab.packets[n].arrived.is_none()).collect();
    assert_eq!(lost, (10..10 + overflow).collect::<Vec<_>>(), "the oldest make room");
    let causes: Vec<LossCause> = lab
        .seen
        .iter()
        .filter_map(|(_, seen)| match seen {
            Observation::MpduLost { cause, .. } => Some(*cause),
            _ => None,
        })
        .collect();
    assert_eq!(causes, vec![LossCause::PowerSaveOverflow; overflow]);
    let order: Vec<usize> = lab.order.iter().map(|&(_, n)| n).collect();
    assert_eq!(order, (0..110).filter(|n| !lost.contains(n)).collect::<Vec<_>>());
    let first = lab.packets[10 + overflow].arrived.expect("parked and delivered");
    assert!(first > back && first < home + ms(5), "{first:?} after {home:?}");
}
