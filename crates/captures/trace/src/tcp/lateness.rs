//! How long after its end's TCP had sent it a packet passed, by that end's clock (RFC 7323).

/// A clock is believed once it has been watched for this long, in nanoseconds.
const WATCHED: u64 = 1_000_000_000;
/// The ticks of clocks in nanoseconds: Linux has 1 ms (`TCP_TS_HZ`, include/net/tcp.h), 1 us by route since 6.7, and had 1, 4 or 10 ms (`HZ`) before
/// 4.13.
const TICKS: [u64; 4] = [1_000, 1_000_000, 4_000_000, 10_000_000];
/// How far what was watched may be from a tick, as one part of so many.
const NEAR: u64 = 20;
/// Two clocks run apart by no more than one part of so many: 100 ppm.
const DRIFT: u64 = 10_000;

/// Packets of an end beside the most prompt of them. What waits in a queue of its own host, or for the air, had been sent by TCP before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lateness {
    /// The first clock value, and when it passed, in nanoseconds since 1970.
    first: Option<(u32, u64)>,
    /// A tick in nanoseconds, once it is known.
    tick_ns: Option<u64>,
    /// The clock value of the most prompt packet, and when that passed.
    prompt: (u32, u64),
}

impl Lateness {
    /// The tick of the clock in nanoseconds; none if it is not known.
    pub(super) const fn tick_ns(&self) -> Option<u64> {
        self.tick_ns
    }

    /// A packet with a clock value passes: for how long it has waited since TCP sent it, beyond what the most prompt one took, in nanoseconds; none where
    /// that does not show.
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
        Some((late_ns - tick_ns as i64 / 2).max(0) as u64)
    }
}

/// A tick in nanoseconds, by two clock values and when they passed: the nearest that a clock has. None if none is near, as where what passed was held up, or as long as too
/// little was watched.
fn tick_of((value, from_ns): (u32, u64), (last, to_ns): (u32, u64)) -> Option<u64> {
    let watched = to_ns.saturating_sub(from_ns);
    let ticks = u64::from(last.wrapping_sub(value));
    if watched < WATCHED || ticks == 0 {
        return None;
    }
    let seen = watched / ticks;
    TICKS.into_iter().find(|tick| seen.abs_diff(*tick) <= tick / NEAR)
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
    fn a_queue_that_stands_since_the_first_second_waits_longer_than_the_first_packet() {
        let late = late_where(MS, |sent| sent + 40.min(sent / 25));
        assert_eq!(late[100], None, "too little was watched");
        assert!(late[400..].iter().all(|late| late.is_some_and(|ms| ms.abs_diff(40) <= 2)), "{late:?}");
    }
}
