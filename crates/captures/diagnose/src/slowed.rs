//! What rates were less within some spells than outside of them.

use airloom_trace::Bins;

/// A stretch of time that is several round trips long, in nanoseconds.
const STRETCH: u64 = 200_000_000;
/// A flow has recovered that has this part of its rate again.
const RECOVERED: f64 = 0.8;
/// The least time outside of spells that tells a rate, in nanoseconds.
const MIN_OUTSIDE: u64 = 600_000_000;

/// Rates in Mbit/s: within some spells, and how much less that is than outside of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slowed {
    /// Within.
    pub(crate) within: f64,
    /// How much less.
    pub(crate) less: f64,
    /// Before the first of them and, outside of them, behind it; none if either is too short to tell.
    pub(crate) around: Option<(f64, f64)>,
}

impl Slowed {
    /// What went before the first spell, and what goes outside of them behind it, where that is clearly less: a flow takes its time to come back.
    pub(crate) fn recovers(&self) -> Option<(f64, f64)> {
        self.around.filter(|(before, behind)| *behind < RECOVERED * before)
    }
}

/// How much slower octets went within spells, all of these together, each with the share of them that counts. `within` says whether a time is within spells; none if nothing was there
/// to go then, so that it counts for neither. The slow start of what goes outside does
/// not count, nor what goes behind the first spell if that is slower than before it: it may still recover. None if they were no slower, no bin lies within, or too few outside.
pub(crate) fn slowed_mbps<'a>(
    octets: impl IntoIterator<Item = (&'a Bins, f64)>,
    within: impl Fn(u64) -> Option<bool>,
) -> Option<Slowed> {
    let parts = octets.into_iter().filter_map(|(bins, payload)| Some((difference(bins, &within)?, payload)));
    let none = Slowed { within: 0.0, less: 0.0, around: Some((0.0, 0.0)) };
    let all = parts.fold(none, |sum, (part, payload)| Slowed {
        within: sum.within + payload * part.within,
        less: sum.less + payload * part.less,
        around: sum
            .around
            .zip(part.around)
            .map(|(all, one)| (all.0 + payload * one.0, all.1 + payload * one.1)),
    });
    (all.less > 0.01).then_some(all)
}

/// The same of one of them; none if it has no bin within the spells, or too few outside of them to tell its rate there.
fn difference(bins: &Bins, within: impl Fn(u64) -> Option<bool>) -> Option<Slowed> {
    let (mut inside, mut outside, mut before) = (Vec::new(), Vec::new(), 0);
    let first = bins.bins().iter().position(|bin| bin.count > 0)?;
    for (place, bin) in bins.bins().iter().enumerate().skip(first) {
        let middle = bins.begin_ns(place) + bins.width_ns() / 2;
        match within(middle) {
            Some(true) => inside.push(bin.sum),
            Some(false) => outside.push(bin.sum),
            None => {}
        }
        before = if inside.is_empty() { outside.len() } else { before };
    }
    let mbps = |of: &[f64]| 8e3 * of.iter().sum::<f64>() / (of.len() as u64 * bins.width_ns()) as f64;
    let free = [&outside[..before], &outside[..]].map(|part| behind_start(part, bins.width_ns()));
    let rate = |part: &[f64]| (part.len() as u64 * bins.width_ns() >= MIN_OUTSIDE).then(|| mbps(part));
    let most = free.into_iter().filter_map(rate).max_by(f64::total_cmp)?;
    (!inside.is_empty()).then(|| Slowed {
        within: mbps(&inside),
        less: most - mbps(&inside),
        around: rate(free[0]).zip(rate(&outside[before..])),
    })
}

/// What is left of bins without the first part of a flow, in which its rate still grows: from the first stretch on that has as much as half of all have.
fn behind_start(bins: &[f64], width_ns: u64) -> &[f64] {
    let each = STRETCH.div_ceil(width_ns) as usize;
    let stretches: Vec<f64> = bins.chunks_exact(each).map(|stretch| stretch.iter().sum()).collect();
    let mut sorted = stretches.clone();
    sorted.sort_by(f64::total_cmp);
    let usual = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    let start = stretches.iter().position(|&octets| octets >= usual).unwrap_or_default();
    &bins[(start * each).min(bins.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of 100 octets in each 10 ms, but for some bins of 10.
    fn second(slow: std::ops::Range<u64>, octets: f64) -> Bins {
        let mut bins = Bins::from(0);
        for place in 0..100 {
            bins.note(place * 10_000_000, if slow.contains(&place) { octets / 10.0 } else { octets });
        }
        bins
    }

    #[test]
    fn what_directions_lose_is_added_up_over_one_time() {
        let within = |at: u64| Some((200_000_000..500_000_000).contains(&at));
        let data = second(20..50, 125_000.0);
        // 100 Mbit/s outside, 10 within.
        assert!((slowed_mbps([(&data, 1.0)], within).unwrap().less - 90.0).abs() < 1e-9);
        let acks = second(20..50, 2_500.0);
        assert!((slowed_mbps([(&data, 1.0), (&acks, 1.0)], within).unwrap().less - 91.8).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_slower_lost_nothing() {
        let within = |at: u64| Some((200_000_000..500_000_000).contains(&at));
        assert_eq!(slowed_mbps([(&second(0..0, 100.0), 1.0)], within), None);
        assert_eq!(slowed_mbps([(&second(20..50, 100.0), 1.0)], |_| Some(false)), None);
    }

    #[test]
    fn what_is_over_loses_nothing() {
        // 100 Mbit/s for 6 s, then next to nothing for 14 s, in which the spell is.
        let mut bins = Bins::from(0);
        for place in 0..2000_u32 {
            bins.note(u64::from(place) * 10_000_000, if place < 600 { 125_000.0 } else { 80.0 });
        }
        let spell = |at: u64| (8_000_000_000..18_000_000_000).contains(&at);
        let lasts = |at: u64| at < 6_000_000_000;
        assert!(slowed_mbps([(&bins, 1.0)], |at| Some(spell(at))).is_some());
        assert_eq!(slowed_mbps([(&bins, 1.0)], |at| lasts(at).then(|| spell(at))), None);
    }

    #[test]
    fn what_recovers_behind_spells_is_no_rate_outside_of_them() {
        // 100 Mbit/s for 2 s, a tenth within a second, a fifth for the 5 s behind it.
        let mut bins = Bins::from(0);
        for place in 0..800_u32 {
            let share = [1.0, 1.0, 0.1].get(place as usize / 100).copied().unwrap_or(0.2);
            bins.note(u64::from(place) * 10_000_000, 125_000.0 * share);
        }
        let slowed =
            slowed_mbps([(&bins, 1.0)], |at| Some((2_000_000_000..3_000_000_000).contains(&at))).unwrap();
        assert!((slowed.less - 90.0).abs() < 1e-9, "{slowed:?}");
        let (outside, behind) = slowed.recovers().expect("it never comes back");
        assert!((outside - 100.0).abs() < 1e-9 && (behind - 20.0).abs() < 1e-9);
        let back = slowed_mbps([(&second(20..50, 125_000.0), 1.0)], |at| {
            Some((200_000_000..500_000_000).contains(&at))
        });
        assert_eq!(back.expect("it is slower").recovers(), None);
    }

    #[test]
    fn what_was_too_short_before_spells_is_no_rate_that_a_flow_comes_back_to() {
        // 100 Mbit/s for 0.5 s, a hundredth within a second, a tenth for the 5 s behind it.
        let mut bins = Bins::from(0);
        for place in 0..650_u32 {
            let share = if place < 50 {
                1.0
            } else if place < 150 {
                0.01
            } else {
                0.1
            };
            bins.note(u64::from(place) * 10_000_000, 125_000.0 * share);
        }
        let spell = |at: u64| Some((500_000_000..1_500_000_000).contains(&at));
        assert_eq!(slowed_mbps([(&bins, 1.0)], spell).expect("it is slower").recovers(), None);
    }

    #[test]
    fn the_start_of_a_flow_is_no_rate_that_it_has_outside() {
        // Nothing for 0.5 s, a start of 1.5 s, 100 Mbit/s for 2 s, a half of that for a second.
        let mut bins = Bins::from(0);
        for place in 50..500_u32 {
            let share = if place < 400 { (f64::from(place - 50) / 150.0).min(1.0) } else { 0.5 };
            bins.note(u64::from(place) * 10_000_000, 125_000.0 * share);
        }
        let slowed = slowed_mbps([(&bins, 1.0)], |at| Some(at >= 4_000_000_000)).unwrap();
        assert!((slowed.within - 50.0).abs() < 1.0, "{slowed:?}");
        assert!((slowed.less - 50.0).abs() < 1.5, "{slowed:?}");
    }
}
