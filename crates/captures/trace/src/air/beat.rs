//! Whether frames begin on the beat of a bus.

use super::ppdu::Ppdu;

/// A frame of USB 1.1, in which its host controller goes through the lists of what is to be sent once, in microseconds
/// (USB 1.1 clause 5.3.3).
const FRAME: u64 = 1000;
/// Beginnings that are compared with each other: few enough that clocks drift apart by little of a frame, and enough that
/// acknowledgments from a line of just about such a rate do not keep to the beat.
const WINDOW: u32 = 128;
/// Fewer windows say little.
const MIN_WINDOWS: u32 = 2;
/// What begins later behind the last data for its sender was not let go by that, but for a slow host, in nanoseconds.
const LET_GO_WITHIN_NS: u64 = 1_000_000;

/// How closely beginnings of first transmissions keep to a beat of 1 ms: of those that waited for something else than the air, and for nothing that
/// had just come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beat {
    /// First transmissions, and those that count.
    sent: u64,
    held: u64,
    /// The sum of the beginnings as points of a circle that is a frame long, in the window that is open.
    sum: [f64; 2],
    count: u32,
    /// The sum of what each window showed.
    closeness: f64,
    windows: u32,
}

impl Beat {
    /// A PPDU was sent; whether it began as soon as the air was idle, and when the last data for its sender ended.
    pub(super) fn sent(&mut self, ppdu: &Ppdu, pressed: bool, heard_ns: u64) {
        if ppdu.retried > 0 {
            return;
        }
        let begin_ns = ppdu.end_ns.saturating_sub(ppdu.airtime_ns());
        self.sent += 1;
        if !pressed && begin_ns.saturating_sub(heard_ns) >= LET_GO_WITHIN_NS {
            self.began(ppdu.first.radio.tsft_us.unwrap_or(begin_ns / 1000));
        }
    }

    fn began(&mut self, begin_us: u64) {
        self.held += 1;
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * (begin_us % FRAME) as f64 / FRAME as f64);
        self.sum = [self.sum[0] + cos, self.sum[1] + sin];
        self.count += 1;
        if self.count == WINDOW {
            self.closeness += libm::hypot(self.sum[0], self.sum[1]) / f64::from(WINDOW);
            self.windows += 1;
            (self.sum, self.count) = Default::default();
        }
    }

    /// The share of first transmissions that count, 0 to 1: something held them up that is neither the air nor a window, since acknowledgments
    /// let the bursts of a window go.
    pub fn held_up(&self) -> f64 {
        self.held as f64 / self.sent.max(1) as f64
    }

    /// How closely those that count keep to the beat. From 0, any time in a frame is as likely, to 1, all begin at the same time in one; none if there were too few.
    ///
    /// It is the mean resultant length of directional statistics, over neighbours in time. By chance it is about 0.08.
    pub fn closeness(&self) -> Option<f64> {
        (self.windows >= MIN_WINDOWS).then(|| self.closeness / f64::from(self.windows))
    }
}
