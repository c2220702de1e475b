//! The line below points that is nearest to them.

/// A line in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Its height at zero.
    pub(super) at_zero: f64,
    /// How much it rises.
    pub(super) slope: f64,
}

impl Line {
    /// Its height somewhere.
    pub(super) fn at(self, x: f64) -> f64 {
        self.slope.mul_add(x, self.at_zero)
    }
}

/// The line that no point is below, with the least sum of distances to them; none without two different places.
///
/// It is the edge of the lower hull that spans the mean of the places, for the sum depends on the line's height there alone (Moon,
/// Skelly and Towsley, "Estimation and Removal of Clock Skew from Network Delay Measurements", INFOCOM 1999). Points come in the
/// order of their places.
pub(super) fn below(points: &[[f64; 2]]) -> Option<Line> {
    let mut hull: Vec<[f64; 2]> = Vec::new();
    for &point in points {
        while let [.., before, last] = hull[..] {
            if turn(before, last, point) > 0.0 {
                break;
            }
            hull.pop();
        }
        match hull.last_mut() {
            // Two in one place: the lower one counts.
            Some(last) if last[0] >= point[0] => last[1] = last[1].min(point[1]),
            _ => hull.push(point),
        }
    }
    let mean = points.iter().map(|point| point[0]).sum::<f64>() / points.len() as f64;
    let edge = hull.windows(2).find(|edge| edge[1][0] >= mean)?;
    let slope = (edge[1][1] - edge[0][1]) / (edge[1][0] - edge[0][0]);
    Some(Line { at_zero: slope.mul_add(-edge[0][0], edge[0][1]), slope })
}

/// Positive if the way over three points turns to the left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]).mul_add(c[1] - a[1], -((b[1] - a[1]) * (c[0] - a[0])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_point_is_below_and_no_other_line_is_nearer(
            ys in prop::collection::vec(0.0..100.0_f64, 3..60),
            tilt in -1.0..1.0_f64,
        ) {
            let points: Vec<_> = ys.iter().enumerate().map(|(x, y)| [x as f64, *y]).collect();
            let line = below(&points).expect("three places");
            let far = |line: Line| points.iter().map(|point| point[1] - line.at(point[0])).sum::<f64>();
            prop_assert!(points.iter().all(|point| point[1] - line.at(point[0]) > -1e-9));
            // Any other line, lowered until no point is below it.
            let lowest = points.iter().map(|point| tilt.mul_add(-point[0], point[1])).fold(f64::INFINITY, f64::min);
            let other = Line { at_zero: lowest, slope: tilt };
            prop_assert!(far(line) <= far(other) + 1e-6);
        }
    }

    #[test]
    fn a_line_through_the_lowest_is_found() {
        let points: Vec<_> =
            (0..100).map(|x| [f64::from(x), 3.0 + 0.5 * f64::from(x) + f64::from(x % 7)]).collect();
        let line = below(&points).expect("a hundred places");
        assert!((line.slope - 0.5).abs() < 1e-12 && (line.at_zero - 3.0).abs() < 1e-12);
        assert_eq!(below(&[[1.0, 2.0], [1.0, 1.0]]), None);
    }
}
