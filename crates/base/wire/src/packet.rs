//! Whole IPv4 packets.

use crate::{EchoRepr, Error, Ipv4Repr, Payload, Protocol, TcpRepr, UdpRepr};

/// The header above IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A TCP segment.
    Tcp(TcpRepr),
    /// A UDP datagram.
    Udp(UdpRepr),
    /// A ping.
    Echo(EchoRepr),
}

impl Transport {
    /// The number IPv4 knows it by.
    pub const fn protocol(&self) -> Protocol {
        match self {
            Self::Tcp(_) => Protocol::TCP,
            Self::Udp(_) => Protocol::UDP,
            Self::Echo(_) => Protocol::ICMP,
        }
    }

    /// Length of the header in octets.
    const fn len(&self) -> usize {
        match self {
            Self::Tcp(tcp) => tcp.header_len(),
            Self::Udp(_) => UdpRepr::LEN,
            Self::Echo(_) => EchoRepr::LEN,
        }
    }
}

/// A whole IPv4 packet, of whose payload perhaps only the length is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The IPv4 header. Its protocol and payload length are not looked at: they follow from the fields below.
    pub ip: Ipv4Repr,
    /// The transport header.
    pub transport: Transport,
    /// What the transport carries.
    pub payload: Payload<'a>,
}

impl Packet<'_> {
    /// Length of the packet in octets.
    pub const fn total_len(&self) -> usize {
        self.payload.len().saturating_add(Ipv4Repr::LEN + self.transport.len())
    }

    /// Appends the first octets of the packet, at most `room` of them, and returns the length of the whole packet in
    /// octets. Checksums are those of the whole packet.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if the packet exceeds 65535 octets; nothing is appended then.
    pub fn emit(&self, room: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        let (src, dst) = (self.ip.src, self.ip.dst);
        let payload_len = u16::try_from(self.transport.len().saturating_add(self.payload.len()))
            .map_err(|_| Error::TooLong("IPv4 total length"))?;
        let start = out.len();
        Ipv4Repr { protocol: self.transport.protocol(), payload_len, ..self.ip }.emit(out)?;
        match &self.transport {
            Transport::Tcp(tcp) => tcp.emit(src, dst, self.payload, out)?,
            Transport::Udp(udp) => udp.emit(src, dst, self.payload, out)?,
            Transport::Echo(echo) => echo.emit(self.payload, out),
        }
        let headers = out.len() - start;
        self.payload.emit(room.saturating_sub(headers), out);
        out.truncate(start.saturating_add(room));
        Ok(headers + self.payload.len())
    }
}
