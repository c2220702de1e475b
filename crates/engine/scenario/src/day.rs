//! The longest time of a scenario.

use airloom_sim::Duration;

/// The longest time allowed in a scenario: a day.
pub(crate) const DAY: Duration = Duration::from_secs(86_400);
