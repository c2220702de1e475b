//! Effects of a bus.

use airloom_sim::{Handle, Time};

/// Effects of one call; the caller owns the buffer, carries it out and clears it.
#[derive(Default)]
pub struct Effects {
    /// Packets of the host that the adapter now has.
    pub arrived: Vec<Handle>,
    /// Packets that the driver passes up to the host, in order.
    pub received: Vec<Handle>,
    /// Whether the driver accepts packets again.
    pub wake: bool,
    /// When to call [`Bus::timer`](crate::Bus::timer), if that has changed.
    pub timer: Option<Option<Time>>,
}

impl Effects {
    /// Whether there are no effects.
    pub fn is_empty(&self) -> bool {
        self.arrived.is_empty() && self.received.is_empty() && !self.wake && self.timer.is_none()
    }

    /// Clears all effects.
    pub fn clear(&mut self) {
        self.arrived.clear();
        self.received.clear();
        self.wake = false;
        self.timer = None;
    }
}
