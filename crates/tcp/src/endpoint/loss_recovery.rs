//! Loss recovery: changes of the congestion state by ACKs that are not plain progress (`tcp_fastretrans_alert`,
//! Linux 3.13; RFC 6675 with SACK, RFC 6582 without).

use super::Endpoint;
use crate::recovery::halve_rate;
use crate::{Detection, Effects, Reduction};
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::Time;

/// The properties of an ACK that loss recovery uses.
#[derive(Clone, Copy, Default)]
pub(crate) struct AckSummary {
    /// Segments outstanding and not SACKed before it (`prior_unsacked`).
    pub(crate) prior_unsacked: u32,
    /// The first unacknowledged sequence number before it.
    pub(crate) prior_una: u64,
    /// Segments ever marked as lost before it.
    pub(crate) prior_lost: u64,
    pub(crate) advanced: bool,
    pub(crate) duplicate: bool,
    /// It SACKed something new.
    pub(crate) sacked: bool,
    /// It acknowledged a never-retransmitted segment sent before the present state began.
    pub(crate) original: bool,
    /// It echoes a mark (RFC 3168).
    pub(crate) marked: bool,
    /// The timestamp it echoes.
    pub(crate) echo: Option<u32>,
}

/// What may leave after an ACK, once the window is set (`REXMIT_NONE`, `REXMIT_LOST`, `REXMIT_NEW`).
pub(crate) enum Follows {
    /// Only what the window lets go by itself.
    Nothing,
    /// What is lost, again.
    Lost,
    /// New data, to see whether the timeout was spurious.
    New,
}

/// What to do after an ACK in state Loss.
enum LossNext {
    /// Send more of what is lost.
    Retransmit,
    /// Send new data, to see whether the timeout was spurious.
    SendNew,
    /// Neither: the segments marked as lost are not lost.
    Wait,
    /// The state was left.
    Left,
}

impl Endpoint {
    /// The state machine of recovery (`tcp_fastretrans_alert`).
    pub(crate) fn update_recovery<P: Probe>(
        &mut self,
        now: Time,
        ack: &AckSummary,
        probe: &mut P,
    ) -> Follows {
        if ack.marked {
            self.undo.deserved();
        }
        if self.recovery.state == CaState::Open {
            self.undo.forget_first_repeat();
        } else if self.una >= self.recovery.high_seq && !self.leave(now, ack, probe) {
            return Follows::Nothing;
        }
        match self.recovery.state {
            CaState::Recovery => self.recovery_progress(now, ack, probe),
            CaState::Loss => match self.loss_progress(now, ack, probe) {
                LossNext::Retransmit => {
                    self.look_for_lost_retransmissions(now, ack, probe);
                    return Follows::Lost;
                }
                LossNext::SendNew => {
                    self.look_for_lost_retransmissions(now, ack, probe);
                    return if self.recovery.state == CaState::Loss { Follows::New } else { Follows::Lost };
                }
                LossNext::Wait => {}
                LossNext::Left => self.suspect(now, ack, probe),
            },
            _ => self.suspect(now, ack, probe),
        }
        if self.recovery.state == CaState::Recovery { Follows::Lost } else { Follows::Nothing }
    }

    /// Marks losses by time in state Loss. A retransmission that is lost again begins a recovery, which reduces the window once
    /// more (`FLAG_LOST_RETRANS`).
    fn look_for_lost_retransmissions<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) {
        if !self.detects_by_time() {
            return;
        }
        let before = self.board.retransmitted();
        self.mark_lost_by_time(now);
        if self.board.retransmitted() < before {
            self.enter_recovery(now, probe);
            self.reduce(ack, true);
        }
    }

    /// Sends what follows an ACK besides what the window lets go by itself (`tcp_xmit_recovery`).
    pub(crate) fn follow<P: Probe>(&mut self, now: Time, what: &Follows, fx: &mut Effects, probe: &mut P) {
        match what {
            Follows::Nothing => {}
            Follows::Lost => self.retransmit(now, fx, probe),
            Follows::New => self.send_new_first(now, fx, probe),
        }
    }

    /// All segments outstanding when the state was entered are acknowledged. False if the state is nevertheless kept.
    fn leave<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) -> bool {
        match self.recovery.state {
            // A segment beyond those outstanding then must be acknowledged.
            CaState::Cwr if self.una > self.recovery.high_seq => {
                self.complete_reduction();
                self.recovery.state = CaState::Open;
            }
            CaState::Recovery => {
                if !self.agreed.sack {
                    self.board.reset_duplicates();
                }
                if self.undo.proven(ack.echo) {
                    self.undo_reduction(now, probe);
                } else {
                    self.rack.recovered(false);
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
    fn recovery_progress<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) {
        let reno = !self.agreed.sack;
        if reno && ack.duplicate {
            self.board.count_duplicate();
        }
        // The hole was filled by a late original; while retransmissions are in flight the other holes are unknown
        // (`tcp_try_undo_partial`).
        let late = ack.advanced && self.undo.original_arrived(ack.echo);
        if late {
            let (una, edge) = (ack.prior_una, self.board.sacked_edge(self.una));
            self.reordering.arrived_late(una, edge, self.agreed.mss);
        }
        if late && self.board.retransmitted() > 0 {
            self.reduce(ack, false);
            return;
        }
        if late || self.undo.all_needless() {
            if !late {
                self.rack.recovered(true);
            }
            self.board.mark_none_lost();
            self.undo_reduction(now, probe);
            self.recovery.state = CaState::Disorder;
            self.observe_loss(now, LossEvent::RecoveryLeft, probe);
            self.suspect(now, ack, probe);
            return;
        }
        if reno && ack.advanced {
            self.board.mark_head_lost();
        }
        self.mark_lost(now);
        self.reduce(ack, false);
    }

    /// An ACK in state Loss (`tcp_process_loss`, `tcp_try_undo_loss`).
    fn loss_progress<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) -> LossNext {
        let reno = !self.agreed.sack;
        let beyond = self.next > self.recovery.high_seq;
        let recovered = self.una >= self.recovery.high_seq;
        let spurious = self.recovery.frto && ack.original;
        if spurious || (ack.advanced && self.undo.proven(ack.echo)) {
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
                self.recovery.frto = !(ack.sacked || ack.duplicate);
            } else if ack.advanced && !recovered {
                self.recovery.high_seq = self.next;
                return LossNext::SendNew;
            }
        }
        let held = reno && self.una == self.recovery.high_seq && self.board.packets_out() > 0;
        if recovered && !held {
            self.rack.recovered(false);
            return self.leave_loss(now, probe);
        }
        if reno && beyond && ack.duplicate {
            self.board.count_duplicate();
        } else if reno && ack.advanced {
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
    fn suspect<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) {
        if !self.agreed.sack {
            if ack.advanced {
                self.board.reset_duplicates();
            }
            if ack.duplicate {
                self.board.count_duplicate();
            }
        }
        if self.recovery.state != CaState::Cwr && self.undo.all_needless() {
            self.rack.recovered(true);
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
            self.reduce(ack, true);
            return;
        }
        if self.board.retransmitted() == 0 {
            self.undo.forget_first_repeat();
        }
        if ack.marked {
            self.enter_cwr(now, LossEvent::Marked, probe);
        }
        if self.recovery.state == CaState::Cwr {
            self.reduce(ack, false);
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

    /// Late segments are lost, which no ACK reports.
    pub(crate) fn recover_late<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if self.recovery.state != CaState::Recovery {
            self.enter_recovery(now, probe);
            let prior_unsacked = self.board.packets_out() - self.board.sacked() + 1;
            let prior_lost = self.board.all_lost();
            self.reduce(&AckSummary { prior_unsacked, prior_lost, ..AckSummary::default() }, true);
        }
    }

    /// Whether enough segments arrived above a hole to make it a loss.
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
            Reduction::Proportional | Reduction::Safe => w.ssthresh,
            Reduction::RateHalving => w.cwnd.min(w.ssthresh),
        };
    }

    fn reduce(&mut self, ack: &AckSummary, first: bool) {
        if self.path.is_some() {
            return;
        }
        if self.config.recovery.reduction == Reduction::RateHalving {
            halve_rate(&mut self.window, self.board.in_flight());
            return;
        }
        let in_flight = self.board.in_flight();
        let ssthresh = self.window.ssthresh;
        let delivered = self.delivered_since(ack.prior_unsacked);
        if self.config.recovery.reduction == Reduction::Safe {
            let good = ack.advanced && self.board.all_lost() == ack.prior_lost;
            let reduced = self.recovery.safely_reduced_window(ssthresh, in_flight, delivered, good);
            self.window.cwnd = reduced.unwrap_or(self.window.cwnd);
        } else {
            self.window.cwnd = self.recovery.reduced_window(ssthresh, in_flight, delivered, first);
        }
    }
}
