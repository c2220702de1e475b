//! A path whose directions differ, against the closed form: frames and their responses each fare as their receiver hears them.

use crate::lab::{AP, BEACONS, FULL, Lab, adapter, sta};
use airloom_observe::{Fate, FrameKind, NodeId};
use airloom_propagation::error;
use airloom_rate::{Ofdm, Rate};
use airloom_sim::{Duration, Time};
use airloom_wifi::frame_size::{ACK_BYTES, DATA_OVERHEAD};
use airloom_wifi::{Adapter, RateChoice, Station};

const FAST: Rate = Rate::Ofdm(Ofdm::M54);

/// The ratio over 20 MHz, to a tenth of a dB, at which half of the data survive.
fn poor() -> f64 {
    let ratios = (0..400).map(|tenth| f64::from(tenth) / 10.0);
    ratios
        .into_iter()
        .find(|&snr_db| survival(FAST, snr_db, FULL + DATA_OVERHEAD) > 0.5)
        .expect("there is one")
}

fn survival(rate: Rate, snr_db: f64, bytes: u32) -> f64 {
    error::survival(error::bit_error(rate, error::effective_snr_db(snr_db, adapter().evm_db, 1)), bytes)
}

/// The shares of data from one end, and of what answers them, that get through, each with four standard errors of a share of one half, which has the largest ones. The station hears with `down` dB over 20 MHz, the access point
/// with `up`, once both are so many dB better than they were at first.
fn received(from: NodeId, [down, up]: [f64; 2], better: f64) -> [(f64, f64); 2] {
    let adapter = Adapter { control_rate: Some(FAST), ..adapter() };
    let over_40 = down - 3.01;
    let mut lab = Lab::new(1, adapter, BEACONS, 0, |cell| {
        let rate = RateChoice::Fixed(FAST);
        let (snr_db, up_db) = (over_40 - better, up - down);
        cell.add_station(Station { snr_db, up_db, rate, ..Lab::plain(sta(1), "sta1", adapter) });
    });
    lab.ether.set_signal([sta(1), AP], (over_40, up - down));
    lab.saturated = vec![if from == AP { (AP, sta(1), FULL, 0) } else { (sta(1), AP, FULL, 0) }];
    lab.run(Time::ZERO + Duration::from_secs(2));
    [FrameKind::Data, FrameKind::Ack].map(|kind| {
        let fates: Vec<Fate> = lab.ppdus().iter().filter(|p| p.kind == kind).map(|p| p.fate).collect();
        assert!(fates.len() > 50, "{} of {kind:?}", fates.len());
        let (received, all) =
            (fates.iter().filter(|&&fate| fate == Fate::Received).count() as f64, fates.len() as f64);
        (received / all, 2.0 / all.sqrt())
    })
}

#[test]
fn data_and_responses_fare_as_their_receiver_hears_them() {
    let [data, ack] =
        [FULL + DATA_OVERHEAD, ACK_BYTES].map(|bytes| move |snr: f64| survival(FAST, snr, bytes));
    for (from, better) in [(AP, 0.0), (sta(1), 0.0), (sta(1), 7.0)] {
        // The data's receiver hears well in the first world and the sender badly, and the other way round in the second.
        for (good, bad) in [(poor() + 1.0, poor() - 2.5), (poor() - 0.5, poor() + 4.0)] {
            let ratios = if from == AP { [good, bad] } else { [bad, good] };
            let [(there, far), (back, off)] = received(from, ratios, better);
            assert!((there - data(good)).abs() < far, "{from:?}: data {there}, not {}", data(good));
            assert!((back - ack(bad)).abs() < off, "{from:?}: acknowledgements {back}, not {}", ack(bad));
            assert!((data(good) - data(bad)).abs() > 0.2, "the directions differ");
        }
    }
}
