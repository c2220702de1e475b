//! From the octets of a capture to a frame of the air or a packet of a host, by link type.

use crate::KeyMessage;
use crate::frame::{Beacon, BlockAck, Eapol, Frame, PowerBits, Radio, Way};
use crate::packet::{Packet, hashed};
use crate::speed::Speed;
use crate::ssid::Ssid;
use airloom_wire::ieee80211::{
    Acknowledged, AnyFrame, Capabilities, ControlRepr, Frame as Parsed, Joining, ManagementBody, Security,
    Subframe, Subtype, Tim, fcs,
};
use airloom_wire::radiotap::Flags;
use airloom_wire::{
    Captured, CookedRepr, Error, EtherType, EthernetRepr, HdlcRepr, LinkType, MacAddr, PpiRadio, PpiRepr,
    PppRepr, PrismRepr, RadiotapRepr, SnapRepr, logged_packet, session, without_family,
};

/// What a record of a capture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "records are looked at one by one, and none is kept")]
pub enum Seen {
    /// A frame of the air.
    Air(Frame),
    /// A packet at the network interface of a host.
    Host(Packet),
    /// A frame at the network interface of a host that carries something else than IP, such as ARP or EAPOL.
    Other,
    /// What cannot be read: damaged, cut too short, encrypted, or of a link that is not known here.
    Unread,
}

/// Where captures with this link type come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From the air.
    Air,
    /// From a host's network interface.
    Host,
}

impl Place {
    /// The word for it in what is printed for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Air => "air",
            Self::Host => "host",
        }
    }
}

/// Where a capture with this link type was made; none for link types that have nothing to do with networks like these, or do not say.
pub const fn place(link: LinkType) -> Option<Place> {
    match link {
        LinkType::RADIOTAP | LinkType::PRISM | LinkType::AVS | LinkType::IEEE802_11 => Some(Place::Air),
        LinkType::ETHERNET
        | LinkType::NULL
        | LinkType::LOOP
        | LinkType::PPP
        | LinkType::PPP_HDLC
        | LinkType::PPP_ETHER
        | LinkType::C_HDLC
        | LinkType::NFLOG
        | LinkType::LINUX_SLL
        | LinkType::LINUX_SLL2
        | LinkType::RAW_IP
        | LinkType::RAW_12
        | LinkType::RAW_14
        | LinkType::IPV4
        | LinkType::IPV6 => Some(Place::Host),
        _ => None,
    }
}

/// Reads a record; appends the packets behind the first one of an A-MSDU.
pub(crate) fn read(record: &Captured<'_>, further: &mut Vec<Packet>) -> Seen {
    let (data, original) = (record.data, record.original_len);
    let behind = |(ethertype, rest): (EtherType, &[u8])| -> Option<Seen> {
        let header = &data[..data.len() - rest.len()];
        match Packet::behind(ethertype, rest, original.saturating_sub(header.len() as u32)) {
            Some(packet) if record.link == LinkType::ETHERNET => {
                Some(Seen::Host(packet.via(header).framed(header.len(), original)))
            }
            Some(packet) => Some(Seen::Host(packet.via(header))),
            None => carries_other(ethertype, rest).then_some(Seen::Other),
        }
    };
    let bare = |packet: &[u8]| {
        let original = original.saturating_sub((data.len() - packet.len()) as u32);
        Packet::of_either_version(packet, original).map(Seen::Host)
    };
    let within = |found| match found {
        Ok(found) => behind(found),
        Err(Error::Unsupported(_)) => Some(Seen::Other),
        Err(_) => None,
    };
    let cooked = |(header, rest): (CookedRepr, _)| behind((header.ethertype, rest));
    let seen = match record.link {
        LinkType::RADIOTAP | LinkType::PRISM | LinkType::AVS | LinkType::IEEE802_11 => {
            air(record, further).map(Seen::Air)
        }
        LinkType::ETHERNET => {
            within(EthernetRepr::parse(data).map(|(header, rest)| (header.ethertype, rest)))
        }
        LinkType::PPI => {
            PpiRepr::parse(data).ok().map(|(told, rest)| behind_ppi(record, told, rest, further))
        }
        LinkType::C_HDLC => hdlc(data).and_then(behind),
        LinkType::PPP_HDLC => hdlc(data).map_or_else(|| within(ppp(data)), behind),
        LinkType::PPP => within(ppp(data)),
        LinkType::PPP_ETHER => within(session(data)),
        LinkType::NULL | LinkType::LOOP => without_family(data).ok().and_then(bare),
        LinkType::NFLOG => logged_packet(data).ok().and_then(bare),
        LinkType::LINUX_SLL => CookedRepr::parse(data).ok().and_then(cooked),
        LinkType::LINUX_SLL2 => CookedRepr::parse_second(data).ok().and_then(cooked),
        LinkType::RAW_IP | LinkType::RAW_12 | LinkType::RAW_14 | LinkType::IPV4 | LinkType::IPV6 => {
            bare(data)
        }
        _ => None,
    };
    seen.unwrap_or(Seen::Unread)
}

/// Whether something else than IP follows a header with this EtherType, behind tags that can be read.
fn carries_other(ethertype: EtherType, octets: &[u8]) -> bool {
    match ethertype.innermost(octets) {
        Ok((inner, _)) => inner != EtherType::IPV4 && inner != EtherType::IPV6,
        Err(error) => matches!(error, Error::Unsupported(_)),
    }
}

/// What a header of PPP says that follows it.
fn ppp(data: &[u8]) -> Result<(EtherType, &[u8]), Error> {
    let (header, rest) = PppRepr::parse(data)?;
    Ok((header.ethertype().ok_or(Error::Unsupported("protocol of PPP"))?, rest))
}

/// The same of a header of Cisco's HDLC.
fn hdlc(data: &[u8]) -> Option<(EtherType, &[u8])> {
    HdlcRepr::parse(data).ok().map(|(header, rest)| (header.ethertype, rest))
}

/// What lies behind a header of PPI: a frame about which that tells, or anything else but another such header.
fn behind_ppi(record: &Captured<'_>, told: PpiRepr, data: &[u8], further: &mut Vec<Packet>) -> Seen {
    let header = (record.data.len() - data.len()) as u32;
    let original_len = record.original_len.saturating_sub(header);
    match (told.link, told.radio) {
        (LinkType::PPI, _) => Seen::Unread,
        (LinkType::IEEE802_11, Some(radio)) => {
            let PpiRadio { fcs_at_end, bad_fcs, rate, channel_mhz, signal_dbm, noise_dbm } = radio;
            let radio = Radio {
                speed: rate.and_then(Speed::legacy),
                signal_dbm,
                noise_dbm,
                channel_mhz,
                damaged: bad_fcs,
                ..Radio::default()
            };
            let whole = data.len() == original_len as usize;
            frame(data, original_len, whole, (Some(fcs_at_end), false), radio, further)
                .map_or(Seen::Unread, Seen::Air)
        }
        (link, _) => read(&Captured { link, data, original_len, ..*record }, further),
    }
}

/// A record of the air: what the radio told, then the frame.
fn air(record: &Captured<'_>, further: &mut Vec<Packet>) -> Option<Frame> {
    let (radio, fcs_at_end, padded, mpdu) = match record.link {
        LinkType::RADIOTAP => {
            let (told, mpdu) = RadiotapRepr::parse(record.data).ok()?;
            let flags = told.flags.unwrap_or_default();
            let radio = Radio {
                tsft_us: told.tsft,
                speed: Speed::of(&told),
                signal_dbm: told.signal_dbm,
                noise_dbm: told.noise_dbm,
                channel_mhz: told.channel.map(|channel| channel.mhz),
                ampdu: told.ampdu.map(|status| status.reference),
                damaged: flags.contains(Flags::BAD_FCS),
            };
            (radio, Some(flags.contains(Flags::FCS_AT_END)), flags.contains(Flags::DATA_PAD), mpdu)
        }
        LinkType::IEEE802_11 => (Radio::default(), None, false, record.data),
        _ => {
            let (told, mpdu) = PrismRepr::parse(record.data).ok()?;
            let radio = Radio {
                speed: told.rate.and_then(Speed::legacy),
                signal_dbm: told.signal_dbm,
                noise_dbm: told.noise_dbm,
                ..Radio::default()
            };
            (radio, None, false, mpdu)
        }
    };
    let before = (record.data.len() - mpdu.len()) as u32;
    let whole = record.data.len() == record.original_len as usize;
    let length = record.original_len.saturating_sub(before);
    frame(mpdu, length, whole, (fcs_at_end, padded), radio, further)
}

/// A body that is encrypted has so many octets beside what it carries: WEP's vector and check value, the fewest (802.11-2020 clause 12.3.2.2).
/// What has fewer carries nobody's data.
const SEALED: u32 = 8;

/// So many octets tell frames apart: the longest MAC header, and the number of an encrypted packet or the timer in an answer to a probe.
const BEGINS: usize = 48;

/// A frame of which `mpdu` was captured, of a length of `length` octets, with or without its check sequence: without a word
/// about it, it has one if that is right.
fn frame(
    mpdu: &[u8],
    length: u32,
    whole: bool,
    (fcs_at_end, padded): (Option<bool>, bool),
    mut radio: Radio,
    further: &mut Vec<Packet>,
) -> Option<Frame> {
    let stripped = if whole { fcs::strip(mpdu).ok() } else { None };
    let has_fcs = fcs_at_end.unwrap_or(stripped.is_some());
    // Simulators may leave the place of the check sequence empty: ns-3 does so by default.
    let empty = mpdu.ends_with(&[0; fcs::LEN]);
    radio.damaged |= has_fcs && whole && stripped.is_none() && !empty;
    let end = if has_fcs { length as usize - (length as usize).min(fcs::LEN) } else { length as usize };
    let mpdu = &mpdu[..mpdu.len().min(end)];
    let head = AnyFrame::parse(mpdu).ok()?;
    let mut frame = headed(&head, end, radio);
    frame.joining = Joining::read(mpdu);
    // What is not there may be behind where a frame was cut.
    frame.security = Security::read(mpdu).filter(|told| whole || *told != Security::Without);
    frame.begins = hashed(&mpdu[..mpdu.len().min(BEGINS)]);
    let mpdu = if head.subtype == Subtype::Beacon && !whole { whole_elements(mpdu) } else { mpdu };
    match Parsed::parse(mpdu) {
        Ok(Parsed::Data { header, body }) => {
            // Some radios align what is behind the MAC header to four octets.
            let pad = if padded { header.header_len().next_multiple_of(4) - header.header_len() } else { 0 };
            frame.tid = header.qos.map(|qos| qos.tid);
            frame.amsdu = header.qos.is_some_and(|qos| qos.amsdu);
            frame.body = end.saturating_sub(header.header_len() + pad) as u32;
            if frame.protected && frame.body < SEALED {
                frame.subtype = Subtype::Null;
            }
            let body = body.get(pad..).unwrap_or_default();
            frame.packet_number = packet_number(body).filter(|_| frame.protected && !frame.radio.damaged);
            let body = if frame.protected { &[] } else { body };
            carries(&mut frame, body, radios(&head), further);
        }
        Ok(Parsed::Control(ControlRepr::BlockAck { tid, start, bitmap, .. })) => {
            frame.block_ack = Some(BlockAck { tid, start, bitmap });
        }
        Ok(Parsed::Control(ControlRepr::BlockAckReq { tid, start, .. })) => {
            frame.block_ack = Some(BlockAck { tid, start, bitmap: Acknowledged::NONE });
        }
        Ok(Parsed::Control(ControlRepr::PsPoll { aid, .. })) => frame.aid = Some(aid),
        Ok(Parsed::Management(management)) => {
            frame.beacon = beacon(&management.body);
            frame.channel = channel(&management.body);
        }
        Ok(Parsed::Control(_)) | Err(_) => {}
    }
    Some(frame)
}

/// The packet number that an encrypted body begins with; none of WEP, which has no extended vector, and of TKIP, which has a part of its count where CCMP and GCMP have a
/// zero (802.11-2020 clauses 12.5.2.2, 12.5.3.2 and 12.5.5.2). One in 256 of TKIP has a zero there too: that shows by the octet before it, unless the body is cut.
fn packet_number(body: &[u8]) -> Option<u64> {
    let &[first, second, 0, key, third, fourth, fifth, sixth, ..] = body else { return None };
    let is_tkip = second == (first | 0x20) & 0x7f;
    (key & 0x20 != 0 && !is_tkip)
        .then(|| u64::from_le_bytes([first, second, third, fourth, fifth, sixth, 0, 0]))
}

/// What the header of a frame says, which ends after so many octets without its check sequence.
fn headed(head: &AnyFrame, end: usize, radio: Radio) -> Frame {
    let way = match (head.to_ds, head.from_ds) {
        (true, false) => Way::Up,
        (false, true) => Way::Down,
        _ => Way::Neither,
    };
    Frame {
        subtype: head.subtype,
        receiver: head.receiver,
        // No radio has this address (Linux: `is_valid_ether_addr`).
        transmitter: head.transmitter.filter(|mac| *mac != MacAddr([0; 6])),
        bssid: bssid(head),
        source: head.third.filter(|_| way == Way::Down && head.receiver.is_group()),
        way,
        sequence: head.sequence.map(|control| control.number),
        tid: None,
        retry: head.flags.retry,
        power: PowerBits { sleeps: head.flags.power_management, more_data: head.flags.more_data },
        protected: head.flags.protected,
        packet_number: None,
        amsdu: false,
        aid: None,
        length: (end + fcs::LEN) as u32,
        body: 0,
        begins: 0,
        block_ack: None,
        beacon: None,
        channel: None,
        radio,
        joining: None,
        security: None,
        eapol: None,
        packet: None,
    }
}

/// What the body of a data frame carries: its first packet, and the further ones of an A-MSDU.
fn carries(frame: &mut Frame, body: &[u8], radios: [u8; 12], further: &mut Vec<Packet>) {
    if frame.amsdu {
        let mut packets =
            Subframe::all(body).filter_map(|(of, length)| Some(packet(of.body, length)?.1?.via(&radios)));
        frame.packet = packets.next();
        further.extend(packets);
    } else if let Some((ethertype, packet)) = packet(body, frame.body) {
        frame.eapol = (ethertype == EtherType::EAPOL).then(|| eapol(body));
        frame.packet = packet.map(|packet| packet.via(&radios));
    }
}

/// The channel on which a probe request, or an answer to one, says that it is sent.
const fn channel(body: &ManagementBody) -> Option<u8> {
    match body {
        ManagementBody::ProbeRequest { channel, .. } => *channel,
        ManagementBody::ProbeResponse(bss) => bss.channel,
        _ => None,
    }
}

/// What the body of a beacon tells; none if it is another frame's.
fn beacon(body: &ManagementBody) -> Option<Beacon> {
    let ManagementBody::Beacon { bss, tim } = body else { return None };
    let tim = tim.as_ref();
    Some(Beacon {
        timer_us: bss.timestamp,
        interval: bss.interval,
        dtim: tim.is_some_and(|tim| tim.dtim_count == 0),
        short_slot: bss.capabilities.contains(Capabilities::SHORT_SLOT),
        width_mhz: bss.width_mhz(),
        ampdu_octets: bss.ampdu_octets(),
        indicates: tim.is_some_and(|tim| tim.bitmap.iter().any(|&octet| octet != 0)),
        waiting: tim.map_or(0, waiting),
        ssid: Ssid::of(bss.ssid),
        switch: bss.switch,
    })
}

/// For which of the association identifiers from 1 to 63 frames wait, a bit for each.
fn waiting(tim: &Tim) -> u64 {
    (1..64).filter(|&aid| tim.holds_for(aid)).map(|aid| 1 << aid).sum()
}

/// What tells a packet from the same one that the access point passes on to another of its stations.
fn radios(head: &AnyFrame) -> [u8; 12] {
    let mut radios = [0; 12];
    radios[..6].copy_from_slice(&head.receiver.0);
    radios[6..].copy_from_slice(&head.transmitter.unwrap_or(head.receiver).0);
    radios
}

/// What a frame or a subframe of an A-MSDU says that it carries, in `sent` octets with LLC, and the packet if it is one.
fn packet(body: &[u8], sent: u32) -> Option<(EtherType, Option<Packet>)> {
    let (snap, rest) = SnapRepr::parse(body).ok()?;
    let length = sent.saturating_sub(SnapRepr::LEN as u32);
    Some((snap.ethertype, Packet::behind(snap.ethertype, rest, length)))
}

/// What EAPOL behind LLC carries: its type is its second octet, 3 for keys (802.1X-2020 table 11-3).
fn eapol(body: &[u8]) -> Eapol {
    match body.get(SnapRepr::LEN..).unwrap_or_default() {
        eapol @ [_, 3, ..] => Eapol::Keys(KeyMessage::read(eapol)),
        _ => Eapol::Access,
    }
}

/// A beacon that was cut, without the element in which it was (802.11-2020 clauses 9.3.3.1, 9.3.3.2 and 9.4.2.1).
fn whole_elements(beacon: &[u8]) -> &[u8] {
    const HEADER: usize = 24;
    const FIXED: usize = 12;
    let mut end = HEADER + FIXED;
    while let Some(&length) = beacon.get(end + 1)
        && end + 2 + usize::from(length) <= beacon.len()
    {
        end += 2 + usize::from(length);
    }
    &beacon[..end.min(beacon.len())]
}

/// The access point's address (802.11-2020 tables 9-30 and 9-35; clause 9.3.1.5 for PS-Poll).
const fn bssid(head: &AnyFrame) -> Option<MacAddr> {
    match head.subtype {
        Subtype::Data | Subtype::Null => match (head.to_ds, head.from_ds) {
            (true, false) => Some(head.receiver),
            (false, true) => head.transmitter,
            (false, false) => head.third,
            (true, true) => None,
        },
        Subtype::PsPoll => Some(head.receiver),
        Subtype::Rts | Subtype::Cts | Subtype::Ack | Subtype::BlockAck | Subtype::BlockAckReq => None,
        _ => head.third,
    }
}

/// A frame of the air without radiotap, by its octets.
#[cfg(test)]
pub(crate) fn frame_of(octets: &[u8]) -> Frame {
    let original_len = octets.len() as u32;
    let link = LinkType::IEEE802_11;
    let record = Captured { interface: 0, link, stamp_ns: None, data: octets, original_len, comment: None };
    let Seen::Air(frame) = read(&record, &mut Vec::new()) else { panic!("no frame") };
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(link: LinkType, data: &[u8]) -> Seen {
        let original_len = data.len() as u32;
        let record = Captured { interface: 0, link, stamp_ns: None, data, original_len, comment: None };
        read(&record, &mut Vec::new())
    }

    /// An ACK with such octets at the place of its check sequence, whose radiotap header says nothing but that there is one.
    fn is_damaged(fcs: [u8; fcs::LEN]) -> bool {
        let mut octets = vec![0, 0, 9, 0, 2, 0, 0, 0, 0x10, 0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 1];
        octets.extend(fcs);
        let Seen::Air(frame) = seen(LinkType::RADIOTAP, &octets) else { panic!("no frame") };
        frame.radio.damaged
    }

    /// Bodies of `wpa-test-decode.pcap.gz` (CCMP, frames 19 and 4263) and of `wpa-Induction.pcap` (TKIP) of Wireshark's tests, and one of WEP.
    #[test]
    fn a_packet_number_is_read_of_ccmp_alone() {
        assert_eq!(packet_number(&[1, 0, 0, 0x20, 0, 0, 0, 0, 0xab]), Some(1));
        assert_eq!(packet_number(&[0xfc, 0xf2, 0, 0x20, 0, 0, 0, 0, 0xab]), Some(0xf2fc));
        assert_eq!(packet_number(&[0, 0, 0, 0x60, 1, 0, 0, 0x80]), Some(0x8000_0001_0000));
        assert_eq!(
            packet_number(&[0x12, 0x32, 0, 0x20, 0, 0, 0, 0, 0xab]),
            None,
            "TKIP whose count ends with a zero"
        );
        assert_eq!(packet_number(&[0, 0x20, 1, 0x20, 0, 0, 0, 0, 0xab]), None, "TKIP");
        assert_eq!(packet_number(&[1, 0, 0, 0, 0, 0, 0, 0, 0xab]), None, "WEP");
        assert_eq!(packet_number(&[1, 0, 0, 0x20, 0, 0, 0]), None, "cut short");
    }

    #[test]
    fn a_check_sequence_that_was_never_computed_damages_nothing() {
        let right = fcs::compute(&[0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 1]);
        assert_eq!([right, [0; fcs::LEN], [0, 0, 0, 1]].map(is_damaged), [false, false, true]);
    }

    /// Two UDP datagrams in an A-MSDU of a station: header with QoS control 80 00, subframes of 14 + 8 + 28 and 2 of padding, 14 + 8 + 29.
    #[test]
    fn all_packets_of_an_a_msdu_are_seen() {
        let subframe = |payload: u8| {
            let mut octets = vec![2, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 2, 0, 36 + payload];
            octets.extend([0xaa, 0xaa, 3, 0, 0, 0, 8, 0]);
            octets.extend([0x45, 0, 0, 28 + payload, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
            octets.extend([0, 1, 0, 2, 0, 8 + payload, 0, 0]);
            octets.extend(vec![0; usize::from(payload)]);
            octets
        };
        let mut octets =
            vec![0x88, 1, 0, 0, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x10, 0, 0x80, 0];
        octets.extend([subframe(0), vec![0, 0], subframe(1)].concat());
        let mut further = Vec::new();
        let (link, original_len) = (LinkType::IEEE802_11, octets.len() as u32);
        let record =
            Captured { interface: 0, link, stamp_ns: None, data: &octets, original_len, comment: None };
        let Seen::Air(frame) = read(&record, &mut further) else { panic!("no frame") };
        assert!(frame.amsdu);
        assert_eq!(frame.packet.map(|packet| packet.length), Some(28));
        assert_eq!(further.iter().map(|packet| packet.length).collect::<Vec<_>>(), [29]);
    }

    #[test]
    fn a_short_frame_of_ethernet_is_filled_or_not() {
        let filled = |payload: u8, trailer: usize| {
            let ip = [0x45, 0, 0, 28 + payload, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
            let udp = [0, 1, 0, 2, 0, 8 + payload, 0, 0];
            let mac = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0];
            let octets = [&mac[..], &ip, &udp, &vec![7; payload.into()], &vec![0; trailer]].concat();
            let Seen::Host(packet) = seen(LinkType::ETHERNET, &octets) else { panic!("no packet") };
            packet.identity.filled
        };
        // As a host captures what it sends, as what comes to it, cut by a driver that takes the rest off, and one that needs no filling.
        assert_eq!(
            [(4, 0), (4, 14), (4, 3), (18, 0)].map(|(payload, trailer)| filled(payload, trailer)),
            [Some(false), Some(true), Some(false), None]
        );
    }

    #[test]
    fn packets_of_a_point_to_point_link_are_a_hosts() {
        let mut octets = vec![0x00, 0x21];
        octets.extend([0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        octets.extend([0, 1, 0, 2, 0, 8, 0, 0]);
        let Seen::Host(packet) = seen(LinkType::PPP, &octets) else { panic!("no packet") };
        assert_eq!((packet.length, place(LinkType::PPP)), (28, Some(Place::Host)));
    }
}
