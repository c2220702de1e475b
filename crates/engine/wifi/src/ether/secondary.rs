//! What a radio senses beside its primary channel: whether the rest of a wider one is idle (802.11-2020 10.23.2.5).

use airloom_rate::Width;
use airloom_sim::{Duration, Time};

/// The channels beside a primary one: the other 20 MHz of 40, the other 40 of 80, the other 80 of 160.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Secondary([Rest; Width::ALL.len()]);

/// One of them.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    /// Attempts in progress that keep it busy.
    busy: u32,
    /// When the last of them was over; none if there was none.
    idle: Option<Time>,
}

impl Secondary {
    /// An attempt begins that fills some of what makes a channel of this width of the half with the primary one.
    pub(super) fn hold(&mut self, width: Width) {
        self.0[width.index()].busy += 1;
    }

    /// It is over.
    pub(super) fn release(&mut self, now: Time, width: Width) {
        let rest = &mut self.0[width.index()];
        (rest.busy, rest.idle) = (rest.busy - 1, Some(now));
    }

    /// Whether all that a PPDU of this width fills beside the primary channel has been idle for so long.
    pub(super) fn is_idle(&self, now: Time, width: Width, length: Duration) -> bool {
        let idle = |rest: &Rest| rest.busy == 0 && rest.idle.is_none_or(|since| since + length <= now);
        self.0[..=width.index()].iter().all(idle)
    }
}
