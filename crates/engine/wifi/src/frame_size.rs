//! How long frames are, in bytes.

use airloom_observe::JoiningFrame;

/// The part of a PPDU's header that all have, SIGNAL or L-SIG (802.11-2020 17.3.4). It goes at the lowest rate.
pub const PHY_HEADER_BYTES: u32 = 3;
/// The frame check sequence at the end of every frame (802.11-2020 9.2.4.8).
pub const FCS_BYTES: u32 = 4;
/// Bytes of a QoS data MPDU beyond its MSDU: MAC header 26 (802.11-2020 9.3.2.1), LLC/SNAP 8, FCS 4.
pub const DATA_OVERHEAD: u32 = 26 + 8 + FCS_BYTES;
/// The header of a subframe of an A-MSDU: destination, source, length (802.11-2020 9.3.2.2.2).
pub const SUBFRAME_HEADER: u32 = 14;
/// The same of a data MPDU without QoS control, between stations of which one has no QoS: MAC header 24.
pub const PLAIN_DATA_OVERHEAD: u32 = 24 + 8 + FCS_BYTES;
/// An ACK or CTS frame (9.3.1.3, 9.3.1.4).
pub const ACK_BYTES: u32 = 14;
/// An RTS frame (9.3.1.2).
pub const RTS_BYTES: u32 = 20;
/// A compressed BlockAck frame (9.3.1.8) without its bitmap: 22 bytes and the starting sequence control.
pub const BLOCK_ACK_BASE: u32 = 24;
/// A compressed BlockAck of 64 MPDUs, as 802.11n has it.
pub const BLOCK_ACK_BYTES: u32 = BLOCK_ACK_BASE + 8;
/// A compressed BlockAck request (9.3.1.7).
pub const BLOCK_ACK_REQ_BYTES: u32 = 24;
/// A null data frame (9.3.2.1): three addresses, no body.
pub const NULL_BYTES: u32 = 28;
/// A null frame with QoS control (9.3.2.1).
pub const QOS_NULL_BYTES: u32 = NULL_BYTES + 2;
/// A PS-Poll (9.3.1.5).
pub const PS_POLL_BYTES: u32 = 20;
/// A beacon with the elements an 802.11n access point sends (HT capabilities and operation, rates, TIM, WMM).
pub const BEACON_BYTES: u32 = 250;
/// Bytes of a frame of a station's way to an access point, as those of wpa_supplicant and hostapd 2.10 in
/// `tests/foreign/hwsim/roam.air.pcap.gz`, which is of WPA2, and those of probes in the walks of `tests/beside_daemons`. A fast transition has the elements of 13.5.2 and 13.7.1 beside: RSN with a name
/// of a key, mobility domain, and fast BSS transition of 82 octets with the names of two key holders.
pub const fn joining_bytes(frame: JoiningFrame) -> u32 {
    const FAST: u32 = 38 + 5 + 82 + 8 + 14;
    match frame {
        JoiningFrame::Probe { answer: false } => 140,
        JoiningFrame::Probe { answer: true } => 121,
        JoiningFrame::Authentication { fast: false, .. } => 34,
        JoiningFrame::Authentication { fast: true, .. } => 34 + FAST,
        JoiningFrame::Reassociation { answer: false, fast } => 120 + if fast { FAST } else { 0 },
        JoiningFrame::Reassociation { answer: true, fast } => 85 + if fast { FAST } else { 0 },
        JoiningFrame::Key(2) => 159,
        JoiningFrame::Key(3) => 193,
        JoiningFrame::Key(_) => 137,
        // A header of 24, a reason and the check sequence (9.3.3.4, 9.3.3.12).
        JoiningFrame::Disassociation { .. } | JoiningFrame::Deauthentication { .. } => 30,
        // A header, fixed fields of 7 and a neighbor report of 15, and the check sequence (9.6.13.9); or 5, and an address if it agrees (9.6.13.10).
        JoiningFrame::TransitionRequest { .. } => 24 + 7 + 15 + FCS_BYTES,
        JoiningFrame::TransitionResponse { to, .. } => 24 + 5 + if to.is_some() { 6 } else { 0 } + FCS_BYTES,
        // A header, category, action and token, and a neighbor report of 15 for each that is named (9.6.6.6, 9.6.6.7).
        JoiningFrame::NeighborRequest => 24 + 3 + FCS_BYTES,
        JoiningFrame::NeighborReport { named } => 24 + 3 + 15 * named as u32 + FCS_BYTES,
    }
}

/// An MPDU delimiter (9.7.1).
pub const DELIMITER_BYTES: u32 = 4;

/// A compressed BlockAck under an agreement of `window` MPDUs.
pub const fn block_ack_bytes(window: u16) -> u32 {
    BLOCK_ACK_BASE + block_ack_bits(window) as u32 / 8
}

/// Bits in the bitmap of such a BlockAck: 64, 256, 512 or 1,024 (802.11be-2024 table 9-37).
pub const fn block_ack_bits(window: u16) -> u16 {
    match window {
        0..=64 => 64,
        65..=256 => 256,
        257..=512 => 512,
        _ => 1024,
    }
}

/// Bytes by which an A-MPDU that is `before` bytes long grows when an MPDU of `mpdu` bytes is appended (9.7.1): the
/// delimiter, the MPDU, and before them padding to the next multiple of four.
pub fn subframe(before: u32, mpdu: u32) -> u32 {
    before.next_multiple_of(4) - before + DELIMITER_BYTES + mpdu
}

/// The length of an MPDU of `mpdu` bytes, with `packets` in it, after a packet of `bytes` has joined it (802.11-2020 9.3.2.2.2): each has
/// a subframe header then, with LLC/SNAP of its own, and begins at a multiple of four.
pub const fn joined(mpdu: u32, packets: u32, bytes: u32) -> u32 {
    const MPDU_OVERHEAD: u32 = DATA_OVERHEAD - 8;
    let header = if packets == 1 { SUBFRAME_HEADER } else { 0 };
    let body = (mpdu - MPDU_OVERHEAD + header).next_multiple_of(4);
    MPDU_OVERHEAD + body + SUBFRAME_HEADER + 8 + bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subframes_are_padded_to_words_except_the_last() {
        let one = subframe(0, 1538);
        assert_eq!(one, 1542);
        assert_eq!(one + subframe(one, 1538), 1542 + 2 + 1542);
        assert_eq!(subframe(4, 8), 12);
    }

    /// By hand: 26 + 4, subframes of 22 + 1,500, then of 22 + 52, each but the last padded by 2.
    #[test]
    fn packets_of_an_a_msdu_are_padded_to_words_except_the_last() {
        let two = joined(1500 + DATA_OVERHEAD, 1, 1500);
        assert_eq!(two, 30 + 1524 + 1522);
        assert_eq!(joined(two, 2, 52), 30 + 1524 + 1524 + 74);
        assert_eq!(joined(52 + DATA_OVERHEAD, 1, 54), 30 + 76 + 76);
    }
}
