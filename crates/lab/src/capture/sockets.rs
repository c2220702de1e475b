//! Every change of every sender's window, as `sockets.parquet`.

use super::writer::Sink;
use crate::table::{Column, Kind, TableWriter};
use airloom_observe::{CaState, Window};
use airloom_sim::{Duration, Time};
use parquet::data_type::ByteArray;
use std::io::{self, Write};

/// Rows kept in memory before they are written as one row group.
const GROUP: usize = 1 << 16;

/// The log.
pub(super) struct SocketLog {
    writer: TableWriter<Sink>,
    flows: Vec<ByteArray>,
    rows: Vec<(Time, Window)>,
}

impl SocketLog {
    pub(super) fn new<'a>(sink: Sink, flows: impl Iterator<Item = &'a str>) -> io::Result<Self> {
        let columns = [
            ("time", Kind::Number),
            ("flow", Kind::Text),
            ("cwnd", Kind::Number),
            ("ssthresh", Kind::Number),
            ("in_flight", Kind::Number),
            ("srtt_ms", Kind::Number),
            ("rto_ms", Kind::Number),
            ("state", Kind::Text),
        ];
        let writer = TableWriter::new(sink, "sockets", &columns)?;
        Ok(Self { writer, flows: flows.map(ByteArray::from).collect(), rows: Vec::with_capacity(GROUP) })
    }

    /// A window changed.
    pub(super) fn window(&mut self, now: Time, window: &Window) -> io::Result<()> {
        self.rows.push((now, *window));
        if self.rows.len() == GROUP { self.write() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write()?;
        self.writer.finish()?.flush()
    }

    fn write(&mut self) -> io::Result<()> {
        let rows = &self.rows;
        let number = |value: fn(&(Time, Window)) -> f64| Column::Numbers(rows.iter().map(value).collect());
        let columns = [
            number(|(time, _)| time.as_secs_f64()),
            Column::Texts(rows.iter().map(|(_, w)| self.flows[usize::from(w.flow.0)].clone()).collect()),
            number(|(_, w)| f64::from(w.cwnd)),
            // Not a number while unset.
            number(|(_, w)| if w.ssthresh == u32::MAX { f64::NAN } else { f64::from(w.ssthresh) }),
            number(|(_, w)| f64::from(w.in_flight)),
            number(|(_, w)| ms(w.srtt)),
            number(|(_, w)| ms(w.rto)),
            Column::Texts(rows.iter().map(|(_, w)| ByteArray::from(state(w.state))).collect()),
        ];
        self.writer.write(&columns)?;
        self.rows.clear();
        Ok(())
    }
}

fn ms(d: Duration) -> f64 {
    d.as_nanos() as f64 * 1e-6
}

fn state(state: CaState) -> &'static str {
    match state {
        CaState::Open => "open",
        CaState::Disorder => "disorder",
        CaState::Cwr => "cwr",
        CaState::Recovery => "recovery",
        CaState::Loss => "loss",
    }
}
