//! The bitmap of a BlockAck: a set of the offsets from a starting sequence number.

/// Offsets below a bound, one bit each. The first 64 lie in the value itself, so that the bitmap of 802.11n allocates nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    low: u64,
    high: Box<[u64]>,
    /// How many bits are set: every MPDU asks whether any is.
    len: u16,
}

impl Bitmap {
    /// An empty bitmap with room for the offsets below `size`, and for all below 64 in any case.
    pub fn new(size: u16) -> Self {
        let above = usize::from(size).div_ceil(64).saturating_sub(1);
        Self { low: 0, high: vec![0; above].into_boxed_slice(), len: 0 }
    }

    /// An empty bitmap with the same room.
    pub fn emptied(&self) -> Self {
        Self { low: 0, high: vec![0; self.high.len()].into_boxed_slice(), len: 0 }
    }

    /// Whether no bit is set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bits are set.
    pub fn len(&self) -> u32 {
        self.len.into()
    }

    /// Whether bit `n` is set. No bit beyond the size is.
    pub fn contains(&self, n: u16) -> bool {
        let word = if n < 64 { self.low } else { self.high.get(above(n)).copied().unwrap_or_default() };
        word >> (n % 64) & 1 != 0
    }

    /// Sets bit `n`.
    ///
    /// # Panics
    /// If there is no room for it.
    pub fn insert(&mut self, n: u16) {
        let word = if n < 64 { &mut self.low } else { &mut self.high[above(n)] };
        let bit = 1 << (n % 64);
        self.len += u16::from(*word & bit == 0);
        *word |= bit;
    }

    /// Clears all bits.
    pub fn clear(&mut self) {
        self.low = 0;
        self.high.fill(0);
        self.len = 0;
    }

    /// The lowest bit set.
    pub fn first(&self) -> Option<u16> {
        if self.low != 0 { Some(self.low.trailing_zeros() as u16) } else { self.iter().next() }
    }

    /// Moves every bit to the next lower offset; bit 0 drops out.
    pub fn shift(&mut self) {
        if self.is_empty() {
            return;
        }
        self.len -= (self.low & 1) as u16;
        let mut word = &mut self.low;
        for next in &mut self.high {
            *word = *word >> 1 | *next << 63;
            word = next;
        }
        *word >>= 1;
    }

    /// The bits set, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        let (mut word, mut high, mut base) = (self.low, self.high.iter(), 0);
        std::iter::from_fn(move || {
            while word == 0 {
                word = *high.next()?;
                base += 64;
            }
            let n = base + word.trailing_zeros() as u16;
            word &= word - 1;
            Some(n)
        })
    }

    /// The bits as words of 64, lowest first.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.low).chain(self.high.iter().copied())
    }
}

/// The word above the first that bit `n` lies in.
fn above(n: u16) -> usize {
    usize::from(n / 64 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Insert(u16),
        Shift,
        Clear,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            30 => (0u16..1024).prop_map(Step::Insert),
            30 => Just(Step::Shift),
            1 => Just(Step::Clear),
        ]
    }

    proptest! {
        /// It is an array of flags, for any size.
        #[test]
        fn a_bitmap_is_a_row_of_flags(
            size in prop::sample::select(vec![1u16, 64, 65, 128, 256, 1000, 1024]),
            steps in prop::collection::vec(step(), 0..200),
        ) {
            let (mut bitmap, mut flags) = (Bitmap::new(size), vec![false; usize::from(size)]);
            for step in steps {
                match step {
                    Step::Insert(n) => {
                        bitmap.insert(n % size);
                        flags[usize::from(n % size)] = true;
                    }
                    Step::Shift => {
                        bitmap.shift();
                        flags.remove(0);
                        flags.push(false);
                    }
                    Step::Clear => {
                        bitmap.clear();
                        flags.fill(false);
                    }
                }
                let set: Vec<u16> = (0..size).filter(|&n| flags[usize::from(n)]).collect();
                prop_assert!((0..2 * size).all(|n| bitmap.contains(n) == set.contains(&n)));
                let words: Vec<u64> = flags
                    .chunks(64)
                    .map(|word| word.iter().rev().fold(0, |bits, &set| bits << 1 | u64::from(set)))
                    .collect();
                prop_assert_eq!(bitmap.words().collect::<Vec<_>>(), words);
                prop_assert_eq!((bitmap.first(), bitmap.len()), (set.first().copied(), set.len() as u32));
                prop_assert_eq!(bitmap.is_empty(), set.is_empty());
                prop_assert_eq!(bitmap.iter().collect::<Vec<_>>(), set);
            }
        }
    }
}
