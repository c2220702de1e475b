//! Every PPDU with data, for each of its users, as its transmitter sent it, as `transmissions.parquet`, including PPDUs that no station could
//! receive, which a monitor does not record.

use crate::files::{Columns, Getter, Log, Sink, names};
use airloom_observe::{Ppdu, User};
use airloom_scenario::Scenario;
use parquet::data_type::ByteArray;
use std::io;

/// The log.
pub(super) type TransmissionLog = Log<(Ppdu, User)>;

/// Opens it.
pub(super) fn log(sink: Sink, scenario: &Scenario) -> io::Result<TransmissionLog> {
    use Getter::Number;
    let nodes = names(scenario.nodes().map(|(_, role)| role.name()));
    let receivers = nodes.clone();
    // A frame to a group has no receiver of its own.
    let to = move |(_, user): &(Ppdu, User)| {
        user.to.map_or_else(|| ByteArray::from(""), |to| receivers.get(to.0.into()))
    };
    let columns: Columns<(Ppdu, User)> = vec![
        ("time", Number(|(ppdu, _)| ppdu.start.as_secs_f64())),
        ("end", Number(|(ppdu, _)| ppdu.end.as_secs_f64())),
        ("from", Getter::name(nodes, |(ppdu, _)| ppdu.from.0)),
        ("to", Getter::text(to)),
        ("rate_mbps", Number(|(_, user)| user.rate.bit_rate().as_mbps_f64())),
        ("mpdus", Number(|(_, user)| user.mpdus.into())),
        ("good", Number(|(_, user)| user.good.into())),
        ("retries", Number(|(_, user)| user.retries.into())),
        ("fate", Getter::word(|(_, user)| user.fate.name())),
    ];
    Log::new(sink, "transmissions", columns)
}
