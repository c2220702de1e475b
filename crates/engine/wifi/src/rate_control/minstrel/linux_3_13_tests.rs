//! Minstrel on a bench: a single saturated transmitter, a channel of a fixed ratio or of one that steps.

use super::*;
use airloom_propagation::error;
use airloom_rate::{Code, He, Ht, Ofdm, Padding, Vht, Width};
use airloom_sim::Index;
use std::collections::VecDeque;

const MPDU: u32 = 1538;
const INTERVAL: Duration = Duration::from_millis(50);
/// Packets that wait in the driver.
const QUEUE: usize = 123;

/// Attempts at an MPDU (ath9k `ATH_MAX_SW_RETRIES`).
const RETRIES: usize = 30;

/// Averages that a share of zero needs to count in full.
fn averages() -> f64 {
    libm::ceil(libm::log(1.0 - CAP) / libm::log(PAST))
}

/// The share of MPDUs that get through.
fn survival(rate: Rate, snr_db: f64) -> f64 {
    error::survival(error::bit_error(rate, error::effective_snr_db(snr_db, -100.0, rate.streams())), MPDU)
}

struct Bench {
    rates: Vec<Rate>,
    control: Control,
    channel: Stream,
    now: Time,
    /// What the packets handed down are to try, oldest first.
    queue: VecDeque<Option<RateId>>,
    /// How often every rate has been tried, as far as the algorithm's own rhythm shows.
    passes: f64,
    /// MPDUs sent at each rate.
    used: Vec<u32>,
}

impl Bench {
    fn new(rates: &[Rate], seed: u64) -> Self {
        Self {
            rates: rates.to_vec(),
            control: Control::new(rates, INTERVAL, Stream::new(seed, "bench", "rate")),
            channel: Stream::new(seed, "bench", "channel"),
            now: Time::ZERO,
            queue: VecDeque::new(),
            passes: 0.0,
            used: vec![0; rates.len()],
        }
    }

    /// A packet tries a rate, then as many go by as `wait` says and the one whose report begins the next round: a pass
    /// over all rates takes this many packets for each.
    fn refill(&mut self) {
        while self.queue.len() < QUEUE {
            let sample = self.control.sample(self.now);
            self.queue.push_back(sample);
            let packets = 17.0 + 2.0 * libm::floor(self.control.ampdu);
            self.passes += 1.0 / (packets * self.rates.len() as f64);
        }
    }

    /// Sends one PPDU until part of it gets through or it is given up.
    fn send(&mut self, snr_db: f64) {
        self.refill();
        let sample = self.queue.pop_front().expect("it is full");
        let chain = self.control.choose(sample);
        let fits = |i: RateId| {
            let rate = self.rates[i.place()];
            if rate.aggregates() { (rate.bit_rate().as_bps() * 4 / 8000 / 1544).clamp(1, 32) } else { 1 }
        };
        let most = if chain.sample { 1 } else { chain.rates().map(fits).min().expect("a chain has rates") };
        let mut mpdus = 1;
        while u64::from(mpdus) < most && self.queue.front() == Some(&None) {
            self.queue.pop_front();
            mpdus += 1;
        }
        for n in (0..chain.attempts()).cycle().take(RETRIES) {
            let rate = self.rates[chain.rate(n).place()];
            self.used[chain.rate(n).place()] += mpdus;
            self.now = self.now + rate.airtime(mpdus * 1544) + Duration::from_micros(170);
            let survival = survival(rate, snr_db);
            let good = (0..mpdus).filter(|_| self.channel.chance(survival)).count() as u32;
            if good > 0 {
                self.control.completed(self.now, &chain, n + 1, mpdus, good);
                (good..mpdus).for_each(|_| self.queue.push_front(None));
                return;
            }
        }
        self.control.completed(self.now, &chain, chain.attempts(), mpdus, 0);
    }

    /// Runs until a rate that was slow and idle, or thought dead, has been averaged in full.
    fn settle(&mut self, snr_db: f64) {
        let passes = self.passes + averages();
        let end = self.now + INTERVAL * (u64::from(IDLE_INTERVALS) + averages() as u64);
        while self.passes < passes || self.now < end {
            self.send(snr_db);
        }
    }

    /// The rate that most MPDUs are sent at within two seconds.
    fn most_used(&mut self, snr_db: f64) -> usize {
        self.used.fill(0);
        let end = self.now + Duration::from_secs(2);
        while self.now < end {
            self.send(snr_db);
        }
        (0..self.rates.len()).max_by_key(|&i| self.used[i]).expect("there are rates")
    }
}

/// The rates of two streams, of one, and of 802.11a.
fn sets() -> [Vec<Rate>; 3] {
    let ht = |streams| Ht::rates(streams, Width::Mhz40, GuardInterval::Ns400);
    [ht(2), ht(1), Ofdm::ALL.map(Rate::Ofdm).to_vec()]
}

/// How a choice compares with the rate that maximises (1 - PER) x rate.
#[derive(PartialEq)]
enum Choice {
    /// As Minstrel values rates, with shares above 90 % counted alike, it is worth no less.
    Best,
    /// It is worth less, but one sample that gets through makes it look better, until it has been used for an interval.
    Flattered,
    Wrong,
}

fn judge(bench: &Bench, chosen: usize, snr_db: f64) -> Choice {
    let rates = &bench.rates;
    let share = |i: usize| survival(rates[i], snr_db);
    let best = (0..rates.len())
        .max_by(|&i, &j| {
            let value = |i: usize| share(i) * rates[i].bit_rate().as_mbps_f64();
            value(i).total_cmp(&value(j))
        })
        .expect("there are rates");
    if share(best) < HOPELESS {
        return if chosen == 0 { Choice::Best } else { Choice::Wrong };
    }
    let overhead = OVERHEAD as f64 / libm::floor(bench.control.ampdu);
    let value = |i: usize, share: f64| share.min(CAP) / (overhead + air(rates[i]) as f64);
    let most = value(best, share(best));
    match () {
        () if value(chosen, share(chosen)) >= most => Choice::Best,
        () if value(chosen, average(share(chosen), 1.0)) > most => Choice::Flattered,
        () => Choice::Wrong,
    }
}

/// Within the time that sampling takes the best rate is found, whatever the channel was like before.
#[test]
fn it_finds_the_best_rate_of_a_channel_and_follows_a_step() {
    let (mut checks, mut flattered) = (0, 0);
    for rates in sets() {
        for low in 3..=38 {
            let mut bench = Bench::new(&rates, 1);
            for snr in [low, (low + 10).min(38), low, 38, low].map(f64::from) {
                bench.settle(snr);
                let chosen = bench.most_used(snr);
                let choice = judge(&bench, chosen, snr);
                assert!(choice != Choice::Wrong, "{snr} dB, from {low} dB: {:?}", rates[chosen]);
                checks += 1;
                flattered += u32::from(choice == Choice::Flattered);
            }
        }
    }
    assert!(50 * flattered < checks, "{flattered} of {checks}");
}

/// The rates of two streams in 80 and 160 MHz carry a packet in equally many symbols, from the middle upwards.
#[test]
fn in_wide_channels_it_reaches_the_fastest_rate() {
    for rates in [
        Vht::rates(2, Width::Mhz80, GuardInterval::Ns400, Code::LowDensity),
        He::rates(2, Width::Mhz80, GuardInterval::Ns800, Padding::Us8),
        He::rates(2, Width::Mhz160, GuardInterval::Ns800, Padding::Us8),
    ] {
        let mut bench = Bench::new(&rates, 1);
        bench.settle(60.0);
        assert_eq!(bench.most_used(60.0), rates.len() - 1, "{:?}", rates[0]);
    }
}

/// Only the slowest rates get through, and the first samples fail.
#[test]
fn on_a_poor_channel_it_stays_slow() {
    let mut control = Control::new(&sets()[0], INTERVAL, Stream::new(3, "bench", "rate"));
    for t in 0..2000 {
        let now = Time::ZERO + Duration::from_millis(60 * t);
        let sample = control.sample(now);
        let chain = control.choose(sample);
        let tries = (0..chain.attempts()).take_while(|&n| chain.rate(n).place() >= 2).count() as u32;
        let good = u32::from(tries < chain.attempts());
        control.completed(now, &chain, (tries + 1).min(chain.attempts()), 1, good);
        assert!(chain.sample || chain.rate(0).place() < 2, "PPDU {t} goes at rate {:?}", chain.rate(0));
    }
}

/// Two streams die: within the interval the transmitter goes on with one.
#[test]
fn dead_streams_are_left_at_once() {
    let rates = sets()[0].clone();
    let mut bench = Bench::new(&rates, 1);
    bench.settle(38.0);
    let before = bench.control.preferred();
    assert_eq!(rates[before.place()].streams(), 2);
    let chain = bench.control.choose(None);
    bench.control.update_at = bench.now + INTERVAL;
    bench.control.records[before].attempts = 0;
    bench.control.records[before].successes = 0;
    bench.control.completed(bench.now, &chain, chain.attempts(), 31, 0);
    assert_eq!(rates[bench.control.preferred().place()].streams(), 1);
}
