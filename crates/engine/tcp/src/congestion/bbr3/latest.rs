//! What the last round trip delivered and lost (`bw_latest`, `inflight_latest` and related).

use super::Sample;

/// The delivery of the present round, which ends a round trip after a loss.
#[derive(Clone, Copy, Default)]
pub(super) struct Latest {
    /// The greatest rate and volume delivered.
    pub(super) rate: u64,
    pub(super) in_flight: u32,
    /// What had been delivered as the round began (`loss_round_delivered`).
    pub(super) delivered: u64,
    pub(super) round_start: bool,
    /// Something was lost in the round (`is_loss_in_round`), and how many ACKs said so.
    pub(super) lost: bool,
    pub(super) losses: u32,
}

impl Latest {
    /// `UpdateLatestDeliverySignals`.
    pub(super) fn update(&mut self, s: &Sample) {
        self.round_start = false;
        self.losses += u32::from(s.lost > 0);
        let Some(rate) = &s.rate else { return };
        self.rate = self.rate.max(rate.per_microsecond());
        self.in_flight = self.in_flight.max(rate.delivered as u32);
        if rate.prior_delivered >= self.delivered {
            self.delivered = s.delivered;
            self.round_start = true;
        }
    }

    /// `AdvanceLatestDeliverySignals`.
    pub(super) fn advance(&mut self, s: &Sample) {
        let Some(rate) = s.rate.filter(|_| self.round_start) else { return };
        (self.rate, self.in_flight) = (rate.per_microsecond(), rate.delivered as u32);
    }

    /// `ResetCongestionSignals`.
    pub(super) fn reset(&mut self) {
        (self.lost, self.losses, self.rate, self.in_flight) = (false, 0, 0, 0);
    }
}
