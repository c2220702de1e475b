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

/// Whether two stretches of numbers, each from its first to the one after its last, meet, as far as 32 bits tell.
pub(super) const fn meet(one: (u64, u64), other: (u64, u64)) -> bool {
    reaches(one, other.0) || reaches(other, one.0)
}

/// Whether a number lies in a stretch or right behind it.
const fn reaches((from, to): (u64, u64), number: u64) -> bool {
    (number as u32).wrapping_sub(from as u32) as u64 <= to - from
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

        #[test]
        fn stretches_meet_wherever_they_are_counted_from(start: u32, long in 0..1_u64 << 20, apart in 1..1_u64 << 20, wraps in 0..3_u64) {
            let one = (first(start), first(start) + long);
            let at = |offset: u64| first(start) + offset + (wraps << 32);
            prop_assert!(meet(one, (at(long), at(long) + apart)) && meet((at(0), at(long)), one));
            prop_assert!(!meet(one, (at(long + apart), at(long + 2 * apart))));
        }
    }
}
