//! Links over which next to nothing arrives, all at one rate for which the signal is hardly enough.

use super::held_down::{is_heard_better, retries};
use super::weak::{BETTER, MIN_MPDUS, REPORTED_PCT, SNR_MARGIN_DB, margin, too_fast};
use crate::heard::is_deaf;
use crate::link::{Link, links};
use airloom_trace::Air;

/// So many tries are enough to see that hardly any arrives.
const FEWEST_TRIES: u64 = 20;
/// Of MPDUs that go four times and more this share is sent again, in percent.
const LOST_PCT: f64 = 75.0;
/// The most of the MPDUs that arrives where next to nothing does: of four tries of a segment, each as its timer ends, two in five come to nothing then.
const MOST_ARRIVED: f64 = 0.2;

/// All links of which so much goes and so little arrives.
pub(super) fn hopeless(air: &Air) -> impl Iterator<Item = Link<'_>> {
    links(air, FEWEST_TRIES).into_iter().filter(|link| is_hopeless(air, link))
}

/// Whether next to nothing arrives over a link, as the answers show that are heard, all at one rate for which the signal is hardly enough; of few MPDUs, at one that needs clearly more than there is. How
/// often each MPDU goes does not show that: with ten tries most arrive of which one in four does at a try.
pub(super) fn is_hopeless(air: &Air, link: &Link<'_>) -> bool {
    let most = if link.traffic.mpdus < MIN_MPDUS { -BETTER } else { SNR_MARGIN_DB };
    let is_so = |snr, margin| margin < most && too_fast(snr, margin, retries(link));
    let too_high = |snr: f64| margin(link, snr).is_some_and(|margin| is_so(snr, margin));
    retries(link) >= LOST_PCT
        && link.traffic.mpdus >= FEWEST_TRIES
        && fixed_mbps(link).is_some()
        && link.snr(air).is_some_and(too_high)
        && !is_heard_better(air, link)
        && hears_answers(air, link)
        && hardly_arrives(link.traffic.first_tries(), link.traffic.arrived())
}

/// Whether hardly any of so many MPDUs arrived.
fn hardly_arrives(mpdus: u64, arrived: u64) -> bool {
    arrived as f64 <= MOST_ARRIVED * mpdus as f64
}

/// Whether the answers of a link's receiver would be in the capture: it has answers, and frames of the receiver.
fn hears_answers(air: &Air, link: &Link<'_>) -> bool {
    let back = Link::between(air, (link.to.mac, link.from.mac));
    let any = link.traffic.answered > 0 || air.acks > 0;
    any && link.to.frames > 0 && !is_deaf(air, link) && back.is_none_or(|back| !is_deaf(air, &back))
}

/// The one rate at which all MPDUs of a link go though many are sent again, in Mbit/s, and there are slower ones: a rate control would try these.
pub(super) fn fixed_mbps(link: &Link<'_>) -> Option<f64> {
    match &link.traffic.speeds[..] {
        [one] if retries(link) >= REPORTED_PCT && one.speed.index.is_some_and(|mcs| mcs > 0) => {
            Some(one.speed.mbps)
        }
        _ => None,
    }
}
