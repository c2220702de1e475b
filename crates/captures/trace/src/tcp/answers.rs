//! How long answers of the end that was called take, beside its answer to the SYN.

/// So many answers show by themselves how far what answers is.
const MIN_ANSWERS: u64 = 10;
/// So many show it where the soonest took what the answer to the SYN took: a program would have to take just that long.
const MIN_ALIKE: u64 = 3;

/// Answers of an end, and those of them that came sooner than half of the time that the answer to the SYN took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answers {
    all: u64,
    soon: u64,
    least_ns: Option<u64>,
}

impl Answers {
    /// An answer took so long, that to the SYN so long, in nanoseconds.
    pub(super) fn took(&mut self, answer_ns: u64, syn_ns: u64) {
        self.all += 1;
        self.soon += u64::from(2 * answer_ns < syn_ns);
        self.least_ns = Some(self.least_ns.map_or(answer_ns, |least_ns| least_ns.min(answer_ns)));
    }

    /// Whether they come from as far as the answer to the SYN, which took so long in nanoseconds, though so many acknowledgments come from near.
    pub(super) fn come_from(&self, syn_ns: u64, acknowledgments: u64) -> bool {
        let known = self.all.min(acknowledgments);
        let as_long = |least_ns: u64| 10 * least_ns >= 9 * syn_ns && 4 * least_ns <= 5 * syn_ns;
        (known >= MIN_ANSWERS && 4 * self.soon <= self.all)
            || (known >= MIN_ALIKE && self.least_ns.is_some_and(as_long))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether answers that took so many ms come from where the answer to the SYN took 75 ms.
    fn come_from_far(took_ms: &[u64]) -> bool {
        let mut answers = Answers::default();
        took_ms.iter().for_each(|ms| answers.took(ms * 1_000_000, 75_000_000));
        answers.come_from(75_000_000, took_ms.len() as u64)
    }

    #[test]
    fn few_answers_that_take_as_long_as_that_to_the_syn_come_from_there() {
        assert!(come_from_far(&[79, 74, 150]));
        assert!(!come_from_far(&[79, 74]));
        // One that is sooner shows that it is near, and those that are all later that a program took its time.
        assert!(!come_from_far(&[79, 74, 40]));
        assert!(!come_from_far(&[130, 120, 150]));
    }
}
