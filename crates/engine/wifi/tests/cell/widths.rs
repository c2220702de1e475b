//! What frames meet in a channel of 40 MHz that is wider than they are, against the closed form.

use crate::lab::{AP, BEACONS, FAST, FULL, Lab, adapter, sta};
use airloom_observe::{Fate, FrameKind, Observation};
use airloom_propagation::error;
use airloom_rate::{GuardInterval, Ht, Rate, Width};
use airloom_sim::{Duration, Time};
use airloom_wifi::frame_size::{ACK_BYTES, BLOCK_ACK_BYTES, DATA_OVERHEAD};
use airloom_wifi::{Adapter, RateChoice, Station};

/// An upload at this ratio, with control frames at 24 Mbit/s.
fn upload(snr_db: f64, rate: RateChoice) -> Lab {
    let adapter = Adapter { control_rate: Rate::ofdm(24), ..adapter() };
    let mut lab = Lab::new(1, adapter, BEACONS, 0, |cell| {
        cell.add_station(Station { snr_db, rate, ..Lab::plain(sta(1), "sta1", adapter) });
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0)];
    lab.run(Time::ZERO + Duration::from_secs(2));
    lab
}

/// The share of data frames that are lost.
fn lost(snr_db: f64, rate: RateChoice) -> f64 {
    let ppdus = upload(snr_db, rate).ppdus();
    let data: Vec<_> = ppdus.iter().filter(|ppdu| ppdu.kind.is_data()).collect();
    data.iter().filter(|ppdu| ppdu.fate == Fate::Corrupted).count() as f64 / data.len() as f64
}

/// How many of so many bytes at a rate survive at this ratio.
fn survival(rate: Rate, snr_db: f64, bytes: u32) -> f64 {
    let ratio = error::effective_snr_db(snr_db, adapter().evm_db, 1);
    error::survival(error::bit_error(rate, ratio), bytes)
}

/// An OFDM frame in a channel of 40 MHz fills its primary 20 MHz, whether or not its link has HT rates too: it fares as one of 25 dB in 20 MHz.
#[test]
fn frames_below_ht_have_all_their_power_in_20_mhz() {
    let ofdm = Rate::ofdm(54).expect("a rate");
    let alone = lost(19.0, RateChoice::Fixed(ofdm));
    let beside_ht =
        lost(19.0, RateChoice::Scripted(vec![(Duration::ZERO, ofdm), (Duration::from_secs(1000), FAST)]));
    let expected = 1.0 - survival(ofdm, 19.0 + 3.01, FULL + DATA_OVERHEAD);
    assert!((0.2..0.8).contains(&expected) && (alone - expected).abs() < 0.05, "{alone}, not {expected}");
    assert!((alone - beside_ht).abs() < 0.05, "{alone} alone, {beside_ht} on a link with HT rates");
}

/// Acknowledgements of 40 MHz are duplicates of which each has half of the power, those of 20 MHz have all of it (802.11-2020 10.6.6.6).
#[test]
fn a_response_is_as_wide_as_what_it_answers() {
    let control = Rate::ofdm(24).expect("a rate");
    let ratios = (0..300).map(|tenth| f64::from(tenth) / 10.0);
    let poor = ratios.into_iter().find(|&snr_db| survival(control, snr_db, BLOCK_ACK_BYTES) > 0.3);
    let snr_db = poor.expect("there is one");
    for (width, gain) in [(Width::Mhz40, 0.0), (Width::Mhz20, 3.01)] {
        let rate = Rate::Ht(Ht { mcs: 0, width, guard: GuardInterval::Ns800 });
        let lab = upload(snr_db, RateChoice::Fixed(rate));
        let (mut sent, mut received, mut expected) = (0.0, 0.0, 0.0);
        for (_, seen) in &lab.seen {
            let Observation::Ppdu(ppdu) = seen else { continue };
            let bytes = match ppdu.kind {
                FrameKind::Ack => ACK_BYTES,
                FrameKind::BlockAck => BLOCK_ACK_BYTES,
                _ => continue,
            };
            // A request goes alone, in 20 MHz, and so does what answers it.
            assert!(ppdu.width == width || ppdu.width == Width::Mhz20);
            if ppdu.width == width {
                sent += 1.0;
                received += f64::from(u8::from(ppdu.users[0].fate == Fate::Received));
                expected += survival(control, snr_db + gain, bytes);
            }
        }
        let sigma = (sent * 0.25_f64).sqrt();
        assert!(
            sent > 200.0 && (received - expected).abs() < 4.0 * sigma,
            "{width:?}: {received} of {sent}, not {expected}"
        );
    }
    let shares = [0.0, 3.01].map(|gain| survival(control, snr_db + gain, BLOCK_ACK_BYTES));
    assert!(shares[0] < 0.7 && shares[1] > 0.9, "{shares:?}");
}
