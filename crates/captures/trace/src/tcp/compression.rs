//! Acknowledgments that arrive in bursts, far faster than the data that they acknowledge was sent (Mogul 1992).

use crate::Capped;

/// A longer gap between acknowledgments ends a burst, in nanoseconds.
const GAP: u64 = 1_000_000;
/// A burst has this many acknowledgments at least.
const FEWEST: u32 = 4;
/// The data of a burst took this many times longer than the acknowledgments, and this much in nanoseconds.
const FASTER: u64 = 4;
const SLACK: u64 = 2_000_000;

/// Acknowledgments that arrived together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// When the first arrived, in nanoseconds since 1970.
    pub at_ns: u64,
    /// The record of the first.
    pub number: u32,
    /// Acknowledgments.
    pub acks: u32,
    /// From the first to the last, in nanoseconds.
    pub lasted_ns: u64,
    /// From the first to the last of the data that they acknowledge, as it was sent.
    pub data_ns: u64,
}

/// Bursts of acknowledgments.
#[derive(Clone, Debug, Default)]
pub(super) struct Compression {
    burst: Option<Burst>,
    /// When the first data of the burst was sent, and the last acknowledgment.
    data_from_ns: u64,
    last_ns: u64,
}

impl Compression {
    /// An acknowledgment arrived, of data that had been sent at a time.
    pub(super) fn acknowledged(
        &mut self,
        now_ns: u64,
        number: u32,
        data_ns: u64,
        into: &mut Capped<Burst, 256>,
    ) {
        match &mut self.burst {
            Some(burst) if now_ns.saturating_sub(self.last_ns) <= GAP => {
                burst.acks += 1;
                burst.lasted_ns = now_ns.saturating_sub(burst.at_ns);
                burst.data_ns = data_ns.saturating_sub(self.data_from_ns);
            }
            _ => {
                self.finish(into);
                self.burst = Some(Burst { at_ns: now_ns, number, acks: 1, lasted_ns: 0, data_ns: 0 });
                self.data_from_ns = data_ns;
            }
        }
        self.last_ns = now_ns;
    }

    /// The burst is over.
    pub(super) fn finish(&mut self, into: &mut Capped<Burst, 256>) {
        if let Some(burst) = self.burst.take()
            && burst.acks >= FEWEST
            && burst.data_ns >= burst.lasted_ns.saturating_mul(FASTER).saturating_add(SLACK)
        {
            into.push(burst);
        }
    }
}
