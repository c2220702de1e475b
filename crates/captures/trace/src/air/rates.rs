//! The rates of MPDUs, as their mean.

use super::ppdu::Ppdu;

/// MPDUs whose rate is known, and the sum of their rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rates {
    mpdus: u64,
    sum_mbps: f64,
}

impl Rates {
    /// Takes a PPDU.
    pub(super) fn sent(&mut self, ppdu: &Ppdu) {
        if let Some(speed) = ppdu.speed() {
            self.mpdus += u64::from(ppdu.mpdus);
            self.sum_mbps += f64::from(ppdu.mpdus) * speed.mbps;
        }
    }

    /// The mean in Mbit/s; none if no rate is known.
    pub(super) fn mean_mbps(self) -> Option<f64> {
        (self.mpdus > 0).then(|| self.sum_mbps / self.mpdus as f64)
    }
}
