//! ARF that requires more successes each time going up fails (Lacage, Manshaei and Turletti, "IEEE 802.11 rate
//! adaptation: a practical approach", 2004).

use super::{RateControl, Setup, arf};
use airloom_rate::Rate;

airloom_sim::parameters! {
    /// AARF.
    pub struct Aarf {
        /// Successes in a row before the next rate up is tried; one and a half times as many attempts do as well. They
        /// double each time the first attempt at the higher rate fails.
        successes: u32 = count(1, 1_000), default 10;
        /// The most successes that are asked for.
        most_successes: u32 = count(1, 1_000), default 50;
        /// Failures in a row before the next rate down is taken, and `successes` are asked for again.
        failures: u32 = count(1, 255), default 2;
    }
    check in_order;
}

fn in_order(aarf: &Aarf) -> Option<(&'static str, &'static str)> {
    (aarf.most_successes < aarf.successes).then_some(("most_successes", "is below `successes`"))
}

impl Aarf {
    /// The rates that it chooses from, and its control over them.
    pub(super) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        let rates = setup.steps();
        let range = (self.successes, self.most_successes);
        let control = arf::Control::new(rates.len(), self.failures, range);
        (rates, Box::new(control))
    }
}

#[cfg(test)]
mod tests {
    use super::arf::Control;
    use crate::rate_control::RateControl;
    use airloom_sim::Index;

    /// Reports `n` like attempts; the rate after them.
    fn after(aarf: &mut Control, n: u32, success: bool) -> usize {
        (0..n).for_each(|_| aarf.attempted(1, success.into()));
        aarf.preferred().place()
    }

    #[test]
    fn the_adaptive_variant_doubles_its_patience_up_to_fifty() {
        let mut aarf = Control::new(2, 2, (10, 50));
        after(&mut aarf, 2, false);
        for patience in [10, 20, 40, 50, 50] {
            assert_eq!(after(&mut aarf, patience - 1, true), 0);
            assert_eq!(after(&mut aarf, 1, true), 1, "after {patience}");
            assert_eq!(after(&mut aarf, 1, false), 0);
        }
        after(&mut aarf, 2, false);
        assert_eq!(after(&mut aarf, 10, true), 1, "two failures make it forget");
    }
}
