//! Windows: what is worth one, and which are kept.

use super::event::{Event, What};
use airloom_observe::{FlowId, NodeId};
use airloom_sim::{Duration, IndexVec, Time, kinds};
use std::collections::VecDeque;

/// How far a window reaches back before its phenomenon, and on after it.
pub(super) const BEFORE: Duration = Duration::from_millis(100);
const AFTER: Duration = Duration::from_millis(200);
/// The longest part of a phenomenon and of what follows it that is kept, from its start.
const LONGEST: Duration = Duration::from_secs(2);
/// A reorder buffer that holds frames for less waits for a retransmission, which is usual.
pub(super) const LONG_HOLD: Duration = Duration::from_millis(20);
/// Windows of each kind that are kept: those that begin first, and of the others the longest.
const FIRST: usize = 2;
const WORST: usize = 1;
/// Events of a window that are kept.
const MOST: usize = 12_000;

kinds! {
    /// What a window is about.
    pub enum Occasion {
        /// A station was off its channel: one visit to another.
        Absence = "absence",
        /// An adapter held frames that it had received.
        Hold = "hold",
        /// A reorder buffer held frames behind a hole.
        Reordering = "reordering",
        /// A TCP sender repaired a loss, by fast recovery or after a timeout.
        Recovery = "recovery",
    }
}

/// Whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Station(NodeId),
    Flow(FlowId),
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phenomenon {
    pub(super) kind: Occasion,
    pub(super) subject: Subject,
    pub(super) start: Time,
    pub(super) end: Time,
}

impl Phenomenon {
    fn length(&self) -> Duration {
        self.end.since(self.start)
    }
}

/// A window that is kept.
pub(super) struct Window {
    pub(super) about: Phenomenon,
    pub(super) events: Vec<Event>,
}

/// What has begun and whose window is not complete.
struct Open {
    kind: Occasion,
    subject: Subject,
    start: Time,
    end: Option<Time>,
    /// The events of one that lasts so long that its window is complete before it is over.
    events: Option<Vec<Event>>,
}

impl Open {
    /// When the window is complete.
    fn due(&self) -> Time {
        let latest = self.start + LONGEST;
        match (self.end, &self.events) {
            (Some(end), _) => (end + AFTER).min(latest),
            (None, None) => latest,
            (None, Some(_)) => Time::NEVER,
        }
    }
}

/// The windows of a run.
pub(super) struct Windows {
    /// The nodes of each flow's ends.
    ends: IndexVec<FlowId, [NodeId; 2]>,
    open: Vec<Open>,
    /// When the next of them is complete.
    pub(super) due: Time,
    /// By kind: first those that began first, then the longest of the others.
    kept: [Vec<Window>; Occasion::WORDS.len()],
}

impl Windows {
    pub(super) fn new(ends: IndexVec<FlowId, [NodeId; 2]>) -> Self {
        Self { ends, open: Vec::new(), due: Time::NEVER, kept: Default::default() }
    }

    /// One more flow, between these nodes.
    pub(super) fn flow(&mut self, ends: [NodeId; 2]) {
        self.ends.push(ends);
    }

    /// Something began.
    pub(super) fn open(&mut self, kind: Occasion, subject: Subject, start: Time) {
        self.open.push(Open { kind, subject, start, end: None, events: None });
        self.arm();
    }

    /// It is over.
    pub(super) fn over(&mut self, what: Phenomenon) {
        let same = |open: &&mut Open| {
            (open.kind, open.subject, open.start) == (what.kind, what.subject, what.start)
                && open.end.is_none()
        };
        if let Some(open) = self.open.iter_mut().find(same) {
            open.end = Some(what.end);
        }
        self.arm();
    }

    /// When the first of those that need events began.
    pub(super) fn first(&self) -> Option<Time> {
        self.open.iter().filter(|open| open.events.is_none()).map(|open| open.start).min()
    }

    /// Completes the windows that end until `now`, or `all` of them.
    pub(super) fn close(&mut self, now: Time, events: &VecDeque<Event>, all: bool) {
        for mut open in std::mem::take(&mut self.open) {
            if now < open.due() && !all {
                self.open.push(open);
                continue;
            }
            let so_far = open.end.unwrap_or(now);
            let about = Phenomenon { kind: open.kind, subject: open.subject, start: open.start, end: so_far };
            if open.events.is_none() && self.wants(&about) {
                open.events = Some(self.concerned(&open, events));
            }
            if open.end.is_none() && !all {
                open.events.get_or_insert_default();
                self.open.push(open);
            } else if let Some(events) = open.events.take().filter(|events| !events.is_empty()) {
                self.keep(Window { about, events });
            }
        }
        self.arm();
    }

    /// All that were kept, in the order of their starts.
    pub(super) fn into_kept(self) -> Vec<Window> {
        let mut kept: Vec<_> = self.kept.into_iter().flatten().collect();
        kept.sort_by_key(|window| window.about.start);
        kept
    }

    fn arm(&mut self) {
        self.due = self.open.iter().map(Open::due).min().unwrap_or(Time::NEVER);
    }

    fn wants(&self, about: &Phenomenon) -> bool {
        let kept = &self.kept[about.kind.index()];
        kept.len() < FIRST + WORST
            || kept[FIRST..].iter().any(|window| window.about.length() < about.length())
    }

    fn keep(&mut self, window: Window) {
        if !self.wants(&window.about) {
            return;
        }
        let kept = &mut self.kept[window.about.kind.index()];
        if kept.len() < FIRST {
            return kept.push(window);
        }
        kept.push(window);
        kept[FIRST..].sort_by_key(|window| std::cmp::Reverse(window.about.length()));
        kept.truncate(FIRST + WORST);
    }

    /// The events of a window that concern its subject, in their order.
    fn concerned(&self, open: &Open, events: &VecDeque<Event>) -> Vec<Event> {
        let until = open.end.map_or(Time::NEVER, |end| end + AFTER).min(open.start + LONGEST);
        let from = events.partition_point(|event| event.at + BEFORE < open.start);
        let inside = events.range(from..).take_while(|event| event.at < until);
        inside.filter(|event| self.concerns(open.subject, event)).take(MOST).copied().collect()
    }

    /// Whether an event is one of the flow or of a flow of the station, of a queue on its way, or on the air.
    fn concerns(&self, subject: Subject, event: &Event) -> bool {
        let flow = |flow: FlowId| match subject {
            Subject::Flow(this) => flow == this,
            Subject::Station(station) => self.ends[flow].contains(&station),
        };
        match event.what {
            What::Sent { flow: of, .. }
            | What::Acknowledged { flow: of, .. }
            | What::Window { flow: of, .. }
            | What::Delivered { flow: of, .. } => flow(of),
            What::Depth { node, .. } => match subject {
                Subject::Station(station) => {
                    node == station || !self.ends.iter().flatten().any(|&end| end == node)
                }
                Subject::Flow(of) => {
                    self.ends[of].contains(&node) || !self.ends.iter().flatten().any(|&end| end == node)
                }
            },
            What::Frame(_) | What::Bitmap { .. } => true,
        }
    }
}
