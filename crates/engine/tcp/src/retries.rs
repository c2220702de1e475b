//! How often something was tried without success: timeouts without progress, probes of a closed window without an answer.

use crate::rtt::RTO_MAX;
use airloom_sim::Duration;

/// The tries since the last progress.
#[derive(Default)]
pub(crate) struct Retries {
    /// Timeouts since the last progress (`icsk_retransmits`).
    pub(crate) timeouts: u32,
    /// Probes sent without an answer (`icsk_backoff` while probing).
    pub(crate) probes: u32,
    /// The timeout before the one that just retransmitted the head; none once anything else has happened.
    before: Option<Duration>,
}

impl Retries {
    /// A timer fires or a segment arrives.
    pub(crate) fn begin(&mut self) {
        self.before = None;
    }

    /// A timer is about to send something, at the timeout `rto`.
    pub(crate) fn by_timer(&mut self, rto: Duration) {
        self.before = Some(rto);
    }

    /// The local queue refused what a timer sent last: the timeout before that, if that is so.
    pub(crate) fn refused(&mut self) -> Option<Duration> {
        self.before.take()
    }

    /// One more probe of a closed window is sent: how long to wait for its answer (`tcp_probe0_when`).
    pub(crate) fn probe(&mut self, rto: Duration) -> Duration {
        self.probes = (self.probes + 1).min(32);
        (rto * (1 << self.probes)).min(RTO_MAX)
    }
}
