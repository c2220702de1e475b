//! Spells of absence that keep step with beacons: a station dozes in them, and wakes or has woken to listen.

use airloom_trace::{BEACON_PARTS, Doze};

/// The part of a beacon interval within which what keeps step lies, in thousandths: of 102.4 ms that is 5 ms, by which a busy air puts beacons off.
const STEP: u16 = 50;

/// The spells without those that keep step with beacons, where more than half of them do, by their beginnings or by their ends. Of a station that
/// asks for networks meanwhile none is left out.
pub(crate) fn without_steps(spells: Vec<&Doze>) -> Vec<&Doze> {
    let steps = [0, 1].map(|end| step(spells.iter().filter_map(|doze| doze.beats[end])));
    let keeps = |doze: &Doze| {
        let pairs = steps.iter().zip(doze.beats).filter_map(|(step, beat)| step.zip(beat));
        pairs.into_iter().any(|(step, beat)| (beat + BEACON_PARTS - step) % BEACON_PARTS < STEP)
    };
    spells.into_iter().filter(|doze| doze.probes > 0 || !keeps(doze)).collect()
}

/// Where the part of the interval begins in which more than half of the times lie, and one more; none if there is no such part.
fn step(beats: impl Iterator<Item = u16>) -> Option<u16> {
    let mut times = [0_usize; BEACON_PARTS as usize];
    beats.for_each(|beat| times[usize::from(beat % BEACON_PARTS)] += 1);
    let within =
        |from: u16| (from..from + STEP).map(|beat| times[usize::from(beat % BEACON_PARTS)]).sum::<usize>();
    let (count, from) = (0..BEACON_PARTS).map(|from| (within(from), from)).max()?;
    (2 * count > times.iter().sum::<usize>() + 2).then_some(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_step_lies_in_one_part_of_the_interval() {
        assert_eq!(step([990, 995, 3, 10, 500].into_iter()), Some(990));
        assert!(
            step([10; 3].into_iter()).is_some_and(|from| (10 + BEACON_PARTS - from) % BEACON_PARTS < STEP)
        );
    }

    #[test]
    fn a_scan_of_mac80211_keeps_no_step() {
        // Trips every 268 ms among beacons every 102.4 ms, as Linux's passive scan has them beside data.
        assert_eq!(step((0..37_u32).map(|trip| (trip * 2680 % 1024 * 1000 / 1024) as u16)), None);
        for few in [&[][..], &[10, 10], &[10, 40, 90]] {
            assert_eq!(step(few.iter().copied()), None);
        }
    }
}
