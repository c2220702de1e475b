//! How many MPDUs go in a PPDU.

use airloom_trace::{Air, Phy, Traffic};

/// How many more MPDUs than were heard together show that more were.
const TOGETHER: f64 = 1.5;
/// Of fewer PPDUs than this, none of which had several MPDUs, nothing shows that none may have.
const MIN_PPDUS: u64 = 100;

/// Where this share of a link's MPDUs or more is sent again, its rate control goes from rate to rate, and the slowest that a PPDU may fall back to bounds
/// its length, not what waits.
const WANDERS: f64 = 0.1;

/// Whether BlockAcks show that more went together than the monitor tells: a single MPDU has an ACK.
pub(crate) fn is_parted(traffic: &Traffic) -> bool {
    let answers = traffic.answered.saturating_sub(traffic.acked) as f64;
    let (arrived, _) = traffic.arrived_and_unheard();
    let with = |all: u64| all.saturating_sub(traffic.acked) as f64;
    arrived as f64 * with(traffic.ppdus) > TOGETHER * answers * with(traffic.mpdus)
}

/// Whether the capture tells which MPDUs of a link went together: its radio names A-MPDUs, or the link has none, as all do before 802.11n.
pub(crate) fn tells_together(air: &Air, traffic: &Traffic) -> bool {
    let goes_alone = !traffic.speeds.is_empty() && !can_aggregate(traffic);
    goes_alone || (air.names_ampdus && !is_parted(traffic))
}

/// The MPDUs of the largest PPDU.
pub(crate) fn largest(traffic: &Traffic) -> f64 {
    traffic.over_time.sizes.bins().iter().map(|bin| bin.most).fold(0.0, f64::max)
}

/// Whether none of its frames travels with another though frames wait for each other, nor is answered as if there were an agreement.
pub(crate) fn goes_alone(traffic: &Traffic) -> bool {
    let (arrived, _) = traffic.arrived_and_unheard();
    // What is sent again begins at once too, with nothing behind it.
    let waits = 2 * traffic.pressed.saturating_sub(traffic.again) > traffic.ppdus;
    largest(traffic) <= 1.0 && arrived == 0 && traffic.acked >= MIN_PPDUS && waits
}

/// Whether its frames may travel together: most have rates of 802.11n or later.
pub(crate) fn can_aggregate(traffic: &Traffic) -> bool {
    are_mostly(traffic, &[Phy::Ht, Phy::Vht, Phy::He, Phy::Eht])
}

/// Whether most MPDUs have rates of some standards.
pub(crate) fn are_mostly(traffic: &Traffic, standards: &[Phy]) -> bool {
    let used = traffic.speeds.iter().filter(|used| standards.contains(&used.speed.phy));
    2 * used.map(|used| used.mpdus).sum::<u64>() > traffic.mpdus
}

/// Whether so many MPDUs of a link are sent again that the lengths of its PPDUs do not tell what waits.
pub(crate) fn wanders(traffic: &Traffic) -> bool {
    traffic.retried as f64 >= WANDERS * traffic.mpdus as f64
}

/// The MPDUs that an agreement about BlockAcks covers at most, for most of a link's MPDUs: 802.11-2020 clause 9.4.1.13, 802.11ax clause 9.4.1.13, 802.11be clause 9.4.1.13.
pub(crate) fn agreed(traffic: &Traffic) -> f64 {
    if are_mostly(traffic, &[Phy::Eht]) {
        1024.0
    } else if are_mostly(traffic, &[Phy::He, Phy::Eht]) {
        256.0
    } else {
        64.0
    }
}

/// Fewer MPDUs together show nothing of how packets go where many wait.
const SEVERAL: f64 = 8.0;

/// Whether an MPDU of a link may have several packets where many wait: some have, or none went beside others.
pub(crate) fn joins_packets(traffic: &Traffic) -> bool {
    traffic.amsdus > 0 || largest(traffic) < SEVERAL
}

/// The octets of the longest A-MPDU that the standard has for most of a link's MPDUs: 802.11-2020 clauses 9.4.2.55.3 (802.11n) and 9.4.2.157.2 (802.11ac),
/// 802.11ax clause 9.4.2.248.2, and 802.11be clause 9.4.2.323.2.
pub(crate) fn most_octets(traffic: &Traffic) -> f64 {
    let exponent = if are_mostly(traffic, &[Phy::Eht]) {
        23
    } else if are_mostly(traffic, &[Phy::He, Phy::Eht]) {
        22
    } else if are_mostly(traffic, &[Phy::Vht, Phy::He, Phy::Eht]) {
        20
    } else {
        16
    };
    f64::from((1_u32 << exponent) - 1)
}
