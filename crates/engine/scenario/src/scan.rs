//! Scans for other networks, and remedies against their harm.

use airloom_sim::{BroughtName, Bytes, Duration, Making, NameError, ParameterValue};
use airloom_wifi::scan::{OWN_SCAN_POLICIES, ScanPolicy};
use serde_json::{Value as Json, json};
use std::sync::Arc;

use crate::profiles::{self, ProfileKind};
use airloom_config::emit::Out;
use airloom_config::error::{At, Faults};
use airloom_config::form::{Form, Name, Optional, Or, count, size, time, unexpected, words};
use airloom_config::record;
use airloom_config::record::{Layers, Nested, Record, Unknown, nested};
use airloom_config::toml_tree::{Table, TomlNode, Value};

/// When a scan that is due does not take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemedyPolicy {
    /// Never: every scan takes place.
    None,
    /// When more than a threshold of data has moved since the last one was due.
    SkipIfMoved,
    /// When one that somebody brings says so.
    Own(BroughtName),
}

impl RemedyPolicy {
    /// Those that are built in, and the words for them.
    pub const WORDS: &[(&str, Self)] = &[("none", Self::None), ("skip-if-moved", Self::SkipIfMoved)];

    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::SkipIfMoved => "skip-if-moved",
            Self::Own(own) => own.text(),
        }
    }
}

/// Brings a policy with these parameters, each with its default: from now on the `remedy` of scans may name it where it names `"skip-if-moved"`.
/// One of the same name, brought before, is replaced.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register_scan_policy(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    make: impl Fn(&Making) -> Box<dyn ScanPolicy> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    let built_in: Vec<&str> = RemedyPolicy::WORDS.iter().map(|(word, _)| *word).collect();
    OWN_SCAN_POLICIES.bring(name, &built_in, parameters, Arc::new(make))
}

record! {
    /// The remedy against the harm of scans.
    pub struct Remedy {
        /// When a scan that is due does not take place.
        policy: RemedyPolicy = PolicyForm;
        /// A scan is skipped when more than this has moved; zero is any byte.
        threshold: Bytes = size(Bytes::ZERO, Bytes(1 << 40)), default Bytes::ZERO;
        /// The longest time for which scans are postponed one after another; unlimited if left out.
        longest_postponement: Option<Duration> =
            Optional(time(Duration::from_millis(1), Duration::from_secs(86_400))), default None;
    }
    check of_ones_own;
}

/// One's own has its parameters in `[own.NAME]`.
fn of_ones_own(remedy: &Remedy, faults: &Faults, layers: &Layers<'_>) {
    let RemedyPolicy::Own(own) = remedy.policy else { return };
    let given = [
        ("threshold", remedy.threshold != Bytes::ZERO),
        ("longest_postponement", remedy.longest_postponement.is_some()),
    ];
    for (key, _) in given.into_iter().filter(|(_, given)| *given) {
        let message = format!("`{key}` is nothing that `{}` knows", own.text());
        faults.fail(layers.place(key), message, Some(format!("its parameters are in [own.{}]", own.text())));
    }
}

const POLICY: airloom_config::form::Words<RemedyPolicy> = words(RemedyPolicy::WORDS, &[])
    .otherwise("one of your own is a class in a Python module: `--with MODULE` (docs/own-scan-policy.md)");

/// A policy that is built in, or that the caller brought.
struct PolicyForm;

impl Form for PolicyForm {
    type Of = RemedyPolicy;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<RemedyPolicy> {
        let own = found.first()?.text().and_then(|text| faults.own(&OWN_SCAN_POLICIES, text));
        own.map(RemedyPolicy::Own)
            .or_else(|| POLICY.read_beside(&OWN_SCAN_POLICIES.names(), (faults, path, found)))
    }

    fn write(&self, value: &RemedyPolicy) -> Option<Out> {
        Some(Out::Text(value.name().to_owned()))
    }

    fn schema(&self) -> Json {
        let built_in = RemedyPolicy::WORDS.iter().map(|(word, _)| *word);
        json!({ "enum": built_in.chain(OWN_SCAN_POLICIES.names()).collect::<Vec<_>>() })
    }
}

impl Remedy {
    /// Every scan takes place.
    pub const NONE: Self =
        Self { policy: RemedyPolicy::None, threshold: Bytes::ZERO, longest_postponement: None };
}

/// A remedy as its policy's name or as a table.
struct RemedyForm;

const REMEDY: Nested<Remedy> = nested();

impl Form for RemedyForm {
    type Of = Remedy;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Remedy> {
        let node = found.first()?;
        match &node.value {
            Value::Table(_) => REMEDY.read(faults, path, &[node]),
            Value::Text(_) => {
                PolicyForm.read(faults, path, found).map(|policy| Remedy { policy, ..Remedy::NONE })
            }
            _ => {
                let hint = "write \"none\" or \"skip-if-moved\"".to_owned();
                unexpected(faults, path, node, "a word in quotes or a table", Some(hint));
                None
            }
        }
    }

    fn write(&self, value: &Remedy) -> Option<Out> {
        Some(Out::Inline(Remedy::write(value)))
    }

    fn schema(&self) -> Json {
        json!({ "anyOf": [PolicyForm.schema(), REMEDY.schema()] })
    }
}

/// Any interval between scans.
const INTERVAL: airloom_config::form::Quantity<Duration> =
    time(Duration::from_millis(1), Duration::from_secs(86_400));

record! {
    /// How a station scans while it is associated.
    pub struct Scan {
        /// The profile of the program that asks for the scans.
        by: String = Name;
        /// How many channels a scan visits.
        channels: u16 = count(1, 200);
        /// When the first scan is asked for, from the beginning of the run; or "uniform" for a station that has scanned for long, of which
        /// nobody knows when: at random within `longest`, by the seed, and every `longest` from there on, since the interval has grown
        /// to that.
        first: Option<Duration> = Or("uniform", time(Duration::ZERO, Duration::from_secs(86_400)));
        /// By how much the interval between requests grows.
        step: Duration = time(Duration::ZERO, Duration::from_secs(86_400));
        /// The longest interval between requests.
        longest: Duration = INTERVAL;
        /// The shortest interval between requests, which is the first.
        shortest: Duration = INTERVAL;
        /// The remedy against the harm of scans.
        remedy: Remedy = RemedyForm, default Remedy::NONE;
    }
    check intervals;
}

fn intervals(scan: &Scan, faults: &Faults, layers: &Layers<'_>) {
    if scan.shortest > scan.longest {
        let at = layers.place("shortest").min(layers.place("longest"));
        let hint = "write a lower `shortest` or a higher `longest`".to_owned();
        faults.fail(at, "`shortest` is above `longest`", Some(hint));
    }
}

/// The name of the scanner's profile in the table that is `by` of a scan.
fn scanner<'a>(faults: &Faults, path: &str, at: At, table: &'a Table) -> Option<&'a TomlNode> {
    let keys: Vec<&str> = Scan::keys().into_iter().map(|k| if k == "by" { "profile" } else { k }).collect();
    let unknown = record::known(faults, path, table, &keys, Scan::elsewhere);
    let name = table.get("profile");
    if name.is_none() && !unknown.may_be("profile") {
        faults.lack(at, record::missing(path, "profile"), None);
    }
    name
}

/// A scan: its keys over those of `by`, which is a scanner's name or a table with `profile`.
pub(crate) struct ScanForm;

impl Form for ScanForm {
    type Of = Scan;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Scan> {
        let node = found.first()?;
        let hint = "write { by = \"networkmanager-0.9.8\", channels = 26 }";
        let Some(table) = node.table() else {
            unexpected(faults, path, node, "a table", Some(hint.to_owned()));
            return None;
        };
        let unknown = record::known(faults, path, table, &Scan::keys(), Scan::elsewhere);
        let by = table.get("by");
        if by.is_none() && !unknown.may_be("by") {
            faults.lack(node.at, record::missing(path, "by"), Some(hint.to_owned()));
        }
        // The scanner's own name is in the profile, under `by`.
        let mut own = table.clone();
        own.entries.retain(|e| e.key != "by");
        let mut changes = Table::default();
        let name = match by {
            Some(TomlNode { at, value: Value::Table(inner) }) => {
                changes = inner.clone();
                changes.entries.retain(|e| e.key != "profile");
                scanner(faults, &format!("{path}.by"), *at, inner)
            }
            by => by,
        };
        let Some(profile) = name.and_then(|name| profiles::find(faults, ProfileKind::Scanner, name)) else {
            // What the table itself sets can be wrong, too.
            record::read_layers::<Scan>(faults, node.at, path, vec![&own, &changes], Unknown::ANY);
            return None;
        };
        let tables = [vec![&own, &changes], profile].concat();
        record::read_layers::<Scan>(faults, node.at, path, tables, unknown)
    }

    fn write(&self, value: &Scan) -> Option<Out> {
        Some(Out::Table(Scan::write(value)))
    }

    fn schema(&self) -> Json {
        let names: Vec<&str> = profiles::names(ProfileKind::Scanner).collect();
        let mut laid_over = record::object::<Scan>(true);
        if let Some(properties) = laid_over["properties"].as_object_mut() {
            properties.remove("by");
            let description = "The scanner's profile, which gives the values of keys left out.";
            properties.insert("profile".to_owned(), json!({ "description": description, "enum": names }));
        }
        laid_over["required"] = json!(["profile"]);
        let mut object = record::object::<Scan>(true);
        object["x-profile"] = json!(ProfileKind::Scanner.name());
        object["required"] = json!(["by"]);
        let description = &object["properties"]["by"]["description"];
        object["properties"]["by"] =
            json!({ "description": description, "anyOf": [{ "enum": names }, laid_over] });
        object
    }
}
