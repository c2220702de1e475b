//! To which table a key belongs that stands in another one: looked up in the schema, which has every key of every table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value as Json, json};

use crate::model::ScenarioText;
use crate::not_yet::synonym;
use airloom_config::emit::inline;
use airloom_config::error::{Inner, listed};
use airloom_config::quantity;
use airloom_config::record::object;

/// The most kinds of table that are named.
const MOST: usize = 3;
/// The most words by which tables of one kind differ that are named.
const MOST_WORDS: usize = 8;

/// A table that has a key.
struct Home {
    /// The table's dotted path, empty for the file itself.
    path: String,
    /// The keys that lead to it from the outermost table on, each with the schema of its value, and the key itself.
    way: Vec<(String, Json)>,
    /// The word under a key by which this table differs from others of its kind, as `discipline = "codel"`.
    apart: Option<(String, String)>,
}

/// By key the tables that have it.
static HOMES: LazyLock<BTreeMap<String, Vec<Home>>> = LazyLock::new(|| {
    let mut homes = BTreeMap::new();
    gather(&object::<ScenarioText>(false), "", &[], &mut homes);
    homes
});

/// Gathers the keys of every table that a value of this schema may be.
fn gather(schema: &Json, path: &str, way: &[(String, Json)], homes: &mut BTreeMap<String, Vec<Home>>) {
    if let Some(properties) = schema["properties"].as_object() {
        let apart =
            properties.iter().find_map(|(key, one)| Some((key.clone(), one["const"].as_str()?.to_owned())));
        // A step of a script says its key again.
        let again = way.last().map(|(last, _)| last);
        for (key, one) in properties.iter().filter(|(key, _)| Some(*key) != again) {
            let way = [way, &[(key.clone(), one.clone())]].concat();
            let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            gather(one, &inner, &way, homes);
            let home = Home { path: path.to_owned(), way, apart: apart.clone() };
            homes.entry(key.clone()).or_default().push(home);
        }
    }
    schema["anyOf"].as_array().into_iter().flatten().for_each(|one| gather(one, path, way, homes));
    if schema["items"].is_object() {
        gather(&schema["items"], path, way, homes);
    }
}

/// The last word of a path: tables that have the same are of one kind, as `host` of a station and of a server.
fn kind(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Where a key belongs that the table at this path does not have, and the line to write there; none if no table has it, nor what is
/// meant by it. A part that stands in that one already (`inside`) and may have the key is where it goes, and the second part of the answer.
pub(crate) fn belongs(
    path: &str,
    key: &str,
    value: &Json,
    inside: &[Inner<'_>],
) -> Option<(String, Option<String>)> {
    let keys = || [synonym(key), Some(key)].into_iter().flatten();
    let part = keys().find_map(|key| of_part(path, key, value, inside));
    part.map(|(remedy, part)| (remedy, Some(part)))
        .or_else(|| Some((keys().find_map(|key| of_others(path, key, value))?, None)))
}

/// How a key gets this value in one of these parts of the table at this path, and in which one.
fn of_part(path: &str, key: &str, value: &Json, inside: &[Inner<'_>]) -> Option<(String, String)> {
    let has = |part: &str, home: &Home| home.path == format!("{path}.{part}");
    inside.iter().find_map(|part| {
        let home = HOMES.get(key)?.iter().find(|home| has(part.key, home))?;
        let [.., (_, whole), (_, own)] = &home.way[..] else { return None };
        let given = fitting(own, value);
        let remedy = match part.word {
            Some(word) => {
                let named = key_of_word(whole)?;
                let (word, given) = (inline(&json!(word)), inline(&given));
                format!("write `{} = {{ {named} = {word}, {key} = {given} }}`", part.key)
            }
            None => format!("put {key} = {} into `{}`", inline(&given), part.key),
        };
        Some((remedy, part.key.to_owned()))
    })
}

/// The key of a word that stood for a table of this schema; none if no table has one.
fn key_of_word(schema: &Json) -> Option<&'static str> {
    let has = |named: &&str| tables(schema).iter().any(|table| !table["properties"][*named].is_null());
    ["profile", "by"].into_iter().find(has)
}

fn of_others(path: &str, key: &str, value: &Json) -> Option<String> {
    let all: Vec<&Home> = HOMES.get(key)?.iter().collect();
    if let Some(said) = of_words(path, key, &all) {
        return Some(said);
    }
    let kinds = kinds(path, all, value);
    let first = *kinds.first()?.first()?;
    let has = own_keys(path);
    if !kinds.iter().flatten().any(|home| may_be(&home.way[home.way.len() - 1].1, value)) && !has.is_empty() {
        return Some(format!("`{path}` has {}", listed(has)));
    }
    let line = line(&first.way, value);
    if first.path.is_empty() {
        return Some(match first.way[0].1["type"].as_str() {
            Some("array") => format!("[[{key}]] is a table of its own, below no other"),
            Some("object") => format!("[{key}] is a table of its own, below no other"),
            _ => format!("it stands above all tables: write {line} in the first lines of the file"),
        });
    }
    let told: Vec<String> = kinds.iter().map(|same| of_kind(same)).collect();
    let told = match told.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => told.concat(),
    };
    // A line of a table within another says something of that one: as one of a table that has nothing to do with it, it would say another thing.
    if path.contains('.') && !has.is_empty() && path.split('.').next() != Some(first.way[0].0.as_str()) {
        return Some(format!("`{key}` is a key {told}; `{path}` has {}", listed(has)));
    }
    Some(format!("`{key}` is a key {told}: write {line} below {}", heading(&first.way[0])))
}

/// The keys of the table at this path.
fn own_keys(path: &str) -> Vec<&'static str> {
    HOMES
        .iter()
        .filter(|(_, homes)| homes.iter().any(|home| home.path == path))
        .map(|(key, _)| key.as_str())
        .collect()
}

/// With which words a key goes in the table at this path, if it has others there.
fn of_words(path: &str, key: &str, all: &[&Home]) -> Option<String> {
    let here = all.iter().filter(|home| home.path == path);
    let words: Vec<&(String, String)> = here.filter_map(|home| home.apart.as_ref()).collect();
    let (apart, _) = words.first()?;
    let some: Vec<String> = words.iter().take(MOST_WORDS).map(|(_, word)| format!("{word:?}")).collect();
    Some(format!("`{key}` goes with {apart} = {}", some.join(" or ")))
}

/// The tables that have a key by kind: those first that are parts of the table at this path, then those that lie least deep, then those of
/// the same outermost table, then those in which the value makes sense.
fn kinds<'a>(path: &str, mut all: Vec<&'a Home>, value: &Json) -> Vec<Vec<&'a Home>> {
    let outermost = path.split('.').next().unwrap_or_default();
    all.retain(|home| kind(&home.path) != kind(path));
    all.sort_by_key(|home| {
        let fits = home.way.last().is_some_and(|(_, schema)| fits(schema, value));
        (!is_part_of(path, home), home.way.len(), home.way[0].0 != outermost, !fits)
    });
    let mut kinds: Vec<Vec<&Home>> = Vec::new();
    for home in all {
        let same = kinds.iter_mut().find(|same| kind(&same[0].path) == kind(&home.path));
        match same {
            Some(same) if same[0].way.len() == home.way.len() => same.push(home),
            Some(_) => {}
            None => kinds.push(vec![home]),
        }
    }
    kinds.truncate(MOST);
    kinds
}

/// Whether a table is a part that every table at this path has, as the `link` of a server.
fn is_part_of(path: &str, home: &Home) -> bool {
    let [(outer, schema), (part, _), _] = &home.way[..] else { return false };
    let item = if schema["type"] == "array" { &schema["items"] } else { schema };
    let needed = item["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
    outer == path && needed.into_iter().any(|key| key == part)
}

/// The tables of one kind that have a key, in words.
fn of_kind(same: &[&Home]) -> String {
    let mut owners: Vec<String> = Vec::new();
    for owner in same.iter().map(|home| heading(&home.way[0])) {
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let inner = &same[0].way[1..same[0].way.len() - 1];
    let inside: Vec<&str> = inner.iter().map(|(key, _)| key.as_str()).collect();
    let owners = owners.join(" or ");
    if inside.is_empty() { format!("of {owners}") } else { format!("of `{}` in {owners}", inside.join(".")) }
}

/// The heading of an outermost table.
fn heading((key, schema): &(String, Json)) -> String {
    if schema["type"] == "array" { format!("[[{key}]]") } else { format!("[{key}]") }
}

/// The line that gives a key this value where it belongs: of a table within another, with what that one needs.
fn line(way: &[(String, Json)], value: &Json) -> String {
    let own = way.len() - 1;
    let mut given = fitting(&way[own].1, value);
    for n in (1..own).rev() {
        given = within(&way[n].1, &way[n + 1].0, given);
    }
    let outermost = own.min(1);
    format!("{} = {}", way[outermost].0, inline(&given))
}

/// A table of this schema that has this key with this value, and what it needs beside it.
fn within(schema: &Json, key: &str, value: Json) -> Json {
    if schema["type"] == "array" {
        return json!([within(&schema["items"], key, value)]);
    }
    let Some(table) = tables(schema).into_iter().find(|table| !table["properties"][key].is_null()) else {
        return json!({ key: value });
    };
    let mut made = Map::new();
    for needed in table["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        made.insert(needed.to_owned(), usual(needed, &table["properties"][needed]));
    }
    made.insert(key.to_owned(), value);
    Json::Object(made)
}

/// The tables that a value of this schema may be.
fn tables(schema: &Json) -> Vec<&Json> {
    let own = schema["properties"].is_object().then_some(schema);
    let others = schema["anyOf"].as_array().into_iter().flatten().flat_map(tables);
    own.into_iter().chain(others).collect()
}

/// The value itself if it may stand there, as far as a schema says, else an example.
fn fitting(schema: &Json, value: &Json) -> Json {
    if fits(schema, value) { value.clone() } else { example(schema) }
}

/// Whether what this schema describes can be a list or a table, if the value is one: `start = ["1 m", "2 m"]` of a wall is no time.
fn may_be(schema: &Json, value: &Json) -> bool {
    if let Some(ways) = schema["anyOf"].as_array() {
        return ways.iter().any(|one| may_be(one, value));
    }
    match value {
        Json::Array(_) => schema["type"] == "array",
        Json::Object(_) => schema["type"] == "object",
        _ => true,
    }
}

fn fits(schema: &Json, value: &Json) -> bool {
    if let Some(ways) = schema["anyOf"].as_array() {
        return ways.iter().any(|one| fits(one, value));
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.contains(value);
    }
    match (schema["type"].as_str(), value) {
        (Some("string"), Json::String(text)) => schema["x-units"].as_array().is_none_or(|units| {
            quantity::split(text).is_some_and(|(_, unit)| units.iter().any(|one| one == unit))
        }),
        (Some("integer"), Json::Number(n)) => n.is_u64(),
        (Some("number"), Json::Number(_))
        | (Some("boolean"), Json::Bool(_))
        | (Some("object"), Json::Object(_)) => true,
        (Some("array"), Json::Array(items)) => items.iter().all(|item| fits(&schema["items"], item)),
        _ => false,
    }
}

/// Values of keys that a table needs where any value of its kind would not do.
const USUAL_OF: [(&str, &str); 3] = [("rate", "1 Gbit/s"), ("delay", "5 ms"), ("by", "20 ms")];
/// A share that makes sense.
const SHARE: f64 = 0.01;

/// A value of a key that a table needs.
fn usual(key: &str, schema: &Json) -> Json {
    let known = USUAL_OF.iter().find(|(one, _)| *one == key).map(|(_, value)| json!(value));
    known.filter(|value| fits(schema, value)).unwrap_or_else(|| example(schema))
}

/// Profiles that examples have.
const USUAL: [&str; 4] = ["linux-6.18", "edca-ax", "networkmanager-0.9.8", "ar7161"];

/// A value that may stand there.
fn example(schema: &Json) -> Json {
    let words = schema["enum"].as_array();
    let usual = || words?.iter().find(|word| USUAL.iter().any(|usual| *word == usual));
    let first = || words?.first();
    let of_ways = || schema["anyOf"].as_array()?.first().map(example);
    let given =
        [&schema["const"], &schema["examples"][0], &schema["default"]].into_iter().find(|one| !one.is_null());
    let found = given.or_else(usual).or_else(first).cloned().or_else(of_ways);
    found.unwrap_or_else(|| match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("number") if schema["minimum"] == 0.0 && schema["maximum"] == 1.0 => json!(SHARE),
        Some("integer" | "number") => schema["minimum"].clone(),
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(1) as usize;
            json!(vec![example(&schema["items"]); least])
        }
        Some("object") => {
            let needed = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
            needed.map(|key| (key.to_owned(), self::usual(key, &schema["properties"][key]))).collect()
        }
        _ => json!("..."),
    })
}
