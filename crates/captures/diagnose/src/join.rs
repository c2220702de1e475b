//! Captures on one clock: the reference's, which is the monitor's if there is one.

use airloom_trace::{Clock, Encrypted, Lengths, MacAddr, Packet, Sample, Shared};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::OnceLock;

/// Fewer packets than this say nothing of a way.
const MIN_PACKETS: usize = 20;
/// So many echoes of the same addresses, identifier and numbers, those of IPv4 among them, are of one host.
const MIN_ECHOES: usize = 3;

/// Packets of a capture that it may have in common with others, by what they say.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// TCP's.
    pub(crate) segments: Sample,
    /// UDP's.
    pub(crate) datagrams: Sample,
    /// ICMP echo's: by them captures are of one network, but on no clock.
    echoes: Sample,
}

impl Samples {
    /// Notes a packet.
    pub(crate) fn see(&mut self, at_ns: u64, packet: &Packet) {
        self.segments.see_segment(at_ns, packet);
        self.datagrams.see_datagram(at_ns, packet);
        self.echoes.see_echo(at_ns, packet);
    }

    /// Whether both have so many of the same questions and answers of ICMP echo that these are of one network.
    pub(crate) fn share_echoes(&self, other: &Self) -> bool {
        self.echoes.shared(&other.echoes).len() >= MIN_ECHOES
    }

    /// What both have that shows how their clocks differ: of UDP, whose packets may say little of which they are, where TCP does not. Beside it what both have of UDP.
    fn shared(&self, other: &Self) -> (Vec<Shared>, Vec<Shared>) {
        let segments = self.segments.shared(&other.segments);
        let datagrams = self.datagrams.shared(&other.datagrams);
        if Clock::between(&segments).is_none() && Clock::between(&datagrams).is_some() {
            return (datagrams.clone(), datagrams);
        }
        (segments, datagrams)
    }
}

/// How long packets took between the places of two captures.
#[derive(Debug)]
pub(crate) struct Passage {
    /// Their source and destination.
    pub(crate) ends: [IpAddr; 2],
    /// Whether they pass the reference first.
    pub(crate) there: bool,
    /// The times in ms, the shortest first.
    pub(crate) delays_ms: Vec<f64>,
}

impl Passage {
    /// What half of the packets need, or longer, in ms.
    pub(crate) fn median_ms(&self) -> f64 {
        self.delays_ms[self.delays_ms.len() / 2]
    }
}

/// A capture beside the reference.
#[derive(Debug, Default)]
pub struct Join {
    /// Its clock against the reference's; none if they share too little, and for the reference itself.
    pub clock: Option<Clock>,
    /// A sample of the packets that the reference has too, the reference's stamp first.
    pub shared: Vec<Shared>,
    /// The same of UDP, whether or not the clock is known by it.
    pub(crate) datagrams: Vec<Shared>,
    /// The station whose encrypted frames these packets are, if only their lengths and order tell.
    pub station: Option<MacAddr>,
    /// The capture beside which it is, if that is not the reference: what the two share has its stamps on the reference's clock.
    pub through: Option<usize>,
    /// Ways of packets, once they have been asked for.
    passages: OnceLock<Vec<Passage>>,
}

impl Join {
    /// Finds what a capture shares with the reference.
    pub(crate) fn between(reference: &Samples, capture: &Samples) -> Self {
        let (shared, datagrams) = reference.shared(capture);
        Self { clock: Clock::between(&shared), shared, datagrams, ..Self::default() }
    }

    /// The same where the reference is a monitor that cannot read what is encrypted.
    pub(crate) fn by_lengths(reference: &Encrypted, capture: &Lengths) -> Self {
        let Some((station, shared)) = capture.shared(reference) else { return Self::default() };
        Self { clock: Clock::between(&shared), shared, station: Some(station), ..Self::default() }
    }

    /// The same by way of a capture, at a place among all, that is on the reference's clock.
    pub(crate) fn through(place: usize, clock: Clock, sample: &Samples, capture: &Samples) -> Self {
        let (mut shared, mut datagrams) = sample.shared(capture);
        let all = shared.iter_mut().chain(&mut datagrams);
        all.for_each(|one| one.at_ns[0] = clock.corrected(one.at_ns[0]));
        let own = Clock::between(&shared).map(|own| own.through(clock.within_ns()));
        Self { clock: own, shared, datagrams, through: Some(place), ..Self::default() }
    }

    /// A stamp of the capture on the reference's clock.
    pub fn corrected(&self, at_ns: u64) -> u64 {
        self.clock.map_or(at_ns, |clock| clock.corrected(at_ns))
    }

    /// Every way of packets between two ends that has enough of them, in the order of the ends.
    pub(crate) fn passages(&self) -> &[Passage] {
        self.passages.get_or_init(|| self.sorted_passages(&self.shared))
    }

    /// The same of those that passed the reference at times that fit, in nanoseconds since 1970; and of such datagrams alone.
    pub(crate) fn passages_at(&self, fits: impl Fn(u64) -> bool) -> [Vec<Passage>; 2] {
        [&self.shared, &self.datagrams]
            .map(|all| self.sorted_passages(all.iter().filter(|one| fits(one.at_ns[0]))))
    }

    fn sorted_passages<'a>(&self, of: impl IntoIterator<Item = &'a Shared>) -> Vec<Passage> {
        let Some(clock) = self.clock else { return Vec::new() };
        let mut by_ends: BTreeMap<[IpAddr; 2], Vec<i64>> = BTreeMap::new();
        for one in of {
            by_ends.entry(one.ends).or_default().push(clock.delay_ns(one));
        }
        let passage = |(ends, mut delays): ([IpAddr; 2], Vec<i64>)| {
            delays.sort_unstable();
            let there = delays[delays.len() / 2] >= 0;
            let mut delays_ms: Vec<_> = delays.iter().map(|one| (*one as f64 / 1e6).abs()).collect();
            delays_ms.sort_by(f64::total_cmp);
            Passage { ends, there, delays_ms }
        };
        by_ends.into_iter().filter(|(_, delays)| delays.len() >= MIN_PACKETS).map(passage).collect()
    }
}
