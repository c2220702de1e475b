//! Data that a sender's own timer sent.

use crate::across::is_on_the_clock;
use crate::evidence::Evidence;
use crate::flow::{Flow, flows_everywhere, views};
use airloom_trace::MacAddr;
use airloom_trace::tcp::Trigger;
use std::net::SocketAddr;

/// A segment passes captures within this time, in seconds: it is sent, waits, and goes on the air.
const TOGETHER: f64 = 0.05;

/// When senders that a station is an end of sent something again since their retransmission timer had run out (RFC 6298 section 5), in seconds since the first record
/// of all captures: what went then had waited.
pub(crate) fn timeouts(evidence: &Evidence, station: MacAddr) -> Vec<f64> {
    let is_of_it = |flow: &Flow<'_>| {
        let known = |end: &SocketAddr| evidence.station_of(flow.capture, end.ip()) == Some(station);
        evidence.joins[flow.capture].station == Some(station) || flow.connection.ends.iter().any(known)
    };
    let of_view = |view: Flow<'_>| -> Vec<f64> {
        let list = view.data().retransmissions.list().iter().filter(|one| one.trigger == Trigger::Timeout);
        list.map(|one| evidence.seconds_in(view.capture, one.at_ns)).collect()
    };
    let flows = flows_everywhere(evidence).into_iter().filter(is_of_it);
    let views = flows.flat_map(|flow| views(evidence, &flow));
    views.filter(|view| is_on_the_clock(evidence, view.capture)).flat_map(of_view).collect()
}

/// Whether what went at a time, in seconds, is what a timer sent at one of these.
pub(crate) fn is_one_of(timeouts: &[f64], at: f64) -> bool {
    timeouts.iter().any(|timeout| (timeout - at).abs() < TOGETHER)
}
