//! Whether an adapter's bus is fast enough.

use super::slow_rate::fastest;
use super::{Check, Judgement, Of};
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Radio, Snapshot, band_of};

/// An adapter whose bus is slower than its radio.
pub(super) const CHECK: Check = Check {
    code: "D301",
    name: "the USB bus is slower than the air",
    finds: "bulk transfers of the bus carry less than seven tenths of the radio's fastest rate in its channel.",
    source: "USB 2.0, tables 5-9 and 5-10: most bulk transfers in a frame; what a bus does to TCP: docs/usb.md",
    of: Of::Carrier,
    judge,
};

/// What TCP gets of a rate on the air at best, by docs/generations.md.
const OF_THE_AIR: f64 = 0.7;

/// The most that a radio's bus carries in Mbit/s; nothing of one that is no bottleneck, or is not known.
pub(super) fn most(radio: &Radio) -> Option<f64> {
    radio.usb_mbps.and_then(carries)
}

/// The most that bulk transfers carry in Mbit/s: 19 packets of 64 octets a millisecond, or 13 of 512 an eighth of it.
fn carries(bus_mbps: f64) -> Option<f64> {
    match bus_mbps {
        ..=12.0 => Some(19.0 * 64.0 * 8.0 / 1000.0),
        ..=480.0 => Some(13.0 * 512.0 * 8.0 * 8.0 / 1000.0),
        _ => None,
    }
}

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        let name = &interface.name;
        let Some(radio) = snapshot.radio_of(interface) else {
            said.cannot(snapshot.unread(&format!("the radio of {name}")));
            continue;
        };
        let Some(bus) = radio.usb_mbps else {
            if radio.bus.as_deref() == Some("usb") {
                said.cannot(snapshot.unread(&format!("the rate of {}'s USB bus", radio.name)));
            }
            continue;
        };
        let Some(most) = carries(bus) else { continue };
        let (Some(frequency), Some(width)) = (interface.frequency_mhz, interface.width_mhz) else {
            said.cannot(snapshot.unread(&format!("the channel of {name}, or its width,")));
            continue;
        };
        let band = radio.bands.iter().find(|band| band.ghz == band_of(frequency));
        let Some(band) = band else {
            said.cannot(snapshot.unread(&format!("what the radio of {name} can do")));
            continue;
        };
        // What was seen is possible, whatever the capabilities say.
        let seen = interface.peers.iter().flat_map(|peer| [&peer.sends_at, &peer.receives_at]).flatten();
        let seen = seen.map(|speed| speed.mbps).fold(0.0, f64::max);
        let air = fastest(band, width).unwrap_or(0.0).max(seen);
        if most >= OF_THE_AIR * air {
            continue;
        }
        said.finds(Wrong {
            subject: interface.name.clone(),
            evidence: vec![
                evidence(format!("{bus} Mbit/s, of which bulk transfers have {most:.0}"), format!("sysfs, speed of {}'s device", radio.name)),
                evidence(format!("up to {air:.1} Mbit/s on the air"), format!("nl80211, GET_WIPHY of {}", radio.name)),
            ],
            why: "The adapter waits for its bus: queues build up in the driver, and the radio sends shorter bursts than it could."
                .to_owned(),
            command: "lsusb -t".to_owned(),
            only_looks: true,
            advice: Some("move the adapter to a faster port of its own, without a hub".to_owned()),
            ..Wrong::default()
        });
    }
}
