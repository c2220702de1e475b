//! No octets make a parser panic or loop, or a reader yield more than it was given.

use crate::emitted;
use crate::strategies::{control, data, ipv4, lend, management, radiotap, transport};
use airloom_wire::ieee80211::{AnyFrame, Frame, fcs};
use airloom_wire::pcapng::{Interface, Record, Writer};
use airloom_wire::{
    AirFrame, CookedRepr, EchoRepr, EtherType, EthernetRepr, Fcs, FiveTuple, Ipv4Repr, Ipv6Repr, LinkType,
    Mpdu, Packet, Payload, PppRepr, PrismRepr, RadiotapRepr, Reader, SnapRepr, Stop, TcpRepr, UdpRepr,
};
use proptest::prelude::*;

/// Reads a packet as far up as it goes.
fn read_ip(octets: &[u8]) {
    _ = Ipv4Repr::checksum_ok(octets);
    _ = Ipv4Repr::parse_whole(octets);
    Ipv4Repr::mark_congestion(&mut octets.to_vec());
    let body = match Ipv4Repr::parse(octets) {
        Ok((ip, body)) => {
            _ = FiveTuple::of(&ip, body);
            _ = (TcpRepr::checksum_ok(ip.src, ip.dst, body), UdpRepr::checksum_ok(ip.src, ip.dst, body));
            body
        }
        Err(_) => octets,
    };
    _ = EchoRepr::checksum_ok(body);
    for payload in [
        TcpRepr::parse(body).map(|(_, payload)| payload),
        UdpRepr::parse(body).map(|(_, payload)| payload),
        EchoRepr::parse(body).map(|(_, payload)| payload),
    ]
    .into_iter()
    .flatten()
    {
        assert!(payload.len() < body.len());
    }
}

/// Reads what is in front of a packet in captures of other machines.
fn read_link(octets: &[u8]) {
    for rest in [CookedRepr::parse(octets), CookedRepr::parse_second(octets)].into_iter().flatten() {
        assert!(rest.1.len() < octets.len());
    }
    if let Ok((_, rest)) = PppRepr::parse(octets) {
        assert!(rest.len() < octets.len());
    }
    if let Ok((_, rest)) = Ipv6Repr::parse(octets) {
        assert!(rest.len() < octets.len());
    }
    _ = PrismRepr::parse(octets);
    _ = AnyFrame::parse(octets);
}

fn read_frame(octets: &[u8]) {
    let octets = fcs::strip(octets).unwrap_or(octets);
    if let Ok(Frame::Data { body, .. }) = Frame::parse(octets) {
        read_ip(SnapRepr::parse(body).map_or(body, |(_, body)| body));
    }
}

fn read_radio(octets: &[u8]) {
    match RadiotapRepr::parse(octets) {
        Ok((_, frame)) => read_frame(frame),
        Err(_) => read_frame(octets),
    }
}

/// Reads a file to its end, every packet as whatever it might be, and checks what must hold of any file.
fn read_file(file: &[u8]) {
    let Ok(mut reader) = Reader::new(file) else { return };
    let (mut items, mut total, mut over) = (0, 0, false);
    while let Some(item) = reader.next() {
        assert!(!over, "nothing follows an error");
        items += 1;
        assert!(items <= file.len(), "each item takes octets");
        match item {
            Ok(packet) => {
                total += packet.data.len() + packet.comment.map_or(0, str::len);
                read_radio(packet.data);
                read_ip(EthernetRepr::parse(packet.data).map_or(packet.data, |(_, packet)| packet));
            }
            Err(Stop::Truncated { offset } | Stop::Malformed { offset, .. }) => {
                assert!(offset < file.len() as u64);
                over = true;
            }
            Err(stop @ Stop::Unreadable { .. }) => panic!("{stop}"),
        }
    }
    assert!(total <= file.len());
}

/// A file of both kinds of link with a packet each.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let mpdu = (data(), ipv4(), transport(), 0..80_usize, control(), management());
    let frames = prop::collection::vec((radiotap(), mpdu, 0..4), 0..5);
    (frames, proptest::option::of(".{0,5}")).prop_map(|(frames, comment)| {
        let mut writer = Writer::new(Vec::new(), "loom").unwrap();
        let interface = |link, name| Interface { link, name, description: "", snap_len: 120 };
        let air = writer.interface(&interface(LinkType::RADIOTAP, "air0")).unwrap();
        let host = writer.interface(&interface(LinkType::ETHERNET, "host0")).unwrap();
        for (radiotap, (header, ip, transport, len, control, (texts, management)), kind) in frames {
            let packet = Packet { ip, transport, payload: Payload::Zeros(len) };
            let mut original_len = 0;
            let octets = emitted(|out| {
                let mpdu = match kind {
                    0 => Mpdu::Packet(header, packet),
                    1 => Mpdu::Frame(Frame::Control(control)),
                    2 => Mpdu::Frame(Frame::Management(lend(&texts, management))),
                    _ => {
                        let mac = airloom_wire::MacAddr::BROADCAST;
                        EthernetRepr { dst: mac, src: mac, ethertype: EtherType::IPV4 }.emit(out);
                        original_len = EthernetRepr::LEN + packet.emit(106, out).unwrap();
                        return;
                    }
                };
                original_len = AirFrame { radiotap, mpdu, fcs: Fcs::Good }.emit(120, out).unwrap();
            });
            let interface = if kind < 3 { air } else { host };
            let (original_len, comment) = (original_len as u32, comment.as_deref());
            writer.record(&Record { interface, stamp_ns: 1, data: &octets, original_len, comment }).unwrap();
        }
        writer.finish().unwrap()
    })
}

/// Octets changed at a few places, and perhaps cut.
fn mutated(file: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let interesting = prop_oneof![any::<u8>(), Just(0), Just(0xff), Just(0x80), Just(0x7f)];
    let changes = prop::collection::vec((any::<prop::sample::Index>(), interesting), 0..12);
    (file, changes, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(mut octets, changes, cut, cutting)| {
            for (at, octet) in changes {
                if !octets.is_empty() {
                    let at = at.index(octets.len());
                    octets[at] = octet;
                }
            }
            if cutting {
                octets.truncate(cut.index(octets.len() + 1));
            }
            octets
        },
    )
}

/// A classic file with arbitrary records behind a good header.
fn classic() -> impl Strategy<Value = Vec<u8>> {
    let magic = prop::sample::select(&[0xa1b2_c3d4_u32, 0xa1b2_3c4d, 0xd4c3_b2a1, 0x4d3c_b2a1]);
    let records = prop::collection::vec((any::<u64>(), 0..40_u32, any::<[u8; 8]>()), 0..5);
    (magic, records).prop_map(|(magic, records)| {
        let mut file = magic.to_be_bytes().to_vec();
        file.resize(24, 0);
        for (stamp, len, data) in records {
            file.extend_from_slice(&stamp.to_le_bytes());
            file.extend_from_slice(&len.to_le_bytes());
            file.extend_from_slice(&len.to_le_bytes());
            file.extend_from_slice(&data);
        }
        file
    })
}

proptest! {
    #[test]
    fn arbitrary_octets(octets in prop::collection::vec(any::<u8>(), 0..400)) {
        read_file(&octets);
        read_radio(&octets);
        read_frame(&octets);
        read_ip(&octets);
        read_link(&octets);
        _ = (EthernetRepr::parse(&octets), SnapRepr::parse(&octets));
    }

    #[test]
    fn arbitrary_octets_behind_a_plausible_start(
        octets in prop::collection::vec(any::<u8>(), 0..200), kind: u8, flags: u8, present: u32, len: u8,
    ) {
        // Frame control; radiotap version, length and presence; IPv4's first octets; a section's type.
        read_frame(&[&[kind & !3, flags][..], &octets].concat());
        read_radio(&[&[0, 0, len, 0][..], &present.to_le_bytes(), &octets].concat());
        read_ip(&[&[0x40 | kind & 15, 0, 0, len][..], &octets].concat());
        read_link(&[&[0x60, 0, 0, 0, 0, len, kind, 64][..], &octets].concat());
        read_link(&[&[0x44, 0, 0, 0, len, 0, 0, 0][..], &octets].concat());
        let section = b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0\0\0\0\0\0\0\0\0\x1c\0\0\0";
        read_file(&[&section[..], &[kind % 8, 0, 0, 0, len & !3, 0, 0, 0], &octets].concat());
    }

    #[test]
    fn mutated_files(octets in mutated(file())) {
        read_file(&octets);
    }

    #[test]
    fn mutated_classic_files(octets in mutated(classic())) {
        read_file(&octets);
    }

    #[test]
    fn mutated_management_frames((texts, frame) in management(), at: prop::sample::Index, octet: u8) {
        let mut octets = emitted(|out| lend(&texts, frame).emit(out).unwrap());
        let at = at.index(octets.len());
        octets[at] = octet;
        read_frame(&octets);
    }
}

/// Sections that describe the same interfaces again and again, or none, cost what their octets cost.
#[test]
#[expect(clippy::disallowed_types, reason = "what is asked is how long it takes")]
fn interfaces_described_again_are_found_at_once() {
    let section = crate::hex("0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000");
    let interface = |link: u16| {
        let link = link.to_le_bytes().map(|octet| format!("{octet:02x}")).concat();
        crate::hex(&format!("01000000 14000000 {link} 0000 00000000 14000000"))
    };
    let alike = [section.clone(), interface(1).repeat(512)].concat().repeat(300);
    let all_kinds = (0..512).flat_map(interface);
    let empty = section.iter().copied().chain(all_kinds).chain(section.repeat(800_000)).collect();
    for file in [alike, empty] {
        let begin = std::time::Instant::now();
        let mut reader = Reader::new(&file[..]).unwrap();
        assert!(reader.next().is_none());
        assert_eq!(reader.interfaces().len(), 512);
        // Some hundredths of a second; where each is compared with all, longer than this bound.
        assert!(begin.elapsed().as_secs() < 2, "{:?}", begin.elapsed());
    }
}
