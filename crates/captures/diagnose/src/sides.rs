//! On which side of the air a flow's packets wait.

use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::join::Passage;
use crate::link::Link;
use crate::spare::{feeds_another, waits_for_air};
use airloom_trace::tcp::RoundTrips;
use airloom_trace::{Air, Place};
use std::net::IpAddr;

/// Shorter waits may be scheduling, in ms.
const LEAST_MS: f64 = 5.0;
/// How many times as long packets wait on one side as on the other, if that is where the narrow place is.
const TIMES: f64 = 3.0;
/// Three of four packets wait so long at least: an acknowledgment that was held back, or a pause, makes few wait.
const MOST: f64 = 0.25;

/// A side of the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Where the station is: its adapter, the bus to it, its driver and processor, and what lies behind it.
    Station,
    /// Where the access point is: its processor, the line and the other end.
    AccessPoint,
}

impl Side {
    /// The side of the one that sends over a link, and the other one.
    const fn of(link: &Link<'_>) -> [Self; 2] {
        if link.is_up() { [Self::Station, Self::AccessPoint] } else { [Self::AccessPoint, Self::Station] }
    }
}

/// The side of the air on which most of a flow's packets wait, by a link that carries it; none if that does not show. Where frames wait for the air that queue is on a side as well, the
/// sender's. Packets that wait on that side then say nothing; packets that have passed the air, and take long to the receiver's capture, show the other side.
pub(crate) fn side(evidence: &Evidence, air: &Air, flow: &Flow<'_>, link: &Link<'_>) -> Option<Side> {
    let is_queued = waits_for_air(air, link) || feeds_another(air, link);
    let [senders, receivers] = Side::of(link);
    let ends = flow.ends().map(|end| end.ip());
    let station = ends[usize::from(!link.is_up())];
    let mut waits = Waits::default();
    let is_beside = evidence.is_beside(flow.capture, evidence.reference());
    let joins = evidence.joins.iter().filter(|join| is_beside && join.through.is_none());
    for passage in joins.flat_map(|join| join.passages()) {
        let side = passage_side(passage, station);
        let has_passed = passage.ends == ends && passage.there;
        if [ends, [ends[1], ends[0]]].contains(&passage.ends) && (side == senders || has_passed || !is_queued)
        {
            waits.add(side, wait_ms(passage));
        }
    }
    let in_the_air = |view: &Flow<'_>| evidence.captures[view.capture].place == Some(Place::Air);
    for view in views(evidence, flow).iter().filter(|view| in_the_air(view)) {
        let trips = &view.data().trips;
        waits.add(senders, longer_ms(&trips.to_sender));
        if !is_queued {
            waits.add(receivers, longer_ms(trips.to_receiver()));
        }
    }
    waits.side().filter(|&side| !is_queued || side == receivers)
}

/// The side on which packets pass between the air, whose capture is the reference, and a host.
fn passage_side(passage: &Passage, station: IpAddr) -> Side {
    if passage.ends[usize::from(passage.there)] == station { Side::Station } else { Side::AccessPoint }
}

/// For how long three of four packets wait at least, beyond the quickest, in ms.
fn wait_ms(passage: &Passage) -> Option<f64> {
    let delays = &passage.delays_ms;
    let of_most = delays.get((MOST * delays.len() as f64) as usize)?;
    Some(of_most - delays.first()?)
}

/// How much longer than the shortest three of four round trips are at least, in ms.
fn longer_ms(trips: &RoundTrips) -> Option<f64> {
    Some(trips.quantile_ms(MOST)? - trips.least_ns()? as f64 / 1e6)
}

/// The longest wait on each side, in ms; none where nothing shows it.
#[derive(Debug, Default)]
struct Waits {
    station_ms: Option<f64>,
    access_point_ms: Option<f64>,
}

impl Waits {
    fn add(&mut self, side: Side, ms: Option<f64>) {
        let known = match side {
            Side::Station => &mut self.station_ms,
            Side::AccessPoint => &mut self.access_point_ms,
        };
        *known = ms.into_iter().chain(*known).reduce(f64::max);
    }

    /// The side with nearly all of the wait.
    fn side(&self) -> Option<Side> {
        let [station, access_point] = [self.station_ms, self.access_point_ms].map(Option::unwrap_or_default);
        let most = |one: f64, other: f64| one >= LEAST_MS && one >= TIMES * other;
        if most(station, access_point) {
            return Some(Side::Station);
        }
        most(access_point, station).then_some(Side::AccessPoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(ends: [u8; 2], there: bool, delays_ms: &[f64]) -> Passage {
        let ends = ends.map(|end| IpAddr::from([10, 0, 0, end]));
        Passage { ends, there, delays_ms: delays_ms.to_vec() }
    }

    #[test]
    fn a_host_stands_on_the_side_of_its_address() {
        let station = IpAddr::from([10, 0, 0, 1]);
        let side = |ends, there| passage_side(&passage(ends, there, &[1.0]), station);
        assert_eq!(side([2, 1], true), Side::Station, "a download, from the air to the laptop");
        assert_eq!(side([1, 2], false), Side::Station, "an upload, from the laptop to the air");
        assert_eq!(side([2, 1], false), Side::AccessPoint, "a download, from the server to the air");
        assert_eq!(side([1, 2], true), Side::AccessPoint, "an upload, from the air to the server");
    }

    #[test]
    fn a_wait_is_what_three_of_four_packets_take_beyond_the_quickest() {
        assert_eq!(wait_ms(&passage([2, 1], true, &[5.0, 30.0, 31.0, 32.0])), Some(25.0));
        assert_eq!(wait_ms(&passage([2, 1], true, &[5.0, 5.0, 5.0, 90.0])), Some(0.0), "one waits");
    }

    #[test]
    fn nearly_all_of_a_wait_tells_the_side() {
        let side = |station_ms, access_point_ms| Waits { station_ms, access_point_ms }.side();
        assert_eq!(side(Some(158.0), Some(4.0)), Some(Side::Station));
        assert_eq!(side(Some(0.2), Some(25.0)), Some(Side::AccessPoint));
        assert_eq!(
            side(None, Some(25.0)),
            Some(Side::AccessPoint),
            "a standing queue is one, whatever is beside"
        );
        assert_eq!(side(Some(20.0), Some(25.0)), None, "both wait");
        assert_eq!(side(Some(1.0), None), None, "nothing waits");
    }
}
