//! What a full segment is: its payload and its own options fill what may be in one.

/// What may be in a segment where nothing tells, in octets: an Ethernet frame's room behind the headers of IPv4 and TCP.
const USUAL: u32 = 1460;
/// What may be in a segment at least where the way carries IPv6, in octets (RFC 8200 section 5: packets of 1280).
const LEAST: u32 = 1220;
/// The same of any way, in octets: what is sent to an end that did not say more (RFC 9293 section 3.7.1).
const DEFAULT: u32 = 536;
/// What a tunnel on the way takes of a packet at most, in octets: labels, PPPoE, GRE, WireGuard or IPsec, one in another.
const TUNNEL: u32 = 160;
/// A sender that found a smaller maximum on the way fills it again and again: so often at least, and in half of its segments.
const AGAIN: u32 = 8;

/// How much a sender puts into a segment: payload and options together, since a maximum segment size does not count options and
/// a sender makes room for them (RFC 6691 section 2).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fullness {
    /// By the handshake, if it was captured.
    agreed: Option<u32>,
    /// The most in a packet that may be a single segment.
    longest: u32,
    /// Segments with as much, and all with data.
    longest_times: u32,
    segments: u32,
    /// Whether a packet was longer than that.
    joined: bool,
    /// Options of the last segment, in octets.
    options: u32,
}

impl Fullness {
    /// A segment with data is sent; `agreed` is what the handshake allows.
    pub(super) fn sent(&mut self, agreed: Option<u32>, payload: u32, options: u32) {
        self.agreed = agreed;
        self.options = options;
        self.segments = self.segments.saturating_add(1);
        if payload + options <= USUAL {
            if payload + options > self.longest {
                (self.longest, self.longest_times) = (payload + options, 0);
            }
            self.longest_times =
                self.longest_times.saturating_add(u32::from(payload + options == self.longest));
        } else {
            self.joined = true;
        }
    }

    /// What may be in a segment, options among it.
    fn room(&self) -> u32 {
        match self.agreed {
            Some(agreed) if self.finds_less(agreed) => self.longest,
            Some(agreed) => agreed,
            None if self.joined && self.longest < LEAST => USUAL,
            // Shorter ones are as long as their program made them, however many are.
            None => self.longest.max(DEFAULT),
        }
    }

    /// Whether the sender puts less into its segments than was agreed, as it has to where the way carries less (RFC 1191, RFC 4821).
    const fn finds_less(&self, agreed: u32) -> bool {
        self.longest < agreed
            && agreed - self.longest <= TUNNEL
            && self.longest_times >= AGAIN
            && self.longest_times >= self.segments / 2
    }

    /// The payload of a full segment with the options of the last, in octets.
    pub(super) fn payload(&self) -> u32 {
        self.room().saturating_sub(self.options).max(1)
    }

    /// Whether a segment with so much payload and the options of the last is full, or several that were joined.
    pub(super) fn is_full(&self, payload: u32) -> bool {
        payload >= self.payload()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_makes_room_for_its_own_options() {
        for agreed in [Some(1460), None] {
            let mut fullness = Fullness::default();
            for (payload, options, full) in
                [(1448, 12, true), (1432, 28, true), (1428, 32, true), (1432, 12, false), (1, 12, false)]
            {
                fullness.sent(agreed, payload, options);
                assert_eq!(fullness.is_full(payload), full, "{payload} and {options}, {agreed:?}");
            }
        }
    }

    #[test]
    fn what_a_tunnel_leaves_is_full_and_what_a_program_writes_is_not() {
        // MPLS takes four octets; a program writes 1000 at a time; another one writes pages whose ends are short.
        for (lengths, full) in [([1444; 2], true), ([1000; 2], false), ([1448, 1380], false)] {
            let mut fullness = Fullness::default();
            for length in lengths.repeat(20) {
                fullness.sent(Some(1460), length, 12);
            }
            assert_eq!(fullness.is_full(lengths[1]), full, "{lengths:?}");
        }
    }

    #[test]
    fn joined_segments_are_full_and_tell_nothing_of_a_single_one() {
        let mut fullness = Fullness::default();
        for (payload, full) in [(300, false), (600, true), (28_960, true), (600, false)] {
            fullness.sent(None, payload, 12);
            assert_eq!(fullness.is_full(payload), full, "{payload}");
        }
        // IPv6: a single one is shorter.
        fullness.sent(None, 1428, 12);
        assert!(fullness.is_full(1428));
        assert!(!fullness.is_full(1427));
    }
}
