//! What a capture shows of the segments that a flow lost: how many there were, and on which side of it they were lost.

use crate::beside_air::NEARLY;
use crate::flow::Flow;
use airloom_trace::tcp::{Direction, Retransmission, Trigger, Vantage};

/// Segments that were lost, and their share in percent.
pub(crate) fn share(data: &Direction) -> (u64, f64) {
    let lost = Trigger::ALL.into_iter().map(|trigger| lost_by(data, trigger)).sum();
    (lost, 100.0 * lost as f64 / sent(data).max(1) as f64)
}

/// Segments that were sent again for this reason, and of which the packets do not prove that the first had arrived, or that a receiver without room threw it away. Probes
/// are sent on suspicion, and what was too big for its way is no loss.
pub(crate) fn lost_by(data: &Direction, trigger: Trigger) -> u64 {
    let again = &data.retransmissions;
    let thrown = if data.overrun.is_clear() { again.thrown_away_by(trigger) } else { 0 };
    if !is_loss(trigger) { 0 } else { again.by_trigger(trigger) - again.needless_by(trigger) - thrown }
}

/// Segments with data, those that were sent again among them, as they went over the wire: an adapter cuts what its host's capture has in one. Where a
/// SYN was sent again, all SYNs.
pub(crate) fn sent(data: &Direction) -> u64 {
    let again = &data.retransmissions;
    let syns = again.by_trigger(Trigger::Handshake);
    (data.segments() + syns + u64::from(syns > 0)).max(again.segments())
}

/// On which side of a capture segments were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// On their way to it, which has them only as they were sent again.
    Before,
    /// Behind it, which has them before.
    Behind,
}

/// On which side of its capture nearly all of a flow's lost segments were lost.
pub(crate) fn side_of(view: &Flow<'_>) -> Option<Lost> {
    let unseen = unseen(view.data()).filter(|_| !view.has_gaps())?;
    let vantage = view.connection.vantage(view.from);
    let is_before = unseen >= NEARLY && vantage != Vantage::Sender;
    let is_behind = unseen <= 1.0 - NEARLY && vantage == Vantage::Middle;
    is_before.then_some(Lost::Before).or_else(|| is_behind.then_some(Lost::Behind))
}

/// The share of the lost segments with data of which a capture has nothing but the repetition; none without any.
pub(crate) fn unseen(data: &Direction) -> Option<f64> {
    let needed = data
        .retransmissions
        .list()
        .iter()
        .filter(|one| is_lost(data, one) && one.trigger != Trigger::Handshake);
    let (unseen, all) = needed.fold((0, 0), |(unseen, all), one| {
        (unseen + if one.hole_ns.is_some() { one.segments } else { 0 }, all + one.segments)
    });
    (all > 0).then(|| f64::from(unseen) / f64::from(all))
}

/// Whether a segment was sent again for a loss, as far as the packets tell.
pub(crate) fn is_lost(data: &Direction, one: &Retransmission) -> bool {
    let thrown_away = one.thrown_away && data.overrun.is_clear();
    one.needless.is_none() && is_loss(one.trigger) && !thrown_away
}

/// Whether what made a sender send something again is that it was lost.
pub(crate) const fn is_loss(trigger: Trigger) -> bool {
    !matches!(trigger, Trigger::Probe | Trigger::TooBig)
}
