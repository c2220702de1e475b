//! Power between radios: the one place that knows how well one hears another, or that it does not.
//!
//! A station and its access point have a path between them. Of all other pairs there is more to know only where radios have places: the
//! power at which they receive each other. Otherwise they hear each other unless they are hidden from each other.

use crate::id::{PathId, RadioId};
use airloom_observe::NodeId;
use airloom_propagation::{NOISE_FIGURE_DB, Path, error, noise_dbm};
use airloom_rate::Width;
use airloom_sim::{Index, IndexVec};

/// The power in dBm at which a radio must detect the preamble of a frame of 20 MHz, and keep quiet for the frame; 3 dB more for each
/// doubling of its width (802.11-2020 17.3.10.6, 19.3.19.5.3, 21.3.18.5.3).
const PREAMBLE_DBM: f64 = -82.0;
/// The power in dBm at which it must keep quiet for anything (802.11-2020 17.3.10.6).
const ENERGY_DBM: f64 = -62.0;

/// Whether a radio keeps quiet for frames of this width that it receives at this power: for their preambles if they are `decodable`, since
/// they are on its channel, or else for their energy.
pub fn is_heard(dbm: f64, width: Width, decodable: bool) -> bool {
    let doublings = f64::from((width.mhz() / 20).ilog2());
    dbm >= if decodable { PREAMBLE_DBM + 3.0 * doublings } else { ENERGY_DBM }
}

/// The power at which a node receives another.
#[derive(Clone, Copy)]
struct Level {
    dbm: f64,
    /// Its ratio to the noise in this width, once that was asked for.
    ratio: Option<(Width, f64)>,
}

impl Level {
    /// Nothing.
    const NONE: Self = Self { dbm: f64::NEG_INFINITY, ratio: None };

    /// Its ratio to the noise in this width, which is so many dB above the usual.
    fn ratio_in(&mut self, width: Width, excess_db: f64) -> f64 {
        match self.ratio {
            Some((known, ratio)) if known == width => ratio,
            _ => {
                let ratio = error::from_db(self.dbm - (noise_dbm(width) + excess_db));
                self.ratio = Some((width, ratio));
                ratio
            }
        }
    }
}

/// The paths between radios, which do not hear each other, and at which power the others do.
#[derive(Default)]
pub(crate) struct Power {
    paths: IndexVec<PathId, Path>,
    /// For each radio the paths to earlier ones: a station's has one, to its access point.
    earlier: IndexVec<RadioId, Vec<(RadioId, PathId)>>,
    /// For each node the nodes that it does not hear, in order.
    hidden: IndexVec<NodeId, Vec<NodeId>>,
    /// For each node at which power it receives others; empty unless places are known.
    levels: IndexVec<NodeId, Vec<Level>>,
    /// By how many dB the noise of a node's receiver is above the usual.
    excess_db: IndexVec<NodeId, f64>,
    /// Powers decide what becomes of frames: places are known, or something interferes.
    weighs: bool,
}

impl Power {
    /// Adds the path between two radios; returns its number.
    pub(crate) fn add_path(&mut self, one: RadioId, other: RadioId, path: Path) -> PathId {
        let id = self.paths.push(path);
        self.earlier.grown_to(one.max(other)).push((one.min(other), id));
        id
    }

    /// The number of the path between two radios, if there is one.
    fn path_between(&self, one: RadioId, other: RadioId) -> Option<PathId> {
        let mut earlier = self.earlier.get(one.max(other))?.iter();
        earlier.find(|(to, _)| *to == one.min(other)).map(|(_, id)| *id)
    }

    /// Notes the nodes, in order, that `node` does not hear.
    pub(crate) fn hide(&mut self, node: NodeId, from: Vec<NodeId>) {
        *self.hidden.grown_to(node) = from;
    }

    /// The nodes that are hidden from a node, in order.
    pub(crate) fn hidden(&self, node: NodeId) -> &[NodeId] {
        self.hidden.get(node).map_or(&[], Vec::as_slice)
    }

    /// Node `by` receives `from` at this power, in dBm, from now on.
    pub(crate) fn set_level(&mut self, [from, by]: [NodeId; 2], dbm: f64) {
        self.weighs = true;
        let column = from.place();
        let row = self.levels.grown_to(by);
        if row.len() <= column {
            row.resize(column + 1, Level::NONE);
        }
        row[column] = Level { dbm, ratio: None };
    }

    /// The power in dBm at which node `by` receives `from`, if places are known.
    pub(crate) fn level_dbm(&self, [from, by]: [NodeId; 2]) -> Option<f64> {
        Some(self.levels.get(by)?.get(from.place())?.dbm)
    }

    /// The same as a plain ratio to the noise in this width; none if no place is known.
    pub(crate) fn ratio(&mut self, [from, by]: [NodeId; 2], width: Width) -> f64 {
        let excess_db = self.excess_db(by);
        let level = self.levels.get_mut(by).and_then(|row| row.get_mut(from.place()));
        level.map_or(0.0, |level| level.ratio_in(width, excess_db))
    }

    /// The receiver of a node has this noise figure, in dB.
    pub(crate) fn set_noise_figure(&mut self, node: NodeId, db: f64) {
        *self.excess_db.grown_to(node) = db - NOISE_FIGURE_DB;
    }

    fn excess_db(&self, node: NodeId) -> f64 {
        self.excess_db.get(node).copied().unwrap_or(0.0)
    }

    /// The noise of a node's receiver in this width, in dBm.
    pub(crate) fn noise_dbm(&self, node: NodeId, width: Width) -> f64 {
        noise_dbm(width) + self.excess_db(node)
    }

    /// Whether places are known, so that powers decide what becomes of frames that overlap.
    #[inline]
    pub(crate) fn has_places(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Something interferes.
    pub(crate) fn weigh(&mut self) {
        self.weighs = true;
    }

    /// Whether there may be what disturbs frames by its power: frames of others where places are known, or interferers.
    #[inline]
    pub(crate) fn weighs(&self) -> bool {
        self.weighs
    }

    /// The path between two radios, if there is one.
    pub(crate) fn between(&mut self, one: RadioId, other: RadioId) -> Option<&mut Path> {
        let id = self.path_between(one, other)?;
        Some(&mut self.paths[id])
    }

    /// A path.
    #[inline]
    pub(crate) fn path(&mut self, id: PathId) -> &mut Path {
        &mut self.paths[id]
    }

    /// The mean signal-to-noise ratio at which radio `by` hears `from`, in dB, if there is a path between them. An access point's radio is
    /// there before those of its stations.
    pub(crate) fn snr_db(&self, from: RadioId, by: RadioId) -> Option<f64> {
        let id = self.path_between(from, by)?;
        Some(self.paths[id].mean_db(from > by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::{Index, Stream};

    #[test]
    fn a_ratio_is_that_of_its_direction_and_unknown_where_there_is_no_path() {
        let [ap, near, far] = [0, 1, 2].map(RadioId::new);
        let mut power = Power::default();
        for (station, snr_db, up_db) in [(near, 40.0, 0.0), (far, 9.0, -6.0)] {
            let mut path = Path::new((snr_db, 0.0), None, Stream::new(1, "", ""), None);
            path.up_db = up_db;
            power.add_path(station, ap, path);
        }
        let known = |one, other| power.snr_db(one, other).map(f64::to_bits);
        assert_eq!([known(ap, far), known(far, ap)], [9.0, 3.0].map(|db: f64| Some(db.to_bits())));
        assert_eq!(known(near, ap), Some(40.0_f64.to_bits()));
        assert_eq!(known(near, far), None);
    }

    #[test]
    fn levels_are_those_of_their_direction() {
        let mut power = Power::default();
        assert!(!power.has_places() && power.level_dbm([NodeId(0), NodeId(1)]).is_none());
        power.set_level([NodeId(3), NodeId(1)], -70.0);
        power.set_level([NodeId(1), NodeId(3)], -75.0);
        let bits = |from, by| power.level_dbm([NodeId(from), NodeId(by)]).map(f64::to_bits);
        assert_eq!([bits(3, 1), bits(1, 3)], [-70.0, -75.0].map(|dbm: f64| Some(dbm.to_bits())));
        assert_eq!(bits(0, 3), Some(f64::NEG_INFINITY.to_bits()));
    }

    /// -70 dBm over the thermal noise of 20 MHz, and over that of 40, which is twice as much; nothing over any is nothing.
    #[test]
    fn a_level_over_the_noise_is_that_of_the_width_asked_for_last() {
        let mut power = Power::default();
        power.set_level([NodeId(1), NodeId(2)], -70.0);
        let ratios =
            [Width::Mhz20, Width::Mhz40, Width::Mhz20].map(|w| power.ratio([NodeId(1), NodeId(2)], w));
        assert!((ratios[0] / ratios[1] - 2.0).abs() < 1e-9, "{ratios:?}");
        assert_eq!(ratios[0].to_bits(), ratios[2].to_bits());
        power.set_level([NodeId(1), NodeId(2)], -80.0);
        let weaker = power.ratio([NodeId(1), NodeId(2)], Width::Mhz20);
        assert!((ratios[0] / weaker - 10.0).abs() < 1e-9, "{weaker}");
        assert_eq!(power.ratio([NodeId(0), NodeId(2)], Width::Mhz20).to_bits(), 0);
        power.set_noise_figure(NodeId(1), NOISE_FIGURE_DB - 3.0);
        power.set_level([NodeId(2), NodeId(1)], -80.0);
        let better = power.ratio([NodeId(2), NodeId(1)], Width::Mhz20);
        assert!((better / weaker - error::from_db(3.0)).abs() < 1e-9, "{better}");
    }

    /// -82, -79, -76, -73 and -70 dBm for a preamble of 20, 40, 80, 160 and 320 MHz.
    #[test]
    fn a_wider_frame_must_be_stronger() {
        for (width, least) in Width::ALL.into_iter().zip([-82.0, -79.0, -76.0, -73.0, -70.0]) {
            assert!(is_heard(least, width, true) && !is_heard(least - 0.01, width, true), "{width:?}");
        }
        assert!(is_heard(-62.0, Width::Mhz20, false) && !is_heard(-62.1, Width::Mhz20, false));
    }

    #[test]
    fn nothing_is_hidden_unless_it_is_said() {
        let mut power = Power::default();
        power.hide(NodeId(2), vec![NodeId(1)]);
        assert_eq!(power.hidden(NodeId(2)), [NodeId(1)]);
        assert!(power.hidden(NodeId(0)).is_empty() && power.hidden(NodeId(9)).is_empty());
    }
}
