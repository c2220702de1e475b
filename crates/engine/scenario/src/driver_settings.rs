//! What follows from an adapter's driver and its Linux where the file leaves it out: the queue above, how much TCP's small queues hold, and
//! which Minstrel-HT there is.

use crate::kernel::Kernel;
use crate::profiles::{ProfileKind, find};
use airloom_config::error::Faults;
use airloom_config::toml_tree::{Table, TomlNode, Value};
use airloom_wifi::MinstrelHt;

const SHIFT: &str = "small_queue_shift";
const MINSTREL: &str = "minstrel";
/// The Linux that has rate samples at intervals (80d55154b2f8, "mac80211: minstrel_ht: significantly redesign the rate probing strategy").
const REDESIGNED: Kernel = Kernel { major: 5, minor: 12 };

/// Fills in the `queue` above a driver that takes its packets from mac80211's queues, whose interface has none of its own (Linux
/// `ieee80211_if_setup()`: `IFF_NO_QUEUE`): a station's by the Linux of its host, an access point's by the one that its adapter is
/// of. And the `small_queue_shift` that a station's adapter asks for, where its host has one; a server's device asks for nothing. And at both the Minstrel-HT of that Linux, at a
/// station whose host has none of its adapter's.
pub(crate) fn fill(root: &mut Table) {
    for station in tables(root, "station") {
        set_minstrel(station);
        let shift = shift(station);
        let queue = queue(station, Some(ProfileKind::Host));
        let Some(host) = station.get_mut("host") else { continue };
        for (key, value) in [(SHIFT, shift), ("queue", queue)] {
            if let (Some(value), Some(host)) = (value, spelled_out(host)) {
                host.put(key, value.at, value);
            }
        }
    }
    for ap in tables(root, "ap") {
        set_minstrel(ap);
        if let Some(queue) = queue(ap, None) {
            ap.put("queue", queue.at, queue);
        }
    }
}

/// The tables of a list.
fn tables<'a>(root: &'a mut Table, key: &str) -> impl Iterator<Item = &'a mut Table> {
    let items = match root.get_mut(key).map(|node| &mut node.value) {
        Some(Value::List(items)) => items.as_mut_slice(),
        _ => &mut [],
    };
    items.iter_mut().filter_map(|item| match &mut item.value {
        Value::Table(table) => Some(table),
        _ => None,
    })
}

/// A profile's name as the table that it stands for.
fn spelled_out(node: &mut TomlNode) -> Option<&mut Table> {
    if let Value::Text(_) = node.value {
        let mut table = Table::default();
        table.put("profile", node.at, node.clone());
        node.value = Value::Table(table);
    }
    match &mut node.value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

/// mac80211's queues, if the driver takes packets from them with the Linux of this host, or of its adapter, and the file gives no
/// queue. A driver on a bus of its own takes what the bus brings.
fn queue(device: &Table, host: Option<ProfileKind>) -> Option<TomlNode> {
    let adapter = Layers::of(device, "adapter", ProfileKind::Adapter)?;
    let host = host.map(|kind| Layers::of(device, "host", kind));
    let (kernel, written) = match &host {
        Some(host) => (host.as_ref()?.get("kernel"), host.as_ref()?.written("queue")),
        None => (adapter.get("kernel"), device.get("queue")),
    };
    let since = adapter.get("pulls_since")?;
    if written.is_some() || adapter.get("usb").is_some() || version(kernel?)? < version(since)? {
        return None;
    }
    let mut queue = Table::default();
    let word = Value::Text("mac80211".to_owned());
    queue.put("discipline", since.at, TomlNode { at: since.at, value: word });
    Some(TomlNode { at: since.at, value: Value::Table(queue) })
}

/// Fills in the newer Minstrel-HT where the Linux has it, unless the file or the profile says which.
fn set_minstrel(device: &mut Table) {
    let kernel = |key, kind| version(Layers::of(device, key, kind)?.get("kernel")?);
    let of_host = kernel("host", ProfileKind::Host);
    let linux = of_host.or_else(|| kernel("adapter", ProfileKind::Adapter));
    let said =
        Layers::of(device, "adapter", ProfileKind::Adapter).is_some_and(|of| of.get(MINSTREL).is_some());
    let Some(adapter) = device.get_mut("adapter").filter(|_| !said && linux >= Some(REDESIGNED)) else {
        return;
    };
    let at = adapter.at;
    if let Some(adapter) = spelled_out(adapter) {
        let word = Value::Text(MinstrelHt::Linux5_12.name().to_owned());
        adapter.put(MINSTREL, at, TomlNode { at, value: word });
    }
}

/// The Linux that a value names.
fn version(node: &TomlNode) -> Option<Kernel> {
    node.text().and_then(Kernel::parsed)
}

/// What the driver asks for, if the host lets it choose.
fn shift(station: &Table) -> Option<TomlNode> {
    let host = Layers::of(station, "host", ProfileKind::Host)?;
    let by_pacing_rate = matches!(host.profile(SHIFT)?.value, Value::Whole(_));
    if !by_pacing_rate || host.written(SHIFT).is_some() {
        return None;
    }
    Layers::of(station, "adapter", ProfileKind::Adapter)?.get(SHIFT).cloned()
}

/// The table under a key, if there is one, and those of the profile that it is laid over.
struct Layers<'a> {
    written: Option<&'a Table>,
    profile: Vec<&'a Table>,
}

impl<'a> Layers<'a> {
    fn of(device: &'a Table, key: &str, kind: ProfileKind) -> Option<Self> {
        let node = device.get(key)?;
        let name = node.table().map_or(Some(node), |table| table.get("profile"));
        // One that does not exist is reported when the table is read.
        let profile = name.and_then(|name| find(&Faults::default(), kind, name)).unwrap_or_default();
        Some(Self { written: node.table(), profile })
    }

    fn written(&self, key: &str) -> Option<&'a TomlNode> {
        self.written?.get(key)
    }

    fn profile(&self, key: &str) -> Option<&'a TomlNode> {
        self.profile.iter().find_map(|table| table.get(key))
    }

    fn get(&self, key: &str) -> Option<&'a TomlNode> {
        self.written(key).or_else(|| self.profile(key))
    }
}
