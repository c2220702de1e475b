//! Sequence numbers that do not wrap.

/// Where numbers begin, so that those shortly before the first are no less than zero.
const FIRST: u64 = 1 << 33;

/// The number of 64 bits for the first sequence number of a stream.
pub(super) const fn first(number: u32) -> u64 {
    FIRST + number as u64
}

/// The number of 64 bits that is closest to another (RFC 9293 section 3.4: comparisons are modulo 2^32).
pub(super) const fn near(other: u64, number: u32) -> u64 {
    other.saturating_add_signed(number.wrapping_sub(other as u32) as i32 as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_is_the_closest_with_its_low_bits(start: u32, by in -(1_i64 << 31)..1 << 31) {
            let there = first(start).saturating_add_signed(by);
            prop_assert_eq!(near(first(start), there as u32), there);
        }
    }
}
