//! How a rate is written: `"11 Mbit/s"`, `"MCS 15"`, `{ mcs = 15, guard_interval = "short" }`, an array of such rates, each
//! with the time from which it holds, or a rate control (`control_form.rs`).

use airloom_rate::{GuardInterval, Ht};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::{Adaptive, OWN_RATE_CONTROLS};
use serde_json::{Value as Json, json};

use crate::control_form::{CONTROL, ControlForm, is_control, needs_control};
use crate::day::DAY;
use crate::rate_text::{OneText, RateText};
use crate::script;
use airloom_config::emit::Out;
use airloom_config::error::{At, Faults, did_you_mean, shown};
use airloom_config::form::{Form, Measure, Optional, count, time, unexpected, words};
use airloom_config::quantity;
use airloom_config::record;
use airloom_config::record::{Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};

record! {
    /// A step of a script.
    struct StepText {
        /// The time from which the rate holds.
        at: Duration = time(Duration::ZERO, DAY);
        /// The rate.
        rate: OneText = OneForm;
    }
}

record! {
    /// A rate of 802.11n or later as a table.
    struct SchemeText {
        /// The modulation and coding scheme: up to 31 in 802.11n, where it says the streams too, 9 in 802.11ac, 11 in 802.11ax, 13 in 802.11be.
        mcs: u8 = count(0, HIGHEST_MCS);
        /// Spatial streams; those of both adapters if left out.
        streams: Option<u8> = Optional(count(1, Ht::MOST_STREAMS)), default None;
        /// The guard interval: "short" (0.4 us), "long" (0.8 us), "1.6 us" or "3.2 us"; 802.11ax and 802.11be have the last three.
        guard_interval: Option<GuardInterval> = Optional(words(GuardInterval::WORDS, &[])), default None;
    }
}

/// The highest scheme that any adapter has.
const HIGHEST_MCS: u8 = Ht::highest_mcs(Ht::MOST_STREAMS);
const TABLE: Nested<SchemeText> = nested();
const STEP: Nested<StepText> = nested();
/// The most steps of a script.
const MOST_STEPS: usize = 10_000;
const ONE_HINT: &str = "write \"54 Mbit/s\", \"MCS 15\" or { mcs = 15, guard_interval = \"short\" }";

/// One rate.
struct OneForm;

impl OneForm {
    fn text(faults: &Faults, at: At, text: &str, hint: &str) -> Option<OneText> {
        if let Ok(bps) = quantity::whole(&quantity::RATE, text) {
            return Some(OneText::Legacy { at, rate: BitRate::from_bps(bps) });
        }
        let digits = text.strip_prefix("MCS ").filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
        let mcs = digits.and_then(|n| n.parse().ok()).filter(|n: &u8| *n <= HIGHEST_MCS);
        if mcs.is_none() {
            let given = shown(text);
            let message = match digits {
                Some(_) => format!("`rate` must be from MCS 0 to MCS {HIGHEST_MCS}, not \"{given}\""),
                None => format!("`rate` cannot be \"{given}\""),
            };
            faults.fail(at, message, Some(hint.to_owned()));
        }
        Some(OneText::Scheme { at, mcs: mcs?, streams: None, guard: None })
    }
}

impl Form for OneForm {
    type Of = OneText;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<OneText> {
        let node = found.first()?;
        match &node.value {
            Value::Text(text) => Self::text(faults, node.at, text, ONE_HINT),
            Value::Table(_) => {
                let SchemeText { mcs, streams, guard_interval } = TABLE.read(faults, path, &[node])?;
                Some(OneText::Scheme { at: node.at, mcs, streams, guard: guard_interval })
            }
            _ => {
                unexpected(faults, path, node, "text in quotes or a table", Some(ONE_HINT.to_owned()));
                None
            }
        }
    }

    fn write(&self, value: &OneText) -> Option<Out> {
        Some(match value {
            OneText::Legacy { rate, .. } => Out::Text(rate.written()),
            &OneText::Scheme { mcs, streams, guard, .. } => {
                Out::Inline(SchemeText::write(&SchemeText { mcs, streams, guard_interval: guard }))
            }
        })
    }

    fn schema(&self) -> Json {
        let text = format!("^(MCS ({})|[0-9.]+ *[kM]bit/s)$", up_to(HIGHEST_MCS));
        let text = json!({ "type": "string", "pattern": text, "examples": ["MCS 7", "54 Mbit/s"] });
        json!({ "anyOf": [text, TABLE.schema()] })
    }
}

/// The hint on how to write a rate control.
fn hint() -> String {
    let words: Vec<_> = Adaptive::WORDS.iter().map(|word| format!("\"{word}\"")).collect();
    let script = "[{ at = \"0 s\", rate = \"54 Mbit/s\" }, ...]";
    format!("write \"54 Mbit/s\", \"MCS 15\", {} or {script}", words.join(", "))
}

/// The hint for a text that is none of these.
fn hint_for(text: &str) -> String {
    let names = OWN_RATE_CONTROLS.names();
    // What is meant as one rate begins with a digit or with `MCS`.
    if !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return hint();
    }
    did_you_mean(text, names).unwrap_or_else(|| {
        format!("{}; a rate control of your own is a class in a Python module: `--with MODULE` (docs/own-rate-control.md)", hint())
    })
}

/// A regular expression for the numbers from zero to `most`, which has two digits at most.
fn up_to(most: u8) -> String {
    match (most / 10, most % 10) {
        (0, ones) => format!("[0-{ones}]"),
        (1, ones) => format!("[0-9]|1[0-{ones}]"),
        (tens, ones) => format!("[0-9]|[1-{}][0-9]|{tens}[0-{ones}]", tens - 1),
    }
}

/// A fixed rate, a script of rates, or a rate control.
pub(crate) struct RateForm;

impl RateForm {
    /// The steps begin at zero and are in order.
    fn script(faults: &Faults, path: &str, node: &TomlNode, items: &[TomlNode]) -> Option<RateText> {
        if items.is_empty() || items.len() > MOST_STEPS {
            let message = if items.is_empty() { "is empty" } else { "has more than 10,000 steps" };
            faults.fail(node.at, format!("`rate` {message}"), Some(hint()));
            return None;
        }
        let read: Vec<Option<StepText>> = items.iter().map(|item| STEP.read(faults, path, &[item])).collect();
        let steps: Vec<StepText> = read.into_iter().collect::<Option<_>>()?;
        let begins = ("rate", "at which rate the script begins");
        script::check_order(faults, begins, items, steps.iter().map(|step| step.at));
        Some(RateText::Scripted(steps.into_iter().map(|StepText { at, rate }| (at, rate)).collect()))
    }
}

impl Form for RateForm {
    type Of = RateText;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<RateText> {
        let node = found.first()?;
        match &node.value {
            Value::Text(text) => match Adaptive::plain(text) {
                Some(control) => Some(RateText::Adaptive(control)),
                None if let Some(own) = faults.own(&OWN_RATE_CONTROLS, text) => Some(RateText::Own(own)),
                None if is_control(text) => CONTROL.read(faults, path, found).and(None),
                None => OneForm::text(faults, node.at, text, &hint_for(text)).map(RateText::Fixed),
            },
            Value::Table(table) if table.get("control").is_some() => {
                ControlForm.read(faults, path, found).map(RateText::Adaptive)
            }
            Value::Table(table) if !needs_control(faults, path, node, table) => {
                OneForm.read(faults, path, &[node]).map(RateText::Fixed)
            }
            Value::Table(_) => None,
            Value::List(items) => Self::script(faults, path, node, items),
            _ => {
                unexpected(faults, path, node, "text in quotes, a table or an array", Some(hint()));
                None
            }
        }
    }

    fn write(&self, value: &RateText) -> Option<Out> {
        Some(match value {
            RateText::Fixed(rate) => return OneForm.write(rate),
            RateText::Scripted(steps) => {
                let step = |(at, rate): (_, OneText)| Out::Inline(StepText::write(&StepText { at, rate }));
                Out::List(steps.iter().cloned().map(step).collect())
            }
            RateText::Adaptive(control) => return ControlForm.write(control),
            RateText::Own(own) => Out::Text(own.text().to_owned()),
        })
    }

    fn schema(&self) -> Json {
        let script =
            json!({ "type": "array", "items": STEP.schema(), "minItems": 1, "maxItems": MOST_STEPS });
        let own = OWN_RATE_CONTROLS.names().into_iter().map(|own| json!({ "const": own }));
        let built_in = [ControlForm.schema(), OneForm.schema(), script];
        json!({ "anyOf": built_in.into_iter().chain(own).collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_up_to_a_limit_match() {
        let written = [7, 15, 31].map(up_to);
        assert_eq!(written, ["[0-7]", "[0-9]|1[0-5]", "[0-9]|[1-2][0-9]|3[0-1]"]);
    }
}
