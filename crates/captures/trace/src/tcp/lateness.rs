//! How long after its end's TCP had sent it a packet passed, by that end's clock (RFC 7323).

/// A clock is believed once it has been watched for this long, in nanoseconds.
const WATCHED: u64 = 1_000_000_000;
/// The ticks of clocks in nanoseconds: Linux has 1 ms (`TCP_TS_HZ`, include/net/tcp.h), 1 us by route since 6.7, and had 1, 4 or 10 ms (`HZ`) before
/// 4.13.
const TICKS: [u64; 4] = [1_000, 1_000_000, 4_000_000, 10_000_000];
/// How much shorter than a tick what was watched may be, and how much longer, as one part of so many: a queue that grows makes a clock seem slow.
const SHORTER: u64 = 20;
const LONGER: u64 = 5;
/// Two clocks run apart by no more than one part of so many: 100 ppm.
const DRIFT: u64 = 10_000;
/// A sender without data for so long pauses, and packets that wait less hardly wait, in nanoseconds.
const PAUSE: u64 = 10_000_000;

/// Packets of an end beside the most prompt of them. What waits in a queue of its own host, or for the air, had been sent by TCP before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lateness {
    /// The first clock value, and when it passed, in nanoseconds since 1970.
    first: Option<(u32, u64)>,
    /// A tick in nanoseconds, once it is known.
    tick_ns: Option<u64>,
    /// The clock value of the most prompt packet, and when that passed.
    prompt: (u32, u64),
    /// When the other end's clock value passed that was echoed last, in nanoseconds since 1970: what goes now was sent later, whatever clocks say.
    answered_ns: Option<u64>,
    /// Whether such an echo came behind the last pause of its data.
    flows: bool,
}

impl Lateness {
    /// The tick of the clock in nanoseconds; none if it is not known.
    pub(super) const fn tick_ns(&self) -> Option<u64> {
        self.tick_ns
    }

    /// A packet passes that echoes a clock value of the other end for the first time: when that had passed, in nanoseconds since 1970.
    pub(super) const fn answers(&mut self, then_ns: u64) {
        self.answered_ns = Some(then_ns);
        self.flows = true;
    }

    /// Of data that passes `late_ns` late and `idle_ns` after the data before it, how long it stood below its TCP; none where that does not show. A clock that was set, that stood
    /// while its host slept, or that runs apart from the other makes all packets late: those that acknowledgments let go were sent after these, those behind a pause at any time of it.
    pub(super) const fn stood(&mut self, late_ns: u64, idle_ns: u64) -> Option<u64> {
        if idle_ns >= PAUSE && idle_ns >= late_ns / 2 {
            self.flows = false;
        }
        if self.flows || late_ns < PAUSE { Some(late_ns) } else { None }
    }

    /// A packet with a clock value passes: for how long it has waited since TCP sent it, beyond what the most prompt one took, in nanoseconds, and no longer than since what it
    /// echoes passed; none where that does not show.
    pub(super) fn passed(&mut self, value: u32, now_ns: u64) -> Option<u64> {
        let first = *self.first.get_or_insert((value, now_ns));
        let tick_ns = match self.tick_ns {
            Some(tick_ns) => tick_ns,
            None => {
                let tick_ns = tick_of(first, (value, now_ns))?;
                self.prompt = first;
                *self.tick_ns.insert(tick_ns)
            }
        };
        let (since, at_ns) = self.prompt;
        let ticks = i64::from(value.wrapping_sub(since) as i32);
        let passed_ns = now_ns.saturating_sub(at_ns);
        let late_ns = passed_ns as i64 - ticks * tick_ns as i64;
        if late_ns < (passed_ns / DRIFT) as i64 {
            self.prompt = (value, now_ns);
        }
        // The most prompt one was sent late in a tick, others in the middle of one on average.
        let late_ns = (late_ns - tick_ns as i64 / 2).max(0) as u64;
        let most_ns = self.answered_ns.map_or(u64::MAX, |then_ns| now_ns.saturating_sub(then_ns));
        Some(late_ns.min(most_ns))
    }
}

/// A tick in nanoseconds, by two clock values and when they passed: the nearest that a clock has. None if none is near, as where what passed was held up for a large part of the time, or as
/// long as too little was watched.
fn tick_of((value, from_ns): (u32, u64), (last, to_ns): (u32, u64)) -> Option<u64> {
    let watched = to_ns.saturating_sub(from_ns);
    let ticks = u64::from(last.wrapping_sub(value));
    if watched < WATCHED || ticks == 0 {
        return None;
    }
    let seen = watched / ticks;
    TICKS.into_iter().find(|tick| (tick - tick / SHORTER..=tick + tick / LONGER).contains(&seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// How late packets are in ms that go every 5 ms by a clock of such a tick and pass at these times in ms.
    fn late_where(tick_ns: u64, held: impl Fn(u64) -> u64) -> Vec<Option<u64>> {
        let mut lateness = Lateness::default();
        let pass = |sent: u64| {
            let value = u32::MAX.wrapping_sub(700).wrapping_add((sent * MS / tick_ns) as u32);
            lateness.passed(value, held(sent) * MS).map(|late_ns| late_ns / MS)
        };
        (0..3_000).step_by(5).map(pass).collect()
    }

    /// The same of those of which those sent in a spell pass at its end.
    fn late(tick_ns: u64) -> Vec<Option<u64>> {
        late_where(tick_ns, |sent| if (2_000..2_100).contains(&sent) { 2_100 } else { sent })
    }

    #[test]
    fn what_waited_is_told_by_its_senders_clock() {
        for tick_ns in [1_000, MS, 4 * MS] {
            let late = late(tick_ns);
            for (place, &late) in late.iter().enumerate() {
                let sent = 5 * place as u64;
                let late = late.unwrap_or(0);
                let waited = if (2_000..2_100).contains(&sent) { 2_100 - sent } else { 0 };
                assert!(late.abs_diff(waited) <= tick_ns / MS + 1, "{sent}: {late} and {waited}");
            }
        }
    }

    #[test]
    fn a_packet_that_was_held_up_does_not_hide_the_tick_for_good() {
        let mut lateness = Lateness::default();
        // The first that comes after a second has waited for 250 ms.
        let passes = [(0, 0), (1100, 1350), (1400, 1400), (1500, 1560)];
        let late =
            passes.map(|(sent, at)| lateness.passed(sent, u64::from(at as u32) * MS).unwrap_or(0) / MS);
        assert_eq!((late, lateness.tick_ns()), ([0, 0, 0, 59], Some(MS)));
    }

    #[test]
    fn a_clock_that_no_host_has_tells_nothing() {
        assert_eq!(late(7 * MS).iter().max(), Some(&None));
    }

    #[test]
    fn a_queue_that_grows_does_not_hide_the_tick() {
        let late = late_where(4 * MS, |sent| sent + sent / 8);
        assert!(late[400..].iter().all(Option::is_some), "{late:?}");
        let last = late.last().copied().flatten();
        assert!(last.is_some_and(|ms| ms.abs_diff(3_000 / 8) <= 5), "{last:?}");
    }

    #[test]
    fn a_queue_that_stands_since_the_first_second_waits_longer_than_the_first_packet() {
        let late = late_where(MS, |sent| sent + 40.min(sent / 25));
        assert_eq!(late[100], None, "too little was watched");
        assert!(late[400..].iter().all(|late| late.is_some_and(|ms| ms.abs_diff(40) <= 2)), "{late:?}");
    }

    /// The longest that data stood, in ms, of which so many packets go at once every so many ms, where the wall clock shows this time, and the sender's this one, at a time in us.
    /// Each is acknowledged after 20 ms.
    fn stood(burst: u64, apart: u64, wall: impl Fn(u64) -> u64, clock: impl Fn(u64) -> u64) -> u64 {
        let mut lateness = Lateness::default();
        let (mut last_ns, mut most_ns, mut echoed) = (None, 0, None);
        for sent in (0..60_000 / apart).map(|place| place * apart) {
            // The last acknowledgment that had come: of the last burst, 20 ms behind it.
            let came = sent.checked_sub(20).map(|until| until / apart * apart + 20);
            for place in 0..burst {
                let now_ns = 1_000 * wall(1_000 * sent + place);
                if came != echoed {
                    came.iter().for_each(|came| lateness.answers(1_000 * wall(1_000 * came)));
                    echoed = came;
                }
                let late_ns = lateness.passed(clock(1_000 * sent) as u32, now_ns);
                let idle_ns = last_ns.map_or(u64::MAX, |last_ns| now_ns.saturating_sub(last_ns));
                last_ns = Some(now_ns);
                let stood_ns = late_ns.and_then(|late_ns| lateness.stood(late_ns, idle_ns));
                most_ns = most_ns.max(stood_ns.unwrap_or(0));
            }
        }
        most_ns / MS
    }

    #[test]
    fn a_clock_that_was_set_or_slept_or_runs_apart_makes_no_packet_wait() {
        let second = 1_000_000;
        let after = |jump: u64| move |at: u64| at + if at >= 8 * second { jump } else { 0 };
        let ms = |at: u64| at / 1_000;
        // Data that acknowledgments let go, and bursts with pauses longer than what the clocks are apart.
        for (burst, apart) in [(1, 5), (2, 30), (10, 500)] {
            let most = [
                stood(burst, apart, after(2 * second), ms),
                stood(burst, apart, after(60 * second), ms),
                stood(burst, apart, |at| at, |at| at / 1_020),
                stood(burst, apart, |at| at + at * 3 / 10_000, ms),
                stood(burst, apart, |at| at, ms),
            ];
            assert!(most.iter().all(|&ms| ms < 20), "{burst} every {apart} ms: {most:?}");
        }
    }

    #[test]
    fn what_stands_in_its_hosts_queue_is_told() {
        let mut lateness = Lateness::default();
        // The queue holds 60 ms, an acknowledgment comes 20 ms after what it is for.
        let mut told = Vec::new();
        for place in 0..1_000_u64 {
            let (sent, queued) = (5 * place, if place < 400 { 0 } else { 60 });
            let now_ns = (sent + queued) * MS;
            lateness.answers(sent.saturating_sub(1) * MS);
            let late_ns = lateness.passed(sent as u32, now_ns);
            told.push(late_ns.and_then(|late_ns| lateness.stood(late_ns, 5 * MS)).map(|ns| ns / MS));
        }
        assert!(told[500..].iter().all(|ms| ms.is_some_and(|ms| ms.abs_diff(60) <= 1)), "{told:?}");
    }
}
