//! Requests to nl80211: aborting a scan, the signal, the rate.

use crate::family::nl80211;
use crate::message::{BITRATE, BITRATE_32, IFINDEX, Message, SIGNAL, SIGNAL_AVG, STA_INFO, TX_BITRATE};
use crate::requests::Requests;
use crate::say;
use neli::consts::nl::{GenlId, NlmF};
use neli::consts::nl80211::Nl80211Command as Command;
use neli::consts::socket::NlFamily;
use neli::genl::{AttrTypeBuilder, GenlmsghdrBuilder, NlattrBuilder, NoUserHeader};
use neli::types::GenlBuffer;

/// Requests to nl80211.
pub struct Wireless {
    requests: Requests,
    family: u16,
}

impl Wireless {
    /// Finds nl80211.
    pub fn open() -> Result<Self, String> {
        Ok(Self { family: nl80211()?.family, requests: Requests::open(NlFamily::Generic)? })
    }

    /// Breaks off the scan that goes on. Needs CAP_NET_ADMIN; drivers whose firmware scans may not heed it.
    pub fn abort_scan(&mut self, link: u32) -> Result<(), String> {
        self.ask(Command::AbortScan, NlmF::ACK, link).map(|_| ())
    }

    /// The access point's signal in dBm, if the station is associated and its driver reports it.
    pub fn signal(&mut self, link: u32) -> Result<Option<i16>, String> {
        let stations = self.ask(Command::GetStation, NlmF::DUMP, link)?;
        Ok(stations.first().and_then(signal))
    }

    /// The rate in bits per second at which an interface last sent to its only peer. None without a peer, with several, as an access
    /// point has, or if the driver does not say.
    pub fn rate(&mut self, link: u32) -> Result<Option<u64>, String> {
        let stations = self.ask(Command::GetStation, NlmF::DUMP, link)?;
        let [station] = &stations[..] else { return Ok(None) };
        Ok(rate(station))
    }

    /// Sends a command about an interface and gathers what comes back.
    fn ask(&mut self, command: Command, flags: NlmF, link: u32) -> Result<Vec<Message>, String> {
        let kind = AttrTypeBuilder::default().nla_type(IFINDEX).build().map_err(say)?;
        let about = NlattrBuilder::default().nla_type(kind).nla_payload(link).build().map_err(say)?;
        let payload = GenlmsghdrBuilder::<Command, u16, NoUserHeader>::default()
            .cmd(command)
            .version(1)
            .attrs([about].into_iter().collect::<GenlBuffer<_, _>>())
            .build()
            .map_err(say)?;
        self.requests.ask(GenlId::from(self.family), flags, payload)
    }
}

fn signal(station: &Message) -> Option<i16> {
    let attributes = station.attrs().get_attr_handle();
    let info = attributes.get_nested_attributes::<u16>(STA_INFO).ok()?;
    let octet = |kind| info.get_attr_payload_as::<u8>(kind).ok();
    octet(SIGNAL_AVG).or_else(|| octet(SIGNAL)).map(|dbm| i16::from(dbm.cast_signed()))
}

fn rate(station: &Message) -> Option<u64> {
    let attributes = station.attrs().get_attr_handle();
    let info = attributes.get_nested_attributes::<u16>(STA_INFO).ok()?;
    let rate = info.get_nested_attributes::<u16>(TX_BITRATE).ok()?;
    let short = || rate.get_attr_payload_as::<u16>(BITRATE).ok().map(u32::from);
    rate.get_attr_payload_as::<u32>(BITRATE_32).ok().or_else(short).map(|rate| u64::from(rate) * 100_000)
}
