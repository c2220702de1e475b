//! Packets that were made elsewhere cross a simulated cell: the very bytes come out, and when the standard says.

use airloom_observe::{NodeId, Observation};
use airloom_scenario::{Scenario, load};
use airloom_sim::{Duration, Time};
use airloom_wire::{Ecn, Error, Ipv4Repr, Packet, Payload, Protocol, Transport, UdpRepr};
use airloom_world::{Arrived, MTU, PutError, World, addresses::ip};
use proptest::prelude::*;
use std::collections::BTreeMap;

const STATION: NodeId = NodeId(1);
const SERVER: NodeId = NodeId(2);

/// One station in 802.11a at 54 Mbit/s, and a server 1 ms away.
const CELL: &str = r#"
title = "One cell"
[air]
standard = "802.11a"
band = "5 GHz"
width = "20 MHz"
[[ap]]
name = "ap"
adapter = "dcf"
[[station]]
name = "sta"
host = "linux-6.18"
adapter = "dcf"
snr = "40 dB"
rate = "54 Mbit/s"
[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "1 ms" }
"#;

fn good(text: &str) -> Scenario {
    load(text, "cell.toml", &[], None).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn octets(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hex digits")).collect()
}

fn at(ns: u64) -> Time {
    Time::from_nanos(ns)
}

/// What arrives next, with the world stepped to its arrival.
fn next<P: airloom_observe::Probe>(world: &mut World<P>) -> Arrived {
    loop {
        if let Some(arrived) = world.take() {
            return arrived;
        }
        world.step(world.next_event().expect("beacons go on"));
    }
}

/// A ping between two network namespaces of Linux 6.18.44 with the addresses of station and server.
const PING: [&str; 2] = [
    "4500005409d2400040011cd50a0000010a0000020800e3e01d0b0001000102030405060708090a0b0c0d0e0f\
     101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f3031323334353637",
    "45000054f7ff000040016ea70a0000020a0000010000ebe01d0b0001000102030405060708090a0b0c0d0e0f\
     101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f3031323334353637",
];

/// A TCP handshake there: SYN, SYN-ACK, ACK.
const HANDSHAKE: [&str; 3] = [
    "4500003ca4704000400682490a0000010a0000029f5e1f90f291e52000000000a002faf04d3a0000\
     020405b40402080ade3276fb000000000103030a",
    "4500003c00004000400626ba0a0000020a0000011f909f5ec0960bb8f291e521a012fe883eb90000\
     020405b40402080ac6db77adde3276fb0103030a",
    "45000034a4714000400682500a0000010a0000029f5e1f90f291e521c0960bb98010003f6bd10000\
     0101080ade3276fcc6db77ad",
];

/// SIFS and an ACK of 14 bytes at 24 Mbit/s: 16 + 20 + 4 x ceil((16 + 8 x 14 + 6) / 96) us.
const ACKED: u64 = 16_000 + 28_000;
/// DIFS: SIFS and two slots, and a slot.
const DIFS: u64 = 34_000;
const SLOT: u64 = 9_000;
/// The wired link's delay.
const DELAY: u64 = 1_000_000;

/// The air time of an IP packet in a data frame at 54 Mbit/s, in ns: preamble and SIGNAL 20 us, 4 us for every 216 bits of
/// SERVICE (16), header, LLC/SNAP and FCS (36 bytes), packet and tail (6).
fn airtime(packet: u64) -> u64 {
    20_000 + 4_000 * (16 + 8 * (36 + packet) + 6).div_ceil(216)
}

/// The time on the wired link, in ns: 38 bytes of Ethernet beside the packet, 8 ns each.
fn wire(packet: u64) -> u64 {
    8 * (packet + 38) + DELAY
}

/// The first slot boundary from `now` on where the medium is idle since `idle`.
fn boundary(idle: u64, now: u64) -> u64 {
    idle + DIFS + (now - idle - DIFS).div_ceil(SLOT) * SLOT
}

#[test]
fn a_ping_and_a_handshake_cross_a_cell_at_the_right_times() {
    assert_eq!([84, 60, 52].map(airtime), [40_000, 36_000, 36_000]);
    let mut world = World::new(&good(CELL), ());
    let [request, reply] = PING.map(octets);
    let [syn, syn_ack, ack] = HANDSHAKE.map(octets);

    // The medium is idle since 0: its boundaries are at 34 us + 9 us x n, the next after 1 ms is at 1006 us.
    world.step(at(1_000_000));
    world.put(STATION, request.clone()).unwrap();
    let sent = 1_006_000;
    assert_eq!(boundary(0, 1_000_000), sent);
    let time = at(sent + airtime(84) + wire(84));
    assert_eq!(time, at(2_046_976));
    assert_eq!(next(&mut world), Arrived { time, node: SERVER, packet: request });

    // The server answers at once. Its packet reaches the access point at 3047.952 us.
    assert_eq!(world.now(), time);
    world.put(SERVER, reply.clone()).unwrap();
    let idle = sent + airtime(84) + ACKED;
    let sent = boundary(idle, 2_046_976 + wire(84));
    let heard = sent + airtime(84);
    assert_eq!(heard, 3_090_000);
    assert_eq!(next(&mut world), Arrived { time: at(heard), node: STATION, packet: reply });

    // The station sends at once, but its own ACK is still to go: it backs off by 0 to 15 slots after that.
    world.put(STATION, syn.clone()).unwrap();
    let arrived = next(&mut world);
    assert_eq!((arrived.node, &arrived.packet), (SERVER, &syn));
    let earliest = heard + ACKED + DIFS + airtime(60) + wire(60);
    let waited = arrived.time - at(earliest);
    let slots = waited.as_nanos() / SLOT;
    assert!(slots < 16 && waited == Duration::from_nanos(slots * SLOT), "{waited:?}");

    let now = earliest + slots * SLOT;
    world.put(SERVER, syn_ack.clone()).unwrap();
    let idle = now - wire(60) + ACKED;
    let heard = boundary(idle, now + wire(60)) + airtime(60);
    assert_eq!(next(&mut world), Arrived { time: at(heard), node: STATION, packet: syn_ack });

    // A millisecond later the backoff after the SYN is over.
    let now = heard + 1_000_000;
    world.step(at(now));
    world.put(STATION, ack.clone()).unwrap();
    let time = at(boundary(heard + ACKED, now) + airtime(52) + wire(52));
    assert_eq!(next(&mut world), Arrived { time, node: SERVER, packet: ack });
    assert_eq!((world.lost(), world.take()), (0, None));
}

#[test]
fn what_has_nowhere_to_go_is_lost_and_observed() {
    let mut world = World::new(&good(CELL), Vec::<(Time, Observation)>::new());
    world.step(at(5_000));
    let unknown = [[10, 0, 0, 9], [192, 168, 0, 1], [255, 255, 255, 255]];
    // The access point has no address, and a packet to its own host does not leave it.
    let nowhere = unknown.map(Into::into).into_iter().chain([ip(NodeId(0)), ip(STATION)]);
    let nowhere: Vec<_> = nowhere.collect();
    for &to in &nowhere {
        world.put(STATION, datagram(ip(STATION), to, Ecn::NotEct, 7, 100)).unwrap();
    }
    world.step(at(50_000_000));
    assert_eq!((world.take(), world.lost(), world.packets_in_transit()), (None, 5, 0));
    let seen = world.into_probe();
    let lost = seen.iter().filter_map(|seen| match *seen {
        (time, Observation::NoRoute { node: STATION, destination }) => Some((time, destination)),
        _ => None,
    });
    assert!(lost.eq(nowhere.into_iter().map(|to| (at(5_000), to))));
}

#[test]
fn what_is_no_packet_and_no_host_is_refused() {
    let mut world = World::new(&good(CELL), ());
    let packet = datagram(ip(STATION), ip(SERVER), Ecn::NotEct, 7, 100);
    let mut longer = packet.clone();
    longer.push(0);
    let too_long = datagram(ip(STATION), ip(SERVER), Ecn::NotEct, 7, MTU - 27);
    for (node, packet, error) in [
        (NodeId(0), packet.clone(), PutError::NoHost(NodeId(0))),
        (NodeId(3), packet.clone(), PutError::NoHost(NodeId(3))),
        (STATION, packet[..99].to_vec(), PutError::Packet(Error::Truncated)),
        (STATION, longer, PutError::Packet(Error::Malformed("IPv4 total length"))),
        (STATION, too_long, PutError::Packet(Error::TooLong("packet"))),
        (STATION, vec![0x60; 60], PutError::Packet(Error::Unsupported("IP version"))),
        (STATION, Vec::new(), PutError::Packet(Error::Truncated)),
    ] {
        assert_eq!(world.put(node, packet), Err(error));
    }
    world.step(at(50_000_000));
    assert_eq!((world.take(), world.lost(), world.packets_in_transit()), (None, 0, 0));
}

#[test]
fn steps_of_any_length_come_to_the_same() {
    let flow = format!("{CELL}duration = \"300 ms\"\n[[flow]]\nfrom = \"sta\"\nto = \"server\"\n");
    let flow =
        flow.replacen("duration = \"300 ms\"\n", "", 1).replacen("[air]", "duration = \"300 ms\"\n[air]", 1);
    let scenario = good(&flow);
    let whole = || World::new(&scenario, Vec::<(Time, Observation)>::new());
    let (mut run, mut stepped, mut by_event) = (whole(), whole(), whole());
    assert!(run.run(&mut |_| true));
    let end = Time::ZERO + scenario.duration;
    while stepped.now() < end {
        stepped.step(end.min(stepped.now() + Duration::from_nanos(123_457)));
    }
    while let Some(time) = by_event.next_event().filter(|&time| time <= end) {
        by_event.step(time);
        assert_eq!(by_event.now(), time);
    }
    assert_eq!((run.now(), stepped.now()), (end, end));
    assert_eq!((run.events(), run.events()), (stepped.events(), by_event.events()));
    let seen = run.into_probe();
    assert!(seen.len() > 10_000);
    assert!(seen == stepped.into_probe() && seen == by_event.into_probe());
}

/// A queue that marks changes the packets that it may mark, and drops none of them.
#[test]
fn a_mark_on_the_way_is_in_the_bytes() {
    let slow = CELL.replace(
        "rate = \"1 Gbit/s\", delay = \"1 ms\"",
        "rate = \"1 Mbit/s\", delay = \"1 ms\", queue = { discipline = \"codel\", ecn = true }",
    );
    let arrived_of = |ecn: Ecn| {
        let mut world = World::new(&good(&slow), ());
        let sent: Vec<_> = (0..60).map(|n| datagram(ip(SERVER), ip(STATION), ecn, n, 1200)).collect();
        for packet in &sent {
            world.put(SERVER, packet.clone()).unwrap();
        }
        world.step(at(5_000_000_000));
        let arrived: Vec<_> = std::iter::from_fn(|| world.take()).collect();
        assert_eq!(arrived.len() as u64 + world.lost(), 60);
        (sent, arrived)
    };
    for ecn in [Ecn::Ect0, Ecn::Ect1] {
        let (sent, arrived) = arrived_of(ecn);
        let mut marked = 0;
        for (sent, Arrived { packet, .. }) in sent.iter().zip(&arrived) {
            let (ip, _) = Ipv4Repr::parse_whole(packet).unwrap();
            assert_eq!(Ipv4Repr::checksum_ok(packet), Ok(true));
            assert_eq!(packet[20..], sent[20..]);
            if ip.ecn == Ecn::Ce {
                marked += 1;
            } else {
                assert_eq!(packet, sent);
            }
        }
        assert_eq!(arrived.len(), 60);
        assert!((1..60).contains(&marked), "{marked} marked");
    }
    let (sent, arrived) = arrived_of(Ecn::NotEct);
    assert!(arrived.len() < 60, "dropped rather than marked");
    assert!(arrived.iter().all(|arrived| sent.contains(&arrived.packet)));
}

/// A UDP datagram with `number` as its identification and its first payload bytes.
fn datagram(
    src: std::net::Ipv4Addr,
    dst: std::net::Ipv4Addr,
    ecn: Ecn,
    number: u16,
    payload: usize,
) -> Vec<u8> {
    let mut content = vec![0xa5; payload];
    content[..2].copy_from_slice(&number.to_be_bytes());
    let ip = Ipv4Repr { ecn, ident: number, ..Ipv4Repr::new(src, dst) };
    let transport = Transport::Udp(UdpRepr { src_port: 1000 + number % 7, dst_port: 9 });
    let mut out = Vec::new();
    let packet = Packet { ip, transport, payload: Payload::Bytes(&content) };
    packet.emit(usize::MAX, &mut out).expect("it is short enough");
    out
}

/// A packet as drawn: when, from where and to where among six addresses, and its header.
#[derive(Clone, Debug)]
struct Drawn {
    gap: u64,
    ends: (u16, u16),
    header: Ipv4Repr,
    content: Vec<u8>,
}

fn any_packet() -> impl Strategy<Value = Drawn> {
    let ecn = prop::sample::select(&[Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce]);
    let protocol = prop_oneof![Just(1u8), Just(6), Just(17), any::<u8>()];
    let gap = prop_oneof![4 => Just(0u64), 1 => 0..3_000_000u64];
    let header = (protocol, ecn, any::<(u8, bool, bool, u8)>(), 0..8192u16);
    let content = prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..40),
        4 => prop::collection::vec(any::<u8>(), 1400..=1480),
    ];
    (gap, (1..5u16, prop_oneof![9 => 1..5u16, 1 => 0..6u16]), header, content).prop_map(
        |(
            gap,
            ends,
            (protocol, ecn, (dscp, dont_fragment, more_fragments, ttl), fragment_offset),
            content,
        )| {
            let header = Ipv4Repr {
                protocol: Protocol(protocol),
                ecn,
                dscp: dscp & 63,
                dont_fragment,
                more_fragments,
                fragment_offset,
                ttl,
                ..Ipv4Repr::new(ip(NodeId(ends.0)), ip(NodeId(ends.1)))
            };
            Drawn { gap, ends, header, content }
        },
    )
}

/// Two stations, one of them far, and two servers, with these queues at the access point and before the wired links.
fn any_cell() -> impl Strategy<Value = String> {
    let above = prop::sample::select(&["fifo", "codel", "sfq", "fq_codel", "mac80211", "pie"]);
    let wire = prop::sample::select(&["fifo", "codel", "fq_codel", "pie"]);
    (above, wire, 2..40u32, 1..30u32, 16..30u32, any::<u64>()).prop_map(|(above, wire, limit, rate, far, seed)| {
        let queue = |kind: &str| {
            let marks = if matches!(kind, "codel" | "fq_codel" | "mac80211" | "pie") { ", ecn = true" } else { "" };
            let soon = if matches!(kind, "codel" | "fq_codel" | "mac80211") { ", target = \"1 ms\", interval = \"2 ms\"" } else { "" };
            format!("queue = {{ discipline = \"{kind}\", limit = \"{limit} packets\"{marks}{soon} }}")
        };
        let (above, wire) = (queue(above), queue(wire));
        format!(
            "title = \"A cell\"\nseed = {seed}\n[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"20 MHz\"\n\
             [[ap]]\nname = \"ap\"\nadapter = \"ath9k\"\n{above}\n\
             [[station]]\nname = \"near\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nsnr = \"40 dB\"\nrate = \"MCS 7\"\n\
             [[station]]\nname = \"far\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nsnr = \"{far} dB\"\nrate = \"MCS 4\"\n\
             [[server]]\nname = \"one\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"{rate} Mbit/s\", delay = \"1 ms\", {wire} }}\n\
             [[server]]\nname = \"other\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"1 Gbit/s\", delay = \"0 s\" }}\n"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), ..ProptestConfig::default() })]
    /// Whatever is put in comes out once where it belongs, unchanged or marked, or it is lost; nothing else comes out.
    #[test]
    fn bytes_come_out_once_as_they_were_or_marked_or_are_lost(
        text in any_cell(), packets in prop::collection::vec(any_packet(), 1..300),
    ) {
        let mut world = World::new(&good(&text), ());
        let mut sent = BTreeMap::new();
        for (n, Drawn { gap, ends: (from, to), mut header, content }) in packets.into_iter().enumerate() {
            world.step(world.now() + Duration::from_nanos(gap));
            (header.ident, header.payload_len) = (n as u16, content.len() as u16);
            let mut packet = Vec::new();
            header.emit(&mut packet).unwrap();
            packet.extend(content);
            world.put(NodeId(from), packet.clone()).unwrap();
            sent.insert(n as u16, (NodeId(to), world.now(), packet));
        }
        let all = sent.len() as u64;
        world.step(world.now() + Duration::from_secs(20));
        prop_assert_eq!(world.packets_in_transit(), 0);
        let mut arrived = 0;
        while let Some(Arrived { time, node, packet }) = world.take() {
            arrived += 1;
            let (header, _) = Ipv4Repr::parse_whole(&packet).unwrap();
            let (to, since, mut was) = sent.remove(&header.ident).expect("it comes once");
            prop_assert!(node == to && time > since);
            if packet != was {
                let (before, _) = Ipv4Repr::parse_whole(&was).unwrap();
                prop_assert!(matches!(before.ecn, Ecn::Ect0 | Ecn::Ect1));
                Ipv4Repr::mark_congestion(&mut was);
                prop_assert_eq!(&packet, &was);
            }
            prop_assert_eq!(Ipv4Repr::checksum_ok(&packet), Ok(true));
        }
        prop_assert_eq!(arrived + world.lost(), all);
    }
}

/// As many as `PROPTEST_CASES` asks for, or so many.
fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn what_is_for_nobody_here_leaves_by_the_gateway() {
    let scenario = good(CELL);
    let datagram = |to: [u8; 4]| {
        let mut packet = Vec::new();
        let transport = Transport::Udp(UdpRepr { src_port: 4000, dst_port: 53 });
        Packet { ip: Ipv4Repr::new(ip(STATION), to.into()), transport, payload: Payload::Bytes(b"?") }
            .emit(usize::MAX, &mut packet)
            .expect("it fits");
        packet
    };
    let mut world = World::new(&scenario, ());
    world.put(STATION, datagram([192, 0, 2, 1])).expect("a packet");
    assert_eq!(world.lost(), 1, "there is no way out");
    world.lead_out_by(SERVER);
    world.put(STATION, datagram([192, 0, 2, 1])).expect("a packet");
    assert_eq!((next(&mut world).node, world.lost()), (SERVER, 1));
    for nowhere in [[224, 0, 0, 1], [255, 255, 255, 255], [10, 0, 7, 7]] {
        world.put(STATION, datagram(nowhere)).expect("a packet");
    }
    assert_eq!(world.lost(), 4);
    world.put(SERVER, datagram([192, 0, 2, 1])).expect("a packet");
    assert_eq!(world.lost(), 5, "not back to where it leaves");
}
