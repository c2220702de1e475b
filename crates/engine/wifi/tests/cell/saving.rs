//! Stations that doze: what waits for them comes for PS-Polls, or in service periods that their own voice begins.

use crate::lab::{AP, BEACONS, Lab, Sent, adapter, ms, sta};
use airloom_observe::{FrameKind, Mpdu, NodeId, Observation};
use airloom_sim::{Duration, Time};
use airloom_wifi::{Fetch, PowerSave, Station};
use proptest::prelude::*;

/// A user priority of voice.
const VOICE: u8 = 6;

/// A cell with a station that dozes from 100 ms on.
fn dozing(fetch: Fetch, uapsd: bool) -> Lab {
    let power_save = Some(PowerSave { timeout: ms(100), listen_interval: 1, fetch, uapsd });
    let mut lab = Lab::new(1, adapter(), BEACONS, 64, |cell| {
        cell.add_station(Station { power_save, ..Lab::plain(sta(1), "sta1", adapter()) });
    });
    lab.run(at(150));
    let sleeps = |ppdu: &Sent| ppdu.kind == FrameKind::Null { sleep: true };
    assert_eq!(lab.ppdus().into_iter().filter(sleeps).count(), 1);
    lab.seen.clear();
    lab
}

fn at(milliseconds: u64) -> Time {
    Time::ZERO + ms(milliseconds)
}

/// Transmitters and kinds of what was on the air, beacons aside.
fn aired(lab: &Lab) -> Vec<(NodeId, FrameKind)> {
    let heard = lab.ppdus().into_iter().filter(|ppdu| ppdu.kind != FrameKind::Beacon);
    heard.map(|ppdu| (ppdu.from, ppdu.kind)).collect()
}

/// MPDUs with packets.
fn mpdus(lab: &Lab) -> Vec<Mpdu> {
    let mpdu = |seen: &(Time, Observation)| match seen.1 {
        Observation::Mpdu(mpdu) if mpdu.packet.is_some() => Some(mpdu),
        _ => None,
    };
    lab.seen.iter().filter_map(mpdu).collect()
}

/// One MPDU for each poll, of which all but the last say that there is more; the station dozes on.
#[test]
fn each_poll_brings_one_packet() {
    let mut lab = dozing(Fetch::PsPoll, false);
    (0..3).for_each(|_| assert!(lab.send_at(at(150), AP, sta(1), 1500)));
    lab.run(at(400));
    let (poll, data, ack) = (FrameKind::PsPoll, FrameKind::Data, FrameKind::Ack);
    let turn = [(sta(1), poll), (AP, ack), (AP, data), (sta(1), ack)];
    assert_eq!(aired(&lab), turn.repeat(3));
    assert_eq!(mpdus(&lab).iter().map(|mpdu| mpdu.power.more).collect::<Vec<_>>(), [true, true, false]);
    assert!(lab.packets.iter().all(|life| life.arrived.is_some()));
}

/// A beacon says nothing of voice; the station's own voice has all of it sent at once, and stays asleep.
#[test]
fn voice_begins_a_service_period() {
    let mut lab = dozing(Fetch::Null, true);
    (0..3).for_each(|_| assert!(lab.send_as(at(150), AP, sta(1), (200, VOICE))));
    lab.run(at(320));
    assert_eq!(aired(&lab), []);
    assert!(lab.send_as(at(320), sta(1), AP, (200, VOICE)));
    lab.run(at(330));
    let (data, ampdu, ack, acks) = (FrameKind::Data, FrameKind::Ampdu, FrameKind::Ack, FrameKind::BlockAck);
    assert_eq!(aired(&lab), [(sta(1), data), (AP, ack), (AP, ampdu), (sta(1), acks)]);
    let said: Vec<_> = mpdus(&lab).iter().map(|mpdu| (mpdu.power.sleeps, mpdu.power.ends)).collect();
    assert_eq!(said, [(true, false), (false, true), (false, true), (false, true)]);
    assert!(lab.packets.iter().all(|life| life.arrived.is_some_and(|arrived| arrived < at(325))));
}

#[test]
fn a_service_period_without_packets_ends_with_a_null_frame() {
    let mut lab = dozing(Fetch::Null, true);
    assert!(lab.send_as(at(150), sta(1), AP, (200, VOICE)));
    lab.run(at(160));
    let kinds: Vec<_> = aired(&lab).into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(kinds, [FrameKind::Data, FrameKind::Ack, FrameKind::EndOfPeriod, FrameKind::Ack]);
}

/// Best effort still waits for a beacon, and wakes the station.
#[test]
fn other_categories_wait_for_beacons() {
    let mut lab = dozing(Fetch::Null, true);
    assert!(lab.send_at(at(150), AP, sta(1), 1500));
    assert!(lab.send_as(at(160), sta(1), AP, (200, VOICE)));
    lab.run(at(200));
    assert_eq!(lab.packets[0].arrived, None);
    lab.run(at(220));
    assert!(lab.packets[0].arrived.is_some());
    assert!(aired(&lab).contains(&(sta(1), FrameKind::Null { sleep: false })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However packets come, in whatever noise: every one is delivered or given up, and a station that never has to wake for
    /// data does not say that it is awake.
    #[test]
    fn nothing_is_forgotten(
        polls in any::<bool>(),
        uapsd in any::<bool>(),
        snr_db in 18.0..40.0f64,
        sends in prop::collection::vec((0u64..1500, any::<bool>(), any::<bool>()), 1..60),
    ) {
        let fetch = if polls { Fetch::PsPoll } else { Fetch::Null };
        let power_save = Some(PowerSave { timeout: ms(50), listen_interval: 1, fetch, uapsd });
        let mut lab = Lab::new(3, adapter(), BEACONS, 64, |cell| {
            cell.add_station(Station {
                power_save,
                snr_db,
                fading_db: 3.0,
                rate: airloom_wifi::RateChoice::Fixed(airloom_rate::Rate::ofdm(24).expect("a rate")),
                ..Lab::plain(sta(1), "sta1", adapter())
            });
        });
        let mut sends = sends;
        sends.sort_unstable();
        for (when, down, voice) in sends {
            lab.run(at(when));
            let tid = if voice { VOICE } else { 0 };
            let (from, to) = if down { (AP, sta(1)) } else { (sta(1), AP) };
            lab.send_as(at(when), from, to, (300, tid));
        }
        // A last word of the station's has what waits of its voice sent.
        for n in 0..20 {
            let when = Time::ZERO + ms(2000) + Duration::from_millis(20 * n);
            lab.run(when);
            lab.send_as(when, sta(1), AP, (300, VOICE));
        }
        lab.run(at(4000));
        for life in &lab.packets {
            prop_assert!(life.done.is_some(), "{life:?}");
        }
    }
}
