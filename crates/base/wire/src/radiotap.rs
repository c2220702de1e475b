//! Radiotap: what a radio knew about a frame, in front of the frame (radiotap.org).

mod fields;

pub use fields::{AmpduStatus, Bandwidth, Channel, ChannelFlags, Eht, Flags, He, Mcs, Usig, Vht};

use crate::Error;
use crate::bytes::Cursor;

/// Size in octets of version, padding, length and first presence word.
const FIXED_LEN: usize = 8;

/// Bit 28: the rest of the header is a list of type-length-value items.
const TLV: u32 = 28;
/// What such an item begins at a multiple of.
const ITEM_ALIGN: usize = 4;
/// Bit 29: the next presence word starts afresh in the radiotap namespace.
const RADIOTAP_NAMESPACE: u32 = 1 << 29;
/// Bit 30: the next presence word belongs to a vendor.
const VENDOR_NAMESPACE: u32 = 1 << 30;
/// Bit 31: another presence word follows.
const EXTENDED: u32 = 1 << 31;

/// Alignment and size in octets of the fields of the radiotap namespace, by bit number (radiotap.org, "Defined
/// Fields"; bit 18, XChannel, from "Suggested Fields", since FreeBSD and macOS write it; the alignment of bit 4, FHSS,
/// which the site leaves open, as Linux and Wireshark read it).
const LAYOUT: [(usize, usize); 28] = [
    (8, 8),  // 0 TSFT
    (1, 1),  // 1 flags
    (1, 1),  // 2 rate
    (2, 4),  // 3 channel
    (2, 2),  // 4 FHSS
    (1, 1),  // 5 antenna signal, dBm
    (1, 1),  // 6 antenna noise, dBm
    (2, 2),  // 7 lock quality
    (2, 2),  // 8 TX attenuation
    (2, 2),  // 9 TX attenuation, dB
    (1, 1),  // 10 TX power, dBm
    (1, 1),  // 11 antenna
    (1, 1),  // 12 antenna signal, dB
    (1, 1),  // 13 antenna noise, dB
    (2, 2),  // 14 RX flags
    (2, 2),  // 15 TX flags
    (1, 1),  // 16 RTS retries
    (1, 1),  // 17 data retries
    (4, 8),  // 18 XChannel
    (1, 3),  // 19 MCS
    (4, 8),  // 20 A-MPDU status
    (2, 12), // 21 VHT
    (8, 12), // 22 timestamp
    (2, 12), // 23 HE
    (2, 12), // 24 HE-MU
    (2, 6),  // 25 HE-MU-other-user
    (1, 1),  // 26 0-length PSDU
    (2, 4),  // 27 L-SIG
];

/// A radiotap header. Other fields than these are skipped when parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RadiotapRepr {
    /// Field "TSFT": the receiver's MAC timer in microseconds, when the first bit of the MPDU arrived.
    pub tsft: Option<u64>,
    /// Field "Flags".
    pub flags: Option<Flags>,
    /// Field "Rate", in units of 500 kb/s.
    pub rate: Option<u8>,
    /// Field "Channel".
    pub channel: Option<Channel>,
    /// Field "Antenna signal" in dBm. Of several antennas, the first in the header.
    pub signal_dbm: Option<i8>,
    /// Field "Antenna noise" in dBm. Of several antennas, the first in the header.
    pub noise_dbm: Option<i8>,
    /// Field "MCS".
    pub mcs: Option<Mcs>,
    /// Field "A-MPDU status".
    pub ampdu: Option<AmpduStatus>,
    /// Field "VHT".
    pub vht: Option<Vht>,
    /// Field "HE".
    pub he: Option<He>,
    /// Item "U-SIG".
    pub usig: Option<Usig>,
    /// Item "EHT".
    pub eht: Option<Eht>,
}

impl RadiotapRepr {
    /// Octets by which a header with the items of an EHT frame is longer than others.
    pub const EHT_ITEMS_LEN: u32 = 64;

    /// Appends the header, each field aligned within it.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&[0; FIXED_LEN]);
        let mut present = 0;
        // Fields must come in the order of their bits.
        emit_field(0, self.tsft.map(u64::to_le_bytes), start, &mut present, out);
        emit_field(1, self.flags.map(|flags| [flags.0]), start, &mut present, out);
        emit_field(2, self.rate.map(|rate| [rate]), start, &mut present, out);
        emit_field(3, self.channel.map(Channel::octets), start, &mut present, out);
        emit_field(5, self.signal_dbm.map(i8::to_le_bytes), start, &mut present, out);
        emit_field(6, self.noise_dbm.map(i8::to_le_bytes), start, &mut present, out);
        emit_field(19, self.mcs.map(Mcs::octets), start, &mut present, out);
        emit_field(20, self.ampdu.map(AmpduStatus::octets), start, &mut present, out);
        emit_field(21, self.vht.map(Vht::octets), start, &mut present, out);
        emit_field(23, self.he.map(He::octets), start, &mut present, out);
        emit_item(Usig::TYPE, self.usig.map(Usig::octets), start, &mut present, out);
        emit_item(Eht::TYPE, self.eht.map(Eht::octets), start, &mut present, out);
        let len = (out.len() - start) as u16;
        out[start + 2..start + 4].copy_from_slice(&len.to_le_bytes());
        out[start + 4..start + 8].copy_from_slice(&present.to_le_bytes());
    }

    /// Parses a header and returns the frame behind it.
    ///
    /// A field this parser cannot size ends the reading of fields, since nothing behind it can be found; so does a list
    /// of type-length-value items (bit 28), which by its definition comes last. An item that is cut off ends the list.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if the header is not complete, [`Error::Unsupported`] for a version other than 0,
    /// [`Error::Malformed`] if presence words or fields do not fit into the header's length.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        if cursor.u8()? != 0 {
            return Err(Error::Unsupported("radiotap version"));
        }
        cursor.u8()?;
        let len = usize::from(cursor.le16()?);
        if len < FIXED_LEN {
            return Err(Error::Malformed("radiotap length"));
        }
        let (header, frame) = bytes.split_at_checked(len).ok_or(Error::Truncated)?;
        let mut repr = Self::default();
        repr.read_fields(header).map_err(|_| Error::Malformed("radiotap field beyond the header"))?;
        Ok((repr, frame))
    }

    /// Fails only if `header` ends too early.
    fn read_fields(&mut self, header: &[u8]) -> Result<(), Error> {
        let mut words = Cursor::new(header.get(4..).ok_or(Error::Truncated)?);
        let mut at = 4;
        while {
            at += 4;
            words.le32()? & EXTENDED != 0
        } {}

        let mut words = Cursor::new(header.get(4..at).ok_or(Error::Truncated)?);
        let mut namespace = Namespace::Radiotap;
        while let Ok(word) = words.le32() {
            for bit in (0..=TLV).filter(|bit| word & 1 << bit != 0) {
                let layout = match namespace {
                    // Its data were skipped as a whole when the namespace was entered.
                    Namespace::Vendor => continue,
                    Namespace::Beyond => None,
                    Namespace::Radiotap => LAYOUT.get(bit as usize),
                };
                let Some(&(align, size)) = layout else {
                    if bit == TLV && namespace == Namespace::Radiotap {
                        self.read_items(header.get(at.next_multiple_of(ITEM_ALIGN)..).unwrap_or_default());
                    }
                    return Ok(());
                };
                at = at.next_multiple_of(align);
                let mut field = Cursor::new(header.get(at..).ok_or(Error::Truncated)?);
                let mut field = Cursor::new(field.take(size)?);
                self.read_field(bit, &mut field)?;
                at += size;
            }
            if word & VENDOR_NAMESPACE != 0 {
                at = at.next_multiple_of(2);
                let mut field = Cursor::new(header.get(at..).ok_or(Error::Truncated)?);
                field.take(4)?;
                let skip = usize::from(field.le16()?);
                field.take(skip)?;
                at += 6 + skip;
                namespace = Namespace::Vendor;
            } else if word & RADIOTAP_NAMESPACE != 0 {
                namespace = Namespace::Radiotap;
            } else if namespace == Namespace::Radiotap {
                namespace = Namespace::Beyond;
            }
        }
        Ok(())
    }

    /// Type-length-value items: type and length as two octets each, then as many octets, and padding.
    fn read_items(&mut self, mut items: &[u8]) {
        while let Some((head, rest)) = items.split_first_chunk::<4>() {
            let [a, b, c, d] = *head;
            let (kind, length) = (u16::from_le_bytes([a, b]), usize::from(u16::from_le_bytes([c, d])));
            let Some(item) = rest.get(..length) else { return };
            let mut item = Cursor::new(item);
            match kind {
                Usig::TYPE => {
                    if let (Ok(a), Ok(b), Ok(c)) = (item.le32(), item.le32(), item.le32()) {
                        keep_first(&mut self.usig, Usig([a, b, c]));
                    }
                }
                Eht::TYPE => self.eht = self.eht.or_else(|| Eht::parse(item)),
                _ => {}
            }
            items = rest.get(length.next_multiple_of(ITEM_ALIGN)..).unwrap_or_default();
        }
    }

    fn read_field(&mut self, bit: u32, field: &mut Cursor<'_>) -> Result<(), Error> {
        match bit {
            0 => keep_first(&mut self.tsft, field.le64()?),
            1 => keep_first(&mut self.flags, Flags(field.u8()?)),
            2 => keep_first(&mut self.rate, field.u8()?),
            3 => keep_first(
                &mut self.channel,
                Channel { mhz: field.le16()?, flags: ChannelFlags(field.le16()?) },
            ),
            5 => keep_first(&mut self.signal_dbm, i8::from_le_bytes(field.array()?)),
            6 => keep_first(&mut self.noise_dbm, i8::from_le_bytes(field.array()?)),
            19 => {
                keep_first(&mut self.mcs, Mcs { known: field.u8()?, flags: field.u8()?, index: field.u8()? })
            }
            20 => {
                let (reference, flags, delimiter_crc) = (field.le32()?, field.le16()?, field.u8()?);
                keep_first(&mut self.ampdu, AmpduStatus { reference, flags, delimiter_crc });
            }
            21 => {
                let vht = Vht {
                    known: field.le16()?,
                    flags: field.u8()?,
                    bandwidth: field.u8()?,
                    users: field.array()?,
                    rest: field.array()?,
                };
                keep_first(&mut self.vht, vht);
            }
            23 => {
                let mut words = [0; 6];
                for word in &mut words {
                    *word = field.le16()?;
                }
                keep_first(&mut self.he, He(words));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Appends a field, if present, aligned to where the header starts, and notes its bit.
fn emit_field<const N: usize>(
    bit: u8,
    value: Option<[u8; N]>,
    start: usize,
    present: &mut u32,
    out: &mut Vec<u8>,
) {
    if let Some(value) = value {
        *present |= 1 << bit;
        let at = (out.len() - start).next_multiple_of(LAYOUT[usize::from(bit)].0);
        out.resize(start + at, 0);
        out.extend_from_slice(&value);
    }
}

/// Appends an item of a list that comes last, if present.
fn emit_item(kind: u16, value: Option<Vec<u8>>, start: usize, present: &mut u32, out: &mut Vec<u8>) {
    if let Some(value) = value {
        *present |= 1 << TLV;
        let at = (out.len() - start).next_multiple_of(ITEM_ALIGN);
        out.resize(start + at, 0);
        out.extend_from_slice(&kind.to_le_bytes());
        out.extend_from_slice(&(value.len() as u16).to_le_bytes());
        out.extend_from_slice(&value);
    }
}

/// Later presence words repeat fields per antenna; the first instance is that of the whole frame.
fn keep_first<T>(slot: &mut Option<T>, value: T) {
    slot.get_or_insert(value);
}

/// Whose fields the bits of a presence word are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Radiotap,
    /// The radiotap namespace from bit 32 on, where nothing is defined.
    Beyond,
    Vendor,
}
