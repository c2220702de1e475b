//! How a station goes from one access point to another.

use airloom_observe::NodeId;
use airloom_sim::{BroughtName, Duration, Making, NameError, ParameterValue};
use airloom_wifi::{Iwd, Manager, OWN_MANAGERS, RoamPolicy, Steered, Sticky, Threshold, WpaSupplicant};
use serde_json::{Value as Json, json};
use std::sync::Arc;

use crate::common::SharedRates;
use crate::{AccessPoint, Adapter, Air, Scenario, Station};
use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Flag, Form, Optional, Words, count, level, power, time, unexpected, words};
use airloom_config::record;
use airloom_config::record::{Layers, Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};

/// Which connection manager a station has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoamBy {
    /// None that roams.
    Sticky,
    /// wpa_supplicant, as NetworkManager sets it up.
    WpaSupplicant,
    /// iwd.
    Iwd,
    /// iOS and iPadOS, as Apple documents them.
    Ios,
    /// macOS.
    MacOs,
    /// Qualcomm's driver with its defaults.
    Qcacld,
    /// One that somebody brings.
    Own(BroughtName),
}

impl RoamBy {
    /// Those that are built in, and the words for them.
    pub const WORDS: &[(&str, Self)] = &[
        ("wpa_supplicant", Self::WpaSupplicant),
        ("iwd", Self::Iwd),
        ("sticky", Self::Sticky),
        ("ios", Self::Ios),
        ("macos", Self::MacOs),
        ("qcacld", Self::Qcacld),
    ];
}

const BY: Words<RoamBy> = words(RoamBy::WORDS, &[])
.hinted(&[
    ("networkmanager", "write \"wpa_supplicant\", which NetworkManager drives"),
    ("android", "write \"qcacld\" for Qualcomm's driver with its defaults: the telephone's firmware decides, with values of its vendor"),
    (
        "windows",
        "the adapter decides, and no vendor says at which signal: write what you have seen, as { by = \"macos\", threshold = \"-75 dBm\", better_by = \"10 dB\" }",
    ),
    ("none", "leave `roam` out: the station stays at its access point"),
])
.otherwise("`airloom schema station.roam` lists those that are built in; one of your own is a class in a Python module: `--with MODULE` (docs/own-roaming.md)");

/// A connection manager that is built in, or that the caller brought.
struct ByForm;

impl Form for ByForm {
    type Of = RoamBy;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<RoamBy> {
        let own = found.first()?.text().and_then(|text| faults.own(&OWN_MANAGERS, text));
        own.map(RoamBy::Own).or_else(|| BY.read_beside(&OWN_MANAGERS.names(), (faults, path, found)))
    }

    fn write(&self, value: &RoamBy) -> Option<Out> {
        match value {
            RoamBy::Own(own) => Some(Out::Text(own.text().to_owned())),
            built_in => BY.write(built_in),
        }
    }

    fn schema(&self) -> Json {
        let built_in = RoamBy::WORDS.iter().map(|(word, _)| *word);
        json!({ "enum": built_in.chain(OWN_MANAGERS.names()).collect::<Vec<_>>() })
    }
}

/// Brings a connection manager with these parameters, each with its default: from now on the `roam` of stations may name it. `make` gets
/// the names of all access points, in the order of their networks. One of the same name, brought before, is replaced.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register_roaming(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    make: impl Fn(&Making, Arc<[String]>) -> Box<dyn Manager> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    let built_in: Vec<&str> = RoamBy::WORDS.iter().map(|(word, _)| *word).collect();
    OWN_MANAGERS.bring(name, &built_in, parameters, Arc::new(make))
}

/// wpa_supplicant's modules for background scans, and whether they learn.
const BGSCAN: Words<bool> = words(&[("simple", false), ("learn", true)], &[]);

const STEERED: Words<Steered> =
    words(&[("obeys", Steered::Obeys), ("refuses", Steered::Refuses), ("ignores", Steered::Ignores)], &[]);

/// A time between scans.
const BETWEEN: airloom_config::form::Quantity<Duration> =
    time(Duration::from_millis(100), Duration::from_secs(7 * 86_400));
/// A power at which a station may receive beacons.
const SIGNAL: airloom_config::form::RealQuantity = power(-120.0, 0.0);

record! {
    /// How a station goes from one access point to another of its network, which has the same `ssid`.
    pub struct Roam {
        /// Who decides: "wpa_supplicant", as NetworkManager sets it up, "iwd", or "sticky", which is nobody before the access point is gone; "ios",
        /// "macos" or "qcacld", Qualcomm's driver, as their vendors document them; or the name of a class of your own (docs/own-roaming.md).
        by: RoamBy = ByForm;
        /// The signal of beacons in dBm below which it looks for another access point, at 2.4 GHz for iwd: -70 dBm if left out, and -65 dBm
        /// for wpa_supplicant, which NetworkManager tells so of a network with several access points; -70 dBm of iOS, -75 dBm of macOS and -78 dBm
        /// of qcacld.
        threshold: Option<f64> = Optional(SIGNAL), default None;
        /// The same at 5 and 6 GHz, for iwd (`RoamThreshold5G`): -76 dBm if left out.
        threshold_5ghz: Option<f64> = Optional(SIGNAL), default None;
        /// By how many dB an access point is stronger to which it goes: 8 dB of iOS, which has 12 dB while no data go, 12 dB of macOS and
        /// 5 dB of qcacld if left out.
        better_by: Option<f64> = Optional(level(0.0, 100.0)), default None;
        /// Time between scans while the signal is below the threshold: 30 s of wpa_supplicant, 60 s of iwd (`RoamRetryInterval`), 20 s of others if
        /// left out.
        short: Option<Duration> = Optional(BETWEEN), default None;
        /// Time between scans while it is above, for wpa_supplicant: 300 s if left out.
        long: Option<Duration> = Optional(BETWEEN), default None;
        /// The module of wpa_supplicant's background scans: "simple" if left out, which NetworkManager chooses, or "learn", which scans the channels
        /// that it has seen its network on, here all that access points of this scenario have, and one other of 38 at each scan in turn. It does not
        /// scan less often where a signal stays weak.
        bgscan: Option<bool> = Optional(BGSCAN), default None;
        /// How many channels beside its own a scan visits: those that access points of this scenario have if left out.
        channels: Option<u16> = Optional(count(0, 200)), default None;
        /// Whether its host forgets as it leaves what it knows of its neighbours' addresses (Linux `arp_evict_nocarrier`), so that it asks
        /// anew, and again after a second if it asked too early: true of wpa_supplicant and "sticky" if left out, false of iwd, which turns that
        /// off, and of what is no Linux host's.
        forgets_neighbours: Option<bool> = Optional(Flag), default None;
        /// What it makes of an access point's request to go to another one (`steer`): "obeys", as wpa_supplicant and iwd do if it is left out,
        /// "refuses", as "sticky" does, or "ignores", as if it did not know 802.11v.
        steered: Option<Steered> = Optional(STEERED), default None;
    }
    check sound;
}

impl Roam {
    /// Who decides, with everything else as it is usual.
    const fn by(by: RoamBy) -> Self {
        Self {
            by,
            threshold: None,
            threshold_5ghz: None,
            better_by: None,
            short: None,
            long: None,
            bgscan: None,
            channels: None,
            forgets_neighbours: None,
            steered: None,
        }
    }

    /// A policy of these values in dBm and dB, unless others are given.
    fn documented(&self, threshold: i32, better_by: i32) -> RoamPolicy {
        RoamPolicy::Threshold(Threshold {
            threshold_dbm: whole(self.threshold, threshold),
            better_by_db: whole(self.better_by, better_by),
            every: self.short.unwrap_or(Duration::from_secs(20)),
            asks: self.asks_for_neighbors(),
        })
    }

    /// Whether it asks its access point for a neighbor report.
    pub(crate) const fn asks_for_neighbors(&self) -> bool {
        matches!(self.by, RoamBy::Iwd | RoamBy::Ios | RoamBy::MacOs)
    }

    /// The connection manager. What is left out is as NetworkManager 1.52 sets wpa_supplicant up where it has seen several access points of
    /// a network (`simple:30:-65:300`, `nm_supplicant_config_add_bgscan`), and as iwd 3.10 has it (`iwd.config`).
    pub fn policy(&self) -> RoamPolicy {
        let search = Duration::from_secs(5);
        match self.by {
            RoamBy::Sticky => RoamPolicy::Sticky(Sticky { search }),
            RoamBy::WpaSupplicant => RoamPolicy::WpaSupplicant(WpaSupplicant {
                learns: self.bgscan == Some(true),
                short: self.short.unwrap_or(Duration::from_secs(30)),
                threshold_dbm: whole(self.threshold, -65),
                long: self.long.unwrap_or(Duration::from_secs(300)),
                search,
            }),
            RoamBy::Iwd => RoamPolicy::Iwd(Iwd {
                threshold_dbm: whole(self.threshold, -70),
                threshold_5ghz_dbm: whole(self.threshold_5ghz, -76),
                retry: self.short.unwrap_or(Duration::from_secs(60)),
            }),
            RoamBy::Ios => self.documented(-70, 8),
            RoamBy::MacOs => self.documented(-75, 12),
            RoamBy::Qcacld => self.documented(-78, 5),
            RoamBy::Own(own) => RoamPolicy::Own(own),
        }
    }

    /// What it makes of an access point's request to go to another one.
    pub fn steered(&self) -> Steered {
        let usual = if self.by == RoamBy::Sticky { Steered::Refuses } else { Steered::Obeys };
        self.steered.unwrap_or(usual)
    }

    /// Whether its host forgets its neighbours' addresses as it leaves an access point.
    pub fn forgets(&self) -> bool {
        self.forgets_neighbours
            .unwrap_or(matches!(self.by, RoamBy::Sticky | RoamBy::WpaSupplicant | RoamBy::Own(_)))
    }
}

/// What is given, in whole dB or dBm, or what is usual.
fn whole(given: Option<f64>, usual: i32) -> i32 {
    given.map_or(usual, |level| level as i32)
}

/// Whether a station with this adapter can go from an access point to another one: they are of one network, and it can be at both.
pub(crate) fn can_go(shared: &Air, adapter: &Adapter, from: &AccessPoint, to: &AccessPoint) -> bool {
    let air = to.air(shared);
    let speaks = adapter.standard.works_in(air.band);
    let common = SharedRates::of(&air, adapter, &to.adapter);
    from.name != to.name && from.ssid.is_some() && from.ssid == to.ssid && speaks && !common.legacy.is_empty()
}

/// The most access points that a neighbor report names: a frame's body has 2,304 octets at most (802.11-2020 9.2.4.7.1), and each takes 15.
const MOST_NAMED: usize = 150;

impl Scenario {
    /// The access points that a neighbor report of one names, in the order of their nodes: all of its network, itself among them.
    pub fn named_beside(&self, ap: &AccessPoint) -> impl Iterator<Item = (NodeId, &AccessPoint)> {
        let is_of_it =
            move |other: &AccessPoint| other.name == ap.name || ap.ssid.is_some() && other.ssid == ap.ssid;
        self.access_points().filter(move |(_, other)| is_of_it(other)).take(MOST_NAMED)
    }

    /// The access points that a station may go to, in the order of their nodes; none if it does not roam.
    pub fn ways_of(&self, station: &Station) -> Vec<(NodeId, &AccessPoint)> {
        let home = self.access_point_of(station).1;
        let goes = |ap: &AccessPoint| can_go(&self.air, &station.adapter, home, ap);
        self.access_points().filter(|(_, ap)| station.roam.is_some() && goes(ap)).collect()
    }

    /// How many channels beside that on which its own access point begins those are ever on that a station may go to.
    pub fn channels_beside(&self, station: &Station) -> u16 {
        let home = self.spectrum_of(self.access_point_of(station).1);
        let ways = self.ways_of(station);
        let ever = |(_, ap): &(NodeId, &AccessPoint)| ap.spectra(&self.air_of(ap));
        let mut others: Vec<u32> = ways.iter().flat_map(ever).map(|channel| channel.primary_mhz).collect();
        others.sort_unstable();
        others.dedup();
        others.into_iter().filter(|&mhz| mhz != home.primary_mhz).count() as u16
    }
}

fn sound(roam: &Roam, faults: &Faults, layers: &Layers<'_>) {
    let of = |keys: &[(&str, bool)], who: &str| {
        for (key, _) in keys.iter().filter(|(_, given)| *given) {
            let message = format!("`{key}` is nothing that {who} knows");
            faults.fail(layers.place(key), message, Some("leave it out".to_owned()));
        }
    };
    let [threshold, high, better, short, long, bgscan] = [
        ("threshold", roam.threshold.is_some()),
        ("threshold_5ghz", roam.threshold_5ghz.is_some()),
        ("better_by", roam.better_by.is_some()),
        ("short", roam.short.is_some()),
        ("long", roam.long.is_some()),
        ("bgscan", roam.bgscan.is_some()),
    ];
    match roam.by {
        RoamBy::Sticky => of(&[threshold, high, better, short, long, bgscan], "\"sticky\""),
        RoamBy::WpaSupplicant => of(&[high, better], "wpa_supplicant"),
        RoamBy::Iwd => of(&[better, long, bgscan], "iwd"),
        RoamBy::Ios => of(&[high, long, bgscan], "\"ios\""),
        RoamBy::MacOs => of(&[high, long, bgscan], "\"macos\""),
        RoamBy::Qcacld => of(&[high, long, bgscan], "\"qcacld\""),
        RoamBy::Own(own) => of(&[threshold, high, better, short, long, bgscan], &format!("`{}`", own.text())),
    }
    if roam.bgscan == Some(true) {
        of(&[("channels", roam.channels.is_some())], "the module \"learn\"");
    }
    if let (Some(short), Some(long)) = (roam.short, roam.long)
        && short > long
    {
        let at = layers.place("short").min(layers.place("long"));
        faults.fail(at, "`short` is above `long`", None);
    }
}

/// Roaming as its connection manager's name or as a table.
pub(crate) struct RoamForm;

const ROAM: Nested<Roam> = nested();

impl Form for RoamForm {
    type Of = Roam;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Roam> {
        let node = found.first()?;
        match &node.value {
            Value::Table(_) => ROAM.read(faults, path, &[node]),
            Value::Text(_) => ByForm.read(faults, path, found).map(Roam::by),
            _ => {
                let hint = "write \"wpa_supplicant\", \"iwd\" or \"sticky\"".to_owned();
                unexpected(faults, path, node, "a word in quotes or a table", Some(hint));
                None
            }
        }
    }

    fn write(&self, value: &Roam) -> Option<Out> {
        Some(Out::Inline(Roam::write(value)))
    }

    fn schema(&self) -> Json {
        json!({ "anyOf": [ByForm.schema(), ROAM.schema()] })
    }
}
