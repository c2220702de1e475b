//! `TCP_INFO`: the figures of a connection as the kernel lays them out (`include/uapi/linux/tcp.h`, Linux 6.18).

use crate::connection::Connection;
use airloom_observe::CaState;
use airloom_sim::{Duration, Time};

/// Length of the structure, up to what packetdrill reads.
pub(crate) const LENGTH: usize = 280;

/// Where the fields are that airloom has figures for.
mod at {
    pub(super) const STATE: usize = 0;
    pub(super) const CONGESTION_STATE: usize = 1;
    pub(super) const TIMEOUTS: usize = 2;
    pub(super) const PROBES: usize = 3;
    pub(super) const BACKOFF: usize = 4;
    pub(super) const RTO: usize = 8;
    pub(super) const SEND_MSS: usize = 16;
    pub(super) const UNACKED: usize = 24;
    pub(super) const SACKED: usize = 28;
    pub(super) const LOST: usize = 32;
    pub(super) const RETRANSMITTED: usize = 36;
    pub(super) const LAST_DATA_RECEIVED: usize = 52;
    pub(super) const RTT: usize = 68;
    pub(super) const SSTHRESH: usize = 76;
    pub(super) const CWND: usize = 80;
    pub(super) const OFFERED_MSS: usize = 84;
    pub(super) const REORDERING: usize = 88;
    pub(super) const PACING_RATE: usize = 104;
    pub(super) const BYTES_ACKED: usize = 120;
    pub(super) const BYTES_RECEIVED: usize = 128;
    pub(super) const UNSENT: usize = 144;
    pub(super) const LEAST_RTT: usize = 148;
    pub(super) const BUSY: usize = 168;
    pub(super) const PEER_LIMITED: usize = 176;
    pub(super) const BUFFER_LIMITED: usize = 184;
    pub(super) const PEER_WINDOW: usize = 228;
}

/// The threshold while it is unset (`TCP_INFINITE_SSTHRESH`).
const UNSET: u32 = 0x7fff_ffff;

/// The figures of a connection in a state that the kernel numbers `state`.
pub(crate) fn figures(connection: &Connection, state: u8, now: Time) -> [u8; LENGTH] {
    let (endpoint, more) = (&connection.endpoint, connection.endpoint.figures());
    let mut bytes = [0; LENGTH];
    let mut small = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    small(at::RTO, micros(endpoint.rto()));
    small(at::SEND_MSS, more.mss);
    small(at::UNACKED, endpoint.packets_out());
    small(at::SACKED, more.sacked);
    small(at::LOST, more.lost);
    small(at::RETRANSMITTED, more.retransmitted);
    small(at::LAST_DATA_RECEIVED, micros(now.since(connection.last_data)) / 1000);
    small(at::RTT, micros(endpoint.srtt()));
    small(at::SSTHRESH, endpoint.ssthresh().min(UNSET));
    small(at::CWND, endpoint.cwnd());
    small(at::OFFERED_MSS, connection.host.tcp.offer.mss - if more.timestamps { 12 } else { 0 });
    small(at::REORDERING, more.reordering);
    small(at::UNSENT, endpoint.unsent() as u32);
    small(at::LEAST_RTT, more.least_rtt.map_or(u32::MAX, micros));
    small(at::PEER_WINDOW, more.peer_window as u32);
    let mut large = |at: usize, value: u64| bytes[at..at + 8].copy_from_slice(&value.to_ne_bytes());
    large(at::PACING_RATE, more.pacing_rate);
    large(at::BYTES_ACKED, endpoint.bytes_acked());
    large(at::BYTES_RECEIVED, endpoint.bytes_delivered());
    let (busy, peer, buffer) = connection.limits.until(now);
    for (at, time) in [(at::BUSY, busy), (at::PEER_LIMITED, peer), (at::BUFFER_LIMITED, buffer)] {
        large(at, time.as_nanos() / 1000);
    }
    bytes[at::STATE] = state;
    bytes[at::CONGESTION_STATE] = match endpoint.state() {
        CaState::Open => 0,
        CaState::Disorder => 1,
        CaState::Cwr => 2,
        CaState::Recovery => 3,
        CaState::Loss => 4,
    };
    bytes[at::TIMEOUTS] = more.timeouts.min(255) as u8;
    bytes[at::PROBES] = more.probes.min(255) as u8;
    bytes[at::BACKOFF] = more.timeouts.max(more.probes).min(255) as u8;
    bytes
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_nanos() / 1000).unwrap_or(u32::MAX)
}
