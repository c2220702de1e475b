//! A signal that changes: the spells in which it is strong and in which it is weak.

use airloom_trace::{Bin, Bins};

/// By how much the two differ, in dB. Frames of the same place differ by less on average, whichever antennas heard them.
const DIFFERS: f64 = 10.0;
/// The length of a piece in nanoseconds, the frames that say something of it, and the pieces that a spell has at least.
const SECOND: u64 = 1_000_000_000;
const MIN_FRAMES: u32 = 3;
const SHORTEST: usize = 3;
/// How far to both sides of a time its signal is looked for, in nanoseconds.
const NEAR: u64 = SECOND / 10;
/// What is no higher above the lowest is about as low, in dB.
const ABOUT: f64 = 3.0;
/// The part of the pieces at either end that may lie anywhere.
const STRAY: f64 = 0.1;

impl Change {
    /// The same in dB above so much.
    pub(crate) fn above(self, dbm: f64) -> Self {
        Self { strong: self.strong - dbm, weak: self.weak - dbm, lowest: self.lowest - dbm, ..self }
    }

    /// For how long the signal is weak until a time, in nanoseconds.
    pub(crate) fn weak_ns(&self, until_ns: u64) -> u64 {
        self.spells.iter().map(|&(from, to)| to.min(until_ns).saturating_sub(from)).sum()
    }

    /// The same where the last spell goes on until a time, if what is heard behind that spell, on average since then, is no strong signal again.
    pub(crate) fn on_until(mut self, until_ns: u64, since: impl Fn(u64) -> Option<f64>) -> Self {
        let between = f64::midpoint(self.strong, self.weak);
        if let Some(last) =
            self.spells.last_mut().filter(|last| since(last.1).is_none_or(|mean| mean < between))
        {
            last.1 = last.1.max(until_ns);
        }
        self
    }

    /// Whether a time lies where the signal is weak.
    pub(crate) fn is_weak(&self, at_ns: u64) -> bool {
        self.spells.iter().any(|&(from, to)| (from..to).contains(&at_ns))
    }
}

/// A signal that is strong for some seconds and weak for others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// The medians of seconds in which it is strong and weak: in dBm, or in dB above the noise if that was taken off.
    pub(crate) strong: f64,
    /// See `strong`.
    pub(crate) weak: f64,
    /// When it is weak, in nanoseconds since 1970.
    pub(crate) spells: Vec<(u64, u64)>,
    /// The least of three seconds, by their median, and when it was no more than 3 dB above that, around it.
    pub(crate) lowest: f64,
    /// See `lowest`.
    pub(crate) lowest_ns: (u64, u64),
}

/// The mean of what was heard in a second, and when that begins and ends.
#[derive(Clone, Copy)]
struct Piece {
    from_ns: u64,
    to_ns: u64,
    mean: f64,
}

/// How a signal changes, if for three seconds and more on end it differs by 10 dB from what it is else. The two do not overlap: a signal that jumps to and fro
/// changes not.
pub(crate) fn change(signal: &Bins) -> Option<Change> {
    let pieces = pieces(signal);
    let smooth: Vec<f64> = (0..pieces.len())
        .map(|at| {
            let around = &pieces[at.saturating_sub(1)..(at + 2).min(pieces.len())];
            quantile(around.iter().map(|piece| piece.mean), 0.5)
        })
        .collect();
    let highest = smooth.iter().copied().max_by(f64::total_cmp)?;
    let lowest = smooth.iter().copied().min_by(f64::total_cmp)?;
    if highest - lowest < DIFFERS {
        return None;
    }
    let between = f64::midpoint(highest, lowest);
    let is_weak = without_short(smooth.iter().map(|mean| *mean < between).collect());
    let of = |weak: bool| {
        pieces.iter().zip(&is_weak).filter(move |(_, is)| **is == weak).map(|(piece, _)| piece.mean)
    };
    if of(true).next().is_none() || of(false).next().is_none() {
        return None;
    }
    let [strong, weak] = [quantile(of(false), 0.5), quantile(of(true), 0.5)];
    let apart = quantile(of(true), 1.0 - STRAY) <= quantile(of(false), STRAY);
    (apart && strong - weak >= DIFFERS).then(|| Change {
        strong,
        weak,
        spells: spells(&pieces, &is_weak),
        lowest,
        lowest_ns: around(&pieces, &smooth, lowest),
    })
}

/// How a signal fell before a time from which on nothing of what goes over its link arrives, however little of it was heard since: from the median of the seconds before to the mean of what was
/// heard since, or else just before, if that is 10 dB less.
pub(crate) fn fall(signal: &Bins, since_ns: u64) -> Option<Change> {
    let before: Vec<Piece> = pieces(signal).into_iter().filter(|piece| piece.to_ns <= since_ns).collect();
    let begins =
        |from_ns: u64| (0..signal.bins().len()).filter(move |&place| signal.begin_ns(place) >= from_ns);
    let heard = |from_ns: u64| {
        let mut all = Bin::default();
        begins(from_ns).for_each(|place| all.merge(&signal.bins()[place]));
        (all.count >= MIN_FRAMES).then(|| all.sum / f64::from(all.count))
    };
    let strong = quantile(before.iter().map(|piece| piece.mean), 0.5);
    let weak = heard(since_ns).or_else(|| heard(since_ns.saturating_sub(NEAR)))?;
    let last = begins(since_ns).rfind(|&place| signal.bins()[place].count > 0);
    let to_ns = last.map_or(since_ns, |place| signal.begin_ns(place) + signal.width_ns());
    (before.len() >= SHORTEST && strong - weak >= DIFFERS).then(|| Change {
        strong,
        weak,
        spells: vec![(since_ns, to_ns)],
        lowest: weak,
        lowest_ns: (since_ns, to_ns),
    })
}

/// From when to when a signal is hardly above its lowest, without a break around that.
fn around(pieces: &[Piece], smooth: &[f64], lowest: f64) -> (u64, u64) {
    let is_low = |at: &usize| smooth[*at] <= lowest + ABOUT;
    let at = smooth.iter().position(|mean| *mean <= lowest).unwrap_or_default();
    let first = (0..=at).rev().take_while(is_low).last().unwrap_or(at);
    let last = (at..smooth.len()).take_while(is_low).last().unwrap_or(at);
    (pieces[first].from_ns, pieces[last].to_ns)
}

/// The weaker of a signal just before a time and just after another; none if neither was heard.
pub(crate) fn beside(signal: &Bins, from_ns: u64, to_ns: u64) -> Option<f64> {
    let width = signal.width_ns();
    let heard = |place: &usize| signal.bins()[*place].count > 0;
    let places = 0..signal.bins().len();
    let before = places.clone().rev().filter(heard).find(|place| signal.begin_ns(*place) + width <= from_ns);
    let after = places.clone().filter(heard).find(|place| signal.begin_ns(*place) >= to_ns);
    let mean = |first: usize, last: usize| {
        let bins = &signal.bins()[first..=last];
        let (sum, count) = bins.iter().fold((0.0, 0), |all, bin| (all.0 + bin.sum, all.1 + bin.count));
        sum / f64::from(count)
    };
    let more = (NEAR / width) as usize;
    let before = before.map(|place| mean(place.saturating_sub(more), place));
    let after = after.map(|place| mean(place, (place + more).min(places.end - 1)));
    before.into_iter().chain(after).min_by(f64::total_cmp)
}

/// The seconds in which enough was heard.
fn pieces(signal: &Bins) -> Vec<Piece> {
    let together = SECOND.div_ceil(signal.width_ns()) as usize;
    let parts = signal.bins().chunks(together).enumerate();
    let heard = parts.filter_map(|(number, part)| {
        let (sum, count) = part.iter().fold((0.0, 0), |all, bin| (all.0 + bin.sum, all.1 + bin.count));
        let from_ns = signal.begin_ns(number * together);
        let to_ns = signal.begin_ns(number * together + part.len());
        (count >= MIN_FRAMES).then(|| Piece { from_ns, to_ns, mean: sum / f64::from(count) })
    });
    heard.collect()
}

/// The same with what is too short for a spell counted to what lies before it, or at first behind it.
fn without_short(mut is_weak: Vec<bool>) -> Vec<bool> {
    let mut at = 0;
    while at < is_weak.len() {
        let end =
            is_weak[at..].iter().position(|is| *is != is_weak[at]).map_or(is_weak.len(), |more| at + more);
        if end - at < SHORTEST && (at > 0 || end < is_weak.len()) {
            let other = !is_weak[at];
            is_weak[at..end].fill(other);
            // What lies before and behind is one now.
            at = if at == 0 { 0 } else { end };
        } else {
            at = end;
        }
    }
    is_weak
}

/// From when to when the signal is weak.
fn spells(pieces: &[Piece], is_weak: &[bool]) -> Vec<(u64, u64)> {
    let mut spells: Vec<(u64, u64)> = Vec::new();
    for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| is_weak[*at]) {
        match spells.last_mut().filter(|_| at > 0 && is_weak[at - 1]) {
            Some(spell) => spell.1 = piece.to_ns,
            None => spells.push((piece.from_ns, piece.to_ns)),
        }
    }
    spells
}

/// The value below which such a part of some values lies; 0 without any.
fn quantile(values: impl Iterator<Item = f64>, part: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let place = (part * values.len().saturating_sub(1) as f64).round() as usize;
    values.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signal that is noted every 50 ms for so many seconds.
    fn signal(seconds: u64, dbm: impl Fn(f64) -> f64) -> Bins {
        let mut bins = Bins::from(0);
        (0..20 * seconds).for_each(|part| bins.note(part * SECOND / 20, dbm(part as f64 / 20.0)));
        bins
    }

    fn seconds(change: &Change) -> Vec<(f64, f64)> {
        change.spells.iter().map(|(from, to)| (*from as f64 / 1e9, *to as f64 / 1e9)).collect()
    }

    #[test]
    fn a_walk_behind_a_wall_is_a_spell() {
        let behind = change(&signal(16, |at| if at < 7.0 { -46.0 } else { -81.0 })).expect("it changes");
        assert!((behind.strong + 46.0).abs() < 0.1 && (behind.weak + 81.0).abs() < 0.1, "{behind:?}");
        let [(from, to)] = seconds(&behind)[..] else { panic!("one spell: {behind:?}") };
        assert!((6.0..=7.5).contains(&from) && (15.5..=16.5).contains(&to), "{behind:?}");
    }

    /// `1_2_test_pcap1.pcap` of WiFi-Doctor: a walk out of reach and back.
    #[test]
    fn a_walk_has_a_lowest_place() {
        let walk = |at: f64| match at as u64 {
            0..20 => -44.0,
            20..30 => -74.0,
            30..40 => -88.0,
            40..50 => -76.0,
            _ => -43.0,
        };
        let change = change(&signal(70, walk)).expect("it changes");
        let [from, to] = [change.lowest_ns.0, change.lowest_ns.1].map(|at| at as f64 / 1e9);
        assert!((change.lowest + 88.0).abs() < 0.1 && change.weak > -80.0, "{change:?}");
        assert!((29.0..=31.0).contains(&from) && (39.0..=41.0).contains(&to), "{from} {to}");
        assert!(change.is_weak(35 * SECOND) && !change.is_weak(10 * SECOND));
    }

    #[test]
    fn one_that_comes_back_has_a_spell_in_between() {
        let back = change(&signal(60, |at| if (20.0..30.0).contains(&at) { -70.0 } else { -50.0 }));
        let [(from, to)] = seconds(&back.expect("it changes"))[..] else { panic!("one spell") };
        assert!((19.0..=21.0).contains(&from) && (29.0..=31.5).contains(&to), "{from} {to}");
    }

    #[test]
    fn a_signal_that_jumps_from_frame_to_frame_or_for_a_moment_does_not_change() {
        let antennas = signal(30, |at| if ((at * 20.0) as u64).is_multiple_of(2) { -50.0 } else { -70.0 });
        let moment = signal(30, |at| if (10.0..11.0).contains(&at) { -80.0 } else { -50.0 });
        let flutter = signal(30, |at| if ((at / 2.0) as u64).is_multiple_of(2) { -50.0 } else { -70.0 });
        let small = signal(30, |at| if at < 10.0 { -50.0 } else { -57.0 });
        for steady in [antennas, moment, flutter, small, Bins::default()] {
            assert_eq!(change(&steady), None);
        }
    }

    #[test]
    fn a_signal_that_falls_before_nothing_arrives_is_told_by_what_little_is_heard_then() {
        let falls = |at: f64| if at < 5.5 { -46.0 } else { -60.0 - 10.0 * (at - 5.5) };
        let fell = |seconds: u64, since: f64| {
            let mut bins = Bins::from(0);
            let often = 100 * seconds;
            (0..often).for_each(|part| bins.note(part * SECOND / 100, falls(part as f64 / 100.0)));
            fall(&bins, (since * 1e9) as u64)
        };
        let since = fell(7, 6.0).expect("heard for a second");
        assert!((since.strong + 46.0).abs() < 0.1 && (-71.0..-69.0).contains(&since.weak), "{since:?}");
        assert_eq!(seconds(&since).len(), 1);
        assert!(fell(6, 6.0).expect("just before").weak < -63.0);
        assert_eq!(fell(5, 5.0), None, "strong to the end, as one that is switched off");
        assert_eq!(fell(3, 2.0), None, "too short to know what it was");
    }

    #[test]
    fn beside_a_time_counts_what_is_weaker() {
        let falls = signal(10, |at| if at < 5.0 { -46.0 } else { -81.0 });
        let at = |from: f64, to: f64| beside(&falls, (from * 1e9) as u64, (to * 1e9) as u64);
        assert_eq!([at(2.0, 2.1), at(4.9, 5.1), at(8.0, 8.1)], [Some(-46.0), Some(-81.0), Some(-81.0)]);
        assert_eq!(beside(&Bins::default(), 0, 1), None);
    }
}
