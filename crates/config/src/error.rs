//! Mistakes in a file: their positions and their messages.

use std::cell::RefCell;
use std::fmt;

/// A mistake in a scenario: always the first one by position, with what to write instead where that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file as the caller named it, `--set` for an override, or a profile's path.
    pub file: String,
    /// Line from 1; for `--set`, which of the overrides, from 1.
    pub line: usize,
    /// Column from 1, in characters; for `--set`, counted in `path=value`.
    pub column: usize,
    /// What is wrong, in one line.
    pub message: String,
    /// What to write instead, or the valid words.
    pub hint: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mistake {}

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
}

/// Collects mistakes and keeps the first by position, so that the report does not depend on the order of reading.
#[derive(Debug, Default)]
pub struct Faults(RefCell<Option<Fault>>);

impl Faults {
    /// Records a mistake.
    pub fn fail(&self, at: At, message: impl Into<String>, hint: Option<String>) {
        let mut first = self.0.borrow_mut();
        if first.as_ref().is_none_or(|f| at < f.at) {
            *first = Some(Fault { at, message: message.into(), hint });
        }
    }

    /// Whether no mistake has been recorded.
    pub fn none(&self) -> bool {
        self.0.borrow().is_none()
    }

    /// The first mistake by position.
    pub fn first(self) -> Option<Fault> {
        self.0.into_inner()
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

/// The word nearest to `given` by edit distance, if it is near enough to be meant.
pub fn likely<'a>(given: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if given.len() > 64 {
        return None;
    }
    let allowed = (given.chars().count() / 3).max(1);
    let lower = given.to_lowercase();
    words
        .into_iter()
        .map(|w| (strsim::damerau_levenshtein(&lower, &w.to_lowercase()), w))
        .filter(|(d, w)| *d <= allowed && *d < w.chars().count())
        .min_by_key(|(d, _)| *d)
        .map(|(_, w)| w)
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
