//! Every change of every sender's window, as `sockets.parquet`.

use crate::bundle::{Columns, Getter, Log, Sink, names};
use airloom_observe::Window;
use airloom_scenario::Scenario;
use airloom_sim::{Duration, Time};
use parquet::data_type::ByteArray;
use std::io;

/// The log: when a window changed, and to what.
pub(super) type SocketLog = Log<(Time, Window)>;

/// Opens it.
pub(super) fn log(sink: Sink, scenario: &Scenario) -> io::Result<SocketLog> {
    use Getter::Number;
    let columns: Columns<(Time, Window)> = vec![
        ("time", Number(|(time, _)| time.as_secs_f64())),
        ("flow", Getter::name(names(scenario.flow.iter().map(|f| &f.name)), |(_, w)| w.flow.0)),
        ("cwnd", Number(|(_, w)| w.cwnd.into())),
        // Not a number while unset.
        ("ssthresh", Number(|(_, w)| if w.ssthresh == u32::MAX { f64::NAN } else { w.ssthresh.into() })),
        ("in_flight", Number(|(_, w)| w.in_flight.into())),
        ("srtt_ms", Number(|(_, w)| ms(w.srtt))),
        ("rto_ms", Number(|(_, w)| ms(w.rto))),
        ("state", Getter::text(|(_, w): &(Time, Window)| ByteArray::from(w.state.name()))),
    ];
    Log::new(sink, "sockets", columns)
}

fn ms(d: Duration) -> f64 {
    d.as_nanos() as f64 * 1e-6
}
