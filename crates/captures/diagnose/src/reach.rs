//! What can be reached from something that is reached.

/// Tries each place that is reached, in the order in which it was, against the rest, once each; `join` says whether that reaches it.
pub(crate) fn reach(
    mut reached: Vec<usize>,
    mut rest: Vec<usize>,
    mut join: impl FnMut(usize, usize) -> bool,
) {
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        rest.retain(|&place| {
            let joins = join(from, place);
            if joins {
                reached.push(place);
            }
            !joins
        });
        next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_followed_with_each_pair_tried_once() {
        let (mut tried, mut joined) = (Vec::new(), Vec::new());
        reach(vec![99], (0..99).collect(), |from, place| {
            tried.push([from, place]);
            let joins = place + 1 == from && place != 40;
            joined.extend(joins.then_some(place));
            joins
        });
        assert_eq!(joined, (41..99).rev().collect::<Vec<_>>());
        let all = tried.len();
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried.len(), all);
    }
}
