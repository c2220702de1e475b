//! Whether an adapter's bus is fast enough.

use super::slow_rate::fastest;
use super::{Check, Judgement};
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Snapshot, band_of};

/// An adapter whose bus is slower than its radio.
pub(super) const CHECK: Check = Check {
    code: "D301",
    name: "the USB bus is slower than the air",
    finds: "bulk transfers of the bus carry less than seven tenths of the radio's fastest rate in its channel.",
    source: "USB 2.0, tables 5-9 and 5-10: most bulk transfers in a frame; what a bus does to TCP: docs/usb.md",
    judge,
};

/// What TCP gets of a rate on the air at best, by docs/generations.md.
const OF_THE_AIR: f64 = 0.7;

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
        let (Some(radio), Some(frequency)) = (snapshot.radio_of(interface), interface.frequency_mhz) else {
            continue;
        };
        let Some((bus, most)) = radio.usb_mbps.and_then(|bus| Some((bus, carries(bus)?))) else { continue };
        let band = radio.bands.iter().find(|band| band.ghz == band_of(frequency));
        let Some(air) = band.and_then(|band| fastest(band, interface.width_mhz.unwrap_or(20))) else {
            continue;
        };
        if most >= OF_THE_AIR * air {
            continue;
        }
        said.finds(Wrong {
            subject: interface.name.clone(),
            evidence: vec![
                evidence(format!("{bus} Mbit/s, of which bulk transfers have {most:.0}"), format!("sysfs, speed of {}'s device", radio.name)),
                evidence(format!("up to {air:.0} Mbit/s on the air"), format!("nl80211, GET_WIPHY of {}", radio.name)),
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
