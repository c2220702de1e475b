//! What other machines' captures have in front of their packets, which is only read, against octets worked by hand.

use crate::{emitted, hex};
use airloom_wire::ieee80211::{AnyFrame, Subtype};
use airloom_wire::radiotap;
use airloom_wire::{CookedRepr, Ecn, Error, EtherType, Ipv6Repr, MacAddr, PrismRepr, Protocol, RadiotapRepr};

#[test]
fn radiotap_rates_of_802_11ac_and_ax() {
    // Bits 1, 21 and 23: flags at 8; VHT aligned to 2 at 10, HE at 22. VHT: known, flags (short guard interval), width (4: 80 MHz),
    // users (MCS 9, two streams, of the first). HE: six words; MCS and width known (0x4020), guard interval known (0x0002), MCS 11 in
    // bits 8 to 11 of the third, width 3 (160 MHz) and guard interval 1 (1.6 us) in the fifth, two streams in the sixth.
    let octets = hex("00 00 2200 0200a000 10 00
         ff01 04 04 92000000 00000000
         2040 0200 000b 0000 1300 0200");
    let repr = RadiotapRepr::parse(&octets).unwrap().0;
    let (vht, he) = (repr.vht.unwrap(), repr.he.unwrap());
    assert_eq!((vht.index_and_streams(), vht.mhz(), vht.short_guard_interval()), (Some((9, 2)), 80, true));
    assert_eq!((he.index(), he.streams(), he.mhz()), (Some(11), 2, Some(160)));
    assert_eq!(he.guard_interval_ns(), Some(1600));
    assert_eq!(emitted(|out| repr.emit(out)), octets);
    // What is not known is not told.
    let unknown = radiotap::He([0; 6]);
    assert_eq!((unknown.index(), unknown.mhz(), unknown.guard_interval_ns()), (None, None, None));
}

#[test]
fn cooked_headers_and_ipv6() {
    // tcpdump.org: packet type 4 (sent by us), ARPHRD 1, six octets of address in eight, EtherType.
    let first = hex("0004 0001 0006 020000000001 0000 86dd 60");
    let cooked = CookedRepr { sent: true, ethertype: EtherType::IPV6 };
    assert_eq!(CookedRepr::parse(&first), Ok((cooked, &[0x60][..])));
    // EtherType, reserved, interface 3, ARPHRD 1, packet type 0 (to us), six octets of address in eight.
    let second = hex("0800 0000 00000003 0001 00 06 020000000001 0000 45");
    let cooked = CookedRepr { sent: false, ethertype: EtherType::IPV4 };
    assert_eq!(CookedRepr::parse_second(&second), Ok((cooked, &[0x45][..])));
    assert_eq!(CookedRepr::parse(&first[..15]), Err(Error::Truncated));

    // RFC 8200: version 6, class 0xb9 (DSCP 46, ECT(1)); payload 8 + 8 + 2; hop-by-hop options of 8 octets (next: fragment), a
    // fragment header (next: UDP) with offset zero, two octets of payload and one that pads the link.
    let mut octets = hex("6b900000 0012 00 40
         fe800000000000000000000000000001 fe800000000000000000000000000002
         2c00 010400000000 1100 0001 12345678 abcd ee");
    let (ip, payload) = Ipv6Repr::parse(&octets).unwrap();
    assert_eq!((ip.protocol, ip.dscp, ip.ecn, ip.later_fragment), (Protocol::UDP, 46, Ecn::Ect1, false));
    assert_eq!((ip.payload_len, payload), (Some(2), &[0xab, 0xcd][..]));
    assert_eq!((ip.src.to_string(), ip.dst.to_string()), ("fe80::1".to_owned(), "fe80::2".to_owned()));
    octets[51] = 8;
    assert!(Ipv6Repr::parse(&octets).unwrap().0.later_fragment);
    octets[5] = 0x0f;
    assert_eq!(Ipv6Repr::parse(&octets), Err(Error::Malformed("IPv6 payload length")));
}

#[test]
fn headers_of_prism() {
    // Code, length 24 + 3 x 12, name; then items: channel 6, signal -60 dBm, rate 22; the noise has no value (status 1).
    let start = "44000000 48000000 776c616e3000000000000000 00000000";
    let items = "44000300 0000 0400 06000000  44000600 0000 0400 c4ffffff
         44000800 0000 0400 16000000  44000700 0100 0400 a0ffffff";
    let octets = hex(&format!("{start} {items} d400"));
    let told = PrismRepr { channel: Some(6), signal_dbm: Some(-60), noise_dbm: None, rate: Some(22) };
    assert_eq!(PrismRepr::parse(&octets), Ok((told, &[0xd4, 0][..])));
    // AVS: version 1, eight octets long.
    let avs = hex("80211001 00000008 d400");
    assert_eq!(PrismRepr::parse(&avs), Ok((PrismRepr::default(), &[0xd4, 0][..])));
    assert_eq!(PrismRepr::parse(&avs[..7]), Err(Error::Truncated));
    assert!(PrismRepr::parse(&hex("45000000 00000000")).is_err());
}

#[test]
fn the_first_octets_of_any_frame() {
    // A PS-Poll: association identifier 1 with its two high bits, BSSID, transmitter.
    let poll = AnyFrame::parse(&hex("a400 01c0 020000000001 020000000002")).unwrap();
    assert_eq!((poll.subtype, poll.duration), (Subtype::PsPoll, 0xc001));
    assert_eq!(
        (poll.receiver, poll.transmitter),
        (MacAddr([2, 0, 0, 0, 0, 1]), Some(MacAddr([2, 0, 0, 0, 0, 2])))
    );
    // A reassociation request that was cut within its third address, and one whose sequence number is 5.
    let whole = hex("2008 3c00 020000000001 020000000002 020000000001 5000");
    let cut = AnyFrame::parse(&whole[..20]).unwrap();
    assert_eq!(cut.subtype, Subtype::Association { again: true, response: false });
    assert_eq!((cut.flags.retry, cut.third, cut.sequence), (true, None, None));
    assert_eq!(AnyFrame::parse(&whole).unwrap().sequence.unwrap().number, 5);
    // An ACK has one address, whatever follows it.
    assert_eq!(AnyFrame::parse(&hex("d400 0000 020000000001 1122334455667788")).unwrap().transmitter, None);
    assert_eq!(AnyFrame::parse(&hex("d400 0000 0200000000")), Err(Error::Truncated));
}
