//! A plan: walls and floors, and what is received from one place at another.

use crate::path_loss::{PathLoss, received_dbm};
use crate::shadowing::Shadowing;
use crate::track::Point;

airloom_sim::kinds! {
    /// What a wall is made of.
    pub enum Material {
        /// Plasterboard, particle board, or light concrete of less than 10 cm: 3.4 dB (COST 231, section 4.7.2).
        Light = "light",
        /// Concrete or brick of more than 10 cm: 6.9 dB (COST 231, section 4.7.2).
        Heavy = "heavy",
        /// Wood: 4.85 dB and 0.12 for each GHz (3GPP TR 38.901, table 7.4.3-1).
        Wood = "wood",
        /// Standard multi-pane glass: 2 dB and 0.2 for each GHz (3GPP TR 38.901, table 7.4.3-1).
        Glass = "glass",
        /// Glass that reflects infrared: 23 dB and 0.3 for each GHz (3GPP TR 38.901, table 7.4.3-1).
        CoatedGlass = "coated glass",
        /// Concrete, as of an outer wall: 5 dB and 4 for each GHz (3GPP TR 38.901, table 7.4.3-1).
        Concrete = "concrete",
    }
}

impl Material {
    /// What a signal on this carrier, in Hz, loses in such a wall, in dB.
    pub fn loss_db(self, carrier_hz: f64) -> f64 {
        let (fixed, by_ghz) = match self {
            Self::Light => (3.4, 0.0),
            Self::Heavy => (6.9, 0.0),
            Self::Wood => (4.85, 0.12),
            Self::Glass => (2.0, 0.2),
            Self::CoatedGlass => (23.0, 0.3),
            Self::Concrete => (5.0, 4.0),
        };
        fixed + by_ghz * carrier_hz * 1e-9
    }
}

/// A wall: straight, and as high as the house.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Where it begins; its height is not looked at.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// What it is made of.
    pub material: Material,
}

impl Wall {
    /// Whether the line between two places crosses it: a place on the wall is on both of its sides, so that no line from there does. A line through a corner
    /// crosses one of the walls that meet there.
    fn is_crossed(&self, one: Point, other: Point) -> bool {
        let beside = |from: Point, to: Point, of: Point| {
            (to.x - from.x) * (of.y - from.y) - (to.y - from.y) * (of.x - from.x)
        };
        let (left, right) = (beside(self.from, self.to, one), beside(self.from, self.to, other));
        let is_between = (left < 0.0 && right > 0.0) || (left > 0.0 && right < 0.0);
        is_between && (beside(one, other, self.from) > 0.0) != (beside(one, other, self.to) > 0.0)
    }
}

/// What one floor takes, in dB (COST 231, section 4.7.2).
const FLOOR_DB: f64 = 18.3;
/// The exponent's `b`, by which further floors take less (COST 231, section 4.7.2).
const FLOORS_EXPONENT: f64 = 0.46;
/// Two radios that are nearer count as so far apart, in metres.
const NEAREST_M: f64 = 0.1;

/// What floors take in dB, so many of them (COST 231, section 4.7.2): less and less each.
fn floors_db(floors: usize) -> f64 {
    let n = floors as f64;
    if floors == 0 { 0.0 } else { FLOOR_DB * libm::pow(n, (n + 2.0) / (n + 1.0) - FLOORS_EXPONENT) }
}

/// Walls and floors, and how a signal weakens among them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The walls.
    pub walls: Vec<Wall>,
    /// The heights of the floors above the ground, in metres.
    pub floors: Vec<f64>,
    /// How it weakens with distance.
    pub path_loss: PathLoss,
    /// By how much a path is better or worse than that, if it is.
    pub shadowing: Option<Shadowing>,
}

impl Plan {
    /// The power in dBm that a radio receives of another on this carrier, in Hz, without shadowing: log-distance path loss and what
    /// the walls and floors take that the line between them crosses. The same both ways.
    pub fn received_dbm(&self, one: Point, other: Point, carrier_hz: f64) -> f64 {
        let (one, other) = if one <= other { (one, other) } else { (other, one) };
        let crossed = self.walls.iter().filter(|wall| wall.is_crossed(one, other));
        let walls: f64 = crossed.map(|wall| wall.material.loss_db(carrier_hz)).sum();
        let between = |height: f64| (one.z < height) != (other.z < height);
        let floors = floors_db(self.floors.iter().filter(|&&height| between(height)).count());
        let metres = one.distance(other).max(NEAREST_M);
        received_dbm(metres, walls + floors, &self.path_loss, carrier_hz)
    }

    /// By how much it is better than that between these places, in dB, or worse if it is negative.
    pub fn shadow_db(&self, one: Point, other: Point) -> f64 {
        self.shadowing.as_ref().map_or(0.0, |shadowing| shadowing.db(one, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_loss::noise_dbm;
    use crate::snr_at;
    use airloom_rate::Width;

    const GHZ5: f64 = 5.18e9;

    fn at(x: f64, y: f64, z: f64) -> Point {
        Point { x, y, z }
    }

    fn wall(from: (f64, f64), to: (f64, f64), material: Material) -> Wall {
        Wall { from: at(from.0, from.1, 0.0), to: at(to.0, to.1, 0.0), material }
    }

    fn plan(walls: Vec<Wall>, floors: Vec<f64>) -> Plan {
        Plan { walls, floors, path_loss: PathLoss::INDOORS, shadowing: None }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same to the last bit is meant")]
    fn three_metres_are_three_metres_wherever_they_are() {
        let (open, width) = (plan(vec![], vec![]), Width::Mhz40);
        let there = |one, other| open.received_dbm(one, other, GHZ5) - noise_dbm(width);
        let rounded = libm::round(there(at(0.0, 0.0, 0.0), at(3.0, 0.0, 0.0)) * 100.0) / 100.0;
        assert_eq!(rounded, snr_at(3.0, 0, &PathLoss::INDOORS, GHZ5, width));
        assert_eq!(there(at(1.0, 2.0, 2.0), at(2.0, 4.0, 4.0)), there(at(0.0, 0.0, 0.0), at(3.0, 0.0, 0.0)));
    }

    #[test]
    fn a_line_loses_what_the_walls_take_that_it_crosses() {
        let walls = vec![
            wall((2.0, -1.0), (2.0, 1.0), Material::Heavy),
            wall((3.0, 5.0), (3.0, 9.0), Material::Heavy),
            wall((4.0, -1.0), (4.0, 1.0), Material::Concrete),
        ];
        let (with, open) = (plan(walls, vec![]), plan(vec![], vec![]));
        let lost = |one, other| open.received_dbm(one, other, GHZ5) - with.received_dbm(one, other, GHZ5);
        let (left, right) = (at(0.0, 0.0, 0.0), at(6.0, 0.0, 0.0));
        // 6.9 of the first, and 5 + 4 x 5.18 of the last.
        assert!((lost(left, right) - 32.62).abs() < 1e-9, "{}", lost(left, right));
        assert!((lost(right, left) - 32.62).abs() < 1e-9);
        assert!(lost(left, at(1.9, 0.0, 0.0)).abs() < 1e-9, "it ends before the wall");
        assert!(lost(at(0.0, 2.0, 0.0), at(6.0, 2.0, 0.0)).abs() < 1e-9, "it passes beside the walls");
    }

    /// From either side, and the wall itself from end to end.
    #[test]
    fn a_place_on_a_wall_is_not_behind_it() {
        let with = plan(vec![wall((0.0, 0.0), (12.0, 0.0), Material::Concrete)], vec![]);
        let open = plan(vec![], vec![]);
        let lost = |one, other| open.received_dbm(one, other, GHZ5) - with.received_dbm(one, other, GHZ5);
        let on = at(2.0, 0.0, 0.0);
        for place in [at(1.0, 7.0, 0.0), at(1.0, -7.0, 0.0), at(9.0, 0.0, 0.0)] {
            assert!(lost(on, place).abs() < 1e-9 && lost(place, on).abs() < 1e-9, "{place:?}");
        }
        assert!(lost(at(1.0, 7.0, 0.0), at(2.0, -0.1, 0.0)) > 25.0);
    }

    /// One of the walls, whichever way it goes.
    #[test]
    fn a_line_through_a_corner_crosses_one_wall() {
        let corner = vec![
            wall((2.0, 0.0), (2.0, 2.0), Material::Light),
            wall((2.0, 0.0), (2.0, -2.0), Material::Heavy),
        ];
        let (with, open) = (plan(corner, vec![]), plan(vec![], vec![]));
        let lost = |one, other| open.received_dbm(one, other, GHZ5) - with.received_dbm(one, other, GHZ5);
        let (left, right) = (at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0));
        let (there, back) = (lost(left, right), lost(right, left));
        assert!((there - back).abs() < 1e-12, "{there} {back}");
        assert!([3.4, 6.9].iter().any(|one| (there - one).abs() < 1e-9), "{there}");
    }

    /// 18.3 n^((n + 2)/(n + 1) - 0.46): 18.3, 33.53 and 43.59 dB by hand.
    #[test]
    fn floors_take_less_and_less_each() {
        let (house, open) = (plan(vec![], vec![2.8, 5.6, 8.4]), plan(vec![], vec![]));
        for (floors, expected) in [(0, 0.0), (1, 18.3), (2, 33.53), (3, 43.59)] {
            let (one, other) = (at(0.0, 0.0, 1.0), at(0.0, 0.0, 1.0 + 2.8 * f64::from(floors)));
            let lost = open.received_dbm(one, other, GHZ5) - house.received_dbm(one, other, GHZ5);
            assert!((lost - expected).abs() < 0.01, "{floors}: {lost}");
        }
    }
}
