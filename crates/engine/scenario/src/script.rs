//! Scripts: arrays of steps, each with the time from which it holds.

use airloom_config::error::Faults;
use airloom_config::form::Measure;
use airloom_config::toml_tree::TomlNode;
use airloom_sim::Duration;

/// Reports a script of `key` that does not begin at zero, or whose steps are not in order. `items` are its steps as written, at these `times`, and `begins` is how
/// messages call the first of them.
pub(crate) fn check_order(
    faults: &Faults,
    (key, begins): (&str, &str),
    items: &[TomlNode],
    times: impl Iterator<Item = Duration>,
) {
    let times: Vec<Duration> = times.collect();
    if times[0] > Duration::ZERO {
        let hint = format!("begin with {{ at = \"0 s\", {key} = ... }}");
        faults.fail(items[0].at, format!("nothing says {begins}"), Some(hint));
    }
    for (item, pair) in items[1..].iter().zip(times.windows(2)) {
        if pair[1] <= pair[0] {
            let message = format!("a step at {} after one at {}", pair[1].written(), pair[0].written());
            faults.fail(item.at, message, Some("the steps of a script are in order of time".to_owned()));
        }
    }
}
