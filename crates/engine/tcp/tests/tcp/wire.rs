//! Two endpoints and a wire between them: a transmit queue per host, a rate, a delay, and what goes wrong.
#![allow(unreachable_pub, reason = "of tests alone")]

use airloom_observe::{Direction, FlowId, LossEvent, Observation, PathModel, Probe, Window};
use airloom_sim::{BitRate, Bytes, Calendar, Duration, Handle, Slab, Slot, Stream, Time};
use airloom_tcp::{Config, Effects, Endpoint, Outgoing, Phase, Role, Segment, Timer, TimerChange};
use std::collections::VecDeque;

/// The sender's and the receiver's place in every pair.
pub const SENDER: usize = 0;
pub const RECEIVER: usize = 1;

#[derive(Clone, Copy)]
enum Event {
    Timer(usize, Timer),
    Transmitted(usize),
    Arrival(usize),
    Straggler(usize, Handle),
    Pause,
}

/// Faults on the path from one host.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Probability that a segment is lost.
    pub loss: f64,
    /// Probability that it is delivered twice.
    pub duplication: f64,
    /// Probability that it is delayed by up to `disorder`.
    pub reordering: f64,
    pub disorder: Duration,
    /// Probability that the queue refuses it.
    pub refusal: f64,
    /// Ordinal numbers (from zero) of segments with payload that are lost.
    pub lose_data: Vec<u64>,
    /// And of those that are marked if they can be (RFC 3168).
    pub mark_data: Vec<u64>,
    /// Everything sent in this interval is lost.
    pub blackout: Option<(Time, Time)>,
    /// What would arrive in one of these intervals is held until its end.
    pub held: Vec<(Time, Time)>,
    /// Ordinal numbers of segments with payload that arrive so much later.
    pub late_data: Vec<(u64, Duration)>,
    /// Beyond this rate, and a bucket of so many bytes, segments are lost.
    pub policer: Option<(BitRate, f64)>,
}

#[derive(Clone, Debug)]
pub struct Setup {
    pub config: Config,
    pub rate: BitRate,
    /// One way.
    pub delay: Duration,
    /// Segments that a host's transmit queue takes.
    pub queue: usize,
    /// What does not fit is lost as in a router's queue: the host is not told.
    pub drops_unseen: bool,
    pub faults: [Faults; 2],
    pub seed: u64,
    pub isn: u32,
    /// Bytes the application writes in all.
    pub bytes: u64,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            config: Config::PLAIN,
            rate: BitRate::from_mbps(100),
            delay: Duration::from_millis(10),
            queue: 1000,
            drops_unseen: false,
            faults: [Faults::default(), Faults::default()],
            seed: 1,
            isn: 1000,
            bytes: u64::MAX / 2,
        }
    }
}

/// What a sender takes its path to be, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct PathSeen {
    pub at: Time,
    pub delivered: u64,
    pub in_flight: u32,
    pub cwnd: u32,
    pub model: PathModel,
}

/// What is kept of the observations.
#[derive(Default)]
pub struct Log {
    pub windows: Vec<(Time, u32, u32)>,
    pub keep_windows: bool,
    pub delivered: u64,
    pub retransmissions: u64,
    pub losses: Vec<(Time, LossEvent)>,
    pub rtts: u64,
    /// With each ACK: its time, segments delivered, in flight and the window, and what the path is taken for.
    pub paths: Vec<PathSeen>,
    path: Option<(u64, PathModel)>,
    /// What the sender has in flight, as far as was seen.
    pub in_flight: u32,
    /// Segments that arrived behind a hole.
    pub behind_hole: u64,
    /// The window when the connection was established.
    pub first_flight: Option<u32>,
}

impl Probe for Log {
    const DETAIL: bool = false;
    const TRACE: bool = true;

    fn see(&mut self, now: Time, seen: Observation) {
        if let Observation::Path { delivered, model, .. } = seen {
            self.path = Some((delivered, model));
        }
        if let Observation::Window(w) = seen {
            self.first_flight.get_or_insert(w.cwnd);
            if let Some((delivered, model)) = self.path {
                let seen = PathSeen { at: now, delivered, in_flight: w.in_flight, cwnd: w.cwnd, model };
                self.paths.push(seen);
            }
        }
        match seen {
            Observation::Window(Window { in_flight, .. })
            | Observation::InFlight { segments: in_flight, .. } => {
                self.in_flight = in_flight;
            }
            _ => {}
        }
        match seen {
            Observation::Window(w) if self.keep_windows => self.windows.push((now, w.cwnd, w.in_flight)),
            Observation::Delivered { bytes, .. } => self.delivered += bytes,
            Observation::Retransmission { .. } => self.retransmissions += 1,
            Observation::BehindHole { .. } => self.behind_hole += 1,
            Observation::Loss { event, .. } => self.losses.push((now, event)),
            Observation::Rtt { .. } => self.rtts += 1,
            _ => {}
        }
    }
}

struct Host {
    queue: VecDeque<Outgoing>,
    flying: VecDeque<(Time, Segment)>,
    timers: [Slot; Timer::ALL.len()],
    transmitted: Slot,
    arrival: Slot,
    data_sent: u64,
    sent: u64,
    /// Bytes that the policer's bucket holds, and since when.
    bucket: Option<(f64, Time)>,
}

pub struct Wire {
    pub setup: Setup,
    pub ends: [Endpoint; 2],
    pub log: Log,
    pub most_held: u64,
    pub most_out: u32,
    pub finished: [bool; 2],
    pub sent: Vec<(Time, Segment)>,
    /// What the receiver sent.
    pub answered: Vec<(Time, Segment)>,
    pub keep_sent: bool,
    pub segments: u64,
    pub lose_first_retransmission: bool,
    hosts: [Host; 2],
    calendar: Calendar<Event>,
    pause: Slot,
    stragglers: Slab<(Segment, Slot)>,
    free: Vec<(Slot, Handle)>,
    fx: Effects,
    random: Stream,
    left: u64,
    stop_after: u64,
    may_write: bool,
}

impl Wire {
    pub fn new(setup: Setup) -> Self {
        let mut calendar = Calendar::default();
        let mut host = |i| Host {
            queue: VecDeque::new(),
            flying: VecDeque::new(),
            timers: Timer::ALL.map(|t| calendar.reserve(Event::Timer(i, t))),
            transmitted: calendar.reserve(Event::Transmitted(i)),
            arrival: calendar.reserve(Event::Arrival(i)),
            data_sent: 0,
            sent: 0,
            bucket: None,
        };
        let hosts = [host(0), host(1)];
        let pause = calendar.reserve(Event::Pause);
        let end = |role, direction| Endpoint::new(setup.config, role, FlowId(0), direction, setup.isn);
        let ends = [end(Role::Active, Direction::Forward), end(Role::Passive, Direction::Backward)];
        Self {
            ends,
            log: Log::default(),
            most_held: 0,
            most_out: 0,
            finished: [false; 2],
            sent: Vec::new(),
            answered: Vec::new(),
            keep_sent: false,
            segments: 0,
            lose_first_retransmission: false,
            hosts,
            calendar,
            pause,
            stragglers: Slab::default(),
            free: Vec::new(),
            fx: Effects::default(),
            random: Stream::new(setup.seed, "wire", "faults"),
            left: setup.bytes,
            stop_after: u64::MAX,
            may_write: false,
            setup,
        }
    }

    /// Opens the connection and runs it.
    pub fn start(setup: Setup) -> Self {
        let mut wire = Self::new(setup);
        wire.open();
        wire
    }

    pub fn open(&mut self) {
        self.ends[SENDER].open(Time::ZERO, &mut self.fx, &mut self.log);
        self.settle(SENDER, Time::ZERO);
    }

    /// The application stops writing after this many bytes, but does not close.
    pub fn stop_writing_after(&mut self, bytes: u64) {
        self.stop_after = bytes;
        self.may_write = self.ends[SENDER].phase() == Phase::Established;
        self.settle(SENDER, self.now());
    }

    /// Segments that host `i` has put on the wire.
    pub fn ends_sent(&self, i: usize) -> u64 {
        self.hosts[i].sent
    }

    pub fn now(&self) -> Time {
        self.calendar.now()
    }

    /// Runs until `until`; true if something was still to happen.
    pub fn run(&mut self, until: Time) -> bool {
        while let Some((now, event)) = self.calendar.pop(until) {
            self.step(now, event);
        }
        !self.finished.iter().all(|f| *f)
    }

    /// Runs until `until`, which it is then, whether anything happens or not.
    pub fn run_to(&mut self, until: Time) {
        self.calendar.set(self.pause, until);
        self.run(until);
    }

    pub fn run_for(&mut self, ms: u64) {
        let until = self.now() + Duration::from_millis(ms);
        self.run(until);
    }

    /// Reports the rate of its link to the sender, in Mbit/s of 11.
    pub fn link_rate(&mut self, mbps: u64) {
        let now = self.now();
        let (current, highest) = (BitRate::from_mbps(mbps), BitRate::from_mbps(11));
        self.ends[SENDER].link_rate(now, current, highest, &mut self.fx, &mut self.log);
        self.settle(SENDER, now);
    }

    fn step(&mut self, now: Time, event: Event) {
        let i = match event {
            Event::Timer(i, timer) => {
                self.ends[i].timer(now, timer, &mut self.fx, &mut self.log);
                i
            }
            Event::Transmitted(i) => {
                let out = self.hosts[i].queue.pop_front().expect("a segment was in transmission");
                self.fly(i, out.segment, now);
                if let Some(next) = self.hosts[i].queue.front() {
                    let bytes =
                        Bytes(u64::from(next.segment.payload + next.segment.header.header_len() as u32 + 38));
                    self.calendar.set(self.hosts[i].transmitted, now + self.setup.rate.time_for(bytes));
                }
                self.ends[i].sent(now, u64::from(out.truesize), &mut self.fx, &mut self.log);
                i
            }
            Event::Arrival(i) => {
                let (_, segment) = self.hosts[i].flying.pop_front().expect("a segment was under way");
                if let Some(&(at, _)) = self.hosts[i].flying.front() {
                    self.calendar.set(self.hosts[i].arrival, at);
                }
                self.ends[i].receive(now, &segment, &mut self.fx, &mut self.log);
                i
            }
            Event::Straggler(i, handle) => {
                let (segment, slot) = *self.stragglers.get(handle);
                self.free.push((slot, handle));
                self.ends[i].receive(now, &segment, &mut self.fx, &mut self.log);
                i
            }
            Event::Pause => return,
        };
        self.settle(i, now);
    }

    fn fly(&mut self, from: usize, mut segment: Segment, now: Time) {
        let to = 1 - from;
        let faults = &self.setup.faults[from];
        let host = &mut self.hosts[from];
        let mut lost = self.random.chance(faults.loss);
        let number = host.data_sent;
        if segment.payload > 0 {
            lost |= faults.lose_data.contains(&host.data_sent);
            if faults.mark_data.contains(&host.data_sent) {
                segment.ecn.mark();
            }
            host.data_sent += 1;
        }
        if let Some((rate, most)) = faults.policer {
            let bytes = f64::from(segment.payload + segment.header.header_len() as u32 + 38);
            let (held, since) = host.bucket.unwrap_or((most, now));
            let held = most.min(held + now.since(since).as_secs_f64() * rate.as_bps() as f64 / 8.0);
            lost |= held < bytes;
            host.bucket = Some((if held < bytes { held } else { held - bytes }, now));
        }
        lost |= faults.blackout.is_some_and(|(begin, end)| begin <= now && now < end);
        if segment.retransmission && std::mem::take(&mut self.lose_first_retransmission) {
            lost = true;
        }
        if lost {
            return;
        }
        let copies = 1 + u32::from(self.random.chance(faults.duplication));
        for _ in 0..copies {
            let at = now + self.setup.delay;
            let hold = faults.held.iter().find(|h| h.0 <= at && at < h.1);
            let at = hold.map_or(at, |h| h.1);
            let late = faults.late_data.iter().find(|late| segment.payload > 0 && late.0 == number);
            let late = late.map(|late| late.1.as_secs_f64());
            let late = late.or_else(|| {
                self.random
                    .chance(faults.reordering)
                    .then(|| self.random.uniform() * faults.disorder.as_secs_f64())
            });
            if let Some(more) = late {
                let handle = self.stragglers.insert((segment, self.hosts[to].arrival));
                let slot = self.calendar.reserve(Event::Straggler(to, handle));
                self.stragglers.get_mut(handle).1 = slot;
                self.calendar.set(slot, at + Duration::from_secs_f64(more));
            } else {
                self.hosts[to].flying.push_back((at, segment));
                if self.hosts[to].flying.len() == 1 {
                    self.calendar.set(self.hosts[to].arrival, at);
                }
            }
        }
    }

    /// Carries out the effects on host `i`, and writes and closes as its application.
    fn settle(&mut self, i: usize, now: Time) {
        loop {
            self.carry_out(i, now);
            assert_eq!(self.log.in_flight, self.ends[SENDER].in_flight(), "what is in flight is always seen");
            if i != SENDER || !self.may_write {
                break;
            }
            self.may_write = false;
            let left = self.left.min(self.stop_after - self.ends[i].bytes_written());
            if left > 0 {
                let taken = self.ends[i].write(now, left, &mut self.fx, &mut self.log);
                self.left -= taken;
            }
            if self.left == 0 {
                self.ends[i].close(now, &mut self.fx, &mut self.log);
            }
        }
    }

    fn carry_out(&mut self, i: usize, now: Time) {
        let (mut refused, mut unseen) = (None, Effects::default());
        let refusal = self.setup.faults[i].refusal;
        for k in 0..self.fx.segments.len() {
            let out = self.fx.segments[k];
            let full = self.hosts[i].queue.len() >= self.setup.queue;
            if full && self.setup.drops_unseen {
                self.ends[i].sent(now, u64::from(out.truesize), &mut unseen, &mut self.log);
                assert!(unseen.segments.is_empty(), "only without small queues");
                continue;
            }
            if full || self.random.chance(refusal) {
                refused = Some(k);
                break;
            }
            self.segments += 1;
            self.hosts[i].sent += 1;
            if self.keep_sent {
                let kept = if i == SENDER { &mut self.sent } else { &mut self.answered };
                kept.push((now, out.segment));
            }
            self.hosts[i].queue.push_back(out);
            if self.hosts[i].queue.len() == 1 {
                let bytes =
                    Bytes(u64::from(out.segment.payload + out.segment.header.header_len() as u32 + 38));
                self.calendar.set(self.hosts[i].transmitted, now + self.setup.rate.time_for(bytes));
            }
        }
        self.most_held = self.most_held.max(self.ends[i].held_below());
        self.most_out = self.most_out.max(self.ends[i].packets_out());
        let mut more = Effects::default();
        if let Some(first) = refused {
            self.ends[i].refused(now, &self.fx.segments[first].segment, &mut self.log);
            for k in first..self.fx.segments.len() {
                let segment = self.fx.segments[k].segment;
                self.ends[i].handed_back(now, &segment, &mut more, &mut self.log);
            }
            assert!(more.segments.is_empty());
        }
        for changes in [self.fx.timers, more.timers] {
            for (slot, change) in self.hosts[i].timers.iter().zip(changes) {
                match change {
                    TimerChange::Keep => {}
                    TimerChange::Set(at) => self.calendar.set(*slot, at),
                    TimerChange::Cancel => self.calendar.cancel(*slot),
                }
            }
        }
        self.finished[i] |= self.fx.finished;
        self.may_write |= i == SENDER && (self.fx.established || self.fx.writable);
        self.fx.clear();
    }
}
