//! `airloom-rate` on a kernel that takes its congestion controls, over a Wi-Fi link whose rate `iw` sets. The radios have no air time,
//! so nothing here is about Mbit/s: windows are what counts.

use crate::attack;
use crate::bed::{Bed, SINK, connected, disconnects, take_in};
use crate::check::{check, expect, run, s, until};
use crate::unit::Unit;
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

const NAME: &str = "airloom-rate";
const UNIT: Unit = Unit(NAME);
/// What a change may take: asking every 100 ms, and the next acknowledgement.
const CHANGED_WITHIN: Duration = Duration::from_millis(200);
/// MCS 7 and MCS 0 of 20 MHz: 65 and 6.5 Mbit/s.
const FAST: &str = "iw dev wlan0 set bitrates ht-mcs-5 7 lgi-5";
const SLOW: &str = "iw dev wlan0 set bitrates ht-mcs-5 0 lgi-5";
const RATIO: u32 = 10;
const LOCAL: &str = "127.0.0.1:9";
/// A rate that is not renewed is believed for a second.
const EXPIRED: Duration = Duration::from_millis(1500);

pub(crate) fn checks() {
    println!("     Linux {}", run("uname -r"));
    let said = run("dpkg -i /opt/airloom-rate.deb");
    check(
        "the package installs and its unit starts",
        UNIT.active(),
        &run(&format!("systemctl is-active {NAME}")),
    );
    if !UNIT.active() {
        println!("{said}\n{}", run(&format!("journalctl --no-pager --lines 20 --unit {NAME}")));
    }
    let security = run(&format!("systemd-analyze security --no-pager {NAME}.service"));
    let verdict = security.lines().last().unwrap_or("").trim().to_owned();
    check("systemd-analyze calls the unit safe", verdict.contains("SAFE"), &verdict);
    run(&format!("mkdir -p /etc/systemd/system/{NAME}.service.d"));
    run(&format!("cp /opt/rate-default.conf /etc/systemd/system/{NAME}.service.d/default.conf"));
    run("systemctl daemon-reload");
    run(&format!("systemctl restart {NAME}"));
    let control = default_control();
    check("with its drop-in it is the system's default", control == "airloom_cubic", &control);

    let _bed = Bed::up();
    run(FAST);
    let listener = TcpListener::bind(LOCAL).expect("the port is free");
    thread::spawn(move || take_in(&listener));
    let (near, far) = (Flow::begin(LOCAL), Flow::begin(SINK));
    expect("both flows go on", s(20), || near.goes_on() && far.goes_on());
    sleep(s(3));
    changes(&near, &far);
    killed(&far);
    strangers();
    stopped(&near, &far);
    let lost = disconnects();
    check("the link was never lost", lost == 0 && connected(), &format!("{lost} disconnects"));
}

/// Windows follow the rate, and those of other flows do not.
fn changes(near: &Flow, far: &Flow) {
    let (others, whole) = (near.window(), far.window());
    let share = (whole / RATIO).max(1);
    let (mut falls, mut returns) = (Vec::new(), Vec::new());
    let mut unmoved = true;
    for _ in 0..8 {
        run(SLOW);
        falls.push(until(s(3), || far.window() == share));
        sleep(s(1));
        unmoved &= near.window() == others;
        run(FAST);
        returns.push(until(s(3), || far.window() >= whole));
        sleep(s(1));
    }
    let in_time =
        |times: &[Option<Duration>]| times.iter().all(|took| took.is_some_and(|took| took <= CHANGED_WITHIN));
    let measured = |times: &[Option<Duration>]| {
        let times =
            times.iter().map(|took| took.map_or("never".into(), |took| format!("{}", took.as_millis())));
        times.collect::<Vec<_>>().join(", ")
    };
    let tx = run("iw dev wlan0 station dump")
        .lines()
        .find(|line| line.contains("tx bitrate"))
        .unwrap_or("")
        .trim()
        .to_owned();
    let claim = format!("within 200 ms of a fall of the rate a window of {whole} is {share}");
    check(&claim, in_time(&falls), &format!("{} ms ({tx})", measured(&falls)));
    check(
        "within 200 ms of its return the window is whole",
        in_time(&returns),
        &format!("{} ms", measured(&returns)),
    );
    check("a flow over another interface keeps its window", unmoved, &format!("{others} segments"));
}

/// A daemon that is killed strands no flow, and comes back.
fn killed(far: &Flow) {
    let whole = far.window();
    run(SLOW);
    expect("the window falls", s(5), || far.window() < whole);
    run(&format!("systemctl kill --signal KILL {NAME}"));
    let back = until(s(10), || far.window() >= whole);
    let measured =
        format!("{} of {whole} segments after {:.2} s", far.window(), back.unwrap_or_default().as_secs_f64());
    check(
        "killed with -9 while a window is cut, the window is whole soon",
        back.is_some_and(|took| took <= EXPIRED),
        &measured,
    );
    check("and the flow goes on", far.goes_on(), "");
    let again = until(s(30), || UNIT.active() && default_control() == "airloom_cubic");
    check(
        "systemd starts it again",
        again.is_some(),
        &format!("after {:.1} s", again.unwrap_or_default().as_secs_f64()),
    );
    // The new daemon has not seen the link at its best.
    run(FAST);
    sleep(s(2));
    run(SLOW);
    let took = until(s(3), || far.window() < whole);
    let measured = format!("{whole} to {} segments", far.window());
    check("a flow from before the kill follows its link again", took.is_some(), &measured);
    run(FAST);
}

/// What an ordinary user can do to it.
fn strangers() {
    let process = UNIT.process();
    let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups";
    for (what, says) in [
        ("load /run/airloom/rate", "only root"),
        ("run", "only root"),
        ("feed --kept /run/airloom/rate", "ermission denied"),
    ] {
        let said = run(&format!("{nobody} airloom-rate {what}"));
        check(&format!("an ordinary user may not `{what}`"), said.contains(says), &said);
    }
    let owners = run("stat --format %U /run/airloom/rate /run/airloom/rate/rates");
    check("the daemon owns its table, and root the folder", owners == "root\nairloom-rate", &owners);
    let said = run(&format!("{nobody} kill -STOP {process}"));
    check("nor stop it", said.contains("ermitted") && UNIT.active(), &said);
    let before = UNIT.memory("VmHWM:");
    let attack = attack::begin("connections", &process, 3);
    let opened = attack::end(attack);
    let after = UNIT.memory("VmHWM:");
    let same = process == UNIT.process();
    check(
        "a flood of connections costs the daemon nothing",
        same && after <= before + 128,
        &format!("{opened}; {before} KiB resident at most before, {after} after"),
    );
    let limit = run(&format!("systemctl show --property MemoryPeak --value {NAME}"));
    println!("     the unit has had {limit} bytes at most");
    let (cpu, began) = (UNIT.cpu(), Instant::now());
    sleep(s(60));
    let share = (UNIT.cpu() - cpu) as f64 / began.elapsed().as_nanos() as f64;
    check(
        "asking ten times a second it takes less than 1 % of a core",
        share < 0.01,
        &format!(
            "{:.2} % of an emulated core that executes 500 million instructions a second",
            100.0 * share
        ),
    );
}

/// Stopped, it leaves nothing behind.
fn stopped(near: &Flow, far: &Flow) {
    run(&format!("systemctl stop {NAME}"));
    let left = || run("sysctl -n net.ipv4.tcp_available_congestion_control");
    let mounted = || fs::read_to_string("/proc/mounts").unwrap_or_default().contains("airloom");
    let gone = until(s(10), || !mounted() && !left().contains("airloom"));
    let measured = format!("{}, after {:.2} s", left(), gone.unwrap_or_default().as_secs_f64());
    check("stopped, its controls and what kept them are gone", gone.is_some(), &measured);
    if gone.is_none() {
        println!("{}", run("systemctl status --no-pager run-airloom-rate.mount"));
    }
    check("the default is CUBIC again", default_control() == "cubic", &default_control());
    check("flows go on", near.goes_on() && far.goes_on(), "");
}

/// A flow that never ends, of a segment every 10 ms.
struct Flow {
    /// As /proc/net/tcp shows it.
    local: String,
    sent: Arc<AtomicU64>,
}

impl Flow {
    fn begin(to: &str) -> Self {
        let mut found = None;
        expect("the other end is there", s(20), || {
            found = TcpStream::connect(to).ok();
            found.is_some()
        });
        let mut socket = found.expect("it was waited for");
        let _ = socket.set_nodelay(true);
        let port = socket.local_addr().map_or(0, |address| address.port());
        let flow = Self { local: format!(":{port:04X}"), sent: Arc::default() };
        let sent = Arc::clone(&flow.sent);
        thread::spawn(move || {
            while socket.write_all(&[0; 1400]).is_ok() {
                sent.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(10));
            }
        });
        flow
    }

    /// Its congestion window, from /proc/net/tcp (`get_tcp4_sock`).
    fn window(&self) -> u32 {
        let sockets = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
        let line = sockets
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .find(|words| words.get(1).is_some_and(|local| local.ends_with(&self.local)));
        line.and_then(|words| words.get(15)?.parse().ok()).unwrap_or(0)
    }

    fn goes_on(&self) -> bool {
        let before = self.sent.load(Ordering::Relaxed);
        sleep(Duration::from_millis(500));
        self.sent.load(Ordering::Relaxed) > before + 10
    }
}

fn default_control() -> String {
    run("sysctl -n net.ipv4.tcp_congestion_control")
}
