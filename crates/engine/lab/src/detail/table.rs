//! The windows as a table, `detail.parquet`: a row for each event, the first row of a window being what it is about.

use super::event::{Event, FrameDetail, What};
use super::window::{BEFORE, Subject, Window};
use crate::files::{Columns, Files, Getter, Log, names};
use airloom_observe::{Fate, FrameKind, NodeId};
use airloom_scenario::Scenario;
use airloom_sim::{Duration, Time};
use parquet::data_type::ByteArray;
use std::collections::BTreeMap;
use std::io;

/// A row; a number that an event has not is not a number.
struct DetailRow {
    window: u16,
    time: Time,
    end: Option<Time>,
    event: &'static str,
    /// Index of a node, or of a flow after the nodes.
    entity: usize,
    to: Option<NodeId>,
    kind: &'static str,
    seq: Option<u32>,
    bytes: Option<u32>,
    packets: Option<u32>,
    good: Option<u16>,
    retries: Option<u16>,
    rate_mbps: Option<f64>,
    fate: &'static str,
    acked: String,
}

impl DetailRow {
    fn new(window: u16, time: Time, event: &'static str, entity: usize) -> Self {
        Self {
            window,
            time,
            end: None,
            event,
            entity,
            to: None,
            kind: "",
            seq: None,
            bytes: None,
            packets: None,
            good: None,
            retries: None,
            rate_mbps: None,
            fate: "",
            acked: String::new(),
        }
    }
}

/// Writes the windows.
pub(super) fn write(files: &mut dyn Files, scenario: &Scenario, windows: Vec<Window>) -> io::Result<()> {
    let mut log = Log::new(files.create("detail.parquet")?, "detail", columns(scenario))?;
    let nodes = scenario.nodes().count();
    for (number, window) in (1..).zip(windows) {
        for row in rows(number, &window, nodes) {
            log.push(row)?;
        }
        log.end_group()?;
    }
    log.finish()
}

fn columns(scenario: &Scenario) -> Columns<DetailRow> {
    use Getter::Number;
    fn number<T: Into<f64>>(value: Option<T>) -> f64 {
        value.map_or(f64::NAN, Into::into)
    }
    let entities = names(&crate::metrics::entities(scenario));
    let nodes = entities.clone();
    let to = move |row: &DetailRow| row.to.map_or_else(|| ByteArray::from(""), |to| nodes.get(to.0.into()));
    vec![
        ("window", Number(|row| row.window.into())),
        ("time", Number(|row| row.time.as_secs_f64())),
        ("end", Number(|row| number(row.end.map(Time::as_secs_f64)))),
        ("event", Getter::word(|row| row.event)),
        ("entity", Getter::text(move |row: &DetailRow| entities.get(row.entity))),
        ("to", Getter::text(to)),
        ("kind", Getter::word(|row| row.kind)),
        ("seq", Number(|row| number(row.seq))),
        ("bytes", Number(|row| number(row.bytes))),
        ("packets", Number(|row| number(row.packets))),
        ("good", Number(|row| number(row.good))),
        ("retries", Number(|row| number(row.retries))),
        ("rate_mbps", Number(|row| number(row.rate_mbps))),
        ("fate", Getter::word(|row| row.fate)),
        ("acked", Getter::text(|row: &DetailRow| ByteArray::from(row.acked.as_str()))),
    ]
}

/// The rows of a window, in the order of time after the first.
fn rows(number: u16, window: &Window, nodes: usize) -> Vec<DetailRow> {
    let about = &window.about;
    let entity = match about.subject {
        Subject::Station(node) => usize::from(node.0),
        Subject::Flow(flow) => nodes + usize::from(flow.0),
    };
    let head =
        DetailRow { end: Some(about.end), ..DetailRow::new(number, about.start, about.kind.name(), entity) };
    let mut rows = Vec::new();
    // The last frame of each node that awaits an acknowledgment, and the receiver of the last BlockAck.
    let mut awaiting: BTreeMap<NodeId, usize> = BTreeMap::new();
    let mut acknowledged: Option<NodeId> = None;
    for event in &window.events {
        match event.what {
            What::Bitmap { start, bitmap } => {
                if let Some(place) = acknowledged.take().and_then(|node| awaiting.remove(&node)) {
                    let sent: &mut DetailRow = &mut rows[place];
                    (sent.seq, sent.acked) = (Some(start.into()), bits(bitmap));
                }
            }
            What::Frame(frame) => {
                let heard = frame.fate == Fate::Received;
                acknowledged = frame.to.filter(|_| heard && frame.kind == FrameKind::BlockAck);
                if let (FrameKind::Ack, true, Some(to)) = (frame.kind, heard, frame.to)
                    && let Some(place) = awaiting.remove(&to)
                {
                    let sent: &mut DetailRow = &mut rows[place];
                    sent.acked = "1".to_owned();
                }
                if frame.kind.is_data() || matches!(frame.kind, FrameKind::Null { .. }) {
                    awaiting.insert(frame.from, rows.len());
                }
                rows.push(of_frame(number, &frame));
            }
            _ => rows.push(row(number, event, nodes)),
        }
    }
    // What has held for long counts from the window's beginning.
    let begin = Time::ZERO + about.start.since(Time::ZERO).saturating_sub(BEFORE);
    rows.iter_mut().for_each(|row| row.time = row.time.max(begin));
    rows.sort_by_key(|row| row.time);
    rows.insert(0, head);
    rows
}

/// The row of an event that is no frame's.
fn row(number: u16, event: &Event, nodes: usize) -> DetailRow {
    let new = |time, what, entity: u16| DetailRow::new(number, time, what, usize::from(entity));
    let flow = |time, what, flow: u16| DetailRow::new(number, time, what, nodes + usize::from(flow));
    match event.what {
        What::Sent { flow: of, seq, payload, again } => {
            let kind = if again { "again" } else { "" };
            DetailRow { kind, seq: Some(seq), bytes: Some(payload), ..flow(event.at, "sent", of.0) }
        }
        What::Acknowledged { flow: of, ack } => {
            DetailRow { seq: Some(ack), ..flow(event.at, "acknowledged", of.0) }
        }
        What::Window { flow: of, packets } => {
            DetailRow { packets: Some(packets), ..flow(event.at, "cwnd", of.0) }
        }
        What::Delivered { flow: of, bytes, start } => {
            DetailRow { bytes: Some(bytes), ..flow(start, "delivered", of.0) }
        }
        What::Depth { node, layer, packets, since } => {
            DetailRow { kind: layer.name(), packets: Some(packets), ..new(since, "queue", node.0) }
        }
        What::Frame(_) | What::Bitmap { .. } => {
            unreachable!("frames have rows of their own, bitmaps none")
        }
    }
}

fn of_frame(number: u16, frame: &FrameDetail) -> DetailRow {
    let &FrameDetail { start, nanos, from, to, kind, fate, rate, mpdus, good, retries } = frame;
    DetailRow {
        end: Some(start + Duration::from_nanos(nanos.into())),
        to,
        kind: word(kind),
        packets: Some(mpdus.into()),
        good: Some(good),
        retries: Some(retries),
        rate_mbps: Some(rate.bit_rate().as_mbps_f64()),
        fate: fate.name(),
        ..DetailRow::new(number, start, "frame", usize::from(from.0))
    }
}

/// The content of a frame, a null frame with its power-management bit.
fn word(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Ampdu => "a-mpdu",
        FrameKind::Null { sleep: true } => "null PM=1",
        FrameKind::Null { sleep: false } => "null PM=0",
        FrameKind::EndOfPeriod => "null EOSP",
        kind => kind.class().name(),
    }
}

/// The bits of a bitmap, the first one first, up to the last that is set.
fn bits(bitmap: u64) -> String {
    (0..64 - bitmap.leading_zeros()).map(|n| if bitmap >> n & 1 == 1 { '1' } else { '0' }).collect()
}
