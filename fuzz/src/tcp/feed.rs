//! Octets as the numbers that a test is made of.

/// Octets that are used up one by one; after the last there are zeros.
pub(super) struct Feed<'a>(&'a [u8]);

impl<'a> Feed<'a> {
    pub(super) fn new(octets: &'a [u8]) -> Self {
        Self(octets)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn octet(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub(super) fn short(&mut self) -> u16 {
        u16::from_be_bytes([self.octet(), self.octet()])
    }

    pub(super) fn number(&mut self) -> u32 {
        u32::from(self.short()) << 16 | u32::from(self.short())
    }

    /// True for one octet in two.
    pub(super) fn flag(&mut self) -> bool {
        self.octet() & 1 == 1
    }

    /// One of a list.
    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::from(self.octet()) % list.len()]
    }

    /// One of a list of kinds.
    pub(super) fn kind<T: Copy>(&mut self, words: &[(&str, T)]) -> T {
        self.one_of(words).1
    }

    /// A sequence number or a timestamp: `base` itself, near it, within a large window of it, or anywhere.
    pub(super) fn near(&mut self, base: u32) -> u32 {
        match self.octet() % 8 {
            0..=2 => base,
            3 => base.wrapping_add_signed((self.octet() as i8).into()),
            4 => base.wrapping_add(self.short().into()),
            5 => base.wrapping_sub(self.short().into()),
            6 => base.wrapping_add(self.number() >> 8),
            _ => self.number(),
        }
    }
}
