use super::*;
use airloom_observe::Ecn;
use airloom_sim::Handle;

const LAW: Law =
    Law { target: Duration::from_millis(5), interval: Duration::from_millis(100), mtu: 1514, ecn: false };

/// Packets without end, each of which has waited for `sojourn`.
struct Overload {
    now: Time,
    sojourn: Duration,
    backlog: u64,
    ecn: Ecn,
    dropped: u32,
    marked: u32,
}

impl Overload {
    fn new() -> Self {
        let (sojourn, ecn) = (Duration::from_millis(20), Ecn::NotEct);
        Self { now: Time::ZERO, sojourn, backlog: 100_000, ecn, dropped: 0, marked: 0 }
    }
}

impl PacketSource for Overload {
    fn take(&mut self) -> Option<Held> {
        let item = Item { packet: Handle(0), bytes: 1500, flow: 0, ecn: self.ecn };
        let since = Time::from_nanos(self.now.as_nanos() - self.sojourn.as_nanos());
        Some(Held { since, item })
    }

    fn backlog(&self) -> u64 {
        self.backlog
    }

    fn discard(&mut self, _: Held) {
        self.dropped += 1;
    }

    fn marked(&mut self) {
        self.marked += 1;
    }
}

/// Takes a packet every `tick` from `start` for `length`; returns when packets were dropped or marked.
fn strikes(
    control: &mut Control,
    law: &Law,
    source: &mut Overload,
    start: Time,
    length: Duration,
) -> Vec<Time> {
    let tick = Duration::from_micros(1);
    let mut times = Vec::new();
    let mut now = start;
    while now < start + length {
        source.now = now;
        let before = source.dropped + source.marked;
        control.dequeue(now, law, source).expect("an endless backlog");
        let struck = source.dropped + source.marked - before;
        times.extend((0..struck).map(|_| now));
        now += tick;
    }
    times
}

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// RFC 8289 section 5, the control law: the first drop an interval after the target was passed, and from the n-th drop to
/// the next one interval / sqrt(n).
#[test]
fn drops_follow_the_control_law_exactly() {
    let mut source = Overload::new();
    let drops = strikes(&mut Control::default(), &LAW, &mut source, at(1000), Duration::from_secs(3));
    let mut due = 1100e6;
    assert!(drops.len() > 200);
    for (n, drop) in drops.iter().enumerate() {
        // The first packet taken at or after the instant, a microsecond apart; the law rounds down to nanoseconds.
        let late = drop.as_nanos() as f64 - due;
        assert!((-(n as f64)..1000.0).contains(&late), "drop {n}: {late} ns after {due}");
        due += 100e6 / ((n + 1) as f64).sqrt();
    }
}

/// RFC 8289 section 5: nothing is dropped while a packet within any interval meets the target.
#[test]
fn one_good_packet_in_an_interval_forgives() {
    let (mut control, mut source) = (Control::default(), Overload::new());
    for round in 0..20 {
        let start = at(1000 + 100 * round);
        assert_eq!(strikes(&mut control, &LAW, &mut source, start, Duration::from_millis(99)), []);
        source.sojourn = Duration::from_millis(4);
        source.now = start + Duration::from_micros(99_500);
        control.dequeue(source.now, &LAW, &mut source);
        source.sojourn = Duration::from_millis(20);
    }
}

/// RFC 8289 section 5: a backlog of less than a full packet is never dropped from.
#[test]
fn a_last_packet_is_never_dropped() {
    let mut source = Overload { backlog: 1514, ..Overload::new() };
    let drops = strikes(&mut Control::default(), &LAW, &mut source, at(1000), Duration::from_secs(2));
    assert_eq!(drops, []);
}

/// RFC 8289 section 5: a dropping state entered soon after the last one goes on at its rate, one entered late begins anew.
#[test]
fn the_count_is_remembered_for_sixteen_intervals() {
    for (pause, remembered) in [(1000, true), (4000, false)] {
        let (mut control, mut source) = (Control::default(), Overload::new());
        let first = strikes(&mut control, &LAW, &mut source, at(1000), Duration::from_secs(2)).len() as f64;
        source.sojourn = Duration::ZERO;
        source.now = at(3000);
        control.dequeue(source.now, &LAW, &mut source);
        source.sojourn = Duration::from_millis(20);
        let drops = strikes(&mut control, &LAW, &mut source, at(3000 + pause), Duration::from_millis(250));
        let gap = (drops[1] - drops[0]).as_secs_f64();
        let expected = if remembered { 0.1 / (first - 1.0).sqrt() } else { 0.1 };
        assert!((gap - expected).abs() < 3e-6, "after {pause} ms: {gap} s rather than {expected} s");
    }
}

/// RFC 3168 section 5: what can be marked is marked at the instants at which it would have been dropped.
#[test]
fn capable_transports_are_marked_in_the_same_rhythm() {
    let law = Law { ecn: true, ..LAW };
    let mut plain = Overload::new();
    let mut capable = Overload { ecn: Ecn::Ect0, ..Overload::new() };
    let length = Duration::from_secs(2);
    let drops = strikes(&mut Control::default(), &law, &mut plain, at(1000), length);
    let marks = strikes(&mut Control::default(), &law, &mut capable, at(1000), length);
    assert_eq!((plain.marked, capable.dropped), (0, 0));
    assert_eq!(drops, marks);
}
