//! How acknowledgments let the sender send (its "self-clocking", Jacobson 1988).

use super::{Bursts, Context, RELEASED, is_quiet};
use crate::tcp::limits::Limits;
use crate::tcp::pace::Pace;

/// Away from the sender it takes [`RELEASED`] and the round trip to the sender until it sends, but no longer than this: the radio and other
/// packets come in between.
const LET_GO: u64 = 1_000_000;

/// What let new data go: acknowledgments, or a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocking {
    /// Packets with new data that the sender sent within 0.2 ms of an acknowledgment of data.
    pub released: u64,
    /// How often the sender sent new data after a silence of half of the shortest round trip between the ends or longer.
    pub resumed: u64,
    /// How often an acknowledgment had reached it just before, by the shortest way to it and back: 0.2 ms at its own interface, up to 1 ms
    /// away from it.
    pub resumed_at_once: u64,
    /// How evenly packets with data pass, new or not.
    pub pace: Pace,
    /// How evenly those of all connections pass that its sender sends, and that its receiver gets; of a direction with few packets nothing is kept.
    pub together: Option<Box<[Pace; 2]>>,
    /// What goes at times of the sender's own.
    pub bursts: Bursts,
}

impl Clocking {
    /// The sender sent new data; when it had last sent any, zero if it had not, and when data was last acknowledged.
    pub(super) fn sent(
        &mut self,
        context: &Context,
        sent_ns: u64,
        acknowledged_ns: Option<u64>,
        limits: &Limits,
    ) {
        let after =
            |acked: u64| context.now_ns.saturating_sub(acked) <= context.recent_to_sender_ns + RELEASED;
        self.released += u64::from(acknowledged_ns.is_some_and(after));
        if sent_ns == 0 || is_quiet(context, context.now_ns.saturating_sub(sent_ns)) != Some(true) {
            return;
        }
        let Some(there) = context.to_sender_ns else { return };
        let latest_ns = context.now_ns.saturating_sub(there);
        let earliest_ns = latest_ns.saturating_sub((RELEASED + there).min(LET_GO));
        self.resumed += 1;
        self.resumed_at_once += u64::from(limits.told_between(earliest_ns, latest_ns));
    }
}
