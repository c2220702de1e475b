//! The clocks of RTP's stamps, and how far packets keep to them: the interarrival jitter (RFC 3550 section 6.4.1).

use super::RtpHeader;
use super::stalls::Kept;

/// The clocks of payload formats, in Hz; the last one is video's.
const CLOCKS: [f64; 7] = [8_000.0, 16_000.0, 24_000.0, 32_000.0, 44_100.0, 48_000.0, VIDEO];
const VIDEO: f64 = 90_000.0;
/// By how much a sender may miss its clock, as a part of it; the nearest two are 9 % apart.
const OFF: f64 = 0.03;
/// For how long packets are watched until their clock is taken from their stamps, in nanoseconds.
const CLOCKED: u64 = 1_000_000_000;
/// A step of the stamps against the time that is no delay where a network cannot make it, in nanoseconds.
const STEP: f64 = 1e9;
/// The payload types of a source that are followed.
const MOST: usize = 4;

/// The clocks of a source, and the jitter of its packets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clocks {
    each: Vec<Clock>,
    /// The payload type of the last packet.
    last: u8,
    jitter_ns: f64,
}

/// The clock of a payload type: formats differ in it, and a source that takes another one may begin elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Clock {
    kind: u8,
    first_ns: u64,
    last_ns: u64,
    last: u32,
    /// Ticks since the first packet.
    ticks: i64,
    hertz: Option<f64>,
    /// By how much longer the last packet was on its way than the first, and the fastest; it is negative if that was faster.
    behind_ns: f64,
    least_ns: f64,
}

impl Clocks {
    pub(super) fn new(now_ns: u64, header: RtpHeader) -> Self {
        Self { each: vec![Clock::new(now_ns, header)], last: header.kind, jitter_ns: 0.0 }
    }

    /// How a packet that is newer than all before it keeps to its clock; none if it is the first of that.
    pub(super) fn see(&mut self, now_ns: u64, header: RtpHeader) -> Option<Kept> {
        let goes_on = std::mem::replace(&mut self.last, header.kind) == header.kind;
        let Some(clock) = self.each.iter_mut().find(|known| known.kind == header.kind) else {
            if self.each.len() < MOST {
                self.each.push(Clock::new(now_ns, header));
            }
            return None;
        };
        let off_ns = clock.see(now_ns, header).filter(|_| goes_on);
        if let Some(off_ns) = off_ns {
            self.jitter_ns += (off_ns.abs() - self.jitter_ns) / 16.0;
        }
        let (behind_ns, late_ns) = (clock.behind_ns, clock.behind_ns - clock.least_ns);
        Some(Kept {
            clock: (clock.kind, clock.first_ns),
            off_ns,
            behind_ns,
            late_ns,
            jitter_ns: self.jitter_ns,
        })
    }
}

impl Clock {
    const fn new(now_ns: u64, header: RtpHeader) -> Self {
        Self {
            kind: header.kind,
            first_ns: now_ns,
            last_ns: now_ns,
            last: header.stamp,
            ticks: 0,
            hertz: None,
            behind_ns: 0.0,
            least_ns: 0.0,
        }
    }

    /// How much longer a packet was on its way than the one before it, in nanoseconds; none where that does not show.
    ///
    /// Packets of one stamp are of one picture, whose way to the receiver ends with the last (RFC 3550 section 6.4.4); elsewhere they are
    /// of one event, which has the stamp of its beginning (RFC 4733 section 2.1).
    fn see(&mut self, now_ns: u64, header: RtpHeader) -> Option<f64> {
        let ticks = header.stamp.wrapping_sub(self.last).cast_signed();
        if ticks == 0 && self.hertz != Some(VIDEO) {
            return None;
        }
        let took_ns = now_ns.saturating_sub(self.last_ns);
        self.ticks += i64::from(ticks);
        (self.last, self.last_ns) = (header.stamp, now_ns);
        let since = now_ns.saturating_sub(self.first_ns);
        if self.hertz.is_none() && since >= CLOCKED {
            let measured = self.ticks as f64 / (since as f64 / 1e9);
            self.hertz = CLOCKS.into_iter().find(|hertz| (measured / hertz - 1.0).abs() <= OFF);
            if !(0.0..2.0 * VIDEO).contains(&measured) {
                *self = Self::new(now_ns, header);
            }
        }
        let off_ns = took_ns as f64 - f64::from(ticks) / self.hertz? * 1e9;
        let behind_ns = self.behind_ns + off_ns;
        // No packet comes so long before its time. One that comes late was held up, unless its stamp went back, or it is the first after a
        // silence in which the stamps stood still.
        let is_step = behind_ns < self.least_ns - STEP || off_ns > STEP && (ticks < 0 || header.marker);
        if is_step {
            *self = Self { hertz: self.hertz, ..Self::new(now_ns, header) };
            return None;
        }
        self.behind_ns = behind_ns;
        self.least_ns = self.least_ns.min(behind_ns);
        Some(off_ns)
    }
}
