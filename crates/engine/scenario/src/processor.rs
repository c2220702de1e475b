//! Processors of access points.

use airloom_sim::Duration;

use airloom_config::form::{Name, packets, time};
use airloom_config::record;

/// The longest time that a packet may take.
const LONGEST: Duration = Duration::from_millis(10);

record! {
    /// The processor of an access point, which forwards packets one after the other, in the order in which they came in.
    pub struct Processor {
        /// The profile that gives the values of keys left out.
        profile: String = Name;
        /// The time that it takes for a packet that goes on by air.
        to_air: Duration = time(Duration::ZERO, LONGEST);
        /// The time that it takes for a packet that goes on over a wire.
        to_wire: Duration = time(Duration::ZERO, LONGEST);
        /// How many packets from wires wait for it; those that find no room are dropped.
        ethernet_ring: u32 = packets(1, 100_000);
        /// How many packets from the air wait for it; those that find no room are dropped.
        radio_ring: u32 = packets(1, 100_000);
    }
}
