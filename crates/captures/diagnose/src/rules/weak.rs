//! What signal is too weak for the rates in use.

use crate::link::Link;
use crate::snr::needed;

/// Fewer MPDUs than this say nothing.
pub(super) const MIN_MPDUS: u64 = 50;
/// Enough for MCS 3, not for MCS 4, in dB.
pub(super) const WEAK: f64 = 15.0;
/// Enough for every rate of one stream, and the margin, in dB: 802.11's minimum sensitivity for MCS 7 is 24 dB above the noise.
pub(super) const NOT_WEAK: f64 = 28.0;
/// The share of retries that is reported, in percent.
pub(super) const REPORTED_PCT: f64 = 10.0;
/// Rates that need so much more signal than there is, in dB, lose MPDUs; with fewer retries than this share, in percent, they do not.
pub(super) const BETTER: f64 = 2.0;
pub(super) const CLEAN_PCT: f64 = 5.0;
/// With this much signal more than needed, noise is not what destroys MPDUs, in dB.
pub(super) const SNR_MARGIN_DB: f64 = 4.0;

/// Whether a ratio in dB is too low for rates that leave such a margin, in dB: by such a share of retries, in percent.
pub(super) fn too_fast(snr: f64, margin: f64, retries: f64) -> bool {
    snr < NOT_WEAK && retries >= REPORTED_PCT && margin < SNR_MARGIN_DB
}

/// How much more such a ratio of signal to noise is than what the rates in use need on average, in dB; none if the capture tells no rates.
pub(super) fn margin(link: &Link<'_>, snr: f64) -> Option<f64> {
    let speeds = &link.traffic.speeds;
    let mpdus: u64 = speeds.iter().map(|used| used.mpdus).sum();
    let needs: f64 = speeds.iter().map(|used| used.mpdus as f64 * needed(&used.speed)).sum();
    (mpdus > 0).then_some(())?;
    Some(snr - needs / mpdus as f64)
}
