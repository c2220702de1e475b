//! The command line.

use airloom_daemon::program::Asked;
use airloom_daemon::units;
use airloom_sim::Duration;
use lexopt::prelude::*;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// To load the controls and keep them in a folder of a BPF file system.
    Load(PathBuf),
    /// To tell controls rates.
    Run(Run),
}

/// Where rates come from, and what becomes of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The folder in which the controls are kept; without one they are loaded, and gone with the process.
    pub kept: Option<PathBuf>,
    /// From standard input instead of nl80211.
    pub feed: bool,
    /// The only interface to ask about.
    pub interface: Option<String>,
    /// The time between two questions.
    pub ask: Duration,
    /// How long a link's highest rate is remembered.
    pub recent: Duration,
    /// The least window in use, in segments.
    pub floor: u32,
}

/// Reads the command line.
///
/// # Errors
///
/// In one line, what is wrong with it.
pub fn read(mut parser: lexopt::Parser) -> Result<Asked<Command>, lexopt::Error> {
    let second = Duration::from_secs(1);
    let mut run = Run {
        kept: None,
        feed: false,
        interface: None,
        ask: Duration::from_millis(100),
        recent: second * 300,
        floor: 1,
    };
    let mut words = Vec::new();
    while let Some(word) = parser.next()? {
        match word {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Short('V') | Long("version") => return Ok(Asked::Version),
            Long("kept") => run.kept = Some(parser.value()?.into()),
            Long("interface") => run.interface = Some(parser.value()?.string()?),
            Long("ask") => {
                run.ask = time(
                    "ask",
                    &parser.value()?.string()?,
                    Duration::from_millis(10)..=second * 60,
                    "100ms",
                )?;
            }
            Long("recent") => {
                run.recent = time("recent", &parser.value()?.string()?, second..=second * 86_400, "5m")?
            }
            Long("floor") => {
                let text = parser.value()?.string()?;
                let floor = text.parse().ok().filter(|n| (1..=1000).contains(n));
                run.floor = floor.ok_or_else(|| {
                    format!("`--floor` cannot be {text:?}; write a number of segments, from 1 to 1000")
                })?;
            }
            Value(word) => words.push(word.string()?),
            _ => return Err(word.unexpected()),
        }
    }
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(Asked::Help),
        ["load", folder] => Ok(Asked::For(Command::Load(folder.into()))),
        ["load"] => Err("load into which folder?".into()),
        ["run"] => Ok(Asked::For(Command::Run(run))),
        ["feed"] if run.interface.is_some() => {
            Err("`feed` does not take `--interface`: every line names one".into())
        }
        ["feed"] => Ok(Asked::For(Command::Run(Run { feed: true, ..run }))),
        _ => Err(format!("there is no command `{}`; see --help", words.join(" ")).into()),
    }
}

fn time(key: &str, text: &str, range: RangeInclusive<Duration>, like: &str) -> Result<Duration, String> {
    let time = units::time(text).filter(|time| range.contains(time));
    time.ok_or_else(|| format!("`--{key}` cannot be {text:?}; write it like {like}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Asked<Command>, String> {
        let words = std::iter::once("airloom-rate").chain(line.split_whitespace());
        read(lexopt::Parser::from_iter(words)).map_err(|e| e.to_string())
    }

    #[test]
    fn commands_and_options_are_understood() {
        let (ms, s) = (Duration::from_millis(1), Duration::from_secs(1));
        let run = |feed| Run { kept: None, feed, interface: None, ask: ms * 100, recent: s * 300, floor: 1 };
        assert_eq!(parsed(""), Ok(Asked::Help));
        assert_eq!(parsed("run"), Ok(Asked::For(Command::Run(run(false)))));
        assert_eq!(parsed("feed --ask 1s"), Ok(Asked::For(Command::Run(Run { ask: s, ..run(true) }))));
        assert_eq!(parsed("load /run/x"), Ok(Asked::For(Command::Load("/run/x".into()))));
        assert_eq!(
            parsed("run --kept /run/x"),
            Ok(Asked::For(Command::Run(Run { kept: Some("/run/x".into()), ..run(false) })))
        );
        let all = Run { interface: Some("wlan1".into()), recent: s * 600, floor: 4, ..run(false) };
        assert_eq!(parsed("run --interface wlan1 --recent 10m --floor 4"), Ok(Asked::For(Command::Run(all))));
    }

    #[test]
    fn what_is_not_understood_is_reported() {
        for (line, message) in [
            ("run --ask 1", "`--ask` cannot be \"1\"; write it like 100ms"),
            ("run --ask 1ms", "`--ask` cannot be \"1ms\"; write it like 100ms"),
            ("run --recent 0s", "`--recent` cannot be \"0s\"; write it like 5m"),
            ("run --floor 0", "`--floor` cannot be \"0\"; write a number of segments, from 1 to 1000"),
            ("feed --interface wlan0", "`feed` does not take `--interface`: every line names one"),
            ("load", "load into which folder?"),
            ("stop", "there is no command `stop`; see --help"),
            ("run --verbose", "invalid option '--verbose'"),
        ] {
            assert_eq!(parsed(line).unwrap_err(), message);
        }
    }
}
