//! The books: scans with their requesters and costs, from the pieces of news that arrive about them.

use airloom_sim::{Duration, Time};
use std::collections::BTreeMap;

/// News of one scan may arrive this long after its end, from other threads.
const GRACE: Duration = Duration::from_millis(150);
/// A request leads to a scan within this time, or not at all.
const LEADS_WITHIN: Duration = Duration::from_secs(10);

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// A program asked for a scan over D-Bus.
    Asked(String),
    /// The supplicant says that it is scanning.
    SupplicantScans,
    /// A scan began.
    Started {
        /// How many channels; zero if the kernel does not say.
        channels: usize,
        /// Bytes moved so far.
        moved: u64,
        /// Programs, other than the usual ones, that speak to the Wi-Fi stack at this moment.
        others: Vec<String>,
    },
    /// It came to its end.
    Ended {
        /// It was broken off.
        aborted: bool,
        /// Bytes moved so far.
        moved: u64,
    },
}

/// A scan that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) at: Time,
    pub(crate) requester: String,
    pub(crate) channels: usize,
    pub(crate) took: Duration,
    /// The trips off the channel, if they could be seen.
    pub(crate) trips: Option<Vec<Duration>>,
    /// Bytes moved during the scan.
    pub(crate) moved: u64,
    pub(crate) aborted: bool,
}

/// What the scans of one requester cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) scans: usize,
    pub(crate) aborted: usize,
    pub(crate) trips: usize,
    pub(crate) away: Duration,
}

/// The books.
pub(crate) struct Ledger {
    sees_trips: bool,
    iwd: bool,
    asked: Option<(Time, String)>,
    supplicant: Option<Time>,
    open: Option<Open>,
    costs: BTreeMap<String, Cost>,
}

struct Open {
    at: Time,
    channels: usize,
    moved: u64,
    others: Vec<String>,
    end: Option<(Time, bool, u64)>,
}

impl Ledger {
    /// Empty books. `sees_trips`: it can be seen when the radio was away; `iwd`: that is the supplicant.
    pub(crate) fn new(sees_trips: bool, iwd: bool) -> Self {
        Self { sees_trips, iwd, asked: None, supplicant: None, open: None, costs: BTreeMap::new() }
    }

    /// When to close the scan that has ended.
    pub(crate) fn due(&self) -> Option<Time> {
        self.open.as_ref()?.end.map(|(at, ..)| at + GRACE)
    }

    /// Takes news.
    pub(crate) fn take(&mut self, now: Time, news: News) {
        match news {
            // A connection manager hands a request on: the first to ask is the one that wants it.
            News::Asked(requester) => {
                let stale = |(at, _): &(Time, String)| now.since(*at) >= LEADS_WITHIN;
                if self.asked.as_ref().is_none_or(stale) {
                    self.asked = Some((now, requester));
                }
            }
            News::SupplicantScans => self.supplicant = Some(now),
            News::Started { channels, moved, others } => {
                self.open = Some(Open { at: now, channels, moved, others, end: None });
            }
            News::Ended { aborted, moved } => {
                if let Some(open) = &mut self.open {
                    open.end.get_or_insert((now, aborted, moved));
                }
            }
        }
    }

    /// Closes the scan that has ended, with the trips that were seen.
    pub(crate) fn close(&mut self, trips: Vec<Duration>) -> Option<Scan> {
        self.open.as_ref()?.end?;
        let open = self.open.take()?;
        let (end, aborted, moved) = open.end?;
        let supplicant = self.supplicant.take().is_some_and(|at| at + GRACE >= open.at);
        let asked = self.asked.take_if(|_| supplicant).filter(|(at, _)| open.at.since(*at) < LEADS_WITHIN);
        let requester = match asked {
            Some((_, requester)) => requester,
            None if supplicant && !self.iwd => "wpa_supplicant by itself (bgscan, roaming)".to_owned(),
            // iwd announces the scans that others ask for, and those alone.
            None if self.iwd && open.others.is_empty() => "iwd by itself (roaming)".to_owned(),
            None if open.others.is_empty() => "unknown".to_owned(),
            None => open.others.join(" or "),
        };
        let cost = self.costs.entry(requester.clone()).or_default();
        cost.scans += 1;
        cost.aborted += usize::from(aborted);
        cost.trips += trips.len();
        cost.away += trips.iter().copied().sum();
        Some(Scan {
            at: open.at,
            requester,
            channels: open.channels,
            took: end.since(open.at),
            trips: self.sees_trips.then_some(trips),
            moved: moved.saturating_sub(open.moved),
            aborted,
        })
    }

    /// What each requester's scans cost, by name.
    pub(crate) fn summary(&self) -> &BTreeMap<String, Cost> {
        &self.costs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Time {
        Time::ZERO + Duration::from_millis(n)
    }

    fn started(others: &[&str]) -> News {
        News::Started { channels: 38, moved: 1000, others: others.iter().map(|&s| s.to_owned()).collect() }
    }

    const ENDED: News = News::Ended { aborted: false, moved: 5000 };

    fn requester(news: &[(u64, News)]) -> String {
        let mut ledger = Ledger::new(true, false);
        for (at, news) in news {
            ledger.take(ms(*at), news.clone());
        }
        ledger.close(Vec::new()).unwrap().requester
    }

    #[test]
    fn the_first_to_ask_is_the_requester_of_wpa_supplicants_scan() {
        let news = [
            (0, News::Asked("nmcli (7)".into())),
            (5, News::Asked("NetworkManager (1)".into())),
            (20, started(&[])),
            (25, News::SupplicantScans),
            (900, ENDED),
        ];
        assert_eq!(requester(&news), "nmcli (7)");
    }

    #[test]
    fn nobody_asked_wpa_supplicant() {
        let old = News::Asked("nmcli (7)".into());
        let news =
            [(0, old), (20_000, started(&["iw (9)"])), (20_001, News::SupplicantScans), (21_000, ENDED)];
        assert_eq!(requester(&news), "wpa_supplicant by itself (bgscan, roaming)");
    }

    #[test]
    fn iwds_own_scans_are_not_announced() {
        let mut ledger = Ledger::new(true, true);
        let mut requester = |news: &[News]| {
            news.iter().for_each(|news| ledger.take(ms(0), news.clone()));
            ledger.take(ms(900), ENDED);
            ledger.close(Vec::new()).unwrap().requester
        };
        assert_eq!(requester(&[started(&[])]), "iwd by itself (roaming)");
        assert_eq!(requester(&[started(&["iw (9)"])]), "iw (9)");
        assert_eq!(
            requester(&[News::Asked("iwgtk (7)".into()), News::SupplicantScans, started(&[])]),
            "iwgtk (7)"
        );
    }

    #[test]
    fn a_program_that_goes_past_wpa_supplicant_is_named() {
        assert_eq!(requester(&[(0, started(&["iw (9)"])), (900, ENDED)]), "iw (9)");
        assert_eq!(requester(&[(0, started(&[])), (900, ENDED)]), "unknown");
    }

    #[test]
    fn a_scan_is_closed_once_with_what_it_cost() {
        let mut ledger = Ledger::new(true, false);
        ledger.take(ms(0), started(&["iw (9)"]));
        assert_eq!((ledger.due(), ledger.close(Vec::new())), (None, None));
        ledger.take(ms(900), ENDED);
        assert_eq!(ledger.due(), Some(ms(1050)));
        let trips = vec![Duration::from_millis(60), Duration::from_millis(62)];
        let scan = ledger.close(trips.clone()).unwrap();
        assert_eq!((scan.took, scan.moved), (Duration::from_millis(900), 4000));
        assert_eq!(scan.trips, Some(trips));
        assert_eq!(ledger.close(Vec::new()), None);
        let cost = Cost { scans: 1, aborted: 0, trips: 2, away: Duration::from_millis(122) };
        assert_eq!(ledger.summary()["iw (9)"], cost);
    }
}
