//! What each of the eight modes can carry, by counting frames on paper, and what the bus carries. No air, no TCP.

use airloom_observe::{NodeId, Observation};
use airloom_sim::{Duration, Handle, Stream, Time};
use airloom_usb::Traversal::{Breadth, Depth};
use airloom_usb::{Bus, Config, Effects, FRAME, MAX_PAYLOAD, TRANSACTION_OVERHEAD, Traversal};

const RUN: Duration = Duration::from_secs(10);

/// Full transactions of a packet of 1,500 bytes.
const TDS: u64 = 1_500_u64.div_ceil(MAX_PAYLOAD as u64);

fn bus(traversal: Traversal, reclamation: bool, queue: u32) -> Bus {
    let config = Config { traversal, reclamation, queue, descriptor: 0, drain: Duration::ZERO, hold: None };
    Bus::new(NodeId(1), config, Stream::new(1, "bus", "holding"))
}

/// What the host does with its bus.
trait Host {
    /// How many packets it would hand down at once, the driver permitting.
    fn offers(&self) -> bool;
    fn sent(&mut self);
    /// A packet has reached the adapter; perhaps it answers, after a while.
    fn arrived(&mut self, now: Time) -> Option<Time>;
    fn received(&mut self);
}

/// It always has a packet to send.
struct Saturating {
    arrived: u64,
}

impl Host for Saturating {
    fn offers(&self) -> bool {
        true
    }
    fn sent(&mut self) {}
    fn arrived(&mut self, _: Time) -> Option<Time> {
        self.arrived += 1;
        None
    }
    fn received(&mut self) {}
}

/// It sends two packets and then waits for an answer, as a window of two does before a receiver that acknowledges every
/// second packet.
struct WindowOfTwo {
    window: u64,
    arrived: u64,
    answer: Duration,
}

impl Host for WindowOfTwo {
    fn offers(&self) -> bool {
        self.window > 0
    }
    fn sent(&mut self) {
        self.window -= 1;
    }
    fn arrived(&mut self, now: Time) -> Option<Time> {
        self.arrived += 1;
        self.arrived.is_multiple_of(2).then_some(now + self.answer)
    }
    fn received(&mut self) {
        self.window += 2;
    }
}

/// Runs a bus between a host and an adapter that has room for everything, until [`RUN`] is over.
fn run<H: Host>(mut bus: Bus, host: &mut H) -> Vec<(Time, Observation)> {
    let (mut fx, mut seen) = (Effects::default(), Vec::new());
    let (mut timer, mut answer) = (None, None);
    let mut now = Time::ZERO;
    loop {
        while bus.accepts() && host.offers() {
            host.sent();
            bus.submit(now, Handle(0), 1_500, &mut fx, &mut seen);
        }
        while !fx.is_empty() {
            let done = std::mem::take(&mut fx);
            timer = done.timer.unwrap_or(timer);
            for _ in &done.arrived {
                answer = host.arrived(now).or(answer);
            }
            for _ in &done.received {
                host.received();
            }
            while bus.accepts() && host.offers() {
                host.sent();
                bus.submit(now, Handle(0), 1_500, &mut fx, &mut seen);
            }
        }
        let Some(next) = timer.into_iter().chain(answer).min() else { return seen };
        if next > Time::ZERO + RUN {
            return seen;
        }
        now = next;
        if answer == Some(now) {
            answer = None;
            bus.incoming(now, Handle(1), 52, &mut fx, &mut seen);
        } else {
            timer = None;
            bus.timer(now, &mut fx, &mut seen);
        }
    }
}

/// The throughput of a host that always has something to send, in bit/s, and what a bus analyser saw.
fn saturated(traversal: Traversal, reclamation: bool, queue: u32) -> (f64, Vec<(Time, Observation)>) {
    let mut host = Saturating { arrived: 0 };
    let seen = run(bus(traversal, reclamation, queue), &mut host);
    (host.arrived as f64 * 1_500.0 * 8.0 / RUN.as_secs_f64(), seen)
}

fn within_one_percent(ours: f64, closed_form: f64) {
    assert!((ours / closed_form - 1.0).abs() < 0.01, "{ours} against {closed_form} bit/s");
}

/// Bits per second of packets of 1,500 bytes that take this many frames each.
fn frames_per_packet(frames: f64) -> f64 {
    1_500.0 * 8.0 / (frames * FRAME.as_secs_f64())
}

const QUEUED: u32 = 8;

/// One TD a frame: 64 bytes a millisecond, 512 kbit/s, of which the 36 bytes that pad the 24th transaction are none.
#[test]
fn breadth_first_queued_carries_one_transaction_a_frame() {
    let (ours, seen) = saturated(Breadth, false, QUEUED);
    within_one_percent(ours, frames_per_packet(TDS as f64));
    let per_frame = MAX_PAYLOAD * 8 * 1_000;
    assert_eq!(per_frame, 512_000);
    within_one_percent(ours, f64::from(per_frame) * 1_500.0 / (TDS * u64::from(MAX_PAYLOAD)) as f64);
    for (_, observation) in seen {
        let Observation::Bus(frame) = observation else { continue };
        assert_eq!((frame.out, frame.r#in), (1, 0));
    }
}

/// The interrupt comes when the frame is over; the next packet misses the walk of the frame after.
#[test]
fn breadth_first_one_by_one_loses_a_frame_for_each_packet() {
    within_one_percent(saturated(Breadth, false, 1).0, frames_per_packet(TDS as f64 + 1.0));
}

/// 19 transactions fit a frame, so a packet takes two, and the third is missed: DATA DATA IDLE.
#[test]
fn depth_first_one_by_one_takes_three_frames_for_each_packet() {
    within_one_percent(saturated(Depth, false, 1).0, frames_per_packet(TDS.div_ceil(19) as f64 + 1.0));
}

/// Every frame is full: 19 transactions of 64 bytes, 9.728 Mbit/s.
#[test]
fn depth_first_queued_fills_every_frame() {
    for reclamation in [false, true] {
        within_one_percent(saturated(Depth, reclamation, QUEUED).0, frames_per_packet(TDS as f64 / 19.0));
    }
    assert_eq!(19 * MAX_PAYLOAD * 8 * 1_000, 9_728_000);
}

/// With reclamation a packet that misses the first walk goes with the second: two frames for each, 6 Mbit/s.
#[test]
fn reclamation_saves_the_lost_frame() {
    for traversal in [Breadth, Depth] {
        within_one_percent(saturated(traversal, true, 1).0, frames_per_packet(2.0));
    }
    assert!((frames_per_packet(2.0) - 6e6).abs() < 1.0);
}

/// Breadth first, an IN token that finds nothing goes between any two OUT transactions: 85 byte times for a pair.
#[test]
fn breadth_first_with_reclamation_polls_in_between() {
    let pair = u64::from(MAX_PAYLOAD + TRANSACTION_OVERHEAD) + 8;
    let per_frame = (1_500 - 4) / pair;
    assert_eq!(per_frame, 17);
    within_one_percent(saturated(Breadth, true, QUEUED).0, frames_per_packet(TDS as f64 / per_frame as f64));
}

/// A window of two packets and an answer that is there when the next frame begins: DATA DATA IDLE DATA DATA ACK IDLE,
/// two packets in seven frames, 3.43 Mbit/s.
#[test]
fn depth_first_one_by_one_with_answers_takes_seven_frames_for_two_packets() {
    let mut host = WindowOfTwo { window: 2, arrived: 0, answer: Duration::from_micros(500) };
    let seen = run(bus(Depth, false, 1), &mut host);
    let ours = host.arrived as f64 * 1_500.0 * 8.0 / RUN.as_secs_f64();
    within_one_percent(ours, frames_per_packet(7.0 / 2.0));
    within_one_percent(ours, 3.43e6);
    let mut pattern = [' '; 7];
    for (_, observation) in seen {
        let Observation::Bus(frame) = observation else { continue };
        let index = frame.start.as_nanos() / FRAME.as_nanos();
        // Steady by then.
        if (700..707).contains(&index) {
            pattern[(index - 700) as usize] = if frame.out > 0 { 'D' } else { 'A' };
        }
    }
    let pattern: String = pattern.iter().collect();
    assert!("DD DDA DD DDA ".contains(&pattern), "{pattern:?}");
}
