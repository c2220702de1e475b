//! Places, and ways from one to the next, as they are written.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, List, Measure, RealQuantity, distance, last, speed, time, unexpected};
use airloom_config::quantity;
use airloom_config::record;
use airloom_config::record::{Layers, nested};
use airloom_config::toml_tree::{TomlNode, Value};
use airloom_propagation::{Point, Waypoint};
use airloom_sim::Duration;
use serde_json::{Value as Json, json};

use crate::day::DAY;
use crate::not_yet;

/// How far from the middle of the plan anything may be, in metres.
pub(crate) const FARTHEST: f64 = 10_000.0;
/// A shorter step may take no time: so a path has a signal that jumps.
const JUMP_M: f64 = 10.0;
/// How fast a station may go, in metres per second: 360 km/h, as the fastest trains.
const FASTEST: f64 = 100.0;
const METRES: RealQuantity = distance(-FARTHEST, FARTHEST);

/// A place as an array of two distances, or of three where heights count.
pub(crate) struct PlaceForm {
    most: usize,
}

/// A place on the plan.
pub(crate) const ON_PLAN: PlaceForm = PlaceForm { most: 2 };
/// A place with its height.
pub(crate) const IN_SPACE: PlaceForm = PlaceForm { most: 3 };

impl Form for PlaceForm {
    type Of = Point;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Point> {
        let node = found.first()?;
        let Value::List(items) = &node.value else {
            let hint = "write for example [\"2 m\", \"0 m\"]".to_owned();
            unexpected(faults, path, node, "an array of distances", Some(hint));
            return None;
        };
        let read: Vec<Option<f64>> = items.iter().map(|item| METRES.read(faults, path, &[item])).collect();
        let [x, y, height @ ..] = &read.into_iter().collect::<Option<Vec<f64>>>()?[..] else {
            self.miscounted(faults, path, node);
            return None;
        };
        if height.len() + 2 > self.most {
            self.miscounted(faults, path, node);
            return None;
        }
        Some(Point { x: *x, y: *y, z: height.first().copied().unwrap_or(0.0) })
    }

    fn write(&self, &Point { x, y, z }: &Point) -> Option<Out> {
        let flat = self.most == 2 || z.abs() == 0.0;
        let all = if flat { vec![x, y] } else { vec![x, y, z] };
        all.iter().map(|metres| METRES.write(metres)).collect::<Option<Vec<_>>>().map(Out::List)
    }

    fn schema(&self) -> Json {
        json!({ "type": "array", "items": METRES.schema(), "minItems": 2, "maxItems": self.most })
    }
}

impl PlaceForm {
    fn miscounted(&self, faults: &Faults, path: &str, node: &TomlNode) {
        let what = if self.most == 2 { "two distances" } else { "two distances, or three with the height" };
        let hint = "write for example [\"2 m\", \"0 m\"]".to_owned();
        faults.fail(node.at, format!("`{}` must be {what}", last(path)), Some(hint));
    }
}

record! {
    /// A place on a way, and when it is reached.
    pub(crate) struct WaypointTable for Waypoint {
        /// When, from the beginning of the run.
        at: Duration = time(Duration::ZERO, DAY);
        /// Where.
        position: Point = IN_SPACE;
    }
}

/// A way as an array of places with their times, which ascend.
pub(crate) struct PathForm;

impl PathForm {
    fn list() -> List<record::Nested<WaypointTable>> {
        List(nested::<WaypointTable>())
    }
}

impl Form for PathForm {
    type Of = Vec<Waypoint>;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Vec<Waypoint>> {
        let read = Self::list().read(faults, path, found)?;
        let Some(Value::List(items)) = found.first().map(|node| &node.value) else { return None };
        for (pair, node) in read.windows(2).zip(&items[1..]) {
            if pair[1].at <= pair[0].at {
                let message = format!("the times of `{}` do not ascend", last(path));
                let hint = "each `at` is later than the one before".to_owned();
                faults.fail(node.place_of("at"), message, Some(hint));
                return None;
            }
            if let Some(least) = too_fast(&pair[0], &pair[1]) {
                let metres = pair[0].position.distance(pair[1].position);
                let message = format!(
                    "`{}` goes {metres:.0} m in {}, which is faster than {FASTEST} m/s",
                    last(path),
                    (pair[1].at - pair[0].at).written()
                );
                let hint = format!("let `at` be {} or later, or write a nearer `position`", least.written());
                faults.fail(node.place_of("at"), message, Some(hint));
                return None;
            }
        }
        Some(read)
    }

    fn write(&self, value: &Vec<Waypoint>) -> Option<Out> {
        Self::list().write(value)
    }

    fn schema(&self) -> Json {
        Self::list().schema()
    }
}

/// When a station that goes no faster than it may reaches the second of two places, in whole ms, if that is later than it says. A place as
/// it is written, and a time in ns, may be off by a rounding.
fn too_fast(from: &Waypoint, to: &Waypoint) -> Option<Duration> {
    let metres = from.position.distance(to.position);
    let given = (to.at - from.at).as_secs_f64();
    let least = Duration::from_millis(libm::ceil(1e3 * metres / FASTEST) as u64);
    (metres > JUMP_M && metres - 1e-6 > FASTEST * (given + 1e-9)).then(|| from.at + least)
}

record! {
    /// A way from one place to another, from the beginning of the run on.
    pub(crate) struct WalkText {
        /// Where it begins.
        from: Point = IN_SPACE;
        /// Where it ends.
        to: Point = IN_SPACE;
        /// How fast, such as "1.4 m/s".
        speed: f64 = speed(0.01, FASTEST);
    }
    elsewhere not_yet::of_walk;
    look stands;
    check leads_on;
}

fn stands(faults: &Faults, layers: &Layers<'_>) {
    let Some(node) = layers.found("speed").first().copied() else { return };
    let zero = |text| quantity::real(&quantity::SPEED, text).is_ok_and(|speed| speed.abs() == 0.0);
    if node.text().is_some_and(zero) {
        let hint = "write for example \"1.4 m/s\"; who stands has a `position` in place of the `walk`";
        faults.fail(node.at, "`speed` must be above zero", Some(hint.to_owned()));
    }
}

fn leads_on(walk: &WalkText, faults: &Faults, layers: &Layers<'_>) {
    if walk.from == walk.to {
        let hint = "give `to` another place, or write `position`".to_owned();
        faults.fail(layers.place("to"), "`walk` ends where it begins", Some(hint));
    }
}

impl WalkText {
    /// The places where it begins and ends, with their times.
    pub(crate) fn path(&self) -> Vec<Waypoint> {
        let nanos = libm::round(1e9 * self.from.distance(self.to) / self.speed).max(1.0);
        let end = Duration::from_nanos(nanos as u64).min(DAY);
        vec![Waypoint { at: Duration::ZERO, position: self.from }, Waypoint { at: end, position: self.to }]
    }
}
