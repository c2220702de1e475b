//! One exchange of data by itself: what its air time is made of, from the end of the one before to the end of its response.

use crate::frame_size;
use crate::phy::Phy;
use airloom_rate::{Field, Rate};
use airloom_sim::Duration;

/// Data to one receiver in one PPDU, and what belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Timing and basic rates.
    pub phy: Phy,
    /// The rate of the data.
    pub rate: Rate,
    /// Bytes of an MPDU with one packet, from its MAC header to its FCS.
    pub mpdu: u32,
    /// Packets of that length in each MPDU: an A-MSDU if they are several, which QoS data alone may have.
    pub msdus: u32,
    /// MPDUs in the PPDU; several only at a rate that aggregates.
    pub count: u16,
    /// Slots after SIFS before backoff begins.
    pub aifsn: u32,
    /// The contention window, of which half is the mean backoff in slots.
    pub window: u32,
    /// Whether RTS and CTS come first.
    pub rts: bool,
    /// The packet extension of an HE PPDU, if it is not the one that follows from its rate's padding.
    pub packet_extension: Option<Duration>,
}

/// A part of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub name: &'static str,
    /// How long it takes.
    pub duration: Duration,
    /// The rate of a frame; none of a space between frames.
    pub rate: Option<Rate>,
}

impl Exchange {
    /// Bytes of an MPDU with all its packets.
    pub fn amsdu(&self) -> u32 {
        let packet = |one: u32| one.saturating_sub(frame_size::DATA_OVERHEAD);
        (1..self.msdus).fold(self.mpdu, |mpdu, packets| frame_size::joined(mpdu, packets, packet(self.mpdu)))
    }

    /// Bytes of the PSDU: of several MPDUs, and in some formats of one too, with delimiters.
    pub fn psdu(&self) -> u32 {
        if self.count == 1 && !self.rate.delimits_one() {
            return self.amsdu();
        }
        (0..self.count).fold(0, |before, _| before + frame_size::subframe(before, self.amsdu()))
    }

    /// The fields of the PPDU with the data, the signal extension at 2.4 GHz included.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = self.rate.fields(self.psdu());
        if let Some(extension) = self.packet_extension {
            fields
                .iter_mut()
                .filter(|field| field.name == "packet extension")
                .for_each(|field| field.each = extension);
        }
        let silence = self.phy.ppdu(self.rate, 0) - self.rate.airtime(0);
        fields.push(Field { name: "signal extension", each: silence, times: 1 });
        fields.retain(|field| field.duration() > Duration::ZERO);
        fields
    }

    /// The duration of the PPDU with the data.
    pub fn ppdu(&self) -> Duration {
        self.fields().into_iter().map(Field::duration).sum()
    }

    /// Its parts in the order of the air: AIFS and the mean backoff, RTS and CTS if they come first, data and response.
    pub fn parts(&self) -> Vec<Part> {
        let Self { phy, rate, .. } = self;
        let control = phy.basic.response(*rate);
        let frame = |name, bytes| Part { name, duration: phy.ppdu(control, bytes), rate: Some(control) };
        let space = |name, duration| Part { name, duration, rate: None };
        let sifs = space("SIFS", phy.sifs);
        let mut parts = vec![
            space("AIFS", phy.aifs(self.aifsn)),
            space("mean backoff", phy.slot * u64::from(self.window) / 2),
        ];
        if self.rts {
            parts.extend([
                frame("RTS", frame_size::RTS_BYTES),
                sifs,
                frame("CTS", frame_size::ACK_BYTES),
                sifs,
            ]);
        }
        let response = match self.count {
            1 => frame("Ack", frame_size::ACK_BYTES),
            count => frame("BlockAck", frame_size::block_ack_bytes(count)),
        };
        parts.extend([Part { name: "data", duration: self.ppdu(), rate: Some(*rate) }, sifs, response]);
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, He, Ht, Ofdm, Padding, Training, Width};

    fn total(exchange: &Exchange) -> Duration {
        exchange.parts().iter().map(|part| part.duration).sum()
    }

    const HE: Exchange = Exchange {
        phy: Phy::OFDM_5GHZ,
        rate: Rate::He(He {
            mcs: 11,
            streams: 2,
            width: Width::Mhz80,
            guard: GuardInterval::Ns800,
            training: Training::X2,
            padding: Padding::Us16,
        }),
        mpdu: 1540,
        msdus: 1,
        count: 64,
        aifsn: 3,
        window: 15,
        rts: false,
        packet_extension: Some(Duration::from_micros(16)),
    };

    /// Worked by hand: 16 + 3 x 9 us of AIFS, 7.5 x 9 of backoff, 16 of SIFS, a BlockAck of 32 or 56 bytes at 24 Mbit/s: 20 + 3 x 4 or
    /// 20 + 5 x 4 us.
    #[test]
    fn an_exchange_is_its_parts() {
        assert_eq!((HE.psdu(), HE.ppdu().as_nanos()), (64 * 1544, 732_800));
        assert_eq!(total(&HE).as_nanos(), 43_000 + 67_500 + 732_800 + 16_000 + 32_000);
        let long = Exchange { count: 256, ..HE };
        assert_eq!(long.ppdu().as_nanos(), 2_704_800);
        assert_eq!(total(&long).as_nanos(), 43_000 + 67_500 + 2_704_800 + 16_000 + 40_000);
        // RTS 20 + 2 x 4, CTS 20 + 2 x 4, two more SIFS.
        assert_eq!((total(&Exchange { rts: true, ..long }) - total(&long)).as_micros(), 28 + 28 + 32);
    }

    #[test]
    fn what_travels_alone_has_a_delimiter_in_vht_and_he_and_an_ack() {
        let alone = Exchange { count: 1, packet_extension: None, ..HE };
        assert_eq!((alone.psdu(), alone.ppdu().as_micros()), (1544, 80));
        assert_eq!(
            alone.parts().last().map(|part| (part.name, part.duration.as_micros())),
            Some(("Ack", 28))
        );
        let ht = Rate::Ht(Ht { mcs: 7, width: Width::Mhz20, guard: GuardInterval::Ns800 });
        let older = Exchange { rate: ht, mpdu: 1538, ..alone };
        assert_eq!((older.psdu(), older.ppdu().as_micros()), (1538, 228));
    }

    /// By hand: 64 MPDUs of 30 + 3 x 1,524 + 1,524 = 6,126 bytes, each 6,132 with delimiter and padding, the last without. Symbols of 13.6 us
    /// have 16,333 bits: 16 + 8 x 392,446 bits need 193 of them, and 66.4 us are around them. That is one symbol less than 256 MPDUs need,
    /// and the BlockAck is that of 64.
    #[test]
    fn an_a_msdu_shares_header_and_acknowledgment() {
        let joined = Exchange { count: 64, msdus: 4, ..HE };
        assert_eq!((joined.amsdu(), joined.psdu()), (6126, 64 * 6132 - 2));
        assert_eq!(joined.ppdu().as_nanos(), 66_400 + 193 * 13_600);
        let alone = Exchange { count: 256, ..HE };
        assert_eq!((total(&alone) - total(&joined)).as_nanos(), 13_600 + 8_000);
    }

    #[test]
    fn the_signal_extension_is_told() {
        let erp = Exchange { phy: Phy::ERP, rate: Rate::Ofdm(Ofdm::M54), count: 1, ..HE };
        assert_eq!(
            erp.fields().last().map(|field| (field.name, field.each.as_micros())),
            Some(("signal extension", 6))
        );
        assert_eq!(erp.ppdu(), Phy::ERP.ppdu(erp.rate, erp.psdu()));
    }
}
