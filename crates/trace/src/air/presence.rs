//! When a station was away or dozed, by what it announced.

use crate::{Capped, Frame, Subtype, Way};

/// A spell between a station's frame with PM=1 and its next with PM=0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doze {
    /// When the first frame with PM=1 was heard, in nanoseconds since 1970.
    pub from_ns: u64,
    /// When the first frame with PM=0 was heard.
    pub to_ns: u64,
    /// The records of these two frames.
    pub numbers: (u32, u32),
    /// How long neither the station nor its access point had sent the other data before, in nanoseconds; none if they never had.
    pub idle_before_ns: Option<u64>,
    /// Frames with PM=1 that announced it.
    pub announced: u32,
    /// PS-Polls and data of the station meanwhile: it stayed on the channel.
    pub frames: u32,
    /// How long before its end a beacon indicated that frames wait for a station, in nanoseconds; none if none did since its
    /// beginning.
    pub indicated_ns: Option<u64>,
}

impl Doze {
    /// Its length in nanoseconds.
    pub const fn length_ns(&self) -> u64 {
        self.to_ns.saturating_sub(self.from_ns)
    }
}

/// The spells of one station.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    dozes: Capped<Doze>,
    since: Option<Doze>,
    /// When data last went either way.
    active_ns: Option<u64>,
}

impl Presence {
    /// All spells that were heard from beginning to end.
    pub const fn dozes(&self) -> &Capped<Doze> {
        &self.dozes
    }

    /// Takes a frame that the station sent.
    pub(super) fn sent(&mut self, at_ns: u64, number: u32, frame: &Frame, indicated_ns: Option<u64>) {
        if frame.way != Way::Up {
            return;
        }
        let carries = frame.subtype == Subtype::Data;
        match &mut self.since {
            Some(doze) if !frame.sleeps => {
                let indicated = indicated_ns.filter(|&at| at >= doze.from_ns);
                self.dozes.push(Doze {
                    to_ns: at_ns,
                    numbers: (doze.numbers.0, number),
                    indicated_ns: indicated.map(|at| at_ns.saturating_sub(at)),
                    ..*doze
                });
                self.since = None;
            }
            Some(doze) => {
                doze.announced += u32::from(!carries);
                doze.frames += u32::from(carries);
            }
            None if frame.sleeps => {
                self.since = Some(Doze {
                    from_ns: at_ns,
                    to_ns: at_ns,
                    numbers: (number, number),
                    idle_before_ns: self.active_ns.map(|active| at_ns.saturating_sub(active)),
                    announced: 1,
                    frames: 0,
                    indicated_ns: None,
                });
            }
            None => {}
        }
        if carries {
            self.active_ns = Some(at_ns);
        }
    }

    /// Takes a PS-Poll of the station.
    pub(super) const fn polled(&mut self) {
        if let Some(doze) = &mut self.since {
            doze.frames += 1;
        }
    }

    /// Takes data that the access point sent to the station.
    pub(super) const fn received(&mut self, at_ns: u64) {
        self.active_ns = Some(at_ns);
    }
}
