//! Packets read by etherparse, an independent parser.

use crate::emitted;
use crate::strategies::{ipv4, transport};
use airloom_wire::{Ecn, Packet, Payload, Protocol, TcpFlags, TcpRepr, Transport};
use etherparse::TcpOptionElement::{
    MaximumSegmentSize, SelectiveAcknowledgement, SelectiveAcknowledgementPermitted,
};
use etherparse::TcpOptionElement::{Noop, Timestamp, WindowScale};
use etherparse::{Icmpv4Slice, Icmpv4Type, Ipv4Slice, TcpSlice, UdpSlice};
use proptest::prelude::*;

proptest! {
    #[test]
    fn reads_the_same(ip in ipv4(), transport in transport(), payload in prop::collection::vec(any::<u8>(), 0..200)) {
        // Fragments have no transport header to read, and the header as etherparse holds it no reserved bits to sum.
        let ip = airloom_wire::Ipv4Repr { more_fragments: false, fragment_offset: 0, ..ip };
        let transport = match transport {
            Transport::Tcp(tcp) => Transport::Tcp(TcpRepr { flags: TcpFlags(tcp.flags.0 & 0x1ff), ..tcp }),
            other => other,
        };
        let packet = Packet { ip, transport, payload: Payload::Bytes(&payload) };
        let octets = emitted(|out| assert_eq!(packet.emit(usize::MAX, out), Ok(packet.total_len())));
        let slice = Ipv4Slice::from_slice(&octets).unwrap();
        let header = slice.header().to_header();
        prop_assert_eq!((header.source, header.destination), (ip.src.octets(), ip.dst.octets()));
        prop_assert_eq!((header.dscp.value(), header.identification, header.time_to_live), (ip.dscp, ip.ident, ip.ttl));
        let ecn = [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce][usize::from(header.ecn.value())];
        prop_assert_eq!((ecn, header.dont_fragment), (ip.ecn, ip.dont_fragment));
        prop_assert_eq!(header.calc_header_checksum(), header.header_checksum);
        prop_assert_eq!(Protocol(header.protocol.0), transport.protocol());

        let body = slice.payload().payload;
        match transport {
            Transport::Tcp(tcp) => {
                let slice = TcpSlice::from_slice(body).unwrap();
                let header = slice.to_header();
                prop_assert_eq!(slice.payload(), &payload[..]);
                prop_assert_eq!((header.source_port, header.destination_port), (tcp.src_port, tcp.dst_port));
                prop_assert_eq!((header.sequence_number, header.acknowledgment_number), (tcp.seq, tcp.ack));
                prop_assert_eq!((header.window_size, header.urgent_pointer), (tcp.window, tcp.urgent));
                let bits = [header.fin, header.syn, header.rst, header.psh, header.ack, header.urg, header.ece,
                    header.cwr, header.ns];
                for (index, bit) in bits.into_iter().enumerate() {
                    prop_assert_eq!(bit, tcp.flags.0 >> index & 1 != 0);
                }
                let calculated = header.calc_checksum_ipv4_raw(ip.src.octets(), ip.dst.octets(), &payload).unwrap();
                prop_assert_eq!(calculated, header.checksum);

                let seen: Vec<_> = header.options_iterator().map(Result::unwrap).filter(|o| *o != Noop).collect();
                let options = tcp.options;
                let mut expected = Vec::new();
                expected.extend(options.mss.map(MaximumSegmentSize));
                expected.extend(options.sack_permitted.then_some(SelectiveAcknowledgementPermitted));
                expected.extend(options.timestamps.map(|t| Timestamp(t.value, t.echo)));
                expected.extend(options.window_scale.map(WindowScale));
                let mut blocks = options.sack.as_slice().iter().map(|block| (block.left, block.right));
                if let Some(first) = blocks.next() {
                    let others = [blocks.next(), blocks.next(), blocks.next()];
                    expected.push(SelectiveAcknowledgement(first, others));
                }
                prop_assert_eq!(seen, expected);
            }
            Transport::Udp(udp) => {
                let slice = UdpSlice::from_slice(body).unwrap();
                let header = slice.to_header();
                prop_assert_eq!(slice.payload(), &payload[..]);
                prop_assert_eq!((header.source_port, header.destination_port), (udp.src_port, udp.dst_port));
                let calculated = header.calc_checksum_ipv4_raw(ip.src.octets(), ip.dst.octets(), &payload).unwrap();
                prop_assert_eq!(calculated, header.checksum);
            }
            Transport::Echo(echo) => {
                let slice = Icmpv4Slice::from_slice(body).unwrap();
                let (Icmpv4Type::EchoRequest(header) | Icmpv4Type::EchoReply(header)) = slice.icmp_type() else {
                    panic!("an echo");
                };
                prop_assert_eq!((header.id, header.seq), (echo.ident, echo.sequence));
                prop_assert_eq!(slice.payload(), &payload[..]);
                prop_assert_eq!(slice.icmp_type().calc_checksum(&payload), slice.checksum());
            }
        }
    }
}
