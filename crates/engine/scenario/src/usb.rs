//! Adapters on USB: the bus between host and adapter, and the adapter's end of it.

use airloom_sim::Duration;
use airloom_usb::{Config, Holding, Traversal};

use crate::day::DAY;
use airloom_config::error::Faults;
use airloom_config::form::{Flag, List, Optional, packets, small_size, time, words};
use airloom_config::record;
use airloom_config::record::{Layers, nested};

record! {
    /// The USB 1.1 bus between a host and its adapter, and the adapter's end of it.
    pub(crate) struct UsbTable for Config {
        /// The order in which the host controller goes through its lists, "breadth-first" or "depth-first".
        traversal: Traversal = words(Traversal::WORDS, &[]), default Traversal::Breadth;
        /// Full-speed bandwidth reclamation: whether the controller starts over while a frame of 1 ms has time left.
        reclamation: bool = Flag, default true;
        /// How many packets the driver hands to the controller before the first of them is done.
        queue: u32 = packets(1, 1_000), default 1;
        /// The header that driver and adapter put before each packet.
        descriptor: u32 = small_size(0, 1_000), default 0;
        /// How long the adapter takes to clear one of the two 64-byte buffers into which the host sends.
        drain: Duration = time(Duration::ZERO, Duration::from_millis(1)), default Duration::ZERO;
        /// When the adapter holds back frames received from the air.
        hold: Option<Holding> = Optional(nested::<HoldTable>()), default None;
    }
}

record! {
    /// When an adapter holds back frames received from the air.
    pub(crate) struct HoldTable for Holding {
        /// Starts of spells of the longest length, in order.
        at: Option<Vec<Duration>> = Optional(List(time(Duration::ZERO, DAY))), default None;
        /// The mean time between the random spells after those; no random ones if left out.
        every: Option<Duration> = Optional(time(Duration::from_millis(1), DAY)), default None;
        /// The shortest random spell.
        shortest: Duration = time(Duration::ZERO, Duration::from_secs(60)), default Duration::from_millis(100);
        /// The longest spell.
        longest: Duration = time(Duration::ZERO, Duration::from_secs(60)), default Duration::from_millis(500);
    }
    check consistent;
}

fn consistent(hold: &Holding, faults: &Faults, layers: &Layers<'_>) {
    if hold.shortest > hold.longest {
        let at = layers.place("shortest").min(layers.place("longest"));
        let hint = "write a lower `shortest` or a higher `longest`".to_owned();
        faults.fail(at, "`shortest` is above `longest`", Some(hint));
    }
    if hold.at.iter().any(|starts| !starts.is_sorted()) {
        let hint = "write the earliest first".to_owned();
        faults.fail(layers.place("at"), "the times of `at` are not in order", Some(hint));
    }
}
