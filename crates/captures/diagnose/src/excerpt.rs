//! The records around a finding, for a reader who wants to see it: a second look into the files, which keeps little.

use crate::evidence::Evidence;
use crate::finding::{Finding, Placed};
use crate::row::{ExcerptRow, ends};
use airloom_trace::{Capture, Frame, MacAddr, Record, Seen, Subtype};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;

/// The most records of one finding, of all findings together, and of one finding if there are many.
const MOST: usize = 200;
const MOST_OF_ALL: usize = 4000;
const MIN_ROWS: usize = 12;
/// Each record that a finding names stands among as many rows at least.
const ROWS_PER_NAMED: usize = 6;
/// What is farther from a record that a finding names, in records, is no neighbour of it.
const NEAR: u32 = 2000;
/// Spans of which the middle is shown, of a finding that names one record at most.
const SPANS: usize = 3;

/// The records around a finding.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Excerpt {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// The records, in their order.
    pub rows: Vec<ExcerptRow>,
}

/// The records around each finding, in the order of the findings; of hundreds the last have none.
///
/// Each file is read once more, up to the last record that is needed. One that cannot be read twice, such as a pipe, gives none.
pub fn excerpts(evidence: &Evidence, findings: &[Placed]) -> Vec<Excerpt> {
    let open = |path: &Path| path.is_file().then(|| Capture::open(path).ok()).flatten();
    gather(evidence, findings, open)
}

/// The same from captures that are opened otherwise.
pub fn gather(
    evidence: &Evidence,
    findings: &[Placed],
    open: impl Fn(&Path) -> Option<Capture>,
) -> Vec<Excerpt> {
    let room = (MOST_OF_ALL / findings.len().max(1)).clamp(MIN_ROWS, MOST);
    let mut found = vec![Excerpt::default(); findings.len()];
    for (capture, told) in evidence.captures.iter().enumerate() {
        let mut collectors: Vec<_> = findings
            .iter()
            .enumerate()
            .take(MOST_OF_ALL / MIN_ROWS)
            .filter(|(_, placed)| placed.finding.capture == capture)
            .map(|(place, Placed { finding, .. })| (place, Collector::of(evidence, finding, room)))
            .collect();
        let file = if collectors.is_empty() { None } else { open(&told.path) };
        let Some(mut file) = file else { continue };
        while let Some(Ok(record)) = file.next() {
            if record.interface != told.interface {
                continue;
            }
            let at_s = evidence.seconds_in(capture, record.stamp_ns);
            let mut open = false;
            for (_, collector) in &mut collectors {
                open |= collector.see(at_s, &record);
            }
            if !open {
                break;
            }
        }
        for (place, collector) in collectors {
            let row = |(record, named): (Record, bool)| ExcerptRow::of(evidence, capture, &record, named);
            found[place] = Excerpt { capture, rows: collector.kept.into_iter().map(row).collect() };
        }
    }
    found
}

/// Whose records are shown.
#[derive(Debug)]
enum Whose {
    /// Everybody's.
    All,
    /// What goes to a radio or comes from it.
    Radio(MacAddr),
    /// The data of a radio to another, and what else goes between them.
    Between(MacAddr, MacAddr),
    /// What goes between the two ends of a connection.
    Ends(SocketAddr, SocketAddr),
}

impl Whose {
    /// The radios or the connection that a finding names as its subject.
    fn of(evidence: &Evidence, finding: &Finding) -> Self {
        let named = |what: &str| finding.subject.split_whitespace().any(|word| word == what);
        let connections = evidence.connections.get(finding.capture).into_iter().flatten();
        let ends = connections.map(|connection| connection.ends);
        if let Some([one, other]) =
            ends.into_iter().find(|ends| ends.iter().all(|end| named(&end.to_string())))
        {
            return Self::Ends(one, other);
        }
        let radios = evidence.airs().flat_map(|(_, air)| air.radios());
        let mut macs: Vec<_> = radios.map(|radio| radio.mac).filter(|mac| named(&mac.to_string())).collect();
        macs.sort_by_key(|mac| finding.subject.find(&mac.to_string()));
        match (macs.first().copied(), macs.get(1).copied()) {
            (Some(one), Some(other)) => Self::Between(one, other),
            (Some(one), None) => Self::Radio(one),
            _ => Self::All,
        }
    }

    fn has(&self, seen: &Seen) -> bool {
        match (self, seen) {
            (Self::All, _) => true,
            (&Self::Radio(mac), Seen::Air(frame)) => frame.receiver == mac || frame.transmitter == Some(mac),
            (&Self::Between(one, other), Seen::Air(frame)) => between(frame, one, other),
            (&Self::Ends(one, other), Seen::Air(Frame { packet: Some(packet), .. }) | Seen::Host(packet)) => {
                ends(packet).is_some_and(|ends| ends == [one, other] || ends == [other, one])
            }
            _ => false,
        }
    }
}

/// Data from one radio to another, and frames without data between them either way.
fn between(frame: &Frame, from: MacAddr, to: MacAddr) -> bool {
    let radios = [from, to];
    radios.contains(&frame.receiver)
        && frame.transmitter.is_none_or(|sender| radios.contains(&sender))
        && (frame.subtype != Subtype::Data || frame.receiver == to)
}

/// Collects the records of one finding.
#[derive(Debug)]
struct Collector {
    whose: Whose,
    /// Numbers of records that the finding names and that have yet to come, in their order.
    named: VecDeque<u32>,
    /// Of one that names one at most: times that have yet to come, in seconds.
    times: VecDeque<f64>,
    /// Records of the subject just before, and how many of them are shown.
    before: VecDeque<Record>,
    lead: usize,
    /// How many more are shown behind the last that is named, and how many there are of each.
    left: usize,
    trail: usize,
    room: usize,
    /// What is shown, and whether the finding names it.
    kept: Vec<(Record, bool)>,
}

impl Collector {
    fn of(evidence: &Evidence, finding: &Finding, room: usize) -> Self {
        let mut numbers = finding.frames.clone();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.truncate(room / ROWS_PER_NAMED);
        // One record may be no more than the beginning of what the finding is about.
        let mut times: Vec<f64> = if numbers.len() <= 1 {
            finding.spans.iter().take(SPANS).map(|span| (span[0] + span[1]) / 2.0).collect()
        } else {
            Vec::new()
        };
        times.sort_by(f64::total_cmp);
        let each = room / (numbers.len() + times.len()).max(1);
        let lead = if numbers.is_empty() { 0 } else { each / 3 };
        Self {
            whose: Whose::of(evidence, finding),
            named: numbers.into(),
            times: times.into(),
            before: VecDeque::new(),
            lead,
            left: 0,
            trail: each - lead - 1,
            room,
            kept: Vec::new(),
        }
    }

    /// Takes the next record; whether more are needed.
    fn see(&mut self, at_s: f64, record: &Record) -> bool {
        if self.kept.len() >= self.room {
            return false;
        }
        let named = self.named.front() == Some(&record.number);
        if named {
            self.named.pop_front();
        }
        let begins = self.times.front().is_some_and(|&time| at_s >= time);
        let near = self.named.front().is_some_and(|&next| next - record.number <= NEAR);
        if !(named || begins || near || self.left > 0) {
            return !self.named.is_empty() || !self.times.is_empty();
        }
        if begins {
            self.times.pop_front();
            self.left = self.trail + 1;
        }
        if named {
            self.kept.extend(self.before.drain(..).map(|record| (record, false)));
            self.kept.push((*record, true));
            self.left = self.trail;
        } else if self.whose.has(&record.seen) {
            if self.left > 0 {
                self.left -= 1;
                self.kept.push((*record, false));
            } else if self.lead > 0 {
                if self.before.len() == self.lead {
                    self.before.pop_front();
                }
                self.before.push_back(*record);
            }
        }
        true
    }
}
