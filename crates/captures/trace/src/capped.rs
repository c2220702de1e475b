//! Lists that stay short.

/// The first so many of something, and how many there were.
#[derive(Clone, Debug, PartialEq)]
pub struct Capped<T, const MOST: usize = 4096> {
    kept: Vec<T>,
    total: u64,
}

impl<T, const MOST: usize> Default for Capped<T, MOST> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<T, const MOST: usize> Capped<T, MOST> {
    /// An empty list.
    pub const NONE: Self = Self { kept: Vec::new(), total: 0 };

    /// Keeps one more, or only counts it.
    pub fn push(&mut self, one: T) {
        self.total += 1;
        if self.kept.len() < MOST {
            self.kept.push(one);
        }
    }

    /// The last one, if it is kept.
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        if self.total == self.kept.len() as u64 { self.kept.last_mut() } else { None }
    }

    /// Those that are kept, in their order.
    pub fn kept(&self) -> &[T] {
        &self.kept
    }

    /// The same, to be changed.
    pub(crate) fn kept_mut(&mut self) -> &mut [T] {
        &mut self.kept
    }

    /// How many there were.
    pub const fn total(&self) -> u64 {
        self.total
    }
}
