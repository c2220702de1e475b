//! What Minstrel attains in a cell, against the best fixed rate in the same cell.

use crate::lab::{AP, BEACONS, FULL, Lab, RETRIES, adapter, sta};
use airloom_propagation::error;
use airloom_rate::{GuardInterval, Ht, Legacy, Ofdm, Rate, Width};
use airloom_sim::{Duration, Time};
use airloom_wifi::frame_size::{ACK_BYTES, BLOCK_ACK_BYTES, DATA_OVERHEAD, RTS_BYTES};
use airloom_wifi::{Adapter, Adaptive, RateChoice, Retries, Station};

/// What comes before does not count: 20 intervals until slow rates are tried, 9 until a share counts in full, 50 ms each.
const SETTLED: Time = Time::from_nanos(1_500_000_000);

/// Packets per second that a saturated access point brings to a station, and MPDUs of a PPDU on average.
fn measured(rate: RateChoice, rates: &[Rate], snr_db: f64) -> (f64, f64) {
    let adapter = Adapter { retries: Retries { limit: 30, ..RETRIES }, control_rate: None, ..adapter() };
    let mut lab = Lab::new(1, adapter, BEACONS, 0, |cell| {
        cell.add_station(Station {
            snr_db,
            rate,
            rates: rates.to_vec(),
            ..Lab::plain(sta(1), "sta1", adapter)
        });
    });
    lab.saturated = vec![(AP, sta(1), FULL, 0)];
    let end = SETTLED + Duration::from_millis(2500);
    lab.run(end);
    let acked = lab.packets.iter().filter(|life| matches!(life.done, Some((at, true)) if at >= SETTLED));
    let ppdus = lab.ppdus();
    let sent = ppdus.iter().filter(|ppdu| ppdu.kind.is_data() && ppdu.start >= SETTLED);
    let (count, mpdus) = sent.fold((0.0, 0.0), |(n, sum), ppdu| (n + 1.0, sum + f64::from(ppdu.mpdus)));
    (acked.count() as f64 / (end - SETTLED).as_secs_f64(), mpdus / count)
}

/// (1 - PER) x rate, in bits per second.
fn worth(rate: Rate, snr_db: f64) -> f64 {
    let snr_db = snr_db + error::narrowing_gain_db(Width::Mhz40, rate.width());
    let ratio = error::effective_snr_db(snr_db, adapter().evm_db, rate.streams());
    error::survival(error::bit_error(rate, ratio), FULL + DATA_OVERHEAD) * rate.bit_rate().as_bps() as f64
}

/// What a sample costs at most beside others at this rate, in seconds: the A-MPDU that it cuts in two, its own frame, which
/// gets lost, and the same once more, at a rate like this one and behind RTS and CTS.
fn price(rate: Rate) -> f64 {
    let Legacy::Ofdm(reference) = rate.reference() else { unreachable!("no DSSS is tested") };
    let basic = [Ofdm::M24, Ofdm::M12, Ofdm::M6].into_iter().find(|&basic| basic <= reference);
    let basic = Rate::Ofdm(basic.expect("6 Mbit/s is the lowest"));
    let control = |bytes| basic.airtime(bytes).as_secs_f64();
    let (sifs, slot) = (16e-6, 9e-6);
    let lead = |slots: f64| sifs + 3.0 * slot + slots * slot;
    let answer = sifs + control(BLOCK_ACK_BYTES);
    let alone = rate.airtime(FULL + DATA_OVERHEAD).as_secs_f64() + answer;
    let reserve = control(RTS_BYTES) + sifs + control(ACK_BYTES) + sifs;
    let cut = if rate.aggregates() { lead(7.5) + 40e-6 + answer } else { 0.0 };
    cut + lead(7.5) + alone + lead(15.5) + reserve + alone
}

#[test]
fn minstrel_attains_the_best_fixed_rate_less_its_samples() {
    let ht = |streams| Ht::rates(streams, Width::Mhz40, GuardInterval::Ns400);
    let sets: [Vec<Rate>; 3] = [ht(2), ht(1), Ofdm::ALL.map(Rate::Ofdm).to_vec()];
    let minstrel = Adaptive::plain("minstrel").expect("its word");
    for rates in sets {
        for snr in (5..=38).step_by(3).map(f64::from) {
            let mut order = rates.clone();
            order.sort_by(|&a, &b| worth(b, snr).total_cmp(&worth(a, snr)));
            let fixed = order[..3].iter().map(|&rate| measured(RateChoice::Fixed(rate), &[], snr).0);
            let best = fixed.fold(0.0, f64::max);
            let (found, mpdus) = measured(RateChoice::Adaptive(minstrel.clone()), &rates, snr);
            let round = (17.0 + 2.0 * mpdus.floor()) / best;
            // Where nothing is faster nothing needs to be tried.
            let samples = if order[0] == rates[rates.len() - 1] { 0.0 } else { price(order[0]) };
            let (part, least) = (found / best, round / (round + samples));
            let set = rates.len();
            assert!(part >= least - 0.005, "{set} rates, {snr} dB: {part:.3} of {best:.0}, not {least:.3}");
            assert!(part <= 1.005, "{set} rates, {snr} dB: {part:.3} of {best:.0}");
        }
    }
}
