//! A frame of the air as a monitor heard it.

use crate::packet::Packet;
use crate::speed::Speed;
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::{Acknowledged, Subtype};

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
    /// Whether a station sends it to its access point, or an access point to its station; neither in frames between others.
    pub way: Way,
    /// The sequence number, in frames that have one.
    pub sequence: Option<u16>,
    /// The traffic identifier of QoS frames.
    pub tid: Option<u8>,
    /// The retry bit.
    pub retry: bool,
    /// The power-management bit.
    pub sleeps: bool,
    /// The more-data bit.
    pub more_data: bool,
    /// Whether its body is encrypted.
    pub protected: bool,
    /// Whether its body is an A-MSDU.
    pub amsdu: bool,
    /// The Duration field in microseconds; none where it holds an association identifier.
    pub nav_us: Option<u16>,
    /// Its length as an MPDU in octets, with its check sequence.
    pub length: u32,
    /// Its body in octets: behind the MAC header, before the check sequence.
    pub body: u32,
    /// What a BlockAck acknowledges.
    pub block_ack: Option<BlockAck>,
    /// What a beacon says.
    pub beacon: Option<Beacon>,
    /// What the radio told of it.
    pub radio: Radio,
    /// Whether it carries no one's data but negotiates the keys of its link (EAPOL), as far as it is not encrypted.
    pub keys: bool,
    /// The packet in it, the first one of an A-MSDU ([`further`](crate::Capture::further) has the others), if it is not encrypted.
    pub packet: Option<Packet>,
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
    /// Its interval in time units of 1024 us.
    pub interval: u16,
    /// Whether it is one after which broadcasts come (DTIM).
    pub dtim: bool,
    /// Whether it indicates to any station that frames wait for it.
    pub indicates: bool,
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
