//! Support for a congestion control that models the path: measures the delivery rate and paces (`tcp_rate.c`,
//! `tcp_pacing_check`, `tcp_pace_kick`, Linux 4.9 on).

use super::Endpoint;
use crate::bursts::Burst;
use crate::congestion::{LostSegment, Sample};
use crate::delivery::{Board, Delivery, Rate};
use crate::pacing::Pacer;
use crate::scoreboard::Acked;
use crate::{Effects, Timer};
use airloom_observe::{CaState, FlowId, Observation, Probe};
use airloom_sim::{Duration, Time};

/// The parts of an endpoint whose congestion control models the path.
#[derive(Default)]
pub(crate) struct Path {
    delivery: Delivery,
    pacer: Pacer,
    /// Segments that may still join the burst that leaves now.
    room: u32,
}

/// The state before an ACK.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before {
    /// Segments sent and not cumulatively acknowledged.
    pub(crate) out: u32,
    pub(crate) in_flight: u32,
    /// Segments outstanding and not SACKed.
    pub(crate) unsacked: u32,
    /// Segments ever known to have arrived, and ever marked as lost.
    pub(crate) delivered: u64,
    pub(crate) lost: u64,
    /// The first unacknowledged sequence number.
    pub(crate) una: u64,
    /// Where the highest SACKed segment ended.
    pub(crate) sacked_edge: u64,
}

impl Endpoint {
    /// The sample of an ACK before it is known what the ACK covers.
    fn sample(&self, now: Time, path: &Path) -> Sample {
        let in_flight = self.board.in_flight();
        Sample {
            now,
            rate: None,
            acked: 0,
            lost: 0,
            prior_in_flight: in_flight,
            in_flight,
            rtt: None,
            held_back: false,
            srtt: self.rtt.srtt(),
            state: self.recovery.state,
            delivered: path.delivery.delivered(),
            delivered_at: path.delivery.delivered_at(),
            all_lost: self.board.all_lost(),
            mss: self.agreed.mss,
            departure: path.pacer.departure(now),
            burst_shift: self.small_queue.burst_shift(),
            window_limited: self.control.validator.was_full(),
        }
    }

    /// How many segments leave together at most.
    pub(super) fn burst(&self) -> u32 {
        if !self.small_queue.bursts() {
            return 1;
        }
        Burst {
            mss: self.agreed.mss,
            pacing_rate: self.pacing_rate(),
            shift: self.small_queue.burst_shift(),
            least_rtt: self.rack.least_rtt(),
            cwnd: self.control.window.cwnd,
            least: self.control.congestion.least_burst(),
        }
        .segments()
    }

    /// What is sent from now on does not join the burst that has left.
    #[inline]
    pub(crate) fn end_burst(&mut self) {
        if let Some(path) = &mut self.path {
            path.room = 0;
        }
    }

    /// A new segment with `payload` bytes, up to what is next to be sent, is about to leave.
    #[inline]
    pub(crate) fn path_sends(&mut self, now: Time, length: u32, payload: u32) {
        if let Some(path) = self.path.take() {
            self.path = Some(self.sent_on(path, now, length, payload));
        }
    }

    fn sent_on(&mut self, mut path: Box<Path>, now: Time, length: u32, payload: u32) -> Box<Path> {
        let sample = self.sample(now, &path);
        self.control.congestion.sent(&mut self.control.window, &sample, path.delivery.is_limited());
        let board = Board { in_flight: sample.in_flight + 1, lost: sample.all_lost };
        path.delivery.sent(now, self.outbound.next + u64::from(length), self.board.packets_out() == 0, board);
        let rate = self.control.congestion.pacing_rate().unwrap_or(0);
        if path.room > 0 {
            path.room -= 1;
            path.pacer.joined(payload, rate);
        } else {
            path.room = self.burst() - 1;
            path.pacer.sent(now, payload, rate);
        }
        path
    }

    /// A segment up to `end` is about to be retransmitted.
    pub(crate) fn path_repeats(&mut self, now: Time, end: u64, payload: u32) {
        let board = Board { in_flight: self.board.in_flight(), lost: self.board.all_lost() };
        if let Some(path) = &mut self.path {
            path.delivery.resent(now, end, board);
            path.pacer.sent(now, payload, self.control.congestion.pacing_rate().unwrap_or(0));
        }
    }

    /// Segments from `seq` on did not leave the host.
    pub(crate) fn path_takes_back(&mut self, seq: u64) {
        if let Some(path) = &mut self.path {
            path.delivery.unsent(seq);
        }
    }

    pub(crate) fn observe_path<P: Probe>(&self, now: Time, flow: FlowId, probe: &mut P) {
        if P::TRACE
            && let (Some(path), Some(model)) = (&self.path, self.control.congestion.path())
        {
            let delivered = path.delivery.delivered();
            probe.see(now, Observation::Path { flow, delivered, model });
        }
    }

    /// True if pacing holds segments back for now; a timer continues then.
    pub(crate) fn paced(&mut self, now: Time, fx: &mut Effects) -> bool {
        let alone = self.path.as_ref().filter(|path| path.room == 0);
        let Some(departure) = alone.and_then(|path| path.pacer.holds_until(now)) else {
            return false;
        };
        self.timers.set(Timer::Pacing, departure, fx);
        true
    }

    /// The next segment may leave (`tcp_pace_kick`, `tcp_tsq_write`).
    pub(crate) fn pacing_elapsed<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if self.recovery.state >= CaState::Recovery {
            self.retransmit(now, fx, probe);
        }
        self.push(now, fx, probe);
    }

    /// The application is about to write; if it has left the network idle, samples are marked
    /// (`tcp_rate_check_app_limited`).
    pub(crate) fn path_is_idle(&mut self) {
        let Some(path) = &mut self.path else { return };
        let idle = self.outbound.unsent() < u64::from(self.agreed.mss)
            && self.small_queue.held() == 0
            && self.board.in_flight() < self.control.window.cwnd
            && self.board.lost() <= self.board.retransmitted();
        if idle {
            path.delivery.limit(self.board.in_flight());
        }
    }

    /// Tells the congestion control which segments were marked as lost since it was last told.
    #[inline]
    pub(crate) fn path_loses(&mut self, now: Time) {
        if let Some(path) = self.path.take() {
            self.path = Some(self.lost_on(path, now));
        }
    }

    fn lost_on(&mut self, mut path: Box<Path>, now: Time) -> Box<Path> {
        let (ends, all) = (self.board.take_newly_lost(), self.board.all_lost());
        let before = all - ends.len() as u64;
        for (lost_by_then, end) in (before + 1..).zip(ends) {
            if let Some((board, limited)) = path.delivery.board_of(end) {
                let lost = lost_by_then.saturating_sub(board.lost);
                let lost = LostSegment { now, in_flight: board.in_flight, lost, limited };
                self.control.congestion.lost(&mut self.control.window, &lost);
            }
        }
        path
    }

    /// A retransmission timeout has marked what it makes lost.
    pub(crate) fn path_times_out(&mut self, now: Time) {
        self.path_loses(now);
        if let Some(path) = self.path.take() {
            let sample = self.sample(now, &path);
            self.control.congestion.timed_out(&sample);
            self.path = Some(path);
        }
    }

    /// Lets the congestion control set the window after an ACK, whose last segment took `rtt` (`tcp_rate_gen`,
    /// `tcp_cong_control`).
    #[inline]
    pub(crate) fn path_acknowledged(
        &mut self,
        now: Time,
        before: &Before,
        covered: [&Acked; 2],
        rtt: Option<Duration>,
    ) {
        self.path_loses(now);
        if let Some(path) = self.path.take() {
            self.path = Some(self.acknowledged_on(path, now, before, covered, rtt));
        }
    }

    fn acknowledged_on(
        &mut self,
        mut path: Box<Path>,
        now: Time,
        before: &Before,
        covered: [&Acked; 2],
        rtt: Option<Duration>,
    ) -> Box<Path> {
        let [acked, _] = covered;
        let once = |a: &Acked| a.last.map(|at| (at, a.last_end));
        let newest = covered.iter().flat_map(|a| [once(a), a.last_repeat]).flatten().max();
        let delivered = self.delivered_since(before);
        let least_rtt = self.rack.least_rtt().unwrap_or(Duration::ZERO);
        let rate = path.delivery.acknowledged(now, self.outbound.una, delivered, newest, least_rtt);
        let lone = is_lone(acked, rate.as_ref());
        let sample = Sample {
            rate,
            acked: delivered,
            lost: (self.board.all_lost() - before.lost) as u32,
            prior_in_flight: before.in_flight,
            rtt,
            held_back: lone && self.outbound.una - before.una < u64::from(self.agreed.mss),
            ..self.sample(now, &path)
        };
        self.control.congestion.sampled(&mut self.control.window, &sample);
        if self.control.congestion.drains() {
            path.delivery.limit(sample.in_flight);
        }
        path
    }
}

/// Whether an ACK covers one segment that had the network to itself: if that is short, the receiver may have held the ACK
/// back (`FLAG_ACK_MAYBE_DELAYED`).
fn is_lone(acked: &Acked, rate: Option<&Rate>) -> bool {
    acked.segments == 1 && rate.is_some_and(|rate| rate.delivered == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// While others are delivered after it was sent, its ACK is timely, and so is one that reports a hole.
    #[test]
    fn a_segment_among_others_is_not_lone() {
        let one = Acked { segments: 1, ..Acked::default() };
        let rate = |delivered| {
            let interval = Duration::from_millis(1);
            Rate { delivered, interval, prior_delivered: 7, ..Rate::default() }
        };
        assert!(is_lone(&one, Some(&rate(1))));
        assert!(!is_lone(&one, Some(&rate(4))));
        assert!(!is_lone(&Acked::default(), Some(&rate(1))), "SACKed");
        assert!(!is_lone(&one, None));
    }
}
