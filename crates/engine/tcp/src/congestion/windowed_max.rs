//! The greatest of recent values: a window of three estimates (K. Nichols; `lib/win_minmax.c`, Linux 4.9 on).

#[derive(Clone, Copy, Default)]
struct Estimate {
    at: u32,
    value: u64,
}

/// The greatest value of a window, about: the best, the best since, and the best since that.
#[derive(Clone, Copy, Default)]
pub(super) struct WindowedMax([Estimate; 3]);

impl WindowedMax {
    /// The greatest value.
    pub(super) fn get(&self) -> u64 {
        self.0[0].value
    }

    /// Takes a value at a non-decreasing time; values older than `window` are dropped (`minmax_running_max`).
    pub(super) fn take(&mut self, window: u32, at: u32, value: u64) {
        let new = Estimate { at, value };
        let best = &mut self.0;
        if value >= best[0].value || at - best[2].at > window {
            *best = [new; 3];
            return;
        }
        if value >= best[1].value {
            (best[1], best[2]) = (new, new);
        } else if value >= best[2].value {
            best[2] = new;
        }
        let age = at - best[0].at;
        if age > window {
            *best = [best[1], best[2], new];
            if at - best[0].at > window {
                *best = [best[1], best[2], new];
            }
        } else if best[1].at == best[0].at && age > window / 4 {
            (best[1], best[2]) = (new, new);
        } else if best[2].at == best[1].at && age > window / 2 {
            best[2] = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_value_is_taken_at_once_and_a_falling_one_after_the_window() {
        let mut max = WindowedMax::default();
        (0..5).for_each(|n| max.take(10, n, 10 + u64::from(n)));
        assert_eq!(max.get(), 14);
        let seen: Vec<_> = (5..16).map(|n| (max.take(10, n, 7), max.get()).1).collect();
        assert_eq!(seen[..10], [14; 10]);
        assert_eq!(seen[10], 7, "11 later");
    }
}
