//! A slab: values at stable handles, freed places reused, no allocation after warm-up.

/// The place of one value in a [`Slab`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(pub u32);

/// Values at stable handles. A handle is valid from `insert` to `remove`; using it later panics.
pub struct Slab<T> {
    values: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { values: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Stores `value` and returns its handle.
    #[inline]
    pub fn insert(&mut self, value: T) -> Handle {
        self.insert_with(|| value)
    }

    /// Stores the value that `make` returns, and returns its handle. The place is found first, so that a large value is
    /// built in it rather than copied to it.
    #[inline]
    pub fn insert_with(&mut self, make: impl FnOnce() -> T) -> Handle {
        let place = self.free.pop().unwrap_or_else(|| self.grow());
        self.values[place as usize] = Some(make());
        Handle(place)
    }

    #[cold]
    fn grow(&mut self) -> u32 {
        self.values.push(None);
        (self.values.len() - 1) as u32
    }

    /// The value at `handle`.
    #[inline]
    pub fn get(&self, handle: Handle) -> &T {
        self.values[handle.0 as usize].as_ref().expect("a live handle")
    }

    /// The value at `handle`, mutable.
    #[inline]
    pub fn get_mut(&mut self, handle: Handle) -> &mut T {
        self.values[handle.0 as usize].as_mut().expect("a live handle")
    }

    /// Takes the value out and frees its place.
    #[inline]
    pub fn remove(&mut self, handle: Handle) -> T {
        let value = self.values[handle.0 as usize].take().expect("a live handle");
        self.free.push(handle.0);
        value
    }

    /// The same if `done` holds for the value at `handle`, which it may change.
    #[inline]
    pub fn remove_if(&mut self, handle: Handle, done: impl FnOnce(&mut T) -> bool) -> Option<T> {
        let value = &mut self.values[handle.0 as usize];
        if !done(value.as_mut().expect("a live handle")) {
            return None;
        }
        self.free.push(handle.0);
        value.take()
    }

    /// All values, in the order of their handles.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter().flatten()
    }

    /// How many values are held.
    pub fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_reused() {
        let mut slab = Slab::default();
        let a = slab.insert(1);
        let b = slab.insert(2);
        assert_eq!(slab.remove(a), 1);
        assert_eq!(slab.insert(3), a);
        assert_eq!((*slab.get(a), *slab.get(b), slab.len()), (3, 2, 2));
        let odd_now = |n: &mut i32| {
            *n += 1;
            *n % 2 == 1
        };
        assert_eq!((slab.remove_if(a, odd_now), slab.remove_if(b, odd_now)), (None, Some(3)));
        assert_eq!((slab.insert(5), *slab.get(a), slab.len()), (b, 4, 2));
    }

    #[test]
    #[should_panic(expected = "a live handle")]
    fn a_stale_handle_is_refused() {
        let mut slab = Slab::default();
        let a = slab.insert(1);
        slab.remove(a);
        slab.get(a);
    }
}
