//! Means: of a value that holds until it changes, and of samples.

use airloom_sim::{Duration, Time};

/// Nanoseconds as a number. No run lasts 292 years, and a signed number is converted by one instruction.
pub(super) fn nanos(of: Duration) -> f64 {
    of.as_nanos() as i64 as f64
}

/// The mean over time of a value that holds until it is set again, or ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeMean {
    value: f64,
    since: Time,
    /// Integral over the bin so far, in value x nanoseconds.
    area: f64,
    /// Integral over the bins before.
    total: f64,
    /// When it was first set.
    born: Option<Time>,
    /// When it ended.
    died: Option<Time>,
    max: f64,
    /// From when on it counts, and the integral until then.
    from: Time,
    forgotten: f64,
}

impl TimeMean {
    /// From `now` on the value is `value`.
    #[inline]
    pub(super) fn set(&mut self, now: Time, value: f64) {
        self.area += self.value * nanos(now.since(self.since));
        self.since = now;
        self.value = value;
        if value > self.max {
            self.max = value;
        }
        self.born.get_or_insert(now);
    }

    /// Beside what it is set to, the value was something else for a while: its integral over time in the bin, and the most that it was.
    pub(super) fn add(&mut self, integral: Duration, most: f64) {
        self.area += nanos(integral);
        self.max = self.max.max(most);
    }

    /// It was zero from this time on, if it was never set.
    pub(super) fn begin(&mut self, at: Time) {
        self.born.get_or_insert(at);
    }

    /// From `now` on there is no value.
    pub(super) fn end(&mut self, now: Time) {
        self.set(now, 0.0);
        self.died.get_or_insert(now);
    }

    /// The mean from `start` to `end` while there was a value, or none if there was none; then starts afresh.
    pub(super) fn take(&mut self, start: Time, end: Time) -> Option<f64> {
        let born = self.born?;
        self.area += self.value * nanos(end.since(self.since.max(start)));
        self.since = end;
        let area = std::mem::take(&mut self.area);
        self.total += area;
        let length = self.died.map_or(end, |died| died.min(end)).since(start.max(born)).as_nanos() as f64;
        (length > 0.0).then(|| area / length)
    }

    /// The mean over all bins taken, up to `end`.
    pub(super) fn overall(&self, end: Time) -> Option<f64> {
        let (start, end) = (self.born?.max(self.from), self.died.map_or(end, |died| died.min(end)));
        let length = end.since(start.min(end)).as_nanos() as f64;
        (length > 0.0).then(|| (self.total - self.forgotten) / length)
    }

    /// What was before `now` counts no more but in the bin that goes on.
    pub(super) fn forget(&mut self, now: Time) {
        self.area += self.value * nanos(now.since(self.since));
        self.since = now;
        self.from = now;
        self.forgotten = self.total + self.area;
        self.max = self.value;
    }

    /// The largest value.
    pub(super) fn max(&self) -> f64 {
        self.max
    }
}

/// The mean of samples, for the bin and over all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SampleMean {
    sum: f64,
    count: u64,
    total_sum: f64,
    total_count: u64,
    /// Of these what counts no more.
    forgotten_sum: f64,
    forgotten_count: u64,
}

impl SampleMean {
    /// One sample.
    #[inline]
    pub(super) fn add(&mut self, sample: f64) {
        self.sum += sample;
        self.count += 1;
    }

    /// Several samples with this sum.
    pub(super) fn add_all(&mut self, sum: f64, count: u64) {
        self.sum += sum;
        self.count += count;
    }

    /// The bin's mean, if there was a sample; then starts afresh.
    pub(super) fn take(&mut self) -> Option<f64> {
        let mean = (self.count > 0).then(|| self.sum / self.count as f64);
        self.total_sum += std::mem::take(&mut self.sum);
        self.total_count += std::mem::take(&mut self.count);
        mean
    }

    /// The mean over all bins taken.
    pub(super) fn overall(&self) -> Option<f64> {
        let count = self.total_count - self.forgotten_count;
        (count > 0).then(|| (self.total_sum - self.forgotten_sum) / count as f64)
    }

    /// The samples so far count no more but in the bin that goes on.
    pub(super) fn forget(&mut self) {
        self.forgotten_sum = self.total_sum + self.sum;
        self.forgotten_count = self.total_count + self.count;
    }

    /// A sample that counts in the bin alone.
    pub(super) fn add_to_bin(&mut self, sample: f64) {
        self.add(sample);
        self.forgotten_sum += sample;
        self.forgotten_count += 1;
    }
}

/// Something counted, for the bin and over all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    bin: u64,
    before: u64,
    /// Of these how many count no more.
    forgotten: u64,
}

impl Count {
    /// Counts `n`.
    pub(super) fn add(&mut self, n: u64) {
        self.bin += n;
    }

    /// The bin's count; then starts afresh.
    pub(super) fn take(&mut self) -> f64 {
        let bin = std::mem::take(&mut self.bin);
        self.before += bin;
        bin as f64
    }

    /// The count over all.
    pub(super) fn total(&self) -> u64 {
        self.whole() - self.forgotten
    }

    /// The count from the beginning of the run on, whatever was forgotten.
    pub(super) fn whole(&self) -> u64 {
        self.before + self.bin
    }

    /// What was counted so far counts no more but in the bin that goes on.
    pub(super) fn forget(&mut self) {
        self.forgotten = self.whole();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(n: u64) -> Time {
        Time::ZERO + Duration::from_secs(n)
    }

    #[test]
    fn a_time_mean_weighs_by_how_long_a_value_held() {
        let mut mean = TimeMean::default();
        assert_eq!(mean.take(s(0), s(1)), None);
        mean.set(s(2), 10.0);
        mean.set(s(3), 20.0);
        let bin = mean.take(s(1), s(5)).unwrap();
        assert!((bin - 50.0 / 3.0).abs() < 1e-9, "only since it was born: {bin}");
        assert!((mean.take(s(5), s(6)).unwrap() - 20.0).abs() < 1e-9);
        assert!((mean.overall(s(6)).unwrap() - 70.0 / 4.0).abs() < 1e-9);
        assert!((mean.max() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn what_was_zero_from_the_beginning_weighs_by_all_of_its_first_bin() {
        let mut mean = TimeMean::default();
        mean.begin(s(0));
        mean.set(s(3), 1.0);
        assert_eq!((mean.take(s(0), s(4)), mean.overall(s(4))), (Some(0.25), Some(0.25)));
    }

    #[test]
    fn a_value_that_has_ended_counts_no_more() {
        let mut mean = TimeMean::default();
        mean.set(s(1), 10.0);
        assert_eq!(mean.take(s(0), s(2)), Some(10.0));
        mean.end(s(3));
        assert_eq!(mean.take(s(2), s(4)), Some(10.0));
        assert_eq!((mean.take(s(4), s(6)), mean.overall(s(6))), (None, Some(10.0)));
    }

    /// A bin from 0 s to 4 s, of which the first two do not count in the end.
    #[test]
    fn what_is_forgotten_counts_in_its_bin_alone() {
        let (mut mean, mut samples, mut count) =
            (TimeMean::default(), SampleMean::default(), Count::default());
        mean.set(s(0), 30.0);
        mean.set(s(1), 10.0);
        samples.add(1.0);
        count.add(2);
        mean.forget(s(2));
        samples.forget();
        count.forget();
        mean.set(s(3), 20.0);
        samples.add(3.0);
        count.add(5);
        assert_eq!((mean.take(s(0), s(4)), samples.take(), count.take()), (Some(17.5), Some(2.0), 7.0));
        assert_eq!((mean.overall(s(4)), samples.overall(), count.total()), (Some(15.0), Some(3.0), 5));
        assert_eq!((mean.max(), count.whole()), (20.0, 7));
    }

    #[test]
    fn a_value_that_ended_before_it_counted_has_no_mean() {
        let mut mean = TimeMean::default();
        mean.set(s(0), 30.0);
        mean.end(s(1));
        mean.forget(s(2));
        assert_eq!((mean.take(s(0), s(4)), mean.overall(s(4))), (Some(30.0), None));
    }

    #[test]
    fn samples_and_counts_start_afresh_with_each_bin() {
        let (mut mean, mut count) = (SampleMean::default(), Count::default());
        mean.add(1.0);
        mean.add(3.0);
        count.add(2);
        assert_eq!((mean.take(), mean.take(), count.take(), count.take()), (Some(2.0), None, 2.0, 0.0));
        assert_eq!((mean.overall(), count.total()), (Some(2.0), 2));
    }
}
