//! Packets that a router says are too big for their way.

use crate::host::{Host, record};

const CLIENT: usize = 0;
const SERVER: usize = 1;
const FULL: usize = 1460;
const FITS: usize = 1452;

/// A router says of a packet that only 1492 octets fit (RFC 1191 section 3): its header and 8 octets of what it holds.
fn refuses(host: &mut Host, at_ms: u32, packet: &[u8]) {
    let ip = [&[0x45, 0, 0, 56, 0, 1, 0, 0, 64, 1, 0, 0, 10, 0, 0, 254, 10, 0, 0, 1][..]].concat();
    let icmp = [&[3, 4, 0, 0, 0, 0, 0x05, 0xd4][..], &packet[..28]].concat();
    record(
        &mut host.octets,
        1000 * at_ms,
        &[&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0][..], &ip, &icmp].concat(),
    );
}

/// Whether W306 is found where a mail goes in 30 segments, of which the first six are sent again shorter, a round trip of 100 ms for each two; a router says why, or does not.
fn lost(says_why: bool) -> bool {
    let mut host = Host::default();
    host.sends(0, CLIENT, 2, 0);
    host.sends(100, SERVER, 0x12, 0);
    host.sends(100, CLIENT, 0x10, 0);
    let [first, other] = host.next;
    let mut packets = Vec::new();
    for _ in 0..6 {
        let next = host.next;
        packets.push(host.packet(CLIENT, 0x10, FULL));
        host.next = next;
        host.sends(200, CLIENT, 0x10, FULL);
    }
    if says_why {
        packets.iter().for_each(|packet| refuses(&mut host, 203, packet));
    }
    host.next = [first, other];
    for turn in 0..30 {
        host.sends(205 + 50 * (turn & !1), CLIENT, 0x10, FITS);
        if turn % 2 == 1 {
            host.sends(300 + 50 * (turn & !1), SERVER, 0x10, 0);
        }
    }
    host.diagnosis().findings.iter().any(|one| one.code == "W306")
}

#[test]
fn what_a_router_refuses_since_it_is_too_big_is_no_loss() {
    assert_eq!([false, true].map(lost), [true, false]);
}
