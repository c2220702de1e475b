//! The control frames of a link: RTS and BlockAck requests of its transmitter, and what its receiver answers.
//!
//! A response fills what elicits it, and RTS and CTS what they protect: below HT, a duplicate in every 20 MHz of it (802.11-2020 10.6.6.6;
//! ns-3 3.37 keeps these to 20 MHz: `GetCtsTxVector()`, `GetAckTxVector()`, `GetBlockAckTxVector()`). Its power is that of any frame, so that beside 40 MHz each half has half of it, and beside 20 MHz in a wider channel it meets less noise than the whole has.

use airloom_propagation::{Curve, Fade, Survival, error};
use airloom_rate::{Rate, Width};

/// One of them: its rate, and where what is known of it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ControlFrame {
    /// Its rate.
    pub(crate) rate: Rate,
    place: u8,
}

/// What one of the two ends sends with, and how the other end gets it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    /// The mean signal-to-noise ratio over all of `channel`, in dB.
    pub(crate) snr_db: f64,
    /// The width of the channel.
    pub(crate) channel: Width,
    /// The error vector magnitude of the end that sends, in dB.
    pub(crate) evm_db: f64,
}

impl Sent {
    /// The ratio for a frame of this width, in dB.
    pub(crate) fn snr_in(&self, width: Width) -> f64 {
        self.snr_db + error::narrowing_gain_db(self.channel, width)
    }
}

/// All of a link, each once.
#[derive(Default)]
pub(crate) struct ControlFrames(Vec<Known>);

/// How one fares.
struct Known {
    rate: Rate,
    width: Width,
    /// It is the receiver's.
    answers: bool,
    curve: Curve,
}

impl ControlFrames {
    /// The one of this rate and width, which the transmitter sends so, or if it `answers`, the receiver.
    pub(crate) fn of(&mut self, rate: Rate, width: Width, answers: bool, sent: &Sent) -> ControlFrame {
        // No DSSS frame is a duplicate (802.11-2020 clause 16 has one width).
        let width = if matches!(rate, Rate::Dsss(_)) { rate.width() } else { width };
        let same = |known: &Known| (known.rate, known.width, known.answers) == (rate, width, answers);
        let place = self.0.iter().position(same).unwrap_or_else(|| {
            let curve = Curve::new(rate, (sent.snr_in(width), 0.0), sent.evm_db, 1);
            self.0.push(Known { rate, width, answers, curve });
            self.0.len() - 1
        });
        // A dozen rates below HT and four widths, either way, are fewer than 256.
        ControlFrame { rate, place: place as u8 }
    }

    /// How frames like this one fare in a fade.
    #[inline]
    pub(crate) fn at(&mut self, frame: ControlFrame, fade: Fade) -> &mut Survival {
        self.0[usize::from(frame.place)].curve.at(fade)
    }

    /// Their path is so many dB better from now on, or worse: that of the transmitter's, and that of the receiver's.
    pub(crate) fn shift(&mut self, [there, back]: [f64; 2]) {
        self.0.iter_mut().for_each(|known| known.curve.shift(if known.answers { back } else { there }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::Ofdm;

    const SENT: Sent = Sent { snr_db: 4.0, channel: Width::Mhz80, evm_db: -60.0 };

    /// 802.11-2020 17.3.10.6 and 21.3.18.5 have a receiver detect a preamble of 20 MHz at -82 dBm and one of 80 MHz at -76: 6 dB lie between
    /// the two, since a quarter of the power is in each 20 MHz.
    #[test]
    fn a_duplicate_in_80_mhz_needs_6_db_more_than_a_frame_of_20() {
        let mut frames = ControlFrames::default();
        let rate = Rate::Ofdm(Ofdm::M12);
        let mut survives = |width, snr_db| {
            let frame = frames.of(rate, width, snr_db > 5.0, &Sent { snr_db, ..SENT });
            frames.at(frame, Fade::default()).of(32)
        };
        let (wide, narrow) = (survives(Width::Mhz80, 10.02), survives(Width::Mhz20, 4.0));
        assert!(
            (wide - narrow).abs() < 1e-12 && survives(Width::Mhz80, 4.0) < narrow / 2.0,
            "{wide} {narrow}"
        );
    }

    #[test]
    fn what_is_alike_is_known_once_and_either_way_apart() {
        let mut frames = ControlFrames::default();
        let rate = Rate::Ofdm(Ofdm::M24);
        let first = frames.of(rate, Width::Mhz40, false, &SENT);
        assert_eq!(first, frames.of(rate, Width::Mhz40, false, &SENT));
        let others = [(rate, Width::Mhz20, false), (rate, Width::Mhz40, true)];
        let others = others.map(|(rate, width, answers)| frames.of(rate, width, answers, &SENT).place);
        assert_eq!((first.place, others), (0, [1, 2]));
    }
}
