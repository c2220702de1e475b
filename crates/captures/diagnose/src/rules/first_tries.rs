//! First tries that the monitor did not hear though it hears their sender well: what met them in the air took them from the monitor as well, and no noise at their receiver.

use super::weak::{SNR_MARGIN_DB, margin};
use crate::link::Link;
use airloom_trace::Air;

/// The share of a link's MPDUs of which no try before a retry was heard, in percent. None where the monitor hears the sender too weakly to tell, or MPDUs have no numbers of their own.
pub(super) fn struck(air: &Air, link: &Link<'_>) -> Option<f64> {
    let each = link.traffic.first_tries() + link.traffic.first_as_retries;
    (hears_sender(air, link) && each > 0).then(|| 100.0 * link.traffic.first_as_retries as f64 / each as f64)
}

/// The share of a link's MPDUs that was sent again in percent, but for those of which the monitor should have heard a try before, had it been lost to noise.
pub(super) fn lost_to_noise(air: &Air, link: &Link<'_>) -> f64 {
    let struck = if hears_sender(air, link) { link.traffic.first_as_retries } else { 0 };
    100.0 * link.traffic.retried.saturating_sub(struck) as f64 / link.traffic.mpdus.max(1) as f64
}

/// Whether the monitor hears a link's sender so well that it loses nothing of it to noise, and MPDUs have numbers.
fn hears_sender(air: &Air, link: &Link<'_>) -> bool {
    let over = link.sender_snr(air).and_then(|snr| margin(link, snr));
    link.traffic.unnumbered == 0 && over.is_some_and(|over| over >= SNR_MARGIN_DB)
}
