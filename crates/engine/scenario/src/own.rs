//! The table `own`: values of the parameters of kinds that the caller brings, by their names.

use airloom_config::brought::{Given, key_of};
use airloom_config::emit::Out;
use airloom_config::error::{Faults, choose, shown};
use airloom_config::form::{Form, unexpected};
use airloom_config::record::{self, Property};
use airloom_config::toml_tree::{Entry, TomlNode, Value};
use airloom_queue::{Discipline, OWN_QUEUES};
use airloom_sim::{BroughtName, ParameterValue};
use airloom_tcp::Congestion;
use airloom_tcp::congestion::OWN_CONTROLS;
use airloom_wifi::scan::OWN_SCAN_POLICIES;
use airloom_wifi::{Adaptive, OWN_MANAGERS, OWN_RATE_CONTROLS, OWN_SCHEDULERS, Turns};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

use crate::traffic::OWN_TRAFFIC;
use crate::{RemedyPolicy, RoamBy};

/// Values of the parameters of all kinds of a name.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnValues {
    /// The name.
    pub name: &'static str,
    /// The values, in the order of the parameters' names. Of a parameter that nobody gives a value, and that kinds of the name have with
    /// different defaults, there is none.
    pub values: Vec<(&'static str, ParameterValue)>,
    /// Whether anything in the scenario has the name.
    pub is_used: bool,
}

/// How to bring a kind.
const MODULE: &str = "a class of your own comes with its Python module: `--with MODULE` (docs/own-congestion-control.md#parameters)";

/// Where values stand that are not of one's own.
const BUILT_IN: &str =
    "that is built in: it has its parameters where it is named, and [own.NAME] is for what you bring";

/// All kinds that were brought, with the defaults of their parameters.
fn brought() -> Vec<BroughtName> {
    [
        OWN_CONTROLS.all(),
        OWN_QUEUES.all(),
        OWN_RATE_CONTROLS.all(),
        OWN_SCHEDULERS.all(),
        OWN_MANAGERS.all(),
        OWN_SCAN_POLICIES.all(),
        OWN_TRAFFIC.all(),
    ]
    .concat()
}

/// The parameters of kinds, each once, with the value that all of them have.
fn parameters(kinds: &[BroughtName]) -> Vec<(&'static str, Option<ParameterValue>)> {
    let mut found = BTreeMap::new();
    for (parameter, value) in kinds.iter().flat_map(|kind| kind.values()) {
        let common: &mut Option<_> = found.entry(*parameter).or_insert_with(|| Some(value.clone()));
        if common.as_ref() != Some(value) {
            *common = None;
        }
    }
    found.into_iter().collect()
}

/// The table of all names.
pub(crate) struct OwnForm;

impl Form for OwnForm {
    type Of = Vec<OwnValues>;

    /// Keeps the values too for what is read after it.
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Vec<OwnValues>> {
        let node = found.first()?;
        let Some(table) = node.table() else {
            let hint = "write [own.NAME] with values for the parameters of that kind".to_owned();
            unexpected(faults, path, node, "a table", Some(hint));
            return None;
        };
        let brought = brought();
        let (mut given, mut all) = (Given::new(), Vec::new());
        for entry in &table.entries {
            let kinds: Vec<BroughtName> =
                brought.iter().filter(|kind| key_of(kind.text()) == entry.key).copied().collect();
            let Some(first) = kinds.first() else {
                unknown(faults, entry, &brought);
                continue;
            };
            let values = values(faults, entry, &kinds);
            all.push(OwnValues { name: first.text(), values: filled(&kinds, &values), is_used: false });
            given.insert(entry.key.clone(), values);
        }
        faults.give(given);
        Some(all)
    }

    fn write(&self, value: &Vec<OwnValues>) -> Option<Out> {
        let of = |own: &OwnValues| own.values.iter().map(|(key, value)| (*key, out(value))).collect();
        let all: Vec<_> = value.iter().map(|own| (own.name, Out::Table(of(own)))).collect();
        (!all.is_empty()).then_some(Out::Table(all))
    }

    fn schema(&self) -> Json {
        let mut names: BTreeMap<&'static str, Vec<BroughtName>> = BTreeMap::new();
        for kind in brought() {
            names.entry(kind.text()).or_default().push(kind);
        }
        if names.is_empty() {
            // An editor that knows of no module takes any name.
            return json!({ "type": "object", "additionalProperties": { "type": "object" } });
        }
        record::table(names.into_iter().map(|(name, kinds)| described(name, &kinds)).collect(), false)
    }
}

/// Whether the key is the name of what is built in.
fn is_built_in(key: &str) -> bool {
    let controls = Congestion::WORDS.iter().map(|(word, _)| *word);
    let turns = Turns::WORDS.iter().map(|(word, _)| *word);
    let managers = RoamBy::WORDS.iter().map(|(word, _)| *word);
    let plain = Discipline::WORDS.iter().chain(Adaptive::WORDS).copied();
    let remedies = RemedyPolicy::WORDS.iter().map(|(word, _)| *word);
    controls.chain(turns).chain(managers).chain(plain).chain(remedies).any(|word| key_of(word) == key)
}

/// Reports a name that no kind has.
fn unknown(faults: &Faults, entry: &Entry, brought: &[BroughtName]) {
    let names: BTreeMap<&str, ()> = brought.iter().map(|kind| (kind.text(), ())).collect();
    let hint = match entry.key.as_str() {
        key if is_built_in(key) => BUILT_IN.to_owned(),
        _ if names.is_empty() => MODULE.to_owned(),
        key => choose(key, names.into_keys()),
    };
    faults.fail(entry.at, format!("no kind of your own is called `{}`", shown(&entry.key)), Some(hint));
}

/// The values that a file gives to the parameters of kinds of one name.
fn values(faults: &Faults, entry: &Entry, kinds: &[BroughtName]) -> BTreeMap<String, ParameterValue> {
    let Some(table) = entry.node.table() else {
        let hint = format!("write [own.{}] with values for its parameters", shown(&entry.key));
        unexpected(faults, &format!("own.{}", entry.key), &entry.node, "a table", Some(hint));
        return BTreeMap::new();
    };
    let named = kinds[0].text();
    let known = parameters(kinds);
    let mut given = BTreeMap::new();
    for Entry { key, at, node } in &table.entries {
        if !known.iter().any(|(parameter, _)| key_of(parameter) == *key) {
            let hint = if known.is_empty() {
                "it has none: a parameter has a number, true or false, or a text as its default".to_owned()
            } else {
                choose(key, known.iter().map(|(parameter, _)| *parameter))
            };
            faults.fail(*at, format!("`{named}` has no parameter `{}`", shown(key)), Some(hint));
        } else if let Some(value) = fitting(faults, (key, node), kinds) {
            given.insert(key.clone(), value);
        }
    }
    given
}

/// A value of a parameter, if it is of the type of each default.
fn fitting(faults: &Faults, (key, node): (&str, &TomlNode), kinds: &[BroughtName]) -> Option<ParameterValue> {
    let value = value(node);
    let each = kinds.iter().flat_map(|kind| kind.values());
    for (_, default) in each.filter(|(parameter, _)| key_of(parameter) == key) {
        if value.as_ref().and_then(|value| value.like(default)).is_none() {
            let wanted = match default {
                ParameterValue::Flag(_) => "true or false",
                ParameterValue::Whole(_) => "a whole number",
                ParameterValue::Real(_) => "a number",
                ParameterValue::Text(_) => "text in quotes",
            };
            let found = match (&node.value, default) {
                (Value::Real(real), ParameterValue::Whole(_)) => real.to_string(),
                (Value::Whole(whole), _) => whole.to_string(),
                (Value::Real(real), _) => real.to_string().to_lowercase(),
                _ => node.kind().to_owned(),
            };
            let hint = format!("its default is {}", written(default));
            faults.fail(node.at, format!("`{key}` must be {wanted}, not {found}"), Some(hint));
            return None;
        }
    }
    value
}

/// A value of a file; none if no parameter can have it.
fn value(node: &TomlNode) -> Option<ParameterValue> {
    match &node.value {
        Value::Text(text) => Some(ParameterValue::Text(text.clone())),
        Value::Whole(whole) => i64::try_from(*whole).ok().map(ParameterValue::Whole),
        Value::Real(real) => (!real.is_nan()).then_some(ParameterValue::Real(*real)),
        Value::Flag(flag) => Some(ParameterValue::Flag(*flag)),
        Value::Date | Value::List(_) | Value::Table(_) => None,
    }
}

/// The values of the parameters of kinds of one name, of which some are given.
fn filled(
    kinds: &[BroughtName],
    given: &BTreeMap<String, ParameterValue>,
) -> Vec<(&'static str, ParameterValue)> {
    let each = parameters(kinds).into_iter();
    each.filter_map(|(parameter, default)| {
        let value = match (given.get(&key_of(parameter)), default) {
            (Some(value), Some(default)) => value.like(&default),
            (Some(value), None) => Some(value.clone()),
            (None, default) => default,
        };
        Some((parameter, value?))
    })
    .collect()
}

/// The values of all that a scenario uses, beside those that its file gives.
pub(crate) fn completed(mut all: Vec<OwnValues>, used: &[BroughtName]) -> Vec<OwnValues> {
    let mut names: BTreeMap<String, Vec<BroughtName>> = BTreeMap::new();
    for kind in used {
        names.entry(key_of(kind.text())).or_default().push(*kind);
    }
    for (key, kinds) in names {
        if let Some(own) = all.iter_mut().find(|own| key_of(own.name) == key) {
            own.is_used = true;
            continue;
        }
        let values = filled(&kinds, &BTreeMap::new());
        if !values.is_empty() {
            all.push(OwnValues { name: kinds[0].text(), values, is_used: true });
        }
    }
    all.sort_by_key(|own| own.name);
    all
}

fn out(value: &ParameterValue) -> Out {
    match value {
        ParameterValue::Flag(flag) => Out::Flag(*flag),
        ParameterValue::Whole(whole) => Out::Whole((*whole).into()),
        ParameterValue::Real(real) => Out::Real(*real),
        ParameterValue::Text(text) => Out::Text(text.clone()),
    }
}

/// A value as a file has it.
fn written(value: &ParameterValue) -> String {
    airloom_config::emit::plain(&out(value))
}

/// The table of a name, for the schema.
fn described(name: &'static str, kinds: &[BroughtName]) -> Property {
    let property = |(key, default): (&'static str, Option<ParameterValue>)| {
        let of = kinds.iter().flat_map(|kind| kind.values()).find(|(parameter, _)| *parameter == key);
        let kind = match of {
            Some((_, ParameterValue::Flag(_))) => "boolean",
            Some((_, ParameterValue::Whole(_))) => "integer",
            Some((_, ParameterValue::Real(_))) => "number",
            Some((_, ParameterValue::Text(_))) | None => "string",
        };
        let default = default.map(|default| out(&default).to_json()).filter(|json| !json.is_null());
        let doc = "A parameter of what somebody brings.";
        Property { key, doc, schema: json!({ "type": kind }), required: false, default }
    };
    let schema = record::table(parameters(kinds).into_iter().map(property).collect(), false);
    let doc = "Values of the parameters of what somebody brings under this name.";
    Property { key: name, doc, schema, required: false, default: None }
}
