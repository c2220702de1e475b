//! The scan procedure: a software scan like mac80211's (net/mac80211/scan.c and offchannel.c), one trip off the home
//! channel after another, each announced to the access point by null frames.
//!
//! ```text
//!  Idle -> Draining -> [ Flushing -> Announcing -> Away -> Returning -> Home ] x trips -> Idle
//! ```
//! Kernels differ in when they flush the driver's queue and in the effect of a flush that takes too long; see
//! [`OffChannel`].

use airloom_observe::{RadioPlace, ScanEvent};
use airloom_sim::{Duration, Time};

/// How a host's kernel scans: for how long it leaves the channel, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffChannel {
    /// Time on each channel.
    pub dwell: Duration,
    /// Time at home between trips.
    pub home: Duration,
    /// The driver's queue is flushed before the null frame that announces sleep, rather than after it (Linux 3.11 and
    /// later `ieee80211_offchannel_stop_vifs`; 3.2 `ieee80211_offchannel_stop_station` flushed after).
    pub flush_first: bool,
    /// How long a flush may take before it gives up.
    pub flush_timeout: Duration,
    /// A flush that gives up drops what the driver still holds (ath9k of Linux 3.2; later ones keep it).
    pub flush_drops: bool,
    /// The scan starts with a flush while the queues keep running (Linux 3.2 `ieee80211_start_sw_scan`).
    pub drain_at_start: bool,
    /// While no packets wait, further channels are visited without going home, up to this long in all (HZ/8 in
    /// Linux 3.13, ten beacon intervals in 3.2; `ieee80211_scan_state_decision`).
    pub longest_absence: Duration,
}

impl OffChannel {
    /// As mac80211 does in Linux 6.18 (`net/mac80211/scan.c`, `offchannel.c`).
    pub const MAC80211: Self = Self {
        dwell: Duration::from_millis(108),
        home: Duration::from_millis(200),
        flush_first: true,
        flush_timeout: Duration::from_millis(200),
        flush_drops: false,
        drain_at_start: false,
        longest_absence: Duration::from_millis(125),
    };
}

/// Between the arrival on a channel on which a station may ask and the probe request, and from there on until it leaves: `HZ / 33` each
/// (`IEEE80211_PROBE_DELAY`, `IEEE80211_CHANNEL_TIME`), 7 jiffies of `CONFIG_HZ=250`.
const PROBE: Duration = Duration::from_millis(28);

/// How a channel is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// The station listens for beacons, as on channels where it may not send before it has heard some.
    Listens,
    /// It asks who is there with a probe request (802.11-2020 11.1.4.3.2).
    Probes,
}

/// Effects of the procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Accept no more packets from above.
    StopQueue,
    /// Accept packets again.
    WakeQueue,
    /// Announce to the access point with a null frame that the station goes to sleep, or wakes.
    Announce {
        /// PM=1.
        sleep: bool,
    },
    /// Tune away from the home channel.
    Depart,
    /// Tune to the channel with this place in the scan.
    Tune(u16),
    /// Send a probe request there.
    Probe(u16),
    /// Tune back.
    Return,
    /// Drop all frames in the driver.
    DropDriver,
    /// Call [`Procedure::timer`] at this time, instead of any requested before.
    Arm(Time),
    /// Cancel the time requested before.
    Disarm,
    /// Report to the probe.
    Event(ScanEvent),
    /// Report to the probe.
    Place(RadioPlace),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Draining,
    Flushing { announced: bool },
    Announcing,
    Away { since: Time, asked: bool },
    Returning,
    Home,
}

/// A scan in progress, or none.
#[derive(Clone, Debug)]
pub struct Procedure {
    how: OffChannel,
    /// Channels that a scan visits, unless it is one of others.
    usual: u16,
    /// The channels that the scan under way visits.
    visits: Vec<Visit>,
    state: State,
    /// Channels visited.
    visited: usize,
}

impl Procedure {
    /// No scan yet; each will visit so many channels.
    pub fn new(how: OffChannel, channels: u16) -> Self {
        Self { how, usual: channels, visits: Vec::new(), state: State::Idle, visited: 0 }
    }

    /// Whether no scan is in progress.
    pub fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// Starts a scan; nothing happens while one is in progress. `empty`: the driver holds nothing.
    pub fn start(&mut self, now: Time, empty: bool, act: &mut Vec<Action>) {
        self.start_of(now, empty, vec![Visit::Listens; usize::from(self.usual)], act);
    }

    /// The same of other channels; one of none is over at once, since the radio hears all there is.
    pub fn start_of(&mut self, now: Time, empty: bool, visits: Vec<Visit>, act: &mut Vec<Action>) {
        if !self.is_idle() {
            return;
        }
        (self.visits, self.visited) = (visits, 0);
        act.push(Action::Event(ScanEvent::Started));
        if self.visits.is_empty() {
            act.push(Action::Event(ScanEvent::Finished));
            return;
        }
        if self.how.drain_at_start && !empty {
            self.state = State::Draining;
            act.push(Action::Arm(now + self.how.flush_timeout));
        } else {
            self.leave(now, empty, act);
        }
    }

    /// Gives up on the scan under way.
    pub fn abort(&mut self) {
        self.state = State::Idle;
    }

    /// The driver's last frame has been settled.
    pub fn driver_empty(&mut self, now: Time, act: &mut Vec<Action>) {
        match self.state {
            State::Draining => self.leave(now, true, act),
            State::Flushing { announced } => self.flushed(now, announced, act),
            _ => {}
        }
    }

    /// The requested null frame is finished, acknowledged or not.
    pub fn announced(&mut self, now: Time, empty: bool, act: &mut Vec<Action>) {
        match self.state {
            State::Announcing if self.how.flush_first || empty => self.depart(now, act),
            State::Announcing => self.flush(now, true, act),
            State::Returning => {
                act.push(Action::Place(RadioPlace::Home));
                act.push(Action::WakeQueue);
                if self.visited < self.visits.len() {
                    self.state = State::Home;
                    act.push(Action::Arm(now + self.how.home));
                } else {
                    self.state = State::Idle;
                    act.push(Action::Event(ScanEvent::Finished));
                }
            }
            _ => {}
        }
    }

    /// The requested time has come. `empty`: the driver holds nothing; `backlog`: packets wait above it.
    pub fn timer(&mut self, now: Time, empty: bool, backlog: bool, act: &mut Vec<Action>) {
        match self.state {
            State::Draining => {
                act.push(Action::DropDriver);
                self.leave(now, true, act);
            }
            State::Flushing { announced } => {
                if self.how.flush_drops {
                    act.push(Action::DropDriver);
                }
                self.flushed(now, announced, act);
            }
            State::Away { since, asked: false } if self.visits[self.visited - 1] == Visit::Probes => {
                self.state = State::Away { since, asked: true };
                act.push(Action::Probe(self.visited as u16 - 1));
                act.push(Action::Arm(now + PROBE));
            }
            State::Away { since, .. } => {
                let next = self.visits.get(self.visited);
                let in_time = |visit| now + self.stays(visit) <= since + self.how.longest_absence;
                if next.is_some_and(|&visit| in_time(visit)) && !backlog {
                    self.visit(now, since, act);
                } else {
                    self.state = State::Returning;
                    act.push(Action::Return);
                    act.push(Action::Place(RadioPlace::Returning));
                    act.push(Action::Announce { sleep: false });
                }
            }
            State::Home => self.leave(now, empty, act),
            State::Idle | State::Announcing | State::Returning => {}
        }
    }

    fn leave(&mut self, now: Time, empty: bool, act: &mut Vec<Action>) {
        act.push(Action::StopQueue);
        if self.how.flush_first && !empty { self.flush(now, false, act) } else { self.announce(act) }
    }

    fn flush(&mut self, now: Time, announced: bool, act: &mut Vec<Action>) {
        self.state = State::Flushing { announced };
        act.push(Action::Arm(now + self.how.flush_timeout));
    }

    fn flushed(&mut self, now: Time, announced: bool, act: &mut Vec<Action>) {
        act.push(Action::Disarm);
        if announced { self.depart(now, act) } else { self.announce(act) }
    }

    fn announce(&mut self, act: &mut Vec<Action>) {
        self.state = State::Announcing;
        act.push(Action::Place(RadioPlace::Leaving));
        act.push(Action::Announce { sleep: true });
    }

    fn depart(&mut self, now: Time, act: &mut Vec<Action>) {
        act.push(Action::Depart);
        act.push(Action::Place(RadioPlace::Away));
        self.visit(now, now, act);
    }

    fn visit(&mut self, now: Time, since: Time, act: &mut Vec<Action>) {
        self.state = State::Away { since, asked: false };
        let place = self.visited as u16;
        act.push(Action::Event(ScanEvent::Channel(place)));
        act.push(Action::Tune(place));
        let probes = self.visits[self.visited] == Visit::Probes;
        self.visited += 1;
        act.push(Action::Arm(now + if probes { PROBE } else { self.how.dwell }));
    }

    /// How long a visit takes (`ieee80211_scan_get_channel_time`).
    fn stays(&self, visit: Visit) -> Duration {
        match visit {
            Visit::Listens => self.how.dwell,
            Visit::Probes => PROBE * 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn procedure(flush_first: bool, drain_at_start: bool, longest_absence: u64) -> Procedure {
        let how = OffChannel {
            dwell: MS * 111,
            home: MS * 200,
            flush_first,
            flush_timeout: MS * 200,
            flush_drops: !flush_first,
            drain_at_start,
            longest_absence: MS * longest_absence,
        };
        Procedure::new(how, 3)
    }

    /// Plays a whole scan in which null frames take 2 ms and the driver always holds something for 3 ms; returns the
    /// actions with the time in ms at which each was requested.
    fn play(mut p: Procedure, backlog: bool) -> Vec<(u64, Action)> {
        let mut log = Vec::new();
        let mut now = Time::ZERO;
        let mut act = Vec::new();
        p.start(now, false, &mut act);
        let mut armed = None;
        while !act.is_empty() {
            let (mut null, mut waits) = (false, true);
            for a in act.drain(..) {
                log.push((now.as_nanos() / 1_000_000, a));
                match a {
                    Action::Arm(at) => armed = Some(at),
                    Action::Disarm => armed = None,
                    Action::Announce { .. } => null = true,
                    Action::Depart | Action::WakeQueue => waits = false,
                    _ => {}
                }
            }
            if null {
                now += MS * 2;
                p.announced(now, false, &mut act);
            } else if waits && matches!(p.state, State::Flushing { .. }) {
                now += MS * 3;
                p.driver_empty(now, &mut act);
            } else if let Some(at) = armed.take() {
                now = at;
                p.timer(now, false, backlog, &mut act);
            }
        }
        log
    }

    fn count(log: &[(u64, Action)], action: Action) -> usize {
        log.iter().filter(|(_, a)| *a == action).count()
    }

    #[test]
    fn a_modern_kernel_flushes_then_announces_one_channel_a_trip() {
        let log = play(procedure(true, false, 125), false);
        assert_eq!((count(&log, Action::Depart), count(&log, Action::DropDriver)), (3, 0));
        let departs: Vec<_> = log.iter().filter(|(_, a)| *a == Action::Depart).map(|(t, _)| *t).collect();
        // Flush 3, null 2, dwell 111, null 2, home 200 ms.
        assert_eq!(departs, [5, 5 + 318, 5 + 2 * 318]);
        assert_eq!(count(&log, Action::StopQueue), count(&log, Action::WakeQueue));
        assert_eq!(log.last().unwrap().1, Action::Event(ScanEvent::Finished));
    }

    /// Two channels in one trip, on each of which it asks after 28 ms and stays for as long; a third would take longer than 125 ms.
    #[test]
    fn channels_on_which_it_asks_take_half_as_long() {
        let mut scan = procedure(true, false, 125);
        let mut act = Vec::new();
        scan.start_of(Time::ZERO, true, vec![Visit::Probes; 3], &mut act);
        scan.announced(Time::ZERO, true, &mut act);
        let mut at = Vec::new();
        for ms in [28, 56, 84, 112] {
            act.clear();
            scan.timer(Time::ZERO + MS * ms, true, false, &mut act);
            at.push(act[0]);
        }
        let second = Action::Event(ScanEvent::Channel(1));
        assert_eq!(at, [Action::Probe(0), second, Action::Probe(1), Action::Return]);
    }

    #[test]
    fn an_old_kernel_drops_at_the_start_and_strings_channels_together_while_idle() {
        let log = play(procedure(false, true, 1024), false);
        assert_eq!(log[1], (0, Action::Arm(Time::ZERO + MS * 200)));
        assert_eq!(log[2], (200, Action::DropDriver));
        assert_eq!(count(&log, Action::Depart), 1, "three channels in one absence");
        let busy = play(procedure(false, true, 1024), true);
        assert_eq!(count(&busy, Action::Depart), 3, "a backlog brings it home after each");
    }
}
