//! Scans that others ask for during a transfer and a call: with aborting off and on, and what `watch` reports of them.

use crate::bed::{Bed, IW, connected, disconnects, spawn};
use crate::call::{Call, SPEECH};
use crate::capture::{Trip, scans};
use crate::check::{check, expect, run, s, until};
use crate::guard;
use serde_json::Value;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

/// The programs that ask, and the name by which `watch` knows each.
const REQUESTERS: [(&str, &str); 2] = [("nmcli device wifi rescan", "nmcli ("), (IW, "iw (")];
/// They ask, and wait for nothing: a scan that is aborted has no results.
const ASKS: [&str; 2] = ["nmcli device wifi rescan", "iw dev wlan0 scan trigger"];

/// Scans through which a call goes with the guard.
const CALLED: usize = 6;

pub(crate) fn checks() {
    super::install();
    let bed = Bed::up();
    bed.quiet();
    bed.moves(true);
    passed(&bed);
    aborted(&bed);
    called(&bed, 2, CALLED);
    check(
        "the link was never lost",
        connected() && disconnects() == 0,
        &format!("{} disconnects", disconnects()),
    );
}

/// With aborting off, requests pass, and `watch` reports the program behind each and its cost.
fn passed(bed: &Bed) {
    guard::start(false);
    expect("the guard holds", s(30), guard::holds);
    let watch = spawn("airloom-guard watch --json");
    sleep(s(2));
    let before = bed.capture.count();
    for (request, _) in REQUESTERS {
        let count = bed.capture.count();
        let asking = spawn(request);
        expect("a scan that is asked for is made", s(30), || bed.capture.count() > count);
        bed.quiet();
        finish(asking);
    }
    let seen = scans(&bed.capture.since(before));
    let reported = reported(watch);
    check("with aborting off, requests pass", seen.len() == 2, &format!("{} scans", seen.len()));
    for ((scan, reported), (_, name)) in seen.iter().zip(&reported).zip(REQUESTERS) {
        let requester = reported["requester"].as_str().unwrap_or("");
        check("watch names the requester", requester.starts_with(name), requester);
        agreement(scan, reported);
    }
    check(
        "watch reports every scan",
        reported.len() == seen.len(),
        &format!("{} of {}", reported.len(), seen.len()),
    );
}

/// The trips of one scan, as captured and as reported.
fn agreement(captured: &[Trip], reported: &Value) {
    let reported: Vec<f64> =
        reported["trips_ms"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let captured: Vec<f64> = captured.iter().map(|trip| trip.took.as_secs_f64() * 1e3).collect();
    let worst = captured.iter().zip(&reported).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let sum = |trips: &[f64]| trips.iter().sum::<f64>();
    let measured = format!(
        "{} trips and {:.0} ms away by the capture, {} and {:.0} ms by watch, at most {worst:.1} ms apart",
        captured.len(),
        sum(&captured),
        reported.len(),
        sum(&reported),
    );
    let agrees = reported.len() == captured.len() && worst <= 10.0;
    check("watch agrees with the capture within 10 ms a trip", agrees, &measured);
    if !agrees {
        println!("     by the capture {captured:.1?}\n     by watch {reported:.1?}");
    }
}

/// With aborting on, each request costs one short trip at most.
fn aborted(bed: &Bed) {
    guard::start(true);
    expect("the guard holds", s(30), guard::holds);
    let signals = spawn("dbus-monitor --system type='signal',interface='org.airloom.Guard1'");
    let (trips, longest) = refused(bed, 2);
    let measured = format!("{trips:?} trips, the longest {:.0} ms", longest.as_secs_f64() * 1e3);
    let short = trips.iter().all(|n| *n <= 1) && longest < Duration::from_millis(100);
    check("with aborting on, each request costs at most one trip, of less than 100 ms", short, &measured);
    let why = output_of(signals);
    check(
        "the bus says why a scan was aborted",
        why.contains("ScanAborted") && why.contains("\"transfer\""),
        "transfer",
    );
    bed.moves(false);
    expect("the guard lets go", s(30), || !guard::holds());
    sleep(s(10));
    let before = bed.capture.count();
    let asking = spawn(REQUESTERS[0].0);
    let came = until(s(30), || bed.capture.count() > before + 5);
    bed.quiet();
    finish(asking);
    check(
        "when nothing moves, a request passes",
        came.is_some(),
        &format!("{} trips", bed.capture.count() - before),
    );
}

/// So many requests, each of which the guard aborts: the trips of each, and the longest of all.
fn refused(bed: &Bed, rounds: usize) -> (Vec<usize>, Duration) {
    let aborts = || guard::shows("ScansAborted ").parse::<u32>().unwrap_or(0);
    let one = |round: usize| {
        let (before, done) = (bed.capture.count(), aborts());
        let asking = ask(round);
        expect("a scan is aborted", s(30), || aborts() > done);
        bed.quiet();
        finish(asking);
        bed.capture.since(before)
    };
    let seen: Vec<_> = (0..rounds).map(one).collect();
    let longest = seen.iter().flatten().map(|trip| trip.took).max().unwrap_or_default();
    (seen.iter().map(Vec::len).collect(), longest)
}

/// A call through so many requested scans without the guard, and with it.
pub(super) fn called(bed: &Bed, without: usize, with: usize) {
    guard::stop();
    let arrived = {
        let call = Call::begin(SPEECH);
        for round in 0..without {
            let count = bed.capture.count();
            let asking = ask(round);
            expect("a scan that is asked for is made", s(30), || bed.capture.count() > count);
            bed.quiet();
            finish(asking);
        }
        call.end()
    };
    let measured = format!("{without} scans, {arrived}");
    let stalls = arrived.gaps >= 24 * without as u64;
    check("a call without guard: each scan makes two dozen gaps of over 60 ms", stalls, &measured);
    guard::start(true);
    let call = Call::begin(SPEECH);
    let noticed = expect("the guard holds for the call", s(30), guard::holds);
    let cause = guard::shows("Cause ");
    let measured = format!("{cause}, after {:.1} s", noticed.as_secs_f64());
    check("a call is noticed though it moves too little for a transfer", cause == "call", &measured);
    let (trips, longest) = refused(bed, with);
    let arrived = call.end();
    // Linux 6.12 may lose what is sent while the radio is away, 6.1 does not.
    let right = arrived.gaps == 0 && arrived.late == 0 && arrived.lost <= trips.iter().sum::<usize>() as u64;
    let longest = longest.as_secs_f64() * 1e3;
    let measured = format!("{with} scans, {arrived}; {trips:?} trips, the longest {longest:.0} ms");
    let claim = "a call with the guard: no gap of over 60 ms, no packet late, one a trip lost at most";
    check(claim, right, &measured);
    let over = until(s(30), || !guard::holds());
    let measured = format!("after {:.1} s", over.unwrap_or_default().as_secs_f64());
    check("it lets go after the call", over.is_some(), &measured);
}

/// Starts one of the programs that ask, by turns. NetworkManager refuses a request within ten seconds of the last scan.
fn ask(round: usize) -> Child {
    let by_turns = round % ASKS.len();
    if by_turns == 0 {
        sleep(s(10));
    }
    spawn(ASKS[by_turns])
}

fn finish(mut child: Child) {
    let _ = child.wait();
}

/// Ends a program as Ctrl-C would, and returns its output.
fn output_of(child: Child) -> String {
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let output = child.wait_with_output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).into_owned()
}

/// The scans that `watch` reported.
fn reported(watch: Child) -> Vec<Value> {
    let objects: Vec<Value> =
        output_of(watch).lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    check(
        "watch ends with a summary",
        objects.iter().any(|o| o["event"] == "summary"),
        &run("ls /sys/kernel/tracing/instances"),
    );
    objects.into_iter().filter(|object| object["event"] == "scan").collect()
}
