//! What a monitor and the station capture of worlds in which it is known what happens: `airloom diagnose` is held against them.

use crate::bed::{Bed, SINK};
use crate::check::{check, expect, run, s, write};
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

/// The folder of the captures.
const OUT: &str = "/run/captures";
/// The serial port over which they leave the machine.
const PORT: &str = "/dev/ttyS2";
/// Octets that are kept of a packet: headers, and of a beacon all up to the frames that wait.
const OCTETS: &str = "96";
/// What is captured at each place. The monitor's radiotap headers, of ACKs and of other frames, name channel 36: a real one hears
/// no other either.
const PLACES: [(&str, &str, &str); 2] = [
    ("hwsim0", "air", "(radio[2]==14 and radio[10:2]==0x3c14) or (radio[2]==22 and radio[18:2]==0x3c14)"),
    ("wlan0", "station", "ip"),
];
const CONFIG: &str = "/etc/hostapd/home.conf";

pub(crate) fn checks() {
    fs::create_dir_all(OUT).expect("the system is in memory");
    legacy();
    let bed = Bed::up();
    bed.quiet();
    world("quiet", || sleep(s(6)));
    world("scans", || {
        sleep(s(1));
        let before = bed.capture.count();
        let said = run("iw dev wlan0 scan trigger");
        check("a scan is accepted", said.is_empty(), &said);
        expect("a scan begins", s(10), || bed.capture.count() > before);
        bed.quiet();
    });
    hand_out();
}

/// With 802.11n the simulated radio's monitor tells rates that are not those of the frames (`mac80211_hwsim`, Linux 6.1).
fn legacy() {
    let text = fs::read_to_string(CONFIG).unwrap_or_default();
    write(CONFIG, &text.replace("ieee80211n=1", "ieee80211n=0"));
}

/// Captures what happens while a program sends data all the time.
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
    let moving = Arc::new(AtomicBool::new(true));
    let program = {
        let moving = Arc::clone(&moving);
        thread::spawn(move || trickle(&moving))
    };
    happens();
    moving.store(false, Ordering::Relaxed);
    let _ = program.join();
    for (file, mut tcpdump) in captures {
        run(&format!("kill -INT {}", tcpdump.id()));
        let ended = tcpdump.wait().is_ok_and(|status| status.success());
        check("a capture is complete", ended, &format!("{file}, {} octets", length(&file)));
    }
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

/// Sends all captures out of the machine, as an archive.
fn hand_out() {
    run(&format!("stty -F {PORT} raw -echo"));
    let tar = Command::new("tar").args(["-C", OUT, "-czf", PORT, "."]).status();
    check("the captures leave the machine", tar.is_ok_and(|status| status.success()), PORT);
}
