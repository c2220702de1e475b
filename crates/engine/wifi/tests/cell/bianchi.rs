//! Saturated stations: how often they collide and what they carry, held against Bianchi's model.
//!
//! The model (Bianchi, "Performance analysis of the IEEE 802.11 distributed coordination function", 2000) is solved here:
//! a station transmits in a slot with a probability that follows from its windows and from the probability that it
//! collides, which follows from the others' doing the same. It counts a busy period as one slot, which is how EDCA counts.
//! It is extended for a retry limit (Wu et al., "Performance of reliable transport protocol over IEEE 802.11 wireless LAN",
//! 2002) and for what a failure costs: the extended inter-frame space.

use crate::lab::{AGGREGATION, AP, DEPTH, FULL, Lab, RETRIES, access_point, adapter, best_effort, sta};
use airloom_observe::{Fate, FrameKind, NodeId};
use airloom_rate::{Dsss, GuardInterval, Ht, Preamble, Rate, Speed, Width};
use airloom_sim::{Duration, Time};
use airloom_wifi::frame_size::{ACK_BYTES, DATA_OVERHEAD, RTS_BYTES};
use airloom_wifi::{
    AccessPoint, Adapter, Aggregation, Channel, Depth, Ether, Phy, RateChoice, Retries, Station,
};

/// A saturated cell to be measured and modelled.
#[derive(Clone, Copy)]
struct Saturated {
    phy: Phy,
    data: Rate,
    control: Rate,
    cw_min: u32,
    cw_max: u32,
    rts: bool,
    /// Attempts before a frame is given up; none if it never is.
    attempts: Option<u32>,
}

/// What a saturated cell does.
struct Outcome {
    /// Probability that a transmission collides.
    collision: f64,
    /// IP bits delivered per second.
    throughput: f64,
}

impl Saturated {
    /// The model's fixed point for `n` stations, by bisection.
    fn model(&self, n: u32) -> Outcome {
        let transmits = |p| self.transmits(p);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let p = 0.5 * (low + high);
            let collides = 1.0 - libm::pow(1.0 - transmits(p), f64::from(n) - 1.0);
            if collides > p { low = p } else { high = p }
        }
        let tau = transmits(low);
        let idle = libm::pow(1.0 - tau, f64::from(n));
        let success = f64::from(n) * tau * libm::pow(1.0 - tau, f64::from(n) - 1.0);
        let Durations { succeeded, failed, slot } = self.durations();
        let mean = idle * slot + success * succeeded + (1.0 - idle - success) * failed;
        Outcome { collision: low, throughput: success * 8.0 * f64::from(FULL) / mean }
    }

    /// How often a station transmits in a slot that collides with this probability.
    fn transmits(&self, collision: f64) -> f64 {
        let (w, limit) = (self.cw_min + 1, self.attempts.unwrap_or(400));
        let (mut visits, mut slots, mut weight, mut window) = (0.0, 0.0, 1.0, w);
        for _ in 0..limit {
            visits += weight;
            slots += weight * (f64::from(window) + 1.0) / 2.0;
            weight *= collision;
            window = (2 * window).min(self.cw_max + 1);
        }
        visits / slots
    }

    /// What a slot lasts in which one, several or none transmit.
    fn durations(&self) -> Durations {
        let seconds = |d: Duration| d.as_secs_f64();
        let frame = |rate, bytes| seconds(self.phy.ppdu(rate, bytes));
        let (sifs, slot) = (seconds(self.phy.sifs), seconds(self.phy.slot));
        let difs = sifs + 2.0 * slot;
        let data = frame(self.data, FULL + DATA_OVERHEAD);
        let (ack, rts) = (frame(self.control, ACK_BYTES), frame(self.control, RTS_BYTES));
        let reserved = if self.rts { rts + sifs + ack + sifs } else { 0.0 };
        let wait = if self.phy.waits_after_failure { sifs + frame(self.phy.lowest, ACK_BYTES) } else { 0.0 };
        Durations {
            succeeded: reserved + data + sifs + ack + difs,
            failed: if self.rts { rts } else { data } + wait + difs,
            slot,
        }
    }

    /// The adapter of its stations.
    fn adapter(&self) -> Adapter {
        let attempts = self.attempts.unwrap_or(u32::MAX);
        Adapter {
            aggregation: Aggregation { ampdu_mpdus: 1, ..AGGREGATION },
            rts_threshold: self.rts.then_some(0),
            retries: Retries { short_limit: attempts, long_limit: attempts, ..RETRIES },
            control_rate: Some(self.control),
            beacon_rate: self.control,
            depth: Depth { driver_limit: 3, ..DEPTH },
            ..adapter()
        }
    }

    /// `n` stations with a frame always waiting, for so many seconds.
    fn simulate(&self, n: u32, seconds: u64) -> Outcome {
        let (edca, adapter) = (best_effort(2, self.cw_min, self.cw_max), self.adapter());
        let names: Vec<String> = (1..=n).map(|i| format!("sta{i}")).collect();
        let mut lab = Lab::with(7, self.phy, (adapter, edca), Duration::from_secs(1000), 0, |cell| {
            for (i, name) in names.iter().enumerate() {
                let rate = RateChoice::Fixed(self.data);
                cell.add_station(Station { edca, rate, ..Lab::plain(sta(i as u16 + 1), name, adapter) });
            }
        });
        lab.saturated = (1..=n).map(|i| (sta(i as u16), AP, FULL, 0)).collect();
        lab.run(Time::ZERO + Duration::from_secs(seconds));
        let first = if self.rts { FrameKind::Rts } else { FrameKind::Data };
        let attempts: Vec<_> = lab.ppdus().into_iter().filter(|p| p.kind == first).collect();
        let collided = attempts.iter().filter(|p| p.fate == Fate::Collided).count();
        Outcome {
            collision: collided as f64 / attempts.len() as f64,
            throughput: lab.order.len() as f64 * 8.0 * f64::from(FULL) / seconds as f64,
        }
    }

    /// Holds the simulation against the model for one to a hundred stations. Few stations collide rarely, so that it takes
    /// longer to see how often. The throughput may be off by the share `tolerance`; the probability of a collision by
    /// 0.01, or by that share of it where a failure costs more than in the model: a station that collided waits less
    /// than one that heard the collision.
    fn check(&self, seconds: u64, tolerance: f64) {
        for n in [1, 2, 5, 10, 20, 50, 100] {
            let seconds = if n < 5 { 6 * seconds } else { seconds };
            let (model, ours) = (self.model(n), self.simulate(n, seconds));
            println!(
                "{n:3} stations: p {:.4} for {:.4}, {:.3} for {:.3} Mbit/s ({:+.2} %)",
                ours.collision,
                model.collision,
                ours.throughput / 1e6,
                model.throughput / 1e6,
                100.0 * (ours.throughput / model.throughput - 1.0),
            );
            let off = ours.collision - model.collision;
            let share = if self.phy.waits_after_failure { tolerance * model.collision } else { 0.0 };
            assert!(off.abs() < share.max(0.01), "{n} stations: {off:+.4} collisions too many");
            let ratio = ours.throughput / model.throughput;
            assert!((ratio - 1.0).abs() < tolerance, "{n} stations: {ratio:.4} of the throughput");
        }
    }
}

struct Durations {
    succeeded: f64,
    failed: f64,
    slot: f64,
}

/// 802.11a at 54 Mbit/s with control frames at 24 Mbit/s, under the model's own assumptions.
fn ofdm(rts: bool) -> Saturated {
    Saturated {
        phy: Phy { waits_after_failure: false, ..Phy::OFDM_5GHZ },
        data: Rate::ofdm(54).expect("a rate"),
        control: Rate::ofdm(24).expect("a rate"),
        cw_min: 15,
        cw_max: 1023,
        rts,
        attempts: None,
    }
}

/// The same as the standard has it: a frame is given up after seven attempts, a failure costs an extended inter-frame space.
fn as_standard(ideal: Saturated) -> Saturated {
    Saturated { phy: Phy { waits_after_failure: true, ..ideal.phy }, attempts: Some(7), ..ideal }
}

#[test]
fn the_solver_finds_the_fixed_point() {
    // Without doubling, tau = 2 / (w + 1) whatever p is.
    let fixed = Saturated { cw_max: 15, ..ofdm(false) };
    assert!((fixed.model(2).collision - 2.0 / 17.0).abs() < 1e-9);
    assert!((fixed.model(3).collision - (1.0 - libm::pow(15.0 / 17.0, 2.0))).abs() < 1e-9);
    // Bianchi's equation 7 for w = 16 and six doublings, at the fixed point for two stations.
    let p = ofdm(false).model(2).collision;
    let tau = 2.0 / (1.0 + 16.0 + p * 16.0 * (0..6).map(|i| libm::pow(2.0 * p, f64::from(i))).sum::<f64>());
    assert!((p - tau).abs() < 1e-9);
}

/// 802.11b at 11 Mbit/s with the long preamble and control frames at 1 Mbit/s, under the model's own assumptions.
fn dsss(rts: bool) -> Saturated {
    Saturated {
        phy: Phy { waits_after_failure: false, ..Phy::DSSS },
        data: Rate::Dsss(Dsss::new(Speed::M11, Preamble::Long)),
        control: Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long)),
        cw_min: 31,
        cw_max: 1023,
        rts,
        attempts: None,
    }
}

#[test]
fn stations_of_802_11a_do_what_the_model_says() {
    ofdm(false).check(10, 0.02);
    ofdm(true).check(10, 0.02);
}

#[test]
fn stations_of_802_11b_do_what_the_model_says() {
    dsss(false).check(30, 0.02);
    dsss(true).check(30, 0.02);
}

#[test]
fn stations_of_802_11a_with_a_retry_limit_and_eifs_do_what_the_extended_model_says() {
    as_standard(ofdm(false)).check(10, 0.03);
    as_standard(ofdm(true)).check(10, 0.03);
}

#[test]
fn stations_of_802_11b_with_a_retry_limit_and_eifs_do_what_the_extended_model_says() {
    as_standard(dsss(false)).check(30, 0.03);
    as_standard(dsss(true)).check(30, 0.03);
}

#[test]
fn two_stations_share_equally() {
    let adapter = adapter();
    let mut lab = Lab::new(3, adapter, Duration::from_secs(1000), 0, |cell| {
        cell.add_station(Lab::plain(sta(1), "sta1", adapter));
        cell.add_station(Lab::plain(sta(2), "sta2", adapter));
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0), (sta(2), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(60));
    let share = lab.acked(sta(1)) as f64 / (lab.acked(sta(1)) + lab.acked(sta(2))) as f64;
    assert!((share - 0.5).abs() < 0.015, "the first station has a share of {share:.3}");
}

/// Two networks with one primary channel, each with so many saturated stations whose least window, rate and width may differ from those of
/// the others.
struct TwoNetworks {
    cell: Saturated,
    stations: [u32; 2],
    cw_min: [u32; 2],
    data: [Rate; 2],
    widths: [Width; 2],
}

impl TwoNetworks {
    /// Networks of a station each that differ in nothing.
    fn of(cell: Saturated) -> Self {
        Self {
            cell,
            stations: [1; 2],
            cw_min: [cell.cw_min; 2],
            data: [cell.data; 2],
            widths: [Width::Mhz40; 2],
        }
    }

    /// Holds so many seconds of the simulation against the model.
    fn check(&self, seconds: u64) {
        let (Self { stations, cw_min, .. }, model, ours) = (self, self.model(), self.simulate(seconds));
        for (ours, model) in ours.iter().zip(model) {
            println!("{stations:?} {cw_min:?}: {:.3} for {:.3} Mbit/s", ours / 1e6, model / 1e6);
            assert!((ours / model - 1.0).abs() < 0.03, "{stations:?} {cw_min:?}: {ours} for {model}");
        }
    }

    fn group(&self, n: usize) -> Saturated {
        Saturated { cw_min: self.cw_min[n], data: self.data[n], ..self.cell }
    }

    /// IP bits per second of each network by the model for two groups: a slot of a station of one is free of collisions if neither the
    /// others of its group nor any of the other transmit (Bianchi's equations 7 and 9 for each group).
    fn model(&self) -> [f64; 2] {
        let power = |tau: f64, n: u32| libm::pow(1.0 - tau, f64::from(n));
        let [n, m] = self.stations;
        let mut collision = [0.3; 2];
        for _ in 0..2000 {
            let [a, b] = [0, 1].map(|one| self.group(one).transmits(collision[one]));
            let found = [1.0 - power(a, n - 1) * power(b, m), 1.0 - power(a, n) * power(b, m - 1)];
            collision = [0, 1].map(|one: usize| 0.9 * collision[one] + 0.1 * found[one]);
        }
        let [a, b] = [0, 1].map(|one| self.group(one).transmits(collision[one]));
        let idle = power(a, n) * power(b, m);
        let success = [
            f64::from(n) * a * power(a, n - 1) * power(b, m),
            f64::from(m) * b * power(a, n) * power(b, m - 1),
        ];
        // Frames of one group alone collide for as long as they last, those of both as long as the longer.
        let [first, second] = [0, 1].map(|one| self.group(one).durations());
        let (only, other) = ((1.0 - power(a, n)) * power(b, m), (1.0 - power(b, m)) * power(a, n));
        let collisions = (only - success[0]) * first.failed
            + (other - success[1]) * second.failed
            + (1.0 - idle - only - other) * first.failed.max(second.failed);
        let mean =
            idle * first.slot + success[0] * first.succeeded + success[1] * second.succeeded + collisions;
        success.map(|success| success * 8.0 * f64::from(FULL) / mean)
    }

    /// The same as simulated for so many seconds.
    fn simulate(&self, seconds: u64) -> [f64; 2] {
        const APS: [NodeId; 2] = [NodeId(0), NodeId(500)];
        let mut ether = Ether::new(7);
        let adapter = self.cell.adapter();
        let mut pairs = Vec::new();
        for (n, ap) in APS.into_iter().enumerate() {
            let edca = best_effort(2, self.cw_min[n], self.cell.cw_max);
            let plain = access_point(ap, (adapter, edca), self.cell.phy, Duration::from_secs(1000), 0);
            let channel = Channel::from_primary(5180, self.widths[n]);
            let bss = ether.add_access_point(AccessPoint { name: ["one", "two"][n], channel, ..plain });
            for i in 1..=self.stations[n] {
                let (id, name) = (NodeId(ap.0 + i as u16), format!("sta{n} {i}"));
                let rate = RateChoice::Fixed(self.data[n]);
                ether.add_station(bss, Station { edca, rate, ..Lab::plain(id, &name, adapter) });
                pairs.push((id, ap, FULL, 0));
            }
        }
        let mut lab = Lab::of(ether);
        lab.saturated = pairs;
        lab.run(Time::ZERO + Duration::from_secs(seconds));
        APS.map(|ap| {
            let arrived = lab.order.iter().filter(|(to, _)| *to == ap).count();
            arrived as f64 * 8.0 * f64::from(FULL) / seconds as f64
        })
    }
}

#[test]
fn two_networks_on_one_channel_do_what_the_model_for_two_groups_says() {
    for (stations, cw_min) in [
        ([1, 1], [15, 15]),
        ([5, 5], [15, 15]),
        ([2, 8], [15, 15]),
        ([3, 3], [15, 31]),
        ([10, 10], [15, 63]),
        ([5, 20], [31, 15]),
    ] {
        TwoNetworks { stations, cw_min, ..TwoNetworks::of(ofdm(false)) }.check(40);
    }
}

/// One network sends in 40 MHz, the other in the half of them that is the primary channel of both.
#[test]
fn networks_of_two_widths_with_one_primary_channel_do_what_the_model_for_two_groups_says() {
    let at = |width, mcs| Rate::Ht(Ht { mcs, width, guard: GuardInterval::Ns800 });
    let (data, widths) = ([at(Width::Mhz40, 7), at(Width::Mhz20, 3)], [Width::Mhz40, Width::Mhz20]);
    for stations in [[1, 1], [5, 5], [2, 8]] {
        TwoNetworks { stations, data, widths, ..TwoNetworks::of(ofdm(false)) }.check(240);
    }
}

#[test]
fn two_groups_that_are_alike_are_one() {
    let both = TwoNetworks { stations: [4, 6], ..TwoNetworks::of(ofdm(false)) };
    let ([a, b], one) = (both.model(), ofdm(false).model(10).throughput);
    assert!(((a + b) / one - 1.0).abs() < 1e-6 && (a / b - 4.0 / 6.0).abs() < 1e-6, "{a} {b} {one}");
}
