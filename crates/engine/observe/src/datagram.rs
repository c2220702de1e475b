//! Flows without retransmissions: UDP and pings.

use airloom_sim::Duration;

/// An event of a datagram or a ping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatagramEvent {
    /// The application sent it; the local queue may still refuse it.
    Sent,
    /// It reached the receiving application.
    Arrived {
        /// Its payload in bytes.
        payload: u32,
        /// The time since it was sent.
        delay: Duration,
    },
    /// A ping was answered.
    Answered {
        /// The time since it was sent.
        rtt: Duration,
    },
}
