//! The command line of `airloom-doctor`.

use airloom_daemon::program::Asked;
use airloom_doctor::{CHECKS, MOST_COLLECTED, Plan};
use lexopt::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The JSON Schema of snapshots.
    Schema,
    /// To record.
    Collect(Plan),
    /// To examine a machine: this one, or that of a snapshot.
    Examine {
        /// The snapshot.
        file: Option<PathBuf>,
        /// What is printed.
        print: Print,
        /// The codes that `--fail-on` names.
        codes: Vec<&'static str>,
    },
}

/// What is printed of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Print {
    /// A page of what was found.
    Page,
    /// What was found, as JSON.
    Json,
    /// What was read, as JSON.
    Snapshot,
}

/// Reads the command line.
///
/// # Errors
///
/// In one line, what is wrong with it.
pub(crate) fn read(mut parser: lexopt::Parser) -> Result<Asked<Command>, lexopt::Error> {
    let (mut words, mut print, mut codes) = (Vec::new(), None, Vec::new());
    let (mut seconds, mut interface) = (None, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Short('V') | Long("version") => return Ok(Asked::Version),
            Long("fail-on") => codes = codes_of(&parser.value()?.string()?)?,
            Long("schema") => return Ok(Asked::For(Command::Schema)),
            Long("json") => print = print.or(Some(Print::Json)),
            Long("snapshot") => print = Some(Print::Snapshot),
            Long("seconds") => seconds = Some(parser.value()?.parse()?),
            Long("interface") => interface = Some(parser.value()?.string()?),
            Value(word) => words.push(PathBuf::from(word)),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Asked::For(match &words[..] {
        [word, rest @ ..]
            if word.as_os_str() == "collect" && rest.len() < 2 && print.is_none() && codes.is_empty() =>
        {
            let out = rest.first().cloned().unwrap_or_else(|| PathBuf::from("collected"));
            let time = Duration::from_secs(seconds.unwrap_or(60));
            Command::Collect(Plan { out, time, interface, most: MOST_COLLECTED })
        }
        [_, _, ..] => return Err("one file at a time; see --help".into()),
        _ if seconds.is_some() || interface.is_some() => {
            return Err("only `collect` takes that; see --help".into());
        }
        files => {
            Command::Examine { file: files.first().cloned(), print: print.unwrap_or(Print::Page), codes }
        }
    }))
}

/// The codes that `--fail-on` names.
fn codes_of(given: &str) -> Result<Vec<&'static str>, String> {
    let known: Vec<_> = CHECKS.iter().map(|check| check.code).collect();
    let named = |code: &str| known.iter().find(|known| **known == code.trim()).copied();
    let unknown =
        |code| format!("--fail-on {given}: no code {code:?}; there are any and {}", known.join(", "));
    let is_any = |code: &&str| code.trim() == "any";
    let codes =
        given.split(',').filter(|code| !is_any(code)).map(|code| named(code).ok_or_else(|| unknown(code)));
    let codes = codes.collect::<Result<Vec<_>, _>>()?;
    Ok(if given.split(',').any(|code| is_any(&code)) { known } else { codes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Asked<Command>, String> {
        let words = std::iter::once("airloom-doctor").chain(line.split_whitespace());
        read(lexopt::Parser::from_iter(words)).map_err(|e| e.to_string())
    }

    fn examine(file: Option<&str>, print: Print, codes: &[&'static str]) -> Result<Asked<Command>, String> {
        Ok(Asked::For(Command::Examine { file: file.map(PathBuf::from), print, codes: codes.to_vec() }))
    }

    #[test]
    fn commands_and_options_are_understood() {
        let plan = |out: &str, seconds, interface: Option<&str>| {
            Ok(Asked::For(Command::Collect(Plan {
                out: out.into(),
                time: Duration::from_secs(seconds),
                interface: interface.map(str::to_owned),
                most: MOST_COLLECTED,
            })))
        };
        assert_eq!(parsed(""), examine(None, Print::Page, &[]));
        assert_eq!(parsed("--json --fail-on D101 x"), examine(Some("x"), Print::Json, &["D101"]));
        assert_eq!(parsed("--snapshot --json"), examine(None, Print::Snapshot, &[]));
        assert_eq!(parsed("--schema"), Ok(Asked::For(Command::Schema)));
        assert_eq!(parsed("x --version"), Ok(Asked::Version));
        assert_eq!(parsed("collect"), plan("collected", 60, None));
        assert_eq!(parsed("collect y --seconds 5 --interface w"), plan("y", 5, Some("w")));
    }

    #[test]
    fn what_is_not_understood_is_reported() {
        for (line, message) in [
            ("one two", "one file at a time; see --help"),
            ("collect x --json", "one file at a time; see --help"),
            ("x --seconds 5", "only `collect` takes that; see --help"),
            ("--verbose", "invalid option '--verbose'"),
        ] {
            assert_eq!(parsed(line).unwrap_err(), message);
        }
        assert!(
            parsed("--fail-on D1")
                .unwrap_err()
                .starts_with("--fail-on D1: no code \"D1\"; there are any and D")
        );
    }
}
