//! Captures read back by tshark and capinfos.

use airloom_wire::ieee80211::{
    AckPolicy, Acknowledged, AddBaParameters, Addressing, BarPolicy, BssDescription, Capabilities,
    ControlRepr, DataRepr, Flags, Frame, HtCapabilities, HtOperation, ManagementBody, ManagementRepr,
    Neighbour, Qos, SequenceControl, SwitchAnnouncement, TrafficMap, TransitionRequest,
};
use airloom_wire::pcapng::{Interface, Record, Writer};
use airloom_wire::radiotap::{self, AmpduStatus, Bandwidth, Channel, ChannelFlags, Mcs};
use airloom_wire::{
    AirFrame, EchoKind, EchoRepr, Ecn, EtherType, EthernetRepr, Fcs, Ipv4Repr, LinkType, MacAddr, Mpdu,
    Packet, Payload, RadiotapRepr, SackBlock, TcpFlags, TcpOptions, TcpRepr, Timestamps, Transport, UdpRepr,
};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

const AP: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x01]);
const STA: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x0a]);
const HOST: MacAddr = MacAddr([0x02, 0, 0, 0, 0, 0x63]);
/// Neighbor reports of access points on channels 36 and 52.
const NEIGHBORS: &[u8] =
    &[52, 13, 2, 0, 0, 0, 0, 10, 15, 8, 0, 0, 115, 36, 9, 52, 13, 2, 0, 0, 0, 0, 11, 15, 8, 0, 0, 118, 52, 9];

/// What a packet must show: fields of Wireshark and their values.
type Expected = &'static [(&'static str, &'static str)];

/// Runs one of Wireshark's tools, or none if it is missing: that is an error where tests are meant to be complete, and
/// elsewhere worth a line.
fn run(tool: &str, arguments: &[&str]) -> Option<String> {
    static SAID: Once = Once::new();
    let config = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wireshark");
    std::fs::create_dir_all(&config).unwrap();
    // A person's own preferences must not change what is read.
    let output = match Command::new(tool).args(arguments).env("WIRESHARK_CONFIG_DIR", config).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            assert!(
                std::env::var_os("CI").is_none(),
                "{tool} is not installed, and CI is set: install tshark"
            );
            // Written past the test harness, which keeps what passing tests print to itself.
            SAID.call_once(|| _ = writeln!(std::io::stderr(), "skipped: {tool} is not installed"));
            return None;
        }
        Err(error) => panic!("{tool}: {error}"),
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    Some(text)
}

fn store(name: &str, file: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, file).unwrap();
    path
}

/// Whether two values mean the same: lists element by element, numbers whatever their base, and booleans and octets
/// whatever the release of Wireshark that shows them.
fn same(seen: &str, expected: &str) -> bool {
    if seen.contains(',') || expected.contains(',') {
        let (seen, expected): (Vec<_>, Vec<_>) = (seen.split(',').collect(), expected.split(',').collect());
        return seen.len() == expected.len()
            && seen.iter().zip(expected).all(|(seen, expected)| same(seen, expected));
    }
    let number = |text: &str| match text {
        "True" => Some(1),
        "False" => Some(0),
        _ => match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
    };
    match (number(seen), number(expected)) {
        (Some(seen), Some(expected)) => seen == expected,
        _ => seen.replace(':', "") == expected.replace(':', ""),
    }
}

/// Reads a file with tshark, all checks on, and compares every packet. A field that is not to be shown has no value.
fn check(name: &str, file: &[u8], expected: &[Expected]) {
    let path = store(name, file);
    let mut fields: Vec<&str> =
        expected.iter().flat_map(|fields| fields.iter().map(|(field, _)| *field)).collect();
    fields.sort_unstable();
    fields.dedup();
    let mut arguments = vec!["-n", "-r", path.to_str().unwrap(), "-T", "fields", "-E", "separator=/t"];
    arguments.extend(["-E", "occurrence=a", "-E", "aggregator=,", "-e", "_ws.malformed"]);
    for preference in [
        "wlan.check_fcs:TRUE",
        "wlan.check_checksum:TRUE",
        "tcp.check_checksum:TRUE",
        "ip.check_checksum:TRUE",
        "udp.check_checksum:TRUE",
        "tcp.relative_sequence_numbers:FALSE",
    ] {
        arguments.extend(["-o", preference]);
    }
    for field in &fields {
        arguments.extend(["-e", field]);
    }
    let Some(text) = run("tshark", &arguments) else {
        return;
    };
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), expected.len(), "packets in {name}");
    for (number, (line, expected)) in lines.iter().zip(expected).enumerate() {
        let values: Vec<&str> = line.split('\t').collect();
        // tshark counts a bad check sequence itself as malformed.
        let bad = expected.contains(&("wlan.fcs.status", "0"));
        assert!(bad || values[0].is_empty(), "packet {number} of {name} is malformed");
        for (field, expected) in *expected {
            let seen = values[1 + fields.iter().position(|other| other == field).unwrap()];
            assert!(same(seen, expected), "packet {number} of {name}: {field} is {seen:?}, not {expected:?}");
        }
    }
}

/// Asserts that capinfos counts as many packets and knows that stamps are nanoseconds.
fn count(name: &str, packets: usize) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let Some(text) = run("capinfos", &["-M", path.to_str().unwrap()]) else {
        return;
    };
    let value = |key: &str| {
        text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim().to_owned()
    };
    assert_eq!(value("Number of packets:"), packets.to_string(), "{text}");
    assert_eq!(value("File timestamp precision:"), "nanoseconds (9)", "{text}");
}

fn tcp(from_ap: bool, tcp: TcpRepr, len: usize) -> Packet<'static> {
    let (near, far) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
    let (src, dst) = if from_ap { (near, far) } else { (far, near) };
    let (src_port, dst_port) = if from_ap { (5001, 40000) } else { (40000, 5001) };
    Packet {
        ip: Ipv4Repr { ident: 0x1234, ..Ipv4Repr::new(src, dst) },
        transport: Transport::Tcp(TcpRepr { src_port, dst_port, ..tcp }),
        payload: Payload::Zeros(len),
    }
}

fn segment(seq: u32) -> TcpRepr {
    TcpRepr {
        seq,
        ack: 0x0102_0304,
        flags: TcpFlags::ACK | TcpFlags::PSH,
        window: 501,
        options: TcpOptions {
            timestamps: Some(Timestamps { value: 1111, echo: 2222 }),
            ..TcpOptions::default()
        },
        ..TcpRepr::default()
    }
}

fn down(sequence: u16, retry: bool) -> DataRepr {
    DataRepr {
        flags: Flags { retry, ..Flags::default() },
        duration: 44,
        qos: Some(Qos::default()),
        ..DataRepr::new(Addressing::FromDs { destination: STA, bssid: AP, source: HOST }, sequence)
    }
}

fn management(body: ManagementBody<'_>) -> Mpdu<'_> {
    Mpdu::Frame(Frame::Management(ManagementRepr {
        flags: Flags::default(),
        duration: 0,
        destination: STA,
        source: AP,
        bssid: AP,
        sequence: SequenceControl { number: 77, fragment: 0 },
        ht_control: None,
        body,
    }))
}

/// Each frame of the air that the crate can describe, and what tshark must see in it.
fn air<'a>(map: &'a TrafficMap) -> Vec<(RadiotapRepr, Mpdu<'a>, Fcs, Expected)> {
    let channel = Some(Channel { mhz: 2437, flags: ChannelFlags::OFDM | ChannelFlags::BAND_2GHZ });
    let radio = RadiotapRepr {
        tsft: Some(5_000_000_123),
        channel,
        signal_dbm: Some(-47),
        noise_dbm: Some(-95),
        ..RadiotapRepr::default()
    };
    let slow = RadiotapRepr { rate: Some(48), ..radio };
    let preamble = RadiotapRepr { flags: Some(radiotap::Flags::SHORT_PREAMBLE), rate: Some(22), ..radio };
    let ht = |last| RadiotapRepr {
        mcs: Some(Mcs::new(15, Bandwidth::Mhz40, true)),
        ampdu: Some(AmpduStatus::new(0xcafe, last)),
        ..radio
    };
    let bss = BssDescription {
        timestamp: 0x1122_3344_5566,
        interval: 100,
        capabilities: Capabilities::ESS | Capabilities::SHORT_SLOT,
        ssid: b"loom",
        rates: &[0x8c, 0x12, 0x98, 0x24, 0xb0, 0x48, 0x60, 0x6c],
        extended_rates: &[0x82],
        channel: Some(6),
        switch: Some(SwitchAnnouncement { quiet: true, class: Some(83), channel: 11, count: 4 }),
        ht_capabilities: Some(HtCapabilities {
            info: HtCapabilities::WIDE | HtCapabilities::SHORT_GI_20 | HtCapabilities::SHORT_GI_40,
            ampdu: 0x17,
            ..HtCapabilities::default()
        }),
        ht_operation: Some(HtOperation { primary_channel: 6, info: [5, 0, 0, 0, 0], basic_mcs_set: [0; 16] }),
        ..BssDescription::default()
    };
    let parameters = AddBaParameters { amsdu: false, immediate: true, tid: 5, buffer_size: 64 };
    let sack = [SackBlock { left: 100_000, right: 101_448 }, SackBlock { left: 104_344, right: 105_792 }];
    let ack = TcpRepr {
        seq: 0x0102_0304,
        ack: 98_552,
        flags: TcpFlags::ACK,
        options: TcpOptions { sack: sack.into_iter().collect(), ..segment(0).options },
        ..TcpRepr::default()
    };
    let up = Addressing::ToDs { bssid: AP, source: STA, destination: HOST };
    let doze = Flags { power_management: true, ..Flags::default() };
    let control = |frame| Mpdu::Frame(Frame::Control(frame));
    let null = |header| Mpdu::Frame(Frame::Data { header, body: &[] });
    vec![
        (
            preamble,
            management(ManagementBody::Beacon { bss, tim: Some(map.tim(1, 3, true)) }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x8"),
                ("wlan.fcs.status", "1"),
                ("wlan.seq", "77"),
                ("wlan.bssid", "02:00:00:00:00:01"),
                ("wlan.fixed.timestamp", "18838586676582"),
                ("wlan.fixed.capabilities", "0x0401"),
                ("wlan.ds.current_channel", "6"),
                ("wlan.csa.channel_switch_mode", "1"),
                ("wlan.csa.new_channel_number", "11"),
                ("wlan.csa.channel_switch.count", "4"),
                ("wlan.tim.dtim_count", "1"),
                ("wlan.tim.dtim_period", "3"),
                ("wlan.tim.bmapctl.multicast", "1"),
                ("wlan.tim.bmapctl.offset", "1"),
                ("wlan.tim.partial_virtual_bitmap", "4001"),
                ("wlan.ht.capabilities", "0x0062"),
                ("wlan.ht.capabilities.short40", "1"),
                ("wlan.ht.ampduparam", "0x17"),
                ("wlan.ht.info.primarychannel", "6"),
                ("radiotap.mactime", "5000000123"),
                ("radiotap.flags.preamble", "1"),
                ("radiotap.flags.fcs", "1"),
                ("radiotap.datarate", "11"),
                ("radiotap.channel.freq", "2437"),
                ("radiotap.channel.flags", "0x00c0"),
                ("radiotap.dbm_antsignal", "-47"),
                ("radiotap.dbm_antnoise", "-95"),
                ("radiotap.mcs.index", ""),
            ],
        ),
        (
            slow,
            control(ControlRepr::Rts { duration: 314, receiver: STA, transmitter: AP }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x1b"),
                ("wlan.fcs.status", "1"),
                ("wlan.duration", "314"),
                ("wlan.ra", "02:00:00:00:00:0a"),
                ("wlan.ta", "02:00:00:00:00:01"),
                ("radiotap.datarate", "24"),
            ],
        ),
        (
            slow,
            control(ControlRepr::Cts { duration: 200, receiver: AP }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x1c"),
                ("wlan.fcs.status", "1"),
                ("wlan.duration", "200"),
                ("wlan.ra", "02:00:00:00:00:01"),
            ],
        ),
        (
            ht(false),
            Mpdu::Packet(down(1234, false), tcp(true, segment(1_000_000), 1448)),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x28"),
                ("wlan.fcs.status", "1"),
                ("wlan.fc.retry", "0"),
                ("wlan.seq", "1234"),
                ("wlan.fc.fromds", "1"),
                ("wlan.fc.tods", "0"),
                ("wlan.qos.tid", "0"),
                ("wlan.qos.ack", "0"),
                ("wlan.ra", "02:00:00:00:00:0a"),
                ("wlan.ta", "02:00:00:00:00:01"),
                ("wlan.sa", "02:00:00:00:00:63"),
                ("wlan.da", "02:00:00:00:00:0a"),
                ("radiotap.mcs.index", "15"),
                ("radiotap.mcs.bw", "1"),
                ("radiotap.mcs.gi", "1"),
                ("radiotap.ampdu.reference", "0xcafe"),
                ("radiotap.ampdu.flags.lastknown", "1"),
                ("radiotap.ampdu.flags.last", "0"),
                ("radiotap.datarate", "300"),
                ("ip.checksum.status", "1"),
                ("tcp.checksum.status", "1"),
                ("tcp.len", "1448"),
                ("tcp.seq_raw", "1000000"),
                ("tcp.ack_raw", "0x01020304"),
                ("tcp.flags", "0x18"),
                ("tcp.window_size_value", "501"),
                ("tcp.options.timestamp.tsval", "1111"),
                ("tcp.options.timestamp.tsecr", "2222"),
                ("ip.id", "0x1234"),
                ("ip.flags.df", "1"),
                ("ip.ttl", "64"),
                ("tcp.srcport", "5001"),
                ("tcp.dstport", "40000"),
            ],
        ),
        (
            ht(true),
            Mpdu::Packet(down(1235, true), tcp(true, segment(1_001_448), 1448)),
            Fcs::Good,
            &[
                ("wlan.fc.retry", "1"),
                ("wlan.seq", "1235"),
                ("wlan.fcs.status", "1"),
                ("radiotap.ampdu.reference", "0xcafe"),
                ("radiotap.ampdu.flags.last", "1"),
                ("tcp.checksum.status", "1"),
                ("tcp.seq_raw", "1001448"),
            ],
        ),
        (
            slow,
            control(ControlRepr::BlockAck {
                duration: 0,
                receiver: AP,
                transmitter: STA,
                policy: BarPolicy::NoAck,
                tid: 5,
                start: 1234,
                bitmap: Acknowledged::Of64(1 | 1 << 9 | 1 << 63),
            }),
            Fcs::Good,
            // Frames 1 to 8 and 10 to 62 after the start are missing.
            &[
                ("wlan.fc.type_subtype", "0x19"),
                ("wlan.fcs.status", "1"),
                ("wlan.ba.control.ba_type", "2"),
                ("wlan.ba.basic.tidinfo", "5"),
                ("wlan.ba.control.ackpolicy", "1"),
                ("wlan.fixed.ssc.sequence", "1234"),
                ("wlan.ba.bm", "0102000000000080"),
                (
                    "wlan.ba.bm.missing_frame",
                    "1235,1236,1237,1238,1239,1240,1241,1242,1244,1245,1246,1247,1248,1249,1250,\
                  1251,1252,1253,1254,1255,1256,1257,1258,1259,1260,1261,1262,1263,1264,1265,1266,1267,1268,1269,1270,1271,\
                  1272,1273,1274,1275,1276,1277,1278,1279,1280,1281,1282,1283,1284,1285,1286,1287,1288,1289,1290,1291,1292,\
                  1293,1294,1295,1296",
                ),
            ],
        ),
        (
            slow,
            control(ControlRepr::BlockAckReq {
                duration: 44,
                receiver: STA,
                transmitter: AP,
                policy: BarPolicy::Normal,
                tid: 5,
                start: 4095,
            }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x18"),
                ("wlan.fcs.status", "1"),
                ("wlan.fixed.ssc.sequence", "4095"),
            ],
        ),
        (
            slow,
            control(ControlRepr::Ack { duration: 0, receiver: STA }),
            Fcs::Good,
            &[("wlan.fc.type_subtype", "0x1d"), ("wlan.fcs.status", "1"), ("wlan.ra", "02:00:00:00:00:0a")],
        ),
        (
            slow,
            null(DataRepr { flags: doze, null: true, ..DataRepr::new(up, 9) }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x24"),
                ("wlan.fc.pwrmgt", "1"),
                ("wlan.fc.tods", "1"),
                ("wlan.fcs.status", "1"),
                ("wlan.seq", "9"),
                ("wlan.bssid", "02:00:00:00:00:01"),
                ("wlan.da", "02:00:00:00:00:63"),
            ],
        ),
        (
            slow,
            null(DataRepr {
                null: true,
                qos: Some(Qos { tid: 7, ack_policy: AckPolicy::NoAck, ..Qos::default() }),
                ..DataRepr::new(up, 10)
            }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x2c"),
                ("wlan.fc.pwrmgt", "0"),
                ("wlan.qos.tid", "7"),
                ("wlan.qos.ack", "1"),
                ("wlan.fcs.status", "1"),
                ("wlan.seq", "10"),
            ],
        ),
        (
            slow,
            Mpdu::Packet(DataRepr::new(up, 11), tcp(false, ack, 0)),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x20"),
                ("wlan.fcs.status", "1"),
                ("tcp.checksum.status", "1"),
                ("tcp.options.sack_le", "100000,104344"),
                ("tcp.options.sack_re", "101448,105792"),
                ("tcp.ack_raw", "98552"),
            ],
        ),
        (
            ht(true),
            Mpdu::Packet(down(1236, false), tcp(true, segment(1_002_896), 1448)),
            Fcs::Bad,
            &[("wlan.fcs.status", "0"), ("radiotap.flags.badfcs", "1"), ("wlan.seq", "1236")],
        ),
        (
            slow,
            management(ManagementBody::AddBaRequest { dialog_token: 9, parameters, timeout: 0, start: 4000 }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0xd"),
                ("wlan.fcs.status", "1"),
                ("wlan.fixed.category_code", "3"),
                ("wlan.fixed.action_code", "0"),
                ("wlan.fixed.baparams.policy", "1"),
                ("wlan.fixed.baparams.tid", "5"),
                ("wlan.fixed.baparams.buffersize", "64"),
                ("wlan.fixed.ssc.sequence", "4000"),
            ],
        ),
        (
            slow,
            management(ManagementBody::AddBaResponse { dialog_token: 9, status: 0, parameters, timeout: 7 }),
            Fcs::Good,
            &[
                ("wlan.fixed.action_code", "1"),
                ("wlan.fixed.status_code", "0"),
                ("wlan.fixed.batimeout", "7"),
                ("wlan.fixed.dialog_token", "9"),
                ("wlan.fcs.status", "1"),
            ],
        ),
        (
            slow,
            management(ManagementBody::Disassociation { reason: 34 }),
            Fcs::Good,
            &[("wlan.fc.type_subtype", "0xa"), ("wlan.fixed.reason_code", "34"), ("wlan.fcs.status", "1")],
        ),
        (
            slow,
            management(ManagementBody::Deauthentication { reason: 7 }),
            Fcs::Good,
            &[("wlan.fc.type_subtype", "0xc"), ("wlan.fixed.reason_code", "7"), ("wlan.fcs.status", "1")],
        ),
        (
            slow,
            management(ManagementBody::TransitionRequest(TransitionRequest {
                dialog_token: 1,
                mode: TransitionRequest::CANDIDATES | TransitionRequest::IMMINENT,
                timer: 98,
                validity: 100,
                candidate: Some(Neighbour {
                    bssid: MacAddr([2, 0, 0, 0, 0, 11]),
                    info: 0x80f,
                    class: 119,
                    channel: 52,
                    phy: 9,
                }),
            })),
            Fcs::Good,
            &[
                ("wlan.fixed.category_code", "10"),
                ("wlan.fixed.action_code", "7"),
                ("wlan.fixed.disassoc_timer", "98"),
                ("wlan.nreport.bssid", "02:00:00:00:00:0b"),
                ("wlan.nreport.channumber", "52"),
                ("wlan.fcs.status", "1"),
            ],
        ),
        (
            slow,
            management(ManagementBody::TransitionResponse {
                dialog_token: 1,
                status: 0,
                target: Some(MacAddr([2, 0, 0, 0, 0, 11])),
            }),
            Fcs::Good,
            &[("wlan.fixed.action_code", "8"), ("wlan.fixed.bss_transition_target_bss", "02:00:00:00:00:0b")],
        ),
        (
            slow,
            management(ManagementBody::NeighborRequest { dialog_token: 1 }),
            Fcs::Good,
            &[("wlan.fixed.category_code", "5"), ("wlan.fixed.action_code", "4")],
        ),
        (
            slow,
            management(ManagementBody::NeighborReport { dialog_token: 1, elements: NEIGHBORS }),
            Fcs::Good,
            &[("wlan.fixed.action_code", "5"), ("wlan.nreport.channumber", "36,52")],
        ),
        (
            slow,
            management(ManagementBody::ProbeRequest {
                ssid: b"",
                rates: &[2, 4, 11, 22],
                extended_rates: &[12],
                channel: Some(6),
            }),
            Fcs::Good,
            &[
                ("wlan.fc.type_subtype", "0x4"),
                ("wlan.fcs.status", "1"),
                ("wlan.supported_rates", "2,4,11,22"),
            ],
        ),
        (
            slow,
            management(ManagementBody::ProbeResponse(bss)),
            Fcs::Good,
            &[("wlan.fc.type_subtype", "0x5"), ("wlan.fcs.status", "1"), ("wlan.tim.dtim_count", "")],
        ),
    ]
}

#[test]
fn frames_of_the_air() {
    let mut map = TrafficMap::default();
    map.set(22, true).unwrap();
    map.set(24, true).unwrap();
    let frames = air(&map);
    let interface =
        Interface { link: LinkType::RADIOTAP, name: "air0", description: "2437 MHz", snap_len: 0 };
    let mut writer = Writer::new(Vec::new(), "airloom").unwrap();
    let id = writer.interface(&interface).unwrap();
    let mut octets = Vec::new();
    for (number, &(radiotap, mpdu, fcs, _)) in frames.iter().enumerate() {
        octets.clear();
        let original_len =
            AirFrame { radiotap, mpdu, fcs }.emit(interface.room(), &mut octets).unwrap() as u32;
        let stamp_ns = 1_700_000_000_000_000_001 + number as u64;
        writer
            .record(&Record { interface: id, stamp_ns, data: &octets, original_len, comment: None })
            .unwrap();
    }
    let expected: Vec<Expected> = frames.iter().map(|frame| frame.3).collect();
    check("air.pcapng", &writer.finish().unwrap(), &expected);
    count("air.pcapng", frames.len());
}

#[test]
fn packets_of_hosts() {
    let mut writer = Writer::new(Vec::new(), "airloom").unwrap();
    let ethernet =
        Interface { link: LinkType::ETHERNET, name: "host0", description: "the server", snap_len: 96 };
    let raw = Interface { link: LinkType::RAW_IP, name: "tun0", description: "", snap_len: 0 };
    let (host0, tun0) = (writer.interface(&ethernet).unwrap(), writer.interface(&raw).unwrap());

    let syn = TcpRepr {
        seq: 7,
        flags: TcpFlags::SYN | TcpFlags::ECE | TcpFlags::CWR,
        options: TcpOptions {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps: Some(Timestamps { value: 5, echo: 0 }),
            ..TcpOptions::default()
        },
        ..TcpRepr::default()
    };
    let mut marked = tcp(true, segment(8), 1448);
    (marked.ip.dscp, marked.ip.ecn) = (46, Ecn::Ce);
    let udp = Transport::Udp(UdpRepr { src_port: 9000, dst_port: 9001 });
    let echo = Transport::Echo(EchoRepr { kind: EchoKind::Request, ident: 0x77, sequence: 3 });
    let packets: [(_, _, _, Expected); 5] = [
        (
            host0,
            tcp(true, syn, 0),
            Some("a comment"),
            &[
                ("frame.interface_name", "host0"),
                ("frame.interface_description", "the server"),
                ("frame.len", "74"),
                ("frame.comment", "a comment"),
                ("frame.time_epoch", "1.000000001"),
                ("eth.dst", "02:00:00:00:00:0a"),
                ("tcp.flags", "0xc2"),
                ("tcp.options.mss_val", "1460"),
                ("tcp.options.wscale.shift", "7"),
                ("tcp.options.sack_perm", "04:02"),
                ("tcp.options.timestamp.tsval", "5"),
                ("tcp.checksum.status", "1"),
                ("ip.checksum.status", "1"),
            ],
        ),
        (
            host0,
            marked,
            None,
            // Cut to the snap length, so that the segment cannot be summed; the header still can.
            &[
                ("frame.len", "1514"),
                ("frame.cap_len", "96"),
                ("ip.len", "1500"),
                ("tcp.len", "1448"),
                ("ip.dsfield.dscp", "46"),
                ("ip.dsfield.ecn", "3"),
                ("ip.checksum.status", "1"),
                ("frame.time_epoch", "1.000000002"),
                ("frame.comment", ""),
            ],
        ),
        (
            tun0,
            tcp(true, segment(8), 1448),
            None,
            &[
                ("frame.interface_name", "tun0"),
                ("frame.len", "1500"),
                ("frame.cap_len", "1500"),
                ("tcp.checksum.status", "1"),
                ("ip.src", "10.0.0.1"),
                ("ip.dst", "10.0.0.2"),
            ],
        ),
        (
            tun0,
            Packet { transport: udp, payload: Payload::Bytes(b"odd"), ..marked },
            None,
            &[
                ("udp.checksum.status", "1"),
                ("udp.length", "11"),
                ("udp.srcport", "9000"),
                ("ip.checksum.status", "1"),
            ],
        ),
        (
            tun0,
            Packet { transport: echo, payload: Payload::Zeros(56), ..marked },
            None,
            &[("icmp.type", "8"), ("icmp.checksum.status", "1"), ("icmp.ident", "0x77"), ("icmp.seq", "3")],
        ),
    ];
    let mut octets = Vec::new();
    for (number, &(interface, packet, comment, _)) in packets.iter().enumerate() {
        octets.clear();
        let mut room = raw.room();
        if interface == host0 {
            EthernetRepr { dst: STA, src: AP, ethertype: EtherType::IPV4 }.emit(&mut octets);
            room = ethernet.room() - octets.len();
        }
        let original_len = (octets.len() + packet.emit(room, &mut octets).unwrap()) as u32;
        let stamp_ns = 1_000_000_001 + number as u64;
        writer.record(&Record { interface, stamp_ns, data: &octets, original_len, comment }).unwrap();
    }
    let expected: Vec<Expected> = packets.iter().map(|packet| packet.3).collect();
    check("host.pcapng", &writer.finish().unwrap(), &expected);
    count("host.pcapng", packets.len());
}
