//! The current stable distribution's daemons and kernel, in one machine: what the guard does to them, in short.

use super::requests;
use crate::bed::{BGSCAN, Bed, bgscan, connected, disconnects};
use crate::check::{check, expect, run, s, until, write};
use crate::desktop::Desktop;
use crate::guard;

const DAEMONS: &str = "network-manager wpasupplicant";

pub(crate) fn checks() {
    super::install();
    println!(
        "     Linux {}; {}",
        run("uname -r"),
        run(&format!("dpkg-query --show {DAEMONS}")).replace(['\t', '\n'], " ")
    );
    super::security();
    let bed = Bed::up();
    bed.quiet();
    check("NetworkManager gives the network its background scanning", bgscan() == BGSCAN, &bgscan());
    transfer(&bed);
    requests::called(&bed, 1, 2);
    session();
    let lost = disconnects();
    check("the link was never lost", lost == 0 && connected(), &format!("{lost} disconnects"));
    guard::stop();
    without_daemon();
}

/// A transfer, in which the guard is killed once.
fn transfer(bed: &Bed) {
    bed.moves(true);
    guard::start(false);
    let holds = || guard::holds() && bgscan() == "\"\"";
    expect("the guard holds", s(60), holds);
    run("systemctl kill --signal KILL airloom-guard");
    let restored = until(s(30), || bgscan() == BGSCAN);
    let measured = format!("{} after {:.1} s", bgscan(), restored.unwrap_or_default().as_secs_f64());
    check("killed with -9 while it holds, its next start puts things back", restored.is_some(), &measured);
    expect("the guard holds again", s(60), holds);
    bed.moves(false);
    let over = until(s(30), || bgscan() == BGSCAN);
    let measured = format!("{} after {:.1} s", bgscan(), over.unwrap_or_default().as_secs_f64());
    check("after the transfer, background scanning is as it was to the byte", over.is_some(), &measured);
}

/// What goes on in a person's session.
fn session() {
    let mut desktop = Desktop::begin();
    for (begins, ends) in [("a game", "no game"), ("a cast", "no cast"), ("a cast", "no program")] {
        desktop.has(begins);
        let holds = until(s(20), || guard::holds() && guard::shows("Cause ") == "call");
        desktop.has(ends);
        let over = until(s(20), || !guard::holds());
        let measured = [holds, over]
            .map(|time| time.map_or("never".into(), |time| format!("{:.1} s", time.as_secs_f64())));
        let claim = format!("{begins} in a session is a call until there is {ends}");
        check(&claim, holds.is_some() && over.is_some(), &measured.join(", "));
    }
    desktop.end();
}

/// A dispatcher and a drop-in in the guard's place.
fn without_daemon() {
    let dispatcher = "/etc/NetworkManager/dispatcher.d/90-airloom-guard";
    run(&format!("install /opt/no-daemon/90-airloom-guard {dispatcher}"));
    run("nmcli connection up home");
    let off = until(s(60), || connected() && bgscan() == "\"\"");
    check("the dispatcher switches background scanning off as the network comes", off.is_some(), &bgscan());
    let said = run("airloom-guard restore");
    check("restored, it is as it was", bgscan() == BGSCAN, &format!("{} {said}", bgscan()));
    run(&format!("rm {dispatcher}"));
    let unit = "/etc/systemd/system/game.service";
    run(&format!("mkdir {unit}.d"));
    write(unit, "[Service]\nExecStart=/bin/sleep 1000\n");
    run(&format!("cp /opt/no-daemon/while-it-runs.conf {unit}.d/"));
    run("systemctl daemon-reload");
    run("systemctl start game");
    let during = bgscan();
    run("systemctl stop game");
    let measured = format!("{during}, then {}", bgscan());
    check(
        "the drop-in switches it off while a service runs",
        during == "\"\"" && bgscan() == BGSCAN,
        &measured,
    );
}
