//! The cell: a station that NetworkManager manages, an access point in a network namespace of its own, and a transfer.

use crate::PROGRAM;
use crate::capture::Capture;
use crate::check::{expect, run, run_words, s, until, write};
use airloom_daemon::control::Control;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

/// The transfer's rate: twice what is enough to be one, and little work for an emulated machine.
const RATE: usize = 25_000;
/// Where the access point takes in data.
pub(crate) const SINK: &str = "10.9.0.1:9";
const ACCESS_POINT: &str = "hostapd -B -f /run/hostapd.log /etc/hostapd/home.conf";
/// The access points' configurations.
pub(crate) const HOME: &str = "/etc/hostapd/home.conf";
const SECOND: &str = "/etc/hostapd/second.conf";
/// What NetworkManager gives a network of one access point.
pub(crate) const BGSCAN: &str = "\"simple:30:-70:86400\"";

/// A scan takes eight seconds. iw spins without end when its socket has no room left for the results (ENOBUFS), and would take the
/// machine's processor until the set is over.
pub(crate) const IW: &str = "timeout 20 iw dev wlan0 scan";

/// The cell.
pub(crate) struct Bed {
    /// What the monitor interface hears of the station.
    pub(crate) capture: Capture,
    moving: Arc<AtomicBool>,
}

impl Bed {
    /// Builds it and waits until the station is connected.
    pub(crate) fn up() -> Self {
        Self::with(connected)
    }

    /// Builds it, and tries for as long as it takes until the station connects.
    pub(crate) fn with(connects: impl FnMut() -> bool) -> Self {
        // Panama: few enough channels for wpa_supplicant's limit of ten seconds a scan.
        run("modprobe mac80211_hwsim radios=2");
        run("iw reg set PA");
        expect("the regulatory domain is set", s(10), || run("iw reg get").contains("country PA"));
        run("ip netns add ap");
        run("iw phy phy1 set netns name ap");
        run("ip link set hwsim0 up");
        access_point_up();
        run("ip -n ap address add 10.9.0.1/24 dev wlan1");
        // With 20 dBm a frame's strength at the station is the debugfs value below plus 20 dB.
        run("ip netns exec ap iw dev wlan1 set txpower fixed 2000");
        signal(-50);
        let bed = Self {
            capture: Capture::begin(&station_address()).expect("tcpdump is installed"),
            moving: Arc::new(AtomicBool::new(false)),
        };
        expect("the station connects", s(120), connects);
        bed.transfer();
        bed
    }

    /// Starts the thread that moves data while [`Bed::moves`] says so.
    fn transfer(&self) {
        thread::spawn(|| run(&format!("ip netns exec ap {PROGRAM} sink")));
        let moving = Arc::clone(&self.moving);
        thread::spawn(move || {
            let mut stream: Option<TcpStream> = None;
            loop {
                sleep(Duration::from_millis(100));
                if moving.load(Ordering::Relaxed) {
                    stream = stream.or_else(|| TcpStream::connect(SINK).ok());
                    stream = stream.filter(|mut stream| stream.write_all(&[0; RATE / 10]).is_ok());
                }
            }
        });
    }

    /// Has a transfer go on, or not.
    pub(crate) fn moves(&self, moving: bool) {
        self.moving.store(moving, Ordering::Relaxed);
    }

    /// Waits until background scanning has made a scan, and that scan is over.
    pub(crate) fn background_scan(&self, limit: Duration) -> Option<Duration> {
        let before = self.capture.count();
        let came = until(limit, || self.capture.count() > before)?;
        self.quiet();
        Some(came)
    }

    /// Waits until no scan goes on.
    pub(crate) fn quiet(&self) {
        let mut last = self.capture.count();
        let mut since = std::time::Instant::now();
        expect("scans end", s(60), || {
            let count = self.capture.count();
            if count != last {
                (last, since) = (count, std::time::Instant::now());
            }
            since.elapsed() > s(3)
        });
    }
}

/// Takes radios and daemons away and starts the daemons anew, as if the machine had just booted.
pub(crate) fn down() {
    run("systemctl stop airloom-guard NetworkManager wpa_supplicant");
    // NetworkManager asks for a new passphrase where a network that it has used before is not there at once.
    run("rm -f /var/lib/NetworkManager/timestamps /etc/systemd/system/airloom-guard.service.d/abort.conf");
    run("systemctl daemon-reload");
    run("systemctl reset-failed");
    run_words(&["sh", "-c", "kill -9 $(ip netns pids ap) $(pidof tcpdump)"]);
    run("ip netns delete ap");
    // Radios are numbered from 0 again once cfg80211 is gone.
    run("modprobe -r mac80211_hwsim mac80211 cfg80211");
    run("journalctl --rotate --vacuum-time=1us");
    run("systemctl start NetworkManager wpa_supplicant");
}

/// The transfer's other end.
pub(crate) fn sink() {
    take_in(&TcpListener::bind(SINK).expect("the access point has its address"));
}

/// Takes in datagrams, none of which is answered then.
pub(crate) fn listen() {
    let socket = UdpSocket::bind(SINK).expect("the access point has its address");
    while socket.recv(&mut [0; 2048]).is_ok() {}
}

/// Takes in whatever is sent.
pub(crate) fn take_in(listener: &TcpListener) {
    for mut stream in listener.incoming().flatten() {
        thread::spawn(move || {
            let mut octets = [0; 65_536];
            while stream.read(&mut octets).is_ok_and(|n| n > 0) {}
        });
    }
}

/// Starts the access point and waits until it sends beacons.
pub(crate) fn access_point_up() {
    run(&format!("ip netns exec ap {ACCESS_POINT}"));
    sends_beacons("/run/hostapd", "wlan1");
}

/// Waits until the access point with this control socket sends beacons.
fn sends_beacons(control: &str, interface: &str) {
    expect("the access point is up", s(20), || {
        run(&format!("hostapd_cli -p {control} -i {interface} status")).contains("state=ENABLED")
    });
}

/// Sets up an access point of the same network on the same channel with a third radio, bridged with the first, and returns its
/// address.
pub(crate) fn second_access_point_up() -> String {
    run("iw phy phy2 set netns name ap");
    for step in [
        "link add br0 type bridge",
        "address del 10.9.0.1/24 dev wlan1",
        "address add 10.9.0.1/24 dev br0",
        "link set br0 up",
        "link set wlan1 master br0",
    ] {
        run(&format!("ip -n ap {step}"));
    }
    let first = fs::read_to_string(HOME).unwrap_or_default();
    write(
        SECOND,
        &format!("bridge=br0\n{}", first.replace("wlan1", "wlan2").replace("/run/hostapd", "/run/hostapd2")),
    );
    run(&format!("ip netns exec ap hostapd -B -f /run/hostapd2.log {SECOND}"));
    sends_beacons("/run/hostapd2", "wlan2");
    run("ip netns exec ap cat /sys/class/net/wlan2/address")
}

/// The second access point vanishes without a word.
pub(crate) fn second_access_point_down() {
    run(&format!("pkill -9 -f {SECOND}"));
    run("ip -n ap link set wlan2 down");
}

/// The access point vanishes without a word, as one that loses its power: its beacons end.
pub(crate) fn access_point_down() {
    run("pkill -9 hostapd");
    run("ip -n ap link set wlan1 down");
}

/// The access point throws the station out.
pub(crate) fn deauthenticate() {
    run(&format!("hostapd_cli -p /run/hostapd -i wlan1 deauthenticate {}", station_address()));
}

/// Sets the signal at the station, in dBm.
pub(crate) fn signal(dbm: i64) {
    // The driver reads an unsigned number; what is meant is its two's complement.
    let value = (dbm - 20).cast_unsigned();
    write("/sys/kernel/debug/ieee80211/phy1/hwsim/rx_rssi", &value.to_string());
}

/// The station's MAC address.
pub(crate) fn station_address() -> String {
    fs::read_to_string("/sys/class/net/wlan0/address").unwrap_or_default().trim().to_owned()
}

/// What wpa_supplicant replies for the station, or what keeps it from replying. Waiting asks thousands of times.
fn supplicant(command: &str) -> String {
    let reply = Control::of("wlan0", s(10)).and_then(|control| control.ask(command));
    reply.unwrap_or_else(|e| format!("{command}: {e}"))
}

/// wpa_supplicant's state, in its own words.
pub(crate) fn state() -> String {
    let status = supplicant("STATUS");
    status.lines().find_map(|line| line.strip_prefix("wpa_state=")).unwrap_or("?").to_owned()
}

/// Whether the station is connected.
pub(crate) fn connected() -> bool {
    state() == "COMPLETED"
}

/// How often the link was lost so far.
pub(crate) fn disconnects() -> usize {
    run("journalctl --no-pager --unit wpa_supplicant --grep CTRL-EVENT-DISCONNECTED --output cat")
        .lines()
        .filter(|line| line.contains("CTRL-EVENT-DISCONNECTED"))
        .count()
}

/// The network's background scanning, as wpa_supplicant's control socket shows it.
pub(crate) fn bgscan() -> String {
    let networks = supplicant("LIST_NETWORKS");
    let id =
        networks.lines().find(|line| line.contains("[CURRENT]")).and_then(|line| line.split('\t').next());
    supplicant(&format!("GET_NETWORK {} bgscan", id.unwrap_or("0")))
}

/// Starts a program that goes on beside this one.
pub(crate) fn spawn(line: &str) -> Child {
    let words: Vec<_> = line.split_whitespace().collect();
    Command::new(words[0])
        .args(&words[1..])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the guest has what it needs")
}
