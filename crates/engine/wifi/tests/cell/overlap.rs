//! Networks whose channels are parts of one another: those with one primary channel contend, and a wider frame waits for the rest of
//! its channel (802.11-2020 10.23.2.5).

use crate::lab::{AP, BEACONS, FAST, FULL, Lab, Sent, access_point, adapter, best_effort, ms, sta};
use airloom_observe::{Fate, FrameKind, NodeId};
use airloom_rate::{GuardInterval, Ht, Rate, Width};
use airloom_sim::{Duration, Stream, Time};
use airloom_wifi::{
    AccessPoint, Adapter, Aggregation, Channel, Edca, Ether, Phy, RateChoice, Station, frame_size,
};
use std::cmp::Ordering;

/// The other access point.
const OTHER: NodeId = NodeId(7);
/// SIFS and a slot.
const PIFS: Duration = Duration::from_micros(25);
/// SIFS and two slots.
const DIFS: Duration = Duration::from_micros(34);

fn us(n: u64) -> Time {
    Time::ZERO + Duration::from_micros(n)
}

/// MCS 7 in 20 MHz.
const NARROW: Rate = Rate::Ht(Ht { mcs: 7, width: Width::Mhz20, guard: GuardInterval::Ns800 });

/// Two networks with a station each, on these channels: the station of the first sends in 40 MHz, that of the second in 20, an MPDU at a
/// time; both contend like this.
fn two(channels: [Channel; 2], edca: Edca, beacons: Duration) -> Lab {
    two_of(Phy::OFDM_5GHZ, channels, edca, beacons)
}

/// The same with another PHY.
fn two_of(phy: Phy, channels: [Channel; 2], edca: Edca, beacons: Duration) -> Lab {
    let one_by_one = Aggregation { ampdu_mpdus: 1, ..adapter().aggregation };
    let adapter = Adapter { aggregation: one_by_one, ..adapter() };
    let mut ether = Ether::new(3);
    let networks = [(AP, "wide", sta(1), FAST), (OTHER, "narrow", sta(2), NARROW)];
    for ((id, name, station, rate), channel) in networks.into_iter().zip(channels) {
        let plain = access_point(id, (adapter, Edca::STATION), phy, beacons, 0);
        let bss = ether.add_access_point(AccessPoint { name, channel, ..plain });
        let called = format!("{name} station");
        let rate = RateChoice::Fixed(rate);
        ether.add_station(bss, Station { edca, rate, ..Lab::plain(station, &called, adapter) });
    }
    Lab::of(ether)
}

/// Channel 36 of 40 MHz, and channel 40, which is its upper half.
fn halves() -> [Channel; 2] {
    [Channel::from_primary(5180, Width::Mhz40), Channel::from_primary(5200, Width::Mhz20)]
}

/// What the networks of the two sent.
fn by_network(lab: &Lab) -> [Vec<Sent>; 2] {
    [[AP, sta(1)], [OTHER, sta(2)]]
        .map(|of| lab.ppdus().into_iter().filter(|p| of.contains(&p.from)).collect())
}

/// By hand, with windows of nothing: the narrow station takes its first slot. The wide one's packet comes in the middle of that; its
/// primary channel has been idle, so that it may go at the next boundary of its own slots, and then at the next, until the upper half has
/// been idle for a PIFS. That is before the narrow one's DIFS is over.
#[test]
fn a_wide_frame_goes_at_its_first_slot_after_a_pifs() {
    let mut lab = two(halves(), best_effort(2, 0, 0), Duration::from_secs(1000));
    for _ in 0..2 {
        assert!(lab.send_at(Time::ZERO, sta(2), OTHER, FULL));
    }
    lab.run(us(150));
    assert!(lab.send_at(us(150), sta(1), AP, FULL));
    lab.run(Time::ZERO + ms(10));
    let [wide, narrow] = by_network(&lab);
    let [first, ack, second, _] = narrow[..] else { panic!("{narrow:?}") };
    assert_eq!((first.start, ack.kind), (Time::ZERO + DIFS, FrameKind::Ack));
    let slot = Phy::OFDM_5GHZ.slot;
    let boundary = (0..).map(|n| Time::ZERO + DIFS + slot * n).find(|&at| at >= ack.end + PIFS);
    assert_eq!(Some(wide[0].start), boundary, "{wide:?}");
    assert!(wide[0].start < ack.end + DIFS, "{wide:?}");
    assert_eq!(second.start, wide[1].end + DIFS, "{narrow:?}");
    assert!(lab.ppdus().iter().all(|p| p.fate == Fate::Received));
}

/// Whatever chance does: a frame of 40 MHz begins when nothing was on its upper half for a PIFS, and nothing begins there while it lasts
/// with its answer; only frames that begin in one instant overlap, and are lost. The beacons of the wide network, of 20 MHz, wait for
/// nobody on the upper half, and neither loses by the other.
#[test]
fn a_wide_frame_waits_for_its_upper_half_and_a_narrow_one_does_not() {
    let mut lab = two(halves(), Edca::STATION, BEACONS);
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), OTHER, FULL, 0)];
    lab.run(Time::ZERO + ms(2000));
    let [wide, narrow] = by_network(&lab);
    let is_beacon = |p: &&Sent| p.kind == FrameKind::Beacon;
    let data = |of: &[Sent]| of.iter().filter(|p| p.kind == FrameKind::Data).count();
    assert!(data(&wide) > 500 && data(&narrow) > 500, "{} and {}", data(&wide), data(&narrow));
    for frame in wide.iter().filter(|p| p.kind == FrameKind::Data) {
        for other in narrow.iter().filter(|p| p.start < frame.end && p.end + PIFS > frame.start) {
            assert!(other.start == frame.start && other.fate == Fate::Collided, "{frame:?} {other:?}");
            assert_eq!(frame.fate, Fate::Collided, "{frame:?} {other:?}");
        }
    }
    let beside = |beacon: &Sent| narrow.iter().any(|p| p.start < beacon.end && p.end > beacon.start);
    let beacons: Vec<&Sent> = wide.iter().filter(is_beacon).collect();
    let with_own = |beacon: &Sent| wide.iter().filter(|p| p.start == beacon.start).count() == 2;
    assert!(beacons.iter().all(|beacon| beacon.fate == Fate::Received || with_own(beacon)), "{beacons:?}");
    assert!(beacons.iter().filter(|beacon| beside(beacon)).count() > 5, "{beacons:?}");
}

/// Two saturated stations by the rules alone, in microseconds: one sends in 40 MHz, the other on the upper half of them.
struct ByHand {
    chance: Stream,
    /// How long a frame of each lasts, and its exchange with the acknowledgement.
    frames: [u64; 2],
    exchanges: [u64; 2],
}

impl ByHand {
    const SLOT: u64 = 9;
    const DIFS: u64 = 34;
    const PIFS: u64 = 25;

    fn slots(&mut self, cw: u32) -> u64 {
        u64::from(self.chance.up_to(cw))
    }

    /// How often each succeeds until then. The wide one's primary channel is idle but for its own frames, so that its slots go on whatever
    /// the other does; as they are over it may find the upper half busy, or idle for less than a PIFS, and draws anew. The narrow one
    /// hears it, and is interrupted.
    fn run(&mut self, until: u64) -> [u64; 2] {
        let (mut done, mut cw, mut upper_idle) = ([0; 2], [15, 15], 0);
        let mut wide = Self::DIFS + Self::SLOT * self.slots(15);
        let (mut first, mut left) = (Self::DIFS, self.slots(15));
        loop {
            let narrow = first + Self::SLOT * left;
            let begun = wide.min(narrow);
            if begun >= until {
                return done;
            }
            if wide <= narrow && wide < upper_idle + Self::PIFS {
                wide += Self::SLOT * (1 + self.slots(cw[0]));
                continue;
            }
            let over = match wide.cmp(&narrow) {
                Ordering::Equal => {
                    cw = cw.map(|cw: u32| (2 * cw + 1).min(1023));
                    self.frames.map(|frame| begun + frame)
                }
                Ordering::Less => {
                    (done[0], cw[0]) = (done[0] + 1, 15);
                    [begun + self.exchanges[0], upper_idle]
                }
                Ordering::Greater => {
                    (done[1], cw[1]) = (done[1] + 1, 15);
                    [0, begun + self.exchanges[1]]
                }
            };
            upper_idle = over[1];
            if wide <= narrow {
                // A boundary at which the wide one begins is counted too (10.23.2.4).
                let passed = if begun < first { 0 } else { (begun - first) / Self::SLOT + 1 };
                left = left.saturating_sub(passed);
                wide = over[0] + Self::DIFS + Self::SLOT * self.slots(cw[0]);
            }
            if narrow <= begun {
                left = self.slots(cw[1]);
            }
            first = over[0].max(over[1]).max(first) + Self::DIFS;
        }
    }
}

/// Beside each other for a minute: each carries what the rules alone find. The wide one does not starve: its slots go on, so that one of
/// its chances is often in the gap between two frames of the narrow one.
#[test]
fn saturated_halves_carry_what_the_rules_say() {
    let phy = Phy { waits_after_failure: false, ..Phy::OFDM_5GHZ };
    let edca = best_effort(2, 15, 1023);
    let mut lab = two_of(phy, halves(), edca, Duration::from_secs(1000));
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), OTHER, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(60));
    let ours = [sta(1), sta(2)].map(|station| lab.acked(station) as f64);
    let us = |duration: Duration| duration.as_nanos().div_ceil(1000);
    let frames = [FAST, NARROW].map(|rate| us(phy.ppdu(rate, FULL + frame_size::DATA_OVERHEAD)));
    let ack = us(phy.sifs + phy.ppdu(Rate::ofdm(24).expect("a rate"), frame_size::ACK_BYTES));
    let chance = Stream::new(1, "by hand", "slots");
    let rules = ByHand { chance, frames, exchanges: frames.map(|frame| frame + ack) }.run(60_000_000);
    for (ours, rules) in ours.iter().zip(rules) {
        println!("{ours} for {rules}: {:+.2} %", 100.0 * (ours / rules as f64 - 1.0));
        assert!((ours / rules as f64 - 1.0).abs() < 0.03, "{ours} for {rules}");
    }
}
