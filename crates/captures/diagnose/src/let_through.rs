//! What the way of a flow lets through where something holds the flow back at its ends, by trains of its packets and of acknowledgments.

use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use airloom_trace::tcp::Trains;

/// Fewer trains say nothing.
const MIN_TRAINS: u64 = 20;
/// The share of trains that may have come together on the way behind what is slowest there.
const FASTEST: f64 = 0.95;
/// The share of trains that the usual one is faster than.
const USUAL: f64 = 0.5;
/// How far the quicker quarter of the trains may differ from the slower one, if a line lets them go: what acknowledgments and the air space out differs more.
const ALIKE: f64 = 1.05;
/// How much faster than the flow trains are that something lets go which is not what holds it back.
const FASTER: f64 = 1.25;

/// What a way lets through, in Mbit/s of payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LetThrough {
    /// As much at least, as trains of packets and of acknowledgments came.
    AtLeast(f64),
    /// So much and no more: all trains came as fast as each other, and faster than the flow.
    Line(f64),
}

/// What the way of a flow that moves so many Mbit/s lets through; none where too few trains show.
pub(crate) fn let_through(evidence: &Evidence, flow: &Flow<'_>, moved: f64) -> Option<LetThrough> {
    let views = views(evidence, flow);
    let line = trains(&views).filter_map(even_mbps).filter(|&mbps| mbps >= FASTER * moved).reduce(f64::min);
    line.map(LetThrough::Line).or_else(|| least_mbps(&views, FASTEST).map(LetThrough::AtLeast))
}

/// That it does not show whether the way of a flow lets through what the air would, and what it does let through, in a sentence.
pub(crate) fn untold(evidence: &Evidence, flow: &Flow<'_>, moved: f64) -> String {
    let least = least_mbps(&views(evidence, flow), USUAL).filter(|&mbps| mbps >= FASTER * moved);
    let trains = match least {
        Some(mbps) => format!(
            "half of its trains of nine packets came at {mbps:.0} Mbit/s and more, so that it lets as much through"
        ),
        None => "its packets hardly ever come faster than on average".to_owned(),
    };
    format!(" Whether its way beyond the air would let through what the air does is not known: {trains}.")
}

/// All trains that show something.
fn trains<'a>(views: &'a [Flow<'a>]) -> impl Iterator<Item = &'a Trains> {
    let both = views.iter().flat_map(|view| [&view.data().sent_trains, &view.data().acknowledged_trains]);
    both.filter(|trains| trains.count() >= MIN_TRAINS)
}

/// The least of the rates that a share of the trains did not exceed anywhere.
fn least_mbps(views: &[Flow<'_>], share: f64) -> Option<f64> {
    trains(views).filter_map(|trains| trains.quantile_mbps(share)).reduce(f64::min)
}

/// The rate of trains that are all as fast as each other; none if they are not.
fn even_mbps(trains: &Trains) -> Option<f64> {
    let [slow, usual, fast] = [0.25, USUAL, 0.75].map(|share| trains.quantile_mbps(share));
    (fast? <= ALIKE * slow?).then_some(usual?)
}
