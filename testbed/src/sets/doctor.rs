//! `airloom-doctor` on a sound laptop, on one with faults that were planted with the tools that plant them in life, and on one that
//! its own commands have mended.

use crate::bed::{Bed, SINK, signal, spawn};
use crate::check::{check, expect, run, run_words, s, until};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::thread::{self, sleep};
use std::time::Duration;

/// What it reads of the machine, for the tests that have none.
const OUT: &str = "/run/snapshots";
const DOCTOR: &str = "/opt/airloom-doctor";

/// The faults: what plants each, and the code of the finding.
const FAULTS: [(&str, &str); 7] = [
    ("iw dev wlan0 set power_save on", "D101"),
    ("wpa_cli -i wlan0 set_network 0 bgscan '\"simple:20:-40:60\"'", "D102"),
    ("iw dev wlan0 set bitrates legacy-5 6 ht-mcs-5", "D104"),
    ("tc qdisc replace dev wlan0 root pfifo_fast", "D201"),
    ("sysctl -w net.ipv4.tcp_sack=0", "D401"),
    ("sysctl -w net.ipv4.tcp_rmem='4096 16384 32768'", "D402"),
    ("sysctl -w net.ipv4.tcp_congestion_control=reno", "D403"),
];

pub(crate) fn checks() {
    fs::create_dir_all(OUT).expect("the system is in memory");
    let bed = Bed::up();
    bed.quiet();
    bed.moves(true);
    sleep(s(3));
    collects(&bed);
    upload();
    sleep(s(5));
    let sound = codes(&examined("sound"));
    check("nothing is found on a sound machine", sound.is_empty(), &sound.join(" "));
    for (plants, _) in FAULTS {
        let said = run_words(&["sh", "-c", plants]);
        check(
            "a fault is planted",
            !said.contains("rror") && !said.contains("FAIL"),
            &format!("{plants}: {said}"),
        );
    }
    sleep(s(3));
    let planted = examined("planted");
    let expected: Vec<_> = FAULTS.iter().map(|(_, code)| *code).collect();
    check(
        "each planted fault is found, and no other",
        codes(&planted) == expected,
        &codes(&planted).join(" "),
    );
    for finding in planted["findings"].as_array().into_iter().flatten() {
        let command = finding["command"].as_str().unwrap_or("false").replace("sudo ", "");
        let said = run_words(&["sh", "-c", &command]);
        println!("     {command}: {said}");
    }
    // Minstrel-HT of Linux 6.1 may keep to a low rate long after a mask has gone, and after the station has connected anew.
    run("nmcli connection up home");
    sleep(s(8));
    let mut mended = codes(&examined("mended"));
    mended.retain(|code| code != "D104");
    check(
        "what it says mends them, but for the rate, which comes back in its own time",
        mended.is_empty(),
        &mended.join(" "),
    );
    signal(-80);
    sleep(s(5));
    let weak = codes(&examined("weak"));
    check("at a weak signal it finds what NetworkManager has set", weak == ["D102"], &weak.join(" "));
    println!("{}", run(&format!("ip netns exec ap {DOCTOR}")));
    println!("{}", run(&format!("setpriv --reuid=65534 --regid=65534 --clear-groups {DOCTOR}")));
    let none = run(&format!("unshare --net {DOCTOR}"));
    check(
        "without Wi-Fi it says so in a line",
        none.lines().count() == 1 && none.contains("no Wi-Fi"),
        &none,
    );
    crate::sets::hand_out(OUT);
}

/// Records during a scan; and ends when it is asked to, by any signal.
fn collects(bed: &Bed) {
    let mut collecting = spawn(&format!("{DOCTOR} collect --seconds 20 {OUT}/collected"));
    sleep(s(8));
    let before = bed.capture.count();
    run("iw dev wlan0 scan trigger");
    expect("a scan begins", s(10), || bed.capture.count() > before);
    let done = collecting.wait().is_ok_and(|status| status.success());
    let events = fs::read_to_string(format!("{OUT}/collected/events.jsonl")).unwrap_or_default();
    let both = ["scan_started", "scan_done"].iter().all(|event| events.contains(event));
    let lines = run(&format!("wc -lc {OUT}/collected/events.jsonl {OUT}/collected/sockets.jsonl"));
    check("a minute is recorded, with the scan in it", done && both, &lines);
    println!("{}", run(&format!("cat {OUT}/collected/collected.json")));
    for signal in ["INT", "TERM", "KILL"] {
        let mut collecting = spawn(&format!("{DOCTOR} collect --seconds 600 /run/collected-{signal}"));
        let file = format!("/run/collected-{signal}/wlan0.pcap");
        expect("it records", s(20), || fs::metadata(&file).is_ok_and(|file| file.len() > 1000));
        run(&format!("kill -{signal} {}", collecting.id()));
        let well = collecting.wait().is_ok_and(|status| status.success());
        let gone = until(s(5), || run("pgrep -f tcpdump.*wlan0").is_empty());
        let whole = run(&format!("tcpdump -n -r {file}"));
        let whole = !whole.contains("truncated") && whole.lines().count() > 5;
        let said = format!(
            "{whole} {} {}",
            gone.is_some(),
            run(&format!("ls /run/collected-{signal}")).replace('\n', " ")
        );
        check(
            &format!("it ends well with SIG{signal}"),
            (well || signal == "KILL") && gone.is_some() && whole,
            &said,
        );
    }
    let again = run(&format!("{DOCTOR} collect --seconds 1 {OUT}/collected"));
    check("a folder that is there stays", again.contains("exists"), &again);
    let user = run(&format!("setpriv --reuid=65534 --regid=65534 --clear-groups {DOCTOR} collect /tmp/x"));
    check("without root it says so", user.contains("need root") && user.lines().count() == 1, &user);
}

/// An upload of some 500 packets a second, from which rate control learns what the link can do.
fn upload() {
    thread::spawn(|| {
        while let Ok(mut stream) = TcpStream::connect(SINK) {
            while stream.write_all(&[0; 72_400]).is_ok() {
                sleep(Duration::from_millis(100));
            }
        }
    });
}

/// Examines the machine, shows the page and keeps the snapshot.
fn examined(name: &str) -> Value {
    let file = format!("{OUT}/{name}.json");
    let said = run(&format!("{DOCTOR} --snapshot"));
    fs::write(&file, &said).expect("the system is in memory");
    println!("{}", run(&format!("{DOCTOR} {file}")));
    let said = run(&format!("{DOCTOR} --json {file}"));
    // What is no examination has a finding of its own, so that it is never taken for one of a sound machine.
    let none = || json!({ "findings": [{ "code": said }] });
    serde_json::from_str(&said).ok().filter(|value: &Value| value["findings"].is_array()).unwrap_or_else(none)
}

fn codes(examination: &Value) -> Vec<String> {
    let findings = examination["findings"].as_array().into_iter().flatten();
    findings.filter_map(|finding| Some(finding["code"].as_str()?.to_owned())).collect()
}
