//! Stands in for the simulator where the module is built without it: it loads anything and runs nothing.

pub(crate) mod scenario {
    //! The scenario's text, unread.

    /// A mistake in a scenario.
    pub(crate) struct ScenarioError {
        pub(crate) file: String,
        pub(crate) line: usize,
        pub(crate) column: usize,
        pub(crate) message: String,
        pub(crate) hint: Option<String>,
    }

    /// A scenario as it was read.
    pub(crate) struct Scenario(String);

    impl Scenario {
        /// The text again.
        pub(crate) fn to_toml(&self) -> String {
            self.0.clone()
        }
    }

    /// Accepts any text that is not empty.
    pub(crate) fn load(
        text: &str,
        file: &str,
        _overrides: &[(String, String)],
        _seed: Option<u64>,
    ) -> Result<Scenario, ScenarioError> {
        if text.trim().is_empty() {
            return Err(ScenarioError {
                file: file.to_owned(),
                line: 1,
                column: 1,
                message: "the scenario is empty".to_owned(),
                hint: None,
            });
        }
        Ok(Scenario(text.to_owned()))
    }

    /// No profiles.
    pub(crate) fn profiles() -> String {
        "[]".to_owned()
    }

    /// A schema that accepts everything.
    pub(crate) fn json_schema() -> String {
        "{}".to_owned()
    }
}

pub(crate) mod run {
    //! Runs that do not happen.

    use super::scenario::Scenario;
    use std::path::Path;
    use std::time::Duration;

    /// Why there is no bundle.
    pub(crate) struct Error;

    impl std::fmt::Display for Error {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("this build of airloom has no simulator in it (it was built without the feature `engine`)")
        }
    }

    /// What to keep beside the summary and the series.
    #[derive(Default)]
    pub(crate) struct Options {}

    /// Counts to one and fails.
    pub(crate) fn run_to_bundle(
        _scenario: &Scenario,
        _out: &Path,
        _options: &Options,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<String, Error> {
        for step in 0..20 {
            if !progress(f64::from(step) / 20.0) {
                break;
            }
            std::thread::sleep(Duration::from_millis(60));
        }
        Err(Error)
    }
}
