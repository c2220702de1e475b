//! Single frames.

use airloom_wire::ieee80211::{Frame, fcs};
use airloom_wire::{
    EchoRepr, Error, EtherType, EthernetRepr, HdlcRepr, Ipv4Repr, Payload, PpiRepr, Protocol, RadiotapRepr,
    SackBlocks, SnapRepr, TcpOptions, TcpRepr, UdpRepr, logged_packet, session, without_family,
};
use std::fmt::Debug;

/// Reads a frame of the air or of Ethernet as far up as it goes. Each header is the same when it is written and read again.
pub fn frame(octets: &[u8]) {
    if let Ok((radiotap, mpdu)) = RadiotapRepr::parse(octets) {
        again(radiotap, |out| radiotap.emit(out), mpdu, RadiotapRepr::parse);
        mac(fcs::strip(mpdu).unwrap_or(mpdu));
    }
    if let Ok((ethernet, packet)) = EthernetRepr::parse(octets) {
        again(ethernet, |out| ethernet.emit(out), packet, EthernetRepr::parse);
        if let Ok((EtherType::IPV4, packet)) = ethernet.ethertype.innermost(packet) {
            ip(packet);
        }
    }
    for packet in [
        without_family(octets),
        logged_packet(octets),
        session(octets).map(|(_, rest)| rest),
        HdlcRepr::parse(octets).map(|(_, rest)| rest),
        PpiRepr::parse(octets).map(|(_, rest)| rest),
    ]
    .into_iter()
    .flatten()
    {
        assert!(packet.len() < octets.len());
        ip(packet);
    }
}

fn mac(mpdu: &[u8]) {
    let Ok(frame) = Frame::parse(mpdu) else { return };
    let mut out = Vec::new();
    frame.emit(&mut out).expect("what was read fits");
    assert_eq!(Frame::parse(&out), Ok(frame));
    if let Frame::Data { body, .. } = frame
        && let Ok((snap, packet)) = SnapRepr::parse(body)
    {
        again(snap, |out| snap.emit(out), packet, SnapRepr::parse);
        if snap.ethertype == EtherType::IPV4 {
            ip(packet);
        }
    }
}

fn ip(packet: &[u8]) {
    let Ok((ip, body)) = Ipv4Repr::parse(packet) else { return };
    assert!(body.len() <= ip.payload_len.into());
    Ipv4Repr::checksum_ok(packet).expect("its header is whole");
    again(ip, |out| ip.emit(out).expect("a header without options is no longer"), body, Ipv4Repr::parse);
    match ip.protocol {
        Protocol::TCP => tcp(ip, body),
        Protocol::UDP => {
            if let Ok((udp, payload)) = UdpRepr::parse(body) {
                let payload_is = Payload::Bytes(payload);
                let emit = |out: &mut Vec<u8>| udp.emit(ip.src, ip.dst, payload_is, out).expect("no longer");
                let out = again(udp, emit, payload, UdpRepr::parse);
                assert!(UdpRepr::checksum_ok(ip.src, ip.dst, &out));
            }
        }
        Protocol::ICMP => {
            if let Ok((echo, payload)) = EchoRepr::parse(body) {
                let emit = |out: &mut Vec<u8>| echo.emit(Payload::Bytes(payload), out);
                let out = again(echo, emit, payload, EchoRepr::parse);
                assert!(EchoRepr::checksum_ok(&out));
            }
        }
        _ => {}
    }
}

/// Options are written as Linux lays them out, which takes room: SACK blocks that find none are left out, the last first.
fn tcp(ip: Ipv4Repr, body: &[u8]) {
    let Ok((tcp, payload)) = TcpRepr::parse(body) else { return };
    let mut out = Vec::new();
    match tcp.emit(ip.src, ip.dst, Payload::Bytes(payload), &mut out) {
        Err(error) => {
            assert_eq!(error, Error::TooLong("TCP length"));
            return assert!(tcp.header_len() + payload.len() > usize::from(u16::MAX));
        }
        Ok(()) => out.extend_from_slice(payload),
    }
    assert!(TcpRepr::checksum_ok(ip.src, ip.dst, &out));
    let (seen, rest) = TcpRepr::parse(&out).expect("what was written is read");
    let blocks = tcp.options.sack.as_slice();
    let kept = seen.options.sack.as_slice().len();
    let room = 40 - TcpOptions { sack: SackBlocks::NONE, ..tcp.options }.len();
    assert_eq!(kept, blocks.len().min(room.saturating_sub(4) / 8));
    let sack = blocks.iter().copied().take(kept).collect();
    assert_eq!(seen, TcpRepr { options: TcpOptions { sack, ..tcp.options }, ..tcp });
    assert_eq!(rest, payload);
}

/// Writes `repr` with `behind` behind it, reads it and finds both. Returns the octets.
fn again<T: Debug + PartialEq>(
    repr: T,
    emit: impl FnOnce(&mut Vec<u8>),
    behind: &[u8],
    parse: impl FnOnce(&[u8]) -> Result<(T, &[u8]), Error>,
) -> Vec<u8> {
    let mut out = Vec::new();
    emit(&mut out);
    out.extend_from_slice(behind);
    assert_eq!(parse(&out), Ok((repr, behind)));
    out
}
