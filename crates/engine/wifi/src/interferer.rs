//! What is on the air beside 802.11: when each source sends, and on which frequencies.

use airloom_sim::{Duration, Stream, Time};

/// A stretch of spectrum, in kHz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spectrum {
    /// Its lower edge.
    pub low_khz: u32,
    /// Its upper edge.
    pub high_khz: u32,
}

impl Spectrum {
    /// So many MHz around a frequency in MHz.
    pub const fn around(centre_mhz: u32, width_mhz: u32) -> Self {
        Self { low_khz: 1000 * centre_mhz - 500 * width_mhz, high_khz: 1000 * centre_mhz + 500 * width_mhz }
    }

    /// Whether the two have anything in common.
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.low_khz < other.high_khz && other.low_khz < self.high_khz
    }
}

/// What an interferer is.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A Bluetooth link that is always busy: in each slot of 625 us a packet of 366 us, as long as a DH1 may be, on one of 79 channels of
    /// 1 MHz (Bluetooth Core Specification, volume 2, part B). Its hops are taken for even chance.
    Bluetooth {
        /// The channels that it leaves out, as adaptive hopping does, as long as 20 remain (`N_min` there).
        spared: Vec<Spectrum>,
    },
    /// A microwave oven: on for half of each period of the mains (Kamerman and Erkocevic, "Microwave oven interference on wireless LANs
    /// operating in the 2.4 GHz ISM band", PIMRC 1997), in all of its band of 2400 to 2500 MHz (ITU Radio Regulations 5.150).
    Microwave {
        /// The period of the mains.
        period: Duration,
    },
    /// A neighbour's network by itself: frames of one length, after times that are exponentially distributed.
    Neighbour {
        /// What they fill.
        spectrum: Spectrum,
        /// How long a frame lasts.
        frame: Duration,
        /// The share of the time that they take, unless they wait for others.
        occupancy: f64,
    },
}

/// A time in which a source sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Burst {
    pub(crate) start: Time,
    pub(crate) end: Time,
    pub(crate) spectrum: Spectrum,
}

/// Bluetooth's slot.
const SLOT: Duration = Duration::from_micros(625);
/// Its longest packet of one slot: 72 bits of access code, 54 of header and 240 of payload at 1 Mbit/s.
const PACKET: Duration = Duration::from_micros(366);
/// Its first channel and how many there are.
const FIRST_MHZ: u32 = 2402;
const CHANNELS: u32 = 79;
/// So many are hopped over at least.
const FEWEST: usize = 20;

impl Source {
    /// Whether it sends as 802.11 does, so that its preambles are heard and it waits for others.
    pub(crate) fn is_80211(&self) -> bool {
        matches!(self, Self::Neighbour { .. })
    }

    /// When its first burst may begin.
    pub(crate) fn first(&self, chance: &mut Stream) -> Time {
        let within = match self {
            Self::Bluetooth { .. } => SLOT,
            Self::Microwave { period } => *period,
            Self::Neighbour { frame, .. } => *frame,
        };
        Time::ZERO + Duration::from_nanos((chance.uniform() * within.as_nanos() as f64) as u64)
    }

    /// Its next burst that falls into any of `wanted`, none earlier than `from`, at which its last ended or its first may begin; none if it
    /// never sends there.
    pub(crate) fn next(&self, from: Time, wanted: &[Spectrum], chance: &mut Stream) -> Option<Burst> {
        let is_wanted = |spectrum: &Spectrum| wanted.iter().any(|one| one.overlaps(spectrum));
        match self {
            Self::Bluetooth { spared } => {
                let hops = hops(spared);
                if !hops.iter().any(is_wanted) {
                    return None;
                }
                let mut start = from + if from == Time::ZERO { Duration::ZERO } else { SLOT - PACKET };
                loop {
                    let spectrum = hops[chance.up_to(hops.len() as u32 - 1) as usize];
                    if is_wanted(&spectrum) {
                        return Some(Burst { start, end: start + PACKET, spectrum });
                    }
                    start += SLOT;
                }
            }
            Self::Microwave { period } => {
                let spectrum = Spectrum::around(2450, 100);
                let (half, start) = (*period / 2, from + *period / 2);
                is_wanted(&spectrum).then_some(Burst { start, end: start + half, spectrum })
            }
            Self::Neighbour { spectrum, frame, occupancy } => {
                let mean = frame.as_nanos() as f64 * (1.0 - occupancy) / occupancy;
                let start = from + Duration::from_nanos((chance.exponential() * mean) as u64);
                is_wanted(spectrum).then_some(Burst { start, end: start + *frame, spectrum: *spectrum })
            }
        }
    }
}

/// The channels over which Bluetooth hops.
fn hops(spared: &[Spectrum]) -> Vec<Spectrum> {
    let all = (0..CHANNELS).map(|channel| Spectrum::around(FIRST_MHZ + channel, 1));
    let left: Vec<Spectrum> = all.clone().filter(|hop| !spared.iter().any(|one| one.overlaps(hop))).collect();
    if left.len() < FEWEST { all.collect() } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANNEL_6: Spectrum = Spectrum::around(2437, 20);
    const EVERYWHERE: Spectrum = Spectrum::around(2450, 200);

    /// The share of `seconds` in which a source sends into this spectrum.
    fn share(source: &Source, wanted: Spectrum, seconds: u64) -> f64 {
        let mut chance = Stream::new(1, "interferer", "bursts");
        let until = Time::ZERO + Duration::from_secs(seconds);
        let (mut from, mut sent) = (source.first(&mut chance), Duration::ZERO);
        while let Some(burst) = source.next(from, &[wanted], &mut chance).filter(|burst| burst.end <= until) {
            assert!(burst.start >= from && burst.spectrum.overlaps(&wanted));
            (from, sent) = (burst.end, sent + (burst.end - burst.start));
        }
        sent.as_secs_f64() / seconds as f64
    }

    /// 366 of 625 us, on 21 of 79 channels: those of 2427 to 2447 MHz reach into 2427 to 2447 MHz.
    #[test]
    fn bluetooth_takes_its_share_of_slots_and_channels() {
        let busy = Source::Bluetooth { spared: Vec::new() };
        assert!((share(&busy, EVERYWHERE, 20) - 0.5856).abs() < 1e-4);
        let expected = 0.5856 * 21.0 / 79.0;
        // 32,000 slots: a standard deviation of 0.0014.
        assert!((share(&busy, CHANNEL_6, 20) - expected).abs() < 0.005, "{}", share(&busy, CHANNEL_6, 20));
    }

    #[test]
    fn adaptive_hopping_leaves_a_channel_alone_as_long_as_twenty_remain() {
        let spares = |spared: Vec<Spectrum>| share(&Source::Bluetooth { spared }, CHANNEL_6, 5);
        assert!(spares(vec![CHANNEL_6]) == 0.0);
        assert!(spares(vec![EVERYWHERE]) > 0.1, "it hops over all then");
    }

    #[test]
    fn an_oven_is_on_for_half_of_each_period() {
        for hertz in [50, 60] {
            let period = Duration::from_nanos(1_000_000_000 / hertz);
            assert!((share(&Source::Microwave { period }, CHANNEL_6, 20) - 0.5).abs() < 1e-3);
        }
    }

    /// On for L, off for a mean of L (1 - r) / r: an alternating renewal process is on for r of the time.
    #[test]
    fn a_neighbour_takes_what_it_is_said_to_take() {
        for occupancy in [0.1, 0.4, 0.8] {
            let frame = Duration::from_millis(1);
            let source = Source::Neighbour { spectrum: CHANNEL_6, frame, occupancy };
            let share = share(&source, CHANNEL_6, 100);
            assert!((share - occupancy).abs() < 0.01, "{share}");
        }
    }
}
