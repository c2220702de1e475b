//! Walls and floors.

use airloom_config::error::Faults;
use airloom_config::form::{distance, words};
use airloom_config::record;
use airloom_config::record::Layers;
use airloom_propagation::{Material, Plan, Point, Shadowing, Wall};

use crate::air::Air;
use crate::not_yet;
use crate::position::ON_PLAN;

record! {
    /// A wall of the plan: straight, and as high as the house.
    pub(crate) struct WallTable for Wall {
        /// Where it begins, as `["2 m", "0 m"]`.
        from: Point = ON_PLAN;
        /// Where it ends.
        to: Point = ON_PLAN;
        /// What it is made of: "light" takes 3.4 dB and "heavy" 6.9 dB (COST 231, section 4.7.2); at 5.2 GHz "wood" takes 5.5 dB, "glass"
        /// 3.0 dB, "coated glass" 24.6 dB and "concrete" 25.7 dB (3GPP TR 38.901, table 7.4.3-1).
        material: Material = words(Material::WORDS, &[]);
    }
    elsewhere not_yet::of_wall;
    check has_length;
}

fn has_length(wall: &Wall, faults: &Faults, layers: &Layers<'_>) {
    if wall.from == wall.to {
        faults.fail(
            layers.place("to"),
            "a wall ends where it begins",
            Some("give `to` another place".to_owned()),
        );
    }
}

record! {
    /// A floor between two storeys: one takes 18.3 dB, two 33.5 dB, three 43.6 dB (COST 231, section 4.7.2).
    pub struct Floor {
        /// Its height above the ground, from which positions have theirs.
        height: f64 = distance(-1_000.0, 1_000.0);
    }
}

/// The plan of these walls and floors in this air, in a run with this seed.
pub(crate) fn plan(air: &Air, walls: &[Wall], floors: &[Floor], seed: u64) -> Plan {
    let shadowing = (air.shadowing > 0.0).then(|| Shadowing::new(air.shadowing, seed));
    let floors = floors.iter().map(|floor| floor.height).collect();
    Plan { walls: walls.to_vec(), floors, path_loss: air.path_loss, shadowing }
}
