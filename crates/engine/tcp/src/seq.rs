//! Sequence numbers: 64 bits inside, 32 on the wire (RFC 9293 section 3.4).
//!
//! Inside, a number never wraps, so that ordinary comparisons and binary searches are right. A number from the wire is
//! taken to be the one nearest to a number known to be close, which is what Linux's `before` and `after` do.

/// Where the internal numbers of a connection begin: far enough from zero that nothing near them is negative.
const FLOOR: u64 = 1 << 32;

/// The internal number of an initial sequence number.
pub(crate) const fn initial(isn: u32) -> u64 {
    FLOOR + isn as u64
}

/// The number as the wire carries it.
pub(crate) const fn wire(seq: u64) -> u32 {
    seq as u32
}

/// The internal number that `wire` stands for, within 2^31 of `near`.
pub(crate) const fn near(near: u64, wire: u32) -> u64 {
    near.wrapping_add(wire.wrapping_sub(near as u32) as i32 as i64 as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_wire_wraps_and_the_inside_does_not() {
        let start = initial(u32::MAX);
        assert_eq!(wire(start + 1), 0);
        assert_eq!(near(start, 0), start + 1);
        assert_eq!(near(start + 1, u32::MAX), start);
    }

    proptest! {
        #[test]
        fn a_number_survives_the_wire(at in FLOOR..1u64 << 50, offset in -(1i64 << 31)..(1i64 << 31)) {
            let seq = at.checked_add_signed(offset).unwrap();
            prop_assert_eq!(near(at, wire(seq)), seq);
        }
    }
}
