//! How a station dozes to save power.

use airloom_config::form::{Flag, count, time, words};
use airloom_config::record;
use airloom_sim::Duration;
use airloom_wifi::{Fetch, PowerSave};

record! {
    /// A station that dozes while it has no data.
    pub(crate) struct PowerSaveTable for PowerSave {
        /// It dozes after this long without data either way: Linux's `dynamic_ps_timeout`.
        timeout: Duration = time(Duration::from_millis(1), Duration::from_secs(60)), default Duration::from_millis(100);
        /// It listens to every such beacon alone.
        listen_interval: u32 = count(1, 100), default 1;
        /// How it gets what a beacon says that waits: "null", by saying that it is awake, or "ps-poll", by asking for one frame after the
        /// other as it dozes on.
        fetch: Fetch = words(Fetch::WORDS, &[]), default Fetch::Null;
        /// Whether it dozes through calls (U-APSD): its own packets of the voice category have those sent that wait of it, and no beacon
        /// tells of them.
        uapsd: bool = Flag, default false;
    }
}
