//! `airloom-doctor`: what `airloom doctor` says, for machines without Python, such as access points.

mod options;

use airloom_daemon::print::answer;
use airloom_daemon::program::{Failure, Program};
use airloom_doctor::{Document, Plan, Snapshot, Style, collect, examine, page, read, snapshot_schema, told};
use options::{Command, Print};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    Program { name: "airloom-doctor", version: env!("CARGO_PKG_VERSION"), help: HELP }.run(
        options::read,
        |asked| {
            // Exit code 1 is for what `--fail-on` names, so whatever goes wrong ends with 2.
            perform(asked).map_err(Failure::Mistake)
        },
    )
}

/// Does what the command line asks for; fails, without a word, if something was found that `--fail-on` names.
fn perform(command: Command) -> Result<ExitCode, String> {
    match command {
        Command::Schema => answer(&(snapshot_schema() + "\n"))?,
        Command::Collect(plan) => record(&plan)?,
        Command::Examine { file, print, codes } => {
            let snapshot = file.as_deref().map_or_else(read, kept)?;
            let examination = examine(&snapshot);
            let printed = |value: serde_json::Result<String>| {
                value.map(|text| text + "\n").map_err(|error| error.to_string())
            };
            answer(&match print {
                Print::Snapshot => printed(serde_json::to_string_pretty(&Document::snapshot(&snapshot)))?,
                Print::Json => printed(serde_json::to_string_pretty(&Document::examination(&examination)))?,
                Print::Page => text(&examination),
            })?;
            let found = examination.findings.iter().any(|finding| codes.contains(&finding.code));
            if found && print != Print::Snapshot {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The snapshot that a file is.
fn kept(file: &Path) -> Result<Snapshot, String> {
    let told = |why: String| format!("{}: {why}", file.display());
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    if read.map_err(|error| told(error.to_string()))? as u64 > LONGEST {
        return Err(told(format!("is no snapshot of a machine: it has more than {} MiB", LONGEST >> 20)));
    }
    Snapshot::parse(&text).map_err(told)
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
