//! What the frames of an exchange announce in their Duration field, and what a BlockAck acknowledges, against what follows
//! on the air.

use crate::lab::{AGGREGATION, AP, DEPTH, FULL, Lab, RETRIES, Sent, adapter, ms, sta};
use airloom_observe::{FrameKind, Observation};
use airloom_rate::{Dsss, Preamble, Rate, Speed};
use airloom_sim::{Duration, Time};
use airloom_wifi::{
    Adapter, Aggregation, Depth, Edca, Phy, Protection, RateChoice, Retries, RtsRate, Station,
};

/// What goes on the air as a station and its access point send to each other over a channel with losses.
fn exchanges(phy: Phy, adapter: Adapter, rate: Rate) -> Lab {
    let mut lab = Lab::with(1, phy, (adapter, Edca::STATION), Duration::from_secs(1000), 0, |cell| {
        cell.add_station(Station {
            snr_db: 24.0,
            fading_db: 3.0,
            rate: RateChoice::Fixed(rate),
            ..Lab::plain(sta(1), "sta1", adapter)
        });
    });
    lab.saturated = vec![(sta(1), AP, FULL, 0), (AP, sta(1), FULL, 0)];
    lab.run(Time::ZERO + ms(300));
    lab
}

/// Holds every exchange that is answered against its response: all its frames reserve the medium to its end, and no longer.
/// Returns the kinds of frames that were seen so.
fn check(lab: &Lab, sifs: Duration) -> Vec<FrameKind> {
    let mut kinds = Vec::new();
    let mut exchange: Vec<Sent> = Vec::new();
    for ppdu in lab.ppdus() {
        if exchange.last().is_some_and(|last| last.end + sifs != ppdu.start) {
            exchange.clear();
        }
        exchange.push(ppdu);
        if matches!(ppdu.kind, FrameKind::Ack | FrameKind::BlockAck) {
            for frame in exchange.drain(..) {
                assert_eq!(frame.end + frame.nav, ppdu.end, "{frame:?} before {ppdu:?}");
                kinds.push(frame.kind);
            }
        }
    }
    kinds
}

#[test]
fn every_frame_reserves_the_medium_until_the_response_ends() {
    use FrameKind::{Ack, Ampdu, BlockAck, BlockAckReq, Cts, Data, Rts};
    let (fast, slow) = (crate::lab::FAST, Rate::Dsss(Dsss::new(Speed::M11, Preamble::Long)));
    let plain = adapter();
    let (rts, short) = (Some(0), Adapter { retries: Retries { limit: 1, ..RETRIES }, ..plain });
    let lowest = Adapter { control_rate: None, rts_rate: RtsRate::Lowest, ..plain };
    let guarded = Phy { protection: Protection::CtsToSelf, ..Phy::ERP };
    let alone = Adapter { aggregation: Aggregation { ampdu_mpdus: 1, ..AGGREGATION }, ..plain };
    for (phy, adapter, rate, expected) in [
        (Phy::OFDM_5GHZ, plain, fast, vec![Ampdu, BlockAck]),
        (Phy::OFDM_5GHZ, short, fast, vec![Ampdu, BlockAck, BlockAckReq]),
        (Phy::OFDM_5GHZ, Adapter { rts_threshold: rts, ..plain }, fast, vec![Rts, Cts, Ampdu, BlockAck]),
        (Phy::OFDM_5GHZ, Adapter { rts_threshold: rts, ..lowest }, fast, vec![Rts, Cts, Ampdu, BlockAck]),
        (
            Phy::OFDM_5GHZ,
            Adapter { retries: short.retries, ..lowest },
            fast,
            vec![Ampdu, BlockAck, BlockAckReq],
        ),
        (guarded, lowest, fast, vec![Cts, Ampdu, BlockAck]),
        (Phy::OFDM_5GHZ, alone, fast, vec![Data, Ack]),
        (guarded, plain, fast, vec![Cts, Ampdu, BlockAck]),
        (Phy::DSSS, Adapter { control_rate: None, ..plain }, slow, vec![Data, Ack]),
    ] {
        let kinds = check(&exchanges(phy, adapter, rate), phy.sifs);
        for kind in expected {
            assert!(kinds.iter().filter(|&&seen| seen == kind).count() > 5, "{kind:?} in {kinds:?}");
        }
    }
}

/// ath9k beside Minstrel: what nothing elicits goes at 6 Mbit/s, and so does what that elicits; the BlockAck of data at 24.
#[test]
fn requests_at_the_lowest_rate_are_answered_at_it() {
    let lowest = Adapter { control_rate: None, rts_rate: RtsRate::Lowest, ..adapter() };
    let retries = Retries { limit: 1, ..RETRIES };
    let lab =
        exchanges(Phy::OFDM_5GHZ, Adapter { rts_threshold: Some(0), retries, ..lowest }, crate::lab::FAST);
    let ppdus = lab.ppdus();
    // 20 us and symbols of 24 bits: 16 + 8 x 20 + 6 bits are 8 of them, 14 bytes 6, 24 bytes 9, 32 bytes 12.
    let lasts = |kind, after: Option<FrameKind>| {
        let before = |n: usize| ppdus[..n].last().map(|before| before.kind);
        let these = ppdus
            .iter()
            .enumerate()
            .filter(|(n, p)| p.kind == kind && (after.is_none() || before(*n) == after));
        let mut micros: Vec<u64> = these.map(|(_, p)| (p.end - p.start).as_micros()).collect();
        micros.dedup();
        micros
    };
    assert_eq!([lasts(FrameKind::Rts, None), lasts(FrameKind::Cts, None)], [vec![52], vec![44]]);
    let requested = lasts(FrameKind::BlockAck, Some(FrameKind::BlockAckReq));
    assert_eq!([lasts(FrameKind::BlockAckReq, None), requested], [vec![56], vec![68]]);
    assert_eq!(
        lasts(FrameKind::BlockAck, Some(FrameKind::Ampdu)),
        [32],
        "16 + 8 x 32 + 6 bits in symbols of 96"
    );
}

/// A BlockAck acknowledges the MPDUs that came well in the A-MPDU before it, whatever the size of the agreement.
#[test]
fn a_block_ack_acknowledges_what_came_well() {
    for (window, rate) in [(64, crate::lab::FAST), (256, crate::lab::WIDE), (1024, crate::lab::WIDEST)] {
        let mpdus = u32::from(window) / 2;
        let adapter = Adapter {
            aggregation: Aggregation {
                block_ack_window: window,
                ampdu_mpdus: mpdus,
                ampdu_bytes: u32::MAX,
                ampdu_duration: ms(100),
                ..AGGREGATION
            },
            depth: Depth { driver_limit: 4 * mpdus, ..DEPTH },
            ..adapter()
        };
        let lab = exchanges(Phy::OFDM_5GHZ, adapter, rate);
        let (mut sent, mut acked, mut answers) = (Vec::new(), Vec::new(), 0);
        let mut compare = |sent: &mut Vec<u16>, acked: &mut Vec<u16>| {
            if !acked.is_empty() {
                assert_eq!(sent, acked);
                answers += 1;
            }
            sent.clear();
            acked.clear();
        };
        for (_, seen) in &lab.seen {
            match seen {
                Observation::Ppdu(ppdu) if ppdu.kind.is_data() => compare(&mut sent, &mut acked),
                Observation::Mpdu(mpdu) if mpdu.good && mpdu.packet.is_some() => sent.push(mpdu.seq),
                Observation::BlockAck(part) => acked
                    .extend((0..64).filter(|n| part.bitmap >> n & 1 != 0).map(|n| (part.start + n) % 4096)),
                _ => {}
            }
        }
        assert!(answers > 2, "{answers} BlockAcks under an agreement of {window}");
    }
}
