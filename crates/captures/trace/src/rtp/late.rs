//! How late RTP came by its own stamps, and for how long: what a stall leaves behind, or a queue that fills.

use super::stalls::Kept;

/// What is less late a receiver's buffer may hide, in nanoseconds.
const LATE: f64 = 1e9;
/// The part of the lateness, one in so many, that has to be made up. Where it is not, the clocks of sender and capture drift apart, or a
/// sender paused and went on with the next stamp.
const MADE_UP: f64 = 2.0;

/// When RTP came late, and how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Late {
    /// By how much more than the packet before it that was fastest, at most, in nanoseconds; 0 where none came a second late.
    pub most_ns: u64,
    /// From the first to the last packet that came a second late or more, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
}

/// What the packets of a source show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lateness {
    /// Where they came latest and made up for it.
    pub(super) told: Late,
    /// What is not made up for yet, and by which clock.
    open: Option<(Late, (u8, u64))>,
}

impl Lateness {
    /// The same source begins anew.
    pub(super) const fn anew(self) -> Self {
        Self { told: self.told, open: None }
    }

    /// Takes a packet that is newer than all before it.
    pub(super) fn see(&mut self, now_ns: u64, kept: Kept) {
        let open = self.open.filter(|(_, clock)| *clock == kept.clock).map(|(late, _)| late);
        let is_late = kept.late_ns >= LATE;
        let Some(mut late) = open.or_else(|| is_late.then_some(Late { most_ns: 0, span_ns: [now_ns; 2] }))
        else {
            self.open = None;
            return;
        };
        if is_late {
            late.most_ns = late.most_ns.max(kept.late_ns as u64);
            late.span_ns[1] = now_ns;
        }
        let is_made_up = !is_late && kept.late_ns <= late.most_ns as f64 / MADE_UP;
        if is_made_up && late.most_ns > self.told.most_ns {
            self.told = late;
        }
        self.open = (!is_made_up).then_some((late, kept.clock));
    }
}
