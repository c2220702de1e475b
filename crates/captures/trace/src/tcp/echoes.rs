//! Round trips by timestamps: when a clock value passed, and when its echo did (RFC 7323 section 4).

use std::collections::VecDeque;

/// The most clock values that are remembered. When an echo stays away longer, newer values are not remembered.
const MOST: usize = 1024;

/// The clock values that one end sent and whose echo has not passed yet, each with the time when it first passed.
#[derive(Clone, Debug, Default)]
pub(super) struct Echoes {
    waiting: VecDeque<(u32, u64)>,
    last: Option<u32>,
}

impl Echoes {
    /// The end sent a clock value.
    pub(super) fn sent(&mut self, value: u32, now_ns: u64) {
        let newer = self.last.is_none_or(|last| value.wrapping_sub(last) as i32 > 0);
        if newer {
            self.last = Some(value);
            if self.waiting.len() < MOST {
                self.waiting.push_back((value, now_ns));
            }
        }
    }

    /// The other end echoed one: how long ago it first passed, in nanoseconds, if this is its first echo.
    pub(super) fn echoed(&mut self, value: u32, now_ns: u64) -> Option<u64> {
        let mut sample = None;
        while let Some(&(oldest, at_ns)) = self.waiting.front()
            && value.wrapping_sub(oldest) as i32 >= 0
        {
            self.waiting.pop_front();
            sample = (oldest == value).then(|| now_ns.saturating_sub(at_ns));
        }
        sample
    }
}

/// How many samples make a round of [`Recent`].
const ROUND: u32 = 16;

/// The least of the last samples: of the round that is under way and of the one before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recent {
    before: Option<u64>,
    now: Option<u64>,
    samples: u32,
}

impl Recent {
    /// One sample, in nanoseconds.
    pub(super) fn add(&mut self, sample_ns: u64) {
        if self.samples == ROUND {
            (self.before, self.now, self.samples) = (self.now, None, 0);
        }
        self.samples += 1;
        self.now = Some(self.now.map_or(sample_ns, |least| least.min(sample_ns)));
    }

    /// The least of them, in nanoseconds.
    pub(super) fn least_ns(&self) -> Option<u64> {
        match (self.before, self.now) {
            (Some(before), Some(now)) => Some(before.min(now)),
            (before, now) => before.or(now),
        }
    }
}
