//! Interfaces, the links that they have, and what was heard around them, by nl80211.

use super::capabilities::of_beacon;
use super::rates::speed;
use crate::snapshot::{Heard, Interface, Peer, Role, Speed, band_of};
use airloom_netlink::{Attributes, Extent, Nl80211, put};
use std::thread::sleep;
use std::time::Duration;

const GET_INTERFACE: u8 = 5;
const GET_STATION: u8 = 17;
const GET_SCAN: u8 = 32;
const GET_POWER_SAVE: u8 = 62;

const WIPHY: u16 = 1;
const IFINDEX: u16 = 3;
const IFNAME: u16 = 4;
const IFTYPE: u16 = 5;
const MAC: u16 = 6;
const STA_INFO: u16 = 21;
const FREQUENCY: u16 = 38;
const BSS: u16 = 47;
const SSID: u16 = 52;
const PS_STATE: u16 = 93;
const CHANNEL_WIDTH: u16 = 159;

/// `enum nl80211_iftype`.
fn role(kind: u64) -> Role {
    match kind {
        2 => Role::Station,
        3 => Role::AccessPoint,
        6 => Role::Monitor,
        _ => Role::Other,
    }
}

/// `enum nl80211_chan_width` in MHz.
fn width(kind: u64) -> Option<u32> {
    Some(match kind {
        0 | 1 => 20,
        2 => 40,
        3 => 80,
        4 | 5 => 160,
        6 => 5,
        7 => 10,
        8 => 1,
        9 => 2,
        10 => 4,
        11 => 8,
        12 => 16,
        13 => 320,
        _ => return None,
    })
}

fn about(interface: u32) -> Vec<u8> {
    let mut attributes = Vec::new();
    put(&mut attributes, IFINDEX, &interface.to_ne_bytes());
    attributes
}

/// All interfaces of this network namespace.
pub(super) fn interfaces(kernel: &mut Nl80211) -> Result<Vec<Interface>, String> {
    let answers = kernel.ask(GET_INTERFACE, Extent::All, &[])?;
    let mut interfaces: Vec<_> =
        answers.iter().filter_map(|message| interface(Attributes(message))).collect();
    for interface in &mut interfaces {
        // Drivers without power save refuse to tell.
        let answer = kernel.ask(GET_POWER_SAVE, Extent::One, &about(interface.index)).unwrap_or_default();
        let state = answer.first().and_then(|message| Attributes(message).number(PS_STATE));
        interface.power_save = state.map(|state| state == 1);
    }
    Ok(interfaces)
}

fn interface(told: Attributes<'_>) -> Option<Interface> {
    Some(Interface {
        name: told.get(IFNAME)?.text(),
        index: told.number(IFINDEX)? as u32,
        radio: told.number(WIPHY)? as u32,
        role: role(told.number(IFTYPE)?),
        ssid: told.get(SSID).and_then(|ssid| String::from_utf8(ssid.payload.to_vec()).ok()),
        frequency_mhz: told.number(FREQUENCY).map(|mhz| mhz as u32),
        width_mhz: told.number(CHANNEL_WIDTH).and_then(width),
        ..Interface::default()
    })
}

/// How often links are looked at, and how long it is between two looks.
const LOOKS: u32 = 6;
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Looks at the links of interfaces for a second. A rate is that of the last frame, which may have been a null frame at the
/// lowest, so the fastest of several looks is kept.
pub(super) fn watch(kernel: &mut Nl80211, interfaces: &mut [Interface]) {
    for look in 0..LOOKS {
        if look > 0 {
            sleep(BETWEEN_LOOKS);
        }
        for interface in interfaces.iter_mut() {
            let now = peers(kernel, interface.index).into_iter();
            interface.peers = now.map(|peer| later(&interface.peers, peer)).collect();
        }
    }
}

/// The other ends of an interface's links at this moment.
pub(crate) fn peers(kernel: &mut Nl80211, interface: u32) -> Vec<Peer> {
    let answers = kernel.ask(GET_STATION, Extent::All, &about(interface)).unwrap_or_default();
    answers.iter().filter_map(|message| peer(Attributes(message))).collect()
}

/// A later look at a peer, with what earlier ones showed.
fn later(known: &[Peer], mut peer: Peer) -> Peer {
    if let Some(before) = known.iter().find(|before| before.mac == peer.mac) {
        peer.sent_meanwhile = before.sent_meanwhile + peer.sent.saturating_sub(before.sent);
        for (now, then) in
            [(&mut peer.sends_at, &before.sends_at), (&mut peer.receives_at, &before.receives_at)]
        {
            let mbps = |speed: &Option<Speed>| speed.as_ref().map_or(0.0, |speed| speed.mbps);
            if mbps(then) > mbps(now) {
                now.clone_from(then);
            }
        }
    }
    peer
}

fn address(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect::<Vec<_>>().join(":")
}

fn peer(message: Attributes<'_>) -> Option<Peer> {
    /// Numbers of `enum nl80211_sta_info`.
    mod info {
        pub(super) const SIGNAL: u16 = 7;
        pub(super) const TX_BITRATE: u16 = 8;
        pub(super) const RX_PACKETS: u16 = 9;
        pub(super) const TX_PACKETS: u16 = 10;
        pub(super) const TX_RETRIES: u16 = 11;
        pub(super) const TX_FAILED: u16 = 12;
        pub(super) const SIGNAL_AVG: u16 = 13;
        pub(super) const RX_BITRATE: u16 = 14;
        pub(super) const CONNECTED_TIME: u16 = 16;
        pub(super) const RX_DROP_MISC: u16 = 28;
    }
    let told = message.within(STA_INFO);
    let count = |kind| told.number(kind).unwrap_or(0);
    let signal = told.number(info::SIGNAL_AVG).or_else(|| told.number(info::SIGNAL));
    Some(Peer {
        mac: address(message.get(MAC)?.payload),
        signal_dbm: signal.map(|octet| i32::from((octet as u8).cast_signed())),
        sends_at: speed(told.within(info::TX_BITRATE)),
        receives_at: speed(told.within(info::RX_BITRATE)),
        sent_meanwhile: 0,
        sent: count(info::TX_PACKETS),
        retries: told.number(info::TX_RETRIES),
        failed: told.number(info::TX_FAILED),
        received: count(info::RX_PACKETS),
        dropped: count(info::RX_DROP_MISC),
        known_s: count(info::CONNECTED_TIME),
        aggregation: None,
    })
}

/// Reads what the last scans of a station heard: the access points of its network, and how long ago there was another's beacon.
pub(super) fn heard(kernel: &mut Nl80211, interface: &mut Interface) {
    let answers = kernel.ask(GET_SCAN, Extent::All, &about(interface.index)).unwrap_or_default();
    let mut all = Vec::new();
    for message in &answers {
        let Some((heard, ssid)) = access_point(Attributes(message).within(BSS)) else { continue };
        // On the home channel beacons come without a scan.
        if !heard.ours && Some(heard.frequency_mhz) != interface.frequency_mhz {
            interface.scanned_ms_ago = Some(interface.scanned_ms_ago.unwrap_or(u64::MAX).min(heard.ms_ago));
        }
        // Not every kernel tells a station's network with its interface.
        if heard.ours && interface.ssid.is_none() {
            interface.ssid.clone_from(&ssid);
        }
        all.push((heard, ssid));
    }
    let same =
        |(heard, ssid): &(Heard, Option<String>)| heard.ours || (ssid.is_some() && *ssid == interface.ssid);
    interface.heard = all.into_iter().filter(same).map(|(heard, _)| heard).collect();
}

fn access_point(bss: Attributes<'_>) -> Option<(Heard, Option<String>)> {
    const BSSID: u16 = 1;
    const FREQUENCY: u16 = 2;
    const ELEMENTS: u16 = 6;
    const SIGNAL_MBM: u16 = 7;
    const STATUS: u16 = 9;
    const SEEN_MS_AGO: u16 = 10;
    const ASSOCIATED: u64 = 1;
    let elements = bss.get(ELEMENTS).map_or(&[][..], |elements| elements.payload);
    let frequency_mhz = bss.number(FREQUENCY)? as u32;
    let heard = Heard {
        mac: address(bss.get(BSSID)?.payload),
        frequency_mhz,
        signal_dbm: (bss.number(SIGNAL_MBM).unwrap_or(0) as u32).cast_signed() / 100,
        ms_ago: bss.number(SEEN_MS_AGO)?,
        ours: bss.number(STATUS) == Some(ASSOCIATED),
        can: of_beacon(elements, band_of(frequency_mhz)),
    };
    // The element SSID is the first of a beacon.
    let ssid = elements.get(2..2 + usize::from(*elements.get(1)?)).filter(|_| elements[0] == 0);
    Some((heard, ssid.and_then(|ssid| String::from_utf8(ssid.to_vec()).ok())))
}
