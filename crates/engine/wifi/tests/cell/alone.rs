//! Frames that travel alone, in 802.11a, b and g: acknowledged one by one, tried again a few times, never held back.

use crate::lab::{AP, FULL, Lab, RETRIES, adapter, best_effort, ms, sta};
use airloom_observe::{Fate, FrameKind, LossCause, Observation};
use airloom_rate::Preamble::{self, Long, Short};
use airloom_rate::{Dsss, Rate, Speed};
use airloom_sim::{BitRate, Duration, Time};
use airloom_wifi::{Adapter, Adaptive, Phy, RateChoice, Retries, Station};

const ELEVEN: Rate = Rate::Dsss(Dsss::new(Speed::M11, Preamble::Long));

/// A station without QoS of 802.11b.
fn plain() -> Adapter {
    Adapter {
        qos: false,
        control_rate: None,
        beacon_rate: Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long)),
        ..adapter()
    }
}

/// The rates of 802.11b, slowest first.
fn speeds() -> Vec<Rate> {
    Speed::ALL.map(|speed| Rate::Dsss(Dsss::new(speed, Preamble::Long))).to_vec()
}

/// A cell of 802.11b with one station that chooses its rate like this, at this ratio over its 20 MHz.
fn cell(adapter: Adapter, rate: RateChoice, snr_db: f64) -> Lab {
    let edca = best_effort(2, 31, 1023);
    Lab::with(1, Phy::DSSS, (adapter, edca), Duration::from_secs(1000), 0, |cell| {
        cell.add_station(Station {
            edca,
            rate,
            rates: speeds(),
            // Over the 40 MHz of the channel, of which DSSS fills 20.
            snr_db: snr_db - 3.01,
            ..Lab::plain(sta(1), "sta1", adapter)
        });
    })
}

/// Sends `packets` one by one. Returns how many RTS and data frames were sent, and the retry bits of the latter.
fn sent(lab: &mut Lab, packets: u64) -> (usize, usize, Vec<bool>) {
    for n in 0..packets {
        let at = Time::ZERO + ms(100 * n);
        lab.run(at);
        lab.send_at(at, sta(1), AP, FULL);
    }
    lab.run(Time::ZERO + ms(100 * packets));
    let count = |kind| lab.ppdus().iter().filter(|p| p.kind == kind).count();
    let retries = lab.seen.iter().filter_map(|(_, seen)| match seen {
        Observation::Mpdu(mpdu) if mpdu.packet.is_some() => Some(mpdu.retry),
        _ => None,
    });
    (count(FrameKind::Rts), count(FrameKind::Data), retries.collect())
}

fn given_up(lab: &Lab) -> usize {
    let lost =
        |seen: &Observation| matches!(seen, Observation::MpduLost { cause: LossCause::RetryLimit, .. });
    lab.seen.iter().filter(|(_, seen)| lost(seen)).count()
}

#[test]
fn a_frame_is_tried_seven_times_and_four_if_rts_goes_before_it() {
    // No data frame at 11 Mbit/s survives this, while RTS and CTS at 2 Mbit/s do.
    let noise = 0.0;
    let mut lab = cell(plain(), RateChoice::Fixed(ELEVEN), noise);
    let (rts, data, retries) = sent(&mut lab, 3);
    assert_eq!((rts, data, given_up(&lab)), (0, 21, 3));
    let bits: Vec<bool> = (0..21).map(|n| n % 7 > 0).collect();
    assert_eq!(retries, bits, "all but the first attempt are retries");
    let mut lab = cell(Adapter { rts_threshold: Some(500), ..plain() }, RateChoice::Fixed(ELEVEN), noise);
    assert_eq!(sent(&mut lab, 3).0, 12);
    assert_eq!(given_up(&lab), 3);
}

/// A given-up frame leaves a hole in the sequence, for which the receiver does not wait.
#[test]
fn what_is_received_goes_up_at_once() {
    // Acknowledgments at 11 Mbit/s are lost now and then as well.
    let adapter =
        Adapter { retries: Retries { short_limit: 2, ..RETRIES }, control_rate: Some(ELEVEN), ..plain() };
    let mut lab = cell(adapter, RateChoice::Fixed(ELEVEN), 3.5);
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(20));
    let done = lab.packets.iter().filter_map(|life| life.done.map(|done| (life, done)));
    let (mut holes, mut doubles) = (0, 0);
    for (life, (at, acked)) in done {
        assert!(life.arrived.is_some() || !acked, "{life:?}");
        holes += usize::from(life.arrived.is_none());
        doubles += usize::from(!acked && life.arrived.is_some());
        assert!(life.arrived.is_none_or(|arrived| arrived < at), "{life:?}");
    }
    assert!(holes > 100, "{holes} frames were given up");
    assert!(doubles > 0, "some of them only because their acknowledgment was lost");
}

#[test]
fn a_lone_station_of_802_11b_attains_the_closed_form() {
    // DIFS 50, mean backoff 15.5 x 20, a frame of 1,536 bytes, SIFS 10, an ACK at 2 Mbit/s or at 11 Mbit/s.
    for (preamble, control_rate, micros) in
        [(Long, None, 1928), (Short, None, 1736), (Long, Some(ELEVEN), 1883)]
    {
        let rate = Rate::Dsss(Dsss::new(Speed::M11, preamble));
        let mut lab = cell(Adapter { control_rate, ..plain() }, RateChoice::Fixed(rate), 100.0);
        lab.saturated = vec![(sta(1), AP, FULL, 0)];
        lab.run(Time::ZERO + Duration::from_secs(60));
        let (measured, expected) = (lab.acked(sta(1)) as f64 / 60.0, 1e6 / f64::from(micros));
        assert!((measured / expected - 1.0).abs() < 0.005, "{measured} rather than {expected} a second");
    }
}

#[test]
fn changes_of_rate_are_told_and_lead_one_step_up_or_down() {
    let rates = speeds();
    let mut lab = cell(plain(), RateChoice::Adaptive(Adaptive::plain("arf").expect("its word")), 3.5);
    assert_eq!(lab.ether.link_rate(sta(1), AP), (ELEVEN, ELEVEN), "it begins at the top");
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(5));
    let place = |rate: BitRate| rates.iter().position(|r| r.bit_rate() == rate).expect("one of them");
    let mut now = 3usize;
    let mut changes = 0;
    for (_, seen) in &lab.seen {
        match seen {
            Observation::LinkRate { node, peer, rate, .. } => {
                assert_eq!((*node, *peer), (sta(1), AP));
                let next = place(rate.bit_rate());
                assert_eq!(now.abs_diff(next), 1);
                (now, changes) = (next, changes + 1);
            }
            Observation::Ppdu(ppdu) if ppdu.kind == FrameKind::Data => {
                let [user] = ppdu.users;
                assert_eq!(
                    place(user.rate.bit_rate()),
                    now,
                    "what waits in hardware goes at the new rate too"
                );
            }
            _ => {}
        }
    }
    assert!(changes > 20, "{changes} changes");
    assert_eq!(lab.ether.link_rate(sta(1), AP), (rates[now], ELEVEN));
}

#[test]
fn a_script_changes_the_rate_when_it_says() {
    let slow = Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long));
    let at = |n| Time::ZERO + ms(n);
    let steps = vec![(ms(0), ELEVEN), (ms(20), slow), (ms(70), ELEVEN)];
    let mut lab = cell(plain(), RateChoice::Scripted(steps), 100.0);
    lab.saturated = vec![(sta(1), AP, FULL, 0), (AP, sta(1), FULL, 0)];
    lab.run(at(100));
    let changes_of = |node| {
        let change = move |(now, seen): &(Time, Observation)| match seen {
            Observation::LinkRate { node: from, rate, .. } if *from == node => Some((*now, rate.bit_rate())),
            _ => None,
        };
        lab.seen.iter().filter_map(change).collect::<Vec<_>>()
    };
    for node in [sta(1), AP] {
        let changes = changes_of(node);
        let rates: Vec<BitRate> = changes.iter().map(|change| change.1).collect();
        assert_eq!(rates, [slow, ELEVEN].map(Rate::bit_rate));
        for (&(now, _), due) in changes.iter().zip([at(20), at(70)]) {
            assert!(now >= due && now < due + ms(15), "{now:?}: the exchange on the air may go on");
        }
    }
}

/// Ten stations that hardly back off, so that many an RTS collides.
#[test]
fn seven_rts_in_vain_end_a_frame_that_was_never_sent() {
    let (adapter, edca) = (Adapter { rts_threshold: Some(500), ..plain() }, best_effort(2, 7, 7));
    let names: Vec<String> = (1..=10).map(|n| format!("sta{n}")).collect();
    let mut lab = Lab::with(1, Phy::DSSS, (adapter, edca), Duration::from_secs(1000), 0, |cell| {
        for (name, n) in names.iter().zip(1..) {
            let rate = RateChoice::Fixed(ELEVEN);
            cell.add_station(Station { edca, rate, ..Lab::plain(sta(n), name, adapter) });
        }
    });
    lab.saturated = (1..=10).map(|n| (sta(n), AP, FULL, 0)).collect();
    lab.run(Time::ZERO + Duration::from_secs(20));
    let mut vain = [0; 11];
    let mut ended = 0;
    for (_, seen) in &lab.seen {
        match seen {
            Observation::Ppdu(ppdu) if ppdu.kind == FrameKind::Rts => {
                let node = usize::from(ppdu.from.0);
                let [user] = ppdu.users;
                vain[node] = if user.fate == Fate::Received { 0 } else { vain[node] + 1 };
                assert!(vain[node] <= 7);
            }
            Observation::MpduLost { node, .. } => {
                assert_eq!(std::mem::take(&mut vain[usize::from(node.0)]), 7);
                ended += 1;
            }
            Observation::Mpdu(mpdu) if mpdu.packet.is_some() => {
                assert!(!mpdu.retry, "what was not sent is not sent again");
            }
            _ => {}
        }
    }
    assert!(ended > 20, "{ended} frames were given up");
}
