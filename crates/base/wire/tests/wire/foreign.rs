//! Octets that other tools have written: scapy 2.8.0 (checksums and check sequences its own) and text2pcap 4.0.17.

use crate::{hex, items};
use airloom_wire::ieee80211::{
    Addressing, BssDescription, Capabilities, ControlRepr, Frame, HeOperation, HtCapabilities, HtOperation,
    ManagementBody, McsMap, Qos, VhtOperation, fcs,
};
use airloom_wire::radiotap::{self, AmpduStatus, Bandwidth, ChannelFlags};
use airloom_wire::{
    EchoKind, EchoRepr, Ecn, EtherType, EthernetRepr, Ipv4Repr, LinkType, MacAddr, Protocol, RadiotapRepr,
    Reader, SackBlock, SnapRepr, TcpFlags, TcpRepr, Timestamps, UdpRepr,
};
use std::net::Ipv4Addr;

const AP: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x01]);
const STA: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x0a]);

/// `Ether/IP(id=0x1c46, flags="DF")/TCP(flags="S", options=[MSS 1460, SAckOK, Timestamp (0x11223344, 0), NOP, WScale 7])`
#[test]
fn scapy_syn() {
    let octets = hex(
        "02000000000102000000000a08004500003c1c46400040068f1ac0a8070ac0a80701c00001bb0102030400000000a002faf0b38b0000
         020405b40402080a112233440000000001030307",
    );
    let (ethernet, packet) = EthernetRepr::parse(&octets).unwrap();
    assert_eq!(ethernet, EthernetRepr { dst: AP, src: STA, ethertype: EtherType::IPV4 });
    assert_eq!(Ipv4Repr::checksum_ok(packet), Ok(true));
    let (ip, segment) = Ipv4Repr::parse(packet).unwrap();
    let expected = Ipv4Repr {
        ident: 0x1c46,
        payload_len: 40,
        ..Ipv4Repr::new(Ipv4Addr::new(192, 168, 7, 10), Ipv4Addr::new(192, 168, 7, 1))
    };
    assert_eq!(ip, expected);
    assert!(TcpRepr::checksum_ok(ip.src, ip.dst, segment));
    let (tcp, payload) = TcpRepr::parse(segment).unwrap();
    assert_eq!((tcp.src_port, tcp.dst_port, tcp.seq, tcp.ack), (49152, 443, 0x0102_0304, 0));
    assert_eq!((tcp.flags, tcp.window, payload.len()), (TcpFlags::SYN, 64240, 0));
    assert_eq!(
        (tcp.options.mss, tcp.options.window_scale, tcp.options.sack_permitted),
        (Some(1460), Some(7), true)
    );
    assert_eq!(tcp.options.timestamps, Some(Timestamps { value: 0x1122_3344, echo: 0 }));
    // The layout is that of Linux, so it comes back as it was.
    let mut again = Vec::new();
    ethernet.emit(&mut again);
    ip.emit(&mut again).unwrap();
    tcp.emit(ip.src, ip.dst, airloom_wire::Payload::Zeros(0), &mut again).unwrap();
    assert_eq!(again, octets);
}

/// `IP(tos=0xb8|1, ttl=63)/TCP(flags="AE", options=[NOP, NOP, Timestamp (100, 99), NOP, NOP, SAck])/b"abc"`
#[test]
fn scapy_sack() {
    let octets = hex(
        "45b9004b000740003f061fe00a0102030a04050613899c4000000001fffffff0d05001f568c200000101080a00000064000000630101
         051200001000000015a8ffffff0000000100616263",
    );
    assert_eq!(Ipv4Repr::checksum_ok(&octets), Ok(true));
    let (ip, segment) = Ipv4Repr::parse(&octets).unwrap();
    assert_eq!((ip.dscp, ip.ecn, ip.ttl, ip.protocol), (46, Ecn::Ect1, 63, Protocol::TCP));
    assert!(TcpRepr::checksum_ok(ip.src, ip.dst, segment));
    let (tcp, payload) = TcpRepr::parse(segment).unwrap();
    assert_eq!((tcp.flags, payload), (TcpFlags::ACK | TcpFlags::ECE, &b"abc"[..]));
    assert_eq!(tcp.options.timestamps, Some(Timestamps { value: 100, echo: 99 }));
    let blocks = [SackBlock { left: 0x1000, right: 0x15a8 }, SackBlock { left: 0xffff_ff00, right: 0x100 }];
    assert_eq!(tcp.options.sack.as_slice(), blocks);
}

/// `IP/UDP(sport=53, dport=1234)/b"hello"` and `IP/ICMP(type=8, id=0x77, seq=3)/b"ping!"`
#[test]
fn scapy_udp_and_icmp() {
    let octets = hex("4500002100010000401166c90a0000010a000002003504d2000da2f868656c6c6f");
    let (ip, datagram) = Ipv4Repr::parse(&octets).unwrap();
    assert!(!ip.dont_fragment);
    assert!(UdpRepr::checksum_ok(ip.src, ip.dst, datagram));
    assert_eq!(UdpRepr::parse(datagram), Ok((UdpRepr { src_port: 53, dst_port: 1234 }, &b"hello"[..])));

    let octets = hex("4500002100020000400166d80a0000010a0000020800f7b40077000370696e6721");
    let (_, message) = Ipv4Repr::parse(&octets).unwrap();
    assert!(EchoRepr::checksum_ok(message));
    let echo = EchoRepr { kind: EchoKind::Request, ident: 0x77, sequence: 3 };
    assert_eq!(EchoRepr::parse(message), Ok((echo, &b"ping!"[..])));
}

/// `RadioTap(mac_timestamp=0x123456789, Flags="FCS", Rate=0, 5180 MHz, -47 dBm, -95 dBm, MCS 15 at 40 MHz with short guard
/// interval, A_MPDU_ref=0xcafe, A_MPDU_flags=12)/Dot11FCS(FCfield=0x2a, ID=44, SC=1234<<4)/Dot11QoS(TID=6)/LLC/SNAP/IP/UDP`
#[test]
fn scapy_qos_data() {
    let octets = hex(
        "000024006f001800896745230100000010003c144001d1a107050f00feca00000c000000882a2c0002000000000a0200000000010200
         00000063204d0600aaaa0300000008004500001c1c46400040118f2fc0a8070ac0a80701000900090008707056968dbd",
    );
    let (radiotap, frame) = RadiotapRepr::parse(&octets).unwrap();
    assert_eq!((radiotap.tsft, radiotap.flags), (Some(0x1_2345_6789), Some(radiotap::Flags::FCS_AT_END)));
    let channel = radiotap.channel.unwrap();
    assert_eq!((channel.mhz, channel.flags), (5180, ChannelFlags::OFDM | ChannelFlags::BAND_5GHZ));
    assert_eq!((radiotap.signal_dbm, radiotap.noise_dbm), (Some(-47), Some(-95)));
    let mcs = radiotap.mcs.unwrap();
    assert_eq!(
        (mcs.index(), mcs.bandwidth(), mcs.short_guard_interval()),
        (Some(15), Some(Bandwidth::Mhz40), Some(true))
    );
    assert_eq!(radiotap.ampdu, Some(AmpduStatus::new(0xcafe, true)));

    let Frame::Data { header, body } = Frame::parse(fcs::strip(frame).unwrap()).unwrap() else {
        panic!("a data frame")
    };
    assert!(header.flags.retry && header.flags.more_data && !header.flags.power_management && !header.null);
    assert_eq!((header.duration, header.sequence.number, header.sequence.fragment), (44, 1234, 0));
    let source = MacAddr([0x02, 0, 0, 0, 0, 0x63]);
    assert_eq!(header.addressing, Addressing::FromDs { destination: STA, bssid: AP, source });
    assert_eq!(header.qos, Some(Qos { tid: 6, ..Qos::default() }));
    let (snap, packet) = SnapRepr::parse(body).unwrap();
    assert_eq!(snap.ethertype, EtherType::IPV4);
    assert_eq!(Ipv4Repr::checksum_ok(packet), Ok(true));
    assert_eq!(Ipv4Repr::parse(packet).unwrap().0.protocol, Protocol::UDP);
}

/// `RadioTap(2437 MHz, -60 dBm, Antenna=1)/Dot11FCS/Dot11Beacon/SSID/Rates/DSSet/TIM/vendor element/HTCapabilities`
#[test]
fn scapy_beacon() {
    let octets = hex(
        "000010002e080000100c8509c000c40180000000ffffffffffff020000000001020000000001d0048877665544332211640001040004
         6c6f6f6d01088c129824b048606c03010605050002012204dd050050f202002d1a620003ffff00000000000000000000000000000000
         0000000000d2da3f34",
    );
    let (radiotap, frame) = RadiotapRepr::parse(&octets).unwrap();
    assert_eq!(
        (radiotap.rate, radiotap.signal_dbm, radiotap.channel.unwrap().mhz),
        (Some(12), Some(-60), 2437)
    );
    let Frame::Management(management) = Frame::parse(fcs::strip(frame).unwrap()).unwrap() else {
        panic!("a beacon")
    };
    assert_eq!(
        (management.destination, management.source, management.sequence.number),
        (MacAddr::BROADCAST, AP, 77)
    );
    let ManagementBody::Beacon { bss, tim } = management.body else { panic!("a beacon") };
    assert_eq!((bss.timestamp, bss.interval), (0x1122_3344_5566_7788, 100));
    assert_eq!(bss.capabilities, Capabilities::ESS | Capabilities::SHORT_SLOT);
    assert_eq!((bss.ssid, bss.channel), (&b"loom"[..], Some(6)));
    assert_eq!(bss.rates, [0x8c, 0x12, 0x98, 0x24, 0xb0, 0x48, 0x60, 0x6c]);
    let tim = tim.unwrap();
    assert_eq!((tim.dtim_count, tim.dtim_period, tim.group_traffic), (0, 2, true));
    // Bits 1 and 5 of octet 0, bit 2 of octet 1.
    let held: Vec<u16> = (1..=2007).filter(|&aid| tim.holds_for(aid)).collect();
    assert_eq!(held, [1, 5, 10]);
    let ht = bss.ht_capabilities.unwrap();
    assert_eq!(ht.info, HtCapabilities::WIDE | HtCapabilities::SHORT_GI_20 | HtCapabilities::SHORT_GI_40);
    assert_eq!((ht.ampdu, &ht.mcs_set[..3]), (3, &[0xff, 0xff, 0][..]));
    assert_eq!(bss.ampdu_octets(), Some(65_535), "an exponent of 3");
    assert_eq!(bss.ht_operation, None);
}

/// The widths of 802.11-2020 table 11-23 and 802.11ax clause 9.4.2.249.
#[test]
fn operation_elements_say_how_wide_a_network_is() {
    let ht = |first: u8| HtOperation { info: [first, 0, 0, 0, 0], ..HtOperation::default() };
    let vht = |width: u8, centres: [u8; 2]| VhtOperation { width, centres, basic: McsMap::of(1, 0) };
    let of = |first: u8, vht: Option<VhtOperation>| {
        BssDescription { ht_operation: Some(ht(first)), vht_operation: vht, ..BssDescription::default() }
            .width_mhz()
    };
    assert_eq!(
        [BssDescription::default().width_mhz(), of(0, None), of(1, None), of(5, None)],
        [20, 20, 20, 40]
    );
    assert_eq!(of(5, Some(vht(0, [0, 0]))), 40);
    assert_eq!(of(5, Some(vht(1, [42, 0]))), 80);
    assert_eq!([of(5, Some(vht(1, [42, 50]))), of(5, Some(vht(2, [50, 0])))], [160, 160]);
    let six = HeOperation { colour: 1, basic: McsMap::of(1, 0), six_ghz: Some([5, 2, 7, 0]) };
    assert_eq!(BssDescription { he_operation: Some(six), ..BssDescription::default() }.width_mhz(), 80);
}

/// `Dot11FCS(type=2, subtype=12, FCfield=0x11)/Dot11QoS(TID=7)`, `Dot11FCS` Ack and RTS, `Dot11/Dot11ProbeReq/SSID/Rates`
#[test]
fn scapy_short_frames() {
    let null = hex("c8113c0002000000000102000000000a020000000001f0ff0700489a2329");
    let Frame::Data { header, body: [] } = Frame::parse(fcs::strip(&null).unwrap()).unwrap() else {
        panic!("null")
    };
    assert!(header.null && header.flags.power_management && !header.flags.retry);
    assert_eq!((header.sequence.number, header.qos.map(|qos| qos.tid)), (4095, Some(7)));
    assert_eq!(header.addressing, Addressing::ToDs { bssid: AP, source: STA, destination: AP });

    let ack = hex("d400000002000000000a500f6d18");
    let expected = Frame::Control(ControlRepr::Ack { duration: 0, receiver: STA });
    assert_eq!(Frame::parse(fcs::strip(&ack).unwrap()), Ok(expected));
    let rts = hex("b400341202000000000a020000000001b727ca81");
    let expected = Frame::Control(ControlRepr::Rts { duration: 0x1234, receiver: STA, transmitter: AP });
    assert_eq!(Frame::parse(fcs::strip(&rts).unwrap()), Ok(expected));

    let probe = hex("40000000ffffffffffff02000000000affffffffffff10000000010402040b16");
    let Frame::Management(management) = Frame::parse(&probe).unwrap() else { panic!("a probe request") };
    let expected = ManagementBody::ProbeRequest {
        ssid: b"",
        rates: &[2, 4, 11, 22],
        extended_rates: &[],
        channel: None,
    };
    assert_eq!(management.body, expected);
}

/// `RawPcapWriter(linktype=127, endianness=…, nano=…)`, one packet of 5 of 9 octets at 1700000000.123456(789) s
#[test]
fn scapy_pcap_in_both_orders_and_units() {
    let files = [
        (
            "d4c3b2a1020004000000000000000000ffff00007f00000000f1536540e2010005000000090000006162636465",
            123_456_000,
        ),
        (
            "4d3cb2a1020004000000000000000000ffff00007f00000000f1536515cd5b0705000000090000006162636465",
            123_456_789,
        ),
        (
            "a1b2c3d40002000400000000000000000000ffff0000007f6553f1000001e24000000005000000096162636465",
            123_456_000,
        ),
        (
            "a1b23c4d0002000400000000000000000000ffff0000007f6553f100075bcd1500000005000000096162636465",
            123_456_789,
        ),
    ];
    for (file, fraction) in files {
        let file = hex(file);
        let packets: Vec<_> = items(&file).into_iter().map(Result::unwrap).collect();
        assert_eq!(packets.len(), 1);
        assert_eq!(packets[0].stamp_ns, Some(1_700_000_000_000_000_000 + fraction));
        assert_eq!(
            (packets[0].link, &packets[0].data[..], packets[0].original_len),
            (LinkType::RADIOTAP, &b"abcde"[..], 9)
        );
    }
}

/// `wrpcapng` of `IP(src="1.2.3.4", dst="5.6.7.8")/UDP()` at 1700000000.25 s with the comment "hello"
#[test]
fn scapy_pcapng() {
    let file = hex(
        "0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c0000000100000014000000e40000000000040014000000060000004c00
         000000000000240a0600901022181c0000001c0000004500001c0001000040116abd0102030405060708003500350008ef6001000500
         68656c6c6f000000000000004c000000",
    );
    let packets: Vec<_> = items(&file).into_iter().map(Result::unwrap).collect();
    assert_eq!(packets.len(), 1);
    assert_eq!((packets[0].link, packets[0].comment.as_deref()), (LinkType::IPV4, Some("hello")));
    assert_eq!(packets[0].stamp_ns, Some(1_700_000_000_250_000_000));
    assert_eq!((packets[0].data.len(), packets[0].original_len), (28, 28));
}

/// The blocks behind the section header that `text2pcap -l 101 -N lo7` writes for the text "abcde"; the section header
/// before them is a plain one.
#[test]
fn text2pcap_pcapng() {
    let file = hex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000
         0100000028000000650000000000040002000300 6c6f370009000100 0900000000000000 28000000
         06000000280000000000000 01abde918e83db7bb 0500000005000000 6162636465000000 28000000");
    let mut reader = Reader::new(&file[..]).unwrap();
    let packet = reader.next().unwrap().unwrap();
    assert_eq!((packet.link, packet.data, packet.original_len), (LinkType::RAW_IP, &b"abcde"[..], 5));
    // The stamp's halves are 18e9bd1a and bbb73de8.
    assert_eq!(packet.stamp_ns, Some(0x18e9_bd1a_bbb7_3de8));
    assert_eq!((reader.interfaces()[0].name.as_deref(), reader.interfaces()[0].resolution), (Some("lo7"), 9));
    assert_eq!(reader.next(), None);
}
