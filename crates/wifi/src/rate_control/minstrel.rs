//! Minstrel-HT as of Linux 3.13 (net/mac80211/rc80211_minstrel_ht.c): the share of MPDUs that got through at each rate is
//! averaged over intervals, the rates with the best throughput and the best share form a retry chain, and now and then a
//! single MPDU tries another rate.

use super::Chain;
use crate::airtime;
use crate::rate::Rate;
use airloom_sim::{Duration, Stream, Time};

/// How often the averages are taken (`minstrel_ht_update_stats` is due every HZ/20).
const INTERVAL: Duration = Duration::from_millis(50);
/// Weight of the past in the averages (`EWMA_LEVEL` 75 %).
const PAST: f64 = 0.75;
/// A rate this good is judged by its throughput alone when the safest is chosen.
const SAFE: f64 = 0.95;
/// A rate worse than this is not usable.
const HOPELESS: f64 = 0.1;
/// Samples taken in one interval at most (`mi->sample_count`).
const SAMPLES: u32 = 8;
/// Times a slower rate is passed over before it is sampled again (`sample_skipped`).
const PATIENCE: u32 = 20;

/// What is known of a rate.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    attempts: u32,
    successes: u32,
    /// Average share of MPDUs that got through; none before the first attempt.
    share: Option<f64>,
    skipped: u32,
    /// Air time of a full-sized MPDU in a typical A-MPDU, in nanoseconds.
    cost: f64,
}

impl Record {
    /// MPDUs per nanosecond, as far as is known.
    fn throughput(&self) -> f64 {
        match self.share {
            // Above 90 % the share says more about collisions than about the rate.
            Some(share) if share >= HOPELESS => share.min(0.9) / self.cost,
            _ => 0.0,
        }
    }
}

/// See the module; a control over a list of rates.
pub(crate) struct Minstrel {
    records: Vec<Record>,
    /// Best throughput, second best, safest.
    best: [u8; 3],
    update_at: Time,
    /// PPDUs until the next sample, and samples left in this interval.
    wait: u32,
    samples: u32,
    chance: Stream,
}

impl Minstrel {
    /// Knows nothing yet of `rates`, which are in ascending order, and begins with the slowest.
    pub(crate) fn new(rates: &[Rate], chance: Stream) -> Self {
        // A typical aggregate of 16 full MPDUs, or a full MPDU, and what surrounds it.
        let cost = |&rate: &Rate| {
            let mpdus = if rate.aggregates() { 16 } else { 1 };
            (airtime::ppdu(rate, mpdus * 1544).as_nanos() as f64 + 170e3) / f64::from(mpdus)
        };
        let records: Vec<_> = rates.iter().map(|r| Record { cost: cost(r), ..Record::default() }).collect();
        Self { records, best: [0; 3], update_at: Time::ZERO + INTERVAL, wait: 0, samples: SAMPLES, chance }
    }

    /// The rate with the best throughput.
    pub(super) fn best(&self) -> usize {
        usize::from(self.best[0])
    }

    pub(super) fn choose(&mut self) -> Chain {
        let [first, second, safest] = self.best;
        if self.wait > 0 {
            self.wait -= 1;
        } else if self.samples > 0
            && let Some(sample) = self.sample()
        {
            self.samples -= 1;
            self.wait = 4;
            return Chain { stages: [sample, first, safest], sample: true };
        }
        Chain { stages: [first, second, safest], sample: false }
    }

    /// A rate worth trying, unless chance points at one that is not.
    fn sample(&mut self) -> Option<u8> {
        let index = self.chance.up_to(self.records.len() as u32 - 1) as u8;
        let fastest = self.records[usize::from(self.best[0])].cost;
        let record = &mut self.records[usize::from(index)];
        let slower = record.cost > fastest;
        if self.best.contains(&index) || (record.share.is_some_and(|s| s > SAFE) && slower) {
            return None;
        }
        if record.share.is_some() && slower && record.skipped < PATIENCE {
            record.skipped += 1;
            return None;
        }
        record.skipped = 0;
        Some(index)
    }

    pub(super) fn report(&mut self, now: Time, rate: usize, attempted: u32, succeeded: u32) {
        let record = &mut self.records[rate];
        record.attempts += attempted;
        record.successes += succeeded;
        if now >= self.update_at {
            self.update_at = now + INTERVAL;
            self.samples = SAMPLES;
            self.update();
        }
    }

    fn update(&mut self) {
        for record in self.records.iter_mut().filter(|r| r.attempts > 0) {
            let share = f64::from(record.successes) / f64::from(record.attempts);
            record.share = Some(record.share.map_or(share, |past| PAST * past + (1.0 - PAST) * share));
            (record.attempts, record.successes) = (0, 0);
        }
        // While no rate is usable the slowest has to do (`mr->cur_tp` of zero is passed over, and the best start at zero).
        let best = |value: &dyn Fn(&Record) -> f64, but: Option<u8>| {
            (0..self.records.len() as u8)
                .filter(|&i| Some(i) != but && self.records[usize::from(i)].throughput() > 0.0)
                .max_by(|&a, &b| {
                    let value = |i: u8| value(&self.records[usize::from(i)]);
                    value(a).total_cmp(&value(b))
                })
                .unwrap_or(0)
        };
        let first = best(&Record::throughput, None);
        let second = best(&Record::throughput, Some(first));
        // Rates above the safe share compare by throughput, those below by their share.
        let safety = |r: &Record| match r.share {
            Some(share) if share >= SAFE => 1.0 + r.throughput(),
            Some(share) => share,
            None => 0.0,
        };
        self.best = [first, second, best(&safety, None)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error;
    use crate::rate::Ht;
    use crate::rate_control::RateControl;

    fn rates() -> Vec<Rate> {
        Ht::rates(2, true, true).into_iter().map(Rate::Ht).collect()
    }

    /// Sends one A-MPDU of 16 every millisecond for `ms`, each MPDU surviving as the channel at `snr` lets it; returns the
    /// mean of what the chosen rates are worth there over the last half.
    fn run(control: &mut RateControl, chance: &mut Stream, start_ms: u64, ms: u64, snr: f64) -> f64 {
        let rates = rates();
        let (mut sum, mut count) = (0.0, 0.0);
        for t in start_ms..start_ms + ms {
            let now = Time::ZERO + Duration::from_millis(t);
            let chain = control.choose();
            let rate = chain.rate(0);
            let survival = survival(rates[rate], snr);
            let attempted = if chain.sample { 1 } else { 16 };
            let good = (0..attempted).filter(|_| chance.chance(survival)).count();
            control.report(now, rate, attempted, good as u32);
            if t >= start_ms + ms / 2 && !chain.sample {
                sum += worth(rates[rate], snr);
                count += 1.0;
            }
        }
        sum / count
    }

    fn survival(rate: Rate, snr: f64) -> f64 {
        error::survival(error::bit_error(rate, error::effective_snr_db(snr, -40.0, rate.streams())), 1538)
    }

    /// What gets through at a rate, computed directly: surviving MPDUs per nanosecond.
    fn worth(rate: Rate, snr: f64) -> f64 {
        16.0 * survival(rate, snr) / (airtime::ppdu(rate, 16 * 1544).as_nanos() as f64 + 170e3)
    }

    #[test]
    fn it_finds_the_best_rate_of_a_channel_and_follows_a_step() {
        let mut control =
            RateControl::Minstrel(Box::new(Minstrel::new(&rates(), Stream::new(1, "x", "rate"))));
        let mut chance = Stream::new(1, "x", "channel");
        let mut at = 0;
        for snr in [35.0, 12.0, 24.0, 5.0, 30.0] {
            let mean = run(&mut control, &mut chance, at, 4000, snr);
            at += 4000;
            let best = rates().into_iter().map(|rate| worth(rate, snr)).fold(0.0, f64::max);
            // Shares above 90 % count alike, so a rate may be preferred that is worth up to a tenth less.
            assert!(mean > 0.9 * best, "{snr} dB: {mean} against {best}");
        }
    }

    /// Only the slowest rates get through, and the first samples fail.
    #[test]
    fn on_a_poor_channel_it_stays_slow() {
        let mut control =
            RateControl::Minstrel(Box::new(Minstrel::new(&rates(), Stream::new(3, "x", "rate"))));
        for t in 0..2000 {
            let now = Time::ZERO + Duration::from_millis(60 * t);
            let chain = control.choose();
            let succeeded = u32::from(chain.rate(0) < 2);
            control.report(now, chain.rate(0), 1, succeeded);
            assert!(chain.sample || chain.rate(0) < 2, "PPDU {t} goes at rate {}", chain.rate(0));
        }
    }
}
