//! Whatever the channel loses and whichever station is away: no packet vanishes or doubles, order holds, no radio does two things at
//! once.

use crate::lab::{
    AGGREGATION, AP, BEACONS, DEPTH, FAST, Lab, MODERN, OLD, RETRIES, Sent, WIDE, WIDEST, adapter, ms,
    scanning, sta,
};
use airloom_observe::{Fate, LossCause, NodeId, Observation, Ppdu, RadioPlace};
use airloom_propagation::Outages;
use airloom_rate::{Dsss, GuardInterval, Ht, Preamble, Rate, Speed, Width};
use airloom_sim::{Duration, Time};
use airloom_wifi::{
    Adapter, Adaptive, Aggregation, Depth, Edca, RateChoice, Reordering, Retries, Station, Turns,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The slowest rate of HT.
const CRAWL: Rate = Rate::Ht(Ht { mcs: 0, width: Width::Mhz20, guard: GuardInterval::Ns800 });

/// Long enough for a burst to fail in, and rare enough for one to arrive.
const OUTAGES: Outages =
    Outages { between: Duration::from_millis(200), lasting: Duration::from_millis(50), depth_db: 60.0 };

/// The rates of 802.11b.
fn legacy() -> Vec<Rate> {
    Speed::ALL.map(|speed| Rate::Dsss(Dsss::new(speed, Preamble::Long))).to_vec()
}

/// A station as drawn.
#[derive(Clone, Debug)]
struct Drawn {
    snr_db: f64,
    evm_db: f64,
    rate: RateChoice,
    rates: Vec<Rate>,
    /// MPDUs in its BlockAck agreement.
    window: u16,
    /// And whether it counts what hardware repeats.
    retry_limit: (u32, bool),
    rts_threshold: Option<u32>,
    /// When it scans first, and whether as older kernels do.
    scan: Option<(u64, bool)>,
    /// Whether something stands in the way at times.
    outages: bool,
}

/// After a pause, a burst of packets from or to a station.
#[derive(Clone, Debug)]
struct Burst {
    pause: u64,
    station: u16,
    up: bool,
    packets: usize,
    bytes: u32,
    /// Their user priority.
    tid: u8,
}

fn station() -> impl Strategy<Value = Drawn> {
    let fixed = prop_oneof![
        Just(FAST),
        Just(WIDE),
        Just(WIDEST),
        Just(Rate::Ht(Ht { mcs: 7, width: Width::Mhz20, guard: GuardInterval::Ns800 })),
        Just(Rate::Ht(Ht { mcs: 3, width: Width::Mhz40, guard: GuardInterval::Ns800 })),
        Just(CRAWL),
        Just(Rate::ofdm(54).expect("a rate")),
        Just(Rate::Dsss(Dsss::new(Speed::M11, Preamble::Short))),
    ];
    let adaptive = prop::sample::select(Adaptive::WORDS);
    let scripted = prop_oneof![
        (1u64..1000).prop_map(|at| {
            let slow = Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long));
            vec![(ms(0), Rate::ofdm(6).expect("a rate")), (ms(at), slow)]
        }),
        (1u64..1000).prop_map(|at| {
            let alone = Rate::ofdm(6).expect("a rate");
            vec![(ms(0), FAST), (ms(at), CRAWL), (ms(2 * at), alone)]
        }),
    ];
    let rate = prop_oneof![
        fixed.prop_map(RateChoice::Fixed),
        adaptive.prop_map(|word| RateChoice::Adaptive(Adaptive::plain(word).expect("it is a word"))),
        scripted.prop_map(RateChoice::Scripted),
    ];
    let ht = Ht::rates(2, Width::Mhz40, GuardInterval::Ns400);
    let rates = prop_oneof![Just(ht), Just(legacy())];
    let scan = prop::option::of((5u64..400, any::<bool>()));
    let window = prop::sample::select(vec![64u16, 256, 1024]);
    let rates = (rate, rates);
    (
        8.0..45.0f64,
        -32.0..-22.0f64,
        rates,
        window,
        (0u32..11, any::<bool>()),
        prop::option::of(200u32..3000),
        (scan, any::<bool>()),
    )
        .prop_map(
            |(snr_db, evm_db, (rate, rates), window, retry_limit, rts_threshold, (scan, outages))| Drawn {
                snr_db,
                evm_db,
                rate,
                rates,
                window,
                retry_limit,
                rts_threshold,
                scan,
                outages,
            },
        )
}

fn burst() -> impl Strategy<Value = Burst> {
    // Half of them best effort.
    let tid = prop_oneof![Just(0), 0u8..8];
    (0u64..30_000, 0u16..3, any::<bool>(), 1usize..90, 40u32..=1500, tid).prop_map(
        |(pause, station, up, packets, bytes, tid)| Burst { pause, station, up, packets, bytes, tid },
    )
}

/// An adapter with this window, whose PPDUs are as long as half of it, with so many packets in an A-MSDU.
fn wide(block_ack_window: u16, amsdu_packets: u32) -> Adapter {
    let ampdu_mpdus = u32::from(block_ack_window) / 2;
    let ampdu_bytes = ampdu_mpdus * 2048;
    let aggregation =
        Aggregation { block_ack_window, ampdu_mpdus, ampdu_bytes, amsdu_packets, ..AGGREGATION };
    Adapter { aggregation, depth: Depth { driver_limit: 246, ..DEPTH }, ..adapter() }
}

/// Plays the bursts, then gives the cell up to ten minutes to come to rest. The first two stations may not hear each other.
fn play(
    (seed, amsdu): (u64, u32),
    park: usize,
    remedy: bool,
    stations: &[Drawn],
    hidden: bool,
    bursts: &[Burst],
) -> Lab {
    let names = ["sta1", "sta2", "sta3"];
    let reordering = if remedy { Reordering::PseudoRetryOut } else { Reordering::Timeout };
    let turns = Turns::WORDS[seed as usize % Turns::WORDS.len()].1;
    let ap = Adapter { evm_db: -25.0, reordering, turns, ..wide(1024, amsdu) };
    let mut lab = Lab::new(seed, ap, BEACONS, park, |cell| {
        for (i, drawn) in stations.iter().enumerate() {
            let Drawn { snr_db, evm_db, rate, rates, window, retry_limit, rts_threshold, scan, outages } =
                drawn.clone();
            let (limit, counts_hardware) = retry_limit;
            let adapter = Adapter {
                evm_db,
                retries: Retries { limit, counts_hardware, ..RETRIES },
                rts_threshold,
                turns,
                ..wide(window, amsdu)
            };
            // Hidden stations may lose every null frame that says they are back, and their access point goes on parking.
            let scanning = scan.filter(|_| !hidden).map(|(first, old)| {
                let how = if old { OLD } else { MODERN };
                let (scanner, procedure) = scanning(ms(first), Duration::from_secs(1000), how);
                (scanner, None, procedure)
            });
            let (id, name) = (sta(i as u16 + 1), names[i]);
            let hidden = [sta(2), sta(1)].get(i).filter(|_| hidden).copied().into_iter().collect();
            cell.add_station(Station {
                id,
                name,
                adapter,
                edca: Edca::STATION,
                snr_db,
                up_db: 0.0,
                fading_db: 3.0,
                slow_fading: None,
                outages: outages.then_some(OUTAGES),
                rate,
                rates,
                hidden,
                scanning,
                power_save: None,
                search: Duration::ZERO,
            });
        }
    });
    let mut now = Time::ZERO;
    for burst in bursts {
        now += Duration::from_micros(burst.pause);
        lab.run(now);
        let node = sta(burst.station % stations.len() as u16 + 1);
        let (from, to) = if burst.up { (node, AP) } else { (AP, node) };
        for _ in 0..burst.packets {
            lab.send_as(now, from, to, (burst.bytes, burst.tid));
        }
    }
    for _ in 0..60 {
        now += Duration::from_secs(10);
        lab.run(now);
        if lab.packets.iter().all(|life| life.done.is_some()) {
            break;
        }
    }
    lab
}

/// Every packet is done with once, arrives at most once and in the order of its TID, and arrives if it was acknowledged, unless the
/// receiver had given up on it, not knowing how many packets it has: up to `amsdu`.
fn check_packets(lab: &Lab, amsdu: usize) {
    let mut late = 0;
    for (n, life) in lab.packets.iter().enumerate() {
        let Some((_, acked)) = life.done else { panic!("packet {n} is never done with: {life:?}") };
        assert_eq!(life.kept, life.arrived.is_some(), "packet {n} is still held by its receiver: {life:?}");
        late += usize::from(acked && !life.kept);
    }
    let cause = |wanted| {
        let lost =
            |seen: &Observation| matches!(seen, Observation::MpduLost { cause, .. } if *cause == wanted);
        lab.seen.iter().filter(|(_, seen)| lost(seen)).count()
    };
    let given_up = cause(LossCause::TooLate) + amsdu * cause(LossCause::PseudoRetryOut);
    assert!(late <= given_up, "{late} packets were acknowledged but not delivered");
    let mut last: BTreeMap<(NodeId, NodeId, u8), usize> = BTreeMap::new();
    for &(_, n) in &lab.order {
        let life = &lab.packets[n];
        let before = last.insert((life.from, life.to, life.tid), n);
        assert!(before.is_none_or(|before| before < n), "packet {n} after {before:?}");
    }
}

/// Frames overlap only where they collide or come from stations that do not hear each other, and no station receives
/// while it transmits.
fn check_air(ppdus: &[Sent], hidden: bool) {
    for (n, ppdu) in ppdus.iter().enumerate() {
        assert!(ppdu.start < ppdu.end && ppdu.good <= ppdu.mpdus, "{ppdu:?}");
        let may = ppdu.rate.aggregates();
        assert!(may || ppdu.mpdus == 1, "only HT aggregates: {ppdu:?}");
        for later in ppdus[n + 1..].iter().take_while(|later| later.start < ppdu.end) {
            let both = ppdu.fate == Fate::Collided && later.fate == Fate::Collided;
            assert!(both || hidden, "overlap:\n{ppdu:?}\n{later:?}");
            assert_ne!(ppdu.from, later.from, "sends two frames at once:\n{ppdu:?}\n{later:?}");
        }
        assert_ne!(Some(ppdu.from), ppdu.to);
    }
}

/// While a station is away it sends and receives nothing.
fn check_absences(lab: &Lab, ppdus: &[Sent]) {
    let mut left: BTreeMap<NodeId, Time> = BTreeMap::new();
    for &(now, seen) in &lab.seen {
        let Observation::Radio { node, place } = seen else { continue };
        if place == RadioPlace::Away {
            left.insert(node, now);
        } else if let Some(since) = left.remove(&node) {
            let during = |p: &&Sent| p.start < now && p.end > since;
            for ppdu in ppdus.iter().filter(during) {
                let received = ppdu.to == Some(node) && ppdu.fate == Fate::Received;
                assert!(ppdu.from != node && !received, "{node:?} is away since {since:?}: {ppdu:?}");
            }
        }
    }
    assert!(left.is_empty(), "still away: {left:?}");
}

/// What a PPDU says that it repeats are its MPDUs with the bit that says so, of a driver and of hardware alike.
fn check_repeats(lab: &Lab) {
    let mut seen = lab.seen.iter().map(|(_, seen)| seen).peekable();
    while let Some(next) = seen.next() {
        let Observation::Ppdu(Ppdu { users: [user], .. }) = next else { continue };
        let mut marked = 0;
        // The other packets of an A-MSDU are seen behind it.
        while let Some(of_it) =
            seen.next_if(|seen| matches!(seen, Observation::Mpdu(_) | Observation::Further { .. }))
        {
            marked +=
                u16::from(matches!(of_it, Observation::Mpdu(mpdu) if mpdu.retry && mpdu.packet.is_some()));
        }
        assert_eq!(user.retries, marked, "{next:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn nothing_is_lost_without_a_trace(
        seed in any::<u64>(),
        amsdu in prop_oneof![Just(1u32), 2u32..=7],
        park in 0usize..80,
        remedy in any::<bool>(),
        stations in prop::collection::vec(station(), 1..=3),
        hidden in any::<bool>(),
        bursts in prop::collection::vec(burst(), 1..60),
    ) {
        let lab = play((seed, amsdu), park, remedy, &stations, hidden, &bursts);
        let ppdus = lab.ppdus();
        check_packets(&lab, amsdu as usize);
        check_air(&ppdus, hidden);
        check_absences(&lab, &ppdus);
        check_repeats(&lab);
    }
}
