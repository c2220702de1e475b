//! A frame of the air as a monitor heard it.

use crate::key_message::KeyMessage;
use crate::packet::Packet;
use crate::speed::Speed;
use crate::ssid::Ssid;
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::{Acknowledged, Joining, Security, Subtype, SwitchAnnouncement};
use std::net::IpAddr;

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// What it is.
    pub subtype: Subtype,
    /// The receiver on the air.
    pub receiver: MacAddr,
    /// The transmitter on the air, in frames that name it.
    pub transmitter: Option<MacAddr>,
    /// The access point's address, in frames that name it.
    pub bssid: Option<MacAddr>,
    /// Whose frame to a group an access point sends on.
    pub source: Option<MacAddr>,
    /// Whether a station sends it to its access point, or an access point to its station; neither in frames between others.
    pub way: Way,
    /// The sequence number, in frames that have one.
    pub sequence: Option<u16>,
    /// The traffic identifier of QoS frames.
    pub tid: Option<u8>,
    /// The retry bit.
    pub retry: bool,
    /// What it says of power save.
    pub power: PowerBits,
    /// Whether its body is encrypted.
    pub protected: bool,
    /// The number of its packet under its key, of data that CCMP or GCMP encrypts (802.11-2020 clauses 12.5.3.2 and 12.5.5.2).
    pub packet_number: Option<u64>,
    /// Whether its body is an A-MSDU.
    pub amsdu: bool,
    /// The association identifier of its station (AID), in PS-Polls.
    pub aid: Option<u16>,
    /// Its length as an MPDU in octets, with its check sequence.
    pub length: u32,
    /// Its body in octets: behind the MAC header, before the check sequence.
    pub body: u32,
    /// The octets that it begins with, as a hash: what is told of two frames may be the same, as of two answers to a probe, and they are none of each other.
    pub begins: u64,
    /// What a BlockAck acknowledges.
    pub block_ack: Option<BlockAck>,
    /// What a beacon says.
    pub beacon: Option<Beacon>,
    /// The number of the channel that a probe request, or an answer to one, says it is sent on (802.11-2020 clause 9.4.2.4): radios hear those of channels beside theirs.
    pub channel: Option<u8>,
    /// What the radio told of it.
    pub radio: Radio,
    /// What it says of its station's way into the network: of a management frame, as far as it is not encrypted.
    pub joining: Option<Joining>,
    /// The security that it offers or asks for, of a beacon, an answer to a probe and a request to associate.
    pub security: Option<Security>,
    /// Whether it carries no one's data but what lets its station in and negotiates keys, as far as it is not encrypted.
    pub eapol: Option<Eapol>,
    /// The packet in it, the first one of an A-MSDU ([`further`](crate::Capture::further) has the others), if it is not encrypted.
    pub packet: Option<Packet>,
}

impl Frame {
    /// How long it takes on the air by itself, in nanoseconds; zero if its rate is not known.
    pub fn airtime_ns(&self) -> u64 {
        self.radio.speed.map_or(0, |speed| speed.airtime(self.length).as_nanos())
    }

    /// The station at one end of it, as the access point's address says; none where that is not known, or the frame is for a group.
    pub fn station(&self) -> Option<MacAddr> {
        let bssid = self.bssid?;
        let station = if self.transmitter == Some(bssid) { Some(self.receiver) } else { self.transmitter };
        station.filter(|mac| !mac.is_group())
    }

    /// Whether its transmitter, a station, is with its access point.
    pub(crate) const fn shows_presence(&self) -> bool {
        matches!(
            self.subtype,
            Subtype::Data
                | Subtype::Null
                | Subtype::PsPoll
                | Subtype::Rts
                | Subtype::BlockAck
                | Subtype::BlockAckReq
        )
    }

    /// Why it ends an association; none if it ends none, is encrypted or cut.
    pub const fn reason(&self) -> Option<u16> {
        if let Some(Joining::Leave(reason)) = self.joining { Some(reason) } else { None }
    }

    /// The address of the Internet Protocol that its station has, if its packet can be read.
    pub fn address(&self) -> Option<(IpAddr, MacAddr)> {
        let packet = self.packet.as_ref()?;
        let (address, station) = match self.way {
            Way::Up => (packet.src, self.transmitter?),
            Way::Down => (packet.dst, self.receiver),
            Way::Neither => return None,
        };
        (!station.is_group()).then_some((address, station))
    }
}

/// What a frame says of power save (802.11-2020 clause 9.2.4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerBits {
    /// The power-management bit: its station dozes from now on.
    pub sleeps: bool,
    /// The more-data bit: more waits for the station that receives it.
    pub more_data: bool,
}

/// What EAPOL carries (802.1X-2020 clause 11.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eapol {
    /// Keys: a message of the handshake of four, or none of those, as one for groups.
    Keys(Option<KeyMessage>),
    /// Anything else: who may use the link (EAP).
    Access,
}

/// Which way a frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// From a station to its access point.
    Up,
    /// From an access point to a station.
    Down,
    /// Any other.
    Neither,
}

/// What a BlockAck acknowledges, or a request for one asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAck {
    /// The traffic identifier.
    pub tid: u8,
    /// The first sequence number.
    pub start: u16,
    /// What arrived; nothing in requests.
    pub bitmap: Acknowledged,
}

/// What a beacon says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacon {
    /// The access point's timer in microseconds: no two of its beacons have the same.
    pub timer_us: u64,
    /// Its interval in time units of 1024 us.
    pub interval: u16,
    /// Whether it is one after which broadcasts come (DTIM).
    pub dtim: bool,
    /// Whether it indicates to any station that frames wait for it.
    pub indicates: bool,
    /// For which stations it says so, as far as their association identifiers are below 64: a bit for each, and that of 0 is the group's.
    pub waiting: u64,
    /// Whether its network uses the short slot time; it says so in the band of 2.4 GHz alone.
    pub short_slot: bool,
    /// The width of its network in MHz.
    pub width_mhz: u16,
    /// The octets of the longest A-MPDU that it says it receives; none before 802.11n.
    pub ampdu_octets: Option<u32>,
    /// The name of its network, unless it hides that.
    pub ssid: Option<Ssid>,
    /// It announces that its access point goes to another channel.
    pub switch: Option<SwitchAnnouncement>,
}

/// What a radio told of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Radio {
    /// Its clock when the frame's first octet arrived, in microseconds. Another clock than that of the stamps.
    pub tsft_us: Option<u64>,
    /// The rate.
    pub speed: Option<Speed>,
    /// Signal in dBm.
    pub signal_dbm: Option<i8>,
    /// Noise in dBm.
    pub noise_dbm: Option<i8>,
    /// Centre frequency of the primary channel in MHz.
    pub channel_mhz: Option<u16>,
    /// The A-MPDU that it came in: equal numbers in frames of one A-MPDU.
    pub ampdu: Option<u32>,
    /// Whether the frame came in damaged, so that nothing it says can be believed.
    pub damaged: bool,
}
