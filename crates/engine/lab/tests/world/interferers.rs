//! What else is on the air: it keeps radios quiet that hear it, and damages frames of those that do not.

use crate::scenarios::good;
use airloom_lab::run;
use airloom_lab::summary::FlowNumbers;
use airloom_observe::{Fate, FrameKind, Observation, Ppdu};
use airloom_sim::Time;
use airloom_world::World;

const CELL: &str = r#"
title = "An interferer"
duration = "20 s"
air = { standard = "802.11g", band = "2.4 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "dcf", channel = 6 }]
station = [{ name = "sta", host = "linux-6.18", adapter = "dcf", snr = "20 dB", rate = "6 Mbit/s" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "1 ms" } }]
"#;
const PACED: &str = "flow = [{ kind = \"udp\", from = \"server\", to = \"sta\", rate = \"400 kbit/s\", payload = \"500 B\", spacing = \"poisson\" }]\n";
const SATURATED: &str = "flow = [{ kind = \"udp\", from = \"sta\", to = \"server\", rate = \"saturated\", payload = \"500 B\" }]\n";

/// Data frames, and whether each is sent for the first time.
fn data(text: &str) -> Vec<Ppdu> {
    let mut world = World::new(&good(text), Vec::<(Time, Observation)>::new());
    world.run(&mut |_| true);
    let seen = world.into_probe();
    let ppdu = |(_, one): &(Time, Observation)| match one {
        Observation::Ppdu(ppdu) if ppdu.kind == FrameKind::Data => Some(*ppdu),
        _ => None,
    };
    seen.iter().filter_map(ppdu).collect()
}

/// Mbit/s that a saturated station carries.
fn goodput(more: &str) -> f64 {
    let summary =
        run::run(&good(&format!("{CELL}{SATURATED}{more}")), &mut |_| true).expect("not interrupted").summary;
    let FlowNumbers::Udp(udp) = &summary.flows[0].numbers else { panic!("datagrams") };
    udp.goodput.goodput_mbps
}

/// A frame of T us that begins anywhere overlaps (T + 366) / 625 packets of Bluetooth in the mean, k of them or k + 1, each of which is in
/// 20 MHz with 21 / 79. At -65 dBm nobody keeps quiet for it, and it is stronger than the signal, of -74 dBm.
#[test]
fn frames_survive_bluetooth_that_hops_elsewhere() {
    let with = format!(
        "{CELL}{PACED}[[interferer]]\nname = \"headset\"\nkind = \"bluetooth\"\nlevel = \"-65 dBm\"\n"
    );
    let first: Vec<Ppdu> = data(&with).into_iter().filter(|ppdu| ppdu.users[0].retries == 0).collect();
    let micros = first[0].end.since(first[0].start).as_secs_f64() * 1e6;
    let overlapped = (micros + 366.0) / 625.0;
    let (least, more) = (overlapped.floor(), overlapped.fract());
    let spared: f64 = 1.0 - 21.0 / 79.0;
    let all: f64 = (0..least as u32).map(|_| spared).product();
    let expected = all * (1.0 - more + more * spared);
    let survived = first.iter().filter(|ppdu| ppdu.users[0].fate == Fate::Received).count() as f64;
    let n = first.len() as f64;
    let within = 4.0 * (expected * (1.0 - expected) / n).sqrt();
    assert!(
        n > 1500.0 && (survived / n - expected).abs() < within,
        "{} of {n}, not {expected}",
        survived / n
    );
}

#[test]
fn adaptive_hopping_harms_nobody() {
    let headset = "[[interferer]]\nname = \"headset\"\nkind = \"bluetooth\"\nlevel = \"-40 dBm\"\n";
    let adaptive = format!("{headset}adaptive = true\n");
    assert!(goodput(headset) < 0.9 * goodput(""));
    assert!((goodput(&adaptive) - goodput("")).abs() < 1e-9);
}

/// An oven that is heard leaves half of the time, less the frame under way as it goes on: one of the eight or nine that 10 ms have room for.
#[test]
fn an_oven_leaves_half_of_the_time() {
    let oven = "[[interferer]]\nname = \"oven\"\nkind = \"microwave\"\nlevel = \"-50 dBm\"\n";
    let ratio = goodput(oven) / goodput("");
    assert!((0.40..0.5).contains(&ratio), "{ratio}");
}

/// What an oven leaves is its own share of the air, not idle; one that no radio keeps quiet for takes none.
#[test]
fn an_interferer_s_time_is_not_idle() {
    let airtime = |flow: &str, level: i32| {
        let oven =
            format!("[[interferer]]\nname = \"oven\"\nkind = \"microwave\"\nlevel = \"{level} dBm\"\n");
        let text = format!("{CELL}{flow}{oven}");
        run::run(&good(&text), &mut |_| true).expect("not interrupted").summary.airtime
    };
    let quiet = airtime(&PACED.replace("400 kbit/s", "1 kbit/s"), -50);
    let interfered = quiet.interfered.expect("there is one");
    assert!((interfered - 0.5).abs() < 0.005, "{interfered}");
    assert!((quiet.idle - 0.5).abs() < 0.02, "{quiet:?}");
    let busy = airtime(SATURATED, -50);
    assert!((0.40..0.5).contains(&busy.interfered.expect("there is one")), "{busy:?}");
    assert!(busy.idle < 0.2, "{busy:?}");
    assert_eq!(airtime(SATURATED, -65).interfered, Some(0.0));
}

/// A neighbour that is heard takes its share of the time and what contention costs; frames are not lost to it but where both begin at once.
#[test]
fn a_neighbour_in_reach_takes_its_share_of_the_time() {
    let neighbour = |level: i32| {
        format!(
            "[[interferer]]\nname = \"next\"\nkind = \"neighbour\"\nchannel = 6\noccupancy = 0.4\nlevel = \"{level} dBm\"\n"
        )
    };
    let ratio = goodput(&neighbour(-70)) / goodput("");
    assert!((0.5..0.75).contains(&ratio), "{ratio}");
    let apart = goodput(&neighbour(-70).replace("channel = 6", "channel = 11"));
    assert!((apart - goodput("")).abs() < 1e-9, "another channel");
    let faint = goodput(&neighbour(-120));
    assert!((faint / goodput("") - 1.0).abs() < 0.02, "far below the noise: {faint}");
}
