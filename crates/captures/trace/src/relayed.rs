//! What a relay wraps: datagrams that go through a TURN server have a header of it in front.

/// Channel numbers of TURN (RFC 8656 section 12), and the one that stands for many streams on one port (MS-TURN section 2.2.3).
const CHANNELS: std::ops::RangeInclusive<u16> = 0x4000..=0x4fff;
const MULTIPLEXED: u16 = 0xff10;
/// Octets of a header: a channel and how long the rest is; with the number of the stream.
const HEADER: usize = 4;
const SESSION: usize = 8;
/// Data may be filled to a multiple of this (RFC 8656 section 12.5).
const FILLED: usize = 4;

/// The data within what a datagram of so many octets begins with, if a relay wrapped it: its length has to be that of the datagram. Else all of it.
pub(crate) fn unwrapped(begins: &[u8], whole: usize) -> &[u8] {
    let Some((&[c0, c1, l0, l1], rest)) = begins.split_first_chunk::<HEADER>() else { return begins };
    let (channel, length) = (u16::from_be_bytes([c0, c1]), usize::from(u16::from_be_bytes([l0, l1])));
    let left = whole.saturating_sub(HEADER);
    match channel {
        MULTIPLEXED if left == length => rest.get(SESSION..).unwrap_or_default(),
        _ if CHANNELS.contains(&channel) && (length..length + FILLED).contains(&left) => rest,
        _ => begins,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rtp::RtpHeader;

    /// `skype_bi_fq_codel.pcap.gz` of l4s-tests: a datagram of 651 octets from 10.72.0.88 to port 3480.
    const SKYPE: [u8; 24] = [
        0xff, 0x10, 0x02, 0x87, 0x1d, 0x22, 0xbc, 0x4c, 0x7e, 0x48, 0x19, 0x99, 0x90, 0x7a, 0x0e, 0xc6, 0x24,
        0x31, 0x3d, 0x10, 0, 0, 0x2a, 0x41,
    ];

    #[test]
    fn rtp_behind_the_header_of_a_relay_is_read() {
        let header = |begins: &[u8], whole| {
            RtpHeader::read(unwrapped(begins, whole)).map(|header| (header.sequence, header.source))
        };
        assert_eq!(header(&SKYPE, 651), Some((0x0ec6, 0x2a41)));
        assert_eq!(header(&SKYPE, 700), None, "another length");
        let channel = [&[0x40, 1, 0, 102][..], &SKYPE[12..]].concat();
        assert_eq!(header(&channel, 106), Some((0x0ec6, 0x2a41)));
        assert_eq!(header(&channel, 108), Some((0x0ec6, 0x2a41)), "filled");
        assert_eq!(header(&channel, 112), None, "no RTP begins with 01");
        assert_eq!(unwrapped(&[0xff, 0x10, 0], 3), [0xff, 0x10, 0]);
    }
}
