//! A station with several links at once: throughput against the closed form of each link, conservation and order over all of them.

use crate::closed_form::expected;
use crate::lab::{AGGREGATION, AP, FULL, Lab, RETRIES, Sent, WIDEST, access_point, adapter, ms, sta};
use airloom_observe::{Fate, LossCause, NodeId, Observation};
use airloom_rate::{Eht, GuardInterval, Padding, Rate, Width};
use airloom_sim::{Duration, Time};
use airloom_wifi::{
    Adapter, Adaptive, Aggregation, Channel, Depth, Edca, Ether, Phy, RateChoice, Retries, Station, Turns,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Primary channels far from each other.
const CHANNELS: [u32; 3] = [5180, 5500, 5955];

/// A scheme of 802.11be in 80 MHz over two streams.
fn eht(mcs: u8) -> Rate {
    let Rate::Eht(rate) = WIDEST else { unreachable!("WIDEST is of 802.11be") };
    Rate::Eht(Eht { mcs, ..rate })
}

/// An access point with these links, and stations that each have all of them, over each at this choice of rates with this ratio.
fn cell(seed: u64, adapter: Adapter, links: &[(RateChoice, f64)], stations: u16, beacons: Duration) -> Lab {
    let mut ether = Ether::new(seed);
    let names = ["sta1", "sta2", "sta3"];
    let rates = Eht::rates(2, Width::Mhz80, GuardInterval::Ns800, Padding::Us20);
    let networks: Vec<_> = (0..links.len())
        .map(|n| {
            let mut ap = access_point(AP, (adapter, Edca::ACCESS_POINT), Phy::OFDM_5GHZ, beacons, 64);
            ap.channel = Channel::from_primary(CHANNELS[n], Width::Mhz80);
            ether.add_access_point(ap)
        })
        .collect();
    for n in 0..stations {
        for (place, ((rate, snr_db), &bss)) in links.iter().zip(&networks).enumerate() {
            let station = Station {
                rate: rate.clone(),
                rates: rates.clone(),
                snr_db: *snr_db,
                ..Lab::plain(sta(n + 1), names[usize::from(n)], adapter)
            };
            match place {
                0 => ether.add_station(bss, station),
                _ => ether.add_link(bss, station),
            }
        }
    }
    Lab::of(ether)
}

/// An adapter with PPDUs of so many MPDUs, under agreements of so many.
fn wide(ampdu_mpdus: u32, block_ack_window: u16) -> Adapter {
    let aggregation = Aggregation {
        ampdu_mpdus,
        ampdu_bytes: 2_000_000,
        ampdu_duration: ms(10),
        block_ack_window,
        ..AGGREGATION
    };
    Adapter { aggregation, depth: Depth { driver_limit: 8000, hardware_queue: 1 }, ..adapter() }
}

/// Packets of a lone saturated station per second over links at these rates.
fn measured(rates: &[Rate], adapter: Adapter) -> f64 {
    let seconds = 20;
    let links: Vec<_> = rates.iter().map(|&rate| (RateChoice::Fixed(rate), 100.0)).collect();
    let mut lab = cell(1, adapter, &links, 1, Duration::from_secs(2 * seconds));
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(seconds));
    lab.acked(sta(1)) as f64 / seconds as f64
}

/// Where the window does not bind, links add up: each has what it has alone.
#[test]
fn idle_links_add_up() {
    for rates in [
        vec![WIDEST],
        vec![WIDEST, WIDEST],
        vec![WIDEST, eht(2)],
        vec![eht(11), eht(0)],
        vec![WIDEST, eht(7), eht(3)],
    ] {
        let mpdus = 128;
        let expected: f64 = rates.iter().map(|&rate| expected(rate, FULL, mpdus, 128)).sum();
        let measured = measured(&rates, wide(mpdus, 1024));
        let off = measured / expected - 1.0;
        assert!(
            off.abs() < 0.02,
            "{rates:?}: {measured:.0} rather than {expected:.0} a second ({:+.2} %)",
            100.0 * off
        );
    }
}

/// Where it does, each of two equal links has half of it in a PPDU, and so what PPDUs of that length bring.
#[test]
fn the_window_is_for_all_links() {
    let expected = 2.0 * expected(WIDEST, FULL, 32, 8);
    let measured = measured(&[WIDEST, WIDEST], wide(64, 64));
    assert!(
        (0.85..1.02).contains(&(measured / expected)),
        "{measured:.0} rather than at most {expected:.0} a second"
    );
}

/// After a pause, a burst of packets from or to a station.
#[derive(Clone, Debug)]
struct Burst {
    pause: u64,
    station: u16,
    up: bool,
    packets: usize,
    bytes: u32,
    tid: u8,
}

fn burst() -> impl Strategy<Value = Burst> {
    let tid = prop_oneof![Just(0), 0u8..8];
    (0u64..20_000, 0u16..3, any::<bool>(), 1usize..200, 40u32..=1500, tid).prop_map(
        |(pause, station, up, packets, bytes, tid)| Burst { pause, station, up, packets, bytes, tid },
    )
}

fn link() -> impl Strategy<Value = (RateChoice, f64)> {
    let rate = prop_oneof![
        prop::sample::select(vec![eht(0), eht(3), eht(7), eht(11)]).prop_map(RateChoice::Fixed),
        prop::sample::select(Adaptive::WORDS)
            .prop_map(|word| RateChoice::Adaptive(Adaptive::plain(word).expect("it is a word"))),
    ];
    (rate, 8.0..45.0f64)
}

/// Every packet is done with once, arrives at most once and in the order of its TID, and arrives if it was acknowledged, unless the receiver
/// had waited too long for it.
fn check_packets(lab: &Lab) {
    let mut late = 0;
    for (n, life) in lab.packets.iter().enumerate() {
        let Some((_, acked)) = life.done else { panic!("packet {n} is never done with: {life:?}") };
        assert_eq!(life.kept, life.arrived.is_some(), "packet {n} is still held by its receiver: {life:?}");
        late += usize::from(acked && !life.kept);
    }
    let too_late =
        |seen: &Observation| matches!(seen, Observation::MpduLost { cause: LossCause::TooLate, .. });
    assert!(late <= lab.seen.iter().filter(|(_, seen)| too_late(seen)).count(), "{late} packets vanished");
    let mut last: BTreeMap<(NodeId, NodeId, u8), usize> = BTreeMap::new();
    for &(_, n) in &lab.order {
        let life = &lab.packets[n];
        let before = last.insert((life.from, life.to, life.tid), n);
        assert!(before.is_none_or(|before| before < n), "packet {n} after {before:?}");
    }
}

/// On a channel frames overlap only where they collide: so no radio receives while it sends, and the shares of a channel's time add up to one.
fn check_air(ppdus: &[Sent]) {
    for (n, ppdu) in ppdus.iter().enumerate() {
        for later in ppdus[n + 1..].iter().take_while(|later| later.start < ppdu.end) {
            if later.link == ppdu.link {
                let both = ppdu.fate == Fate::Collided && later.fate == Fate::Collided;
                assert!(both && ppdu.from != later.from, "overlap:\n{ppdu:?}\n{later:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn nothing_is_lost_over_several_links(
        seed in any::<u64>(),
        links in prop::collection::vec(link(), 2..=3),
        stations in 1u16..=3,
        window in prop::sample::select(vec![1u16, 64, 256, 1024]),
        (amsdu_packets, hardware_queue) in (1u32..=4, 1u32..=2),
        (limit, counts_hardware, rts) in (0u32..11, any::<bool>(), prop::option::of(200u32..3000)),
        turns in prop::sample::select(Turns::WORDS),
        bursts in prop::collection::vec(burst(), 1..40),
    ) {
        let plain = wide(u32::from(window).div_ceil(2), window);
        let adapter = Adapter {
            aggregation: Aggregation { amsdu_packets, ..plain.aggregation },
            depth: Depth { driver_limit: 300, hardware_queue },
            evm_db: -35.0,
            retries: Retries { limit, counts_hardware, ..RETRIES },
            rts_threshold: rts,
            turns: turns.1,
            ..plain
        };
        let mut lab = cell(seed, adapter, &links, stations, ms(100));
        let mut now = Time::ZERO;
        for burst in &bursts {
            now += Duration::from_micros(burst.pause);
            lab.run(now);
            let node = sta(burst.station % stations + 1);
            let (from, to) = if burst.up { (node, AP) } else { (AP, node) };
            for _ in 0..burst.packets {
                lab.send_as(now, from, to, (burst.bytes, burst.tid));
            }
        }
        for _ in 0..60 {
            now += Duration::from_secs(1);
            lab.run(now);
            if lab.packets.iter().all(|life| life.done.is_some()) {
                break;
            }
        }
        check_packets(&lab);
        check_air(&lab.ppdus());
    }
}
