//! How a station dozes to save power.

use airloom_config::form::{count, time};
use airloom_config::record;
use airloom_sim::Duration;

record! {
    /// A station that dozes while it has no data.
    pub struct PowerSave {
        /// It dozes after this long without data either way: Linux's `dynamic_ps_timeout`.
        timeout: Duration = time(Duration::from_millis(1), Duration::from_secs(60)), default Duration::from_millis(100);
        /// It listens to every such beacon alone.
        listen_interval: u32 = count(1, 100), default 1;
    }
}
