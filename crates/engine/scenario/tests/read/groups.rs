//! Groups: stations with a `count` and their flows, which are written once and read back the same.

use crate::processor_time;

use airloom_scenario::{Scenario, load};
use proptest::prelude::*;

const WORLD: &str = "title = \"Groups\"\n[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n\
    [[ap]]\nname = \"ap\"\nadapter = \"ath9k\"\n[[server]]\nname = \"server\"\nhost = \"linux-6.18\"\n\
    link = { rate = \"1 Gbit/s\", delay = \"1 ms\" }\n";

fn station(name: &str, more: &str) -> String {
    format!(
        "[[station]]\nname = \"{name}\"\n{more}host = \"linux-6.18\"\nadapter = \"ath9k\"\ndistance = \"5 m\"\n"
    )
}

fn flow(from: &str, to: &str, more: &str) -> String {
    format!("[[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\n{more}")
}

fn good(parts: &[String]) -> Scenario {
    let text = format!("{WORLD}{}", parts.concat());
    load(&text, "test.toml", &[], None).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn said(parts: &[String]) -> String {
    let text = format!("{WORLD}{}", parts.concat());
    load(&text, "test.toml", &[], None).expect_err("a mistake").to_string()
}

fn flow_groups(scenario: &Scenario) -> Vec<(&str, Option<&str>)> {
    scenario.flow.iter().map(|flow| (flow.name.as_str(), flow.group.as_deref())).collect()
}

#[test]
fn a_flow_of_a_group_is_of_a_group_that_has_its_name() {
    let scenario = good(&[
        station("sta", "count = 2\n"),
        station("lone", ""),
        flow("sta", "server", ""),
        flow("server", "sta", "name = \"down\"\n"),
        flow("sta", "server", "kind = \"ping\"\n"),
        flow("lone", "server", ""),
        flow("server", "lone", "group = \"down\"\n"),
    ]);
    let expected = [
        ("sta1-server", Some("sta-server")),
        ("sta2-server", Some("sta-server")),
        ("down1", Some("down")),
        ("down2", Some("down")),
        ("sta1-server-2", Some("sta-server-2")),
        ("sta2-server-2", Some("sta-server-2")),
        ("lone-server", None),
        ("server-lone", Some("down")),
    ];
    assert_eq!(flow_groups(&scenario), expected);
    assert_eq!(load(&scenario.to_toml(), "again.toml", &[], None).as_ref(), Ok(&scenario));
}

#[test]
fn shared_values_are_written_once() {
    let of = |many: u32| {
        let groups = [station("sta", &format!("count = {many}\n")), station("phone", "count = 5\n")];
        let flows =
            [flow("sta", "server", ""), flow("server", "phone", "name = \"call\"\nkind = \"ping\"\n")];
        good(&[groups.concat(), flows.concat()])
    };
    let (few, many) = (of(2).to_toml(), of(200).to_toml());
    assert_eq!(many.len(), few.len() + "00".len());
    assert_eq!(many.matches("[[station]]").count(), 2);
    assert_eq!(many.matches("[[flow]]").count(), 2);
    assert_eq!(load(&many, "again.toml", &[], None), Ok(of(200)));
}

#[test]
fn a_name_in_the_way_of_a_group_has_every_member_written() {
    let scenario = good(&[
        station("sta", "count = 3\n"),
        station("sta", ""),
        flow("sta1", "server", ""),
        flow("sta2", "server", ""),
        flow("sta3", "server", ""),
    ]);
    let text = scenario.to_toml();
    assert_eq!(load(&text, "again.toml", &[], None), Ok(scenario), "{text}");
}

#[test]
fn a_flow_has_one_end_at_a_group_and_no_group_beside_it() {
    let both =
        said(&[station("sta", "count = 3\n"), station("phone", "count = 5\n"), flow("sta", "phone", "")]);
    assert!(both.contains("`to` is `phone`, a group of 5 stations\n"), "{both}");
    assert!(both.contains("such as `phone1`"), "{both}");
    let beside = said(&[station("sta", "count = 3\n"), flow("sta", "server", "group = \"up\"\n")]);
    assert!(beside.contains("what stands for several is a group by itself, `sta-server`"), "{beside}");
    assert!(beside.contains("--of spoken,heard"), "{beside}");
    let twice = said(&[station("sta", "count = 3\ngroup = \"other\"\n")]);
    assert!(twice.contains("what stands for several is a group by itself, `sta`"), "{twice}");
}

#[test]
fn a_member_of_a_group_is_set_with_all_of_it() {
    let set = |more: &str| {
        let text = format!("{WORLD}{}{}", station("sta", more), flow("sta", "server", ""));
        let settings = [("station.sta2.snr".to_owned(), "3 dB".to_owned())];
        load(&text, "test.toml", &settings, None).expect_err("there is none").to_string()
    };
    let told = set("count = 3\n");
    assert!(told.contains("sta2 is one of the group sta: name that, and all of it is set"), "{told}");
    let alone = set("");
    assert!(alone.contains("did you mean `sta`?"), "{alone}");
}

/// A station: of a few names, alone, with a count, or of a group by its own word.
fn any_station() -> impl Strategy<Value = String> {
    let more = prop_oneof![
        Just(String::new()),
        (1..4_u32).prop_map(|count| format!("count = {count}\n")),
        "sta|far".prop_map(|group| format!("group = \"{group}\"\n")),
    ];
    ("sta|far|sta1|sta2|far1", more).prop_map(|(name, more)| station(&name, &more))
}

/// A flow to or from one of these, with or without a name.
fn any_flow() -> impl Strategy<Value = String> {
    let more = "|name = \"a\"\n|name = \"a1\"\n|name = \"sta1-server\"\n|kind = \"ping\"\n";
    ("sta|far|sta1|sta2|far1|far2", more, any::<bool>()).prop_map(|(name, more, up)| {
        if up { flow(&name, "server", &more) } else { flow("server", &name, &more) }
    })
}

proptest! {
    #[test]
    fn any_groups_read_back_the_same(
        stations in prop::collection::vec(any_station(), 1..4),
        flows in prop::collection::vec(any_flow(), 0..5),
    ) {
        let text = format!("{WORLD}{}{}", stations.concat(), flows.concat());
        let loaded = load(&text, "test.toml", &[], None);
        prop_assume!(loaded.is_ok());
        let scenario = loaded.expect("a good one");
        let written = scenario.to_toml();
        prop_assert_eq!(load(&written, "again.toml", &[], None), Ok(scenario), "{}", written);
    }
}

#[test]
fn many_flows_between_two_hosts_are_named_in_no_time() {
    let text = format!("{WORLD}{}", flow("server", "server", "").repeat(100_000));
    let began = processor_time::seconds();
    load(&text, "test.toml", &[("flow.x.start".to_owned(), "1 s".to_owned())], None).expect_err("too many");
    assert!(processor_time::seconds() - began < 20.0);
}
