//! Whether frames with which a sender tries rates keep what waits in its queue apart.

use crate::evidence::Evidence;
use crate::flow::Flow;
use crate::heard::heard_of;
use crate::link::{Link, links};
use crate::ppdus::{can_aggregate, is_parted};
use crate::waits::PRESSED;
use airloom_trace::{Air, MacAddr};

/// The share of a sender's PPDUs that try a rate, if these keep the others short: a sound Minstrel has as many where it sends few PPDUs, but long ones between them.
const MIN_TRIES_SHARE: f64 = 0.3;
/// The share of a sender's MPDUs that try a rate, at most: Linux's first Minstrel gave one in ten to them (`lookaround_rate`), and where few go together somewhat more. A sender whose packets come one at a time sends more of them alone, at whatever rate.
const MAX_TRIES_SHARE: f64 = 0.25;
/// How many PPDUs of several new MPDUs there are for each that goes alone at their rate, if packets wait: what goes alone though nothing is tried has none behind it.
const WAITS: f64 = 2.0;
/// MPDUs in a PPDU that are few where much waits, on average.
const SHORT: f64 = 4.0;
/// Fewer PPDUs than this say nothing.
const MIN_PPDUS: u64 = 500;

/// That a sender at either end of the air on a flow's way, in which a queue stands, sends next to nothing together since it tries rates so often, in a sentence; none if neither does.
pub(super) fn cut_apart(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let (_, air) = evidence.air.as_ref()?;
    let link = flow.link(evidence, air)?;
    [link.from.mac, link.to.mac].into_iter().find_map(|sender| tries_too_often(air, sender))
}

/// The same of a sender whose frames wait: each of its PPDUs begins as soon as it can, and those that try no rate have several MPDUs.
fn tries_too_often(air: &Air, sender: MacAddr) -> Option<String> {
    let links: Vec<Link<'_>> = links(air, 1).into_iter().filter(|link| link.from.mac == sender).collect();
    let sum = |of: fn(&Link<'_>) -> f64| links.iter().map(of).sum::<f64>();
    let ppdus = sum(|link| link.traffic.ppdus as f64).max(1.0);
    let (tries, mpdus) = (sum(|link| link.traffic.tries as f64), sum(|link| link.traffic.mpdus as f64));
    let (several, alone) = (sum(|link| link.traffic.several as f64), sum(|link| link.traffic.alone as f64));
    let pressed: f64 = links.iter().map(|link| link.traffic.pressed as f64 / heard_of(air, link)).sum();
    let tells =
        air.names_ampdus && links.iter().all(|link| can_aggregate(link.traffic) && !is_parted(link.traffic));
    let is_so = tells
        && ppdus >= MIN_PPDUS as f64
        && pressed >= PRESSED * ppdus
        && tries >= MIN_TRIES_SHARE * ppdus
        && tries <= MAX_TRIES_SHARE * mpdus
        && several >= WAITS * alone
        && mpdus < SHORT * ppdus;
    is_so.then(|| {
        format!(
            " {:.0} % of the PPDUs of {sender} have one new MPDU at another rate than its last long one to the same receiver, as packets have with which a rate control tries rates, and {:.1} MPDUs go together on average: these tries keep \
             what waits apart, so that it waits longer.",
            100.0 * tries / ppdus,
            mpdus / ppdus
        )
    })
}
