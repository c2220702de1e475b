//! How often PPDUs collide among senders that hear each other.

/// The least contention window, and how often it doubles (802.11-2020 clause 17.4.4).
const WINDOW: f64 = 16.0;
const DOUBLINGS: f64 = 6.0;

/// The chance that a PPDU of one of `senders` saturated senders that hear each other collides (Bianchi 2000, equations 7 and 9),
/// in percent.
pub(crate) fn expected(senders: usize) -> f64 {
    let others = senders.saturating_sub(1) as f64;
    let sends = |p: f64| {
        let q = 1.0 - 2.0 * p;
        2.0 * q / (q * (WINDOW + 1.0) + p * WINDOW * (1.0 - libm::pow(2.0 * p, DOUBLINGS)))
    };
    // The chance that others send grows with how often they do, which falls with the chance: there is one solution.
    let (mut low, mut high) = (0.0, 0.499_999);
    for _ in 0..40 {
        let p = (low + high) / 2.0;
        if 1.0 - libm::pow(1.0 - sends(p), others) > p { low = p } else { high = p }
    }
    100.0 * low
}

/// The share of the air that is lost to collisions among so many: what collides takes the air of two once.
pub(crate) fn lost(senders: usize) -> f64 {
    expected(senders) / 100.0 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_collides_alone_and_more_among_more() {
        assert!(expected(1) < 1e-6);
        // A sender that never collides sends in one of (16 + 1) / 2 slots.
        assert!((expected(2) - 100.0 * 2.0 / 17.0).abs() < 1.5, "{}", expected(2));
        assert!(expected(2) < expected(5) && expected(5) < expected(20));
    }
}
