//! Parameters common to all radios of a network: timing, basic rates, protection.

use crate::adapter::{Adapter, RtsRate};
use crate::basic_rates::BasicRates;
use crate::frame_size;
use airloom_rate::{Dsss, Ofdm, Preamble, Rate, Speed};
use airloom_sim::{Duration, kinds};

kinds! {
    /// How frames at OFDM and HT rates are protected from stations of 802.11b, which cannot hear them (802.11-2020
    /// 10.27).
    pub enum Protection {
        /// Not at all.
        None = "none",
        /// RTS and CTS at a DSSS rate precede them.
        RtsCts = "rts-cts",
        /// A CTS that the transmitter sends to itself at a DSSS rate precedes them.
        CtsToSelf = "cts-to-self",
    }
}

/// Timing, basic rates and protection of a network.
#[derive(Clone, Copy, Debug)]
pub struct Phy {
    /// Slot time.
    pub slot: Duration,
    /// Short inter-frame space.
    pub sifs: Duration,
    /// Silence that belongs to every OFDM frame of any format (signal extension).
    pub extension: Duration,
    /// From the start of a preamble to the indication that a frame is coming (aRxPHYStartDelay).
    pub rx_start: Duration,
    /// The lowest mandatory rate, of the acknowledgment assumed in an extended inter-frame space.
    pub lowest: Rate,
    /// After a failure its transmitter waits for the missing response and the other radios for an extended inter-frame
    /// space. Without, all continue at once, as models of saturation assume.
    pub waits_after_failure: bool,
    /// By how many dB a frame must be stronger than each overlapping frame for the access point to receive it; if none,
    /// overlapping frames are lost.
    pub capture_db: Option<f64>,
    /// Basic rates.
    pub basic: BasicRates,
    /// Protection.
    pub protection: Protection,
}

/// The protection before one frame, and its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameProtection {
    /// Nothing.
    None,
    /// RTS, answered by CTS.
    RtsCts(Rate),
    /// A CTS to oneself.
    CtsToSelf(Rate),
}

impl Phy {
    /// 802.11a and 802.11n at 5 GHz (802.11-2020 table 17-21), with hostapd's basic rates of 6, 12 and 24 Mbit/s.
    pub const OFDM_5GHZ: Self = Self {
        slot: Duration::from_micros(9),
        sifs: Duration::from_micros(16),
        extension: Duration::ZERO,
        rx_start: Duration::from_micros(20),
        lowest: Rate::Ofdm(Ofdm::M6),
        waits_after_failure: true,
        capture_db: None,
        basic: BasicRates::new(&[], &[Ofdm::M6, Ofdm::M12, Ofdm::M24], Preamble::Long),
        protection: Protection::None,
    };

    /// 802.11b (802.11-2020 table 16-4), with hostapd's basic rates of 1 and 2 Mbit/s.
    pub const DSSS: Self = Self {
        slot: Duration::from_micros(20),
        sifs: Duration::from_micros(10),
        extension: Duration::ZERO,
        rx_start: Duration::from_micros(192),
        lowest: Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long)),
        waits_after_failure: true,
        capture_db: None,
        basic: BasicRates::new(&[Speed::M1, Speed::M2], &[], Preamble::Long),
        protection: Protection::None,
    };

    /// 802.11g, and 802.11n at 2.4 GHz (802.11-2020 table 18-5 with the short slot), with hostapd's basic rates of 1, 2,
    /// 5.5 and 11 Mbit/s. The signal extension is that of 18.3.2.4 and table 19-25.
    pub const ERP: Self = Self {
        slot: Duration::from_micros(9),
        sifs: Duration::from_micros(10),
        extension: Duration::from_micros(6),
        rx_start: Duration::from_micros(20),
        lowest: Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long)),
        waits_after_failure: true,
        capture_db: None,
        basic: BasicRates::new(&Speed::ALL, &[], Preamble::Long),
        protection: Protection::None,
    };

    /// The inter-frame space of `n` slots.
    pub(crate) fn aifs(&self, n: u32) -> Duration {
        self.sifs + self.slot * u64::from(n)
    }

    /// For how long all of a channel must have been idle before a frame that fills more than its primary 20 MHz: a PIFS, or at 2.4 GHz a
    /// DIFS (802.11-2020 10.23.2.5; ns-3 3.37 `ChannelAccessManager::DoGrantDcfAccess()`).
    pub(crate) fn before_wide(&self) -> Duration {
        let is_24_ghz = self.extension > Duration::ZERO;
        self.aifs(if is_24_ghz { 2 } else { 1 })
    }

    /// Air time of one PPDU that carries `psdu` bytes at `rate`, the signal extension included.
    pub fn ppdu(&self, rate: Rate, psdu: u32) -> Duration {
        match rate {
            Rate::Dsss(_) => rate.airtime(psdu),
            _ => rate.airtime(psdu) + self.extension,
        }
    }

    /// The rate at which `by` sends a control frame beside data at `rate` that nothing elicits.
    pub(crate) fn request_rate(&self, by: &Adapter, rate: Rate) -> Rate {
        // HT and later aggregate, nothing before does.
        match by.rts_rate {
            RtsRate::Lowest if rate.aggregates() && by.control_rate.is_none() => self.lowest,
            _ => self.control_rate(by, rate),
        }
    }

    /// The rate at which `by` sends a control frame that answers a frame at `rate`.
    pub(crate) fn control_rate(&self, by: &Adapter, rate: Rate) -> Rate {
        by.control_rate.unwrap_or_else(|| self.basic.response(rate))
    }

    /// How long a frame is preceded by a CTS of its own transmitter.
    pub(crate) fn lead(&self, protection: FrameProtection) -> Duration {
        match protection {
            FrameProtection::CtsToSelf(_) => self.reservation(protection),
            FrameProtection::None | FrameProtection::RtsCts(_) => Duration::ZERO,
        }
    }

    /// How long frame and spaces last by which a main frame is protected.
    pub(crate) fn reservation(&self, protection: FrameProtection) -> Duration {
        match protection {
            FrameProtection::None => Duration::ZERO,
            FrameProtection::CtsToSelf(rate) => self.ppdu(rate, frame_size::ACK_BYTES) + self.sifs,
            FrameProtection::RtsCts(rate) => {
                let answer = self.basic.response(rate);
                self.ppdu(rate, frame_size::RTS_BYTES)
                    + self.ppdu(answer, frame_size::ACK_BYTES)
                    + self.sifs * 2
            }
        }
    }

    /// The protection before a frame at `rate`, whose transmitter sends RTS at `rts_rate` and which is `long` enough for RTS
    /// anyway.
    pub(crate) fn frame_protection(&self, rate: Rate, rts_rate: Rate, long: bool) -> FrameProtection {
        let for_all = if let Rate::Dsss(_) = rts_rate { rts_rate } else { self.basic.protection() };
        match (self.protection, rate, long) {
            (Protection::None, _, false) | (_, Rate::Dsss(_), false) => FrameProtection::None,
            (Protection::None, _, true) | (_, Rate::Dsss(_), true) => FrameProtection::RtsCts(rts_rate),
            (Protection::RtsCts, ..) | (Protection::CtsToSelf, _, true) => FrameProtection::RtsCts(for_all),
            (Protection::CtsToSelf, _, false) => FrameProtection::CtsToSelf(for_all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{
        GuardInterval::{Ns400, Ns800},
        Ht,
        Width::{Mhz20, Mhz40},
    };

    /// SIFS and a slot at 5 GHz, SIFS and two at 2.4 GHz.
    #[test]
    fn a_wide_frame_needs_a_pifs_or_at_2_4_ghz_a_difs() {
        let long = Phy { slot: Duration::from_micros(20), ..Phy::ERP };
        let needed = [Phy::OFDM_5GHZ, Phy::ERP, long].map(|phy| phy.before_wide().as_micros());
        assert_eq!(needed, [25, 28, 50]);
    }

    /// At 2.4 GHz every OFDM and HT frame is followed by 6 us in which nothing is sent; worked by hand as at 5 GHz.
    #[test]
    fn the_signal_extension_belongs_to_frames_at_2_4_ghz() {
        let ht = |mcs, width, guard| Rate::Ht(Ht { mcs, width, guard });
        let table = [
            (Rate::ofdm(6).unwrap(), 14, 50),     // 20 + 6 x 4 + 6
            (Rate::ofdm(54).unwrap(), 1536, 254), // 20 + 57 x 4 + 6
            (ht(7, Mhz20, Ns800), 1538, 234),     // 36 + 48 x 4 + 6
            (ht(15, Mhz40, Ns400), 1538, 90),     // 40 + 44 + 6
            (Rate::Dsss(Dsss::new(Speed::M11, Preamble::Long)), 1536, 1310), // 192 + 1118
        ];
        for (rate, bytes, micros) in table {
            assert_eq!(Phy::ERP.ppdu(rate, bytes), Duration::from_micros(micros), "{rate:?}");
        }
        assert_eq!(Phy::OFDM_5GHZ.ppdu(Rate::ofdm(54).unwrap(), 1536), Duration::from_micros(248));
    }

    #[test]
    fn protection_goes_before_what_stations_of_802_11b_cannot_hear() {
        let (fast, slow) = (Rate::ofdm(54).unwrap(), Rate::Dsss(Dsss::new(Speed::M11, Preamble::Long)));
        let control = Rate::ofdm(24).unwrap();
        for (protection, rate, long, guard) in [
            (Protection::None, fast, false, FrameProtection::None),
            (Protection::None, fast, true, FrameProtection::RtsCts(control)),
            (Protection::RtsCts, fast, false, FrameProtection::RtsCts(slow)),
            (Protection::RtsCts, slow, false, FrameProtection::None),
            (Protection::CtsToSelf, fast, false, FrameProtection::CtsToSelf(slow)),
            (Protection::CtsToSelf, fast, true, FrameProtection::RtsCts(slow)),
            (Protection::CtsToSelf, slow, true, FrameProtection::RtsCts(control)),
        ] {
            assert_eq!(Phy { protection, ..Phy::ERP }.frame_protection(rate, control, long), guard);
        }
    }
}
