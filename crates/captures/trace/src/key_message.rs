//! Messages of the handshake of four, by which a station and its access point agree on keys.

/// One of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMessage {
    /// Which: 1 and 3 come from the access point, 2 and 4 from the station.
    pub number: u8,
    /// Its replay counter: each message of the access point has a higher one, also one that it sends again (802.11-2020 clause 12.7.2).
    pub counter: u64,
}

/// Bits of the key information (802.11-2020 clause 12.7.2, figure 12-33).
const PAIRWISE: u16 = 1 << 3;
const ACK: u16 = 1 << 7;
const MIC: u16 = 1 << 8;
const ERROR: u16 = 1 << 10;
const REQUEST: u16 = 1 << 11;

/// Behind the header of EAPOL, of four octets, lie the descriptor, the key information, a length of two octets, the replay counter and the nonce.
const HEADER: usize = 4;
const INFORMATION: usize = HEADER + 1;
const COUNTER: usize = INFORMATION + 4;
const NONCE: usize = COUNTER + 8;
const NONCE_END: usize = NONCE + 32;
/// The longest body without key data: the MIC has at most 24 octets (802.11-2020 table 12-10).
const WITHOUT_DATA: u16 = 103;

impl KeyMessage {
    /// Reads it from EAPOL; none if it is of another handshake, or cut. Message 4 has no nonce, or no data (802.11-2020 clause 12.7.6.5), message 2 has both.
    pub(crate) fn read(eapol: &[u8]) -> Option<Self> {
        let two = |at: usize| Some(u16::from_be_bytes(eapol.get(at..at + 2)?.try_into().ok()?));
        let information = two(INFORMATION)?;
        let counter = u64::from_be_bytes(eapol.get(COUNTER..NONCE)?.try_into().ok()?);
        if information & (PAIRWISE | ERROR | REQUEST) != PAIRWISE {
            return None;
        }
        let number = match (information & ACK != 0, information & MIC != 0) {
            (true, false) => 1,
            (true, true) => 3,
            (false, true) if two(2)? <= WITHOUT_DATA => 4,
            (false, true) if eapol.get(NONCE..NONCE_END)?.iter().all(|&octet| octet == 0) => 4,
            (false, true) => 2,
            // Without a MIC (AEAD) what the station sends is not told apart.
            (false, false) => return None,
        };
        Some(Self { number, counter })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EAPOL of a length, with key information and the first octet of a nonce.
    fn message(length: u16, information: u16, nonce: u8) -> Option<u8> {
        let mut octets = vec![0; 99];
        octets[..2].copy_from_slice(&[2, 3]);
        octets[2..4].copy_from_slice(&length.to_be_bytes());
        octets[INFORMATION..INFORMATION + 2].copy_from_slice(&information.to_be_bytes());
        octets[NONCE - 1] = 7;
        octets[NONCE] = nonce;
        let read = KeyMessage::read(&octets)?;
        assert_eq!(read.counter, 7);
        Some(read.number)
    }

    /// The key information of the four, as in a handshake of WPA2 (802.11-2020 clause 12.7.6.1), and others.
    #[test]
    fn the_four_messages_are_told_apart() {
        assert_eq!([message(95, 0x008a, 1), message(117, 0x010a, 1)], [Some(1), Some(2)]);
        assert_eq!([message(151, 0x13ca, 1), message(95, 0x030a, 0)], [Some(3), Some(4)]);
        assert_eq!(message(107, 0x030a, 0), Some(4), "with key data, to several links");
        assert_eq!(message(95, 0x0109, 9), Some(4), "of WPA, with a nonce");
        assert_eq!(message(127, 0x1382, 1), None, "of the group");
        assert_eq!(message(95, 0x0d0a, 1), None, "an error that the station reports");
        assert_eq!(KeyMessage::read(&[2, 3, 0, 95, 2, 0, 0x8a]), None, "cut");
    }
}
