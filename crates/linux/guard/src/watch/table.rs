//! How it is reported: a table with a summary, or a stream of JSON objects, one a line.

use super::ledger::{Cost, Scan};
use airloom_daemon::print;
use airloom_sim::Duration;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Where it is reported, and how.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    /// Begins, with what cannot be reported.
    pub(crate) fn begin(json: bool, interface: &str, notes: &[String]) -> io::Result<Self> {
        let output = Self { json };
        for note in notes {
            print::complain(&format!("airloom-guard: {note}"));
        }
        if json {
            output.line(&json!({ "event": "watching", "interface": interface }).to_string())?;
        } else {
            output.line(&format!("watching {interface}; Ctrl-C ends with a summary"))?;
            output.line("     at s  channels   took s  trips  away ms  longest  moved KiB  requester")?;
        }
        Ok(output)
    }

    /// Reports a scan.
    pub(crate) fn scan(&self, scan: &Scan) -> io::Result<()> {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        if self.json {
            let trips = scan.trips.as_ref().map(|trips| trips.iter().map(|&t| ms(t)).collect::<Vec<_>>());
            let object = json!({
                "event": "scan",
                "at_s": scan.at.as_secs_f64(),
                "requester": scan.requester,
                "channels": scan.channels,
                "took_s": scan.took.as_secs_f64(),
                "trips_ms": trips,
                "moved_bytes": scan.moved,
                "aborted": scan.aborted,
            });
            return self.line(&object.to_string());
        }
        let [trips, away, longest] = match &scan.trips {
            Some(trips) => {
                let away: Duration = trips.iter().copied().sum();
                let longest = trips.iter().copied().max().unwrap_or_default();
                [trips.len().to_string(), format!("{:.0}", ms(away)), format!("{:.0}", ms(longest))]
            }
            None => ["?", "?", "?"].map(str::to_owned),
        };
        self.line(&format!(
            "{:9.1} {:9} {:8.2} {trips:>6} {away:>8} {longest:>8} {:10} {}{}",
            scan.at.as_secs_f64(),
            scan.channels,
            scan.took.as_secs_f64(),
            scan.moved >> 10,
            scan.requester,
            if scan.aborted { ", aborted" } else { "" },
        ))
    }

    /// Reports the requesters, with the cost of their scans.
    pub(crate) fn summary(&self, costs: &BTreeMap<String, Cost>) -> io::Result<()> {
        if !self.json {
            self.line("")?;
            self.line("scans  aborted  trips   away s  requester")?;
        }
        for (requester, cost) in costs {
            let away = cost.away.as_secs_f64();
            self.line(&if self.json {
                json!({
                    "event": "summary", "requester": requester, "scans": cost.scans, "aborted": cost.aborted,
                    "trips": cost.trips, "away_s": away,
                })
                .to_string()
            } else {
                format!("{:5} {:8} {:6} {away:8.2}  {requester}", cost.scans, cost.aborted, cost.trips)
            })?;
        }
        Ok(())
    }

    /// An error means that its reader has seen enough.
    fn line(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()
    }
}
