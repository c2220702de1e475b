//! Radios that have places: walls, reach, powers and walks in whole runs.

use crate::scenarios::{cases, good};
use airloom_lab::metrics::{Metric, Recorder};
use airloom_lab::run::{self, Outcome};
use airloom_lab::scenario::FlowKind;
use airloom_lab::world::World;
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write;

/// A cell of 802.11a whose access point is in the middle of the plan.
const CELL: &str = r#"
    title = "A test"
    duration = "10 s"
    air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
    [[ap]]
    name = "ap"
    adapter = "dcf"
    position = ["0 m", "0 m"]
    [[server]]
    name = "server"
    host = "linux-6.18"
    link = { rate = "1 Gbit/s", delay = "1 ms" }
"#;

/// A station with these keys that sends datagrams all the time.
fn sender(name: &str, keys: &str) -> String {
    format!(
        "[[station]]\nname = \"{name}\"\nhost = \"linux-6.18\"\nadapter = \"dcf\"\n{keys}\n\
         [[flow]]\nkind = \"udp\"\nfrom = \"{name}\"\nto = \"server\"\nrate = \"saturated\"\n"
    )
}

fn outcome(text: &str) -> Outcome {
    run::run(&good(text), &mut |_| true).expect("not interrupted")
}

/// Goodput of each flow in Mbit/s.
fn goodput(text: &str) -> Vec<f64> {
    let summary = outcome(text).summary.to_value();
    let flows = summary["flows"].as_array().expect("flows");
    flows.iter().map(|flow| flow["goodput_mbps"].as_f64().unwrap_or(0.0)).collect()
}

/// The mean of a metric of an entity in each second; zero where there is none.
fn seconds(outcome: &Outcome, entity: &str, metric: Metric) -> Vec<f64> {
    let id = outcome.series.entities.iter().position(|name| name == entity).expect("an entity") as u16;
    let at = |second: usize| {
        let row = |row: &&airloom_lab::metrics::SeriesRow| {
            row.entity == id && row.metric == metric && (row.time - second as f64).abs() < 1e-9
        };
        outcome.series.rows.iter().find(row).map_or(0.0, |row| row.value)
    };
    (0..10).map(at).collect()
}

/// At 30 m on either side of the access point two stations are as near to it, and 60 m from each other: out of reach.
#[test]
fn stations_out_of_reach_are_as_those_that_are_hidden_by_name() {
    let pair = |left: &str, right: &str| {
        let keys = |place: &str| format!("rate = \"6 Mbit/s\"\n{place}");
        goodput(&format!("{CELL}{}{}", sender("left", &keys(left)), sender("right", &keys(right))))
    };
    let apart = pair("position = [\"-30 m\", \"0 m\"]", "position = [\"30 m\", \"0 m\"]");
    let together = pair("position = [\"-20 m\", \"0 m\"]", "position = [\"20 m\", \"0 m\"]");
    let by_name = goodput(&format!(
        "{}{}{}",
        CELL.replace("position = [\"0 m\", \"0 m\"]", ""),
        sender("left", "rate = \"6 Mbit/s\"\ndistance = \"30 m\"\nhidden_from = [\"right\"]"),
        sender("right", "rate = \"6 Mbit/s\"\ndistance = \"30 m\""),
    ));
    let sum = |of: &[f64]| of.iter().sum::<f64>();
    println!("apart {apart:?}, by name {by_name:?}, together {together:?} Mbit/s");
    assert!(sum(&apart) < 0.5 * sum(&together), "no collapse: {apart:?}, {together:?}");
    assert!((sum(&apart) / sum(&by_name) - 1.0).abs() < 0.1, "{apart:?}, {by_name:?}");
}

/// A place is one when nothing else is: a single station at 3 m is one at a distance of 3 m, to the last bit.
#[test]
fn a_station_alone_is_where_its_distance_puts_it() {
    let placed = format!("{CELL}{}", sender("sta", "position = [\"0 m\", \"3 m\"]"));
    let distant = CELL.replace("position = [\"0 m\", \"0 m\"]", "") + &sender("sta", "distance = \"3 m\"");
    let [placed, distant] = [placed, distant].map(|text| outcome(&text));
    let of = |outcome: &Outcome| seconds(outcome, "sta-server", Metric::Goodput);
    assert_eq!(of(&placed), of(&distant));
    let node = &placed.summary.to_value()["nodes"][1];
    assert_eq!(node["signal_min_db"], node["signal_median_db"]);
}

/// It walks behind a wall and out of reach, and comes back: nothing arrives from there, nobody else has less of the air for it, and all is
/// as it was when it is back.
#[test]
fn a_walk_takes_the_signal_along_and_brings_it_back() {
    let way = "path = [{ at = \"900 ms\", position = [\"4 m\", \"0 m\"] }, { at = \"3900 ms\", position = [\"300 m\", \"0 m\"] }, \
               { at = \"6 s\", position = [\"300 m\", \"0 m\"] }, { at = \"9 s\", position = [\"4 m\", \"0 m\"] }]";
    let text = format!(
        "{CELL}{}{}",
        sender("walker", &format!("rate = \"24 Mbit/s\"\n{way}")),
        sender("sitter", "rate = \"24 Mbit/s\"\nposition = [\"0 m\", \"5 m\"]")
    );
    let run = outcome(&text);
    let [walker, sitter] =
        ["walker-server", "sitter-server"].map(|flow| seconds(&run, flow, Metric::Goodput));
    let signal = seconds(&run, "walker", Metric::Signal);
    println!("{walker:?}\n{sitter:?}\n{signal:?}");
    assert_eq!((walker[4], walker[5]), (0.0, 0.0), "it is out of reach");
    let alone = goodput(&format!(
        "{CELL}{}",
        sender("sitter", "rate = \"24 Mbit/s\"\nposition = [\"0 m\", \"5 m\"]")
    ))[0];
    assert!((sitter[4] / alone - 1.0).abs() < 0.02, "the other has all of the air: {} of {alone}", sitter[4]);
    assert!((walker[9] / walker[0] - 1.0).abs() < 0.15 && walker[9] > 5.0, "{walker:?}");
    assert!((signal[9] - signal[0]).abs() < 1e-9 && signal[4] < -10.0, "{signal:?}");
    let node = &run.summary.to_value()["nodes"][1];
    let least = node["signal_min_db"].as_f64().expect("a signal");
    assert!((least - signal[4]).abs() < 1e-9);
    // It stands still, by the summary, for about as long as the seconds are empty; the other does not.
    let [still] = &run.summary.standstills[..] else { panic!("{:?}", run.summary.standstills) };
    let empty = walker.iter().filter(|mbps| **mbps == 0.0).count() as f64;
    assert_eq!((still.flow.as_str(), still.from_s < 4.0, still.to_s > 6.0), ("walker-server", true, true));
    let long = still.to_s - still.from_s;
    assert!((long - 10.0 * still.share).abs() < 1e-9 && (empty..empty + 2.0).contains(&long), "{still:?}");
}

/// At the access point one is 21 dB stronger than the other, which does not hear it: nothing that overlaps harms its frames, and the other's
/// are lost.
#[test]
fn of_two_frames_that_overlap_the_stronger_gets_through() {
    let text = |right: &str| {
        let keys = |place: &str| format!("rate = \"6 Mbit/s\"\nposition = {place}");
        let left = sender("left", &keys("[\"-10 m\", \"0 m\"]"));
        format!(
            "{CELL}{left}{}",
            if right.is_empty() { String::new() } else { sender("right", &keys(right)) }
        )
    };
    let (alone, both) = (goodput(&text("")), goodput(&text("[\"50 m\", \"0 m\"]")));
    println!("alone {alone:?}, both {both:?} Mbit/s");
    assert!(both[0] > 0.9 * alone[0] && both[1] < 0.1 * alone[0], "{alone:?} {both:?}");
}

/// As a station comes within reach of the other, their frames collide no more.
#[test]
fn who_hears_whom_changes_with_a_walk() {
    let way = "path = [{ at = \"3 s\", position = [\"30 m\", \"0 m\"] }, { at = \"5 s\", position = [\"-20 m\", \"1 m\"] }]";
    let text = format!(
        "{CELL}{}{}",
        sender("left", "rate = \"6 Mbit/s\"\nposition = [\"-30 m\", \"0 m\"]"),
        sender("right", &format!("rate = \"6 Mbit/s\"\n{way}"))
    );
    let run = outcome(&text);
    let [left, right] = ["left-server", "right-server"].map(|flow| seconds(&run, flow, Metric::Goodput));
    println!("{left:?}\n{right:?}");
    let both =
        |seconds: &[usize]| seconds.iter().map(|&n| left[n] + right[n]).sum::<f64>() / seconds.len() as f64;
    assert!(both(&[1, 2]) < 0.55 * both(&[6, 7, 8]), "{left:?} {right:?}");
}

/// An access point at `x` with a station that sends datagrams all the time.
fn pair(x: u32, name: &str) -> String {
    format!(
        "[[ap]]\nname = \"{name}\"\nchannel = 36\nadapter = \"dcf\"\nposition = [\"{x} m\", \"0 m\"]\n\
         [[station]]\nname = \"sta-{name}\"\nap = \"{name}\"\nhost = \"linux-6.18\"\nadapter = \"dcf\"\n\
         position = [\"{x} m\", \"3 m\"]\nrate = \"24 Mbit/s\"\n\
         [[flow]]\nkind = \"udp\"\nfrom = \"sta-{name}\"\nto = \"server\"\nrate = \"saturated\"\n"
    )
}

/// Two hidden stations collide as much as before beside a network that they do not hear, whose frames are received meanwhile.
#[test]
fn what_is_received_out_of_reach_hides_no_collision() {
    let station =
        |name, x| sender(name, &format!("ap = \"ap\"\nrate = \"6 Mbit/s\"\nposition = [\"{x} m\", \"0 m\"]"));
    let hidden = format!("{CELL}{}{}", station("left", -30), station("right", 30))
        .replace("name = \"ap\"", "name = \"ap\"\nchannel = 36");
    let collided =
        |text: &str| outcome(text).summary.to_value()["airtime"]["collided"].as_f64().expect("a share");
    let [alone, beside] = [hidden.clone(), hidden + &pair(400, "far")].map(|text| collided(&text));
    assert!(alone > 0.2 && (beside / alone - 1.0).abs() < 0.1, "{alone} and {beside}");
}

/// Two pairs that do not hear each other each have the whole channel.
#[test]
fn networks_out_of_each_others_reach_use_the_air_at_once() {
    let head = &CELL[..CELL.find("[[ap]]").expect("one")];
    let server = &CELL[CELL.find("[[server]]").expect("one")..];
    let text = |x: u32| format!("{head}{server}{}{}", pair(0, "one"), pair(x, "other"));
    let alone = goodput(&format!("{head}{server}{}", pair(0, "one")))[0];
    let [near, far] = [20, 100].map(|x| goodput(&text(x)).iter().sum::<f64>() / alone);
    assert!((far / 2.0 - 1.0).abs() < 0.01 && near < 1.2, "{far} and {near} times as much as one alone");
    let air = outcome(&text(100)).summary.to_value()["airtime"].clone();
    let used: f64 = air["by_node"].as_object().expect("nodes").values().filter_map(Value::as_f64).sum();
    assert!(used > 1.2, "{air}");
}

/// A plan with networks, walls, stations that sit and stations that walk, as drawn.
fn plans() -> impl Strategy<Value = String> {
    let place = || (-40i32..40, -40i32..40).prop_map(|(x, y)| format!("[\"{x} m\", \"{y} m\"]"));
    let station = (any::<prop::sample::Index>(), place(), prop::option::of((place(), 1u32..60)), 0u32..16);
    let wall = (place(), place(), prop::sample::select(&["light", "heavy", "concrete"]));
    let flow = (any::<prop::sample::Index>(), prop::bool::ANY, 0usize..4);
    let drawn = (
        prop::collection::vec(place(), 1..=3),
        prop::collection::vec(station, 1..6),
        prop::collection::vec(wall, 0..5),
        prop::collection::vec(flow, 1..6),
        (prop::sample::select(&["0 dB", "6 dB"]), any::<u32>()),
    );
    drawn.prop_map(|(aps, stations, walls, flows, (shadowing, seed))| {
        let mut text = format!(
            "title = \"A test\"\nduration = \"500 ms\"\nseed = {seed}\n\
             air = {{ standard = \"802.11n\", band = \"5 GHz\", width = \"20 MHz\", shadowing = \"{shadowing}\" }}\n\
             [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"200 Mbit/s\", delay = \"2 ms\" }}\n"
        );
        for (n, place) in aps.iter().enumerate() {
            writeln!(text, "[[ap]]\nname = \"ap{n}\"\nadapter = \"ath9k\"\nchannel = 36\nposition = {place}").expect("text grows");
        }
        for (from, to, material) in walls.iter().filter(|(from, to, _)| from != to) {
            writeln!(text, "[[wall]]\nfrom = {from}\nto = {to}\nmaterial = \"{material}\"").expect("text grows");
        }
        for (n, (at, place, walk, mcs)) in stations.iter().enumerate() {
            let place = match walk {
                Some((to, speed)) if to != place => format!("walk = {{ from = {place}, to = {to}, speed = \"{speed} m/s\" }}"),
                _ => format!("position = {place}"),
            };
            let rate = if *mcs < 4 { "minstrel".to_owned() } else { format!("MCS {mcs}") };
            writeln!(
                text,
                "[[station]]\nname = \"s{n}\"\nap = \"ap{}\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nrate = \"{rate}\"\n{place}",
                at.index(aps.len())
            )
            .expect("text grows");
        }
        for (station, up, kind) in flows {
            let station = format!("s{}", station.index(stations.len()));
            let (from, to) = if up { (&*station, "server") } else { ("server", &*station) };
            let kind = [
                "",
                "kind = \"udp\"\nrate = \"saturated\"",
                "kind = \"udp\"\nrate = \"3 Mbit/s\"",
                "kind = \"ping\"\ninterval = \"20 ms\"",
            ][kind];
            writeln!(text, "[[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\n{kind}").expect("text grows");
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), ..ProptestConfig::default() })]
    #[test]
    fn any_plan_keeps_the_laws(text in plans()) {
        let scenario = good(&text);
        let mut unkept = ();
        let mut world = World::new(&scenario, Recorder::new(&scenario, &mut unkept));
        prop_assert!(world.run(&mut |_| true));
        let ends = world.flows();
        let summary = world.into_probe().finish(&scenario, &ends).to_value();
        let air = &summary["airtime"];
        let number = |value: &Value| value.as_f64().expect("a number");
        let used: f64 = air["by_node"].as_object().expect("nodes").values().map(number).sum();
        let (collided, idle) = (number(&air["collided"]), number(&air["idle"]));
        prop_assert!(collided >= 0.0 && idle >= 0.0 && collided + idle <= 1.0 + 1e-9, "{}\n{}", air, text);
        prop_assert!(used + collided + idle > 1.0 - 1e-9, "{}\n{}", air, text);
        for (n, end) in ends.iter().enumerate() {
            let flow = &summary["flows"][n];
            if let FlowKind::Tcp { .. } = scenario.flow[n].kind {
                prop_assert!(end.delivered <= end.written);
            } else {
                let count = |key: &str| flow[key].as_u64();
                let arrived = count("delivered").or(count("answered")).expect("a count");
                let (sent, lost) = (count("sent").expect("a count"), count("lost").expect("a count"));
                prop_assert_eq!(sent, arrived + lost + end.in_transit, "flow {}\n{}", n, &text);
            }
        }
        prop_assert_eq!(good(&scenario.to_toml()), scenario);
    }
}

/// The last frame of this run ends as the run does, after the last bin.
#[test]
fn a_frame_that_ends_with_the_run_counts() {
    let station = |name: &str, metres: u32| {
        format!(
            "[[station]]\nname = \"{name}\"\nhost = \"linux-6.18\"\nadapter = \"ath9k\"\nposition = [\"0 m\", \"-{metres} m\"]\n"
        )
    };
    let ping = |from: &str, to: &str| {
        format!("[[flow]]\nkind = \"ping\"\nfrom = \"{from}\"\nto = \"{to}\"\ninterval = \"20 ms\"\n")
    };
    let text = format!(
        "title = \"A test\"\nduration = \"500 ms\"\nseed = 2655999980\n\
         air = {{ standard = \"802.11n\", band = \"5 GHz\", width = \"20 MHz\" }}\n\
         [[server]]\nname = \"server\"\nhost = \"linux-6.18\"\nlink = {{ rate = \"200 Mbit/s\", delay = \"2 ms\" }}\n\
         [[ap]]\nname = \"ap0\"\nadapter = \"ath9k\"\nchannel = 36\nposition = [\"0 m\", \"9 m\"]\n\
         [[wall]]\nfrom = [\"-11 m\", \"0 m\"]\nto = [\"5 m\", \"0 m\"]\nmaterial = \"heavy\"\n\
         {}rate = \"MCS 4\"\n{}rate = \"MCS 10\"\n{}{}",
        station("s0", 18),
        station("s1", 34),
        ping("server", "s0"),
        ping("s1", "server")
    );
    let air = outcome(&text).summary.to_value()["airtime"].clone();
    let share = |value: &Value| value.as_f64().expect("a share");
    let used: f64 = air["by_node"].as_object().expect("nodes").values().map(share).sum();
    assert!((used + share(&air["collided"]) + share(&air["idle"]) - 1.0).abs() < 1e-9, "{air}");
}
