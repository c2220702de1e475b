//! Mistakes in a file: their positions and their messages.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use airloom_sim::{Brought, BroughtName};
use serde_json::Value as Json;

use crate::brought::{Given, Kinds};

/// A mistake in a file, with what to write instead where that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file as the caller named it, `set` for an override, or a profile's path.
    pub file: String,
    /// Line from 1; for an override, which of them, from 1.
    pub line: usize,
    /// Column from 1, in characters; for an override, counted in `path=value`.
    pub column: usize,
    /// The override, `path=value`, if it is in one.
    pub setting: Option<String>,
    /// What is wrong, in one line.
    pub message: String,
    /// What to write instead, or the valid words.
    pub hint: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.setting {
            Some(setting) => write!(f, "{} {setting}: {}", self.file, self.message)?,
            None => write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?,
        }
        match &self.hint {
            Some(hint) => write!(f, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mistake {}

/// All mistakes of a file that do not follow from one another, at least one, in the order of their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(Vec<Mistake>);

impl Mistakes {
    /// A first mistake and those behind it.
    pub fn new(first: Mistake, rest: impl IntoIterator<Item = Mistake>) -> Self {
        Self(std::iter::once(first).chain(rest).collect())
    }

    /// The first one.
    pub fn first(&self) -> &Mistake {
        &self.0[0]
    }

    /// All of them.
    pub fn all(&self) -> &[Mistake] {
        &self.0
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Mistake::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Mistakes {}

/// The text that a value came from. Mistakes are reported in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The scenario file.
    File,
    /// The n-th override.
    Set(usize),
    /// The n-th embedded profile.
    Embedded(usize),
}

/// A place in a text: a byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The text.
    pub source: Source,
    /// Bytes from its beginning.
    pub offset: usize,
}

impl At {
    /// The top of the scenario file.
    pub const TOP: Self = Self { source: Source::File, offset: 0 };
}

/// One mistake at one place.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where.
    pub at: At,
    /// What.
    pub message: String,
    /// What instead.
    pub hint: Option<String>,
    /// Another place, whose line ends the message.
    pub first: Option<At>,
}

/// The most places whose mistakes are kept: the first ones of a file in which everything is wrong.
const MOST_PLACES: usize = 1_000;

/// Collects mistakes in the order of their places, so that the report does not depend on the order of reading.
///
/// A second mistake at the same place follows from the first, or is the same one of another member of a group, so it is
/// dropped. Only of what is missing there may be several.
#[derive(Debug, Default)]
pub struct Faults {
    all: RefCell<BTreeMap<At, Vec<Fault>>>,
    usual: RefCell<Option<String>>,
    kinds: Kinds,
    belongs: Option<Belongs>,
}

/// Says to which table a key belongs that the table at a dotted path does not have, and what to write there, from the path, the key and
/// its value; none if no table has it. Last come the parts of that one that are there, and into which of these the key goes is the second part of the answer.
pub type Belongs = fn(&str, &str, &Json, &[Inner<'_>]) -> Option<(String, Option<String>)>;

/// A part of a table that the file has: its key, and the word that is written for it if it is no table there, as in `host = "linux-6.18"`.
#[derive(Clone, Copy, Debug)]
pub struct Inner<'a> {
    /// The key.
    pub key: &'a str,
    /// The word.
    pub word: Option<&'a str>,
}

impl Faults {
    /// No mistakes yet, in a file whose unknown keys this knows.
    pub fn knowing(belongs: Belongs) -> Self {
        Self { belongs: Some(belongs), ..Self::default() }
    }

    /// To which table a key with this value belongs that the table at this path does not have; and to which of these that stand in it, if to one.
    pub fn belongs(
        &self,
        path: &str,
        key: &str,
        value: &Json,
        inside: &[Inner<'_>],
    ) -> Option<(String, Option<String>)> {
        self.belongs.and_then(|belongs| belongs(path, key, value, inside))
    }

    /// Records a mistake, unless there is one at this place.
    pub fn fail(&self, at: At, message: impl Into<String>, hint: Option<String>) {
        self.record(Fault { at, message: message.into(), hint, first: None }, |others, _| others.is_empty());
    }

    /// Records a mistake that there is since something stands at a place before it.
    pub fn clash(&self, at: At, first: At, message: impl Into<String>, hint: Option<String>) {
        let fault = Fault { at, message: message.into(), hint, first: Some(first) };
        self.record(fault, |others, _| others.is_empty());
    }

    /// Records that something is missing here, whatever else is.
    pub fn lack(&self, at: At, message: impl Into<String>, hint: Option<String>) {
        self.record(Fault { at, message: message.into(), hint, first: None }, |others, new| {
            others.iter().all(|other| other.message != new.message)
        });
    }

    fn record(&self, new: Fault, wanted: impl FnOnce(&[Fault], &Fault) -> bool) {
        let mut all = self.all.borrow_mut();
        let here = all.entry(new.at).or_default();
        if wanted(here, &new) {
            here.push(new);
        }
        if all.len() > MOST_PLACES {
            all.pop_last();
        }
    }

    /// Reads a value whose default is written so, which is a good example where the value is wrong.
    pub fn beside<T>(&self, usual: Option<String>, read: impl FnOnce() -> T) -> T {
        let outer = self.usual.replace(usual);
        let value = read();
        self.usual.replace(outer);
        value
    }

    /// The default of the value that is being read.
    pub fn usual(&self) -> Option<String> {
        self.usual.borrow().clone()
    }

    /// The file gives these values to the parameters of kinds that its caller brings.
    pub fn give(&self, given: Given) {
        self.kinds.give(given);
    }

    /// The kind of this name that the caller has brought, if there is one, with the values that the file gives to its parameters.
    pub fn own<M: ?Sized>(&self, kinds: &Brought<M>, name: &str) -> Option<BroughtName> {
        self.kinds.named(kinds, name)
    }

    /// Those that the file has named so far.
    pub fn used(&self) -> Vec<BroughtName> {
        self.kinds.used()
    }

    /// Whether no mistake has been recorded.
    pub fn none(&self) -> bool {
        self.all.borrow().is_empty()
    }

    /// All mistakes in the order of their places.
    pub fn all(self) -> impl Iterator<Item = Fault> {
        self.all.into_inner().into_values().flatten()
    }
}

/// Line and column, from 1, of a byte offset.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// A user's text inside a message: control characters escaped, and cut short.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut out: String = text.chars().take(LONGEST).flat_map(|c| c.escape_debug()).collect();
    out = out.replace("\\\"", "\"").replace("\\'", "'");
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

/// `did you mean …` when one of `words` is close to `given`.
pub fn did_you_mean<'a>(given: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    likely(given, words).map(|w| format!("did you mean `{w}`?"))
}

/// The word nearest to `given` by edit distance, with `ph` as `f`, if it is near enough to be meant; else the one that it begins.
pub fn likely<'a>(given: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if given.len() > 64 {
        return None;
    }
    let allowed = (given.chars().count() / 3).max(1);
    let folded = |word: &str| word.to_lowercase().replace("ph", "f");
    let lower = folded(given);
    let words: Vec<&str> = words.into_iter().collect();
    let near = words.iter().map(|w| (strsim::damerau_levenshtein(&lower, &folded(w)), *w));
    let nearest =
        near.filter(|(d, w)| *d <= allowed && *d < w.chars().count()).min_by_key(|(d, _)| *d).map(|(_, w)| w);
    nearest.or_else(|| begun(&lower, &words))
}

/// The only word that begins so, if that is long enough to be an abbreviation of it.
fn begun<'a>(lower: &str, words: &[&'a str]) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    let mut longer = words.iter().filter(|word| word.to_lowercase().starts_with(lower));
    match (longer.next(), longer.next()) {
        (Some(word), None) if lower.chars().count() >= SHORTEST => Some(word),
        _ => None,
    }
}

/// The valid words, as a sentence.
pub fn there_are<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let verb = if names.len() > 1 { "are" } else { "is" };
    format!("there {verb} {}", listed(names))
}

/// The likely word, and all valid words if there are several.
pub fn choose<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match did_you_mean(given, names.iter().copied()) {
        Some(likely) if names.len() == 1 => likely,
        Some(likely) => format!("{likely} {}", there_are(names)),
        None => there_are(names),
    }
}

/// `a, b and c`, cut short when there are many.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let names: Vec<&str> = names.into_iter().collect();
    let quoted: Vec<String> = names.iter().take(MOST).map(|n| format!("`{n}`")).collect();
    match (quoted.len(), names.len() - quoted.len()) {
        (0, _) => "nothing".to_owned(),
        (1, 0) => quoted[0].clone(),
        (n, 0) => format!("{} and {}", quoted[..n - 1].join(", "), quoted[n - 1]),
        (_, more) => format!("{} and {more} more", quoted.join(", ")),
    }
}
