//! The hash by which queues tell flows apart.

use airloom_wire::FiveTuple;

/// A hash of the flow, the same for both of its directions (Linux `__flow_hash_consistentify()`), spread over all 32
/// bits. The salt changes it in every run, as in Linux, so that flows that collide in one run do not in another.
pub(super) fn flow_hash(tuple: &FiveTuple, salt: u64) -> u32 {
    let &FiveTuple { src, dst, protocol, ports } = tuple;
    let mut ends = [(src, ports.0), (dst, ports.1)];
    ends.sort_unstable();
    let [(low, low_port), (high, high_port)] = ends;
    let addresses = u64::from(low.to_bits()) << 32 | u64::from(high.to_bits());
    let rest = u64::from(low_port) << 32 | u64::from(high_port) << 16 | u64::from(protocol.0);
    (mixed(mixed(salt ^ addresses) ^ rest) >> 32) as u32
}

/// Every bit depends on every bit of `n` (the finalizer of SplitMix64, Steele and others 2014).
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_wire::Protocol;

    fn tuple(ports: (u16, u16)) -> FiveTuple {
        FiveTuple { src: [10, 0, 0, 1].into(), dst: [10, 0, 0, 2].into(), protocol: Protocol::TCP, ports }
    }

    #[test]
    fn both_directions_are_one_flow() {
        let there = tuple((40_000, 5001));
        let back = FiveTuple { src: there.dst, dst: there.src, ports: (5001, 40_000), ..there };
        assert_eq!(flow_hash(&there, 7), flow_hash(&back, 7));
    }

    #[test]
    fn whatever_differs_makes_another_flow() {
        let one = tuple((40_000, 5001));
        let others = [
            FiveTuple { src: [10, 0, 0, 3].into(), ..one },
            FiveTuple { dst: [10, 0, 0, 3].into(), ..one },
            FiveTuple { protocol: Protocol::UDP, ..one },
            tuple((40_001, 5001)),
            tuple((40_000, 5002)),
            // The ports are swapped, the addresses are not.
            tuple((5001, 40_000)),
        ];
        for other in others {
            assert_ne!(flow_hash(&one, 7), flow_hash(&other, 7), "{other:?}");
        }
        assert_ne!(flow_hash(&one, 7), flow_hash(&one, 8));
    }

    /// Buckets are chosen by the high bits.
    #[test]
    fn flows_of_neighbouring_ports_spread_over_buckets() {
        let mut buckets = [0u32; 64];
        for n in 0..6400 {
            buckets[(flow_hash(&tuple((40_000 + n, 5001 + n)), 7) >> 26) as usize] += 1;
        }
        let chi2: f64 = buckets.iter().map(|&n| libm::pow(f64::from(n) - 100.0, 2.0) / 100.0).sum();
        assert!(chi2 < 103.4, "chi-square {chi2} beyond the 0.1 % point for 63 degrees of freedom");
    }
}
