//! What became of packets, by their size: a way may carry short ones and no long ones.

use crate::Capped;

/// The most sizes that are told apart: of more, two that lie side by side count as one.
const MOST: usize = 12;

/// Packets with payload of about one size, and what became of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Size {
    /// The least and the most octets of payload in one of them.
    pub least: u32,
    /// See `least`.
    pub most: u32,
    /// How many passed.
    pub packets: u64,
    /// How often one passed behind a packet of another size.
    pub turns: u64,
    /// Octets of payload in them.
    pub octets: u64,
    /// Those of them that were acknowledged or reported by SACK before they passed again.
    pub arrived: u64,
    /// Those that were not, until they passed again or the receiver reported later ones at the end.
    pub lost: u64,
    /// When the first and the last passed, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
    /// Records of the first ones.
    pub numbers: Capped<u32, 8>,
}

impl Size {
    /// Takes another size in.
    fn merge(&mut self, other: &Self) {
        (self.least, self.most) = (self.least.min(other.least), self.most.max(other.most));
        self.packets += other.packets;
        self.turns += other.turns;
        self.octets += other.octets;
        self.arrived += other.arrived;
        self.lost += other.lost;
        self.span_ns = (self.span_ns.0.min(other.span_ns.0), self.span_ns.1.max(other.span_ns.1));
    }
}

/// All sizes of the packets of one direction, the least first.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    all: Vec<Size>,
    last: u32,
}

impl Sizes {
    /// The sizes, the least first.
    pub(super) fn all(&self) -> &[Size] {
        &self.all
    }

    /// A packet with so many octets of payload passes.
    pub(super) fn sent(&mut self, (now_ns, number): (u64, u32), payload: u32) {
        let turns = u64::from(std::mem::replace(&mut self.last, payload) != payload);
        let place = self.all.partition_point(|one| one.most < payload);
        if self.all.get(place).is_none_or(|one| payload < one.least) {
            let span_ns = (now_ns, now_ns);
            // Most directions have one size or two, and there are many.
            self.all.reserve_exact(1);
            self.all.insert(place, Size { least: payload, most: payload, span_ns, ..Size::default() });
        }
        let one = &mut self.all[place];
        one.packets += 1;
        one.turns += turns;
        one.octets += u64::from(payload);
        one.span_ns.1 = one.span_ns.1.max(now_ns);
        one.numbers.push(number);
        if self.all.len() > MOST {
            self.merge_nearest();
        }
    }

    /// Of the sizes that lie side by side the two that are nearest to each other become one.
    fn merge_nearest(&mut self) {
        let apart = |place: &usize| self.all[place + 1].most - self.all[*place].least;
        let Some(place) = (0..self.all.len() - 1).min_by_key(apart) else { return };
        let upper = self.all.remove(place + 1);
        self.all[place].merge(&upper);
    }

    /// Octets that a packet of a size carried are acknowledged, or reported by SACK.
    pub(super) fn arrived(&mut self, payload: u32, octets: u64) {
        if let Some(one) = self.of(payload) {
            one.arrived += octets;
        }
    }

    /// Octets that a packet of a size carried were neither.
    pub(super) fn lost(&mut self, payload: u32, octets: u64) {
        if let Some(one) = self.of(payload) {
            one.lost += octets;
        }
    }

    fn of(&mut self, payload: u32) -> Option<&mut Size> {
        let place = self.all.partition_point(|one| one.most < payload);
        self.all.get_mut(place).filter(|one| one.least <= payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_sizes_those_side_by_side_count_as_one() {
        let mut sizes = Sizes::default();
        for payload in (1..=200).chain([1448; 50]) {
            sizes.sent((u64::from(payload), payload), payload);
        }
        sizes.arrived(1448, 1448);
        sizes.lost(7, 7);
        let all = sizes.all();
        assert_eq!(all.len(), MOST);
        assert_eq!(all.iter().map(|one| one.packets).sum::<u64>(), 250);
        let last = &all[MOST - 1];
        assert_eq!((last.least, last.packets, last.turns, last.arrived), (1448, 50, 1, 1448));
        assert!(
            all.iter().map(|one| one.lost).sum::<u64>() == 7
                && all.windows(2).all(|two| two[0].most < two[1].least)
        );
    }
}
