//! Frames that a program asked the monitor's own radio to send: the capture has each as it was asked for and again as it was sent.

use crate::Frame;
use crate::frame::Radio;
use std::collections::VecDeque;

/// The radio reports a frame as sent no later than this, in nanoseconds: its queue is short.
const WITHIN: u64 = 100_000_000;
/// The most frames that may still be reported.
const MOST: usize = 64;

/// A frame with the time and the number of its record.
pub(super) type Heard = (u64, u32, Frame);

/// Frames that were asked for. Linux reports each to its monitors as it was sent, with its rate (`ieee80211_tx_monitor`), beside the copy of
/// what the program wrote, of which no radio told anything.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Whether radios tell of any frame of the capture.
    told: bool,
    /// The last one, as long as nothing came behind it.
    held: Option<Heard>,
    /// Those that count, since something else came before their report.
    open: VecDeque<Heard>,
}

impl Asked {
    /// Takes the next frame of a capture: those that count now, in their order; and whether one is known that was asked for and sent.
    pub(super) fn take(&mut self, at_ns: u64, number: u32, frame: &Frame) -> ([Option<Heard>; 2], bool) {
        let now = Some((at_ns, number, *frame));
        let is_told = frame.radio != Radio { damaged: frame.radio.damaged, ..Radio::default() };
        self.told |= is_told;
        let is_report = |held: &Heard| is_told && is_same(held, at_ns, frame);
        match self.held.take() {
            Some(held) if is_report(&held) => ([None, now], true),
            held => {
                self.keep(held);
                let known = self.open.iter().position(is_report).and_then(|place| self.open.remove(place));
                match (known, is_told || !self.told) {
                    (Some(_), _) => ([held, None], true),
                    (None, true) => ([held, now], false),
                    (None, false) => {
                        self.held = now;
                        ([held, None], false)
                    }
                }
            }
        }
    }

    /// The last frame of a capture, if it was asked for.
    pub(super) const fn last(&mut self) -> Option<Heard> {
        self.held.take()
    }

    fn keep(&mut self, held: Option<Heard>) {
        if self.open.len() == MOST {
            self.open.pop_front();
        }
        self.open.extend(held);
    }
}

/// A frame without what a radio adds as it sends it.
fn said(frame: &Frame) -> Frame {
    Frame { radio: Radio::default(), begins: 0, ..*frame }
}

/// Whether a frame is one that was asked for.
fn is_same((asked_ns, _, asked): &Heard, at_ns: u64, frame: &Frame) -> bool {
    at_ns.saturating_sub(*asked_ns) <= WITHIN && frame.transmitter.is_some() && said(frame) == said(asked)
}
