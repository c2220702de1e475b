//! W103: a station changes its access point, and is without one for a while.

use super::roam_causes::{Cause, Ends};
use super::{no_air, no_data};
use crate::across;
use crate::evidence::Evidence;
use crate::fall::fall;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::deafness;
use crate::link::data_span;
use crate::outages::outages;
use crate::rule::Rule;
use crate::timers::{is_one_of, timeouts};
use airloom_trace::{Air, MacAddr, RadioHeard, Roam};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W103",
    name: "roaming gap",
    means: "The device changes to another access point, or loses its own and connects anew. Until it is \
            connected, nothing gets through.",
    needs: "air",
    computes: "The time from a station's last data with an access point, or its last BlockAck to it, which shows that it got data, to its first data with another, or with the same one after a new association. \
               Where the first data comes more than a second after the exchange and its keys, and later than the time was long until then, no sender waited (its timer would have sent by then: RFC 6298), \
               and the time ends with the exchange, unless a capture shows that a timer sent that data again; where nothing acknowledged the station's last frames, the timer has doubled since the first of these. The latter is no roam, and a lost association where its end was heard, its signal had fallen, its access point sent on without an answer, or it asked for an association, not for a reassociation; else the time begins with the first frame of the new one. What an access point sends on to a station that is not heard any more, though it had been, counts as no data. A roam between whose data no more time passed than three times not long before (in ten times as long) costs nothing, and neither is reported nor counts: no data waited. A request to reassociate with the same access point, without authentication, the end of an association or keys beside it, is no new association if data went on as before: a third radio may send the request once more. Reported from 100 ms on, if an authentication, an association or a deauthentication was heard in between. Without data before, the time begins with the frame that ended the association of a station of which there were signs. Where the access point dismissed all its stations, or answered none of twenty frames and more that they sent it for half a second at least, and fell silent for 3 s and longer, and ten times as long as ever before, what its stations lost beside that is one finding: its outage. All else of a station is a finding for each cause, which comes first in it: a frame ended the association, the access point refused it for most of the time, the signal fell, \
               another access point was chosen, or none of these. A frame that ends it is forged if one count numbers such frames in the names of both ends and is not theirs, or if its sequence number lies more than 64 beside those of the frames around it \
               (of beacons, and of others) and its signal is 15 dB beyond all of the last eight frames of the radio that it names.",
    traps: "A monitor stays on its channel: of a roam to another channel it hears one half, and this rule nothing, unless another monitor is on that channel; nor of a station that says that it comes from an access point with which none of its data was heard. A pause of the \
            program may lie in the gap too; what the roam itself took is from its first frame to the answer to the association.",
    refuted_by: "Data of the station within the gap, on whatever channel; of an outage, a frame of the access point within it.",
    judge,
};

/// The gap in ms that is reported.
const REPORTED_MS: f64 = 100.0;
/// The longest gap that is written in ms; longer ones are in seconds.
const LONG: f64 = 10_000.0;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    if let Some(silent) = no_data(air) {
        return silent;
    }
    let (from, to) = data_span(air).unwrap_or_default();
    let span_ns = to.saturating_sub(from).max(1);
    let stations = || air.radios().iter().filter(|radio| !radio.is_ap);
    let quiet = air.quiet();
    let outages = outages_of(air);
    let (mut roams, mut unclear) = (Vec::new(), None);
    for station in stations() {
        match across::roams(evidence, station) {
            Ok(all) => roams.extend(all.into_iter().map(|roam| (station, roam))),
            Err(because) => unclear = unclear.or(Some(because)),
        }
    }
    let mut heard = Heard::all(&roams, &quiet, &outages);
    for of in heard.chunk_by_mut(|one, next| one.station == next.station) {
        let timeouts = timeouts(evidence, of[0].station);
        of.iter_mut().for_each(|one| one.by_timer = is_one_of(&timeouts, evidence.seconds(one.roam.to_ns)));
    }
    let gone = outages.iter().filter_map(|outage| gone(evidence, *capture, span_ns, outage, &heard));
    let alone = stations().flat_map(|station| {
        let of_it = heard.iter().filter(|one| one.station == station.mac && one.outage.is_none());
        let of_it = of_it.map(|one| one.caused(air, station)).collect();
        by_cause(of_it).into_iter().filter_map(|roams| found(evidence, *capture, span_ns, station, &roams))
    });
    let findings = gone.chain(alone).collect();
    let because = || {
        let doubt = |of: MacAddr, roam: &Roam| {
            elsewhere(of, roam).or_else(|| untold(of, roam)).or_else(|| unheard(of, roam, &quiet))
        };
        roams.iter().find_map(|(of, roam)| doubt(of.mac, roam))
    };
    Verdict::unless_found(findings, deafness(air).or(unclear).or_else(because))
}

/// Whether a roam shows by its data alone. Whether frames of it were heard decides that, not whether it kept data back.
fn is_untold(roam: &Roam) -> bool {
    let is_unheard = roam.asked_ns.or(roam.associated_ns).is_none() && roam.left == 0;
    is_unheard && roam.bssids.0 != roam.bssids.1 && gap_ns(roam) as f64 / 1e6 >= REPORTED_MS
}

/// Why it cannot be told how a station came to another access point; none if that was heard.
fn untold(station: MacAddr, roam: &Roam) -> Option<String> {
    is_untold(roam).then(|| {
        format!(
            "{station} has data with {} and, {} later, with {}, but no authentication, association or deauthentication of it was heard",
            roam.bssids.0,
            in_words(gap_ns(roam) as f64 / 1e6),
            roam.bssids.1
        )
    })
}

/// Why it cannot be told how long a station had no access point that comes from one with which none of its data was heard.
fn elsewhere(station: MacAddr, roam: &Roam) -> Option<String> {
    roam.came_from.map(|from| {
        format!(
            "{station} came to {} from {from}, as it says, and none of its data there was heard: that may be on another channel",
            roam.bssids.1
        )
    })
}

/// Whether the monitor heard nothing of anybody for a time between the data before a change and behind it: how long that took does not show.
fn in_quiet(roam: &Roam, quiet: &[(u64, u64)]) -> bool {
    quiet.iter().any(|&(from, to)| roam.from_ns <= from && to <= roam.to_ns)
}

/// Why it cannot be told how long a station had no access point, if it changed it while nothing was heard.
fn unheard(station: MacAddr, roam: &Roam, quiet: &[(u64, u64)]) -> Option<String> {
    in_quiet(roam, quiet).then(|| {
        format!("{station} associated anew or elsewhere, and for some time meanwhile the monitor heard nothing of anybody")
    })
}

/// A time in which an access point was gone.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outage {
    ap: MacAddr,
    from_ns: u64,
    to_ns: u64,
    /// Frames of its stations that it did not answer then; none where it had dismissed them all.
    unanswered: u64,
}

impl Outage {
    const fn of(ap: MacAddr, outage: airloom_trace::Outage) -> Self {
        let (from_ns, to_ns) = outage.span_ns;
        Self { ap, from_ns, to_ns, unanswered: outage.unanswered }
    }
}

/// The outages of all access points.
fn outages_of(air: &Air) -> Vec<Outage> {
    let aps = air.radios().iter().filter(|radio| radio.is_ap);
    aps.flat_map(|ap| outages(air, ap).map(|one| Outage::of(ap.mac, one))).collect()
}

/// What helps where an access point was gone.
const STOPPED: &str =
    "Look why the access point stopped: its log (a restart, new settings, another channel, a loss of power).";

/// Changes of the access point and new associations with the same one, in words.
fn counted(roams: &[&Heard<'_>]) -> String {
    let anew = roams.iter().filter(|one| one.is_anew()).count();

    let some = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("one {one}")),
        _ => Some(format!("{count} {more}")),
    };
    let parts =
        [some(roams.len() - anew, "roam", "roams"), some(anew, "new association", "new associations")];
    let said = parts.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    let between =
        if roams.iter().any(|one| one.roam.is_dataless) { "" } else { " with data before and after" };
    said.replacen("one", "One", usize::from(said.starts_with("one"))) + between
}

/// So many ms in words.
fn in_words(ms: f64) -> String {
    if ms < LONG { format!("{ms:.0} ms") } else { format!("{:.1} s", ms / 1e3) }
}

/// The longest gap, of so many ms, as a cost.
fn length(longest: f64, share: f64) -> Cost {
    const OF: &str = "without data at a stretch";
    if longest < LONG { Cost::ms(longest, share, OF) } else { Cost::seconds(longest / 1e3, share, OF) }
}

const fn gap_ns(roam: &Roam) -> u64 {
    roam.to_ns.saturating_sub(roam.from_ns)
}

/// A change that was heard, and from when on it kept data back.
struct Heard<'a> {
    station: MacAddr,
    /// The outage of its access point that it was beside.
    outage: Option<Outage>,
    roam: &'a Roam,
    fallen: Option<[f64; 2]>,
    from_ns: u64,
    /// Whether its data waited for a timer of its sender, however long the way had been open.
    by_timer: bool,
}

impl<'a> Heard<'a> {
    /// All that were heard of some stations.
    fn all(roams: &'a [(&'a RadioHeard, Roam)], quiet: &[(u64, u64)], outages: &[Outage]) -> Vec<Self> {
        let is_whole = |roam: &Roam| roam.came_from.is_none() && !in_quiet(roam, quiet);
        let heard = roams.iter().filter(|(_, roam)| is_whole(roam));
        let heard = heard.filter_map(|(station, roam)| Self::of(station, roam));
        // Its data ended as the access point did, or before: that it had lost it needs no other sign.
        let beside = |one: Self| {
            let is_between = |outage: &&Outage| {
                outage.ap == one.roam.bssids.0
                    && one.roam.from_ns <= outage.to_ns
                    && outage.from_ns <= one.to_ns()
            };
            match outages.iter().find(is_between) {
                Some(&outage) => Self { outage: Some(outage), from_ns: one.roam.from_ns, ..one },
                None => one,
            }
        };
        heard.map(beside).collect()
    }

    /// None if nothing of the change was heard but data before and after it, or if it kept none back.
    fn of(station: &RadioHeard, roam: &'a Roam) -> Option<Self> {
        let first = roam.asked_ns.or(roam.associated_ns);
        let is_anew = roam.bssids.0 == roam.bssids.1;
        if first.is_none() && roam.left == 0 || roam.is_usual && !is_anew {
            return None;
        }
        // Of a roam between channels the signal before it is another monitor's.
        let is_own = station.roaming.roams().kept().contains(roam);
        let fallen = fall(&station.signal, roam.from_ns).filter(|_| is_own);
        let one =
            Self { station: station.mac, outage: None, roam, fallen, from_ns: roam.from_ns, by_timer: false };
        // A station may associate anew with the same access point without having lost it, and had nothing to send before.
        let is_unseen = roam.left == 0 && fallen.is_none();
        let from_ns = match (one.is_anew(), one.is_lost()) {
            (true, false) => first.unwrap_or(roam.from_ns),
            // Nothing says when it lost it: as long as it announced itself it had not.
            (true, true) if is_unseen => roam.from_ns.max(roam.present_ns.unwrap_or_default()),
            _ => roam.from_ns,
        };
        Some(Self { from_ns, ..one })
    }

    fn is_anew(&self) -> bool {
        self.roam.bssids.0 == self.roam.bssids.1
    }

    /// Whether the end of an association was heard, or its reason, or that the station was gone.
    fn is_lost(&self) -> bool {
        self.roam.left > 0 || self.roam.is_gone || self.fallen.is_some()
    }

    /// When data went on, or could have: what came late is known to have waited only if a timer sent it.
    fn to_ns(&self) -> u64 {
        if self.by_timer {
            self.roam.to_ns
        } else {
            Roam { from_ns: self.from_ns, ..*self.roam }.resumed_ns()
        }
    }

    /// How long data waited that a timer of its sender sent again, when the way was open, in a sentence; empty if that is no more than twice what the way was shut.
    fn says_timer(&self) -> String {
        let open_ns = self.roam.open_ns.filter(|&open| self.from_ns <= open && open <= self.to_ns());
        let Some(open_ns) = open_ns.filter(|_| self.by_timer) else { return String::new() };
        let (away, waits) = (open_ns - self.from_ns, self.to_ns() - open_ns);
        if waits <= 2 * away {
            return String::new();
        }
        let [away, waits] = [away, waits].map(|ns| in_words(ns as f64 / 1e6));
        format!(
            " It was connected after {away}; for {waits} more data waited that TCP's timer sent again: for that timer, or below TCP, as for the address of its next hop."
        )
    }

    fn gap_ns(&self) -> u64 {
        self.to_ns().saturating_sub(self.from_ns)
    }

    /// Between what a gap lies, as the end of a sentence.
    fn ends(&self) -> &'static str {
        match (self.from_ns == self.roam.from_ns, self.to_ns() == self.roam.to_ns) {
            (true, true) if self.roam.is_dataless => "from the end of it until its first data",
            (true, false) if self.roam.is_dataless => "from the end of it until it was connected",
            (true, true) => "between its data",
            (true, false) => "from its last data until it was connected, with nothing to send",
            (false, true) => "until its data went on",
            (false, false) => "until it was connected, with nothing to send",
        }
    }

    /// What the station did, as a part of a sentence.
    fn way(&self) -> String {
        let (old, new) = self.roam.bssids;
        match (self.is_anew(), self.is_lost()) {
            (false, _) => format!("went from {old} to {new}"),
            (true, true) => format!("lost its association with {new} and associated anew"),
            (true, false) => {
                format!("associated anew with {new}, and no end of its association was heard before")
            }
        }
    }
}

/// How long a roam's exchange itself took, as a part of a sentence.
fn of_it(roam: &Roam) -> String {
    let (Some(asked), Some(associated)) = (roam.asked_ns, roam.associated_ns) else { return String::new() };
    format!(
        ", {:.0} ms of it from the first frame to the answer to the association",
        associated.saturating_sub(asked) as f64 / 1e6
    )
}

/// How long each station had no access point beside an outage of it, as a sentence.
fn losses(lost: &[&Heard<'_>]) -> String {
    const NAMED: usize = 8;
    let each = lost
        .iter()
        .take(NAMED)
        .map(|one| format!("{} had no data for {}", one.station, in_words(one.gap_ns() as f64 / 1e6)));
    let mut said = each.collect::<Vec<_>>().join(", ");
    if lost.len() > NAMED {
        said += &format!(", and {} more likewise", lost.len() - NAMED);
    }
    match lost.len() {
        0 => String::new(),
        1 => format!(" One station associated anew behind that: {said}."),
        several => format!(" {several} stations associated anew behind that: {said}."),
    }
}

/// An outage of an access point beside which stations lost their associations.
fn gone(
    evidence: &Evidence,
    capture: usize,
    span_ns: u64,
    outage: &Outage,
    heard: &[Heard<'_>],
) -> Option<Finding> {
    let mut lost: Vec<&Heard<'_>> = heard.iter().filter(|one| one.outage == Some(*outage)).collect();
    lost.sort_by_key(|one| std::cmp::Reverse(one.gap_ns()));
    let &Outage { ap, from_ns, to_ns, unanswered } = outage;
    if lost.is_empty() && unanswered == 0 {
        return None;
    }
    let [from, to] = [from_ns, to_ns].map(|at| evidence.seconds(at));
    let is_sure = unanswered > 0 || lost.first().is_some_and(|first| first.roam.associated_ns.is_some());
    let confidence = if is_sure { 0.9 } else { 0.7 };
    let seen = match unanswered {
        0 => format!(
            "The access point dismissed all its stations, and nothing of it was heard from {from:.1} to {to:.1} s."
        ),
        frames => format!(
            "Nothing of the access point was heard from {from:.1} to {to:.1} s, no beacon either, and it answered none of {frames} frames that its stations sent it then."
        ),
    };
    Some(Finding {
        subject: format!("access point {ap}"),
        spans: vec![[from, to]],
        value: 1e3 * (to - from),
        threshold: REPORTED_MS,
        unit: "ms without the access point",
        confidence,
        cost: Cost::seconds(to - from, (to_ns - from_ns) as f64 / span_ns as f64, "without the access point"),
        capture,
        frames: frames(&lost),
        filter: format!("wlan.addr == {ap} && (wlan.fc.type == 2 || {MANAGEMENT})"),
        says: format!("{seen}{}", losses(&lost)),
        remedy: STOPPED.to_owned(),
    })
}

/// Frames by which a station comes and goes, and beacons, in Wireshark.
const MANAGEMENT: &str = "wlan.fc.type_subtype in {0x00..0x03, 0x08, 0x0a..0x0c}";

/// The records beside changes, as far as they are in the capture that is looked at.
fn frames(heard: &[&Heard<'_>]) -> Vec<u32> {
    let numbers = heard.iter().flat_map(|one| [one.roam.numbers.0, one.roam.numbers.1]);
    let mut frames: Vec<_> = numbers.filter(|&number| number > 0).collect();
    frames.dedup();
    frames
}

/// A change with its cause.
struct Caused<'a> {
    one: &'a Heard<'a>,
    ends: Ends,
    cause: Cause,
}

impl<'a> Heard<'a> {
    fn caused(&'a self, air: &Air, station: &RadioHeard) -> Caused<'a> {
        let ends = Ends::of(air, station, self.roam, (self.from_ns, self.to_ns()));
        Caused { one: self, cause: Cause::of(self.roam, self.fallen.is_some(), &ends), ends }
    }
}

/// The changes of a station, those of one cause together.
fn by_cause(mut all: Vec<Caused<'_>>) -> Vec<Vec<Caused<'_>>> {
    all.sort_by_key(|one| one.cause);
    let mut groups: Vec<Vec<Caused<'_>>> = Vec::new();
    for one in all {
        match groups.last_mut() {
            Some(group) if group[0].cause == one.cause => group.push(one),
            _ => groups.push(vec![one]),
        }
    }
    groups
}

/// That a station's sequence numbers began again, which they did not each time, as a sentence behind others; empty if they went on, or always do.
fn says_anew(station: &RadioHeard, roams: &[&Heard<'_>]) -> &'static str {
    if station.roaming.counts_on && roams.iter().any(|one| one.roam.counts_anew) {
        " The station's sequence numbers began again before it asked, as at other times they did not: its adapter was started anew."
    } else {
        ""
    }
}

/// The changes of a station that have one cause, and that no outage explains.
fn found(
    evidence: &Evidence,
    capture: usize,
    span_ns: u64,
    station: &RadioHeard,
    of_cause: &[Caused<'_>],
) -> Option<Finding> {
    let roams: Vec<&Heard<'_>> = of_cause.iter().map(|caused| caused.one).collect();
    let Caused { one: worst, ends, cause } = of_cause.iter().max_by_key(|caused| caused.one.gap_ns())?;
    let longest = worst.gap_ns() as f64 / 1e6;
    if longest < REPORTED_MS {
        return None;
    }
    let away: u64 = roams.iter().map(|one| one.gap_ns()).sum();
    let mac = station.mac;
    let refused = roams.iter().filter_map(|one| one.roam.refused);
    Some(Finding {
        subject: format!("station {mac}"),
        spans: roams.iter().map(|one| [one.from_ns, one.to_ns()].map(|at| evidence.seconds(at))).collect(),
        value: longest,
        threshold: REPORTED_MS,
        unit: "ms without data",
        confidence: if worst.roam.associated_ns.is_some() { 0.9 } else { 0.7 },
        cost: length(longest, away as f64 / span_ns as f64),
        capture,
        frames: frames(&roams),
        filter: format!(
            "wlan.addr == {mac} && (wlan.fc.type == 2 || wlan.fc.type_subtype in {{0x00..0x03, 0x0a..0x0c}})"
        ),
        says: format!(
            "{}The station {}; {} passed {}{}.{} {}.{}",
            cause.says(worst.roam, ends, worst.fallen, refused),
            worst.way(),
            in_words(longest),
            worst.ends(),
            of_it(worst.roam),
            worst.says_timer(),
            counted(&roams),
            says_anew(station, &roams)
        ),
        remedy: cause.remedy().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roam() -> Roam {
        let [old, new] = [8, 9].map(|last| MacAddr([2, 0, 0, 0, 0, last]));
        Roam {
            bssids: (old, new),
            from_ns: 0,
            to_ns: 800_000_000,
            numbers: (1, 2),
            asked_ns: Some(700_000_000),
            associated_ns: Some(710_000_000),
            open_ns: Some(710_000_000),
            ..Roam::default()
        }
    }

    #[test]
    fn what_a_timer_sent_had_waited_however_late_it_came() {
        let roam = Roam { open_ns: Some(35_000_000), to_ns: 1_130_000_000, ..roam() };
        let by_timer = |by_timer| {
            Heard::of(&RadioHeard::default(), &roam).map(|heard| Heard { by_timer, ..heard }).unwrap()
        };
        assert_eq!([true, false].map(|known| by_timer(known).gap_ns() / 1_000_000), [1130, 35]);
        assert!(by_timer(true).says_timer().contains("after 35 ms; for 1095 ms more"));
        assert_eq!(by_timer(false).says_timer(), "", "nothing shows that it waited");
        assert!(is_one_of(&[1.0, 2.0], 2.04) && !is_one_of(&[1.0, 2.0], 1.9));
    }

    #[test]
    fn a_roam_in_a_usual_pause_costs_nothing() {
        let station = RadioHeard::default();
        let is_heard = |roam| Heard::of(&station, &roam).is_some();
        assert!(!is_heard(Roam { is_usual: true, ..roam() }));
        assert!(!is_untold(&Roam { is_usual: true, ..roam() }), "its authentication was heard");
        assert!(is_untold(&Roam { asked_ns: None, associated_ns: None, ..roam() }));
        // A new association with the same access point is judged by what was heard of it.
        let anew = Roam { bssids: (roam().bssids.1, roam().bssids.1), is_usual: true, ..roam() };
        assert!(is_heard(anew));
    }
}
