//! Queues: a discipline and its parameters, each with the default that Linux gives it.

use airloom_sim::{Bytes, Duration};
use serde_json::{Value as Json, json};

use super::emit::Out;
use super::error::Faults;
use super::form::{Flag, Form, Quantity, count, or_off, packets, size, small_size, time, unexpected, words};
use super::limit::{Limit, LimitForm, MOST_BYTES, MOST_PACKETS};
use super::node::{Node, Table};
use super::record::{Layers, Record, field, known, object, record};

/// How a queue orders and drops packets.
#[derive(Clone, Debug, PartialEq)]
pub enum Discipline {
    /// First in, first out; what does not fit any more is dropped.
    Fifo {
        /// The most packets it holds.
        packets: Option<u32>,
        /// The most bytes it holds.
        bytes: Option<Bytes>,
    },
    /// Controlled delay (RFC 8289).
    Codel(Codel),
    /// Stochastic fairness queueing.
    Sfq(Sfq),
    /// Fair queueing with controlled delay (RFC 8290).
    FqCodel(FqCodel),
    /// A queue of many flows for each receiver, from which a radio's driver pulls (mac80211's).
    Mac80211(Mac80211),
}

impl Discipline {
    /// pfifo_fast on an Ethernet-like device: 1000 packets (Linux net/ethernet/eth.c, `ether_setup()`:
    /// `tx_queue_len = 1000`).
    pub const LINUX: Self = Self::Fifo { packets: Some(1000), bytes: None };
}

/// The kinds of queue there are, without their parameters.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fifo,
    Codel,
    Sfq,
    FqCodel,
    Mac80211,
}

const KIND: super::form::Words<Kind> = words(
    &[
        ("fifo", Kind::Fifo),
        ("codel", Kind::Codel),
        ("sfq", Kind::Sfq),
        ("fq_codel", Kind::FqCodel),
        ("mac80211", Kind::Mac80211),
    ],
    &["pfifo_fast", "red", "pie", "cake"],
);

/// Any sojourn time or interval of a control law.
const LAW_TIME: Quantity<Duration> = time(Duration::from_micros(1), Duration::from_secs(60));

/// Any number of buckets (Linux `FQ_CODEL`: 65536).
const MOST_FLOWS: u32 = 65_536;

record! {
    /// A first-in first-out queue as written.
    struct Fifo {
        /// The most it holds, "1000 packets" or "128 KiB", or both in an array.
        limit: Limit = LimitForm;
    }
}

record! {
    /// A queue under CoDel; the defaults are those of Linux net/sched/sch_codel.c, `codel_init()`.
    pub struct Codel {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 1000;
        /// The sojourn time that is acceptable for ever.
        target: Duration = LAW_TIME, default Duration::from_millis(5);
        /// How long the target may be exceeded: a worst-case round trip.
        interval: Duration = LAW_TIME, default Duration::from_millis(100);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = Flag, default false;
    }
}

record! {
    /// Stochastic fairness queueing; the defaults are those of Linux net/sched/sch_sfq.c, `sfq_init()`.
    pub struct Sfq {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 127;
        /// The most packets of one flow that it holds.
        depth: u32 = packets(1, MOST_PACKETS), default 127;
        /// The most flows whose packets it holds.
        flows: u32 = count(1, MOST_FLOWS), default 127;
        /// The buckets that flows are hashed into.
        divisor: u32 = count(1, MOST_FLOWS), default 1024;
        /// What a flow sends in its turn.
        quantum: u32 = small_size(1, 1 << 20), default 1514;
        /// How often the hash changes, or "off".
        perturb: Option<Duration> =
            or_off(time(Duration::from_millis(1), Duration::from_secs(86_400))), default None;
    }
}

record! {
    /// FQ-CoDel; the defaults are those of Linux net/sched/sch_fq_codel.c, `fq_codel_init()`.
    pub struct FqCodel {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 10_240;
        /// The most bytes it holds.
        memory: Bytes = size(Bytes(1), MOST_BYTES), default Bytes(32 << 20);
        /// The buckets that flows are hashed into.
        flows: u32 = count(1, MOST_FLOWS), default 1024;
        /// What a flow sends in its turn.
        quantum: u32 = small_size(1, 1 << 20), default 1514;
        /// The sojourn time that is acceptable for ever.
        target: Duration = LAW_TIME, default Duration::from_millis(5);
        /// How long the target may be exceeded: a worst-case round trip.
        interval: Duration = LAW_TIME, default Duration::from_millis(100);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = Flag, default true;
    }
}

record! {
    /// mac80211's queues; the defaults are those of Linux 6.16 net/mac80211/tx.c, `ieee80211_txq_setup_flows()`, for an
    /// adapter of 802.11n, and `airtime_weight` of net/mac80211/sta_info.c.
    pub struct Mac80211 {
        /// The most packets that they hold, for all receivers together.
        limit: u32 = packets(1, MOST_PACKETS), default 8192;
        /// The most bytes that they hold.
        memory: Bytes = size(Bytes(1), MOST_BYTES), default Bytes(4 << 20);
        /// The buckets that the flows of all receivers are hashed into.
        flows: u32 = count(1, MOST_FLOWS), default 4096;
        /// What a flow sends in its turn.
        quantum: u32 = small_size(1, 1 << 20), default 300;
        /// The sojourn time that is acceptable for ever.
        target: Duration = LAW_TIME, default Duration::from_millis(20);
        /// How long the target may be exceeded: a worst-case round trip.
        interval: Duration = LAW_TIME, default Duration::from_millis(100);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = Flag, default true;
        /// The air time that each receiver is given in a round, or "off" if each is given one PPDU.
        airtime: Option<Duration> = or_off(
            time(Duration::from_micros(1), Duration::from_millis(100))), default Some(Duration::from_micros(256));
    }
}

/// A queue as the value of a key. A whole queue replaces a whole queue: parameters make no sense without their
/// discipline.
pub(crate) struct Queue;

/// Which discipline a table names, and its parameters.
fn parameters<R: Record>(faults: &Faults, path: &str, node: &Node, table: &Table) -> Option<R> {
    let keys = [vec!["discipline"], R::keys()].concat();
    let strict = known(faults, path, table, &keys, R::elsewhere);
    R::read(faults, &Layers { at: node.at, path, tables: vec![table], strict })
}

impl Form for Queue {
    type Of = Discipline;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Discipline> {
        let node = found.first()?;
        let Some(table) = node.table() else {
            let hint = "write { discipline = \"fifo\", limit = \"1000 packets\" }";
            unexpected(faults, path, node, "a table", Some(hint.to_owned()));
            return None;
        };
        let layers = Layers { at: node.at, path, tables: vec![table], strict: true };
        match field(faults, &layers, "discipline", &KIND, None)? {
            Kind::Fifo => {
                let Limit { packets, bytes } = parameters::<Fifo>(faults, path, node, table)?.limit;
                Some(Discipline::Fifo { packets, bytes })
            }
            Kind::Codel => parameters(faults, path, node, table).map(Discipline::Codel),
            Kind::Sfq => parameters(faults, path, node, table).map(Discipline::Sfq),
            Kind::FqCodel => parameters(faults, path, node, table).map(Discipline::FqCodel),
            Kind::Mac80211 => parameters(faults, path, node, table).map(Discipline::Mac80211),
        }
    }

    fn write(&self, value: &Discipline) -> Option<Out> {
        let (kind, entries) = match value {
            &Discipline::Fifo { packets, bytes } => {
                ("fifo", Fifo { limit: Limit { packets, bytes } }.write())
            }
            Discipline::Codel(codel) => ("codel", codel.write()),
            Discipline::Sfq(sfq) => ("sfq", sfq.write()),
            Discipline::FqCodel(fq_codel) => ("fq_codel", fq_codel.write()),
            Discipline::Mac80211(mac80211) => ("mac80211", mac80211.write()),
        };
        Some(Out::Inline([vec![("discipline", Out::Text(kind.to_owned()))], entries].concat()))
    }

    fn schema(&self) -> Json {
        let one = |kind: &str, mut schema: Json| {
            schema["properties"]["discipline"] = json!({ "const": kind });
            if let Some(required) = schema["required"].as_array_mut() {
                required.insert(0, json!("discipline"));
            }
            schema
        };
        json!({ "anyOf": [
            one("fifo", object::<Fifo>(false)),
            one("codel", object::<Codel>(false)),
            one("sfq", object::<Sfq>(false)),
            one("fq_codel", object::<FqCodel>(false)),
            one("mac80211", object::<Mac80211>(false)),
        ] })
    }
}
