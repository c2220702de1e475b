//! Addresses of the link layer.

use std::fmt;

/// A 48-bit MAC address in transmission order (IEEE 802-2014 clause 8.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MacAddr(pub [u8; 6]);

impl MacAddr {
    /// The address of every station.
    pub const BROADCAST: Self = Self([0xff; 6]);

    /// Whether a group of stations is addressed: the individual/group bit, first on the wire, is set.
    pub const fn is_group(self) -> bool {
        self.0[0] & 1 != 0
    }
}

impl fmt::Display for MacAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}
