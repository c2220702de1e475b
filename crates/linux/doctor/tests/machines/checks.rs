//! Machines as `airloom-doctor` read them: those of the test bed (`testbed/src/sets/doctor.rs`) word for word, and the same with
//! what no emulated machine has.

use crate::kept::{access_point, planted, recorded, sound, with};
use airloom_doctor::{
    Abstention, Aggregation, Discipline, Document, Finding, Generation, Heard, Manager, Role, Snapshot,
    Unread, examine, page,
};

fn codes(snapshot: &Snapshot) -> Vec<&'static str> {
    examine(snapshot).findings.iter().map(|finding| finding.code).collect()
}

fn found(snapshot: &Snapshot, code: &str) -> Finding {
    let examination = examine(snapshot);
    assert_eq!(examination.findings.len(), 1, "{:?}", examination.findings);
    assert_eq!(examination.findings[0].code, code);
    examination.findings[0].clone()
}

#[test]
fn nothing_is_found_on_a_sound_machine() {
    let examination = examine(&sound());
    assert_eq!(examination.findings, []);
    // The emulated radios lose nothing and count nothing, and what debugfs has was not read when the machine was kept.
    let silent: Vec<_> = examination.abstained.iter().map(|abstention| abstention.code).collect();
    assert_eq!(silent, ["D106", "D108"]);
    assert_eq!(
        examination.abstained[0].because,
        "mac80211_hwsim keeps no count of retries and failures: it reports none of 24562 packets over wlan0"
    );
    assert_eq!(codes(&access_point()), [""; 0]);
}

#[test]
fn seven_planted_faults_are_found() {
    assert_eq!(codes(&planted()), ["D101", "D102", "D104", "D201", "D401", "D402", "D403"]);
    for finding in examine(&planted()).findings {
        assert!(!finding.evidence.is_empty() && !finding.why.is_empty() && !finding.command.is_empty());
        assert!(finding.evidence.iter().all(|evidence| !evidence.from.is_empty()));
    }
}

#[test]
fn a_weak_signal_makes_networkmanagers_own_setting_scan() {
    let weak = recorded(include_str!("weak.json"));
    let finding = found(&weak, "D102");
    assert!(finding.evidence[0].read.contains("simple:30:-70:86400"), "{:?}", finding.evidence);
    assert!(finding.evidence[1].read.starts_with("NetworkManager 1."), "{:?}", finding.evidence);
}

#[test]
fn how_power_save_stays_off_depends_on_the_connection() {
    let dozes = |manager: Option<Manager>| {
        found(&with(|interface| (interface.power_save, interface.manager) = (Some(true), manager)), "D101")
            .keep
    };
    let named = |name: &str, powersave| Manager {
        connection: Some(name.to_owned()),
        powersave,
        ..Manager::default()
    };
    let keep = |id: &str| Some(format!("nmcli connection modify {id} 802-11-wireless.powersave 2"));
    assert_eq!(dozes(Some(named("home", None))), keep("home"));
    assert_eq!(dozes(Some(named("my café's; rm -rf", Some(3)))), keep(r"'my café'\''s; rm -rf'"));
    assert_eq!(dozes(Some(named("home", Some(2)))), None, "NetworkManager has it off already");
    assert_eq!(dozes(None), None);
}

#[test]
fn a_nearer_access_point_is_named_if_it_is_near_and_was_heard_lately() {
    let machine = |signal, other, ms_ago| {
        with(|interface| {
            interface.peers[0].signal_dbm = Some(signal);
            interface.peers[0].sends_at.as_mut().unwrap().mbps = 26.0;
            interface.supplicant.as_mut().unwrap().bgscan = String::new();
            interface.heard.push(Heard {
                mac: "02:00:00:00:02:00".to_owned(),
                frequency_mhz: 5500,
                signal_dbm: other,
                ms_ago,
                ..Heard::default()
            });
        })
    };
    assert_eq!(
        found(&machine(-75, -60, 4000), "D103").command,
        "sudo wpa_cli -i wlan0 roam 02:00:00:00:02:00"
    );
    let mut managed = machine(-75, -60, 4000);
    managed.interfaces[0].supplicant = None;
    managed.interfaces[0].manager =
        Some(Manager { connection: Some("my home".to_owned()), ..Manager::default() });
    assert_eq!(
        found(&managed, "D103").command,
        "nmcli connection up 'my home'",
        "no wpa_supplicant was reached"
    );
    managed.interfaces[0].manager = None;
    let unknown = found(&managed, "D103");
    assert!(unknown.only_looks && unknown.command.starts_with("ps -C "), "{}", unknown.command);
    assert!(unknown.advice.unwrap().contains("sudo wpa_cli -i wlan0 roam 02:00:00:00:02:00"));
    managed.interfaces[0].iwd = true;
    managed.interfaces[0].ssid = Some("my home".to_owned());
    assert_eq!(
        found(&managed, "D103").command,
        "iwctl station wlan0 disconnect && iwctl station wlan0 connect 'my home'"
    );
    let mut bound = machine(-75, -60, 4000);
    bound.interfaces[0].manager =
        Some(Manager { connection: Some("my home".to_owned()), bound: true, ..Manager::default() });
    let free = "nmcli connection modify 'my home' 802-11-wireless.bssid '' && nmcli connection up 'my home'";
    for supplicant in [bound.interfaces[0].supplicant.clone(), None] {
        bound.interfaces[0].supplicant = supplicant;
        let told = found(&bound, "D103");
        assert_eq!(told.command, free, "it would come back to the one that it is bound to");
        assert_eq!(told.evidence[2].read, "connection my home is bound to one access point");
    }
    assert_eq!(codes(&machine(-75, -70, 4000)), [""; 0], "not much nearer");
    assert_eq!(codes(&machine(-65, -40, 4000)), [""; 0], "near enough");
    assert_eq!(codes(&machine(-75, -60, 600_000)), [""; 0], "long ago");
}

#[test]
fn the_rate_of_an_idle_link_is_not_judged() {
    let idle = with(|interface| {
        interface.peers[0].sends_at.as_mut().unwrap().mbps = 6.0;
        interface.peers[0].sent_meanwhile = 3;
    });
    let examination = examine(&idle);
    assert_eq!(examination.findings, []);
    let [
        Abstention { code: "D104", because, .. },
        Abstention { code: "D106", .. },
        Abstention { code: "D108", .. },
    ] = &examination.abstained[..]
    else {
        panic!("{examination:?}")
    };
    assert!(because.contains("during a transfer"), "{because}");
}

#[test]
fn a_channel_is_too_narrow_if_both_ends_have_more() {
    let machine = |beacon_mhz| {
        with(|interface| {
            interface.heard[0].can.width_mhz = beacon_mhz;
            interface.heard[0].can.generation = Generation::Ht;
        })
    };
    assert_eq!(codes(&machine(20)), [""; 0]);
    let finding = found(&machine(80), "D105");
    assert!(finding.evidence[1].read.contains("the access point has 80 MHz"));
    let mut narrow = access_point();
    narrow.interfaces[0].width_mhz = Some(20);
    assert_eq!(found(&narrow, "D105").subject, "wlan0");
    assert!(
        found(&narrow, "D105").why.contains("4 times as wide"),
        "the radio has more, and what it says gives 80 MHz"
    );
    narrow.interfaces[0].frequency_mhz = Some(2437);
    assert_eq!(codes(&narrow), [""; 0], "in 2.4 GHz that is right");
}

#[test]
fn a_buffer_need_not_be_larger_than_the_bus_before_the_air() {
    let machine = |bus_mbps| {
        let mut machine = with(|interface| interface.peers[0].sends_at.as_mut().unwrap().mbps = 866.7);
        machine.radios[0].usb_mbps = bus_mbps;
        machine
    };
    let buffers = |machine: &Snapshot| {
        let found = examine(machine).findings;
        found
            .into_iter()
            .filter(|finding| finding.code == "D402")
            .map(|finding| finding.subject)
            .collect::<Vec<_>>()
    };
    assert_eq!(buffers(&machine(None)), ["tcp_rmem", "tcp_wmem"]);
    assert_eq!(buffers(&machine(Some(5000.0))), ["tcp_rmem", "tcp_wmem"]);
    assert_eq!(buffers(&machine(Some(480.0))), [""; 0], "426 of the bus, 447 of the smaller buffer");
    let mut smaller = machine(Some(480.0));
    smaller.settings.insert("ipv4/tcp_wmem".to_owned(), "4096 16384 2097152".to_owned());
    let told = examine(&smaller).findings.into_iter().find(|finding| finding.code == "D402").unwrap();
    assert!(
        told.evidence[1].read.ends_with("TCP gets 426.0 at best over its USB bus"),
        "{}",
        told.evidence[1].read
    );
    assert!(
        told.why.contains("so 202.3 are lost where the rest of the way is as fast as the bus"),
        "{}",
        told.why
    );
}

#[test]
fn counters_are_judged_once_there_is_enough_of_them() {
    let machine = |sent, retries, failed, received, dropped| {
        codes(&with(|interface| {
            let peer = &mut interface.peers[0];
            (peer.sent, peer.retries, peer.failed) = (sent, Some(retries), Some(failed));
            (peer.received, peer.dropped) = (received, dropped);
        }))
    };
    assert_eq!(machine(1000, 500, 10, 1000, 10), [""; 0]);
    assert_eq!(machine(1000, 501, 0, 1000, 0), ["D106"]);
    assert_eq!(machine(1000, 0, 11, 1000, 0), ["D106"]);
    assert_eq!(machine(1000, 0, 0, 1000, 11), ["D107"]);
    assert_eq!(machine(999, 999, 999, 999, 999), [""; 0]);
    let says = |retries, failed| {
        let machine = with(|interface| {
            let peer = &mut interface.peers[0];
            (peer.sent, peer.retries, peer.failed) = (10_000, retries, failed);
        });
        let examination = examine(&machine);
        let found = examination.findings.into_iter().flat_map(|finding| finding.evidence);
        let found: Vec<_> = found.map(|evidence| evidence.read).collect();
        (found, examination.abstained.iter().filter(|abstention| abstention.code == "D106").count())
    };
    let packets = "for 10000 packets to 02:00:00:00:01:00 in 44 s";
    let given_up = format!("171 given up {packets}: 1.7 %, where more than 1 % is much");
    let retries = format!("6000 retries {packets}: 60.0 %, where more than 50 % is much");
    assert_eq!(says(Some(170), Some(171)), (vec![given_up.clone()], 0));
    assert_eq!(says(Some(6000), Some(171)), (vec![retries.clone(), given_up.clone()], 0));
    assert_eq!(says(Some(6000), None), (vec![retries], 0));
    assert_eq!(says(None, Some(171)), (vec![given_up], 0));
    assert_eq!(says(Some(1), Some(0)), (vec![], 0), "a count that is kept");
    for unknown in [None, Some(0)] {
        assert_eq!(says(unknown, unknown), (vec![], 1), "a count that is not kept");
    }
    let mut tcp = sound();
    tcp.counters.insert("OutSegs".to_owned(), 10_000);
    tcp.counters.insert("RetransSegs".to_owned(), 300);
    assert_eq!(codes(&tcp), [""; 0]);
    tcp.counters.insert("RetransSegs".to_owned(), 301);
    assert_eq!(codes(&tcp), ["D404"]);
}

#[test]
fn frames_that_go_alone_are_found_where_mac80211_decides() {
    let machine = |aggregation: Option<Aggregation>| {
        let machine = with(|interface| interface.peers[0].aggregation = aggregation);
        let examination = examine(&machine);
        let silent = examination.abstained.into_iter().filter(|abstention| abstention.code == "D108");
        (codes(&machine), silent.map(|abstention| abstention.because).collect::<Vec<_>>())
    };
    let known = |by_mac80211, sessions: Option<&[u32]>| {
        Some(Aggregation { by_mac80211, sessions: sessions.map(<[u32]>::to_vec), mpdus: None })
    };
    assert_eq!(machine(known(true, Some(&[]))), (vec!["D108"], vec![]));
    assert_eq!(machine(known(true, Some(&[0]))), (vec![], vec![]));
    let firmware = "mac80211_hwsim does not tell what goes together over wlan0: its firmware decides";
    for unknown in [known(false, Some(&[])), known(true, None)] {
        assert_eq!(machine(unknown), (vec![], vec![firmware.to_owned()]));
    }
    assert_eq!(machine(None), (vec![], vec!["aggregation over wlan0 could not be read".to_owned()]));
    let alone = with(|interface| interface.peers[0].aggregation = known(true, Some(&[])));
    let finding = found(&alone, "D108");
    // 12,000 bits in 181.5 us and their own 92.3 us at 130 Mbit/s.
    assert!(finding.why.contains("about 44 Mbit/s at most"), "{}", finding.why);
    assert_eq!(
        finding.command,
        "echo tx start 0 | sudo tee /sys/kernel/debug/ieee80211/phy0/netdev:wlan0/stations/02:00:00:00:01:00/agg_status"
    );
    let mut idle = alone.clone();
    idle.interfaces[0].peers[0].sent_meanwhile = 3;
    assert_eq!(codes(&idle), [""; 0], "an idle link has nothing to put together");
    let mut slow = alone;
    slow.interfaces[0].peers[0].sends_at.as_mut().unwrap().generation = Generation::Legacy;
    assert!(!codes(&slow).contains(&"D108"), "before 802.11n there is no aggregation");
}

#[test]
fn a_fifo_is_wrong_where_mac80211_has_no_queues_below_it() {
    let machine = |kinds: &[&str]| {
        with(|interface| {
            let discipline = |(n, kind): (usize, &&str)| Discipline {
                kind: (*kind).to_owned(),
                root: n == 0,
                ..Discipline::default()
            };
            interface.disciplines = kinds.iter().enumerate().map(discipline).collect();
        })
    };
    for wrong in [&["pfifo_fast"][..], &["noqueue"], &["mq", "pfifo_fast", "pfifo_fast"]] {
        assert_eq!(codes(&machine(wrong)), ["D201"], "{wrong:?}");
    }
    for right in [&["fq_codel"][..], &["cake"], &["fq"], &["mq", "fq_codel"]] {
        assert_eq!(codes(&machine(right)), [""; 0], "{right:?}");
    }
    let mut with_queues = machine(&["noqueue"]);
    with_queues.radios[0].queues = true;
    assert_eq!(codes(&with_queues), [""; 0]);
}

#[test]
fn airtime_limits_and_fairness_are_judged_where_the_driver_has_them() {
    let mut machine = access_point();
    machine.radios[0].aql_enable = Some("0".to_owned());
    assert_eq!(
        found(&machine, "D202").command,
        "echo 1 | sudo tee /sys/kernel/debug/ieee80211/phy0/aql_enable"
    );
    machine.radios[0].airtime_limits = false;
    assert_eq!(codes(&machine), [""; 0]);
    let mut machine = access_point();
    machine.radios[0].airtime_flags = Some(String::new());
    assert_eq!(found(&machine, "D203").subject, "wlan0");
    let mut machine = access_point();
    (machine.radios[0].aql_enable, machine.radios[0].airtime_flags) = (None, None);
    let because = "only root may read debugfs".to_owned();
    machine.unread.push(Unread { what: "aql_enable of phy0".to_owned(), because });
    let silent = examine(&machine).abstained.into_iter().map(|abstention| abstention.because);
    assert_eq!(
        silent.filter(|because| because != "no station is connected").collect::<Vec<_>>(),
        [
            "aql_enable of phy0 could not be read: only root may read debugfs",
            "airtime_flags of phy0 could not be read"
        ]
    );
}

#[test]
fn hardware_that_forwards_matters_at_an_access_point() {
    let place = "/sys/module/mt7915e/parameters/wed_enable".to_owned();
    let mut machine = access_point();
    machine.offloads.push(place.clone());
    assert_eq!(found(&machine, "D204").evidence[0].from, place);
    let mut station = sound();
    station.offloads.push(place);
    assert_eq!(codes(&station), [""; 0]);
}

#[test]
fn a_bus_is_judged_by_the_radios_fastest_rate_in_its_channel() {
    let machine = |mbps, width| {
        let mut machine = access_point();
        machine.interfaces[0].width_mhz = Some(width);
        machine.radios[0].usb_mbps = Some(mbps);
        let five = machine.radios[0].bands.iter_mut().find(|band| band.ghz == "5").unwrap();
        (five.generation, five.streams) = (Generation::He, 2);
        machine
    };
    let finding = found(&machine(480.0, 80), "D301");
    assert!(finding.evidence[0].read.contains("bulk transfers have 426"), "{:?}", finding.evidence);
    assert_eq!(
        codes(&machine(480.0, 40)),
        [""; 0],
        "two streams in 40 MHz have 574 Mbit/s, of which TCP gets 400"
    );
    assert_eq!(codes(&machine(5000.0, 160)), [""; 0]);
    assert_eq!(codes(&machine(12.0, 40)), ["D301"]);
}

#[test]
fn a_check_without_what_it_reads_cannot_tell() {
    let silent = |machine: &Snapshot| {
        let examination = examine(machine);
        assert_eq!(examination.findings, []);
        examination.abstained.iter().map(|abstention| abstention.code).collect::<Vec<_>>()
    };
    let anyway = silent(&sound());
    let mut cases: Vec<(&[&str], Snapshot)> = vec![
        (&["D101"], with(|interface| interface.power_save = None)),
        (&["D102"], with(|interface| interface.supplicant.as_mut().unwrap().bgscan = "simple".to_owned())),
        (
            &["D102", "D103", "D104"],
            with(|interface| {
                interface.supplicant.as_mut().unwrap().bgscan = "simple:30:-70:86400".to_owned();
                interface.peers[0].signal_dbm = None;
            }),
        ),
        (
            &["D104", "D402"],
            with(|interface| {
                (interface.peers[0].sends_at, interface.peers[0].receives_at) = (None, None);
            }),
        ),
        (
            &["D103"],
            with(|interface| {
                interface.peers[0].signal_dbm = Some(-75);
                interface.supplicant.as_mut().unwrap().bgscan = String::new();
                interface.peers[0].sends_at.as_mut().unwrap().mbps = 26.0;
                interface.scanned_ms_ago = Some(600_000);
            }),
        ),
        (&["D105"], with(|interface| interface.width_mhz = None)),
        (&["D107"], with(|interface| interface.peers[0].received = 7)),
        (&["D201"], with(|interface| interface.disciplines.clear())),
    ];
    let mut change = |codes: &'static [&'static str], change: fn(&mut Snapshot)| {
        let mut machine = sound();
        change(&mut machine);
        cases.push((codes, machine));
    };
    change(&["D104", "D105"], |machine| machine.radios[0].bands.clear());
    change(&["D301"], |machine| machine.radios[0].bus = Some("usb".to_owned()));
    change(&["D401", "D402", "D403", "D404"], |machine| {
        machine.settings.clear();
        machine.counters.clear();
    });
    change(&["D402"], |machine| {
        machine.settings.insert("ipv4/tcp_rmem".to_owned(), "abc".to_owned());
    });
    for (codes, machine) in cases {
        let mut told = silent(&machine);
        told.dedup();
        let mut expected = [&anyway[..], codes].concat();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(told, expected);
    }
}

#[test]
fn a_machine_that_is_not_connected_is_told_so_first() {
    let said = |machine: &Snapshot| {
        let lines: Vec<_> = page(&examine(machine), 80).into_iter().map(|(_, line)| line).collect();
        lines.join("\n")
    };
    let alone = said(&with(|interface| {
        interface.peers.clear();
        (interface.frequency_mhz, interface.width_mhz) = (None, None);
    }));
    assert!(alone.contains("\nwlan0 is not connected: most checks have nothing to look at.\n"), "{alone}");
    let once = "\n  D101  wlan0 is not connected; likewise D102, D103, D104, D105, D106, D107,\n";
    assert!(alone.contains(once), "{alone}");
    assert!(!alone.contains("Nothing that"), "{alone}");
    let monitor = said(&with(|interface| interface.role = Role::Monitor));
    assert!(monitor.contains("no interface is a station or an access point: most checks"), "{monitor}");
    let none = Snapshot { interfaces: Vec::new(), ..sound() };
    let text = serde_json::to_string(&Document::snapshot(&none)).unwrap();
    assert!(Snapshot::parse(&text).unwrap_err().starts_with("has no Wi-Fi interface; "));
}

#[test]
fn a_radios_fastest_rate_has_its_short_guard_interval() {
    let machine = |ghz: &str, frequency, width, generation, streams| {
        let mut machine = access_point();
        let interface = &mut machine.interfaces[0];
        (interface.frequency_mhz, interface.width_mhz) = (Some(frequency), Some(width));
        machine.radios[0].usb_mbps = Some(12.0);
        let band = machine.radios[0].bands.iter_mut().find(|band| band.ghz == ghz).unwrap();
        (band.generation, band.streams, band.width_mhz) = (generation, streams, 80);
        found(&machine, "D301").evidence[1].read.clone()
    };
    // IEEE Std 802.11-2020, tables 19-28 and 21-39; 802.11ax-2021, table 27-101.
    assert_eq!(machine("5", 5180, 80, Generation::Vht, 2), "up to 866.7 Mbit/s on the air");
    assert_eq!(machine("2.4", 2437, 20, Generation::Ht, 2), "up to 144.4 Mbit/s on the air");
    assert_eq!(machine("5", 5180, 80, Generation::He, 2), "up to 1201.0 Mbit/s on the air");
    assert_eq!(machine("5", 5180, 80, Generation::Eht, 2), "up to 1441.2 Mbit/s on the air");
}

#[test]
fn a_page_is_folded_and_nothing_in_it_speaks_to_the_terminal() {
    let mut hostile = planted();
    hostile.interfaces[0].ssid = Some("\u{1b}[2Jx\u{202e}\n".to_owned());
    for columns in [0, 60, 80, 1000] {
        let lines = page(&examine(&hostile), columns);
        assert!(lines.iter().all(|(_, line)| !line.chars().any(|c| c.is_control() || c == '\u{202e}')));
        let command = |line: &str| line.starts_with("  mend") || line.starts_with("  keep");
        let width = columns.clamp(60, 120);
        for (_, line) in &lines {
            let unbroken = line.trim_start().split("  ").last().unwrap_or("").split(' ').count() == 1;
            assert!(
                command(line) || line.starts_with('D') || unbroken || line.chars().count() <= width,
                "{line}"
            );
        }
    }
}

#[test]
fn what_is_no_snapshot_is_refused() {
    let sound = include_str!("sound.json");
    let word = sound.replace("\"sent\": 24562", "\"sent\": \"many\"");
    let role = sound.replace("\"station\"", "\"client\"");
    let twice = format!("{sound}{sound}");
    for (text, message) in [
        ("", "is no snapshot of a machine: it is empty; `--snapshot` takes one, "),
        (" \n", "is no snapshot of a machine: it is empty; "),
        ("hello", "is no snapshot of a machine: it is not JSON at line 1, column 1; "),
        ("{\"a\": {\n", "is no snapshot of a machine: it ends too early, at line 2, column 0; "),
        (&sound[..200], "is no snapshot of a machine: it ends too early, at line "),
        (&"[".repeat(200), "is no snapshot of a machine: it ends too early, at line 1, column 200; "),
        ("[1]", "is no snapshot of a machine: it is JSON, but no object; "),
        ("null", "is no snapshot of a machine: it is JSON, but no object; "),
        ("{}", "is no snapshot of a machine: missing field `format` at line 1 column 2; `--snapshot` "),
        (
            "{\"schema\": \"airloom-doctor/1\", \"format\": 1}",
            "is no snapshot of a machine: its schema is \"airloom-doctor/1\", not \"airloom-snapshot/1\"; ",
        ),
        (
            &sound.replacen('{', "{\"schema\": \"airloom-snapshot/2\", ", 1),
            "is no snapshot of a machine: its schema is \"airloom-snapshot/2\", not \"airloom-snapshot/1\"; ",
        ),
        (
            &sound.replacen('{', "{\"schema\": 5, ", 1),
            "is no snapshot of a machine: its schema is 5, not \"airloom-snapshot/1\"; ",
        ),
        (
            &word,
            "is no snapshot of a machine: interfaces[0].peers[0].sent: invalid type: string \"many\", expected u64 at line ",
        ),
        (
            &role,
            "is no snapshot of a machine: interfaces[0].role: unknown variant `client`, expected one of `station`, ",
        ),
        (&twice, "is no snapshot of a machine: it is not JSON at line "),
        (
            &sound.replace("\"mac\": \"02", "\"mac\": \"../02"),
            "has the address \"../02:00:00:00:01:00\", which is none of a station",
        ),
    ] {
        let said = Snapshot::parse(text).unwrap_err();
        assert!(said.starts_with(message), "{said}");
    }
    let other = include_str!("sound.json").replacen("\"format\": 1", "\"format\": 2", 1);
    assert_eq!(
        Snapshot::parse(&other).unwrap_err(),
        "has format 2, where 1 is known; `--snapshot` takes one, `--schema` says what is in it"
    );
}

#[test]
fn no_name_gets_out_of_the_command_that_it_is_part_of() {
    const HOSTILE: &str = "w$(touch hit)`touch hit`;touch hit;'\"\n#";
    let folder = std::env::temp_dir().join(format!("airloom-doctor-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut machines = vec![planted(), recorded(include_str!("weak.json")), access_point()];
    machines.push(with(|interface| interface.heard[0].can.width_mhz = 80));
    machines.push(with(|interface| {
        interface.peers[0].signal_dbm = Some(-75);
        interface.heard.push(Heard { mac: HOSTILE.to_owned(), signal_dbm: -50, ..Heard::default() });
    }));
    machines[2].radios[0].aql_enable = Some("0".to_owned());
    machines[2].radios[0].airtime_flags = Some(String::new());
    let mut run = std::collections::BTreeSet::new();
    for mut machine in machines {
        for interface in &mut machine.interfaces {
            HOSTILE.clone_into(&mut interface.name);
            interface.manager.get_or_insert_default().connection = Some(HOSTILE.to_owned());
        }
        for radio in &mut machine.radios {
            HOSTILE.clone_into(&mut radio.name);
        }
        for finding in examine(&machine).findings {
            for line in std::iter::once(&finding.command).chain(&finding.keep) {
                let line = format!(
                    "sudo() {{ cat > /dev/null; }}; nmcli() {{ :; }}; iw() {{ :; }}\n{line} < /dev/null"
                );
                let done = std::process::Command::new("sh").args(["-c", &line]).current_dir(&folder).status();
                assert!(done.unwrap().success(), "{line}");
                assert!(!folder.join("hit").exists(), "{line}");
            }
            run.insert(finding.code);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    for code in ["D101", "D102", "D103", "D104", "D105", "D201", "D202", "D203"] {
        assert!(run.contains(code), "{code} is not among {run:?}");
    }
}

#[test]
fn a_snapshot_says_what_it_is_and_is_read_again() {
    let text = serde_json::to_string(&Document::snapshot(&planted())).unwrap();
    assert!(text.starts_with(r#"{"schema":"airloom-snapshot/1","format":1,"#), "{}", &text[..60]);
    assert_eq!(recorded(&text), planted());
    let told = serde_json::to_string(&Document::examination(&examine(&planted()))).unwrap();
    assert!(told.starts_with(r#"{"schema":"airloom-doctor/1","kernel":"#), "{}", &told[..60]);
}

#[test]
fn the_exit_code_says_what_was_found() {
    let came = |options: &[&str], machine: &str| {
        let file = format!("{}/tests/machines/{machine}.json", env!("CARGO_MANIFEST_DIR"));
        let mut doctor = std::process::Command::new(env!("CARGO_BIN_EXE_airloom-doctor"));
        let done = doctor.args(options).arg(file).output().unwrap();
        (done.status.code().unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    for (options, machine, code) in [
        (&[][..], "planted", 0),
        (&["--fail-on", "any"], "planted", 1),
        (&["--json", "--fail-on", "D301,D101"], "planted", 1),
        (&["--fail-on", "D301"], "planted", 0),
        (&["--fail-on", "any"], "sound", 0),
    ] {
        assert_eq!(came(options, machine), (code, String::new()), "{options:?} {machine}");
    }
    let (code, said) = came(&["--fail-on", "D101,D999"], "sound");
    assert_eq!(code, 2);
    assert!(said.contains("no code \"D999\"; there are any and D101, "), "{said}");
}
