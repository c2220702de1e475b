//! One saturated station without losses: the cycle is AIFS, a mean backoff of 7.5 slots, the PPDU, SIFS, the response.

use crate::lab::{AGGREGATION, AP, DEPTH, FAST, FULL, Lab, WIDE, WIDEST, adapter, sta};
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};
use airloom_wifi::aggregate::{Batch, Limits};
use airloom_wifi::frame_size::{ACK_BYTES, DATA_OVERHEAD};
use airloom_wifi::{Adapter, Aggregation, Depth, RateChoice, Station};

const SLOT: f64 = 9e-6;
const SIFS: f64 = 16e-6;

/// Packets per second of a lone station that sends `mpdus` packets of `bytes` at a time at `rate`, answered by a BlockAck whose bitmap has
/// this many bytes.
pub(crate) fn expected(rate: Rate, bytes: u32, mpdus: u32, bitmap: u32) -> f64 {
    let mpdu = bytes + DATA_OVERHEAD;
    let spacing =
        Limits::new(rate, mpdus, u32::MAX, Duration::from_millis(10), AGGREGATION.ampdu_spacing).spacing;
    let free = Limits { mpdus, bytes: u32::MAX, spacing };
    let mut batch = Batch::new(1024, 0);
    while batch.push(batch.len() as u16, mpdu, &free) {}
    let response = if mpdus > 1 { 24 + bitmap } else { ACK_BYTES };
    let aifs = SIFS + 3.0 * SLOT;
    let air = rate.airtime(batch.psdu(rate)).as_secs_f64();
    let answer = Rate::ofdm(24).expect("a rate").airtime(response).as_secs_f64();
    f64::from(mpdus) / (aifs + 7.5 * SLOT + air + SIFS + answer)
}

fn measured(rate: Rate, bytes: u32, ampdu_mpdus: u32, block_ack_window: u16) -> f64 {
    let adapter = Adapter {
        aggregation: Aggregation {
            ampdu_mpdus,
            ampdu_bytes: 2_000_000,
            ampdu_duration: Duration::from_millis(10),
            block_ack_window,
            ..AGGREGATION
        },
        depth: Depth { driver_limit: 4000, ..DEPTH },
        ..adapter()
    };
    let seconds = 60;
    // No beacon falls into the run.
    let mut lab = Lab::new(1, adapter, Duration::from_secs(2 * seconds), 0, |cell| {
        cell.add_station(Station { rate: RateChoice::Fixed(rate), ..Lab::plain(sta(1), "sta1", adapter) });
    });
    lab.saturated = vec![(sta(1), AP, bytes, 0)];
    lab.run(Time::ZERO + Duration::from_secs(seconds));
    lab.acked(sta(1)) as f64 / seconds as f64
}

#[test]
fn a_lone_station_attains_the_closed_form() {
    for (rate, bytes, mpdus, window, bitmap) in [
        (FAST, FULL, 32, 64, 8),
        (FAST, FULL, 8, 64, 8),
        (FAST, FULL, 1, 64, 8),
        (FAST, 40, 32, 64, 8),
        (FAST, 40, 1, 64, 8),
        // HT has no more than 64 MPDUs under a BlockAck, whatever its adapters have.
        (FAST, 40, 32, 256, 8),
        // Half a window at a time, since one PPDU waits in hardware while another is on the air.
        (WIDE, 40, 128, 256, 32),
        (WIDEST, 40, 256, 512, 64),
        (WIDEST, 40, 512, 1024, 128),
    ] {
        let (expected, measured) =
            (expected(rate, bytes, mpdus, bitmap), measured(rate, bytes, mpdus, window));
        let off = measured / expected - 1.0;
        assert!(
            off.abs() < 0.005,
            "{mpdus} packets of {bytes} bytes at a time: {measured:.1} rather than {expected:.1} a second ({:+.2} %)",
            100.0 * off
        );
    }
}
