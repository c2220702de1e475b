//! Scenarios.

use airloom_lab::run::run;
use airloom_lab::scenario::load;

/// The most hosts and flows of a world that is run: a larger one takes long to build and shows no more.
const SMALL: usize = 16;

/// Reads a scenario, or refuses it with places. One that is read is the same when it is written out and read again, and
/// its world runs: for at most 32,768 events, after which a run asks whether to go on.
pub fn scenario(text: &str) {
    let scenario = match load(text, "fuzz.toml", &[], None) {
        Ok(scenario) => scenario,
        Err(mistakes) => {
            let lines = text.matches('\n').count() + 1;
            for mistake in mistakes.all() {
                assert!(!mistake.message.is_empty() && !mistake.message.contains('\n'), "{mistake}");
                assert!((1..=lines).contains(&mistake.line) && mistake.column >= 1, "{mistake}");
            }
            return;
        }
    };
    let spelled_out = scenario.to_toml();
    let again =
        load(&spelled_out, "again.toml", &[], None).unwrap_or_else(|error| panic!("{error}\n{spelled_out}"));
    assert_eq!(again, scenario, "{spelled_out}");
    assert_eq!(again.to_toml(), spelled_out);
    if scenario.station.len() + scenario.server.len() <= SMALL && scenario.flow.len() <= SMALL {
        _ = run(&scenario, &mut |_| false);
    }
}
