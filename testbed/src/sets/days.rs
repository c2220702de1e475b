//! Bad days: what dies, vanishes or is wrong while the guard holds.

use crate::bed::{self, BGSCAN, Bed, bgscan, connected};
use crate::check::{check, expect, run, s, until, write};
use crate::guard;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

const TIMES: usize = 4;

pub(crate) fn checks() {
    super::install();
    mistakes();
    let bed = Bed::up();
    bed.quiet();
    bed.moves(true);
    let without = reconnections(&bed, bed::deauthenticate);
    let vanished = reconnections(&bed, vanish);
    guard::start(false);
    killed(&bed);
    second();
    compare("deauthenticated while holding", &without, &reconnections(&bed, bed::deauthenticate));
    compare("the access point gone for 10 s while holding", &vanished, &reconnections(&bed, vanish));
    restarts(&bed);
    interface(&bed);
    stopped(&bed);
}

/// A configuration that is wrong.
fn mistakes() {
    write("/tmp/wrong.toml", "cap = \"5 parsecs\"\n");
    let output = Command::new("airloom-guard")
        .args(["run", "--config", "/tmp/wrong.toml"])
        .output()
        .expect("installed");
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let right = output.status.code() == Some(2) && said.lines().count() == 1;
    check("a mistake in the configuration is reported in one line, exit code 2", right, &said);
}

/// kill -9 while it holds; systemd starts it again.
fn killed(bed: &Bed) {
    expect("the guard holds", s(60), guard::holds);
    check("it has switched background scanning off", bgscan() == "\"\"", &bgscan());
    bed.moves(false);
    run("systemctl kill --signal KILL airloom-guard");
    let restored = until(s(30), || bgscan() == BGSCAN);
    let measured = format!("{} after {:.1} s", bgscan(), restored.unwrap_or_default().as_secs_f64());
    check("killed with -9 while it holds, its next start puts things back", restored.is_some(), &measured);
    let left = run("ls /run/airloom-guard");
    check("no record is left behind", left == "held.lock", &left);
    bed.moves(true);
    expect("the guard holds again", s(60), guard::holds);
}

/// Two guards at once.
fn second() {
    let output = Command::new("airloom-guard").arg("run").output().expect("installed");
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    check(
        "a second guard says that there is one, and leaves",
        output.status.code() == Some(1) && said.contains("another guard"),
        &said,
    );
    check("the first still holds", guard::holds() && bgscan() == "\"\"", &guard::shows("State "));
}

/// How long the station is without a link after each of some blows.
fn reconnections(bed: &Bed, blow: fn()) -> Vec<Duration> {
    let one = |_| {
        if guard::UNIT.active() {
            expect("the guard holds", s(60), guard::holds);
        }
        bed.quiet();
        blow();
        until(s(20), || !connected());
        expect("the station reconnects", s(120), connected)
    };
    (0..TIMES).map(one).collect()
}

/// The access point is back ten seconds after the station has noticed, so that it always finds the station as far with its
/// search.
fn vanish() {
    bed::access_point_down();
    expect("the station notices", s(60), || !connected());
    sleep(s(10));
    run("ip -n ap link set wlan1 up");
    bed::access_point_up();
}

fn compare(what: &str, without: &[Duration], with: &[Duration]) {
    let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() / times.len() as f64;
    let (without, with) = (mean(without), mean(with));
    let measured = format!("{with:.2} s with guard, {without:.2} s without (means of {TIMES})");
    check(&format!("{what}, the station is back as fast as without guard"), with <= without * 1.2, &measured);
    let restored = until(s(60), || guard::holds() && bgscan() == "\"\"");
    check("afterwards it holds again", restored.is_some(), &guard::shows("State "));
}

/// wpa_supplicant and NetworkManager start anew.
fn restarts(bed: &Bed) {
    for daemon in ["wpa_supplicant", "NetworkManager"] {
        expect("the guard holds", s(60), guard::holds);
        run(&format!("systemctl restart {daemon}"));
        expect("the station reconnects", s(120), connected);
        expect("the guard holds again", s(60), || guard::holds() && bgscan() == "\"\"");
        bed.moves(false);
        let back = until(s(60), || bgscan() == BGSCAN);
        check(
            &format!("after a restart of {daemon} it holds and lets go as before"),
            back.is_some(),
            &bgscan(),
        );
        bed.moves(true);
    }
}

/// The interface vanishes while the guard holds, and comes back.
fn interface(bed: &Bed) {
    expect("the guard holds", s(60), guard::holds);
    run("iw dev wlan0 del");
    let free = until(s(30), || guard::shows("State ") == "free");
    check(
        "when the interface vanishes it lets go",
        free.is_some() && guard::UNIT.active(),
        &guard::shows("Cause "),
    );
    run("iw phy phy0 interface add wlan0 type managed");
    expect("the station reconnects", s(120), connected);
    let holds = until(s(60), || guard::holds() && bgscan() == "\"\"");
    check("when the interface is back it holds again", holds.is_some(), &guard::shows("State "));
    bed.quiet();
}

/// Told to end while it holds.
fn stopped(bed: &Bed) {
    guard::stop();
    check("stopped while it holds, it puts things back first", bgscan() == BGSCAN, &bgscan());
    bed.moves(false);
}
