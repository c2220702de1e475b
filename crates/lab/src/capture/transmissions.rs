//! Every PPDU with data as its transmitter sent it, as `transmissions.parquet`, including PPDUs that no station could
//! receive, which a monitor does not record.

use crate::bundle::{Columns, Getter, Log, Sink, names};
use airloom_observe::Ppdu;
use airloom_scenario::Scenario;
use parquet::data_type::ByteArray;
use std::io;

/// The log.
pub(super) type TransmissionLog = Log<Ppdu>;

/// Opens it.
pub(super) fn log(sink: Sink, scenario: &Scenario) -> io::Result<TransmissionLog> {
    use Getter::Number;
    let nodes = names(scenario.nodes().map(|(_, role)| role.name()));
    let receivers = nodes.clone();
    let to = move |ppdu: &Ppdu| ppdu.to.map_or_else(ByteArray::new, |to| receivers.get(to.0.into()));
    let columns: Columns<Ppdu> = vec![
        ("time", Number(|ppdu| ppdu.start.as_secs_f64())),
        ("end", Number(|ppdu| ppdu.end.as_secs_f64())),
        ("from", Getter::name(nodes, |ppdu| ppdu.from.0)),
        ("to", Getter::text(to)),
        ("rate_mbps", Number(|ppdu| ppdu.rate.bit_rate().as_mbps_f64())),
        ("mpdus", Number(|ppdu| ppdu.mpdus.into())),
        ("good", Number(|ppdu| ppdu.good.into())),
        ("retries", Number(|ppdu| ppdu.retries.into())),
        ("fate", Getter::word(|ppdu| ppdu.fate.name())),
    ];
    Log::new(sink, "transmissions", columns)
}
