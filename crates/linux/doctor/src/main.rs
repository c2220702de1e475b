//! `airloom-doctor`: what `airloom doctor` says, for machines without Python, such as access points.

use airloom_daemon::print::{answer, complain};
use airloom_doctor::{
    CHECKS, Document, MOST_COLLECTED, Plan, Snapshot, Style, collect, examine, page, read, snapshot_schema,
    told,
};
use lexopt::prelude::*;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const HELP: &str = "\
airloom-doctor: says what is silently wrong for TCP over this machine's Wi-Fi

  airloom-doctor [--json | --snapshot | --schema] [--fail-on any|CODE,...] [FILE]
  airloom-doctor collect [--seconds 60] [--interface NAME] [FOLDER]

It reads and changes nothing. Root reads more: debugfs, and what wpa_supplicant has set. `collect` needs root; it records packets,
events of the Wi-Fi and TCP's own view into a folder, for `airloom diagnose`.

  --json       print what was found as JSON
  --fail-on    end with code 1 if anything is found, or one of these codes, such as D101,D201; else with 0
  --schema     print the JSON Schema of snapshots
  --snapshot   print what was read as JSON; as FILE, here or on another machine, it is examined in place of this one
";

/// Octets of the longest snapshot that is read; one of a machine with a hundred interfaces has less than one million.
const LONGEST: u64 = 64 << 20;

fn main() -> ExitCode {
    match run() {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::FAILURE,
        Err(message) => {
            complain(&format!("airloom-doctor: {message}"));
            ExitCode::from(2)
        }
    }
}

/// Does what the command line asks for; gives whether something was found that `--fail-on` names.
fn run() -> Result<bool, String> {
    let (mut words, mut json, mut keep, mut seconds, mut interface) = (Vec::new(), false, false, None, None);
    let mut codes = Vec::new();
    let mut parser = lexopt::Parser::from_env();
    let told = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(told)? {
        match argument {
            Short('h') | Long("help") => return answer(HELP).map(|()| false),
            Long("fail-on") => {
                codes = asked(&parser.value().and_then(|value| value.string()).map_err(told)?)?
            }
            Long("schema") => return answer(&(snapshot_schema() + "\n")).map(|()| false),
            Long("json") => json = true,
            Long("snapshot") => keep = true,
            Long("seconds") => seconds = Some(parser.value().and_then(|value| value.parse()).map_err(told)?),
            Long("interface") => {
                interface = Some(parser.value().and_then(|value| value.string()).map_err(told)?)
            }
            Value(word) => words.push(PathBuf::from(word)),
            _ => return Err(argument.unexpected().to_string()),
        }
    }
    match &words[..] {
        [word, rest @ ..]
            if word.as_os_str() == "collect" && rest.len() < 2 && !json && !keep && codes.is_empty() =>
        {
            let out = rest.first().cloned().unwrap_or_else(|| PathBuf::from("collected"));
            let time = Duration::from_secs(seconds.unwrap_or(60));
            record(&Plan { out, time, interface, most: MOST_COLLECTED }).map(|()| false)
        }
        [_, _, ..] => Err("one file at a time; see --help".to_owned()),
        _ if seconds.is_some() || interface.is_some() => {
            Err("only `collect` takes that; see --help".to_owned())
        }
        files => inspect(files.first().map(PathBuf::as_path), json, keep, &codes),
    }
}

/// The codes that `--fail-on` names.
fn asked(given: &str) -> Result<Vec<&'static str>, String> {
    let known: Vec<_> = CHECKS.iter().map(|check| check.code).collect();
    if given == "any" {
        return Ok(known);
    }
    let named = |code: &str| known.iter().find(|known| **known == code.trim()).copied();
    let unknown =
        |code| format!("--fail-on {given}: no code {code:?}; there are any and {}", known.join(", "));
    given.split(',').map(|code| named(code).ok_or_else(|| unknown(code))).collect()
}

/// Examines a machine, this one or that of a file; gives whether one of these codes was found.
fn inspect(file: Option<&Path>, json: bool, keep: bool, codes: &[&str]) -> Result<bool, String> {
    let snapshot = match file {
        Some(file) => {
            let told = |why: String| format!("{}: {why}", file.display());
            let mut text = String::new();
            let read = File::open(file).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
            if read.map_err(|error| told(error.to_string()))? as u64 > LONGEST {
                return Err(told(format!(
                    "is no snapshot of a machine: it has more than {} MiB",
                    LONGEST >> 20
                )));
            }
            Snapshot::parse(&text).map_err(told)?
        }
        None => read()?,
    };
    let printed = |value: serde_json::Result<String>| value.map_err(|error| error.to_string());
    if keep {
        answer(&(printed(serde_json::to_string_pretty(&Document::snapshot(&snapshot)))? + "\n"))?;
        return Ok(false);
    }
    let examination = examine(&snapshot);
    if json {
        answer(&(printed(serde_json::to_string_pretty(&Document::examination(&examination)))? + "\n"))?;
    } else {
        answer(&text(&examination))?;
    }
    Ok(examination.findings.iter().any(|finding| codes.contains(&finding.code)))
}

/// Records until the time is over or a signal comes.
fn record(plan: &Plan) -> Result<(), String> {
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    let began =
        || eprintln!("recording for {} s into {}; Ctrl-C ends it", plan.time.as_secs(), plan.out.display());
    let collected = collect(plan, began, || stopped.load(Ordering::Relaxed))?;
    answer(&(told(&collected).join("\n") + "\n"))?;
    answer(&format!("next: airloom diagnose {}\n", plan.out.display()))
}

fn text(examination: &airloom_doctor::Examination) -> String {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80);
    let styled = std::io::stdout().is_terminal();
    let line = |(style, text): (Style, String)| match style {
        Style::Heading if styled => format!("\x1b[1m{text}\x1b[0m\n"),
        Style::Wrong if styled => format!("\x1b[1;31m{text}\x1b[0m\n"),
        Style::Dim if styled => format!("\x1b[2m{text}\x1b[0m\n"),
        _ => text + "\n",
    };
    page(examination, columns).into_iter().map(line).collect()
}
