//! A-MSDUs: several packets to one receiver in one MPDU, which are acknowledged, lost and sent again as one (802.11-2020 10.11).
//!
//! A packet joins the last MPDU that waits in its driver, as mac80211 joins it to the last one that waits in the queue of a station
//! (`ieee80211_amsdu_aggregate()`, net/mac80211/tx.c, Linux 6.18): where nothing waits, nothing is aggregated. An MPDU that has been in
//! hardware takes in no more packets, since its receiver may have it already.

use crate::frame_size;

/// Bounds on an A-MSDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amsdu {
    /// Packets in it at most.
    pub packets: u32,
    /// Bytes of an MPDU at most, header and FCS included, if it has several packets.
    pub mpdu: u32,
}

/// An MPDU that may take in more packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// Its bytes.
    pub mpdu: u32,
    /// Packets in it.
    pub packets: u32,
}

impl Amsdu {
    /// Each packet has an MPDU of its own.
    pub const NONE: Self = Self { packets: 1, mpdu: u32::MAX };
    /// The longest MPDU in an A-MPDU of 802.11n, whose delimiters have 12 bits for its length (802.11-2020 table 9-34, 9.7.1).
    pub(crate) const HT_MPDU: u32 = 4095;
    /// Bytes of an MPDU of the lengths that VHT and HE announce which are no A-MSDU, as longest A-MSDUs are announced for HT: 3,839 of
    /// 3,895 and 7,935 of 7,991 (802.11-2020 9.4.2.55.2).
    pub(crate) const HT_MARGIN: u32 = 56;
    /// The longest A-MSDU that can be announced for HT.
    pub(crate) const HT_LONGEST: u32 = 7935;

    /// Whether any packet can be joined to another.
    pub(crate) fn joins(&self) -> bool {
        self.packets > 1
    }

    /// Whether a packet may follow in this MPDU, if it is short enough.
    pub(crate) fn has_room(&self, open: Open) -> bool {
        open.packets < self.packets
    }

    /// The MPDU with a packet of `bytes` more, if that may join it.
    pub fn join(&self, open: Open, bytes: u32) -> Option<Open> {
        let mpdu = frame_size::joined(open.mpdu, open.packets, bytes);
        (self.has_room(open) && mpdu <= self.mpdu).then_some(Open { mpdu, packets: open.packets + 1 })
    }

    /// The same with MPDUs of so many bytes at most.
    pub(crate) fn within(self, mpdu: u32) -> Self {
        Self { mpdu: self.mpdu.min(mpdu), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_size::DATA_OVERHEAD;

    /// How many packets of these bytes fit, and the MPDU that they make.
    fn filled(limits: Amsdu, bytes: u32) -> Open {
        let alone = Open { mpdu: bytes + DATA_OVERHEAD, packets: 1 };
        std::iter::successors(Some(alone), |&open| limits.join(open, bytes)).last().expect("the first fits")
    }

    /// By hand: a header of 26 and an FCS of 4 bytes, subframes of 14 + 8 + 1,500 = 1,522 bytes, and 2 of padding behind all but the
    /// last.
    #[test]
    fn lengths_bound_what_fits() {
        let within = |mpdu| filled(Amsdu { packets: 16, mpdu }, 1500);
        assert_eq!(within(3839 + 30), Open { packets: 2, mpdu: 30 + 1524 + 1522 });
        assert_eq!(within(Amsdu::HT_MPDU), Open { packets: 2, mpdu: 3076 });
        assert_eq!(within(7991), Open { packets: 5, mpdu: 30 + 4 * 1524 + 1522 });
        assert_eq!(within(11_454), Open { packets: 7, mpdu: 30 + 6 * 1524 + 1522 });
        assert_eq!(filled(Amsdu { packets: 3, mpdu: 11_454 }, 1500).packets, 3);
        assert_eq!(filled(Amsdu::NONE, 1500), Open { packets: 1, mpdu: 1538 });
    }

    /// Acknowledgments of 52 bytes: subframes of 74 bytes and 2 of padding.
    #[test]
    fn short_packets_fit_by_their_number() {
        assert_eq!(filled(Amsdu { packets: 4, mpdu: 3839 }, 52), Open { packets: 4, mpdu: 30 + 3 * 76 + 74 });
    }
}
