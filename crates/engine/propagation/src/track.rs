//! Where a radio is as time goes on.

use airloom_sim::Duration;

/// A place: metres along two ways of the ground, and the height.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards on the plan.
    pub y: f64,
    /// Above the ground.
    pub z: f64,
}

impl Point {
    /// How far it is to another place, in metres.
    pub fn distance(self, other: Self) -> f64 {
        let (x, y, z) = (other.x - self.x, other.y - self.y, other.z - self.z);
        libm::sqrt(x * x + y * y + z * z)
    }

    /// The place after this share of the way to another.
    fn towards(self, other: Self, share: f64) -> Self {
        let part = |from: f64, to: f64| from + share * (to - from);
        Self { x: part(self.x, other.x), y: part(self.y, other.y), z: part(self.z, other.z) }
    }
}

/// A place on a way, and when it is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// When, since the run began.
    pub at: Duration,
    /// Where.
    pub position: Point,
}

/// A way: in a line from one place to the next. Before the first and after the last, nothing moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Track(Vec<Waypoint>);

impl Track {
    /// Of somebody who stands still.
    pub fn standing(position: Point) -> Self {
        Self(vec![Waypoint { at: Duration::ZERO, position }])
    }

    /// Through these places, of which there is at least one, in the order of their times.
    pub fn through(waypoints: Vec<Waypoint>) -> Self {
        Self(waypoints)
    }

    /// Where it is at this time.
    pub fn position(&self, at: Duration) -> Point {
        let next = self.0.partition_point(|one| one.at <= at);
        match (next.checked_sub(1).map(|last| self.0[last]), self.0.get(next)) {
            (Some(from), Some(to)) => {
                let share = (at - from.at).as_secs_f64() / (to.at - from.at).as_secs_f64();
                from.position.towards(to.position, share)
            }
            (Some(last), None) => last.position,
            (None, first) => first.map_or_else(Point::default, |first| first.position),
        }
    }

    /// The same until this time, and from there in a line to another place, where it stays from `arrives` on.
    pub fn turned(mut self, at: Duration, to: Point, arrives: Duration) -> Self {
        let position = self.position(at);
        self.0.retain(|one| one.at < at);
        self.0.extend([
            Waypoint { at, position },
            Waypoint { at: arrives.max(at + Duration::from_nanos(1)), position: to },
        ]);
        self
    }

    /// When it moves first from this time on, if it ever does: now if it is under way.
    pub fn moves_from(&self, at: Duration) -> Option<Duration> {
        let legs = self.0.windows(2).filter(|leg| leg[0].position != leg[1].position);
        legs.filter(|leg| leg[1].at > at).map(|leg| leg[0].at.max(at)).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn stop(at: u64, x: f64) -> Waypoint {
        Waypoint { at: s(at), position: Point { x, y: 1.0, z: 0.0 } }
    }

    #[test]
    fn it_moves_in_a_line_and_stands_before_and_after() {
        let track = Track::through(vec![stop(2, 0.0), stop(4, 10.0), stop(6, 10.0), stop(7, 9.0)]);
        for (at, x) in [(0, 0.0), (2, 0.0), (3, 5.0), (4, 10.0), (5, 10.0), (7, 9.0), (100, 9.0)] {
            assert_eq!(track.position(s(at)), Point { x, y: 1.0, z: 0.0 }, "after {at} s");
        }
        let moves = |at| track.moves_from(s(at));
        assert_eq!(
            [moves(0), moves(3), moves(4), moves(5)],
            [Some(s(2)), Some(s(3)), Some(s(6)), Some(s(6))]
        );
        assert_eq!([moves(7), Track::standing(Point::default()).moves_from(s(0))], [None, None]);
    }

    #[test]
    fn it_turns_where_it_is_and_forgets_where_it_was_going() {
        let track = Track::through(vec![stop(2, 0.0), stop(4, 10.0), stop(6, 20.0)]);
        let turned = track.turned(s(3), Point { x: 5.0, y: 9.0, z: 0.0 }, s(7));
        for (at, x, y) in [(2, 0.0, 1.0), (3, 5.0, 1.0), (5, 5.0, 5.0), (7, 5.0, 9.0), (9, 5.0, 9.0)] {
            assert_eq!(turned.position(s(at)), Point { x, y, z: 0.0 }, "after {at} s");
        }
        let standing = Track::standing(Point::default()).turned(s(3), Point { x: 1.0, y: 0.0, z: 0.0 }, s(3));
        assert_eq!((standing.moves_from(s(0)), standing.position(s(4)).x), (Some(s(3)), 1.0));
    }
}
