//! Messages of the four-way handshake, as a capture without keys shows them.

/// A message of the four-way handshake of RSN with CCMP (802.11-2020 clause 12.7.6), in an EAPOL-Key frame (clause 12.7.2): what is told of
/// it, with zeros where nonces, integrity checks and key data are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMessage {
    /// Which of the four, from one on; odd ones are of the access point.
    pub number: u8,
    /// Key Replay Counter: an answer has that of its question.
    pub replay: u64,
}

/// The header of EAPOL: its version, and that a key follows (802.1X-2020 clause 11.3).
const VERSION: u8 = 2;
const KEY: u8 = 3;
/// The descriptor of RSN (802.11-2020 clause 12.7.2).
const RSN: u8 = 2;
/// Octets of a descriptor without key data: type, information, length, counter, nonce, IV, RSC, reserved, integrity check, length.
const DESCRIPTOR: usize = 1 + 2 + 2 + 8 + 32 + 16 + 8 + 8 + 16 + 2;

impl KeyMessage {
    /// Key Information (figure 12-34): version 2, pairwise, and install, ack, MIC, secure, encrypted as the message has them; and the octets of
    /// key data: none, the station's RSN element, the access point's with the group's key, none.
    const fn told(self) -> (u16, u16) {
        match self.number {
            1 => (0x008a, 0),
            2 => (0x010a, 22),
            3 => (0x13ca, 56),
            _ => (0x030a, 0),
        }
    }

    /// Appends the packet that EAPOL is, behind LLC and SNAP.
    pub fn emit(self, out: &mut Vec<u8>) {
        let (information, data) = self.told();
        let of_ap = self.number % 2 == 1;
        let length = DESCRIPTOR as u16 + data;
        out.extend([VERSION, KEY]);
        out.extend(length.to_be_bytes());
        out.push(RSN);
        out.extend(information.to_be_bytes());
        out.extend(if of_ap { 16_u16 } else { 0 }.to_be_bytes());
        out.extend(self.replay.to_be_bytes());
        // Nonces are not zero, by which dissectors tell the second message from the fourth.
        out.extend([if self.number == 4 { 0 } else { 1 + u8::from(of_ap) }; 32]);
        out.extend([0; 16 + 8 + 8 + 16]);
        out.extend(data.to_be_bytes());
        out.resize(out.len() + usize::from(data), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As hostapd and wpa_supplicant 2.10 sent them: 99, 121, 155 and 99 octets.
    #[test]
    fn messages_are_as_long_as_those_of_hostapd() {
        let lengths = [1, 2, 3, 4].map(|number| {
            let mut out = Vec::new();
            KeyMessage { number, replay: 1 }.emit(&mut out);
            assert_eq!(usize::from(u16::from_be_bytes([out[2], out[3]])) + 4, out.len());
            out.len()
        });
        assert_eq!(lengths, [99, 121, 155, 99]);
    }
}
