//! What is emitted parses to what it was.

use crate::emitted;
use crate::strategies::{control, data, echo, ipv4, lend, mac, management, radiotap, tcp, transport, udp};
use airloom_wire::ieee80211::{Frame, fcs};
use airloom_wire::pcapng::{Interface, Record, Writer};
use airloom_wire::{
    AirFrame, EchoRepr, Ecn, EtherType, EthernetRepr, Fcs, Ipv4Repr, LinkType, Mpdu, Packet, Payload,
    RadiotapRepr, Reader, SnapRepr, TcpRepr, Transport, UdpRepr, radiotap as rt,
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn radiotap_headers(repr in radiotap(), frame: Vec<u8>) {
        let octets = [emitted(|out| repr.emit(out)), frame.clone()].concat();
        prop_assert_eq!(RadiotapRepr::parse(&octets), Ok((repr, &frame[..])));
    }

    #[test]
    fn data_frames(header in data(), body: Vec<u8>) {
        let frame = Frame::Data { header, body: &body };
        let octets = emitted(|out| frame.emit(out).unwrap());
        prop_assert_eq!(octets.len(), header.header_len() + body.len());
        prop_assert_eq!(Frame::parse(&octets), Ok(frame));
        let with_fcs = [&octets[..], &fcs::compute(&octets)].concat();
        prop_assert_eq!(fcs::strip(&with_fcs), Ok(&octets[..]));
    }

    #[test]
    fn control_frames(repr in control()) {
        let octets = emitted(|out| repr.emit(out));
        prop_assert_eq!(Frame::parse(&octets), Ok(Frame::Control(repr)));
    }

    #[test]
    fn management_frames((texts, frame) in management()) {
        let frame = lend(&texts, frame);
        let octets = emitted(|out| frame.emit(out).unwrap());
        prop_assert_eq!(Frame::parse(&octets), Ok(Frame::Management(frame)));
    }

    #[test]
    fn link_headers(dst in mac(), src in mac(), ethertype in 0x600_u16.., payload: Vec<u8>) {
        let repr = EthernetRepr { dst, src, ethertype: EtherType(ethertype) };
        let octets = [emitted(|out| repr.emit(out)), payload.clone()].concat();
        prop_assert_eq!(EthernetRepr::parse(&octets), Ok((repr, &payload[..])));
        let repr = SnapRepr { ethertype: EtherType(ethertype) };
        let octets = [emitted(|out| repr.emit(out)), payload.clone()].concat();
        prop_assert_eq!(SnapRepr::parse(&octets), Ok((repr, &payload[..])));
    }

    #[test]
    fn ipv4_headers(repr in ipv4(), payload: Vec<u8>) {
        let octets = [emitted(|out| repr.emit(out).unwrap()), payload.clone()].concat();
        let captured = &payload[..payload.len().min(repr.payload_len.into())];
        prop_assert_eq!(Ipv4Repr::parse(&octets), Ok((repr, captured)));
        prop_assert_eq!(Ipv4Repr::checksum_ok(&octets), Ok(true));
    }

    #[test]
    fn marks_of_congestion(repr in ipv4(), payload: Vec<u8>) {
        let mut octets = [emitted(|out| repr.emit(out).unwrap()), payload.clone()].concat();
        Ipv4Repr::mark_congestion(&mut octets);
        let marked = Ipv4Repr { ecn: Ecn::Ce, ..repr };
        prop_assert_eq!(octets, [emitted(|out| marked.emit(out).unwrap()), payload].concat());
    }

    #[test]
    fn tcp_segments(repr in tcp(), src: [u8; 4], dst: [u8; 4], payload: Vec<u8>) {
        let header = emitted(|out| repr.emit(src.into(), dst.into(), Payload::Bytes(&payload), out).unwrap());
        prop_assert_eq!(header.len(), repr.header_len());
        let octets = [header, payload.clone()].concat();
        prop_assert_eq!(TcpRepr::parse(&octets), Ok((repr, &payload[..])));
        prop_assert!(TcpRepr::checksum_ok(src.into(), dst.into(), &octets));
    }

    #[test]
    fn udp_datagrams(repr in udp(), src: [u8; 4], dst: [u8; 4], payload: Vec<u8>) {
        let header = emitted(|out| repr.emit(src.into(), dst.into(), Payload::Bytes(&payload), out).unwrap());
        let octets = [header, payload.clone()].concat();
        prop_assert_eq!(UdpRepr::parse(&octets), Ok((repr, &payload[..])));
        prop_assert!(UdpRepr::checksum_ok(src.into(), dst.into(), &octets));
    }

    #[test]
    fn icmp_echoes(repr in echo(), payload: Vec<u8>) {
        let octets = [emitted(|out| repr.emit(Payload::Bytes(&payload), out)), payload.clone()].concat();
        prop_assert_eq!(EchoRepr::parse(&octets), Ok((repr, &payload[..])));
        prop_assert!(EchoRepr::checksum_ok(&octets));
    }

    /// A payload of zeros is as good as its length, whatever the room.
    #[test]
    fn packets_of_zeros(ip in ipv4(), transport in transport(), len in 0..3000_usize, room in 0..3100_usize) {
        let zeros = vec![0; len];
        let real = Packet { ip, transport, payload: Payload::Bytes(&zeros) };
        let mut whole = emitted(|out| assert_eq!(real.emit(usize::MAX, out), Ok(real.total_len())));
        let lazy = Packet { payload: Payload::Zeros(len), ..real };
        whole.truncate(room);
        prop_assert_eq!(emitted(|out| assert_eq!(lazy.emit(room, out), Ok(real.total_len()))), whole);
    }

    /// A whole record of the air, cut or not, back through every layer.
    #[test]
    fn air_frames(
        radiotap in radiotap(), header in data(), ip in ipv4(), transport in transport(), len in 0..2000_usize,
        room in 0..2400_usize, good: bool,
    ) {
        let packet = Packet { ip, transport, payload: Payload::Zeros(len) };
        let fcs = if good { Fcs::Good } else { Fcs::Bad };
        let frame = AirFrame { radiotap, mpdu: Mpdu::Packet(header, packet), fcs };
        let mut original = 0;
        let octets = emitted(|out| original = frame.emit(usize::MAX, out).unwrap());
        prop_assert_eq!(octets.len(), original);
        let cut = emitted(|out| assert_eq!(frame.emit(room, out), Ok(original)));
        prop_assert_eq!(&cut[..], &octets[..original.min(room)]);

        let (seen, mpdu) = RadiotapRepr::parse(&octets).unwrap();
        let flags = seen.flags.unwrap();
        prop_assert_eq!(RadiotapRepr { flags: radiotap.flags, ..seen }, radiotap);
        prop_assert!(flags.contains(rt::Flags::FCS_AT_END));
        prop_assert_eq!(flags.contains(rt::Flags::BAD_FCS), !good);
        prop_assert_eq!(fcs::strip(mpdu).is_ok(), good);
        let Frame::Data { header: seen, body } = Frame::parse(&mpdu[..mpdu.len() - fcs::LEN]).unwrap() else {
            panic!("a data frame");
        };
        prop_assert_eq!(seen, header);
        let (ip, body) = Ipv4Repr::parse(SnapRepr::parse(body).unwrap().1).unwrap();
        let (seen, payload) = match transport {
            Transport::Tcp(_) => TcpRepr::parse(body).map(|(tcp, payload)| (Transport::Tcp(tcp), payload)),
            Transport::Udp(_) => UdpRepr::parse(body).map(|(udp, payload)| (Transport::Udp(udp), payload)),
            Transport::Echo(_) => EchoRepr::parse(body).map(|(echo, payload)| (Transport::Echo(echo), payload)),
        }.unwrap();
        prop_assert_eq!((seen, payload.len(), ip.protocol), (transport, len, transport.protocol()));
    }

    #[test]
    fn captures(
        interfaces in prop::collection::vec((any::<u16>(), ".{0,9}", ".{0,9}", 0..200_u32), 1..4),
        packets in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(),
            prop::collection::vec(any::<u8>(), 0..300), 0..9_u32, proptest::option::of(".{0,9}")), 0..9),
    ) {
        let mut writer = Writer::new(Vec::new(), "loom").unwrap();
        let mut ids = Vec::new();
        for (link, name, description, snap_len) in &interfaces {
            let interface = Interface { link: LinkType(*link), name, description, snap_len: *snap_len };
            ids.push(writer.interface(&interface).unwrap());
        }
        for (index, stamp_ns, data, more, comment) in &packets {
            let original_len = data.len() as u32 + more;
            let interface = ids[index.index(ids.len())];
            let comment = comment.as_deref();
            writer.record(&Record { interface, stamp_ns: *stamp_ns, data, original_len, comment }).unwrap();
        }
        let file = writer.finish().unwrap();
        let mut reader = Reader::new(&file[..]).unwrap();
        for (index, stamp_ns, data, more, comment) in &packets {
            let packet = reader.next().unwrap().unwrap();
            let (link, name, _, snap_len) = &interfaces[index.index(ids.len())];
            let room = if *snap_len == 0 { usize::MAX } else { *snap_len as usize };
            prop_assert_eq!(packet.data, &data[..data.len().min(room)]);
            prop_assert_eq!(packet.original_len, data.len() as u32 + more);
            prop_assert_eq!((packet.stamp_ns, packet.comment), (Some(*stamp_ns), comment.as_deref()));
            prop_assert_eq!(packet.link, LinkType(*link));
            let interface = packet.interface as usize;
            let seen = reader.interfaces()[interface].name.as_deref();
            prop_assert_eq!(seen, (!name.is_empty()).then_some(&name[..]));
        }
        prop_assert_eq!(reader.next(), None);
    }
}
