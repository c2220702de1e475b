//! Links whose frames, each alone, collide as often as where both sides always have one waiting.

use crate::link::Link;
use crate::ppdus::can_aggregate;
use airloom_trace::Air;

/// The share of the frames that are sent again, of both directions together. Of a transfer by TCP in full air it is 7 % and more, though its receiver sends half as many frames; where frames find the air
/// idle for half of the time, two seldom begin at once.
const COLLIDE: f64 = 0.05;

/// The share of the frames of a link and of the one back that are sent again, if frames go alone and so many collide that both sides always seem to have one waiting.
pub(crate) fn collide_alone(air: &Air, link: &Link<'_>) -> Option<f64> {
    let back = Link::between(air, (link.to.mac, link.from.mac))?;
    let both = [link.traffic, back.traffic];
    let [again, all] =
        [both.map(|one| one.retried), both.map(|one| one.mpdus)].map(|[one, other]| one + other);
    let share = again as f64 / all.max(1) as f64;
    (both.iter().all(|one| !can_aggregate(one) && one.retried > 0) && share >= COLLIDE).then_some(share)
}
