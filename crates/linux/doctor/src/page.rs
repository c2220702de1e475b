//! An examination as a person reads it.

use crate::checks::CHECKS;
use crate::examination::Examination;
use crate::finding::Finding;
use std::collections::BTreeSet;

/// How a line stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all.
    Plain,
    /// A heading.
    Heading,
    /// What is wrong.
    Wrong,
    /// What may be passed over.
    Dim,
}

impl Style {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Heading => "heading",
            Self::Wrong => "wrong",
            Self::Dim => "dim",
        }
    }
}

/// Columns that a page takes at least, and at most: longer lines are hard to read.
const COLUMNS: std::ops::RangeInclusive<usize> = 60..=120;

/// The page, folded at a number of columns.
#[must_use]
pub fn page(examination: &Examination, columns: usize) -> Vec<(Style, String)> {
    let mut page = Page { columns: columns.clamp(*COLUMNS.start(), *COLUMNS.end()), lines: Vec::new() };
    for interface in &examination.interfaces {
        page.fold(Style::Heading, "", &interface.name, &interface.says);
    }
    page.line(Style::Plain, "");
    if let Some(because) = &examination.unconnected {
        page.line(Style::Heading, &format!("{because}: most checks have nothing to look at."));
    }
    let count = examination.findings.len();
    let verdict = match count {
        0 => nothing(examination),
        1 => "One thing is wrong for TCP over this Wi-Fi.".to_owned(),
        _ => format!("{count} things are wrong for TCP over this Wi-Fi."),
    };
    page.line(Style::Heading, &verdict);
    for finding in &examination.findings {
        page.line(Style::Plain, "");
        page.finding(finding);
    }
    if !examination.abstained.is_empty() {
        page.line(Style::Plain, "");
        page.line(Style::Heading, "cannot tell");
        // What stands in the way of several checks is said once.
        for same in examination.abstained.chunk_by(|one, next| one.because == next.because) {
            let others: Vec<_> = same[1..].iter().map(|abstention| abstention.code).collect();
            let likewise =
                if others.is_empty() { String::new() } else { format!("; likewise {}", others.join(", ")) };
            page.fold(Style::Dim, "  ", same[0].code, &format!("{}{likewise}", same[0].because));
        }
    }
    page.lines
}

/// That nothing is wrong, as far as checks could look.
fn nothing(examination: &Examination) -> String {
    let silent: BTreeSet<_> = examination.abstained.iter().map(|abstention| abstention.code).collect();
    match (silent.len(), CHECKS.len()) {
        (0, all) => format!("Nothing that {all} checks look for is wrong."),
        (some, all) => {
            format!("{} of {all} checks could look everywhere, and found nothing wrong.", all - some)
        }
    }
}

/// A line in which nothing speaks to the terminal: networks and connections have any names.
fn visible(text: &str) -> String {
    let speaks = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let escaped = |c: char| if speaks(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

struct Page {
    columns: usize,
    lines: Vec<(Style, String)>,
}

impl Page {
    fn line(&mut self, style: Style, text: &str) {
        self.lines.push((style, visible(text)));
    }

    /// A word and what it says, whose further lines begin below it.
    fn fold(&mut self, style: Style, indent: &str, word: &str, says: &str) {
        let hang = " ".repeat(indent.len() + word.chars().count() + 2);
        let mut line = format!("{indent}{word} ");
        let mut empty = true;
        for part in visible(says).split_whitespace() {
            if !empty && line.chars().count() + 1 + part.chars().count() > self.columns {
                self.line(style, &std::mem::replace(&mut line, hang.clone()));
                line.push_str(part);
            } else {
                line.push(' ');
                line.push_str(part);
            }
            empty = false;
        }
        self.line(style, &line);
    }

    fn finding(&mut self, finding: &Finding) {
        self.line(Style::Wrong, &format!("{} {}: {}", finding.code, finding.name, finding.subject));
        for evidence in &finding.evidence {
            self.fold(Style::Plain, "  ", "read", &format!("{} ({})", evidence.read, evidence.from));
        }
        self.fold(Style::Plain, "  ", "why ", &finding.why);
        // Commands are copied, so they stay on one line.
        let word = if finding.only_looks { "look" } else { "mend" };
        self.line(Style::Plain, &format!("  {word}  {}", finding.command));
        if let Some(keep) = &finding.keep {
            self.line(Style::Plain, &format!("  keep  {keep}"));
        }
        if let Some(advice) = &finding.advice {
            self.fold(Style::Plain, "  ", "then", advice);
        }
    }
}
