//! Every TCP segment twice, as `segments.parquet`: where TCP sends it, and where it passes the host's network device. Between
//! the two lies the host's queue, so the same transfer looks different from either place.

use crate::files::{Columns, Getter, Log, Sink, names};
use airloom_observe::{Direction, FlowId, NodeId, PacketSeen, SegmentSent};
use airloom_scenario::Scenario;
use airloom_sim::{IndexVec, Time};
use airloom_wire::{TcpRepr, Transport};
use std::io;

/// A segment at one place.
struct SegmentRow {
    time: Time,
    flow: FlowId,
    host: NodeId,
    place: &'static str,
    seq: u32,
    ack: u32,
    payload: u32,
}

/// The log.
pub(super) struct SegmentLog {
    log: Log<SegmentRow>,
    /// The nodes of each flow's ends, the sender first.
    ends: IndexVec<FlowId, [NodeId; 2]>,
}

impl SegmentLog {
    pub(super) fn new(sink: Sink, scenario: &Scenario) -> io::Result<Self> {
        use Getter::Number;
        let nodes = names(scenario.nodes().map(|(_, role)| role.name()));
        let columns: Columns<SegmentRow> = vec![
            ("time", Number(|row| row.time.as_secs_f64())),
            ("flow", Getter::name(names(scenario.flow.iter().map(|f| &f.name)), |row| row.flow.0)),
            ("host", Getter::name(nodes, |row| row.host.0)),
            ("place", Getter::word(|row| row.place)),
            ("seq", Number(|row| row.seq.into())),
            ("ack", Number(|row| row.ack.into())),
            ("payload", Number(|row| row.payload.into())),
        ];
        let node = |name: &str| scenario.host(name).0;
        let ends = scenario.flow.iter().map(|f| [node(&f.from), node(&f.to)]).collect();
        Ok(Self { log: Log::new(sink, "segments", columns)?, ends })
    }

    /// TCP has sent a segment.
    pub(super) fn left_tcp(&mut self, time: Time, segment: &SegmentSent) -> io::Result<()> {
        let &SegmentSent { flow, direction, seq, ack, payload, .. } = segment;
        let [from, to] = self.ends[flow];
        let host = if direction == Direction::Forward { from } else { to };
        self.log.push(SegmentRow { time, flow, host, place: "tcp", seq, ack, payload })
    }

    /// A packet has passed the device of `node`.
    pub(super) fn passed(
        &mut self,
        time: Time,
        node: NodeId,
        sent: bool,
        packet: &PacketSeen,
    ) -> io::Result<()> {
        let &PacketSeen { flow, payload, transport: Transport::Tcp(TcpRepr { seq, ack, .. }), .. } = packet
        else {
            return Ok(());
        };
        let place = if sent { "device, sent" } else { "device, received" };
        self.log.push(SegmentRow { time, flow, host: node, place, seq, ack, payload })
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.log.finish()
    }
}
