//! A TCP segment without its bytes.

use airloom_observe::Ecn;
use airloom_wire::{TcpFlags, TcpRepr};

/// One TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Segment {
    /// Its header. An endpoint knows no ports: they are filled in when the segment is put into a packet.
    pub header: TcpRepr,
    /// Payload in bytes.
    pub payload: u32,
    /// The ECN field of the packet that carries it: what it was sent with, or what it was received with.
    pub ecn: Ecn,
    /// Whether it is a retransmission. Not on the wire.
    pub retransmission: bool,
    /// Whether its receiver gets it in one packet with the segment that follows (GRO): that one is acknowledged. Not on the wire.
    pub followed: bool,
}

impl Segment {
    /// How much of the sequence space it takes: payload, and one each for SYN and FIN.
    pub const fn sequence_length(&self) -> u32 {
        let flags = self.header.flags;
        self.payload + flags.contains(TcpFlags::SYN) as u32 + flags.contains(TcpFlags::FIN) as u32
    }
}
