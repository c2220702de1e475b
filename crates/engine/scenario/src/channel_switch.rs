//! When an access point goes to another channel.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, List, count, last, time};
use airloom_config::record;
use airloom_config::record::nested;
use airloom_config::toml_tree::{TomlNode, Value};
use airloom_sim::Duration;
use serde_json::Value as Json;

use crate::day::DAY;
use crate::not_yet;

record! {
    /// A switch of an access point to another channel, which its beacons announce.
    pub struct ChannelSwitch {
        /// When it is decided, from the beginning of the run.
        at: Duration = time(Duration::ZERO, DAY);
        /// The number of the primary channel to which it goes, of the band and the width that its network has.
        channel: u8 = count(1, 233);
        /// After how many beacon intervals it goes (`cs_count` of hostapd, which takes 5 as it has found a radar). Of mac80211 each beacon
        /// says one less, from 4 down to 1; with 0 or 1 it goes at once, unannounced.
        count: u8 = count(0, 255), default 5;
    }
    elsewhere not_yet::of_switch;
}

impl ChannelSwitch {
    /// How long it takes at most with this time between beacons, until the access point has sent one on the new channel.
    pub(crate) fn takes(&self, beacon_interval: Duration) -> Duration {
        beacon_interval * (u64::from(self.count) + 2)
    }
}

/// Switches as an array of tables, one after the other.
pub(crate) struct ChannelSwitches;

/// How one is written.
pub(crate) const EXAMPLE: &str = "write for example switch = [{ at = \"10 s\", channel = 100 }]";

impl ChannelSwitches {
    fn list() -> List<record::Nested<ChannelSwitch>> {
        List(nested::<ChannelSwitch>())
    }
}

impl Form for ChannelSwitches {
    type Of = Vec<ChannelSwitch>;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Vec<ChannelSwitch>> {
        let read = Self::list().read(faults, path, found)?;
        let Some(Value::List(items)) = found.first().map(|node| &node.value) else { return None };
        let late = read.windows(2).position(|two| two[1].at <= two[0].at);
        if let Some(place) = late {
            let message = format!("the times of `{}` do not follow each other", last(path));
            faults.fail(items[place + 1].place_of("at"), message, Some(EXAMPLE.to_owned()));
            return None;
        }
        Some(read)
    }

    fn write(&self, value: &Vec<ChannelSwitch>) -> Option<Out> {
        Self::list().write(value)
    }

    fn schema(&self) -> Json {
        Self::list().schema()
    }
}
