//! Machines that were read, and the same with what no emulated machine has.

use airloom_doctor::{Interface, Role, Snapshot};

/// A machine as it was kept.
pub(crate) fn recorded(text: &str) -> Snapshot {
    Snapshot::parse(text).unwrap()
}

/// A laptop on which all is well, during an upload.
pub(crate) fn sound() -> Snapshot {
    recorded(include_str!("sound.json"))
}

/// The same with seven faults, each planted with the tool that plants it in life.
pub(crate) fn planted() -> Snapshot {
    recorded(include_str!("planted.json"))
}

/// The sound machine with one thing changed at its interface.
pub(crate) fn with(change: impl FnOnce(&mut Interface)) -> Snapshot {
    let mut snapshot = sound();
    change(&mut snapshot.interfaces[0]);
    snapshot
}

/// The sound machine as an access point that has what today's drivers have.
pub(crate) fn access_point() -> Snapshot {
    let mut snapshot = with(|interface| {
        interface.role = Role::AccessPoint;
        interface.width_mhz = Some(80);
        interface.peers.clear();
    });
    let radio = &mut snapshot.radios[0];
    (radio.queues, radio.airtime_limits, radio.airtime_fairness) = (true, true, true);
    radio.aql_enable = Some("1".to_owned());
    radio.airtime_flags = Some("AIRTIME_TX (1) AIRTIME_RX (2)".to_owned());
    snapshot
}
