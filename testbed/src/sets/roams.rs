//! Walks from one access point to another, with wpa_supplicant or iwd in charge: what a monitor captures of them. The simulated stations
//! are held against that.

use crate::PROGRAM;
use crate::bed::{HOME, station_address};
use crate::check::{check, expect, run, s, until, write};
use std::fmt::Write;
use std::fs;
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The folder of what leaves the machine.
pub(super) const OUT: &str = "/run/roams";
/// Walks, one a line: of each second the levels of the two access points in dBm.
pub(super) const WALKS: &str = include_str!("../../../tests/beside_daemons/walks.txt");
/// Octets of a frame that are kept: its headers, and of a message of keys what tells which.
const OCTETS: &str = "256";
/// Beacons and what is acknowledged tell nothing that is not known.
const FRAMES: &str = "not type ctl and not type mgt subtype beacon";

/// The two access points: interface, radio and channel.
const POINTS: [(&str, &str, &str); 2] = [("wlan1", "phy1", "36"), ("wlan2", "phy2", "44")];
/// What every access point of a domain of fast transitions has (802.11r).
const FAST: &str =
    "wpa_key_mgmt=FT-PSK\nmobility_domain=a1b2\nft_psk_generate_local=1\nft_over_ds=0\npmk_r1_push=0\n";

pub(crate) fn checks() {
    up();
    thread::spawn(|| run(&format!("ip netns exec ap {PROGRAM} listen")));
    for (daemon, fast) in MANAGERS {
        points_up(fast);
        let name = daemon.called(fast);
        let seen = Seen::begin(&name, FRAMES);
        let began = WALKS.lines().map(|line| walk(&daemon, fast, &steps(line), Sends::begin));
        write(&format!("{OUT}/{name}.began"), &marks(began));
        seen.end();
        points_down();
    }
    super::hand_out(OUT);
}

/// When walks began, one a line.
pub(super) fn marks(began: impl Iterator<Item = Duration>) -> String {
    began.fold(String::new(), |mut marks, began| {
        let _ = writeln!(marks, "{}.{:06}", began.as_secs(), began.subsec_micros());
        marks
    })
}

/// The machine without daemons of its own, and with simulated radios; it says what it is.
pub(super) fn up() {
    fs::create_dir_all(OUT).expect("the system is in memory");
    run("systemctl stop NetworkManager wpa_supplicant iwd");
    run("systemctl mask NetworkManager wpa_supplicant");
    let versions = run("dpkg-query --show wpasupplicant hostapd iwd").replace(['\t', '\n'], " ");
    write(&format!("{OUT}/made-by"), &format!("Linux {}; {versions}", run("uname -r")));
    air();
}

/// Radios, two of them access points' in a network namespace of their own, bridged.
fn air() {
    // Of the hosts only what is sent here shall be on the air.
    run("sysctl -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1");
    run("modprobe mac80211_hwsim radios=3");
    run("iw reg set PA");
    expect("the regulatory domain is set", s(10), || run("iw reg get").contains("country PA"));
    run("ip netns add ap");
    run("ip link set hwsim0 up");
    run("ip -n ap link add br0 type bridge");
    run("ip -n ap address add 10.9.0.1/24 dev br0");
    run("ip -n ap link set br0 up");
    for (interface, phy, _) in POINTS {
        run(&format!("iw phy {phy} set netns name ap"));
        run(&format!("ip netns exec ap iw dev {interface} set txpower fixed 0"));
    }
}

/// Starts both access points and waits until they send beacons.
pub(super) fn points_up(fast: bool) {
    let home = fs::read_to_string(HOME).unwrap_or_default();
    for (interface, phy, channel) in POINTS {
        let control = format!("/run/hostapd-{interface}");
        let mut text = home
            .replace("wlan1", interface)
            .replace("/run/hostapd", &control)
            .replace("channel=36", &format!("channel={channel}"))
            // With 802.11n the monitor tells rates that are not those of the frames.
            .replace("ieee80211n=1", "ieee80211n=0");
        text.push_str("bridge=br0\n");
        if fast {
            text = text.replace("wpa_key_mgmt=WPA-PSK\n", FAST);
            let _ = write!(text, "nas_identifier={interface}\nr1_key_holder=0000000000{channel}\n");
        }
        let file = format!("/run/{interface}.conf");
        write(&file, &text);
        run(&format!("ip netns exec ap hostapd -B -f /run/hostapd-{phy}.log {file}"));
        expect("the access point is up", s(20), || {
            run(&format!("hostapd_cli -p {control} -i {interface} status")).contains("state=ENABLED")
        });
    }
}

/// Ends both access points.
pub(super) fn points_down() {
    run("pkill hostapd");
    sleep(s(1));
}

/// The levels of the two access points in a second of a walk.
pub(super) type Step = [i64; 2];

/// A walk, from its line.
pub(super) fn steps(line: &str) -> Vec<Step> {
    let step = |word: &str| {
        let (one, other) = word.split_once('/')?;
        Some([one.parse().ok()?, other.parse().ok()?])
    };
    line.split_whitespace().filter_map(step).collect()
}

/// Sets what a station receives of an access point, in dBm. The driver adds the sender's power, 0 dBm, and reads an unsigned number.
fn level(phy: &str, dbm: i64) {
    write(&format!("/sys/kernel/debug/ieee80211/{phy}/hwsim/rx_rssi"), &dbm.cast_unsigned().to_string());
}

fn levels(of: Step) {
    for ((_, phy, _), dbm) in POINTS.into_iter().zip(of) {
        level(phy, dbm);
    }
}

/// One walk of a station that has just connected, with what it sends or receives; when it began, since the epoch.
pub(super) fn walk<Load>(
    daemon: &Daemon,
    fast: bool,
    steps: &[Step],
    load: impl FnOnce() -> Load,
) -> Duration {
    levels(steps[0]);
    (daemon.start)(fast);
    expect("the station connects", s(60), connected);
    run("ip address replace 10.9.0.2/24 dev wlan0");
    let (began, since) = (SystemTime::now().duration_since(UNIX_EPOCH), Instant::now());
    let load = load();
    for (second, of) in (0..).zip(steps) {
        sleep(s(second).saturating_sub(since.elapsed()));
        levels(*of);
    }
    sleep(s(1));
    drop(load);
    let there = run("iw dev wlan0 link").contains("freq: 5220");
    check(
        "the station has gone to the other access point",
        there,
        &run("iw dev wlan0 link").replace('\n', " "),
    );
    (daemon.stop)();
    until(s(10), || !connected());
    began.expect("the clock is right")
}

/// Whether the station may send data.
fn connected() -> bool {
    run("iw dev wlan0 station dump").contains("authorized:\tyes")
}

/// Who decides.
pub(super) struct Daemon {
    name: &'static str,
    start: fn(bool),
    stop: fn(),
}

impl Daemon {
    /// Its name, between access points of a domain of fast transitions or not.
    pub(super) fn called(&self, fast: bool) -> String {
        format!("{}{}", self.name, if fast { "-ft" } else { "" })
    }
}

/// All that walk, and whether between access points of a domain of fast transitions.
pub(super) const MANAGERS: [(Daemon, bool); 3] =
    [(WPA_SUPPLICANT, false), (IWD, false), (WPA_SUPPLICANT, true)];

const WPA_SUPPLICANT: Daemon = Daemon {
    name: "wpa_supplicant",
    start: |fast| {
        let keys = if fast { "FT-PSK" } else { "WPA-PSK" };
        // Background scanning as NetworkManager sets it for a network of several access points; of the channels that the network has.
        write(
            "/run/wpa.conf",
            &format!(
                "ctrl_interface=/run/wpa_supplicant\nnetwork={{\nssid=\"home\"\nkey_mgmt={keys}\npsk=\"a long passphrase\"\n\
                 scan_freq=5180 5220\nbgscan=\"simple:30:-65:300\"\n}}\n"
            ),
        );
        run("wpa_supplicant -B -i wlan0 -c /run/wpa.conf ");
    },
    stop: || {
        run("wpa_cli -i wlan0 terminate");
    },
};

const IWD: Daemon = Daemon {
    name: "iwd",
    start: |_| {
        // It keeps the interface that is there, and knows the network and none of its channels.
        write("/etc/iwd/main.conf", "[DriverQuirks]\nDefaultInterface=mac80211_hwsim\n");
        let _ = fs::remove_dir_all("/var/lib/iwd");
        let _ = fs::create_dir_all("/var/lib/iwd");
        write("/var/lib/iwd/home.psk", "[Security]\nPassphrase=a long passphrase\n");
        run("systemctl start iwd");
    },
    stop: || {
        run("systemctl stop iwd");
    },
};

/// A capture of the monitor interface that goes on.
pub(super) struct Seen(String, Child);

impl Seen {
    /// Begins one of these frames.
    pub(super) fn begin(name: &str, frames: &str) -> Self {
        let file = format!("{OUT}/{name}.pcap");
        let options =
            ["-i", "hwsim0", "--immediate-mode", "-U", "-Z", "root", "-s", OCTETS, "-w", &file, frames];
        let tcpdump = Command::new("tcpdump")
            .args(options)
            .stderr(Stdio::null())
            .spawn()
            .expect("tcpdump is installed");
        let length = || fs::metadata(&file).map_or(0, |data| data.len());
        expect("a capture begins", s(10), || length() > 0);
        Self(file, tcpdump)
    }

    pub(super) fn end(mut self) {
        run(&format!("kill -INT {}", self.1.id()));
        let ended = self.1.wait().is_ok_and(|status| status.success());
        check("a capture is complete", ended, &format!("{}, of {}", self.0, station_address()));
    }
}

/// Twenty datagrams a second from the station, until it is dropped.
struct Sends(Arc<AtomicBool>, Option<thread::JoinHandle<()>>);

impl Sends {
    fn begin() -> Self {
        let goes_on = Arc::new(AtomicBool::new(true));
        let sees = Arc::clone(&goes_on);
        let thread = thread::spawn(move || {
            let Ok(socket) = UdpSocket::bind("10.9.0.2:9") else { return };
            while sees.load(Ordering::Relaxed) {
                let _ = socket.send_to(&[0; 40], "10.9.0.1:9");
                sleep(Duration::from_millis(50));
            }
        });
        Self(goes_on, Some(thread))
    }
}

impl Drop for Sends {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
        let _ = self.1.take().map(thread::JoinHandle::join);
    }
}
