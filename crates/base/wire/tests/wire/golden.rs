//! Single headers against octets worked by hand from their standards.

use crate::{emitted, hex};
use airloom_wire::checksum::Sum;
use airloom_wire::ieee80211::{
    AckPolicy, Acknowledged, AddBaParameters, Addressing, BarPolicy, BssDescription, Capabilities,
    ControlRepr, DataRepr, Flags, Frame, HtCapabilities, HtOperation, ManagementBody, ManagementRepr,
    Neighbour, Qos, SequenceControl, Tim, TrafficMap, TransitionRequest, fcs,
};
use airloom_wire::radiotap::{self, AmpduStatus, Bandwidth, Channel, ChannelFlags, Mcs};
use airloom_wire::{
    AirFrame, EchoKind, EchoRepr, Ecn, Error, EtherType, EthernetRepr, Fcs, FiveTuple, Ipv4Repr, MacAddr,
    Mpdu, Packet, Payload, Protocol, RadiotapRepr, SackBlock, SackBlocks, SnapRepr, TcpFlags, TcpOptions,
    TcpRepr, Timestamps, Transport, UdpRepr,
};

const AP: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x01]);
const STA: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x0a]);
const HOST: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x63]);

#[test]
fn checksum_of_rfc_1071() {
    // RFC 1071 section 3: the words 0001 f203 f4f5 f6f7 sum to 2ddf0, folded ddf2.
    let octets = hex("0001 f203 f4f5 f6f7");
    assert_eq!(Sum::new().include(&octets).finish(), !0xddf2);
    // An odd last octet stands in the high half: ddf2 + ab00 = 188f2, folded 88f3.
    assert_eq!(Sum::new().include(&octets).include(&[0xab]).finish(), !0x88f3);
}

#[test]
fn payloads_are_cut_to_the_room() {
    assert!(Payload::Zeros(0).is_empty() && Payload::Bytes(&[]).is_empty());
    assert!(!Payload::Zeros(1).is_empty() && !Payload::Bytes(&[1]).is_empty());
    assert_eq!(emitted(|out| Payload::Bytes(b"abc").emit(2, out)), b"ab");
    assert_eq!(emitted(|out| Payload::Bytes(b"abc").emit(4, out)), b"abc");
    assert_eq!(emitted(|out| Payload::Zeros(usize::MAX).emit(2, out)), [0, 0]);
}

#[test]
fn flags_have_their_bits() {
    // RFC 9293 section 3.1, from the lowest bit: FIN SYN RST PSH ACK URG ECE CWR, and AE (RFC 9768) above them.
    use TcpFlags as T;
    let flags = [T::FIN, T::SYN, T::RST, T::PSH, T::ACK, T::URG, T::ECE, T::CWR, T::AE];
    assert_eq!(flags.map(|flag| flag.0), [1, 2, 4, 8, 16, 32, 64, 128, 256]);
    // 802.11-2020 clause 9.4.1.4: ESS is bit 0, privacy 4, short preamble 5, short slot time 10.
    use Capabilities as C;
    let flags = [C::ESS, C::PRIVACY, C::SHORT_PREAMBLE, C::SHORT_SLOT];
    assert_eq!(flags.map(|flag| flag.0), [1, 16, 32, 1024]);
    // radiotap.org, "Flags" and "Channel".
    use radiotap::Flags as F;
    let flags = [F::SHORT_PREAMBLE, F::FCS_AT_END, F::DATA_PAD, F::BAD_FCS];
    assert_eq!(flags.map(|flag| flag.0), [2, 16, 32, 64]);
    use ChannelFlags as K;
    let flags = [K::CCK, K::OFDM, K::BAND_2GHZ, K::BAND_5GHZ, K::DYNAMIC];
    assert_eq!(flags.map(|flag| flag.0), [32, 64, 128, 256, 1024]);
}

#[test]
fn flags_contain_all_or_not() {
    let flags = TcpFlags::SYN | TcpFlags::ACK;
    assert!(flags.contains(TcpFlags::SYN) && flags.contains(flags));
    assert!(!flags.contains(TcpFlags::SYN | TcpFlags::FIN));
    let flags = radiotap::Flags::FCS_AT_END | radiotap::Flags::DATA_PAD;
    assert!(flags.contains(flags) && !flags.contains(flags | radiotap::Flags::BAD_FCS));
    let flags = ChannelFlags::CCK | ChannelFlags::DYNAMIC;
    assert!(flags.contains(flags) && !flags.contains(flags | ChannelFlags::OFDM));
    let flags = Capabilities::ESS | Capabilities::PRIVACY;
    assert!(flags.contains(flags) && !flags.contains(flags | Capabilities::SHORT_PREAMBLE));
}

#[test]
fn fcs_of_the_crc_catalogue() {
    // The check value of CRC-32/ISO-HDLC, the CRC of IEEE 802.3, is cbf43926 for the digits 1 to 9; on the air its least
    // significant octet goes first (802.11-2020 clause 9.2.4.8).
    assert_eq!(fcs::compute(b"123456789"), [0x26, 0x39, 0xf4, 0xcb]);
    assert_eq!(fcs::strip(b"123456789\x26\x39\xf4\xcb"), Ok(&b"123456789"[..]));
    assert_eq!(fcs::strip(b"123456789\x26\x39\xf4\xca"), Err(Error::Checksum));
    assert_eq!(fcs::strip(b"123"), Err(Error::Truncated));
}

#[test]
fn ipv4_header() {
    // RFC 791 section 3.1. The sum of the words without checksum: 4500+0073+0000+4000+4011+c0a8+0001+c0a8+00c7 = 2479c,
    // folded 479e, complement b861.
    let octets = hex("45 00 0073 0000 4000 40 11 b861 c0a80001 c0a800c7");
    let repr = Ipv4Repr {
        protocol: Protocol::UDP,
        payload_len: 0x73 - 20,
        ..Ipv4Repr::new([192, 168, 0, 1].into(), [192, 168, 0, 199].into())
    };
    assert_eq!(emitted(|out| repr.emit(out).unwrap()), octets);
    assert_eq!(Ipv4Repr::parse(&octets), Ok((repr, &[][..])));
    assert_eq!(Ipv4Repr::checksum_ok(&octets), Ok(true));

    // DSCP 46 in the high six bits: b8; ECT(0) is 10 in the low two: ba. MF is bit 13, the offset the low 13 bits.
    let repr = Ipv4Repr {
        dscp: 46,
        ecn: Ecn::Ect0,
        ident: 0xbeef,
        dont_fragment: false,
        more_fragments: true,
        fragment_offset: 0x1234,
        ttl: 3,
        ..repr
    };
    let octets = emitted(|out| repr.emit(out).unwrap());
    assert_eq!(octets[..10], hex("45 ba 0073 beef 3234 03 11"));
    assert_eq!(Ipv4Repr::parse(&octets), Ok((repr, &[][..])));
}

#[test]
fn ipv4_options_and_padding() {
    // A header of six words (one word of NOPs), a total length of 25: one octet of payload. The two octets behind it are
    // padding of the link.
    let octets = hex("46 00 0019 0000 0000 40 06 0000 0a000001 0a000002 01010101 aa 0000");
    let (repr, payload) = Ipv4Repr::parse(&octets).unwrap();
    assert_eq!((repr.payload_len, payload), (1, &[0xaa][..]));
    assert_eq!(Ipv4Repr::checksum_ok(&octets), Ok(false));
    assert_eq!(Ipv4Repr::parse(&hex("65000014")), Err(Error::Unsupported("IP version")));
    assert_eq!(Ipv4Repr::parse(&octets[..23]), Err(Error::Truncated));
    let too_short = hex("45 00 0013 0000 0000 40 06 0000 0a000001 0a000002");
    assert_eq!(Ipv4Repr::parse(&too_short), Err(Error::Malformed("IPv4 total length")));
    let jumbo = Ipv4Repr { payload_len: 65516, ..repr };
    assert_eq!(jumbo.emit(&mut Vec::new()), Err(Error::TooLong("IPv4 total length")));
}

#[test]
fn a_mark_of_congestion() {
    // The header of `ipv4_header` with ECT(0), which adds 2 to its sum: checksum b85f. A mark adds another 1: b85e.
    let mut octets = hex("45 02 0073 0000 4000 40 11 b85f c0a80001 c0a800c7");
    let marked = hex("45 03 0073 0000 4000 40 11 b85e c0a80001 c0a800c7");
    for _ in 0..2 {
        Ipv4Repr::mark_congestion(&mut octets);
        assert_eq!(octets, marked);
    }
    // A wrong checksum stays as wrong as it was.
    let mut wrong = hex("45 02 0073 0000 4000 40 11 b860 c0a80001 c0a800c7");
    Ipv4Repr::mark_congestion(&mut wrong);
    assert_eq!(wrong[10..12], hex("b85f"));
    let mut cut = hex("45 02 0073");
    Ipv4Repr::mark_congestion(&mut cut);
    assert_eq!(cut, hex("45 02 0073"));
}

#[test]
fn a_packet_and_nothing_else() {
    let octets = hex("46 00 0019 0000 0000 40 06 0000 0a000001 0a000002 01010101 aa 00");
    assert_eq!(Ipv4Repr::parse_whole(&octets[..25]), Ipv4Repr::parse(&octets));
    assert_eq!(Ipv4Repr::parse_whole(&octets), Err(Error::Malformed("IPv4 total length")));
    assert_eq!(Ipv4Repr::parse_whole(&octets[..24]), Err(Error::Truncated));
}

#[test]
fn five_tuples() {
    let of = |text: &str| {
        let octets = hex(text);
        let (ip, payload) = Ipv4Repr::parse(&octets).unwrap();
        FiveTuple::of(&ip, payload)
    };
    // A SYN of Linux 6.18 to port 8080, and the SYN-ACK.
    let syn = FiveTuple {
        src: [10, 0, 0, 1].into(),
        dst: [10, 0, 0, 2].into(),
        protocol: Protocol::TCP,
        ports: (0x9f5e, 8080),
    };
    assert_eq!(of("45 00 003c a470 4000 40 06 8249 0a000001 0a000002 9f5e 1f90 f291e520"), syn);
    let answer = FiveTuple { src: syn.dst, dst: syn.src, ports: (8080, 0x9f5e), ..syn };
    assert_eq!(of("45 00 003c 0000 4000 40 06 26ba 0a000002 0a000001 1f90 9f5e c0960bb8"), answer);
    // Fragments (MF is bit 13), what is cut short, and what has no ports.
    let none = FiveTuple { ports: (0, 0), ..syn };
    assert_eq!(of("45 00 003c a470 2000 40 06 0000 0a000001 0a000002 9f5e 1f90 f291e520"), none);
    assert_eq!(of("45 00 003c a470 0001 40 06 0000 0a000001 0a000002 9f5e 1f90 f291e520"), none);
    assert_eq!(of("45 00 0017 a470 4000 40 06 0000 0a000001 0a000002 9f5e 1f"), none);
    let ping = FiveTuple { protocol: Protocol::ICMP, ..none };
    assert_eq!(of("45 00 0054 09d2 4000 40 01 1cd5 0a000001 0a000002 0800 e3e0 1d0b 0001"), ping);
}

#[test]
fn tcp_options_as_linux_lays_them_out() {
    let emit = |options| {
        let repr = TcpRepr { options, ..TcpRepr::default() };
        emitted(|out| repr.emit([0; 4].into(), [0; 4].into(), Payload::Zeros(0), out).unwrap()).split_off(20)
    };
    let timestamps = Some(Timestamps { value: 0x0a0b_0c0d, echo: 0x0102_0304 });
    // There is no room for a fifth block.
    let sack: SackBlocks = (1..=5).map(|n| SackBlock { left: n << 8, right: (n << 8) + 1 }).collect();

    // A SYN: MSS (2, 4), SACK permitted (4, 2) in front of timestamps (8, 10), NOP and window scale (3, 3).
    let syn = TcpOptions {
        mss: Some(1460),
        window_scale: Some(7),
        sack_permitted: true,
        timestamps,
        ..Default::default()
    };
    assert!(!syn.is_empty() && TcpOptions::default().is_empty());
    assert_eq!(emit(syn), hex("0204 05b4 0402 080a 0a0b0c0d 01020304 01 030307"));
    // Without timestamps the option is padded in front.
    let syn = TcpOptions { timestamps: None, ..syn };
    assert_eq!(emit(syn), hex("0204 05b4 01 01 0402 01 030307"));
    // Established: NOP NOP timestamps.
    let plain = TcpOptions { timestamps, ..Default::default() };
    assert_eq!(emit(plain), hex("0101 080a 0a0b0c0d 01020304"));
    // With SACK (5): 40 octets hold 12 of timestamps, 4 of NOP NOP kind length, and three blocks of 8 = 26 octets.
    let three = "0000010000000101 0000020000000201 0000030000000301";
    let both = TcpOptions { timestamps, sack, ..Default::default() };
    assert_eq!(emit(both), hex(&format!("0101 080a 0a0b0c0d 01020304 0101 051a {three}")));
    // Alone, four blocks: 2 + 32 = 34 octets.
    let alone = TcpOptions { sack, ..Default::default() };
    assert_eq!(emit(alone), hex(&format!("0101 0522 {three} 0000040000000401")));
}

#[test]
fn tcp_header() {
    // RFC 9293 section 3.1: data offset 5 in the high four bits; AE, CWR and ACK are 190. The checksum sums the pseudo
    // header (addresses, protocol 6, length 22), the header and the payload "hi", 6869.
    let repr = TcpRepr {
        src_port: 5000,
        dst_port: 40000,
        seq: 0x0102_0304,
        ack: 0xfffe_fffd,
        flags: TcpFlags::AE | TcpFlags::CWR | TcpFlags::ACK,
        window: 501,
        urgent: 7,
        options: TcpOptions::default(),
    };
    let (src, dst) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
    let mut octets = emitted(|out| repr.emit(src, dst, Payload::Bytes(b"hi"), out).unwrap());
    let words = [
        0x0a00_u32, 0x0001, 0x0a00, 0x0002, 0x0006, 0x0016, 0x1388, 0x9c40, 0x0102, 0x0304, 0xfffe, 0xfffd,
        0x5190, 0x01f5, 0x0007, 0x6869,
    ];
    let sum: u32 = words.iter().sum();
    let checksum = !((sum & 0xffff) + (sum >> 16)) as u16;
    assert_eq!(octets[..16], hex("1388 9c40 01020304 fffefffd 5190 01f5"));
    assert_eq!(octets[16..], [checksum.to_be_bytes(), [0, 7]].concat());
    octets.extend_from_slice(b"hi");
    assert_eq!(TcpRepr::parse(&octets), Ok((repr, &b"hi"[..])));
    assert!(TcpRepr::checksum_ok(src, dst, &octets));
    octets[20] ^= 1;
    assert!(!TcpRepr::checksum_ok(src, dst, &octets));
}

#[test]
fn tcp_options_that_lie() {
    let header = "1388 9c40 01020304 fffefffd";
    let parse = |rest: &str| TcpRepr::parse(&hex(&format!("{header} {rest}"))).map(|(repr, _)| repr.options);
    const LENGTH: Error = Error::Malformed("TCP option length");
    // One word of options: a kind of length 0, one that overruns the header, one without length, an MSS of three octets.
    assert_eq!(parse("6010 0000 0000 0000 02000000"), Err(LENGTH));
    assert_eq!(parse("6010 0000 0000 0000 02050000 00"), Err(LENGTH));
    assert_eq!(parse("6010 0000 0000 0000 01010108"), Err(LENGTH));
    assert_eq!(parse("6010 0000 0000 0000 02030000"), Err(LENGTH));
    // An unknown kind is skipped, and nothing behind the end mark counts.
    let options = parse("7010 0000 0000 0000 fd040000 00020405").unwrap();
    assert_eq!(options, TcpOptions::default());
    assert_eq!(parse("4010 0000 0000 0000"), Err(Error::Malformed("TCP data offset")));
    assert_eq!(parse("6010 0000 0000 0000 0101"), Err(Error::Truncated));
}

#[test]
fn udp_and_icmp_headers() {
    // RFC 768: pseudo header 0a00+0001+0a00+0002+0011+0009 = 141d; 0035+04d2+0009 = 0510; the payload 68, padded: 6800.
    // The sum is 812d, its complement 7ed2.
    let udp = UdpRepr { src_port: 53, dst_port: 1234 };
    let (src, dst) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
    let mut octets = emitted(|out| udp.emit(src, dst, Payload::Bytes(b"h"), out).unwrap());
    assert_eq!(octets, hex("0035 04d2 0009 7ed2"));
    octets.push(b'h');
    assert_eq!(UdpRepr::parse(&octets), Ok((udp, &b"h"[..])));
    assert!(UdpRepr::checksum_ok(src, dst, &octets));
    // Zero on the wire is no checksum, so nothing can be wrong with it.
    octets[6..8].copy_from_slice(&[0, 0]);
    assert!(UdpRepr::checksum_ok(src, dst, &octets));
    octets[7] = 1;
    assert!(!UdpRepr::checksum_ok(src, dst, &octets));
    // A computed zero is sent as ffff: the ports are chosen to complete the sum to ffff. Pseudo header of 8 octets 141c,
    // length 0008: 1424, so the ports must sum to ebdb.
    let udp = UdpRepr { src_port: 0xebdb, dst_port: 0 };
    assert_eq!(
        emitted(|out| udp.emit(src, dst, Payload::Zeros(0), out).unwrap()),
        hex("ebdb 0000 0008 ffff")
    );

    // RFC 792: type 8, code 0; 0800 + 0077 + 0003 = 087a, complement f785.
    let echo = EchoRepr { kind: EchoKind::Request, ident: 0x77, sequence: 3 };
    let octets = emitted(|out| echo.emit(Payload::Zeros(56), out));
    assert_eq!(octets, hex("08 00 f785 0077 0003"));
    assert_eq!(EchoRepr::parse(&octets), Ok((echo, &[][..])));
    assert!(EchoRepr::checksum_ok(&octets));
    assert!(EchoRepr::parse(&hex("03 01 0000 0000 0000")).is_err());
}

#[test]
fn link_headers() {
    let ethernet = EthernetRepr { dst: STA, src: AP, ethertype: EtherType::IPV4 };
    let octets = hex("02000000000a 020000000001 0800");
    assert_eq!((octets.len(), hex("aaaa030000000806").len()), (EthernetRepr::LEN, SnapRepr::LEN));
    assert_eq!(emitted(|out| ethernet.emit(out)), octets);
    assert_eq!(EthernetRepr::parse(&octets), Ok((ethernet, &[][..])));
    // Below 0600 the field is a length.
    assert!(EthernetRepr::parse(&hex("02000000000a 020000000001 05dc")).is_err());

    // RFC 1042: DSAP and SSAP aa, control 03, OUI 0, EtherType.
    let snap = SnapRepr { ethertype: EtherType::ARP };
    let octets = hex("aa aa 03 000000 0806");
    assert_eq!(emitted(|out| snap.emit(out)), octets);
    assert_eq!(SnapRepr::parse(&octets), Ok((snap, &[][..])));
    assert!(SnapRepr::parse(&hex("42 42 03 000000 0806")).is_err());
    assert_eq!(MacAddr([0x02, 0xab, 0, 0, 0, 0x0a]).to_string(), "02:ab:00:00:00:0a");
    assert!(MacAddr::BROADCAST.is_group() && !AP.is_group());
}

#[test]
fn radiotap_fields_in_place() {
    // radiotap.org: bits 0, 1, 2, 3, 5, 6, 19, 20 are 6f + 180000. TSFT at 8; flags at 16, rate at 17; channel aligned to
    // 2 at 18; signal at 22, noise at 23; MCS at 24; A-MPDU status aligned to 4 at 28; 36 in all.
    let repr = RadiotapRepr {
        tsft: Some(0x0102_0304_0506_0708),
        flags: Some(radiotap::Flags::FCS_AT_END | radiotap::Flags::SHORT_PREAMBLE),
        rate: Some(108),
        channel: Some(Channel { mhz: 5180, flags: ChannelFlags::OFDM | ChannelFlags::BAND_5GHZ }),
        signal_dbm: Some(-47),
        noise_dbm: Some(-95),
        mcs: Some(Mcs::new(15, Bandwidth::Mhz40, true)),
        ampdu: Some(AmpduStatus::new(0xcafe, true)),
        ..RadiotapRepr::default()
    };
    let octets = hex("00 00 2400 6f001800
         0807060504030201 12 6c 3c14 4001 d1 a1
         07 05 0f 00 feca0000 0c00 00 00");
    assert_eq!(emitted(|out| repr.emit(out)), octets);
    assert_eq!(RadiotapRepr::parse(&octets), Ok((repr, &[][..])));

    // Flags alone before the channel leave an octet to fill.
    let repr = RadiotapRepr {
        flags: Some(radiotap::Flags::FCS_AT_END),
        channel: Some(Channel { mhz: 2437, flags: ChannelFlags::CCK | ChannelFlags::BAND_2GHZ }),
        ampdu: Some(AmpduStatus::new(1, false)),
        ..RadiotapRepr::default()
    };
    let octets = hex("00 00 1800 0a001000 10 00 8509 a000 0000 01000000 0400 00 00");
    assert_eq!(emitted(|out| repr.emit(out)), octets);
    assert_eq!(RadiotapRepr::parse(&octets), Ok((repr, &[][..])));
}

/// radiotap.org, "TLV", "U-SIG" and "EHT", as Linux's iwlwifi fills them in and Wireshark 4.2 reads them: bits 0x22 | 1 << 28 of presence, flags, antenna signal, then
/// from a multiple of four item 33 of 12 octets and item 34 of 44. U-SIG: version and bandwidth known, 4 for 320 MHz (bits 15 to 17). EHT: the
/// guard interval known (0x4), 1.6 us (1 << 7) and 2x training fields (2 << 9); the user: MCS, coding and streams known (0x16) of the frame
/// itself (0x80), LDPC (1 << 19), MCS 13 (13 << 20), 2 streams (1 << 24: they count from zero).
#[test]
fn radiotap_items_of_802_11be_in_place() {
    let head = "0000 4c00 22000010 10 d8 0000";
    let usig_item = "2100 0c00 03000200 00000000 00000000";
    let eht_item = "2200 2c00 04000000 80040000 0000000000000000000000000000000000000000000000000000000000000000 9600d801";
    let octets = hex(&[head, usig_item, eht_item].concat());
    let repr = RadiotapRepr {
        flags: Some(radiotap::Flags::FCS_AT_END),
        signal_dbm: Some(-40),
        usig: Some(radiotap::Usig::new(320, 6105)),
        eht: Some(radiotap::Eht::new(13, 2, 1, 2)),
        ..RadiotapRepr::default()
    };
    assert_eq!(emitted(|out| repr.emit(out)), octets);
    assert_eq!(RadiotapRepr::parse(&octets), Ok((repr, &[][..])));
    let (usig, eht) = (repr.usig.unwrap(), repr.eht.unwrap());
    assert_eq!((usig.mhz(), eht.index(), eht.streams()), (Some(320), Some(13), Some(2)));
    assert_eq!(eht.guard_interval_ns(), Some(1600));
    // The code of 320 MHz says which row of channels it is: around 31, 95 and 159, or around 191.
    let code = |centre| radiotap::Usig::new(320, centre).0[0] >> 15 & 7;
    assert_eq!([6105, 6425, 6745, 6905].map(code), [4, 4, 4, 5]);
    assert_eq!(radiotap::Usig::new(320, 6905).mhz(), Some(320));
    assert_eq!(octets.len() - 12, RadiotapRepr::EHT_ITEMS_LEN as usize);
    // An item that nobody knows stands before them; one that is cut off ends the list, and nothing else.
    let unknown = hex(&["0000 5400 22000010 10 d8 0000 7700 0300 01020300", usig_item, eht_item].concat());
    assert_eq!(RadiotapRepr::parse(&unknown), Ok((repr, &[][..])));
    let cut = hex("0000 2400 22000010 10 d8 0000 2100 0c00 03000200 00000000 00000000 2200 2c00 04000000");
    assert_eq!(RadiotapRepr::parse(&cut), Ok((RadiotapRepr { eht: None, ..repr }, &[][..])));
}

#[test]
fn radiotap_skips_what_it_does_not_know() {
    // Every defined field below the type-length-value bit at once: sizes and alignments of radiotap.org, with the
    // A-MPDU reference and the frame as witnesses. Offsets: TSFT 8, flags 16, rate 17, channel 18, FHSS 22, signal 24,
    // noise 25, lock quality 26, attenuation 28 and 30, power 32, antenna 33, dB signal 34, dB noise 35, RX flags 36,
    // TX flags 38, retries 40 and 41, XChannel aligned to 4 at 44, MCS 52, A-MPDU aligned to 4 at 56, VHT 64, timestamp
    // aligned to 8 at 80, HE 92, HE-MU 104, HE-MU-other-user 116, 0-length PSDU 122, L-SIG aligned to 2 at 124: 128.
    let mut octets = hex("00 00 8000 ffffff0f");
    octets.resize(128, 0xee);
    octets[8..16].copy_from_slice(&hex("1100000000000000"));
    octets[16..18].copy_from_slice(&hex("10 0c"));
    octets[24..26].copy_from_slice(&hex("c0 a0"));
    octets[52..55].copy_from_slice(&hex("02 00 03"));
    octets[56..64].copy_from_slice(&hex("78563412 0400 00 00"));
    octets.extend_from_slice(b"frame");
    let (repr, frame) = RadiotapRepr::parse(&octets).unwrap();
    assert_eq!(
        (repr.tsft, repr.rate, repr.signal_dbm, repr.noise_dbm),
        (Some(0x11), Some(12), Some(-64), Some(-96))
    );
    assert_eq!(repr.ampdu, Some(AmpduStatus::new(0x1234_5678, false)));
    let mcs = repr.mcs.unwrap();
    assert_eq!((mcs.index(), mcs.bandwidth(), mcs.short_guard_interval()), (Some(3), None, None));
    assert_eq!(frame, b"frame");

    // VHT (12 octets, aligned to 2), timestamp (12, aligned to 8) and HE, then a second word of the radiotap namespace
    // with the signal of one antenna: bits 1, 21, 22, 23, 29 and 31, then bits 5 and 11. Fields from 12: flags, VHT from
    // 14 to 26, timestamp from 32 to 44, HE to 56, signal 56, antenna 57.
    let mut octets = hex("00 00 3a00 0200e0a0 20080000");
    octets.resize(58, 0xee);
    octets[56] = 0xb0;
    assert_eq!(RadiotapRepr::parse(&octets).unwrap().0.signal_dbm, Some(-80));

    // Flags, then a vendor's namespace with 3 octets, then the radiotap namespace with a rate. Words: flags, vendor and
    // more (bits 1, 30, 31); vendor's bits 0 and 5 with reset and more (29, 31); rate (bit 2). Fields from 16: flags,
    // padding, vendor field of 6 octets from 18, its data from 24 to 27, rate at 27.
    let octets = hex("00 00 1c00 020000c0 210000a0 04000000 10 00 001122 05 0300 eeeeee 16");
    let (repr, _) = RadiotapRepr::parse(&octets).unwrap();
    assert_eq!((repr.flags, repr.rate, repr.tsft), (Some(radiotap::Flags::FCS_AT_END), Some(0x16), None));

    // The second antenna's signal does not replace the first.
    let octets = hex("00 00 1200 200000a0 20000000 00000000");
    assert_eq!(RadiotapRepr::parse(&octets[..12]).unwrap_err(), Error::Truncated);
    let octets = hex("00 00 0e00 200000a0 20000000 c4 b0");
    assert_eq!(RadiotapRepr::parse(&octets).unwrap().0.signal_dbm, Some(-60));

    // Bit 28: items of type, length and value to the end of the header. What stood before them counts.
    let octets = hex("00 00 1400 02000010 10 000000 2000 0400 00000000 aa");
    let (repr, frame) = RadiotapRepr::parse(&octets).unwrap();
    assert_eq!((repr.flags, frame), (Some(radiotap::Flags::FCS_AT_END), &[0xaa][..]));
}

#[test]
fn radiotap_fields_one_by_one() {
    // radiotap.org: bit, alignment and size of each field. Each stands behind an octet of flags, so that its alignment
    // shows, and in front of a second word's signal, which needs none, so that its size shows.
    let fields = [
        (2, 1, 1),
        (3, 2, 4),
        (4, 2, 2),
        (6, 1, 1),
        (7, 2, 2),
        (8, 2, 2),
        (9, 2, 2),
        (10, 1, 1),
        (11, 1, 1),
        (12, 1, 1),
        (13, 1, 1),
        (14, 2, 2),
        (15, 2, 2),
        (16, 1, 1),
        (17, 1, 1),
        (18, 4, 8),
        (19, 1, 3),
        (20, 4, 8),
        (21, 2, 12),
        (22, 8, 12),
        (23, 2, 12),
        (24, 2, 12),
        (25, 2, 6),
        (26, 1, 1),
        (27, 2, 4),
    ];
    for (bit, align, size) in fields {
        let mut octets = hex("00 00 0000 020000a0 20000000 10");
        octets[4 + bit / 8] |= 1 << (bit % 8);
        octets.resize(13_usize.next_multiple_of(align) + size, 0xee);
        octets.push(0xb0);
        octets[2] = octets.len() as u8;
        let (repr, _) = RadiotapRepr::parse(&octets).unwrap();
        assert_eq!(
            (repr.flags, repr.signal_dbm),
            (Some(radiotap::Flags::FCS_AT_END), Some(-80)),
            "field {bit}"
        );
    }
}

#[test]
fn mcs_tells_only_what_is_known() {
    // radiotap.org, "MCS": known 01 bandwidth, 02 index, 04 guard interval; flags 03 bandwidth, 04 short guard interval.
    let known_fields = |known| {
        let mcs = Mcs { known, flags: 0x06, index: 9 };
        (mcs.bandwidth(), mcs.index(), mcs.short_guard_interval())
    };
    assert_eq!(known_fields(0x01), (Some(Bandwidth::Mhz20Lower), None, None));
    assert_eq!(known_fields(0x02), (None, Some(9), None));
    assert_eq!(known_fields(0x04), (None, None, Some(true)));
    let octets = |bandwidth, short| {
        let mcs = Mcs::new(7, bandwidth, short);
        (mcs.known, mcs.flags, mcs.index, mcs.bandwidth() == Some(bandwidth))
    };
    assert_eq!(octets(Bandwidth::Mhz20, false), (7, 0, 7, true));
    assert_eq!(octets(Bandwidth::Mhz40, true), (7, 5, 7, true));
    assert_eq!(octets(Bandwidth::Mhz20Lower, false), (7, 2, 7, true));
    assert_eq!(octets(Bandwidth::Mhz20Upper, false), (7, 3, 7, true));
}

#[test]
fn radiotap_that_lies() {
    let beyond = Err(Error::Malformed("radiotap field beyond the header"));
    // Presence words that never end; a field past the header although octets follow it; a vendor that skips too far.
    assert_eq!(RadiotapRepr::parse(&hex("00 00 0c00 00000080 00000080 00000000")), beyond);
    assert_eq!(RadiotapRepr::parse(&hex("00 00 0800 02000000 10")), beyond);
    assert_eq!(RadiotapRepr::parse(&hex("00 00 1200 000000c0 00000000 001122 00 ffff")), beyond);
    assert_eq!(RadiotapRepr::parse(&hex("00 00 0700 00000000")), Err(Error::Malformed("radiotap length")));
    assert_eq!(RadiotapRepr::parse(&hex("00 00 0900 00000000")), Err(Error::Truncated));
    assert_eq!(RadiotapRepr::parse(&hex("01 00 0800 00000000")), Err(Error::Unsupported("radiotap version")));
}

#[test]
fn control_frames() {
    // 802.11-2020 clause 9.2.4.1: subtype in the high four bits, type 01 in bits 2 and 3: RTS 1011 01 00 is b4, CTS c4,
    // Ack d4, BlockAckReq 84, BlockAck 94. Then duration, receiver, transmitter.
    let frames = [
        (
            ControlRepr::Rts { duration: 0x1234, receiver: STA, transmitter: AP },
            "b400 3412 02000000000a 020000000001",
        ),
        (ControlRepr::Cts { duration: 314, receiver: STA }, "c400 3a01 02000000000a"),
        (ControlRepr::PsPoll { aid: 1, bssid: AP, transmitter: STA }, "a400 01c0 020000000001 02000000000a"),
        (ControlRepr::Ack { duration: 0, receiver: STA }, "d400 0000 02000000000a"),
        // BAR control: TID 6 in bits 12 to 15, compressed (2) in bits 1 to 4: 6004. Start 2748 = abc, shifted by 4: abc0.
        (
            ControlRepr::BlockAckReq {
                duration: 44,
                receiver: STA,
                transmitter: AP,
                policy: BarPolicy::Normal,
                tid: 6,
                start: 0xabc,
            },
            "8400 2c00 02000000000a 020000000001 0460 c0ab",
        ),
        // The same with no acknowledgment (bit 0): 0005. The bitmap's bit 0, the start itself, is the low bit of the
        // first octet; bit 63 the high bit of the last.
        (
            ControlRepr::BlockAck {
                duration: 0,
                receiver: AP,
                transmitter: STA,
                policy: BarPolicy::NoAck,
                tid: 0,
                start: 4095,
                bitmap: Acknowledged::Of64(1 | 1 << 9 | 1 << 63),
            },
            "9400 0000 020000000001 02000000000a 0500 f0ff 0102000000000080",
        ),
        // One of 256 MPDUs: 4 in the fragment number, 32 octets of which the last holds bit 255.
        (
            ControlRepr::BlockAck {
                duration: 0,
                receiver: AP,
                transmitter: STA,
                policy: BarPolicy::NoAck,
                tid: 0,
                start: 4095,
                bitmap: Acknowledged::Of256([1, 2, 0, 1 << 63]),
            },
            "9400 0000 020000000001 02000000000a 0500 f4ff 0100000000000000 0200000000000000 0000000000000000 0000000000000080",
        ),
    ];
    for (repr, octets) in frames {
        let octets = hex(octets);
        assert_eq!(emitted(|out| repr.emit(out)), octets);
        assert_eq!(Frame::parse(&octets), Ok(Frame::Control(repr)));
        assert_eq!(Frame::parse(&octets[..octets.len() - 1]), Err(Error::Truncated));
    }
    // 802.11be-2024 table 9-37: of 512 and of 1,024 MPDUs, 8 and 10 in the fragment number.
    for (fragment, octets) in [("f8", 64), ("fa", 128)] {
        let head = format!("9400 0000 020000000001 02000000000a 0500 {fragment}ff 0200000000000000");
        let frame = hex(&(head + &"00".repeat(octets - 9) + "80"));
        let Ok(Frame::Control(ControlRepr::BlockAck { bitmap, start: 4095, .. })) = Frame::parse(&frame)
        else {
            panic!("{fragment}")
        };
        assert_eq!((bitmap.size(), bitmap.count(), bitmap.span()), (8 * octets as u16, 2, 8 * octets as u16));
        assert!(bitmap.contains(1) && bitmap.contains(bitmap.size() - 1));
    }
    // A BlockAck of 32 MPDUs (fragment number 6), and one of the multi-TID kind (3).
    let long = hex("9400 0000 020000000001 02000000000a 0500 06000000000000000000");
    assert!(matches!(Frame::parse(&long), Err(Error::Unsupported(_))));
    let multi = hex("9400 0000 020000000001 02000000000a 0600 00000000000000000000");
    assert!(matches!(Frame::parse(&multi), Err(Error::Unsupported(_))));
}

#[test]
fn data_frames() {
    // QoS data is subtype 8, type 2: 88. Second octet: from DS 02, retry 08, more data 20.
    let down = DataRepr {
        flags: Flags { retry: true, more_data: true, ..Flags::default() },
        duration: 44,
        qos: Some(Qos { tid: 6, ..Qos::default() }),
        ..DataRepr::new(Addressing::FromDs { destination: STA, bssid: AP, source: HOST }, 1234)
    };
    // Sequence 1234 = 4d2, shifted by 4: 4d20.
    let octets = hex("882a 2c00 02000000000a 020000000001 020000000063 204d 0600");
    assert_eq!(emitted(|out| down.emit(out)), octets);
    assert_eq!(Frame::parse(&octets), Ok(Frame::Data { header: down, body: &[] }));
    assert_eq!(down.header_len(), 26);

    // A null frame is subtype 4: 48. To DS 01 and power management 10.
    let null = DataRepr {
        flags: Flags { power_management: true, ..Flags::default() },
        null: true,
        duration: 60,
        ..DataRepr::new(Addressing::ToDs { bssid: AP, source: STA, destination: AP }, 4095)
    };
    let octets = hex("4811 3c00 020000000001 02000000000a 020000000001 f0ff");
    assert_eq!(emitted(|out| null.emit(out)), octets);
    assert_eq!(Frame::parse(&octets), Ok(Frame::Data { header: null, body: &[] }));

    // A QoS null frame is c8. QoS: TID 7, end of service period (10), policy 3 (60), A-MSDU (80): f7; then the octet of
    // the queue. With both DS bits the fourth address comes behind the sequence; +HTC (80) adds the HT Control field.
    let relay = DataRepr {
        null: true,
        qos: Some(Qos { tid: 7, eosp: true, ack_policy: AckPolicy::BlockAck, amsdu: true, high: 9 }),
        ht_control: Some(0x0102_0304),
        sequence: SequenceControl { number: 1, fragment: 2 },
        ..DataRepr::new(
            Addressing::Relay { receiver: AP, transmitter: STA, destination: HOST, source: STA },
            1,
        )
    };
    let octets = hex("c883 0000 020000000001 02000000000a 020000000063 1200 02000000000a f709 04030201");
    assert_eq!(emitted(|out| relay.emit(out)), octets);
    assert_eq!(Frame::parse(&octets), Ok(Frame::Data { header: relay, body: &[] }));
    assert_eq!(relay.header_len(), 36);

    // Protocol version 1, the extension type, and Data + CF-Ack are not known.
    for octets in ["8900", "0c00", "1800"] {
        let octets = [hex(octets), vec![0; 40]].concat();
        assert!(matches!(Frame::parse(&octets), Err(Error::Unsupported(_))));
    }
}

#[test]
fn beacon() {
    let mut map = TrafficMap::default();
    map.set(5, true).unwrap();
    let bss = BssDescription {
        timestamp: 0x0000_0001_0203_0405,
        interval: 100,
        capabilities: Capabilities::ESS | Capabilities::SHORT_SLOT,
        ssid: b"loom",
        rates: &[0x8c, 0x12],
        extended_rates: &[0x60],
        channel: Some(6),
        ht_capabilities: Some(HtCapabilities {
            info: HtCapabilities::WIDE | HtCapabilities::SHORT_GI_20,
            ampdu: 0x1b,
            mcs_set: [0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
            ..HtCapabilities::default()
        }),
        ht_operation: Some(HtOperation { primary_channel: 6, info: [5, 0, 0, 0, 0], basic_mcs_set: [0; 16] }),
        ..BssDescription::default()
    };
    let beacon = ManagementRepr {
        flags: Flags::default(),
        duration: 0,
        destination: MacAddr::BROADCAST,
        source: AP,
        bssid: AP,
        sequence: SequenceControl { number: 77, fragment: 0 },
        ht_control: None,
        body: ManagementBody::Beacon { bss, tim: Some(map.tim(0, 3, true)) },
    };
    // Subtype 8, type 0: 80. 77 = 4d, shifted by 4: 04d0. Elements in the order of 802.11-2020 table 9-32.
    let octets = hex("8000 0000 ffffffffffff 020000000001 020000000001 d004
         0504030201000000 6400 0104
         00 04 6c6f6f6d
         01 02 8c12
         03 01 06
         05 04 00 03 01 20
         32 01 60
         2d 1a 2200 1b ffff00000000000000000000 01000000 0000 00000000 00
         3d 16 06 0500000000 00000000000000000000000000000000");
    assert_eq!(emitted(|out| beacon.emit(out).unwrap()), octets);
    assert_eq!(Frame::parse(&octets), Ok(Frame::Management(beacon)));
    assert_eq!(Frame::parse(&octets[..octets.len() - 1]), Err(Error::Truncated));

    let too_long = ManagementRepr {
        body: ManagementBody::ProbeResponse(BssDescription { ssid: &[0; 33], ..bss }),
        ..beacon
    };
    let mut out = vec![1, 2];
    assert_eq!(too_long.emit(&mut out), Err(Error::TooLong("SSID")));
    assert_eq!(out, [1, 2], "nothing is appended");
}

#[test]
fn traffic_indication_map() {
    // 802.11-2020 clause 9.4.2.5.1: AID n is bit n mod 8 of octet n / 8. N1 is the largest even number such that the
    // octets before it are zero, N2 the last octet that is not; the offset field holds N1 / 2.
    let mut map = TrafficMap::default();
    // Nothing held: one octet of zero.
    assert_eq!(
        map.tim(1, 3, false),
        Tim { dtim_count: 1, dtim_period: 3, group_traffic: false, offset: 0, bitmap: &[0] }
    );
    // AIDs 2 and 7: bits 2 and 7 of octet 0. AIDs 22 and 24: bit 6 of octet 2 and bit 0 of octet 3.
    map.set(2, true).unwrap();
    map.set(7, true).unwrap();
    assert_eq!(map.tim(0, 1, false).bitmap, [0x84]);
    map.set(22, true).unwrap();
    map.set(24, true).unwrap();
    assert_eq!((map.tim(0, 1, true).offset, map.tim(0, 1, true).bitmap), (0, &[0x84, 0, 0x40, 1][..]));
    // Without 2, 7 and 22 the first octet is 3, so N1 is 2.
    for aid in [2, 7, 22] {
        map.set(aid, false).unwrap();
    }
    let tim = map.tim(0, 1, true);
    assert_eq!((tim.offset, tim.bitmap), (1, &[0, 1][..]));
    assert!(tim.holds_for(24));
    assert!(!tim.holds_for(8) && !tim.holds_for(23) && !tim.holds_for(25) && !tim.holds_for(2007));
    assert!(map.set(0, true).is_err() && map.set(2008, true).is_err());
    map.set(2007, true).unwrap();
    assert!(map.tim(0, 1, true).holds_for(2007));
    // The whole map has 251 octets; more than that, or none, cannot be written.
    map.set(1, true).unwrap();
    assert_eq!(map.tim(0, 1, true).bitmap.len(), 251);
    let emit = |bitmap| {
        let tim = Some(Tim { bitmap, ..map.tim(0, 1, true) });
        let body = ManagementBody::Beacon { bss: BssDescription::default(), tim };
        management(body).emit(&mut Vec::new())
    };
    assert_eq!(emit(&[1; 251]), Ok(()));
    assert_eq!(emit(&[1; 252]), Err(Error::TooLong("TIM bitmap")));
    assert_eq!(emit(&[]), Err(Error::TooLong("TIM bitmap")));
}

fn management(body: ManagementBody<'_>) -> ManagementRepr<'_> {
    ManagementRepr {
        flags: Flags::default(),
        duration: 0,
        destination: AP,
        source: STA,
        bssid: AP,
        sequence: SequenceControl { number: 1, fragment: 0 },
        ht_control: None,
        body,
    }
}

#[test]
fn probes_block_ack_agreements_and_ends_of_associations() {
    let header = "0000 020000000001 02000000000a 020000000001 1000";
    // Parameters: A-MSDU bit 0, immediate bit 1, TID from bit 2, buffer size from bit 6: 1 + 2 + 5 * 4 + 64 * 64 = 1017.
    let parameters = AddBaParameters { amsdu: true, immediate: true, tid: 5, buffer_size: 64 };
    let frames = [
        // Category 3; action 0; token; parameters; timeout; start 4000 = fa0, shifted by 4: fa00.
        (
            ManagementBody::AddBaRequest { dialog_token: 9, parameters, timeout: 0x102, start: 4000 },
            format!("d000 {header} 03 00 09 1710 0201 00fa"),
        ),
        // Action 1; token; status 37 (request declined); parameters; timeout.
        (
            ManagementBody::AddBaResponse { dialog_token: 9, status: 37, parameters, timeout: 0 },
            format!("d000 {header} 03 01 09 2500 1710 0000"),
        ),
        (ManagementBody::Disassociation { reason: 34 }, format!("a000 {header} 2200")),
        (ManagementBody::Deauthentication { reason: 7 }, format!("c000 {header} 0700")),
        // Category 10; action 7; token; mode; timer 98; valid for 100; neighbor report of 13 octets.
        (
            ManagementBody::TransitionRequest(TRANSITION),
            format!("d000 {header} 0a 07 01 07 6200 64 340d 02000000000b 0f080000 77 34 09"),
        ),
        // Action 8; token; status; no delay; where it goes.
        (
            ManagementBody::TransitionResponse {
                dialog_token: 1,
                status: 0,
                target: Some(MacAddr([2, 0, 0, 0, 0, 11])),
            },
            format!("d000 {header} 0a 08 01 00 00 02000000000b"),
        ),
        // Category 5; action 4; token. Action 5; token; a neighbor report of 13 octets.
        (ManagementBody::NeighborRequest { dialog_token: 1 }, format!("d000 {header} 05 04 01")),
        (
            ManagementBody::NeighborReport { dialog_token: 1, elements: &hex(NEIGHBOR) },
            format!("d000 {header} 05 05 01 {NEIGHBOR}"),
        ),
        (
            ManagementBody::TransitionResponse { dialog_token: 1, status: 7, target: None },
            format!("d000 {header} 0a 08 01 07 00"),
        ),
        (
            ManagementBody::ProbeRequest {
                ssid: b"",
                rates: &[2, 4],
                extended_rates: &[0x6c],
                channel: Some(11),
            },
            format!("4000 {header} 0000 0102 0204 3201 6c 0301 0b"),
        ),
        (
            ManagementBody::ProbeResponse(BssDescription {
                ssid: b"x",
                interval: 100,
                ..BssDescription::default()
            }),
            format!("5000 {header} 0000000000000000 6400 0000 0001 78"),
        ),
    ];
    for (body, octets) in frames {
        let octets = hex(&octets);
        assert_eq!(emitted(|out| management(body).emit(out).unwrap()), octets);
        assert_eq!(Frame::parse(&octets), Ok(Frame::Management(management(body))));
    }
    // Elements that lie: an SSID of 33 octets, a TIM without bitmap, HT Capabilities one octet short, no channel.
    for (id, len) in [(0, 33), (5, 3), (45, 25), (61, 23), (3, 0), (1, 9)] {
        let octets =
            [hex(&format!("8000 {header} 0000000000000000 6400 0000")), vec![id, len], vec![0; len.into()]];
        assert!(matches!(Frame::parse(&octets.concat()), Err(Error::Malformed(_))), "element {id}");
    }
}

/// A whole record of the air with a data frame of 1448 octets of payload.
fn air_frame(fcs: Fcs) -> AirFrame<'static> {
    AirFrame {
        radiotap: RadiotapRepr { rate: Some(12), ..RadiotapRepr::default() },
        mpdu: Mpdu::Packet(
            DataRepr::new(Addressing::FromDs { destination: STA, bssid: AP, source: HOST }, 7),
            Packet {
                ip: Ipv4Repr::new([10, 0, 0, 1].into(), [10, 0, 0, 2].into()),
                transport: Transport::Tcp(TcpRepr { src_port: 5000, dst_port: 40000, ..TcpRepr::default() }),
                payload: Payload::Zeros(1448),
            },
        ),
        fcs,
    }
}

#[test]
fn a_cut_record_is_the_front_of_the_whole() {
    // Radiotap 10, 802.11 24, LLC 8, IPv4 20, TCP 20, payload 1448, FCS 4.
    const WHOLE: usize = 10 + 24 + 8 + 20 + 20 + 1448 + 4;
    let whole = emitted(|out| assert_eq!(air_frame(Fcs::Good).emit(usize::MAX, out), Ok(WHOLE)));
    assert_eq!(whole.len(), WHOLE);
    assert!(fcs::strip(&whole[10..]).is_ok());
    for room in 0..=WHOLE + 1 {
        let cut = emitted(|out| assert_eq!(air_frame(Fcs::Good).emit(room, out), Ok(WHOLE)));
        assert_eq!(cut, whole[..room.min(WHOLE)], "cut to {room}");
    }
    // The checksum covers the zeros that are not there.
    let (ip, segment) = Ipv4Repr::parse(&whole[42..WHOLE - 4]).unwrap();
    assert!(TcpRepr::checksum_ok(ip.src, ip.dst, segment));
    let bytes = Packet {
        payload: Payload::Bytes(&[0; 1448]),
        ..match air_frame(Fcs::Good).mpdu {
            Mpdu::Packet(_, packet) => packet,
            Mpdu::Frame(_) => unreachable!(),
        }
    };
    assert_eq!(emitted(|out| assert_eq!(bytes.emit(usize::MAX, out), Ok(1488))), whole[42..WHOLE - 4]);
}

#[test]
fn a_record_of_a_short_frame() {
    // Radiotap 8 + 1 of flags, Ack 10, FCS 4; the Ack's check sequence is scapy's (2.8.0).
    let ack = ControlRepr::Ack { duration: 0, receiver: STA };
    let mpdu = Mpdu::Frame(Frame::Control(ack));
    let frame = AirFrame { radiotap: RadiotapRepr::default(), mpdu, fcs: Fcs::Good };
    let whole = hex("00 00 0900 02000000 10 d400 0000 02000000000a 500f6d18");
    for room in 0..30 {
        let cut = emitted(|out| assert_eq!(frame.emit(room, out), Ok(whole.len())));
        assert_eq!(cut, whole[..room.min(whole.len())]);
    }
}

#[test]
fn a_corrupted_frame_says_so_twice() {
    let octets = emitted(|out| _ = air_frame(Fcs::Bad).emit(usize::MAX, out));
    let (radiotap, frame) = RadiotapRepr::parse(&octets).unwrap();
    assert!(radiotap.flags.unwrap().contains(radiotap::Flags::BAD_FCS | radiotap::Flags::FCS_AT_END));
    assert_eq!(fcs::strip(frame), Err(Error::Checksum));
}

#[test]
fn a_packet_too_long_leaves_no_trace() {
    let mut frame = air_frame(Fcs::Good);
    if let Mpdu::Packet(_, packet) = &mut frame.mpdu {
        packet.payload = Payload::Zeros(65496);
    }
    let mut out = vec![9];
    assert_eq!(frame.emit(64, &mut out), Err(Error::TooLong("IPv4 total length")));
    assert_eq!(out, [9]);
    if let Mpdu::Packet(_, packet) = &mut frame.mpdu {
        packet.payload = Payload::Zeros(65495);
    }
    assert!(frame.emit(64, &mut out).is_ok());
}

/// An access point on channel 52.
const NEIGHBOR: &str = "340d 02000000000b 0f080000 77 34 09";

/// West asks to go to channel 52, within 98 beacon intervals.
const TRANSITION: TransitionRequest = TransitionRequest {
    dialog_token: 1,
    mode: TransitionRequest::CANDIDATES | TransitionRequest::ABRIDGED | TransitionRequest::IMMINENT,
    timer: 98,
    validity: 100,
    candidate: Some(Neighbour {
        bssid: MacAddr([2, 0, 0, 0, 0, 11]),
        info: 0x80f,
        class: 119,
        channel: 52,
        phy: 9,
    }),
};
