//! Servers, each behind a link of its own to the access point.

use airloom_queue::Discipline;
use airloom_sim::Duration;

use crate::discipline::Queue;
use crate::host::Host;
use crate::not_yet;
use crate::profiles::{ProfileKind, profiled};
use crate::wire_rate::{WireRate, WireRateForm};
use airloom_config::error::{Faults, shown, there_are};
use airloom_config::form::{Name, Optional, Short, real, time};
use airloom_config::quantity;
use airloom_config::record;
use airloom_config::record::{Layers, nested};

record! {
    /// A host on a wire.
    pub struct Server {
        /// Its name.
        name: String = Name;
        /// The host itself.
        host: Host = profiled::<Host>(ProfileKind::Host);
        /// Its link to the access point: the wire of its own interface. TCP small queues (`small_queue`) keep what its TCP has in the queue there short; a slow line farther
        /// on, whose queue fills, is a link of a host with `small_queue = "off"`.
        link: Link = Short(nested::<Link>(), wire);
    }
    elsewhere not_yet::key;
}

record! {
    /// A wire between a server and the access point, the same in both directions.
    pub struct Link {
        /// Its rate; an array such as [{ at = "0 s", rate = "20 Mbit/s" }, ...], or a file, if it changes (docs/traces.md).
        rate: WireRate = WireRateForm;
        /// The time that a bit travels, one way.
        delay: Duration = time(Duration::ZERO, Duration::from_secs(60));
        /// The queue before it, at either end: the server's own end is its interface, where its TCP keeps the queue short (`small_queue`).
        queue: Discipline = Queue::OfWire, default Discipline::LINUX;
        /// The share of packets that are lost on the way, each by itself.
        loss: f64 = real(0.0, 1.0), default 0.0;
        /// Packets that arrive later than those behind them.
        late: Option<Late> = Optional(Short(nested::<Late>(), share_and_time)), default None;
    }
    elsewhere not_yet::of_link;
    check no_radio;
}

record! {
    /// Packets that a link holds back, each by itself, so that others overtake them.
    pub struct Late {
        /// The share of packets that are held back.
        share: f64 = real(0.0, 1.0);
        /// By how much they are late.
        by: Duration = time(Duration::ZERO, Duration::from_secs(60));
    }
}

/// A link written as its rate or its delay alone.
fn wire(text: &str) -> Option<String> {
    let is_time = quantity::whole(&quantity::TIME, text).is_ok();
    Some(match is_time {
        true => format!("write link = {{ rate = \"1 Gbit/s\", delay = \"{}\" }}", shown(text)),
        false if quantity::whole(&quantity::RATE, text).is_ok() => {
            format!("write link = {{ rate = \"{}\", delay = \"1 ms\" }}", shown(text))
        }
        false => "write link = { rate = \"1 Gbit/s\", delay = \"1 ms\" }".to_owned(),
    })
}

/// What is late written as its share or its time alone.
fn share_and_time(text: &str) -> Option<String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).unwrap_or(0.01);
    let is_time = quantity::whole(&quantity::TIME, text).is_ok();
    let by = if is_time { shown(text) } else { "20 ms".to_owned() };
    Some(format!("write late = {{ share = {share}, by = \"{by}\" }}"))
}

fn no_radio(link: &Link, faults: &Faults, layers: &Layers<'_>) {
    if let Discipline::Mac80211(_) = link.queue {
        let hint = format!("{} for a wire", there_are(Discipline::OF_ANY_DEVICE.iter().copied()));
        let message = "`mac80211` is the queue of an access point's or a station's radio".to_owned();
        faults.fail(layers.place("queue"), message, Some(hint));
    }
}
