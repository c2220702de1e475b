//! The end of start-up, and draining its queue (`CheckStartupDone`, `CheckDrainDone`).

use super::{Bbr3, ONE, Sample, State, bounds};
use airloom_observe::CaState;

/// ACKs that report losses, in a round that ends start-up (`BBRStartupFullLossCnt`).
const LOSSES: u32 = 6;
/// Rounds after which draining ends at the latest.
const DRAIN_ROUNDS: u32 = 3;

impl Bbr3 {
    /// Start-up ends when the pipe is full or losses are many.
    pub(super) fn check_start_up(&mut self, s: &Sample) {
        self.check_losses(s);
        if self.state == State::StartUp && self.full.reached {
            self.state = State::Drain;
            self.drain_began = self.rounds;
        }
    }

    /// After a round in recovery in which many ACKs reported losses, too many in all, the pipe is full; without SACK, which shows
    /// one loss per round trip, after any (`CheckStartupHighLoss`).
    fn check_losses(&mut self, s: &Sample) {
        if !self.latest.round_start {
            return;
        }
        let losses = std::mem::take(&mut self.latest.losses);
        let Some(rate) = s.rate.filter(|_| !self.full.reached) else { return };
        let many = if self.sacks {
            losses >= LOSSES && bounds::exceeds(s.all_lost - rate.lost, rate.in_flight)
        } else {
            losses > 0
        };
        if s.state == CaState::Recovery && many {
            self.undo_state = Some(State::StartUp);
            self.full.fill();
            self.bounds.long_term = self.fills(self.max_rate.get(), ONE).max(self.latest.in_flight);
        }
    }

    /// Draining ends when no more is in flight than fills the path, or after three rounds.
    pub(super) fn check_drain(&mut self, s: &Sample) {
        if self.state != State::Drain {
            return;
        }
        let drained = s.in_flight <= self.target(self.rate, ONE);
        if drained || self.rounds > self.drain_began + DRAIN_ROUNDS {
            self.start_down(s.now);
        }
    }
}
