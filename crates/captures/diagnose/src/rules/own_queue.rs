//! What may wait in a sender's own host, above the place of its capture, where nothing shows it.

use super::window::is_clocked;
use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::no_queue::sender_side;
use airloom_trace::tcp::{Limit, Vantage};

/// What waits for less is no queue that stands, in ms: of a second the shortest less the shortest of all.
pub(super) const LONG_MS: f64 = 40.0;
/// Fewer segments are no queue: with as few on its way no discipline would make a flow's round trips shorter, and they may wait together at the head of one,
/// for their turn and their retries.
pub(super) const QUEUE: f64 = 5.0;
/// A limit holds a sender back if it does so for this share of its time: then hardly anything waits in its own host.
const HOLDS: f64 = 0.5;
/// As often in a second an acknowledgment that ends a silence finds nothing waiting.
const A_SECOND: f64 = 1.0;

/// Fewer packets that waited than this say nothing.
const MIN_WAITS: u64 = 10;

/// That packets wait for long in a flow's own host, by the clock values of so few that a share of its seconds does not show.
pub(super) fn long_waits(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let at_sender = flow.connection.vantage(flow.from) == Vantage::Sender;
    let few = flow.data().trips.waited.as_deref().filter(|_| at_sender && sender_side(flow).is_none())?;
    let wait_ms = few.quantile_ms(0.5).filter(|&wait_ms| wait_ms >= LONG_MS && few.count() >= MIN_WAITS)?;
    let mbps = flow.mbps(evidence);
    let segment = flow.data().longest.min(flow.data().segment()).max(1);
    let segments = wait_ms * mbps * 125.0 / f64::from(segment);
    (segments >= QUEUE).then(|| {
        format!(
            "{}: half of the {} packets whose clock values show it (RFC 7323) had waited for more than {wait_ms:.0} ms in their sender's own host as they passed its capture, while {mbps:.2} Mbit/s \
             went. What is below may take them no faster (its adapter, the bus to that, the air), and the queue above be long: a monitor's capture beside would tell",
            flow.named(),
            few.count()
        )
    })
}

/// Why a queue in a flow's own host does not show, and what would tell; none where it would show, or where acknowledgments show that it is empty.
pub(super) fn hidden(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let shows = views(evidence, flow).iter().any(|view| sender_side(view).is_some());
    (is_without_clock(flow) && !shows && !is_empty(evidence, flow)).then(|| {
        format!(
            "{}: whether packets wait in its sender's own host does not show: round trips begin at the capture, which is made below that host's queue, and its TCP sends no clock values \
             (RFC 7323). `tc -s qdisc` at the sender would tell, or a capture with time stamps on (`sysctl net.ipv4.tcp_timestamps=1`; on Windows `netsh interface tcp set global \
             timestamps=enabled`)",
            flow.named()
        )
    })
}

/// Whether a flow was captured at its sender, whose segments have no clock values that the receiver would echo.
fn is_without_clock(flow: &Flow<'_>) -> bool {
    flow.connection.vantage(flow.from) == Vantage::Sender && flow.data().trips.echoed.count() == 0
}

/// Whether hardly anything can wait in a sender's own host: the receiver's window is full with what passed the capture, the program pauses, or what acknowledgments let go passes at once.
fn is_empty(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    let data = flow.data();
    let [from, to] = flow.span(evidence);
    let held = [Limit::Receiver, Limit::Application].iter().any(|&limit| data.limits.share(limit) >= HOLDS);
    held || is_clocked(flow) || data.clocking.resumed_at_once as f64 >= A_SECOND * (to - from)
}
