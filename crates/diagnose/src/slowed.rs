//! What rates were less within some spells than outside of them.

use airloom_trace::Bins;

/// Rates in Mbit/s: within some spells, and how much less that is than outside of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slowed {
    /// Within.
    pub(crate) within: f64,
    /// How much less.
    pub(crate) less: f64,
}

/// How much slower octets went within spells, all of these together; none if they were no slower, or no bin lies within.
pub(crate) fn slowed_mbps<'a>(
    octets: impl IntoIterator<Item = &'a Bins>,
    within: impl Fn(u64) -> bool,
) -> Option<Slowed> {
    let parts = octets.into_iter().filter_map(|bins| difference(bins, &within));
    let all = parts.fold(Slowed::default(), |sum, part| Slowed {
        within: sum.within + part.within,
        less: sum.less + part.less,
    });
    (all.less > 0.01).then_some(all)
}

/// The same of one of them; none if it has no bin within the spells or none outside of them.
fn difference(bins: &Bins, within: impl Fn(u64) -> bool) -> Option<Slowed> {
    let (mut inside, mut outside) = ((0.0, 0_u64), (0.0, 0_u64));
    for (place, bin) in bins.bins().iter().enumerate() {
        let middle = bins.begin_ns(place) + bins.width_ns() / 2;
        let of = if within(middle) { &mut inside } else { &mut outside };
        of.0 += bin.sum;
        of.1 += bins.width_ns();
    }
    let mbps = |(octets, ns): (f64, u64)| 8e3 * octets / ns as f64;
    (inside.1 > 0 && outside.1 > 0)
        .then(|| Slowed { within: mbps(inside), less: mbps(outside) - mbps(inside) })
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
        let within = |at: u64| (200_000_000..500_000_000).contains(&at);
        let data = second(20..50, 125_000.0);
        // 100 Mbit/s outside, 10 within.
        assert!((slowed_mbps([&data], within).unwrap().less - 90.0).abs() < 1e-9);
        let acks = second(20..50, 2_500.0);
        assert!((slowed_mbps([&data, &acks], within).unwrap().less - 91.8).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_slower_lost_nothing() {
        let within = |at: u64| (200_000_000..500_000_000).contains(&at);
        assert_eq!(slowed_mbps([&second(0..0, 100.0)], within), None);
        assert_eq!(slowed_mbps([&second(20..50, 100.0)], |_| false), None);
    }
}
