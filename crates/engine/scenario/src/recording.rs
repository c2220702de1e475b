//! What a run leaves beside its summary.

use airloom_sim::Duration;

use crate::day::DAY;
use airloom_config::form::{Flag, time};
use airloom_config::record;

record! {
    /// What a run records in its bundle.
    pub struct Recording {
        /// The width of a bin of the series; the last bin ends with the run.
        every: Duration = time(Duration::from_millis(1), DAY), default Self::USUAL.every;
        /// Whether packets are recorded one by one around the first and the worst absences, holds and recoveries.
        detail: bool = Flag, default Self::USUAL.detail;
    }
}

impl Recording {
    /// What is recorded unless the scenario says otherwise: means of a second, and the detail.
    pub const USUAL: Self = Self { every: Duration::from_secs(1), detail: true };
}
