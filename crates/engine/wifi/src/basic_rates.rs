//! The basic rates of a network, which every member has, and the rate of responses that follows from them.

use airloom_rate::{Dsss, Legacy, Ofdm, Preamble, Rate, Speed};

/// A set of rates below HT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicRates {
    /// Bit n: `Speed::ALL[n]` is in it.
    dsss: u8,
    /// Bit n: `Ofdm::ALL[n]` is in it.
    ofdm: u8,
    preamble: Preamble,
}

impl BasicRates {
    /// These; DSSS frames that answer nothing have this preamble.
    pub const fn new(dsss: &[Speed], ofdm: &[Ofdm], preamble: Preamble) -> Self {
        let mut set = Self { dsss: 0, ofdm: 0, preamble };
        let mut i = 0;
        while i < dsss.len() {
            set.dsss |= 1 << dsss[i] as u8;
            i += 1;
        }
        i = 0;
        while i < ofdm.len() {
            set.ofdm |= 1 << ofdm[i] as u8;
            i += 1;
        }
        set
    }

    /// The rate of an ACK, CTS or BlockAck that answers a frame at `rate` (802.11-2020 10.6.6.5.2 and 10.6.6.5.3): of the
    /// same modulation class, the highest basic rate that is not above it, or if there is none the highest mandatory one.
    pub fn response(&self, rate: Rate) -> Rate {
        match rate.reference() {
            Legacy::Dsss(Dsss { speed, preamble }) => {
                // All four are mandatory in clause 16.
                let speed = highest(&Speed::ALL, self.dsss, speed).unwrap_or(speed);
                Rate::Dsss(Dsss::new(speed, preamble))
            }
            Legacy::Ofdm(rate) => Rate::Ofdm(self.response_ofdm(rate)),
        }
    }

    fn response_ofdm(&self, rate: Ofdm) -> Ofdm {
        /// 6, 12 and 24 Mbit/s (17.2.3.4).
        const MANDATORY: u8 = 1 << Ofdm::M6 as u8 | 1 << Ofdm::M12 as u8 | 1 << Ofdm::M24 as u8;
        let among = |set| highest(&Ofdm::ALL, set, rate);
        among(self.ofdm).or_else(|| among(MANDATORY)).unwrap_or(Ofdm::M6)
    }

    /// The rate of frames that reserve the medium among stations of 802.11b: the highest basic DSSS rate (mac80211
    /// `ieee80211_tx_h_rate_ctrl`, for frames under protection), 1 Mbit/s if there is none.
    pub fn protection(&self) -> Rate {
        let speed = highest(&Speed::ALL, self.dsss, Speed::M11).unwrap_or(Speed::M1);
        Rate::Dsss(Dsss::new(speed, self.preamble))
    }
}

/// The highest of `all` that is in the set and not above `most`.
fn highest<T: Copy + PartialOrd>(all: &[T], set: u8, most: T) -> Option<T> {
    all.iter().enumerate().rev().find(|&(n, &rate)| set >> n & 1 != 0 && rate <= most).map(|(_, &rate)| rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Preamble::{Long, Short};
    use airloom_rate::{GuardInterval, Ht, Width};

    const B: BasicRates = BasicRates::new(&[Speed::M1, Speed::M2], &[], Long);
    const A: BasicRates = BasicRates::new(&[], &[Ofdm::M6, Ofdm::M12, Ofdm::M24], Long);

    fn dsss(speed: Speed, preamble: Preamble) -> Rate {
        Rate::Dsss(Dsss::new(speed, preamble))
    }

    #[test]
    fn a_response_takes_the_highest_basic_rate_not_above_the_frame() {
        for (frame, response) in [(Speed::M1, Speed::M1), (Speed::M2, Speed::M2), (Speed::M11, Speed::M2)] {
            assert_eq!(B.response(dsss(frame, Long)), dsss(response, Long));
        }
        for (frame, response) in [(6, 6), (9, 6), (12, 12), (18, 12), (24, 24), (54, 24)] {
            assert_eq!(A.response(Rate::ofdm(frame).unwrap()), Rate::ofdm(response).unwrap());
        }
        let mcs = |mcs| A.response(Rate::Ht(Ht { mcs, width: Width::Mhz40, guard: GuardInterval::Ns400 }));
        assert_eq!([0, 1, 3, 8, 15].map(mcs), [6, 12, 24, 6, 24].map(|mbps| Rate::ofdm(mbps).unwrap()));
    }

    #[test]
    fn a_response_keeps_modulation_class_and_preamble() {
        assert_eq!(B.response(dsss(Speed::M11, Short)), dsss(Speed::M2, Short));
        assert_eq!(
            B.response(dsss(Speed::M1, Short)),
            dsss(Speed::M1, Long),
            "1 Mbit/s has no short preamble"
        );
        assert_eq!(B.response(Rate::ofdm(54).unwrap()), Rate::ofdm(24).unwrap(), "no OFDM rate is basic");
        assert_eq!(A.response(dsss(Speed::M11, Long)), dsss(Speed::M11, Long));
        let fast = BasicRates::new(&[], &[Ofdm::M24], Long);
        assert_eq!(
            fast.response(Rate::ofdm(12).unwrap()),
            Rate::ofdm(12).unwrap(),
            "the highest mandatory one"
        );
    }

    #[test]
    fn protection_goes_at_the_highest_basic_rate_of_802_11b() {
        assert_eq!(B.protection(), dsss(Speed::M2, Long));
        assert_eq!(A.protection(), dsss(Speed::M1, Long));
    }
}
