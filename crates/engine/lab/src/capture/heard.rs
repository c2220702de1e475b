//! What a monitor hears of a PPDU: its MPDUs one by one, each with the header that its frame has.

use super::carrier::Carrier;
use airloom_observe::{FrameKind, Mpdu, NodeId, PowerBits, Ppdu, User};
use airloom_wire::ieee80211::{
    Addressing, BarPolicy, ControlRepr, DataRepr, Flags, KeyMessage, ManagementBody, ManagementRepr, Qos,
    SequenceControl,
};
use airloom_wire::radiotap::AmpduStatus;
use airloom_wire::{EtherType, MacAddr, SnapRepr};
use airloom_world::addresses::mac;

/// The TID of a frame without data that ends a service period: the first of voice.
const VOICE_TID: u8 = 6;
/// That of messages of the handshake (Linux net/mac80211/wme.c `ieee80211_select_queue`).
const KEYS_TID: u8 = 7;

/// A PPDU that is being recorded: which of its users is next, and how many of that one's MPDUs have been seen.
#[derive(Clone, Copy)]
pub(super) struct Heard {
    pub(super) ppdu: Ppdu,
    /// The addresses of its transmitter and its receiver, of the link that it goes over.
    pub(super) ends: [MacAddr; 2],
    /// Whether a monitor beside the access point hears it.
    pub(super) beside: bool,
    pub(super) user: usize,
    pub(super) mpdus: u16,
}

impl Heard {
    /// Another MPDU is seen: its user, its place among that one's, and whether it is the last of these.
    fn next(&mut self) -> Option<(User, u16, bool)> {
        let user = *self.ppdu.users.get(self.user)?;
        let place = self.mpdus;
        self.mpdus += 1;
        let last = self.mpdus == user.mpdus;
        if last {
            (self.user, self.mpdus) = (self.user + 1, 0);
        }
        Some((user, place, last))
    }
}

/// An MPDU of such a PPDU, and what every frame that it may be has in its header.
pub(super) struct HeardMpdu<'a> {
    pub(super) mpdu: &'a Mpdu,
    pub(super) ppdu: Ppdu,
    pub(super) user: User,
    place: u16,
    beside: bool,
    /// Its place in the A-MPDU, if it is in one.
    pub(super) ampdu: Option<AmpduStatus>,
    from: MacAddr,
    to: MacAddr,
    flags: Flags,
    duration: u16,
}

impl<'a> HeardMpdu<'a> {
    /// The next MPDU of a PPDU, which is the A-MPDU with this number if it is one; none if its users have no more.
    pub(super) fn next(heard: &mut Heard, mpdu: &'a Mpdu, ampdus: u32) -> Option<Self> {
        let (user, place, last) = heard.next()?;
        let (ppdu, [from, to], beside) = (heard.ppdu, heard.ends, heard.beside);
        let PowerBits { sleeps, more, .. } = mpdu.power;
        Some(Self {
            mpdu,
            ppdu,
            user,
            place,
            beside,
            ampdu: (ppdu.kind == FrameKind::Ampdu).then(|| AmpduStatus::new(ampdus, last)),
            from,
            to,
            flags: Flags { retry: mpdu.retry, power_management: sleeps, more_data: more, ..Flags::default() },
            duration: duration(&ppdu),
        })
    }

    /// What carries it.
    pub(super) fn carrier(&self) -> Carrier<'_> {
        Carrier { ppdu: &self.ppdu, user: &self.user, place: self.place, beside: self.beside }
    }

    pub(super) fn sequence(&self) -> SequenceControl {
        SequenceControl { number: self.mpdu.seq, fragment: 0 }
    }

    fn header(&self, addressing: Addressing) -> DataRepr {
        DataRepr { flags: self.flags, duration: self.duration, ..DataRepr::new(addressing, self.mpdu.seq) }
    }

    fn qos(&self) -> Qos {
        Qos { tid: self.user.tid, eosp: self.mpdu.power.ends, ..Qos::default() }
    }

    /// The header of a station's null frame that says whether it sleeps.
    pub(super) fn null(&self, sleep: bool) -> DataRepr {
        let addressing = Addressing::ToDs { bssid: self.to, source: self.from, destination: self.to };
        let header = self.header(addressing);
        DataRepr { flags: Flags { power_management: sleep, ..header.flags }, null: true, ..header }
    }

    /// The header of an access point's null frame that ends a service period.
    pub(super) fn end_of_period(&self) -> DataRepr {
        let addressing = Addressing::FromDs { destination: self.to, bssid: self.from, source: self.from };
        let qos = Some(Qos { tid: VOICE_TID, eosp: true, ..Qos::default() });
        DataRepr { null: true, qos, ..self.header(addressing) }
    }

    /// The header of an access point's null frame that asks whether a station is still there (mac80211 `ieee80211_probe_client`, whose TID it
    /// has).
    pub(super) fn asks_station(&self, has_qos: bool) -> DataRepr {
        let addressing = Addressing::FromDs { destination: self.to, bssid: self.from, source: self.from };
        let qos = has_qos.then(|| Qos { tid: KEYS_TID, ..Qos::default() });
        DataRepr { null: true, qos, ..self.header(addressing) }
    }

    /// A management frame in the network of this access point.
    pub(super) fn management<'b>(&self, ap: NodeId, body: ManagementBody<'b>) -> ManagementRepr<'b> {
        ManagementRepr {
            flags: self.flags,
            duration: self.duration,
            destination: self.to,
            source: self.from,
            bssid: if ap == self.ppdu.from { self.from } else { mac(ap) },
            sequence: self.sequence(),
            ht_control: None,
            body,
        }
    }

    /// The header of a message of the four-way handshake, and what is behind it: of voice, as Linux sends EAPOL.
    pub(super) fn key(&self, from_ap: bool, has_qos: bool, number: u8) -> (DataRepr, Vec<u8>) {
        let header = self.of_packet(from_ap, (self.from, self.to), false);
        let qos = has_qos.then(|| Qos { tid: KEYS_TID, ..Qos::default() });
        let mut body = Vec::new();
        SnapRepr { ethertype: EtherType::EAPOL }.emit(&mut body);
        KeyMessage { number, replay: u64::from(number.div_ceil(2)) }.emit(&mut body);
        (DataRepr { qos, ..header }, body)
    }

    pub(super) fn block_ack_request(&self) -> ControlRepr {
        ControlRepr::BlockAckReq {
            duration: self.duration,
            receiver: self.to,
            transmitter: self.from,
            policy: BarPolicy::Normal,
            tid: self.user.tid,
            start: self.mpdu.seq,
        }
    }

    /// The address of a packet's end: of one that is an end of the link too, that of the link.
    pub(super) fn over_link(&self, end: NodeId) -> MacAddr {
        match Some(end) {
            _ if end == self.ppdu.from => self.from,
            known if known == self.user.to => self.to,
            _ => mac(end),
        }
    }

    /// The header of one packet from `source` to `destination`.
    pub(super) fn of_packet(
        &self,
        from_ap: bool,
        (source, destination): (MacAddr, MacAddr),
        has_qos: bool,
    ) -> DataRepr {
        let addressing = if from_ap {
            Addressing::FromDs { destination, bssid: self.from, source }
        } else {
            Addressing::ToDs { bssid: self.to, source, destination }
        };
        DataRepr { qos: has_qos.then(|| self.qos()), ..self.header(addressing) }
    }

    /// The header of an A-MSDU. Its addresses are those of the subframes, and the third one is the access point's (802.11-2020
    /// table 9-30).
    pub(super) fn of_amsdu(&self, from_ap: bool) -> DataRepr {
        let addressing = if from_ap {
            Addressing::FromDs { destination: self.to, bssid: self.from, source: self.from }
        } else {
            Addressing::ToDs { bssid: self.to, source: self.from, destination: self.to }
        };
        let qos = Some(Qos { amsdu: true, ..self.qos() });
        DataRepr { qos, ..self.header(addressing) }
    }
}

/// The Duration/ID field in us, rounded up; it holds 32,767 at most (802.11-2020 9.2.4.2).
pub(super) fn duration(ppdu: &Ppdu) -> u16 {
    ppdu.nav.as_nanos().div_ceil(1000).min(32_767) as u16
}
