//! Beside the kernel's own statements: what `linux-6.18.txt` says of its worlds comes out here, line for line.

use super::*;
use airloom_rate::{Code, Dsss, GuardInterval, Ht, Ofdm, Preamble, Speed, Vht, Width};
use airloom_sim::Index;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What Linux 6.18 does; its head says how it was made.
const KERNEL: &str = include_str!("linux-6.18.txt");
const END: Time = Time::from_nanos(30_000_000_000);
const INTERVAL: Duration = Duration::from_millis(50);
const EACH: Duration = Duration::from_millis(500);

/// The name of a rate in the file, and the signal-to-noise ratio that it demands there, in dB.
fn named(rate: Rate) -> (String, i64) {
    const OF_SCHEMES: [i64; 10] = [2, 5, 8, 11, 15, 19, 20, 22, 26, 28];
    let scheme = |mcs: u8, width: Width, streams: u32| {
        let (mhz, guard) = (width.mhz(), rate.guard_interval() == Some(GuardInterval::Ns400));
        let name = format!("{mhz}{}{streams}m{mcs}", if guard { 's' } else { 'l' });
        let doublings = i64::from((mhz / 20).ilog2());
        (name, OF_SCHEMES[usize::from(mcs)] + 3 * (i64::from(streams) - 1) + 3 * doublings)
    };
    match rate {
        Rate::Ht(ht) => scheme(ht.mcs % 8, ht.width, rate.streams()),
        Rate::Vht(vht) => scheme(vht.mcs, vht.width, rate.streams()),
        Rate::Ofdm(ofdm) => {
            let place = Ofdm::ALL.iter().position(|&other| other == ofdm).expect("it is one of all");
            (format!("o{}", rate.bit_rate().as_bps() / 1_000_000), [2, 3, 5, 8, 11, 15, 19, 20][place])
        }
        Rate::Dsss(_) => {
            let place = [10, 20, 55, 110].iter().position(|&of| of == rate.bit_rate().as_bps() / 100_000);
            (format!("c{}", rate.bit_rate().as_bps() / 100_000), [-3, -1, 1, 3][place.expect("a speed")])
        }
        Rate::He(_) | Rate::Eht(_) => unreachable!("Linux has none"),
    }
}

/// The signal-to-noise ratio at a time, in dB.
fn signal(now: Time) -> i64 {
    match (now - Time::ZERO).as_nanos() as i64 / 1_000_000 {
        ..5000 => 35,
        5000..15_000 => 15,
        ms @ 15_000..25_000 => 15 + (ms - 15_000) / 500,
        _ => 35,
    }
}

/// A world of the file.
struct World {
    names: Vec<(String, i64)>,
    control: Control,
    now: Time,
    /// MPDUs of a PPDU.
    mpdus: u32,
    x: u32,
    used: Vec<u64>,
}

impl World {
    fn new(rates: &[Rate]) -> Self {
        let known = Rates::new(rates);
        let mut samples = Samples::new(&known, &mut Stream::new(1, "bench", "rate"));
        let orders = KERNEL.lines().find_map(|line| line.strip_prefix("orders ")).expect("there is a table");
        samples.orders = orders.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        Self {
            names: rates.iter().map(|&rate| named(rate)).collect(),
            control: Control::trying(known, INTERVAL, samples),
            now: Time::ZERO,
            mpdus: if rates[0].aggregates() { 16 } else { 1 },
            x: 7,
            used: vec![0; rates.len()],
        }
    }

    /// Sends one PPDU, by its chain of rates.
    fn send(&mut self) {
        let sample = self.control.sample(self.now);
        let chain = self.control.choose(sample);
        let mpdus = if chain.sample { 1 } else { self.mpdus };
        let (mut good, mut n) = (0, 0);
        let signal = signal(self.now);
        while good == 0 && n < chain.attempts() {
            let rate = chain.rate(n);
            self.used[rate.place()] += u64::from(mpdus);
            let micros = 150 + self.control.rates.air(rate) * u64::from(mpdus) / 1000;
            self.now += Duration::from_micros(micros);
            let survival = ((signal - self.names[rate.place()].1 + 2) * 64).min(250);
            for _ in 0..mpdus {
                self.x = self.x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                good += u32::from(i64::from(self.x >> 24) < survival);
            }
            n += 1;
        }
        self.control.completed(self.now, &chain, n, mpdus, good);
    }

    /// The line of the file for a time.
    fn line(&self, at: Time) -> String {
        let Control { best, safest, rates, .. } = &self.control;
        let mut line = format!("{}", (at - Time::ZERO).as_nanos() / 1_000_000);
        for rate in best.iter().chain([safest]) {
            write!(line, " {}", self.names[rate.place()].0).expect("a string takes all");
        }
        format!("{line} {} {} {}", rates.share(best[0]), rates.share(*safest), rates.ampdu)
    }
}

/// What the file says of a world: its lines, and the MPDUs at each rate.
fn said(world: &str) -> (Vec<&'static str>, BTreeMap<String, u64>) {
    let lines = KERNEL.lines().skip_while(|line| *line != format!("world {world}")).skip(1);
    let lines: Vec<_> = lines.take_while(|line| !line.starts_with("world")).collect();
    let (used, lines) = lines.split_last().expect("a world has lines");
    let counts = used.split(' ').filter_map(|word| word.split_once('='));
    let used = counts.map(|(rate, count)| (rate.to_owned(), count.parse().expect("a count"))).collect();
    (lines.to_vec(), used)
}

fn beside_the_kernel(world: &str, rates: &[Rate]) {
    let (lines, used) = said(world);
    let mut bench = World::new(rates);
    let mut lines = lines.into_iter();
    let mut next = Time::ZERO + EACH;
    while bench.now < END {
        while bench.now >= next {
            assert_eq!(Some(bench.line(next).as_str()), lines.next(), "{world}");
            next += EACH;
        }
        bench.send();
    }
    assert_eq!(lines.next(), None, "{world}");
    let ours = bench.names.iter().zip(&bench.used).filter(|(_, count)| **count > 0);
    assert_eq!(ours.map(|((name, _), &count)| (name.clone(), count)).collect::<BTreeMap<_, _>>(), used);
}

#[test]
fn rates_of_ht_are_chosen_as_linux_does() {
    let rates = [Width::Mhz20, Width::Mhz40].map(|width| Ht::rates(2, width, GuardInterval::Ns400));
    beside_the_kernel("ht", &in_order(rates.concat()));
}

#[test]
fn rates_of_vht_are_chosen_as_linux_does() {
    let widths = [Width::Mhz20, Width::Mhz40, Width::Mhz80];
    let rates = widths.map(|width| Vht::rates(2, width, GuardInterval::Ns400, Code::LowDensity));
    beside_the_kernel("vht", &in_order(rates.concat()));
}

#[test]
fn rates_below_ht_are_chosen_as_linux_does() {
    let ofdm = Ofdm::ALL.map(Rate::Ofdm).to_vec();
    beside_the_kernel("ofdm", &ofdm);
    let dsss = Speed::ALL.map(|speed| Rate::Dsss(Dsss::new(speed, Preamble::Long)));
    beside_the_kernel("dsss+ofdm", &in_order([dsss.to_vec(), ofdm].concat()));
}

fn in_order(mut rates: Vec<Rate>) -> Vec<Rate> {
    rates.sort_by_key(|rate| rate.bit_rate());
    rates
}
