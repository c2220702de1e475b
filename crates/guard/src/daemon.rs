//! `run`: the policy, with hands. One loop takes what happens from a channel and does what the policy wants.

use crate::bus;
use crate::config::Config;
use crate::lever::Lever;
use crate::netlink::{self, Counters, ScanEvents, ScanNews, Wireless};
use crate::service::{self, Service, Status};
use crate::supplicant::{Link, OverDBus};
use airloom_policy::{Cause, Effect, Input, Policy, State};
use airloom_sim::{Duration, Time};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use zbus::block_on;
use zbus::blocking::object_server::InterfaceRef;

/// Where it is written down what was before; systemd makes the folder.
pub(crate) const RECORD: &str = "/run/airloom-guard/held";
/// How often it looks at the bytes moved, and at the signal while that matters.
const LOOK: Duration = Duration::from_secs(1);
/// How long it waits before it tries again what failed.
const PATIENCE: Duration = Duration::from_secs(30);
/// CAP_NET_ADMIN's bit in a set of capabilities.
const NET_ADMIN: u64 = 1 << 12;

/// What may happen to the daemon.
#[derive(Debug)]
pub(crate) enum Event {
    /// wpa_supplicant came, went, or has changed its state.
    Supplicant,
    /// The kernel has news of a scan on this interface.
    Scan(u32, ScanNews),
    /// The user wants scans held off for so long.
    HoldFor(Duration),
    /// The user wants scans back.
    Release,
    /// It has been told to end.
    Stop,
}

/// Runs until told to end. Whatever it holds is put back before it returns.
pub(crate) fn run(config: &Config, record: &Path) -> Result<(), String> {
    let (sender, events) = channel();
    let status = Arc::new(Mutex::new(Status::default()));
    let bus = bus::system()?;
    let service = Service { status: Arc::clone(&status), events: Mutex::new(sender.clone()) };
    bus.object_server().at(service::PATH, service).map_err(|e| e.to_string())?;
    // The name is what keeps a second guard away: it comes before anything is touched.
    bus::own(&bus, service::NAME)?;
    let lever = Lever::new(record)?;
    let (scans, wireless, counters) = (ScanEvents::open()?, Wireless::open()?, Counters::open()?);
    listen(&sender, scans, &bus)?;
    let shown = bus.object_server().interface(service::PATH).map_err(|e| e.to_string())?;
    let supplicant = OverDBus::new(bus, config.interface.clone());
    let mut guard = Guard {
        abort: config.abort,
        policy: Policy::new(config.terms, false),
        began: Instant::now(),
        supplicant,
        lever,
        wireless,
        counters,
        link: None,
        index: None,
        broken: false,
        retry_at: Time::ZERO,
        status,
        shown,
    };
    guard.run(&events);
    Ok(())
}

/// Starts what feeds the channel.
fn listen(sender: &Sender<Event>, scans: ScanEvents, bus: &zbus::blocking::Connection) -> Result<(), String> {
    let to = sender.clone();
    ctrlc::set_handler(move || drop(to.send(Event::Stop))).map_err(|e| e.to_string())?;
    let to = sender.clone();
    scans.feed(move |link, news| to.send(Event::Scan(link, news)).is_ok());
    let to = sender.clone();
    bus::on_supplicant(bus, move || drop(to.send(Event::Supplicant)))
}

/// Whether this process has CAP_NET_ADMIN, without which no scan can be aborted.
pub(crate) fn may_abort() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:")).unwrap_or("0");
    u64::from_str_radix(line.trim(), 16).is_ok_and(|set| set & NET_ADMIN != 0)
}

struct Guard {
    abort: bool,
    policy: Policy,
    began: Instant,
    supplicant: OverDBus,
    lever: Lever,
    wireless: Wireless,
    counters: Counters,
    link: Option<Link>,
    /// The interface's index in the kernel.
    index: Option<u32>,
    /// The scan under way has been told to stop.
    broken: bool,
    /// Before this, what failed is not tried again.
    retry_at: Time,
    status: Arc<Mutex<Status>>,
    shown: InterfaceRef<Service>,
}

impl Guard {
    fn now(&self) -> Time {
        Time::from_nanos(u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    fn run(&mut self, events: &Receiver<Event>) {
        // A predecessor's hold is put back before anything else; whether there is reason for a new one will show.
        self.pull_or_restore();
        self.look_at_link();
        self.show();
        let mut look_at = self.now() + LOOK;
        loop {
            let wake_at = self.policy.due().map_or(look_at, |due| due.min(look_at));
            match events.recv_timeout(std::time::Duration::from_nanos(wake_at.since(self.now()).as_nanos())) {
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(event) => self.take(&event),
                Err(RecvTimeoutError::Timeout) => self.tell(Input::Tick),
            }
            if self.now() >= look_at {
                look_at = self.now() + LOOK;
                self.look();
            }
            self.pull_or_restore();
            self.show();
        }
        self.tell(Input::Completed(false));
        self.retry_at = Time::ZERO;
        self.pull_or_restore();
    }

    fn take(&mut self, event: &Event) {
        match *event {
            Event::Supplicant => self.look_at_link(),
            Event::Scan(index, news) if Some(index) == self.index => self.scan(news),
            Event::Scan(..) | Event::Stop => {}
            Event::HoldFor(time) => self.tell(Input::HoldUntil(self.now() + time)),
            Event::Release => self.tell(Input::Release),
        }
    }

    fn scan(&mut self, news: ScanNews) {
        match news {
            ScanNews::Started { .. } => {
                self.count(|status| &mut status.scans_seen);
                self.broken = false;
                self.tell(Input::ScanRequested);
            }
            ScanNews::Done if !self.broken => self.tell(Input::ScanDone),
            ScanNews::Done => {
                self.say("a scan was aborted, but came to its end: its driver does not heed aborts")
            }
            ScanNews::Aborted => {}
        }
    }

    /// Looks at what does not announce itself.
    fn look(&mut self) {
        let Some(index) = self.index else {
            return self.look_at_link();
        };
        match self.counters.moved(index) {
            Some(moved) => self.tell(Input::Moved(moved)),
            None => return self.look_at_link(),
        }
        if self.policy.needs_signal()
            && let Some(dbm) = self.wireless.signal(index)
        {
            self.tell(Input::Signal(dbm));
        }
    }

    fn look_at_link(&mut self) {
        self.link = self.supplicant.link().ok();
        self.index = self.link.as_ref().and_then(|link| netlink::index_of(&link.interface));
        let completed = self.link.as_ref().is_some_and(|link| link.completed) && self.index.is_some();
        self.tell(Input::Completed(completed));
    }

    /// Tells the policy, and does at once what cannot wait.
    fn tell(&mut self, input: Input) {
        let mut effects = Vec::new();
        self.policy.handle(self.now(), input, &mut effects);
        for effect in effects {
            match effect {
                Effect::Refuse if self.abort => self.abort_scan(),
                Effect::LetThrough => self.count(|status| &mut status.scans_let_through),
                // Pulling and restoring follow the policy's state: a call that failed is made again.
                Effect::Refuse | Effect::Hold | Effect::Release => {}
            }
        }
    }

    fn abort_scan(&mut self) {
        let Some(index) = self.index else { return };
        match self.wireless.abort_scan(index) {
            Ok(()) => {
                self.broken = true;
                self.count(|status| &mut status.scans_aborted);
                // Nobody may listen.
                let _ = block_on(Service::scan_aborted(
                    self.shown.signal_emitter(),
                    name_of(self.policy.cause()),
                ));
            }
            Err(e) => self.say(&format!("cannot abort a scan: {e}")),
        }
    }

    /// Brings the lever to where the policy wants it.
    fn pull_or_restore(&mut self) {
        let hold = matches!(self.policy.state(), State::Holding { .. });
        if self.now() < self.retry_at || hold == self.lever.is_pulled() {
            return;
        }
        let done =
            if hold { self.lever.pull(&self.supplicant) } else { self.lever.restore(&self.supplicant) };
        self.retry_at = Time::ZERO;
        match done {
            // A network without background scans has nothing to pull: no need to ask each second.
            Ok(()) if hold && !self.lever.is_pulled() => self.retry_at = self.now() + PATIENCE,
            Ok(()) => self.say(""),
            Err(e) => {
                self.retry_at = self.now() + if hold { PATIENCE } else { LOOK };
                self.say(&e);
            }
        }
    }

    /// Remembers what is wrong, and writes it to the journal when it is new.
    fn say(&mut self, trouble: &str) {
        let mut status = self.status.lock().expect("nobody panics while holding it");
        if status.trouble != trouble {
            trouble.clone_into(&mut status.trouble);
            if !trouble.is_empty() {
                eprintln!("{trouble}");
            }
        }
    }

    fn count(&self, which: impl Fn(&mut Status) -> &mut u32) {
        *which(&mut self.status.lock().expect("nobody panics while holding it")) += 1;
    }

    /// Shows how things stand, and tells those who look on when they changed.
    fn show(&self) {
        let state = match self.policy.state() {
            State::Free => "free",
            State::Holding { .. } => "holding",
            State::LettingThrough { .. } => "letting-through",
        };
        let cause = name_of(self.policy.cause());
        {
            let mut status = self.status.lock().expect("nobody panics while holding it");
            status.interface = self.link.as_ref().map(|link| link.interface.clone()).unwrap_or_default();
            if (status.state, status.cause) == (state, cause) {
                return;
            }
            (status.state, status.cause) = (state, cause);
        }
        println!("{state}: {cause}");
        let emitter = self.shown.signal_emitter();
        block_on(async {
            let service = self.shown.get_mut();
            // Nobody may listen.
            let _ = service.state_changed(emitter).await;
            let _ = service.cause_changed(emitter).await;
        });
    }
}

/// A cause in the words of the bus.
fn name_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Unconnected => "unconnected",
        Cause::Weakening => "weakening",
        Cause::Released => "released",
        Cause::Asked => "asked",
        Cause::Transfer => "transfer",
        Cause::Quiet => "quiet",
    }
}
