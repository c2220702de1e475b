//! Whether frames go at the rate that the signal allows.

use super::{Check, Judgement, Of};
use crate::command::command;
use crate::finding::{Wrong, evidence};
use crate::snapshot::{Band, Generation, Snapshot, band_of};
use airloom_rate::{
    Code, Eht, GuardInterval, He, Ht, Padding, Punctured, Rate, Training, Vht, Width, sensitivity,
};

/// Frames that go far slower than the signal allows.
pub(super) const CHECK: Check = Check {
    code: "D104",
    name: "rates far below the signal",
    finds: "the fastest rate of a second with data is less than half of what one stream can have with 10 dB to spare.",
    source: "802.11-2020 table 21-25, 802.11ax-2021 table 27-51, 802.11be-2024 table 36-78: minimum sensitivities",
    of: Of::Peer,
    judge,
};

/// The signal that is left for fading and for receivers that hear less than they should, in dB.
const TO_SPARE_DB: f64 = 10.0;
/// A rate below this share of what is possible is far below.
const FAR_BELOW: f64 = 0.5;
/// Packets in the second of the look from which on rates are those of data, and rate control has had something to learn from:
/// airloom's bound. With 40 a second Minstrel-HT keeps to its lowest rates.
const DATA: u64 = 200;

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    for interface in snapshot.carriers() {
        let name = &interface.name;
        for peer in &interface.peers {
            let Some(signal) = peer.signal_dbm else {
                said.cannot(snapshot.unread(&format!("the signal over {name}")));
                continue;
            };
            let Some(speed) = &peer.sends_at else {
                said.cannot(snapshot.unread(&format!("the rate over {name}")));
                continue;
            };
            let band = interface.frequency_mhz.map_or("2.4", band_of);
            let radio = snapshot
                .radio_of(interface)
                .and_then(|radio| radio.bands.iter().find(|known| known.ghz == band));
            let Some(radio) = radio else {
                said.cannot(snapshot.unread(&format!("what the radio of {name} can do")));
                continue;
            };
            let generation = match interface.access_point() {
                Some(heard) => radio.generation.min(heard.can.generation),
                None => radio.generation,
            };
            let width = interface.width_mhz.unwrap_or(20);
            let Some((mcs, mbps)) = possible(generation, width, f64::from(signal) - TO_SPARE_DB) else {
                continue;
            };
            if speed.mbps >= FAR_BELOW * mbps {
                continue;
            }
            if peer.sent_meanwhile < DATA {
                said.cannot(format!(
                    "little data went over {name} during the look, and the rate of an idle link says nothing: look again during a \
                     transfer"
                ));
                continue;
            }
            said.finds(Wrong {
                subject: name.clone(),
                evidence: vec![
                    evidence(
                        format!("{:.1} Mbit/s to {} at best, {} packets", speed.mbps, peer.mac, peer.sent_meanwhile),
                        format!("nl80211, GET_STATION of {name} for a second"),
                    ),
                    evidence(
                        format!("{signal} dBm would do for {mbps:.1} Mbit/s (MCS {mcs} of one stream in {width} MHz) with {TO_SPARE_DB} dB to spare"),
                        "nl80211, GET_STATION; 802.11's sensitivities",
                    ),
                ],
                why: "Each frame takes many times the air it needs, for this machine and for all others on the channel. A mask of \
                      rates that was left behind, a driver's rate control, or loss that the signal does not explain."
                    .to_owned(),
                command: command(&["sudo", "iw", "dev", name, "set", "bitrates"]),
                advice: Some("if that changes nothing, connect anew; if that does not either: sudo airloom collect".to_owned()),
                ..Wrong::default()
            });
        }
    }
}

/// The fastest rate of one stream that a signal is enough for: its MCS and Mbit/s.
fn possible(generation: Generation, width_mhz: u32, signal_dbm: f64) -> Option<(u8, f64)> {
    let width = width_of(width_mhz);
    let highest = match generation {
        Generation::Legacy => return None,
        Generation::Ht => 7,
        Generation::Vht => 8,
        Generation::He => 11,
        Generation::Eht => 13,
    };
    let mcs = (0..=highest).rev().find(|&mcs| sensitivity(mcs, width) <= signal_dbm)?;
    let guard = GuardInterval::Ns800;
    let rate = match generation {
        Generation::Ht | Generation::Legacy => Rate::Ht(Ht { mcs, width: width.min(Width::Mhz40), guard }),
        Generation::Vht => Rate::Vht(Vht { mcs, streams: 1, width, guard, code: Code::Convolutional }),
        Generation::He => {
            Rate::He(He { mcs, streams: 1, width, guard, training: Training::X2, padding: Padding::Us16 })
        }
        Generation::Eht => Rate::Eht(Eht {
            mcs,
            streams: 1,
            width,
            guard,
            training: Training::X2,
            padding: Padding::Us16,
            punctured: Punctured::None,
        }),
    };
    Some((mcs, rate.bit_rate().as_bps() as f64 / 1e6))
}

/// The fastest rate of a band in a channel of this width, in Mbit/s: all streams, the highest MCS, the shortest guard interval.
pub(super) fn fastest(band: &Band, width_mhz: u32) -> Option<f64> {
    let streams = u8::try_from(band.streams.clamp(1, 8)).unwrap_or(1);
    let width = width_of(width_mhz.min(band.width_mhz));
    let rates = match band.generation {
        Generation::Legacy => return None,
        Generation::Ht => Ht::rates(streams.min(4), width.min(Width::Mhz40), GuardInterval::Ns400),
        Generation::Vht => Vht::rates(streams, width, GuardInterval::Ns400, Code::Convolutional),
        Generation::He => He::rates(streams, width, GuardInterval::Ns800, Padding::Us16),
        Generation::Eht => Eht::rates(streams, width, GuardInterval::Ns800, Padding::Us16),
    };
    rates.iter().map(|rate| rate.bit_rate().as_bps()).max().map(|bps| bps as f64 / 1e6)
}

/// A width of a channel.
const fn width_of(mhz: u32) -> Width {
    match mhz {
        320.. => Width::Mhz320,
        160.. => Width::Mhz160,
        80.. => Width::Mhz80,
        40.. => Width::Mhz40,
        _ => Width::Mhz20,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_signal_allows() {
        let rate = |generation, width, signal| {
            possible(generation, width, signal).map(|(mcs, mbps)| (mcs, mbps.round()))
        };
        assert_eq!(rate(Generation::Ht, 20, -60.0), Some((7, 65.0)));
        assert_eq!(rate(Generation::Vht, 80, -60.0), Some((5, 234.0)));
        assert_eq!(rate(Generation::He, 80, -45.0), Some((11, 600.0)));
        assert_eq!(rate(Generation::Eht, 320, -30.0), Some((13, 2882.0)));
        assert_eq!(rate(Generation::Ht, 20, -90.0), None);
        assert_eq!(rate(Generation::Legacy, 20, -40.0), None);
    }
}
