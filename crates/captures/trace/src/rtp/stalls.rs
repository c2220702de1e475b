//! Spells in which RTP stood still on its way, apart from those in which its sender paused.

/// What is shorter is jitter, in nanoseconds.
const LEAST: u64 = 200_000_000;
/// The part of what packets came late by, one in so many, that those behind them make up for. Where they do not, a clock was set, or a sender
/// paused and went on with the next stamp.
const MADE_UP: f64 = 2.0;
/// They do so within so many times the spell: a slow link takes longer to carry what waited.
const WITHIN: u64 = 4;

/// How often RTP stood still, and for how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalled {
    /// Spells of 200 ms and longer in which no packet came though stamps went on, and then packets came faster than they were sent.
    pub times: u64,
    /// The longest of them, in nanoseconds.
    pub longest_ns: u64,
    /// The longest of them behind which all that was due came within 200 ms, in nanoseconds.
    pub at_once_ns: u64,
    /// The longest spell without packets that the stamps account for: their sender paused. In nanoseconds.
    pub paused_ns: u64,
}

/// How a packet keeps to the clock of its stamps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kept {
    /// The clock: its payload type, and since when it goes on.
    pub(super) clock: (u8, u64),
    /// By how much longer the packet was on its way than the one before it, in nanoseconds; none where that does not show.
    pub(super) off_ns: Option<f64>,
    /// The same against the first packet.
    pub(super) behind_ns: f64,
    /// The same against the fastest before it.
    pub(super) late_ns: f64,
    /// The jitter by now.
    pub(super) jitter_ns: f64,
}

/// What the packets of a source show.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stalls {
    pub(super) told: Stalled,
    last_ns: u64,
    open: Option<Open>,
    /// The last one, until all that was due then has come, or too late to be at once.
    due: Option<Open>,
}

/// A spell that has ended, and how its first packet kept to its clock.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Open {
    at_ns: u64,
    gap_ns: u64,
    off_ns: f64,
    kept: Kept,
}

impl Open {
    /// Whether packets come again as they did before it, but for what is jitter.
    fn is_made_up(&self, kept: Kept) -> bool {
        kept.clock == self.kept.clock && kept.behind_ns < self.kept.behind_ns - self.off_ns + LEAST as f64
    }
}

impl Stalls {
    pub(super) fn new(now_ns: u64) -> Self {
        Self { told: Stalled::default(), last_ns: now_ns, open: None, due: None }
    }

    /// The same source begins anew.
    pub(super) fn anew(&self, now_ns: u64) -> Self {
        Self { told: self.told, ..Self::new(now_ns) }
    }

    /// Takes a packet that is newer than all before it, and whether it follows the one before it.
    pub(super) fn see(&mut self, now_ns: u64, follows: bool, kept: Option<Kept>) {
        let gap_ns = now_ns.saturating_sub(std::mem::replace(&mut self.last_ns, now_ns));
        let Some(kept) = kept else { return };
        if let Some(open) = self.open.filter(|open| open.kept.clock.0 == kept.clock.0) {
            self.close(now_ns, open, kept);
        }
        self.due = self.due.filter(|due| now_ns.saturating_sub(due.at_ns) <= LEAST);
        if let Some(due) = self.due.take_if(|due| due.is_made_up(kept)) {
            self.told.at_once_ns = self.told.at_once_ns.max(due.gap_ns);
        }
        let Some(off_ns) = kept.off_ns.filter(|_| gap_ns >= LEAST) else { return };
        if off_ns >= LEAST as f64 {
            // A shorter one before the longer is made up for is of it.
            if self.open.is_some_and(|open| open.off_ns > off_ns) {
                return;
            }
            self.open = Some(Open { at_ns: now_ns, gap_ns, off_ns, kept });
            self.due = self.open;
        } else if follows && off_ns > -(LEAST as f64) {
            self.told.paused_ns = self.told.paused_ns.max(gap_ns);
        }
    }

    /// Counts a spell if packets made up for it, and forgets it if they did not in time.
    fn close(&mut self, now_ns: u64, open: Open, kept: Kept) {
        let is_late =
            now_ns.saturating_sub(open.at_ns) > WITHIN * open.gap_ns || open.kept.clock != kept.clock;
        let made_up = open.kept.behind_ns - kept.behind_ns >= open.off_ns / MADE_UP;
        if made_up && !is_late {
            self.told.times += 1;
            self.told.longest_ns = self.told.longest_ns.max(open.gap_ns);
        }
        if made_up || is_late {
            self.open = None;
        }
    }
}
