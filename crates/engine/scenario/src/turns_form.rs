//! How the turns of a driver's receivers are written: a word, or the name of a scheduler that somebody brings.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, Words, words};
use airloom_config::toml_tree::TomlNode;
use airloom_wifi::{OWN_SCHEDULERS, Turns};
use serde_json::{Value as Json, json};

const WORD: Words<Turns> = words(Turns::WORDS, &[])
    .hinted(&[
        ("rr", "did you mean `round`?"),
        ("round-robin", "did you mean `round`?"),
        ("airtime", AIRTIME),
        ("fair", AIRTIME),
        ("drr", AIRTIME),
    ])
    .otherwise(
        "`airloom schema ap.adapter.turns` lists those that are built in; a scheduler of your own is a class in a Python module: `--with MODULE` \
         (docs/own-scheduler.md)",
    );
const AIRTIME: &str = "shares of air time are `airtime` of queue = { discipline = \"mac80211\" }; a scheduler of your own is a class in a Python \
                       module: `--with MODULE` (docs/own-scheduler.md)";

/// The turns of a driver's receivers.
pub(crate) struct TurnsForm;

impl Form for TurnsForm {
    type Of = Turns;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Turns> {
        let text = found.first()?.text();
        if let Some(own) = text.and_then(|text| faults.own(&OWN_SCHEDULERS, text)) {
            return Some(Turns::Own(own));
        }
        WORD.read_beside(&OWN_SCHEDULERS.names(), (faults, path, found))
    }

    fn write(&self, value: &Turns) -> Option<Out> {
        Some(Out::Text(value.name().to_owned()))
    }

    fn schema(&self) -> Json {
        json!({ "enum": Turns::WORDS.iter().map(|(word, _)| *word).chain(OWN_SCHEDULERS.names()).collect::<Vec<_>>() })
    }
}
