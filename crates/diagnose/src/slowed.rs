//! What a rate was less within some spells than outside of them.

use airloom_trace::Bins;

/// Mbit/s of octets outside of spells less that within; none if it was no less, or no bin lies within.
pub(crate) fn slowed_mbps<'a>(
    octets: impl IntoIterator<Item = &'a Bins>,
    within: impl Fn(u64) -> bool,
) -> Option<f64> {
    let (mut inside, mut outside) = ((0.0, 0_u64), (0.0, 0_u64));
    for bins in octets {
        for (place, bin) in bins.bins().iter().enumerate() {
            let middle = bins.begin_ns(place) + bins.width_ns() / 2;
            let of = if within(middle) { &mut inside } else { &mut outside };
            of.0 += bin.sum;
            of.1 += bins.width_ns();
        }
    }
    let mbps = |(octets, ns): (f64, u64)| 8e3 * octets / ns.max(1) as f64;
    let slowed = mbps(outside) - mbps(inside);
    (slowed > 0.01 && inside.1 > 0).then_some(slowed)
}
