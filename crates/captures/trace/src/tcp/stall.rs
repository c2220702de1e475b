//! Times in which a connection stood still.

use crate::Capped;

airloom_sim::kinds! {
    /// Why a connection stood still.
    pub enum Pause {
        /// Data was outstanding, but for longer than 200 ms and four round trips no new data was sent and none was acknowledged.
        Silence = "silence",
        /// Fewer than two segments were outstanding and the sender waited until the receiver's timer for delayed acknowledgments
        /// expired (RFC 1122 section 4.2.3.2; with Nagle's algorithm, section 4.2.3.4). The receiver sent no data that may have been an answer,
        /// and away from the sender what it then sent was less than a full segment, unless it never had two segments outstanding.
        DelayedAck = "delayed_ack",
        /// The receiver's window was closed.
        ZeroWindow = "zero_window",
    }
}

/// A time in which a connection stood still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// Why.
    pub pause: Pause,
    /// Its beginning, in nanoseconds since 1970.
    pub from_ns: u64,
    /// Its end; the connection's last packet if nothing ended it.
    pub to_ns: u64,
    /// The record that ended it; none if nothing did.
    pub number: Option<u32>,
    /// Octets that were outstanding.
    pub outstanding: u64,
}

/// The times in which a connection stood still, by kind.
#[derive(Clone, Debug, Default)]
pub struct Stalls {
    /// The first of them, as they ended.
    pub list: Capped<Stall, 512>,
    counts: [u64; Pause::ALL.len()],
    lasted_ns: [u64; Pause::ALL.len()],
}

impl Stalls {
    /// How many there were of a kind.
    pub const fn count(&self, pause: Pause) -> u64 {
        self.counts[pause as usize]
    }

    /// How long they lasted together, in nanoseconds.
    pub const fn lasted_ns(&self, pause: Pause) -> u64 {
        self.lasted_ns[pause as usize]
    }

    /// Takes one more.
    pub(super) fn note(&mut self, stall: Stall) {
        self.counts[stall.pause as usize] += 1;
        self.lasted_ns[stall.pause as usize] += stall.to_ns.saturating_sub(stall.from_ns);
        self.list.push(stall);
    }
}
