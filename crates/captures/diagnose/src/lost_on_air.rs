//! Flows that stand still since the air takes all that is sent of them: a monitor heard it go, and nothing arrive.

use crate::evidence::Evidence;
use crate::flow::Flow;
use crate::heard::is_deaf;
use crate::link::Link;
use airloom_trace::tcp::Stuck;
use airloom_trace::{Air, Futile, RadioHeard, Traffic};

/// So many MPDUs that nothing of arrived are no chance, nor is it that a link was silent for the rest.
const MIN_MPDUS: u64 = 3;
/// Each of them was tried so often on average, or more: a sender that gets its ACK repeats nothing, whether or not the monitor hears that ACK.
const MIN_TRIES: u64 = 2;
/// Nothing arrived for this part of the time in which nothing answered.
const MOST: f64 = 0.5;
/// What is repeated goes over the air within this time, in seconds, since a queue of the access point may hold it; and a radio that is heard no later may have left right then.
const APART_S: f64 = 1.0;
/// The share of PPDUs whose answers were heard before: a monitor that hears fewer does not know what arrived.
const ANSWERED: f64 = 0.5;

/// What the air took.
pub(crate) struct LostOnAir<'a> {
    /// The link that carries the flow.
    pub(crate) link: Link<'a>,
    /// What went over it since anything arrived.
    pub(crate) futile: &'a Futile,
    /// When the receiver's radio last gave a sign of itself since then, on the monitor's clock; none if it gave none.
    pub(crate) sign_ns: Option<u64>,
}

/// That the air took all that was repeated of a flow; none if it did not, or if that does not show.
pub(crate) fn lost_on_air<'a>(
    evidence: &'a Evidence,
    flow: &Flow<'_>,
    stuck: &Stuck,
) -> Option<LostOnAir<'a>> {
    let (_, air) = evidence.air.as_ref()?;
    let link = flow.link(evidence, air).filter(|link| !is_deaf(air, link))?;
    let futile = &link.traffic.futile;
    let [from, to] = [stuck.span_ns.0.max(stuck.heard_ns), stuck.span_ns.1]
        .map(|at| evidence.seconds_in(flow.capture, at));
    let [first, last] = [futile.span_ns.0, futile.span_ns.1].map(|at| evidence.seconds(at));
    let is_of_it = first <= to - MOST * (to - from) && last >= to - APART_S;
    (is_of_it && is_repeated(futile) && hears_answers(link.traffic)).then(|| LostOnAir {
        link,
        futile,
        sign_ns: sign_ns(link.to, futile),
    })
}

/// What went over a link and never arrived up to its last data, if the sender tried for so long, in seconds, and the monitor would have heard that it arrives.
pub(crate) fn futile_for<'a>(air: &Air, link: &Link<'a>, long_s: f64) -> Option<&'a Futile> {
    let futile = &link.traffic.futile;
    let lasts = (futile.span_ns.1 - futile.span_ns.0) as f64 >= 1e9 * long_s;
    (lasts && is_repeated(futile) && !is_deaf(air, link) && hears_answers(link.traffic)).then_some(futile)
}

/// Whether what did not arrive is enough, and was tried again.
const fn is_repeated(futile: &Futile) -> bool {
    futile.mpdus >= MIN_MPDUS && futile.tries >= MIN_TRIES * futile.mpdus
}

/// Whether the monitor heard the receiver answer as long as it did.
fn hears_answers(traffic: &Traffic) -> bool {
    let before = traffic.ppdus.saturating_sub(traffic.futile.ppdus);
    before > 0 && traffic.answered as f64 >= ANSWERED * before as f64
}

/// When a radio was last heard, if it was behind the first of what was futile by a second or more: it may have left right then.
fn sign_ns(radio: &RadioHeard, futile: &Futile) -> Option<u64> {
    Some(radio.last_ns).filter(|&at_ns| at_ns as f64 >= futile.span_ns.0 as f64 + 1e9 * APART_S)
}
