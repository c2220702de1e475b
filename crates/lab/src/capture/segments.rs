//! Every TCP segment twice, as `segments.parquet`: where TCP sends it, and where it passes the host's network device. Between
//! the two lies the host's queue, so the same transfer looks different from either place.

use super::writer::Sink;
use crate::scenario::Scenario;
use crate::table::{Column, Kind, TableWriter};
use airloom_observe::{Direction, FlowId, HeaderSeen, NodeId, PacketSeen, SegmentSent, TcpHeaderSeen};
use airloom_sim::Time;
use parquet::data_type::ByteArray;
use std::io::{self, Write};

/// Rows kept in memory before they are written as one row group.
const GROUP: usize = 1 << 16;

/// A segment at one place.
struct Row {
    time: Time,
    flow: FlowId,
    host: u16,
    place: &'static str,
    seq: u32,
    ack: u32,
    payload: u32,
}

/// The log.
pub(super) struct SegmentLog {
    writer: TableWriter<Sink>,
    flows: Vec<ByteArray>,
    /// Names of stations and servers, by node; the access point is none.
    hosts: Vec<ByteArray>,
    /// The nodes of each flow's ends, the sender first.
    ends: Vec<[u16; 2]>,
    rows: Vec<Row>,
}

impl SegmentLog {
    pub(super) fn new(sink: Sink, scenario: &Scenario) -> io::Result<Self> {
        let columns = [
            ("time", Kind::Number),
            ("flow", Kind::Text),
            ("host", Kind::Text),
            ("place", Kind::Text),
            ("seq", Kind::Number),
            ("ack", Kind::Number),
            ("payload", Kind::Number),
        ];
        let names: Vec<&str> = std::iter::once("")
            .chain(scenario.station.iter().map(|s| s.name.as_str()))
            .chain(scenario.server.iter().map(|s| s.name.as_str()))
            .collect();
        let node = |name: &str| names.iter().position(|n| *n == name).unwrap_or_default() as u16;
        Ok(Self {
            writer: TableWriter::new(sink, "segments", &columns)?,
            flows: scenario.flow.iter().map(|f| ByteArray::from(f.name.as_str())).collect(),
            ends: scenario.flow.iter().map(|f| [node(&f.from), node(&f.to)]).collect(),
            hosts: names.into_iter().map(ByteArray::from).collect(),
            rows: Vec::with_capacity(GROUP),
        })
    }

    /// TCP has sent a segment.
    pub(super) fn left_tcp(&mut self, time: Time, segment: &SegmentSent) -> io::Result<()> {
        let &SegmentSent { flow, direction, seq, ack, payload, .. } = segment;
        let [from, to] = self.ends[usize::from(flow.0)];
        let host = if direction == Direction::Forward { from } else { to };
        self.push(Row { time, flow, host, place: "tcp", seq, ack, payload })
    }

    /// A packet has passed the device of `node`.
    pub(super) fn passed(
        &mut self,
        time: Time,
        node: NodeId,
        sent: bool,
        packet: &PacketSeen,
    ) -> io::Result<()> {
        let &PacketSeen { flow, payload, header: HeaderSeen::Tcp(TcpHeaderSeen { seq, ack, .. }), .. } =
            packet
        else {
            return Ok(());
        };
        let place = if sent { "device, sent" } else { "device, received" };
        self.push(Row { time, flow, host: node.0, place, seq, ack, payload })
    }

    fn push(&mut self, row: Row) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() == GROUP { self.write() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write()?;
        self.writer.finish()?.flush()
    }

    fn write(&mut self) -> io::Result<()> {
        let rows = &self.rows;
        let number = |value: fn(&Row) -> f64| Column::Numbers(rows.iter().map(value).collect());
        let named = |names: &[ByteArray], index: fn(&Row) -> u16| {
            Column::Texts(rows.iter().map(|row| names[usize::from(index(row))].clone()).collect())
        };
        let columns = [
            number(|row| row.time.as_secs_f64()),
            named(&self.flows, |row| row.flow.0),
            named(&self.hosts, |row| row.host),
            Column::Texts(rows.iter().map(|row| ByteArray::from(row.place)).collect()),
            number(|row| row.seq.into()),
            number(|row| row.ack.into()),
            number(|row| row.payload.into()),
        ];
        self.writer.write(&columns)?;
        self.rows.clear();
        Ok(())
    }
}
