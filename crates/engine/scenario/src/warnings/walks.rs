//! Walks that begin after the run, or that lead out of reach for good.

use super::signal::RadioPath;
use super::{Place, Warning};
use crate::model::Scenario;
use crate::signals::Signals;
use crate::station::Station;
use airloom_config::form::Measure;
use airloom_sim::Duration;

/// The part of a run that a station has to be out of reach as it ends so that a word is said of it.
const LEAST_AWAY: f64 = 0.1;
/// How often the time between two moments is halved, in search of the one at which reach ends.
const HALVINGS: u32 = 8;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let signals = scenario.signals();
    let stations = scenario.station.iter().enumerate();
    let each = stations.map(|(number, station)| {
        stays(scenario, number, station).or_else(|| leaves(scenario, &signals, number, station))
    });
    each.flatten().collect()
}

fn stays(scenario: &Scenario, number: usize, station: &Station) -> Option<Warning> {
    let [first, _, ..] = station.path.as_deref()? else { return None };
    let (name, end) = (&station.name, scenario.duration);
    (first.at >= end).then(|| Warning {
        message: format!(
            "station `{name}` does not move: its path begins at {}, but the run ends at {}",
            first.at.written(),
            end.written()
        ),
        hint: Some("let it begin earlier, or give the run a longer `duration`".to_owned()),
        concerns: vec![name.clone()],
        place: Place::new("station", number, &["path"]),
    })
}

/// Of a station that walks to where hardly a frame is heard and stays there: from when on. One that is nowhere in reach has another
/// warning.
fn leaves(scenario: &Scenario, signals: &Signals<'_>, number: usize, station: &Station) -> Option<Warning> {
    station.path.as_ref()?;
    let moments = signals.moments(station);
    let lost = |at: Duration| RadioPath::between(scenario, station, signals.snr_at(station, at)).lost(number);
    let last = *moments.last()?;
    let lost_there = lost(last)?;
    let heard = moments.iter().rposition(|&at| lost(at).is_none())?;
    let (mut within, mut beyond) = (moments[heard], *moments.get(heard + 1)?);
    for _ in 0..HALVINGS {
        let middle = within + (beyond - within) / 2;
        *if lost(middle).is_none() { &mut within } else { &mut beyond } = middle;
    }
    let name = &station.name;
    let ends = |flow: &&crate::Flow| [&flow.from, &flow.to].contains(&name);
    let concerned = scenario.flow.iter().filter(ends).any(|flow| flow.stop.is_none_or(|stop| stop > beyond));
    let away = (scenario.duration - beyond).as_secs_f64();
    (concerned && away >= LEAST_AWAY * scenario.duration.as_secs_f64()).then(|| Warning {
        message: format!(
            "station `{name}` walks out of reach at about {:.1} s and stays so until the run ends: {} it has {:.1} dB \
             where its way ends",
            beyond.as_secs_f64(),
            lost_there.subject,
            signals.snr_at(station, last)
        ),
        hint: Some("unless that is meant, let it come back, or end the run by then".to_owned()),
        concerns: vec![name.clone()],
        place: Place::new("station", number, &["path"]),
    })
}
