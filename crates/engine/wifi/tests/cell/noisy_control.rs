//! Noise and the control frames that go before data, against the closed form.

use crate::lab::{AP, FULL, Lab, adapter, best_effort, ms, sta};
use airloom_observe::{Fate, FrameKind};
use airloom_propagation::error;
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};
use airloom_wifi::frame_size::{ACK_BYTES, BLOCK_ACK_REQ_BYTES, RTS_BYTES};
use airloom_wifi::{Adapter, Phy, Station};

/// Probability that a control frame of so many bytes survives at this ratio.
fn survival(snr_db: f64, bytes: u32) -> f64 {
    let ratio = error::effective_snr_db(snr_db, adapter().evm_db, 1);
    error::survival(error::bit_error(Rate::ofdm(24).expect("a rate"), ratio), bytes)
}

/// The ratio in dB, to a tenth, at which half of the RTS survive; no data does.
fn poor() -> f64 {
    let ratios = (0..300).map(|tenth| f64::from(tenth) / 10.0);
    ratios.into_iter().find(|&snr_db| survival(snr_db, RTS_BYTES) > 0.5).expect("there is one")
}

/// A download that reserves the medium for each PPDU, over a poor channel.
fn download() -> Lab {
    let (adapter, edca) = (Adapter { rts_threshold: Some(0), ..adapter() }, best_effort(3, 15, 15));
    let mut lab = Lab::with(1, Phy::OFDM_5GHZ, (adapter, edca), Duration::from_secs(1000), 0, |cell| {
        cell.add_station(Station { edca, snr_db: poor(), ..Lab::plain(sta(1), "sta1", adapter) });
    });
    lab.saturated = vec![(AP, sta(1), FULL, 0)];
    lab.run(Time::ZERO + ms(4000));
    lab
}

/// How many frames of a kind there were, and the share of them that was received.
fn received(lab: &Lab, kind: FrameKind) -> (f64, f64) {
    let fates: Vec<Fate> = lab.ppdus().into_iter().filter(|p| p.kind == kind).map(|p| p.fate).collect();
    let count = fates.len() as f64;
    (count, fates.iter().filter(|&&fate| fate == Fate::Received).count() as f64 / count)
}

#[test]
fn control_frames_survive_as_often_as_frames_of_their_length_and_rate() {
    let lab = download();
    for (kind, bytes) in [(FrameKind::Rts, RTS_BYTES), (FrameKind::Cts, ACK_BYTES)] {
        let (count, share) = received(&lab, kind);
        let expected = survival(poor(), bytes);
        assert!(count > 200.0 && (0.05..0.95).contains(&expected), "{kind:?}: {count} {expected}");
        let sigma = (expected * (1.0 - expected) / count).sqrt();
        assert!((share - expected).abs() < 4.0 * sigma, "{kind:?}: {share} of {count}, not {expected}");
    }
    // A request protects nothing of 40 MHz: it has all of its power in 20.
    let (count, share) = received(&lab, FrameKind::BlockAckReq);
    let expected = survival(poor() + 3.01, BLOCK_ACK_REQ_BYTES);
    assert!(
        count > 200.0 && share >= expected - 0.01 && expected > 0.95,
        "{share} of {count}, not {expected}"
    );
}

/// What no CTS answers is not sent: there is a data frame for each CTS that was received, and for no other.
#[test]
fn data_follows_a_cts_that_was_received_and_nothing_else() {
    let lab = download();
    let ppdus = lab.ppdus();
    let before = |n: usize| ppdus[..n].last().map(|p| (p.kind, p.fate));
    let mut data = 0;
    for (n, ppdu) in ppdus.iter().enumerate().filter(|(_, p)| p.kind.is_data()) {
        assert_eq!(before(n), Some((FrameKind::Cts, Fate::Received)), "{ppdu:?}");
        data += 1;
    }
    let (count, share) = received(&lab, FrameKind::Cts);
    assert!((count * share - f64::from(data)).abs() < 1.5, "{data} data frames for {}", count * share);
}
