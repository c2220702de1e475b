//! Between suspicion and recovery: the congestion state upon ACKs that are not plain progress
//! (`tcp_fastretrans_alert`, Linux 3.13; RFC 6675 with SACK, RFC 6582 without).

use super::Endpoint;
use crate::recovery::halve_rate;
use crate::{Detection, Effects, Reduction};
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::Time;

/// What the recovery machinery has to know of an ACK.
#[derive(Clone, Copy, Default)]
pub(crate) struct AckNews {
    /// Segments outstanding and not SACKed before it (`prior_unsacked`).
    pub(crate) prior_unsacked: u32,
    pub(crate) advanced: bool,
    pub(crate) duplicate: bool,
    /// It SACKed something new.
    pub(crate) sacked: bool,
    /// It acknowledged something of before the present state that was sent only once.
    pub(crate) original: bool,
    /// It tells of a packet that was marked (RFC 3168).
    pub(crate) marked: bool,
    /// The timestamp it echoes.
    pub(crate) echo: Option<u32>,
}

/// What to do after an ACK in state Loss.
enum LossNext {
    /// Send more of what is lost.
    Retransmit,
    /// Send new data, to see whether the timeout was spurious.
    SendNew,
    /// Neither: what was taken for lost is not.
    Wait,
    /// The state was left.
    Left,
}

impl Endpoint {
    /// The state machine of recovery (`tcp_fastretrans_alert`).
    pub(crate) fn alert<P: Probe>(&mut self, now: Time, news: &AckNews, fx: &mut Effects, probe: &mut P) {
        if news.marked {
            self.undo.deserved();
        }
        if self.recovery.state == CaState::Open {
            self.undo.forget_first_repeat();
        } else if self.una >= self.recovery.high_seq && !self.leave(now, news, probe) {
            return;
        }
        match self.recovery.state {
            CaState::Recovery => self.recovery_progress(now, news, probe),
            CaState::Loss => match self.loss_progress(now, news, probe) {
                LossNext::Retransmit => {
                    if self.detects_by_time() {
                        self.mark_lost_by_time(now);
                    }
                    self.repeat_lost(now, fx, probe);
                }
                LossNext::SendNew => self.send_new_first(now, fx, probe),
                LossNext::Wait => {}
                LossNext::Left => self.suspect(now, news, probe),
            },
            _ => self.suspect(now, news, probe),
        }
        if self.recovery.state == CaState::Recovery {
            self.repeat_lost(now, fx, probe);
        }
    }

    /// Repeats what is lost; where a model of the path sets the window, that comes after it.
    fn repeat_lost<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if self.path.is_none() {
            self.retransmit(now, fx, probe);
        }
    }

    /// What was out when the state was entered is acknowledged. False if the state is nevertheless held.
    fn leave<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) -> bool {
        match self.recovery.state {
            // Something beyond what was out then must be acknowledged.
            CaState::Cwr if self.una > self.recovery.high_seq => {
                self.complete_reduction();
                self.recovery.state = CaState::Open;
            }
            CaState::Recovery => {
                if !self.agreed.sack {
                    self.board.reset_duplicates();
                }
                if self.undo.proven(news.echo) {
                    self.undo_reduction(now, probe);
                }
                if !self.agreed.sack && self.una == self.recovery.high_seq {
                    // RFC 6582: leaving at the edge itself would let old duplicates start another recovery.
                    let most = self.board.in_flight() + 3;
                    self.window.cwnd = self.window.cwnd.min(most);
                    return false;
                }
                self.complete_reduction();
                self.recovery.state = CaState::Open;
                self.observe_loss(now, LossEvent::RecoveryLeft, probe);
            }
            _ => {}
        }
        true
    }

    /// An ACK in state Recovery.
    fn recovery_progress<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) {
        let reno = !self.agreed.sack;
        if reno && news.duplicate {
            self.board.count_duplicate();
        }
        // The hole was filled by a late original; while retransmissions are under way nobody knows of the others
        // (`tcp_try_undo_partial`).
        let late = news.advanced && self.undo.original_arrived(news.echo);
        if late && self.board.retransmitted() > 0 {
            self.reduce(news, false);
            return;
        }
        if late || self.undo.all_needless() {
            self.board.mark_none_lost();
            self.undo_reduction(now, probe);
            self.recovery.state = CaState::Disorder;
            self.observe_loss(now, LossEvent::RecoveryLeft, probe);
            self.suspect(now, news, probe);
            return;
        }
        if reno && news.advanced {
            self.board.mark_head_lost();
        }
        self.mark_lost(now);
        self.reduce(news, false);
    }

    /// An ACK in state Loss (`tcp_process_loss`, `tcp_try_undo_loss`).
    fn loss_progress<P: Probe>(&mut self, now: Time, news: &AckNews, probe: &mut P) -> LossNext {
        let reno = !self.agreed.sack;
        let beyond = self.next > self.recovery.high_seq;
        let recovered = self.una >= self.recovery.high_seq;
        let spurious = self.recovery.frto && news.original;
        if spurious || (news.advanced && self.undo.proven(news.echo)) {
            self.board.mark_none_lost();
            self.undo_reduction(now, probe);
            self.timeouts = 0;
            if reno && !spurious {
                return LossNext::Wait;
            }
            return self.leave_loss(now, probe);
        }
        if self.recovery.frto {
            if beyond {
                // Nothing but new data got through: the loss was real.
                self.recovery.frto = !(news.sacked || news.duplicate);
            } else if news.advanced && !recovered {
                self.recovery.high_seq = self.next;
                return LossNext::SendNew;
            }
        }
        let held = reno && self.una == self.recovery.high_seq && self.board.packets_out() > 0;
        if recovered && !held {
            return self.leave_loss(now, probe);
        }
        if reno && beyond && news.duplicate {
            self.board.count_duplicate();
        } else if reno && news.advanced {
            self.board.reset_duplicates();
        }
        self.moderate();
        LossNext::Retransmit
    }

    fn leave_loss<P: Probe>(&mut self, now: Time, probe: &mut P) -> LossNext {
        self.recovery.state = CaState::Open;
        self.observe_loss(now, LossEvent::RecoveryLeft, probe);
        LossNext::Left
    }

    /// The second step of F-RTO: new data rather than retransmissions, if there is any to send.
    fn send_new_first<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.push(now, fx, probe);
        if self.next == self.recovery.high_seq {
            self.recovery.frto = false;
            self.retransmit(now, fx, probe);
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
        if self.recovery.state != CaState::Cwr && self.undo.all_needless() {
            self.undo_reduction(now, probe);
        }
        if self.detects_by_time() {
            self.mark_lost_by_time(now);
        }
        if self.board.lost() > 0 || self.evidence() {
            self.enter_recovery(now, probe);
            self.mark_lost(now);
            if self.board.lost() == 0 {
                self.board.mark_head_lost();
            }
            self.reduce(news, true);
            return;
        }
        if self.board.retransmitted() == 0 {
            self.undo.forget_first_repeat();
        }
        if news.marked {
            self.enter_cwr(now, LossEvent::Marked, probe);
        }
        if self.recovery.state == CaState::Cwr {
            self.reduce(news, false);
        } else {
            let clean = self.board.sacked() == 0 && self.board.retransmitted() == 0;
            let state = if clean { CaState::Open } else { CaState::Disorder };
            if state != self.recovery.state {
                self.recovery.state = state;
                self.recovery.high_seq = self.next;
            }
            self.moderate();
        }
    }

    /// `tcp_enter_recovery`: a reduction that is under way goes on.
    fn enter_recovery<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if self.recovery.state == CaState::Cwr {
            self.undo.rule_out();
        } else {
            self.begin_reduction();
        }
        self.undo.begin(self.una, self.board.retransmitted());
        self.recovery.state = CaState::Recovery;
        self.observe_loss(now, LossEvent::RecoveryEntered, probe);
    }

    /// Late segments are lost after all, and no ACK says so.
    pub(crate) fn recover_late<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if self.recovery.state != CaState::Recovery {
            self.enter_recovery(now, probe);
            let prior_unsacked = self.board.packets_out() - self.board.sacked() + 1;
            self.reduce(&AckNews { prior_unsacked, ..AckNews::default() }, true);
        }
    }

    /// Whether so much arrived above a hole that it must be a loss.
    fn evidence(&self) -> bool {
        let threshold = self.config.recovery.duplicate_threshold;
        match self.config.recovery.detection {
            Detection::ForwardAck if self.agreed.sack => self.board.forward() > threshold,
            Detection::Time if self.agreed.sack => false,
            _ => self.board.sacked() >= threshold,
        }
    }

    fn mark_lost(&mut self, now: Time) {
        let threshold = self.config.recovery.duplicate_threshold;
        if self.agreed.sack {
            match self.config.recovery.detection {
                Detection::Sacks => self.board.mark_lost_below_sacks(threshold),
                Detection::ForwardAck => self.board.mark_lost_below_forward(threshold),
                Detection::Time => return self.mark_lost_by_time(now),
            }
            if self.config.recovery.lost_retransmissions && self.recovery.state == CaState::Recovery {
                self.board.mark_lost_retransmissions();
            }
        } else if self.recovery.state == CaState::Recovery {
            self.board.mark_head_lost();
        }
    }

    /// The window is at the threshold, unless the reduction was undone (`tcp_complete_cwr`, `tcp_end_cwnd_reduction`).
    fn complete_reduction(&mut self) {
        if self.path.is_some() {
            return;
        }
        let w = &mut self.window;
        w.cwnd = match self.config.recovery.reduction {
            _ if self.recovery.state == CaState::Recovery && !self.undo.open() => w.cwnd,
            Reduction::Proportional => w.ssthresh,
            Reduction::RateHalving => w.cwnd.min(w.ssthresh),
        };
    }

    fn reduce(&mut self, news: &AckNews, first: bool) {
        if self.path.is_some() {
            return;
        }
        if self.config.recovery.reduction == Reduction::RateHalving {
            halve_rate(&mut self.window, self.board.in_flight());
            return;
        }
        let unsacked = self.board.packets_out() - self.board.sacked();
        let delivered = news.prior_unsacked.saturating_sub(unsacked);
        let in_flight = self.board.in_flight();
        let ssthresh = self.window.ssthresh;
        self.window.cwnd = self.recovery.reduced_window(ssthresh, in_flight, delivered, first);
    }
}
