//! Loss recovery: changes of the congestion state by ACKs that are not plain progress (`tcp_fastretrans_alert`,
//! Linux 3.13; RFC 6675 with SACK, RFC 6582 without).

use super::Endpoint;
use super::path::Before;
use crate::recovery::halve_rate;
use crate::{Detection, Effects, Reduction};
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::Time;

/// The properties of an ACK that loss recovery uses.
#[derive(Clone, Copy, Default)]
pub(crate) struct AckSummary {
    /// The state before it.
    pub(crate) before: Before,
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
    /// Neither: what was marked as lost is not, or everything has arrived.
    Nothing,
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
            self.recovery.undo.deserved();
        }
        if self.recovery.state == CaState::Open {
            self.recovery.undo.forget_first_repeat();
        } else if self.outbound.una >= self.recovery.high_seq && !self.leave(now, ack, probe) {
            return Follows::Nothing;
        }
        match self.recovery.state {
            CaState::Recovery => return self.recovery_progress(now, ack, probe),
            CaState::Loss => {
                let next = self.loss_progress(now, ack, probe);
                if self.recovery.state == CaState::Loss {
                    self.look_for_lost_retransmissions(now, ack, probe);
                    return match next {
                        LossNext::SendNew if self.recovery.state == CaState::Loss => Follows::New,
                        LossNext::Nothing if self.recovery.state == CaState::Loss => Follows::Nothing,
                        _ => Follows::Lost,
                    };
                }
                self.suspect(now, ack, probe);
            }
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
            CaState::Cwr if self.outbound.una > self.recovery.high_seq => {
                self.complete_reduction();
                self.recovery.state = CaState::Open;
            }
            CaState::Recovery => {
                if !self.agreed.sack {
                    self.board.reset_duplicates();
                }
                if self.recovery.undo.proven(ack.echo) {
                    self.undo_reduction(now, probe);
                } else {
                    self.rack.recovered(false);
                }
                if self.holds_state() {
                    if self.recovery.rules.reduction != Reduction::Safe {
                        // `tcp_moderate_cwnd`, before Linux 4.7.
                        self.control.window.cwnd = self.control.window.cwnd.min(self.board.in_flight() + 3);
                    }
                    return false;
                }
                self.complete_reduction();
                self.recovery.state = CaState::Open;
                self.observer.loss(now, LossEvent::RecoveryLeft, probe);
            }
            _ => {}
        }
        true
    }

    /// Without SACK the state is kept until something above the edge is acknowledged; leaving at the edge itself would let old
    /// duplicates start another recovery (RFC 6582; `tcp_is_non_sack_preventing_reopen`).
    fn holds_state(&self) -> bool {
        !self.agreed.sack && self.outbound.una == self.recovery.high_seq
    }

    /// Without SACK, counts a duplicate ACK (`tcp_add_reno_sack`).
    fn count_duplicate(&mut self) {
        if !self.board.count_duplicate() {
            self.reordering.too_many_duplicates(self.board.packets_out());
        }
    }

    /// An ACK in state Recovery.
    fn recovery_progress<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) -> Follows {
        let reno = !self.agreed.sack;
        if reno && ack.duplicate {
            self.count_duplicate();
        }
        // The hole was filled by a late original; while retransmissions are in flight the other holes are unknown
        // (`tcp_try_undo_partial`).
        let late = ack.advanced && self.recovery.undo.original_arrived(ack.echo);
        if late {
            let (una, edge) = (ack.before.una, self.board.sacked_edge(self.outbound.una));
            self.reordering.arrived_late(una, edge, self.agreed.mss);
        }
        if late && self.board.retransmitted() > 0 {
            self.reduce(ack, false);
            return Follows::Nothing;
        }
        if late || self.recovery.undo.all_needless() {
            if late {
                self.board.mark_none_lost();
            } else {
                self.rack.recovered(true);
            }
            self.undo_reduction(now, probe);
            self.observer.loss(now, LossEvent::RecoveryLeft, probe);
            self.try_to_open(now, ack, probe);
            self.mark_lost(now);
            if self.board.lost() == 0 {
                return Follows::Nothing;
            }
            // Although it was needless once, something is lost.
            self.enter_recovery(now, probe);
        }
        if reno && ack.advanced {
            self.board.mark_head_lost();
        }
        self.mark_lost(now);
        self.reduce(ack, false);
        Follows::Lost
    }

    /// An ACK in state Loss (`tcp_process_loss`, `tcp_try_undo_loss`).
    fn loss_progress<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) -> LossNext {
        let reno = !self.agreed.sack;
        let beyond = self.outbound.next > self.recovery.high_seq;
        let recovered = self.outbound.una >= self.recovery.high_seq;
        let spurious = self.recovery.frto && ack.original;
        if spurious || (ack.advanced && self.recovery.undo.proven(ack.echo)) {
            self.board.mark_none_lost();
            self.undo_reduction(now, probe);
            self.retries.timeouts = 0;
            if spurious || !reno {
                self.leave_loss(now, probe);
            }
            return LossNext::Nothing;
        }
        if self.recovery.frto {
            if beyond {
                // Nothing but new data got through: the loss was real.
                self.recovery.frto = !(ack.sacked || ack.duplicate);
            } else if ack.advanced && !recovered {
                self.recovery.high_seq = self.outbound.next;
                return LossNext::SendNew;
            }
        }
        if recovered {
            self.rack.recovered(false);
            self.leave_loss(now, probe);
            return LossNext::Nothing;
        }
        if reno && beyond && ack.duplicate {
            self.count_duplicate();
        } else if reno && ack.advanced {
            self.board.reset_duplicates();
        }
        self.moderate();
        LossNext::Retransmit
    }

    fn leave_loss<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if !self.holds_state() {
            self.recovery.state = CaState::Open;
            self.observer.loss(now, LossEvent::RecoveryLeft, probe);
        }
    }

    /// The second step of F-RTO: new data rather than retransmissions, if there is any to send.
    fn send_new_first<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.push(now, fx, probe);
        if self.outbound.next == self.recovery.high_seq {
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
                self.count_duplicate();
            }
        }
        if self.recovery.state != CaState::Cwr && self.recovery.undo.all_needless() {
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
        self.try_to_open(now, ack, probe);
        if self.recovery.state == CaState::Cwr {
            self.reduce(ack, false);
        } else {
            self.moderate();
        }
    }

    /// Nothing is known to be lost (`tcp_try_to_open`, `tcp_try_keep_open`).
    fn try_to_open<P: Probe>(&mut self, now: Time, ack: &AckSummary, probe: &mut P) {
        let repeats = self.board.repeats();
        if !repeats {
            self.recovery.undo.forget_first_repeat();
        }
        if ack.marked && self.may_enter_cwr() {
            self.observer.loss(now, LossEvent::Marked, probe);
            self.enter_cwr(now, probe);
        }
        if self.recovery.state != CaState::Cwr {
            let clean = self.board.sacked() + self.board.lost() == 0 && !repeats;
            let state = if clean { CaState::Open } else { CaState::Disorder };
            if state != self.recovery.state {
                self.recovery.state = state;
                self.recovery.high_seq = self.outbound.next;
            }
        }
    }

    /// `tcp_enter_recovery`: a reduction that is under way goes on.
    fn enter_recovery<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if !self.board.repeats() {
            self.recovery.undo.forget_first_repeat();
        }
        let probes = u32::from(self.recovery.probe.is_some_and(|probe| probe.repeated));
        if self.recovery.state == CaState::Cwr {
            self.recovery.undo.rule_out();
        } else {
            self.begin_reduction();
        }
        self.recovery.undo.begin(self.outbound.una, self.board.retransmitted() + probes);
        self.recovery.state = CaState::Recovery;
        self.observer.loss(now, LossEvent::RecoveryEntered, probe);
    }

    /// Late segments are lost, which no ACK reports.
    pub(crate) fn recover_late<P: Probe>(&mut self, now: Time, probe: &mut P) {
        if self.recovery.state != CaState::Recovery {
            self.enter_recovery(now, probe);
            self.reduce_by(1, false, true);
        }
    }

    /// Whether enough segments arrived above a hole to make it a loss.
    fn evidence(&self) -> bool {
        let threshold = self.recovery.rules.duplicate_threshold;
        match self.recovery.rules.detection {
            Detection::ForwardAck if self.agreed.sack => self.board.forward() > threshold,
            Detection::Time if self.agreed.sack => false,
            _ => self.board.sacked() >= self.reordering.degree(),
        }
    }

    fn mark_lost(&mut self, now: Time) {
        let threshold = self.recovery.rules.duplicate_threshold;
        if self.agreed.sack {
            match self.recovery.rules.detection {
                Detection::Sacks => self.board.mark_lost_below_sacks(self.reordering.degree()),
                Detection::ForwardAck => self.board.mark_lost_below_forward(threshold),
                Detection::Time => return self.mark_lost_by_time(now),
            }
            if self.recovery.rules.lost_retransmissions && self.recovery.state == CaState::Recovery {
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
        let w = &mut self.control.window;
        w.cwnd = match self.recovery.rules.reduction {
            _ if self.recovery.state == CaState::Recovery && !self.recovery.undo.open() => w.cwnd,
            Reduction::Proportional | Reduction::Safe => w.ssthresh,
            Reduction::RateHalving => w.cwnd.min(w.ssthresh),
        };
    }

    /// Reduces the window upon an ACK, if that is not done once everything is known of it; `first` is the one that begins a fast
    /// retransmit (`tcp_cwnd_reduction`).
    fn reduce(&mut self, ack: &AckSummary, first: bool) {
        if !self.control.by_delivered {
            let good = ack.advanced && self.board.all_lost() == ack.before.lost;
            self.reduce_by(self.delivered_since(&ack.before), good, first);
        }
    }

    /// Reduces the window upon an ACK of `delivered` segments; a `good` one advances and reports no loss.
    pub(crate) fn reduce_by(&mut self, delivered: u32, good: bool, first: bool) {
        if self.path.is_some() {
            return;
        }
        if self.recovery.rules.reduction == Reduction::RateHalving {
            halve_rate(&mut self.control.window, self.board.in_flight());
            return;
        }
        let in_flight = self.board.in_flight();
        let ssthresh = self.control.window.ssthresh;
        if self.recovery.rules.reduction == Reduction::Safe {
            let reduced = self.recovery.safely_reduced_window(ssthresh, in_flight, delivered, good);
            self.control.window.cwnd = reduced.unwrap_or(self.control.window.cwnd);
        } else {
            self.control.window.cwnd = self.recovery.reduced_window(ssthresh, in_flight, delivered, first);
        }
    }
}
