//! Changes of a station's access point from the channel of one monitor to that of another.

use crate::evidence::Evidence;
use airloom_trace::{MacAddr, RadioHeard, Roam, Stay};

/// A station as one of several monitors heard it.
struct View<'a> {
    /// The place of the capture among all.
    capture: usize,
    station: &'a RadioHeard,
    stays: Vec<Stay>,
}

/// All changes of a station, on the clock of the channel that is looked at: where several monitors heard its data, those of all of them, told at the first of these
/// channels and none at the others.
///
/// # Errors
///
/// Why these cannot be told.
pub(crate) fn roams(evidence: &Evidence, station: &RadioHeard) -> Result<Vec<Roam>, String> {
    let own = || station.roaming.roams().kept().to_vec();
    let views: Vec<_> = evidence.airs().filter_map(|(at, air)| view(*at, air.radio(station.mac)?)).collect();
    let Some(here) = evidence.air.as_ref().map(|(at, _)| *at).filter(|_| views.len() > 1) else {
        return Ok(own());
    };
    if views.iter().any(|view| view.capture < here) {
        return Ok(Vec::new());
    }
    if !views.iter().all(|view| is_on_the_clock(evidence, view.capture)) {
        return Err(unclear(station.mac, "its captures have no common clock"));
    }
    merged(evidence, here, &views)
        .ok_or_else(|| unclear(station.mac, "it seems to be with two access points at a time"))
}

fn unclear(station: MacAddr, because: &str) -> String {
    format!("{station} has data on several channels, but {because}")
}

fn view(capture: usize, station: &RadioHeard) -> Option<View<'_>> {
    let stays = station.roaming.stays();
    (!stays.is_empty()).then_some(View { capture, station, stays })
}

/// Whether the stamps of a capture are on the clock of all: by packets that both have, or as those of one file are.
pub(crate) fn is_on_the_clock(evidence: &Evidence, capture: usize) -> bool {
    let reference = evidence.reference();
    let path = |capture: usize| &evidence.captures[capture].path;
    capture == reference || evidence.joins[capture].clock.is_some() || path(capture) == path(reference)
}

/// Whether a station has data on several of the captured channels, and so leaves each of them for a time.
pub(crate) fn goes_between(evidence: &Evidence, station: MacAddr) -> bool {
    evidence.airs().filter_map(|(at, air)| view(*at, air.radio(station)?)).count() > 1
}

/// The changes between all times with an access point, in their order; none if two of these overlap.
fn merged(evidence: &Evidence, here: usize, views: &[View<'_>]) -> Option<Vec<Roam>> {
    let on_clock =
        |view: &View<'_>, stay: &Stay| moved(stay, |at_ns| stamp(evidence, here, view.capture, at_ns));
    let stays = views.iter().flat_map(|view| view.stays.iter().map(move |stay| (view, on_clock(view, stay))));
    let mut stays: Vec<_> = stays.collect();
    stays.sort_by_key(|(_, stay)| stay.by.to_ns);
    let pairs = stays.windows(2).map(|pair| match pair {
        [(from, old), (to, new)] if from.capture == to.capture => {
            (old.to_ns <= new.by.to_ns).then_some(new.by)
        }
        [(from, old), (to, new)] => {
            let numbers = [(from, old.number), (to, new.by.numbers.1)];
            // Records of other captures are none of this one.
            let number =
                numbers.iter().find(|(view, _)| view.capture == here).map_or(0, |(_, number)| *number);
            between(old, new).map(|roam| Roam {
                numbers: (number, number),
                is_usual: from.station.roaming.may_be_usual(old.to_ns, new.by.to_ns),
                ..roam
            })
        }
        _ => None,
    });
    pairs.collect()
}

/// A change from one channel to another; none if data of both went at a time. Who ended what on the first channel, and when, shows on that alone.
fn between(old: &Stay, new: &Stay) -> Option<Roam> {
    let is_of_it = |at_ns: &u64| old.by.to_ns <= *at_ns;
    let associated_ns = new.by.associated_ns.filter(is_of_it);
    // What the old access point sends on to a station that has left it arrives nowhere.
    let from_ns = old.to_ns.min(associated_ns.unwrap_or(u64::MAX));
    (old.by.to_ns <= from_ns && from_ns <= new.by.to_ns).then_some(Roam {
        bssids: (old.by.bssids.1, new.by.bssids.1),
        from_ns,
        asked_ns: new.by.asked_ns.filter(is_of_it),
        associated_ns,
        open_ns: new.by.open_ns.filter(is_of_it),
        present_ns: None,
        refused: None,
        counts_anew: false,
        left: 0,
        ended: None,
        is_gone: false,
        is_dataless: false,
        came_from: None,
        shut_ns: None,
        ..new.by
    })
}

/// A stamp of a capture on the clock of the one that is looked at.
fn stamp(evidence: &Evidence, here: usize, capture: usize, at_ns: u64) -> u64 {
    let common = evidence.joins[capture].corrected(at_ns);
    // Clocks differ by the same a moment later.
    let ahead = i128::from(evidence.joins[here].corrected(common)) - i128::from(common);
    u64::try_from(i128::from(common) - ahead).unwrap_or(common)
}

/// A stay with all its times on another clock.
fn moved(stay: &Stay, on: impl Fn(u64) -> u64) -> Stay {
    let by = stay.by;
    Stay {
        by: Roam {
            from_ns: on(by.from_ns),
            to_ns: on(by.to_ns),
            asked_ns: by.asked_ns.map(&on),
            associated_ns: by.associated_ns.map(&on),
            open_ns: by.open_ns.map(&on),
            present_ns: by.present_ns.map(&on),
            shut_ns: by.shut_ns.map(&on),
            ..by
        },
        to_ns: on(stay.to_ns),
        ..*stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stay at an access point from one time to another, whose association was heard at a third.
    fn stay(ap: u8, from_ns: u64, to_ns: u64, associated_ns: Option<u64>) -> Stay {
        let bssid = MacAddr([2, 0, 0, 0, 0, ap]);
        let by = Roam {
            bssids: (bssid, bssid),
            from_ns,
            to_ns: from_ns,
            numbers: (1, 1),
            asked_ns: associated_ns,
            associated_ns,
            open_ns: associated_ns,
            left: 1,
            is_gone: true,
            ..Roam::default()
        };
        Stay { by, to_ns, number: 2 }
    }

    #[test]
    fn a_station_that_was_on_another_channel_was_not_away_meanwhile() {
        let [old, new] = [stay(8, 0, 50, None), stay(9, 60, 90, Some(55))];
        let roam = between(&old, &new).expect("one after the other");
        assert_eq!((roam.from_ns, roam.to_ns, roam.associated_ns), (50, 60, Some(55)));
        assert_eq!((roam.bssids.0.0[5], roam.bssids.1.0[5], roam.left), (8, 9, 0));
        // What its old access point tries to send it when it is gone is no stay.
        assert_eq!(between(&stay(8, 0, 58, None), &new).map(|roam| roam.from_ns), Some(55));
        assert_eq!(between(&stay(8, 0, 70, None), &stay(9, 60, 90, None)), None, "at two at a time");
        // It had been associated there on an earlier stay.
        assert_eq!(between(&stay(8, 57, 58, None), &new).map(|roam| roam.associated_ns), Some(None));
    }
}
