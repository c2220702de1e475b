//! Why a station was without an access point, and what helps.

use crate::reason;
use crate::security;
use airloom_trace::{Air, Ended, Leave, MacAddr, RadioHeard, Refused, Roam};

/// Why a station changed its access point, or associated with the same one anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// It went to another one, by a fast transition or not.
    Went { is_fast: bool },
    /// A third radio forged the end of its association.
    Forged,
    /// It asked without RSN, which the access point requires, and was refused for most of the time.
    AskedWithout,
    /// The access point refused to let it in, for most of the time.
    Refused,
    /// Its signal fell until it was out of reach.
    Faded,
    /// The station ended its association.
    ByStation,
    /// The access point ended it.
    ByAp,
    /// It was lost without a word.
    Lost,
    /// None of these: it associated anew, and nothing shows why.
    Anew,
}

impl Cause {
    /// Of a change, by whether the station's signal had fallen, and by the frames that ended its association.
    pub(super) fn of(roam: &Roam, has_fallen: bool, ends: &Ends) -> Self {
        if ends.is_forged() {
            return Self::Forged;
        }
        if roam.bssids.0 != roam.bssids.1 {
            return Self::Went { is_fast: roam.is_fast };
        }
        if is_refused(roam) {
            let lacks = |one: Refused| security::lacks_rsn(one.status, one.security);
            return if roam.refused.is_some_and(lacks) { Self::AskedWithout } else { Self::Refused };
        }
        if has_fallen {
            return Self::Faded;
        }
        match roam.ended {
            Some(Ended { by_station: true, .. }) => Self::ByStation,
            Some(_) => Self::ByAp,
            None if roam.is_gone => Self::Lost,
            None => Self::Anew,
        }
    }

    /// What helps.
    pub(super) const fn remedy(self) -> &'static str {
        match self {
            Self::Went { is_fast: false } => {
                "Fast transition and neighbour reports (802.11r and 802.11k at the access points), so that little is left to ask; \
                 against roams that were not needed: the station's threshold (`bgscan`), or the connection locked to its access point."
            }
            Self::Went { is_fast: true } => {
                "Neighbour reports (802.11k at the access points), so that little is left to scan; \
                 against roams that were not needed: the station's threshold (`bgscan`), or the connection locked to its access point."
            }
            Self::Forged => {
                "Turn on protected management frames (802.11w; always on in WPA3) at both ends, so that no stranger's frames end an association, and look for who \
                 sends these."
            }
            Self::AskedWithout => {
                "Look at the station, not at the access point: at the log of its supplicant (`journalctl -u wpa_supplicant`) for why it asked without RSN, and at \
                 `key_mgmt` and `proto` of this network there."
            }
            Self::Refused => {
                "Look why the access point refuses: its log, and its settings beside what the station asks for."
            }
            Self::Faded => {
                "An access point that covers the place where the station was lost; a station that roams earlier (`bgscan`)."
            }
            Self::ByStation => {
                "Look why the station ended it: its log (`iw event -t`, that of wpa_supplicant)."
            }
            Self::ByAp => "Look why the access point ended it: its log (inactivity, keys, load).",
            Self::Lost => {
                "Look why it was lost: the access point's log (inactivity, keys, load), the station's log (beacon loss, `iw event -t`)."
            }
            Self::Anew => {
                "Look why the station associated anew: its log (`iw event -t`, that of wpa_supplicant), or a program there that restarts its network."
            }
        }
    }

    /// The cause of the longest of some changes in sentences before others, with the refusals in all of them; empty where a station went by its own choice.
    pub(super) fn says(
        self,
        roam: &Roam,
        ends: &Ends,
        fallen: Option<[f64; 2]>,
        refused: impl Iterator<Item = Refused>,
    ) -> String {
        let carried_off = fallen.map_or_else(String::new, |[best, last]| {
            format!(
                "The station's signal had fallen from {best:.0} to {last:.0} dBm at the monitor: it went out of reach. "
            )
        });
        let ended = match self {
            Self::Forged => ends.says_forged(roam),
            Self::Lost => "No frame that ends the association was heard. ".to_owned(),
            _ => roam.ended.map_or_else(String::new, |ended| ends.says(&ended)),
        };
        let refused = refusals(refused);
        if matches!(self, Self::Refused | Self::AskedWithout) {
            return format!("{refused}{ended}{carried_off}");
        }
        format!("{ended}{carried_off}{refused}")
    }
}

/// Whether an access point refused the station, so that most of the time went by until it let it in.
fn is_refused(roam: &Roam) -> bool {
    let (Some(_), Some(asked), Some(associated)) = (roam.refused, roam.asked_ns, roam.associated_ns) else {
        return false;
    };
    associated.saturating_sub(asked) > roam.to_ns.saturating_sub(roam.from_ns) / 2
}

/// Associations that were refused, as a sentence before others.
fn refusals(refused: impl Iterator<Item = Refused>) -> String {
    let all = refused.fold((0, None), |(all, _), one| (all + one.times, Some(one)));
    match all {
        (1, Some(Refused { status, security, .. })) if security::lacks_rsn(status, security) => {
            format!(
                "The station asked for an association once without RSN, which the access point requires, and was refused ({}). ",
                security::why(status, security)
            )
        }
        (_, None) => String::new(),
        (1, Some(Refused { status, security, .. })) => {
            format!("The access point refused an association once ({}). ", security::why(status, security))
        }
        (times, Some(Refused { status, security, .. })) => {
            format!(
                "The access point refused an association {times} times (at last with {}). ",
                security::why(status, security)
            )
        }
    }
}

/// Frames that ended an association, and whether they are of the radios that they name.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Whether one count numbers those in the names of both ends.
    have_one_count: bool,
    /// In the name of the access point, and of the station.
    frames: [Vec<Leave>; 2],
}

/// The signal of a radio's frames does not differ by so much in a moment, in dB: they have one power, or differ in it with their rates by a few dB.
const OTHER_SIGNAL: i8 = 15;

impl Ends {
    /// Those between two times, in nanoseconds since 1970, in the name of a station or of the access point that it was with.
    pub(super) fn of(air: &Air, station: &RadioHeard, roam: &Roam, span_ns: (u64, u64)) -> Self {
        let ap = roam.bssids.0;
        let of = |by: Option<&RadioHeard>, to: MacAddr| {
            let is_it = |one: &&Leave| {
                (one.receiver == to || one.receiver.is_group())
                    && (span_ns.0..=span_ns.1).contains(&one.at_ns)
            };
            by.map_or(&[][..], |by| by.leaves.each()).iter().filter(is_it).copied().collect()
        };
        let frames = [of(air.radio(ap), station.mac), of(Some(station), ap)];
        Self { have_one_count: station.roaming.is_forged() && roam.left > 0, frames }
    }

    fn is_forged(&self) -> bool {
        self.have_one_count && !self.are_own() || self.frames.iter().flatten().any(is_other_radios)
    }

    /// Whether frames are of the counts of the radios that they name, as far as that shows: then these have one count by chance, and it is no third radio's.
    fn are_own(&self) -> bool {
        let mut known = self.frames.iter().flatten().filter_map(|one| one.is_counted).peekable();
        known.peek().is_some() && known.all(|is_counted| is_counted)
    }

    /// Of whose count the frames in the names of both ends are not, as far as that shows, as a part of a sentence.
    fn says_of_none(&self) -> &'static str {
        let is_strange = |frames: &[Leave]| frames.iter().any(|one| one.is_counted == Some(false));
        match [&self.frames[0], &self.frames[1]].map(|frames| is_strange(frames)) {
            [true, true] => ", and that is neither's own",
            [true, false] => ", and that is not the access point's own",
            [false, true] => ", and that is not the station's own",
            [false, false] => "",
        }
    }

    /// Which end ended an association, why, with how many frames if several, and whether these are of its own count, as a sentence before others.
    fn says(&self, ended: &Ended) -> String {
        let by = if ended.by_station { "The station" } else { "The access point" };
        let because = ended.reason.map_or_else(String::new, |reason| format!(" ({})", reason::named(reason)));
        let own = &self.frames[usize::from(ended.by_station)];
        let (with, number) = match own.len() {
            0 | 1 => (String::new(), "sequence number is"),
            several => (format!(", with {several} frames"), "sequence numbers are"),
        };
        let counted: Vec<_> = own.iter().filter_map(|one| one.is_counted).collect();
        let counted = match (counted.contains(&true), counted.contains(&false)) {
            (true, false) => format!("; the {number} of its own count"),
            (false, true) => {
                format!(
                    "; the {number} not of its own count, so that another radio may have sent that in its name"
                )
            }
            _ => String::new(),
        };
        format!("{by} ended the association{because}{with}{counted}. ")
    }

    /// What shows that they are a third radio's, as a sentence before others.
    fn says_forged(&self, roam: &Roam) -> String {
        let reason = roam.ended.and_then(|ended| ended.reason);
        let because = reason.map_or_else(String::new, |reason| format!(" ({})", reason::named(reason)));
        // One whose number is of the radio's own count is no stranger's, and without one count for both ends the signal has to show that as well.
        let is_forged = |one: &&Leave| {
            if self.have_one_count { one.is_counted != Some(true) } else { is_other_radios(one) }
        };
        let frames = match self.frames.iter().flatten().filter(is_forged).count() {
            0 | 1 => String::from("One frame ended"),
            several => format!("{several} frames ended"),
        };
        if self.have_one_count {
            return format!(
                "{frames} the association{because}; one count numbers such frames in the station's name and in its access point's{}: a third radio forges them. ",
                self.says_of_none()
            );
        }
        let signals =
            self.frames.iter().flatten().find(|one| is_other_radios(one)).and_then(|one| one.signals_dbm);
        let signals = signals.map_or_else(String::new, |(dbm, [least, most])| {
            let others = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            format!(", and it was heard with {dbm} dBm, others of the radio that it names with {others} dBm")
        });
        format!(
            "{frames} the association{because}; a number is none of that radio's count{signals}: a third radio forges such frames. "
        )
    }
}

/// Whether a frame is not of the radio that it names: neither its number nor its signal is of the others of that.
fn is_other_radios(one: &Leave) -> bool {
    let is_apart = |(dbm, [least, most]): (i8, [i8; 2])| {
        dbm >= most.saturating_add(OTHER_SIGNAL) || dbm <= least.saturating_sub(OTHER_SIGNAL)
    };
    one.is_counted == Some(false) && one.signals_dbm.is_some_and(is_apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_trace::{Rsn, Security};

    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);

    #[test]
    fn a_request_without_rsn_that_is_refused_points_at_the_station() {
        let of = |security| {
            let refused = Some(Refused { times: 1, status: 10, security });
            let roam = Roam { refused, asked_ns: Some(1), associated_ns: Some(700_000_000), ..anew() };
            let cause = Cause::of(&roam, false, &Ends::default());
            (cause, cause.says(&roam, &Ends::default(), None, refused.into_iter()))
        };
        let (version, group, pairwise, akms) = (1, 1 << 4, 1 << 4, 1 << 2);
        let ap =
            Security::Rsn(Rsn { version, group, pairwise, akms, mfp_required: false, mfp_capable: false });
        let (cause, says) = of(Some((Security::Without, ap)));
        assert!(
            cause == Cause::AskedWithout && says.contains("without RSN, which the access point requires"),
            "{says}"
        );
        assert!(cause.remedy().contains("supplicant"));
        assert_eq!([of(None).0, of(Some((ap, ap))).0], [Cause::Refused; 2]);
    }

    /// A station that associated anew with the same access point.
    fn anew() -> Roam {
        Roam { bssids: (AP, AP), to_ns: 800_000_000, ..Roam::default() }
    }

    /// One in the name of the access point.
    fn leave(is_counted: Option<bool>, dbm: i8) -> Leave {
        let mut leave = Leave::default();
        (leave.is_counted, leave.signals_dbm) = (is_counted, Some((dbm, [-70, -68])));
        leave
    }

    #[test]
    fn frames_of_the_radios_own_are_not_counted_as_forged() {
        let all = [(Some(false), -40), (Some(false), -69), (Some(true), -69), (None, -69)];
        let frames = || [all.map(|(is_counted, dbm)| leave(is_counted, dbm)).to_vec(), Vec::new()];
        let says = |have_one_count| Ends { have_one_count, frames: frames() }.says_forged(&anew());
        assert_eq!(
            says(false),
            "One frame ended the association; a number is none of that radio's count, and it was heard with -40 dBm, others of the radio that it names with -70 to -68 dBm: \
             a third radio forges such frames. "
        );
        assert!(says(true).starts_with("3 frames ended"), "{}", says(true));
    }

    #[test]
    fn one_count_that_is_the_radios_own_is_no_third_radios() {
        let of = |ap: Option<bool>, station: Option<bool>| Ends {
            have_one_count: true,
            frames: [ap, station].map(|is_counted| vec![leave(is_counted, -69)]),
        };
        let is_forged = |ap, station| of(ap, station).is_forged();
        assert!(!is_forged(Some(true), Some(true)) && !is_forged(Some(true), None));
        assert!(is_forged(None, None) && is_forged(Some(false), None));
        let says = |ap, station| of(ap, station).says_forged(&anew());
        assert_eq!(
            says(None, None),
            "2 frames ended the association; one count numbers such frames in the station's name and in its access point's: a third radio forges them. "
        );
        assert!(says(Some(false), None).contains("and that is not the access point's own: a third"));
        assert!(says(Some(false), Some(false)).contains("and that is neither's own: a third"));
    }

    #[test]
    fn a_fast_transition_is_not_advised_where_there_was_one() {
        let other = MacAddr([2, 0, 0, 0, 0, 9]);
        let advised = |is_fast| {
            let roam = Roam { bssids: (AP, other), is_fast, ..anew() };
            Cause::of(&roam, false, &Ends::default()).remedy().contains("802.11r")
        };
        assert_eq!([false, true].map(advised), [true, false]);
    }

    #[test]
    fn a_station_that_was_lost_without_a_word_is_told_so() {
        let roam = Roam { is_gone: true, ..anew() };
        let cause = Cause::of(&roam, false, &Ends::default());
        let says = cause.says(
            &roam,
            &Ends::default(),
            None,
            [Refused { times: 1, status: 17, security: None }].into_iter(),
        );
        assert!(says.starts_with("No frame that ends the association was heard. The access point refused"));
    }
}
