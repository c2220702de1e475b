//! Every PPDU with data as its transmitter sent it, as `transmissions.parquet`: those too that nobody could receive, which no
//! monitor records.

use super::writer::Sink;
use crate::scenario::Scenario;
use crate::table::{Column, Kind, TableWriter};
use airloom_observe::{Fate, Ppdu};
use parquet::data_type::ByteArray;
use std::io::{self, Write};

/// Rows kept in memory before they are written as one row group.
const GROUP: usize = 1 << 16;

/// The log.
pub(super) struct TransmissionLog {
    writer: TableWriter<Sink>,
    /// Names of the access point and the stations, by node.
    nodes: Vec<ByteArray>,
    rows: Vec<Ppdu>,
}

impl TransmissionLog {
    pub(super) fn new(sink: Sink, scenario: &Scenario) -> io::Result<Self> {
        let columns = [
            ("time", Kind::Number),
            ("end", Kind::Number),
            ("from", Kind::Text),
            ("to", Kind::Text),
            ("rate_mbps", Kind::Number),
            ("mpdus", Kind::Number),
            ("good", Kind::Number),
            ("retries", Kind::Number),
            ("fate", Kind::Text),
        ];
        let names = scenario.ap.iter().map(|a| &a.name).chain(scenario.station.iter().map(|s| &s.name));
        Ok(Self {
            writer: TableWriter::new(sink, "transmissions", &columns)?,
            nodes: names.map(|name| ByteArray::from(name.as_str())).collect(),
            rows: Vec::new(),
        })
    }

    /// A PPDU with data was sent.
    pub(super) fn sent(&mut self, ppdu: &Ppdu) -> io::Result<()> {
        self.rows.push(*ppdu);
        if self.rows.len() == GROUP { self.write() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write()?;
        self.writer.finish()?.flush()
    }

    fn write(&mut self) -> io::Result<()> {
        let rows = &self.rows;
        let number = |value: fn(&Ppdu) -> f64| Column::Numbers(rows.iter().map(value).collect());
        let text = |value: &dyn Fn(&Ppdu) -> ByteArray| Column::Texts(rows.iter().map(value).collect());
        let columns = [
            number(|ppdu| ppdu.start.as_secs_f64()),
            number(|ppdu| ppdu.end.as_secs_f64()),
            text(&|ppdu| self.nodes[usize::from(ppdu.from.0)].clone()),
            text(&|ppdu| ppdu.to.map_or_else(ByteArray::new, |to| self.nodes[usize::from(to.0)].clone())),
            number(|ppdu| ppdu.rate.rate().as_mbps_f64()),
            number(|ppdu| ppdu.mpdus.into()),
            number(|ppdu| ppdu.good.into()),
            number(|ppdu| ppdu.retries.into()),
            text(&|ppdu| ByteArray::from(fate(ppdu.fate))),
        ];
        self.writer.write(&columns)?;
        self.rows.clear();
        Ok(())
    }
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Received => "received",
        Fate::Corrupted => "corrupted",
        Fate::Collided => "collided",
        Fate::Unheard => "unheard",
    }
}
