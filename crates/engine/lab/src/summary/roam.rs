//! Roams in the summary.

use schemars::JsonSchema;
use serde::Serialize;

/// A station's way from one access point to another. Times are null that did not come before the run ended, or before it set out anew.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Roam {
    /// The station.
    pub station: String,
    /// The access point that it was at; the same as `to` if it came back to one that it had lost.
    pub from: String,
    /// The access point that it went to; null if it lost its own and found none.
    pub to: Option<String>,
    /// Why it set out: "decided" by its connection manager, "asked" by its access point to go to a better one, "lost" after it had missed its
    /// access point's beacons, "dismissed" by that, which did not know it any more, or "sent away" by it, since it had not gone as asked.
    pub why: &'static str,
    /// When the access point that it was at had given up on it, since nothing was acknowledged; null if it had not.
    pub given_up_s: Option<f64>,
    /// When its connection manager decided.
    pub decided_s: Option<f64>,
    /// For how long it would have gone to another access point before that, had it known of all as they were, by its own rule: what its
    /// waiting, its scan and the mean of its signal cost. It is looked up with each beacon of its own; null if it did not decide by itself.
    pub decided_late_ms: Option<f64>,
    /// When its radio left the channel of the one for that of the other.
    pub left_s: Option<f64>,
    /// When it was at the other, and might send and receive data.
    pub associated_s: Option<f64>,
    /// When the first data had been received, from it or by it.
    pub first_data_s: Option<f64>,
    /// From the last data received with the one to the first with the other; to the end of the run if the station was not there before.
    pub gap_ms: Option<f64>,
    /// The longest time without new data for the application at either end of one of its TCP flows that had not been idle, from the time
    /// that it left to a second after the first data; with the time for which a flow that always has more to send waits as the run ends; null
    /// if there is none.
    pub tcp_stall_ms: Option<f64>,
    /// MPDUs and packets that were lost since it had left: those that the access point sent before it learnt of that, what it held then,
    /// and what the station itself held.
    pub lost_in_buffer: u64,
}
