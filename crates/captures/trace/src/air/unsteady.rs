//! How much a signal varies from frame to frame.

/// What is compared: within so many nanoseconds a radio moves little, and a gain of the monitor stays. A signal that is another one seconds later shows in its means.
const WITHIN: u64 = 1_000_000_000;

/// The scatter of a signal around its mean within each second, in room that does not grow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unsteady {
    second: u64,
    /// Of this second: frames, their mean, and the sum of the squares off it (Welford 1962).
    count: u32,
    mean: f64,
    squares: f64,
    /// The sums of the squares of all seconds before, and of their frames but one each.
    all_squares: f64,
    freedom: u64,
}

impl Unsteady {
    /// Fewer frames beside others of their second say nothing.
    const LEAST: u64 = 50;

    /// A frame is heard with such a signal.
    pub(super) fn note(&mut self, at_ns: u64, dbm: f64) {
        let second = at_ns / WITHIN;
        if second != self.second {
            (self.all_squares, self.freedom) = self.sums();
            (self.second, self.count, self.mean, self.squares) = (second, 0, 0.0, 0.0);
        }
        self.count += 1;
        let off = dbm - self.mean;
        self.mean += off / f64::from(self.count);
        self.squares += off * (dbm - self.mean);
    }

    fn sums(&self) -> (f64, u64) {
        (self.all_squares + self.squares, self.freedom + u64::from(self.count.saturating_sub(1)))
    }

    /// Its standard deviation in dB; none of a few frames.
    pub fn deviation_db(&self) -> Option<f64> {
        let (squares, freedom) = self.sums();
        (freedom >= Self::LEAST).then(|| (squares / freedom as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(frames: impl Iterator<Item = (u64, f64)>) -> Option<f64> {
        let mut signal = Unsteady::default();
        frames.for_each(|(ms, dbm)| signal.note(ms * 1_000_000, dbm));
        signal.deviation_db()
    }

    #[test]
    fn it_is_the_deviation_within_each_second() {
        // 4 dB to either side of a mean that is 10 dB lower each second.
        let jumping =
            |n: u64| (10 * n, -40.0 - 10.0 * (n / 100) as f64 + if n.is_multiple_of(2) { 4.0 } else { -4.0 });
        let told = of((0..500).map(jumping)).unwrap();
        // Of 100 frames each second one is spent on the mean.
        assert!((told - 4.0 * (500.0_f64 / 495.0).sqrt()).abs() < 1e-9, "{told}");
        let walking =
            of((0..5)
                .flat_map(|second| (0..20).map(move |n| (1000 * second + n, -40.0 - 10.0 * second as f64))));
        assert!(walking.unwrap().abs() < 1e-9);
        assert_eq!(of((0..40).map(jumping)), None, "few frames");
        assert_eq!(of((0..500).map(|n| (1000 * n, -40.0 - (n % 2) as f64))), None, "one a second");
    }
}
