//! How a station's signal-to-noise ratio is written: `"35 dB"`, or an array of such ratios, each with the time from which it holds.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, level, time, unexpected};
use airloom_config::record;
use airloom_config::record::{Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};
use airloom_sim::Duration;
use serde_json::{Value as Json, json};

use crate::day::DAY;
use crate::script;

/// The least signal-to-noise ratio that a scenario may give, in dB.
pub(crate) const LEAST_SNR: f64 = -60.0;
/// The greatest.
pub(crate) const MOST_SNR: f64 = 100.0;

record! {
    /// A ratio from a time on.
    pub struct SignalStep {
        /// The time from which the ratio holds.
        at: Duration = time(Duration::ZERO, DAY);
        /// The ratio.
        snr: f64 = level(LEAST_SNR, MOST_SNR);
    }
}

/// How well a station hears its access point: from the beginning, and later.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signal {
    /// The ratio as the run begins, in dB.
    pub(crate) snr: f64,
    /// Those that follow, in the order of their times.
    pub(crate) later: Vec<SignalStep>,
}

impl Signal {
    /// The ratio after this time of the run, in dB.
    pub(crate) fn at(&self, at: Duration) -> f64 {
        let passed = self.later.partition_point(|step| step.at <= at);
        passed.checked_sub(1).map_or(self.snr, |last| self.later[last].snr)
    }
}

const STEP: Nested<SignalStep> = nested();
const HINT: &str = "write \"35 dB\" or [{ at = \"0 s\", snr = \"35 dB\" }, ...]";

/// One ratio, or a script of them.
pub(crate) struct SignalForm;

impl SignalForm {
    /// The steps begin at zero and are in order.
    fn script(faults: &Faults, path: &str, node: &TomlNode, items: &[TomlNode]) -> Option<Signal> {
        if !script::has_good_length(faults, node, ("snr", items), HINT) {
            return None;
        }
        let read: Vec<Option<SignalStep>> =
            items.iter().map(|item| STEP.read(faults, path, &[item])).collect();
        let steps: Vec<SignalStep> = read.into_iter().collect::<Option<_>>()?;
        let begins = ("snr", "which ratio the script begins with");
        script::check_order(faults, begins, items, steps.iter().map(|step| step.at));
        Some(Signal { snr: steps[0].snr, later: steps[1..].to_vec() })
    }
}

impl Form for SignalForm {
    type Of = Signal;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Signal> {
        let node = found.first()?;
        match &node.value {
            Value::List(items) => Self::script(faults, path, node, items),
            Value::Table(table) if table.get("trace").is_some() => {
                script::unread(faults, node, "snr", "walk.csv");
                None
            }
            Value::Table(_) => {
                unexpected(faults, path, node, "text in quotes or an array", Some(HINT.to_owned()));
                None
            }
            _ => {
                let snr = level(LEAST_SNR, MOST_SNR).read(faults, path, found)?;
                Some(Signal { snr, later: Vec::new() })
            }
        }
    }

    fn write(&self, value: &Signal) -> Option<Out> {
        if value.later.is_empty() {
            return level(LEAST_SNR, MOST_SNR).write(&value.snr);
        }
        let first = SignalStep { at: Duration::ZERO, snr: value.snr };
        let step = |step: &SignalStep| Out::Inline(SignalStep::write(step));
        Some(Out::List(std::iter::once(&first).chain(&value.later).map(step).collect()))
    }

    fn schema(&self) -> Json {
        let trace = script::trace_schema("the columns time_s and snr_db");
        json!({ "anyOf": [level(LEAST_SNR, MOST_SNR).schema(), script::schema(&STEP.schema()), trace] })
    }
}
