//! Stations of 802.11b alone: what they ask of networks at 2.4 GHz, as hostapd answers them.

use crate::access_point::AccessPoint;
use crate::air::{Air, Only80211b, Standard};
use crate::band::Band;
use crate::common::SharedRates;
use crate::station::StationText;

/// Fills in what is left out of the air, and what the air of each access point's network has that would not follow from that.
/// `places` has the place of each station's access point.
pub(crate) fn fill(
    shared: &mut Air,
    aps: &mut [Option<AccessPoint>],
    places: &[Option<usize>],
    stations: &[Option<StationText>],
) {
    let mut networks: Vec<Network> = aps.iter().map(|ap| Network::of(ap.as_ref(), shared)).collect();
    for (station, place) in stations.iter().zip(places) {
        let (Some(station), Some(place)) = (station, *place) else { continue };
        let (Some(Some(ap)), Some(network)) = (aps.get(place), networks.get_mut(place)) else { continue };
        let asks = |air: &Air| SharedRates::of(air, &station.adapter, &ap.adapter).is_80211b();
        network.asks |= network.air.as_ref().is_some_and(asks);
    }
    let found: Vec<Only80211b> = networks.iter().map(|one| one.among(&networks)).collect();
    let plain = |of: fn(&Only80211b) -> bool| {
        let pairs = aps.iter().flatten().zip(&found);
        pairs.filter(|(ap, _)| ap.own.is_of_shared_kind(shared)).any(|(_, one)| of(one))
    };
    let all = Only80211b { own: plain(|one| one.own), near: plain(|one| one.near) };
    shared.fill(all);
    for ((ap, network), there_are) in aps.iter_mut().zip(networks).zip(found) {
        if let (Some(ap), Some(mut air)) = (ap, network.air) {
            air.fill(there_are);
            ap.own.keep(&air, shared);
        }
    }
}

/// What of a network decides what it asks of others.
struct Network {
    /// Its air as far as it is given; none of an access point that is not sound.
    air: Option<Air>,
    /// Its band, and the number of its channel.
    channel: Option<(Band, u8)>,
    /// A station of it supports 802.11b alone.
    asks: bool,
}

impl Network {
    fn of(ap: Option<&AccessPoint>, shared: &Air) -> Self {
        let air = ap.map(|ap| ap.air(shared).into_owned());
        let channel = ap.zip(air.as_ref()).map(|(ap, air)| (air.band, ap.primary(air.band)));
        Self { air, channel, asks: false }
    }

    /// What there is in it, and in all networks on its channel.
    fn among(&self, all: &[Self]) -> Only80211b {
        let asks = |other: &Self| {
            let is_80211b = other.air.as_ref().is_some_and(|air| air.standard == Standard::B80211);
            other.channel == self.channel && (other.asks || is_80211b)
        };
        Only80211b { own: self.asks, near: all.iter().any(asks) }
    }
}
