//! How the rate of a wire is written: `"1 Gbit/s"`, an array of such rates, each with the time from which it holds, or
//! `{ steps = [...], repeat = "60 s" }`, such an array that begins anew when that time is over.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, Measure, Quantity, rate, time, unexpected};
use airloom_config::record;
use airloom_config::record::{Layers, Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};
use airloom_sim::{BitRate, Duration};
use serde_json::{Value as Json, json};

use crate::day::DAY;
use crate::script;

/// The highest rate of a wire.
const HIGHEST: BitRate = BitRate::from_mbps(400_000);
const ONE: Quantity<BitRate> = rate(BitRate::from_bps(1), HIGHEST);

record! {
    /// A rate from a time on.
    pub struct WireRateStep {
        /// The time from which the rate holds.
        at: Duration = time(Duration::ZERO, DAY);
        /// The rate; at "0 bit/s" nothing leaves.
        rate: BitRate = rate(BitRate::from_bps(0), HIGHEST);
    }
}

record! {
    /// A script that begins anew.
    struct Repeated {
        /// Its steps.
        steps: Vec<WireRateStep> = Steps;
        /// The time after which it begins anew, from its beginning.
        repeat: Duration = time(Duration::from_millis(1), DAY);
    }
    check begins_anew_after_its_steps;
}

fn begins_anew_after_its_steps(script: &Repeated, faults: &Faults, layers: &Layers<'_>) {
    let last = script.steps.last().map_or(Duration::ZERO, |step| step.at);
    if script.repeat <= last {
        let message = format!(
            "the rates begin anew at {}, their last step is at {}",
            script.repeat.written(),
            last.written()
        );
        let hint = "let `repeat` be later than the last step".to_owned();
        faults.fail(layers.place("repeat"), message, Some(hint));
    }
    if script.steps.iter().all(|step| step.rate == BitRate::from_bps(0)) {
        let hint = "let a step have a `rate` above zero".to_owned();
        faults.fail(layers.place("steps"), "nothing ever leaves at these rates", Some(hint));
    }
}

/// The rate of a wire: from the beginning, and later.
#[derive(Clone, Debug, PartialEq)]
pub struct WireRate {
    /// The rate as the run begins.
    pub first: BitRate,
    /// Those that follow, in the order of their times.
    pub later: Vec<WireRateStep>,
    /// After which time all of them begin anew; the last one holds to the end if none.
    pub repeat: Option<Duration>,
}

impl WireRate {
    /// The highest of its rates.
    pub fn highest(&self) -> BitRate {
        self.later.iter().map(|step| step.rate).fold(self.first, BitRate::max)
    }

    fn of(steps: Vec<WireRateStep>, repeat: Option<Duration>) -> Option<Self> {
        let mut steps = steps.into_iter();
        Some(Self { first: steps.next()?.rate, later: steps.collect(), repeat })
    }

    fn steps(&self) -> Vec<WireRateStep> {
        let first = WireRateStep { at: Duration::ZERO, rate: self.first };
        std::iter::once(first).chain(self.later.iter().cloned()).collect()
    }
}

const STEP: Nested<WireRateStep> = nested();
const REPEATED: Nested<Repeated> = nested();
const HINT: &str = "write \"1 Gbit/s\" or [{ at = \"0 s\", rate = \"20 Mbit/s\" }, ...]";

/// The steps of a script.
struct Steps;

impl Steps {
    fn list(faults: &Faults, path: &str, node: &TomlNode, items: &[TomlNode]) -> Option<Vec<WireRateStep>> {
        if !script::has_good_length(faults, node, ("rate", items), HINT) {
            return None;
        }
        let read: Vec<Option<WireRateStep>> =
            items.iter().map(|item| STEP.read(faults, path, &[item])).collect();
        let steps: Vec<WireRateStep> = read.into_iter().collect::<Option<_>>()?;
        let begins = ("rate", "at which rate the script begins");
        script::check_order(faults, begins, items, steps.iter().map(|step| step.at));
        Some(steps)
    }
}

impl Form for Steps {
    type Of = Vec<WireRateStep>;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Vec<WireRateStep>> {
        let node = found.first()?;
        let Value::List(items) = &node.value else {
            unexpected(faults, path, node, "an array", Some(HINT.to_owned()));
            return None;
        };
        Self::list(faults, path, node, items)
    }

    fn write(&self, steps: &Vec<WireRateStep>) -> Option<Out> {
        Some(Out::List(steps.iter().map(|step| Out::Inline(WireRateStep::write(step))).collect()))
    }

    fn schema(&self) -> Json {
        script::schema(&STEP.schema())
    }
}

/// One rate, a script of them, or one that begins anew.
pub(crate) struct WireRateForm;

impl WireRateForm {
    /// A script whose last rate holds, so that what waits leaves at some time.
    fn script(faults: &Faults, path: &str, node: &TomlNode, items: &[TomlNode]) -> Option<WireRate> {
        let steps = Steps::list(faults, path, node, items)?;
        if steps.last().is_some_and(|step| step.rate == BitRate::from_bps(0)) {
            let last = items.last().map_or(node.at, |item| item.at);
            let hint = "end with a step whose rate is above zero, be it at the end of the run".to_owned();
            faults.fail(
                last,
                "nothing ever leaves after the last step: its `rate` is zero, and holds",
                Some(hint),
            );
            return None;
        }
        WireRate::of(steps, None)
    }
}

impl Form for WireRateForm {
    type Of = WireRate;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<WireRate> {
        let node = found.first()?;
        match &node.value {
            Value::List(items) => Self::script(faults, path, node, items),
            Value::Table(table) if table.get("trace").is_some() => {
                script::unread(faults, node, "rate", "lte.csv");
                None
            }
            Value::Table(_) => {
                let Repeated { steps, repeat } = REPEATED.read(faults, path, &[node])?;
                WireRate::of(steps, Some(repeat))
            }
            _ => {
                let first = ONE.read(faults, path, found)?;
                Some(WireRate { first, later: Vec::new(), repeat: None })
            }
        }
    }

    fn write(&self, value: &WireRate) -> Option<Out> {
        match value.repeat {
            None if value.later.is_empty() => ONE.write(&value.first),
            None => Steps.write(&value.steps()),
            Some(repeat) => Some(Out::Inline(Repeated::write(&Repeated { steps: value.steps(), repeat }))),
        }
    }

    fn schema(&self) -> Json {
        let trace = script::trace_schema("the columns time_s and rate_mbps, or times of mahimahi");
        json!({ "anyOf": [ONE.schema(), Steps.schema(), REPEATED.schema(), trace] })
    }
}
