//! How long frames are, in bytes and on the air.

use crate::rate::{Dsss, Ht, Ofdm, Rate};
use airloom_sim::Duration;

/// Bytes of a QoS data MPDU beyond its MSDU: MAC header 26 (802.11-2020 9.3.2.1), LLC/SNAP 8, FCS 4.
pub const DATA_OVERHEAD: u32 = 26 + 8 + 4;
/// The same of a data MPDU without QoS control, between stations of which one has no QoS: MAC header 24.
pub const PLAIN_DATA_OVERHEAD: u32 = 24 + 8 + 4;
/// An ACK or CTS frame (9.3.1.3, 9.3.1.4).
pub const ACK_BYTES: u32 = 14;
/// An RTS frame (9.3.1.2).
pub const RTS_BYTES: u32 = 20;
/// A compressed BlockAck frame (9.3.1.8) without its bitmap: 22 bytes and the starting sequence control.
const BLOCK_ACK_BASE: u32 = 24;
/// A compressed BlockAck of 64 MPDUs, as 802.11n has it.
pub const BLOCK_ACK_BYTES: u32 = BLOCK_ACK_BASE + 8;
/// A compressed BlockAck request (9.3.1.7).
pub const BLOCK_ACK_REQ_BYTES: u32 = 24;
/// A null data frame (9.3.2.1): three addresses, no body.
pub const NULL_BYTES: u32 = 28;
/// A beacon with the elements an 802.11n access point sends (HT capabilities and operation, rates, TIM, WMM).
pub const BEACON_BYTES: u32 = 250;
/// An MPDU delimiter (9.7.1).
pub const DELIMITER_BYTES: u32 = 4;

/// A compressed BlockAck under an agreement of `window` MPDUs: its bitmap has 8, 32, 64 or 128 bytes (802.11be-2024 table 9-37).
pub const fn block_ack_bytes(window: u16) -> u32 {
    BLOCK_ACK_BASE
        + match window {
            0..=64 => 8,
            65..=256 => 32,
            257..=512 => 64,
            _ => 128,
        }
}

/// Air time of one PPDU that carries `psdu` bytes at `rate`, without the signal extension that belongs to it at 2.4 GHz:
/// see [`Phy::ppdu`](crate::Phy::ppdu).
pub fn ppdu(rate: Rate, psdu: u32) -> Duration {
    match rate {
        Rate::Dsss(rate) => dsss(rate, psdu),
        Rate::Ofdm(rate) => ofdm(rate, psdu),
        Rate::Ht(rate) => ht(rate, psdu),
    }
}

/// 802.11-2020 16.3.4: the PSDU lasts whole microseconds.
fn dsss(rate: Dsss, psdu: u32) -> Duration {
    let bits_per_ms = rate.speed.bit_rate().as_bps() / 1000;
    rate.preamble() + Duration::from_micros((8000 * u64::from(psdu)).div_ceil(bits_per_ms))
}

/// Service field 16 bits, the PSDU, and 6 tail bits for each encoder.
fn coded_bits(psdu: u32, encoders: u64) -> u64 {
    16 + 8 * u64::from(psdu) + 6 * encoders
}

/// 802.11-2020 equation (17-29): preamble 16 us, SIGNAL 4 us, symbols of 4 us.
fn ofdm(rate: Ofdm, psdu: u32) -> Duration {
    let symbols = coded_bits(psdu, 1).div_ceil(u64::from(rate.bits_per_symbol()));
    Duration::from_micros(16 + 4 + 4 * symbols)
}

/// HT mixed format, equation (19-90), with the short guard interval's total rounded up to whole 4 us symbols.
fn ht(rate: Ht, psdu: u32) -> Duration {
    // Two encoders above 300 Mbit/s (19.3.11.4).
    let encoders = if rate.bit_rate().as_bps() > 300_000_000 { 2 } else { 1 };
    let data = rate.symbol() * coded_bits(psdu, encoders).div_ceil(u64::from(rate.bits_per_symbol()));
    ht_preamble(rate) + Duration::from_micros(4) * data.as_nanos().div_ceil(4_000)
}

/// L-STF 8, L-LTF 8, L-SIG 4, HT-SIG 8, HT-STF 4 us, and one 4 us HT-LTF for each of 1, 2, 4, 4 (19.3.9).
fn ht_preamble(ht: Ht) -> Duration {
    let training = [1, 2, 4, 4][ht.streams() as usize - 1];
    Duration::from_micros(8 + 8 + 4 + 8 + 4 + 4 * training)
}

/// Bytes by which an A-MPDU that is `before` bytes long grows when an MPDU of `mpdu` bytes is appended (9.7.1): the
/// delimiter, the MPDU, and before them padding to the next multiple of four.
pub fn subframe(before: u32, mpdu: u32) -> u32 {
    before.next_multiple_of(4) - before + DELIMITER_BYTES + mpdu
}

/// The least distance between the starts of two MPDUs in an A-MPDU, in bytes, for a receiver that needs `spacing`
/// between them (10.12.3, minimum MPDU start spacing).
pub fn spacing_bytes(rate: Rate, spacing: Duration) -> u32 {
    (rate.bit_rate().as_bps() * spacing.as_nanos()).div_ceil(8_000_000_000) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ht(mcs: u8, wide: bool, short_gi: bool) -> Rate {
        Rate::Ht(Ht { mcs, wide, short_gi })
    }

    /// Worked by hand from the formulas: symbols = ceil((16 + 8 n + 6) / N_DBPS).
    #[test]
    fn ppdu_airtimes_are_the_standards() {
        let table = [
            // OFDM: 20 us + 4 us x symbols.
            (Rate::ofdm(6).unwrap(), 14, 44),     // 134 / 24 -> 6
            (Rate::ofdm(24).unwrap(), 14, 28),    // 134 / 96 -> 2
            (Rate::ofdm(24).unwrap(), 20, 28),    // 182 / 96 -> 2
            (Rate::ofdm(24).unwrap(), 32, 32),    // 278 / 96 -> 3
            (Rate::ofdm(6).unwrap(), 28, 64),     // 246 / 24 -> 11
            (Rate::ofdm(54).unwrap(), 1500, 244), // 12022 / 216 -> 56
            (Rate::ofdm(54).unwrap(), 1536, 248), // 12310 / 216 -> 57
            (Rate::ofdm(6).unwrap(), 250, 360),   // 2022 / 24 -> 85
            // HT, one stream: 36 us; two streams: 40 us.
            (ht(0, false, false), 1538, 1936), // 12326 / 26 -> 475 x 4 = 1900
            (ht(7, false, false), 1538, 228),  // 12326 / 260 -> 48 x 4 = 192
            (ht(7, true, false), 1538, 128),   // 12326 / 540 -> 23 x 4 = 92
            (ht(7, true, true), 1538, 120),    // 23 x 3.6 = 82.8 -> 84
            (ht(15, true, true), 1538, 84),    // 12326 / 1080 -> 12 x 3.6 = 43.2 -> 44
            (ht(15, true, true), 15_438, 456), // 123526 / 1080 -> 115 x 3.6 = 414 -> 416
            (ht(15, true, false), 65_535, 1984), // 524302 / 1080 -> 486 x 4 = 1944
            (ht(8, false, false), 1538, 992),  // 12326 / 52 -> 238 x 4 = 952
            (ht(9, false, true), 100, 72),     // 822 / 104 -> 8 x 3.6 = 28.8 -> 32
        ];
        for (rate, bytes, micros) in table {
            assert_eq!(ppdu(rate, bytes), Duration::from_micros(micros), "{rate:?} {bytes} bytes");
        }
    }

    /// Worked by hand: 192 or 96 us and ceil(8 n / rate).
    #[test]
    fn dsss_airtimes_are_the_standards() {
        use crate::rate::Speed::{M1, M2, M5_5, M11};
        let table = [
            (M1, false, 14, 304),      // 112 / 1
            (M1, false, 20, 352),      // 160 / 1
            (M2, false, 14, 248),      // 112 / 2
            (M2, true, 14, 152),       // 112 / 2
            (M5_5, false, 1536, 2427), // 12288 / 5.5 = 2234.2 -> 2235
            (M5_5, true, 14, 117),     // 112 / 5.5 = 20.4 -> 21
            (M11, false, 1536, 1310),  // 12288 / 11 = 1117.1 -> 1118
            (M11, true, 1536, 1214),   // 12288 / 11 = 1117.1 -> 1118
            (M11, false, 14, 203),     // 112 / 11 = 10.2 -> 11
            (M11, true, 76, 152),      // 608 / 11 = 55.3 -> 56
            (M1, true, 14, 304),       // there is no short preamble at 1 Mbit/s
        ];
        for (speed, short_preamble, bytes, micros) in table {
            let rate = Rate::Dsss(Dsss::new(speed, short_preamble));
            assert_eq!(ppdu(rate, bytes), Duration::from_micros(micros), "{rate:?} {bytes} bytes");
        }
    }

    #[test]
    fn subframes_are_padded_to_words_except_the_last() {
        let one = subframe(0, 1538);
        assert_eq!(one, 1542);
        assert_eq!(one + subframe(one, 1538), 1542 + 2 + 1542);
        assert_eq!(subframe(4, 8), 12);
    }

    #[test]
    fn spacing_grows_with_the_rate() {
        let spacing = Duration::from_micros(8);
        assert_eq!(spacing_bytes(ht(15, true, true), spacing), 300);
        assert_eq!(spacing_bytes(ht(0, false, false), spacing), 7); // 6.5 Mbit/s x 8 us = 6.5 bytes
    }
}
