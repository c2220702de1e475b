//! Packets of a flow that vanish by their size, wherever in the flow they are.

use crate::flow::Flow;
use airloom_trace::tcp::Size;

/// So many longer packets that all vanish, and as many shorter ones, are no chance.
const MIN_PACKETS: u64 = 10;
/// So often packets of either kind came behind some of the other.
const TURNS: u64 = 3;
/// The part of the longer ones of which the packets show that they did not arrive.
const SHOWN: f64 = 0.5;
/// The part of the shorter ones that may be lost as well, and the part that is known to have arrived.
const LOST: f64 = 0.1;
const ARRIVED: f64 = 0.8;
/// Most links carry no longer packets than this, in octets with the headers of IPv4 and TCP (RFC 894), and what is left of that for payload.
const ETHERNET: u32 = 1500 - 40;

/// Packets that all vanish since they are longer than others, which arrive.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BySize {
    /// The most octets of payload in a packet that arrived.
    pub(super) arrives: u32,
    /// The least and the most octets of payload in those that vanish.
    pub(super) vanish: [u32; 2],
    /// How many vanish, and how many that are at least half as long as the longest that arrived were sent beside them.
    pub(super) packets: [u64; 2],
    /// When the first and the last of those that vanish passed, in nanoseconds since 1970.
    pub(super) span_ns: [u64; 2],
    /// Records of some of them.
    pub(super) numbers: Vec<u32>,
}

impl BySize {
    /// Of how many packets each of those that vanish was made, where no usual link carries one so long.
    pub(super) fn merged(&self) -> Option<u32> {
        let [least, _] = self.vanish;
        (least > ETHERNET && least >= 2 * self.arrives).then(|| least / self.arrives)
    }
}

/// Whether no packet of a flow that is longer than this many octets of payload arrives, while shorter ones do that pass in between.
pub(super) fn by_size(flow: &Flow<'_>, small: u32) -> Option<BySize> {
    of(flow.data().sizes(), small)
}

fn of(sizes: &[Size], small: u32) -> Option<BySize> {
    let (short, long) = sizes.split_at(sizes.iter().rposition(|one| one.arrived > 0)? + 1);
    let arrives = short.last()?.most;
    let comparable = || short.iter().filter(|one| 2 * one.most >= arrives);
    let sum = |of: fn(&Size) -> u64| [comparable().map(of).sum(), long.iter().map(of).sum::<u64>()];
    let packets = sum(|one| one.packets);
    let [shorter, longer] = sum(|one| one.octets).map(|octets| octets as f64);
    let [lost, vanished] = sum(|one| one.lost).map(|octets| octets as f64);
    let arrived = comparable().map(|one| one.arrived).sum::<u64>() as f64;
    let are_many = packets.iter().all(|&packets| packets >= MIN_PACKETS);
    let in_turns = sum(|one| one.turns).iter().all(|&turns| turns >= TURNS);
    let by_size = vanished >= SHOWN * longer && lost <= LOST * shorter && arrived >= ARRIVED * shorter;
    let vanish = [long.first()?.least, long.last()?.most];
    (are_many && in_turns && by_size && vanish[0] > small).then(|| BySize {
        arrives,
        vanish,
        packets: [packets[1], packets[0]],
        span_ns: [
            long.iter().map(|one| one.span_ns.0).min().unwrap_or_default(),
            long.iter().map(|one| one.span_ns.1).max().unwrap_or_default(),
        ],
        numbers: long.iter().flat_map(|one| one.numbers.kept()).copied().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(payload: u32, packets: u64, arrived: u64, lost: u64) -> Size {
        let octets = |packets: u64| packets * u64::from(payload);
        Size {
            least: payload,
            most: payload,
            packets,
            turns: packets / 2,
            octets: octets(packets),
            arrived: octets(arrived),
            lost: octets(lost),
            span_ns: (u64::from(payload), 9000),
            ..Size::default()
        }
    }

    #[test]
    fn packets_that_vanish_by_their_size_are_told_from_losses() {
        // As `ultrasurf.pcap` of nDPI has them: what a box has merged it cannot forward.
        let merged = [size(1280, 1, 1, 0), size(1288, 30, 30, 0), size(2576, 27, 0, 19)];
        let found = of(&merged, 1160).unwrap();
        assert_eq!((found.arrives, found.vanish, found.packets), (1288, [2576; 2], [27, 31]));
        assert_eq!((found.merged(), found.span_ns), (Some(2), [2576, 9000]));
        let tunnel = [size(1100, 40, 39, 1), size(1448, 12, 0, 12)];
        assert_eq!(of(&tunnel, 1160).and_then(|found| found.merged()), None);
        assert!(of(&tunnel, 1160).is_some());
        for other in [
            // One of the long ones came through; some short ones are lost too; few long ones; a burst at the end.
            [size(1288, 31, 31, 0), size(2576, 27, 1, 26)],
            [size(1288, 31, 26, 5), size(2576, 27, 0, 27)],
            [size(1288, 31, 31, 0), size(2576, 9, 0, 9)],
            [size(1288, 31, 31, 0), size(2576, 27, 0, 2)],
            [size(500, 31, 31, 0), size(1000, 27, 0, 27)],
        ] {
            assert_eq!(of(&other, 1160), None, "{other:?}");
        }
        assert_eq!(of(&[size(2576, 27, 0, 27)], 1160), None, "nothing arrives");
    }
}
