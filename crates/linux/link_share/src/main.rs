//! `airloom-rate`: loads the congestion controls and tells them the rates of Wi-Fi links, until it is ended.

use airloom_daemon::program::{Failure, Program};
use airloom_daemon::{notify, print};
use airloom_link_share::control::{Control, RateTable};
use airloom_link_share::feed::{self, Line};
use airloom_link_share::links::Links;
use airloom_link_share::options::{self, Command, Run};
use airloom_link_share::stations::Stations;
use airloom_link_share::teller::Teller;
use airloom_sim::{Duration, Time};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

/// After trouble with nl80211, such as that there is none yet, the next try comes this much later.
const AFTER_TROUBLE: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    Program { name: "airloom-rate", version: env!("CARGO_PKG_VERSION"), help: include_str!("help.txt") }
        .run(options::read, perform)
}

fn perform(command: Command) -> Result<(), Failure> {
    match command {
        // What is kept there already outlived its daemon, and goes on.
        Command::Load(folder) if RateTable::kept(&folder).is_ok() => {}
        Command::Load(folder) => Control::load()?.keep(&folder)?,
        Command::Run(run) => {
            let (table, _control) = match &run.kept {
                Some(folder) => (RateTable::kept(folder)?, None),
                None => {
                    let control = Control::load()?;
                    (control.rates()?, Some(control))
                }
            };
            let teller = Teller::new(table, Links::new(run.recent), run.floor, run.ask, now());
            notify::notify(notify::READY);
            if run.feed {
                fed(teller)?;
            } else {
                asking(teller, &run);
            }
        }
    }
    Ok(())
}

/// Asks nl80211 again and again.
fn asking(mut teller: Teller<RateTable>, run: &Run) -> ! {
    let mut stations = None;
    let mut complaints = Complaints::default();
    loop {
        notify::notify(notify::ALIVE);
        let asked = match stations.take() {
            Some(open) => Ok(open),
            None => Stations::open(run.interface.clone()),
        };
        let trouble = match asked.and_then(|mut open| Ok((open.rates()?, open))) {
            Ok((rates, open)) => {
                stations = Some(open);
                // One link that the kernel refuses is no reason to leave the others alone.
                let each = rates.into_iter().map(|(interface, rate)| teller.tell(now(), interface, rate));
                each.filter_map(Result::err).last()
            }
            Err(trouble) => Some(trouble),
        };
        complaints.now(trouble);
        sleep(if stations.is_some() { run.ask } else { AFTER_TROUBLE });
    }
}

/// Says what troubles it, once as long as it stays the same.
#[derive(Default)]
struct Complaints(Option<String>);

impl Complaints {
    fn now(&mut self, trouble: Option<String>) {
        if let Some(trouble) = trouble.as_ref().filter(|_| trouble != self.0) {
            print::complain(trouble);
        }
        self.0 = trouble;
    }
}

/// Passes on what standard input says, until it ends.
fn fed(mut teller: Teller<RateTable>) -> Result<(), Failure> {
    let (give, take) = mpsc::sync_channel(64);
    thread::spawn(move || {
        let mut lines = BufReader::new(io::stdin());
        loop {
            let line = feed::next(&mut lines);
            let last = !matches!(line, Ok(Some(_)));
            if give.send(line).is_err() || last {
                return;
            }
        }
    });
    let mut last = BTreeMap::new();
    let mut complaints = Complaints::default();
    loop {
        notify::notify(notify::ALIVE);
        let due = match take.recv_timeout(std::time::Duration::from_nanos(teller.ask().as_nanos())) {
            Ok(line) => {
                let Some(Line { interface, rate }) =
                    line.map_err(|e| Failure::Mistake(format!("standard input: {e}")))?
                else {
                    return Ok(());
                };
                last.insert(interface, rate);
                vec![(interface, rate)]
            }
            Err(RecvTimeoutError::Timeout) => {
                last.iter().map(|(&interface, &rate)| (interface, rate)).collect()
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let mut trouble = None;
        for (interface, rate) in due {
            match teller.tell(now(), interface, rate) {
                Ok(forgotten) => last.retain(|interface, _| !forgotten.contains(interface)),
                Err(why) => trouble = Some(why),
            }
        }
        complaints.now(trouble);
    }
}

/// The clock of the controls.
fn now() -> Time {
    let time = clock_gettime(ClockId::Monotonic);
    Time::from_nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

fn sleep(time: Duration) {
    thread::sleep(std::time::Duration::from_nanos(time.as_nanos()));
}
