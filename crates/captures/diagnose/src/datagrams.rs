//! Streams of UDP, each from the capture that tells most of it.

use crate::between::{self, Between, LostSeen};
use crate::evidence::Evidence;
use crate::grid::Grid;
use crate::line::Line;
use airloom_trace::{Bin, Bins, Missing, OfSource, Place, Stream};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

/// The most streams that have a line of their own over time: those that move most.
const MOST: usize = 64;
/// Captures have a stream for the same time if the shorter span is this part of the longer one.
const AS_LONG: f64 = 0.9;
/// An answer on its way comes within this time, in nanoseconds: no timer of a question lasts longer as it begins (RFC 6298 section 2.1).
const ANSWERED_WITHIN: u64 = 1_000_000_000;

/// What one port sends to another by UDP, as a capture shows it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct StreamSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// Address and port of the sender.
    pub from: String,
    /// Address and port of the receiver.
    pub to: String,
    /// Whether of all captures this one tells most of it.
    pub tells_most: bool,
    /// From its first packet to its last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
    /// Packets.
    pub packets: u64,
    /// Octets of payload.
    pub bytes: u64,
    /// The same in Mbit/s while it went.
    pub mbps: f64,
    /// How often it went, with two minutes and more without a packet in between, and for how many seconds in all.
    pub runs: u64,
    /// See `runs`.
    pub lasted_s: f64,
    /// Whether nothing at all of the receiver, which is one host, is in the capture, made at a host, though it has what others answered the sender.
    pub nothing_back: bool,
    /// Packets that came with a congestion mark, by which a queue tells their sender to slow down.
    pub marked: u64,
    /// Whether packets come at an even pace.
    pub steady: bool,
    /// The longest time between two packets of a run in seconds.
    pub silence_s: f64,
    /// What its numbers tell; none of a stream that is not RTP, on the air, where a monitor may miss packets that arrive, and where
    /// several packets were put together.
    pub rtp: Option<RtpSeen>,
    /// What is lost of it between two hosts' captures, this one and another: where most is, if there are several others.
    pub lost: Option<LostSeen>,
}

/// What the numbers of RTP tell.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RtpSeen {
    /// Packets that were sent from the first to the last.
    pub sent: u64,
    /// Those of them that did not come to where the capture was made.
    pub missing: u64,
    /// The mean interarrival jitter in ms (RFC 3550 section 6.4.1); none where the clock of the stamps is not known.
    pub jitter_ms: Option<f64>,
    /// Each of its sources, up to eight, those with most missing first.
    pub sources: Vec<RtpSourceSeen>,
    /// The most packets in a row that are missing.
    pub hole: u64,
    /// When the packets before and behind these came, in seconds since the first record of all captures.
    pub hole_s: [f64; 2],
    /// Spells of 200 ms and longer in which no packet came though the stamps went on, and then packets came faster than they were sent.
    pub stalls: u64,
    /// The longest of them in seconds.
    pub stalled_s: f64,
    /// Whether all that was due by then came within 200 ms behind it.
    pub at_once: bool,
    /// By how much longer a packet was on its way than the fastest before it, at most, by its stamp, in seconds: where packets came a second
    /// late or more, and made up for half of it. Else 0.
    pub late_s: f64,
    /// From the first to the last of these, in seconds since the first record of all captures.
    pub late_span_s: [f64; 2],
    /// The longest time without packets for which the stamps account, in seconds: their sender paused.
    pub paused_s: f64,
}

/// What is missing of one source of RTP: a stream may carry a picture, a voice, and what repairs either.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RtpSourceSeen {
    /// Its number (SSRC).
    pub source: u32,
    /// Packets that were sent from the first to the last.
    pub sent: u64,
    /// Those of them that did not come.
    pub missing: u64,
    /// The most of these in a row.
    pub in_a_row: u64,
}

impl From<OfSource> for RtpSourceSeen {
    fn from(OfSource { source, counts, in_a_row }: OfSource) -> Self {
        Self { source, sent: counts.sent, missing: counts.missing, in_a_row }
    }
}

/// Streams over time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct StreamLayers {
    /// The sender's address and port; of the small ones together none.
    pub from: String,
    /// The receiver's.
    pub to: String,
    /// Octets of payload.
    pub octets: u64,
    /// Mbit/s that came to where the capture was made.
    pub goodput: Line,
    /// Packets that came, of RTP, or of those that one host's capture has and another should have.
    pub packets: Line,
    /// Those that are missing.
    pub missing: Line,
    /// The jitter of RTP in ms.
    pub jitter: Line,
}

/// A stream in a capture.
#[derive(Clone, Copy)]
struct View<'a> {
    capture: usize,
    stream: &'a Stream,
    on_air: bool,
}

impl View<'_> {
    fn span_s(&self, evidence: &Evidence) -> [f64; 2] {
        self.stream.span_ns.map(|at| evidence.seconds_in(self.capture, at))
    }

    fn missing(&self) -> Option<Missing> {
        if self.on_air { None } else { self.stream.missing() }
    }

    /// Whether it tells more than another of the same stream: a host's more than a monitor's, a longer one more than a shorter, and
    /// of the same time the one that has fewer packets, since that is farther on their way.
    fn tells_more(&self, other: &Self) -> bool {
        if self.on_air != other.on_air {
            return other.on_air;
        }
        let long = |view: &Self| (view.stream.span_ns[1] - view.stream.span_ns[0]) as f64;
        let (ours, theirs) = (long(self), long(other));
        if ours.min(theirs) < AS_LONG * ours.max(theirs) {
            return ours > theirs;
        }
        self.stream.packets < other.stream.packets
    }
}

fn views(evidence: &Evidence) -> impl Iterator<Item = View<'_>> {
    evidence.streams.iter().enumerate().flat_map(|(capture, streams)| {
        let on_air = evidence.captures[capture].place == Some(Place::Air);
        streams.iter().map(move |stream| View { capture, stream, on_air })
    })
}

/// The views that tell most, one of each stream, by its ends.
fn best(evidence: &Evidence) -> BTreeMap<[SocketAddr; 2], View<'_>> {
    let mut best: BTreeMap<_, View<'_>> = BTreeMap::new();
    for view in views(evidence) {
        best.entry(view.stream.ends)
            .and_modify(|known| {
                if view.tells_more(known) {
                    *known = view;
                }
            })
            .or_insert(view);
    }
    best
}

/// All streams of all captures.
pub(crate) fn seen(evidence: &Evidence) -> Vec<StreamSeen> {
    let (best, lost) = (best(evidence), between::by_view(&evidence.between));
    views(evidence)
        .map(|view| {
            let View { capture, stream, .. } = view;
            let span_s = view.span_s(evidence);
            let all = sum(stream.jitter.bins());
            let (stalled, late, hole) = (stream.stalled(), stream.late(), stream.hole());
            let lasted_s = span_s[1] - span_s[0] - stream.paused_ns as f64 / 1e9;
            let jitter_ms = (all.count > 0).then(|| all.sum / f64::from(all.count) / 1e6);
            StreamSeen {
                capture,
                from: stream.ends[0].to_string(),
                to: stream.ends[1].to_string(),
                tells_most: best.get(&stream.ends).is_some_and(|known| known.capture == capture),
                span_s,
                packets: stream.packets,
                bytes: stream.octets,
                mbps: 8e-6 * stream.octets as f64 / lasted_s.max(1e-3),
                runs: stream.runs,
                lasted_s,
                nothing_back: !view.on_air && nothing_back(evidence, capture, stream),
                marked: stream.marked,
                steady: stream.is_steady(),
                silence_s: stream.silence_ns as f64 / 1e9,
                rtp: view.missing().map(|Missing { sent, missing }| RtpSeen {
                    sent,
                    missing,
                    sources: stream.by_source().into_iter().map(RtpSourceSeen::from).collect(),
                    hole: hole.missing,
                    hole_s: hole.span_ns.map(|at| evidence.seconds_in(capture, at)),
                    jitter_ms,
                    stalls: stalled.times,
                    stalled_s: stalled.longest_ns as f64 / 1e9,
                    at_once: stalled.times > 0 && stalled.at_once_ns == stalled.longest_ns,
                    late_s: late.most_ns as f64 / 1e9,
                    late_span_s: late.span_ns.map(|at| evidence.seconds_in(capture, at)),
                    paused_s: stalled.paused_ns as f64 / 1e9,
                }),
                lost: lost.get(&(capture, stream.ends)).map(|one| one.counts),
            }
        })
        .collect()
}

/// Whether nothing comes back of a stream, nor anything else of its receiver while it goes, though its sender gets answers of a third host.
fn nothing_back(evidence: &Evidence, capture: usize, stream: &Stream) -> bool {
    let [from, to] = stream.ends;
    let [first_ns, last_ns] = stream.span_ns;
    let spoken = &evidence.spoken[capture];
    let says_nothing = spoken.is_silent(to.ip()).is_some_and(|never| {
        never || spoken.any(to.ip(), first_ns, last_ns + ANSWERED_WITHIN) == Some(false)
    });
    let is_silent = is_one_host(to.ip()) && says_nothing;
    let ends = || evidence.streams[capture].iter().map(|stream| stream.ends);
    let asks = |of: SocketAddr| ends().any(|[one, other]| one.ip() == from.ip() && other == of);
    is_silent
        && !ends().any(|other| other == [to, from])
        && ends().any(|[one, other]| other.ip() == from.ip() && asks(one))
}

/// Whether an address is that of one host, as far as it shows: most networks end in an address for all.
const fn is_one_host(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => !ip.is_multicast() && !ip.is_broadcast() && ip.octets()[3] != u8::MAX,
        IpAddr::V6(ip) => !ip.is_multicast(),
    }
}

/// The streams over time, each once, the largest first; small ones together are the last, without ends.
pub(crate) fn layers(evidence: &Evidence, grid: &Grid) -> Vec<StreamLayers> {
    let mut all: Vec<_> = best(evidence).into_values().collect();
    all.sort_by_key(|view| std::cmp::Reverse(view.stream.octets));
    let small = all.split_off(all.len().min(MOST));
    let lost = between::by_view(&evidence.between);
    let mut found: Vec<_> = all.iter().map(|view| of(evidence, grid, &[*view], &lost)).collect();
    if !small.is_empty() {
        let together = of(evidence, grid, &small, &lost);
        found.push(StreamLayers { from: String::new(), to: String::new(), ..together });
    }
    found
}

/// Streams as one, beside what is lost of each between two captures.
fn of(
    evidence: &Evidence,
    grid: &Grid,
    views: &[View<'_>],
    lost: &BTreeMap<between::View, &Between>,
) -> StreamLayers {
    let all = |lines: &mut dyn Iterator<Item = (usize, &Bins)>| {
        let mut all = vec![Bin::default(); grid.count];
        for (capture, line) in lines {
            let bins = grid.take(evidence, capture, line);
            all.iter_mut().zip(&bins).for_each(|(sum, bin)| sum.merge(bin));
        }
        all
    };
    let of_rtp = || views.iter().filter(|view| view.missing().is_some());
    // What came and what did not, and by whose stamps: RTP's numbers tell of the whole way.
    let counted: Vec<(usize, [&Bins; 2])> = views
        .iter()
        .filter_map(|view| {
            let by_numbers = view.missing().map(|_| (view.capture, [&view.stream.came, &view.stream.lost]));
            let between = || lost.get(&(view.capture, view.stream.ends));
            by_numbers.or_else(|| between().map(|one| (one.views[0].0, [&one.came, &one.lost])))
        })
        .collect();
    let is_counted = !counted.is_empty();
    let came = all(&mut views.iter().map(|view| (view.capture, &view.stream.came)));
    let [packets, missing] = [0, 1].map(|line| all(&mut counted.iter().map(|one| (one.0, one.1[line]))));
    let jitter = all(&mut of_rtp().map(|view| (view.capture, &view.stream.jitter)));
    let [from, to] = views[0].stream.ends.map(|end| end.to_string());
    StreamLayers {
        from,
        to,
        octets: views.iter().map(|view| view.stream.octets).sum(),
        goodput: Line::sums(&came, 8e-6 / grid.width_s),
        packets: Line::of(&packets, |bin| is_counted.then_some(f64::from(bin.count))),
        missing: Line::of(&missing, |bin| is_counted.then_some(bin.sum)),
        jitter: Line::means(&jitter.iter().map(|bin| Bin { sum: bin.sum / 1e6, ..*bin }).collect::<Vec<_>>()),
    }
}

fn sum(bins: &[Bin]) -> Bin {
    bins.iter().fold(Bin::default(), |mut sum, bin| {
        sum.merge(bin);
        sum
    })
}
