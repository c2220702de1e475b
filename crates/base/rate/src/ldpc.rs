//! What the low-density parity check code costs in air time: sometimes one symbol, or a quarter of one, more.

use crate::Coding;

/// Whether so much of the code words would be punctured that a transmitter adds a symbol (in HE a segment of one), if `payload` bits
/// are to be coded into `available` (802.11-2020 19.3.11.7.5 with table 19-16, taken over by 21.3.10.5.4 and 802.11ax-2021
/// 27.3.12.5.2).
pub(crate) fn needs_more_room(payload: u64, available: u64, coding: Coding) -> bool {
    let (data, of) = coding.fraction();
    let (data, of) = (u64::from(data), u64::from(of));
    // Of `length` coded bits this many are parity; all lengths are multiples of 24, and so of every code's denominator.
    let parity = |length: u64| length * (of - data) / of;
    let (words, length) = match available {
        0..=648 => (1, if available >= payload + parity(912) { 1296 } else { 648 }),
        649..=1296 => (1, if available >= payload + parity(1464) { 1944 } else { 1296 }),
        1297..=1944 => (1, 1944),
        1945..=2592 => (2, if available >= payload + parity(2916) { 1944 } else { 1296 }),
        _ => (payload.div_ceil(1944 * data / of), 1944),
    };
    let coded = words * length;
    let shortened = (coded * data / of).saturating_sub(payload);
    let punctured = coded.saturating_sub(available + shortened);
    let parity = parity(coded);
    // N_shrt < 1.2 x N_punc x R / (1 - R).
    let shortened_little = 5 * shortened * (of - data) < 6 * punctured * data;
    10 * punctured > parity && shortened_little || 10 * punctured > 3 * parity
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand from table 19-16 and the two conditions below it.
    #[test]
    fn much_puncturing_asks_for_more_room() {
        let table = [
            // 1 word of 648 at 1/2 (324 of data): 208 of payload leave 116 shortened, 648 - 416 - 116 = 116 punctured of 324,
            // more than 97.2.
            (208, 416, Coding::Half, true),
            // 2 words of 1296 at 3/4 (1944 of data): 1872 leave 72, 2592 - 2496 - 72 = 24 punctured of 648: less than 64.8.
            (1872, 2496, Coding::ThreeQuarters, false),
            // 9 words at 3/4: 13122 - 12480 = 642 shortened, 17496 - 16640 - 642 = 214 punctured of 4374: less than 437.4.
            (12_480, 16_640, Coding::ThreeQuarters, false),
            // 5 words at 5/6: 8100 - 6667 = 1433 shortened, 9720 - 8000 - 1433 = 287 punctured of 1620: more than 162, and
            // 1433 < 1.2 x 287 x 5.
            (6667, 8000, Coding::FiveSixths, true),
            // The same with room for 100 bits more: 187 punctured, and 1433 > 1.2 x 187 x 5 = 1122.
            (6667, 8100, Coding::FiveSixths, false),
        ];
        for (payload, available, coding, wanted) in table {
            assert_eq!(
                needs_more_room(payload, available, coding),
                wanted,
                "{payload} in {available} at {coding:?}"
            );
        }
    }
}
