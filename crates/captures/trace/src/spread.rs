//! A few of many, from the first to the last.

/// Up to so many of a sequence, evenly spread over it: every one while there is room, then every second, every fourth.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread<T, const MOST: usize = 16> {
    kept: Vec<T>,
    seen: u64,
    /// One in so many is kept.
    every: u64,
}

impl<T, const MOST: usize> Default for Spread<T, MOST> {
    fn default() -> Self {
        Self { kept: Vec::new(), seen: 0, every: 1 }
    }
}

impl<T, const MOST: usize> Spread<T, MOST> {
    /// Takes the next one, and keeps it or not.
    pub fn push(&mut self, one: T) {
        if self.seen.is_multiple_of(self.every) {
            if self.kept.len() == MOST {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.every *= 2;
            }
            if self.seen.is_multiple_of(self.every) {
                self.kept.push(one);
            }
        }
        self.seen += 1;
    }

    /// Those that are kept, in their order.
    pub fn kept(&self) -> &[T] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_spread_evenly_from_the_first_on() {
        for length in [0, 1, 15, 16, 17, 100, 12_345] {
            let mut spread = Spread::<u64>::default();
            (0..length).for_each(|one| spread.push(one));
            let kept = spread.kept();
            let apart = kept.get(1).copied().unwrap_or(1);
            assert!(kept.iter().copied().eq((0..length).step_by(apart as usize)), "{length}: {kept:?}");
            assert!(kept.len() as u64 >= length.min(8) && kept.len() <= 16, "{length}: {kept:?}");
        }
    }
}
