//! What a mistake in a scenario is answered with, word for word.

mod air;
mod files;
mod flows;
mod keys;
mod links;
mod networks;
mod values;

use airloom_scenario::load;
use similar::{ChangeTag, DiffTag, TextDiff};

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
name = "sta1"
host = "linux-3.13"
adapter = "ath9k"
snr = "35 dB"
scan = { by = "networkmanager-0.9.8", channels = 26 }

[[server]]
name = "server"
host = "linux-3.13"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }

[[flow]]
from = "sta1"
to = "server"
tcp = { congestion = "cubic" }
"#;

/// A mistake and the whole message that answers it. Of the text, the lines that the good scenario does not have are shown after
/// a `+`, and after a `-` those that it has and nothing stands for here.
fn answer(text: &str, overrides: &[(&str, &str)]) -> String {
    let mut answer = String::new();
    let diff = TextDiff::from_lines(GOOD, text);
    for op in diff.ops() {
        let shown = if op.tag() == DiffTag::Delete { ChangeTag::Delete } else { ChangeTag::Insert };
        for change in diff.iter_changes(op).filter(|change| change.tag() == shown) {
            answer += &format!("{shown} {}\n", change.value().trim_end());
        }
    }
    let overrides = overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned()));
    let overrides: Vec<(String, String)> = overrides.collect();
    for (path, value) in &overrides {
        answer += &format!("--set {path}={value}\n");
    }
    let message =
        load(text, "test.toml", &overrides, None).map_or_else(|e| e.to_string(), |_| "no error".to_owned());
    answer + &message + "\n"
}

/// The good scenario with `old` replaced by `new`.
fn with(old: &str, new: &str) -> String {
    assert_eq!(GOOD.matches(old).count(), 1, "{old} is not there once");
    answer(&GOOD.replace(old, new), &[])
}

fn set(path: &str, value: &str) -> String {
    answer(GOOD, &[(path, value)])
}
