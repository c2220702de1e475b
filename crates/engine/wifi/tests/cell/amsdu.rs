//! A-MSDUs: how long they last, what joins them, and that they are lost and sent again as one.

use crate::lab::{AGGREGATION, AP, DEPTH, FULL, Lab, Sent, adapter, ms, sta};
use airloom_observe::{Mpdu, Observation};
use airloom_rate::{Code, GuardInterval, Ht, Rate, Vht, Width};
use airloom_sim::{Duration, Time};
use airloom_wifi::{Adapter, Aggregation, Depth, RateChoice, Station};

const VHT: Rate = Rate::Vht(Vht {
    mcs: 8,
    streams: 1,
    width: Width::Mhz20,
    guard: GuardInterval::Ns800,
    code: Code::Convolutional,
});
const HT: Rate = Rate::Ht(Ht { mcs: 7, width: Width::Mhz20, guard: GuardInterval::Ns800 });

/// A station hands down `packets` of full size at once, of A-MSDUs of so many, at this rate of 20 MHz, in a channel of 40,
/// and at this ratio over its own width.
fn burst(rate: Rate, amsdu_packets: u32, packets: usize, snr_db: f64) -> Lab {
    let aggregation = Aggregation { amsdu_packets, ampdu_spacing: Duration::ZERO, ..AGGREGATION };
    let adapter = Adapter { aggregation, depth: Depth { hardware_queue: 1, ..DEPTH }, ..adapter() };
    let ap = Adapter { aggregation: Aggregation { mpdu_bytes: 7991, ..aggregation }, ..adapter };
    let mut lab = Lab::new(1, ap, Duration::from_secs(1000), 0, |cell| {
        let rate = RateChoice::Fixed(rate);
        cell.add_station(Station {
            rate,
            rates: vec![],
            snr_db: snr_db - 3.01,
            ..Lab::plain(sta(1), "sta1", adapter)
        });
    });
    for _ in 0..packets {
        lab.send_at(Time::ZERO, sta(1), AP, FULL);
    }
    lab.run(Time::ZERO + ms(1000));
    lab
}

fn mpdus(lab: &Lab) -> Vec<Mpdu> {
    let data = lab.seen.iter().filter_map(|(_, seen)| match seen {
        Observation::Mpdu(mpdu) if mpdu.packet.is_some() => Some(*mpdu),
        _ => None,
    });
    data.collect()
}

fn data(lab: &Lab) -> Vec<Sent> {
    lab.ppdus().into_iter().filter(|ppdu| ppdu.kind.is_data()).collect()
}

/// By hand: the first packet finds nothing that waits and goes alone. Four of 1,500 bytes make an MPDU of 30 + 3 x 1,524 + 1,522 =
/// 6,124 bytes, 6,128 with its delimiter. VHT20, MCS 8, 312 bits in a symbol: 16 + 49,024 + 6 bits are 158 symbols, 40 us come before
/// them.
#[test]
fn packets_that_wait_share_an_mpdu_and_last_as_long_as_it() {
    let lab = burst(VHT, 4, 5, 50.0);
    let shape: Vec<_> = mpdus(&lab).iter().map(|mpdu| (mpdu.packets, mpdu.bytes)).collect();
    assert_eq!(shape, [(1, 1538), (4, 6124)]);
    let air: Vec<_> = data(&lab).iter().map(|p| ((p.end - p.start).as_micros(), p.bytes)).collect();
    assert_eq!(air, [(40 + 4 * 40, 1542), (40 + 4 * 158, 6128)]);
    assert!(
        lab.packets.iter().all(|life| life.arrived.is_some() && life.done.is_some_and(|(_, acked)| acked))
    );
    assert_eq!(lab.order.iter().map(|&(_, n)| n).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

/// The access point's MPDUs have 7,991 bytes at most, so five packets; those of an A-MPDU of 802.11n 4,095, so two.
#[test]
fn the_receiver_and_the_format_bound_an_mpdu() {
    let most = |rate| mpdus(&burst(rate, 16, 40, 50.0)).iter().map(|mpdu| mpdu.packets).max();
    assert_eq!((most(VHT), most(HT)), (Some(5), Some(2)));
}

#[test]
fn what_is_lost_is_sent_again_as_it_was() {
    let lab = burst(VHT, 3, 60, 26.5);
    let sent = mpdus(&lab);
    let again: Vec<_> = sent.iter().filter(|mpdu| mpdu.retry && mpdu.packets > 1).collect();
    assert!(again.len() > 3, "{} A-MSDUs were sent again", again.len());
    for mpdu in &sent {
        let alike = |other: &&Mpdu| other.seq == mpdu.seq;
        let same = |other: &Mpdu| {
            (other.packet, other.packets, other.bytes) == (mpdu.packet, mpdu.packets, mpdu.bytes)
        };
        assert!(sent.iter().filter(alike).all(same), "{mpdu:?} changed");
    }
    // All packets of an A-MSDU share its fate, and arrive together.
    let lives = &lab.packets;
    let firsts = sent
        .iter()
        .filter(|mpdu| mpdu.packets > 1)
        .filter_map(|mpdu| Some((mpdu.packet?.0 as usize, mpdu.packets)));
    for (first, packets) in firsts {
        for other in first + 1..first + usize::from(packets) {
            assert_eq!((lives[other].arrived, lives[other].done), (lives[first].arrived, lives[first].done));
        }
    }
}
