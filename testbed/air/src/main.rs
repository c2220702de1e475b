//! Moves a scenario along with the machine's clock, between network devices that `hosts.c` has opened.
//!
//! Usage: `airloom-air SCENARIO SETTINGS SEED STOP DEVICE...`: files of the scenario and of what is set over it, a line each;
//! descriptors of a pipe that can be read when it is to end before the scenario does, and of one device for each host,
//! stations first. The bundle is left in `bundle`, in the folder in which it runs.

use airloom_emulate::{Control, Devices, Live, ScenarioSource, Watch};
use airloom_lab::run::{Options, drive_to_bundle};
use std::fs::{File, read_to_string};
use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match moved(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("FAIL {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the words say.
fn moved(words: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [file, settings, seed, stop, devices @ ..] = words else { return Err("too few words".into()) };
    let settings = read_to_string(settings)?;
    let settings = settings.lines().filter_map(|line| line.split_once('='));
    let overrides = settings.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let text = read_to_string(file)?;
    let source =
        ScenarioSource { text, file: file.clone(), overrides, seed: Some(seed.parse()?), flows: true };
    let (scenario, _) = source.load()?;
    let hosts = scenario.nodes().filter(|(_, role)| role.host().is_some());
    let mut outside = Vec::new();
    for ((node, _), device) in hosts.zip(devices) {
        outside.push((node, taken(device)?));
    }
    // What the kernel knows of its sockets is for `hosts.c` to ask.
    let nobody = Control::new(Vec::new(), source);
    let devices = Devices::new(outside, Watch::new(Vec::new()), nobody, taken(stop)?);
    let mut driver = Live::new(devices, scenario.clone(), &[]);
    drive_to_bundle(&scenario, Path::new("bundle"), &Options::default(), &mut driver)?;
    Ok(())
}

/// A file of a descriptor that this process began with.
#[expect(
    unsafe_code,
    reason = "a program is told of its descriptors as numbers, and each stands once in its words"
)]
fn taken(descriptor: &str) -> io::Result<File> {
    let descriptor = descriptor.parse().map_err(|_| io::ErrorKind::InvalidInput)?;
    // SAFETY: `hosts.c` opened it for this program alone, and names it once.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }.into())
}
