//! What a monitor and the station capture of worlds in which it is known what happens: `airloom diagnose` is held against them.

use crate::bed::{Bed, HOME, SINK, connected, second_access_point_down, second_access_point_up};
use crate::check::{check, expect, run, s, write};
use crate::doze::Dozing;
use std::fs;
use std::io::Write;
use std::net::{TcpStream, UdpSocket};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

/// The folder of the captures.
const OUT: &str = "/run/captures";
/// Octets that are kept of a packet: headers, and of a beacon all up to the frames that wait.
const OCTETS: &str = "96";
/// What is captured at each place. The monitor's radiotap headers, of ACKs and of other frames, name channel 36: a real one hears
/// no other either.
const PLACES: [(&str, &str, &str); 2] = [
    ("hwsim0", "air", "(radio[2]==14 and radio[10:2]==0x3c14) or (radio[2]==22 and radio[18:2]==0x3c14)"),
    ("wlan0", "station", "ip"),
];

pub(crate) fn checks() {
    fs::create_dir_all(OUT).expect("the system is in memory");
    legacy();
    // A module that is there is not loaded again: the cell has a third radio.
    run("modprobe mac80211_hwsim radios=3");
    let bed = Bed::up();
    bed.quiet();
    world("quiet", || program(|| sleep(s(6))));
    world("scans", || program(|| scan(&bed)));
    world("dozes", dozes);
    let second = second_access_point_up();
    scan(&bed);
    let at_second = || run("iw dev wlan0 link").contains(&second);
    world("roam", || {
        program(|| {
            sleep(s(2));
            let said = run(&format!("wpa_cli -i wlan0 roam {second}"));
            sleep(s(2));
            check("the station roams", at_second() && connected(), &said);
        });
    });
    world("lost", || {
        program(|| {
            sleep(s(2));
            second_access_point_down();
            expect("the station finds the other access point", s(60), || connected() && !at_second());
            sleep(s(2));
        });
    });
    super::hand_out(OUT);
}

/// All channels are scanned.
fn scan(bed: &Bed) {
    sleep(s(1));
    let before = bed.capture.count();
    let said = run("iw dev wlan0 scan trigger");
    check("a scan is accepted", said.is_empty(), &said);
    expect("a scan begins", s(10), || bed.capture.count() > before);
    bed.quiet();
}

/// A datagram now and then for a station that dozes.
fn dozes() {
    // What nobody listens to would be answered, and so wake the station.
    let listener = UdpSocket::bind("10.9.0.2:9");
    let dozing = Dozing::begin(Duration::from_millis(20));
    let each = "for i in {1..24}; do echo hello >/dev/udp/10.9.0.2/9; sleep 0.33; done";
    let sent = Command::new("ip").args(["netns", "exec", "ap", "bash", "-c", each]).status();
    dozing.end();
    check("data goes to a station that dozes", sent.is_ok_and(|status| status.success()), each);
    drop(listener);
}

/// With 802.11n the simulated radio's monitor tells rates that are not those of the frames (`mac80211_hwsim`, Linux 6.1).
fn legacy() {
    let text = fs::read_to_string(HOME).unwrap_or_default();
    write(HOME, &text.replace("ieee80211n=1", "ieee80211n=0"));
}

/// Captures what happens.
fn world(name: &str, happens: impl FnOnce()) {
    let captures = PLACES.map(|(interface, place, filter)| {
        let file = format!("{OUT}/{name}.{place}.pcap");
        let options =
            ["-i", interface, "--immediate-mode", "-U", "-Z", "root", "-s", OCTETS, "-w", &file, filter];
        let tcpdump = Command::new("tcpdump")
            .args(options)
            .stderr(Stdio::null())
            .spawn()
            .expect("tcpdump is installed");
        expect("a capture begins", s(10), || length(&file) > 0);
        (file, tcpdump)
    });
    happens();
    for (file, mut tcpdump) in captures {
        run(&format!("kill -INT {}", tcpdump.id()));
        let ended = tcpdump.wait().is_ok_and(|status| status.success());
        check("a capture is complete", ended, &format!("{file}, {} octets", length(&file)));
    }
}

/// What happens while a program sends data all the time.
fn program(happens: impl FnOnce()) {
    let moving = Arc::new(AtomicBool::new(true));
    let sends = Arc::clone(&moving);
    let program = thread::spawn(move || trickle(&sends));
    happens();
    moving.store(false, Ordering::Relaxed);
    let _ = program.join();
}

/// A little data again and again: often enough to show when the station is away, and of lengths that tell packets apart.
fn trickle(moving: &AtomicBool) {
    let mut stream = TcpStream::connect(SINK).expect("the sink listens");
    stream.set_write_timeout(Some(s(5))).expect("it is not zero");
    stream.set_nodelay(true).expect("it is a socket");
    let mut length = 1;
    while moving.load(Ordering::Relaxed) {
        // The powers of 3 modulo a prime of which it is a generator.
        length = length * 3 % 1999;
        if stream.write_all(&vec![0; length]).is_err() {
            check("the program can send", false, "not within 5 s");
            return;
        }
        sleep(Duration::from_millis(20));
    }
}

fn length(file: &str) -> u64 {
    fs::metadata(file).map_or(0, |data| data.len())
}
