//! W108: packets are held up again and again, as behind a radio that leaves its channel.

use super::stood_still::stood_still;
use super::with_enough;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, filter_between, of_records};
use crate::rule::Rule;
use crate::slowed::slowed_mbps;
use airloom_trace::tcp::{Connection, Interruption, Vantage};
use airloom_trace::{Bins, Place, Spread, Stream};
use std::collections::BTreeSet;
use std::net::SocketAddr;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W108",
    name: "regular interruptions",
    means: "Again and again, at regular times, nothing gets through for a moment, and then all at once. A \
            radio that leaves its channel to look for other networks does that.",
    needs: "TCP or UDP",
    computes: "Spells of 40 to 500 ms in which nothing of an end came, and then what it had sent in their first half, by its clock values (RFC 7323), or, where it sends none, an acknowledgment that took longer than the one before by half of the spell and more, with four segments outstanding; or nothing of \
               a steady stream of UDP, and then at least half of what was due, at once. \
               Eight or more are a train if each comes at most 2 s after the one before, half of them not within 15 ms of it, and seven in ten intervals \
               are about a multiple of the median one, as seven in ten spells are about as long as their median (those alone are counted, so that six may be left); two within 15 ms that are together as long as that are one. Where they are none, those of one length that take the most time together are one if seven in ten \
               of their intervals are within a tenth of a multiple. The number is the share of a train's time that the spells take; the cost is the rate outside of trains, or before the first where that is more, without the time in which the flow grew to it, less the rate within. A capture of the air \
               tells more (W101, W102, W103, W107): beside one the rule says nothing of its time.",
    traps: "Of data without clock values that comes at such times only, the rule cannot tell. A program that pauses goes on with a clock value of now, and a stream at its pace. Holes in reordering, interference and dozing hold packets up too, but not at regular \
            times. Whatever else on the way stands still by a timer looks the same.",
    refuted_by: "A monitor's capture beside it in which the station is there all the time; a log of the station without a scan at these times.",
    judge,
};

/// Smaller flows say nothing, in octets.
const SMALL: u64 = 100_000;
/// What is longer is an outage, in nanoseconds.
const LONGEST: u64 = 500_000_000;
/// The longest time from one spell of a train to the next, in nanoseconds.
const BETWEEN: u64 = 2_000_000_000;
/// The least of it: a radio that scans comes home to move data, in nanoseconds.
const HOME: u64 = 15_000_000;
/// The fewest spells that are a train: the channels of a scan are more than these.
const FEWEST: usize = 8;
/// How far from a multiple of the median an interval may be, and from the median a length, in medians, and the share of them that has
/// to be as near. Of intervals at random one in four is. Multiples: nothing is held up while nothing is on its way.
const OFF: f64 = 0.2;
const REGULAR: f64 = 0.7;
/// How far off among spells of other lengths: of intervals at random one in five is as near to a multiple.
const OFF_AMONG_OTHERS: f64 = 0.1;
/// The greatest multiple.
const MULTIPLE: f64 = 4.0;
/// The share of a train's time that is reported, in percent.
const REPORTED_PCT: f64 = 5.0;
/// Records that are named, evenly of all trains.
const NAMED: usize = 64;

type Train = Vec<Interruption>;

/// What was held up again and again.
struct Held<'a> {
    capture: usize,
    ends: [SocketAddr; 2],
    subject: String,
    filter: String,
    /// Octets over time; none of a stream, which goes on at its own pace.
    delivered: Option<&'a Bins>,
    trains: Vec<Train>,
}

impl<'a> Held<'a> {
    /// The same end of a connection.
    fn of_flow(flow: &Flow<'a>, spells: &[Interruption]) -> Self {
        Self {
            capture: flow.capture,
            ends: flow.connection.ends,
            subject: flow.named(),
            filter: flow.filter(),
            delivered: Some(&flow.data().delivered),
            trains: trains(spells),
        }
    }

    fn of_stream(capture: usize, stream: &'a Stream) -> Self {
        let [from, to] = stream.ends;
        Self {
            capture,
            ends: stream.ends,
            subject: format!("{from} to {to}"),
            filter: filter_between("udp", stream.ends),
            delivered: None,
            trains: trains(stream.interruptions.kept()),
        }
    }

    fn spells(&self) -> usize {
        self.trains.iter().map(Vec::len).sum()
    }
}

fn judge(evidence: &Evidence) -> Verdict {
    let connections = placed(&evidence.connections);
    let at_host = |&(capture, _): &(usize, &Stream)| evidence.captures[capture].place != Some(Place::Air);
    let streams = placed(&evidence.streams).filter(at_host);
    if connections.clone().next().is_none() && streams.clone().next().is_none() {
        return Verdict::CannotTell(nothing_to_look_at(evidence));
    }
    let of_tcp = connections.filter(|(_, connection)| connection.octets() >= SMALL);
    // Each spell of a train lies between two packets.
    let is_long = |(_, stream): (usize, &Stream)| stream.packets > FEWEST as u64;
    let enough = of_tcp.clone().next().is_some() || streams.clone().any(is_long);
    let (mut large, mut of_large) = (of_tcp.clone(), of_tcp.clone());
    let of_tcp = of_tcp.flat_map(|(capture, connection)| {
        let flow = Flow { capture, connection, from: connection.main_direction() };
        connection.interruptions.iter().map(move |of_end| Held::of_flow(&flow, of_end.list.kept()))
    });
    let of_udp = streams.map(|(capture, stream)| Held::of_stream(capture, stream));
    let mut shown: Vec<Held<'_>> = of_tcp.chain(of_udp).filter(|held| !held.trains.is_empty()).collect();
    let passed_over = shown
        .iter()
        .find(|held| held.trains.iter().any(|train| heard_meanwhile(evidence, held.capture, train)));
    let passed_over = passed_over.map(|held| {
        format!("{}: packets were held up again and again while a monitor heard the air, which tells why (W101, W102, W103, W107): this rule goes by a host's packets alone", held.subject)
    });
    for held in &mut shown {
        let capture = held.capture;
        held.trains.retain(|train| !heard_meanwhile(evidence, capture, train));
    }
    shown.retain(|held| !held.trains.is_empty());
    shown.sort_by_key(|held| std::cmp::Reverse(held.spells()));
    // All that a host receives stands still at once, and a connection in every capture of it: the one that shows it best.
    let (mut captures, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    let mut first = |held: &Held<'_>| {
        let [one, other] = held.ends.map(|end| end.ip());
        let new_pair = pairs.insert((evidence.network_of(held.capture), one.min(other), one.max(other)));
        captures.insert(held.capture) && new_pair
    };
    let found = shown.iter().filter(|held| first(held)).filter_map(|held| found(evidence, held)).collect();
    let mut verdict = Verdict::unless_found(found, passed_over);
    if verdict == Verdict::NOTHING {
        let stood = large.find_map(|(capture, connection)| still_way(evidence, capture, connection));
        verdict = Verdict::unless_found_suspects(Vec::new(), stood);
    }
    if verdict == Verdict::NOTHING {
        let clockless =
            of_large.find_map(|(capture, connection)| without_clock(evidence, capture, connection));
        verdict = Verdict::unless_found(Vec::new(), clockless);
    }
    with_enough(verdict, enough, || {
        let by_monitor = placed(&evidence.streams).any(is_long);
        format!(
            "no connection of {} kB or more, and no stream of UDP with more than {FEWEST} packets{}",
            SMALL / 1000,
            if by_monitor { " in a host's capture; a monitor's may miss some" } else { "" }
        )
    })
}

/// What a connection shows of one of its two ways that stood still, in words.
fn still_way(evidence: &Evidence, capture: usize, connection: &Connection) -> Option<String> {
    [0, 1].into_iter().find_map(|from| {
        let stood = stood_still(evidence, capture, connection, from)?;
        Some(format!("{} to {}: {stood}", connection.ends[from], connection.ends[1 - from]))
    })
}

/// That an end which sends no clock values was silent at regular times: whether its packets were held up does not show. At its own interface its silences are its own.
fn without_clock(evidence: &Evidence, capture: usize, connection: &Connection) -> Option<String> {
    [0, 1].into_iter().filter(|&from| connection.vantage(from) != Vantage::Sender).find_map(|from| {
        let trains = trains(connection.interruptions[from].silent.kept());
        let spells: Vec<_> = trains.iter().flatten().collect();
        let heard = trains.iter().any(|train| heard_meanwhile(evidence, capture, train));
        (!spells.is_empty() && !heard).then(|| {
            let usual = median(&mut spells.iter().map(|spell| spell.length_ns()).collect::<Vec<_>>());
            format!(
                "{} to {}: {} times, at regular times, nothing came for {:.0} ms. Its TCP sends no clock values (RFC 7323), which would tell a way that stood still, as where a radio scans, from a program that \
                 paused: a capture at {} would tell",
                connection.ends[from],
                connection.ends[1 - from],
                spells.len(),
                usual as f64 / 1e6,
                connection.ends[from]
            )
        })
    })
}

/// Why there is nothing that the rule looks at. A stream of UDP that a monitor heard is none: it may have missed what seems to be held up.
fn nothing_to_look_at(evidence: &Evidence) -> String {
    let heard = evidence.streams.iter().any(|streams| !streams.is_empty());
    let remedy = if super::at_host(evidence) { "" } else { ": take a capture at a host" };
    if heard {
        format!("UDP was captured by a monitor alone, which may miss packets, and no TCP{remedy}")
    } else {
        format!("no packet of TCP or UDP that can be read{remedy}")
    }
}

/// Whether a capture of the air is of the time of a train: it tells more.
fn heard_meanwhile(evidence: &Evidence, capture: usize, train: &Train) -> bool {
    let [from, to] =
        [train[0].from_ns, train[train.len() - 1].to_ns].map(|at| evidence.seconds_in(capture, at));
    evidence.is_heard(from, to)
}

/// What each capture has, beside the place of the capture.
fn placed<T>(all: &[Vec<T>]) -> impl Iterator<Item = (usize, &T)> + Clone {
    all.iter().enumerate().flat_map(|(capture, of_one)| of_one.iter().map(move |one| (capture, one)))
}

fn found(evidence: &Evidence, held: &Held<'_>) -> Option<Finding> {
    let trains = &held.trains;
    let spells: Vec<_> = trains.iter().flatten().collect();
    let away: u64 = spells.iter().map(|spell| spell.length_ns()).sum();
    let within: u64 = trains.iter().map(|train| train[train.len() - 1].to_ns - train[0].from_ns).sum();
    let share = 100.0 * away as f64 / within.max(1) as f64;
    if share < REPORTED_PCT {
        return None;
    }
    let seconds = |at: u64| evidence.seconds_in(held.capture, at);
    let usual = median(&mut spells.iter().map(|spell| spell.length_ns()).collect::<Vec<_>>()) as f64 / 1e6;
    let every =
        median(&mut trains.iter().flat_map(|train| intervals(train)).collect::<Vec<_>>()) as f64 / 1e6;
    let count = spells.len();
    let numbers = named(spells.iter().map(|spell| spell.number));
    Some(Finding {
        subject: held.subject.clone(),
        spans: trains.iter().map(|train| [seconds(train[0].from_ns), seconds(train[train.len() - 1].to_ns)]).collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the time between the first and the last",
        confidence: if count >= 2 * FEWEST { 0.8 } else { 0.7 },
        cost: lost(held.delivered, trains, (usual, share)),
        capture: held.capture,
        filter: format!("{} && {}", held.filter, of_records(&numbers)),
        frames: numbers,
        says: format!(
            "{count} times, about every {every:.0} ms, nothing came for {usual:.0} ms, and then all that had been sent meanwhile. So does a radio that leaves its \
             channel to scan; the capture of a host alone does not tell that from other things on the way that stop by a timer."
        ),
        remedy: "See whether the device scans at these times: `airloom-guard watch`, or `iw event -t` during a transfer. If it does, keep scans off while data \
                 moves: `airloom guard`. If not, a monitor's capture beside this one tells more."
            .to_owned(),
    })
}

/// Records that stand for all of these, from the first train to the last.
fn named(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut spread = Spread::<u32, NAMED>::default();
    numbers.for_each(|number| spread.push(number));
    spread.kept().to_vec()
}

/// The trains of spells that come at regular times: wherever they come soon behind each other all of them, or else those of one length.
fn trains(spells: &[Interruption]) -> Vec<Train> {
    let spells: Train = spells.iter().filter(|spell| spell.length_ns() <= LONGEST).copied().collect();
    let is_one = |train: &Train| is_steady(train) && is_train(train, OFF);
    split(spells)
        .into_iter()
        .map(whole)
        .flat_map(|train| if is_one(&train) { vec![of_usual_length(&train)] } else { hidden(&train) })
        .collect()
}

/// Spells that come soon behind each other.
fn split(spells: Train) -> Vec<Train> {
    let mut trains: Vec<Train> = Vec::new();
    for spell in spells {
        match trains.last_mut() {
            Some(train) if spell.from_ns.saturating_sub(train[train.len() - 1].to_ns) <= BETWEEN => {
                train.push(spell)
            }
            _ => trains.push(vec![spell]),
        }
    }
    trains
}

/// The same with two as one that are together as long as the usual one, without time at home in between: something came through in the midst of it.
fn whole(spells: Train) -> Train {
    let usual = median(&mut spells.iter().map(Interruption::length_ns).collect::<Vec<_>>());
    let mut joined: Train = Vec::new();
    for spell in spells {
        match joined.last_mut() {
            Some(last)
                if spell.from_ns.saturating_sub(last.to_ns) < HOME
                    && is_near(spell.to_ns - last.from_ns, usual) =>
            {
                (last.to_ns, last.number) = (spell.to_ns, spell.number);
            }
            _ => joined.push(spell),
        }
    }
    joined
}

/// Those that are about as long as the usual one: what else holds packets up is no part of the train.
fn of_usual_length(spells: &[Interruption]) -> Train {
    let usual = median(&mut spells.iter().map(Interruption::length_ns).collect::<Vec<_>>());
    alike(spells, usual)
}

fn alike(spells: &[Interruption], usual: u64) -> Train {
    spells.iter().copied().filter(|spell| is_near(spell.length_ns(), usual)).collect()
}

/// The trains among those of one length, which other spells hide: those about as long as each other that take the most time together.
fn hidden(spells: &[Interruption]) -> Vec<Train> {
    let together = |alike: &Train| alike.iter().map(Interruption::length_ns).sum::<u64>();
    let most = spells.iter().map(|spell| alike(spells, spell.length_ns())).max_by_key(together);
    let mut trains = split(most.unwrap_or_default());
    trains.retain(|train| is_train(train, OFF_AMONG_OTHERS));
    trains
}

/// Whether spells come at regular times, with time between them.
fn is_train(train: &[Interruption], off: f64) -> bool {
    train.len() >= FEWEST && comes_home(train) && is_regular(intervals(train).collect(), off)
}

/// Whether a length is about as long as another.
fn is_near(length: u64, usual: u64) -> bool {
    (length as f64 / usual as f64 - 1.0).abs() <= OFF
}

/// From the beginning of each spell to that of the next, in nanoseconds.
fn intervals(train: &[Interruption]) -> impl Iterator<Item = u64> {
    train.windows(2).map(|pair| pair[1].from_ns.saturating_sub(pair[0].from_ns))
}

/// Whether there is time between the spells.
fn comes_home(train: &[Interruption]) -> bool {
    let between = train.windows(2).map(|pair| pair[1].from_ns.saturating_sub(pair[0].to_ns));
    median(&mut between.collect::<Vec<_>>()) >= HOME
}

/// Whether the spells are about as long as each other: a radio stays on each channel for a time that is set.
fn is_steady(train: &[Interruption]) -> bool {
    let lengths: Vec<u64> = train.iter().map(Interruption::length_ns).collect();
    let usual = median(&mut lengths.clone());
    let near = lengths.iter().filter(|&&length| is_near(length, usual)).count();
    near as f64 >= REGULAR * lengths.len() as f64
}

fn is_regular(mut intervals: Vec<u64>, off: f64) -> bool {
    let median = median(&mut intervals) as f64;
    let near = |&&interval: &&u64| {
        let times = interval as f64 / median;
        (times - times.round().clamp(1.0, MULTIPLE)).abs() <= off
    };
    intervals.iter().filter(near).count() as f64 >= REGULAR * intervals.len() as f64
}

fn median(values: &mut [u64]) -> u64 {
    values.sort_unstable();
    values[values.len() / 2]
}

/// What a flow lost within trains: its rate outside of them less that within, or the time of each spell if it was no slower.
fn lost(delivered: Option<&Bins>, trains: &[Train], (usual_ms, share): (f64, f64)) -> Cost {
    let within = |at: u64| {
        Some(trains.iter().any(|train| train[0].from_ns <= at && at < train[train.len() - 1].to_ns))
    };
    if let Some(slowed) = delivered.and_then(|delivered| slowed_mbps([(delivered, 1.0)], within)) {
        Cost::mbps(slowed.less, slowed.within, "of this flow, meanwhile")
    } else {
        Cost::ms(usual_ms, share / 100.0, "each time")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Spells by their beginnings and lengths in ms.
    fn spells(of: impl Iterator<Item = (u64, u64)>) -> Vec<Interruption> {
        let mut spells: Vec<_> = of
            .map(|(from, lasting)| Interruption {
                from_ns: from * MS,
                to_ns: (from + lasting) * MS,
                number: 0,
            })
            .collect();
        spells.sort_by_key(|spell| spell.from_ns);
        spells
    }

    /// Trips of a scan, each a little late.
    fn trips() -> impl Iterator<Item = (u64, u64)> {
        (0..20).map(|trip| (3000 + 320 * trip + 13 * trip % 17, 112 + 7 * trip % 11))
    }

    /// Shorter spells at any times, as others in the air make them.
    fn others() -> impl Iterator<Item = (u64, u64)> {
        (0..20).map(|other| (3130 + 320 * other + 97 * other * other % 120, 40 + 31 * other % 39))
    }

    /// How many spells are in each train.
    fn found(of: impl Iterator<Item = (u64, u64)>) -> Vec<usize> {
        trains(&spells(of)).iter().map(Vec::len).collect()
    }

    #[test]
    fn a_scan_is_a_train_among_shorter_spells_too() {
        assert_eq!(found(trips()), [20]);
        assert_eq!(found(trips().chain(others())), [20]);
    }

    #[test]
    fn each_of_two_scans_is_told_though_the_one_is_clean_and_the_other_is_not() {
        let later = || trips().map(|(from, lasting)| (from + 20_000, lasting));
        assert_eq!(found(trips().chain(others()).chain(later())), [20, 20]);
    }

    #[test]
    fn what_comes_through_in_the_midst_of_a_spell_does_not_end_it() {
        let cut = |(from, lasting): (u64, u64)| [(from, lasting / 2), (from + lasting / 2 + 2, lasting / 2)];
        let few = trips().enumerate().flat_map(
            |(trip, whole)| {
                if trip % 4 == 1 { cut(whole).to_vec() } else { vec![whole] }
            },
        );
        assert_eq!(found(few), [20]);
    }

    #[test]
    fn records_of_the_last_train_are_named_too() {
        assert_eq!(named(1..=36), (1..=36).collect::<Vec<_>>());
        let many = named(1..=500);
        assert!(many.len() <= NAMED && many[0] == 1 && many[many.len() - 1] > 480, "{many:?}");
    }

    #[test]
    fn a_few_spells_of_other_lengths_are_no_part_of_a_train() {
        assert_eq!(found(trips().chain([(1_500, 45), (2_600, 60), (4_445, 45), (9_900, 45)])), [20]);
    }

    #[test]
    fn spells_of_one_length_at_any_times_are_no_train() {
        let at_any = (0..20).map(|trip| (3000 + 320 * trip + 8191 * trip * trip % 190, 112 + 7 * trip % 11));
        assert!(found(at_any.chain(others())).is_empty());
    }
}
