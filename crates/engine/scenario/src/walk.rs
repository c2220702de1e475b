//! A walk on which somebody sends a station while the world runs.

use crate::day::DAY;
use crate::position::FARTHEST;
use airloom_config::error::shown;
use airloom_config::quantity::{self, LENGTH, SPEED, TIME};
use airloom_propagation::Point;
use airloom_sim::Duration;

/// A walk from where a station is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Where it ends, in metres along the two ways of the plan.
    to: [f64; 2],
    /// How high, in metres; none for as high as the station is.
    height: Option<f64>,
    pace: Pace,
}

/// How long a walk takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    /// So long, however far it is.
    Lasting(Duration),
    /// As follows from this speed, in metres per second.
    At(f64),
}

impl Walk {
    /// A walk to a place, such as "40 m, 2 m" or "40 m, 2 m, 3 m" with a height, at a speed, such as "1.4 m/s", or in a time, such as
    /// "20 s".
    ///
    /// # Errors
    /// What is wrong with either, and what would be right.
    pub fn read(place: &str, pace: &str) -> Result<Self, String> {
        let metres = |text: &str| {
            let metres = quantity::real(&LENGTH, text.trim()).ok();
            metres.filter(|metres| metres.abs() <= FARTHEST)
        };
        let all = place.split(',').map(metres).collect::<Option<Vec<_>>>().unwrap_or_default();
        let [x, y, height @ ..] = &all[..] else { return Err(no_place(place)) };
        if height.len() > 1 {
            return Err(no_place(place));
        }
        Ok(Self { to: [*x, *y], height: height.first().copied(), pace: Pace::read(pace)? })
    }

    /// Where it ends if it begins here, and how long it takes.
    pub(crate) fn from(&self, here: Point) -> (Point, Duration) {
        let to = Point { x: self.to[0], y: self.to[1], z: self.height.unwrap_or(here.z) };
        let lasts = match self.pace {
            Pace::Lasting(time) => time,
            Pace::At(speed) => Duration::from_nanos(libm::round(1e9 * here.distance(to) / speed) as u64),
        };
        (to, lasts.min(DAY))
    }
}

impl Pace {
    fn read(text: &str) -> Result<Self, String> {
        let speed = quantity::real(&SPEED, text).ok().filter(|speed| (0.01..=100.0).contains(speed));
        let time = quantity::whole(&TIME, text).ok().map(Duration::from_nanos).filter(|&time| time <= DAY);
        match (speed, time) {
            (Some(speed), _) => Ok(Self::At(speed)),
            (_, Some(time)) => Ok(Self::Lasting(time)),
            _ => Err(format!(
                "\"{}\" is no pace: write a speed from 0.01 to 100 m/s, such as \"1.4 m/s\", or a time, such as \"20 s\"",
                shown(text)
            )),
        }
    }
}

fn no_place(text: &str) -> String {
    format!(
        "\"{}\" is no place: write two distances within 10 km, such as \"40 m, 2 m\", or three with the height",
        shown(text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_takes_its_time_or_goes_at_its_speed() {
        let here = Point { x: 1.0, y: 2.0, z: 3.0 };
        let walk = |place, pace| Walk::read(place, pace).map(|walk| walk.from(here));
        let there = Point { x: 4.0, y: 6.0, z: 3.0 };
        assert_eq!(walk("4 m, 6 m", "2 m/s"), Ok((there, Duration::from_millis(2500))));
        assert_eq!(walk("4 m,6 m", "20 s"), Ok((there, Duration::from_secs(20))));
        assert_eq!(walk("4 m, 6 m, -1 m", "0 s"), Ok((Point { z: -1.0, ..there }, Duration::ZERO)));
    }

    #[test]
    fn what_is_no_place_or_no_pace_is_refused_with_what_would_be_right() {
        for (place, pace, says) in [
            ("4 m", "20 s", "\"4 m\" is no place: write two distances"),
            ("4, 6", "20 s", "\"4, 6\" is no place"),
            ("4 m, 6 m, 1 m, 2 m", "20 s", "is no place"),
            ("4 m, 6 m, x", "20 s", "is no place"),
            ("11000 m, 0 m", "20 s", "within 10 km"),
            ("4 m, 6 m", "20", "\"20\" is no pace: write a speed"),
            ("4 m, 6 m", "0 m/s", "is no pace"),
            ("4 m, 6 m", "-3 s", "is no pace"),
        ] {
            let refused = Walk::read(place, pace).expect_err(place);
            assert!(refused.contains(says), "{refused}");
        }
    }
}
