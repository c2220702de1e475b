//! How segments were sent again, in words.

use airloom_trace::tcp::Trigger;

/// How so many segments of each kind were sent again, the most first: "31 after duplicate acknowledgments, 4 by the timer".
pub(crate) fn kinds(of: impl Fn(Trigger) -> u64) -> String {
    let mut counts = Trigger::ALL.map(|trigger| (of(trigger), words(trigger)));
    counts.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let counts = counts.into_iter().filter(|&(count, _)| count > 0);
    counts.map(|(count, words)| format!("{count} {words}")).collect::<Vec<_>>().join(", ")
}

const fn words(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Fast => "after duplicate acknowledgments",
        Trigger::Timeout => "by the timer",
        Trigger::AfterTimeout => "behind a timeout",
        Trigger::Probe => "as tail loss probes",
        Trigger::Handshake => "in the handshake",
        Trigger::TooBig => "since a router said that they were too big",
        Trigger::Unclear => "for no reason that shows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_that_there_are_have_a_number() {
        let some = |trigger: Trigger| [0, 1, 7, 0, 0, 0, 2][trigger as usize];
        assert_eq!(kinds(some), "7 behind a timeout, 2 for no reason that shows, 1 by the timer");
        assert_eq!(kinds(|_| 0), "");
    }
}
