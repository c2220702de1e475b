//! Flows: source, destination, kind of traffic, start and stop.

use std::collections::{BTreeMap, BTreeSet};

use airloom_sim::{BitRate, Bytes, Duration};
use serde_json::{Value as Json, json};

use crate::day::DAY;
use crate::dscp::DscpForm;
use crate::not_yet::{self, QUIC};
use crate::tcp::{FlowTcp, changes_in_short};
use crate::traffic::{Delivery, OWN_TRAFFIC};
use crate::traffic_form::{TrafficForm, TrafficSource};
use airloom_config::emit::Out;
use airloom_config::error::{Faults, listed};
use airloom_config::form::{
    Form, Name, Optional, Prose, Quantity, Short, Words, rate, size, small_size, time, words,
};
use airloom_config::overrides::{self, Called};
use airloom_config::record;
use airloom_config::record::{Layers, nested};
use airloom_config::toml_tree::TomlNode;

/// Traffic from one host to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Its name.
    pub name: String,
    /// The group it belongs to, by which several are asked about as one.
    pub group: Option<String>,
    /// The station or server that sends.
    pub from: String,
    /// The station or server that receives.
    pub to: String,
    /// When it begins, from the beginning of the run.
    pub start: Duration,
    /// When its application stops; at the end of the run if none.
    pub stop: Option<Duration>,
    /// The DSCP of its packets, both ways; 0 if none.
    pub dscp: Option<u8>,
    /// Its kind.
    pub kind: FlowKind,
}

/// The kind of a flow.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowKind {
    /// A TCP connection that carries data one way.
    Tcp {
        /// How much the application writes; without end if none.
        bytes: Option<Bytes>,
        /// When it writes; whenever there is room if none.
        write: Option<Writing>,
        /// What it changes of the sending host's TCP.
        tcp: FlowTcp,
    },
    /// Datagrams one way.
    Udp {
        /// How fast they are sent.
        rate: UdpRate,
        /// Payload of each in bytes.
        payload: u32,
    },
    /// Datagrams to a group of stations, of which this flow is one receiver's part: each is sent once for all of them.
    Publish {
        /// Bits of payload per second, on average.
        rate: BitRate,
        /// The time between them.
        spacing: Spacing,
        /// Payload of each in bytes.
        payload: u32,
    },
    /// Echo requests, answered by the other host.
    Ping {
        /// The time between two of them.
        interval: Duration,
        /// Payload of each in bytes.
        payload: u32,
    },
}

impl FlowKind {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tcp { .. } => FlowWord::Tcp,
            Self::Udp { .. } => FlowWord::Udp,
            Self::Publish { .. } => FlowWord::Publish,
            Self::Ping { .. } => FlowWord::Ping,
        }
        .word()
    }
}

/// How fast datagrams are sent.
#[derive(Clone, Debug, PartialEq)]
pub enum UdpRate {
    /// As fast as the queue below takes them; it is never empty.
    Saturated,
    /// Bits of payload per second, on average.
    Paced(BitRate, Spacing),
    /// As the flow's `traffic` has it.
    Traffic(TrafficSource),
}

/// When an application writes that does not always have data.
#[derive(Clone, Debug, PartialEq)]
pub enum Writing {
    /// The same at equal intervals.
    Paced(Writes),
    /// As the flow's `traffic` has it.
    Traffic(TrafficSource),
}

/// The time between datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Constant.
    Constant,
    /// Exponentially distributed, so that they form a Poisson process.
    Poisson,
    /// Constant, but each leaves up to this late, in the order in which they are due.
    Late(Duration),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowWord {
    Tcp,
    Udp,
    Publish,
    Ping,
    /// Real programs, which are no part of the simulation: see [`Program`](crate::Program).
    Command,
}

const KINDS: &[(&str, FlowWord)] = &[
    ("tcp", FlowWord::Tcp),
    ("udp", FlowWord::Udp),
    ("publish", FlowWord::Publish),
    ("ping", FlowWord::Ping),
    ("command", FlowWord::Command),
];

impl FlowWord {
    fn word(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// What flows are made of that people call otherwise.
const KIND_HINTS: &[(&str, &str)] = &[
    ("voip", VOICE),
    ("voice", VOICE),
    ("rtp", VOICE),
    ("video", "a stream is kind = \"udp\" with its rate, such as rate = \"5 Mbit/s\""),
    ("web", WEB),
    ("http", WEB),
    ("https", WEB),
    ("rpm", LATENCY),
    ("latency", LATENCY),
    ("icmp", "write kind = \"ping\""),
    ("download", "kind = \"tcp\" from a server to a station is a download"),
    ("upload", "kind = \"tcp\" from a station to a server is an upload"),
    ("quic", QUIC),
    ("http3", QUIC),
    ("http/3", QUIC),
    ("h3", QUIC),
    ("webtransport", QUIC),
    ("multicast", GROUP),
    ("broadcast", GROUP),
    ("ftp", OWN),
    ("game", OWN),
    ("gaming", OWN),
    ("onoff", OWN),
    ("on-off", OWN),
    ("pareto", OWN),
    ("program", PROGRAM),
    ("exec", PROGRAM),
    ("shell", PROGRAM),
];
const VOICE: &str =
    "a call is kind = \"udp\", rate = \"64 kbit/s\" and payload = \"160 B\", one flow each way";
const GROUP: &str = "kind = \"publish\" with its rate, such as rate = \"1 Mbit/s\", sends each datagram once to all stations of a group (`to`)";
const WEB: &str = "a transfer is kind = \"tcp\" with its size, such as bytes = \"2 MiB\", and a `start`";
const OWN: &str = "a class of your own or a file says when kind = \"tcp\" or \"udp\" hands over how much: `traffic` (docs/own-traffic.md, docs/traces.md)";
const PROGRAM: &str = "a real program is kind = \"command\" with its `command`, for `airloom shell`";
const LATENCY: &str =
    "responsiveness under load is a download beside a flow of kind = \"ping\", interval = \"100 ms\"";

const SPACING: Words<Spacing> = words(&[("constant", Spacing::Constant), ("poisson", Spacing::Poisson)], &[]);

/// Payload that fits an Ethernet frame of 1500 bytes after the headers of IP and of UDP or ICMP, 20 and 8 bytes.
const MOST_PAYLOAD: u32 = 1472;
/// iperf's payload of a datagram.
const UDP_PAYLOAD: u32 = 1470;
/// ping's payload of a request (iputils `DEFDATALEN`).
const PING_PAYLOAD: u32 = 56;
/// The most datagrams a second that a flow may ask for, and more than any radio carries.
pub(crate) const MOST_DATAGRAMS: u64 = 1_000_000;
/// The most bytes that a step of `traffic` hands over at once as datagrams, as of a class of one's own.
const MOST_IN_DATAGRAMS: u64 = 1 << 24;

record! {
    /// A flow as written.
    pub(crate) struct FlowText {
        /// Its name; from-to, made unique, if left out.
        name: String = Name, default String::new();
        /// The group it belongs to, by which several are asked about as one; the flows from or to a station with a `count` are
        /// a group of their own.
        group: Option<String> = Optional(Name), default None;
        /// Its kind: "tcp", "udp", "ping", or "publish", datagrams of which each is sent once to all stations of a group; or "command", a real program, which `airloom shell` runs.
        kind: FlowWord = words(KINDS, &["icmp", "quic", "http"]).hinted(KIND_HINTS), default FlowWord::Tcp;
        /// The station or server that sends.
        from: String = Name;
        /// The station or server that receives.
        to: String = Name;
        /// When it connects, from the beginning of the run.
        start: Duration = time(Duration::ZERO, DAY), default Duration::ZERO;
        /// When the application stops writing; at the end of the run if left out.
        stop: Option<Duration> = Optional(time(Duration::ZERO, DAY)), default None;
        /// The DSCP of its packets, both ways, by which they have an access category: a name such as "EF", which goes with voice, or a
        /// number from 0 to 63; "DF", best effort, if left out.
        dscp: Option<u8> = Optional(DscpForm), default None;
        /// How much the application writes; without end if left out.
        bytes: Option<Bytes> = Optional(size(Bytes(1), Bytes(1 << 50))), default None;
        /// How much the application writes at a time, as { size = "100 kB", every = "1 s" }; as much as there is room for if left
        /// out.
        write: Option<Writes> = Optional(nested::<Writes>()), default None;
        /// What hands its bytes to the socket, and when, for kind = "tcp" and "udp": the name of a class of your own (docs/own-traffic.md), an array such as
        /// [{ at = "0 s", bytes = 120 }, ...], or a file (docs/traces.md).
        traffic: Option<TrafficSource> = Optional(TrafficForm), default None;
        /// What it changes of the sending host's TCP.
        tcp: Option<FlowTcp> = Optional(Short(nested::<FlowTcp>(), changes_in_short)), default None;
        /// The payload that a flow of kind "udp" or "publish" sends, "20 Mbit/s", or, of "udp", "saturated" for as much as the queue below takes.
        rate: Option<RateText> = Optional(RateForm), default None;
        /// Whether the datagrams of such a flow are evenly spaced, "constant", or at random, "poisson".
        spacing: Option<Spacing> = Optional(SPACING), default None;
        /// By how much each of such datagrams but the first is late at most, where they are evenly spaced: at random up to this, by the seed, and never
        /// before the one that was due before it, so that some leave at once if it is longer than the time between two. A sender sleeps
        /// in between; Linux wakes it up to 50 us late (`timer_slack_ns`), and iperf3 looks every 1 ms (`--pacing-timer`).
        jitter: Option<Duration> = Optional(time(Duration::ZERO, DAY)), default None;
        /// The time between two pings.
        interval: Option<Duration> = Optional(time(Duration::from_millis(1), DAY)), default None;
        /// The payload of a datagram or a ping.
        payload: Option<u32> = Optional(small_size(0, MOST_PAYLOAD)), default None;
        /// The program that a flow of kind "command" runs on the host `from`, a line for a shell.
        command: Option<String> = Optional(Prose), default None;
        /// What runs meanwhile on the host `to`, from the beginning of the run, such as "iperf3 -s".
        listen: Option<String> = Optional(Prose), default None;
    }
    elsewhere not_yet::of_flow;
    look own_keys;
    check sound;
}

record! {
    /// An application that does not always have data.
    pub struct Writes {
        /// How much it writes at a time.
        size: Bytes = size(Bytes(1), Bytes(1 << 40));
        /// The time from one write to the next.
        every: Duration = time(Duration::from_micros(10), DAY);
    }
}

fn sound(flow: &FlowText, faults: &Faults, layers: &Layers<'_>) {
    if flow.stop.is_some_and(|stop| stop <= flow.start) {
        let hint = "`stop` is an instant of the run, like `start`".to_owned();
        faults.fail(layers.place("stop"), "the flow stops before it starts", Some(hint));
    }
    if let Some(source) = &flow.traffic {
        possible_traffic(flow, source, faults, layers);
    }
    if matches!(flow.kind, FlowWord::Udp | FlowWord::Publish) {
        possible_rate(flow, faults, layers);
    }
}

/// Every key must belong to the kind, which needs some.
fn own_keys(faults: &Faults, layers: &Layers<'_>) {
    const KEYS: [(&str, &[FlowWord]); 12] = [
        ("bytes", &[FlowWord::Tcp]),
        ("write", &[FlowWord::Tcp]),
        ("traffic", &[FlowWord::Tcp, FlowWord::Udp]),
        ("tcp", &[FlowWord::Tcp]),
        ("rate", &[FlowWord::Udp, FlowWord::Publish]),
        ("spacing", &[FlowWord::Udp, FlowWord::Publish]),
        ("jitter", &[FlowWord::Udp, FlowWord::Publish]),
        ("interval", &[FlowWord::Ping]),
        ("payload", &[FlowWord::Udp, FlowWord::Publish, FlowWord::Ping]),
        ("dscp", &[FlowWord::Tcp, FlowWord::Udp, FlowWord::Ping]),
        ("command", &[FlowWord::Command]),
        ("listen", &[FlowWord::Command]),
    ];
    let said = match layers.found("kind").first() {
        Some(node) => KINDS.iter().find(|(word, _)| node.text() == Some(word)).map(|(_, kind)| *kind),
        None => (!layers.unknown.may_be("kind")).then_some(FlowWord::Tcp),
    };
    let Some(kind) = said else { return };
    for (key, kinds) in KEYS {
        if let (Some(node), false) = (layers.found(key).first(), kinds.contains(&kind)) {
            let hint =
                format!("it belongs to flows of kind {}", listed(kinds.iter().map(|kind| kind.word())));
            let message = format!("`{key}` means nothing to a flow of kind `{}`", kind.word());
            faults.fail(node.at, message, Some(hint));
        }
    }
    let has = |key| !layers.found(key).is_empty() || layers.unknown.may_be(key);
    if kind == FlowWord::Udp && !has("rate") && !has("traffic") {
        let hint = "write rate = \"20 Mbit/s\" or rate = \"saturated\"".to_owned();
        faults.lack(layers.at, "a flow of kind `udp` needs `rate`", Some(hint));
    }
    if kind == FlowWord::Publish && layers.found("rate").is_empty() && !layers.unknown.may_be("rate") {
        let hint = "write for example rate = \"1 Mbit/s\"".to_owned();
        faults.lack(layers.at, "a flow of kind `publish` needs `rate`", Some(hint));
    }
    if kind == FlowWord::Command && layers.found("command").is_empty() && !layers.unknown.may_be("command") {
        let hint = "write command = \"curl -s http://server/\"".to_owned();
        faults.lack(layers.at, "a flow of kind `command` needs `command`", Some(hint));
    }
}

/// The keys that say when a flow sends what, which `traffic` says instead.
const PACES: [&str; 4] = ["write", "rate", "spacing", "jitter"];

/// What `traffic` decides is said nowhere else, a class of one's own waits for nothing that does not come, and no step is more than any buffer of datagrams holds.
fn possible_traffic(flow: &FlowText, source: &TrafficSource, faults: &Faults, layers: &Layers<'_>) {
    for key in PACES {
        if let Some(node) = layers.found(key).first() {
            let message = format!("`{key}` means nothing to a flow with `traffic`");
            faults.fail(node.at, message, Some("leave out one of the two".to_owned()));
        }
    }
    if flow.kind != FlowWord::Udp {
        return;
    }
    if let TrafficSource::Script(steps) = source
        && steps.iter().any(|step| step.bytes > MOST_IN_DATAGRAMS)
    {
        let message = "a step of `traffic` has more than 16 MiB, which no queue holds as datagrams";
        let hint = "write kind = \"tcp\", or spread the bytes over several steps".to_owned();
        faults.fail(layers.place("traffic"), message, Some(hint));
    }
    if let TrafficSource::Own(own) = source
        && OWN_TRAFFIC.make(*own).delivery == Delivery::Awaited
    {
        let message = format!("`{}` waits until all is acknowledged, which no datagram is", own.text());
        let hint = "write kind = \"tcp\", or take a class without `delivered`".to_owned();
        faults.fail(layers.place("traffic"), message, Some(hint));
    }
}

fn possible_rate(flow: &FlowText, faults: &Faults, layers: &Layers<'_>) {
    let payload = flow.payload.unwrap_or(UDP_PAYLOAD);
    let says = flow.rate.map(|_| "rate").or_else(|| flow.traffic.as_ref().map(|_| "traffic"));
    if let (Some(key), 0) = (says, payload) {
        let message = format!("`payload` must be above zero in a flow with `{key}`");
        let hint = "write for example payload = \"160 B\"".to_owned();
        faults.fail(layers.place("payload"), message, Some(hint));
        return;
    }
    match flow.rate {
        Some(RateText::Saturated) if flow.kind == FlowWord::Publish => {
            let message =
                "nothing tells a flow of kind `publish` when there is room, so that it has a pace of its own";
            let hint = "write for example rate = \"1 Mbit/s\"".to_owned();
            faults.fail(layers.place("rate"), message, Some(hint));
        }
        Some(RateText::Saturated) if flow.spacing.is_some() => {
            let message = "a flow with rate = \"saturated\" sends when there is room, at no `spacing`";
            let hint = "leave `spacing` out, or write a rate such as rate = \"20 Mbit/s\"".to_owned();
            faults.fail(layers.place("spacing"), message, Some(hint));
        }
        Some(RateText::Saturated) if flow.jitter.is_some() => {
            let message = "a flow with rate = \"saturated\" sends when there is room, with no `jitter`";
            let hint = "leave `jitter` out, or write a rate such as rate = \"20 Mbit/s\"".to_owned();
            faults.fail(layers.place("jitter"), message, Some(hint));
        }
        Some(RateText::Paced(_)) if flow.jitter.is_some() && flow.spacing == Some(Spacing::Poisson) => {
            let message = "the datagrams of spacing = \"poisson\" are at random instants without `jitter`";
            let hint = "leave out one of the two".to_owned();
            faults.fail(layers.place("jitter"), message, Some(hint));
        }
        Some(RateText::Paced(rate)) if rate.as_bps() > MOST_DATAGRAMS * u64::from(payload) * 8 => {
            let message = "the flow would send more than 1,000,000 datagrams per second";
            let hint = "ask for a lower `rate` or a larger `payload`".to_owned();
            faults.fail(layers.place("rate"), message, Some(hint));
        }
        _ => {}
    }
}

/// A rate as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RateText {
    Saturated,
    Paced(BitRate),
}

/// A rate of datagrams: `"20 Mbit/s"` or `"saturated"`.
pub(crate) struct RateForm;

const RATE: Quantity<BitRate> = rate(BitRate::from_bps(1), BitRate::from_mbps(400_000));

impl Form for RateForm {
    type Of = RateText;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<RateText> {
        match found.first()?.text() {
            Some("saturated") => Some(RateText::Saturated),
            _ => RATE.read(faults, path, found).map(RateText::Paced),
        }
    }

    fn write(&self, value: &RateText) -> Option<Out> {
        match value {
            RateText::Saturated => Some(Out::Text("saturated".to_owned())),
            RateText::Paced(rate) => RATE.write(rate),
        }
    }

    fn schema(&self) -> Json {
        json!({ "anyOf": [{ "const": "saturated" }, RATE.schema()] })
    }
}

impl FlowText {
    /// The flow, after its mistakes have been reported.
    pub(crate) fn resolve(mut self) -> Flow {
        let traffic = self.traffic.take();
        let kind = match self.kind {
            FlowWord::Tcp => FlowKind::Tcp {
                bytes: self.bytes,
                write: traffic.map(Writing::Traffic).or(self.write.map(Writing::Paced)),
                tcp: self.tcp.unwrap_or(FlowTcp::UNCHANGED),
            },
            FlowWord::Udp => {
                let rate = match (traffic, self.rate) {
                    (Some(source), _) => UdpRate::Traffic(source),
                    (None, Some(RateText::Paced(rate))) => UdpRate::Paced(rate, self.spaced()),
                    _ => UdpRate::Saturated,
                };
                FlowKind::Udp { rate, payload: self.payload.unwrap_or(UDP_PAYLOAD) }
            }
            FlowWord::Publish => FlowKind::Publish {
                rate: match self.rate {
                    Some(RateText::Paced(rate)) => rate,
                    _ => BitRate::from_mbps(1),
                },
                spacing: self.spaced(),
                payload: self.payload.unwrap_or(UDP_PAYLOAD),
            },
            // One of real programs became a `Program`.
            FlowWord::Ping | FlowWord::Command => FlowKind::Ping {
                interval: self.interval.unwrap_or(Duration::from_secs(1)),
                payload: self.payload.unwrap_or(PING_PAYLOAD),
            },
        };
        let Self { name, group, from, to, start, stop, dscp, .. } = self;
        Flow { name, group, from, to, start, stop, dscp, kind }
    }

    /// The time between its datagrams.
    fn spaced(&self) -> Spacing {
        match (self.spacing, self.jitter) {
            (None | Some(Spacing::Constant), Some(jitter)) if jitter > Duration::ZERO => {
                Spacing::Late(jitter)
            }
            (spacing, _) => spacing.unwrap_or(Spacing::Constant),
        }
    }

    /// Writes the time between its datagrams.
    fn space(&mut self, spacing: Spacing) {
        (self.spacing, self.jitter) = match spacing {
            Spacing::Late(jitter) => (Some(Spacing::Constant), Some(jitter)),
            spacing => (Some(spacing), None),
        };
    }
}

impl Flow {
    /// The flow as it would be written with everything spelled out.
    pub(crate) fn text(&self) -> FlowText {
        let Self { name, group, from, to, start, stop, dscp, kind } = self.clone();
        let mut text = FlowText {
            name,
            group,
            kind: FlowWord::Tcp,
            from,
            to,
            start,
            stop,
            dscp,
            bytes: None,
            write: None,
            traffic: None,
            tcp: None,
            rate: None,
            spacing: None,
            jitter: None,
            interval: None,
            payload: None,
            command: None,
            listen: None,
        };
        match kind {
            FlowKind::Tcp { bytes, write, tcp } => {
                text.bytes = bytes;
                match write {
                    Some(Writing::Traffic(source)) => text.traffic = Some(source),
                    Some(Writing::Paced(writes)) => text.write = Some(writes),
                    None => {}
                }
                text.tcp = Some(tcp);
            }
            FlowKind::Udp { rate, payload } => {
                text.kind = FlowWord::Udp;
                text.payload = Some(payload);
                match rate {
                    UdpRate::Saturated => text.rate = Some(RateText::Saturated),
                    UdpRate::Paced(rate, spacing) => {
                        text.space(spacing);
                        text.rate = Some(RateText::Paced(rate));
                    }
                    UdpRate::Traffic(source) => text.traffic = Some(source),
                }
            }
            FlowKind::Publish { rate, spacing, payload } => {
                text.kind = FlowWord::Publish;
                text.payload = Some(payload);
                text.rate = Some(RateText::Paced(rate));
                text.space(spacing);
            }
            FlowKind::Ping { interval, payload } => {
                text.kind = FlowWord::Ping;
                text.interval = Some(interval);
                text.payload = Some(payload);
            }
        }
        text
    }
}

/// Names the flows that have no name.
pub(crate) fn name_all(flows: &mut [FlowText]) {
    let said: Vec<[&str; 3]> = flows.iter().map(|f| [&f.name, &f.from, &f.to].map(String::as_str)).collect();
    let names = names(&said);
    for (flow, name) in flows.iter_mut().zip(names) {
        flow.name = name;
    }
}

/// The names of flows, of which each has said its own, or nothing, and its two ends.
fn names(flows: &[[&str; 3]]) -> Vec<String> {
    let mut taken: BTreeSet<String> = flows.iter().map(|[name, ..]| (*name).to_owned()).collect();
    // Of each pair of ends the number up to which all names are taken.
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut name_of = |[name, from, to]: &[&str; 3]| {
        if !name.is_empty() {
            return (*name).to_owned();
        }
        // Cut so that the longest host names still give a valid name.
        let short = |name: &str| name.chars().take(28).collect::<String>();
        let base = format!("{}-{}", short(from), short(to));
        let last = numbers.entry(base.clone()).or_default();
        loop {
            *last += 1;
            let name = if *last == 1 { base.clone() } else { format!("{base}-{last}") };
            if taken.insert(name.clone()) {
                return name;
            }
        }
    };
    flows.iter().map(&mut name_of).collect()
}

/// What overrides call the items of an array: by name and, if they are flows, by the name that they will have, or by one of
/// their ends, or both.
pub(crate) fn called(key: &str, items: &[TomlNode]) -> Vec<Called> {
    if key != "flow" {
        return overrides::by_name(key, items);
    }
    let text = |item: &TomlNode, key| Some(item.table()?.get(key)?.text()?.to_owned());
    let said: Vec<[String; 3]> = items
        .iter()
        .map(|item| ["name", "from", "to"].map(|key| text(item, key).unwrap_or_default()))
        .collect();
    let plain: Vec<[&str; 3]> = said.iter().map(|flow| flow.each_ref().map(String::as_str)).collect();
    let ends = |[_, from, to]: &[&str; 3]| vec![(*from).to_owned(), (*to).to_owned(), format!("{from}-{to}")];
    let all = names(&plain).into_iter().zip(plain.iter().map(ends));
    all.map(|(name, loosely)| Called { name, loosely }).collect()
}
