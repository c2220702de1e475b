//! What ends a connection at once (RST), and whether the end in whose name it came sent it.

use crate::Packet;

/// An end goes on after its own reset by so much, in nanoseconds, where nothing but another device can have sent that: packets overtake each other by less.
const GOES_ON: u64 = 10_000_000;
/// So many packets of an end show how far it is.
const KNOWN: u64 = 3;

/// A reset of a connection (RST).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The end in whose name it came.
    pub by: usize,
    /// When it was captured, in nanoseconds since 1970.
    pub at_ns: u64,
    /// Octets of each end that were not acknowledged then.
    pub outstanding: [u64; 2],
    /// Whether each end had said by then that it is done (FIN).
    pub finished: [bool; 2],
    /// Its TTL or hop limit, and that of all other packets of that end, if these are of another distance: a device on the way may have sent it.
    pub hops: Option<[u8; 2]>,
    /// Whether that end went on as if nothing had been: it acknowledged or sent something new later.
    pub went_on: bool,
}

impl Reset {
    /// An end says something new.
    pub(super) fn hears(&mut self, by: usize, now_ns: u64) {
        self.went_on |= by == self.by && now_ns >= self.at_ns + GOES_ON;
    }

    /// Whether it shows that another device may have sent it.
    pub const fn may_be_of_another(&self) -> bool {
        self.went_on || self.hops.is_some()
    }
}

/// The hops that are left of all packets of an end, while these are alike.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hops {
    left: u8,
    packets: u64,
    differ: bool,
}

impl Hops {
    /// A packet that is no reset.
    pub(super) fn pass(&mut self, packet: &Packet) {
        self.differ |= self.packets > 0 && self.left != packet.identity.hops;
        self.left = packet.identity.hops;
        self.packets += 1;
    }

    /// How many are left of a packet, and of all others, if it has come from nearer or from farther. A host may give its resets another number to begin with.
    pub(super) fn of_another(&self, packet: &Packet) -> Option<[u8; 2]> {
        let taken = [packet.identity.taken(), Some(self.left).and_then(crate::packet::taken)];
        let differ = matches!(taken, [Some(one), Some(other)] if one != other);
        (differ && !self.differ && self.packets >= KNOWN).then_some([packet.identity.hops, self.left])
    }
}
