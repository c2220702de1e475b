//! Linux's Minstrel-HT (net/mac80211/rc80211_minstrel_ht.c), as two versions have it: what both share is here.

mod linux_3_13;
mod linux_5_12;
mod rates;
mod samples;

use super::{MOST_TRIES, RateControl, Setup};
use airloom_rate::Rate;
use airloom_sim::Duration;

/// Bytes of a typical packet (`AVG_PKT_SIZE`).
const PACKET: u32 = 1200;
/// Packets of a typical A-MPDU (`AVG_AMPDU_SIZE`, from Linux 4.1 on).
const AMPDU: u32 = 16;
/// Air time that a PPDU costs beyond its data, in nanoseconds: an empty frame and an ACK at 6 Mbit/s, each with a SIFS
/// (`mi->overhead`).
const OVERHEAD: u64 = 108_000;
/// The same with RTS and CTS (`mi->overhead_rtscts`).
const RESERVED_OVERHEAD: u64 = OVERHEAD + 2 * 60_000;
/// How long hardware may be busy with attempts at one rate, in nanoseconds (`mp->segment_size`).
const SEGMENT: u64 = 6_000_000;

airloom_sim::kinds! {
    /// Which of Linux's Minstrel-HT a driver has, by the Linux from which on it is like that.
    pub enum MinstrelHt {
        /// That of Linux 3.13, which also stands for those until 5.11.
        Linux3_13 = "linux-3.13",
        /// That of Linux 5.12 and later, until 6.18 at least.
        Linux5_12 = "linux-5.12",
    }
}

airloom_sim::parameters! {
    /// Minstrel-HT.
    pub struct Minstrel {
        /// How often the averages are taken (`mp->update_interval / 2`, since Linux 5.12 `mp->update_interval`).
        interval: Duration = time(Duration::from_millis(1), Duration::from_secs(10)), default Duration::from_millis(50);
    }
}

impl Minstrel {
    /// The rates that it chooses from, and its control over them.
    pub(super) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        let Setup { rates, minstrel, chance, .. } = setup;
        let control: Box<dyn RateControl> = match minstrel {
            MinstrelHt::Linux3_13 => Box::new(linux_3_13::Control::new(rates, self.interval, chance)),
            MinstrelHt::Linux5_12 => Box::new(linux_5_12::Control::new(rates, self.interval, chance)),
        };
        (rates.to_vec(), control)
    }
}

/// Attempts of `each` nanoseconds that fit into a segment with the contention before them, at least two
/// (`minstrel_calc_retransmit`).
fn attempts(each: u64) -> u16 {
    let contention = (0..MOST_TRIES).map(|n| ((16 << n) - 1_u64).min(1023) * 9_000 / 2);
    let ends = contention.scan(0, |end, wait| {
        *end += wait + each;
        Some(*end)
    });
    ends.skip(2).take_while(|&end| end < SEGMENT).count() as u16 + 2
}

/// The longest MPDU with an A-MSDU, in bytes, if it is bounded (`minstrel_ht_get_max_amsdu_len`, Linux 6.18): short where a packet at the
/// safest rate lasts longer, in nanoseconds, than at one with 52, 104 or 260 bits in a symbol of 4 us, or where the safest rate or the
/// best one loses much.
fn longest_amsdu(
    safest: u64,
    safest_share: f64,
    best_share: f64,
    of_bits: impl Fn(u64) -> u64,
) -> Option<u32> {
    let slower_than = |bits| safest > of_bits(bits);
    if safest_share < 0.5 {
        Some(1)
    } else if slower_than(52) {
        Some(500)
    } else if slower_than(104) {
        Some(1600)
    } else if slower_than(260) || best_share < 0.75 {
        Some(3200)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::attempts;

    /// Worked by hand from `minstrel_calc_retransmit`: contention of 67.5, 139.5, 283.5, 571.5, 1147.5, 2299.5 us and then
    /// 4603.5 us comes before the attempts, and all has to end within 6 ms.
    #[test]
    fn attempts_fill_a_segment() {
        let table = [
            (10_000, 6),    // 6 x 10 + 4509.0 us, and the seventh ends beyond
            (140_000, 6),   // 6 x 140 + 4509.0 = 5349 us
            (1_144_000, 4), // 4 x 1144 + 1062.0 = 5638 us, 5 end beyond
            (1_900_000, 2), // 3 x 1900 + 490.5 = 6190.5 us
            (9_000_000, 2), // never fewer
        ];
        for (each, fit) in table {
            assert_eq!(attempts(each), fit, "{each} ns each");
        }
    }
}
