//! Data frames.

use super::header::{Flags, FrameControl, FrameType, SequenceControl};
use crate::bytes::Cursor;
use crate::{Error, MacAddr};

/// Subtype bit: the frame carries no data (802.11-2020 table 9-1).
const NULL: u8 = 4;
/// Subtype bit: the header has a QoS Control field.
const QOS: u8 = 8;

/// What the addresses of a data frame mean, by its To DS and From DS bits (802.11-2020 table 9-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressing {
    /// Neither bit: between stations of one BSS without an access point in between.
    Direct {
        /// Address 1: receiver and destination.
        destination: MacAddr,
        /// Address 2: transmitter and source.
        source: MacAddr,
        /// Address 3.
        bssid: MacAddr,
    },
    /// To DS: from a station to its access point.
    ToDs {
        /// Address 1: the access point.
        bssid: MacAddr,
        /// Address 2: transmitter and source.
        source: MacAddr,
        /// Address 3: where the access point shall forward to.
        destination: MacAddr,
    },
    /// From DS: from an access point to a station.
    FromDs {
        /// Address 1: receiver and destination.
        destination: MacAddr,
        /// Address 2: the access point.
        bssid: MacAddr,
        /// Address 3: where the access point received it from.
        source: MacAddr,
    },
    /// Both bits: between access points.
    Relay {
        /// Address 1.
        receiver: MacAddr,
        /// Address 2.
        transmitter: MacAddr,
        /// Address 3.
        destination: MacAddr,
        /// Address 4.
        source: MacAddr,
    },
}

/// The Ack Policy subfield (802.11-2020 clause 9.2.4.5.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AckPolicy {
    /// 00: an Ack after a lone MPDU, a BlockAck after an A-MPDU.
    #[default]
    Normal,
    /// 10 in transmission order, value 1: none.
    NoAck,
    /// 01 in transmission order, value 2: no explicit acknowledgment, or PSMP.
    NoExplicit,
    /// 11: a BlockAckReq will ask.
    BlockAck,
}

/// The QoS Control field (802.11-2020 clause 9.2.4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qos {
    /// Traffic identifier, 0 to 15; higher bits are ignored.
    pub tid: u8,
    /// Bit 4: end of service period, or the meaning of `high`, depending on the sender.
    pub eosp: bool,
    /// How the frame is to be acknowledged.
    pub ack_policy: AckPolicy,
    /// The body is an A-MSDU.
    pub amsdu: bool,
    /// Bits 8 to 15: TXOP limit or duration (units of 32 us), queue size (256 octets) or buffer state, depending on the
    /// sender.
    pub high: u8,
}

impl Qos {
    fn octets(self) -> [u8; 2] {
        let policy = match self.ack_policy {
            AckPolicy::Normal => 0,
            AckPolicy::NoAck => 1,
            AckPolicy::NoExplicit => 2,
            AckPolicy::BlockAck => 3,
        };
        let low = self.tid & 15 | u8::from(self.eosp) << 4 | policy << 5 | u8::from(self.amsdu) << 7;
        [low, self.high]
    }

    const fn from_octets([low, high]: [u8; 2]) -> Self {
        let ack_policy = match low >> 5 & 3 {
            0 => AckPolicy::Normal,
            1 => AckPolicy::NoAck,
            2 => AckPolicy::NoExplicit,
            _ => AckPolicy::BlockAck,
        };
        Self { tid: low & 15, eosp: low & 0x10 != 0, ack_policy, amsdu: low & 0x80 != 0, high }
    }
}

/// The header of a data frame (802.11-2020 clause 9.3.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRepr {
    /// Flags of the Frame Control field.
    pub flags: Flags,
    /// Whether this is a null frame, sent for its flags rather than for data.
    pub null: bool,
    /// The Duration/ID field as on the air: microseconds below 32768 (clause 9.2.4.2).
    pub duration: u16,
    /// The addresses.
    pub addressing: Addressing,
    /// The Sequence Control field.
    pub sequence: SequenceControl,
    /// The QoS Control field, in QoS data and QoS null frames.
    pub qos: Option<Qos>,
    /// The HT Control field (clause 9.2.4.6). Only QoS frames can carry it: it is not emitted without `qos`.
    pub ht_control: Option<u32>,
}

impl DataRepr {
    /// A first transmission of data, without QoS and without duration.
    pub const fn new(addressing: Addressing, sequence: u16) -> Self {
        Self {
            flags: Flags {
                more_fragments: false,
                retry: false,
                power_management: false,
                more_data: false,
                protected: false,
            },
            null: false,
            duration: 0,
            addressing,
            sequence: SequenceControl { number: sequence, fragment: 0 },
            qos: None,
            ht_control: None,
        }
    }

    /// Length of the header in octets: 24 to 36.
    pub const fn header_len(&self) -> usize {
        let relay = if matches!(self.addressing, Addressing::Relay { .. }) { 6 } else { 0 };
        let qos = match (self.qos, self.ht_control) {
            (None, _) => 0,
            (Some(_), None) => 2,
            (Some(_), Some(_)) => 6,
        };
        24 + relay + qos
    }

    /// Appends the header.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let (to_ds, from_ds, addresses, fourth) = match self.addressing {
            Addressing::Direct { destination, source, bssid } => {
                (false, false, [destination, source, bssid], None)
            }
            Addressing::ToDs { bssid, source, destination } => {
                (true, false, [bssid, source, destination], None)
            }
            Addressing::FromDs { destination, bssid, source } => {
                (false, true, [destination, bssid, source], None)
            }
            Addressing::Relay { receiver, transmitter, destination, source } => {
                (true, true, [receiver, transmitter, destination], Some(source))
            }
        };
        let null = if self.null { NULL } else { 0 };
        let qos = if self.qos.is_some() { QOS } else { 0 };
        let htc = self.qos.is_some() && self.ht_control.is_some();
        FrameControl { kind: FrameType::Data, subtype: null | qos, to_ds, from_ds, flags: self.flags, htc }
            .emit(out);
        out.extend_from_slice(&self.duration.to_le_bytes());
        for address in addresses {
            out.extend_from_slice(&address.0);
        }
        self.sequence.emit(out);
        if let Some(source) = fourth {
            out.extend_from_slice(&source.0);
        }
        if let Some(qos) = self.qos {
            out.extend_from_slice(&qos.octets());
            if let Some(ht_control) = self.ht_control {
                out.extend_from_slice(&ht_control.to_le_bytes());
            }
        }
    }

    /// Parses what follows the Frame Control field, and returns the frame body.
    pub(super) fn parse(control: FrameControl, mut cursor: Cursor<'_>) -> Result<(Self, &[u8]), Error> {
        if control.subtype & 3 != 0 {
            return Err(Error::Unsupported("data frame with CF-Ack or CF-Poll"));
        }
        let duration = cursor.le16()?;
        let [first, second, third] =
            [MacAddr(cursor.array()?), MacAddr(cursor.array()?), MacAddr(cursor.array()?)];
        let sequence = SequenceControl::parse(&mut cursor)?;
        let addressing = match (control.to_ds, control.from_ds) {
            (false, false) => Addressing::Direct { destination: first, source: second, bssid: third },
            (true, false) => Addressing::ToDs { bssid: first, source: second, destination: third },
            (false, true) => Addressing::FromDs { destination: first, bssid: second, source: third },
            (true, true) => Addressing::Relay {
                receiver: first,
                transmitter: second,
                destination: third,
                source: MacAddr(cursor.array()?),
            },
        };
        let qos = if control.subtype & QOS != 0 { Some(Qos::from_octets(cursor.array()?)) } else { None };
        let ht_control = if qos.is_some() && control.htc { Some(cursor.le32()?) } else { None };
        let null = control.subtype & NULL != 0;
        let repr = Self { flags: control.flags, null, duration, addressing, sequence, qos, ht_control };
        Ok((repr, cursor.rest()))
    }
}
