//! Links: data between a station and its access point.

use crate::spells::{self, Change};
use airloom_trace::{Air, Bins, MacAddr, RadioHeard, Traffic};

/// A link by its transmitter and its receiver.
pub(crate) type Key = (MacAddr, MacAddr);

/// Data between a station and its access point, in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'a> {
    /// The transmitter.
    pub(crate) from: &'a RadioHeard,
    /// The receiver.
    pub(crate) to: &'a RadioHeard,
    /// What went.
    pub(crate) traffic: &'a Traffic,
}

impl<'a> Link<'a> {
    /// The link from one radio to another; none if no data went, or neither of the two is an access point.
    pub(crate) fn between(air: &'a Air, (from, to): Key) -> Option<Self> {
        let link =
            Self { from: air.radio(from)?, to: air.radio(to)?, traffic: air.traffic().get(&(from, to))? };
        (link.from.is_ap != link.to.is_ap).then_some(link)
    }

    /// What tells it from every other.
    pub(crate) const fn key(&self) -> Key {
        (self.from.mac, self.to.mac)
    }

    /// The one of the two that is not the access point.
    pub(crate) const fn station(&self) -> &'a RadioHeard {
        if self.from.is_ap { self.to } else { self.from }
    }

    /// The one of the two that is the access point; the receiver if neither is.
    const fn access_point(&self) -> &'a RadioHeard {
        if self.from.is_ap { self.from } else { self.to }
    }

    /// Whether the station sends.
    pub(crate) const fn is_up(&self) -> bool {
        !self.from.is_ap
    }

    /// "02:00:00:00:00:01 to 02:00:00:00:00:02".
    pub(crate) fn named(&self) -> String {
        format!("{} to {}", self.from.mac, self.to.mac)
    }

    /// A display filter for its data.
    pub(crate) fn filter(&self) -> String {
        format!("wlan.ta == {} && wlan.ra == {} && wlan.fc.type == 2", self.from.mac, self.to.mac)
    }

    /// The mean signal to noise ratio in dB at which the two hear each other, as far as the monitor stands where the access point
    /// does: the station's signal, whichever way the data goes.
    pub(crate) fn snr(&self, air: &Air) -> Option<f64> {
        Some(mean(&self.station().signal)? - noise(air))
    }

    /// The mean ratio at which the monitor hears the sender.
    pub(crate) fn sender_snr(&self, air: &Air) -> Option<f64> {
        Some(mean(&self.from.signal)? - noise(air))
    }

    /// How that ratio changes, if it does.
    pub(crate) fn change(&self, air: &Air) -> Option<Change> {
        Some(spells::change(&self.station().signal)?.above(noise(air)))
    }

    /// How it fell before a time from which on nothing arrives.
    pub(crate) fn fall(&self, air: &Air, since_ns: u64) -> Option<Change> {
        Some(spells::fall(&self.station().signal, since_ns)?.above(noise(air)))
    }

    /// The mean ratio, or that of the seconds in which it is weak: what is strong all the time is strong then. A monitor that hears the access point
    /// less well than the station stands beside the latter: the access point's signal is the link's.
    pub(crate) fn lowest_snr(&self, air: &Air) -> Option<f64> {
        let station = self.snr(air)?;
        let weakest = self.change(air).map_or(station, |change| station.min(change.weak));
        let of_ap = mean(&self.access_point().signal).map(|dbm| dbm - noise(air));
        Some(of_ap.map_or(weakest, |of_ap| weakest.min(of_ap)))
    }

    /// Whether the monitor hears the access point not strongly, and hardly better than the station: it may be far from both, and what it hears of them says
    /// nothing of how they hear each other.
    pub(crate) fn is_far_off(&self, air: &Air) -> bool {
        let signals = mean(&self.access_point().signal).zip(mean(&self.station().signal));
        signals
            .is_some_and(|(of_ap, of_station)| of_ap < of_station + BESIDE_DB && of_ap < noise(air) + NEAR_DB)
    }

    /// The mean ratio from a time on; none if the station was not heard since.
    pub(crate) fn snr_since(&self, air: &Air, from_ns: u64) -> Option<f64> {
        let signal = &self.station().signal;
        let since = signal.bins().iter().enumerate().filter(|&(place, _)| signal.begin_ns(place) >= from_ns);
        let (sum, count) =
            since.fold((0.0, 0), |all, (_, bin)| (all.0 + bin.sum, all.1 + u64::from(bin.count)));
        (count > 0).then(|| sum / count as f64 - noise(air))
    }

    /// The ratio just before a time and just after another, the lower one.
    pub(crate) fn snr_beside(&self, air: &Air, from_ns: u64, to_ns: u64) -> Option<f64> {
        Some(spells::beside(&self.station().signal, from_ns, to_ns)? - noise(air))
    }
}

/// The mean noise in dBm, or a usual one.
fn noise(air: &Air) -> f64 {
    mean(&air.noise).unwrap_or(NOISE)
}

/// An access point that is heard no better than this above its station is not known to be the nearer one: so much a distance twice as large takes in free space.
const BESIDE_DB: f64 = 6.0;
/// An access point that is heard so much above the noise, in dB, is some metres away: 17 dBm at -94 dBm of noise leave 71 dB, which 7 m take indoors.
const NEAR_DB: f64 = 40.0;

/// Thermal noise in 20 MHz with a noise figure of 7 dB, in dBm, for monitors that do not tell theirs.
const NOISE: f64 = -94.0;

/// The noise in dBm that is taken for a monitor's which tells none; none if it does.
pub(crate) fn assumed_noise_dbm(air: &Air) -> Option<f64> {
    mean(&air.noise).is_none().then_some(NOISE)
}

/// The mean of values over time; none without any.
fn mean(bins: &Bins) -> Option<f64> {
    let sums = bins.bins().iter().map(|bin| (bin.sum, u64::from(bin.count)));
    let (sum, count) = sums.fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    (count > 0).then(|| sum / count as f64)
}

/// The most records that a finding names of what one or several links carry.
const NAMED: usize = 16;

/// Records of some PPDUs of several links, spread over their time.
pub(crate) fn shown<'a>(links: impl Iterator<Item = &'a Link<'a>>) -> Vec<u32> {
    let mut numbers: Vec<u32> = links.flat_map(|link| link.traffic.shown.kept()).copied().collect();
    numbers.sort_unstable();
    let apart = numbers.len().div_ceil(NAMED).max(1);
    numbers.into_iter().step_by(apart).collect()
}

/// From the first data to the last, in nanoseconds since 1970: a capture may begin long before and end long after; none without data.
pub(crate) fn data_span(air: &Air) -> Option<(u64, u64)> {
    let spans = air.traffic().values().filter_map(|traffic| {
        let bins = traffic.over_time.airtime.bins();
        let first = bins.iter().position(|bin| bin.count > 0)?;
        Some((traffic.over_time.airtime.begin_ns(first), traffic.over_time.airtime.begin_ns(bins.len())))
    });
    let whole = spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
    let (from, to) = air.span_ns?;
    Some((whole.0.max(from), whole.1.min(to)))
}

/// The access point's address of a radio's network; of a station that of the one with which it last exchanged data.
pub(crate) const fn network_of(radio: &RadioHeard) -> Option<MacAddr> {
    if radio.is_ap { Some(radio.mac) } else { radio.bssid }
}

/// All links between stations and access points with at least this many MPDUs.
pub(crate) fn links(air: &Air, at_least: u64) -> Vec<Link<'_>> {
    air.traffic()
        .iter()
        .filter(|(_, traffic)| traffic.mpdus >= at_least)
        .filter_map(|(&key, _)| Link::between(air, key))
        .collect()
}
