//! Flows that wait although the air does not.

use crate::flow::Flow;
use crate::gaps::USUAL;
use crate::heard::{deafness, heard};
use airloom_trace::Air;
use airloom_trace::tcp::Limit;

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
pub(crate) fn busy(air: &Air, (from, to): (u64, u64)) -> Option<f64> {
    if deafness(air).is_some() {
        return None;
    }
    let (bins, heard) = (&air.busy, heard(air));
    // The backoff of a PPDU that goes into idle air was over before: nobody waits for it.
    let around = |from, to| -> f64 {
        let each = air.traffic().values().map(|traffic| {
            let ppdus = traffic.ppdus.max(1) as f64;
            let mean = traffic.airtime_ns as f64 / ppdus;
            let backed_off = traffic.pressed as f64 / ppdus;
            traffic.over_time.airtime.density(from, to) / mean.max(1.0)
                * (USUAL.around - USUAL.backoff * (1.0 - backed_off))
        });
        each.sum()
    };
    let away = |start: u64, end: u64| {
        let dozes = air.radios().iter().flat_map(|radio| radio.presence.dozes().kept());
        dozes.into_iter().any(|doze| doze.from_ns < end && start < doze.to_ns)
    };
    let mut all: Vec<f64> = (0..bins.bins().len())
        .map(|place| (bins.begin_ns(place), bins.begin_ns(place + 1)))
        .filter(|&(start, end)| from <= start && end <= to && !away(start, end))
        .map(|(start, end)| (bins.density(start, end) + around(start, end)) / heard)
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).map(|busy| 100.0 * busy.min(1.0))
}
