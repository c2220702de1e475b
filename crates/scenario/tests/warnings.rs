//! What a sound scenario is warned of, word for word, and where.

use airloom_scenario::load_with_warnings;

const GOOD: &str = r#"title = "A test"
duration = "10 s"

[air]
standard = "802.11n"
band = "5 GHz"
width = "40 MHz"

[[ap]]
name = "ap"
adapter = "ath9k"

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
"#;

/// The warnings about a text, each as it is printed.
fn warned(text: &str, overrides: &[(&str, &str)]) -> Vec<String> {
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let (scenario, warnings) =
        load_with_warnings(text, "test.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.warnings().len(), warnings.len());
    warnings.into_iter().map(|warning| warning.to_string()).collect()
}

/// The good scenario with `old` replaced by `new`.
fn with(old: &str, new: &str) -> Vec<String> {
    assert_eq!(GOOD.matches(old).count(), 1, "{old} is not there once");
    warned(&GOOD.replace(old, new), &[])
}

#[test]
fn a_good_scenario_is_warned_of_nothing() {
    assert_eq!(warned(GOOD, &[]), [""; 0]);
}

#[test]
fn a_flow_that_begins_after_the_end_is_warned_of() {
    let late = "flow `server-alice` starts at 10 s, but the run ends at 10 s";
    let hint = "let it start earlier, or give the run a longer `duration`";
    let file = with("to = \"alice\"", "to = \"alice\"\nstart = \"10 s\"");
    assert_eq!(file, [format!("test.toml:27:9: {late}\n  {hint}")]);
    let set = warned(GOOD, &[("flow.0.start", "10 s")]);
    assert_eq!(set, [format!("set flow.0.start=10 s: {late}\n  {hint}")]);
    assert_eq!(with("to = \"alice\"", "to = \"alice\"\nstart = \"9.9 s\""), [""; 0]);
}

#[test]
fn a_scenario_without_a_flow_is_warned_of() {
    let none = with("[[flow]]\nfrom = \"server\"\nto = \"alice\"\n", "");
    let hint = "write [[flow]] with from = \"server\" and to = \"a station\"";
    assert_eq!(none, [format!("test.toml:1:1: there is no flow: nothing will be sent\n  {hint}")]);
}
