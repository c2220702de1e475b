//! Texts that are not TOML: which of the parser's errors are mistakes of their own, and what to write instead.

use toml::de::Error;

use crate::error::{At, Faults, Source, shown};

/// Reports what a text that is not TOML has wrong: each line once, and nothing behind a bracket that is never closed.
pub(crate) fn report(faults: &Faults, source: Source, text: &str, mut errors: Vec<Error>) {
    let offset = |error: &Error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        (0..=start).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0)
    };
    errors.sort_by_key(offset);
    let open = never_closed(text);
    let mut after = 0;
    for error in &errors {
        let at = offset(error);
        if at < after || open.is_some_and(|open| at > open) {
            continue;
        }
        let line = line_at(text, at);
        match unquoted(line) {
            Some((key, value, place)) => {
                let value = plain(value).unwrap_or_else(|| format!("\"{}\"", shown(value)));
                let hint = format!("write {} = {value}", shown(key));
                let at = At { source, offset: at - at_in_line(text, at) + place };
                let what = if value.starts_with('"') {
                    "is text without quotes"
                } else {
                    "is not written as in TOML"
                };
                faults.fail(at, format!("`{}` {what}", shown(key)), Some(hint));
            }
            None if error.message().starts_with("duplicate key") => {
                let key = text.get(error.span().unwrap_or_default()).unwrap_or_default();
                let hint = format!("leave one of them out{}", several(text, key));
                faults.fail(
                    At { source, offset: at },
                    format!("`{}` is given twice", shown(key)),
                    Some(hint),
                );
            }
            None => {
                faults.fail(At { source, offset: at }, one_line(error.message()), instead(line));
                if is_json(text) {
                    return;
                }
            }
        }
        after = at - at_in_line(text, at) + line.len() + 1;
        if line.trim_start().starts_with('[') && error.message().starts_with("duplicate key") {
            // Its keys are given twice too, since it is.
            let next = text.get(after - 1..).and_then(|rest| rest.find("\n["));
            after = next.map_or(text.len(), |n| after + n);
        }
    }
    if let Some(offset) = open {
        let bracket = &text[offset..=offset];
        faults.fail(At { source, offset }, format!("not TOML: this `{bracket}` is never closed"), None);
    }
}

/// How one writes several tables of a name that is given twice, if it is a table's, as its double brackets elsewhere show; else how several of a kind are written.
fn several(text: &str, key: &str) -> String {
    let heading = |brackets: [&str; 2]| {
        let [open, close] = brackets;
        text.lines().any(|line| {
            let line = line.split('#').next().unwrap_or_default().trim();
            line.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map(str::trim) == Some(key)
        })
    };
    match (heading(["[[", "]]"]), heading(["[", "]"])) {
        (true, _) => format!(", or write [[{}]] at each of them", shown(key)),
        (false, true) => "; several of a kind are [[station]], once for each".to_owned(),
        (false, false) => String::new(),
    }
}

/// Bytes from the beginning of the line to an offset.
fn at_in_line(text: &str, offset: usize) -> usize {
    offset - text[..offset].rfind('\n').map_or(0, |n| n + 1)
}

/// The line in which an offset is.
fn line_at(text: &str, offset: usize) -> &str {
    let start = offset - at_in_line(text, offset);
    text[start..].lines().next().unwrap_or_default()
}

/// How TOML writes a truth value with a capital letter, or a number that begins with zeros; none if it is neither.
fn plain(value: &str) -> Option<String> {
    let lower = value.to_lowercase();
    if ["true", "false"].contains(&lower.as_str()) {
        return Some(lower);
    }
    let number = value.trim_start_matches('0');
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then(|| number.to_owned())
}

/// Whether a text is rather one of JSON.
fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
}

/// What to write in place of a line as other languages have it.
fn instead(line: &str) -> Option<String> {
    let line = line.trim();
    let is_key =
        |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_\"".contains(c));
    let hint = match line.split_once(':') {
        _ if line.starts_with('{') => {
            "JSON and TOML differ: in TOML a line is key = value, as duration = \"10 s\""
        }
        _ if line.contains(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']) => {
            "write straight quotes, as \"10 s\""
        }
        _ if line.starts_with("//")
            || line.starts_with("/*")
            || line.starts_with(';')
            || line.starts_with("--") =>
        {
            "a comment begins with #"
        }
        Some((key, _)) if is_key(key.trim()) && !line.contains('=') => "a line is key = value, with `=`",
        _ if line.contains('=') && line.ends_with([',', ';']) => {
            "a line ends behind its value, without a mark"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Key, value and the value's place in a line such as `duration = 60 s`.
fn unquoted(line: &str) -> Option<(&str, &str, usize)> {
    let (key, rest) = line.split_once('=')?;
    let value = rest.split('#').next().unwrap_or_default().trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || " .,+-_/%*".contains(c);
    let is_key = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let (key, begins) = (key.trim(), value.chars().next()?.is_ascii_alphanumeric());
    let sound = begins && value.chars().all(plain) && !key.is_empty() && key.chars().all(is_key);
    sound.then(|| (key, value, line.len() - rest.trim_start().len()))
}

/// The first bracket of a value that nothing closes.
pub(crate) fn never_closed(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut fresh = true;
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => fresh = true,
            '#' => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
            // A heading: brackets of its own, on its line.
            '[' if fresh && open.is_empty() => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
            '"' | '\'' => {
                let rest = &text[at..];
                let end = at + string_length(rest, c);
                while chars.next_if(|(at, _)| *at < end).is_some() {}
                fresh = false;
            }
            '{' | '[' => open.push((at, if c == '{' { '}' } else { ']' })),
            '}' | ']' if open.last().is_some_and(|(_, closer)| *closer == c) => {
                open.pop();
            }
            c if !c.is_whitespace() => fresh = false,
            _ => {}
        }
    }
    open.first().map(|(at, _)| *at)
}

/// Bytes of the string with which a text begins; one that nothing ends is as long as its line, or as the text.
fn string_length(text: &str, quote: char) -> usize {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    if let Some(inner) = text.strip_prefix(&long) {
        return inner.find(&long).map_or(text.len(), |n| n + 6);
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            c if c == quote && !escaped => return at + 1,
            c => escaped = c == '\\' && !escaped && quote == '"',
        }
    }
    text.len()
}

/// A parser's message as part of a line.
fn one_line(message: &str) -> String {
    let line = message.trim().replace('\n', ", ");
    if line.is_empty() { "not a TOML text".to_owned() } else { format!("not TOML: {line}") }
}
