//! Whether frames begin on the beat of a bus.

use super::ppdu::Ppdu;

/// A frame of USB 1.1, in which its host controller goes through the lists of what is to be sent once, in microseconds
/// (USB 1.1 clause 5.3.3).
const FRAME: u64 = 1000;
/// Beginnings that are compared with each other: few enough that clocks drift apart by little of a frame, and enough that
/// acknowledgments from a line of just about such a rate do not keep to the beat.
const WINDOW: u32 = 128;
/// Fewer windows say little.
const FEW: u32 = 2;

/// How closely the beginnings of first transmissions keep to a beat of 1 ms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beat {
    /// The sum of the beginnings as points of a circle that is a frame long, in the window that is open.
    sum: [f64; 2],
    count: u32,
    /// The sum of what each window showed.
    closeness: f64,
    windows: u32,
}

impl Beat {
    /// A PPDU was sent.
    pub(super) fn sent(&mut self, ppdu: &Ppdu) {
        if ppdu.retried > 0 {
            return;
        }
        let stamped = || ppdu.end_ns.saturating_sub(ppdu.airtime_ns()) / 1000;
        let begin_us = ppdu.first.radio.tsft_us.unwrap_or_else(stamped);
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * (begin_us % FRAME) as f64 / FRAME as f64);
        self.sum = [self.sum[0] + cos, self.sum[1] + sin];
        self.count += 1;
        if self.count == WINDOW {
            self.closeness += libm::hypot(self.sum[0], self.sum[1]) / f64::from(WINDOW);
            self.windows += 1;
            (self.sum, self.count) = Default::default();
        }
    }

    /// From 0, any time in a frame is as likely, to 1, all begin at the same time in one; none if too few were sent.
    ///
    /// It is the mean resultant length of directional statistics, over neighbours in time. By chance it is about 0.08.
    pub fn closeness(&self) -> Option<f64> {
        (self.windows >= FEW).then(|| self.closeness / f64::from(self.windows))
    }
}
