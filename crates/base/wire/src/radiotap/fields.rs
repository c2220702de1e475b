//! The composite fields of a radiotap header.

use crate::bytes::Cursor;
use std::ops::BitOr;

/// Field "Flags".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// Sent with the short preamble.
    pub const SHORT_PREAMBLE: Self = Self(0x02);
    /// The frame check sequence is at the end of the frame.
    pub const FCS_AT_END: Self = Self(0x10);
    /// The 802.11 header is padded to a multiple of 32 bits.
    pub const DATA_PAD: Self = Self(0x20);
    /// The frame failed its frame check sequence.
    pub const BAD_FCS: Self = Self(0x40);

    /// Whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The flags of field "Channel".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChannelFlags(pub u16);

impl ChannelFlags {
    /// Complementary code keying.
    pub const CCK: Self = Self(0x0020);
    /// Orthogonal frequency-division multiplexing.
    pub const OFDM: Self = Self(0x0040);
    /// In the 2.4 GHz band.
    pub const BAND_2GHZ: Self = Self(0x0080);
    /// In the 5 GHz band.
    pub const BAND_5GHZ: Self = Self(0x0100);
    /// CCK and OFDM mixed.
    pub const DYNAMIC: Self = Self(0x0400);

    /// Whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for ChannelFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Field "Channel".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Centre frequency of the primary channel in MHz.
    pub mhz: u16,
    /// Band and modulation.
    pub flags: ChannelFlags,
}

impl Channel {
    pub(super) fn octets(self) -> [u8; 4] {
        let ([a, b], [c, d]) = (self.mhz.to_le_bytes(), self.flags.0.to_le_bytes());
        [a, b, c, d]
    }
}

/// The bandwidth in field "MCS".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bandwidth {
    /// 20 MHz.
    Mhz20,
    /// 40 MHz.
    Mhz40,
    /// 20 MHz, the lower half of a 40 MHz channel.
    Mhz20Lower,
    /// 20 MHz, the upper half of a 40 MHz channel.
    Mhz20Upper,
}

/// Field "MCS": the HT rate of a frame, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mcs {
    /// Which of the facts below are known.
    pub known: u8,
    /// Bandwidth (0x03), guard interval (0x04), HT format (0x08), FEC (0x10), STBC streams (0x60), Ness (0x80).
    pub flags: u8,
    /// The MCS index: 0 to 76 (802.11-2020 clause 19.5).
    pub index: u8,
}

impl Mcs {
    const KNOWN_BANDWIDTH: u8 = 0x01;
    const KNOWN_INDEX: u8 = 0x02;
    const KNOWN_GUARD_INTERVAL: u8 = 0x04;
    const SHORT_GUARD_INTERVAL: u8 = 0x04;

    /// An HT rate of which index, bandwidth and guard interval (short: 400 ns) are known.
    pub const fn new(index: u8, bandwidth: Bandwidth, short_guard_interval: bool) -> Self {
        let bandwidth = match bandwidth {
            Bandwidth::Mhz20 => 0,
            Bandwidth::Mhz40 => 1,
            Bandwidth::Mhz20Lower => 2,
            Bandwidth::Mhz20Upper => 3,
        };
        let guard_interval = if short_guard_interval { Self::SHORT_GUARD_INTERVAL } else { 0 };
        Self {
            known: Self::KNOWN_BANDWIDTH | Self::KNOWN_INDEX | Self::KNOWN_GUARD_INTERVAL,
            flags: bandwidth | guard_interval,
            index,
        }
    }

    /// The MCS index, if known.
    pub fn index(self) -> Option<u8> {
        (self.known & Self::KNOWN_INDEX != 0).then_some(self.index)
    }

    /// The bandwidth, if known.
    pub fn bandwidth(self) -> Option<Bandwidth> {
        (self.known & Self::KNOWN_BANDWIDTH != 0).then_some(match self.flags & 0x03 {
            0 => Bandwidth::Mhz20,
            1 => Bandwidth::Mhz40,
            2 => Bandwidth::Mhz20Lower,
            _ => Bandwidth::Mhz20Upper,
        })
    }

    /// Whether the guard interval is the short one, 400 ns, if known.
    pub fn short_guard_interval(self) -> Option<bool> {
        (self.known & Self::KNOWN_GUARD_INTERVAL != 0).then_some(self.flags & Self::SHORT_GUARD_INTERVAL != 0)
    }

    pub(super) const fn octets(self) -> [u8; 3] {
        [self.known, self.flags, self.index]
    }
}

/// Field "A-MPDU status": present if the frame was a subframe of an A-MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmpduStatus {
    /// The same for each subframe of one A-MPDU, and for no other A-MPDU nearby.
    pub reference: u32,
    /// Flags; see the constants.
    pub flags: u16,
    /// The delimiter's CRC; meaningful only with flag 0x0020.
    pub delimiter_crc: u8,
}

impl AmpduStatus {
    /// Flag: it is known which subframe is the last.
    pub const LAST_KNOWN: u16 = 0x0004;
    /// Flag: this subframe is the last.
    pub const IS_LAST: u16 = 0x0008;

    /// A subframe of which it is known whether it is the last.
    pub const fn new(reference: u32, is_last: bool) -> Self {
        let last = if is_last { Self::IS_LAST } else { 0 };
        Self { reference, flags: Self::LAST_KNOWN | last, delimiter_crc: 0 }
    }

    pub(super) fn octets(self) -> [u8; 8] {
        let ([a, b, c, d], [e, f]) = (self.reference.to_le_bytes(), self.flags.to_le_bytes());
        [a, b, c, d, e, f, self.delimiter_crc, 0]
    }
}

/// Field "VHT": the rate of an 802.11ac frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vht {
    /// Which of the facts below are known.
    pub known: u16,
    /// STBC (0x01), short guard interval (0x04), beamformed (0x20) and others.
    pub flags: u8,
    /// Codes of widths: 0 is 20 MHz, 1 is 40, 4 is 80, 11 is 160, and others say which part of a channel.
    pub bandwidth: u8,
    /// Of up to four users: MCS in the upper half, spatial streams in the lower; no streams, no user.
    pub users: [u8; 4],
    /// Coding of each user, group and partial AID, as they come.
    pub rest: [u8; 4],
}

impl Vht {
    const KNOWN_GUARD_INTERVAL: u16 = 0x0004;
    const KNOWN_BANDWIDTH: u16 = 0x0040;
    const SHORT_GUARD_INTERVAL: u8 = 0x04;

    /// A frame for one user at a rate of which everything is known; `mhz` is 20, 40, 80 or 160.
    pub const fn new(index: u8, streams: u8, mhz: u32, short_guard_interval: bool, ldpc: bool) -> Self {
        Self {
            known: Self::KNOWN_GUARD_INTERVAL | Self::KNOWN_BANDWIDTH,
            flags: if short_guard_interval { Self::SHORT_GUARD_INTERVAL } else { 0 },
            bandwidth: match mhz {
                20 => 0,
                40 => 1,
                80 => 4,
                _ => 11,
            },
            users: [index << 4 | streams, 0, 0, 0],
            rest: [ldpc as u8, 0, 0, 0],
        }
    }

    /// MCS index and spatial streams of the first user.
    pub fn index_and_streams(self) -> Option<(u8, u8)> {
        let (index, streams) = (self.users[0] >> 4, self.users[0] & 15);
        (streams > 0).then_some((index, streams))
    }

    /// The width in MHz.
    pub const fn mhz(self) -> u16 {
        match self.bandwidth & 31 {
            0 => 20,
            1..=3 => 40,
            4..=10 => 80,
            _ => 160,
        }
    }

    /// Whether the guard interval is the short one, 400 ns.
    pub const fn short_guard_interval(self) -> bool {
        self.flags & Self::SHORT_GUARD_INTERVAL != 0
    }

    pub(super) fn octets(self) -> [u8; 12] {
        let [a, b] = self.known.to_le_bytes();
        let ([c, d, e, f], [g, h, i, j]) = (self.users, self.rest);
        [a, b, self.flags, self.bandwidth, c, d, e, f, g, h, i, j]
    }
}

/// Field "HE": the rate of an 802.11ax frame, six words of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct He(pub [u16; 6]);

impl He {
    const KNOWN_INDEX: u16 = 0x0020;
    const KNOWN_CODE: u16 = 0x0080;
    const KNOWN_WIDTH: u16 = 0x4000;
    const KNOWN_GUARD_INTERVAL: u16 = 0x0002;
    const LDPC: u16 = 0x2000;

    /// A frame for one user, coded with low-density parity checks, at a rate of which everything is known; `width` is 0 to 3 for 20
    /// to 160 MHz, `guard` 0 to 2 for 0.8, 1.6 and 3.2 us, `training` 1 to 3 for long training fields of 1x, 2x and 4x.
    pub const fn new(index: u8, streams: u8, width: u16, guard: u16, training: u16) -> Self {
        Self([
            Self::KNOWN_INDEX | Self::KNOWN_CODE | Self::KNOWN_WIDTH,
            Self::KNOWN_GUARD_INTERVAL,
            (index as u16) << 8 | Self::LDPC,
            0,
            width | guard << 4 | training << 6,
            streams as u16,
        ])
    }

    /// The MCS index, if known.
    pub fn index(self) -> Option<u8> {
        (self.0[0] & Self::KNOWN_INDEX != 0).then_some((self.0[2] >> 8 & 15) as u8)
    }

    /// Space-time streams; the field has a zero where they are not known.
    pub const fn streams(self) -> u8 {
        (self.0[5] & 15) as u8
    }

    /// The width in MHz, if known and not that of a resource unit.
    pub fn mhz(self) -> Option<u16> {
        let code = self.0[4] & 15;
        (self.0[0] & Self::KNOWN_WIDTH != 0 && code < 4).then_some(20 << code)
    }

    /// The guard interval in nanoseconds, if known.
    pub fn guard_interval_ns(self) -> Option<u32> {
        let code = usize::from(self.0[4] >> 4 & 3);
        let known = self.0[1] & Self::KNOWN_GUARD_INTERVAL != 0;
        [800, 1600, 3200].get(code).copied().filter(|_| known)
    }

    pub(super) fn octets(self) -> [u8; 12] {
        let mut octets = [0; 12];
        for (pair, word) in octets.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&word.to_le_bytes());
        }
        octets
    }
}

/// Item "U-SIG": what every PPDU from EHT on says of itself, as three words: what all have in common, and the rest with a mask of what is
/// known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usig(pub [u32; 3]);

impl Usig {
    pub(super) const TYPE: u16 = 33;
    const KNOWN_VERSION: u32 = 1;
    const KNOWN_WIDTH: u32 = 1 << 1;
    const WIDTH: u32 = 15;
    /// Widths in MHz by their codes: 320 has one for each of its two rows of channels.
    const MHZ: [u16; 6] = [20, 40, 80, 160, 320, 320];
    /// The middle of the lowest channel of 320 MHz, 31, in MHz: from there the first row goes on (802.11be-2024 36.3.23.2).
    const FIRST_320: u16 = 6105;

    /// That of an EHT PPDU of so many MHz in a channel with this frequency in its middle.
    ///
    /// # Panics
    /// If no PPDU has this width.
    pub fn new(mhz: u16, centre_mhz: u16) -> Self {
        let second = mhz == 320 && centre_mhz % 320 != Self::FIRST_320 % 320;
        let code = Self::MHZ.iter().position(|&one| one == mhz).expect("a width of EHT") as u32;
        let code = code + u32::from(second);
        Self([Self::KNOWN_VERSION | Self::KNOWN_WIDTH | code << Self::WIDTH, 0, 0])
    }

    /// The width in MHz, if known.
    pub fn mhz(self) -> Option<u16> {
        let code = self.0[0] >> Self::WIDTH & 7;
        Self::MHZ.get(code as usize).copied().filter(|_| self.0[0] & Self::KNOWN_WIDTH != 0)
    }

    pub(super) fn octets(self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Item "EHT": the rate of an 802.11be frame. Of its words those that say it: what is known, the first of nine of data, and that of the
/// user whose frame it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eht {
    /// What is known beside the user's word.
    pub known: u32,
    /// The first word of data.
    pub data: u32,
    /// The user's word.
    pub user: u32,
}

impl Eht {
    pub(super) const TYPE: u16 = 34;
    const KNOWN_GUARD_INTERVAL: u32 = 1 << 2;
    const GUARD_INTERVAL: u32 = 7;
    const TRAINING: u32 = 9;
    const KNOWN_INDEX: u32 = 1 << 1;
    const KNOWN_CODE: u32 = 1 << 2;
    const KNOWN_STREAMS: u32 = 1 << 4;
    /// The user whose frame the header belongs to.
    const CAPTURED: u32 = 1 << 7;
    const LDPC: u32 = 1 << 19;
    const INDEX: u32 = 20;
    const STREAMS: u32 = 24;
    /// Words of data before those of users.
    const DATA: usize = 9;

    /// A frame for one user, coded with low-density parity checks, at a rate of which everything is known; `guard` is 0 to 2 for 0.8, 1.6 and
    /// 3.2 us, `training` 2 or 3 for long training fields of 2x and 4x.
    pub const fn new(index: u8, streams: u8, guard: u32, training: u32) -> Self {
        let known = Self::KNOWN_INDEX | Self::KNOWN_CODE | Self::KNOWN_STREAMS | Self::CAPTURED;
        Self {
            known: Self::KNOWN_GUARD_INTERVAL,
            data: guard << Self::GUARD_INTERVAL | training << Self::TRAINING,
            user: known | Self::LDPC | (index as u32) << Self::INDEX | (streams as u32 - 1) << Self::STREAMS,
        }
    }

    /// The MCS index, if known.
    pub fn index(self) -> Option<u8> {
        (self.user & Self::KNOWN_INDEX != 0).then_some((self.user >> Self::INDEX & 15) as u8)
    }

    /// Spatial streams, if known. The item counts them from zero, as EHT-SIG does (802.11be-2024 36.3.12.8) and Wireshark reads it: so write
    /// Linux's iwlwifi, ath12k and mt76. Its rtw89, and mt76 at first, wrote them from one, which nothing tells apart: a stream more is read then.
    pub fn streams(self) -> Option<u8> {
        (self.user & Self::KNOWN_STREAMS != 0).then_some(1 + (self.user >> Self::STREAMS & 15) as u8)
    }

    /// The guard interval in nanoseconds, if known.
    pub fn guard_interval_ns(self) -> Option<u32> {
        let code = (self.data >> Self::GUARD_INTERVAL & 3) as usize;
        [800, 1600, 3200].get(code).copied().filter(|_| self.known & Self::KNOWN_GUARD_INTERVAL != 0)
    }

    /// Of several users the one whose frame it is, or the first. None if the item is too short.
    pub(super) fn parse(mut item: Cursor<'_>) -> Option<Self> {
        let (known, data) = (item.le32().ok()?, item.le32().ok()?);
        item.take(4 * (Self::DATA - 1)).ok()?;
        let first = item.le32().ok()?;
        let mut users = std::iter::once(first).chain(std::iter::from_fn(|| item.le32().ok()));
        Some(Self { known, data, user: users.find(|user| user & Self::CAPTURED != 0).unwrap_or(first) })
    }

    pub(super) fn octets(self) -> Vec<u8> {
        let mut words = [0; Self::DATA + 2];
        (words[0], words[1], words[Self::DATA + 1]) = (self.known, self.data, self.user);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
