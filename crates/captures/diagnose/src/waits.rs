//! Flows that wait although the air does not.

use crate::flow::Flow;
use crate::gaps::USUAL;
use crate::heard::{deafness, heard};
use crate::link::Key;
use airloom_trace::tcp::Limit;
use airloom_trace::{Air, Bins, MacAddr, Traffic};

/// The share of its time in which the sender of a flow waits or recovers, if the network is what holds it back.
pub(crate) const WAITS: f64 = 0.5;

/// The share of a link's PPDUs that began as soon as they could, if frames wait at its sender.
pub(crate) const PRESSED: f64 = 0.8;

/// The share of a flow's time in which its sender waits for acknowledgments or recovers from losses.
pub(crate) fn waits(flow: &Flow<'_>) -> f64 {
    let limits = &flow.data().limits;
    limits.share(Limit::Congestion) + limits.share(Limit::Recovery)
}

/// How busy the air is in the median bin from one time to another, in percent, leaving out bins in which a station was away or
/// dozed; none if there is no such bin, or the monitor has heard too little.
pub(crate) fn busy(air: &Air, span: (u64, u64)) -> Option<f64> {
    let taken = |bin: (u64, u64)| {
        let around = air.traffic().values().map(|traffic| around(traffic, bin)).sum::<f64>();
        air.busy.density(bin.0, bin.1) + around
    };
    let mut all = in_bins(air, span, taken)?;
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).map(|busy| 100.0 * busy.min(1.0))
}

/// The share of the time that all but a station and what is sent to it take, of whatever kind, in the same bins: control frames as the PPDUs with data have them.
pub(crate) fn others_take(air: &Air, station: MacAddr, span: (u64, u64)) -> Option<f64> {
    let (own, others): (Vec<_>, Vec<_>) =
        air.traffic().iter().partition(|((from, to), _)| [from, to].contains(&&station));
    let ppdus = |links: &[(&Key, &Traffic)]| links.iter().map(|(_, one)| one.ppdus).sum::<u64>() as f64;
    let part = ppdus(&own) / (ppdus(&own) + ppdus(&others)).max(1.0);
    let taken = |bin: (u64, u64)| {
        let density = |bins: &Bins| bins.density(bin.0, bin.1);
        let data = own.iter().map(|(_, traffic)| density(&traffic.over_time.airtime)).sum::<f64>();
        let around = others.iter().map(|(_, traffic)| around(traffic, bin)).sum::<f64>();
        (density(&air.busy) - data - part * density(&air.control)).max(0.0) + around
    };
    let all = in_bins(air, span, taken)?;
    (!all.is_empty()).then(|| (all.iter().sum::<f64>() / all.len() as f64).min(1.0))
}

/// What goes around a link's PPDUs as a share of a bin's time: the backoff of one that goes into idle air was over before, and nobody waits for it.
fn around(traffic: &Traffic, (from, to): (u64, u64)) -> f64 {
    let ppdus = traffic.ppdus.max(1) as f64;
    let mean = traffic.airtime_ns as f64 / ppdus;
    let backed_off = traffic.pressed as f64 / ppdus;
    traffic.over_time.airtime.density(from, to) / mean.max(1.0)
        * (USUAL.around - USUAL.backoff * (1.0 - backed_off))
}

/// What share of its time is `taken` of each bin, by the share that the monitor heard, from one time to another but for those in which a station was away or dozed; none if the monitor has heard too little.
fn in_bins(air: &Air, (from, to): (u64, u64), taken: impl Fn((u64, u64)) -> f64) -> Option<Vec<f64>> {
    if deafness(air).is_some() {
        return None;
    }
    let (bins, heard) = (&air.busy, heard(air));
    let away = |start: u64, end: u64| {
        let dozes = air.radios().iter().flat_map(|radio| radio.presence.dozes().kept());
        dozes.into_iter().any(|doze| doze.from_ns < end && start < doze.to_ns)
    };
    let each = (0..bins.bins().len())
        .map(|place| (bins.begin_ns(place), bins.begin_ns(place + 1)))
        .filter(|&(start, end)| from <= start && end <= to && !away(start, end));
    Some(each.map(|bin| taken(bin) / heard).collect())
}
