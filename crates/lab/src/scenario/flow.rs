//! Flows: who sends to whom, from when to when.

use std::collections::BTreeSet;

use airloom_sim::{Bytes, Duration};

use super::error::Faults;
use super::form::{Name, Optional, size, time};
use super::record::{Layers, nested, record};
use super::tcp::FlowTcp;

/// The longest that anything in a scenario may last: a day.
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

record! {
    /// A TCP connection that carries data one way.
    pub struct Flow {
        /// Its name; from-to, made unique, if left out.
        name: String = Name, default String::new();
        /// The station or server that sends.
        from: String = Name;
        /// The station or server that receives.
        to: String = Name;
        /// When it connects, from the beginning of the run.
        start: Duration = time(Duration::ZERO, DAY), default Duration::ZERO;
        /// When the application stops writing; at the end of the run if left out.
        stop: Option<Duration> = Optional(time(Duration::ZERO, DAY)), default None;
        /// How much the application writes; without end if left out.
        bytes: Option<Bytes> = Optional(size(Bytes(1), Bytes(1 << 50))), default None;
        /// What it changes of the sending host's TCP.
        tcp: FlowTcp = nested::<FlowTcp>(), default FlowTcp::UNCHANGED;
    }
    check ends_after_it_starts;
}

fn ends_after_it_starts(flow: &Flow, faults: &Faults, layers: &Layers<'_>) {
    if flow.stop.is_some_and(|stop| stop <= flow.start) {
        let hint = "`stop` is an instant of the run, like `start`".to_owned();
        faults.fail(layers.place("stop"), "the flow stops before it starts", Some(hint));
    }
}

/// Names the flows that have no name.
pub(crate) fn name_all(flows: &mut [Flow]) {
    let mut taken: BTreeSet<String> = flows.iter().map(|f| f.name.clone()).collect();
    for flow in flows.iter_mut().filter(|f| f.name.is_empty()) {
        // Cut so that the longest hosts' names still make a name.
        let short = |name: &str| name.chars().take(28).collect::<String>();
        let base = format!("{}-{}", short(&flow.from), short(&flow.to));
        let mut name = base.clone();
        let mut n = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base}-{n}");
            n += 1;
        }
        flow.name = name;
    }
}
