//! Whether IPv4's identification tells the packets of a sender from each other.

/// The identifications that a sender gives. Those of packets that are not fragmented may have any value (RFC 6864 section 4.1): some
/// senders give all of them the same one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identifications {
    last: Option<u16>,
    same: bool,
}

impl Identifications {
    /// Whether the identification of the next packet tells it from others: not if the two packets before it, of which neither is a copy, had the same one.
    pub(crate) const fn tell(&self, number: Option<u16>) -> bool {
        number.is_some() && !self.same
    }

    /// Takes a packet that is no copy.
    pub(crate) fn take(&mut self, number: Option<u16>) {
        self.same = number.is_some() && number == self.last;
        self.last = number;
    }
}
