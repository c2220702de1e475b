//! Attempts to steer, starve or kill the guard from an ordinary user's account; and failures of the machine around it.

use crate::attack;
use crate::bed::{BGSCAN, Bed, bgscan, connected, disconnects};
use crate::call::{Call, SPEECH};
use crate::check::{check, expect, run, s, until, write};
use crate::guard::{self, CAP};
use std::thread::sleep;
use std::time::{Duration, Instant};

const OFF: &str = "\"\"";
/// Short, because an emulated machine works hard for each second.
const FLOOD: u64 = 2;
/// Sockets of one user.
const SOCKETS: usize = 4000;

pub(crate) fn checks() {
    super::install();
    without_wifi();
    let bed = Bed::up();
    bed.quiet();
    bed.moves(true);
    let holds = until(s(90), guard::holds);
    let same = run("systemctl show --property NRestarts --value airloom-guard");
    check("with an adapter it begins to hold, without a restart", holds.is_some() && same == "0", &same);
    orders();
    for kind in ["states", "owners", "calls", "giants"] {
        flooded(&bed, kind);
    }
    talked(&bed);
    killed(&bed);
    stopped(&bed);
    without_bus(&bed);
    hung(&bed);
    misconfigured(&bed);
    let lost = disconnects();
    check("the link was never lost", lost == 0 && connected(), &format!("{lost} disconnects"));
}

/// Before there is an adapter, it waits for one.
fn without_wifi() {
    // The kernel loads nl80211 as soon as a program asks for it.
    let barred = "/etc/modprobe.d/barred.conf";
    write(barred, "install cfg80211 /bin/false\n");
    run("modprobe -r cfg80211");
    guard::start(false);
    let process = guard::UNIT.process();
    sleep(s(120));
    let trouble = guard::shows("Trouble ");
    let waits = guard::UNIT.active() && guard::UNIT.process() == process && trouble.contains("no nl80211");
    check("without Wi-Fi it waits and says for what", waits, &trouble);
    run(&format!("rm {barred}"));
}

/// What an ordinary user may not say.
fn orders() {
    let said = attack::end(attack::begin("orders", &guard::UNIT.process(), 0));
    let denied = "org.freedesktop.DBus.Error.AccessDenied";
    check("an ordinary user may neither hold nor release", said == format!("{denied} {denied}"), &said);
}

/// A flood during a hold and beyond its end.
fn flooded(bed: &Bed, kind: &str) {
    bed.moves(true);
    expect("the guard holds", s(60), || guard::holds() && bgscan() == OFF);
    let process = guard::UNIT.process();
    let flood = attack::begin(kind, &process, FLOOD);
    sleep(s(FLOOD));
    let held = bgscan();
    bed.moves(false);
    let said = attack::end(flood);
    let back = until(s(30), || bgscan() == BGSCAN);
    let after = format!("it held ({held}), then {}; {said}", bgscan());
    let sent: usize = said.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let right = sent > 0 && back.is_some() && held == OFF && guard::UNIT.process() == process;
    check(&format!("a flood of {kind} neither ends nor prolongs a hold"), right, &after);
    // The bus hands on what it has kept, and answers after that.
    let answers = until(s(60), || guard::shows("State ") == "free");
    check(
        "it answers afterwards",
        answers.is_some(),
        &format!("{:.1} s", answers.unwrap_or_default().as_secs_f64()),
    );
    let ((peak, limit), own) = (guard::peak(), guard::UNIT.memory("VmHWM:"));
    let measured = format!("{} of {} KiB at most, {own} KiB resident at most", peak >> 10, limit >> 10);
    check("its memory stays below half of its unit's limit", peak < limit / 2, &measured);
}

/// An ordinary user's call without end, marked as one, behind more sockets than any program needs.
fn talked(bed: &Bed) {
    bed.moves(false);
    expect("the guard lets go", s(30), || !guard::holds());
    let process = guard::UNIT.process();
    let call = Call::crowded(SPEECH * 5, SOCKETS);
    let holds = until(s(30), || guard::holds() && guard::shows("Cause ") == "call");
    check("a marked call of ten packets a second is noticed", holds.is_some(), &seconds(holds));
    let over = until(s(CAP + 10), || !guard::holds());
    let shown = format!("{}: {}", guard::shows("State "), guard::shows("Cause "));
    let measured = format!("{shown} after {}, {}", seconds(over), bgscan());
    let right = over.is_some() && shown == "letting-through: call" && bgscan() == BGSCAN;
    check("an ordinary user's call without end holds scans off up to the cap", right, &measured);
    let ((peak, limit), same) = (guard::peak(), guard::UNIT.process() == process);
    let measured = format!("{} of {} KiB at most beside {SOCKETS} sockets", peak >> 10, limit >> 10);
    check("it neither ends nor grows", same && peak < limit / 2, &measured);
    println!("     the call: {}", call.end());
    expect("the guard lets go", s(30), || guard::shows("State ") == "free");
}

/// kill -9 in a flood.
fn killed(bed: &Bed) {
    bed.moves(true);
    expect("the guard holds", s(60), || guard::holds() && bgscan() == OFF);
    let flood = attack::begin("calls", &guard::UNIT.process(), FLOOD);
    sleep(s(1));
    run("systemctl kill --signal KILL airloom-guard");
    let restored = until(s(30), || bgscan() == BGSCAN);
    let measured = format!("{} after {}", bgscan(), seconds(restored));
    check("killed with -9 in a flood, it leaves things as they were", restored.is_some(), &measured);
    attack::end(flood);
    let again = until(s(60), || guard::holds() && bgscan() == OFF);
    check("and holds again", again.is_some(), &format!("after {}", seconds(again)));
}

/// Stopped in a flood of everything.
fn stopped(bed: &Bed) {
    let process = guard::UNIT.process();
    let floods = ["states", "calls"].map(|kind| attack::begin(kind, &process, FLOOD + 2));
    sleep(s(1));
    let began = Instant::now();
    guard::stop();
    let took = began.elapsed();
    let measured = format!("{} after {}", bgscan(), seconds(Some(took)));
    check("stopped in a flood, it ends and puts things back", took < s(10) && bgscan() == BGSCAN, &measured);
    for flood in floods {
        attack::end(flood);
    }
    guard::start(false);
    expect("the guard holds", s(60), || guard::holds() && bgscan() == OFF);
    bed.moves(true);
}

/// The bus is held up while a hold comes to its end.
fn without_bus(bed: &Bed) {
    run("pkill -STOP -x dbus-daemon");
    bed.moves(false);
    sleep(s(20));
    let meanwhile = bgscan();
    run("pkill -CONT -x dbus-daemon");
    let back = until(s(30), || bgscan() == BGSCAN);
    let measured = format!(
        "{meanwhile} while the bus stands still for 20 s, {} after another {}",
        bgscan(),
        seconds(back)
    );
    check("a hold that ends without a bus is remembered", meanwhile == OFF && back.is_some(), &measured);
    check("it goes on", until(s(30), || guard::shows("State ") == "free").is_some(), &guard::shows("State "));
}

/// It stands still while it holds, and systemd notices.
fn hung(bed: &Bed) {
    bed.moves(true);
    expect("the guard holds", s(60), || guard::holds() && bgscan() == OFF);
    run("systemctl kill --signal STOP airloom-guard");
    let restored = until(s(180), || bgscan() == BGSCAN);
    let measured = format!("{} after {}", bgscan(), seconds(restored));
    check("when it stands still, systemd ends it and things are as they were", restored.is_some(), &measured);
}

/// Killed while it holds, with a configuration that it will not take again.
fn misconfigured(bed: &Bed) {
    bed.moves(true);
    expect("the guard holds", s(60), || guard::holds() && bgscan() == OFF);
    write("/etc/airloom/guard.toml", "cap = \"5 parsecs\"\n");
    run("systemctl kill --signal KILL airloom-guard");
    let restored = until(s(30), || bgscan() == BGSCAN);
    let gone = until(s(30), || run("systemctl is-active airloom-guard") == "failed");
    let left = run("ls /run/airloom-guard");
    let measured = format!("{} after {}; left: {left}", bgscan(), seconds(restored));
    let right = restored.is_some() && gone.is_some() && left == "held.lock";
    check("killed with a configuration that is wrong since, it leaves things as they were", right, &measured);
}

fn seconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "never".to_owned(), |time| format!("{:.1} s", time.as_secs_f64()))
}
