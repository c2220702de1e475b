//! What was read of a machine: facts without judgement, which are kept as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format of what is written; another number is another meaning.
pub const FORMAT: u32 = 1;

/// A machine as it was when it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    /// The format's number: 1.
    pub format: u32,
    /// The kernel's release.
    pub kernel: String,
    /// Whether it was read as root.
    pub root: bool,
    /// The radios.
    pub radios: Vec<Radio>,
    /// Their interfaces.
    pub interfaces: Vec<Interface>,
    /// Settings of TCP by their names in `/proc/sys/net`, such as `ipv4/tcp_sack`.
    pub settings: BTreeMap<String, String>,
    /// Counters of TCP since the machine started, by their names in `/proc/net/snmp` and `/proc/net/netstat`.
    pub counters: BTreeMap<String, u64>,
    /// Hardware that forwards packets past the kernel: where that is set.
    pub offloads: Vec<String>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unread {
    /// What.
    pub what: String,
    /// Why not.
    pub because: String,
}

/// A radio: a `wiphy` of the kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Radio {
    /// The kernel's number for it.
    pub index: u32,
    /// Its name, such as `phy0`.
    pub name: String,
    /// The kernel's module that drives it.
    pub driver: Option<String>,
    /// The bus that it is on: `usb`, `pci`, `sdio`.
    pub bus: Option<String>,
    /// The rate of that bus in Mbit/s, where it is USB.
    pub usb_mbps: Option<f64>,
    /// What it can do in each band.
    pub bands: Vec<Band>,
    /// mac80211 keeps a queue with FQ-CoDel for each receiver (`NL80211_EXT_FEATURE_TXQS`).
    pub queues: bool,
    /// The driver has airtime queue limits (`NL80211_EXT_FEATURE_AQL`).
    pub airtime_limits: bool,
    /// The driver has airtime fairness (`NL80211_EXT_FEATURE_AIRTIME_FAIRNESS`).
    pub airtime_fairness: bool,
    /// `aql_enable` in debugfs, which only root can read.
    pub aql_enable: Option<String>,
    /// `airtime_flags` in debugfs, on one line.
    pub airtime_flags: Option<String>,
}

/// What a radio, or an access point, can do in a band.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Band {
    /// Its name: `2.4`, `5` or `6` GHz.
    pub ghz: String,
    /// The newest amendment that it has.
    pub generation: Generation,
    /// The widest channel in MHz.
    pub width_mhz: u32,
    /// Spatial streams.
    pub streams: u32,
}

/// Amendments of 802.11, and what rates are named after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Generation {
    /// Before 802.11n.
    #[default]
    Legacy,
    /// 802.11n.
    Ht,
    /// 802.11ac.
    Vht,
    /// 802.11ax.
    He,
    /// 802.11be.
    Eht,
}

/// What an interface is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A station.
    Station,
    /// An access point.
    AccessPoint,
    /// A monitor.
    Monitor,
    /// Anything else.
    #[default]
    Other,
}

/// A Wi-Fi interface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interface {
    /// Its name.
    pub name: String,
    /// The kernel's number for it.
    pub index: u32,
    /// The number of its radio.
    pub radio: u32,
    /// What it is.
    pub role: Role,
    /// Its network's name, as far as it is text.
    pub ssid: Option<String>,
    /// Its channel's primary frequency in MHz.
    pub frequency_mhz: Option<u32>,
    /// Its channel's width in MHz.
    pub width_mhz: Option<u32>,
    /// Whether it dozes.
    pub power_save: Option<bool>,
    /// Its queue disciplines.
    pub disciplines: Vec<Discipline>,
    /// Packets that a queue without a limit of its own holds (`txqueuelen`).
    pub queue_length: Option<u32>,
    /// The stations that it knows: of a station, its access point.
    pub peers: Vec<Peer>,
    /// The access points of its network that were heard.
    pub heard: Vec<Heard>,
    /// How long ago the last access point was heard of another network or on another channel, in ms: when the last scan was.
    pub scanned_ms_ago: Option<u64>,
    /// NetworkManager's part.
    pub manager: Option<Manager>,
    /// wpa_supplicant's part.
    pub supplicant: Option<Supplicant>,
    /// Whether iwd has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub iwd: bool,
}

/// A queue discipline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Discipline {
    /// Its name, such as `fq_codel`.
    pub kind: String,
    /// Whether it is the root.
    pub root: bool,
    /// Packets that it dropped.
    pub drops: u64,
    /// Packets that wait in it.
    pub backlog: u64,
}

/// The other end of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Peer {
    /// Its address.
    pub mac: String,
    /// Its signal here, in dBm, averaged where the driver does.
    pub signal_dbm: Option<i32>,
    /// The fastest rate that data went to it at during the look.
    pub sends_at: Option<Speed>,
    /// The fastest rate at which data came.
    pub receives_at: Option<Speed>,
    /// Packets sent during the look, which took about a second.
    pub sent_meanwhile: u64,
    /// Packets sent since it was met.
    pub sent: u64,
    /// Retries; none where the kernel does not tell. Some drivers keep no count, and then it is 0.
    pub retries: Option<u64>,
    /// Packets given up; the same.
    pub failed: Option<u64>,
    /// Packets received.
    pub received: u64,
    /// Packets received and dropped: duplicates, reordering, no memory.
    pub dropped: u64,
    /// How long it has been known, in s.
    pub known_s: u64,
    /// What goes together to it in a PPDU; none where that could not be read.
    pub aggregation: Option<Aggregation>,
}

/// What goes together in a PPDU, as debugfs tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Aggregation {
    /// mac80211 chooses the rates and begins the sessions (its `rc_stats` is there), and not the firmware.
    pub by_mac80211: bool,
    /// TIDs with a BlockAck session for sending; none where the kernel does not tell.
    pub sessions: Option<Vec<u32>>,
    /// MPDUs in an A-MPDU on average, as rate control counts them.
    pub mpdus: Option<f64>,
}

/// A rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Speed {
    /// In Mbit/s.
    pub mbps: f64,
    /// What it is named after.
    pub generation: Generation,
    /// Its MCS within the streams, but in 802.11n, where it counts through.
    pub mcs: Option<u32>,
    /// Spatial streams, where the rate tells.
    pub streams: Option<u32>,
    /// Its width in MHz.
    pub width_mhz: u32,
}

/// An access point of the interface's network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Heard {
    /// Its address.
    pub mac: String,
    /// Its frequency in MHz.
    pub frequency_mhz: u32,
    /// Its signal in dBm.
    pub signal_dbm: i32,
    /// How long ago it was heard, in ms.
    pub ms_ago: u64,
    /// Whether the interface is associated with it.
    pub ours: bool,
    /// What its beacon says that it can do.
    pub can: Band,
}

/// What wpa_supplicant says of an interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Supplicant {
    /// Its number for the network.
    pub network: u32,
    /// The network's `bgscan`, empty if it has none.
    pub bgscan: String,
}

/// What NetworkManager says of an interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manager {
    /// Its version.
    pub version: String,
    /// The active connection's name.
    pub connection: Option<String>,
    /// The connection's `802-11-wireless.powersave`; 0 is the default, 1 ignore, 2 off, 3 on.
    pub powersave: Option<u64>,
    /// The connection is bound to one access point, so nothing is scanned for roaming.
    pub bound: bool,
    /// How long ago its last scan was, in ms.
    pub scanned_ms_ago: Option<u64>,
}

impl Snapshot {
    /// That something could not be read, and why.
    pub(crate) fn unread(&self, what: &str) -> String {
        let known = self.unread.iter().find(|unread| unread.what == what);
        format!(
            "{what} could not be read{}",
            known.map_or(String::new(), |unread| format!(": {}", unread.because))
        )
    }

    /// The radio of an interface.
    #[must_use]
    pub fn radio_of(&self, interface: &Interface) -> Option<&Radio> {
        self.radios.iter().find(|radio| radio.index == interface.radio)
    }

    /// Interfaces that carry packets.
    pub fn carriers(&self) -> impl Iterator<Item = &Interface> {
        self.interfaces.iter().filter(|interface| interface.carries())
    }

    /// The stations that are associated, each with its access point.
    pub fn stations(&self) -> impl Iterator<Item = (&Interface, &Peer)> {
        let stations = self.interfaces.iter().filter(|interface| interface.role == Role::Station);
        stations.filter_map(|interface| Some((interface, interface.peers.first()?)))
    }
}

impl Interface {
    /// Whether it carries packets: a station that is associated, or an access point that is on a channel.
    #[must_use]
    pub fn carries(&self) -> bool {
        match self.role {
            Role::Station => !self.peers.is_empty(),
            Role::AccessPoint => self.up(),
            Role::Monitor | Role::Other => false,
        }
    }

    /// Whether it is on a channel.
    #[must_use]
    pub fn up(&self) -> bool {
        self.frequency_mhz.is_some()
    }

    /// The access point that it is associated with, as its beacon tells.
    #[must_use]
    pub fn access_point(&self) -> Option<&Heard> {
        self.heard.iter().find(|heard| heard.ours)
    }
}

/// The band of a frequency in MHz.
#[must_use]
pub(crate) fn band_of(frequency_mhz: u32) -> &'static str {
    match frequency_mhz {
        0..3000 => "2.4",
        3000..5925 => "5",
        5925.. => "6",
    }
}
