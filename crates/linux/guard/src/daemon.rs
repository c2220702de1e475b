//! `run`: the policy, and what carries it out. One loop takes what has happened from a mailbox and does what the policy wants.

use crate::bus;
use crate::config::Config;
use crate::hold::Hold;
use crate::lever::Lever;
use crate::mailbox::Mailbox;
use crate::news::{Asked, News};
use crate::service::Service;
use crate::supplicant::Link;
use crate::supplicants::{self, Heard, OverDBus};
use crate::trouble::{TroubleSource, Troubles};
use airloom_daemon::notify::{self, notify};
use airloom_daemon::print;
use airloom_netlink::{Counters, Feed, Moved, ScanEvents, ScanNews, Wireless, a_call_is_marked};
use airloom_policy::{Cause, Count, Effect, Exchange, Input, Policy, State};
use airloom_sim::{Duration, Time};
use std::sync::Arc;
use std::time::Instant;

/// The file that keeps the setting that a hold replaced; systemd makes the folder.
pub(crate) const RECORD: &str = "/run/airloom-guard/held";
/// How often it looks at what was exchanged, and at the signal while that matters.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often it looks whether there is an interface to guard.
const LOOK_FOR_LINK: Duration = Duration::from_secs(10);
/// How long it waits before it opens nl80211 again, which was not there or has failed.
const REOPEN_AFTER: Duration = Duration::from_secs(30);
/// How long it tries to put things back before it leaves that to its successor. A restoration that goes on then is finished: it
/// takes 20 s at most, and the unit's `TimeoutStopSec` is longer than both.
const TRY_FOR: std::time::Duration = std::time::Duration::from_secs(15);
const TRY_EVERY: std::time::Duration = std::time::Duration::from_secs(1);
/// News of scans that may wait; scans are seconds apart.
const SCANS: usize = 32;
/// CAP_NET_ADMIN's bit in a set of capabilities.
const NET_ADMIN: u64 = 1 << 12;

/// Puts back what a predecessor held that was killed, if there is such a thing.
pub(crate) fn put_back(lever: &mut Lever) -> Result<(), String> {
    put_back_until(Instant::now() + TRY_FOR, lever)
}

/// Puts back what is held; after `late` it is not tried again.
fn put_back_until(late: Instant, lever: &mut Lever) -> Result<(), String> {
    while lever.is_pulled() {
        let done = bus::system().and_then(|bus| lever.restore(&OverDBus::new(bus, None)));
        match done {
            Err(e) if Instant::now() >= late => {
                return Err(format!("background scanning is not back yet: {e}"));
            }
            Err(_) => std::thread::sleep(TRY_EVERY),
            Ok(()) => {}
        }
    }
    Ok(())
}

/// Runs until it is stopped. Whatever it holds is put back before it returns.
pub(crate) fn run(config: &Config, lever: Lever) -> Result<(), String> {
    let mailbox = Arc::new(Mailbox::default());
    let to = Arc::clone(&mailbox);
    ctrlc::set_handler(move || to.put(|news: &mut News| news.stop = true)).map_err(|e| e.to_string())?;
    let bus = bus::system()?;
    let to = Arc::clone(&mailbox);
    supplicants::listen(&bus, move |heard| match heard {
        Heard::Changed(changed)
            if !changed.contains_key("State") && !changed.contains_key("CurrentNetwork") => {}
        Heard::Owner | Heard::Changed(_) => to.put(|news| news.supplicant = true),
        Heard::TheEnd => to.put(|news| news.bus_gone = true),
    })?;
    let mut guard = Guard {
        abort: config.abort,
        policy: Policy::new(config.terms, false),
        began: Instant::now(),
        supplicant: OverDBus::new(bus, config.interface.clone()),
        hold: Hold::new(lever),
        wireless: None,
        counters: Counters::open()?,
        link: None,
        index: None,
        broken: false,
        find_at: Time::ZERO,
        troubles: Troubles::default(),
        service: Service::open(&mailbox)?,
        mailbox,
    };
    guard.run()
}

/// Whether this process has CAP_NET_ADMIN, without which no scan can be aborted.
pub(crate) fn may_abort() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:")).unwrap_or("0");
    u64::from_str_radix(line.trim(), 16).is_ok_and(|set| set & NET_ADMIN != 0)
}

fn since(began: Instant) -> Time {
    Time::from_nanos(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

struct Guard {
    abort: bool,
    policy: Policy,
    began: Instant,
    supplicant: OverDBus,
    hold: Hold,
    /// nl80211, as soon as there is one: what it is asked, and what it says by itself.
    wireless: Option<(Wireless, Feed)>,
    counters: Counters,
    link: Option<Link>,
    /// The interface's index in the kernel.
    index: Option<u32>,
    /// The scan under way has been aborted.
    broken: bool,
    /// Before this, nl80211 is not opened again.
    find_at: Time,
    troubles: Troubles,
    service: Service,
    mailbox: Arc<Mailbox<News>>,
}

impl Guard {
    fn now(&self) -> Time {
        since(self.began)
    }

    fn run(&mut self) -> Result<(), String> {
        self.look_at_link();
        self.find_wireless();
        self.show();
        notify(notify::READY);
        let mut look_at = self.now() + LOOK_EVERY;
        let ended = loop {
            notify(notify::ALIVE);
            let wake_at = self.policy.due().map_or(look_at, |due| due.min(look_at));
            let limit = std::time::Duration::from_nanos(wake_at.since(self.now()).as_nanos());
            match self.mailbox.wait(limit) {
                Some(news) if news.stop => break Ok(()),
                Some(news) if news.bus_gone => {
                    break Err("the system bus has closed the connection".to_owned());
                }
                Some(news) => self.take(news),
                None => self.inform(Input::Tick),
            }
            if self.now() >= look_at {
                self.look();
                look_at = self.now()
                    + if self.index.is_some() || self.hold.is_pulled() { LOOK_EVERY } else { LOOK_FOR_LINK };
            }
            self.pull_or_restore();
            self.show();
        };
        notify(notify::STOPPING);
        self.inform(Input::Completed(false));
        self.show();
        let (late, lever) = (Instant::now() + TRY_FOR, self.hold.lever());
        let restored = lever.restore(&self.supplicant).or_else(|_| put_back_until(late, lever));
        ended.and(restored)
    }

    fn take(&mut self, news: News) {
        if news.supplicant {
            self.look_at_link();
        }
        if let Some(why) = news.scans_lost {
            self.wireless = None;
            self.say(TroubleSource::Wireless, &why);
        }
        for (index, scan) in news.scans {
            if Some(index) == self.index {
                self.scan(scan);
            }
        }
        match news.asked {
            Some(Asked::HoldFor(time)) => self.inform(Input::HoldUntil(self.now() + time)),
            Some(Asked::Release) => self.inform(Input::Release),
            None => {}
        }
        if let Some(time) = news.engaged {
            self.inform(Input::EngagedUntil(self.now() + time));
        }
    }

    /// Opens nl80211, which is not there before an adapter is.
    fn find_wireless(&mut self) {
        if self.wireless.is_some() || self.now() < self.find_at {
            return;
        }
        self.find_at = self.now() + REOPEN_AFTER;
        match ScanEvents::open().and_then(|scans| Ok((Wireless::open()?, scans))) {
            Ok((wireless, scans)) => {
                let (to, last) = (Arc::clone(&self.mailbox), Arc::clone(&self.mailbox));
                let take = move |link, scan| {
                    to.put(|news| {
                        if news.scans.len() == SCANS {
                            news.scans.pop_front();
                        }
                        news.scans.push_back((link, scan));
                    });
                    true
                };
                let feed = scans.feed(take, move |why| last.put(|news| news.scans_lost = Some(why)));
                self.wireless = Some((wireless, feed));
                self.say(TroubleSource::Wireless, "");
            }
            Err(e) => self.say(TroubleSource::Wireless, &e),
        }
    }

    /// A request has failed: nl80211 may be another than when it was opened.
    fn reopen_wireless(&mut self) {
        if self.now() >= self.find_at {
            self.wireless = None;
            self.find_wireless();
        }
    }

    fn scan(&mut self, news: ScanNews) {
        match news {
            ScanNews::Started { .. } => {
                self.service.status().scans_seen += 1;
                self.broken = false;
                self.inform(Input::ScanRequested);
            }
            ScanNews::Done if !self.broken => self.inform(Input::ScanDone),
            ScanNews::Done => {
                let unheeded = "a scan was aborted, but came to its end: its driver does not heed aborts";
                self.say(TroubleSource::Abort, unheeded);
            }
            ScanNews::Aborted if self.broken => self.say(TroubleSource::Abort, ""),
            ScanNews::Aborted => {}
        }
    }

    /// Looks at what does not announce itself.
    fn look(&mut self) {
        self.find_wireless();
        let Some(index) = self.index else {
            return self.look_at_link();
        };
        match self.counters.moved(index) {
            Ok(moved) => self.inform(Input::Exchanged(exchange(moved))),
            Err(_) => return self.look_at_link(),
        }
        if self.policy.needs_marks() {
            let marked = a_call_is_marked();
            self.say(TroubleSource::Marks, marked.as_ref().err().map_or("", String::as_str));
            self.inform(Input::Marked(marked == Ok(true)));
        }
        if self.policy.needs_signal()
            && let Some((wireless, _)) = &mut self.wireless
        {
            match wireless.signal(index) {
                Ok(dbm) => {
                    self.say(TroubleSource::Signal, "");
                    if let Some(dbm) = dbm {
                        self.inform(Input::Signal(dbm));
                    }
                }
                Err(e) => {
                    self.reopen_wireless();
                    self.say(TroubleSource::Signal, &format!("the signal cannot be read: {e}"));
                }
            }
        }
    }

    fn look_at_link(&mut self) {
        self.link = self.supplicant.link().ok();
        let index = self.link.as_ref().and_then(|link| airloom_netlink::index_of(&link.interface));
        if self.index != index {
            // The interface is another, and so may be what drives it, down to nl80211.
            self.index = index;
            self.wireless = None;
            self.find_at = Time::ZERO;
            self.find_wireless();
        }
        let completed = self.link.as_ref().is_some_and(|link| link.completed) && self.index.is_some();
        self.inform(Input::Completed(completed));
    }

    /// Informs the policy, and does at once what cannot wait. A whole turn of the loop may take longer than
    /// `WatchdogSec` where every call takes as long as it may; the time between two such notifications may not.
    fn inform(&mut self, input: Input) {
        notify(notify::ALIVE);
        let mut effects = Vec::new();
        self.policy.handle(self.now(), input, &mut effects);
        for effect in effects {
            match effect {
                Effect::Refuse if self.abort => self.abort_scan(),
                Effect::LetThrough => self.service.status().scans_let_through += 1,
                // Pulling and restoring follow the policy's state: a call that failed is made again.
                Effect::Refuse | Effect::Hold | Effect::Release => {}
            }
        }
    }

    fn abort_scan(&mut self) {
        let (Some(index), Some((wireless, _))) = (self.index, &mut self.wireless) else { return };
        match wireless.abort_scan(index) {
            Ok(()) => {
                self.broken = true;
                self.service.status().scans_aborted += 1;
                self.service.scan_aborted(name_of(self.policy.cause()));
            }
            Err(e) => {
                self.reopen_wireless();
                self.say(TroubleSource::Abort, &format!("cannot abort a scan: {e}"));
            }
        }
    }

    /// Has the hold follow the policy's state.
    fn pull_or_restore(&mut self) {
        let holding = matches!(self.policy.state(), State::Holding { .. });
        let wanted = self.link.as_ref().map(|link| &link.network).filter(|_| holding);
        let began = self.began;
        notify(notify::ALIVE);
        match self.hold.follow(&self.supplicant, wanted, || since(began)) {
            None => {}
            Some(done) => self.say(TroubleSource::Lever, &done.err().unwrap_or_default()),
        }
    }

    /// Remembers what is wrong, or that nothing is, and writes it to the journal when it is new.
    fn say(&mut self, source: TroubleSource, trouble: &str) {
        if self.troubles.set(source, trouble) {
            self.service.status().trouble = self.troubles.line();
            if !trouble.is_empty() {
                print::complain(trouble);
            }
        }
    }

    /// Shows how things stand, and announces it when it has changed.
    fn show(&self) {
        let state = match self.policy.state() {
            State::Free => "free",
            State::Holding { .. } => "holding",
            State::LettingThrough { .. } => "letting-through",
        };
        let cause = name_of(self.policy.cause());
        {
            let mut status = self.service.status();
            status.interface = self.link.as_ref().map(|link| link.interface.clone()).unwrap_or_default();
            if (status.state, status.cause) == (state, cause) {
                return;
            }
            (status.state, status.cause) = (state, cause);
        }
        print::note(&format!("{state}: {cause}"));
        self.service.changed();
    }
}

/// The kernel's counters in the words of the policy.
fn exchange(moved: Moved) -> Exchange {
    let count = |moved: airloom_netlink::Count| Count { packets: moved.packets, bytes: moved.bytes };
    Exchange { sent: count(moved.sent), received: count(moved.received) }
}

/// A cause in the words of the bus.
fn name_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Unconnected => "unconnected",
        Cause::Weakening => "weakening",
        Cause::Released => "released",
        Cause::Asked => "asked",
        Cause::Call => "call",
        Cause::Transfer => "transfer",
        Cause::Quiet => "quiet",
    }
}
