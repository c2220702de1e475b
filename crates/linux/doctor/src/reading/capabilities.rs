//! What a radio or an access point can do, from the fields of the standard: capabilities and beacon elements.

use crate::snapshot::{Band, Generation};

impl Band {
    /// Takes note of something that it can do.
    pub(super) fn can(&mut self, generation: Generation, width_mhz: u32, streams: u32) {
        self.generation = self.generation.max(generation);
        self.width_mhz = self.width_mhz.max(width_mhz);
        self.streams = self.streams.max(streams).max(1);
    }
}

/// Streams of a Supported MCS Set of 802.11n: eight bits each (9.4.2.55.4).
pub(super) fn ht_streams(set: &[u8]) -> u32 {
    set.iter().take(4).filter(|&&eight| eight != 0).count() as u32
}

/// Streams of an MCS map of 802.11ac or ax: two bits each, 3 for none (9.4.2.157.3, 9.4.2.248.4).
pub(super) fn map_streams(map: &[u8]) -> u32 {
    let Some(&[low, high]) = map.get(..2).and_then(|two| two.first_chunk()) else { return 0 };
    let map = u16::from_le_bytes([low, high]);
    (0..8).filter(|stream| (map >> (2 * stream)) & 3 != 3).count() as u32
}

/// The widest channel by the first octet of HE PHY Capabilities (9.4.2.248.3).
pub(super) fn he_width(octet: u8, ghz: &str) -> u32 {
    match (ghz, octet) {
        ("2.4", octet) if octet & 0x02 != 0 => 40,
        ("5" | "6", octet) if octet & 0x08 != 0 => 160,
        ("5" | "6", octet) if octet & 0x04 != 0 => 80,
        _ => 20,
    }
}

const HT_CAPABILITIES: u8 = 45;
const HT_OPERATION: u8 = 61;
const VHT_CAPABILITIES: u8 = 191;
const VHT_OPERATION: u8 = 192;
const EXTENSION: u8 = 255;
const HE_CAPABILITIES: u8 = 35;
const EHT_CAPABILITIES: u8 = 108;

/// What an access point does, by the elements of its beacon: its channel's width rather than the widest that it could have.
pub(super) fn of_beacon(elements: &[u8], ghz: &str) -> Band {
    let mut band = Band { ghz: ghz.to_owned(), width_mhz: 20, streams: 1, ..Band::default() };
    let mut rest = elements;
    while let [id, length, ..] = *rest {
        let Some(body) = rest.get(2..2 + usize::from(length)) else { break };
        rest = &rest[2 + usize::from(length)..];
        match (id, body) {
            (HT_CAPABILITIES, _) => band.can(Generation::Ht, 20, ht_streams(body.get(3..).unwrap_or(&[]))),
            // STA Channel Width (9.4.2.56).
            (HT_OPERATION, [_, first, ..]) if first & 0x04 != 0 => band.can(Generation::Ht, 40, 1),
            (VHT_CAPABILITIES, _) => band.can(Generation::Vht, 20, map_streams(body.get(4..).unwrap_or(&[]))),
            // Channel Width and the two centres, which are 8 apart in 160 MHz (table 11-23).
            (VHT_OPERATION, &[width, first, second, ..]) if width > 0 => {
                let wide = width > 1 || (second != 0 && first.abs_diff(second) == 8);
                band.can(Generation::Vht, if wide { 160 } else { 80 }, 1);
            }
            (EXTENSION, [HE_CAPABILITIES, body @ ..]) => {
                // After MAC and PHY capabilities of 6 and 11 octets: the map for 80 MHz and less, what is received first.
                band.can(Generation::He, 20, map_streams(body.get(17..).unwrap_or(&[])));
            }
            (EXTENSION, [EHT_CAPABILITIES, ..]) => band.can(Generation::Eht, 20, 1),
            _ => {}
        }
    }
    band
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_maps_and_sets() {
        assert_eq!((map_streams(&[0xfa, 0xff]), map_streams(&[0xff, 0xff]), map_streams(&[])), (2, 0, 0));
        assert_eq!((ht_streams(&[0xff, 0xff, 0, 0]), ht_streams(&[])), (2, 0));
    }

    #[test]
    fn a_beacon_of_80_mhz_with_two_streams() {
        let mut beacon = vec![HT_CAPABILITIES, 26, 0, 0, 0, 0xff, 0xff];
        beacon.resize(28, 0);
        beacon.extend([HT_OPERATION, 22, 36, 0x05]);
        beacon.resize(28 + 24, 0);
        beacon.extend([VHT_CAPABILITIES, 12, 0, 0, 0, 0, 0xfa, 0xff, 0, 0, 0xfa, 0xff, 0, 0]);
        beacon.extend([VHT_OPERATION, 5, 1, 42, 0, 0, 0]);
        let expected = Band { ghz: "5".into(), generation: Generation::Vht, width_mhz: 80, streams: 2 };
        assert_eq!(of_beacon(&beacon, "5"), expected);
        for end in 0..beacon.len() {
            let _ = of_beacon(&beacon[..end], "5");
        }
    }
}
