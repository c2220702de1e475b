//! Scans: requests with their outcomes, and every trip off the channel.

use crate::summary::{self, ScanOutcome, ScanRequest};
use airloom_observe::{NodeId, RadioPlace, ScanEvent};
use airloom_sim::Time;

#[derive(Clone, Copy, Debug)]
struct Request {
    node: NodeId,
    at: Time,
    verdict: ScanOutcome,
}

#[derive(Clone, Debug)]
struct Scan {
    node: NodeId,
    start: Time,
    end: Option<Time>,
    trips: Vec<Trip>,
}

/// One trip: from the first null frame with PM=1 to the last with PM=0.
#[derive(Clone, Copy, Debug)]
struct Trip {
    leaving: Time,
    away: Option<Time>,
    returning: Option<Time>,
    home: Option<Time>,
}

impl Trip {
    fn summary(&self) -> summary::Trip {
        let seconds = |t: Option<Time>| t.map(Time::as_secs_f64);
        summary::Trip {
            leaving_s: self.leaving.as_secs_f64(),
            away_s: seconds(self.away),
            returning_s: seconds(self.returning),
            home_s: seconds(self.home),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct ScanLog {
    requests: Vec<Request>,
    scans: Vec<Scan>,
}

impl ScanLog {
    pub(super) fn event(&mut self, at: Time, node: NodeId, event: ScanEvent) {
        let verdict = match event {
            ScanEvent::Requested => {
                return self.requests.push(Request { node, at, verdict: ScanOutcome::Ignored });
            }
            ScanEvent::Finished => {
                if let Some(scan) = self.latest(node) {
                    scan.end = Some(at);
                }
                return;
            }
            ScanEvent::Channel(_) => return,
            ScanEvent::Skipped => ScanOutcome::Skipped,
            ScanEvent::LetThrough => ScanOutcome::LetThrough,
            ScanEvent::Started => {
                self.scans.push(Scan { node, start: at, end: None, trips: Vec::new() });
                ScanOutcome::Started
            }
        };
        let asked = self.requests.iter_mut().rev().find(|r| r.node == node);
        if let Some(request) = asked.filter(|r| r.verdict == ScanOutcome::Ignored) {
            request.verdict = verdict;
        }
    }

    pub(super) fn place(&mut self, at: Time, node: NodeId, place: RadioPlace) {
        let Some(scan) = self.latest(node) else { return };
        if place == RadioPlace::Leaving {
            scan.trips.push(Trip { leaving: at, away: None, returning: None, home: None });
        } else if let Some(trip) = scan.trips.last_mut() {
            match place {
                RadioPlace::Away => trip.away = Some(at),
                RadioPlace::Returning => trip.returning = Some(at),
                _ => trip.home = Some(at),
            }
        }
    }

    fn latest(&mut self, node: NodeId) -> Option<&mut Scan> {
        self.scans.iter_mut().rev().find(|s| s.node == node)
    }

    pub(super) fn scans(&self, names: &[String]) -> Vec<summary::Scan> {
        self.scans
            .iter()
            .map(|scan| {
                let requested =
                    self.requests.iter().rev().find(|r| r.node == scan.node && r.at <= scan.start);
                summary::Scan {
                    station: names[usize::from(scan.node.0)].clone(),
                    requested_s: requested.map(|r| r.at.as_secs_f64()),
                    start_s: scan.start.as_secs_f64(),
                    end_s: scan.end.map(Time::as_secs_f64),
                    trips: scan.trips.iter().map(Trip::summary).collect(),
                }
            })
            .collect()
    }

    pub(super) fn requests(&self, names: &[String]) -> Vec<ScanRequest> {
        let request = |r: &Request| ScanRequest {
            station: names[usize::from(r.node.0)].clone(),
            time_s: r.at.as_secs_f64(),
            verdict: r.verdict,
        };
        self.requests.iter().map(request).collect()
    }
}
