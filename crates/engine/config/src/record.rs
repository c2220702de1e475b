//! Tables: a struct whose fields are keys, defined once for reading, writing and describing.

use std::marker::PhantomData;

use serde_json::{Map, Value as Json, json};

use crate::emit::{Out, inline};
use crate::error::{At, Faults, Inner, Source, likely, listed, shown, there_are};
use crate::form::{Form, last, unexpected};
use crate::toml_tree::{Entry, Table, TomlNode, Value};

/// A table laid over others: a key is looked for in the first, then in the next.
pub struct Layers<'a> {
    /// Position of the topmost table, at which missing keys are reported.
    pub at: At,
    /// The dotted path of the table, empty for the document.
    pub path: &'a str,
    /// The tables, topmost first.
    pub tables: Vec<&'a Table>,
    /// What the unknown keys of the topmost table may stand for.
    pub unknown: Unknown,
}

/// Which keys the unknown keys of a table may be misspellings of. An unknown key is reported; a key that it may stand for is not reported as
/// missing too.
#[derive(Clone, Debug, Default)]
pub struct Unknown {
    likely: Vec<&'static str>,
    other: bool,
}

impl Unknown {
    /// They may stand for any key.
    pub const ANY: Self = Self { likely: Vec::new(), other: true };

    /// Whether one of them may stand for this key.
    pub fn may_be(&self, key: &str) -> bool {
        self.other || self.seems(key)
    }

    /// Whether one of them is like this key.
    pub fn seems(&self, key: &str) -> bool {
        self.likely.contains(&key)
    }
}

/// A key of a record, for schemas.
pub struct Property {
    /// The key.
    pub key: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// The schema of its value.
    pub schema: Json,
    /// Whether it has no default.
    pub required: bool,
    /// Its default; none if there is none, or if it is to leave the key out.
    pub default: Option<Json>,
}

/// How a struct is written as a table.
pub trait Record {
    /// The struct: the implementor itself, or one of another crate.
    type Of;
    /// Its keys.
    fn keys() -> Vec<&'static str>;
    /// Reads its keys; unknown ones were reported before.
    fn read(faults: &Faults, layers: &Layers<'_>) -> Option<Self::Of>;
    /// Writes its keys.
    fn write(of: &Self::Of) -> Vec<(&'static str, Out)>;
    /// Describes its keys; with `over`, as they are written in a table that is laid over another.
    fn properties(over: bool) -> Vec<Property>;
    /// A hint for a key that belongs elsewhere but that users may look for here, or the key that they mean.
    fn elsewhere(_key: &str) -> Option<&'static str> {
        None
    }
}

/// Defines a struct and its [`Record`], or a type that is the [`Record`] `for` a struct of another crate, whose fields
/// must all be named; there a key may differ from its field, which has a unit in its name: `depth_db as "depth"`. After a field's
/// type comes its form, then its default if it has one. After the struct, a `look` sees which keys there are before their values
/// are read, and a `check` gets the record when all of them have been; `elsewhere`, before them, is [`Record::elsewhere`]. A field
/// in the form [`flat`] has keys of its own in the same table.
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident : $type:ty = $form:expr $(, default $default:expr)?;
            )*
        }
        $(elsewhere $elsewhere:path;)?
        $(look $look:path;)?
        $(check $check:path;)?
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $( $(#[doc = $field_doc])* $vis $field: $type, )*
        }

        $crate::record! {
            @for $name as $name {
                $(
                    $(#[doc = $field_doc])*
                    $field: $type = $form $(, default $default)?;
                )*
            }
            $(elsewhere $elsewhere;)?
            $(look $look;)?
            $(check $check;)?
        }
    };
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $table:ident for $name:ident { $($body:tt)* }
        $($check:tt)*
    ) => {
        $(#[doc = $doc])*
        $vis struct $table;

        $crate::record! { @for $name as $table { $($body)* } $($check)* }
    };
    (
        @for $name:ident as $table:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $(as $key:literal)? : $type:ty = $form:expr $(, default $default:expr)?;
            )*
        }
        $(elsewhere $elsewhere:path;)?
        $(look $look:path;)?
        $(check $check:path;)?
    ) => {
        impl $crate::record::Record for $table {
            type Of = $name;

            fn keys() -> Vec<&'static str> {
                [$($crate::record::Part::keys(
                    &$crate::record::form_of::<$type, _>($form),
                    $crate::record!(@key $field $(, $key)?),
                )),*]
                .concat()
            }

            fn read(
                faults: &$crate::error::Faults,
                layers: &$crate::record::Layers<'_>,
            ) -> Option<$name> {
                $( $look(faults, layers); )?
                $(
                    let $field = $crate::record::Part::take(
                        &$crate::record::form_of::<$type, _>($form),
                        faults,
                        layers,
                        $crate::record!(@key $field $(, $key)?),
                        $crate::record!(@default $($default)?),
                    );
                )*
                $( let $field = $field?; )*
                let record = $name { $($field,)* };
                $( $check(&record, faults, layers); )?
                Some(record)
            }

            fn write(of: &$name) -> Vec<(&'static str, $crate::emit::Out)> {
                let mut entries = Vec::new();
                $(
                    entries.extend($crate::record::Part::put(
                        &$crate::record::form_of::<$type, _>($form),
                        $crate::record!(@key $field $(, $key)?),
                        &of.$field,
                    ));
                )*
                entries
            }

            fn properties(over: bool) -> Vec<$crate::record::Property> {
                let mut properties = Vec::new();
                $(
                    properties.extend($crate::record::Part::describe(
                        &$crate::record::form_of::<$type, _>($form),
                        over,
                        ($crate::record!(@key $field $(, $key)?), concat!($($field_doc),*)),
                        $crate::record!(@default $($default)?),
                    ));
                )*
                properties
            }
$(
            fn elsewhere(key: &str) -> Option<&'static str> {
                $elsewhere(key)
            }
)?        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident, $key:literal) => { $key };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
}

/// Fixes the type of a form, so that untyped number literals in it get their types.
pub const fn form_of<T, F: Part<Of = T>>(form: F) -> F {
    form
}

/// What a field of a record is in its table: a key with a form, or the keys of a record of their own.
pub trait Part {
    /// The field.
    type Of;
    /// The keys of the field that has this one.
    fn keys(&self, key: &'static str) -> Vec<&'static str>;
    /// Reads the field.
    fn take(
        &self,
        faults: &Faults,
        layers: &Layers<'_>,
        key: &str,
        default: Option<Self::Of>,
    ) -> Option<Self::Of>;
    /// Writes the field.
    fn put(&self, key: &'static str, of: &Self::Of) -> Vec<(&'static str, Out)>;
    /// Describes the field that has this key with this meaning.
    fn describe(
        &self,
        over: bool,
        named: (&'static str, &'static str),
        default: Option<Self::Of>,
    ) -> Vec<Property>;
}

impl<F: Form> Part for F {
    type Of = F::Of;

    fn keys(&self, key: &'static str) -> Vec<&'static str> {
        vec![key]
    }

    fn take(&self, faults: &Faults, layers: &Layers<'_>, key: &str, default: Option<F::Of>) -> Option<F::Of> {
        field(faults, layers, key, self, default)
    }

    fn put(&self, key: &'static str, of: &F::Of) -> Vec<(&'static str, Out)> {
        Form::write(self, of).map(|out| (key, out)).into_iter().collect()
    }

    fn describe(
        &self,
        over: bool,
        (key, doc): (&'static str, &'static str),
        default: Option<F::Of>,
    ) -> Vec<Property> {
        let (schema, required) = (schema_of(self, over), default.is_none());
        vec![Property { key, doc, schema, required, default: default_of(self, default) }]
    }
}

/// The keys of a record, in the table of the one that has it as a field.
pub struct Flat<R>(PhantomData<R>);

/// The keys of a record, in the table of the one that has it as a field: its parts are structs, its table is one.
pub const fn flat<R: Record>() -> Flat<R> {
    Flat(PhantomData)
}

impl<R: Record> Part for Flat<R> {
    type Of = R::Of;

    fn keys(&self, _: &'static str) -> Vec<&'static str> {
        R::keys()
    }

    fn take(&self, faults: &Faults, layers: &Layers<'_>, _: &str, _: Option<R::Of>) -> Option<R::Of> {
        R::read(faults, layers)
    }

    fn put(&self, _: &'static str, of: &R::Of) -> Vec<(&'static str, Out)> {
        R::write(of)
    }

    fn describe(&self, over: bool, _: (&'static str, &'static str), _: Option<R::Of>) -> Vec<Property> {
        R::properties(over)
    }
}

impl<'a> Layers<'a> {
    /// The values under `key`, topmost first.
    pub fn found(&self, key: &str) -> Vec<&'a TomlNode> {
        self.tables.iter().filter_map(|t| t.get(key)).collect()
    }

    /// Position of the value of `key`, or of the table if the key is missing.
    pub fn place(&self, key: &str) -> At {
        self.found(key).first().map_or(self.at, |n| n.at)
    }
}

/// Reads one key.
pub fn field<F: Form + ?Sized>(
    faults: &Faults,
    layers: &Layers<'_>,
    key: &str,
    form: &F,
    default: Option<F::Of>,
) -> Option<F::Of> {
    let found = layers.found(key);
    if found.is_empty() {
        if default.is_none() && !layers.unknown.may_be(key) {
            faults.lack(layers.at, missing(layers.path, key), wanted(key, &form.schema()));
        }
        return default;
    }
    let path = if layers.path.is_empty() { key.to_owned() } else { format!("{}.{key}", layers.path) };
    let usual = default.and_then(|default| match form.write(&default)? {
        Out::Text(text) => Some(text),
        _ => None,
    });
    faults.beside(usual, || form.read(faults, &path, &found))
}

/// The message about a missing key.
pub fn missing(path: &str, key: &str) -> String {
    match path {
        "" => format!("`{key}` is missing"),
        path => format!("`{path}` needs `{key}`"),
    }
}

/// What to write for a missing key, as far as the schema of its value has an example.
fn wanted(key: &str, schema: &Json) -> Option<String> {
    let example = example(schema)?;
    let words = schema["enum"].as_array().map(|words| words.iter().filter_map(Json::as_str));
    let there = words.map_or(String::new(), |words| format!("; {}", there_are(words)));
    Some(format!("write for example {key} = {}{there}", inline(&example)))
}

/// A value that this schema allows, if it has an example.
fn example(schema: &Json) -> Option<Json> {
    let given = [&schema["examples"][0], &schema["enum"][0]].into_iter().find(|one| !one.is_null());
    given.cloned().or_else(|| schema["anyOf"].as_array()?.iter().find_map(example)).or_else(|| {
        let items = usize::try_from(schema["minItems"].as_u64()?).ok()?;
        Some(Json::Array(vec![example(&schema["items"])?; items]))
    })
}

/// A part of a table, if this is one or a word for one. A word that has become a table since stands where that table does.
fn part_of(entry: &Entry) -> Option<Inner<'_>> {
    let word = match &entry.node.value {
        Value::Text(word) => Some(word.as_str()),
        Value::Table(table) => {
            table.entries.iter().find(|one| one.at == entry.node.at).and_then(|one| one.node.text())
        }
        _ => return None,
    };
    Some(Inner { key: &entry.key, word })
}

/// Whether a key was written by the user, rather than taken from a profile.
fn is_written(entry: &Entry) -> bool {
    !matches!(entry.at.source, Source::Embedded(_))
}

/// Keys whose value is the word by which a table is one of its kind.
const NAMING: [&str; 5] = ["profile", "by", "discipline", "control", "kind"];
/// Keys under which others have such a word.
const ALSO_NAMING: [&str; 9] =
    ["name", "type", "algorithm", "model", "method", "mode", "policy", "host", "adapter"];

/// The key for the word that stands under a key for a word elsewhere, as in `roam = { name = "iwd" }`; none if the table has that key too.
pub fn naming(table: &Table, keys: &[&'static str], Entry { key, node, .. }: &Entry) -> Option<&'static str> {
    let key = key.as_str();
    let is_word = NAMING.contains(&key) || ALSO_NAMING.contains(&key);
    let meant = NAMING.into_iter().find(|naming| keys.contains(naming))?;
    (is_word && node.text().is_some() && table.get(meant).is_none()).then_some(meant)
}

/// Reports unknown keys of a table, and says what they may stand for.
pub fn known(
    faults: &Faults,
    path: &str,
    table: &Table,
    keys: &[&'static str],
    elsewhere: fn(&str) -> Option<&'static str>,
) -> Unknown {
    let mut unknown = Unknown::default();
    // Once for all keys: a table may have very many.
    let inside: Vec<&Entry> = table.entries.iter().filter(|one| keys.contains(&one.key.as_str())).collect();
    let parts: Vec<Inner<'_>> = inside.iter().filter_map(|one| part_of(one)).collect();
    for entry in &table.entries {
        let Entry { key, at, node } = entry;
        if keys.contains(&key.as_str()) {
            continue;
        }
        let place = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
        let meant =
            naming(table, keys, entry).or_else(|| elsewhere(key).filter(|meant| keys.contains(meant)));
        let elsewhere = elsewhere(key).filter(|hint| hint.contains(' '));
        let mut part = None;
        let hint = match (elsewhere, meant.or_else(|| likely(key, keys.iter().copied()))) {
            (Some(hint), _) => hint.to_owned(),
            (None, Some(word)) => {
                unknown.likely.extend(keys.iter().find(|known| **known == word));
                format!("did you mean `{word}`?")
            }
            (None, None) => match faults.belongs(path, key, &node.to_json(), &parts) {
                Some((hint, place)) => {
                    part = place.and_then(|place| inside.iter().find(|one| one.key == place));
                    let has = part.and_then(|part| part.node.table()).is_some_and(|part| {
                        part.entries.iter().any(|one| one.key == *key && is_written(one))
                    });
                    if has { "leave it out, or change the one there".to_owned() } else { hint }
                }
                None => {
                    unknown.other = true;
                    there_are(keys.iter().copied())
                }
            },
        };
        let message = format!("unknown key `{}`{place}", shown(key));
        match part {
            Some(part) => {
                faults.clash(*at, part.at, format!("{message}, whose `{}` is", part.key), Some(hint));
            }
            None => faults.fail(*at, message, Some(hint)),
        }
    }
    unknown
}

/// Reads a record from a table and the tables that it is laid over.
pub fn read_layers<R: Record>(
    faults: &Faults,
    at: At,
    path: &str,
    tables: Vec<&Table>,
    unknown: Unknown,
) -> Option<R::Of> {
    R::read(faults, &Layers { at, path, tables, unknown })
}

/// The JSON Schema of a form's value, laid over another or not.
fn schema_of<F: Form>(form: &F, over: bool) -> Json {
    if over { form.schema_over() } else { form.schema() }
}

/// A default as it would be written; none if by leaving the key out, or as nothing.
pub fn default_of<F: Form + ?Sized>(form: &F, default: Option<F::Of>) -> Option<Json> {
    let written = default.and_then(|default| form.write(&default)).map(|out| out.to_json());
    written.filter(|json| *json != json!("") && *json != json!([]))
}

/// The JSON Schema of a record; one that is laid over another requires no key.
pub fn object<R: Record>(over: bool) -> Json {
    table(R::properties(over), over)
}

/// The JSON Schema of a table with these keys; one that is laid over another requires none.
pub fn table(keys: Vec<Property>, over: bool) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for property in keys {
        let mut schema = property.schema;
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), json!(property.doc.trim()));
            if let Some(default) = property.default {
                let something = default.as_str().is_some_and(|text| !text.starts_with("0 "));
                if something && object.contains_key("examples") {
                    object.insert("examples".to_owned(), json!([default]));
                }
                object.insert("default".to_owned(), default);
            }
        }
        properties.insert(property.key.to_owned(), schema);
        if property.required && !over {
            required.push(property.key);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A record written as a table; one that stands beneath another fills the keys that are not given.
pub struct Nested<R>(PhantomData<R>);

/// A record written as a table.
pub const fn nested<R: Record>() -> Nested<R> {
    Nested(PhantomData)
}

/// How the table at a path is written, with the keys that it needs.
fn as_table<R: Record>(path: &str) -> String {
    let key = path.rsplit('.').next().unwrap_or(path);
    let described = object::<R>(false);
    let needed: Vec<&str> =
        described["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    if needed.is_empty() {
        return format!("write `{key} = {{ ... }}` with any of {}", listed(R::keys()));
    }
    format!("write `{key} = {{ {} = ... }}`", needed.join(" = ..., "))
}

impl<R: Record> Form for Nested<R> {
    type Of = R::Of;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<R::Of> {
        let top = found.first()?;
        let Some(table) = top.table() else {
            let hint = match &top.value {
                Value::List(items) if !path.contains('.') => {
                    items.first().and_then(|item| self.read(faults, path, &[item]));
                    Some(format!("write [{path}], not [[{path}]]"))
                }
                _ => Some(as_table::<R>(path)),
            };
            unexpected(faults, path, top, "a table", hint);
            return None;
        };
        let unknown = known(faults, path, table, &R::keys(), R::elsewhere);
        let tables = found.iter().filter_map(|n| n.table()).collect();
        read_layers::<R>(faults, top.at, path, tables, unknown)
    }

    fn write(&self, value: &R::Of) -> Option<Out> {
        Some(Out::Table(R::write(value)))
    }

    fn schema(&self) -> Json {
        object::<R>(false)
    }

    fn schema_over(&self) -> Json {
        object::<R>(true)
    }
}

/// The most entities of one kind, and of all kinds together.
pub const MOST_ENTITIES: usize = 4_000;

/// An array of tables: `[[station]]`.
pub struct Tables<R>(PhantomData<R>);

/// An array of tables.
pub const fn tables<R: Record>() -> Tables<R> {
    Tables(PhantomData)
}

impl<R: Record> Form for Tables<R> {
    type Of = Vec<R::Of>;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Vec<R::Of>> {
        let top = found.first()?;
        let Value::List(items) = &top.value else {
            let key = last(path);
            let number = |entry: &Entry| entry.key.bytes().all(|b| b.is_ascii_digit());
            if let (Source::Set(_), Some(only)) =
                (top.at.source, top.table().and_then(|table| table.entries.first()))
                && number(only)
            {
                let hint =
                    format!("the file has none; all of them are given by '{key}=[{{ ... }}, {{ ... }}]'");
                faults.fail(top.at, format!("there is no `{key}.{}`", only.key), Some(hint));
                return None;
            }
            let hint = format!("write [[{key}]], once for each");
            unexpected(faults, path, top, "an array of tables", Some(hint));
            if top.table().is_some() {
                nested::<R>().read(faults, path, &[top]);
            }
            return None;
        };
        if let Some(item) = items.get(MOST_ENTITIES) {
            faults.fail(item.at, format!("more than {MOST_ENTITIES} of `{}`", last(path)), None);
            return None;
        }
        let form = nested::<R>();
        let read: Vec<Option<R::Of>> = items.iter().map(|item| form.read(faults, path, &[item])).collect();
        read.into_iter().collect()
    }

    fn write(&self, value: &Vec<R::Of>) -> Option<Out> {
        Some(Out::Tables(value.iter().map(R::write).collect()))
    }

    fn schema(&self) -> Json {
        json!({ "type": "array", "items": object::<R>(false), "maxItems": MOST_ENTITIES })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit;
    use crate::form::{Flag, Name, count};
    use crate::toml_tree;

    crate::record! {
        /// The hands of a clock.
        pub(crate) struct Hands {
            /// How many there are.
            hands: u32 = count(1, 3), default 2;
            /// What they are of.
            metal: String = Name;
        }
    }

    crate::record! {
        /// A clock.
        pub(crate) struct Clock {
            /// What it is called.
            name: String = Name;
            /// Its hands.
            hands: Hands = flat::<Hands>();
            /// Whether it has bells.
            bells: bool = Flag, default false;
        }
    }

    fn read(text: &str) -> Result<Clock, String> {
        let faults = Faults::default();
        let table = toml_tree::parse(&faults, Source::File, text).expect("TOML");
        let unknown = known(&faults, "", &table, &Clock::keys(), Clock::elsewhere);
        let clock = read_layers::<Clock>(&faults, At::TOP, "", vec![&table], unknown);
        let message = faults.all().next().map(|fault| fault.message);
        message.map_or_else(|| Ok(clock.expect("no mistake")), Err)
    }

    #[test]
    fn a_part_has_its_keys_in_the_table_of_the_whole() {
        let clock = read("name = \"tower\"\nmetal = \"brass\"\nhands = 1\n").expect("a clock");
        assert_eq!(clock.hands, Hands { hands: 1, metal: "brass".to_owned() });
        let written = "name = \"tower\"\nhands = 1\nmetal = \"brass\"\nbells = false\n";
        assert_eq!(emit::document(&Clock::write(&clock)), written);
        let schema = object::<Clock>(false);
        assert_eq!(schema["required"], json!(["name", "metal"]));
        assert_eq!(schema["properties"]["hands"]["description"], json!("How many there are."));
        assert_eq!(read("name = \"tower\"\n"), Err("`metal` is missing".to_owned()));
        assert_eq!(
            read("name = \"tower\"\nmetal = \"brass\"\nhands = 4\n"),
            Err("`hands` must be from 1 to 3".to_owned())
        );
    }
}
