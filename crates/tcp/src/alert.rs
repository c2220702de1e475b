//! Between suspicion and recovery: the congestion state upon ACKs that are not plain progress
//! (`tcp_fastretrans_alert`, Linux 3.13; RFC 6675 with SACK, RFC 6582 without).

use crate::Effects;
use crate::endpoint::Endpoint;
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::Time;

/// What the recovery machinery has to know of an ACK.
pub(crate) struct AckNews {
    /// Segments outstanding and not SACKed before it (`prior_unsacked`).
    pub(crate) prior_unsacked: u32,
    pub(crate) advanced: bool,
    pub(crate) duplicate: bool,
}

impl Endpoint {
    /// The state machine of recovery (`tcp_fastretrans_alert`).
    pub(crate) fn alert<P: Probe>(&mut self, now: Time, news: &AckNews, fx: &mut Effects, probe: &mut P) {
        let reno = !self.agreed.sack;
        if self.una >= self.recovery.high_seq {
            match self.recovery.state {
                // Something beyond what was out then must be acknowledged.
                CaState::Cwr if self.una > self.recovery.high_seq => {
                    self.window.cwnd = self.window.ssthresh;
                    self.recovery.state = CaState::Open;
                }
                CaState::Recovery => {
                    if reno {
                        self.board.reset_duplicates();
                        if self.una == self.recovery.high_seq {
                            // RFC 6582: leaving at the edge itself would let old duplicates start another recovery.
                            let most = self.board.in_flight() + 3;
                            self.window.cwnd = self.window.cwnd.min(most);
                            return;
                        }
                    }
                    self.window.cwnd = self.window.ssthresh;
                    self.recovery.state = CaState::Open;
                    self.observe_loss(now, LossEvent::RecoveryLeft, probe);
                }
                _ => {}
            }
        }
        match self.recovery.state {
            CaState::Recovery => {
                if reno && news.duplicate {
                    self.board.count_duplicate();
                }
                if reno && news.advanced {
                    self.board.mark_head_lost();
                }
                self.mark_lost();
                self.reduce(news, false);
            }
            CaState::Loss => {
                self.loss_progress(now, news, probe);
                if self.recovery.state != CaState::Open {
                    self.retransmit(now, fx, probe);
                    return;
                }
                self.suspect(now, news, probe);
            }
            _ => self.suspect(now, news, probe),
        }
        if self.recovery.state == CaState::Recovery {
            self.retransmit(now, fx, probe);
        }
    }

    /// An ACK in state Loss (`tcp_process_loss`).
    fn loss_progress<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) {
        let reno = !self.agreed.sack;
        let recovered = self.una >= self.recovery.high_seq;
        if recovered && !(reno && self.una == self.recovery.high_seq && self.board.packets_out() > 0) {
            self.recovery.state = CaState::Open;
            self.observe_loss(now, LossEvent::RecoveryLeft, probe);
            return;
        }
        if !reno {
            return;
        }
        if self.next > self.recovery.high_seq && news.duplicate {
            self.board.count_duplicate();
        } else if news.advanced {
            self.board.reset_duplicates();
        }
    }

    /// An ACK outside recovery: perhaps the third duplicate (`tcp_time_to_recover`, `tcp_try_to_open`).
    fn suspect<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) {
        if !self.agreed.sack {
            if news.advanced {
                self.board.reset_duplicates();
            }
            if news.duplicate {
                self.board.count_duplicate();
            }
        }
        if self.board.lost() > 0 || self.board.sacked() >= self.config.duplicate_threshold {
            self.enter_recovery(now, probe);
            self.mark_lost();
            if self.board.lost() == 0 {
                self.board.mark_head_lost();
            }
            self.reduce(news, true);
        } else if self.recovery.state == CaState::Cwr {
            self.reduce(news, false);
        } else {
            let clean = self.board.sacked() == 0 && self.board.retransmitted() == 0;
            let state = if clean { CaState::Open } else { CaState::Disorder };
            if state != self.recovery.state {
                self.recovery.state = state;
                self.recovery.high_seq = self.next;
            }
        }
    }

    /// `tcp_enter_recovery`: a reduction that is under way goes on.
    fn enter_recovery<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if self.recovery.state != CaState::Cwr {
            self.begin_reduction();
        }
        self.recovery.state = CaState::Recovery;
        self.observe_loss(now, LossEvent::RecoveryEntered, probe);
    }

    fn mark_lost(&mut self) {
        if self.agreed.sack {
            self.board.mark_lost_below_sacks(self.config.duplicate_threshold);
            if self.config.lost_retransmissions && self.recovery.state == CaState::Recovery {
                self.board.mark_lost_retransmissions();
            }
        } else if self.recovery.state == CaState::Recovery {
            self.board.mark_head_lost();
        }
    }

    fn reduce(&mut self, news: &AckNews, first: bool) {
        let unsacked = self.board.packets_out() - self.board.sacked();
        let delivered = news.prior_unsacked.saturating_sub(unsacked);
        let in_flight = self.board.in_flight();
        let ssthresh = self.window.ssthresh;
        self.window.cwnd = self.recovery.reduced_window(ssthresh, in_flight, delivered, first);
    }
}
