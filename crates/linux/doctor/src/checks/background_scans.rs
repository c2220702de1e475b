//! Whether a station scans while it is connected, and who has it do so.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Interface, Snapshot, Supplicant};

/// A station that leaves its channel again and again to look for other access points.
pub(super) const CHECK: Check = Check {
    code: "D102",
    name: "background scans",
    finds: "wpa_supplicant's bgscan has it scan every five minutes or more often at the present signal.",
    source: "wpa_supplicant's bgscan modules `simple` and `learn` (wpa_supplicant.conf); NetworkManager 1.42 writes \
             `simple:30:-70:86400`, or `simple:30:-65:300` where there are several access points (nm-supplicant-config.c); what a \
             scan costs: docs/guard.md",
    of: Of::Peer,
    judge,
};

/// Seconds between scans that are rare enough.
const RARE_S: u32 = 300;

/// What NetworkManager writes (`nm_supplicant_config_add_bgscan`).
const OF_NETWORKMANAGER: [&str; 2] = ["simple:30:-70:86400", "simple:30:-65:300"];

/// `MODULE:SHORT:THRESHOLD:LONG`: a scan every SHORT seconds below a signal, every LONG above it.
struct Bgscan {
    short_s: u32,
    threshold_dbm: i32,
    long_s: u32,
}

fn parsed(bgscan: &str) -> Option<Bgscan> {
    let mut words = bgscan.split(':').skip(1);
    Some(Bgscan {
        short_s: words.next()?.parse().ok()?,
        threshold_dbm: words.next()?.parse().ok()?,
        long_s: words.next()?.parse().ok()?,
    })
}

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for (interface, peer) in snapshot.stations() {
        let name = &interface.name;
        let Some(supplicant) = &interface.supplicant else {
            said.cannot(snapshot.unread(&format!("wpa_supplicant's bgscan for {name}")));
            continue;
        };
        let bgscan = &supplicant.bgscan;
        if bgscan.is_empty() {
            continue;
        }
        let Some(read) = parsed(bgscan) else {
            said.cannot(format!("bgscan \"{bgscan}\" of {name} does not say how often it scans"));
            continue;
        };
        let rare = |every: u32| every == 0 || every > RARE_S; // zero is none
        if rare(read.short_s) && rare(read.long_s) {
            continue;
        }
        let Some(signal) = peer.signal_dbm else {
            said.cannot(format!(
                "{}, by which bgscan \"{bgscan}\" decides",
                snapshot.unread(&format!("the signal over {name}"))
            ));
            continue;
        };
        let weak = signal < read.threshold_dbm;
        let every = if weak { read.short_s } else { read.long_s };
        if rare(every) {
            continue;
        }
        said.finds(wrong(interface, supplicant, signal, (every, weak)));
    }
}

/// A station that scans so often, in seconds, at a signal that is weak or is not.
fn wrong(interface: &Interface, supplicant: &Supplicant, signal: i32, (every, weak): (u32, bool)) -> Wrong {
    let (name, bgscan) = (&interface.name, &supplicant.bgscan);
    let set_by = match &interface.manager {
        Some(manager) if OF_NETWORKMANAGER.contains(&bgscan.as_str()) => {
            format!("NetworkManager {} sets this for its networks", manager.version)
        }
        Some(_) => "not one of NetworkManager's settings: another program or somebody set it".to_owned(),
        None => "no NetworkManager: it is in wpa_supplicant's configuration".to_owned(),
    };
    let mut read_of = vec![
        evidence(format!("bgscan \"{bgscan}\": a scan every {every} s at {signal} dBm"), "wpa_supplicant"),
        evidence(set_by, "NetworkManager, over D-Bus"),
    ];
    if let Some(ms) = interface.scanned_ms_ago {
        read_of
            .push(evidence(format!("the last scan was {:.0} s ago", ms as f64 / 1e3), "nl80211, GET_SCAN"));
    }
    let costs = "Each scan takes the radio off its channel a tenth of a second at a time, for seconds: transfers stall, calls break up.";
    let network = supplicant.network.to_string();
    let off = command(&["sudo", "wpa_cli", "-i", name, "set_network", &network, "bgscan", "\"\""]);
    let guard = "airloom-guard holds scans off whenever data moves, and names the programs that ask for them (airloom guard watch)";
    let wrong = Wrong { subject: name.clone(), evidence: read_of, ..Wrong::default() };
    if weak {
        // Without scans it would never find an access point that is nearer.
        let why = format!(
            "{costs} The signal is below the threshold, so it goes on until the station is nearer or roams."
        );
        let advice = format!(
            "if the list has a stronger access point of this network, the station needs its scans to go there; if it has none, {off} ends them \
             until the next connection; {guard}"
        );
        let command = command(&["iw", "dev", name, "scan", "dump"]);
        return Wrong { why, command, only_looks: true, advice: Some(advice), ..wrong };
    }
    Wrong {
        why: costs.to_owned(),
        command: off,
        advice: Some(format!("until the next connection; {guard}")),
        ..wrong
    }
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn modules_with_and_without_three_numbers() {
        let read = parsed("simple:30:-70:86400").unwrap();
        assert_eq!((read.short_s, read.threshold_dbm, read.long_s), (30, -70, 86_400));
        assert!(parsed("learn:10:-40:20:/var/lib/x").is_some());
        assert!(parsed("").is_none() && parsed("simple").is_none() && parsed("simple:a:b:c").is_none());
    }
}
