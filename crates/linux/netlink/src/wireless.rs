//! Requests to nl80211: aborting a scan, the signal, the rate.

use crate::nl80211::{IFINDEX, Nl80211};
use crate::{Attributes, Extent, put};

/// `NL80211_CMD_GET_STATION` and `NL80211_CMD_ABORT_SCAN`.
const GET_STATION: u8 = 17;
const ABORT_SCAN: u8 = 114;
/// `NL80211_ATTR_STA_INFO`: what is known of the peer.
const STA_INFO: u16 = 21;
/// `NL80211_STA_INFO_SIGNAL` and `NL80211_STA_INFO_SIGNAL_AVG`, both in dBm as one signed octet.
const SIGNAL: u16 = 7;
const SIGNAL_AVG: u16 = 13;
/// `NL80211_STA_INFO_TX_BITRATE`: the rate at which the peer is sent to, with its parts.
const TX_BITRATE: u16 = 8;
/// `NL80211_RATE_INFO_BITRATE` in 16 bits, and `NL80211_RATE_INFO_BITRATE32`, both in 100 kbit/s.
const BITRATE: u16 = 1;
const BITRATE_32: u16 = 5;

/// Requests to nl80211.
pub struct Wireless(Nl80211);

impl Wireless {
    /// Finds nl80211.
    pub fn open() -> Result<Self, String> {
        Nl80211::open().map(Self)
    }

    /// Breaks off the scan that goes on. Needs CAP_NET_ADMIN; drivers whose firmware scans may not heed it.
    pub fn abort_scan(&mut self, link: u32) -> Result<(), String> {
        self.ask(ABORT_SCAN, Extent::One, link).map(|_| ())
    }

    /// The access point's signal in dBm, if the station is associated and its driver reports it.
    pub fn signal(&mut self, link: u32) -> Result<Option<i16>, String> {
        let stations = self.ask(GET_STATION, Extent::All, link)?;
        Ok(stations.first().and_then(|station| signal(Attributes(station))))
    }

    /// The rate in bits per second at which an interface last sent to its only peer. None without a peer, with several, as an access
    /// point has, or if the driver does not say.
    pub fn rate(&mut self, link: u32) -> Result<Option<u64>, String> {
        let stations = self.ask(GET_STATION, Extent::All, link)?;
        let [station] = &stations[..] else { return Ok(None) };
        Ok(rate(Attributes(station)))
    }

    /// Sends a command about an interface and gathers what comes back.
    fn ask(&mut self, command: u8, extent: Extent, link: u32) -> Result<Vec<Vec<u8>>, String> {
        let mut about = Vec::new();
        put(&mut about, IFINDEX, &link.to_ne_bytes());
        self.0.ask(command, extent, &about)
    }
}

fn signal(station: Attributes<'_>) -> Option<i16> {
    let info = station.within(STA_INFO);
    let octet = |kind| info.get(kind)?.payload.first().map(|dbm| i16::from(dbm.cast_signed()));
    octet(SIGNAL_AVG).or_else(|| octet(SIGNAL))
}

fn rate(station: Attributes<'_>) -> Option<u64> {
    let rate = station.within(STA_INFO).within(TX_BITRATE);
    rate.number(BITRATE_32).or_else(|| rate.number(BITRATE)).map(|rate| rate * 100_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn station(info: &[(u16, &[u8])]) -> Vec<u8> {
        let (mut within, mut station) = (Vec::new(), Vec::new());
        for (kind, payload) in info {
            put(&mut within, *kind, payload);
        }
        put(&mut station, STA_INFO, &within);
        station
    }

    #[test]
    fn the_mean_signal_comes_before_that_of_the_last_frame() {
        let dbm = (-61_i8).cast_unsigned();
        let both = station(&[(SIGNAL, &[0x80]), (SIGNAL_AVG, &[dbm])]);
        assert_eq!(signal(Attributes(&both)), Some(-61));
        assert_eq!(signal(Attributes(&station(&[(SIGNAL, &[dbm])]))), Some(-61));
        assert_eq!(signal(Attributes(&station(&[]))), None);
    }

    #[test]
    fn a_rate_that_16_bits_cannot_hold_has_32() {
        let (mut short, mut both) = (Vec::new(), Vec::new());
        put(&mut short, BITRATE, &8667_u16.to_ne_bytes());
        put(&mut both, BITRATE, &0_u16.to_ne_bytes());
        put(&mut both, BITRATE_32, &115_294_u32.to_ne_bytes());
        assert_eq!(rate(Attributes(&station(&[(TX_BITRATE, &short)]))), Some(866_700_000));
        assert_eq!(rate(Attributes(&station(&[(TX_BITRATE, &both)]))), Some(11_529_400_000));
        assert_eq!(rate(Attributes(&station(&[]))), None);
    }
}
