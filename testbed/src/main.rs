//! What runs inside the emulated machine; see `run.sh`.

mod attack;
mod bed;
mod call;
mod capture;
mod check;
mod desktop;
mod doze;
mod guard;
mod sets;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sink"] => bed::sink(),
        ["call", local, remote, each, sockets] => return call::perform(local, remote, each, sockets),
        ["desktop"] => return desktop::perform(),
        ["attack", kind, process, seconds] => return attack::perform(kind, process, seconds),
        _ => {}
    }
    let boot = std::fs::read_to_string("/proc/cmdline").unwrap_or_default();
    let set = boot.split_whitespace().find_map(|word| word.strip_prefix("testbed=")).unwrap_or("none");
    match set {
        "transfer" => sets::transfer::checks(),
        "requests" => sets::requests::checks(),
        "captures" => sets::captures::checks(),
        "current" => sets::current::checks(),
        "days" => sets::days::checks(),
        "doctor" => sets::doctor::checks(),
        "iwd" => sets::iwd::checks(),
        "rate" => sets::rate::checks(),
        "soak" => sets::soak::checks(),
        "attacked" => sets::attacked::checks(),
        _ => check::check("the set of checks is known", false, set),
    }
    match check::failed() {
        0 => println!("passed: {set}"),
        n => println!("failed: {n} of {set}"),
    }
    ExitCode::from(u8::from(check::failed() > 0))
}
