//! What may wait in a sender's own host, above the place of its capture, where nothing shows it.

use super::window::is_clocked;
use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::no_queue::sender_side;
use airloom_trace::tcp::{Limit, Vantage};

/// A limit holds a sender back if it does so for this share of its time: then hardly anything waits in its own host.
const HOLDS: f64 = 0.5;
/// As often in a second an acknowledgment that ends a silence finds nothing waiting.
const A_SECOND: f64 = 1.0;

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
