//! `airloom-guard`: keeps a Linux laptop from scanning while a transfer or a call goes on, and reports what scans and what it costs.

mod bus;
mod client;
mod config;
mod daemon;
mod hold;
mod iwd;
mod lever;
mod mailbox;
mod narrow;
mod news;
mod service;
mod session;
mod supplicant;
mod supplicants;
mod trouble;
mod watch;
mod wpa_supplicant;

use airloom_daemon::program::{Asked, Failure, Program};
use airloom_daemon::{print, units};
use config::Config;
use lever::Lever;
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use supplicants::OverDBus;

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Command {
    Watch { interface: Option<String>, json: bool },
    Run { config: Option<PathBuf> },
    Restore,
    Off { interface: Option<String> },
    Check { config: Option<PathBuf> },
    Status,
    Hold { seconds: u32 },
    Release,
    Session,
}

fn main() -> ExitCode {
    Program { name: "airloom-guard", version: env!("CARGO_PKG_VERSION"), help: include_str!("help.txt") }
        .run(read, perform)
}

fn read(mut parser: lexopt::Parser) -> Result<Asked<Command>, lexopt::Error> {
    let mut words = Vec::new();
    let (mut json, mut interface, mut config) = (false, None, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Short('V') | Long("version") => return Ok(Asked::Version),
            Long("json") => json = true,
            Long("interface") => interface = Some(parser.value()?.string()?),
            Long("config") => config = Some(PathBuf::from(parser.value()?)),
            Value(word) => words.push(word.string()?),
            _ => return Err(argument.unexpected()),
        }
    }
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let command = match words[..] {
        ["watch"] => Command::Watch { interface: interface.take(), json: std::mem::take(&mut json) },
        ["run"] => Command::Run { config: config.take() },
        ["check"] => Command::Check { config: config.take() },
        ["restore"] => Command::Restore,
        ["off"] => Command::Off { interface: interface.take() },
        ["status"] => Command::Status,
        ["hold", time] => match units::time(time).map(|time| u32::try_from(time.as_millis() / 1000)) {
            Some(Ok(seconds)) => Command::Hold { seconds },
            _ => return Err(format!("`{time}` is no time; write it like 10m or 90s").into()),
        },
        ["hold"] => return Err("hold for how long? Write it like: hold 10m".into()),
        ["release"] => Command::Release,
        ["session"] => Command::Session,
        [] => return Ok(Asked::Help),
        _ => return Err(format!("there is no command `{}`; see --help", words.join(" ")).into()),
    };
    if json || interface.is_some() || config.is_some() {
        return Err(format!("`{}` does not take this option; see --help", words.join(" ")).into());
    }
    Ok(Asked::For(command))
}

fn perform(command: Command) -> Result<(), Failure> {
    let load = |path: Option<PathBuf>| Config::load(path.as_deref()).map_err(Failure::Mistake);
    match command {
        Command::Watch { interface, json } => watch::run(interface, json)?,
        Command::Run { config } => run(|| load(config))?,
        Command::Restore => drop(restored()?),
        Command::Off { interface } => off(interface)?,
        Command::Check { config } => drop(load(config)?),
        Command::Status => {
            let status = client::status()?;
            let lines: Vec<_> = status.iter().map(|(key, value)| format!("{key:<17}{value}\n")).collect();
            print::answer(&lines.concat())?;
        }
        Command::Hold { seconds } => client::call("Hold", &(seconds,))?,
        Command::Release => client::call("Release", &())?,
        Command::Session => session::run()?,
    }
    Ok(())
}

fn run(config: impl FnOnce() -> Result<Config, Failure>) -> Result<(), Failure> {
    // What a predecessor held is put back before anything else can fail.
    let lever = restored()?;
    let config = config()?;
    if config.abort && !daemon::may_abort() {
        let message = "`abort = true` needs CAP_NET_ADMIN; see /usr/share/doc/airloom-guard/abort.conf";
        return Err(Failure::Mistake(message.into()));
    }
    Ok(daemon::run(&config, lever)?)
}

/// Switches background scanning off until it is restored: for those who want no daemon.
fn off(interface: Option<String>) -> Result<(), Failure> {
    let folder = Path::new(daemon::RECORD).parent().expect("it is in a folder");
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut lever = restored()?;
    let supplicant = OverDBus::new(bus::system()?, interface);
    let link = supplicant.link()?;
    if link.network.path.starts_with(iwd::ROOT) {
        let why =
            "iwd goes back to its own ways when this program ends; set `DisableRoamingScan` in its main.conf";
        return Err(Failure::Trouble(why.into()));
    }
    Ok(lever.pull(&supplicant, &link.network)?)
}

/// The lever, not pulled.
fn restored() -> Result<Lever, String> {
    let mut lever = Lever::take(Path::new(daemon::RECORD))?;
    daemon::put_back(&mut lever)?;
    Ok(lever)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Asked<Command>, String> {
        let words = std::iter::once("airloom-guard").chain(line.split_whitespace());
        read(lexopt::Parser::from_iter(words)).map_err(|e| e.to_string())
    }

    #[test]
    fn each_command_is_understood() {
        assert_eq!(parsed(""), Ok(Asked::Help));
        assert_eq!(parsed("watch --help"), Ok(Asked::Help));
        assert_eq!(parsed("-V"), Ok(Asked::Version));
        assert_eq!(parsed("hold 10m"), Ok(Asked::For(Command::Hold { seconds: 600 })));
        assert_eq!(parsed("restore"), Ok(Asked::For(Command::Restore)));
        assert_eq!(parsed("off --interface w"), Ok(Asked::For(Command::Off { interface: Some("w".into()) })));
        assert_eq!(parsed("watch --json"), Ok(Asked::For(Command::Watch { interface: None, json: true })));
        assert_eq!(parsed("run --config x"), Ok(Asked::For(Command::Run { config: Some("x".into()) })));
    }

    #[test]
    fn what_is_not_understood_is_reported() {
        for (line, message) in [
            ("hold", "hold for how long? Write it like: hold 10m"),
            ("hold ten", "`ten` is no time; write it like 10m or 90s"),
            ("hold 99999999h", "`99999999h` is no time; write it like 10m or 90s"),
            ("stop", "there is no command `stop`; see --help"),
            ("status --json", "`status` does not take this option; see --help"),
            ("run --verbose", "invalid option '--verbose'"),
        ] {
            assert_eq!(parsed(line).unwrap_err(), message);
        }
    }
}
