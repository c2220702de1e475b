//! Management frames.

use super::edca::EdcaParameters;
use super::eht_elements::{EhtCapabilities, EhtOperation};
use super::element::{self, HtCapabilities, HtOperation, Tim};
use super::header::{Flags, FrameControl, FrameType, SequenceControl};
use super::switch::SwitchAnnouncement;
use super::transition::TransitionRequest;
use super::wide_elements::{
    EXTENSION, HeCapabilities, HeOperation, SixGhzCapabilities, VhtCapabilities, VhtOperation,
};
use crate::bytes::Cursor;
use crate::{Error, MacAddr};
use std::ops::BitOr;

const REASSOCIATION_REQUEST: u8 = 2;
const REASSOCIATION_RESPONSE: u8 = 3;
const PROBE_REQUEST: u8 = 4;
const PROBE_RESPONSE: u8 = 5;
const BEACON: u8 = 8;
const DISASSOCIATION: u8 = 10;
const AUTHENTICATION: u8 = 11;
const DEAUTHENTICATION: u8 = 12;
const ACTION: u8 = 13;

/// Action category "Block Ack" (802.11-2020 table 9-51).
const CATEGORY_BLOCK_ACK: u8 = 3;
const ADDBA_REQUEST: u8 = 0;
const ADDBA_RESPONSE: u8 = 1;
/// Action category "Radio Measurement".
const CATEGORY_RADIO_MEASUREMENT: u8 = 5;
const NEIGHBOR_REQUEST: u8 = 4;
const NEIGHBOR_REPORT: u8 = 5;
/// Action category "WNM".
const CATEGORY_WNM: u8 = 10;
const TRANSITION_REQUEST: u8 = 7;
const TRANSITION_RESPONSE: u8 = 8;

const SSID: u8 = 0;
const SUPPORTED_RATES: u8 = 1;
const DSSS_PARAMETER_SET: u8 = 3;
const EXTENDED_RATES: u8 = 50;
const MOBILITY_DOMAIN: u8 = 54;
/// RM Enabled Capabilities (802.11-2020 clause 9.4.2.44).
const RM_CAPABILITIES: u8 = 70;
/// Its bit of neighbor reports.
const REPORTS_NEIGHBORS: u8 = 1 << 1;

/// The two bits that an association identifier has set beside its number (802.11-2020 clause 9.4.1.8).
const AID_MARK: u16 = 0xc000;

/// Longest SSID in octets (802.11-2020 clause 9.4.2.2).
const MAX_SSID: usize = 32;
/// Most rates in the Supported Rates element (802.11-2020 clause 9.4.2.3).
const MAX_RATES: usize = 8;

/// The Capability Information field (802.11-2020 clause 9.4.1.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(pub u16);

impl Capabilities {
    /// Sent by an access point.
    pub const ESS: Self = Self(0x0001);
    /// Frames are encrypted.
    pub const PRIVACY: Self = Self(0x0010);
    /// Short preambles may be used.
    pub const SHORT_PREAMBLE: Self = Self(0x0020);
    /// The short slot time is used.
    pub const SHORT_SLOT: Self = Self(0x0400);
    /// It measures what others ask it to, and reports that.
    pub const RADIO_MEASUREMENT: Self = Self(0x1000);

    /// Whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Capabilities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A BSS as in beacons and probe responses (802.11-2020 clauses 9.3.3.2 and 9.3.3.10). Other elements are skipped
/// when parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BssDescription<'a> {
    /// The access point's timer in microseconds (clause 9.4.1.10).
    pub timestamp: u64,
    /// Beacon interval in time units of 1024 us (clause 9.4.1.3).
    pub interval: u16,
    /// The Capability Information field.
    pub capabilities: Capabilities,
    /// The network's name, up to 32 octets.
    pub ssid: &'a [u8],
    /// Supported Rates, up to eight: units of 500 kb/s, the high bit set in basic rates.
    pub rates: &'a [u8],
    /// Further rates, in the Extended Supported Rates element (clause 9.4.2.13).
    pub extended_rates: &'a [u8],
    /// DSSS Parameter Set: the channel number, in the 2.4 GHz band (clause 9.4.2.4).
    pub channel: Option<u8>,
    /// It announces that it goes to another channel.
    pub switch: Option<SwitchAnnouncement>,
    /// EDCA Parameter Set.
    pub edca: Option<EdcaParameters>,
    /// It answers requests for neighbor reports, as its RM Enabled Capabilities say (clause 9.4.2.44).
    pub neighbor_reports: bool,
    /// HT Capabilities.
    pub ht_capabilities: Option<HtCapabilities>,
    /// HT Operation.
    pub ht_operation: Option<HtOperation>,
    /// VHT Capabilities.
    pub vht_capabilities: Option<VhtCapabilities>,
    /// VHT Operation.
    pub vht_operation: Option<VhtOperation>,
    /// HE Capabilities.
    pub he_capabilities: Option<HeCapabilities>,
    /// HE Operation.
    pub he_operation: Option<HeOperation>,
    /// HE 6 GHz Band Capabilities.
    pub six_ghz: Option<SixGhzCapabilities>,
    /// EHT Capabilities.
    pub eht_capabilities: Option<EhtCapabilities>,
    /// EHT Operation.
    pub eht_operation: Option<EhtOperation>,
}

/// The Block Ack Parameter Set field (802.11-2020 clause 9.4.1.13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddBaParameters {
    /// A-MSDUs may be carried.
    pub amsdu: bool,
    /// Immediate rather than delayed BlockAck.
    pub immediate: bool,
    /// Traffic identifier, 0 to 15; higher bits are ignored.
    pub tid: u8,
    /// Reorder buffers, ten bits; higher bits are ignored.
    pub buffer_size: u16,
}

impl AddBaParameters {
    fn octets(self) -> [u8; 2] {
        let low = u16::from(self.amsdu) | u16::from(self.immediate) << 1 | u16::from(self.tid & 15) << 2;
        (low | self.buffer_size << 6).to_le_bytes()
    }

    const fn from_bits(bits: u16) -> Self {
        Self {
            amsdu: bits & 1 != 0,
            immediate: bits & 2 != 0,
            tid: (bits >> 2 & 15) as u8,
            buffer_size: bits >> 6,
        }
    }
}

/// The body of an authentication frame (802.11-2020 clause 9.3.3.11). Other elements are skipped when parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Authentication {
    /// The algorithm (clause 9.4.1.1): 0 of an open one, 2 of a fast transition.
    pub algorithm: u16,
    /// Which frame of the exchange it is, from one on (clause 9.4.1.2).
    pub number: u16,
    /// Zero for success (clause 9.4.1.9).
    pub status: u16,
    /// The mobility domain within which a station comes by a fast transition (clause 9.4.2.46).
    pub domain: Option<u16>,
}

/// The body of a reassociation request or response (802.11-2020 clauses 9.3.3.7 and 9.3.3.8). Other elements are skipped when parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reassociation<'a> {
    /// The Capability Information field.
    pub capabilities: Capabilities,
    /// The network's name, up to 32 octets; of requests alone.
    pub ssid: &'a [u8],
    /// Supported Rates, up to eight, in units of 500 kb/s.
    pub rates: &'a [u8],
    /// Further rates.
    pub extended_rates: &'a [u8],
    /// The mobility domain, of a fast transition.
    pub domain: Option<u16>,
}

/// The body of a management frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagementBody<'a> {
    /// Beacon (802.11-2020 clause 9.3.3.2).
    Beacon {
        /// The BSS.
        bss: BssDescription<'a>,
        /// The traffic indication map.
        tim: Option<Tim<'a>>,
    },
    /// Probe request (802.11-2020 clause 9.3.3.9). Other elements are skipped when parsed.
    ProbeRequest {
        /// The network sought, up to 32 octets; empty for any.
        ssid: &'a [u8],
        /// Supported Rates, up to eight, in units of 500 kb/s.
        rates: &'a [u8],
        /// Further rates.
        extended_rates: &'a [u8],
        /// The channel number on which the request is sent.
        channel: Option<u8>,
    },
    /// Probe response (802.11-2020 clause 9.3.3.10).
    ProbeResponse(BssDescription<'a>),
    /// Authentication.
    Authentication(Authentication),
    /// Reassociation request.
    ReassociationRequest {
        /// What it says of the station.
        station: Reassociation<'a>,
        /// Every how many beacons it listens at least (clause 9.4.1.6).
        listen_interval: u16,
        /// The access point that it comes from (clause 9.4.1.7).
        current: MacAddr,
    },
    /// Reassociation response.
    ReassociationResponse {
        /// What it says of the access point.
        ap: Reassociation<'a>,
        /// Zero for success (clause 9.4.1.9).
        status: u16,
        /// The station's association identifier, 1 to 2007 (clause 9.4.1.8).
        aid: u16,
    },
    /// Disassociation (802.11-2020 clause 9.3.3.4).
    Disassociation {
        /// Why (table 9-49).
        reason: u16,
    },
    /// Deauthentication (clause 9.3.3.12).
    Deauthentication {
        /// Why (table 9-49).
        reason: u16,
    },
    /// Action frame: ADDBA request (802.11-2020 clause 9.6.4.2).
    AddBaRequest {
        /// Matches request and response.
        dialog_token: u8,
        /// What is proposed.
        parameters: AddBaParameters,
        /// Block Ack Timeout in time units of 1024 us; zero for none (clause 9.4.1.14).
        timeout: u16,
        /// The first sequence number of the agreement, modulo 4096; higher bits are ignored.
        start: u16,
    },
    /// Action frame: ADDBA response (802.11-2020 clause 9.6.4.3).
    AddBaResponse {
        /// Matches request and response.
        dialog_token: u8,
        /// Status code, zero for success (clause 9.4.1.9).
        status: u16,
        /// What is granted.
        parameters: AddBaParameters,
        /// Block Ack Timeout in time units of 1024 us; zero for none.
        timeout: u16,
    },
    /// Action frame: BSS Transition Management request (802.11-2020 clause 9.6.13.9).
    TransitionRequest(TransitionRequest),
    /// Action frame: BSS Transition Management response (802.11-2020 clause 9.6.13.10).
    TransitionResponse {
        /// Matches request and response.
        dialog_token: u8,
        /// Zero for accepted (table 9-428).
        status: u8,
        /// Where the station goes, if it says so.
        target: Option<MacAddr>,
    },
    /// Action frame: neighbor report request, of the network itself (802.11-2020 clause 9.6.6.6). Elements are skipped when parsed.
    NeighborRequest {
        /// Matches request and report.
        dialog_token: u8,
    },
    /// Action frame: neighbor report (802.11-2020 clause 9.6.6.7).
    NeighborReport {
        /// Matches request and report.
        dialog_token: u8,
        /// Neighbor Report elements as they are ([`super::Neighbour::emit`]).
        elements: &'a [u8],
    },
}

/// A management frame (802.11-2020 clause 9.3.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManagementRepr<'a> {
    /// Flags of the Frame Control field.
    pub flags: Flags,
    /// The Duration field as on the air: microseconds below 32768 (clause 9.2.4.2).
    pub duration: u16,
    /// Address 1: receiver and destination.
    pub destination: MacAddr,
    /// Address 2: transmitter and source.
    pub source: MacAddr,
    /// Address 3.
    pub bssid: MacAddr,
    /// The Sequence Control field.
    pub sequence: SequenceControl,
    /// The HT Control field (clause 9.2.4.6).
    pub ht_control: Option<u32>,
    /// The frame body.
    pub body: ManagementBody<'a>,
}

impl<'a> ManagementRepr<'a> {
    /// Appends the frame, without a frame check sequence.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if an element exceeds what it may hold, or the TIM bitmap is empty; nothing is appended then.
    pub fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        let subtype = match self.body {
            ManagementBody::Beacon { .. } => BEACON,
            ManagementBody::ProbeRequest { .. } => PROBE_REQUEST,
            ManagementBody::ProbeResponse(_) => PROBE_RESPONSE,
            ManagementBody::Authentication(_) => AUTHENTICATION,
            ManagementBody::ReassociationRequest { .. } => REASSOCIATION_REQUEST,
            ManagementBody::ReassociationResponse { .. } => REASSOCIATION_RESPONSE,
            ManagementBody::Disassociation { .. } => DISASSOCIATION,
            ManagementBody::Deauthentication { .. } => DEAUTHENTICATION,
            ManagementBody::AddBaRequest { .. }
            | ManagementBody::AddBaResponse { .. }
            | ManagementBody::TransitionRequest(_)
            | ManagementBody::TransitionResponse { .. }
            | ManagementBody::NeighborRequest { .. }
            | ManagementBody::NeighborReport { .. } => ACTION,
        };
        let control = FrameControl::new(FrameType::Management, subtype);
        FrameControl { flags: self.flags, htc: self.ht_control.is_some(), ..control }.emit(out);
        out.extend_from_slice(&self.duration.to_le_bytes());
        for address in [self.destination, self.source, self.bssid] {
            out.extend_from_slice(&address.0);
        }
        self.sequence.emit(out);
        if let Some(ht_control) = self.ht_control {
            out.extend_from_slice(&ht_control.to_le_bytes());
        }
        self.body.emit(out).inspect_err(|_| out.truncate(start))
    }

    /// Parses what follows the Frame Control field.
    pub(super) fn parse(control: FrameControl, mut cursor: Cursor<'a>) -> Result<Self, Error> {
        let duration = cursor.le16()?;
        let [destination, source, bssid] =
            [MacAddr(cursor.array()?), MacAddr(cursor.array()?), MacAddr(cursor.array()?)];
        let sequence = SequenceControl::parse(&mut cursor)?;
        let ht_control = if control.htc { Some(cursor.le32()?) } else { None };
        if control.flags.protected {
            return Err(Error::Unsupported("encrypted management frame"));
        }
        let body = ManagementBody::parse(control.subtype, cursor)?;
        Ok(Self { flags: control.flags, duration, destination, source, bssid, sequence, ht_control, body })
    }
}

impl<'a> ManagementBody<'a> {
    fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Beacon { bss, tim } => bss.emit(tim.as_ref(), out)?,
            Self::ProbeResponse(bss) => bss.emit(None, out)?,
            Self::ProbeRequest { ssid, rates, extended_rates, channel } => {
                emit_ssid_and_rates(ssid, rates, out)?;
                emit_unless_empty(EXTENDED_RATES, extended_rates, out)?;
                emit_unless_empty(DSSS_PARAMETER_SET, channel.as_slice(), out)?;
            }
            Self::Authentication(Authentication { algorithm, number, status, domain }) => {
                for field in [algorithm, number, status] {
                    out.extend_from_slice(&field.to_le_bytes());
                }
                emit_domain(*domain, out)?;
            }
            Self::ReassociationRequest { station, listen_interval, current } => {
                out.extend_from_slice(&station.capabilities.0.to_le_bytes());
                out.extend_from_slice(&listen_interval.to_le_bytes());
                out.extend_from_slice(&current.0);
                emit_ssid_and_rates(station.ssid, station.rates, out)?;
                emit_unless_empty(EXTENDED_RATES, station.extended_rates, out)?;
                emit_domain(station.domain, out)?;
            }
            Self::ReassociationResponse { ap, status, aid } => {
                for field in [ap.capabilities.0, *status, aid | AID_MARK] {
                    out.extend_from_slice(&field.to_le_bytes());
                }
                emit_unless_empty(SUPPORTED_RATES, ap.rates, out)?;
                emit_unless_empty(EXTENDED_RATES, ap.extended_rates, out)?;
                emit_domain(ap.domain, out)?;
            }
            Self::Disassociation { reason } | Self::Deauthentication { reason } => {
                out.extend_from_slice(&reason.to_le_bytes());
            }
            action => action.emit_action(out)?,
        }
        Ok(())
    }

    /// Appends the body of an action frame; of any other nothing.
    fn emit_action(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::AddBaRequest { dialog_token, parameters, timeout, start } => {
                out.extend_from_slice(&[CATEGORY_BLOCK_ACK, ADDBA_REQUEST, *dialog_token]);
                out.extend_from_slice(&parameters.octets());
                out.extend_from_slice(&timeout.to_le_bytes());
                SequenceControl { number: *start, fragment: 0 }.emit(out);
            }
            Self::AddBaResponse { dialog_token, status, parameters, timeout } => {
                out.extend_from_slice(&[CATEGORY_BLOCK_ACK, ADDBA_RESPONSE, *dialog_token]);
                out.extend_from_slice(&status.to_le_bytes());
                out.extend_from_slice(&parameters.octets());
                out.extend_from_slice(&timeout.to_le_bytes());
            }
            Self::TransitionRequest(request) => {
                out.extend_from_slice(&[CATEGORY_WNM, TRANSITION_REQUEST]);
                request.emit(out)?;
            }
            Self::TransitionResponse { dialog_token, status, target } => {
                const NO_DELAY: u8 = 0;
                out.extend_from_slice(&[CATEGORY_WNM, TRANSITION_RESPONSE, *dialog_token, *status, NO_DELAY]);
                out.extend_from_slice(target.as_ref().map_or(&[], |target| &target.0[..]));
            }
            Self::NeighborRequest { dialog_token } => {
                out.extend_from_slice(&[CATEGORY_RADIO_MEASUREMENT, NEIGHBOR_REQUEST, *dialog_token]);
            }
            Self::NeighborReport { dialog_token, elements } => {
                out.extend_from_slice(&[CATEGORY_RADIO_MEASUREMENT, NEIGHBOR_REPORT, *dialog_token]);
                out.extend_from_slice(elements);
            }
            _ => {}
        }
        Ok(())
    }

    fn parse(subtype: u8, mut cursor: Cursor<'a>) -> Result<Self, Error> {
        match subtype {
            BEACON => {
                let (bss, tim) = BssDescription::parse(cursor)?;
                Ok(Self::Beacon { bss, tim })
            }
            PROBE_RESPONSE => Ok(Self::ProbeResponse(BssDescription::parse(cursor)?.0)),
            PROBE_REQUEST => {
                let mut bss = BssDescription::default();
                let mut tim = None;
                bss.read_elements(cursor, &mut tim)?;
                let BssDescription { ssid, rates, extended_rates, channel, .. } = bss;
                Ok(Self::ProbeRequest { ssid, rates, extended_rates, channel })
            }
            AUTHENTICATION => Ok(Self::Authentication(Authentication {
                algorithm: cursor.le16()?,
                number: cursor.le16()?,
                status: cursor.le16()?,
                domain: Reassociation::parse(Capabilities::default(), cursor)?.domain,
            })),
            REASSOCIATION_REQUEST => {
                let (capabilities, listen_interval) = (Capabilities(cursor.le16()?), cursor.le16()?);
                let current = MacAddr(cursor.array()?);
                let station = Reassociation::parse(capabilities, cursor)?;
                Ok(Self::ReassociationRequest { station, listen_interval, current })
            }
            REASSOCIATION_RESPONSE => {
                let (capabilities, status) = (Capabilities(cursor.le16()?), cursor.le16()?);
                let aid = cursor.le16()? & !AID_MARK;
                Ok(Self::ReassociationResponse {
                    // A response has no SSID, whatever element claims to be one.
                    ap: Reassociation { ssid: &[], ..Reassociation::parse(capabilities, cursor)? },
                    status,
                    aid,
                })
            }
            DISASSOCIATION => Ok(Self::Disassociation { reason: cursor.le16()? }),
            DEAUTHENTICATION => Ok(Self::Deauthentication { reason: cursor.le16()? }),
            ACTION => Self::parse_action(cursor),
            _ => Err(Error::Unsupported("management frame subtype")),
        }
    }

    /// Parses the body of an action frame.
    fn parse_action(mut cursor: Cursor<'a>) -> Result<Self, Error> {
        match cursor.array()? {
            [CATEGORY_BLOCK_ACK, ADDBA_REQUEST, dialog_token] => Ok(Self::AddBaRequest {
                dialog_token,
                parameters: AddBaParameters::from_bits(cursor.le16()?),
                timeout: cursor.le16()?,
                start: SequenceControl::parse(&mut cursor)?.number,
            }),
            [CATEGORY_BLOCK_ACK, ADDBA_RESPONSE, dialog_token] => Ok(Self::AddBaResponse {
                dialog_token,
                status: cursor.le16()?,
                parameters: AddBaParameters::from_bits(cursor.le16()?),
                timeout: cursor.le16()?,
            }),
            [CATEGORY_WNM, TRANSITION_REQUEST, dialog_token] => {
                Ok(Self::TransitionRequest(TransitionRequest::parse(dialog_token, cursor)?))
            }
            [CATEGORY_WNM, TRANSITION_RESPONSE, dialog_token] => {
                let [status, _delay] = cursor.array()?;
                let target = if status == 0 { cursor.array().ok().map(MacAddr) } else { None };
                Ok(Self::TransitionResponse { dialog_token, status, target })
            }
            [CATEGORY_RADIO_MEASUREMENT, NEIGHBOR_REQUEST, dialog_token] => {
                Ok(Self::NeighborRequest { dialog_token })
            }
            [CATEGORY_RADIO_MEASUREMENT, NEIGHBOR_REPORT, dialog_token] => {
                Ok(Self::NeighborReport { dialog_token, elements: cursor.rest() })
            }
            _ => Err(Error::Unsupported("action frame")),
        }
    }
}

impl<'a> Reassociation<'a> {
    /// Reads the elements behind this field.
    fn parse(capabilities: Capabilities, mut cursor: Cursor<'a>) -> Result<Self, Error> {
        let mut this = Self { capabilities, ..Self::default() };
        while let Some((id, mut body)) = element::next(&mut cursor)? {
            match id {
                SSID => this.ssid = at_most(&body, MAX_SSID, "SSID element")?,
                SUPPORTED_RATES => this.rates = at_most(&body, MAX_RATES, "Supported Rates element")?,
                EXTENDED_RATES => this.extended_rates = body.rest(),
                MOBILITY_DOMAIN => {
                    this.domain = Some(body.le16().map_err(|_| Error::Malformed("Mobility Domain element"))?);
                }
                _ => {}
            }
        }
        Ok(this)
    }
}

impl<'a> BssDescription<'a> {
    /// The width of the network in MHz, as its operation elements say (802.11-2020 clauses 9.4.2.56 and 11.38.1, 802.11ax clause 9.4.2.249,
    /// 802.11be clause 9.4.2.321).
    pub fn width_mhz(&self) -> u16 {
        let eht = self.eht_operation.and_then(|operation| operation.width_mhz());
        let six_ghz =
            self.he_operation.and_then(|operation| operation.six_ghz).map(|told| 20 << (told[1] & 3));
        let vht = self.vht_operation.and_then(|operation| operation.width_mhz());
        let wider = |operation: HtOperation| operation.info[0] & 3 != 0 && operation.info[0] & 4 != 0;
        let ht = if self.ht_operation.is_some_and(wider) { 40 } else { 20 };
        eht.or(six_ghz).or(vht).unwrap_or(ht)
    }

    /// The octets of the longest A-MPDU that its access point says it receives, as its capabilities say (802.11-2020 clauses 9.4.2.55.3 and
    /// 9.4.2.157.2, 802.11ax clauses 9.4.2.248.2 and 9.4.2.263, 802.11be clause 9.4.2.323.2); none before 802.11n.
    pub fn ampdu_octets(&self) -> Option<u32> {
        let six_ghz = self.six_ghz.map(|told| u32::from(told.0) >> SixGhzCapabilities::AMPDU & 7);
        let vht = self.vht_capabilities.map(|told| told.info >> VhtCapabilities::AMPDU & 7);
        let ht = self.ht_capabilities.map(|told| u32::from(told.ampdu) & 3);
        let he = self.he_capabilities.map(|told| u32::from(told.mac[3] >> HeCapabilities::AMPDU & 3));
        let eht = self.eht_capabilities.map(|told| u32::from(told.mac & EhtCapabilities::LONG_AMPDU != 0));
        let exponent = 13 + six_ghz.or(vht).or(ht)? + he.unwrap_or_default() + eht.unwrap_or_default();
        let most = match (eht, he) {
            (Some(_), _) => 15_523_200,
            (None, Some(_)) => 6_500_631,
            (None, None) => u32::MAX,
        };
        Some(((1 << exponent) - 1).min(most))
    }

    /// Elements go in the order of 802.11-2020 tables 9-32 and 9-39.
    fn emit(&self, tim: Option<&Tim<'_>>, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(&self.timestamp.to_le_bytes());
        out.extend_from_slice(&self.interval.to_le_bytes());
        out.extend_from_slice(&self.capabilities.0.to_le_bytes());
        emit_ssid_and_rates(self.ssid, self.rates, out)?;
        emit_unless_empty(DSSS_PARAMETER_SET, self.channel.as_slice(), out)?;
        if let Some(tim) = tim {
            tim.emit(out)?;
        }
        if let Some(switch) = &self.switch {
            switch.emit(out)?;
        }
        emit_unless_empty(EXTENDED_RATES, self.extended_rates, out)?;
        if let Some(edca) = &self.edca {
            edca.emit(out)?;
        }
        if self.neighbor_reports {
            element::emit(RM_CAPABILITIES, [&[REPORTS_NEIGHBORS, 0, 0, 0, 0]], out)?;
        }
        if let Some(switch) = &self.switch {
            switch.emit_extended(out)?;
        }
        if let Some(capabilities) = &self.ht_capabilities {
            capabilities.emit(out)?;
        }
        if let Some(operation) = &self.ht_operation {
            operation.emit(out)?;
        }
        if let Some(capabilities) = &self.vht_capabilities {
            capabilities.emit(out)?;
        }
        if let Some(operation) = &self.vht_operation {
            operation.emit(out)?;
        }
        if let Some(capabilities) = &self.he_capabilities {
            capabilities.emit(out)?;
        }
        if let Some(operation) = &self.he_operation {
            operation.emit(out)?;
        }
        if let Some(capabilities) = self.six_ghz {
            capabilities.emit(out)?;
        }
        if let Some(operation) = &self.eht_operation {
            operation.emit(out)?;
        }
        if let Some(capabilities) = &self.eht_capabilities {
            capabilities.emit(out)?;
        }
        Ok(())
    }

    fn parse(mut cursor: Cursor<'a>) -> Result<(Self, Option<Tim<'a>>), Error> {
        let mut bss = Self {
            timestamp: cursor.le64()?,
            interval: cursor.le16()?,
            capabilities: Capabilities(cursor.le16()?),
            ..Self::default()
        };
        let mut tim = None;
        bss.read_elements(cursor, &mut tim)?;
        Ok((bss, tim))
    }

    fn read_elements(&mut self, mut cursor: Cursor<'a>, tim: &mut Option<Tim<'a>>) -> Result<(), Error> {
        while let Some((id, mut body)) = element::next(&mut cursor)? {
            match id {
                SSID => self.ssid = at_most(&body, MAX_SSID, "SSID element")?,
                SUPPORTED_RATES => self.rates = at_most(&body, MAX_RATES, "Supported Rates element")?,
                EXTENDED_RATES => self.extended_rates = body.rest(),
                DSSS_PARAMETER_SET => {
                    self.channel =
                        Some(body.u8().map_err(|_| Error::Malformed("DSSS Parameter Set element"))?);
                }
                Tim::ID => *tim = Some(Tim::parse(body)?),
                HtCapabilities::ID => self.ht_capabilities = Some(HtCapabilities::parse(body)?),
                HtOperation::ID => self.ht_operation = Some(HtOperation::parse(body)?),
                EdcaParameters::ID => self.edca = EdcaParameters::parse(body).ok(),
                RM_CAPABILITIES => {
                    self.neighbor_reports = body.u8().is_ok_and(|first| first & REPORTS_NEIGHBORS != 0);
                }
                // The extended one says the same and more.
                SwitchAnnouncement::ID => self.switch = self.switch.or(SwitchAnnouncement::parse(body)),
                SwitchAnnouncement::EXTENDED_ID => {
                    self.switch = SwitchAnnouncement::parse_extended(body).or(self.switch);
                }
                // These grow from amendment to amendment: what cannot be read is left out.
                VhtCapabilities::ID => self.vht_capabilities = VhtCapabilities::parse(body).ok(),
                VhtOperation::ID => self.vht_operation = VhtOperation::parse(body).ok(),
                EXTENSION => match body.u8() {
                    Ok(HeCapabilities::ID) => self.he_capabilities = HeCapabilities::parse(body).ok(),
                    Ok(HeOperation::ID) => self.he_operation = HeOperation::parse(body).ok(),
                    Ok(SixGhzCapabilities::ID) => self.six_ghz = SixGhzCapabilities::parse(body).ok(),
                    Ok(EhtOperation::ID) => self.eht_operation = EhtOperation::parse(body).ok(),
                    Ok(EhtCapabilities::ID) => {
                        let at_160 = self.he_capabilities.is_some_and(|he| he.at_160.is_some());
                        self.eht_capabilities = EhtCapabilities::parse(body, at_160).ok();
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(())
    }
}

/// The octets of an element that has at most so many.
fn at_most<'a>(element: &Cursor<'a>, most: usize, name: &'static str) -> Result<&'a [u8], Error> {
    let octets = element.rest();
    if octets.len() > most { Err(Error::Malformed(name)) } else { Ok(octets) }
}

fn emit_ssid_and_rates(ssid: &[u8], rates: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    if ssid.len() > MAX_SSID {
        return Err(Error::TooLong("SSID"));
    }
    if rates.len() > MAX_RATES {
        return Err(Error::TooLong("supported rates"));
    }
    // An empty SSID means any network, and is kept as such.
    element::emit(SSID, [ssid], out)?;
    emit_unless_empty(SUPPORTED_RATES, rates, out)
}

/// The Mobility Domain element, of fast transitions over the air alone (802.11-2020 clause 9.4.2.46).
fn emit_domain(domain: Option<u16>, out: &mut Vec<u8>) -> Result<(), Error> {
    let Some([low, high]) = domain.map(u16::to_le_bytes) else { return Ok(()) };
    element::emit(MOBILITY_DOMAIN, [&[low, high, 0]], out)
}

fn emit_unless_empty(id: u8, body: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    if body.is_empty() { Ok(()) } else { element::emit(id, [body], out) }
}
