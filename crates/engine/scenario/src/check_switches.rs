//! Checks that there are not too many channels on which radios are registered.

use crate::Scenario;
use airloom_config::error::Faults;
use airloom_config::toml_tree::Table;
use airloom_observe::NodeId;

/// The most radios on channels, each counted on every channel that its network is ever on: each of them senses a medium of its own.
const MOST: usize = 60_000;

/// Reports switches of access points that take more than that.
pub(crate) fn check(faults: &Faults, root: &Table, scenario: &Scenario) {
    let Some(place) = scenario.ap.iter().position(|ap| ap.switch.is_some()).filter(|_| scenario.has_places())
    else {
        return;
    };
    let at_home = scenario.station.iter().map(|station| scenario.access_point_of(station).0);
    let on_the_way =
        scenario.station.iter().flat_map(|station| scenario.ways_of(station)).map(|(node, _)| node);
    let ever = |node: NodeId| scenario.spectra_of(node).len();
    let all = scenario.access_points().map(|(node, _)| node).chain(at_home).chain(on_the_way);
    if all.map(ever).sum::<usize>() > MOST {
        let message =
            format!("more than {MOST} radios on channels, each counted on every one that it is ever on");
        let hint = "leave some switches, access points or stations out".to_owned();
        faults.fail(root.items("ap")[place].place_of("switch"), message, Some(hint));
    }
}
