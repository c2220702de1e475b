//! Readers: what the kernel and the daemons tell. They change nothing, and what they may not read is written down.

mod aggregation;
mod capabilities;
mod daemons;
mod disciplines;
mod files;
mod links;
mod radios;
mod rates;

pub(crate) use files::{monitors, usb_bus};
pub(crate) use links::peers;

use crate::snapshot::{FORMAT, Role, Snapshot, Unread};
use airloom_netlink::Nl80211;

const NONE: &str = "there is no Wi-Fi interface here";

/// Reads this machine for a page about it; takes a little more than a second, during which the rates of its links are watched.
///
/// # Errors
///
/// In a sentence, if there is no Wi-Fi interface; it has what can be examined instead.
pub fn read() -> Result<Snapshot, String> {
    snapshot().map_err(|why| match why == NONE {
        true => format!("{why}; `airloom doctor FILE` examines a snapshot of another machine"),
        false => why,
    })
}

/// Reads this machine.
pub(crate) fn snapshot() -> Result<Snapshot, String> {
    let none = || NONE.to_owned();
    let mut kernel = Nl80211::open().map_err(|_| none())?;
    let mut unread = Vec::new();
    let mut interfaces = links::interfaces(&mut kernel)?;
    if interfaces.is_empty() {
        return Err(none());
    }
    let mut radios = radios::radios(&mut kernel)?;
    links::watch(&mut kernel, &mut interfaces);
    let mut note = |what: &str, because: String| unread.push(Unread { what: what.to_owned(), because });
    for radio in &mut radios {
        files::hardware(radio, &mut note);
    }
    for interface in &mut interfaces {
        let radio =
            radios.iter().find(|radio| radio.index == interface.radio).map_or("", |radio| &radio.name);
        for peer in &mut interface.peers {
            match aggregation::of(radio, &interface.name, &peer.mac) {
                Ok(known) => peer.aggregation = Some(known),
                Err(because) => note(&format!("aggregation over {}", interface.name), because),
            }
        }
        if interface.role == Role::Station && interface.up() {
            links::heard(&mut kernel, interface);
            daemons::ask(interface, &mut note);
        }
    }
    disciplines::read(&mut interfaces, &mut note);
    Ok(Snapshot {
        format: FORMAT,
        kernel: files::line("/proc/sys/kernel/osrelease").unwrap_or_default(),
        root: rustix::process::geteuid().is_root(),
        radios,
        interfaces,
        settings: files::settings(),
        counters: files::counters(),
        offloads: files::offloads(),
        unread,
    })
}
