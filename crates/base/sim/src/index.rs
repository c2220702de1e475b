//! Typed identities: a vector with an index type of its own.

use std::marker::PhantomData;
use std::ops;

/// A small integer that names an element of an [`IndexVec`]. Made by [`index_type!`](crate::index_type).
pub trait Index: Copy {
    /// The index of the element at `place`. The number is truncated to the width of the type; [`IndexVec::push`]
    /// checks that it fits.
    fn new(place: usize) -> Self;

    /// The place of the element.
    fn place(self) -> usize;
}

/// Declares index types: `pub struct LinkId(u32);` becomes a type that implements [`Index`] and can be compared
/// and copied, but not calculated with.
#[macro_export]
macro_rules! index_type {
    ($($(#[$attribute:meta])* $visible:vis struct $name:ident($inside:vis $number:ident);)+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible struct $name($inside $number);

        impl $crate::Index for $name {
            #[inline]
            fn new(place: usize) -> Self {
                Self(place as $number)
            }

            #[inline]
            fn place(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

/// A vector of `T` that only an `I` can index.
#[derive(Clone, Debug)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    index: PhantomData<fn(I)>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), index: PhantomData }
    }
}

impl<I: Index, T> IndexVec<I, T> {
    /// Adds an element and returns its index.
    ///
    /// # Panics
    /// If the index type has no number for it.
    pub fn push(&mut self, item: T) -> I {
        let [id] = self.next_ids();
        self.items.push(item);
        id
    }

    /// The indices that the next elements to be pushed will have, for elements that name each other.
    ///
    /// # Panics
    /// If the index type has no numbers for them.
    pub fn next_ids<const N: usize>(&self) -> [I; N] {
        std::array::from_fn(|n| {
            let id = I::new(self.items.len() + n);
            assert_eq!(id.place(), self.items.len() + n, "more elements than the index type has numbers for");
            id
        })
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The element of this index, if there is one.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.place())
    }

    /// The same, to change it.
    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.place())
    }

    /// The indices of all elements, in order.
    #[inline]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// All elements, in order.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All elements, in order, mutable.
    #[inline]
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The first element for which `wanted` holds.
    pub fn position(&self, wanted: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(wanted).map(I::new)
    }

    /// Takes out the elements for which `wanted` holds. The remaining ones move up: earlier indices become invalid.
    pub fn extract_if(&mut self, wanted: impl FnMut(&mut T) -> bool) -> impl Iterator<Item = T> {
        self.items.extract_if(.., wanted)
    }

    /// The place of `id`, made if there is none yet: places up to it are filled with the default.
    pub fn grown_to(&mut self, id: I) -> &mut T
    where
        T: Default,
    {
        if self.items.len() <= id.place() {
            self.items.resize_with(id.place() + 1, T::default);
        }
        &mut self.items[id.place()]
    }
}

impl<I: Index, T> ops::Index<I> for IndexVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.place()]
    }
}

impl<I: Index, T> ops::IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.place()]
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(items: S) -> Self {
        Self { items: items.into_iter().collect(), index: PhantomData }
    }
}

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IndexVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::index_type! {
        /// A narrow index.
        struct Narrow(u8);
    }

    #[test]
    fn elements_are_found_by_the_index_that_push_gave() {
        let mut letters = IndexVec::<Narrow, char>::default();
        let coming: [Narrow; 2] = letters.next_ids();
        assert_eq!([letters.push('a'), letters.push('b')], coming);
        letters[coming[1]] = 'c';
        assert_eq!(letters.ids().map(|id| letters[id]).collect::<String>(), "ac");
        assert_eq!(letters.position(|&letter| letter == 'c'), Some(coming[1]));
        assert_eq!(letters.get(Narrow(2)), None);
        assert_eq!(*letters.grown_to(Narrow(4)), char::default());
        assert_eq!((letters.len(), letters[coming[0]]), (5, 'a'));
    }

    #[test]
    #[should_panic(expected = "more elements than the index type has numbers for")]
    fn an_index_that_is_too_narrow_is_noticed() {
        let mut many: IndexVec<Narrow, ()> = (0..256).map(|_| ()).collect();
        many.push(());
    }
}
