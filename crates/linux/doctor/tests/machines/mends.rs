//! What a finding says to do ends the finding: each check finds something on a machine, its mend is written into the snapshot, and
//! the check finds it no more.

use crate::kept::{access_point, planted, recorded, sound, with};
use airloom_doctor::{
    Aggregation, CHECKS, Discipline, Finding, Generation, Heard, Interface, Peer, Snapshot, Speed, examine,
};
use std::collections::BTreeSet;

/// A machine for each way in which a check finds something.
fn machines() -> Vec<Snapshot> {
    let mut machines = vec![planted(), recorded(include_str!("weak.json"))];
    machines.push(with(|interface| {
        interface.peers[0].signal_dbm = Some(-75);
        interface.supplicant.as_mut().unwrap().bgscan = String::new();
        interface.heard.push(Heard {
            mac: "02:00:00:00:02:00".to_owned(),
            signal_dbm: -50,
            ..Heard::default()
        });
    }));
    machines.push(with(|interface| {
        (interface.heard[0].can.width_mhz, interface.heard[0].can.generation) = (80, Generation::Vht);
    }));
    machines.push(with(|interface| interface.peers[0].retries = Some(20_000)));
    machines.push(with(|interface| interface.peers[0].failed = Some(1000)));
    machines.push(with(|interface| interface.peers[0].dropped = 1000));
    machines.push(with(|interface| {
        let sessions = Some(vec![]);
        interface.peers[0].aggregation = Some(Aggregation { by_mac80211: true, sessions, mpdus: None });
    }));
    machines.push(with(|interface| interface.disciplines[1].kind = "pfifo_fast".to_owned()));
    let mut changed = |change: fn(&mut Snapshot)| {
        let mut machine = access_point();
        change(&mut machine);
        machines.push(machine);
    };
    changed(|machine| machine.interfaces[0].width_mhz = Some(20));
    changed(|machine| machine.radios[0].aql_enable = Some("0".to_owned()));
    changed(|machine| machine.radios[0].airtime_flags = Some(String::new()));
    changed(|machine| machine.offloads.push("/sys/module/mt7915e/parameters/wed_enable".to_owned()));
    changed(|machine| machine.radios[0].usb_mbps = Some(12.0));
    for (name, value) in
        ["sack", "dsack", "timestamps", "window_scaling", "moderate_rcvbuf", "recovery", "early_retrans"]
            .map(|name| (format!("tcp_{name}"), "0"))
            .into_iter()
            .chain(
                ["reno", "vegas", "dctcp", "westwood"]
                    .map(|control| ("tcp_congestion_control".to_owned(), control)),
            )
    {
        let mut machine = sound();
        machine.settings.insert(format!("ipv4/{name}"), value.to_owned());
        machines.push(machine);
    }
    for mbps in [6.0, 54.0, 300.0, 433.3, 866.7, 1200.9, 2401.9, 5764.7, 46_120.0, 1e300] {
        for most in ["1", "32768", "4194304", "5877120", "6291456", "33554432", "18446744073709551615"] {
            let mut machine = with(|interface| interface.peers[0].sends_at.as_mut().unwrap().mbps = mbps);
            for name in ["tcp_rmem", "tcp_wmem"] {
                machine.settings.insert(format!("ipv4/{name}"), format!("4096\t16384\t{most}"));
            }
            machines.push(machine);
        }
    }
    let mut again = sound();
    again.counters.insert("RetransSegs".to_owned(), 2000);
    machines.push(again);
    machines
}

#[test]
fn the_mend_of_each_check_ends_its_finding() {
    let mut seen = BTreeSet::new();
    for machine in machines() {
        for finding in examine(&machine).findings {
            seen.insert(finding.code);
            if finding.only_looks {
                let looks = ["sudo airloom collect", "grep ", "lsusb ", "iw dev "];
                assert!(looks.iter().any(|word| finding.command.starts_with(word)), "{}", finding.command);
                assert!(finding.advice.is_some(), "{}: a look without what to do then", finding.code);
                continue;
            }
            let mut mended = machine.clone();
            mend(&mut mended, &finding);
            let still = examine(&mended).findings;
            let same = |other: &&Finding| (other.code, &other.subject) == (finding.code, &finding.subject);
            assert_eq!(still.iter().find(same), None, "{}", finding.command);
        }
    }
    let every: BTreeSet<_> = CHECKS.iter().map(|check| check.code).collect();
    assert_eq!(seen, every);
}

/// Does to a machine what a command does to it.
fn mend(machine: &mut Snapshot, finding: &Finding) {
    let command = finding.command.replace(['"', '\''], "");
    let words: Vec<_> = command.split_whitespace().collect();
    match &words[..] {
        ["sudo", "sysctl", setting, more @ ..] => {
            let (name, value) =
                setting.strip_prefix("net.ipv4.").and_then(|text| text.split_once('=')).unwrap();
            let value = [&[value], more].concat().join("\t");
            machine.settings.insert(format!("ipv4/{name}"), value);
        }
        ["sudo", "iw", "dev", name, "set", "power_save", "off"] => {
            named(machine, name).power_save = Some(false);
        }
        // A mask goes, and rate control takes what the signal allows.
        ["sudo", "iw", "dev", name, "set", "bitrates"] => {
            for peer in &mut named(machine, name).peers {
                peer.sends_at = Some(Speed { mbps: 130.0, ..Speed::default() });
            }
        }
        ["sudo", "wpa_cli", "-i", name, "set_network", _, "bgscan", value @ ..] => {
            value.concat().clone_into(&mut named(machine, name).supplicant.as_mut().unwrap().bgscan);
        }
        ["sudo", "wpa_cli", "-i", name, "roam", mac] => {
            let interface = named(machine, name);
            for heard in &mut interface.heard {
                heard.ours = heard.mac == *mac;
            }
            let signal_dbm = Some(interface.access_point().unwrap().signal_dbm);
            interface.peers = vec![Peer { mac: (*mac).to_owned(), signal_dbm, ..Peer::default() }];
        }
        ["sudo", "wpa_cli", "-i", name, "reassociate"] => {
            let width = named(machine, name).access_point().unwrap().can.width_mhz;
            named(machine, name).width_mhz = Some(width);
        }
        ["sudo", "tc", "qdisc", "replace", "dev", name, "root", kind] => {
            named(machine, name).disciplines =
                vec![Discipline { kind: (*kind).to_owned(), root: true, ..Discipline::default() }];
        }
        ["echo", "tx", "start", tid, "|", "sudo", "tee", file] => {
            let of_file = |peer: &&mut Peer| file.ends_with(&format!("/stations/{}/agg_status", peer.mac));
            let mut peers = machine.interfaces.iter_mut().flat_map(|interface| &mut interface.peers);
            let known = peers.find(of_file).unwrap().aggregation.as_mut().unwrap();
            known.sessions.as_mut().unwrap().push(tid.parse().unwrap());
        }
        ["echo", value, "|", "sudo", "tee", file] => {
            let (folder, file) = file.rsplit_once('/').unwrap();
            let radio = machine.radios.iter_mut().find(|radio| folder.ends_with(&radio.name)).unwrap();
            match (file, *value) {
                ("aql_enable", value) => radio.aql_enable = Some(value.to_owned()),
                // As airtime_flags_read (net/mac80211/debugfs.c) tells the bits.
                ("airtime_flags", "3") => {
                    radio.airtime_flags = Some("AIRTIME_TX (1) AIRTIME_RX (2)".to_owned());
                }
                other => panic!("{other:?}"),
            }
        }
        _ => panic!("what does {command:?} do?"),
    }
}

fn named<'a>(machine: &'a mut Snapshot, name: &str) -> &'a mut Interface {
    machine.interfaces.iter_mut().find(|interface| interface.name == name).unwrap()
}

/// What distributions set of TCP's buffers: Linux to 6.15, from 6.16 on, and with 750 MB and 128 MB of memory.
const DEFAULTS: [[&str; 2]; 4] = [
    ["4096\t131072\t6291456", "4096\t16384\t4194304"],
    ["4096\t131072\t33554432", "4096\t16384\t4194304"],
    ["4096\t131072\t5877120", "4096\t16384\t4194304"],
    ["4096\t131072\t1048576", "4096\t16384\t1048576"],
];

#[test]
fn of_a_distributions_defaults_only_what_costs_something_is_found_and_the_page_says_how_much() {
    for [receive, send] in DEFAULTS {
        for mbps in [6.0, 54.0, 72.2, 150.0, 300.0, 433.3, 866.7, 1200.9, 2401.9] {
            let mut machine = with(|interface| interface.peers[0].sends_at.as_mut().unwrap().mbps = mbps);
            machine.settings.insert("ipv4/tcp_rmem".to_owned(), receive.to_owned());
            machine.settings.insert("ipv4/tcp_wmem".to_owned(), send.to_owned());
            let findings = examine(&machine).findings;
            let findings: Vec<_> = findings.iter().filter(|finding| finding.code == "D402").collect();
            let costs = |(value, part): (&str, f64)| {
                let most: f64 = value.rsplit_once('\t').unwrap().1.parse().unwrap();
                0.7 * mbps - part * most * 8.0 / 0.05 / 1e6
            };
            let expected: Vec<_> = [(receive, 0.6), (send, 2.0 / 3.0)]
                .into_iter()
                .map(costs)
                .filter(|cost| *cost > 0.0)
                .collect();
            assert_eq!(findings.len(), expected.len(), "{receive} {send} {mbps}");
            for (finding, cost) in findings.iter().zip(expected) {
                assert!(finding.why.contains(&format!("{cost:.1} are lost")), "{}", finding.why);
            }
        }
    }
}
