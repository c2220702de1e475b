//! What is printed for programs, in the words that do not change.

use crate::attempts::{self, AttemptSeen};
use crate::capture::CaptureStats;
use crate::carriers::work_out;
use crate::datagrams::{self, StreamSeen};
use crate::evidence::Evidence;
use crate::finding::{Abstained, Finding, Placed, Verdict};
use crate::floods::{self, FloodSeen};
use crate::openings::{self, OpeningSeen};
use crate::order;
use crate::pings::{self, PingsSeen};
use crate::rule::Rule;
use crate::rules::{self, RULES};
use crate::scans::{self, ScanSeen};
use crate::seen::captures::{self, CaptureSeen, PassageSeen};
use crate::seen::flows::{self, FlowSeen};
use crate::seen::links::{self, DirectSeen, GroupSeen, LinkSeen, UnheardSeen};
use crate::seen::stations::{self, LeavesSeen, StationSeen};
use crate::summing_up::{SummedUp, sum_up};
use crate::undelivered::{self, TooBigSeen, UnreachableSeen};
use schemars::JsonSchema;
use serde::Serialize;

/// All that was found.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Diagnosis {
    /// The captures in the files: one for each interface that has records.
    pub captures: Vec<CaptureSeen>,
    /// The place among them of the capture whose clock all times are on.
    pub reference: usize,
    /// Radios that were heard, access points among them, and stations that were deauthenticated or disassociated.
    pub stations: Vec<StationSeen>,
    /// Data between stations and access points.
    pub links: Vec<LinkSeen>,
    /// Data between radios of which none is the other's access point.
    pub direct: Vec<DirectSeen>,
    /// The data of TCP connections, each direction by itself, as each capture shows it.
    pub connections: Vec<FlowSeen>,
    /// Directions between stations and access points of which no data was heard, though answers to it were.
    pub unheard: Vec<UnheardSeen>,
    /// Data to groups; none without a capture of the air, or without such data.
    pub group: Option<GroupSeen>,
    /// Deauthentications and disassociations, by transmitter.
    pub leaves: Vec<LeavesSeen>,
    /// Attempts to open TCP connections that failed, and how many more there are.
    pub attempts: Vec<AttemptSeen>,
    /// See `attempts`.
    pub attempts_left_out: u64,
    /// Floods of SYNs.
    pub floods: Vec<FloodSeen>,
    /// Scans of ports; their attempts are not among `attempts`.
    pub scans: Vec<ScanSeen>,
    /// Connections that opened late, since a SYN or its answer was sent again: the first two hundred; how many more there are.
    pub openings: Vec<OpeningSeen>,
    /// See `openings`.
    pub openings_left_out: u64,
    /// Streams of UDP, each direction by itself, as each capture shows it.
    pub streams: Vec<StreamSeen>,
    /// ICMP echo, each pair of hosts as each capture of a host shows it.
    pub pings: Vec<PingsSeen>,
    /// What routers say of packets that were too big for their way.
    pub too_big: Vec<TooBigSeen>,
    /// What hosts and routers say of packets for which nobody is there.
    pub unreachable: Vec<UnreachableSeen>,
    /// How long packets took between two captures, where their clocks could be compared.
    pub passages: Vec<PassageSeen>,
    /// What rules found: what concerns the network of the captured hosts first, and of that what costs the greatest part; what follows from a
    /// finding right behind it.
    pub findings: Vec<Placed>,
    /// Which of them stand for findings of many connections, stations or links.
    pub summed_up: Vec<SummedUp>,
    /// Which rules cannot tell.
    pub abstained: Vec<Abstained>,
}

impl Diagnosis {
    /// Lets every rule look at the evidence, channel by channel.
    pub fn of(evidence: &mut Evidence) -> Self {
        let mut heard = Heard::default();
        let mut judged = Vec::new();
        for _ in 0..evidence.channels() {
            work_out(evidence);
            judged.push((channel(evidence), RULES.map(|rule| rules::judged(rule, evidence))));
            heard.take(evidence);
            evidence.turn();
        }
        let evidence = &*evidence;
        let (findings, abstained) = told(evidence, &judged);
        let mut findings = order::sorted(evidence, findings);
        let own = evidence.own().iter().map(ToString::to_string).collect();
        let summed_up = sum_up(&mut findings, &own);
        let scans = scans::seen(evidence);
        let (attempts, attempts_left_out) = attempts::seen(evidence, &scans);
        let (openings, openings_left_out) = openings::seen(evidence);
        Self {
            captures: captures::seen(evidence),
            reference: evidence.reference(),
            stations: heard.stations,
            links: heard.links,
            direct: heard.direct,
            unheard: heard.unheard,
            connections: flows::seen(evidence),
            group: heard.group,
            leaves: heard.leaves,
            attempts,
            attempts_left_out,
            floods: floods::seen(evidence),
            scans,
            openings,
            openings_left_out,
            streams: datagrams::seen(evidence),
            pings: pings::seen(evidence),
            too_big: undelivered::too_big(evidence),
            unreachable: undelivered::unreachable(evidence),
            passages: captures::passages(evidence),
            findings,
            summed_up,
            abstained,
        }
    }
}

/// What was heard on all channels.
#[derive(Default)]
struct Heard {
    stations: Vec<StationSeen>,
    links: Vec<LinkSeen>,
    direct: Vec<DirectSeen>,
    unheard: Vec<UnheardSeen>,
    group: Option<GroupSeen>,
    leaves: Vec<LeavesSeen>,
}

impl Heard {
    /// Takes what was heard on the channel that is looked at. A radio that was heard on several counts on the one of most of its frames, data to groups on
    /// the one where it took most of the air.
    fn take(&mut self, evidence: &Evidence) {
        for mut one in stations::seen(evidence) {
            let Some(known) = self.stations.iter_mut().find(|known| known.mac == one.mac) else {
                self.stations.push(one);
                continue;
            };
            // It may have announced switches on several channels.
            let mut switches = std::mem::take(&mut known.switches);
            switches.append(&mut one.switches);
            if known.frames < one.frames {
                *known = one;
            }
            known.switches = switches;
        }
        self.links.extend(links::seen(evidence));
        self.direct.extend(links::direct(evidence));
        self.unheard.extend(links::unheard(evidence));
        self.leaves.extend(stations::leaves(evidence));
        // Where no rate is known nothing takes any time.
        let most = |group: &Option<GroupSeen>| group.as_ref().map(|group| (group.airtime_s, group.mpdus));
        let group = links::group(evidence);
        if most(&group) > most(&self.group) {
            self.group = group;
        }
    }
}

/// The channel that is looked at, in words that stand before why a rule cannot tell; none of the first, and of one without data.
fn channel(evidence: &Evidence) -> Option<String> {
    let (capture, air) = evidence.air.as_ref()?;
    let is_other = *capture != evidence.reference() && air.data > 0;
    is_other.then(|| format!("{}: ", evidence.captures[*capture].named()))
}

/// What every rule says of all channels, and which cannot tell: what a rule says of two alike is said once.
fn told(
    evidence: &Evidence,
    judged: &[(Option<String>, [Verdict; RULES.len()])],
) -> (Vec<(&'static Rule, Finding)>, Vec<Abstained>) {
    let (mut findings, mut abstained) = (Vec::new(), Vec::new());
    let disorder: Vec<_> = evidence.captures.iter().map(CaptureStats::disorder).collect();
    for (place, rule) in RULES.into_iter().enumerate() {
        if let Some(Some(because)) = disorder.first().filter(|_| disorder.iter().all(Option::is_some)) {
            abstained.push(Abstained { code: rule.code, because: because.clone(), suspects: false });
            continue;
        }
        let mut known = Vec::new();
        for (turn, (channel, verdicts)) in judged.iter().enumerate() {
            match &verdicts[place] {
                verdict if known.contains(&verdict) => {}
                Verdict::Found(found) => {
                    let mut found = found.clone();
                    found.iter_mut().for_each(|one| clip(evidence, one));
                    found.retain(|one| {
                        !one.cost.rounds_to_nothing() && !findings.iter().any(|(_, other)| other == one)
                    });
                    let (trusted, not): (Vec<_>, Vec<_>) =
                        found.into_iter().partition(|one| disorder[one.capture].is_none());
                    findings.extend(trusted.into_iter().map(|one| (rule, one)));
                    let because = not.first().and_then(|one| disorder[one.capture].clone());
                    abstained.extend(because.map(|because| Abstained {
                        code: rule.code,
                        because,
                        suspects: false,
                    }));
                }
                verdict @ (Verdict::CannotTell(because) | Verdict::Suspects(because)) => {
                    let suspects = matches!(verdict, Verdict::Suspects(_));
                    let of_first = (turn == 0).then(String::new);
                    abstained.extend(of_first.or_else(|| channel.clone()).map(|channel| Abstained {
                        code: rule.code,
                        because: format!("{channel}{because}"),
                        suspects,
                    }));
                }
            }
            known.push(&verdicts[place]);
        }
    }
    (findings, abstained)
}

/// Ends the spans of a finding where its capture ends: bins go beyond.
fn clip(evidence: &Evidence, finding: &mut Finding) {
    let Some((_, last)) = evidence.captures[finding.capture].span_ns else { return };
    let last = evidence.seconds_in(finding.capture, last);
    finding.spans.iter_mut().flatten().for_each(|at| *at = at.min(last));
}
