//! The laboratory: a scenario becomes a world, a world is run, a run leaves a bundle.
//!
//! ```text
//!  scenario::load -> World::new(scenario, probe) -> World::run -> bundle
//! ```
//! [`world`] is the one place where components meet: it pops the earliest event, hands it to the component it names and
//! carries out the effects. [`metrics`] folds what it sees into series and a [`summary`].
//!
//! ```
//! use airloom_lab::{run, scenario};
//!
//! let text = std::fs::read_to_string("../../../examples/download.toml")?;
//! let short = [("duration".to_owned(), "1 s".to_owned())];
//! let scenario = scenario::load(&text, "download.toml", &short, None)?;
//! let outcome = run::run(&scenario, &mut |_| true)?;
//! assert!(outcome.summary.warnings.is_empty() && !outcome.summary.flows.is_empty());
//! assert!(outcome.series.rows.iter().any(|row| row.metric.name_and_unit() == ("cwnd", "packets")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod airtime;
#[cfg(not(target_family = "wasm"))]
pub mod bundle;
pub mod capture;
#[cfg(not(target_family = "wasm"))]
mod detail;
mod files;
pub mod memory;
pub mod metrics;
pub mod run;
pub mod stepped;
pub mod summary;
#[cfg(not(target_family = "wasm"))]
pub mod tables;

pub use airloom_scenario as scenario;
pub use airloom_wifi::reordering::receive_script;
pub use airloom_wifi::reordering::smoothed_rate::SmoothedRate;
pub use airloom_world as world;

/// The version that every bundle names.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The results version, which every bundle names too: runs of the same scenario and seed with the same results version give
/// the same numbers. It is the number of lines in the history of the pinned runs.
pub const RESULTS: u32 = lines(include_bytes!("../tests/world/determinism/pinned/fingerprints.txt"));

const fn lines(mut text: &[u8]) -> u32 {
    let mut lines = 0;
    while let [byte, rest @ ..] = text {
        lines += (*byte == b'\n') as u32;
        text = rest;
    }
    lines
}
