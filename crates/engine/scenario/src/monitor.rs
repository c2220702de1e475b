//! Radios that only listen: a monitor station at a place of the plan.

use airloom_config::error::Faults;
use airloom_config::form::{Name, Optional, count, words};
use airloom_config::record;
use airloom_config::toml_tree::Table;
use airloom_propagation::Point;
use airloom_wifi::Channel;

use crate::band::Band;
use crate::not_yet;
use crate::position::IN_SPACE;
use crate::{AccessPoint, Scenario};

record! {
    /// A monitor station: its capture has the frames that get through to its place, amid what overlaps them there.
    pub struct Monitor {
        /// Its name, and that of its capture.
        name: String = Name;
        /// Where it is.
        position: Point = IN_SPACE;
        /// The number of the primary channel to which it is tuned, of an access point; that of the first one if left out.
        channel: Option<u8> = Optional(count(1, 233)), default None;
        /// The band of that channel, where access points of two bands have one of this number.
        band: Option<Band> = Optional(words(Band::WORDS, &[]).hinted(Band::OTHER_NAMES)), default None;
    }
    elsewhere not_yet::of_what_stays;
}

impl Monitor {
    /// The channel to which it is tuned, of the first access point that is ever on it.
    pub fn tuned_to(&self, scenario: &Scenario) -> Option<Channel> {
        let of_ap = |ap: &AccessPoint| {
            let air = scenario.air_of(ap);
            let is_it = |channel: &Channel| {
                self.channel.is_none_or(|number| air.band.centre_mhz(number) == channel.primary_mhz)
                    && self.band.is_none_or(|wanted| wanted == air.band)
            };
            ap.spectra(&air).into_iter().find(is_it)
        };
        scenario.ap.iter().find_map(of_ap)
    }
}

/// The capture of the air in every bundle is called so.
const AIR: &str = "air";

/// Reports monitors called like the capture of the air, those where radios have no places, and those on a channel that no access point has.
pub(crate) fn check(faults: &Faults, root: &Table, scenario: &Scenario) {
    for (monitor, node) in scenario.monitor.iter().zip(root.items("monitor")) {
        if monitor.name == AIR {
            let message = "no monitor can be called `air`: air.pcapng is what arrives anywhere".to_owned();
            faults.fail(node.place_of("name"), message, Some("write another `name`".to_owned()));
        }
        if !scenario.has_places() {
            let message = format!("monitor `{}` has a `position`, but no radio has one", monitor.name);
            let hint = "give every access point and station a `position`; without, air.pcapng is what a monitor beside the access point hears";
            faults.fail(node.place_of("position"), message, Some(hint.to_owned()));
        } else if monitor.tuned_to(scenario).is_none() {
            let message = format!("monitor `{}` is on a channel that no access point has", monitor.name);
            faults.fail(node.place_of("channel"), message, Some(there_are(scenario)));
        }
    }
}

/// The channels that there are.
fn there_are(scenario: &Scenario) -> String {
    let named = |ap: &AccessPoint| {
        let band = scenario.air_of(ap).band;
        let goes: String = ap.switches().map(|one| format!(", later on {}", one.channel)).collect();
        format!("`{}` is on channel {}{goes} at {}", ap.name, ap.primary(band), band.name())
    };
    scenario.ap.iter().map(named).collect::<Vec<_>>().join(", ")
}
