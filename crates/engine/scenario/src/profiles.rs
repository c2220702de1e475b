//! Profiles: kinds of hosts, adapters, scanners and processors as data files with a source for every value.

use std::marker::PhantomData;
use std::sync::OnceLock;

use serde_json::{Value as Json, json};

use airloom_config::emit::Out;
use airloom_config::error::{At, Faults, Source, choose, shown, there_are};
use airloom_config::form::{Form, unexpected};
use airloom_config::record::{self, Record, Unknown};
use airloom_config::toml_tree::{self, Table, TomlNode, Value};

airloom_sim::kinds! {
    /// What a profile describes.
    pub enum ProfileKind {
        /// A host: its TCP, its queue and how its radio leaves the channel.
        Host = "host",
        /// A wireless adapter with its driver.
        Adapter = "adapter",
        /// A program that makes the station scan.
        Scanner = "scanner",
        /// An access point's processor.
        Processor = "processor",
    }
}

impl ProfileKind {
    /// The kind with its article, for messages.
    fn noun(self) -> &'static str {
        match self {
            Self::Host => "a host profile",
            Self::Adapter => "an adapter profile",
            Self::Scanner => "a scanner profile",
            Self::Processor => "a processor profile",
        }
    }
}

/// A profile as data, for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What it describes.
    pub kind: ProfileKind,
    /// The name by which a scenario calls it.
    pub name: &'static str,
    /// What it stands for, in a sentence or two.
    pub description: String,
    /// Where its file is in the repository.
    pub path: &'static str,
    /// The chips that it stands for, by which people look for it, in small letters.
    pub chips: Vec<String>,
    /// Its values in the order of the file; then those of the profile that it is like.
    pub values: Vec<ProfileValue>,
}

/// A value of a profile and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileValue {
    /// The key, dotted if it is in a table.
    pub key: String,
    /// The value as written.
    pub value: String,
    /// Kernel version and function, or the standard's clause.
    pub source: String,
    /// The claim it was fitted to and why, if it could not be read from a source.
    pub calibrated: Option<String>,
}

/// An embedded file.
struct File {
    kind: ProfileKind,
    name: &'static str,
    path: &'static str,
    text: &'static str,
}

macro_rules! file {
    ($kind:ident, $folder:literal, $name:literal) => {
        File {
            kind: ProfileKind::$kind,
            name: $name,
            path: concat!("profiles/", $folder, "/", $name, ".toml"),
            text: include_str!(concat!("../profiles/", $folder, "/", $name, ".toml")),
        }
    };
}

const FILES: &[File] = &[
    file!(Host, "hosts", "linux-2.4"),
    file!(Host, "hosts", "linux-3.2"),
    file!(Host, "hosts", "linux-3.13"),
    file!(Host, "hosts", "linux-6.12"),
    file!(Host, "hosts", "linux-6.18"),
    file!(Host, "hosts", "macos-10.11"),
    file!(Host, "hosts", "sunos-5.8"),
    file!(Host, "hosts", "windows-10"),
    file!(Host, "hosts", "windows-2000"),
    file!(Host, "hosts", "ns-2"),
    file!(Adapter, "adapters", "ath10k"),
    file!(Adapter, "adapters", "ath11k"),
    file!(Adapter, "adapters", "ath9k"),
    file!(Adapter, "adapters", "ath9k-3.13"),
    file!(Adapter, "adapters", "ath9k-ap"),
    file!(Adapter, "adapters", "ath9k-openwrt"),
    file!(Adapter, "adapters", "broadcom"),
    file!(Adapter, "adapters", "compaq-w200"),
    file!(Adapter, "adapters", "dcf"),
    file!(Adapter, "adapters", "edca-ac"),
    file!(Adapter, "adapters", "edca-ax"),
    file!(Adapter, "adapters", "edca-be"),
    file!(Adapter, "adapters", "iwlmld"),
    file!(Adapter, "adapters", "iwlwifi"),
    file!(Adapter, "adapters", "lucent-rg-1000"),
    file!(Adapter, "adapters", "mt76"),
    file!(Adapter, "adapters", "mt7925"),
    file!(Adapter, "adapters", "mt7996"),
    file!(Adapter, "adapters", "ns-2-80211b"),
    file!(Scanner, "scanners", "networkmanager-0.9.8"),
    file!(Processor, "processors", "ar7161"),
];

/// What the files say, in their order.
static SAID: [OnceLock<Parsed>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

/// What the n-th file says: read when it is first asked for, since a scenario names few.
fn said(n: usize) -> &'static Parsed {
    SAID[n].get_or_init(|| parsed(n, &FILES[n]))
}

/// What a profile's file says.
struct Parsed {
    /// The chips that it stands for, in small letters.
    chips: Vec<String>,
    /// Its own values, with its name under the key that names a profile.
    values: Table,
    /// The place of the profile that it is like.
    model: Option<usize>,
}

/// The key by which a profile is like another of its kind: it has the other's values where it has none of its own.
const LIKE: &str = "like";

/// Keys of a profile file that are about the profile, not values of it.
const ABOUT: [&str; 4] = ["description", "calibrated", LIKE, CHIPS];

/// The key of the chips that a profile stands for, by which people look for it.
const CHIPS: &str = "chips";

fn whole(n: usize, file: &File) -> Table {
    toml_tree::parse(&Faults::default(), Source::Embedded(n), file.text).unwrap_or_default()
}

fn parsed(n: usize, file: &File) -> Parsed {
    let mut values = whole(n, file);
    let model = values.get(LIKE).and_then(TomlNode::text).map(|name| {
        let of = FILES.iter().position(|f| f.kind == file.kind && f.name == name);
        of.unwrap_or_else(|| panic!("{} is like {name}, which is no such profile", file.path))
    });
    let chips = chips(&values);
    values.entries.retain(|e| !ABOUT.contains(&e.key.as_str()));
    let at = At { source: Source::Embedded(n), offset: 0 };
    values.put(name_key(file.kind), at, TomlNode { at, value: Value::Text(file.name.to_owned()) });
    Parsed { chips, values, model }
}

/// The chips that a profile's file names.
fn chips(whole: &Table) -> Vec<String> {
    match whole.get(CHIPS).map(|node| &node.value) {
        Some(Value::List(chips)) => chips.iter().filter_map(TomlNode::text).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The values of the n-th profile, before those of the profile that it is like.
fn layers(n: usize) -> Vec<&'static Table> {
    std::iter::successors(Some(n), |&n| said(n).model).map(|n| &said(n).values).collect()
}

/// The key that names a profile of this kind in a record.
fn name_key(kind: ProfileKind) -> &'static str {
    match kind {
        ProfileKind::Scanner => "by",
        _ => "profile",
    }
}

/// The path and text of the n-th profile file, for messages.
pub(crate) fn file(n: usize) -> (&'static str, &'static str) {
    FILES.get(n).map_or(("profiles", ""), |f| (f.path, f.text))
}

/// The names of the profiles of a kind.
pub(crate) fn names(kind: ProfileKind) -> impl Iterator<Item = &'static str> {
    FILES.iter().filter(move |f| f.kind == kind).map(|f| f.name)
}

/// The values of a profile, each table before those that it is laid over, or a mistake at its name.
pub(crate) fn find(faults: &Faults, kind: ProfileKind, node: &TomlNode) -> Option<Vec<&'static Table>> {
    let all = || there_are(names(kind));
    let Some(name) = node.text() else {
        unexpected(faults, kind.name(), node, "the name of a profile in quotes", Some(all()));
        return None;
    };
    let found = FILES.iter().position(|f| f.kind == kind && f.name == name);
    if found.is_none() {
        let hint = serves(kind, name).unwrap_or_else(|| choose(name, names(kind)));
        faults.fail(node.at, format!("there is no {} profile \"{}\"", kind.name(), shown(name)), Some(hint));
    }
    found.map(layers)
}

/// What to write instead of a profile that users look for.
fn serves(kind: ProfileKind, name: &str) -> Option<String> {
    const OTHER_ADAPTERS: [&str; 15] = [
        "ath12k", "ath5k", "mt79", "rtw88", "rtw89", "rtl", "brcmfmac", "b43", "bcm", "qca", "wcn", "ipq",
        "intel", "ax2", "be2",
    ];
    let lower = name.to_lowercase();
    let begins = |word: &str| lower.starts_with(word);
    let of_chip = |n: &usize| FILES[*n].kind == kind && said(*n).chips.contains(&lower);
    if let Some(n) = (0..FILES.len()).find(of_chip) {
        return Some(format!("write \"{}\": {}", FILES[n].name, described(n, &FILES[n]).description));
    }
    match kind {
        ProfileKind::Adapter if OTHER_ADAPTERS.iter().any(|word| begins(word)) => Some(
            "it has no profile yet: `edca-be`, `edca-ax` and `edca-ac` are adapters of 802.11be, 802.11ax and 802.11ac in general; write \
             what differs beside the name, such as adapter = { profile = \"edca-ax\", streams = 1 }; `airloom profiles` lists all"
                .to_owned(),
        ),
        ProfileKind::Host => {
            let system = match &lower {
                name if ["ubuntu", "debian", "fedora", "android", "openwrt"].iter().any(|word| name.starts_with(word)) => "linux",
                name if ["mac", "osx", "ios", "darwin"].iter().any(|word| name.starts_with(word)) => "macos",
                name => ["linux", "windows", "macos"].into_iter().find(|word| name == word)?,
            };
            let these: Vec<_> = names(kind).filter(|name| name.starts_with(system)).collect();
            Some(format!("of {system} {}", there_are(these)))
        }
        _ => None,
    }
}

/// What to write instead of a profile that users look for, of whatever kind; none where nothing is known by this name.
pub fn serves_for_profile(name: &str) -> Option<String> {
    [ProfileKind::Adapter, ProfileKind::Host].into_iter().find_map(|kind| serves(kind, name))
}

/// A record over a profile: written as the profile's name, or as a table with `profile` and what differs from it.
pub(crate) struct Profiled<R> {
    kind: ProfileKind,
    record: PhantomData<R>,
}

/// A record over a profile of this kind.
pub(crate) const fn profiled<R: Record>(kind: ProfileKind) -> Profiled<R> {
    Profiled { kind, record: PhantomData }
}

impl<R: Record> Form for Profiled<R> {
    type Of = R::Of;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<R::Of> {
        let node = found.first()?;
        match &node.value {
            Value::Text(_) => {
                let profile = find(faults, self.kind, node)?;
                record::read_layers::<R>(faults, node.at, path, profile, Unknown::default())
            }
            Value::Table(table) => {
                let unknown = record::known(faults, path, table, &R::keys(), R::elsewhere);
                let name = table.get("profile");
                if name.is_none() && !unknown.may_be("profile") {
                    let hint = there_are(names(self.kind));
                    faults.lack(node.at, record::missing(path, "profile"), Some(hint));
                }
                let Some(profile) = name.and_then(|name| find(faults, self.kind, name)) else {
                    // What the table itself sets can be wrong, too.
                    record::read_layers::<R>(faults, node.at, path, vec![table], Unknown::ANY);
                    return None;
                };
                let tables = [vec![table], profile].concat();
                record::read_layers::<R>(faults, node.at, path, tables, Unknown::default())
            }
            _ => {
                let wanted = format!("the name of {} or a table with `profile`", self.kind.noun());
                unexpected(faults, path, node, &wanted, Some(there_are(names(self.kind))));
                None
            }
        }
    }

    fn write(&self, value: &R::Of) -> Option<Out> {
        Some(Out::Table(R::write(value)))
    }

    fn schema(&self) -> Json {
        let names: Vec<&str> = names(self.kind).collect();
        let mut object = record::object::<R>(true);
        object["required"] = json!(["profile"]);
        object["properties"]["profile"]["enum"] = json!(names);
        object["x-profile"] = json!(self.kind.name());
        let usual: Vec<&&str> = names.iter().filter(|name| USUAL.contains(name)).collect();
        json!({ "anyOf": [{ "enum": names, "examples": usual }, object] })
    }
}

/// The profile of each kind that examples have.
const USUAL: [&str; 3] = ["linux-6.18", "edca-ax", "ar7161"];

/// Every profile with its values and their sources.
pub fn profiles() -> Vec<Profile> {
    FILES.iter().enumerate().map(|(n, file)| described(n, file)).collect()
}

fn described(n: usize, file: &File) -> Profile {
    let table = whole(n, file);
    let text_of = |node: Option<&TomlNode>| node.and_then(TomlNode::text).unwrap_or_default().to_owned();
    let calibrated = table.get("calibrated").and_then(TomlNode::table);
    let mut values = Vec::new();
    collect(file, "", &table, &mut values);
    for value in &mut values {
        // A dotted key stands in quotes in the table of calibrated values.
        value.calibrated =
            calibrated.and_then(|t| t.get(&value.key)).and_then(TomlNode::text).map(str::to_owned);
    }
    if let Some(model) = said(n).model {
        let taken = described(model, &FILES[model]).values.into_iter();
        let taken: Vec<_> = taken.filter(|value| values.iter().all(|own| own.key != value.key)).collect();
        values.extend(taken);
    }
    Profile {
        kind: file.kind,
        name: file.name,
        description: text_of(table.get("description")),
        path: file.path,
        chips: chips(&table),
        values,
    }
}

fn collect(file: &File, path: &str, table: &Table, values: &mut Vec<ProfileValue>) {
    for entry in &table.entries {
        if path.is_empty() && ABOUT.contains(&entry.key.as_str()) {
            continue;
        }
        let key = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        match &entry.node.value {
            Value::Table(inner) if !file.text[entry.node.at.offset..].starts_with('{') => {
                collect(file, &key, inner, values);
            }
            _ => {
                let (value, source) = line_and_comment(file.text, entry.at.offset);
                values.push(ProfileValue { key, value, source, calibrated: None });
            }
        }
    }
}

/// The value on the line at `offset`, and the comment above it, which may be above other values too.
fn line_and_comment(text: &str, offset: usize) -> (String, String) {
    let start = text[..offset].rfind('\n').map_or(0, |n| n + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let value = line.split_once('=').map_or(line, |(_, value)| value).trim().to_owned();
    let mut comment: Vec<&str> = text[..start]
        .lines()
        .rev()
        .skip_while(|l| l.contains('=') && !l.trim_start().starts_with(['#', '[']))
        .take_while(|l| l.trim_start().starts_with('#'))
        .map(|l| l.trim_start().trim_start_matches('#').trim())
        .collect();
    comment.reverse();
    (value, comment.join(" "))
}
