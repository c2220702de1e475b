//! Bursts in which nothing but retries goes.

use super::ppdu::Ppdu;
use crate::Capped;

/// A burst has this many PPDUs at least, and lasts this long, in nanoseconds.
const FEWEST: u32 = 4;
const SHORTEST: u64 = 5_000_000;

/// PPDUs one after another of which every MPDU is a retry, until one is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storm {
    /// The end of the first, in nanoseconds since 1970, and its record.
    pub from_ns: u64,
    /// See `from_ns`.
    pub number: u32,
    /// The end of the last.
    pub to_ns: u64,
    /// How many.
    pub ppdus: u32,
    /// Their MPDUs.
    pub mpdus: u64,
}

/// The bursts of one direction between two radios.
#[derive(Clone, Debug, Default)]
pub(super) struct Storms {
    now: Option<Storm>,
}

impl Storms {
    /// Takes a PPDU.
    pub(super) fn sent(&mut self, ppdu: &Ppdu) {
        if ppdu.retried < ppdu.mpdus {
            return;
        }
        let storm = self.now.get_or_insert(Storm {
            from_ns: ppdu.end_ns,
            number: ppdu.number,
            to_ns: ppdu.end_ns,
            ppdus: 0,
            mpdus: 0,
        });
        storm.to_ns = ppdu.end_ns;
        storm.ppdus += 1;
        storm.mpdus += u64::from(ppdu.mpdus);
    }

    /// A PPDU was answered.
    pub(super) fn answered(&mut self, into: &mut Capped<Storm>) {
        if let Some(storm) = self.now.take()
            && storm.ppdus >= FEWEST
            && storm.to_ns.saturating_sub(storm.from_ns) >= SHORTEST
        {
            into.push(storm);
        }
    }
}
