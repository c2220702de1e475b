//! What a monitor station on each channel would hear, beside the access points there.
//!
//! It hears every frame that an access point on its channel hears or sends: no frames that collided, and of a station's A-MPDU the
//! MPDUs that reached the access point. It also hears null frames that the access point did not answer. The timestamp
//! of a record is the end of its PPDU; the radiotap TSFT is its beginning. Monitors at places (`monitor`) get all frames, and judge by
//! themselves.

use super::bss::Bss;
use super::carrier::Carrier;
use super::heard::{Heard, HeardMpdu, duration};
use super::known::{Known, NOISE_20MHZ};
use super::links::Links;
use super::monitor::Monitors;
use super::packets::{Content, Packets};
use crate::files::Sink;
use airloom_observe::{BlockAck, Fate, FrameClass, FrameKind, JoiningFrame, Mpdu, NodeId, Ppdu, User};
use airloom_rate::{Code, Dsss, GuardInterval, Preamble, Rate, Width};
use airloom_scenario::Scenario;
use airloom_sim::{Handle, IndexVec};
use airloom_wifi::frame_size::BLOCK_ACK_BASE;
use airloom_wire::ieee80211::{
    Acknowledged, BarPolicy, ControlRepr, DataRepr, Flags, Frame, ManagementRepr, SequenceControl, Subframe,
};
use airloom_wire::pcapng::{Interface, InterfaceId, Record, Writer};
use airloom_wire::radiotap::{self, AmpduStatus, Bandwidth, Channel, Mcs};
use airloom_wire::{AirFrame, EtherType, Fcs, LinkType, MacAddr, Mpdu as WireMpdu, RadiotapRepr, SnapRepr};
use airloom_world::addresses::mac;
use std::collections::BTreeMap;
use std::io;

/// The capture.
pub(super) struct AirCapture {
    records: Records,
    /// The networks, by their access points' nodes: of each one for each of its links.
    networks: IndexVec<NodeId, Vec<Bss>>,
    /// Which access points their neighbor reports name; none of one that gives none.
    named: IndexVec<NodeId, Vec<NodeId>>,
    /// Which frame of a station's way the last PPDU is, if it is one.
    way: Option<JoiningFrame>,
    /// The PPDU whose MPDUs are being recorded, if it is heard.
    current: Option<Heard>,
    /// Where the BlockAck that is being recorded starts, and what it has acknowledged so far.
    acknowledged: (u16, [u64; 16]),
    ampdus: u32,
    /// The A-MSDU of the last MPDU, as long as packets of it are to come.
    amsdu: Option<Amsdu>,
}

/// The records of the file.
struct Records {
    writer: Writer<Sink>,
    room: usize,
    /// By node, if it has a radio.
    radios: IndexVec<NodeId, Option<Known>>,
    /// The channels, each with its monitor's interface.
    channels: Vec<(airloom_wifi::Channel, InterfaceId)>,
    links: Links,
    monitors: Monitors,
    bytes: Vec<u8>,
    /// How many were written, by kind.
    written: [u64; FrameClass::WORDS.len()],
}

/// An A-MSDU that is being recorded.
struct Amsdu {
    ppdu: Ppdu,
    user: User,
    place: u16,
    beside: bool,
    ampdu: Option<AmpduStatus>,
    header: DataRepr,
    body: Vec<u8>,
    /// Packets to come.
    left: u8,
}

impl AirCapture {
    pub(super) fn new(
        sink: Sink,
        monitors: Monitors,
        scenario: &Scenario,
        snap_length: u32,
    ) -> io::Result<Self> {
        let mut writer = Writer::new(sink, "airloom")?;
        let several = scenario.channels().len() > 1;
        let mut room = 0;
        let mut channels = Vec::new();
        for (place, channel) in scenario.channels().into_iter().enumerate() {
            let there = scenario.ever_on(channel).next();
            let description = match there.filter(|_| several) {
                Some(_) => {
                    let (band, width) = scenario.band_and_width(channel);
                    let number = band.number_of(channel.primary_mhz);
                    let (width, band) = (width.name(), band.name());
                    &format!("monitor station on channel {number} of {width} at {band}")
                }
                None => "monitor station beside the access point",
            };
            let name = &format!("mon{place}");
            let interface = Interface { link: LinkType::RADIOTAP, name, description, snap_len: snap_length };
            room = interface.room();
            channels.push((channel, writer.interface(&interface)?));
        }
        let channel_of = scenario.channel_of();
        let nodes = scenario.nodes().zip(&channel_of);
        let radios = nodes.map(|(node, channel)| Known::of(scenario, node, *channel)).collect();
        let (bytes, written) = (Vec::new(), Default::default());
        let of_links =
            |ap| scenario.links_of(ap).iter().map(|(ap, air)| Bss::new(scenario, ap, air)).collect();
        let networks: IndexVec<NodeId, Vec<Bss>> = scenario.ap.iter().map(of_links).collect();
        let links = Links::of(scenario);
        let named = scenario.ap.iter().map(|ap| match ap.rrm_neighbor_report {
            true => scenario.named_beside(ap).map(|(named, _)| named).collect(),
            false => Vec::new(),
        });
        let named = named.collect();
        Ok(Self {
            records: Records { writer, room, radios, channels, links, monitors, bytes, written },
            networks,
            named,
            way: None,
            current: None,
            acknowledged: (0, [0; 16]),
            ampdus: 0,
            amsdu: None,
        })
    }

    /// A station hears its access point with another ratio to the noise from now on, in dB.
    pub(super) fn signal(&mut self, station: NodeId, snr_db: f64) {
        if let Some(radio) = &mut self.records.radios[station] {
            radio.hears(snr_db);
        }
    }

    /// Which frame of a station's way the PPDU is of which the next MPDU is.
    pub(super) fn way(&mut self, frame: JoiningFrame) {
        self.way = Some(frame);
    }

    /// A station is on the channel of another access point from now on.
    pub(super) fn left(&mut self, station: NodeId, [from, to]: [NodeId; 2]) {
        let Some(there) = self.records.radios[to].as_ref().map(|radio| radio.channel) else { return };
        if let Some(radio) = &mut self.records.radios[station] {
            radio.goes([from, to], there);
        }
    }

    /// The next beacon of an access point announces that it goes to this primary channel, in MHz, after so many beacons.
    pub(super) fn announce(&mut self, access_point: NodeId, mhz: u32, count: u8) {
        self.networks[access_point][0].announce(mhz, count);
    }

    /// A radio is on the channel of this primary one, in MHz, from now on; an access point's network is with it.
    pub(super) fn retuned(&mut self, node: NodeId, mhz: u32) {
        self.records.retuned(node, mhz);
        if let Some(networks) = self.networks.get_mut(node) {
            networks[0].retuned(mhz);
        }
    }

    /// The network in which a radio is, over this link of its access point.
    fn network(&mut self, radio: NodeId, link: u8) -> Option<&mut Bss> {
        let ap = self.records.radios[radio].as_ref()?.ap;
        self.networks[ap].get_mut(usize::from(link))
    }

    /// The next beacon indicates to `station` that frames wait for it.
    pub(super) fn indicate(&mut self, station: NodeId) {
        let is_ap = self.is_access_point(station);
        let link = self.records.radios[station].as_ref().map_or(0, |radio| radio.link);
        if let Some(network) = self.network(station, link) {
            if is_ap { network.indicate_group() } else { network.indicate(station) }
        }
    }

    /// A PPDU; `wanted` if it lies in the window to be captured.
    pub(super) fn ppdu(&mut self, ppdu: &Ppdu, wanted: bool) -> io::Result<()> {
        if ppdu.kind == FrameKind::Ampdu {
            self.ampdus = self.ampdus.wrapping_add(1);
        }
        if let Some(on) = self.records.channel_of(ppdu) {
            self.records.monitors.ppdu(ppdu, on)?;
        }
        let beside = ppdu.users.iter().any(|user| user.fate != Fate::Collided);
        let heard = wanted && (beside || !self.records.monitors.is_empty());
        let [user] = ppdu.users;
        let links = &self.records.links;
        let to = user.to.map_or(MacAddr::BROADCAST, |to| links.mac(to, ppdu.link));
        let from = links.mac(ppdu.from, ppdu.link);
        self.current = heard.then_some(Heard { ppdu: *ppdu, ends: [from, to], beside, user: 0, mpdus: 0 });
        if ppdu.kind == FrameKind::Beacon
            && !heard
            && let Some(network) = self.network(ppdu.from, ppdu.link)
        {
            network.pass_beacon();
        }
        let duration = duration(ppdu);
        let control = match ppdu.kind {
            FrameKind::Rts => ControlRepr::Rts { duration, receiver: to, transmitter: from },
            FrameKind::Cts => ControlRepr::Cts { duration, receiver: to },
            FrameKind::Ack => ControlRepr::Ack { duration, receiver: to },
            // A station's association identifier is its node's number.
            FrameKind::PsPoll => ControlRepr::PsPoll { aid: ppdu.from.0, bssid: to, transmitter: from },
            // MPDUs of all other PPDUs follow one by one.
            _ => return Ok(()),
        };
        match self.current.take() {
            Some(Heard { ppdu, beside, .. }) => {
                let of = Carrier { ppdu: &ppdu, user: &user, place: 0, beside };
                self.record(of, None, WireMpdu::Frame(Frame::Control(control)))
            }
            None => Ok(()),
        }
    }

    /// An MPDU of the last PPDU.
    pub(super) fn mpdu(&mut self, mpdu: &Mpdu, packets: &Packets) -> io::Result<()> {
        self.amsdu = None;
        let Some(heard) =
            self.current.as_mut().and_then(|current| HeardMpdu::next(current, mpdu, self.ampdus))
        else {
            return Ok(());
        };
        let of = heard.carrier();
        let frame = match heard.ppdu.kind {
            FrameKind::Null { .. } if self.is_access_point(heard.ppdu.from) => {
                Frame::Data { header: heard.asks_station(self.have_qos(&heard.ppdu, &heard.user)), body: &[] }
            }
            FrameKind::Null { sleep } => Frame::Data { header: heard.null(sleep), body: &[] },
            FrameKind::EndOfPeriod => Frame::Data { header: heard.end_of_period(), body: &[] },
            FrameKind::Beacon => return self.beacon(of, heard.sequence()),
            FrameKind::BlockAckReq => Frame::Control(heard.block_ack_request()),
            FrameKind::Joining => return self.way.take().map_or(Ok(()), |frame| self.joining(&heard, frame)),
            _ => return self.data(&heard, packets),
        };
        self.record(of, None, WireMpdu::Frame(frame))
    }

    /// A frame of a station's way to an access point.
    fn joining(&mut self, heard: &HeardMpdu<'_>, frame: JoiningFrame) -> io::Result<()> {
        let of = heard.carrier();
        let Some(to) = heard.user.to else { return Ok(()) };
        let from_ap = self.is_access_point(heard.ppdu.from);
        let (station, ap) = if from_ap { (to, heard.ppdu.from) } else { (heard.ppdu.from, to) };
        let Some(radio) = &self.records.radios[station] else { return Ok(()) };
        let (qos, current) = (radio.qos, mac(radio.came_from));
        let channel = self.networks[ap][0].channel(heard.user.rate);
        let (network, records) = (&self.networks[ap][0], &mut self.records);
        if let JoiningFrame::Key(number) = frame {
            let (header, body) = heard.key(from_ap, qos, number);
            return records.record(of, channel, None, WireMpdu::Frame(Frame::Data { header, body: &body }));
        }
        // A station's association identifier is its node's number.
        let timestamp = heard.ppdu.start.as_nanos() / 1000;
        let mut report = Vec::new();
        let body = match frame {
            JoiningFrame::TransitionRequest { to } => Some(network.asks_to_go(to, &self.networks[to][0])),
            JoiningFrame::NeighborReport { .. } => {
                for &named in &self.named[ap] {
                    let neighbour = self.networks[named][0].neighbour(mac(named));
                    neighbour.emit(&mut report).map_err(io::Error::other)?;
                }
                Some(Bss::reports(&report))
            }
            _ => network.joining(frame, current, station.0, timestamp),
        };
        let Some(body) = body else { return Ok(()) };
        let mut management = heard.management(if from_ap { heard.ppdu.from } else { to }, body);
        if frame == (JoiningFrame::Probe { answer: false }) {
            (management.destination, management.bssid) = (MacAddr::BROADCAST, MacAddr::BROADCAST);
        }
        records.record(of, channel, None, WireMpdu::Frame(Frame::Management(management)))
    }

    /// Whether both ends of a frame have QoS.
    fn have_qos(&self, ppdu: &Ppdu, user: &User) -> bool {
        let sends_qos = |node: NodeId| self.records.radios[node].as_ref().is_some_and(|radio| radio.qos);
        sends_qos(ppdu.from) && user.to.is_some_and(sends_qos)
    }

    /// An MPDU with data, of which a monitor beside the access point hears those that reach that; an A-MSDU waits for its further packets.
    fn data(&mut self, heard: &HeardMpdu<'_>, packets: &Packets) -> io::Result<()> {
        let &HeardMpdu { mpdu, ppdu, user, ampdu, .. } = heard;
        let from_ap = self.is_access_point(ppdu.from);
        let of = heard.carrier();
        let of = Carrier { beside: of.beside && (from_ap || mpdu.good), ..of };
        if !of.beside && self.records.monitors.is_empty() {
            return Ok(());
        }
        let Some(sent) = mpdu.packet.and_then(|p| packets.get(p)) else { return Ok(()) };
        if mpdu.packets > 1 {
            let header = heard.of_amsdu(from_ap);
            let Carrier { place, beside, .. } = of;
            let body = Vec::new();
            self.amsdu = Some(Amsdu { ppdu, user, place, beside, ampdu, header, body, left: mpdu.packets });
            return mpdu.packet.map_or(Ok(()), |packet| self.further(packet, packets));
        }
        let qos = self.have_qos(&ppdu, &user);
        let header = heard.of_packet(from_ap, (heard.over_link(sent.from), heard.over_link(sent.to)), qos);
        match &sent.content {
            Content::Headers(packet) => self.record(of, ampdu, WireMpdu::Packet(header, *packet)),
            Content::Octets(octets) => {
                let mut body = Vec::new();
                SnapRepr { ethertype: EtherType::IPV4 }.emit(&mut body);
                body.extend_from_slice(octets);
                self.record(of, ampdu, WireMpdu::Frame(Frame::Data { header, body: &body }))
            }
        }
    }

    /// A packet of the A-MSDU in the last MPDU, which is recorded with the last of them.
    pub(super) fn further(&mut self, packet: Handle, packets: &Packets) -> io::Result<()> {
        let Some(mut amsdu) = self.amsdu.take() else { return Ok(()) };
        let Some(sent) = packets.get(packet) else { return Ok(()) };
        let mut body = Vec::new();
        SnapRepr { ethertype: EtherType::IPV4 }.emit(&mut body);
        sent.content.emit(usize::MAX, &mut body).map_err(io::Error::other)?;
        let subframe = Subframe { destination: mac(sent.to), source: mac(sent.from), body: &body };
        subframe.emit(0, &mut amsdu.body).map_err(io::Error::other)?;
        amsdu.left -= 1;
        if amsdu.left > 0 {
            self.amsdu = Some(amsdu);
            return Ok(());
        }
        let Amsdu { ppdu, user, place, beside, ampdu, header, body, .. } = amsdu;
        let of = Carrier { ppdu: &ppdu, user: &user, place, beside };
        self.record(of, ampdu, WireMpdu::Frame(Frame::Data { header, body: &body }))
    }

    /// The bitmap of the last BlockAck, or the next 64 bits of it.
    pub(super) fn block_ack(&mut self, block_ack: &BlockAck) -> io::Result<()> {
        let Some(Heard { ppdu, beside, ends: [from, to], mpdus: parts, .. }) = &mut self.current else {
            return Ok(());
        };
        let (from, to) = (*from, *to);
        let (ppdu, beside, part) = (*ppdu, *beside, usize::from(*parts));
        let [user] = ppdu.users;
        *parts += 1;
        if part == 0 {
            self.acknowledged = (block_ack.start, [0; 16]);
        }
        let (start, words) = &mut self.acknowledged;
        let all = ((user.bytes - BLOCK_ACK_BASE) / 8) as usize;
        words[part % all] = block_ack.bitmap;
        if part + 1 != all {
            return Ok(());
        }
        let Some(bitmap) = Acknowledged::of(&words[..all]) else { return Ok(()) };
        let start = *start;
        let control = ControlRepr::BlockAck {
            duration: duration(&ppdu),
            receiver: to,
            transmitter: from,
            policy: BarPolicy::NoAck,
            tid: user.tid,
            start,
            bitmap,
        };
        let of = Carrier { ppdu: &ppdu, user: &user, place: 0, beside };
        self.record(of, None, WireMpdu::Frame(Frame::Control(control)))
    }

    /// Completes the files. Returns the number of records of each kind, and that of each monitor at a place.
    pub(super) fn finish(self) -> io::Result<([u64; FrameClass::WORDS.len()], BTreeMap<String, u64>)> {
        let Records { writer, monitors, written, .. } = self.records;
        writer.finish()?;
        Ok((written, monitors.finish()?))
    }

    fn is_access_point(&self, node: NodeId) -> bool {
        self.networks.get(node).is_some()
    }

    fn beacon(&mut self, of: Carrier<'_>, sequence: SequenceControl) -> io::Result<()> {
        let bssid = self.records.links.mac(of.ppdu.from, of.ppdu.link);
        let network = &mut self.networks[of.ppdu.from][usize::from(of.ppdu.link)];
        let (channel, records) = (network.channel(of.user.rate), &mut self.records);
        network.beacon(of.ppdu.start.as_nanos() / 1000, |body| {
            let frame = ManagementRepr {
                flags: Flags::default(),
                duration: 0,
                destination: MacAddr::BROADCAST,
                source: bssid,
                bssid,
                sequence,
                ht_control: None,
                body,
            };
            records.record(of, channel, None, WireMpdu::Frame(Frame::Management(frame)))
        })
    }

    fn record(&mut self, of: Carrier<'_>, ampdu: Option<AmpduStatus>, mpdu: WireMpdu<'_>) -> io::Result<()> {
        let Some(channel) =
            self.network(of.ppdu.from, of.ppdu.link).map(|network| network.channel(of.user.rate))
        else {
            return Ok(());
        };
        self.records.record(of, channel, ampdu, mpdu)
    }
}

impl Records {
    /// A radio is on another channel of the same width.
    fn retuned(&mut self, node: NodeId, mhz: u32) {
        let Some(radio) = &mut self.radios[node] else { return };
        let (before, _) = self.channels[radio.channel];
        let there = self.channels.iter().position(|(one, _)| one.follows(&before, mhz));
        radio.channel = there.unwrap_or(radio.channel);
    }

    /// The place of the channel on which a frame is.
    fn place(&self, ppdu: &Ppdu) -> Option<usize> {
        let radio = self.radios[ppdu.from].as_ref()?;
        Some(self.links.channel(ppdu.from, ppdu.link).unwrap_or(radio.channel))
    }

    /// That channel.
    fn channel_of(&self, ppdu: &Ppdu) -> Option<airloom_wifi::Channel> {
        Some(self.channels[self.place(ppdu)?].0)
    }

    fn record(
        &mut self,
        of: Carrier<'_>,
        channel: Channel,
        ampdu: Option<AmpduStatus>,
        mpdu: WireMpdu<'_>,
    ) -> io::Result<()> {
        let Carrier { ppdu, user, .. } = of;
        let (Some(radio), Some(place)) = (&self.radios[ppdu.from], self.place(ppdu)) else { return Ok(()) };
        let (on, interface) = self.channels[place];
        // A station may be on the next channel before its access point is.
        let channel = Channel { mhz: on.primary_mhz as u16, ..channel };
        let short_preamble = matches!(user.rate, Rate::Dsss(Dsss { preamble: Preamble::Short, .. }));
        let radiotap = RadiotapRepr {
            tsft: Some(ppdu.start.as_nanos() / 1000),
            flags: short_preamble.then_some(radiotap::Flags::SHORT_PREAMBLE),
            channel: Some(channel),
            signal_dbm: Some(radio.faded(user.fade_db)),
            noise_dbm: Some(NOISE_20MHZ),
            ampdu,
            ..rate(user.rate, on.centre_mhz as u16)
        };
        let frame = AirFrame { radiotap, mpdu, fcs: Fcs::Good };
        self.monitors.frame(&of, &frame)?;
        if !of.beside {
            return Ok(());
        }
        self.bytes.clear();
        let length = frame.emit(self.room, &mut self.bytes).map_err(io::Error::other)?;
        self.written[ppdu.kind.class().index()] += 1;
        self.writer.record(&Record {
            interface,
            stamp_ns: ppdu.end.as_nanos(),
            data: &self.bytes,
            original_len: length as u32,
            comment: None,
        })
    }
}

/// What a radio tells of a frame's rate, in a channel with this frequency in its middle.
fn rate(rate: Rate, centre_mhz: u16) -> RadiotapRepr {
    let plain = RadiotapRepr::default();
    match rate {
        Rate::Dsss(_) | Rate::Ofdm(_) => {
            RadiotapRepr { rate: Some((rate.bit_rate().as_bps() / 500_000) as u8), ..plain }
        }
        Rate::Ht(ht) => {
            let bandwidth = if ht.width == Width::Mhz20 { Bandwidth::Mhz20 } else { Bandwidth::Mhz40 };
            let mcs = Mcs::new(ht.mcs, bandwidth, ht.guard == GuardInterval::Ns400);
            RadiotapRepr { mcs: Some(mcs), ..plain }
        }
        Rate::Vht(vht) => {
            let short = vht.guard == GuardInterval::Ns400;
            let code = vht.code == Code::LowDensity;
            let vht = radiotap::Vht::new(vht.mcs, vht.streams, vht.width.mhz(), short, code);
            RadiotapRepr { vht: Some(vht), ..plain }
        }
        Rate::He(he) => {
            // Guard intervals are told from 800 ns on.
            let guard = he.guard.index() - GuardInterval::Ns800.index();
            let (width, training) = (he.width.index() as u16, 1 + he.training.index() as u16);
            let he = radiotap::He::new(he.mcs, he.streams, width, guard as u16, training);
            RadiotapRepr { he: Some(he), ..plain }
        }
        Rate::Eht(eht) => {
            let guard = eht.guard.index() - GuardInterval::Ns800.index();
            let training = 1 + eht.training.index();
            let usig = radiotap::Usig::new(eht.width.mhz() as u16, centre_mhz);
            let eht = radiotap::Eht::new(eht.mcs, eht.streams, guard as u32, training as u32);
            RadiotapRepr { usig: Some(usig), eht: Some(eht), ..plain }
        }
    }
}
