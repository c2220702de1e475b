//! Arbitrary descriptions, each field within the range of its format.

use airloom_wire::ieee80211::{
    AcParameters, AckPolicy, Acknowledged, AddBaParameters, Addressing, Authentication, BarPolicy,
    BssDescription, Capabilities, ControlRepr, DataRepr, EdcaParameters, EhtCapabilities, EhtOperation,
    Flags, HeCapabilities, HeOperation, HtCapabilities, HtOperation, ManagementBody, ManagementRepr, McsMap,
    Neighbour, Qos, Reassociation, SequenceControl, SixGhzCapabilities, StreamsByMcs, SwitchAnnouncement,
    Tim, TransitionRequest, VhtCapabilities, VhtOperation,
};
use airloom_wire::radiotap::{self, AmpduStatus, Channel, ChannelFlags, Eht, He, Mcs, Usig, Vht};
use airloom_wire::{
    EchoKind, EchoRepr, Ecn, Ipv4Repr, MacAddr, Protocol, RadiotapRepr, SackBlock, TcpFlags, TcpOptions,
    TcpRepr, Timestamps, Transport, UdpRepr,
};
use proptest::option::of;
use proptest::prelude::*;

pub(crate) fn mac() -> BoxedStrategy<MacAddr> {
    any::<[u8; 6]>().prop_map(MacAddr).boxed()
}

fn flags() -> BoxedStrategy<Flags> {
    any::<[bool; 4]>()
        .prop_map(|[more_fragments, retry, power_management, more_data]| Flags {
            more_fragments,
            retry,
            power_management,
            more_data,
            protected: false,
        })
        .boxed()
}

fn sequence() -> BoxedStrategy<SequenceControl> {
    (0..4096_u16, 0..16_u8).prop_map(|(number, fragment)| SequenceControl { number, fragment }).boxed()
}

fn addressing() -> BoxedStrategy<Addressing> {
    (0..4, mac(), mac(), mac(), mac())
        .prop_map(|(kind, a, b, c, d)| match kind {
            0 => Addressing::Direct { destination: a, source: b, bssid: c },
            1 => Addressing::ToDs { bssid: a, source: b, destination: c },
            2 => Addressing::FromDs { destination: a, bssid: b, source: c },
            _ => Addressing::Relay { receiver: a, transmitter: b, destination: c, source: d },
        })
        .boxed()
}

fn qos() -> BoxedStrategy<Qos> {
    const POLICIES: [AckPolicy; 4] =
        [AckPolicy::Normal, AckPolicy::NoAck, AckPolicy::NoExplicit, AckPolicy::BlockAck];
    (0..16_u8, any::<bool>(), prop::sample::select(&POLICIES), any::<bool>(), any::<u8>())
        .prop_map(|(tid, eosp, ack_policy, amsdu, high)| Qos { tid, eosp, ack_policy, amsdu, high })
        .boxed()
}

pub(crate) fn data() -> BoxedStrategy<DataRepr> {
    let qos = of((qos(), of(any::<u32>())));
    (flags(), any::<bool>(), any::<bool>(), any::<u16>(), addressing(), sequence(), qos)
        .prop_map(|(flags, protected, null, duration, addressing, sequence, qos)| DataRepr {
            flags: Flags { protected, ..flags },
            null,
            duration,
            addressing,
            sequence,
            qos: qos.map(|(qos, _)| qos),
            ht_control: qos.and_then(|(_, ht_control)| ht_control),
        })
        .boxed()
}

pub(crate) fn control() -> BoxedStrategy<ControlRepr> {
    let policy = prop::sample::select(&[BarPolicy::Normal, BarPolicy::NoAck]);
    let bitmap = prop_oneof![
        any::<u64>().prop_map(Acknowledged::Of64),
        any::<[u64; 4]>().prop_map(Acknowledged::Of256),
        any::<[u64; 8]>().prop_map(Acknowledged::Of512),
        any::<[u64; 16]>().prop_map(Acknowledged::Of1024),
    ];
    (0..6, any::<u16>(), mac(), mac(), policy, 0..16_u8, 0..4096_u16, bitmap)
        .prop_map(|(kind, duration, receiver, transmitter, policy, tid, start, bitmap)| match kind {
            5 => ControlRepr::PsPoll { aid: start & 2047, bssid: receiver, transmitter },
            0 => ControlRepr::Rts { duration, receiver, transmitter },
            1 => ControlRepr::Cts { duration, receiver },
            2 => ControlRepr::Ack { duration, receiver },
            3 => ControlRepr::BlockAckReq { duration, receiver, transmitter, policy, tid, start },
            _ => ControlRepr::BlockAck { duration, receiver, transmitter, policy, tid, start, bitmap },
        })
        .boxed()
}

/// The slices a management frame borrows.
#[derive(Debug)]
pub(crate) struct Texts {
    ssid: Vec<u8>,
    rates: Vec<u8>,
    extended: Vec<u8>,
    map: Vec<u8>,
}

fn texts() -> BoxedStrategy<Texts> {
    let octets = |len| prop::collection::vec(any::<u8>(), len);
    (octets(0..=32), octets(0..=8), octets(0..=255), octets(1..=251))
        .prop_map(|(ssid, rates, extended, map)| Texts { ssid, rates, extended, map })
        .boxed()
}

/// A management frame whose texts are yet to be lent.
pub(crate) fn management() -> BoxedStrategy<(Texts, ManagementRepr<'static>)> {
    (texts(), flags(), any::<u16>(), [mac(), mac(), mac()], sequence(), of(any::<u32>()), body())
        .prop_map(|(texts, flags, duration, [destination, source, bssid], sequence, ht_control, body)| {
            (
                texts,
                ManagementRepr { flags, duration, destination, source, bssid, sequence, ht_control, body },
            )
        })
        .boxed()
}

fn ht_capabilities() -> BoxedStrategy<HtCapabilities> {
    any::<(u16, u8, [u8; 16], u16, u32, u8)>()
        .prop_map(|(info, ampdu, mcs_set, extended, beamforming, antenna_selection)| HtCapabilities {
            info,
            ampdu,
            mcs_set,
            extended,
            beamforming,
            antenna_selection,
        })
        .boxed()
}

/// What a network says of contention, 802.11ac, 802.11ax and 802.11be.
fn wide() -> BoxedStrategy<BssDescription<'static>> {
    let map = || any::<u16>().prop_map(McsMap);
    let vht = (any::<u32>(), map(), map()).prop_map(|(info, receives, sends)| VhtCapabilities {
        info,
        receives,
        sends,
    });
    let vht_operation = (any::<(u8, [u8; 2])>(), map()).prop_map(|((width, centres), basic)| VhtOperation {
        width,
        centres,
        basic,
    });
    let maps = || [map(), map()];
    let he =
        (any::<([u8; 6], [u8; 11])>(), maps(), of(maps())).prop_map(|((mac, mut phy), up_to_80, at_160)| {
            phy[0] &= !HeCapabilities::WIDTH_160;
            phy[0] |= at_160.map_or(0, |_| HeCapabilities::WIDTH_160);
            HeCapabilities { mac, phy, up_to_80, at_160 }
        });
    let he_operation = (0..64_u8, map(), any::<Option<[u8; 4]>>())
        .prop_map(|(colour, basic, six_ghz)| HeOperation { colour, basic, six_ghz });
    let category =
        (0..16_u8, 0..16_u8, 0..16_u8, any::<u16>()).prop_map(|(aifsn, ecw_min, ecw_max, txop_limit)| {
            AcParameters { aifsn, ecw_min, ecw_max, txop_limit }
        });
    let edca = (any::<u8>(), prop::array::uniform4(category))
        .prop_map(|(qos_info, categories)| EdcaParameters { qos_info, categories });
    (of(edca), of(vht), of(vht_operation), of(he), of(he_operation), of(any::<u16>()), of(eht()))
        .prop_map(|(edca, vht_capabilities, vht_operation, he_capabilities, he_operation, six_ghz, eht)| {
            let at_160 = |he: HeCapabilities| he.at_160.is_some();
            let eht_capabilities = eht.map(|(capabilities, map, _)| EhtCapabilities {
                at_160: he_capabilities.is_some_and(at_160).then_some(map),
                ..capabilities
            });
            let eht_operation = eht.map(|(.., operation)| operation);
            BssDescription {
                edca,
                vht_capabilities,
                vht_operation,
                he_capabilities,
                he_operation,
                six_ghz: six_ghz.map(SixGhzCapabilities),
                eht_capabilities,
                eht_operation,
                ..BssDescription::default()
            }
        })
        .boxed()
}

/// Of 802.11be: capabilities, but for 160 MHz, what they would be there, and the operation.
fn eht() -> BoxedStrategy<(EhtCapabilities, StreamsByMcs, EhtOperation)> {
    let map = || any::<[u8; 3]>().prop_map(StreamsByMcs);
    let capabilities =
        (any::<(u16, [u8; 9])>(), map(), of(map())).prop_map(|((mac, mut phy), up_to_80, at_320)| {
            phy[0] &= !EhtCapabilities::WIDTH_320;
            phy[0] |= at_320.map_or(0, |_| EhtCapabilities::WIDTH_320);
            EhtCapabilities { mac, phy, up_to_80, at_160: None, at_320 }
        });
    let operation =
        any::<([u8; 4], Option<[u8; 3]>)>().prop_map(|(basic, channel)| EhtOperation { basic, channel });
    (capabilities, map(), operation).boxed()
}

fn body() -> BoxedStrategy<ManagementBody<'static>> {
    let operation = any::<(u8, [u8; 5], [u8; 16])>().prop_map(|(primary_channel, info, basic_mcs_set)| {
        HtOperation { primary_channel, info, basic_mcs_set }
    });
    let bss = (any::<(u64, u16, u16, Option<u8>)>(), of(ht_capabilities()), of(operation), wide()).prop_map(
        |((timestamp, interval, capabilities, channel), ht_capabilities, ht_operation, wide)| {
            BssDescription {
                timestamp,
                interval,
                capabilities: Capabilities(capabilities),
                channel,
                neighbor_reports: timestamp & 1 != 0,
                switch: (timestamp & 2 != 0).then_some(SwitchAnnouncement {
                    quiet: timestamp & 4 != 0,
                    class: (timestamp & 8 != 0).then_some(121),
                    channel: interval as u8,
                    count: capabilities as u8,
                }),
                ht_capabilities,
                ht_operation,
                ..wide
            }
        },
    );
    let tim = of((any::<(u8, u8, bool)>(), 0..128_u8));
    let parameters =
        (any::<[bool; 2]>(), 0..16_u8, 0..1024_u16).prop_map(|([amsdu, immediate], tid, buffer_size)| {
            AddBaParameters { amsdu, immediate, tid, buffer_size }
        });
    (0..13, bss, tim, parameters, any::<(u8, u16, u16)>(), 0..4096_u16)
        .prop_map(|(kind, bss, tim, parameters, (dialog_token, status, timeout), start)| match kind {
            0 => ManagementBody::Beacon {
                bss,
                tim: tim.map(|((dtim_count, dtim_period, group_traffic), offset)| Tim {
                    dtim_count,
                    dtim_period,
                    group_traffic,
                    offset,
                    bitmap: &[],
                }),
            },
            1 => ManagementBody::ProbeResponse(bss),
            2 => ManagementBody::ProbeRequest {
                ssid: &[],
                rates: &[],
                extended_rates: &[],
                channel: bss.channel,
            },
            5 => ManagementBody::Authentication(Authentication {
                algorithm: u16::from(dialog_token),
                number: timeout,
                status,
                domain: bss.channel.map(u16::from),
            }),
            6 => ManagementBody::ReassociationRequest {
                station: Reassociation { capabilities: bss.capabilities, ..Reassociation::default() },
                listen_interval: timeout,
                current: MacAddr([dialog_token; 6]),
            },
            7 => ManagementBody::ReassociationResponse {
                ap: Reassociation {
                    capabilities: bss.capabilities,
                    domain: Some(status),
                    ..Reassociation::default()
                },
                status,
                aid: start & 0x3fff,
            },
            8 => ManagementBody::Disassociation { reason: status },
            9 => ManagementBody::Deauthentication { reason: status },
            10 => ManagementBody::TransitionRequest(TransitionRequest {
                dialog_token,
                mode: TransitionRequest::CANDIDATES | TransitionRequest::IMMINENT,
                timer: timeout,
                validity: status as u8,
                candidate: bss.channel.map(|channel| Neighbour {
                    bssid: MacAddr([dialog_token; 6]),
                    info: u32::from(start),
                    class: 118,
                    channel,
                    phy: 9,
                }),
            }),
            11 => ManagementBody::TransitionResponse {
                dialog_token,
                status: 0,
                target: bss.channel.map(|last| MacAddr([2, 0, 0, 0, 0, last])),
            },
            12 => ManagementBody::NeighborRequest { dialog_token },
            3 => ManagementBody::AddBaRequest { dialog_token, parameters, timeout, start },
            _ => ManagementBody::AddBaResponse { dialog_token, status, parameters, timeout },
        })
        .boxed()
}

/// Lends a frame its texts.
pub(crate) fn lend<'a>(texts: &'a Texts, frame: ManagementRepr<'a>) -> ManagementRepr<'a> {
    let lend_bss = |bss| BssDescription {
        ssid: &texts.ssid,
        rates: &texts.rates,
        extended_rates: &texts.extended,
        ..bss
    };
    let body = match frame.body {
        ManagementBody::Beacon { bss, tim } => ManagementBody::Beacon {
            bss: lend_bss(bss),
            tim: tim.map(|tim| Tim { bitmap: &texts.map, ..tim }),
        },
        ManagementBody::ProbeResponse(bss) => ManagementBody::ProbeResponse(lend_bss(bss)),
        ManagementBody::ProbeRequest { channel, .. } => ManagementBody::ProbeRequest {
            ssid: &texts.ssid,
            rates: &texts.rates,
            extended_rates: &texts.extended,
            channel,
        },
        body => body,
    };
    ManagementRepr { body, ..frame }
}

pub(crate) fn radiotap() -> BoxedStrategy<RadiotapRepr> {
    let ampdu = of(any::<(u32, u16, u8)>());
    let fields = any::<(Option<u64>, Option<u8>, Option<u8>, Option<(u16, u16)>, Option<i8>, Option<i8>)>();
    let vht = of(any::<(u16, u8, u8, [u8; 4], [u8; 4])>());
    let eht = of(any::<[u32; 3]>());
    (fields, of(any::<[u8; 3]>()), ampdu, vht, of(any::<[u16; 6]>()), of(any::<[u32; 3]>()), eht)
        .prop_map(|((tsft, flags, rate, channel, signal_dbm, noise_dbm), mcs, ampdu, vht, he, usig, eht)| {
            RadiotapRepr {
                tsft,
                flags: flags.map(radiotap::Flags),
                rate,
                channel: channel.map(|(mhz, flags)| Channel { mhz, flags: ChannelFlags(flags) }),
                signal_dbm,
                noise_dbm,
                mcs: mcs.map(|[known, flags, index]| Mcs { known, flags, index }),
                ampdu: ampdu.map(|(reference, flags, delimiter_crc)| AmpduStatus {
                    reference,
                    flags,
                    delimiter_crc,
                }),
                vht: vht.map(|(known, flags, bandwidth, users, rest)| Vht {
                    known,
                    flags,
                    bandwidth,
                    users,
                    rest,
                }),
                he: he.map(He),
                usig: usig.map(Usig),
                eht: eht.map(|[known, data, user]| Eht { known, data, user }),
            }
        })
        .boxed()
}

pub(crate) fn ipv4() -> BoxedStrategy<Ipv4Repr> {
    let ecn = prop::sample::select(&[Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce]);
    (any::<([u8; 4], [u8; 4], u8, u16, u8)>(), 0..64_u8, ecn, any::<[bool; 2]>(), 0..8192_u16, 0..=65515_u16)
        .prop_map(
            |(
                (src, dst, protocol, ident, ttl),
                dscp,
                ecn,
                [dont_fragment, more_fragments],
                fragment_offset,
                payload_len,
            )| {
                Ipv4Repr {
                    src: src.into(),
                    dst: dst.into(),
                    protocol: Protocol(protocol),
                    dscp,
                    ecn,
                    ident,
                    dont_fragment,
                    more_fragments,
                    fragment_offset,
                    ttl,
                    payload_len,
                }
            },
        )
        .boxed()
}

/// Options of which all fit: no more SACK blocks than the others leave room for.
fn tcp_options() -> BoxedStrategy<TcpOptions> {
    let blocks = prop::collection::vec(any::<(u32, u32)>(), 0..=4);
    (any::<(Option<u16>, Option<u8>, bool, Option<(u32, u32)>)>(), blocks)
        .prop_map(|((mss, window_scale, sack_permitted, timestamps), blocks)| {
            let timestamps = timestamps.map(|(value, echo)| Timestamps { value, echo });
            let mut options =
                TcpOptions { mss, window_scale, sack_permitted, timestamps, ..TcpOptions::default() };
            let room = (36 - options.len()) / 8;
            options.sack = blocks.iter().take(room).map(|&(left, right)| SackBlock { left, right }).collect();
            options
        })
        .boxed()
}

pub(crate) fn tcp() -> BoxedStrategy<TcpRepr> {
    (any::<(u16, u16, u32, u32, u16, u16)>(), 0..4096_u16, tcp_options())
        .prop_map(|((src_port, dst_port, seq, ack, window, urgent), flags, options)| TcpRepr {
            src_port,
            dst_port,
            seq,
            ack,
            flags: TcpFlags(flags),
            window,
            urgent,
            options,
        })
        .boxed()
}

pub(crate) fn udp() -> BoxedStrategy<UdpRepr> {
    any::<(u16, u16)>().prop_map(|(src_port, dst_port)| UdpRepr { src_port, dst_port }).boxed()
}

pub(crate) fn echo() -> BoxedStrategy<EchoRepr> {
    (prop::sample::select(&[EchoKind::Request, EchoKind::Reply]), any::<(u16, u16)>())
        .prop_map(|(kind, (ident, sequence))| EchoRepr { kind, ident, sequence })
        .boxed()
}

pub(crate) fn transport() -> BoxedStrategy<Transport> {
    prop_oneof![
        tcp().prop_map(Transport::Tcp),
        udp().prop_map(Transport::Udp),
        echo().prop_map(Transport::Echo),
    ]
    .boxed()
}
