//! `watch`: changes nothing, and reports what scans, when, and what it costs.

mod ledger;
mod program;
mod requester;
mod table;
mod trips;

use crate::bus;
use crate::iwd;
use crate::supplicants::{self, Heard, OverDBus};
use airloom_netlink::{Counters, Feed, ScanEvents, ScanNews};
use airloom_sim::{Duration, Time};
use ledger::{Ledger, News};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Instant;
use table::Output;
use trips::Trips;
use zbus::zvariant::OwnedValue;

/// What the threads report to the loop.
enum Report {
    Scan(u32, ScanNews),
    /// A program asked over D-Bus for a scan.
    Asked(String),
    /// The supplicant has said that it scans.
    SupplicantScans,
    /// No more scans will be seen, and why.
    Lost(String),
    Stop,
}

/// Pieces of news that may wait; more are lost, which is better than that they pile up.
const WAITING: usize = 256;

/// Watches until interrupted.
pub(crate) fn run(interface: Option<String>, json: bool) -> Result<(), String> {
    let system = bus::system()?;
    let link = OverDBus::new(system.clone(), interface.clone()).link();
    let iwd = link.as_ref().is_ok_and(|link| link.network.path.starts_with(iwd::ROOT));
    let interface = interface.map_or_else(|| link.map(|link| link.interface), Ok)?;
    let index = airloom_netlink::index_of(&interface)
        .ok_or_else(|| format!("there is no interface `{interface}`"))?;
    let (sender, reports) = sync_channel(WAITING);
    let stop = Arc::new(AtomicBool::new(false));
    let mut counters = Counters::open()?;
    let mut moved = || counters.moved(index).map_or(0, |moved| moved.bytes());
    let _scans = listen(&sender, &stop, ScanEvents::open()?, &system)?;
    let mut notes = Vec::new();
    let mut note = |e: String| notes.push(e);
    let mut trips = Trips::open(&interface).map_err(&mut note).ok();
    let to = sender.clone();
    requester::monitor(&system, move |requester| drop(to.try_send(Report::Asked(requester))))
        .unwrap_or_else(&mut note);

    let began = Instant::now();
    let now = || Time::from_nanos(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX));
    let mut ledger = Ledger::new(trips.is_some(), iwd);
    let Ok(output) = Output::begin(json, &interface, &notes) else { return Ok(()) };
    while !stop.load(Ordering::Relaxed) {
        let wait = ledger.due().map_or(Duration::from_secs(3600), |due| due.since(now()));
        match reports.recv_timeout(std::time::Duration::from_nanos(wait.as_nanos())) {
            Ok(Report::Asked(requester)) => ledger.take(now(), News::Asked(requester)),
            Ok(Report::SupplicantScans) => ledger.take(now(), News::SupplicantScans),
            Ok(Report::Scan(link, news)) if link == index => match news {
                ScanNews::Started { channels } => {
                    let others = requester::wireless_programs();
                    ledger.take(now(), News::Started { channels, moved: moved(), others });
                }
                ScanNews::Done => ledger.take(now(), News::Ended { aborted: false, moved: moved() }),
                ScanNews::Aborted => ledger.take(now(), News::Ended { aborted: true, moved: moved() }),
            },
            Ok(Report::Lost(why)) => return Err(why),
            Ok(Report::Scan(..) | Report::Stop) | Err(_) => {}
        }
        if ledger.due().is_some_and(|due| due <= now()) {
            let away = trips.as_mut().map(Trips::complete).unwrap_or_default();
            if ledger.close(away).is_some_and(|scan| output.scan(&scan).is_err()) {
                return Ok(());
            }
        }
    }
    // Its reader may have seen enough.
    let _ = output.summary(ledger.summary());
    Ok(())
}

/// Starts what feeds the channel; scans, as long as the feed returned lives.
fn listen(
    sender: &SyncSender<Report>,
    stop: &Arc<AtomicBool>,
    scans: ScanEvents,
    system: &zbus::blocking::Connection,
) -> Result<Feed, String> {
    let (to, stop) = (sender.clone(), Arc::clone(stop));
    ctrlc::set_handler(move || {
        stop.store(true, Ordering::Relaxed);
        // It wakes the loop; where there is no room for it, the loop is awake.
        let _ = to.try_send(Report::Stop);
    })
    .map_err(|e| e.to_string())?;
    let (to, last) = (sender.clone(), sender.clone());
    let feed = scans.feed(
        move |link, news| {
            !matches!(to.try_send(Report::Scan(link, news)), Err(TrySendError::Disconnected(_)))
        },
        move |why| drop(last.send(Report::Lost(why))),
    );
    let to = sender.clone();
    supplicants::listen(system, move |heard| {
        let scanning = |changed: &HashMap<String, OwnedValue>| changed.get("Scanning")?.downcast_ref().ok();
        if let Heard::Changed(changed) = heard
            && scanning(&changed) == Some(true)
        {
            let _ = to.try_send(Report::SupplicantScans);
        }
    })?;
    Ok(feed)
}
