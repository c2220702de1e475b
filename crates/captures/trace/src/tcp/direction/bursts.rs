//! Bursts with which a sender goes on at times of its own, whatever its receiver acknowledges.

use super::Context;
use super::beats::Beats;
use crate::tcp::pace::Pace;

/// A burst comes behind so much time without data, in nanoseconds.
const SILENT: u64 = 1_000_000;
/// Bursts that are closer to each other may be the turns of a radio, in nanoseconds, unless they keep the time of a clock: no PPDU is longer than 5.484 ms (802.11-2020 table 9-25).
const APART: u64 = 8_000_000;
/// At this distance at least a program's clock shows, in nanoseconds, if each burst has so many octets: one that paces what it sends lets two segments go at a time, or as many as take a millisecond
/// (Linux: `tcp_tso_autosize`).
const LEAST_APART: u64 = 2_000_000;
const SEVERAL: u64 = 4_000;
/// A sender that an acknowledgment lets send does so within this time, in nanoseconds.
const ANSWERS: u64 = 1_000_000;
/// What waited longer below its TCP says nothing of its program, in nanoseconds.
const WAITED: u64 = 2_000_000;
/// The share of bursts that come at one and the same distance, if a timer makes them; and the share of all data that goes in them.
const EVEN: f64 = 0.8;
const MOST: f64 = 0.9;
/// The same where they keep the time of a clock: what then waits for its radio for a millisecond in the midst of a burst, while an acknowledgment comes, hides no timer.
const MOST_BY_CLOCK: f64 = 0.8;
/// Fewer bursts than this may be chance.
const MIN_BURSTS: u64 = 50;

/// Bursts that begin behind a silence, without an acknowledgment that lets them go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    /// How many there are, and the octets in them.
    count: u64,
    octets: u64,
    /// All octets, those of the first burst of all among them.
    all: u64,
    /// How evenly they begin, and whether by a clock.
    pace: Pace,
    beats: Beats,
    /// Whether the last octets went in one.
    is_in: bool,
}

impl Bursts {
    /// The sender sent so many new octets; when it had last sent any, zero if it had not, and when data was last acknowledged. What is `short` may have waited until all
    /// before it was acknowledged (Nagle's algorithm, RFC 9293 section 3.7.4), and goes with the burst before it.
    pub(super) fn sent(
        &mut self,
        context: &Context,
        (octets, short): (u64, bool),
        sent_ns: u64,
        acknowledged_ns: Option<u64>,
    ) {
        self.all += octets;
        if context.now_ns.saturating_sub(sent_ns) >= SILENT {
            let let_go =
                |acked: u64| context.now_ns.saturating_sub(acked) <= context.recent_to_sender_ns + ANSWERS;
            let is_own = !acknowledged_ns.is_some_and(let_go) && context.late_ns < WAITED;
            self.is_in = is_own || (short && self.is_in);
            if is_own {
                self.count += 1;
                self.pace.passed(context.now_ns, 0);
                self.beats.passed(context.now_ns, self.pace.distance_ns());
            }
        }
        self.octets += if self.is_in { octets } else { 0 };
    }

    /// The same of a flow whose round trips take so long at least, in nanoseconds: a full window goes on behind its acknowledgments, so never sooner than after a round trip.
    pub(super) fn outrun(&self, round_ns: u64) -> bool {
        self.by_timer().is_some() && self.pace.distance_ns() < round_ns
    }

    /// Whether bursts keep a clock's time, and are larger than those of a sender that paces itself.
    fn are_clocked(&self) -> bool {
        self.pace.distance_ns() >= LEAST_APART
            && self.octets >= SEVERAL * self.count
            && self.beats.keep_time()
    }

    /// The time from one to the next in ms, if a timer of the sender's program makes nearly all of a flow go in them.
    pub fn by_timer(&self) -> Option<f64> {
        let apart = self.pace.distance_ns() >= APART || self.are_clocked();
        let even = self.count >= MIN_BURSTS && self.pace.share() >= EVEN && apart;
        let least = if self.beats.keep_time() { MOST_BY_CLOCK } else { MOST };
        let most = self.octets as f64 >= least * self.all as f64;
        (even && most).then(|| self.pace.distance_ns() as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transmission;

    const MS: u64 = 1_000_000;

    fn at(now_ns: u64) -> Context {
        Context {
            now_ns,
            number: 0,
            to_sender_ns: Some(0),
            to_receiver_ns: Some(11 * MS),
            recent_to_sender_ns: 0,
            receiver_opened: false,
            both_ways: true,
            accurate_ecn: false,
            shows_held: true,
            segment: None,
            scale: None,
            room: 0,
            transmission: Transmission::First,
            late_ns: 0,
        }
    }

    /// Bursts of 14 segments at such times, the last of each short and sent as all is acknowledged, so many ms behind the last of the others.
    fn of(starts: impl Iterator<Item = u64>, round_ms: u64) -> Bursts {
        let mut bursts = Bursts::default();
        let (mut sent_ns, mut acked_ns) = (0, None);
        for start_ns in starts {
            for _ in 0..13 {
                bursts.sent(&at(start_ns), (1448, false), sent_ns, acked_ns);
                sent_ns = start_ns;
            }
            let tail_ns = start_ns + round_ms * MS;
            acked_ns = Some(tail_ns);
            bursts.sent(&at(tail_ns), (1176, true), sent_ns, acked_ns);
            sent_ns = tail_ns;
        }
        bursts
    }

    #[test]
    fn a_program_with_a_timer_sends_at_times_of_its_own() {
        let every_ms = of((1..200).map(|n| n * 10 * MS), 7).by_timer().expect("a timer");
        assert!((every_ms - 10.0).abs() < 1e-9, "{every_ms}");
    }

    #[test]
    fn a_clock_shows_as_often_as_a_radio_takes_its_turns() {
        let bursts = of((1..400).map(|n| n * 4 * MS), 2);
        let every_ms = bursts.by_timer().expect("a timer");
        assert!((every_ms - 4.0).abs() < 1e-9, "{every_ms}");
        // A full window whose round trips last as long each time goes on as evenly.
        assert!(bursts.outrun(5 * MS) && !bursts.outrun(4 * MS));
    }

    #[test]
    fn bursts_that_a_radio_cuts_in_two_hide_no_clock() {
        let mut bursts = Bursts::default();
        let (mut sent_ns, mut acked_ns) = (0, None);
        for start_ns in (1..400).map(|n| n * 20 * MS) {
            // Two of fourteen wait for a retry, in which an acknowledgment comes.
            for (at_ns, segments) in [(start_ns, 12), (start_ns + 3 * MS, 2)] {
                for _ in 0..segments {
                    bursts.sent(&at(at_ns), (1448, false), sent_ns, acked_ns);
                    sent_ns = at_ns;
                }
                acked_ns = Some(at_ns + 2 * MS);
            }
        }
        let every_ms = bursts.by_timer().expect("a timer");
        assert!((every_ms - 20.0).abs() < 1e-9, "{every_ms}");
    }

    #[test]
    fn neither_uneven_bursts_nor_what_an_acknowledgment_lets_go_has_a_timer() {
        assert_eq!(of((1..200).map(|n| (n * 10 + n * n % 5) * MS), 7).by_timer(), None);
        // The next burst begins as the last acknowledgment of the one before comes.
        assert_eq!(of((1..200).map(|n| n * 10 * MS), 10).by_timer(), None);
        // As a radio takes its turns: each a PPDU and a backoff behind the one before.
        let turns = (1..400).scan(0, |at_ns, n: u64| {
            *at_ns += 3_930_000 + 9_000 * (n * n * 31 % 97 % 16);
            Some(*at_ns)
        });
        assert_eq!(of(turns, 2).by_timer(), None);
    }
}
