//! Saturated stations with four categories each: what every category carries, held against a published model of EDCA.
//!
//! The model is that of Robinson and Randhawa ("Saturation throughput analysis of IEEE 802.11e enhanced distributed coordination
//! function", 2004), in which the slots after a busy period form contention zones: a category takes part from its own AIFS on.
//! Within a station the higher category wins a slot that two of them choose, and the lower one backs off as after a collision
//! (Engelstad and Østerbø, "Analysis of the total delay of IEEE 802.11e EDCA and 802.11 DCF", 2005). A busy period is one slot, and
//! all continue at once after a failure, as in [`bianchi`](crate::bianchi).

use crate::lab::{AGGREGATION, AP, DEPTH, FULL, Lab, RETRIES, Sent, adapter, sta};
use airloom_observe::{Fate, FrameKind, NodeId};
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};
use airloom_wifi::frame_size::{ACK_BYTES, DATA_OVERHEAD};
use airloom_wifi::{
    Access, Adapter, Aggregation, Category, Depth, Edca, PerCategory, Phy, RateChoice, Retries, Station,
};

/// A user priority of each category.
const TIDS: PerCategory<u8> = PerCategory([6, 5, 0, 1]);

/// Categories that differ in AIFSN and window.
const GRADED: Edca = PerCategory([
    Access::new(2, 31, 127),
    Access::new(2, 63, 255),
    Access::new(3, 63, 1023),
    Access::new(4, 63, 1023),
]);

const PHY: Phy = Phy { waits_after_failure: false, ..Phy::OFDM_5GHZ };

fn data() -> Rate {
    Rate::ofdm(54).expect("a rate")
}

fn control() -> Rate {
    Rate::ofdm(24).expect("a rate")
}

/// How often a category transmits in a slot in which it may, if this share of its attempts fails.
fn transmits(access: Access, fails: f64) -> f64 {
    let (mut visits, mut slots, mut weight, mut window) = (0.0, 0.0, 1.0, access.cw_min + 1);
    for _ in 0..400 {
        visits += weight;
        slots += weight * (f64::from(window) + 1.0) / 2.0;
        weight *= fails;
        window = (2 * window).min(access.cw_max + 1);
    }
    visits / slots
}

/// The slots after a busy period from the shortest AIFS on: how often each is reached, and which categories take part. The last stands
/// for all that follow.
fn zones(edca: &Edca, tau: &PerCategory<f64>, n: i32) -> Vec<(f64, PerCategory<f64>)> {
    let aifsn = |category| edca[category].aifsn;
    let first = Category::ALL.map(aifsn).into_iter().min().expect("there are four");
    let last = Category::ALL.map(aifsn).into_iter().max().expect("there are four");
    let mut reached = 1.0;
    (first..=last)
        .map(|slot| {
            let takes_part = PerCategory::from_fn(|c| if aifsn(c) <= slot { tau[c] } else { 0.0 });
            let idle = libm::pow(quiet(&takes_part.0), f64::from(n));
            let here = if slot == last { reached / (1.0 - idle) } else { reached };
            reached *= idle;
            (here, takes_part)
        })
        .collect()
}

/// The probability that none of these transmits.
fn quiet(tau: &[f64]) -> f64 {
    tau.iter().map(|tau| 1.0 - tau).product()
}

/// What each category of all `n` stations carries, in bit/s.
fn model(edca: &Edca, n: i32) -> PerCategory<f64> {
    let mut fails = PerCategory([0.5; 4]);
    let others = f64::from(n - 1);
    // An attempt succeeds if no higher category of its station and none of another station transmits.
    let succeeds = |tau: &PerCategory<f64>, category: Category| {
        quiet(&tau.0[..category.index()]) * libm::pow(quiet(&tau.0), others)
    };
    let mut tau = PerCategory([0.0; 4]);
    for _ in 0..2000 {
        tau = PerCategory::from_fn(|c| transmits(edca[c], fails[c]));
        let zones = zones(edca, &tau, n);
        for category in Category::ALL {
            let may = zones.iter().filter(|(_, tau)| tau[category] > 0.0);
            let (all, good) = may.fold((0.0, 0.0), |(all, good), (share, tau)| {
                (all + share, good + share * succeeds(tau, category))
            });
            fails[category] = 0.9 * fails[category] + 0.1 * (1.0 - good / all);
        }
    }
    let seconds = |d: Duration| d.as_secs_f64();
    let first = Category::ALL.map(|c| edca[c].aifsn).into_iter().min().expect("there are four");
    let (sifs, slot) = (seconds(PHY.sifs), seconds(PHY.slot));
    let aifs = sifs + slot * f64::from(first);
    let frame = seconds(PHY.ppdu(data(), FULL + DATA_OVERHEAD));
    let (succeeded, failed) = (frame + sifs + seconds(PHY.ppdu(control(), ACK_BYTES)) + aifs, frame + aifs);
    let zones = zones(edca, &tau, n);
    let mean: f64 = zones
        .iter()
        .map(|(share, tau)| {
            let silent = quiet(&tau.0);
            let idle = libm::pow(silent, f64::from(n));
            let success = f64::from(n) * (1.0 - silent) * libm::pow(silent, others);
            share * (idle * slot + success * succeeded + (1.0 - idle - success) * failed)
        })
        .sum();
    PerCategory::from_fn(|category| {
        let carried: f64 =
            zones.iter().map(|(share, tau)| share * tau[category] * succeeds(tau, category)).sum();
        f64::from(n) * carried * 8.0 * f64::from(FULL) / mean
    })
}

/// `n` stations that always have a packet in each of these categories.
fn saturated(phy: Phy, edca: Edca, n: u16, categories: &[Category], end: Duration) -> Lab {
    let adapter = Adapter {
        aggregation: Aggregation { ampdu_mpdus: 1, ..AGGREGATION },
        retries: Retries { short_limit: u32::MAX, long_limit: u32::MAX, ..RETRIES },
        control_rate: Some(control()),
        beacon_rate: control(),
        depth: Depth { driver_limit: 3, ..DEPTH },
        ..adapter()
    };
    let names: Vec<String> = (1..=n).map(|i| format!("sta{i}")).collect();
    let mut lab = Lab::with(7, phy, (adapter, edca), Duration::from_secs(1000), 0, |cell| {
        for (id, name) in (1..).zip(&names) {
            cell.add_station(Station {
                edca,
                rate: RateChoice::Fixed(data()),
                ..Lab::plain(sta(id), name, adapter)
            });
        }
    });
    lab.saturated =
        (1..=n).flat_map(|i| categories.iter().map(move |&c| (sta(i), AP, FULL, TIDS[c]))).collect();
    lab.run(Time::ZERO + end);
    lab
}

/// What arrived of each category.
fn arrived(lab: &Lab) -> PerCategory<u32> {
    let mut count = PerCategory([0; 4]);
    lab.order.iter().for_each(|&(_, n)| count[Category::of_tid(lab.packets[n].tid)] += 1);
    count
}

#[test]
fn four_saturated_categories_are_as_in_a_model() {
    for (n, seconds) in [(1, 50), (2, 100), (5, 150), (10, 300)] {
        let wanted = model(&GRADED, i32::from(n));
        let arrived = arrived(&saturated(PHY, GRADED, n, &Category::ALL, Duration::from_secs(seconds)));
        for category in Category::ALL {
            let carried = f64::from(arrived[category]) * 8.0 * f64::from(FULL) / seconds as f64;
            let error = carried / wanted[category] - 1.0;
            assert!(error.abs() < 0.03, "{n} stations, {}: {:.1} %", category.name(), 100.0 * error);
        }
    }
}

/// PPDUs with data of one node.
fn data_of(lab: &Lab, node: NodeId) -> Vec<Sent> {
    lab.ppdus().into_iter().filter(|p| p.kind.is_data() && p.from == node).collect()
}

/// Two categories of one station with the same AIFSN and no window always choose the same slot: the higher one sends, and the other backs
/// off by a window that grows, without an attempt that counts.
#[test]
fn of_two_categories_that_choose_one_slot_the_higher_sends() {
    let edca = PerCategory([
        Access::new(2, 0, 0),
        Access::new(2, 7, 1023),
        Access::new(2, 0, 1023),
        Access::new(2, 7, 1023),
    ]);
    let categories = [Category::Voice, Category::BestEffort];
    let lab = saturated(Phy::OFDM_5GHZ, edca, 1, &categories, Duration::from_secs(2));
    let sent = data_of(&lab, sta(1));
    assert!(
        sent.iter().all(|p| p.fate == Fate::Received && p.retries == 0),
        "nothing of one station collides"
    );
    assert!(sent.iter().all(|p| p.tid == 6), "no backoff of best effort ends alone");
    assert!(sent.len() > 4000, "voice is not held up: {}", sent.len());
    // With a slot of backoff for voice, best effort gets through where its own backoff is over first.
    let edca = PerCategory([Access::new(2, 1, 1), edca.0[1], edca.0[2], edca.0[3]]);
    let counts = arrived(&saturated(Phy::OFDM_5GHZ, edca, 1, &categories, Duration::from_secs(2)));
    assert!(counts[Category::BestEffort] > 100, "{counts:?}");
    assert!(counts[Category::Voice] > counts[Category::BestEffort], "{counts:?}");
}

/// Bursts: frames of one category a SIFS apart, each with its Ack within the limit, which no other frame of the category begins beyond.
#[test]
fn a_txop_holds_what_ends_within_its_limit() {
    // 1538 bytes at 54 Mbit/s take 252 us and their Ack 28: with a SIFS after each frame, 312 us from one to the next.
    let exchange = 252 + 16 + 28;
    for (limit, burst) in
        [(0, 1), (exchange, 1), (2 * exchange + 15, 1), (2 * exchange + 16, 2), (1504, 4), (3008, 9)]
    {
        let txop = Duration::from_micros(limit);
        let edca = PerCategory([Access { txop, ..GRADED.0[0] }, GRADED.0[1], GRADED.0[2], GRADED.0[3]]);
        let lab = saturated(Phy::OFDM_5GHZ, edca, 2, &[Category::Voice], Duration::from_millis(200));
        let ppdus = lab.ppdus();
        let mut bursts: Vec<(Time, Time, usize)> = Vec::new();
        for ppdu in ppdus.iter().filter(|p| p.fate == Fate::Received) {
            match (bursts.last_mut(), ppdu.kind) {
                (Some(last), FrameKind::Data) if ppdu.start - last.1 == PHY.sifs => last.2 += 1,
                (_, FrameKind::Data) => bursts.push((ppdu.start, ppdu.end, 1)),
                (Some(last), _) => last.1 = ppdu.end,
                (None, _) => {}
            }
        }
        bursts.pop();
        assert!(bursts.len() > 20);
        let most = bursts.iter().map(|burst| burst.2).max();
        assert_eq!(most, Some(burst), "{limit} us");
        if limit > 0 {
            assert!(bursts.iter().all(|burst| burst.1 - burst.0 <= txop), "{limit} us");
        }
        // A backoff precedes each burst, of one station or the other.
        for pair in bursts.windows(2) {
            assert!(pair[1].0 - pair[0].1 >= PHY.sifs + PHY.slot * 2, "{limit} us");
        }
    }
}

/// An A-MPDU is formed to end within the limit with its BlockAck.
#[test]
fn an_a_mpdu_fits_into_the_limit() {
    let slow = Rate::Ht(airloom_rate::Ht {
        mcs: 0,
        width: airloom_rate::Width::Mhz40,
        guard: airloom_rate::GuardInterval::Ns800,
    });
    for (tid, most) in [(6, 1504), (5, 3008), (0, 4100)] {
        let mut lab = Lab::new(1, adapter(), Duration::from_secs(1000), 0, |cell| {
            let rate = RateChoice::Fixed(slow);
            cell.add_station(Station { rate, ..Lab::plain(sta(1), "sta1", adapter()) });
        });
        lab.saturated = vec![(sta(1), AP, 300, tid)];
        lab.run(Time::ZERO + Duration::from_millis(300));
        let ppdus = lab.ppdus();
        let longest = ppdus.iter().filter(|p| p.kind == FrameKind::Ampdu).map(|p| p.end - p.start).max();
        let longest = longest.expect("it aggregates") + PHY.sifs + PHY.ppdu(control(), 32);
        assert!(longest <= Duration::from_micros(most), "{tid}: {longest:?}");
        assert!(longest + Duration::from_micros(200) > Duration::from_micros(most), "{tid}: {longest:?}");
        assert!(ppdus.iter().all(|p| p.tid == tid), "its BlockAcks have its TID");
    }
}
