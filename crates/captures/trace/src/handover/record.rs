//! What is known of one handover.

use crate::air::resumed_ns;
use airloom_wire::MacAddr;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// A scan, or an exchange that was not finished, that ended so long before is no part of what follows, in nanoseconds.
pub(super) const BEFORE: u64 = 3_000_000_000;

/// When and where something was heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Nanoseconds since 1970, on the common clock.
    pub at_ns: u64,
    /// The capture.
    pub capture: usize,
}

/// Frames of one phase: when the first and the last of them were heard, and how many of each end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The first.
    pub from: Moment,
    /// The last.
    pub to: Moment,
    /// How many: from the station, and to it.
    pub frames: [u32; 2],
}

impl Phase {
    pub(super) fn see(phase: &mut Option<Self>, at: Moment, end: usize) {
        let phase = phase.get_or_insert(Self { from: at, to: at, frames: [0; 2] });
        if at.at_ns >= phase.to.at_ns {
            phase.to = at;
        }
        phase.frames[end] = phase.frames[end].saturating_add(1);
    }

    /// From its first frame to its last, in nanoseconds.
    pub const fn span_ns(&self) -> u64 {
        self.to.at_ns.saturating_sub(self.from.at_ns)
    }

    /// How long one took in which one end asks and the other answers, in nanoseconds; none unless both were heard.
    pub const fn length_ns(&self) -> Option<u64> {
        match self.frames {
            [0, _] | [_, 0] => None,
            _ => Some(self.span_ns()),
        }
    }
}

/// The mean of the signal of some frames, in dBm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    mean_dbm: f64,
    frames: u32,
}

impl Signals {
    /// So many frames behind a handover are taken; before it those that came last count most.
    const FRAMES: u32 = 8;

    /// Takes the next one of the first few.
    pub(super) fn first(&mut self, dbm: Option<i8>) {
        self.last(dbm.filter(|_| self.frames < Self::FRAMES));
    }

    /// Takes the next one.
    pub(super) fn last(&mut self, dbm: Option<i8>) {
        if let Some(dbm) = dbm {
            self.frames = (self.frames + 1).min(Self::FRAMES);
            self.mean_dbm += (f64::from(dbm) - self.mean_dbm) / f64::from(self.frames);
        }
    }

    /// The mean; none without a frame whose signal is known.
    pub fn mean_dbm(self) -> Option<f64> {
        (self.frames > 0).then_some(self.mean_dbm)
    }
}

/// What radios tell of frames between a station and an access point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeardBetween {
    /// Centre frequency of the primary channel on which the last was heard, in MHz.
    pub channel_mhz: Option<u16>,
    /// Signal of the station's frames, and of the access point's.
    pub signals: [Signals; 2],
}

/// A station's way to an access point. What was not heard is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Handover {
    /// The station.
    pub station: MacAddr,
    /// The access point that it comes from; the same one where it lost its association.
    pub from: Option<MacAddr>,
    /// The access point that it goes to.
    pub to: MacAddr,
    /// Frames before it with `from`, and behind it with `to`.
    pub heard: [HeardBetween; 2],
    /// Probe requests before it, and the answers.
    pub scan: Option<Phase>,
    /// Authentication, or a request for a fast transition over the distribution system.
    pub authentication: Option<Phase>,
    /// Its algorithm (802.11-2020 clause 9.4.1.1).
    pub algorithm: Option<u16>,
    /// Whether it went over the distribution system.
    pub over_ds: bool,
    /// Requests to associate, and answers.
    pub association: Option<Phase>,
    /// Whether the station asked to reassociate.
    pub again: Option<bool>,
    /// The last answer's status, zero for success.
    pub status: Option<u16>,
    /// EAP.
    pub access: Option<Phase>,
    /// The handshake of keys.
    pub keys: Option<Phase>,
    /// Deauthentications and disassociations between the last data before and the first behind.
    pub left: u32,
    /// The reason of the last of them.
    pub reason: Option<u16>,
    /// The last data with `from`.
    pub last: Option<Moment>,
    /// The first data with `to`: from the station, and to it.
    pub first: [Option<Moment>; 2],
    /// By capture, the longest time in which a connection of the station showed no packet: of those that had not been idle, and of those too that had shown none for
    /// up to ten seconds, which may have waited all the time.
    pub silences: BTreeMap<usize, [Option<Hush>; 2]>,
}

/// A time in which a connection showed no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hush {
    /// Its ends, the lower address first.
    pub ends: [SocketAddr; 2],
    /// From its last packet before to the next, in nanoseconds since 1970 by the capture's clock.
    pub span_ns: (u64, u64),
}

impl Hush {
    /// How long it lasted, in nanoseconds.
    pub const fn length_ns(&self) -> u64 {
        self.span_ns.1.saturating_sub(self.span_ns.0)
    }
}

impl Handover {
    pub(super) fn new(station: MacAddr, from: Option<MacAddr>, to: MacAddr) -> Self {
        Self {
            station,
            from,
            to,
            heard: [HeardBetween::default(); 2],
            scan: None,
            authentication: None,
            algorithm: None,
            over_ds: false,
            association: None,
            again: None,
            status: None,
            access: None,
            keys: None,
            left: 0,
            reason: None,
            last: None,
            first: [None; 2],
            silences: BTreeMap::new(),
        }
    }

    /// The first data with the new access point, either way.
    pub fn data(&self) -> Option<Moment> {
        self.first.into_iter().flatten().min_by_key(|moment| moment.at_ns)
    }

    /// When data could go again: with the first of it, or, where that came later than any that waited, once the exchange was over.
    pub fn resumed(&self) -> Option<Moment> {
        let first = self.data()?;
        let open = self.keys.or(self.association).map(|phase| phase.to);
        let resumed_ns = resumed_ns(self.last?.at_ns, open.map(|open| open.at_ns), first.at_ns);
        open.filter(|open| open.at_ns == resumed_ns).or(Some(first))
    }

    pub(super) fn phases(&self) -> impl Iterator<Item = Phase> {
        [self.authentication, self.association, self.access, self.keys].into_iter().flatten()
    }

    /// All that is known of when it was: the ends of its exchange, and data.
    pub fn moments(&self) -> impl Iterator<Item = Moment> {
        let ends = self.phases().flat_map(|phase| [phase.from, phase.to]);
        ends.chain(self.first.into_iter().flatten()).chain(self.last)
    }

    /// From its first frame, or the last data before it if that is known, until data went both ways or its last frame.
    pub fn span_ns(&self) -> (u64, u64) {
        let ends = self.moments().map(|moment| moment.at_ns);
        let (from, to) = ends.fold((u64::MAX, 0), |(from, to), at| (from.min(at), to.max(at)));
        (from.min(to), to)
    }

    /// Its first frame: of the exchange, or of data if nothing else was heard.
    pub fn begin(&self) -> Option<Moment> {
        self.phases().map(|phase| phase.from).chain(self.data()).min_by_key(|moment| moment.at_ns)
    }

    /// Whether so much time has gone by since the last frame of its exchange that another one is of another exchange.
    pub(super) fn is_past(&self, at_ns: u64) -> bool {
        self.phases()
            .map(|phase| phase.to.at_ns)
            .max()
            .is_some_and(|last| at_ns.saturating_sub(last) > BEFORE)
    }

    /// Whether the station is with the new access point.
    pub(super) const fn is_done(&self) -> bool {
        self.has_data() || matches!(self.status, Some(0))
    }

    pub(super) const fn has_data(&self) -> bool {
        self.first[0].is_some() || self.first[1].is_some()
    }
}
