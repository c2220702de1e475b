//! Parameters of what a caller brings: the values of a scenario come to what is made, and mistakes in them have a place and a remedy.
//!
//! In a process of its own, since all tests of one know what any of them brings.

use airloom_scenario::{
    Delivery, FlowKind, Traffic, json_schema, load, load_with_warnings, register_traffic,
};
use airloom_sim::{BroughtName, Duration, Making, Time};
use airloom_tcp::Congestion;
use airloom_tcp::congestion::{CongestionControl, CongestionWindow, Progress};
use serde_json::{Value as Json, json};
use std::sync::Once;

const GOOD: &str = r#"title = "A test"
duration = "10 s"

[air]
standard = "802.11n"
band = "5 GHz"
width = "40 MHz"

[[ap]]
name = "ap"
adapter = "ath9k"
queue = { discipline = "both" }

[[station]]
name = "alice"
host = "linux-6.18"
adapter = "ath9k"
distance = "3 m"

[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }

[[flow]]
from = "server"
to = "alice"
tcp = { congestion = "slow-start" }
"#;

struct Nothing;

impl CongestionControl for Nothing {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        w.cwnd
    }
    fn grow(&mut self, _: &mut CongestionWindow, _: &Progress) {}
    fn acked(&mut self, _: &mut CongestionWindow, _: &Progress, _: Option<Duration>) {}
    fn timeout(&mut self, _: Time, _: u64) {}
}

impl airloom_queue::Law for Nothing {}

impl Traffic for Nothing {}

/// Brings a control of each type of parameter, a queue and traffic of one name, and a control without parameters.
fn brought() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let control = |_: &Making| Box::new(Nothing) as Box<dyn CongestionControl>;
        let all = [
            ("few", 2.into()),
            ("share", 0.5.into()),
            ("by", "drop".into()),
            ("hard", false.into()),
            ("deep", (-3).into()),
        ];
        airloom_tcp::congestion::register("slow-start", &all, control).expect("a name");
        airloom_tcp::congestion::register("plain", &[], control).expect("a name");
        let queue = [("above", 0.01.into()), ("most", 5.into())];
        airloom_queue::register_queue("both", &queue, |_| Box::new(Nothing)).expect("a name");
        let traffic = [("above", 3.0.into()), ("size", 7.into())];
        register_traffic("both", &traffic, Delivery::Unseen, |_| Box::new(Nothing)).expect("a name");
    });
}

/// The control of the flow, of a good scenario with this behind it and these changes.
fn control(own: &str, set: &[(&str, &str)]) -> Result<BroughtName, String> {
    brought();
    let set: Vec<_> = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let scenario =
        load(&format!("{GOOD}\n{own}"), "test.toml", &set, None).map_err(|mistakes| mistakes.to_string())?;
    let FlowKind::Tcp { tcp, .. } = &scenario.flow[0].kind else { panic!("it is of TCP") };
    match tcp.congestion {
        Some(Congestion::Own(own)) => Ok(own),
        _ => panic!("it is one's own"),
    }
}

#[test]
fn values_come_from_the_file_and_from_overrides() {
    let making = |own, set: &[_]| control(own, set).expect("it is sound").making(9);
    let usual = making("", &[]);
    assert_eq!(
        (usual.whole("few"), usual.real("share"), usual.text("by"), usual.flag("hard")),
        (2, 0.5, "drop", false)
    );
    let file = "[own.slow-start]\nfew = 4\nshare = 1\nhard = true\nby = \"mark\"\ndeep = -7\n";
    let changed = making(file, &[]);
    assert_eq!(
        (changed.whole("few"), changed.real("share"), changed.text("by"), changed.flag("hard")),
        (4, 1.0, "mark", true)
    );
    assert_eq!((changed.whole("deep"), changed.seed), (-7, 9));
    let set = making(file, &[("own.slow-start.few", "5"), ("own.slow_start.by", "none")]);
    assert_eq!((set.whole("few"), set.real("share"), set.text("by")), (5, 1.0, "none"));
    assert_eq!(making("", &[("own.slow-start.few", "5")]).whole("few"), 5);
}

#[test]
fn the_resolved_scenario_has_all_values_and_reads_as_the_same() {
    brought();
    let own = "[own.slow-start]\nfew = 4\n[own.both]\nmost = 6\n";
    let scenario = load(&format!("{GOOD}\n{own}"), "test.toml", &[], None).expect("it is sound");
    let written = scenario.to_toml();
    // The two kinds called `both` have different defaults of `above`, and one of them is used.
    assert!(written.contains("\n[own.both]\nmost = 6\nsize = 7\n"), "{written}");
    assert!(
        written
            .contains("\n[own.slow-start]\nby = \"drop\"\ndeep = -3\nfew = 4\nhard = false\nshare = 0.5\n"),
        "{written}"
    );
    assert!(!written.contains("[own]"), "{written}");
    let again = load(&written, "test.toml", &[], None).expect("it is sound");
    assert_eq!(again, scenario);
    let without = load(GOOD, "test.toml", &[], None).expect("it is sound").to_toml();
    assert!(without.contains("\n[own.both]\nabove = 0.01\nmost = 5\n"), "of the queue alone: {without}");
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let said = |own: &str, set: &[_]| control(own, set).expect_err("a mistake");
    let at = |own: &str| said(own, &[]);
    assert_eq!(
        at("[own.slow-strat]\nfew = 4\n"),
        "test.toml:30:6: no kind of your own is called `slow_strat`\n  did you mean `slow-start`? there are `both`, `plain` and `slow-start`"
    );
    assert_eq!(
        at("[own.slow-start]\nfow = 4\n"),
        "test.toml:31:1: `slow-start` has no parameter `fow`\n  did you mean `few`? there are `by`, `deep`, `few`, `hard` and `share`"
    );
    assert_eq!(
        at("[own.plain]\nfew = 4\n"),
        "test.toml:31:1: `plain` has no parameter `few`\n  it has none: a parameter has a number, true or false, or a text as its default"
    );
    assert_eq!(
        at("[own.fq-codel]\n"),
        "test.toml:30:6: no kind of your own is called `fq_codel`\n  \
         that is built in: it has its parameters where it is named, and [own.NAME] is for what you bring"
    );
    for (wrong, wanted, default) in [
        ("few = 2.5", "`few` must be a whole number, not 2.5", "2"),
        ("few = \"2\"", "`few` must be a whole number, not text", "2"),
        ("few = 9223372036854775808", "`few` must be a whole number, not 9223372036854775808", "2"),
        ("share = true", "`share` must be a number, not true or false", "0.5"),
        ("share = nan", "`share` must be a number, not nan", "0.5"),
        ("by = 3", "`by` must be text in quotes, not 3", "\"drop\""),
        ("hard = 1", "`hard` must be true or false, not 1", "false"),
        ("few = [2]", "`few` must be a whole number, not an array", "2"),
    ] {
        let column = wrong.find('=').expect("a value") + 3;
        let message = format!("test.toml:31:{column}: {wanted}\n  its default is {default}");
        assert_eq!(at(&format!("[own.slow-start]\n{wrong}\n")), message);
    }
    assert_eq!(
        said("", &[("own.slow-start.few", "x")]),
        "set own.slow-start.few=x: `few` must be a whole number, not text\n  its default is 2"
    );
    assert_eq!(
        at("[own]\nslow-start = 3\n"),
        "test.toml:31:14: `slow_start` must be a table, not a number\n  write [own.slow_start] with values for its parameters"
    );
    assert_eq!(
        at("[[own]]\nx = 3\n"),
        "test.toml:30:1: `own` must be a table, not an array\n  write [own.NAME] with values for the parameters of that kind"
    );
}

#[test]
fn values_for_what_nothing_uses_are_warned_of() {
    brought();
    let text = format!("{GOOD}\n[own.plain]\n[own.slow-start]\nfew = 3\n");
    let (_, warnings) = load_with_warnings(&text, "test.toml", &[], None).expect("it is sound");
    let said: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["test.toml:30:1: nothing has `plain`: the values of [own.plain] change nothing\n  \
          name it, as in congestion = \"plain\", or leave the table out"]
    );
}

#[test]
fn the_schema_has_the_names_and_their_parameters() {
    brought();
    let schema: Json = serde_json::from_str(&json_schema()).expect("JSON");
    let own = &schema["properties"]["own"];
    assert_eq!(own["additionalProperties"], json!(false));
    let control = &own["properties"]["slow-start"]["properties"];
    let one = |key: &str| (control[key]["type"].clone(), control[key]["default"].clone());
    assert_eq!(one("few"), (json!("integer"), json!(2)));
    assert_eq!(one("share"), (json!("number"), json!(0.5)));
    assert_eq!(one("by"), (json!("string"), json!("drop")));
    assert_eq!(one("hard"), (json!("boolean"), json!(false)));
    assert_eq!(own["properties"]["both"]["properties"]["above"]["default"], Json::Null, "there are two");
}
