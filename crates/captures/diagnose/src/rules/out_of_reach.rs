//! W105 where nothing arrives any more: a connection stands still since its receiver is hardly in reach.

use super::weak::WEAK;
use crate::evidence::Evidence;
use crate::finding::Finding;
use crate::flow::{Flow, flows};
use crate::link::Link;
use crate::lost_on_air::{LostOnAir, lost_on_air};
use crate::standstill::{cost, given_up};
use airloom_trace::Air;
use airloom_trace::tcp::Stuck;

/// A connection that stands still since the air takes what is sent of it.
pub(super) struct Stopped<'a> {
    flow: Flow<'a>,
    stuck: Stuck,
    lost: LostOnAir<'a>,
}

/// All such connections.
pub(super) fn stopped(evidence: &Evidence) -> Vec<Stopped<'_>> {
    let all = flows(evidence, 1).into_iter();
    all.filter_map(|flow| {
        let stuck = given_up(&flow)?;
        let lost = lost_on_air(evidence, &flow, &stuck)?;
        Some(Stopped { flow, stuck, lost })
    })
    .collect()
}

/// The finding about a link that carries a connection which stands still, if its signal was weak from then on.
pub(super) fn found(
    evidence: &Evidence,
    (capture, air): (usize, &Air),
    link: &Link<'_>,
    stopped: &[Stopped<'_>],
) -> Option<Finding> {
    let Stopped { flow, stuck, lost } = stopped.iter().find(|one| one.lost.link.key() == link.key())?;
    let snr = weak_since(air, lost)?;
    let futile = lost.futile;
    let span = [futile.span_ns.0, futile.span_ns.1].map(|at| evidence.seconds(at));
    Some(Finding {
        subject: link.named(),
        spans: vec![span],
        value: snr,
        threshold: WEAK,
        unit: "dB above the noise",
        confidence: if link.is_up() { 0.9 } else { 0.8 },
        cost: cost(flow, stuck),
        capture,
        frames: futile.numbers.clone(),
        filter: link.filter(),
        says: format!(
            "Nothing arrives from {:.1} s on: {} PPDUs went, and none of their {} MPDUs was acknowledged, so that {} stands still. The station is heard {snr:.0} dB above the noise \
             since then, and was at {:.0} dB on average.",
            span[0],
            futile.ppdus,
            futile.mpdus,
            flow.named(),
            link.snr(air).unwrap_or(snr),
        ),
        remedy: "Bring station and access point closer to each other, or set up an access point where the station is; look why it did not change to another one \
                 before (`iw event -t`)."
            .to_owned(),
    })
}

/// The ratio of signal to noise in dB since nothing arrives, if that is weak and the receiver's radio is there.
pub(super) fn weak_since(air: &Air, lost: &LostOnAir<'_>) -> Option<f64> {
    lost.sign_ns?;
    lost.link.snr_since(air, lost.futile.span_ns.0).filter(|&snr| snr < WEAK)
}
