//! An application that hands over what its scenario says, each step at its time.

use airloom_scenario::{HandOver, HandedOver, Traffic};
use airloom_sim::{Duration, Time};
use std::sync::Arc;

/// One, which is asked as its flow starts, and again as each step is due.
pub(super) struct TrafficScript {
    steps: Arc<[HandedOver]>,
    /// The next step.
    next: usize,
}

impl TrafficScript {
    pub(super) fn new(steps: Arc<[HandedOver]>) -> Self {
        Self { steps, next: 0 }
    }
}

impl Traffic for TrafficScript {
    fn next(&mut self, _now: Time) -> Option<HandOver> {
        let HandedOver { at, bytes } = *self.steps.get(self.next)?;
        let before = self.next.checked_sub(1).map_or(Duration::ZERO, |last| self.steps[last].at);
        self.next += 1;
        Some(HandOver { wait: at - before, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waits_between_steps_add_up_to_their_times() {
        let step = |ms, bytes| HandedOver { at: Duration::from_millis(ms), bytes };
        let mut script = TrafficScript::new(Arc::new([step(3, 10), step(3, 20), step(8, 30)]));
        let said: Vec<_> = std::iter::from_fn(|| script.next(Time::ZERO)).collect();
        let over = |ms, bytes| HandOver { wait: Duration::from_millis(ms), bytes };
        assert_eq!(said, [over(3, 10), over(0, 20), over(5, 30)]);
    }
}
